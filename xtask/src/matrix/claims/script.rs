//! Claims of TypeScript and JavaScript tests: a line `// proves: A, B` above or inside the test.

use super::{Claim, Found};
use crate::workspace::SourceFile;

const MARK: &str = "// proves:";

/// The functions of `node:test` that declare a test.
const DECLARATIONS: [&str; 2] = ["test", "it"];

pub(super) fn read(file: &SourceFile, found: &mut Found) {
    let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
    for (index, line) in lines.iter().enumerate() {
        let Some(ids) = line.strip_prefix(MARK) else { continue };
        match test_around(&lines, index) {
            Some(Test::Runs(name)) => {
                let test = format!("{} {name}", file.path);
                let ids = ids.split(',').map(str::trim).filter(|id| !id.is_empty());
                found.claims.extend(ids.map(|id| Claim::new(id, &test, &file.path, index + 1)));
            }
            Some(Test::DoesNotRun) => {
                found.problem(file, index + 1, "a test that does not run proves nothing");
            }
            None => found.problem(file, index + 1, "a claim must stand above or inside a test"),
        }
    }
}

#[derive(Debug, PartialEq)]
enum Test<'a> {
    Runs(&'a str),
    DoesNotRun,
}

/// The test on the next line of code; otherwise the claim stands inside the last one that began before it.
fn test_around<'a>(lines: &[&'a str], claim: usize) -> Option<Test<'a>> {
    let is_code = |line: &&&str| !line.is_empty() && !line.starts_with("//");
    let next = lines.iter().skip(claim + 1).find(is_code).and_then(|line| declared(line));
    next.or_else(|| lines.iter().take(claim).rev().find_map(|line| declared(line)))
}

/// The test a line declares, as in `test("name", ...)`, `await t.test('name', ...)` or `it.skip("name")`.
fn declared(line: &str) -> Option<Test<'_>> {
    DECLARATIONS.iter().find_map(|word| {
        let (before, after) = line.split_once(word)?;
        let begins_a_word = !before.ends_with(|last: char| last.is_alphanumeric() || last == '_');
        if !begins_a_word {
            return None;
        }
        if after.starts_with(".skip(") || after.starts_with(".todo(") {
            return Some(Test::DoesNotRun);
        }
        quoted(after.strip_prefix('(')?).map(Test::Runs)
    })
}

fn quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|first| ['"', '\'', '`'].contains(first))?;
    text.split(quote).nth(1)
}

#[cfg(test)]
mod tests {
    use super::super::read_as_text;

    fn read(text: &str) -> String {
        read_as_text("web/publisher/graph.test.ts", text)
    }

    #[test]
    fn a_claim_above_or_inside_a_test_belongs_to_it() {
        let expected = "CAP-5-3 <- web/publisher/graph.test.ts hidden is not disabled\nWEB-9 <- web/publisher/graph.test.ts hidden is not disabled";
        assert_eq!(read("// proves: CAP-5-3, WEB-9\ntest(\"hidden is not disabled\", () => {\n"), expected);
        assert_eq!(read("test('hidden is not disabled', () => {\n  // proves: CAP-5-3, WEB-9\n"), expected);
        assert_eq!(
            read(
                "test('first', f);\n// proves: CAP-5-3, WEB-9\n\nawait t.test('hidden is not disabled', f);\n"
            ),
            expected
        );
    }

    #[test]
    fn a_claim_without_a_test_that_runs_is_refused() {
        assert_eq!(
            read("// proves: CAP-5-3\nconst latest = 'x';\n"),
            "web/publisher/graph.test.ts:1: a claim must stand above or inside a test"
        );
        assert_eq!(
            read("// proves: CAP-5-3\nit.skip('x', f);\n"),
            "web/publisher/graph.test.ts:1: a test that does not run proves nothing"
        );
    }
}
