//! Texts of a page, made harmless: a page may say anything, but on one line and without a say over the terminal.

/// Longest name or value that is written out, in characters.
const TEXT_CHARS_MAX: usize = 80;

/// A text on one line, without control characters, cut where it is too long.
pub fn clean(text: &str, chars_max: usize) -> String {
    let harmless = |letter: &char| letter.is_whitespace() || !(letter.is_control() || turns_around(*letter));
    let harmless: String = text.chars().filter(harmless).collect();
    let line = harmless.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= chars_max {
        return line;
    }
    let mut cut: String = line.chars().take(chars_max).collect();
    cut.push_str("...");
    cut
}

/// Characters that change the order in which others are shown.
fn turns_around(letter: char) -> bool {
    matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text in quotes. What stands outside of quotes is ours, so a page cannot invent a reference.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", clean(text, TEXT_CHARS_MAX).replace('"', "'"))
}

/// A text as it stands in a row: quotes only where there are letters to mistake.
pub(super) fn in_row(text: &str) -> String {
    if text.contains(|letter: char| letter.is_alphabetic() || "\"|#".contains(letter)) {
        quoted(text)
    } else {
        clean(text, TEXT_CHARS_MAX)
    }
}

/// A text with the first occurrence of each of the others taken out.
pub(super) fn without<'t>(text: &str, others: impl Iterator<Item = &'t str>) -> String {
    let mut rest = clean(text, usize::MAX);
    for other in others.map(|other| clean(other, usize::MAX)).filter(|other| !other.is_empty()) {
        rest = rest.replacen(&other, "", 1);
    }
    clean(&rest, usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_cannot_break_out_of_its_quotes_or_its_line() {
        assert_eq!(quoted("a\n\te5 \"Ja\" \u{1b}[31m\u{202e}b"), "\"a e5 'Ja' [31mb\"");
        assert_eq!(quoted(&"ü".repeat(90)), format!("\"{}...\"", "ü".repeat(80)));
        assert_eq!(in_row("e5 \"Ja\""), "\"e5 'Ja'\"");
        assert_eq!(in_row(" 22.12.2025\n"), "22.12.2025");
    }

    #[test]
    fn what_others_say_is_not_said_again() {
        assert_eq!(without("Anna  Edit Delete", ["Edit", "Delete"].into_iter()), "Anna");
        assert_eq!(without("Edit", ["Edit", ""].into_iter()), "");
    }
}
