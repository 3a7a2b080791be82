//! The cases of `spec/cases/lint`: a sound bundle, one change, and what is found.

use crate::lint::support::{case_file, found, remove, set};
use serde_json::{Value, json};
use uiap_authoring::lint::NEAREST_ASKED_MAX;
use uiap_protocol::finding::Finding;

/// A finding, with those members that an expectation names.
fn as_expected(finding: &Finding, expected: Option<&Value>) -> Value {
    let severity = format!("{:?}", finding.severity).to_lowercase();
    let mut shown = json!({
        "code": finding.code.as_str(), "pointer": finding.pointer, "severity": severity,
        "requirement": finding.requirement,
    });
    for (member, text) in [("message", Some(&finding.message)), ("help", finding.help.as_ref())] {
        if expected.is_none_or(|expected| expected.get(member).is_some()) {
            shown[member] = json!(text);
        }
    }
    shown
}

#[test]
fn every_case_gives_exactly_its_findings() {
    let bundle = case_file("bundle.yaml");
    for file in ["references.yaml", "uses.yaml"] {
        for case in case_file(file)["cases"].as_array().expect("cases") {
            let mut bundle = bundle.clone();
            for (pointer, value) in case["set"].as_object().into_iter().flatten() {
                set(&mut bundle, pointer, value);
            }
            for pointer in case["remove"].as_array().into_iter().flatten() {
                remove(&mut bundle, pointer.as_str().expect("a pointer"));
            }
            let mut expected = case["expect"].as_array().expect("a list").clone();
            for finding in &mut expected {
                let defaults = [("severity", "error"), ("requirement", "AUT-13-4")];
                for (member, value) in defaults {
                    if finding.get(member).is_none() {
                        finding[member] = value.into();
                    }
                }
            }
            let found = found(&bundle);
            let shown: Vec<_> = found
                .iter()
                .enumerate()
                .map(|(place, finding)| as_expected(finding, expected.get(place)))
                .collect();
            assert_eq!(shown, expected, "{file}: {}", case["what"]);
            assert!(found.iter().all(|finding| finding.message.ends_with('.')), "{}", case["what"]);
        }
    }
}

#[test]
fn no_secret_is_repeated() {
    let mut bundle = case_file("bundle.yaml");
    set(&mut bundle, "/app/metadata", &json!({"apiKey": "4f9a77c0d2e14b6e"}));
    let found = found(&bundle);
    assert_eq!(found.len(), 1);
    assert!(!format!("{found:?}").contains("4f9a"), "{found:?}");
}

/// Advice is costly; what is wrong is told in any case.
#[test]
fn advice_ends_before_findings_do() {
    let mut bundle = case_file("bundle.yaml");
    let wrong: Vec<_> = (0..NEAREST_ASKED_MAX + 10).map(|_| "vides").collect();
    set(&mut bundle, "/bindings/scopes/0/routeIds", &json!(wrong));
    let found = found(&bundle);
    let advised = |finding: &&Finding| finding.help.as_deref() == Some("Did you mean \"videos\"?");
    assert_eq!((found.len(), found.iter().filter(advised).count()), (wrong.len(), NEAREST_ASKED_MAX));
}

#[test]
fn a_long_circle_is_told_once_and_in_short() {
    let mut bundle = case_file("bundle.yaml");
    let next = |place: usize| format!("r{}", (place + 1) % 1_000);
    let ring = (0..1_000).map(|place| {
        let path = json!([{"kind": "path", "value": format!("/{place}")}]);
        json!({"id": format!("r{place}"), "parentRouteId": next(place), "match": path})
    });
    let routes = bundle.pointer_mut("/bindings/routes").and_then(Value::as_array_mut).expect("routes");
    routes.extend(ring);
    let found = found(&bundle);
    let messages: Vec<_> = found.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(
        messages,
        ["The parents go in a circle: r0 -> r1 -> r2 -> r3 -> r4 -> r5 -> r6 -> r7, and so on."]
    );
}
