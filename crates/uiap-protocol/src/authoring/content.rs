//! Capabilities, policies, workflows and texts.

use super::ManifestSelector;
use super::bindings::same_id_means_same;
use crate::capability::CapabilityDocument;
use crate::ids::Id;
use crate::policy::PolicyDocument;
use crate::text_value::LocaleMessage;
use crate::wire::{Decoder, JsonObject, Wire};
use crate::workflow::WorkflowDefinition;
use std::collections::BTreeMap;

/// A capability document.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.2-1")]
pub struct CapabilitiesManifest {
    /// The document.
    pub document: CapabilityDocument,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// Policies.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.5-1", check = PolicySetManifest::check)]
pub struct PolicySetManifest {
    /// All of them.
    pub policies: Vec<ScopedPolicyDocument>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl PolicySetManifest {
    fn check(&self, decoder: &mut Decoder<'_>) {
        same_id_means_same(self.policies.iter(), |policy| policy.id.as_str(), "policies", decoder);
    }
}

/// A policy and when it holds.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.5-1")]
pub struct ScopedPolicyDocument {
    /// Which.
    pub id: Id,
    /// When it holds.
    pub selector: Option<ManifestSelector>,
    /// The policy.
    pub document: PolicyDocument,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// Workflows.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.6-1", check = WorkflowCatalogManifest::check)]
pub struct WorkflowCatalogManifest {
    /// All of them.
    pub workflows: Vec<AuthoredWorkflow>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl WorkflowCatalogManifest {
    fn check(&self, decoder: &mut Decoder<'_>) {
        decoder.under(Some("AUT-5.6-2"), |decoder| {
            same_id_means_same(
                self.workflows.iter(),
                |item| item.definition.id.as_str(),
                "workflows",
                decoder,
            );
        });
    }
}

/// A workflow, when it is offered, and how far its review is.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.6-1")]
pub struct AuthoredWorkflow {
    /// When it is offered.
    pub selector: Option<ManifestSelector>,
    /// How far its review is.
    pub review: Option<WorkflowReviewHints>,
    /// The workflow.
    pub definition: WorkflowDefinition,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// How far the review of a workflow is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "AUT-5.6-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum WorkflowReviewLevel {
    Draft,
    Candidate,
    Approved,
}

/// What a reviewer should know about a workflow.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "AUT-5.6-1")]
pub struct WorkflowReviewHints {
    /// How far its review is.
    pub level: Option<WorkflowReviewLevel>,
    /// It does risky things.
    pub high_risk: Option<bool>,
    /// Nobody wrote it.
    pub generated_from_discovery: Option<bool>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// Texts, by namespace.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.7-1")]
pub struct LocalePackManifest {
    /// The namespaces.
    pub namespaces: BTreeMap<String, LocaleNamespace>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// Texts, by key.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.7-1")]
pub struct LocaleNamespace {
    /// The texts.
    pub messages: BTreeMap<String, LocaleMessage>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}
