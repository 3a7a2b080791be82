//! Withholds values that would leave: in graphs, deltas, signals, return values and traces.
//!
//! Start at [`Redactor`]. It decides per element by data class, stable id, route and the sensitive flag, and remembers
//! what it withheld, so that the same text is also struck out where nobody declared it: in a toast, in the answer of
//! an action, in a line of a trace.

mod rule;
mod web;
mod withheld;

pub(crate) use rule::Redaction;
pub use rule::ValueFacts;
pub use withheld::WithheldTexts;

use crate::compile::CompiledPolicy;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::borrow::Cow;
use uiap_protocol::policy::{PolicyObligation, PolicyPrincipal, RedactionMode};

/// What stands in the place of a masked text, whatever its length was.
pub const MASK: &str = "\u{2022}\u{2022}\u{2022}\u{2022}\u{2022}\u{2022}";

/// Shortest withheld text that is struck out elsewhere; shorter ones would tear holes into ordinary words.
pub const WITHHELD_CHARS_MIN: usize = 4;

/// Most withheld texts that are remembered, each also as addresses spell it; the oldest make room.
pub const WITHHELD_MAX: usize = 4_000;

/// Deepest JSON value that is looked into; what lies deeper is left out.
const JSON_DEPTH_MAX: usize = 64;

/// The key of digests that stand for values. Without it nobody can try out what a digest might stand for.
#[derive(Clone)]
pub struct DigestKey([u8; 32]);

impl DigestKey {
    /// A key from random bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    fn digest(&self, text: &str) -> String {
        // A key of any length is legal for this code; the empty digest stands for what cannot happen.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return String::new() };
        mac.update(text.as_bytes());
        let bytes = mac.finalize().into_bytes();
        let short = bytes.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
        format!("hash:{short:016x}")
    }
}

impl std::fmt::Debug for DigestKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("DigestKey(..)")
    }
}

/// Withholds what one principal may not see.
#[derive(Debug)]
pub struct Redactor<'p> {
    policy: &'p CompiledPolicy,
    principal: &'p PolicyPrincipal,
    key: DigestKey,
    withheld: WithheldTexts,
}

impl<'p> Redactor<'p> {
    /// A redactor for one principal. It lasts as long as a session, because it remembers what it withheld.
    pub fn new(policy: &'p CompiledPolicy, principal: &'p PolicyPrincipal, key: DigestKey) -> Self {
        Self::resume(policy, principal, key, WithheldTexts::default())
    }

    /// A redactor that goes on from what another one withheld from the same principal.
    pub fn resume(
        policy: &'p CompiledPolicy,
        principal: &'p PolicyPrincipal,
        key: DigestKey,
        withheld: WithheldTexts,
    ) -> Self {
        Self { policy, principal, key, withheld }
    }

    /// What it withheld, for [`Redactor::resume`].
    pub fn into_withheld(self) -> WithheldTexts {
        self.withheld
    }

    /// What it withheld so far.
    pub fn withheld(&self) -> &WithheldTexts {
        &self.withheld
    }

    /// Remembers a text that must not leave, such as what an action typed into a protected field.
    pub fn withhold(&mut self, text: &str) {
        self.withheld.insert(text);
    }

    /// A text without what was withheld.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.withheld.strike(text)
    }

    /// A return value, a payload or the detail of a trace step: without what was withheld, and without the members
    /// that the obligations of the decision name.
    pub fn json<'o>(
        &self,
        value: &mut serde_json::Value,
        obligations: impl IntoIterator<Item = &'o PolicyObligation>,
    ) {
        let members: Vec<_> = obligations.into_iter().flat_map(named_members).collect();
        self.json_below(value, &members, 0);
    }

    fn json_below(&self, value: &mut serde_json::Value, named: &[(&str, RedactionMode)], depth: usize) {
        use serde_json::Value;
        match value {
            Value::String(text) => {
                if let Cow::Owned(struck) = self.text(text) {
                    *text = struck;
                }
            }
            Value::Array(_) | Value::Object(_) if depth == JSON_DEPTH_MAX => *value = Value::Null,
            Value::Array(items) => {
                items.iter_mut().for_each(|item| self.json_below(item, named, depth + 1));
            }
            Value::Object(members) => {
                for (name, mode) in named {
                    self.withhold_member(members, name, *mode);
                }
                let struck = std::mem::take(members).into_iter().map(|(name, mut value)| {
                    self.json_below(&mut value, named, depth + 1);
                    (self.text(&name).into_owned(), value)
                });
                *members = struck.collect();
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn withhold_member(
        &self,
        members: &mut serde_json::Map<String, serde_json::Value>,
        name: &str,
        mode: RedactionMode,
    ) {
        let Some(value) = members.get_mut(name) else { return };
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match self.replacement(&text, mode) {
            Some(replacement) => *value = replacement.into(),
            None => drop(members.remove(name)),
        }
    }

    /// What stands in the place of a withheld text; nothing, where it is left out.
    fn replacement(&self, text: &str, mode: RedactionMode) -> Option<String> {
        match mode {
            RedactionMode::Mask => Some(MASK.to_owned()),
            RedactionMode::Hash => Some(self.key.digest(text)),
            RedactionMode::Omit => None,
        }
    }
}

fn named_members(obligation: &PolicyObligation) -> Vec<(&str, RedactionMode)> {
    match obligation {
        PolicyObligation::Redact { fields: Some(fields), mode, .. } => {
            let mode = mode.unwrap_or(RedactionMode::Omit);
            fields.iter().map(|field| (field.as_str(), mode)).collect()
        }
        _ => Vec::new(),
    }
}
