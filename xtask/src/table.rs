//! Plain aligned tables for the terminal.

/// Lays rows out in columns; a column whose cells are all numbers is aligned to the right.
pub(crate) fn render(header: &[&str], rows: &[Vec<String>]) -> String {
    let columns: Vec<Column> = (0..header.len()).map(|index| Column::of(index, header, rows)).collect();
    let head = header.iter().map(|&cell| cell.to_owned()).collect();
    let rule = columns.iter().map(|column| "-".repeat(column.width)).collect();
    let lines = [head, rule].into_iter().chain(rows.iter().cloned());
    lines.map(|row: Vec<String>| line(&columns, &row)).collect()
}

struct Column {
    width: usize,
    numeric: bool,
}

impl Column {
    fn of(index: usize, header: &[&str], rows: &[Vec<String>]) -> Self {
        let cells = || rows.iter().filter_map(|row| row.get(index));
        let title = header.get(index).map_or(0, |cell| cell.chars().count());
        let width = cells().map(|cell| cell.chars().count()).fold(title, usize::max);
        let numeric = cells().all(|cell| cell.chars().all(|letter| letter.is_ascii_digit()));
        Self { width, numeric }
    }
}

fn line(columns: &[Column], row: &[String]) -> String {
    let cells = columns.iter().zip(row).map(|(column, cell)| {
        let width = column.width;
        if column.numeric { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
    });
    let text = cells.collect::<Vec<_>>().join("  ");
    format!("{}\n", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_to_the_right() {
        let rows = [["fmt", "7"], ["clippy", "12"]].map(|row| row.map(str::to_owned).to_vec());
        insta::assert_snapshot!(render(&["Stage", "Seconds"], &rows), @"
        Stage   Seconds
        ------  -------
        fmt           7
        clippy       12
        ");
    }
}
