//! Claims of data cases: a top-level list `proves`.
//!
//! The reader looks at lines, not at YAML: a case may be malformed on purpose, and its claim must be found all the same.

use serde_json::Value;

use super::{Claim, Found};
use crate::workspace::SourceFile;

const KEY: &str = "proves:";

/// Reads `proves: [A, B]`, on one line or several, and the block form with one `- A` per line.
pub(super) fn read_yaml(file: &SourceFile, found: &mut Found) {
    let lines: Vec<&str> = file.text.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        let Some(rest) = line.strip_prefix(KEY) else { continue };
        let following = lines.get(index + 1..).unwrap_or_default();
        match ids(rest, following) {
            Some(ids) if !ids.is_empty() => add(&ids, file, index + 1, found),
            _ => found.problem(file, index + 1, "`proves` must be a list of requirement ids"),
        }
    }
}

/// Reads the member `proves` of a JSON object.
pub(super) fn read_json(file: &SourceFile, found: &mut Found) {
    let line = file.text.lines().position(|line| line.contains("\"proves\"")).map(|index| index + 1);
    let Some(line) = line else { return };
    match serde_json::from_str::<Value>(&file.text) {
        Ok(document) => {
            let Some(member) = document.get("proves") else { return };
            match strings(member) {
                Some(ids) if !ids.is_empty() => add(&ids, file, line, found),
                _ => found.problem(file, line, "`proves` must be a list of requirement ids"),
            }
        }
        Err(error) => found.problem(file, line, format!("a case that claims must be JSON: {error}")),
    }
}

fn add(ids: &[&str], file: &SourceFile, line: usize, found: &mut Found) {
    found.claims.extend(ids.iter().map(|id| Claim::new(id, &file.path, &file.path, line)));
}

fn strings(member: &Value) -> Option<Vec<&str>> {
    member.as_array()?.iter().map(Value::as_str).collect()
}

fn ids<'a>(rest: &'a str, following: &[&'a str]) -> Option<Vec<&'a str>> {
    match without_comment(rest) {
        "" => Some(block_list(following)),
        flow if flow.starts_with('[') => flow_list(flow, following),
        _ => None,
    }
}

/// `[A, B]`; nothing if the closing bracket is missing.
fn flow_list<'a>(first: &'a str, following: &[&'a str]) -> Option<Vec<&'a str>> {
    let mut ids = Vec::new();
    let lines = std::iter::once(first.trim_start_matches('[')).chain(following.iter().copied());
    for line in lines.map(without_comment) {
        let (inside, closed) = line.split_once(']').map_or((line, false), |(inside, _)| (inside, true));
        ids.extend(inside.split(',').map(unquoted).filter(|id| !id.is_empty()));
        if closed {
            return Some(ids);
        }
    }
    None
}

/// Lines that start with a dash, up to the first that is something else.
fn block_list<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let lines = lines.iter().map(|line| without_comment(line)).filter(|line| !line.is_empty());
    lines.map_while(|line| line.strip_prefix("- ")).map(unquoted).collect()
}

fn without_comment(line: &str) -> &str {
    let code = line.split_once('#').map_or(line, |(code, _)| code);
    code.trim()
}

fn unquoted(id: &str) -> &str {
    id.trim().trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::super::read_as_text;

    fn yaml(text: &str) -> String {
        read_as_text("spec/cases/a.yaml", text)
    }

    fn json(text: &str) -> String {
        read_as_text("spec/cases/a.json", text)
    }

    #[test]
    fn a_list_is_read_in_every_form() {
        let both = "A-1 <- spec/cases/a.yaml\nB-2.1 <- spec/cases/a.yaml";
        assert_eq!(yaml("title: x\nproves: [A-1, 'B-2.1'] # why\ninput: y\n"), both);
        assert_eq!(yaml("proves: [\n  A-1,\n  \"B-2.1\", # why\n]\n"), both);
        assert_eq!(yaml("proves:\n  - A-1\n\n  - B-2.1 # why\ninput:\n  - C-3\n"), both);
        assert_eq!(yaml("proves:\n- A-1\n- B-2.1\n"), both);
    }

    #[test]
    fn a_nested_member_is_no_claim() {
        assert_eq!(yaml("input:\n  proves: [A-1]\n"), "");
        assert_eq!(json(r#"{"input": {"proves": ["A-1"]}}"#), "");
    }

    #[test]
    fn anything_but_a_list_is_refused() {
        let refused = "spec/cases/a.yaml:1: `proves` must be a list of requirement ids";
        for text in ["proves: A-1\n", "proves: [A-1\n", "proves:\n", "proves: []\n", "proves:\ninput: x\n"] {
            assert_eq!(yaml(text), refused, "{text}");
        }
    }

    #[test]
    fn json_cases_claim_with_an_array() {
        assert_eq!(json(r#"{"proves": ["A-1"], "input": 1}"#), "A-1 <- spec/cases/a.json");
        assert_eq!(
            json(r#"{"proves": "A-1"}"#),
            "spec/cases/a.json:1: `proves` must be a list of requirement ids"
        );
    }

    #[test]
    fn broken_json_is_input_of_a_case_unless_it_claims() {
        assert_eq!(json("{\"a\": "), "");
        insta::assert_snapshot!(
            json("{\"proves\": [\"A-1\"], "),
            @"spec/cases/a.json:1: a case that claims must be JSON: EOF while parsing a value at line 1 column 20"
        );
    }
}
