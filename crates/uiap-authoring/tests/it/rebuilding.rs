//! A builder that has built before gives what a new one gives, whatever changed in between.
//!
//! Every round changes something about the shop or what it imports: a value, a member, an item, the lines, a whole
//! file, the order of manifests, or the context. `UIAP_BUILDS` says how many rounds, `UIAP_SEED` where to begin.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use crate::dice::{Dice, number};
use crate::packages::{SourceFile, files, put};
use serde_json::{Value, json};
use uiap_authoring::{Builder, Folder, Hands, Lock, Memory, Outcome, Request, Texts};
use uiap_protocol::authoring::{BuildContext, ReleaseChannel};
use uiap_protocol::ids::Locale;
use uiap_protocol::text::{Format, Limits, read};
use uiap_protocol::time::Timestamp;

/// Rounds of the usual test run.
const ROUNDS: u64 = 150;
/// After so many rounds everything is as it was in the beginning, so that not all of them build something broken.
const ROUNDS_AWAY: u64 = 4;

const PACKAGES: [&str; 2] = ["shop", "base"];

/// The files as they are now, beside what they were.
struct Desk {
    original: Vec<(&'static str, SourceFile)>,
    memory: Memory,
    request: Request,
}

impl Desk {
    fn new() -> Self {
        let original: Vec<_> = PACKAGES
            .iter()
            .flat_map(|folder| files(folder).into_iter().map(|file| (*folder, file)))
            .collect();
        let request = Request {
            folder: Folder::new("shop"),
            context: BuildContext::default(),
            now: Timestamp::new("2026-06-01T00:00:00Z").expect("a time"),
            lock: Lock::default(),
        };
        let mut desk = Self { original, memory: Memory::default(), request };
        desk.tidy();
        desk
    }

    /// Puts everything back.
    fn tidy(&mut self) {
        self.request.context = BuildContext::default();
        self.memory = Memory::default();
        for folder in PACKAGES {
            put(&mut self.memory, folder, &files(folder));
            self.memory.offer(folder);
        }
    }

    fn change(&mut self, dice: &mut Dice) -> String {
        if dice.below(6) == 0 {
            return self.change_context(dice);
        }
        let (folder, file) = self.original.get(dice.below(self.original.len())).expect("a file");
        let mut document = read(&file.text, Format::Yaml, Limits::DOCUMENT).expect("YAML").to_json();
        let what = match dice.below(10) {
            0 => {
                self.memory.remove(folder, &file.path);
                return format!("{folder}/{} is gone", file.path);
            }
            1 => {
                self.memory.put(folder, &file.path, file.text.as_str());
                return format!("{folder}/{} is as it was", file.path);
            }
            2 => {
                self.memory.put(folder, &file.path, format!("# a remark\n\n{}", file.text));
                return format!("{folder}/{} has other lines", file.path);
            }
            3 => {
                let listed = document.pointer_mut("/spec/manifests").and_then(Value::as_array_mut);
                listed.into_iter().for_each(|list| dice.shuffle(list));
                "manifests in another order"
            }
            4..=6 => {
                reword(&mut document, dice);
                "other words"
            }
            _ => alter(&mut document, dice),
        };
        self.memory.put(folder, &file.path, document.to_string());
        format!("{folder}/{}: {what}", file.path)
    }

    fn change_context(&mut self, dice: &mut Dice) -> String {
        let pick = |dice: &mut Dice, words: &[&str]| {
            words.get(dice.below(words.len() + 1)).map(|word| (*word).to_owned())
        };
        let context = &mut self.request.context;
        match dice.below(2) {
            0 => {
                let word = pick(dice, ReleaseChannel::WORDS);
                context.channel = word.and_then(|word| ReleaseChannel::from_word(&word));
            }
            _ => context.locale = pick(dice, &["de", "en", "fr-CA"]).and_then(|tag| Locale::new(tag).ok()),
        }
        format!("{context:?}")
    }
}

/// Members that say something to people, so that others do not depend on it.
const WORDS: [&str; 5] = ["title", "name", "description", "meaning", "text"];

/// Changes some of what a document says to people.
fn reword(value: &mut Value, dice: &mut Dice) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::String(text) if WORDS.contains(&name.as_str()) && dice.below(4) == 0 => {
                        text.push_str(" again");
                    }
                    inner => reword(inner, dice),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| reword(item, dice)),
        _ => {}
    }
}

/// Changes one value somewhere in a document.
fn alter(value: &mut Value, dice: &mut Dice) -> &'static str {
    let goes_on = dice.below(8) > 0;
    match value {
        Value::Object(members) if goes_on && !members.is_empty() => {
            let place = dice.below(members.len());
            let inner = members.values_mut().nth(place).expect("a member");
            alter(inner, dice)
        }
        Value::Array(items) if goes_on && !items.is_empty() => {
            let place = dice.below(items.len());
            alter(items.get_mut(place).expect("an item"), dice)
        }
        Value::Object(members) => {
            let name = members.keys().nth(dice.below(members.len())).cloned();
            name.and_then(|name| members.remove(&name));
            "a member less"
        }
        Value::Array(items) if dice.below(2) == 0 => {
            items.truncate(items.len() / 2);
            "fewer items"
        }
        Value::Array(items) => {
            items.extend(items.first().cloned());
            "an item twice"
        }
        Value::String(text) => {
            text.push_str(" changed");
            "another text"
        }
        other => {
            *other = json!("something else");
            "another kind of value"
        }
    }
}

/// Everything that a build says, without the numbers that a builder gives to files.
fn said(outcome: &Outcome) -> Value {
    let diagnostics: Vec<_> =
        outcome.diagnostics.iter().map(|one| (json!(one), one.span.start, one.span.end)).collect();
    let built = outcome.built.as_ref().map(|built| {
        json!({"text": built.text, "origins": built.origins, "digest": built.digest, "lock": built.lock,
            "bundle": built.bundle})
    });
    json!({"diagnostics": diagnostics, "built": built, "report": outcome.report})
}

/// Two threads that begin at both ends.
#[derive(Debug)]
struct Twice;

impl Hands for Twice {
    fn share(&self, jobs: usize, job: &(dyn Fn(usize) + Sync)) {
        let half = jobs / 2;
        std::thread::scope(|scope| {
            scope.spawn(|| (half..jobs).rev().for_each(job));
            (0..half).for_each(job);
        });
    }
}

/// The last job first.
#[derive(Debug)]
struct Backwards;

impl Hands for Backwards {
    fn share(&self, jobs: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..jobs).rev().for_each(job);
    }
}

#[test]
fn whoever_has_built_before_builds_the_same() {
    let seed = number("UIAP_SEED", 1);
    let mut dice = Dice(seed);
    let mut desk = Desk::new();
    let texts = Texts::default();
    let mut builder = Builder::with_hands(&texts, &Twice);
    let mut sound = 0_u64;
    let rounds = number("UIAP_BUILDS", ROUNDS);
    for round in 0..rounds {
        if round % ROUNDS_AWAY == 0 {
            desk.tidy();
        }
        let change = desk.change(&mut dice);
        let again = said(&builder.build(&desk.request, &desk.memory));
        let anew =
            said(&Builder::with_hands(&Texts::default(), &Backwards).build(&desk.request, &desk.memory));
        assert_eq!(again, anew, "round {round} from seed {seed}: {change}");
        sound += u64::from(anew.get("built").is_some_and(Value::is_object));
    }
    assert!(sound * 10 > rounds, "only {sound} of {rounds} rounds built something");
}
