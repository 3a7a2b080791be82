//! The elements: what they are and how they are called, never what they hold.

use super::actions::Deeds;
use super::evidence::Backing;
use super::survey::{Kept, Piece, Survey};
use super::words::{object, said, some, text};
use serde_json::json;
use std::collections::BTreeSet;
use uiap_protocol::capability::{Role, StateKey};
use uiap_protocol::discovery::{
    Confidence, DiscoveredElement, ElementCatalog, EvidenceSource, ItemReviewState,
};
use uiap_protocol::wire::JsonObject;

pub(super) fn catalog(survey: &Survey<'_>, deeds: &Deeds) -> ElementCatalog {
    let pieces = survey.pieces.iter().enumerate();
    let elements = pieces.map(|(index, piece)| entry(survey, index, piece, deeds)).collect();
    ElementCatalog { elements, extra: JsonObject::default() }
}

fn entry(survey: &Survey<'_>, index: usize, piece: &Piece, deeds: &Deeds) -> DiscoveredElement {
    let found = &piece.found;
    let backing = backing(survey, piece);
    let (discovered_by, confidence) = backing.done();
    let says = backing.has(EvidenceSource::Annotation) || backing.has(EvidenceSource::AppRegistry);
    let review = match confidence {
        _ if found.is_ambiguous => ItemReviewState::NeedsReview,
        Confidence::Low => ItemReviewState::NeedsReview,
        Confidence::Medium | Confidence::High => ItemReviewState::Candidate,
    };
    let mut affordances = found.affordances.clone();
    affordances.sort_by_key(ToString::to_string);
    let supported: BTreeSet<_> = found.supported.iter().chain(deeds.of(index)).cloned().collect();
    let metadata = object([
        ("oneOfMany", json!(found.is_item.then_some(true))),
        ("ambiguous", json!(found.is_ambiguous.then_some(true))),
        ("visionAssisted", json!((is_picture(piece) && !says).then_some(true))),
        ("required", json!(found.is_required.then_some(true))),
    ]);
    DiscoveredElement {
        stable_id: found.stable_id.clone(),
        semantic_key: text(&piece.key),
        routes: some(found.routes.iter().cloned().collect()),
        scopes: some(found.areas.iter().cloned().collect()),
        role: found.role.clone(),
        names: some(names(piece)),
        meanings: some(found.meanings.iter().cloned().collect()),
        state_keys: some(found.state_keys.iter().filter_map(|key| StateKey::from_word(key)).collect()),
        affordances: some(affordances),
        supported_actions: some(supported.into_iter().collect()),
        risk: found.risk.clone().or_else(|| deeds.risk_of(index)),
        data_classes: some(found.data_classes.clone()),
        discovered_by,
        confidence,
        review_state: Some(review),
        metadata: Some(metadata).filter(|metadata| !metadata.is_empty()),
        extra: JsonObject::default(),
    }
}

/// How it is called. What is not edited is called after what it holds, so what holds secrets has no name here.
pub(super) fn names(piece: &Piece) -> Vec<String> {
    if piece.is_secret() && !is_field(&piece.found.role) {
        return Vec::new();
    }
    let names = piece.found.names.iter();
    if matches!(piece.found.role, Role::Alert | Role::Status | Role::Toast) {
        // What tells something for a moment is called after what it tells.
        let told: BTreeSet<_> = names.filter_map(|name| said(name)).collect();
        return told.into_iter().collect();
    }
    names.cloned().collect()
}

/// A person fills it in, or sets it.
pub(super) fn is_field(role: &Role) -> bool {
    crate::sighting::is_field(role)
        || matches!(role, Role::Checkbox | Role::Radio | Role::Switch | Role::Slider)
}

/// Nothing but a picture: what is on it has no meaning of its own.
pub(super) fn is_picture(piece: &Piece) -> bool {
    piece.found.role == Role::Canvas
}

/// What backs an element.
pub(super) fn backing(survey: &Survey<'_>, piece: &Piece) -> Backing {
    let found = &piece.found;
    let mut backing = Backing::default();
    let says =
        |source: &EvidenceSource| matches!(source, EvidenceSource::Annotation | EvidenceSource::AppRegistry);
    let only_picture = is_picture(piece) && !found.sources.iter().any(says);
    for state in &found.states {
        let seen = survey.look_up(state);
        if only_picture {
            let picture = survey.kept(state, Kept::Picture).unwrap_or(seen);
            backing.add(EvidenceSource::Vision, picture);
            continue;
        }
        for source in &found.sources {
            backing.add(*source, seen.clone());
        }
        if let (Some(tree), Some(name)) = (survey.kept(state, Kept::Tree), piece.name())
            && survey.hears(state, name, heard_as(&found.role))
        {
            backing.add(EvidenceSource::Accessibility, tree);
        }
    }
    backing
}

/// The words of ARIA for a role.
fn heard_as(role: &Role) -> &'static [&'static str] {
    match role {
        Role::Link | Role::Breadcrumb => &["link"],
        Role::Button => &["button"],
        Role::Textbox | Role::Textarea => &["textbox"],
        Role::Searchbox => &["searchbox", "textbox"],
        Role::Combobox => &["combobox"],
        Role::Listbox => &["listbox"],
        Role::Option => &["option"],
        Role::Checkbox => &["checkbox"],
        Role::Radio => &["radio"],
        Role::Switch => &["switch", "checkbox"],
        Role::Slider => &["slider"],
        Role::Spinbutton => &["spinbutton"],
        Role::Datepicker => &["date", "datetime", "textbox"],
        Role::Timepicker => &["inputtime", "textbox"],
        Role::Tab => &["tab"],
        Role::Menuitem => &["menuitem", "menuitemcheckbox", "menuitemradio"],
        Role::Treeitem => &["treeitem"],
        Role::Alert => &["alert"],
        Role::Status | Role::Toast => &["status", "alert", "log"],
        _ => &[],
    }
}
