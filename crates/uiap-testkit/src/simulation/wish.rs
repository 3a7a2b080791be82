//! What somebody asks for.

use super::Broken;
use serde_json::{Value, json};
use uiap_protocol::action::ActionRequest;
use uiap_protocol::capability::ActionDescriptor;
use uiap_protocol::text::Node;
use uiap_protocol::wire::accept;

/// The action that the application offers and nobody has to be asked about.
pub(super) const NOTE: &str = "thing.note";
/// The action that the application offers and that leaves the house.
pub(super) const SEND: &str = "thing.send";

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// Press the harmless button of a thing.
    Press,
    /// Press the button that destroys.
    Drop,
    /// Write into the field.
    Write,
    /// Let the application make a note of a thing.
    Note,
    /// Let the application send a thing.
    Send,
}

impl What {
    /// A person must agree, by the nature of the deed.
    pub fn needs_consent(self) -> bool {
        matches!(self, Self::Drop | Self::Send)
    }

    /// Doing it twice is the same as doing it once.
    pub fn is_repeatable(self) -> bool {
        self == Self::Write
    }
}

/// How success is to be recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// As the profile says: by something that the deed plausibly caused.
    Usual,
    /// By the mark of the thing.
    Mark,
    /// By the word of the application.
    Word,
}

/// What somebody asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// What.
    pub what: What,
    /// To which thing, or to what a row shows.
    pub place: usize,
    /// The names are those of rows, not of things.
    pub by_row: bool,
    /// How success is recognised.
    pub proof: Proof,
    /// Makes it the same request as others with this key.
    pub key: Option<u64>,
    /// How long the whole may take.
    pub timeout_ms: Option<u64>,
}

impl Wish {
    /// The wish as a request.
    pub fn request(&self) -> Result<ActionRequest, Broken> {
        accept(&Node::from_json(&self.json())).map_err(Broken::from)
    }

    /// The wish as JSON.
    pub fn json(&self) -> Value {
        let place = self.place;
        let whose = if self.by_row { format!("row.{place}") } else { format!("thing.{place}") };
        let by = |part: &str| json!({"ref": {"by": "stableId", "value": format!("{whose}.{part}")}});
        let mut request = match self.what {
            What::Press => json!({"actionId": "ui.activate", "target": by("press")}),
            What::Drop => json!({"actionId": "ui.activate", "target": by("drop")}),
            What::Write => json!({
                "actionId": "ui.enterText", "target": {"ref": {"by": "stableId", "value": "field"}},
                "args": {"text": format!("note {place}"), "clear": true},
            }),
            What::Note => json!({"actionId": NOTE, "args": {"thing": place}}),
            What::Send => {
                json!({"actionId": "app.invoke", "args": {"action": SEND, "args": {"thing": place}}})
            }
        };
        let word = if self.by_row { json!({}) } else { json!({"thing": place}) };
        let signal = match self.proof {
            Proof::Usual => None,
            Proof::Mark => {
                let mark = format!("{whose}.mark");
                let target = json!({"by": "stableId", "value": mark});
                Some(json!({"kind": "element.state", "target": target, "state": {"checked": true}}))
            }
            Proof::Word => Some(json!({"kind": "custom", "name": "done", "payload": word})),
        };
        if let Some(object) = request.as_object_mut() {
            if let Some(signal) = signal.filter(|_| self.what != What::Write) {
                object.insert("verification".to_owned(), json!({"policy": "any", "signals": [signal]}));
            }
            if let Some(key) = self.key {
                object.insert("idempotencyKey".to_owned(), json!(format!("key-{key}")));
            }
            if let Some(timeout_ms) = self.timeout_ms {
                object.insert("timeoutMs".to_owned(), timeout_ms.into());
            }
        }
        request
    }
}

/// What the application offers.
pub(super) fn offers() -> Result<Vec<ActionDescriptor>, Broken> {
    let descriptor = |id: &str, level: &str| {
        accept(&Node::from_json(&json!({
            "id": id, "kind": "domain", "targetKinds": ["session"], "executionModes": ["appAction"],
            "args": [{"name": "thing", "type": "number", "required": true}],
            "idempotency": "non_idempotent", "risk": {"level": level},
        })))
        .map_err(Broken::from)
    };
    Ok(vec![descriptor(NOTE, "safe")?, descriptor(SEND, "confirm")?])
}
