//! What led to a decision, as it is kept.

use crate::life::{EffectKind, Grounds};
use serde_json::{Value, json};
use uiap_protocol::text::Node;
use uiap_protocol::wire::{Wire, accept};

impl Grounds {
    /// The grounds as JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "reasons": self.reasons,
            "rules": self.rules,
            "missingGrants": self.missing_grants,
            "lentGrants": self.lent_grants,
            "obligations": self.obligations,
            "confirmedBy": self.confirmed_by,
            "audit": self.audit,
            "origins": self.origins,
            "reviews": self.reviews,
            "evidence": self.evidence,
            "bundle": self.bundle,
            "effectKind": self.effect_kind.word(),
        })
    }

    /// Reads what [`Grounds::to_json`] wrote; nothing, if it is something else.
    pub fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            reasons: list(value, "reasons")?,
            rules: list(value, "rules")?,
            missing_grants: list(value, "missingGrants")?,
            lent_grants: list(value, "lentGrants")?,
            obligations: list(value, "obligations")?,
            confirmed_by: maybe(value, "confirmedBy")?,
            audit: maybe(value, "audit")?,
            origins: list(value, "origins")?,
            reviews: later(value, "reviews")?,
            evidence: later(value, "evidence")?,
            bundle: maybe(value, "bundle")?,
            effect_kind: match value.get("effectKind").and_then(Value::as_str) {
                Some("local") => EffectKind::Local,
                _ => EffectKind::SideEffect,
            },
        })
    }
}

fn list<T: Wire>(value: &Value, name: &str) -> Option<Vec<T>> {
    value.get(name)?.as_array()?.iter().map(|item| accept(&Node::from_json(item)).ok()).collect()
}

/// A list that earlier versions did not write.
fn later<T: Wire>(value: &Value, name: &str) -> Option<Vec<T>> {
    if value.get(name).is_none() { Some(Vec::new()) } else { list(value, name) }
}

#[expect(clippy::option_option, reason = "whether it is sound, and whether it is there")]
fn maybe<T: Wire>(value: &Value, name: &str) -> Option<Option<T>> {
    match value.get(name)? {
        Value::Null => Some(None),
        value => accept(&Node::from_json(value)).ok().map(Some),
    }
}
