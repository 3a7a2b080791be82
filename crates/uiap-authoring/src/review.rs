//! Step 7: how far the review of every manifest and item is.

use crate::discovery::Taken;
use crate::findings::Findings;
use crate::items::{ByHome, Home, List, all_items, id_of, items_of};
use crate::load::Loaded;
use crate::overlay::at;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::HashMap;
use uiap_protocol::authoring::{
    ManifestSource, ManifestSpec, ReviewDecision, ReviewSetManifest, ReviewState, ReviewTarget,
    ReviewVerdict, WorkflowReviewLevel,
};
use uiap_protocol::finding::Code;
use uiap_protocol::text::Node;
use uiap_protocol::time::Timestamp;

/// Where a decision or a waiver is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) manifest: usize,
    pub(crate) index: usize,
}

/// How far the review of something is.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    pub(crate) state: ReviewState,
    /// Whose word that is, if somebody decided.
    pub(crate) decision: Option<Entry>,
    /// What lets it through for now.
    pub(crate) waiver: Option<Entry>,
    /// Nobody has written it or approved it.
    pub(crate) is_only_generated: bool,
}

/// A decision that a later one has overridden.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Overridden {
    /// Of which manifest.
    pub manifest_id: String,
    /// Which item of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_id: Option<String>,
    /// What was decided first, by whom and when.
    pub earlier: Decided,
    /// What holds now.
    pub later: Decided,
}

/// A decision in short.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Decided {
    /// What.
    pub state: String,
    /// By whom.
    pub by: String,
    /// When.
    pub at: String,
}

impl Decided {
    fn of(decision: &ReviewDecision) -> Self {
        Self {
            state: decision.state.to_string(),
            by: decision.by.as_str().to_owned(),
            at: decision.at.to_string(),
        }
    }
}

/// How far all reviews are.
#[derive(Debug, Default)]
pub(crate) struct Reviews {
    pub(crate) items: ByHome<Standing>,
    pub(crate) manifests: HashMap<usize, Standing>,
    pub(crate) audit: Vec<Overridden>,
}

/// What a decision covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Covered {
    Manifest(usize),
    Item(Home),
}

/// What was said about something, in the order of time.
#[derive(Debug, Default)]
struct Said {
    decisions: Vec<Entry>,
    waivers: Vec<Entry>,
}

pub(crate) fn apply_reviews(
    loaded: &Loaded<'_>,
    taken: &HashMap<(usize, List, String), Taken>,
    now: &Timestamp,
    findings: &mut Findings,
) -> Reviews {
    let mut said: FxHashMap<Covered, Said> = FxHashMap::default();
    for (manifest, review) in review_sets(loaded) {
        for (index, decision) in review.decisions.iter().enumerate() {
            for covered in
                covered(loaded, manifest, &decision.target, &format!("/spec/decisions/{index}"), findings)
            {
                said.entry(covered).or_default().decisions.push(Entry { manifest, index });
            }
        }
        for (index, waiver) in review.waivers.iter().flatten().enumerate() {
            let targets =
                covered(loaded, manifest, &waiver.target, &format!("/spec/waivers/{index}"), findings);
            // One that has expired counts nowhere.
            if waiver.expires_at.as_ref().is_some_and(|end| end.millis() <= now.millis()) {
                continue;
            }
            for covered in targets {
                said.entry(covered).or_default().waivers.push(Entry { manifest, index });
            }
        }
    }
    let mut reviews = Reviews::default();
    for said in said.values_mut() {
        said.decisions.sort_by_key(|entry| decision_at(loaded, *entry).map(|decision| decision.at.millis()));
    }
    for (number, manifest) in loaded.manifests.iter().enumerate() {
        let state = manifest.document.metadata.review_state.unwrap_or(ReviewState::Draft);
        let is_generated = manifest.document.metadata.source == Some(ManifestSource::Generated);
        let standing = standing(loaded, said.get(&Covered::Manifest(number)), state, is_generated);
        reviews.manifests.insert(number, standing);
    }
    for (home, id) in all_items(loaded) {
        let Some(manifest) = reviews.manifests.get(&home.manifest) else { continue };
        let taken_as = |id: &str| taken.get(&(home.manifest, home.list, id.to_owned()));
        let taken = if taken.is_empty() { None } else { taken_as(id) };
        let (state, is_generated) = own_state(loaded, home, manifest, taken);
        let of_item = said.get(&Covered::Item(home));
        let mut standing = standing(loaded, of_item, state, is_generated);
        if takes_back(loaded, manifest, &standing) {
            standing = manifest.clone();
        }
        if standing.decision.is_none() && taken.is_none() {
            standing.decision = manifest.decision;
        }
        standing.waiver = standing.waiver.or(manifest.waiver);
        reviews.items.insert(home, standing);
    }
    reviews.audit = audit(loaded, &said);
    reviews
}

/// A later decision about the whole manifest takes the approval of an item back.
fn takes_back(loaded: &Loaded<'_>, manifest: &Standing, item: &Standing) -> bool {
    let decided = |standing: &Standing| standing.decision.and_then(|entry| decision_at(loaded, entry));
    decided(manifest).zip(decided(item)).is_some_and(|(manifest, item)| {
        manifest.state != ReviewVerdict::Approved
            && item.state == ReviewVerdict::Approved
            && manifest.at.millis() > item.at.millis()
    })
}

fn review_sets<'l>(loaded: &'l Loaded<'_>) -> impl Iterator<Item = (usize, &'l ReviewSetManifest)> {
    loaded.manifests.iter().enumerate().filter_map(|(number, manifest)| match &manifest.document.spec {
        ManifestSpec::ReviewSet(set) => Some((number, set)),
        _ => None,
    })
}

pub(crate) fn decision_at<'l>(loaded: &'l Loaded<'_>, entry: Entry) -> Option<&'l ReviewDecision> {
    match &loaded.manifests.get(entry.manifest)?.document.spec {
        ManifestSpec::ReviewSet(set) => set.decisions.get(entry.index),
        _ => None,
    }
}

/// What a target means; a target that means nothing is an error.
fn covered(
    loaded: &Loaded<'_>,
    review: usize,
    target: &ReviewTarget,
    pointer: &str,
    findings: &mut Findings,
) -> Vec<Covered> {
    let Some(set) = loaded.manifests.get(review) else { return Vec::new() };
    let id = target.manifest_id.as_str();
    let Some(number) = loaded.named(set.package, id) else {
        if !loaded.is_partial {
            findings
                .error(
                    Code::DanglingReference,
                    set.place(format!("{pointer}/target/manifestId")),
                    format!("There is no manifest \"{id}\"."),
                )
                .requirement("AUT-7.1-10")
                .did_you_mean(id, loaded.names(set.package));
        }
        return Vec::new();
    };
    let Some(manifest) = loaded.manifests.get(number) else { return Vec::new() };
    let items = items_of(manifest);
    let home = |list, index| Covered::Item(Home { manifest: number, list, index });
    match (&target.item_id, &target.path) {
        (Some(item), _) => {
            let found: Vec<_> = items
                .iter()
                .filter(|(.., id)| *id == item.as_str())
                .map(|(list, index, _)| home(*list, *index))
                .collect();
            if found.is_empty() && !is_elsewhere(loaded, number, item.as_str()) {
                findings
                    .error(
                        Code::DanglingReference,
                        set.place(format!("{pointer}/target/itemId")),
                        format!("The manifest {id} has no item \"{item}\"."),
                    )
                    .requirement("AUT-7.1-10")
                    .did_you_mean(item.as_str(), items.iter().map(|(.., id)| *id));
            }
            found
        }
        (None, Some(path)) => {
            let path = path.as_str();
            if at(&manifest.tree, path).is_none() {
                let is_written = manifest.file.tree.as_ref().is_ok_and(|tree| at(tree, path).is_some());
                if is_written {
                    return Vec::new();
                }
                findings
                    .error(
                        Code::DanglingReference,
                        set.place(format!("{pointer}/target/path")),
                        format!("There is nothing at {path} of {id}."),
                    )
                    .requirement("AUT-7.1-10");
                return Vec::new();
            }
            let is_inside = |outer: &str, inner: &str| {
                inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            let covers = |list: List, index: usize| {
                let item = Home { manifest: number, list, index }.pointer();
                is_inside(path, &item) || is_inside(&item, path)
            };
            let found: Vec<_> = items
                .iter()
                .filter(|(list, index, _)| covers(*list, *index))
                .map(|(list, index, _)| home(*list, *index))
                .collect();
            if found.is_empty() { vec![Covered::Manifest(number)] } else { found }
        }
        (None, None) => vec![Covered::Manifest(number)],
    }
}

/// Whether an item exists for other contexts only: an overlay has taken it out here, or brings it in elsewhere.
fn is_elsewhere(loaded: &Loaded<'_>, manifest: usize, item: &str) -> bool {
    fn brings(node: &Node<'_>, item: &str) -> bool {
        node.member("id").and_then(Node::as_text) == Some(item)
            || node.items().iter().any(|node| brings(node, item))
            || node.members().iter().any(|member| brings(&member.node, item))
    }
    let Some(target) = loaded.manifests.get(manifest) else { return false };
    if target.file.tree.as_ref().is_ok_and(|tree| brings(tree, item)) {
        return true;
    }
    loaded.manifests.iter().any(|one| {
        let ManifestSpec::Overlay(overlay) = &one.document.spec else { return false };
        let written = one.tree.member("spec").and_then(|spec| spec.member("patches"));
        overlay.patches.iter().zip(written.map(Node::items).unwrap_or_default()).any(|(patch, written)| {
            loaded.named(one.package, patch.manifest_id.as_str()) == Some(manifest)
                && written.member("value").is_some_and(|value| brings(value, item))
        })
    })
}

/// What holds: the newest decision, otherwise what the content says of itself.
fn standing(loaded: &Loaded<'_>, said: Option<&Said>, own: ReviewState, is_generated: bool) -> Standing {
    let decision = said.and_then(|said| said.decisions.last()).copied();
    let verdict = decision.and_then(|entry| decision_at(loaded, entry)).map(|decision| decision.state);
    let state = match verdict {
        Some(ReviewVerdict::Approved) => ReviewState::Approved,
        Some(ReviewVerdict::Rejected) => ReviewState::Rejected,
        Some(ReviewVerdict::NeedsReview) => ReviewState::InReview,
        None => own,
    };
    let waiver = said.and_then(|said| said.waivers.last()).copied();
    let is_only_generated = is_generated && verdict != Some(ReviewVerdict::Approved);
    Standing { state, decision, waiver, is_only_generated }
}

/// What an item says of itself: how far it is, and whether only a machine has written it.
fn own_state(
    loaded: &Loaded<'_>,
    home: Home,
    manifest: &Standing,
    taken: Option<&Taken>,
) -> (ReviewState, bool) {
    if let Some(taken) = taken {
        // Nothing gets further than a manifest that is published nowhere.
        let state = if rank(manifest.state).is_none() { manifest.state } else { taken.state };
        return (state, true);
    }
    let Some(ManifestSpec::WorkflowCatalog(catalog)) =
        loaded.manifests.get(home.manifest).map(|one| &one.document.spec)
    else {
        return (manifest.state, manifest.is_only_generated);
    };
    let review = catalog.workflows.get(home.index).and_then(|workflow| workflow.review.as_ref());
    let level = review.and_then(|review| review.level).map(|level| match level {
        WorkflowReviewLevel::Draft => ReviewState::Draft,
        WorkflowReviewLevel::Candidate => ReviewState::InReview,
        WorkflowReviewLevel::Approved => ReviewState::Approved,
    });
    let is_generated = review.and_then(|review| review.generated_from_discovery) == Some(true);
    let state = match (level.and_then(rank), rank(manifest.state)) {
        (Some(level), Some(cap)) if level < cap => level,
        _ => return (manifest.state, manifest.is_only_generated || is_generated),
    };
    let state = if state == 1 { ReviewState::InReview } else { ReviewState::Draft };
    (state, manifest.is_only_generated || is_generated)
}

/// How far a state is on the way to approval; nothing for what never gets there (finding M12).
pub(crate) fn rank(state: ReviewState) -> Option<u8> {
    match state {
        ReviewState::Draft | ReviewState::Generated => Some(0),
        ReviewState::InReview => Some(1),
        ReviewState::Approved => Some(2),
        ReviewState::Rejected | ReviewState::Deprecated => None,
    }
}

/// Decisions that later ones have overridden.
fn audit(loaded: &Loaded<'_>, said: &FxHashMap<Covered, Said>) -> Vec<Overridden> {
    let mut audit = Vec::new();
    for (covered, said) in said {
        let (number, item) = match covered {
            Covered::Manifest(number) => (*number, None),
            Covered::Item(home) => (home.manifest, Some(*home)),
        };
        let Some(manifest) = loaded.manifests.get(number) else { continue };
        let item_id = item.and_then(|home| id_of(loaded, home)).map(str::to_owned);
        for pair in said.decisions.windows(2) {
            let [earlier, later] = pair else { continue };
            let Some((earlier, later)) = decision_at(loaded, *earlier).zip(decision_at(loaded, *later))
            else {
                continue;
            };
            if earlier.state != later.state {
                audit.push(Overridden {
                    manifest_id: manifest.id.clone(),
                    item_id: item_id.clone(),
                    earlier: Decided::of(earlier),
                    later: Decided::of(later),
                });
            }
        }
    }
    audit.sort_by(|one, other| {
        let key = |one: &Overridden| (one.manifest_id.clone(), one.item_id.clone(), one.earlier.at.clone());
        key(one).cmp(&key(other))
    });
    audit
}
