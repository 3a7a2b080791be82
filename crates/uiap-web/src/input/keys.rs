//! Keys, and which of them makes which character on the layout that the browser is told about.

use super::deed::Modifiers;
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

/// A key struck while others are held down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chord {
    /// What is held down.
    pub modifiers: Modifiers,
    /// What is struck.
    pub key: Key,
}

impl From<Key> for Chord {
    fn from(key: Key) -> Self {
        Self { modifiers: Modifiers::default(), key }
    }
}

impl Serialize for Chord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut chord = serializer.serialize_struct("Chord", 2)?;
        match self.key {
            Key::Named(named) => chord.serialize_field("key", named.word())?,
            Key::Character(character) => chord.serialize_field("key", &character)?,
        }
        chord.serialize_field("modifiers", &self.modifiers)?;
        chord.end()
    }
}

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// One with a name.
    Named(NamedKey),
    /// The one that makes this character.
    Character(char),
}

macro_rules! named_keys {
    ($($key:ident $number:literal $word:literal $code:literal $text:expr;)*) => {
        /// A key that makes no visible character.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the words are printed on keyboards")]
        pub enum NamedKey { $($key),* }

        impl NamedKey {
            /// As `KeyboardEvent.key` says it.
            pub fn word(self) -> &'static str {
                match self { $(Self::$key => $word),* }
            }

            pub(super) fn stroke(self) -> Stroke {
                match self {
                    $(Self::$key => Stroke { key: $word.to_owned(), code: $code, number: $number, text: $text, shift: false }),*
                }
            }
        }
    };
}

named_keys! {
    Backspace 8 "Backspace" "Backspace" None;
    Tab 9 "Tab" "Tab" None;
    Enter 13 "Enter" "Enter" Some('\r');
    Escape 27 "Escape" "Escape" None;
    Space 32 " " "Space" Some(' ');
    PageUp 33 "PageUp" "PageUp" None;
    PageDown 34 "PageDown" "PageDown" None;
    End 35 "End" "End" None;
    Home 36 "Home" "Home" None;
    ArrowLeft 37 "ArrowLeft" "ArrowLeft" None;
    ArrowUp 38 "ArrowUp" "ArrowUp" None;
    ArrowRight 39 "ArrowRight" "ArrowRight" None;
    ArrowDown 40 "ArrowDown" "ArrowDown" None;
    Insert 45 "Insert" "Insert" None;
    Delete 46 "Delete" "Delete" None;
    F1 112 "F1" "F1" None;
    F2 113 "F2" "F2" None;
    F3 114 "F3" "F3" None;
    F4 115 "F4" "F4" None;
    F5 116 "F5" "F5" None;
    F6 117 "F6" "F6" None;
    F7 118 "F7" "F7" None;
    F8 119 "F8" "F8" None;
    F9 120 "F9" "F9" None;
    F10 121 "F10" "F10" None;
    F11 122 "F11" "F11" None;
    F12 123 "F12" "F12" None;
}

/// A key as the browser wants to be told about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stroke {
    pub(super) key: String,
    pub(super) code: &'static str,
    pub(super) number: u8,
    pub(super) text: Option<char>,
    /// The layout needs Shift for it.
    pub(super) shift: bool,
}

impl Key {
    /// How it is struck; none if no key of the layout makes it.
    pub(super) fn stroke(self) -> Option<Stroke> {
        match self {
            Self::Named(named) => Some(named.stroke()),
            Self::Character('\n' | '\r') => Some(NamedKey::Enter.stroke()),
            Self::Character('\t') => Some(NamedKey::Tab.stroke()),
            Self::Character(' ') => Some(NamedKey::Space.stroke()),
            Self::Character(character) => character_stroke(character),
        }
    }
}

const LETTER_CODES: [&str; 26] = [
    "KeyA", "KeyB", "KeyC", "KeyD", "KeyE", "KeyF", "KeyG", "KeyH", "KeyI", "KeyJ", "KeyK", "KeyL", "KeyM",
    "KeyN", "KeyO", "KeyP", "KeyQ", "KeyR", "KeyS", "KeyT", "KeyU", "KeyV", "KeyW", "KeyX", "KeyY", "KeyZ",
];

/// The other keys of a US keyboard: code, number, plain and with Shift.
const PRINTED: [(&str, u8, char, char); 21] = [
    ("Digit0", 48, '0', ')'),
    ("Digit1", 49, '1', '!'),
    ("Digit2", 50, '2', '@'),
    ("Digit3", 51, '3', '#'),
    ("Digit4", 52, '4', '$'),
    ("Digit5", 53, '5', '%'),
    ("Digit6", 54, '6', '^'),
    ("Digit7", 55, '7', '&'),
    ("Digit8", 56, '8', '*'),
    ("Digit9", 57, '9', '('),
    ("Semicolon", 186, ';', ':'),
    ("Equal", 187, '=', '+'),
    ("Comma", 188, ',', '<'),
    ("Minus", 189, '-', '_'),
    ("Period", 190, '.', '>'),
    ("Slash", 191, '/', '?'),
    ("Backquote", 192, '`', '~'),
    ("BracketLeft", 219, '[', '{'),
    ("Backslash", 220, '\\', '|'),
    ("BracketRight", 221, ']', '}'),
    ("Quote", 222, '\'', '"'),
];

fn character_stroke(character: char) -> Option<Stroke> {
    let stroke = |code, number, shift| Stroke {
        key: character.to_string(),
        code,
        number,
        text: Some(character),
        shift,
    };
    if character.is_ascii_alphabetic() {
        let number = u8::try_from(character.to_ascii_uppercase()).ok()?;
        let code = LETTER_CODES.get(usize::from(number - b'A'))?;
        return Some(stroke(code, number, character.is_ascii_uppercase()));
    }
    PRINTED.iter().find_map(|&(code, number, plain, shifted)| {
        (character == plain || character == shifted).then(|| stroke(code, number, character == shifted))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_visible_ascii_character_has_a_key_and_others_have_none() {
        for character in ' '..='~' {
            let stroke = Key::Character(character).stroke();
            assert_eq!(stroke.and_then(|stroke| stroke.text), Some(character));
        }
        for character in ['ü', 'ß', '漢', '😀', '\u{7f}'] {
            assert_eq!(Key::Character(character).stroke(), None);
        }
    }

    #[test]
    fn capitals_need_shift() {
        let shifts = |text: &str| -> String {
            let is_shifted =
                |character| Key::Character(character).stroke().is_some_and(|stroke| stroke.shift);
            text.chars().filter(|&character| is_shifted(character)).collect()
        };
        assert_eq!(shifts("aA1!-_'\""), "A!_\"");
    }
}
