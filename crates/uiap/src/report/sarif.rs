//! Findings as SARIF 2.1.0.

use super::Document;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use uiap_protocol::finding::{Diagnostic, Severity};

pub(super) fn report(documents: &[Document]) -> Value {
    let diagnostics: Vec<_> = documents.iter().flat_map(|document| &document.checked.diagnostics).collect();
    let codes: BTreeSet<_> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    let rules = codes
        .iter()
        .map(|code| json!({ "id": code.as_str(), "shortDescription": { "text": code.meaning() } }));
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "uiap",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": diagnostics.into_iter().map(result).collect::<Vec<_>>(),
        }],
    })
}

fn result(diagnostic: &Diagnostic) -> Value {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "note",
    };
    let advice = diagnostic.help.as_ref().map(|help| format!(" {help}")).unwrap_or_default();
    json!({
        "ruleId": diagnostic.code.as_str(),
        "level": level,
        "message": { "text": format!("{}{advice}", diagnostic.message) },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": { "uri": uri(&diagnostic.file) },
                "region": { "startLine": diagnostic.line, "startColumn": diagnostic.column },
            },
            "logicalLocations": [{ "fullyQualifiedName": diagnostic.pointer, "kind": "member" }],
        }],
        "properties": { "requirement": diagnostic.requirement },
    })
}

/// A relative reference: what a path may contain and a URI may not is escaped.
fn uri(file: &str) -> String {
    let escape = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        b'\\' => "/".to_owned(),
        other => format!("%{other:02X}"),
    };
    file.bytes().map(escape).collect()
}
