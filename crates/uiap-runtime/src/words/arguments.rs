//! Arguments as people and models write them, brought to the form of an `action.request`.

use super::{Unclear, wrong};
use crate::catalogue::{ArgumentForm, ArgumentUsage, Native};
use serde_json::{Value, json};
use std::path::Path;
use uiap_protocol::ids::ActionId;
use uiap_protocol::wire::JsonObject;

/// What a file is if its name does not say.
const MIME_TYPE_UNKNOWN: &str = "application/octet-stream";
/// What files are, by how their names end.
const MIME_TYPES: [(&str, &str); 16] = [
    ("csv", "text/csv"),
    ("doc", "application/msword"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("gif", "image/gif"),
    ("html", "text/html"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("json", "application/json"),
    ("mp4", "video/mp4"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain"),
    ("webp", "image/webp"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("zip", "application/zip"),
];

/// The arguments of an action in the form of an `action.request`: names and words that descriptions use become those
/// of the protocol, and paths become files. What is unknown stays as it is, so that planning refuses it.
pub fn arguments(action: &ActionId, given: JsonObject) -> Result<JsonObject, Unclear> {
    let Some(native) = Native::from_word(action.as_str()) else { return Ok(given) };
    let mut taken = given;
    for usage in native.usage().arguments {
        if let Some(shown) = usage.shown_as
            && !taken.contains_key(usage.name)
            && let Some(value) = taken.remove(shown)
        {
            taken.insert(usage.name.to_owned(), value);
        }
        if let Some(value) = taken.get_mut(usage.name) {
            *value = normal_value(usage, value.take())?;
        }
    }
    Ok(taken)
}

fn normal_value(usage: &ArgumentUsage, value: Value) -> Result<Value, Unclear> {
    Ok(match (usage.form, value) {
        (ArgumentForm::Words(words), Value::String(text)) => {
            let word = words.iter().find(|(_, shown)| *shown == text).map(|(word, _)| (*word).to_owned());
            Value::String(word.unwrap_or(text))
        }
        (ArgumentForm::Files, Value::String(path)) => json!([file(&path)?]),
        (ArgumentForm::Files, Value::Array(items)) => {
            let items = items.into_iter().map(|item| match item {
                Value::String(path) => file(&path),
                other => Ok(other),
            });
            Value::Array(items.collect::<Result<_, _>>()?)
        }
        (_, value) => value,
    })
}

/// A file of this machine.
fn file(path: &str) -> Result<Value, Unclear> {
    let name = Path::new(path).file_name().and_then(std::ffi::OsStr::to_str);
    let Some(name) = name.filter(|_| path.starts_with('/')) else {
        return Err(wrong(&format!(
            "\"{path}\" is not the absolute path of a file, such as /path/to/report.pdf"
        )));
    };
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let known = MIME_TYPES.iter().find(|(known, _)| Some(*known) == ending.as_deref());
    let mime_type = known.map_or(MIME_TYPE_UNKNOWN, |(_, mime_type)| mime_type);
    Ok(json!({ "name": name, "mimeType": mime_type, "dataRef": path }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(action: &str, given: &Value) -> String {
        let given = given.as_object().cloned().expect("an object");
        let action = ActionId::new(action).expect("an id");
        match arguments(&action, given) {
            Ok(taken) => Value::Object(taken).to_string(),
            Err(unclear) => unclear.to_string(),
        }
    }

    #[test]
    fn names_and_words_of_descriptions_become_those_of_the_protocol() {
        assert_eq!(normal("ui.toggle", &json!({"checked": true})), r#"{"to":true}"#);
        assert_eq!(normal("ui.toggle", &json!({"to": "mixed"})), r#"{"to":"mixed"}"#);
        assert_eq!(normal("ui.scroll", &json!({"to": "bottom"})), r#"{"to":"end"}"#);
        assert_eq!(normal("ui.scroll", &json!({"to": "start"})), r#"{"to":"start"}"#);
        assert_eq!(normal("video.create", &json!({"checked": true})), r#"{"checked":true}"#);
    }

    #[test]
    fn a_contradiction_is_left_to_be_refused() {
        assert_eq!(
            normal("ui.toggle", &json!({"checked": true, "to": false})),
            r#"{"checked":true,"to":false}"#
        );
    }

    #[test]
    fn paths_become_files() {
        let file = r#"{"files":[{"dataRef":"/a/b.PDF","mimeType":"application/pdf","name":"b.PDF"}]}"#;
        assert_eq!(normal("ui.upload", &json!({"files": ["/a/b.PDF"]})), file);
        assert_eq!(normal("ui.upload", &json!({"files": "/a/b.PDF"})), file);
        for path in ["b.pdf", "/", ""] {
            assert!(normal("ui.upload", &json!({"files": [path]})).contains("is not the absolute path"));
        }
    }
}
