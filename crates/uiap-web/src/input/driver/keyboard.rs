//! Striking keys and entering text.

use super::Driver;
use super::mouse::bits;
use crate::input::deed::{EntryValue, Modifiers, Typing};
use crate::input::delivery::{Hindrance, Stop};
use crate::input::keys::{Chord, Key, NamedKey, Stroke};
use serde_json::{Value, json};

/// Most characters that are typed key by key, and most chords of one deed.
const STROKES_MAX: usize = 1_000;
/// Strokes that are under way at one time.
const STROKES_AHEAD_MAX: usize = 50;

const KEY: &str = "Input.dispatchKeyEvent";

/// The keys that hold: word, code, number.
const HELD: [(&str, &str, u8, Modifiers); 4] = [
    ("Alt", "AltLeft", 18, Modifiers { alt: true, control: false, meta: false, shift: false }),
    ("Control", "ControlLeft", 17, Modifiers { alt: false, control: true, meta: false, shift: false }),
    ("Meta", "MetaLeft", 91, Modifiers { alt: false, control: false, meta: true, shift: false }),
    ("Shift", "ShiftLeft", 16, Modifiers { alt: false, control: false, meta: false, shift: true }),
];

impl Driver<'_> {
    pub(super) async fn strike(&mut self, chords: &[Chord]) -> Result<(), Stop> {
        if chords.is_empty() || chords.len() > STROKES_MAX {
            return Err(Stop::Hindered(Hindrance::UnfitValue));
        }
        for some in chords.chunks(STROKES_AHEAD_MAX) {
            self.dispatch(some.iter().flat_map(|chord| struck(*chord)).collect::<Vec<_>>()).await?;
        }
        Ok(())
    }

    /// Writes where the focus is; what is marked there is replaced.
    pub(super) async fn enter(&mut self, text: &str, typing: Typing, occupied: bool) -> Result<(), Stop> {
        if text.is_empty() {
            return if occupied { self.strike(&[Key::Named(NamedKey::Delete).into()]).await } else { Ok(()) };
        }
        match typing {
            Typing::Whole => self.dispatch([inserted(text)]).await,
            Typing::Keystrokes => {
                let chords: Vec<Chord> =
                    text.chars().map(|character| Key::Character(character).into()).collect();
                self.strike(&chords).await
            }
            Typing::Composed => {
                let end = text.encode_utf16().count();
                let composed = json!({ "text": text, "selectionStart": end, "selectionEnd": end });
                self.dispatch([("Input.imeSetComposition", composed), inserted(text)]).await
            }
        }
    }

    pub(super) async fn enter_value(&mut self, value: &EntryValue, occupied: bool) -> Result<(), Stop> {
        match value {
            EntryValue::Text(text) => self.enter(text.as_str(), Typing::Whole, occupied).await,
            EntryValue::Number(number) => self.enter(&number.to_string(), Typing::Whole, occupied).await,
            EntryValue::Flag(_) => Err(Stop::Hindered(Hindrance::Unsupported)),
        }
    }
}

fn inserted(text: &str) -> (&'static str, Value) {
    ("Input.insertText", json!({ "text": text }))
}

/// All events of one chord: held keys go down, the key goes down and up, held keys go up.
fn struck(chord: Chord) -> Vec<(&'static str, Value)> {
    let Chord { mut modifiers, key } = chord;
    let Some(stroke) = key.stroke() else {
        let Key::Character(character) = key else { return Vec::new() };
        return vec![inserted(character.encode_utf8(&mut [0; 4]))];
    };
    modifiers.shift |= stroke.shift;
    let held: Vec<_> = HELD.iter().filter(|(.., one)| bits(*one) & bits(modifiers) != 0).collect();
    let mut down = 0;
    let mut events = Vec::new();
    for &&(word, code, number, one) in &held {
        down |= bits(one);
        events.push(key_event("rawKeyDown", word, code, number, down));
    }
    events.push(stroke_down(&stroke, modifiers));
    events.push(key_event("keyUp", &cased(&stroke, modifiers), stroke.code, stroke.number, down));
    for &&(word, code, number, one) in held.iter().rev() {
        down &= !bits(one);
        events.push(key_event("keyUp", word, code, number, down));
    }
    events
}

fn stroke_down(stroke: &Stroke, modifiers: Modifiers) -> (&'static str, Value) {
    let key = cased(stroke, modifiers);
    let makes_text = !(modifiers.control || modifiers.alt || modifiers.meta);
    let (method, mut down) = key_event("rawKeyDown", &key, stroke.code, stroke.number, bits(modifiers));
    if let (true, Some(character), Some(members)) = (makes_text, stroke.text, down.as_object_mut()) {
        let text = if character.is_ascii_alphabetic() { key } else { character.to_string() };
        members.insert("type".to_owned(), json!("keyDown"));
        members.insert("text".to_owned(), json!(text));
    }
    (method, down)
}

/// Shift makes capitals.
fn cased(stroke: &Stroke, modifiers: Modifiers) -> String {
    match stroke.text {
        Some(letter) if modifiers.shift && letter.is_ascii_alphabetic() => stroke.key.to_ascii_uppercase(),
        _ => stroke.key.clone(),
    }
}

fn key_event(kind: &str, key: &str, code: &str, number: u8, held: u8) -> (&'static str, Value) {
    (
        KEY,
        json!({
            "type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": held,
        }),
    )
}
