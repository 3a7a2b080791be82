//! What an implementation claims, and what a test of it found (UIAP Conformance Suite).

use crate::core::ExtensionOffer;
use crate::ids::{Id, ProfileId, Text, constant};
use crate::time::Timestamp;
use crate::wire::{JsonObject, Wire};
use std::collections::BTreeMap;

constant! {
    /// The version of the suite.
    SuiteVersion, "0.1", Some("CNF-6")
}

/// A part that an implementation can play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Wire)]
#[wire(requirement = "CNF-16", case = "PascalCase")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum ConformanceRole {
    CoreEndpoint,
    CapabilityProvider,
    WebPublisher,
    WebConsumer,
    WebBridge,
    RuntimeExecutor,
    RuntimeController,
    RuntimePresenter,
    PolicyEnforcer,
    #[wire(word = "SDKHost")]
    SdkHost,
    WorkflowEngine,
    DiscoveryMapper,
    AuthoringBuilder,
}

/// What is tested.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "CNF-2")]
pub struct ImplementationInfo {
    /// Its name.
    pub name: Text,
    /// Its version.
    pub version: Text,
    /// Who makes it.
    pub vendor: Option<String>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// What an implementation claims.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "CNF-2")]
pub struct ConformanceClaim {
    /// Always `0.1`.
    pub suite_version: SuiteVersion,
    /// Who claims.
    pub implementation: ImplementationInfo,
    /// What parts it plays.
    pub roles: Vec<ConformanceRole>,
    /// What profiles it speaks.
    pub profiles: Option<Vec<ProfileId>>,
    /// What extensions it speaks.
    pub extensions: Option<Vec<ExtensionOffer>>,
    /// What bindings it speaks.
    pub bindings: Option<Vec<ProfileId>>,
    /// What composites it is.
    pub composite: Option<Vec<Text>>,
    /// What optional things it does.
    pub optional: Option<Vec<Text>>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// How much a case matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(name = "ConformanceLevel", requirement = "CNF-3", case = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum Level {
    Required,
    Recommended,
    Optional,
}

/// Whether a case shows that something works, or that something is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "CNF-12", case = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum Polarity {
    Positive,
    Negative,
}

/// One test.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "CNF-3")]
pub struct TestCase {
    /// Which.
    pub id: Id,
    /// Of which module.
    pub module: Id,
    /// For which part.
    pub role: ConformanceRole,
    /// What it proves.
    pub requirement_ids: Vec<Id>,
    /// How much it matters.
    pub level: Level,
    /// What it shows.
    pub polarity: Polarity,
    /// On what.
    pub fixture: Text,
    /// What is done.
    pub steps: Vec<JsonObject>,
    /// What is expected.
    pub expect: Vec<JsonObject>,
    /// How long it may take.
    pub timeout_ms: Option<u64>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "CNF-6", case = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum Verdict {
    Pass,
    Fail,
    Skip,
    NotApplicable,
    Inconclusive,
}

/// How one test ended.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "ConformanceResult", requirement = "CNF-6")]
pub struct CaseResult {
    /// Which.
    pub case_id: Id,
    /// How.
    pub verdict: Verdict,
    /// What shows it.
    pub evidence: Option<JsonObject>,
    /// For people.
    pub message: Option<String>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// Whether a claim about a part holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "CNF-6")]
pub enum RoleVerdict {
    /// It does.
    #[wire(word = "conformant")]
    Conformant,
    /// It does not.
    #[wire(word = "non-conformant")]
    NonConformant,
    /// Nobody knows.
    #[wire(word = "not_tested")]
    NotTested,
}

/// What a test of an implementation found.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "CNF-6")]
pub struct ConformanceReport {
    /// Always `0.1`.
    pub suite_version: SuiteVersion,
    /// What was claimed.
    pub claim: ConformanceClaim,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Timestamp,
    /// How each test ended.
    pub results: Vec<CaseResult>,
    /// Whether the claims hold.
    pub role_verdicts: BTreeMap<String, RoleVerdict>,
    /// What the report hashes to.
    pub digest: Option<Text>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}
