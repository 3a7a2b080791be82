//! Every case under `spec/cases/discovery`: small pages and what happens on them in, parts of a package out. Adding a
//! case is adding a file; `stage/mod.rs` says what a file may hold.
//!
//! Whatever a case is about, its package must be sound, every reference to evidence in it must lead somewhere, it must be
//! the same when the same things are seen in another order, and the next run can start from its routes.

#![expect(clippy::expect_used, clippy::panic, reason = "a test may fail loudly")]

mod deciding;
mod diffs;
mod stage;

use serde_json::Value;
use stage::{Order, Stage};
use std::path::Path;
use uiap_discovery::package::{package, stable_digest, unresolved_references};
use uiap_discovery::seeds::{Approach, Known, start};
use uiap_protocol::discovery::DiscoveryPackage;
use uiap_protocol::text::Node;
use uiap_protocol::wire::accept;
use uiap_testkit::{CaseResult, check_case_files};
use url::Url;

/// The lists of a package that expectations name, and the member that identifies their items.
const LISTS: [(&str, &str, &str); 9] = [
    ("routes", "/routeCatalog/routes", "routeId"),
    ("scopes", "/scopeCatalog/scopes", "scopeId"),
    ("elements", "/elementCatalog/elements", "semanticKey"),
    ("actions", "/actionCatalog/actions", "id"),
    ("states", "/transitionGraph/states", "stateId"),
    ("edges", "/transitionGraph/edges", "transitionId"),
    ("workflows", "/workflowCandidates/workflows", "id"),
    ("review", "/reviewQueue/items", "id"),
    ("evidence", "/evidenceIndex/records", "refId"),
];

fn run(path: &Path) -> CaseResult {
    let stage = Stage::read(&std::fs::read_to_string(path)?);
    let (atlas, record) = stage.play(Order::AsWritten);
    let package = package(&atlas, &record);
    let found = serde_json::to_value(&package).expect("JSON");
    let mut wrong = sound(&found);
    wrong.extend(unresolved_references(&package).into_iter().map(|id| format!("nothing is called {id}")));
    for order in [Order::Backwards, Order::LinksFirst] {
        let (atlas, record) = stage.play(order);
        let other = uiap_discovery::package::package(&atlas, &record);
        if stable_digest(&package) != stable_digest(&other) {
            let other = serde_json::to_value(&other).expect("JSON");
            wrong.push(format!(
                "seen in another order it is another package, first at {}",
                first_difference(&found, &other)
            ));
        }
    }
    wrong.extend(leading_nowhere(&package));
    wrong.extend(unmet(stage.expect(), &found));
    let all = found.to_string();
    for secret in stage.absent() {
        if all.contains(secret) {
            wrong.push(format!("{secret:?} must not be in the package"));
        }
    }
    if !wrong.is_empty() && std::env::var_os("UIAP_SHOW").is_some() {
        wrong.push(format!("{found:#}"));
    }
    assert!(wrong.is_empty(), "{}: {}\n{}", path.display(), stage.about(), wrong.join("\n"));
    Ok(())
}

/// Places to start from for the next run that are no addresses of pages.
fn leading_nowhere(package: &DiscoveryPackage) -> Vec<String> {
    let base = Url::parse(package.environment.base_url.as_str()).expect("an address");
    let mut known = Known::default();
    known.learn_package(package);
    let approaches = known.seeds().map(|seed| start(&seed, &known, &base).map(|start| start.approach));
    let wrong = approaches.filter(|approach| match approach {
        Ok(Approach::Address(address)) => address.contains("/:"),
        _ => true,
    });
    wrong.map(|approach| format!("the next run would start from {approach:?}")).collect()
}

/// What is wrong with a package by its own rules.
fn sound(found: &Value) -> Vec<String> {
    match accept::<DiscoveryPackage>(&Node::from_json(found)) {
        Ok(_) => Vec::new(),
        Err(findings) => {
            findings.iter().map(|finding| format!("{} {}", finding.pointer, finding.message)).collect()
        }
    }
}

/// What is expected and not there.
fn unmet(expect: &Value, found: &Value) -> Vec<String> {
    let mut unmet = Vec::new();
    for (name, wanted) in expect.as_object().expect("expectations by name") {
        let list = LISTS.iter().find(|(list, ..)| list == name);
        match (list, wanted) {
            (Some((_, pointer, id)), Value::Object(items)) => {
                for (key, wanted) in items {
                    let item = by_id(found, pointer, id, key);
                    let why = match (item, wanted) {
                        (None, Value::Null) => None,
                        (Some(_), Value::Null) => Some("is there and should not be".to_owned()),
                        (None, _) => Some(format!("is not there; there are: {}", ids(found, pointer, id))),
                        (Some(item), wanted) => differs(wanted, item),
                    };
                    unmet.extend(why.map(|why| format!("{name} {key}: {why}")));
                }
            }
            (Some((_, pointer, id)), Value::Array(wanted)) => {
                let items = found.pointer(pointer).and_then(Value::as_array).expect("a list");
                for wanted in wanted {
                    if !items.iter().any(|item| differs(wanted, item).is_none()) {
                        let alike = items.iter().filter(|item| item.get("kind") == wanted.get("kind"));
                        let alike: Vec<_> = alike.map(ToString::to_string).collect();
                        unmet.push(format!(
                            "{name}: none is like {wanted}; {} of {}: {}",
                            alike.len(),
                            ids(found, pointer, id),
                            alike.join("\n")
                        ));
                    }
                }
            }
            (Some((_, pointer, _)), Value::Number(count)) => {
                let items = found.pointer(pointer).and_then(Value::as_array).map_or(0, Vec::len);
                if count.as_u64() != u64::try_from(items).ok() {
                    unmet.push(format!("{name}: there are {items}, not {count}"));
                }
            }
            _ => {
                let member = found.get(name).unwrap_or(&Value::Null);
                unmet.extend(differs(wanted, member).map(|why| format!("{name}: {why}")));
            }
        }
    }
    unmet
}

fn by_id<'f>(found: &'f Value, pointer: &str, id: &str, key: &str) -> Option<&'f Value> {
    let items = found.pointer(pointer)?.as_array()?;
    items.iter().find(|item| {
        item.get(id).and_then(Value::as_str) == Some(key)
            || item.get("stableId").and_then(Value::as_str) == Some(key)
    })
}

fn ids(found: &Value, pointer: &str, id: &str) -> String {
    let items = found.pointer(pointer).and_then(Value::as_array).into_iter().flatten();
    items.filter_map(|item| item.get(id)?.as_str()).collect::<Vec<_>>().join(", ")
}

/// Why a value is not as wanted: named members must be so, `~text` must be contained, and every item of a list must have
/// its like.
fn differs(wanted: &Value, found: &Value) -> Option<String> {
    match (wanted, found) {
        (Value::Object(wanted), Value::Object(found)) => wanted.iter().find_map(|(name, wanted)| {
            let why = differs(wanted, found.get(name).unwrap_or(&Value::Null))?;
            Some(format!("{name}: {why}"))
        }),
        (Value::Array(wanted), Value::Array(found)) => wanted.iter().find_map(|wanted| {
            let is_there = found.iter().any(|found| differs(wanted, found).is_none());
            (!is_there).then(|| format!("{wanted} is not among {found:?}"))
        }),
        (Value::String(wanted), Value::String(found)) if wanted.starts_with('~') => (!found
            .contains(wanted.trim_start_matches('~')))
        .then(|| format!("{found:?} does not contain {wanted}")),
        (wanted, found) => (wanted != found).then(|| format!("{found} instead of {wanted}")),
    }
}

fn first_difference(one: &Value, other: &Value) -> String {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let names = one.keys().chain(other.keys());
            let mut names: Vec<_> =
                names.filter(|name| one.get(*name) != other.get(*name) && *name != "revision").collect();
            names.sort();
            let Some(name) = names.first() else { return String::new() };
            let (one, other) =
                (one.get(*name).unwrap_or(&Value::Null), other.get(*name).unwrap_or(&Value::Null));
            format!("/{name}{}", first_difference(one, other))
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let place = one.iter().zip(other).position(|(one, other)| one != other).unwrap_or_default();
            format!(
                "/{place}{}",
                one.get(place)
                    .zip(other.get(place))
                    .map(|(one, other)| first_difference(one, other))
                    .unwrap_or_default()
            )
        }
        (one, other) => format!(": {one} and {other}"),
    }
}

#[test]
fn every_map_of_a_case_becomes_the_package_that_the_case_says() {
    check_case_files("discovery", run);
}

#[test]
fn every_pair_of_packages_differs_as_its_case_says() {
    check_case_files("discovery-diff", diffs::compare);
}

#[test]
fn every_page_of_a_case_is_the_state_that_the_case_says() {
    check_case_files("discovery-states", deciding::states);
}

#[test]
fn everything_is_as_safe_as_its_case_says() {
    check_case_files("discovery-safety", deciding::safety);
}

#[test]
fn everything_is_tried_in_the_order_of_its_case() {
    check_case_files("discovery-order", deciding::order);
}
