//! What happened around an action, what matters first.

use super::CHARS_MAX;
use serde_json::Value;
use std::fmt::Write as _;
use uiap_protocol::wire::JsonObject;
use uiap_runtime::diagnose::RELEVANT_MIN;
use uiap_runtime::journal::TraceRecord;
use uiap_runtime::view::clean;

/// The members of a signal that are shown, in this order.
const SHOWN: [&str; 9] =
    ["level", "method", "status", "url", "text", "message", "error", "entityType", "name"];

/// Everything that is kept of what happened around an action.
pub(super) fn told(trace: &TraceRecord) -> String {
    let is_relevant =
        |diagnostic: &&JsonObject| relevance(diagnostic).is_none_or(|score| score >= RELEVANT_MIN.into());
    let (relevant, background): (Vec<_>, Vec<_>) = trace.diagnostics.iter().partition(is_relevant);
    let mut text = String::new();
    for (title, diagnostics) in [("Around it", relevant), ("In the background", background)] {
        if !diagnostics.is_empty() {
            let _ = writeln!(text, "{title} ({})", diagnostics.len());
        }
        for diagnostic in diagnostics {
            text.push_str(&line(diagnostic));
        }
    }
    if trace.omitted > 0 {
        let _ = writeln!(text, "{} more happened and were not kept.", trace.omitted);
    }
    text
}

fn relevance(diagnostic: &JsonObject) -> Option<u64> {
    diagnostic.get("relevance").and_then(Value::as_u64)
}

fn line(diagnostic: &JsonObject) -> String {
    let text = |name: &str| diagnostic.get(name).and_then(Value::as_str);
    let kind = text("kind").unwrap_or("something");
    let kind = clean(kind.strip_prefix("x.uiap.").unwrap_or(kind), CHARS_MAX);
    let shown = |name: &&str| match diagnostic.get(*name)? {
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(clean(text, CHARS_MAX)),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let shown: Vec<_> = SHOWN.iter().filter_map(shown).collect();
    let party = text("party").unwrap_or("unknown").replace('_', " ");
    let relevance = relevance(diagnostic).unwrap_or_default();
    format!("  {relevance:>3}  {party}: {kind} {}\n", shown.join(" "))
}
