//! The four tiers, and what each of them finds.

use super::index::TargetIndex;
use super::names::{NameMatch, compare};
use super::owner::owner;
use super::score::{self, Score};
use super::{Mismatch, Request, ResolveError, Scored, instance_of};
use std::collections::HashSet;
use uiap_protocol::action::ResolvedBy;
use uiap_protocol::capability::{Role, TargetRef};
use uiap_protocol::ids::{ActionId, DocumentId, ElementInstanceId, ScopeId, StableId};
use uiap_protocol::web::{ElementNode, GraphStore, Rect};

/// Most areas around an element that are looked at.
const SCOPE_STEPS_MAX: usize = 64;

/// A way of finding an element, in the order of ACT 8.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tier {
    /// By the instance id that the sender has from a look.
    Instance,
    StableId,
    Semantic,
    Annotation,
    RuntimeHint,
}

impl Tier {
    pub(super) const ALL: [Self; 5] =
        [Self::Instance, Self::StableId, Self::Semantic, Self::Annotation, Self::RuntimeHint];

    pub(super) fn resolved_by(self) -> ResolvedBy {
        match self {
            Self::Instance => ResolvedBy::InstanceId,
            Self::StableId => ResolvedBy::StableId,
            Self::Semantic => ResolvedBy::Semantic,
            Self::Annotation => ResolvedBy::Annotation,
            Self::RuntimeHint => ResolvedBy::RuntimeHint,
        }
    }

    /// The identity is given, so that what the sender believes besides is checked and not searched for.
    fn is_identity(self) -> bool {
        matches!(self, Self::Instance | Self::StableId | Self::RuntimeHint)
    }
}

/// A request, taken apart.
pub(super) struct Wanted<'r> {
    action: &'r ActionId,
    instance: Option<&'r str>,
    stable_id: Option<&'r StableId>,
    role: Option<&'r Role>,
    name: Option<&'r str>,
    scope: Option<&'r ScopeId>,
    document: Option<&'r DocumentId>,
    hinted: &'r [ElementInstanceId],
    focused: Option<Rect>,
}

impl<'r> Wanted<'r> {
    pub(super) fn new(page: &'r GraphStore, request: &Request<'r>) -> Result<Self, ResolveError> {
        let target = request.target;
        let focus = page.focus().and_then(|focus| focus.target.as_ref());
        let mut wanted = Self {
            action: request.action,
            instance: None,
            stable_id: None,
            role: target.expected_role.as_ref(),
            name: target.expected_name.as_deref(),
            scope: target.expected_scope_id.as_ref(),
            document: target.expected_document_id.as_ref(),
            hinted: request.hinted,
            focused: focus.and_then(|id| page.element(id.as_str())).and_then(|element| element.bbox),
        };
        match &target.r#ref {
            Some(TargetRef::StableId { value }) => wanted.stable_id = Some(value),
            Some(TargetRef::Semantic { role, name, scope }) => {
                wanted.role = Some(role);
                wanted.name = name.as_deref().or(wanted.name);
                wanted.scope = scope.as_ref().or(wanted.scope);
            }
            Some(TargetRef::Custom { value }) => wanted.instance = instance_of(value),
            Some(TargetRef::Scope { value }) => {
                let nothing = || ResolveError::NotFound { nearest: Vec::new() };
                let element = page.scope(value.as_str()).and_then(|scope| scope.element_id.as_ref());
                wanted.instance = Some(element.ok_or_else(nothing)?.as_str());
            }
            None if wanted.role.is_none() && wanted.name.is_none() => return Err(ResolveError::Required),
            Some(TargetRef::Route { .. }) | None => {}
        }
        Ok(wanted)
    }

    /// What a tier finds, what is disqualified included.
    pub(super) fn candidates<'p>(
        &self,
        tier: Tier,
        page: &'p GraphStore,
        index: &TargetIndex,
    ) -> Vec<Scored<'p>> {
        let find = |id: &ElementInstanceId| page.element(id.as_str());
        let leaves: Vec<&ElementNode> = match tier {
            Tier::Instance => self.instance.and_then(|id| page.element(id)).into_iter().collect(),
            _ if self.instance.is_some() => Vec::new(),
            Tier::StableId => {
                self.stable_id.iter().flat_map(|id| index.with_stable_id(id)).filter_map(find).collect()
            }
            // A stable id that leads nowhere is replaced only by something of which role and name are known.
            Tier::Semantic if self.stable_id.is_some() && self.name.is_none() => Vec::new(),
            Tier::Semantic => {
                let role = self.role.iter();
                role.flat_map(|role| index.of_role_named(role, self.name)).filter_map(find).collect()
            }
            Tier::Annotation => {
                self.name.iter().flat_map(|name| index.with_meaning(name)).filter_map(find).collect()
            }
            Tier::RuntimeHint => self.hinted.iter().filter_map(find).collect(),
        };
        // Several texts may lead to one owner.
        let mut known = HashSet::with_capacity(leaves.len());
        let mut scored = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            let element = owner(page, leaf, self.action);
            if known.insert(&element.instance_id) {
                scored.push(self.score(tier, page, element, leaf));
            }
        }
        scored
    }

    fn score<'p>(
        &self,
        tier: Tier,
        page: &'p GraphStore,
        element: &'p ElementNode,
        leaf: &'p ElementNode,
    ) -> Scored<'p> {
        // What the sender believes may be true of the text or of what owns it.
        let either = |holds: &dyn Fn(&ElementNode) -> bool| holds(leaf) || holds(element);
        let role = self.role.is_some_and(|role| either(&|node| node.role == *role));
        let fit = self.name.and_then(|name| fit(name, tier, leaf, element));
        let scope = self.scope.is_some_and(|scope| is_inside(page, element, scope));
        let document = self.document.is_some_and(|document| element.document_id == *document);
        let stable = self.stable_id.is_some() && element.stable_id.as_ref() == self.stable_id;
        let points = |holds: bool, points: u16| if holds { points } else { 0 };
        let score = Score {
            stable_id: points(stable && tier == Tier::StableId, score::STABLE_ID),
            role: points(role, score::ROLE),
            name: score::name(fit),
            scope: points(scope, score::SCOPE),
            document: points(document, score::DOCUMENT),
            default_action: points(
                element.default_action.as_ref() == Some(self.action),
                score::DEFAULT_ACTION,
            ),
            focus: score::focus(element.bbox, self.focused),
        };
        // An element with another identity is another thing, whatever it is called.
        let other_identity =
            !tier.is_identity() && self.stable_id.is_some() && element.stable_id.is_some() && !stable;
        let replaces = self.stable_id.is_some() && tier == Tier::Semantic;
        let fits = (self.role.is_none() || role)
            && (self.document.is_none() || document)
            && (self.scope.is_none() || scope)
            && (self.name.is_none() || fit.is_some())
            && (!replaces || fit >= Some(NameMatch::Normalised))
            && !other_identity;
        let lifted = element.instance_id != leaf.instance_id;
        Scored { element, leaf: lifted.then_some(&leaf.instance_id), score, fits }
    }

    /// An identity that leads to one element which is not what the sender believes: the page has changed.
    pub(super) fn stale(&self, tier: Tier, found: &[Scored<'_>]) -> Option<ResolveError> {
        let [only] = found else { return None };
        if !tier.is_identity() || only.fits {
            return None;
        }
        let mismatch = if self.role.is_some() && only.score.role == 0 {
            Mismatch::Role
        } else if self.document.is_some() && only.score.document == 0 {
            Mismatch::Document
        } else if self.name.is_some() && only.score.name == 0 {
            Mismatch::Name
        } else {
            Mismatch::Scope
        };
        Some(ResolveError::Stale { mismatch, found: Box::new(only.candidate(tier.resolved_by())) })
    }

    /// For which action.
    pub(super) fn action(&self) -> &'r ActionId {
        self.action
    }

    /// The share of what was asked for that a score has, in percent.
    pub(super) fn confidence_percent(&self, tier: Tier, score: &Score) -> u16 {
        if tier.is_identity() {
            return 100;
        }
        let points = |asked: bool, points: u16| if asked { points } else { 0 };
        let asked = points(self.role.is_some(), score::ROLE)
            + points(self.name.is_some(), score::NAME_EXACT)
            + points(self.scope.is_some(), score::SCOPE)
            + points(self.document.is_some(), score::DOCUMENT);
        let found = score.role + score.name + score.scope + score.document;
        (found * 100).checked_div(asked).unwrap_or(0)
    }
}

/// How well a text or what owns it is called so; an annotation counts as a name only in its own tier.
fn fit(name: &str, tier: Tier, leaf: &ElementNode, element: &ElementNode) -> Option<NameMatch> {
    let named = |node: &ElementNode| node.name.as_deref().and_then(|found| compare(name, found));
    let meant = |node: &ElementNode| node.meaning.as_deref().and_then(|found| compare(name, found));
    let by_name = named(leaf).max(named(element));
    if tier == Tier::Annotation { by_name.max(meant(leaf)).max(meant(element)) } else { by_name }
}

/// Whether an element is in an area, or in one inside it.
fn is_inside(page: &GraphStore, element: &ElementNode, wanted: &ScopeId) -> bool {
    let mut scope = element.scope_id.as_ref();
    for _ in 0..SCOPE_STEPS_MAX {
        match scope {
            Some(id) if id == wanted => return true,
            Some(id) => scope = page.scope(id.as_str()).and_then(|node| node.parent_scope_id.as_ref()),
            None => return false,
        }
    }
    false
}
