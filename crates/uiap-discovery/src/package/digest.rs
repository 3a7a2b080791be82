//! Whether two runs found the same, and whether every reference leads somewhere.

use super::OBSERVED;
use super::evidence::value;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use uiap_protocol::canonical::canonical;
use uiap_protocol::discovery::DiscoveryPackage;
use uiap_protocol::seal::hash;
use url::Url;

/// Members of the run that are others every time.
const OF_THE_RUN: [&str; 4] = ["runId", "startedAt", "finishedAt", "notes"];
/// Members of a piece of evidence that are others every time: when it was made, and bytes that show the time.
const OF_EVIDENCE: [&str; 3] = ["at", "digest", "uri"];

/// What was found, as a digest: times, ids of runs and the address of the environment aside. It is made of the digests of
/// its items, so that a large package is never there a second time.
pub fn stable_digest(package: &DiscoveryPackage) -> String {
    let DiscoveryPackage {
        model_version,
        spec,
        revision: _,
        run,
        environment,
        route_catalog,
        scope_catalog,
        element_catalog,
        action_catalog,
        transition_graph,
        workflow_candidates,
        review_queue,
        coverage,
        evidence_index,
        metadata,
        extra,
    } = package;
    let mut sum = Sum { origin: origin(package), digests: String::new() };
    let mut run = value(run);
    strip(&mut run, &OF_THE_RUN);
    let around = [
        &route_catalog.extra,
        &scope_catalog.extra,
        &element_catalog.extra,
        &action_catalog.extra,
        &transition_graph.extra,
        &review_queue.extra,
        extra,
    ];
    let head = json!({
        "modelVersion": model_version, "spec": spec, "run": run, "environment": environment, "coverage": coverage,
        "metadata": metadata, "workflows": workflow_candidates.as_ref().map(|catalog| &catalog.extra),
        "evidence": evidence_index.as_ref().map(|index| &index.extra), "extra": around,
    });
    sum.add("head", [head]);
    sum.add("routes", route_catalog.routes.iter().map(value));
    sum.add("scopes", scope_catalog.scopes.iter().map(value));
    sum.add("elements", element_catalog.elements.iter().map(value));
    sum.add("actions", action_catalog.actions.iter().map(value));
    sum.add("states", transition_graph.states.iter().map(value));
    sum.add("edges", transition_graph.edges.iter().map(value));
    sum.add("workflows", workflow_candidates.iter().flat_map(|catalog| &catalog.workflows).map(value));
    sum.add("review", review_queue.items.iter().map(value));
    let records = evidence_index.iter().flat_map(|index| &index.records);
    sum.add(
        "evidence",
        records.map(|record| {
            let mut record = value(record);
            strip(&mut record, &OF_EVIDENCE);
            record
        }),
    );
    hash(sum.digests.as_bytes())
}

/// Digests of items, one after the other.
struct Sum {
    /// Where the application happened to run.
    origin: String,
    digests: String,
}

impl Sum {
    fn add(&mut self, what: &str, items: impl IntoIterator<Item = Value>) {
        self.digests.push_str(what);
        for mut item in items {
            settle(&mut item, &self.origin);
            self.digests.push('\n');
            self.digests.push_str(&hash(canonical(&item).as_bytes()));
        }
        self.digests.push('\n');
    }
}

fn origin(package: &DiscoveryPackage) -> String {
    let base = Url::parse(package.environment.base_url.as_str());
    base.map(|url| url.origin().ascii_serialization()).unwrap_or_default()
}

/// What was found, without what is different in every run.
pub fn stable(package: &DiscoveryPackage) -> Value {
    let mut all = value(package);
    if let Value::Object(members) = &mut all {
        members.remove("revision");
        if let Some(run) = members.get_mut("run") {
            strip(run, &OF_THE_RUN);
        }
        let records = members.get_mut("evidenceIndex").and_then(|index| index.get_mut("records"));
        for record in records.and_then(Value::as_array_mut).into_iter().flatten() {
            strip(record, &OF_EVIDENCE);
        }
    }
    settle(&mut all, &origin(package));
    all
}

fn strip(object: &mut Value, members: &[&str]) {
    if let Value::Object(object) = object {
        for member in members {
            object.remove(*member);
        }
    }
}

/// Takes out what is only observed this time, and where the application happened to run.
fn settle(value: &mut Value, origin: &str) {
    match value {
        Value::String(text) if !origin.is_empty() && text.contains(origin) => {
            *text = text.replace(origin, "");
        }
        Value::Array(items) => items.iter_mut().for_each(|item| settle(item, origin)),
        Value::Object(members) => {
            if let Some(Value::Object(metadata)) = members.get_mut("metadata") {
                metadata.remove(OBSERVED);
            }
            members.values_mut().for_each(|member| settle(member, origin));
        }
        _ => {}
    }
}

/// References to evidence that lead nowhere: neither to a record nor to an item of a catalog. There are none in a package
/// that [`package`](super::package) made.
pub fn unresolved_references(package: &DiscoveryPackage) -> BTreeSet<String> {
    let all = value(package);
    let mut known = BTreeSet::new();
    let ids = [
        ("routeCatalog", "routes", "routeId"),
        ("scopeCatalog", "scopes", "scopeId"),
        ("elementCatalog", "elements", "semanticKey"),
        ("elementCatalog", "elements", "stableId"),
        ("actionCatalog", "actions", "id"),
        ("transitionGraph", "states", "stateId"),
        ("transitionGraph", "edges", "transitionId"),
        ("workflowCandidates", "workflows", "id"),
        ("evidenceIndex", "records", "refId"),
    ];
    for (catalog, list, member) in ids {
        let items = all.get(catalog).and_then(|catalog| catalog.get(list)).and_then(Value::as_array);
        known.extend(items.into_iter().flatten().filter_map(|item| item.get(member)?.as_str()));
    }
    let mut used = BTreeSet::new();
    if let Value::Object(members) = &all {
        references(members, &mut used);
    }
    used.difference(&known).map(|reference| (*reference).to_owned()).collect()
}

fn references<'v>(object: &'v Map<String, Value>, used: &mut BTreeSet<&'v str>) {
    for (name, member) in object {
        match member {
            Value::String(text) if matches!(name.as_str(), "refId" | "pageGraphRef" | "screenshotRef") => {
                used.insert(text);
            }
            Value::Object(inner) => references(inner, used),
            Value::Array(items) => {
                items.iter().filter_map(Value::as_object).for_each(|inner| references(inner, used));
            }
            _ => {}
        }
    }
}
