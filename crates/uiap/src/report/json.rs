//! Findings as one JSON object. `version` goes up when the shape changes.

use super::Document;
use serde_json::{Value, json};

pub(super) fn report(documents: &[Document]) -> Value {
    let listed = documents.iter().map(|document| {
        json!({
            "file": document.name,
            "kind": document.checked.kind.map(uiap_protocol::kinds::Kind::name),
            "sound": !document.checked.has_errors(),
        })
    });
    let findings = documents.iter().flat_map(|document| &document.checked.diagnostics);
    json!({
        "version": 1,
        "documents": listed.collect::<Vec<_>>(),
        "findings": findings.collect::<Vec<_>>(),
    })
}
