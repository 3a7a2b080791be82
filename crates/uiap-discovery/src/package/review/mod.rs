//! What people should look at (DSC 16), the most urgent first.
//!
//! Start at [`queue`]. Every duty is a function that asks questions; an id is made of what a question is about, so that it
//! is the same question in the next run.

mod about_actions;
mod about_elements;
mod about_places;
mod remedy;
mod severity;

pub use severity::{Reach, Stakes, severity};

use super::actions::Deeds;
use super::survey::Survey;
use super::words::id;
use crate::naming::id_of;
use std::collections::BTreeMap;
use uiap_protocol::discovery::{
    DiscoveredWorkflowCandidate, EvidenceRef, ReviewItem, ReviewItemKind, ReviewQueue,
};
use uiap_protocol::ids::{Id, RouteId, ScopeId, StableId};
use uiap_protocol::wire::JsonObject;

/// Something to be asked.
struct Question {
    kind: ReviewItemKind,
    /// What it is about, in words that are the same in every run.
    about: Vec<String>,
    stakes: Stakes,
    reach: Reach,
    route: Option<RouteId>,
    scope: Option<ScopeId>,
    stable: Option<StableId>,
    description: String,
    evidence: Vec<EvidenceRef>,
    remedy: Option<String>,
}

impl Question {
    fn new(kind: ReviewItemKind, about: &[&str], description: String) -> Self {
        Self {
            kind,
            about: about.iter().map(|part| (*part).to_owned()).collect(),
            stakes: Stakes::None,
            reach: Reach::Single,
            route: None,
            scope: None,
            stable: None,
            description,
            evidence: Vec::new(),
            remedy: None,
        }
    }

    fn item(self) -> ReviewItem {
        let kind = self.kind.to_string();
        let parts: Vec<&str> =
            std::iter::once(kind.as_str()).chain(self.about.iter().map(String::as_str)).collect();
        ReviewItem {
            id: id(&id_of("rev", &parts)),
            severity: severity(self.stakes, self.reach),
            kind: self.kind,
            route_id: self.route,
            scope_id: self.scope,
            stable_id: self.stable,
            description: self.description,
            evidence: self.evidence,
            remediation: self.remedy,
            extra: JsonObject::default(),
        }
    }
}

pub(super) fn queue(
    survey: &Survey<'_>,
    deeds: &Deeds,
    workflows: &[DiscoveredWorkflowCandidate],
) -> ReviewQueue {
    let questions = about_elements::questions(survey, deeds)
        .into_iter()
        .chain(about_actions::questions(survey, deeds))
        .chain(about_actions::about_workflows(workflows))
        .chain(about_places::questions(survey));
    let mut items: BTreeMap<Id, ReviewItem> = BTreeMap::new();
    for question in questions {
        let item = question.item();
        items.entry(item.id.clone()).or_insert(item);
    }
    let mut items: Vec<_> = items.into_values().collect();
    items.sort_by(|one, other| other.severity.cmp(&one.severity).then_with(|| one.id.cmp(&other.id)));
    ReviewQueue { items, extra: JsonObject::default() }
}
