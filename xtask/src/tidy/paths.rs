//! No path of somebody's machine in the project's files.

use super::Finding;
use crate::workspace::SourceFile;

/// Folders that exist on one machine only; written in two halves, so that the rule does not find itself.
const FOLDERS: [&str; 2] = [concat!("/wo", "rk/"), concat!("/ro", "ot/")];

/// The homes of people: anything one level below.
const HOMES: [&str; 2] = [concat!("/ho", "me/"), concat!("/Us", "ers/")];

pub(super) fn check(files: &[SourceFile]) -> Vec<Finding> {
    files.iter().flat_map(findings_in).collect()
}

fn findings_in(file: &SourceFile) -> Vec<Finding> {
    let lines = file.text.lines().zip(1_usize..).filter(|(line, _)| names_a_machine(line));
    let place = |number| format!("{}:{number}", file.path);
    lines.map(|(_, number)| Finding::error(place(number), "names a path of one machine")).collect()
}

fn names_a_machine(line: &str) -> bool {
    let folder = FOLDERS.iter().any(|folder| absolute(line, folder).next().is_some());
    let home = HOMES.iter().any(|home| absolute(line, home).any(begins_with_a_folder));
    folder || home
}

/// What follows each place where the path begins at the root, and is not the tail of an address or another path.
fn absolute<'a>(line: &'a str, folder: &'a str) -> impl Iterator<Item = &'a str> {
    let continues = |letter: char| letter.is_alphanumeric() || "._-~*})]>".contains(letter);
    let hits = line
        .match_indices(folder)
        .filter(move |(at, _)| !line.get(..*at).is_some_and(|before| before.ends_with(continues)));
    hits.filter_map(move |(at, _)| line.get(at + folder.len()..))
}

fn begins_with_a_folder(rest: &str) -> bool {
    let name: &str = rest
        .split(|letter: char| !letter.is_alphanumeric() && letter != '-' && letter != '_')
        .next()
        .unwrap_or_default();
    !name.is_empty() && rest.get(name.len()..).is_some_and(|after| after.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::super::{file, shown};
    use super::*;

    fn said_of(line: &str) -> String {
        shown(&check(&[file("docs/guide.md", &format!("first\n{line}\n"))]))
    }

    #[test]
    fn paths_of_a_machine_are_found() {
        let expected = "error: docs/guide.md:2: names a path of one machine";
        for folder in FOLDERS {
            assert_eq!(said_of(&format!("see `{folder}project`")), expected);
            assert_eq!(said_of(&format!("file://{folder}project")), expected);
        }
        for home in HOMES {
            assert_eq!(said_of(&format!("see \"{home}ada/project\"")), expected);
        }
    }

    #[test]
    fn addresses_relative_paths_and_routes_are_left_alone() {
        assert_eq!(said_of(&format!("https://example.com{}a", FOLDERS[0])), "");
        assert_eq!(said_of(&format!("./src{}a and ~{}a", FOLDERS[0], FOLDERS[0])), "");
        assert_eq!(said_of(&format!("the route {} and {}<name>/", HOMES[0], HOMES[0])), "");
    }
}
