//! The texts that were withheld from a principal, found again inside other texts.

use super::{MASK, WITHHELD_CHARS_MIN, WITHHELD_MAX};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Write as _;

/// How many bytes of a text lead to it. Every text has that many, because it has as many characters.
const START_BYTES: usize = WITHHELD_CHARS_MIN;

/// Texts that were withheld. Finding them in a text costs what that text is long, however many there are.
#[derive(Clone, Default)]
pub struct WithheldTexts {
    known: HashSet<String>,
    /// In the order in which they came.
    order: VecDeque<String>,
    /// By how they start; of those that start alike the longest first.
    by_start: HashMap<[u8; START_BYTES], Vec<String>>,
}

impl std::fmt::Debug for WithheldTexts {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "WithheldTexts({})", self.known.len())
    }
}

impl WithheldTexts {
    /// Whether nothing was withheld.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The texts, and how addresses spell them.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(String::as_str)
    }

    /// A text without those that were withheld.
    pub fn strike<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut struck = String::new();
        let (mut at, mut kept) = (0, 0);
        while let Some(start) = text.as_bytes().get(at..).and_then(|rest| rest.first_chunk().copied()) {
            match self.found_at(text, at, start) {
                Some(length) => {
                    struck.push_str(text.get(kept..at).unwrap_or_default());
                    struck.push_str(MASK);
                    at += length;
                    kept = at;
                }
                None => at += 1,
            }
        }
        if kept == 0 {
            return Cow::Borrowed(text);
        }
        struck.push_str(text.get(kept..).unwrap_or_default());
        Cow::Owned(struck)
    }

    /// How long the withheld text is that stands there.
    fn found_at(&self, text: &str, at: usize, start: [u8; START_BYTES]) -> Option<usize> {
        let rest = text.as_bytes().get(at..)?;
        let alike = self.by_start.get(&start)?;
        alike.iter().find(|known| rest.starts_with(known.as_bytes())).map(String::len)
    }

    pub(super) fn insert(&mut self, text: &str) {
        let text = text.trim();
        if text.chars().count() < WITHHELD_CHARS_MIN || text == MASK {
            return;
        }
        for spelling in [text.to_owned(), in_address(text, "%20"), in_address(text, "+")] {
            self.insert_spelling(spelling);
        }
    }

    fn insert_spelling(&mut self, text: String) {
        let Some(start) = text.as_bytes().first_chunk().copied() else { return };
        if !self.known.insert(text.clone()) {
            return;
        }
        if self.order.len() == WITHHELD_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.forget(&oldest);
        }
        let alike = self.by_start.entry(start).or_default();
        let place = alike.partition_point(|known| known.len() >= text.len());
        alike.insert(place, text.clone());
        self.order.push_back(text);
    }

    fn forget(&mut self, text: &str) {
        self.known.remove(text);
        let Some(start) = text.as_bytes().first_chunk() else { return };
        if let Some(alike) = self.by_start.get_mut(start) {
            alike.retain(|known| known != text);
            if alike.is_empty() {
                self.by_start.remove(start);
            }
        }
    }
}

/// A text as it stands in an address.
fn in_address(text: &str, space: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' ' => encoded.push_str(space),
            b'-' | b'_' | b'.' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => encoded.push(char::from(byte)),
            _ => {
                // Writing to a string cannot fail.
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}
