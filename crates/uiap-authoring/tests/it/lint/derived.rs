//! A derived capability document is sound, tells the same as what it was derived from, and does not depend on order.

use crate::lint::support::{case_file, decoded, found, set};
use serde_json::{Value, json};
use uiap_authoring::capabilities::derive;
use uiap_protocol::capability::CapabilityDocument;
use uiap_protocol::text::Node;
use uiap_protocol::wire::decode;

fn derived(bundle: &Value) -> Value {
    let bundle = decoded(bundle);
    let actions = bundle.actions.as_deref().unwrap_or_default();
    serde_json::to_value(derive(&bundle.profile, actions, bundle.bindings.as_ref())).expect("JSON")
}

#[test]
fn a_derived_document_is_sound_and_tells_the_same() {
    uiap_testkit::proves!["AUT-5.2-2"];
    let mut bundle = case_file("bundle.yaml");
    let state = json!({"kind": "element.state", "target": {"by": "stableId", "value": "video.card"},
                       "state": {"enabled": true, "checked": "mixed"}});
    set(&mut bundle, "/bindings/elements/3/success/1", &state);
    set(&mut bundle, "/actions/0/requiredAffordances", &json!(["submit", "activate"]));
    let document = derived(&bundle);
    let (_, findings) = decode::<CapabilityDocument>(&Node::from_json(&document));
    assert_eq!(findings, [], "{document:#}");
    set(&mut bundle, "/capabilities", &document);
    assert_eq!(found(&bundle), [], "{document:#}");
    let words = |member: &str| document[member].as_array().expect("a list").clone();
    assert_eq!(words("roles"), ["button", "dialog", "textbox"]);
    assert_eq!(words("stateKeys"), ["checked", "enabled"]);
    assert_eq!(words("affordances"), ["activate", "submit"]);
    assert_eq!(words("riskLevels"), ["safe", "confirm"]);
    assert_eq!(words("riskTags"), ["external_effect"]);
    assert_eq!(
        words("successSignalKinds"),
        ["dialog.closed", "element.appeared", "element.state", "route.changed", "toast.contains"]
    );
}

#[test]
fn the_order_of_the_manifests_does_not_matter() {
    let bundle = case_file("bundle.yaml");
    let mut turned = bundle.clone();
    for list in ["/actions", "/bindings/elements", "/bindings/routes"] {
        turned.pointer_mut(list).and_then(Value::as_array_mut).expect("a list").reverse();
    }
    assert_eq!(derived(&bundle), derived(&turned));
}

#[test]
fn nothing_gives_a_sound_document_about_nothing() {
    let mut bundle = case_file("bundle.yaml");
    for member in ["actions", "bindings", "workflows", "policies", "capabilities"] {
        bundle.as_object_mut().expect("an object").remove(member);
    }
    let document = derived(&bundle);
    let (value, findings) = decode::<CapabilityDocument>(&Node::from_json(&document));
    assert!(value.is_some(), "{findings:?}");
}
