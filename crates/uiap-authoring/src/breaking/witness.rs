//! What worked and does not, or does something else: as data that can be tried out.

use serde::Serialize;
use serde_json::Value;
use uiap_protocol::action::{ActionRequest, ActionTarget};
use uiap_protocol::capability::{SuccessSignal, TargetRef};
use uiap_protocol::ids::{ActionId, Id, RouteId, StableId};
use uiap_protocol::policy::{DataClass, PolicyEffect, PolicyObligation, PolicyPrincipal, RedactionMode};
use uiap_protocol::policy_test::PolicyTestFacts;
use uiap_protocol::wire::JsonObject;
use uiap_protocol::workflow::{WorkflowList, WorkflowStart};

/// Something that the old bundle answers in one way and the new one in another.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Witness {
    /// A request for an action: the payload of `action.request`.
    Request {
        /// The request.
        request: Box<ActionRequest>,
    },
    /// A target that a request names.
    Target {
        /// The target.
        target: TargetRef,
    },
    /// A page, or an element of one, that is recognised by this.
    Page {
        /// By what.
        recognised_by: Value,
    },
    /// A signal that proves success.
    Signal {
        /// Success of what.
        of: String,
        /// The signal.
        signal: Box<SuccessSignal>,
    },
    /// A question to the policies, as in the table of a policy test.
    Decision {
        /// The question.
        facts: Box<PolicyTestFacts>,
        /// The old answer.
        was: PolicyEffect,
        /// The new one.
        is: PolicyEffect,
    },
    /// A question that has the same answer with other obligations.
    Obligations {
        /// The question.
        facts: Box<PolicyTestFacts>,
        /// The old ones.
        was: Vec<PolicyObligation>,
        /// The new ones.
        is: Vec<PolicyObligation>,
    },
    /// A value that would leave.
    Redaction {
        /// The value.
        value: Box<ValueQuestion>,
        /// How it was withheld, if it was.
        was: Option<RedactionMode>,
        /// How it is.
        is: Option<RedactionMode>,
    },
    /// The start of a workflow: the payload of `uiap.workflow.start`.
    Start {
        /// The start.
        start: Box<WorkflowStart>,
    },
    /// A list of workflows: the payload of `uiap.workflow.list`.
    List {
        /// What is listed.
        list: WorkflowList,
        /// Which workflow is found there, or not.
        workflow_id: Id,
    },
    /// A run that is at this step.
    Step {
        /// Of which workflow.
        workflow_id: Id,
        /// Which step.
        step_id: Id,
        /// What the old bundle does there.
        was: Value,
        /// What the new one does.
        is: Value,
    },
    /// Something in this version.
    Version {
        /// What.
        of: String,
        /// Which version.
        version: String,
    },
    /// What the bundles say, where nothing else shows the difference.
    Values {
        /// The old one says this; null, if nothing.
        was: Value,
        /// The new one says this; null, if nothing.
        is: Value,
    },
}

/// A value that would leave, and who would get it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ValueQuestion {
    /// Who.
    pub principal: PolicyPrincipal,
    /// What data it is.
    pub data_classes: Vec<DataClass>,
    /// The element that holds it.
    pub target: Option<StableId>,
    /// Where.
    pub route: Option<RouteId>,
    /// The element is marked as sensitive.
    pub sensitive: bool,
}

impl Witness {
    pub(super) fn values(was: &impl Serialize, is: &impl Serialize) -> Self {
        Self::Values { was: json(was), is: json(is) }
    }

    pub(super) fn gone(was: &impl Serialize) -> Self {
        Self::values(was, &Value::Null)
    }

    pub(super) fn came(is: &impl Serialize) -> Self {
        Self::values(&Value::Null, is)
    }

    pub(super) fn request(action: &ActionId, target: Option<TargetRef>, args: JsonObject) -> Self {
        let target = target.map(|target| ActionTarget { r#ref: Some(target), ..ActionTarget::default() });
        Self::Request { request: Box::new(request(action, target, args)) }
    }
}

pub(super) fn request(action: &ActionId, target: Option<ActionTarget>, args: JsonObject) -> ActionRequest {
    ActionRequest {
        action_id: action.clone(),
        target,
        args: (!args.is_empty()).then_some(args),
        preferred_execution_modes: None,
        verification: None,
        presentation: None,
        timeout_ms: None,
        idempotency_key: None,
        metadata: None,
    }
}

/// A value as JSON. Nothing of the protocol fails to be written.
pub(super) fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
