//! Words that say a thing is not done. An issue is the place for them.

use super::Finding;
use crate::workspace::SourceFile;

/// Written in two halves, so that the rule does not find itself.
const WORDS: [&str; 5] = [
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("to", "do!"),
    concat!("unimpl", "emented!"),
    concat!("#[ig", "nore"),
];

pub(super) fn check(files: &[SourceFile]) -> Vec<Finding> {
    let sources = files.iter().filter(|file| ["rs", "ts", "mjs", "js", "css"].contains(&file.extension()));
    sources.flat_map(findings_in).collect()
}

fn findings_in(file: &SourceFile) -> Vec<Finding> {
    let lines = file.text.lines().zip(1_usize..);
    let hits = lines.flat_map(|(line, number)| {
        WORDS.iter().filter(|word| stands_in(line, word)).map(move |word| (number, word))
    });
    hits.map(|(number, word)| Finding::error(format!("{}:{number}", file.path), format!("says `{word}`")))
        .collect()
}

/// Whether the word stands in the line by itself, not as a part of a longer one.
fn stands_in(line: &str, word: &str) -> bool {
    let continues = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        let after = line.get(at + word.len()..).and_then(|text| text.chars().next());
        let open_end = !word.ends_with(continues) || !after.is_some_and(continues);
        let open_start = !word.starts_with(continues) || !before.is_some_and(continues);
        open_end && open_start
    })
}

#[cfg(test)]
mod tests {
    use super::super::{file, shown};
    use super::*;

    #[test]
    fn every_word_is_found_with_its_line() {
        for word in WORDS {
            let text = format!("fn a() {{\n    {word}: later\n}}\n");
            let expected = format!("error: crates/uiap/src/a.rs:2: says `{word}`");
            assert_eq!(shown(&check(&[file("crates/uiap/src/a.rs", &text)])), expected);
        }
    }

    #[test]
    fn parts_of_words_and_prose_are_left_alone() {
        let letters = format!("const AU{}R: u8 = 1; // MAS{}ICAL", WORDS[0], WORDS[0]);
        assert_eq!(shown(&check(&[file("a.rs", &letters)])), "");
        assert_eq!(shown(&check(&[file("CONTRIBUTING.md", WORDS[0])])), "");
    }
}
