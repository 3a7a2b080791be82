//! What people decided about content, and what was taken over from discovery.

use crate::finding::Code;
use crate::ids::{Id, JsonPointer, RunId, Text};
use crate::time::Timestamp;
use crate::wire::{Decoder, JsonObject, Wire};

/// Decisions about content.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.9-1")]
pub struct ReviewSetManifest {
    /// What was decided.
    pub decisions: Vec<ReviewDecision>,
    /// What is let through for now.
    pub waivers: Option<Vec<ReviewWaiver>>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// What a decision is about.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.9-1")]
pub struct ReviewTarget {
    /// Which manifest.
    pub manifest_id: Id,
    /// Which part of it.
    pub path: Option<JsonPointer>,
    /// Which item of it.
    pub item_id: Option<Id>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// What was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(name = "ReviewDecisionState", requirement = "AUT-5.9-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum ReviewVerdict {
    Approved,
    Rejected,
    NeedsReview,
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.9-1")]
pub struct ReviewDecision {
    /// About what.
    pub target: ReviewTarget,
    /// What.
    pub state: ReviewVerdict,
    /// By whom.
    pub by: Text,
    /// When.
    pub at: Timestamp,
    /// Why.
    pub comment: Option<String>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// Something that is let through for now.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.9-1", check = ReviewWaiver::check)]
pub struct ReviewWaiver {
    /// What.
    pub target: ReviewTarget,
    /// Why.
    pub reason: Text,
    /// By whom.
    pub by: Text,
    /// When.
    pub at: Timestamp,
    /// Until when.
    pub expires_at: Option<Timestamp>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl ReviewWaiver {
    fn check(&self, decoder: &mut Decoder<'_>) {
        if self.expires_at.as_ref().is_some_and(|end| end.millis() <= self.at.millis()) {
            let message = "The waiver ends before it begins.";
            decoder.at("expiresAt", |decoder| {
                decoder.warning(Code::Inconsistent, message, "Give it a later end, or remove it.");
            });
        }
    }
}

/// What is taken over from discovery.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.10-1")]
pub struct DiscoveryImportManifest {
    /// From where.
    pub source: DiscoverySource,
    /// What.
    pub accept: Vec<DiscoveryAcceptanceRule>,
    /// What not.
    pub reject: Option<Vec<DiscoveryRejectionRule>>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// Where discovered content comes from.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "AUT-5.10-1")]
pub struct DiscoverySource {
    /// From which run.
    pub run_id: Option<RunId>,
    /// From which file or package.
    pub r#ref: Option<Text>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// What kind of thing was discovered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "AUT-5.10-1", case = "camelCase")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum DiscoveryItemKind {
    Route,
    Scope,
    Element,
    Action,
    WorkflowCandidate,
    ReviewItem,
}

/// How discovered content is taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "AUT-5.10-1", case = "snake_case")]
pub enum AcceptanceMode {
    /// As generated content.
    Copy,
    /// As content of its own.
    Promote,
    /// As evidence only.
    Link,
}

/// What is taken over.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.10-1", check = DiscoveryAcceptanceRule::check)]
pub struct DiscoveryAcceptanceRule {
    /// Of what kind.
    pub kind: DiscoveryItemKind,
    /// Which; all of the kind if absent.
    pub ids: Option<Vec<Text>>,
    /// Where to.
    pub target_manifest_id: Id,
    /// How.
    pub mode: Option<AcceptanceMode>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl DiscoveryAcceptanceRule {
    fn check(&self, decoder: &mut Decoder<'_>) {
        if self.ids.is_none() {
            let message = format!("Every {} of the run is taken over.", self.kind);
            let help = "Name what was looked at in \"ids\".";
            decoder.under(Some("AUT-5.10-3"), |decoder| decoder.warning(Code::Inconsistent, message, help));
        }
    }
}

/// What is not taken over.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.10-1")]
pub struct DiscoveryRejectionRule {
    /// Of what kind.
    pub kind: DiscoveryItemKind,
    /// Which; all of the kind if absent.
    pub ids: Option<Vec<Text>>,
    /// Why.
    pub reason: Option<String>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}
