//! Names for ids, and texts without what is only data.

use crate::naming::{fit, id_of};
use crate::place::pattern;
use serde_json::Value;
use uiap_protocol::canonical::canonical;
use uiap_protocol::capability::{SuccessSignal, TargetRef};
use uiap_protocol::ids::{ActionId, Id, ScopeId, Text};
use uiap_protocol::wire::JsonObject;
use unicode_normalization::UnicodeNormalization;

/// Most characters of one word of an id.
const WORD_CHARS_MAX: usize = 40;
/// Fewest letters of a message that are worth waiting for.
const MESSAGE_LETTERS_MIN: usize = 3;

/// Makes an id out of a text that fits by construction.
macro_rules! made {
    ($name:ident, $type:ident) => {
        // INVARIANT: what fits has the length of an id, and ids have no other form.
        pub(super) fn $name(text: &str) -> $type {
            $type::new(fit(text)).expect("a text of the right length is an id")
        }
    };
}
made! { id, Id }
made! { action_id, ActionId }
made! { scope_id, ScopeId }

#[expect(clippy::expect_used, reason = "what fits is not empty")]
pub(super) fn text(text: &str) -> Text {
    let kept = if text.is_empty() { "_" } else { text };
    Text::new(kept).expect("a text that is not empty is a text")
}

/// A text as one word of an id in plain letters; a digest where it has none.
pub(super) fn word(text: &str) -> String {
    let mut word = String::new();
    for letter in text.nfkd().flat_map(char::to_lowercase) {
        if letter.is_ascii_alphanumeric() {
            word.push(letter);
        } else if letter == 'ß' {
            word.push_str("ss");
        } else if !unicode_normalization::char::is_combining_mark(letter)
            && !word.is_empty()
            && !word.ends_with('_')
        {
            word.push('_');
        }
    }
    let mut word: String = word.chars().take(WORD_CHARS_MAX).collect();
    word.truncate(word.trim_end_matches('_').len());
    match word.chars().next() {
        None => id_of("w", &[text]),
        // Words of ids begin with a letter.
        Some(first) if first.is_ascii_digit() => format!("n{word}"),
        Some(_) => word,
    }
}

/// A signal without data that is other the next time; nothing if nothing is left of it.
pub(super) fn lasting(signal: &SuccessSignal) -> Option<SuccessSignal> {
    use SuccessSignal as Signal;
    match signal {
        Signal::RouteChanged { pattern, exact } => {
            let path = pattern.as_ref().or(exact.as_ref())?;
            Some(Signal::RouteChanged { pattern: Some(text(&path_pattern(path.as_str()))), exact: None })
        }
        Signal::ToastContains { text: message } => {
            said(message.as_str()).map(|kept| Signal::ToastContains { text: text(&kept) })
        }
        Signal::StatusContains { text: message } => {
            said(message.as_str()).map(|kept| Signal::StatusContains { text: text(&kept) })
        }
        Signal::NetworkResponse { url_pattern, status } => Some(Signal::NetworkResponse {
            url_pattern: url_pattern.as_ref().map(|url| text(&path_pattern(url.as_str()))),
            status: *status,
        }),
        Signal::ElementAppeared { target }
        | Signal::ElementDisappeared { target }
        | Signal::ElementState { target, .. } => is_lasting(target).then(|| signal.clone()),
        Signal::DialogOpened { target } => {
            Some(Signal::DialogOpened { target: lasting_target(target.as_ref()) })
        }
        Signal::DialogClosed { target } => {
            Some(Signal::DialogClosed { target: lasting_target(target.as_ref()) })
        }
        // Values and counts are data.
        Signal::ValueEquals { .. } | Signal::CollectionCount { .. } => None,
        Signal::Custom { name, .. } => Some(Signal::Custom { name: name.clone(), payload: None }),
        other => Some(other.clone()),
    }
}

/// Signals without data, each once, in one order.
pub(super) fn lasting_all<'s>(signals: impl Iterator<Item = &'s SuccessSignal>) -> Vec<SuccessSignal> {
    let mut kept: Vec<(String, SuccessSignal)> = signals
        .filter_map(lasting)
        .map(|signal| (canonical(&serde_json::to_value(&signal).unwrap_or(Value::Null)), signal))
        .collect();
    kept.sort_by(|(one, _), (other, _)| one.cmp(other));
    kept.dedup_by(|(one, _), (other, _)| one == other);
    kept.into_iter().map(|(_, signal)| signal).collect()
}

/// The path of an address or of a path, with what is only data replaced, and without a query.
pub(super) fn path_pattern(address: &str) -> String {
    if address.contains("://") { pattern(address) } else { pattern(&format!("http://_{address}")) }
}

fn lasting_target(target: Option<&TargetRef>) -> Option<TargetRef> {
    target.filter(|target| is_lasting(target)).cloned()
}

/// It names the same the next time.
fn is_lasting(target: &TargetRef) -> bool {
    match target {
        TargetRef::Semantic { name, .. } => {
            name.as_ref().is_none_or(|name| !name.chars().any(char::is_numeric))
        }
        _ => true,
    }
}

/// The longest part of a message that has no numbers, no quotations and no addresses in it.
pub(super) fn said(message: &str) -> Option<String> {
    let is_data =
        |letter: char| letter.is_numeric() || matches!(letter, '"' | '“' | '”' | '„' | '«' | '»' | '@');
    let quoted = without_quotations(message);
    let kept = quoted
        .split(is_data)
        .map(str::trim)
        .max_by_key(|part| part.chars().filter(|letter| letter.is_alphabetic()).count())?;
    let letters = kept.chars().filter(|letter| letter.is_alphabetic()).count();
    (letters >= MESSAGE_LETTERS_MIN).then(|| kept.to_owned())
}

/// What stands in quotation marks is a name of something.
fn without_quotations(text: &str) -> String {
    let mut kept = String::new();
    let mut inside = false;
    for letter in text.chars() {
        match letter {
            '"' | '“' | '”' | '„' | '«' | '»' => {
                inside = !inside;
                kept.push('"');
            }
            _ if inside => {}
            _ => kept.push(letter),
        }
    }
    kept
}

/// An object with one member after the other, without those that say nothing.
pub(super) fn object<const N: usize>(members: [(&str, Value); N]) -> JsonObject {
    let told = |value: &Value| match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => true,
    };
    members
        .into_iter()
        .filter(|(_, value)| told(value))
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// A list, or nothing if it is empty.
pub(super) fn some<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_ids_are_plain_letters_in_every_language() {
        assert_eq!(word("Video löschen …"), "video_loschen");
        assert_eq!(word("2 Minuten"), "n2_minuten");
        assert_eq!(word("Größe"), "grosse");
        assert!(word("删除").starts_with("w_") && word("删除") != word("保存"));
    }

    #[test]
    fn messages_lose_their_data() {
        let told = said;
        assert_eq!(told("Das Video „Urlaub“ wurde gelöscht.").as_deref(), Some("wurde gelöscht."));
        assert_eq!(told("3 Videos gelöscht").as_deref(), Some("Videos gelöscht"));
        assert_eq!(told("12:04"), None);
    }
}
