//! Cases under `spec/cases/documents`: a sound document, and changes that make it unsound.
//!
//! Adding a case is adding a file. Its members: `about`, `proves`, `kind` (as for `uiap check --as`), optionally
//! `type` (a named type of that kind, for fragments), `document`, and `refused`: a list of `what`, `change` (steps
//! `{remove: POINTER}` or `{set: POINTER, to: VALUE}`), `expect` (every error, in order) and optionally
//! `schema: blind` where a JSON Schema cannot see what is wrong. `advised` is such a list too, for changes that leave
//! a sound document with warnings.

use serde_json::Value;
use uiap_protocol::text::{Format, Limits, read};

/// Why a case could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The file is not readable.
    #[error("the case is not well-formed: {0}")]
    Text(#[from] uiap_protocol::text::Fault),
    /// Something is missing or of the wrong type.
    #[error("the case has no proper {0:?}")]
    Member(&'static str),
    /// A change leads nowhere.
    #[error("the change at {0:?} finds nothing")]
    Change(String),
}

/// A sound document and ways to break it.
#[derive(Debug)]
pub struct DocumentCase {
    /// What it is.
    pub kind: String,
    /// The named type, where the document is only a part of its kind.
    pub part: Option<String>,
    /// The document.
    pub document: Value,
    /// Ways to break it.
    pub refused: Vec<RefusedCase>,
    /// Ways to make it worse without breaking it.
    pub advised: Vec<RefusedCase>,
}

/// One way to change a document.
#[derive(Debug)]
pub struct RefusedCase {
    /// In words.
    pub what: String,
    /// The changed document.
    pub document: Value,
    /// The errors or warnings, as `code pointer requirement`.
    pub expect: Vec<String>,
}

impl DocumentCase {
    /// Loads a case.
    pub fn load(text: &str) -> Result<Self, CaseError> {
        let case = read(text, Format::Yaml, Limits::DOCUMENT)?.to_json();
        let document = case.get("document").cloned().ok_or(CaseError::Member("document"))?;
        let refused = case.get("refused").and_then(Value::as_array).ok_or(CaseError::Member("refused"))?;
        let advised = case.get("advised").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let load = |list: &[Value]| {
            list.iter().map(|item| RefusedCase::load(item, &document)).collect::<Result<_, _>>()
        };
        Ok(Self {
            kind: text_member(&case, "kind")?,
            part: text_member(&case, "type").ok(),
            refused: load(refused)?,
            advised: load(advised)?,
            document,
        })
    }
}

impl RefusedCase {
    fn load(refused: &Value, sound: &Value) -> Result<Self, CaseError> {
        let changes = refused.get("change").and_then(Value::as_array).ok_or(CaseError::Member("change"))?;
        let mut document = sound.clone();
        changes.iter().try_for_each(|change| apply(change, &mut document))?;
        let expect = refused.get("expect").and_then(Value::as_array).ok_or(CaseError::Member("expect"))?;
        let line = |error: &Value| {
            let parts = ["code", "pointer", "requirement"].map(|name| text_member(error, name));
            parts.into_iter().collect::<Result<Vec<_>, _>>().map(|parts| parts.join(" "))
        };
        let expect = expect.iter().map(line).collect::<Result<_, _>>()?;
        Ok(Self { what: text_member(refused, "what")?, document, expect })
    }
}

fn text_member(object: &Value, name: &'static str) -> Result<String, CaseError> {
    object.get(name).and_then(Value::as_str).map(str::to_owned).ok_or(CaseError::Member(name))
}

fn apply(change: &Value, document: &mut Value) -> Result<(), CaseError> {
    let removed = text_member(change, "remove");
    let pointer =
        removed.as_ref().map_or_else(|_| text_member(change, "set"), |pointer| Ok(pointer.clone()))?;
    let nothing = || CaseError::Change(pointer.clone());
    let (parent, name) = pointer.rsplit_once('/').ok_or_else(nothing)?;
    let name = name.replace("~1", "/").replace("~0", "~");
    match (document.pointer_mut(parent).ok_or_else(nothing)?, removed.is_ok()) {
        (Value::Object(members), true) => members.remove(&name).map(drop).ok_or_else(nothing),
        (Value::Object(members), false) => {
            members.insert(name, change.get("to").cloned().ok_or(CaseError::Member("to"))?);
            Ok(())
        }
        (Value::Array(items), false) => {
            let value = change.get("to").cloned().ok_or(CaseError::Member("to"))?;
            let index: usize = name.parse().map_err(|_| nothing())?;
            match items.get_mut(index) {
                Some(item) => *item = value,
                None => items.push(value),
            }
            Ok(())
        }
        _ => Err(nothing()),
    }
}
