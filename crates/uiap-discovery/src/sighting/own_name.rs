//! What a thing in a row is called in every row: "Select Editors" beside "Editors" is "Select *".
//!
//! Start at [`pattern`] and [`pattern_by_text`]. Which name a row has is not told by a page; it is what a thing in the row
//! repeats.

/// Most names of one row that are looked for in another name of it.
const NAMES_MAX: usize = 16;
/// Shortest name that is looked for, in letters: shorter ones stand in other words by accident.
const NAME_LETTERS_MIN: usize = 2;
/// Most words of a name that are looked for in the text of a row.
const WORDS_MAX: usize = 16;
/// What stands for what is only data.
const ANYTHING: &str = "*";

/// A name with `*` for what else in the same row is called, or nothing if it repeats nothing of it.
pub(super) fn pattern<'n>(name: &str, others: impl Iterator<Item = &'n str>) -> Option<String> {
    let mut others: Vec<&str> = others
        .map(str::trim)
        .filter(|other| is_telling(other) && other.len() < name.len())
        .take(NAMES_MAX)
        .collect();
    // The longest says most.
    others.sort_by_key(|other| (std::cmp::Reverse(other.len()), *other));
    others.into_iter().find_map(|other| without(name, other))
}

/// A name with `*` for the longest run of its words that the text of the same row has, too; nothing if the text has none of
/// them, or all of them: then it is text itself.
pub(super) fn pattern_by_text(name: &str, text: &str) -> Option<String> {
    let words: Vec<&str> = name.split_whitespace().take(WORDS_MAX).collect();
    if has(text, name) {
        return None;
    }
    let runs = (1..words.len()).rev().flat_map(|length| words.windows(length));
    let mut runs = runs.map(|run| run.join(" ")).filter(|run| is_telling(run) && has(text, run));
    without(name, &runs.next()?)
}

fn has(text: &str, words: &str) -> bool {
    text.split_once(words).is_some_and(|(before, after)| {
        !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    })
}

fn is_telling(name: &str) -> bool {
    name.chars().filter(|letter| letter.is_alphanumeric()).count() >= NAME_LETTERS_MIN
}

/// A name without the words of another, if it has words besides them.
fn without(name: &str, other: &str) -> Option<String> {
    let (before, after) = name.split_once(other)?;
    let is_apart = !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric);
    let has_words = before.chars().chain(after.chars()).any(char::is_alphabetic);
    (is_apart && has_words).then(|| format!("{before}{ANYTHING}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str, others: &[&str]) -> String {
        pattern(name, others.iter().copied()).unwrap_or_default()
    }

    #[test]
    fn a_name_that_repeats_the_row_is_a_pattern() {
        assert_eq!(told("Role of Ada", &["Ada", "ada@example.org"]), "Role of *");
        assert_eq!(
            told("Select Ada Lovelace for an action", &["Ada", "Ada Lovelace"]),
            "Select * for an action"
        );
        assert_eq!(told("Delete", &["Ada"]), "");
        assert_eq!(told("Ada", &["Ada"]), "");
        assert_eq!(told("Adapt", &["Ada"]), "");
        assert_eq!(told("Ada 7", &["Ada"]), "");
    }

    #[test]
    fn a_name_that_repeats_the_text_of_the_row_is_a_pattern() {
        let told =
            |name: &str| pattern_by_text(name, "Ada Lovelace ada@example.org Remove").unwrap_or_default();
        assert_eq!(told("Role of Ada Lovelace"), "Role of *");
        assert_eq!(told("Remove"), "");
        assert_eq!(told("Role of Grace Hopper"), "");
    }
}
