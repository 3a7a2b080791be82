//! What the words on a button command.
//!
//! The words are data, in `lexicon.txt`; how they are read is said in its head. All languages are asked, because what a
//! page says about its language is often wrong. A command loses its force only by words of a language that has it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;

/// Most characters of a text that are looked at.
const TEXT_CHARS_MAX: usize = 2_000;

/// What a word commands, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Deed {
    /// Something is lost.
    Destroy,
    /// Money is spent or moved.
    Pay,
    /// Somebody may do or see more, or less, than before.
    Grant,
    /// Something becomes visible to others.
    Publish,
    /// Something reaches somebody.
    Send,
}

/// A command that was found in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// What it commands.
    pub deed: Deed,
    /// The word or phrase, as the lexicon has it.
    pub word: String,
    /// The language.
    pub language: &'static str,
}

/// What the words of a text command, if they do: the gravest command.
pub fn command(text: &str) -> Option<Command> {
    let text = Folded::new(text);
    let mut hits: Vec<Hit<'_>> = LEXICON.languages.iter().flat_map(|language| language.hits(&text)).collect();
    let disarmed: Vec<_> = hits.iter().filter(|hit| hit.disarmed).map(Hit::place).collect();
    // Languages share words: what Danish and English both call "send" has no force after "do not".
    hits.retain(|hit| !disarmed.contains(&hit.place()));
    let gravest = hits.into_iter().min_by_key(|hit| hit.phrase.deed)?;
    let Hit { phrase, language, .. } = gravest;
    Some(Command { deed: phrase.deed, word: phrase.words.join(" "), language: language.name })
}

/// A command that stands somewhere in a text.
struct Hit<'l> {
    phrase: &'l Phrase,
    language: &'l Language,
    clause: usize,
    /// In words, or in bytes where there are no spaces.
    range: Range<usize>,
    /// Other words take its force.
    disarmed: bool,
}

impl<'l> Hit<'l> {
    /// Two hits at one place are the same words.
    fn place(&self) -> (usize, Range<usize>, &'l [String]) {
        (self.clause, self.range.clone(), &self.phrase.words)
    }

    /// A longer phrase says what is meant: a reset of a password is no reset.
    fn is_inside(&self, other: &Self) -> bool {
        let longer = other.range.len() > self.range.len();
        self.clause == other.clause
            && longer
            && other.range.start <= self.range.start
            && other.range.end >= self.range.end
    }
}

/// Whether a text is what one presses to get out of a dialog.
pub fn declines(text: &str) -> bool {
    let text = Folded::new(text);
    LEXICON.languages.iter().any(|language| language.declines(&text))
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::read(include_str!("lexicon.txt")));

/// The languages of the lexicon.
pub fn languages() -> impl Iterator<Item = &'static str> {
    LEXICON.languages.iter().map(|language| language.name)
}

#[derive(Default)]
struct Lexicon {
    languages: Vec<Language>,
}

/// The words of one language.
#[derive(Default)]
struct Language {
    name: &'static str,
    spaceless: bool,
    commands: Vec<Phrase>,
    /// Where the commands are that begin with a word.
    by_first_word: HashMap<String, Vec<usize>>,
    harmless: Vec<Words>,
    phrases: Vec<Words>,
    before: Vec<Words>,
    after: Vec<Words>,
    /// Of all languages: where a clause ends in doubt, a command keeps its force.
    and: Vec<Words>,
    decline: Vec<Words>,
}

/// One or more words that stand together.
type Words = Vec<String>;

struct Phrase {
    words: Words,
    deed: Deed,
    /// It commands only if it is the whole text.
    alone: bool,
    /// Harmless objects take its force.
    mild: bool,
}

impl Lexicon {
    fn read(text: &'static str) -> Self {
        let mut lexicon = Self::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some((name, rest)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) {
                let spaceless = rest.trim() == "spaceless";
                lexicon.languages.push(Language { name, spaceless, ..Language::default() });
            } else if let (Some(language), Some((list, words))) =
                (lexicon.languages.last_mut(), line.split_once(": "))
            {
                words.split_whitespace().for_each(|entry| language.add(list, entry));
            }
        }
        for spaceless in [false, true] {
            let alike = |language: &&mut Language| language.spaceless == spaceless;
            let and: Vec<Words> =
                lexicon.languages.iter_mut().filter(alike).flat_map(|l| l.and.clone()).collect();
            lexicon.languages.iter_mut().filter(alike).for_each(|language| language.and.clone_from(&and));
        }
        lexicon
    }
}

impl Language {
    fn add(&mut self, list: &str, entry: &str) {
        let (alone, entry) = entry.strip_prefix('=').map_or((false, entry), |entry| (true, entry));
        let words: Words = entry.split('_').map(folded).collect();
        let deed = match list {
            "destroy" | "clear" => Deed::Destroy,
            "pay" => Deed::Pay,
            "grant" => Deed::Grant,
            "publish" => Deed::Publish,
            "send" => Deed::Send,
            "harmless" => return self.harmless.push(words),
            "phrase" => return self.phrases.push(words),
            "before" => return self.before.push(words),
            "after" => return self.after.push(words),
            "and" => return self.and.push(words),
            _ => return self.decline.push(words),
        };
        if let Some(first) = words.first() {
            self.by_first_word.entry(first.clone()).or_default().push(self.commands.len());
        }
        self.commands.push(Phrase { words, deed, alone, mild: list == "clear" });
    }

    /// The commands of this language in a text, without those that are part of a longer one.
    fn hits(&self, text: &Folded) -> Vec<Hit<'_>> {
        let mut hits = Vec::new();
        for (number, clause) in text.clauses.iter().enumerate() {
            let places = if self.spaceless { self.inside(clause) } else { self.among_words(clause) };
            for (phrase, range, whole) in places {
                if phrase.alone && !(whole && text.clauses.len() == 1) {
                    continue;
                }
                // "Send feedback?" asks; "Delete?" may be the second press that really does it.
                let asks = text.asks && matches!(phrase.deed, Deed::Send | Deed::Publish);
                let disarmed = asks || self.is_disarmed(phrase, clause, &range);
                hits.push(Hit { phrase, language: self, clause: number, range, disarmed });
            }
        }
        let inner: Vec<bool> = hits.iter().map(|hit| hits.iter().any(|other| hit.is_inside(other))).collect();
        let outer = hits.into_iter().zip(inner).filter(|(_, inner)| !inner);
        outer.map(|(hit, _)| hit).collect()
    }

    fn declines(&self, text: &Folded) -> bool {
        let [clause] = text.clauses.as_slice() else { return false };
        let spelled = |words: &Words| clause.words == *words || clause.joined == words.concat();
        self.decline.iter().any(spelled)
    }

    /// Whether other words take the force from a command.
    fn is_disarmed(&self, phrase: &Phrase, clause: &Clause, place: &Range<usize>) -> bool {
        if self.spaceless {
            self.is_disarmed_inside(phrase, &clause.joined, place)
        } else {
            self.is_disarmed_among(phrase, &clause.words, place)
        }
    }

    /// Where commands stand, and whether they are the whole clause.
    fn among_words(&self, clause: &Clause) -> Vec<(&Phrase, Range<usize>, bool)> {
        let mut places = Vec::new();
        for (start, word) in clause.words.iter().enumerate() {
            let numbers = self.by_first_word.get(word).into_iter().flatten();
            for phrase in numbers.filter_map(|number| self.commands.get(*number)) {
                if stands_at(&clause.words, start, &phrase.words) {
                    let whole = phrase.words.len() == clause.words.len();
                    places.push((phrase, start..start + phrase.words.len(), whole));
                }
            }
        }
        places
    }

    /// The same where words are not separated.
    fn inside(&self, clause: &Clause) -> Vec<(&Phrase, Range<usize>, bool)> {
        let joined = clause.joined.as_str();
        if joined.is_ascii() {
            return Vec::new();
        }
        let mut places = Vec::new();
        for phrase in &self.commands {
            let word = phrase.words.concat();
            let found =
                joined.match_indices(&word).map(|(at, _)| (phrase, at..at + word.len(), joined == word));
            places.extend(found);
        }
        places
    }

    fn is_disarmed_among(&self, phrase: &Phrase, words: &[String], place: &Range<usize>) -> bool {
        let any_at = |list: &[Words], at: usize| list.iter().any(|listed| stands_at(words, at, listed));
        let and_before = (0..place.start).rev().find(|at| any_at(&self.and, *at));
        let start = and_before.map_or(0, |at| at + 1);
        let end = (place.end..words.len()).find(|at| any_at(&self.and, *at)).unwrap_or(words.len());
        let covers = |compound: &Words| {
            (0..=place.start).any(|at| stands_at(words, at, compound) && at + compound.len() > place.start)
        };
        (start..place.start).any(|at| any_at(&self.before, at))
            || (place.end..end).any(|at| any_at(&self.after, at))
            || self.phrases.iter().any(covers)
            || phrase.mild && (start..end).any(|at| any_at(&self.harmless, at))
    }

    fn is_disarmed_inside(&self, phrase: &Phrase, joined: &str, place: &Range<usize>) -> bool {
        let before = joined.get(..place.start).unwrap_or_default();
        let after = joined.get(place.end..).unwrap_or_default();
        let ends = self.and.iter().map(|words| words.concat());
        let start = ends.clone().filter_map(|and| before.rfind(&and).map(|at| at + and.len())).max();
        let end = ends.filter_map(|and| after.find(&and)).min();
        let before = before.get(start.unwrap_or(0)..).unwrap_or_default();
        let after = after.get(..end.unwrap_or(after.len())).unwrap_or_default();
        let has = |list: &[Words], text: &str| list.iter().any(|words| text.contains(&words.concat()));
        let covers = |compound: &Words| {
            let compound = compound.concat();
            let mut places = joined.match_indices(&compound).map(|(at, _)| at);
            places.any(|at| at <= place.start && at + compound.len() > place.start)
        };
        has(&self.before, before)
            || has(&self.after, after)
            || self.phrases.iter().any(covers)
            || phrase.mild && (has(&self.harmless, before) || has(&self.harmless, after))
    }
}

fn stands_at(words: &[String], at: usize, wanted: &[String]) -> bool {
    wanted.iter().enumerate().all(|(offset, word)| words.get(at + offset).is_some_and(|found| found == word))
}

/// A text in a form in which spellings do not matter.
struct Folded {
    clauses: Vec<Clause>,
    /// It ends with a question mark.
    asks: bool,
}

/// A part of a text without punctuation inside.
struct Clause {
    words: Vec<String>,
    /// The same without spaces.
    joined: String,
}

impl Folded {
    fn new(text: &str) -> Self {
        let text = folded(&text.chars().take(TEXT_CHARS_MAX).collect::<String>());
        let inside = |letter: char| letter.is_alphanumeric() || letter == '\'' || is_symbol(letter);
        let clause = |part: &str| {
            let words = part.split(|letter| !inside(letter)).filter(|word| !word.is_empty());
            let words: Vec<String> = words.map(str::to_owned).collect();
            Clause { joined: words.concat(), words }
        };
        let parts = text.split(|letter| CLAUSE_ENDS.contains(letter)).map(clause);
        let clauses = parts.filter(|clause| !clause.words.is_empty()).collect();
        Self { clauses, asks: text.trim_end().ends_with('?') }
    }
}

/// A text in one spelling: compatibility forms, case and what [`fold`] knows.
fn folded(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).filter_map(fold).collect()
}

/// Compatibility forms of these are folded to the plain ones before.
const CLAUSE_ENDS: &str = ",;:!?/|&+()[]{}\u{2022}\u{b7}\u{2013}\u{2014}\u{3001}\u{3002}\n";

/// Letters that are written in two ways, by the rules of a language or for want of a key.
fn fold(letter: char) -> Option<char> {
    match letter {
        // What is left of a Turkish capital I with a dot.
        '\u{307}' | '\u{fe0f}' => None,
        'ı' => Some('i'),
        'ё' => Some('е'),
        '\u{2019}' | '\u{2bc}' => Some('\''),
        other => Some(other),
    }
}

/// Pictures count as letters: a bin says what it does.
fn is_symbol(letter: char) -> bool {
    ('\u{1f300}'..='\u{1faff}').contains(&letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_lexicon_is_a_language_or_a_known_list() {
        let lists = "destroy clear harmless pay send publish grant phrase before after and decline";
        for line in
            include_str!("lexicon.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            let language = line.starts_with('[') && (line.ends_with(']') || line.ends_with("] spaceless"));
            let list =
                line.split_once(": ").is_some_and(|(name, _)| lists.split(' ').any(|list| list == name));
            assert!(language || list, "{line}");
        }
        assert!(LEXICON.languages.iter().all(|language| !language.commands.is_empty()));
    }
}
