//! What every claim rests on, and where it can be looked up.

use super::survey::{Step, Survey};
use super::words::{id, object};
use crate::atlas::Passage;
use crate::confidence::confidence;
use crate::naming::id_of;
use crate::place::without_data;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use uiap_protocol::discovery::{
    Confidence, EvidenceIndex, EvidenceKind, EvidenceRecord, EvidenceRef, EvidenceSource,
};
use uiap_protocol::ids::Id;
use uiap_protocol::wire::JsonObject;

/// Most pieces of evidence of one source for one claim. More of the same make nothing surer.
const PER_SOURCE_MAX: usize = 8;

/// The evidence for one claim.
#[derive(Clone, Debug, Default)]
pub(super) struct Backing {
    pieces: BTreeMap<(u8, Id), (EvidenceSource, Option<String>)>,
}

impl Backing {
    pub(super) fn add(&mut self, source: EvidenceSource, ref_id: Id) {
        self.pieces.entry((rank(source), ref_id)).or_insert((source, None));
    }

    pub(super) fn note(&mut self, source: EvidenceSource, ref_id: Id, note: impl Into<String>) {
        self.pieces.insert((rank(source), ref_id), (source, Some(note.into())));
    }

    pub(super) fn has(&self, source: EvidenceSource) -> bool {
        self.pieces.keys().any(|(own, _)| *own == rank(source))
    }

    /// The evidence in the order of extraction, and how sure it makes a claim.
    pub(super) fn done(&self) -> (Vec<EvidenceRef>, Confidence) {
        let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
        let mut kept = Vec::new();
        for ((rank, ref_id), (source, note)) in &self.pieces {
            let count = counts.entry(*rank).or_default();
            *count += 1;
            if *count <= PER_SOURCE_MAX {
                kept.push(EvidenceRef {
                    source: *source,
                    ref_id: ref_id.clone(),
                    note: note.clone(),
                    extra: JsonObject::default(),
                });
            }
        }
        let sure = confidence(&kept);
        (kept, sure)
    }
}

/// The order of extraction (DSC 11.4); what was observed stands behind what was read, and what is merely seen comes last.
fn rank(source: EvidenceSource) -> u8 {
    use EvidenceSource as Source;
    match source {
        Source::Annotation => 0,
        Source::AppRegistry => 1,
        Source::Dom => 2,
        Source::VisibleText => 3,
        Source::Accessibility => 4,
        Source::Transition => 5,
        Source::Signal => 6,
        Source::Network => 7,
        Source::Documentation => 8,
        Source::ManualReview => 9,
        Source::Inferred => 10,
        Source::Screenshot => 11,
        Source::Vision => 12,
    }
}

/// What a piece of evidence is called that a review item shows.
pub(super) fn piece(source: EvidenceSource, ref_id: Id) -> EvidenceRef {
    EvidenceRef { source, ref_id, note: None, extra: JsonObject::default() }
}

/// The log of what was observed on a transition.
pub(super) fn signals_of(step: &Step<'_>) -> Id {
    id(&id_of("sig", &[step.id.as_str()]))
}

/// A request of a transition, or of a state.
pub(super) fn request_of(home: &str, passage: &Passage) -> Id {
    id(&id_of("net", &[home, &passage.method, &without_data(&passage.url)]))
}

/// Everything that claims refer to and that is not an item of a catalog itself.
pub(super) fn index(survey: &Survey<'_>) -> EvidenceIndex {
    let mut records: BTreeMap<Id, EvidenceRecord> = BTreeMap::new();
    for record in &survey.record.evidence {
        records.entry(record.ref_id.clone()).or_insert_with(|| record.clone());
    }
    for made in survey.steps.iter().flat_map(|step| of_step(survey, step)).chain(of_states(survey)) {
        records.entry(made.ref_id.clone()).or_insert(made);
    }
    EvidenceIndex { records: records.into_values().collect(), extra: JsonObject::default() }
}

fn of_step(survey: &Survey<'_>, step: &Step<'_>) -> Vec<EvidenceRecord> {
    let is_edge = step.to.is_some();
    let place = |mut record: EvidenceRecord| {
        record.state_id = Some(id(&step.from.id));
        record.transition_id = is_edge.then(|| step.id.clone());
        record
    };
    let mut made = Vec::new();
    let signals = step.signals();
    if !signals.is_empty() {
        let data = object([("signals", json!(signals))]);
        let log = record(survey, signals_of(step), EvidenceSource::Signal, EvidenceKind::SignalLog, data);
        made.push(place(log));
    }
    for passage in step.held() {
        made.push(place(request(survey, step.id.as_str(), passage)));
    }
    if !is_edge {
        let data = object([
            ("fromStateId", json!(step.from.id)),
            ("viaActionId", json!(step.choice.action)),
            ("target", json!(step.target())),
            ("trouble", json!(step.trouble())),
        ]);
        made.push(place(record(
            survey,
            step.id.clone(),
            EvidenceSource::Transition,
            EvidenceKind::Note,
            data,
        )));
    }
    made
}

/// Requests that nobody asked for.
fn of_states<'s>(survey: &'s Survey<'_>) -> impl Iterator<Item = EvidenceRecord> + 's {
    survey.record.loose.iter().map(|loose| {
        let home = loose.state.as_ref().map_or("", Id::as_str);
        let mut record = request(survey, home, &loose.passage);
        record.state_id.clone_from(&loose.state);
        record
    })
}

fn request(survey: &Survey<'_>, home: &str, passage: &Passage) -> EvidenceRecord {
    let data = object([
        ("method", json!(passage.method)),
        ("url", json!(without_data(&passage.url))),
        ("held", json!(passage.held)),
    ]);
    let ref_id = request_of(home, passage);
    record(survey, ref_id, EvidenceSource::Network, EvidenceKind::Network, data)
}

fn record(
    survey: &Survey<'_>,
    ref_id: Id,
    source: EvidenceSource,
    kind: EvidenceKind,
    data: JsonObject,
) -> EvidenceRecord {
    EvidenceRecord {
        ref_id,
        source,
        kind: Some(kind),
        at: survey.record.run.started_at.clone(),
        state_id: None,
        transition_id: None,
        uri: None,
        digest: None,
        data: Some(data),
        redacted: Some(true),
        extra: JsonObject::default(),
    }
}

/// A value that is written, whatever it is.
pub(super) fn value(of: impl serde::Serialize) -> Value {
    serde_json::to_value(of).unwrap_or(Value::Null)
}
