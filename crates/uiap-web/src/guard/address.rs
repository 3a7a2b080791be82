//! Does the address of a GET look as if following it changed something? Start at [`command`].
//!
//! It cannot be known, so both mistakes are weighed. A command that is followed may delete or end the session; a page
//! that is held back is one page less on the map, and an environment can declare it as a read. Hence:
//! - Words count as a whole, in their form of command: `/deleted-items` and `/removals` pass, `/delete-items` does not,
//!   and neither does `/deleteitems`.
//! - Below places of documentation, and in headlines, a command is only talked about, unless an id stands beside it.
//!   A question before it (`how-to-...`, `can-...`) always takes its force; a topic beside it (`-policy`, `-log`) does
//!   unless it is aimed at one thing: `/delete-log/5` is a command.
//! - What ends the session is believed anywhere but in the name of a page of help.
//! - Words that also name pages or things (`archive`, `order`, `star`) count only after the id of what they are done to.
//! - Words that open forms (`edit`, `new`, `create`, `add`) do not count: the form is sent by another request.
//! - Scripts, styles, fonts, pictures pass whatever they are called, and as parts of a page wherever they are.

use super::graphql;
use super::rules::{Reason, Wanted, asks_only};
use super::words::{
    ACT, ACT_SURELY, ACTION_KEYS, AGREE, BASKETS, BUTTON_KEYS, DESTROY, DESTROY_COMPOUND, DESTROY_FIRST,
    DOCS, EMPTY, EXPORTS, FILES, LEAVE, LEAVE_COMPOUND, METHOD_KEYS, PERFORM, PROGRAM_PAGES, PROGRAMS,
    QUESTIONS, READING, ROUTE_KEYS, SCRIPTS, TOKEN_KEYS, TOPICS, is_around_one_of, is_compound_of, is_one_of,
    words,
};
use unicode_normalization::UnicodeNormalization;
use url::Url;

/// Segments and parameters that are looked at; an address with more is held back unread.
const PARTS_MAX: usize = 200;
/// Objects of commands that change only what is shown.
const HARMLESS: &str = "filter filters duplicates diacritics";
/// Longest headline of a command that does not begin with it: `confirm-delete-account`.
const COMMAND_WORDS_MAX: usize = 4;
/// Fewest words of a headline where applications also let people write: `delete-all` is none.
const HEADLINE_WORDS_MIN: usize = 4;
/// Most words of a phrase that ends the session.
const PHRASE_WORDS_MAX: usize = 3;
/// Shortest text without meaning that proves something.
const OPAQUE_CHARS_MIN: usize = 16;

struct Segment {
    text: String,
    words: Vec<String>,
}

impl Segment {
    fn of(text: &str) -> Self {
        // What stands after a semicolon belongs to the session, not to the address.
        let text = text.split(';').next().unwrap_or_default().to_owned();
        Self { words: words(&text), text }
    }

    fn joined(&self) -> String {
        self.words.concat()
    }

    fn is(&self, list: &str) -> bool {
        is_one_of(&self.joined(), list)
            || matches!(&*self.words, [word, ending] if is_one_of(word, list) && ending.len() <= 4 && self.text.contains('.'))
    }

    fn has(&self, list: &str) -> bool {
        self.words.iter().any(|word| is_one_of(word, list))
    }

    /// It ends the session, and does not only talk about it. The phrase may be of several words: `log-out`.
    fn leaves(&self) -> bool {
        let is_phrase = |words: &[String]| match words {
            [word] => {
                is_one_of(word, LEAVE)
                    || is_compound_of(word, LEAVE_COMPOUND)
                    || is_around_one_of(word, LEAVE)
            }
            _ => is_one_of(&words.concat(), LEAVE),
        };
        (1..=PHRASE_WORDS_MAX).any(|count| {
            let mut phrases = self.words.windows(count).enumerate();
            phrases.any(|(place, phrase)| {
                let mut others = self.words.iter().take(place).chain(self.words.iter().skip(place + count));
                is_phrase(phrase) && !self.is_asked(place) && !others.any(|word| is_one_of(word, TOPICS))
            })
        })
    }

    /// A question stands before this word.
    fn is_asked(&self, place: usize) -> bool {
        self.words.iter().take(place).any(|word| is_one_of(word, QUESTIONS))
    }

    /// Where a word commands that something is destroyed, and nothing else in it takes the force from that.
    fn destroys(&self, is_aimed: bool) -> Option<usize> {
        let mut words = self.words.iter().enumerate();
        let place = words
            .find(|(place, word)| {
                is_one_of(word, DESTROY) && (*place == 0 || !is_one_of(word, DESTROY_FIRST))
                    || is_compound_of(word, DESTROY_COMPOUND)
                    || is_around_one_of(word, DESTROY)
            })
            .map(|(place, _)| place)
            // A phrase: `ta-bort`.
            .or_else(|| is_one_of(&self.joined(), DESTROY).then_some(0))?;
        let is_excused = self.is_asked(place) || !is_aimed && self.has(TOPICS);
        (!is_excused).then_some(place)
    }

    /// It names one thing of many.
    fn is_id(&self) -> bool {
        let text = self.text.as_str();
        let digits = text.chars().filter(char::is_ascii_digit).count();
        let is_plain = text.chars().all(|next| next.is_ascii_alphanumeric() || matches!(next, '-' | '_'));
        let is_number = digits > 0 && digits == text.len();
        let is_mixed = text.len() >= 6 && digits >= 2 && is_plain;
        is_number || is_mixed || is_opaque(text)
    }
}

/// A text without meaning that is too long to be guessed.
fn is_opaque(text: &str) -> bool {
    let is_plain =
        text.chars().all(|next| next.is_ascii_alphanumeric() || matches!(next, '-' | '_' | '.' | '~'));
    let has_digit = text.chars().any(|next| next.is_ascii_digit());
    text.len() >= OPAQUE_CHARS_MIN && is_plain && has_digit
}

/// What the address of a request that reads commands, if it looks like a command.
pub(super) fn command(url: &Url, wanted: Wanted) -> Option<Reason> {
    let segments: Vec<Segment> = url
        .path_segments()
        .into_iter()
        .flatten()
        .filter(|segment| !segment.is_empty())
        .take(PARTS_MAX + 1)
        .map(|segment| Segment::of(&decoded(segment)))
        .collect();
    let pairs = pairs(url);
    if segments.len() > PARTS_MAX || pairs.len() > PARTS_MAX {
        return Some(Reason::Unreadable);
    }
    let judged = match segments.as_slice() {
        // Of a page, and of what programs are served, a file may be what something is done to.
        [folders @ .., file] if has_ending(&file.text, FILES) => {
            let is_asset = wanted != Wanted::Page && !folders.first().is_some_and(|first| first.is(PROGRAMS));
            if is_asset { &[] } else { folders }
        }
        all => all,
    };
    by_path(url, judged, &pairs)
        .or_else(|| by_route(url, &segments, &pairs))
        .or_else(|| by_query(&pairs))
        .or_else(|| by_document(url))
}

/// A parameter says that another method is meant.
pub(super) fn means_other_method(url: &Url, method: &str) -> bool {
    pairs(url).iter().any(|(key, value)| {
        let is_said = value.eq_ignore_ascii_case(method) || value.eq_ignore_ascii_case("get");
        is_one_of(&key.to_lowercase(), METHOD_KEYS) && !is_said
    })
}

/// The same address as a page: what is served to programs is no page, and a form or a link that leads there does
/// something.
pub(super) fn is_for_programs(url: &Url) -> bool {
    let segments: Vec<_> =
        url.path_segments().into_iter().flatten().filter(|part| !part.is_empty()).collect();
    let is_program = |part: &&str| is_one_of(&part.to_lowercase(), PROGRAMS);
    let [first, second, ..] = &*segments else { return false };
    let is_page = is_one_of(&second.to_lowercase(), PROGRAM_PAGES)
        || segments.last().is_some_and(|last| has_ending(last, EXPORTS) || has_ending(last, FILES));
    is_program(first) && !is_page
}

fn has_ending(segment: &str, endings: &str) -> bool {
    segment
        .rsplit_once('.')
        .is_some_and(|(name, ending)| !name.is_empty() && is_one_of(&ending.to_lowercase(), endings))
}

fn by_path(url: &Url, segments: &[Segment], pairs: &[(String, String)]) -> Option<Reason> {
    let labels = || url.host_str().into_iter().flat_map(|host| host.split('.'));
    let with_id = segments.iter().any(Segment::is_id) || pairs.iter().any(|(key, _)| names_one(key));
    for (place, segment) in segments.iter().enumerate() {
        let before = segments.get(..place).unwrap_or_default();
        let after = segments.get(place + 1..).unwrap_or_default();
        let told = || Reason::Command { word: segment.text.chars().take(40).collect() };
        if segment.leaves() {
            return Some(told());
        }
        let is_aimed = after.iter().any(Segment::is_id) || pairs.iter().any(|(key, _)| names_one(key));
        let in_docs =
            before.iter().any(|before| before.is(DOCS)) || labels().any(|label| is_one_of(label, DOCS));
        let in_reading = before.iter().any(|before| before.is(READING));
        let is_headline = segment.words.len() >= HEADLINE_WORDS_MIN && in_reading;
        let excused = !with_id && (in_docs || is_headline);
        if !excused && destroys(segment, is_aimed) {
            return Some(told());
        }
        if !excused && acts(segment, before, after) {
            return Some(told());
        }
        if segment.is("add") && before.last().is_some_and(|before| before.is(BASKETS)) {
            return Some(told());
        }
        if matches!(&*segment.words, [add, to, ..] if add == "add" && to == "to") {
            return Some(told());
        }
        if agrees(segment, segments, pairs) {
            return Some(Reason::TokenLink);
        }
    }
    None
}

fn destroys(segment: &Segment, is_aimed: bool) -> bool {
    let is_short = segment.words.len() <= COMMAND_WORDS_MAX;
    segment.destroys(is_aimed).is_some_and(|place| place == 0 || is_short)
}

/// A command that follows the name of what it is done to, at the end of the address or before its last id.
fn acts(segment: &Segment, before: &[Segment], after: &[Segment]) -> bool {
    let is_last = after.iter().all(Segment::is_id);
    let after_id = before.last().is_some_and(Segment::is_id);
    let surely = segment.is(ACT_SURELY) && (!after.is_empty() || before.len() > 1);
    let empties = segment.is(EMPTY) && after.is_empty() && !before.is_empty();
    is_last && (after_id && segment.is(ACT) || surely) || empties
}

fn agrees(segment: &Segment, segments: &[Segment], pairs: &[(String, String)]) -> bool {
    let by_path = || segments.iter().any(|other| !std::ptr::eq(other, segment) && is_opaque(&other.text));
    let by_query = || {
        let is_token = |key: &str| {
            is_one_of(&words(key).concat(), TOKEN_KEYS) || words(key).iter().any(|word| word == "token")
        };
        pairs.iter().any(|(key, value)| !value.is_empty() && is_token(key))
    };
    segment.has(AGREE) && !segment.has(TOPICS) && !segment.has(QUESTIONS) && (by_path() || by_query())
}

/// A parameter that says which thing is meant.
fn names_one(key: &str) -> bool {
    words(key)
        .last()
        .is_some_and(|word| matches!(word.as_str(), "id" | "ids" | "uuid" | "pid" | "sku" | "item"))
}

fn by_query(pairs: &[(String, String)]) -> Option<Reason> {
    let with_id = pairs.iter().any(|(key, _)| names_one(key));
    for (key, value) in pairs {
        let told = || Reason::Command { word: format!("{key}={value}").chars().take(40).collect() };
        let name = Segment::of(key);
        let refused = matches!(value.to_lowercase().as_str(), "0" | "false" | "no" | "off");
        let begins = name.leaves() || name.destroys(Segment::of(value).is_id()) == Some(0);
        if begins && !refused && !name.has(HARMLESS) {
            return Some(told());
        }
        let pressed = Segment::of(value);
        let commands = pressed.leaves() || pressed.destroys(with_id).is_some();
        if is_one_of(&name.joined(), BUTTON_KEYS) && commands && !pressed.has(HARMLESS) {
            return Some(told());
        }
        if name.is(ACT_SURELY) && !refused && Segment::of(value).is_id() {
            return Some(told());
        }
        if matches!(&*name.words, [add, to, ..] if add == "add" && to == "to") && !refused {
            return Some(told());
        }
        if is_one_of(&name.joined(), ACTION_KEYS) && performs(value, with_id) {
            return Some(told());
        }
    }
    None
}

/// The address within a program that finds its pages by a parameter: `index.php?r=post/delete`.
fn by_route(url: &Url, segments: &[Segment], pairs: &[(String, String)]) -> Option<Reason> {
    let is_script =
        url.path().ends_with('/') || segments.last().is_some_and(|last| has_ending(&last.text, SCRIPTS));
    let is_route = |(key, value): &&(String, String)| {
        // What is searched for is no address, unless it looks like one.
        is_one_of(&key.to_lowercase(), ROUTE_KEYS) && (key != "q" || value.contains('/'))
    };
    let mut routes = pairs.iter().filter(is_route).filter(|_| is_script);
    routes.find_map(|(_, value)| {
        let parts = value.split('/').filter(|part| !part.is_empty());
        by_path(url, &parts.take(PARTS_MAX).map(Segment::of).collect::<Vec<_>>(), pairs)
    })
}

/// A GraphQL document in the address.
fn by_document(url: &Url) -> Option<Reason> {
    let writes = |document: &str| match graphql::read(document) {
        graphql::Document::Queries(roots) => !asks_only(&roots),
        graphql::Document::Writes => true,
        // There may be servers that understand more.
        graphql::Document::Stranger => document.contains("mutation") && document.contains('{'),
    };
    let mut documents = url.query_pairs().filter(|(key, _)| key == "query");
    documents.any(|(_, document)| writes(&document)).then_some(Reason::Mutation)
}

/// The value of a parameter that names what is to be done is a command.
fn performs(value: &str, with_id: bool) -> bool {
    // What comes first may only be whose command it is: `article.publish`.
    let own = Segment::of(value.rsplit(['.', '/', ':']).next().unwrap_or_default());
    let value = Segment::of(value);
    let commands = value.destroys(with_id).is_some() || value.leaves();
    let mut first = [&value, &own].into_iter().filter_map(|segment| segment.words.first());
    let performs =
        first.any(|word| is_one_of(word, PERFORM) || is_one_of(word, ACT) || with_id && word == "add");
    commands || performs && (with_id || !value.has(TOPICS))
}

/// A text without percent signs, in one spelling. What is not UTF-8 is read as the older encoding of Western Europe.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digit = |byte: &u8| char::from(*byte).to_digit(16);
        let escaped = match (first, after) {
            (b'%', [high, low, ..]) => digit(high).zip(digit(low)),
            _ => None,
        };
        let byte = escaped.and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = after.get(if byte.is_some() { 2 } else { 0 }..).unwrap_or_default();
    }
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
    text.nfkc().collect()
}

/// The parameters of an address. Some programs separate them by semicolons.
fn pairs(url: &Url) -> Vec<(String, String)> {
    let text = |text: &str| decoded(&text.replace('+', " "));
    let pairs = url.query().unwrap_or_default().split(['&', ';']).filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.take(PARTS_MAX + 1).map(|(key, value)| (text(key), text(value))).collect()
}
