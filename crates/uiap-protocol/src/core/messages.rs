//! Every message type, and what it carries.

use super::errors::ErrorPayload;
use super::session::{
    CapabilitiesChanged, CapabilitiesList, CapabilitiesListed, Ping, Pong, SessionInitialize,
    SessionInitialized, SessionSuspended, SessionTerminate, SessionTerminated,
};
use crate::action::{
    ActionAccepted, ActionCancel, ActionCancelled, ActionProgress, ActionRequest, ActionResult,
    ConfirmationAccepted, ConfirmationDeny, ConfirmationGrant, ConfirmationRequest,
};
use crate::discovery::{
    DiscoveryCancel, DiscoveryCancelled, DiscoveryPackageGet, DiscoveryPackagePayload, DiscoveryPause,
    DiscoveryPaused, DiscoveryPlan, DiscoveryPlanned, DiscoveryProgress, DiscoveryResult, DiscoveryResume,
    DiscoveryResumed, DiscoveryStart, DiscoveryStarted,
};
use crate::ids::VendorName;
use crate::policy::{
    PolicyAudit, PolicyChanged, PolicyDecided, PolicyDocuments, PolicyEvaluateInput, PolicyGet,
};
use crate::text::Node;
use crate::web::{
    StateGet, StateResync, StateSnapshot, StateSubscribe, StateSubscribed, StateUnsubscribe,
    StateUnsubscribed, WebSignal, WebStateDelta,
};
use crate::wire::{Book, Decoder, JsonObject, Shape, Wire};
use crate::workflow::{
    WorkflowControl, WorkflowDefined, WorkflowGet, WorkflowInputProvide, WorkflowInputRequest, WorkflowList,
    WorkflowListed, WorkflowProgress, WorkflowResult, WorkflowRun, WorkflowStart,
};

/// What part a message plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "CORE-44", case = "snake_case")]
pub enum MessageKind {
    /// Asks for exactly one response.
    Request,
    /// Answers a request.
    Response,
    /// Tells.
    Event,
}

/// The kinds as which a type may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKinds {
    /// Only as this.
    Only(MessageKind),
    /// Answers a request, or comes by itself.
    ResponseOrEvent,
    /// Asks for a response; without one it is tolerated (finding A18).
    RequestOrEvent,
}

impl MessageKinds {
    /// Whether a message of the type may be sent as this kind.
    pub fn allow(self, kind: MessageKind) -> bool {
        match self {
            Self::Only(only) => only == kind,
            Self::ResponseOrEvent => kind != MessageKind::Request,
            Self::RequestOrEvent => kind != MessageKind::Response,
        }
    }
}

/// A message type.
#[derive(Clone, Copy, Debug)]
pub struct MessageInfo {
    /// Its name.
    pub name: &'static str,
    /// As what it is sent.
    pub kinds: MessageKinds,
    /// What its payload looks like.
    pub shape: fn(&mut Book) -> Shape,
}

/// A message of a vendor's extension.
#[derive(Clone, Debug, PartialEq)]
pub struct VendorMessage {
    /// Its type.
    pub name: VendorName,
    /// What it carries.
    pub payload: JsonObject,
}

macro_rules! messages {
    ($($variant:ident $name:literal $kinds:expr, $payload:ty;)+) => {
        /// What a message says.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Body {
            $(#[doc = concat!("`", $name, "`")] $variant($payload),)+
            /// A message of a vendor's extension.
            Vendor(VendorMessage),
        }

        /// Every message type of the family.
        pub const MESSAGES: &[MessageInfo] = &[
            $(MessageInfo { name: $name, kinds: $kinds, shape: <$payload as Wire>::shape },)+
        ];

        impl Body {
            /// The type of the message.
            pub fn message_type(&self) -> &str {
                match self { $(Self::$variant(_) => $name,)+ Self::Vendor(message) => message.name.as_str() }
            }

            /// Decodes the payload of a known type.
            pub(super) fn decode_as<'t>(
                name: &str,
                node: &'t Node<'t>,
                decoder: &mut Decoder<'t>,
            ) -> Option<Self> {
                match name {
                    $($name => <$payload as Wire>::decode(node, decoder).map(Self::$variant),)+
                    other => {
                        let name = VendorName::new(other).ok()?;
                        let payload = JsonObject::decode(node, decoder)?;
                        Some(Self::Vendor(VendorMessage { name, payload }))
                    }
                }
            }
        }

        impl serde::Serialize for Body {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$variant(payload) => payload.serialize(serializer),)+
                    Self::Vendor(message) => message.payload.serialize(serializer),
                }
            }
        }
    };
}

const REQUEST: MessageKinds = MessageKinds::Only(MessageKind::Request);
const RESPONSE: MessageKinds = MessageKinds::Only(MessageKind::Response);
const EVENT: MessageKinds = MessageKinds::Only(MessageKind::Event);

messages! {
    Error "error" MessageKinds::ResponseOrEvent, ErrorPayload;
    SessionInitialize "session.initialize" REQUEST, SessionInitialize;
    SessionInitialized "session.initialized" RESPONSE, SessionInitialized;
    Ping "session.ping" REQUEST, Ping;
    Pong "session.pong" RESPONSE, Pong;
    SessionTerminate "session.terminate" REQUEST, SessionTerminate;
    SessionTerminated "session.terminated" MessageKinds::ResponseOrEvent, SessionTerminated;
    SessionSuspended "session.suspended" EVENT, SessionSuspended;
    CapabilitiesList "capabilities.list" REQUEST, CapabilitiesList;
    CapabilitiesListed "capabilities.listed" RESPONSE, CapabilitiesListed;
    CapabilitiesChanged "capabilities.changed" EVENT, CapabilitiesChanged;
    StateGet "web.state.get" REQUEST, StateGet;
    StateSnapshot "web.state.snapshot" MessageKinds::ResponseOrEvent, StateSnapshot;
    StateSubscribe "web.state.subscribe" REQUEST, StateSubscribe;
    StateSubscribed "web.state.subscribed" RESPONSE, StateSubscribed;
    StateUnsubscribe "web.state.unsubscribe" REQUEST, StateUnsubscribe;
    StateUnsubscribed "web.state.unsubscribed" RESPONSE, StateUnsubscribed;
    StateDelta "web.state.delta" EVENT, WebStateDelta;
    StateResync "web.state.resync" EVENT, StateResync;
    Signal "web.signal" EVENT, WebSignal;
    ActionRequest "action.request" REQUEST, ActionRequest;
    ActionAccepted "action.accepted" RESPONSE, ActionAccepted;
    ActionProgress "action.progress" EVENT, ActionProgress;
    ConfirmationRequest "action.confirmation.request" EVENT, ConfirmationRequest;
    ConfirmationGrant "action.confirmation.grant" MessageKinds::RequestOrEvent, ConfirmationGrant;
    ConfirmationDeny "action.confirmation.deny" MessageKinds::RequestOrEvent, ConfirmationDeny;
    ConfirmationAccepted "action.confirmation.accepted" RESPONSE, ConfirmationAccepted;
    ActionCancel "action.cancel" MessageKinds::RequestOrEvent, ActionCancel;
    ActionCancelled "action.cancelled" RESPONSE, ActionCancelled;
    ActionResult "action.result" EVENT, ActionResult;
    PolicyGet "uiap.policy.get" REQUEST, PolicyGet;
    PolicyDocuments "uiap.policy.document" RESPONSE, PolicyDocuments;
    PolicyEvaluate "uiap.policy.evaluate" REQUEST, PolicyEvaluateInput;
    PolicyDecided "uiap.policy.decision" RESPONSE, PolicyDecided;
    PolicyChanged "uiap.policy.changed" EVENT, PolicyChanged;
    PolicyAudit "uiap.policy.audit" EVENT, PolicyAudit;
    WorkflowList "uiap.workflow.list" REQUEST, WorkflowList;
    WorkflowListed "uiap.workflow.listed" RESPONSE, WorkflowListed;
    WorkflowGet "uiap.workflow.get" REQUEST, WorkflowGet;
    WorkflowDefined "uiap.workflow.definition" RESPONSE, WorkflowDefined;
    WorkflowStart "uiap.workflow.start" REQUEST, WorkflowStart;
    WorkflowStarted "uiap.workflow.started" RESPONSE, WorkflowRun;
    WorkflowProgress "uiap.workflow.progress" EVENT, WorkflowProgress;
    WorkflowInputRequest "uiap.workflow.input.request" EVENT, WorkflowInputRequest;
    WorkflowInputProvide "uiap.workflow.input.provide" REQUEST, WorkflowInputProvide;
    WorkflowInputAccepted "uiap.workflow.input.accepted" RESPONSE, WorkflowRun;
    WorkflowPause "uiap.workflow.pause" REQUEST, WorkflowControl;
    WorkflowPaused "uiap.workflow.paused" RESPONSE, WorkflowRun;
    WorkflowResume "uiap.workflow.resume" REQUEST, WorkflowControl;
    WorkflowResumed "uiap.workflow.resumed" RESPONSE, WorkflowRun;
    WorkflowCancel "uiap.workflow.cancel" REQUEST, WorkflowControl;
    WorkflowCancelled "uiap.workflow.cancelled" RESPONSE, WorkflowRun;
    WorkflowResult "uiap.workflow.result" EVENT, WorkflowResult;
    DiscoveryPlan "uiap.discovery.plan" REQUEST, DiscoveryPlan;
    DiscoveryPlanned "uiap.discovery.planned" RESPONSE, DiscoveryPlanned;
    DiscoveryStart "uiap.discovery.start" REQUEST, DiscoveryStart;
    DiscoveryStarted "uiap.discovery.started" RESPONSE, DiscoveryStarted;
    DiscoveryProgress "uiap.discovery.progress" EVENT, DiscoveryProgress;
    DiscoveryPause "uiap.discovery.pause" REQUEST, DiscoveryPause;
    DiscoveryPaused "uiap.discovery.paused" RESPONSE, DiscoveryPaused;
    DiscoveryResume "uiap.discovery.resume" REQUEST, DiscoveryResume;
    DiscoveryResumed "uiap.discovery.resumed" RESPONSE, DiscoveryResumed;
    DiscoveryCancel "uiap.discovery.cancel" REQUEST, DiscoveryCancel;
    DiscoveryCancelled "uiap.discovery.cancelled" RESPONSE, DiscoveryCancelled;
    DiscoveryResult "uiap.discovery.result" EVENT, DiscoveryResult;
    DiscoveryPackageGet "uiap.discovery.package.get" REQUEST, DiscoveryPackageGet;
    DiscoveryPackage "uiap.discovery.package" RESPONSE, DiscoveryPackagePayload;
}

/// The canonical name of a type: `uicp.policy.*` is an older spelling of `uiap.policy.*`.
pub(super) fn canonical(name: &str) -> std::borrow::Cow<'_, str> {
    match name.strip_prefix("uicp.policy.") {
        Some(rest) => format!("uiap.policy.{rest}").into(),
        None => name.into(),
    }
}
