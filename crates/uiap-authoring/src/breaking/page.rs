//! The rules as a page of documentation.

use super::{Class, Rule};
use std::fmt::Write as _;

/// The text of `docs/breaking.md`, without its head.
pub fn rules_page() -> String {
    let mut page = String::new();
    let count = |class: Class| Rule::ALL.iter().filter(|rule| rule.class() == class).count();
    let counts = Class::ALL.map(|class| format!("{} {class}", count(class))).join(", ");
    let _ = writeln!(page, "{} rules: {counts}.", Rule::ALL.len());
    let mut group = "";
    for rule in Rule::ALL {
        if rule.group() != group {
            group = rule.group();
            let _ = writeln!(
                page,
                "\n### {group}\n\n| Rule | Class | What changed | What it means |\n|---|---|---|---|"
            );
        }
        let _ = writeln!(page, "| `{rule}` | {} | {} | {} |", rule.class(), rule.what(), rule.meaning());
    }
    page
}
