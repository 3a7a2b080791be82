//! Members that the specification does not know: kept where documents are written back, ignored in messages.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use serde_json::{Value, json};
use std::path::Path;
use uiap_protocol::finding::{Code, Finding, Severity};
use uiap_protocol::kinds::Kind;
use uiap_protocol::text::Node;
use uiap_testkit::DocumentCase;

fn cases(wanted: impl Fn(&str) -> bool) -> Vec<(Kind, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/cases/documents");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("cases").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let load = |path: &std::path::PathBuf| {
        DocumentCase::load(&std::fs::read_to_string(path).expect("a case")).expect("a sound case")
    };
    let all = paths.iter().map(load).filter(|case| case.part.is_none() && wanted(&case.kind));
    all.map(|case| (Kind::named(&case.kind).expect("a known kind"), case.document)).collect()
}

/// The kinds that a tool reads and writes back; a graph, a signal or a table of tests is only ever read.
fn is_written_back(kind: &str) -> bool {
    let read_only =
        ["page-graph", "delta", "web-signal", "policy-decision", "policy-test", "discovery-state"];
    matches!(Kind::named(kind), Some(Kind::Manifest(_) | Kind::Document(_))) && !read_only.contains(&kind)
}

/// The pointers of all objects, the document itself first.
fn objects(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            found.push(pointer.to_owned());
            for (name, child) in members {
                let token = name.replace('~', "~0").replace('/', "~1");
                objects(child, &format!("{pointer}/{token}"), found);
            }
        }
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(at, child)| objects(child, &format!("{pointer}/{at}"), found));
        }
        _ => {}
    }
}

fn errors(findings: &[Finding]) -> Vec<&Finding> {
    findings.iter().filter(|finding| finding.severity == Severity::Error).collect()
}

/// Adds an unknown member at each object of each document in turn and collects where `wrong` complains.
fn at_every_level(
    documents: Vec<(Kind, Value)>,
    mut wrong: impl FnMut(Kind, &Value, &str) -> Option<String>,
) {
    let mut complaints = Vec::new();
    for (kind, document) in documents {
        let mut pointers = Vec::new();
        objects(&document, "", &mut pointers);
        for pointer in pointers {
            let mut changed = document.clone();
            let Some(Value::Object(members)) = changed.pointer_mut(&pointer) else { continue };
            members.insert("futureMember".to_owned(), json!({ "since": [0.2, null, "ü"] }));
            complaints.extend(
                wrong(kind, &changed, &pointer).map(|why| format!("{} {pointer}: {why}", kind.name())),
            );
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Objects whose member names are a vocabulary or an id, where any other name means something.
fn names_mean_something(pointer: &str) -> bool {
    let inside = [
        "labels",
        "namespaces",
        "messages",
        "byLocale",
        "locales",
        "featureFlags",
        "roleVerdicts",
        "params",
        "ext",
    ];
    let last = pointer.rsplit('/').next().unwrap_or_default();
    inside.contains(&last) || last == "state"
}

/// Forms of unions (signals, matchers, targets, conditions ...) have exactly the members of their form and keep no
/// others.
fn is_a_form(pointer: &str) -> bool {
    const LISTS: [&str; 13] = [
        "success",
        "successSignals",
        "exitSignals",
        "observedSignals",
        "signals",
        "match",
        "seeds",
        "obligations",
        "conditions",
        "entryConditions",
        "prerequisites",
        "resumeWhen",
        "when",
    ];
    const SINGLE: [&str; 4] = ["signal", "condition", "target", "ref"];
    let mut steps = pointer.rsplit('/');
    match steps.next() {
        Some(index) if index.parse::<usize>().is_ok() => {
            steps.next().is_some_and(|list| LISTS.contains(&list))
        }
        Some(name) => SINGLE.contains(&name),
        None => false,
    }
}

#[test]
fn unknown_members_survive_in_documents_that_are_written_back() {
    at_every_level(cases(is_written_back), |kind, changed, pointer| {
        if names_mean_something(pointer) || is_a_form(pointer) {
            return None;
        }
        let (written_back, findings) = kind.inspect(&Node::from_json(changed));
        match written_back {
            None => Some(format!("refused: {:?}", errors(&findings))),
            Some(written) => (written != *changed).then(|| "lost".to_owned()),
        }
    });
}

#[test]
fn unknown_members_of_messages_are_ignored_at_every_level() {
    uiap_testkit::proves!["CORE-30"];
    let messages = cases(|kind| matches!(Kind::named(kind), Some(Kind::Message(_))));
    assert!(messages.len() >= 4);
    at_every_level(messages, |kind, changed, pointer| {
        let (written_back, findings) = kind.inspect(&Node::from_json(changed));
        let remarks = findings.iter().filter(|finding| finding.code == Code::UnknownMember);
        let at = format!("{pointer}/futureMember");
        if names_mean_something(pointer) {
            return None;
        }
        match written_back {
            None => Some(format!("refused: {:?}", errors(&findings))),
            Some(written) if written.pointer(&at).is_some() => None,
            Some(_) => {
                let heard: Vec<_> =
                    remarks.map(|finding| (finding.pointer.as_str(), finding.severity)).collect();
                (heard != [(at.as_str(), Severity::Hint)]).then(|| format!("remarked: {heard:?}"))
            }
        }
    });
}

#[test]
fn a_near_miss_is_a_warning_that_names_the_member() {
    let ping = json!({
        "uiap": "0.1", "kind": "request", "type": "session.ping", "id": "m", "sessionId": "s",
        "ts": "2026-03-26T14:03:00.000Z", "source": { "role": "agent", "id": "a" }, "payload": {},
    });
    for (place, wrong, right) in [
        ("", "correlationID", "correlationId"),
        ("", "taget", "target"),
        ("/payload", "nonse", "nonce"),
        ("/payload", "Nonce", "nonce"),
        ("/source", "idd", "id"),
    ] {
        let mut changed = ping.clone();
        changed.pointer_mut(place).expect("a place")[wrong] = json!("x");
        let (written_back, findings) =
            Kind::named("session.ping").expect("a kind").inspect(&Node::from_json(&changed));
        assert_eq!(written_back.as_ref(), Some(&ping), "{wrong} is ignored");
        let [finding] = findings.as_slice() else { panic!("{findings:?}") };
        assert_eq!((finding.code, finding.severity), (Code::UnknownMember, Severity::Warning));
        assert_eq!(finding.help.as_deref(), Some(format!("Did you mean \"{right}\"?").as_str()));
        assert_eq!(finding.pointer, format!("{place}/{wrong}"));
    }
}

#[test]
fn a_discovery_package_with_metadata_is_still_a_discovery_package() {
    let packages = cases(|kind| kind == "discovery-package");
    assert!(!packages.is_empty());
    for (_, mut package) in packages {
        package["metadata"] = json!({ "tool": "mapper" });
        assert_eq!(Kind::detect(&Node::from_json(&package)).map(Kind::name), Some("discovery-package"));
    }
}
