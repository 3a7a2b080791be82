//! What is taken over without anybody having looked at it, and what is not, and why.

use std::collections::{BTreeMap, BTreeSet};
use uiap_protocol::capability::{RiskDescriptor, RiskLevel};
use uiap_protocol::discovery::{
    ActionReviewState, Confidence, DiscoveredAction, DiscoveredActionKind, DiscoveredElement,
    DiscoveryPackage, EvidenceSource, ItemReviewState,
};
use uiap_protocol::policy::{DataClass, SideEffectClass};
use uiap_protocol::wire::JsonObject;

/// What is left to people.
pub(super) struct Left {
    pub(super) kind: &'static str,
    pub(super) ids: Vec<String>,
    pub(super) reason: &'static str,
}

/// What is taken over.
pub(super) struct Taken {
    routes: Vec<String>,
    scopes: Vec<String>,
    elements: Vec<String>,
    actions: Vec<String>,
    pub(super) left: Vec<Left>,
}

impl Taken {
    /// What is accepted: what kind, into which manifest, and which.
    pub(super) fn rules(&self) -> impl Iterator<Item = (&'static str, &'static str, &[String])> {
        [
            ("route", "bindings.discovered", self.routes.as_slice()),
            ("scope", "bindings.discovered", self.scopes.as_slice()),
            ("element", "bindings.discovered", self.elements.as_slice()),
            ("action", "actions.discovered", self.actions.as_slice()),
        ]
        .into_iter()
    }
}

/// Why an element is left to people.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Doubt {
    Sensitive,
    Unsafe,
    Ambiguous,
    Uncertain,
}

impl Doubt {
    fn reason(self) -> &'static str {
        match self {
            Self::Sensitive => "They hold data that only some may see.",
            Self::Unsafe => "They destroy, pay, send or change rights, or nobody knows what they do.",
            Self::Ambiguous => "Nothing tells them apart from others of the same name.",
            Self::Uncertain => "Too little speaks for them.",
        }
    }
}

/// Chooses what is harmless and certain.
pub(super) fn chosen(package: &DiscoveryPackage) -> Taken {
    let scopes = package.scope_catalog.scopes.iter();
    let recognised = scopes
        .filter(|scope| scope.discovered_by.iter().any(|piece| piece.source == EvidenceSource::Annotation));
    let (elements, doubted) = elements(package);
    let (actions, unsafe_actions, open_actions) = actions(package);
    let mut left: Vec<Left> = doubted
        .into_iter()
        .map(|(doubt, ids)| Left { kind: "element", ids, reason: doubt.reason() })
        .collect();
    left.push(Left {
        kind: "action",
        ids: unsafe_actions,
        reason: "They destroy, pay, or change rights or identity.",
    });
    left.push(Left {
        kind: "action",
        ids: open_actions,
        reason: "They are guessed, or nothing says what they change or when they have succeeded.",
    });
    let workflows = package.workflow_candidates.iter().flat_map(|catalog| &catalog.workflows);
    left.push(Left {
        kind: "workflowCandidate",
        ids: workflows.map(|workflow| workflow.id.to_string()).collect(),
        reason: "A workflow is a promise to people; somebody has to make it.",
    });
    Taken {
        routes: package.route_catalog.routes.iter().map(|route| route.route_id.to_string()).collect(),
        scopes: recognised.map(|scope| scope.scope_id.to_string()).collect(),
        elements,
        actions,
        left,
    }
}

fn elements(package: &DiscoveryPackage) -> (Vec<String>, BTreeMap<Doubt, Vec<String>>) {
    let alike = alike(package);
    let unsafe_actions: BTreeSet<&str> = package
        .action_catalog
        .actions
        .iter()
        .filter(|action| {
            action.kind != DiscoveredActionKind::Primitive
                && action.review_state != Some(ActionReviewState::Candidate)
        })
        .map(|action| action.id.as_str())
        .collect();
    let mut taken = Vec::new();
    let mut doubted: BTreeMap<Doubt, Vec<String>> = BTreeMap::new();
    for element in &package.element_catalog.elements {
        let doubt = if is_sensitive(element) {
            Some(Doubt::Sensitive)
        } else if is_risky(element.risk.as_ref())
            || element
                .supported_actions
                .iter()
                .flatten()
                .any(|action| unsafe_actions.contains(action.as_str()))
        {
            Some(Doubt::Unsafe)
        } else if !is_told_apart(element, &alike) {
            Some(Doubt::Ambiguous)
        } else if element.confidence == Confidence::Low
            || element.review_state == Some(ItemReviewState::NeedsReview)
        {
            Some(Doubt::Uncertain)
        } else {
            None
        };
        let id = identity(element).to_owned();
        match doubt {
            Some(doubt) => doubted.entry(doubt).or_default().push(id),
            None => taken.push(id),
        }
    }
    (taken, doubted)
}

fn identity(element: &DiscoveredElement) -> &str {
    element.stable_id.as_ref().map_or(element.semantic_key.as_str(), |id| id.as_str())
}

fn is_sensitive(element: &DiscoveredElement) -> bool {
    use DataClass as Class;
    element.data_classes.iter().flatten().any(|class| !matches!(class, Class::Public | Class::Internal))
}

fn is_risky(risk: Option<&RiskDescriptor>) -> bool {
    risk.is_some_and(|risk| {
        risk.level == RiskLevel::Blocked || risk.tags.as_ref().is_some_and(|tags| !tags.is_empty())
    })
}

/// How many elements of a route have the same role and name.
fn alike(package: &DiscoveryPackage) -> BTreeMap<(String, String, String), usize> {
    let mut counts = BTreeMap::new();
    for element in &package.element_catalog.elements {
        for route in element.routes.iter().flatten() {
            for name in element.names.iter().flatten() {
                *counts.entry((route.to_string(), element.role.to_string(), name.clone())).or_default() += 1;
            }
        }
    }
    counts
}

/// Its stable id identifies it, or its one name does on every page that has it.
fn is_told_apart(element: &DiscoveredElement, alike: &BTreeMap<(String, String, String), usize>) -> bool {
    let says = |member: &str| {
        let metadata: Option<&JsonObject> = element.metadata.as_ref();
        metadata.and_then(|metadata| metadata.get(member)).and_then(serde_json::Value::as_bool) == Some(true)
    };
    if says("ambiguous") || says("oneOfMany") {
        return false;
    }
    if element.stable_id.is_some() {
        return true;
    }
    let [name] = element.names.as_deref().unwrap_or_default() else { return false };
    element.routes.iter().flatten().all(|route| {
        alike
            .get(&(route.to_string(), element.role.to_string(), name.clone()))
            .is_none_or(|count| *count == 1)
    })
}

/// What is taken over, what is unsafe, and what is open.
fn actions(package: &DiscoveryPackage) -> (Vec<String>, Vec<String>, Vec<String>) {
    let (mut taken, mut unsafe_ones, mut open) = (Vec::new(), Vec::new(), Vec::new());
    let own =
        package.action_catalog.actions.iter().filter(|action| action.kind != DiscoveredActionKind::Primitive);
    for action in own {
        let id = action.id.to_string();
        if action.review_state == Some(ActionReviewState::Unsafe) || is_risky(action.risk.as_ref()) {
            unsafe_ones.push(id);
        } else if is_certain(action) {
            taken.push(id);
        } else {
            open.push(id);
        }
    }
    (taken, unsafe_ones, open)
}

/// The application itself says that it is safe, and one sees that it worked.
fn is_certain(action: &DiscoveredAction) -> bool {
    let said = action
        .discovered_by
        .iter()
        .any(|piece| matches!(piece.source, EvidenceSource::AppRegistry | EvidenceSource::Annotation));
    let safe = action.risk.as_ref().is_some_and(|risk| risk.level == RiskLevel::Safe);
    let harmless = !matches!(
        action.side_effect_class,
        None | Some(
            SideEffectClass::PersistentWrite
                | SideEffectClass::ExternalEffect
                | SideEffectClass::IdentityChange
                | SideEffectClass::BillingChange
                | SideEffectClass::SecurityChange
                | SideEffectClass::Destructive
                | SideEffectClass::Irreversible
        )
    );
    action.kind == DiscoveredActionKind::Domain
        && action.review_state == Some(ActionReviewState::Candidate)
        && action.success_signals.as_ref().is_some_and(|signals| !signals.is_empty())
        && said
        && safe
        && harmless
}
