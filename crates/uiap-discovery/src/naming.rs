//! Names and identities that stay the same when data, clocks and random ids do not.

use uiap_protocol::ids::ID_LENGTH_MAX;
use uiap_protocol::seal::hash;
use unicode_normalization::UnicodeNormalization;

/// Most characters of a name that count for an identity.
const NAME_CHARS_MAX: usize = 80;
/// What people put beside a name to show that something unfolds, is sorted or goes on.
const SIGNS: &str = "+-–−▸▾▼▲►▶◀◄›‹»«→←↑↓⌄⌃";
/// How many digits of a digest an id shows: enough for millions of things in one package.
const ID_DIGITS: usize = 12;
/// How many characters the end of a shortened id takes: a mark and a digest.
const ENDING_CHARS: usize = 16;

/// A name in one spelling: composed, lower case, single spaces, and every number alike.
pub fn plain(name: &str) -> String {
    let mut plain = String::new();
    let mut after_digit = false;
    let mut after_space = true;
    for letter in name.nfc().flat_map(char::to_lowercase).take(NAME_CHARS_MAX) {
        if letter.is_whitespace() {
            if !after_space {
                plain.push(' ');
            }
            (after_digit, after_space) = (false, true);
        } else if letter.is_numeric() {
            if !after_digit {
                plain.push('#');
            }
            (after_digit, after_space) = (true, false);
        } else {
            plain.push(letter);
            (after_digit, after_space) = (false, false);
        }
    }
    // Signs that something is unfolded or goes on say nothing about what it is.
    let bare = plain.trim_matches(|letter: char| letter.is_whitespace() || SIGNS.contains(letter));
    if bare.is_empty() { plain.trim_end().to_owned() } else { bare.to_owned() }
}

/// A name in one spelling that holds nothing but numbers.
pub fn is_only_numbers(plain: &str) -> bool {
    plain.contains('#') && !plain.chars().any(char::is_alphabetic)
}

/// A name without the pictures of icon fonts, which stand where Unicode has no letters and say nothing to anybody. Nothing,
/// if nothing else is left.
pub fn without_glyphs(name: &str) -> Option<String> {
    let is_glyph = |letter: char| matches!(letter, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{ffffd}' | '\u{100000}'..='\u{10fffd}');
    if !name.chars().any(is_glyph) {
        return Some(name.to_owned());
    }
    let words: String = name.chars().map(|letter| if is_glyph(letter) { ' ' } else { letter }).collect();
    let words: Vec<_> = words.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// A text as a part of an id: letters and numbers in lower case, joined by `_`.
pub fn slug(text: &str) -> String {
    let mut slug = String::new();
    for letter in text.nfc().flat_map(char::to_lowercase).take(NAME_CHARS_MAX) {
        if letter.is_alphanumeric() {
            slug.push(letter);
        } else if !slug.is_empty() && !slug.ends_with('_') {
            slug.push('_');
        }
    }
    slug.truncate(slug.trim_end_matches('_').len());
    slug
}

/// A short id that is made of what it stands for, so that it is the same in every run.
pub fn id_of(prefix: &str, parts: &[&str]) -> String {
    let digest = hash(parts.join("\u{1f}").as_bytes());
    let digits: String = digest.chars().skip("sha256:".len()).take(ID_DIGITS).collect();
    format!("{prefix}_{digits}")
}

/// A text that fits into an id: shortened to its beginning and a digest where it is too long.
pub fn fit(text: &str) -> String {
    match text.chars().count() {
        0 => "_".to_owned(),
        count if count <= ID_LENGTH_MAX => text.to_owned(),
        _ => {
            let begin: String = text.chars().take(ID_LENGTH_MAX - ENDING_CHARS).collect();
            format!("{begin}~{}", id_of("", &[text]).trim_start_matches('_'))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_by_what_people_read_and_not_by_numbers_or_spelling() {
        assert_eq!(plain("  Video 17:\n Löschen "), "video #: löschen");
        assert_eq!(plain("Seite 2 von 14"), plain("Seite 13 von 14"));
        assert_eq!(plain("Lo\u{308}schen"), plain("LÖSCHEN"));
        assert_ne!(plain("Save"), plain("Save as"));
        assert_eq!(plain("Details +"), plain("Details –"));
        assert_eq!(plain("›"), "›");
    }

    #[test]
    fn pictures_of_icon_fonts_and_numbers_are_no_names() {
        assert_eq!(without_glyphs("\u{f107} common").as_deref(), Some("common"));
        assert_eq!(without_glyphs("\u{f0c9}"), None);
        assert_eq!(without_glyphs("Two  spaces").as_deref(), Some("Two  spaces"));
        assert!(is_only_numbers(&plain("17")) && is_only_numbers(&plain("1/2")));
        assert!(!is_only_numbers(&plain("Page 2")) && !is_only_numbers(&plain("›")));
    }

    #[test]
    fn slugs_are_words() {
        assert_eq!(slug("Neues Video …"), "neues_video");
        assert_eq!(slug("/videos/:id"), "videos_id");
        assert_eq!(slug("***"), "");
    }

    #[test]
    fn an_id_that_is_too_long_keeps_its_beginning_and_stays_unique() {
        let one = fit(&"a".repeat(200));
        assert!(one.starts_with("aaaa") && one.chars().count() <= ID_LENGTH_MAX);
        assert_ne!(one, fit(&"a".repeat(201)));
        assert_eq!(fit("short"), "short");
    }
}
