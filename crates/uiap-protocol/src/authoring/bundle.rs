//! What a runtime loads.

use super::{
    AppManifest, AuthoredAction, BindingsManifest, BuildContext, CompatibilitySpec, ScopedPolicyDocument,
};
use crate::capability::CapabilityDocument;
use crate::ids::{Id, ProfileId, Text};
use crate::version::PackageVersion;
use crate::wire::{JsonObject, Wire};
use crate::workflow::WorkflowDefinition;
use std::collections::BTreeMap;

/// A package, built for one context.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "UIAPCompiledBundle", requirement = "AUT-12-2")]
pub struct CompiledBundle {
    /// Which package.
    pub package_id: Id,
    /// In which version.
    pub version: PackageVersion,
    /// For which profile.
    pub profile: ProfileId,
    /// For whom and where.
    pub build_context: BuildContext,
    /// What it works with.
    pub compatibility: CompatibilitySpec,
    /// The application.
    pub app: AppManifest,
    /// What the application can do.
    pub capabilities: Option<CapabilityDocument>,
    /// Routes, areas and elements.
    pub bindings: Option<BindingsManifest>,
    /// Actions.
    pub actions: Option<Vec<AuthoredAction>>,
    /// Policies.
    pub policies: Option<Vec<ScopedPolicyDocument>>,
    /// Workflows.
    pub workflows: Option<Vec<WorkflowDefinition>>,
    /// Texts, for the language of the context.
    pub locales: Option<BTreeMap<String, String>>,
    /// The manifests it was built from.
    pub manifest_index: Option<Vec<Id>>,
    /// What it hashes to.
    pub digest: Option<Text>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}
