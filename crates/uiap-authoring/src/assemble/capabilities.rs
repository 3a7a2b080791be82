//! Several capability documents as one.

use crate::file::Shelf;
use crate::findings::Findings;
use crate::load::Loaded;
use serde_json::{Map, Value};
use uiap_protocol::authoring::ManifestSpec;
use uiap_protocol::capability::CapabilityDocument;
use uiap_protocol::finding::Code;
use uiap_protocol::text::Node;
use uiap_protocol::wire::accept;

/// Objects are merged member by member, lists hold what both hold, items with an id once.
pub(super) fn merged(
    loaded: &Loaded<'_>,
    shelf: &Shelf<'_>,
    findings: &mut Findings,
) -> Option<CapabilityDocument> {
    let mut documents =
        loaded.manifests.iter().filter(|manifest| manifest.is_visible).filter_map(|manifest| match &manifest
            .document
            .spec
        {
            ManifestSpec::Capabilities(capabilities) => Some((manifest, &capabilities.document)),
            _ => None,
        });
    let (first, document) = documents.next()?;
    let mut rest = documents.peekable();
    if rest.peek().is_none() {
        return Some(document.clone());
    }
    let Ok(Value::Object(mut both)) = serde_json::to_value(document) else { return None };
    for (manifest, document) in rest {
        let Ok(Value::Object(other)) = serde_json::to_value(document) else { continue };
        if let Some(pointer) = join(&mut both, other, "") {
            let place = manifest.place(format!("/spec/document{pointer}"));
            let message = format!(
                "Two capability documents contradict each other in {pointer}: here, and at {}.",
                shelf.place(first.place(format!("/spec/document{pointer}")).span)
            );
            findings
                .error(Code::Conflict, place, message)
                .help("Let one of them say it.")
                .requirement("AUT-7.1-2");
            return None;
        }
    }
    accept(&Node::from_json_object(&both)).ok()
}

/// Merges an object into another; answers with the place of the first contradiction.
fn join(both: &mut Map<String, Value>, other: Map<String, Value>, pointer: &str) -> Option<String> {
    for (member, value) in other {
        let pointer = format!("{pointer}/{member}");
        match (both.get_mut(&member), value) {
            (None, value) => {
                both.insert(member, value);
            }
            (Some(known), value) if *known == value => {}
            (Some(Value::Object(known)), Value::Object(value)) => {
                if let Some(contradiction) = join(known, value, &pointer) {
                    return Some(contradiction);
                }
            }
            (Some(Value::Array(known)), Value::Array(items)) => {
                for item in items {
                    let twin = known.iter().position(|known| is_same_thing(known, &item));
                    match twin.and_then(|twin| known.get(twin)) {
                        None => known.push(item),
                        Some(twin) if *twin == item => {}
                        Some(_) => return Some(pointer),
                    }
                }
            }
            _ => return Some(pointer),
        }
    }
    None
}

fn is_same_thing(one: &Value, other: &Value) -> bool {
    match (one.get("id"), other.get("id")) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}
