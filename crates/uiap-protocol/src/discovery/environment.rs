//! Where exploring happens, and within what bounds.

use crate::finding::Code;
use crate::ids::{Id, Locale, Text};
use crate::policy::Grant;
use crate::text::{Node, Value};
use crate::wire::{Book, Decoder, JsonObject, Number, Shape, Wire};
use serde::Serialize;
use std::collections::BTreeMap;

/// How somebody gets logged in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "DSC-8-1", case = "snake_case")]
pub enum AuthMode {
    /// A person does it.
    Manual,
    /// With prepared credentials.
    Seeded,
    /// They already are.
    SessionReuse,
}

/// The size of a window.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "DSC-8-1")]
pub struct ViewportSize {
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// The value of a feature flag.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum FlagValue {
    /// On or off.
    Boolean(bool),
    /// A variant.
    Text(String),
    /// A number.
    Number(Number),
}

impl Wire for FlagValue {
    fn shape(_: &mut Book) -> Shape {
        Shape::Either(vec![Shape::Boolean, Shape::text(), Shape::Number])
    }

    fn decode<'t>(node: &'t Node<'t>, decoder: &mut Decoder<'t>) -> Option<Self> {
        match &node.value {
            Value::Boolean(flag) => Some(Self::Boolean(*flag)),
            Value::Text(text) => Some(Self::Text(text.to_string())),
            Value::Integer(_) | Value::Float(_) => Number::decode(node, decoder).map(Self::Number),
            _ => {
                let message = format!("Expected a boolean, a text or a number, found {}.", node.what());
                decoder.error(Code::WrongType, message);
                None
            }
        }
    }
}

/// Where exploring happens.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "DSC-8-1")]
pub struct DiscoveryEnvironment {
    /// Which.
    pub environment_id: Id,
    /// Where the application is.
    pub base_url: Text,
    /// In what language.
    pub locale: Option<Locale>,
    /// In what window.
    pub viewport: Option<ViewportSize>,
    /// How somebody gets logged in.
    pub auth_mode: Option<AuthMode>,
    /// Who explores.
    pub principal_profiles: Option<Vec<DiscoveryPrincipalProfile>>,
    /// With what switched on.
    pub feature_flags: Option<BTreeMap<String, FlagValue>>,
    /// How much.
    pub budgets: Option<DiscoveryBudget>,
    /// How carefully.
    pub safety: Option<DiscoverySafetyPolicy>,
    /// What only the mapper understands.
    pub metadata: Option<JsonObject>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// Who explores.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "DSC-8-1")]
pub struct DiscoveryPrincipalProfile {
    /// Which.
    pub id: Id,
    /// In what roles.
    pub roles: Option<Vec<String>>,
    /// With what rights.
    pub grants: Option<Vec<Grant>>,
    /// For people.
    pub description: Option<String>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// How much is explored at most.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "DSC-8-1")]
pub struct DiscoveryBudget {
    /// States.
    pub max_states: Option<u64>,
    /// Transitions.
    pub max_transitions: Option<u64>,
    /// Steps from a seed.
    pub max_depth: Option<u64>,
    /// Time.
    pub max_runtime_ms: Option<u64>,
    /// States of one route.
    pub max_per_route: Option<u64>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// How careful exploring is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "DSC-8-1", case = "snake_case")]
pub enum SafetyMode {
    /// Looks only.
    ObserveOnly,
    /// Does what can be taken back and reaches nobody.
    SafeExplore,
    /// Writes, in an environment made for it.
    SandboxWrite,
}

/// What exploring may do.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "DSC-8-1")]
pub struct DiscoverySafetyPolicy {
    /// How careful.
    pub default_mode: SafetyMode,
    /// Something may leave the application.
    pub allow_external_effects: Option<bool>,
    /// Something may be destroyed.
    pub allow_destructive_actions: Option<bool>,
    /// A prepared login may be walked through.
    pub allow_auth_flows: Option<bool>,
    /// Something may be paid.
    pub allow_payment_flows: Option<bool>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}
