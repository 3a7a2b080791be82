//! What an app team writes and what is built from it (UIAP Authoring/Manifest).
//!
//! [`AuthoringDocument`] is any of the eleven kinds of manifest, [`CompiledBundle`] the one thing a runtime loads;
//! [`Admission`] says which.

mod actions;
mod admission;
mod app;
mod bindings;
mod bundle;
mod content;
mod document;
mod overlay;
mod package;
mod review;

pub use actions::{ActionImplementationRef, ActionsManifest, AuthoredAction, ImplementationKind};
pub use admission::{Admission, Admitted, NotAdmitted, SPOKEN_VERSION};
pub use app::{
    AppEnvironment, AppManifest, AppPrincipalProfile, AppRoutingConfig, AppSdkConfig, RoutingMode,
};
pub use bindings::{
    BindingsManifest, ElementBinding, ElementMatcher, RouteBinding, RouteMatcher, ScopeBinding,
};
pub use bundle::CompiledBundle;
pub use content::{
    AuthoredWorkflow, CapabilitiesManifest, LocaleNamespace, LocalePackManifest, PolicySetManifest,
    ScopedPolicyDocument, WorkflowCatalogManifest, WorkflowReviewHints, WorkflowReviewLevel,
};
pub(crate) use document::shape_of;
pub use document::{
    AuthoringApiVersion, AuthoringDocument, AuthoringKind, ManifestMetadata, ManifestSource, ManifestSpec,
    ManifestStatus, OwnerRef, OwnerRole, ProvenanceRecord, ProvenanceSource, ReviewState,
};
pub use overlay::{ManifestPatch, ManifestSelector, OverlayManifest, PatchOp};
pub use package::{
    BuildContext, BuildSpec, CompatibilitySpec, DigestAlgorithm, ExtensionRange, FailOn, ImportFilter,
    LocalManifestKind, LocalManifestRef, PackageImport, PackageManifest, PublishSpec, ReleaseChannel,
    ReleaseChannelSpec, RequiredReviewState, SdkRanges,
};
pub use review::{
    AcceptanceMode, DiscoveryAcceptanceRule, DiscoveryImportManifest, DiscoveryItemKind,
    DiscoveryRejectionRule, DiscoverySource, ReviewDecision, ReviewSetManifest, ReviewTarget, ReviewVerdict,
    ReviewWaiver,
};
