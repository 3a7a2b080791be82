//! How messages travel (HTTP and WebSocket bindings): what a client of `http@0.1` must know.

use crate::ids::Text;
use crate::wire::{JsonObject, Number, Wire};

/// How events of the server reach the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "BND-10", case = "snake_case")]
pub enum EventDelivery {
    /// As server-sent events.
    Sse,
}

/// When a link that broke is opened again.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "BND-11")]
pub struct ReconnectPolicy {
    /// Whether it is opened again at all.
    pub enabled: Option<bool>,
    /// Before the second attempt.
    pub initial_delay_ms: Option<u64>,
    /// However many there were.
    pub max_delay_ms: Option<u64>,
    /// How much longer each wait is than the one before.
    pub factor: Option<Number>,
    /// Share of each delay that is left to chance.
    pub jitter: Option<Number>,
    /// Then it is given up.
    pub max_attempts: Option<u64>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// Where a deployment of `http@0.1` takes messages.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "HTTPBindingConfig", requirement = "BND-6")]
pub struct HttpBindingConfig {
    /// What stands before every path, such as `https://example.org`.
    pub base_url: Text,
    /// Where sessions are created; `/uiap/sessions` unless said otherwise.
    #[wire(requirement = "BND-7")]
    pub session_path: Option<Text>,
    /// Where messages of a session go; `/uiap/sessions/{sessionId}/messages` unless said otherwise.
    #[wire(requirement = "BND-8")]
    pub message_path_template: Option<Text>,
    /// Where events of a session come from; `/uiap/sessions/{sessionId}/events` unless said otherwise.
    #[wire(requirement = "BND-9")]
    pub event_stream_path_template: Option<Text>,
    /// Always `sse`.
    pub event_delivery: Option<EventDelivery>,
    /// When a broken link is opened again.
    pub reconnect: Option<ReconnectPolicy>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}
