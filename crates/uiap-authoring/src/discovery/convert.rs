//! What discovery found, in the words of manifests.

use crate::items::List;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use uiap_protocol::authoring::{DiscoveryItemKind, ReviewState};
use uiap_protocol::discovery::{
    ActionReviewState, DiscoveredAction, DiscoveredElement, DiscoveredRoute, DiscoveredScope,
    DiscoveredWorkflowCandidate, DiscoveryPackage, EvidenceRef, EvidenceSource, ItemReviewState, ReviewItem,
    SkeletonStepType,
};
use uiap_protocol::ids::{RouteId, ScopeId, StableId};
use uiap_protocol::text::{Node, Span};

/// Something that discovery found, as a manifest would say it.
#[derive(Clone, Debug)]
pub(super) struct Discovered {
    pub(super) kind: DiscoveryItemKind,
    /// The list it belongs to; none for a question, which is about something else.
    pub(super) list: Option<List>,
    pub(super) id: String,
    pub(super) content: Value,
    pub(super) state: ReviewState,
    pub(super) needs_review: bool,
    pub(super) evidence: Vec<String>,
    pub(super) place: Span,
    /// What a question is about, what it says, and when it was asked.
    pub(super) about: Option<String>,
    pub(super) note: String,
    pub(super) at: String,
}

/// Everything that a run found.
pub(super) fn discovered(package: &DiscoveryPackage, tree: &Node<'_>) -> Vec<Discovered> {
    let at = |pointer: String| tree.locate(&pointer, false);
    let routes = package.route_catalog.routes.iter().enumerate();
    let scopes = package.scope_catalog.scopes.iter().enumerate();
    let elements = package.element_catalog.elements.iter().enumerate();
    let actions = package.action_catalog.actions.iter().enumerate();
    let workflows = package.workflow_candidates.iter().flat_map(|catalog| &catalog.workflows).enumerate();
    let questions = package.review_queue.items.iter().enumerate();
    let known = recognised(package);
    let finished = package.run.finished_at.as_ref().unwrap_or(&package.run.started_at).to_string();
    routes
        .map(|(index, item)| route(item, at(format!("/routeCatalog/routes/{index}"))))
        .chain(scopes.map(|(index, item)| scope(item, &known, at(format!("/scopeCatalog/scopes/{index}")))))
        .chain(
            elements
                .map(|(index, item)| element(item, &known, at(format!("/elementCatalog/elements/{index}")))),
        )
        .chain(actions.map(|(index, item)| action(item, at(format!("/actionCatalog/actions/{index}")))))
        .chain(
            workflows
                .map(|(index, item)| workflow(item, at(format!("/workflowCandidates/workflows/{index}")))),
        )
        .chain(
            questions
                .map(|(index, item)| question(item, &finished, at(format!("/reviewQueue/items/{index}")))),
        )
        .collect()
}

impl Discovered {
    fn new(
        kind: DiscoveryItemKind,
        list: List,
        id: &str,
        content: Object,
        discovered_by: &[EvidenceRef],
        place: Span,
    ) -> Self {
        Self {
            kind,
            list: Some(list),
            id: id.to_owned(),
            content: Value::Object(content.0),
            state: ReviewState::Generated,
            needs_review: false,
            evidence: discovered_by.iter().map(|evidence| evidence.ref_id.as_str().to_owned()).collect(),
            place,
            about: None,
            note: String::new(),
            at: String::new(),
        }
    }

    /// How the run itself judges what it found (finding M13).
    fn judged(mut self, state: Option<ItemReviewState>) -> Self {
        self.needs_review = state == Some(ItemReviewState::NeedsReview);
        if state == Some(ItemReviewState::Verified) {
            self.state = ReviewState::InReview;
        }
        self
    }
}

/// An object of which only what is known is written.
#[derive(Default)]
struct Object(Map<String, Value>);

impl Object {
    fn with(mut self, member: &str, value: impl Serialize) -> Self {
        if let Ok(value) = serde_json::to_value(value)
            && !value.is_null()
        {
            self.0.insert(member.to_owned(), value);
        }
        self
    }
}

fn first(names: Option<&Vec<String>>) -> Option<&String> {
    names.and_then(|names| names.first())
}

fn route(item: &DiscoveredRoute, place: Span) -> Discovered {
    let id = item.route_id.as_str();
    let mut paths: Vec<&str> = item.urls.iter().flatten().filter_map(|url| path_of(url)).collect();
    paths.sort_unstable();
    paths.dedup();
    let matchers = std::iter::once(json!({ "kind": "routeId", "value": id }))
        .chain(paths.into_iter().map(|path| json!({ "kind": "path", "value": path })));
    let content = Object::default()
        .with("id", id)
        .with("match", matchers.collect::<Vec<_>>())
        .with("title", first(item.titles.as_ref()))
        .with("parentRouteId", item.metadata.as_ref().and_then(|metadata| metadata.get("parentRouteId")));
    Discovered::new(DiscoveryItemKind::Route, List::Routes, id, content, &item.discovered_by, place)
}

/// The path of an address, with what stands behind the hash where an application has its path there.
fn path_of(url: &str) -> Option<&str> {
    let behind = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = behind.find('/').and_then(|start| behind.get(start..)).unwrap_or("/");
    if path.contains("#/") && !path.contains('?') {
        return Some(path);
    }
    path.split(['?', '#']).next().filter(|path| !path.is_empty())
}

/// Areas that can be found again: what the application itself did not name has another id on the next page.
fn recognised(package: &DiscoveryPackage) -> HashSet<&ScopeId> {
    let is_known = |scope: &&DiscoveredScope| {
        is_named(scope) || scope.stable_ids.as_ref().is_some_and(|ids| !ids.is_empty())
    };
    package.scope_catalog.scopes.iter().filter(is_known).map(|scope| &scope.scope_id).collect()
}

/// The application itself gave it its id.
fn is_named(scope: &DiscoveredScope) -> bool {
    scope.discovered_by.iter().any(|evidence| evidence.source == EvidenceSource::Annotation)
}

fn scope(item: &DiscoveredScope, known: &HashSet<&ScopeId>, place: Span) -> Discovered {
    let content = Object::default()
        .with("id", &item.scope_id)
        .with("kind", item.kind)
        .with("routeIds", &item.route_ids)
        .with("parentScopeId", item.parent_scope_id.as_ref().filter(|parent| known.contains(parent)))
        .with("title", first(item.names.as_ref()))
        .with("stableIds", item.stable_ids.as_ref().filter(|_| !is_named(item)));
    Discovered::new(
        DiscoveryItemKind::Scope,
        List::Scopes,
        item.scope_id.as_str(),
        content,
        &item.discovered_by,
        place,
    )
}

fn element(item: &DiscoveredElement, known: &HashSet<&ScopeId>, place: Span) -> Discovered {
    let id = item.stable_id.as_ref().map_or(item.semantic_key.as_str(), |id| id.as_str());
    let scope = item.scopes.iter().flatten().find(|scope| known.contains(scope));
    let name = first(item.names.as_ref());
    let annotation =
        item.stable_id.as_ref().map(|id| json!({ "by": "annotation", "attr": "data-uiap-id", "value": id }));
    let semantic = Object::default()
        .with("by", "semantic")
        .with("role", &item.role)
        .with("name", name)
        .with("scopeId", scope);
    let matchers: Vec<Value> = annotation.into_iter().chain([Value::Object(semantic.0)]).collect();
    let tags = item.risk.as_ref().and_then(|risk| risk.tags.as_ref()).map(|tags| json!({ "riskTags": tags }));
    let content = Object::default()
        .with("id", id)
        .with("scopeId", scope)
        .with("routeIds", &item.routes)
        .with("role", &item.role)
        .with("name", name)
        .with("meaning", first(item.meanings.as_ref()))
        .with("match", matchers)
        .with("risk", item.risk.as_ref().map(|risk| risk.level))
        .with("dataClasses", &item.data_classes)
        .with("metadata", tags);
    Discovered::new(DiscoveryItemKind::Element, List::Elements, id, content, &item.discovered_by, place)
        .judged(item.review_state)
}

fn action(item: &DiscoveredAction, place: Span) -> Discovered {
    let is_on_element = item
        .target_patterns
        .iter()
        .flatten()
        .any(|pattern| pattern.stable_id.is_some() || pattern.role.is_some());
    let is_primitive = item.id.as_str().starts_with("ui.") || item.id.as_str().starts_with("nav.");
    // What the application said of its own action holds; what was only seen is pressed as it was seen.
    let registered = item.metadata.as_ref().and_then(|metadata| metadata.get("registered"));
    let said = |member: &str| registered.and_then(|registered| registered.get(member)).cloned();
    let implementation = match registered {
        Some(_) => Some(json!({ "kind": "sdkHandler", "ref": item.id })),
        None => (!is_primitive).then(|| json!({ "kind": "none" })),
    };
    let risk = item.risk.as_ref().map_or_else(|| json!({ "level": "confirm" }), |risk| json!(risk));
    let content = Object::default()
        .with("id", &item.id)
        .with("kind", if is_primitive { "primitive" } else { "domain" })
        .with("title", said("title"))
        .with("description", said("description"))
        .with(
            "targetKinds",
            said("targetKinds").unwrap_or_else(|| json!([if is_on_element { "element" } else { "scope" }])),
        )
        .with("executionModes", said("executionModes").unwrap_or_else(|| json!(["semanticUi"])))
        .with("idempotency", said("idempotency"))
        .with("args", &item.args)
        .with("risk", risk)
        .with("success", &item.success_signals)
        .with("implementation", implementation);
    let state = item.review_state;
    let mut found = Discovered::new(
        DiscoveryItemKind::Action,
        List::Actions,
        item.id.as_str(),
        content,
        &item.discovered_by,
        place,
    );
    found.needs_review = state == Some(ActionReviewState::NeedsReview);
    match state {
        Some(ActionReviewState::Unsafe) => found.state = ReviewState::Rejected,
        Some(ActionReviewState::Verified) => found.state = ReviewState::InReview,
        _ => {}
    }
    found
}

/// A workflow that follows the outline; it ends where the outline ends.
fn workflow(item: &DiscoveredWorkflowCandidate, place: Span) -> Discovered {
    let id = item.id.as_str();
    let outline: Vec<_> =
        item.step_skeleton.iter().filter(|step| step.r#type != SkeletonStepType::Complete).collect();
    let name =
        |index: usize| if index < outline.len() { format!("step_{}", index + 1) } else { "done".to_owned() };
    let steps = outline.iter().enumerate().map(|(index, step)| {
        let next = name(index + 1);
        let object = Object::default().with("id", name(index));
        let body = match step.r#type {
            SkeletonStepType::Action => object
                .with("type", "action")
                .with("actionId", &step.action_id)
                .with("target", step.target.as_ref().map(|target| json!({ "ref": target }))),
            SkeletonStepType::Collect => object
                .with("type", "collect")
                .with("parameters", step.parameter_names.clone().unwrap_or_default()),
            SkeletonStepType::Ensure => object.with("type", "ensure").with("signals", &step.signals),
            SkeletonStepType::Handoff => object.with("type", "handoff"),
            _ => object.with("type", "instruction").with("text", item.title.as_deref().unwrap_or(id)),
        };
        Value::Object(body.with("next", next).0)
    });
    let steps: Vec<Value> = steps.chain([json!({ "id": "done", "type": "complete" })]).collect();
    let definition = Object::default()
        .with("id", id)
        .with("version", "0.1.0")
        .with("title", item.title.as_deref().unwrap_or(id))
        .with("category", item.category.as_ref().map_or_else(|| json!("task"), |category| json!(category)))
        .with("startMode", "manual")
        .with("interactionModes", ["guide"])
        .with("routes", &item.route_ids)
        .with("parameters", &item.required_inputs)
        .with("entryConditions", &item.entry_conditions)
        .with("successSignals", &item.success_signals)
        .with("initialStepId", name(0))
        .with("steps", steps);
    let content = Object::default()
        .with("review", json!({ "level": "draft", "generatedFromDiscovery": true }))
        .with("definition", definition.0);
    Discovered::new(
        DiscoveryItemKind::WorkflowCandidate,
        List::Workflows,
        id,
        content,
        &item.discovered_by,
        place,
    )
    .judged(item.review_state)
}

fn question(item: &ReviewItem, finished: &str, place: Span) -> Discovered {
    let stable = item.stable_id.as_ref().map(StableId::as_str);
    let scope = item.scope_id.as_ref().map(ScopeId::as_str);
    let route = item.route_id.as_ref().map(RouteId::as_str);
    Discovered {
        list: None,
        about: stable.or(scope).or(route).map(str::to_owned),
        note: item.description.clone(),
        at: finished.to_owned(),
        ..Discovered::new(
            DiscoveryItemKind::ReviewItem,
            List::Routes,
            item.id.as_str(),
            Object::default(),
            &item.evidence,
            place,
        )
    }
}
