//! Plain tables for a terminal.

/// Rows below a head, each column as wide as its widest cell.
pub(crate) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain(head.get(column).map(|cell| cell.chars().count())).max().unwrap_or_default()
    };
    let line = |cells: Vec<String>| {
        let padded: Vec<_> =
            cells.iter().enumerate().map(|(column, cell)| format!("{cell:<0$}", width(column))).collect();
        format!("{}\n", padded.join("  ").trim_end())
    };
    let first = line(head.iter().map(|cell| (*cell).to_owned()).collect());
    let rule = line((0..head.len()).map(|column| "-".repeat(width(column))).collect());
    [first, rule].into_iter().chain(rows.iter().cloned().map(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["1", "12 of 12"], ["2", "3"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(
            table(&["Jobs", "Found"], &rows),
            "Jobs  Found\n----  --------\n1     12 of 12\n2     3\n"
        );
    }
}
