//! Finds the element that an action means.
//!
//! Start at [`resolve`]. Four tiers are asked in their order (ACT 8.1): the stable id, what it is and how it is called,
//! annotations, hints of bindings. The first tier that has a candidate decides; inside it the best score wins, if it
//! wins clearly. Everything comes from the page as it is known; nothing here talks to a surface.

mod index;
mod names;
mod owner;
mod score;
mod tiers;

pub use index::TargetIndex;
pub use owner::is_only_read;
pub use score::Score;

use score::{CONFIDENCE_PERCENT_MIN, MARGIN_MIN, MISFIT_PERCENT};
use serde_json::{Value, json};
use tiers::{Tier, Wanted};
use uiap_protocol::action::{ActionTarget, ResolvedBy, ResolvedTarget, RuntimeErrorCode};
use uiap_protocol::capability::TargetRef;
use uiap_protocol::ids::{ActionId, ElementInstanceId, Text};
use uiap_protocol::web::{ElementNode, GraphStore};
use uiap_protocol::wire::JsonObject;

/// Most candidates that an answer names.
pub const CANDIDATES_MAX: usize = 5;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Request<'r> {
    /// For which action.
    pub action: &'r ActionId,
    /// On what.
    pub target: &'r ActionTarget,
    /// Elements that hints of bindings found for the stable id; they never come from the wire (finding A5).
    pub hinted: &'r [ElementInstanceId],
}

/// What an action is aimed at.
#[derive(Clone, Debug, PartialEq)]
pub enum Aim {
    /// An element.
    Element(Box<Resolution>),
    /// A route.
    Route(Text),
    /// Something that only an adapter of the application knows.
    Custom(Text),
}

/// The element that was found, and why it was this one.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolution {
    /// The element.
    pub target: ResolvedTarget,
    /// How well it fits.
    pub score: Score,
    /// What share of what was asked for it has, in percent.
    pub confidence_percent: u16,
    /// The text inside it that was meant, where the element was found by what is in it.
    pub found_inside: Option<ElementInstanceId>,
    /// The next best ones.
    pub alternates: Vec<Candidate>,
}

impl Resolution {
    /// Why it was this one, for whoever asks: how sure that is, and what came next.
    pub fn explanation(&self) -> JsonObject {
        let mut told = JsonObject::new();
        told.insert("targetId".to_owned(), self.target.instance_id.as_str().into());
        told.insert("by".to_owned(), self.target.by.as_str().into());
        told.insert("confidencePercent".to_owned(), self.confidence_percent.into());
        told.insert("score".to_owned(), self.score.to_json());
        if let Some(leaf) = &self.found_inside {
            told.insert("foundInside".to_owned(), leaf.as_str().into());
        }
        if !self.alternates.is_empty() {
            let alternates: Vec<_> = self.alternates.iter().map(Candidate::to_json).collect();
            told.insert("alternates".to_owned(), alternates.into());
        }
        told
    }
}

impl Candidate {
    /// Which element, and how well it fits, part by part.
    pub fn to_json(&self) -> Value {
        let ResolvedTarget { by, instance_id, stable_id, scope_id, role, name, .. } = &self.target;
        json!({
            "instanceId": instance_id, "stableId": stable_id, "scopeId": scope_id, "role": role, "name": name,
            "by": by, "score": self.score.to_json(),
        })
    }
}

/// An element that could be meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The element.
    pub target: ResolvedTarget,
    /// How well it fits.
    pub score: Score,
}

/// What distinguishes candidates, so that a new request can say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distinction {
    /// They have different stable ids.
    StableId,
    /// They are in different areas.
    Scope,
    /// They are in different documents.
    Document,
    /// They are called differently.
    Name,
    /// Nothing but their instance ids, which last as long as the page.
    Instance,
}

impl Distinction {
    /// As it stands in a result: the member of a target that would tell them apart.
    pub fn word(self) -> &'static str {
        match self {
            Self::StableId => "stableId",
            Self::Scope => "scopeId",
            Self::Document => "documentId",
            Self::Name => "name",
            Self::Instance => "instanceId",
        }
    }
}

/// Why no element was found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ResolveError {
    /// Nothing was named.
    #[error("the action needs a target and the request names none")]
    Required,
    /// Nothing fits, or nothing fits well enough.
    #[error("nothing on the page fits the target well enough")]
    NotFound {
        /// What came closest.
        nearest: Vec<Candidate>,
    },
    /// Several fit.
    #[error("{count} elements fit the target equally well")]
    Ambiguous {
        /// How many.
        count: usize,
        /// The best of them.
        candidates: Vec<Candidate>,
        /// What would tell them apart.
        distinctions: Vec<Distinction>,
    },
    /// The stable id leads to an element that is not what the sender believes.
    #[error("the target is no longer what the request expects: {mismatch}")]
    Stale {
        /// What is different.
        mismatch: Mismatch,
        /// What the stable id leads to.
        found: Box<Candidate>,
    },
}

/// What an element has that the sender did not expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// Another role.
    Role,
    /// Another name.
    Name,
    /// Another area.
    Scope,
    /// Another document.
    Document,
}

impl Mismatch {
    /// As it stands in a result.
    pub fn word(self) -> &'static str {
        match self {
            Self::Role => "role",
            Self::Name => "name",
            Self::Scope => "scopeId",
            Self::Document => "documentId",
        }
    }
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Role => "its role is another one",
            Self::Name => "its name is another one",
            Self::Scope => "it is in another area",
            Self::Document => "it is in another document",
        })
    }
}

impl ResolveError {
    /// The error as the protocol calls it.
    pub fn code(&self) -> RuntimeErrorCode {
        match self {
            Self::Required => RuntimeErrorCode::TargetRequired,
            Self::NotFound { .. } => RuntimeErrorCode::TargetNotFound,
            Self::Ambiguous { .. } => RuntimeErrorCode::TargetAmbiguous,
            Self::Stale { .. } => RuntimeErrorCode::StaleTarget,
        }
    }
}

/// Finds what an action is aimed at. The same page and the same request give the same answer.
pub fn resolve(page: &GraphStore, index: &TargetIndex, request: &Request<'_>) -> Result<Aim, ResolveError> {
    match &request.target.r#ref {
        Some(TargetRef::Route { value }) => Ok(Aim::Route(value.clone())),
        Some(TargetRef::Custom { value }) if instance_of(value).is_none() => Ok(Aim::Custom(value.clone())),
        _ => element(page, index, request).map(|resolution| Aim::Element(Box::new(resolution))),
    }
}

/// The instance id in a custom reference of the form `instance:<id>` (finding A5).
fn instance_of(value: &Text) -> Option<&str> {
    value.as_str().strip_prefix("instance:")
}

fn element(
    page: &GraphStore,
    index: &TargetIndex,
    request: &Request<'_>,
) -> Result<Resolution, ResolveError> {
    let wanted = Wanted::new(page, request)?;
    let mut nearest = Vec::new();
    for tier in Tier::ALL {
        let found = wanted.candidates(tier, page, index);
        if let Some(stale) = wanted.stale(tier, &found) {
            return Err(stale);
        }
        let (fitting, others): (Vec<_>, Vec<_>) = found.into_iter().partition(|scored| scored.fits);
        nearest.extend(others);
        if !fitting.is_empty() {
            return decide(fitting, &wanted, tier);
        }
    }
    Err(ResolveError::NotFound { nearest: best(nearest, Tier::Semantic) })
}

/// A candidate while the tier is being looked at.
struct Scored<'p> {
    element: &'p ElementNode,
    /// The text inside it that was found.
    leaf: Option<&'p ElementInstanceId>,
    score: Score,
    /// Nothing disqualifies it.
    fits: bool,
}

impl Scored<'_> {
    fn candidate(&self, by: ResolvedBy) -> Candidate {
        Candidate { target: described(self.element, by), score: self.score }
    }
}

fn described(element: &ElementNode, by: ResolvedBy) -> ResolvedTarget {
    ResolvedTarget {
        by,
        instance_id: element.instance_id.clone(),
        stable_id: element.stable_id.clone(),
        document_id: element.document_id.clone(),
        scope_id: element.scope_id.clone(),
        role: element.role.clone(),
        name: element.name.clone(),
        bbox: element.bbox,
    }
}

/// The best one, if it is clearly the best and good enough.
fn decide(mut fitting: Vec<Scored<'_>>, wanted: &Wanted<'_>, tier: Tier) -> Result<Resolution, ResolveError> {
    // What is known to be invisible cannot be meant where something visible fits.
    let visible = |scored: &Scored<'_>| scored.element.state.ui.visible != Some(false);
    if fitting.iter().any(visible) {
        fitting.retain(visible);
    }
    sort(&mut fitting);
    let by = tier.resolved_by();
    let Some((first, others)) = fitting.split_first() else {
        return Err(ResolveError::NotFound { nearest: Vec::new() });
    };
    let rivals =
        others.iter().filter(|other| first.score.deciding() < other.score.deciding() + MARGIN_MIN).count();
    if rivals > 0 {
        let distinctions = distinctions(fitting.iter().take(rivals + 1).map(|scored| scored.element));
        return Err(ResolveError::Ambiguous {
            count: rivals + 1,
            candidates: best(fitting, tier),
            distinctions,
        });
    }
    let found_percent = wanted.confidence_percent(tier, &first.score);
    let fits = owner::fits(first.element, wanted.action());
    let confidence_percent = if fits { found_percent } else { found_percent * MISFIT_PERCENT / 100 };
    if confidence_percent < CONFIDENCE_PERCENT_MIN {
        return Err(ResolveError::NotFound { nearest: best(fitting, tier) });
    }
    let alternates = others.iter().take(CANDIDATES_MAX).map(|scored| scored.candidate(by)).collect();
    Ok(Resolution {
        target: described(first.element, by),
        score: first.score,
        confidence_percent,
        found_inside: first.leaf.cloned(),
        alternates,
    })
}

fn best(mut candidates: Vec<Scored<'_>>, tier: Tier) -> Vec<Candidate> {
    sort(&mut candidates);
    candidates.iter().take(CANDIDATES_MAX).map(|scored| scored.candidate(tier.resolved_by())).collect()
}

/// The best first; ids settle the rest, so that the order never depends on the order of the page.
fn sort(candidates: &mut [Scored<'_>]) {
    candidates.sort_by(|one, other| {
        let by_score = other.score.deciding().cmp(&one.score.deciding());
        let by_focus = other.score.focus.cmp(&one.score.focus);
        by_score.then(by_focus).then_with(|| one.element.instance_id.cmp(&other.element.instance_id))
    });
}

fn distinctions<'p>(elements: impl Iterator<Item = &'p ElementNode> + Clone) -> Vec<Distinction> {
    fn differ<T: PartialEq>(mut values: impl Iterator<Item = T>) -> bool {
        let first = values.next();
        values.any(|value| Some(&value) != first.as_ref())
    }
    let by = [
        (Distinction::StableId, differ(elements.clone().map(|element| &element.stable_id))),
        (Distinction::Scope, differ(elements.clone().map(|element| &element.scope_id))),
        (Distinction::Document, differ(elements.clone().map(|element| &element.document_id))),
        (Distinction::Name, differ(elements.map(|element| &element.name))),
    ];
    let named: Vec<_> =
        by.into_iter().filter(|(_, differs)| *differs).map(|(distinction, _)| distinction).collect();
    if named.is_empty() { vec![Distinction::Instance] } else { named }
}
