//! Processes of several steps (UIAP Workflow Extension).
//!
//! [`WorkflowDefinition`] is the whole; what can be wrong with one beyond its shape is in `check.rs`.

mod check;

use crate::action::{ActionTarget, PresentationHints, RuntimeErrorCode, VerificationSpec};
use crate::capability::{SuccessSignal, TargetRef, UiState};
use crate::ids::{ActionId, Id, RouteId, Text};
use crate::policy::{DataClass, DemandedVerification, Grant};
use crate::text_value::AuthoredText;
use crate::version::PackageVersion;
use crate::wire::{JsonObject, Wire};

pub use crate::capability::ArgType as ParameterType;

/// What a workflow is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "WF-21", case = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum WorkflowCategory {
    Onboarding,
    Setup,
    Task,
    Support,
    Recovery,
    Training,
    Custom,
}

/// Who starts a workflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "WF-22", case = "snake_case")]
pub enum WorkflowStartMode {
    /// It is offered.
    Suggested,
    /// A person.
    Manual,
    /// Its entry conditions.
    Automatic,
    /// An agent.
    Agent,
}

/// How much the agent does itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "WF-23", case = "snake_case")]
pub enum WorkflowInteractionMode {
    /// It explains.
    Guide,
    /// It helps.
    Assist,
    /// It does everything that may be done.
    Auto,
}

/// Who supplies a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(case = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum ParameterSource {
    User,
    Context,
    Agent,
}

/// Something a workflow needs to know.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "WF-27", check = check::parameter)]
pub struct WorkflowParameter {
    /// Its name.
    pub name: Text,
    /// Its type.
    pub r#type: ParameterType,
    /// It must be given.
    pub required: Option<bool>,
    /// The values of an `enum` parameter.
    pub r#enum: Option<Vec<String>>,
    /// What it is for.
    pub description: Option<AuthoredText>,
    /// What holds where nothing is given.
    pub default: Option<serde_json::Value>,
    /// What data it is.
    pub data_class: Option<DataClass>,
    /// Who supplies it.
    pub source: Option<ParameterSource>,
    /// What it must look like.
    pub pattern: Option<String>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// How a parameter is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(case = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum ParameterOperator {
    Set,
    Unset,
    Eq,
    Neq,
    In,
}

/// Something that holds or does not.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "WF-29", tag = "kind", case = "snake_case")]
pub enum WorkflowCondition {
    /// A signal was observed.
    Signal {
        /// Which.
        signal: SuccessSignal,
    },
    /// The application is on a route.
    Route {
        /// By name.
        route_id: Option<RouteId>,
        /// By path pattern.
        pattern: Option<Text>,
    },
    /// An element is there, or has a state.
    Element {
        /// Which.
        target: TargetRef,
        /// In what state.
        state: Option<UiState>,
        /// Whether it is there.
        present: Option<bool>,
    },
    /// A parameter has a value.
    Parameter {
        /// Which.
        name: Text,
        /// How it is compared.
        op: ParameterOperator,
        /// With what.
        value: Option<serde_json::Value>,
    },
    /// A right was granted.
    Grant {
        /// Which.
        grant: Grant,
    },
    /// The person has a role.
    Role {
        /// Which.
        role: Text,
    },
    /// An action is offered.
    Capability {
        /// Which.
        action_id: ActionId,
    },
    /// All of these hold.
    All {
        /// Which.
        conditions: Vec<WorkflowCondition>,
    },
    /// One of these holds.
    Any {
        /// Which.
        conditions: Vec<WorkflowCondition>,
    },
    /// This does not hold.
    Not {
        /// What.
        condition: Box<WorkflowCondition>,
    },
}

/// What is done after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(case = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum RecoveryMeasure {
    Retry,
    Goto,
    Handoff,
    Abort,
}

/// What is done after a failure, and after which.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct RecoveryRule {
    /// After these.
    pub on: Vec<RuntimeErrorCode>,
    /// This.
    pub r#do: RecoveryMeasure,
    /// Where to go.
    pub step_id: Option<Id>,
    /// How often at most.
    pub max: Option<u32>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// A process of several steps.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "WF-9", check = check::workflow)]
pub struct WorkflowDefinition {
    /// Which.
    pub id: Id,
    /// Which state of it.
    pub version: PackageVersion,
    /// Its name for people.
    pub title: AuthoredText,
    /// What it is for.
    pub category: WorkflowCategory,
    /// Who starts it.
    pub start_mode: WorkflowStartMode,
    /// How much the agent may do itself.
    pub interaction_modes: Vec<WorkflowInteractionMode>,
    /// Where it starts.
    pub initial_step_id: Id,
    /// Its steps.
    pub steps: Vec<WorkflowStep>,
    /// What it does.
    pub description: Option<AuthoredText>,
    /// What it needs to know.
    pub parameters: Option<Vec<WorkflowParameter>>,
    /// When it can start.
    pub entry_conditions: Option<Vec<WorkflowCondition>>,
    /// How its success is recognised.
    pub success_signals: Option<Vec<SuccessSignal>>,
    /// What rights it needs.
    pub required_grants: Option<Vec<Grant>>,
    /// Where it plays.
    pub routes: Option<Vec<RouteId>>,
    /// What is done after failures.
    pub recovery: Option<Vec<RecoveryRule>>,
    /// How long it may take.
    pub timeout_ms: Option<u64>,
    /// What only the application understands.
    pub metadata: Option<JsonObject>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "WF-25")]
pub struct WorkflowStep {
    /// Which.
    pub id: Id,
    /// Its name for people.
    pub title: Option<AuthoredText>,
    /// What is said.
    pub text: Option<AuthoredText>,
    /// When it is taken.
    pub when: Option<Vec<WorkflowCondition>>,
    /// Where to go after a failure.
    pub on_error: Option<Id>,
    /// What it does.
    #[wire(flatten)]
    pub body: StepBody,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// How often a step is tried again.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct RetrySpec {
    /// How often at most.
    pub max: u32,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// One way out of a branch.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct BranchCase {
    /// When.
    pub when: Vec<WorkflowCondition>,
    /// Where to.
    pub next: Id,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// How a workflow ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(name = "WorkflowOutcome", case = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum Outcome {
    Success,
    Aborted,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(tag = "type", requirement = "WF-26", case = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "steps are few and live in one list")]
pub enum StepBody {
    /// Says something.
    Instruction {
        /// What comes next.
        next: Id,
        /// How it is shown.
        presentation: Option<PresentationHints>,
    },
    /// Asks for parameters.
    Collect {
        /// Which.
        parameters: Vec<Text>,
        /// What comes next.
        next: Id,
    },
    /// Does something.
    Action {
        /// What.
        action_id: ActionId,
        /// To what.
        target: Option<ActionTarget>,
        /// With what; `{"$param": "title"}` stands for a parameter.
        args: Option<JsonObject>,
        /// How success is recognised.
        verification: Option<VerificationSpec>,
        /// How often it is tried again.
        retry: Option<RetrySpec>,
        /// What comes next.
        next: Id,
    },
    /// Waits until something holds.
    Ensure {
        /// Signals.
        signals: Option<Vec<SuccessSignal>>,
        /// Conditions.
        conditions: Option<Vec<WorkflowCondition>>,
        /// How many of them.
        policy: Option<DemandedVerification>,
        /// How long.
        timeout_ms: Option<u64>,
        /// What comes next.
        next: Id,
        /// What comes next if it does not hold.
        otherwise: Option<Id>,
    },
    /// Chooses.
    Branch {
        /// The first case that holds is taken.
        cases: Vec<BranchCase>,
        /// Where to if none holds.
        otherwise: Id,
    },
    /// Lets a person do something.
    Handoff {
        /// Why.
        reason: Option<AuthoredText>,
        /// When it goes on.
        resume_when: Option<Vec<WorkflowCondition>>,
        /// What comes next.
        next: Id,
    },
    /// Ends.
    Complete {
        /// How.
        outcome: Option<Outcome>,
    },
}

/// Where a run of a workflow is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(case = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum WorkflowRunStatus {
    Created,
    Running,
    WaitingForInput,
    WaitingForConfirmation,
    WaitingForUser,
    Paused,
    Completed,
    Failed,
    Cancelled,
}

/// `uiap.workflow.list`: what can be done?
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(name = "WorkflowListPayload")]
pub struct WorkflowList {
    /// On this route.
    pub route_id: Option<RouteId>,
    /// For this purpose.
    pub category: Option<WorkflowCategory>,
}

/// A workflow in a list.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct WorkflowSummary {
    /// Which.
    pub id: Id,
    /// Which state of it.
    pub version: PackageVersion,
    /// Its name for people.
    pub title: AuthoredText,
    /// What it is for.
    pub category: WorkflowCategory,
}

/// `uiap.workflow.listed`: this.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "WorkflowListedPayload")]
pub struct WorkflowListed {
    /// The workflows.
    pub workflows: Vec<WorkflowSummary>,
}

/// `uiap.workflow.get`: how does it go?
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "WorkflowGetPayload")]
pub struct WorkflowGet {
    /// Which.
    pub workflow_id: Id,
}

/// `uiap.workflow.definition`: like this.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "WorkflowDefinitionPayload")]
pub struct WorkflowDefined {
    /// The workflow.
    pub definition: WorkflowDefinition,
}

/// `uiap.workflow.start`: begin.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "WorkflowStartPayload")]
pub struct WorkflowStart {
    /// Which.
    pub workflow_id: Id,
    /// How much the agent does itself.
    pub mode: Option<WorkflowInteractionMode>,
    /// What is known.
    pub parameters: Option<JsonObject>,
}

/// The answer to a message about a run: `.started`, `.paused`, `.resumed`, `.cancelled`, `.input.accepted`.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "WorkflowRunPayload")]
pub struct WorkflowRun {
    /// Which run.
    pub run_id: Id,
    /// Where it is.
    pub status: WorkflowRunStatus,
}

/// A message about a run: `.pause`, `.resume`, `.cancel`.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "WorkflowControlPayload")]
pub struct WorkflowControl {
    /// Which run.
    pub run_id: Id,
    /// Why.
    pub reason: Option<String>,
}

/// `uiap.workflow.progress`: where a run is.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "WorkflowProgressPayload")]
pub struct WorkflowProgress {
    /// Which run.
    pub run_id: Id,
    /// Where it is.
    pub status: WorkflowRunStatus,
    /// At which step.
    pub step_id: Option<Id>,
    /// For people.
    pub note: Option<String>,
}

/// `uiap.workflow.input.request`: something must be known.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "WorkflowInputRequestPayload")]
pub struct WorkflowInputRequest {
    /// Which run.
    pub run_id: Id,
    /// At which step.
    pub step_id: Id,
    /// What.
    pub parameters: Vec<WorkflowParameter>,
}

/// `uiap.workflow.input.provide`: here it is.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "WorkflowInputProvidePayload")]
pub struct WorkflowInputProvide {
    /// Which run.
    pub run_id: Id,
    /// What.
    pub parameters: JsonObject,
}

/// `uiap.workflow.result`: how a run ended.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "WorkflowResultPayload")]
pub struct WorkflowResult {
    /// Which run.
    pub run_id: Id,
    /// How it ended.
    pub status: WorkflowRunStatus,
    /// Why it failed.
    pub message: Option<String>,
}
