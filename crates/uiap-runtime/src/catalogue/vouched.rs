//! Who stands behind what a bundle says: review decisions and evidence, which an item carries in its metadata.

use serde_json::Value;
use std::fmt::{Display, Write as _};
use uiap_protocol::authoring::{ProvenanceRecord, ReviewDecision};
use uiap_protocol::text::Node;
use uiap_protocol::wire::{JsonObject, Wire, accept};

/// The member of the metadata that holds review decisions.
pub const REVIEWS_MEMBER: &str = "reviews";
/// The member of the metadata that says where content comes from.
pub const PROVENANCE_MEMBER: &str = "provenance";
/// Most entries of one item that are told; the last ones are the newest.
const TOLD_MAX: usize = 16;

/// Who stands behind some items of a bundle, in sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vouched {
    /// What was decided about them.
    pub reviews: Vec<String>,
    /// Where they come from.
    pub evidence: Vec<String>,
}

impl Vouched {
    /// Adds what stands behind one more item.
    pub(crate) fn add(&mut self, place: &impl Display, metadata: Option<&JsonObject>) {
        let listed = |member: &str| metadata.and_then(|metadata| metadata.get(member)?.as_array());
        if let Some(entries) = listed(REVIEWS_MEMBER) {
            tell(&mut self.reviews, place, entries, decided);
        }
        if let Some(entries) = listed(PROVENANCE_MEMBER) {
            tell(&mut self.evidence, place, entries, came);
        }
    }
}

fn tell<T: Wire>(told: &mut Vec<String>, place: &impl Display, entries: &[Value], say: fn(&T) -> String) {
    let left_out = entries.len().saturating_sub(TOLD_MAX);
    if left_out > 0 {
        told.push(format!("{place}: {left_out} earlier ones are not told"));
    }
    for entry in entries.iter().skip(left_out) {
        let said = match accept::<T>(&Node::from_json(entry)) {
            Ok(entry) => say(&entry),
            // Left out it would look as if there were none.
            Err(_) => "something that cannot be read".to_owned(),
        };
        let line = format!("{place}: {said}");
        if !told.contains(&line) {
            told.push(line);
        }
    }
}

fn decided(review: &ReviewDecision) -> String {
    let ReviewDecision { target, state, by, at, comment, .. } = review;
    let mut text = format!("{state} by {by} at {at} as {}", target.manifest_id);
    if let Some(item) = &target.item_id {
        let _ = write!(text, " {item}");
    }
    if let Some(path) = &target.path {
        let _ = write!(text, " {path}");
    }
    said_why(text, comment.as_deref())
}

fn came(record: &ProvenanceRecord) -> String {
    let ProvenanceRecord { source, r#ref, note, at, .. } = record;
    let mut text = source.to_string();
    if let Some(exactly) = r#ref {
        let _ = write!(text, " {exactly}");
    }
    if let Some(at) = at {
        let _ = write!(text, " at {at}");
    }
    said_why(text, note.as_deref())
}

fn said_why(text: String, why: Option<&str>) -> String {
    match why {
        Some(why) => format!("{text}: {why}"),
        None => text,
    }
}
