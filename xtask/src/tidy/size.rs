//! How long a source file may be.

use super::Finding;
use crate::generate;
use crate::workspace::SourceFile;

const LINES_WARN: usize = 600;
const LINES_MAX: usize = 1000;

/// A generated file says so in one of its first lines.
const GENERATED_MARK: &str = "@generated";
const GENERATED_MARK_WITHIN_LINES: usize = 5;

pub(super) fn check(files: &[SourceFile]) -> Vec<Finding> {
    files.iter().filter(|file| is_written_by_hand(file)).filter_map(too_long).collect()
}

fn is_written_by_hand(file: &SourceFile) -> bool {
    let is_source = ["rs", "ts", "mjs", "js", "css"].contains(&file.extension());
    let is_data = file.is_under("spec/cases");
    let is_generated = generate::FOLDERS.iter().any(|folder| file.is_under(folder))
        || file.text.lines().take(GENERATED_MARK_WITHIN_LINES).any(|line| line.contains(GENERATED_MARK));
    is_source && !is_data && !is_generated
}

fn too_long(file: &SourceFile) -> Option<Finding> {
    match file.text.lines().count() {
        LINES_MAX.. => {
            let lines = file.text.lines().count();
            Some(Finding::error(&file.path, format!("has {lines} lines; split it before {LINES_MAX}")))
        }
        lines @ LINES_WARN.. => {
            Some(Finding::warning(&file.path, format!("has {lines} lines; a file stays under {LINES_WARN}")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{file, shown};
    use super::*;

    fn said_of(path: &str, lines: usize) -> String {
        shown(&check(&[file(path, &"x\n".repeat(lines))]))
    }

    #[test]
    fn long_files_warn_and_very_long_ones_fail() {
        assert_eq!(said_of("crates/uiap/src/a.rs", 599), "");
        insta::assert_snapshot!(
            said_of("crates/uiap/src/a.rs", 600),
            @"warning: crates/uiap/src/a.rs: has 600 lines; a file stays under 600"
        );
        insta::assert_snapshot!(
            said_of("web/sdk/a.ts", 1000),
            @"error: web/sdk/a.ts: has 1000 lines; split it before 1000"
        );
    }

    #[test]
    fn generated_files_cases_and_prose_may_be_long() {
        for path in ["web/types/all.ts", "spec/cases/page.js", "docs/guide.md", "Cargo.lock"] {
            assert_eq!(said_of(path, 2000), "", "{path}");
        }
        let bundle =
            file("crates/uiap-web/src/publisher.js", &format!("// {GENERATED_MARK}\n{}", "x\n".repeat(2000)));
        assert_eq!(shown(&check(&[bundle])), "");
    }
}
