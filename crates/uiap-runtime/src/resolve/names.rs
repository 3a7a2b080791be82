//! How names are compared.

use unicode_normalization::UnicodeNormalization;

/// A name without what does not matter: case, width, runs of spaces.
pub(super) fn normalised(name: &str) -> String {
    let folded: String = name.nfkc().flat_map(char::to_lowercase).collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of a normalised name.
pub(super) fn words(normalised: &str) -> impl Iterator<Item = &str> {
    normalised.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// How well a name fits, the best last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NameMatch {
    /// The wanted words are in it, one after the other.
    Contains,
    /// The same but for case, width and spaces.
    Normalised,
    /// The same.
    Exact,
}

/// Compares a wanted name with one that was found.
pub(super) fn compare(wanted: &str, found: &str) -> Option<NameMatch> {
    if wanted == found {
        return Some(NameMatch::Exact);
    }
    let (wanted, found) = (normalised(wanted), normalised(found));
    if wanted == found {
        return Some(NameMatch::Normalised);
    }
    let wanted: Vec<_> = words(&wanted).collect();
    let found: Vec<_> = words(&found).collect();
    let contained =
        !wanted.is_empty() && found.windows(wanted.len()).any(|window| window == wanted.as_slice());
    contained.then_some(NameMatch::Contains)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_alike_or_contained_as_whole_words() {
        let compared = |found| compare("Save video", found);
        assert_eq!(compared("Save video"), Some(NameMatch::Exact));
        assert_eq!(compared(" SAVE  video"), Some(NameMatch::Normalised));
        assert_eq!(compared("Save video (draft)"), Some(NameMatch::Contains));
        assert_eq!(compared("Save videos"), None);
        assert_eq!(compared("Video save"), None);
        assert_eq!(compare("", "Save"), None);
    }
}
