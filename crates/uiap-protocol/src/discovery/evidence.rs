//! What a claim rests on.

use crate::ids::{Id, Text};
use crate::time::Timestamp;
use crate::wire::{JsonObject, Wire};

/// Where evidence comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Wire)]
#[wire(requirement = "DSC-7.1-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum EvidenceSource {
    Annotation,
    AppRegistry,
    Dom,
    Accessibility,
    VisibleText,
    Signal,
    Transition,
    Network,
    Screenshot,
    Vision,
    Documentation,
    ManualReview,
    Inferred,
}

/// A piece of evidence.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "DSC-7.2-1")]
pub struct EvidenceRef {
    /// Where it comes from.
    pub source: EvidenceSource,
    /// Where it can be looked up.
    pub ref_id: Id,
    /// For people.
    pub note: Option<String>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// How sure a claim is. Ordered: a later word is surer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Wire)]
#[wire(requirement = "DSC-7.3-1", case = "snake_case")]
pub enum Confidence {
    /// Heuristics, pictures or parts of an inference.
    Low,
    /// Several semantic indications, or one observed transition.
    Medium,
    /// The application says so, or it was observed repeatedly.
    High,
}

/// Evidence that is kept.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct EvidenceIndex {
    /// All of it.
    pub records: Vec<EvidenceRecord>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// What a piece of evidence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(case = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum EvidenceKind {
    PageGraph,
    AxTree,
    Screenshot,
    DomFragment,
    SignalLog,
    Network,
    Document,
    Note,
}

/// A piece of evidence that is kept.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct EvidenceRecord {
    /// Under what id.
    pub ref_id: Id,
    /// Where it comes from.
    pub source: EvidenceSource,
    /// What it is.
    pub kind: Option<EvidenceKind>,
    /// When it was made.
    pub at: Timestamp,
    /// In which state.
    pub state_id: Option<Id>,
    /// On which transition.
    pub transition_id: Option<Id>,
    /// Where it is kept.
    pub uri: Option<Text>,
    /// What it must hash to.
    pub digest: Option<Text>,
    /// The evidence itself.
    pub data: Option<JsonObject>,
    /// Something was withheld.
    pub redacted: Option<bool>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}
