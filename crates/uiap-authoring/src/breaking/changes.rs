//! The list of changes while it grows, and the comparisons that many parts of a bundle have in common.

use super::place::At;
use super::rules::Rule;
use super::witness::{Witness, json};
use super::{Change, Class};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Display;
use uiap_protocol::ids::Locale;
use uiap_protocol::text_value::{AuthoredText, LocaleMessage};
use uiap_protocol::wire::JsonObject;

/// Members of metadata that say who stands behind an item.
const VOUCHING: [&str; 2] = ["reviews", "provenance"];

/// The list of changes.
#[derive(Debug, Default)]
pub(super) struct Changes {
    list: Vec<Change>,
}

/// Two rules: for what is gone and for what came.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) gone: Rule,
    pub(super) came: Rule,
}

/// An item with an id, in two lists.
#[derive(Debug)]
pub(super) enum Met<'b, T> {
    /// It was at this place of the old list.
    Gone(usize, &'b T),
    /// It is at this place of the new list.
    Came(usize, &'b T),
    /// It is in both and differs.
    Differs((usize, &'b T), (usize, &'b T)),
}

/// What two lists of items with ids do not have in common. Of items with one id the first counts.
pub(super) fn meet<'b, T: PartialEq>(
    old: Option<&'b Vec<T>>,
    new: Option<&'b Vec<T>>,
    id: impl Fn(&T) -> &str,
) -> Vec<Met<'b, T>> {
    let (old, new) = (firsts(old, &id), firsts(new, &id));
    let index: HashMap<&str, (usize, &T)> = old.iter().map(|(at, item)| (id(item), (*at, *item))).collect();
    let kept: HashSet<&str> = new.iter().map(|(_, item)| id(item)).collect();
    let gone = old.iter().filter(|(_, item)| !kept.contains(id(item)));
    let mut met: Vec<_> = gone.map(|(at, item)| Met::Gone(*at, *item)).collect();
    for (at, item) in new {
        match index.get(id(item)) {
            None => met.push(Met::Came(at, item)),
            Some((_, before)) if *before == item => {}
            Some(before) => met.push(Met::Differs(*before, (at, item))),
        }
    }
    met
}

fn firsts<'b, T>(list: Option<&'b Vec<T>>, id: &impl Fn(&T) -> &str) -> Vec<(usize, &'b T)> {
    let mut seen = HashSet::new();
    let items = list.into_iter().flatten().enumerate();
    items.filter(|(_, item)| seen.insert(id(item))).collect()
}

/// What stands in one list and not in the other, with its place: first the old list, then the new one.
pub(super) type Unshared<'b, T> = (Vec<(usize, &'b T)>, Vec<(usize, &'b T)>);

pub(super) fn unshared<'b, T>(old: &'b [T], new: &'b [T], key: impl Fn(&T) -> String) -> Unshared<'b, T> {
    let only = |list: &'b [T], other: &[T]| {
        let other: HashSet<String> = other.iter().map(&key).collect();
        list.iter().enumerate().filter(|(_, item)| !other.contains(&key(item))).collect()
    };
    (only(old, new), only(new, old))
}

/// Something in quotes, or what stands for nothing.
pub(super) fn quoted(value: Option<&impl Display>) -> String {
    value.map_or_else(|| "nothing".to_owned(), |value| format!("\"{value}\""))
}

impl Changes {
    pub(super) fn add(&mut self, rule: Rule, at: &At<'_>, message: impl Into<String>, witness: Witness) {
        self.add_at(rule, (at.in_old(), at.in_new()), message.into(), witness);
    }

    pub(super) fn add_at(
        &mut self,
        rule: Rule,
        (old, new): (Option<String>, Option<String>),
        message: String,
        witness: Witness,
    ) {
        self.list.push(Change { rule, class: rule.class(), old, new, message, witness });
    }

    pub(super) fn list(&self) -> &[Change] {
        &self.list
    }

    /// The list, the gravest first; otherwise as the bundles are written.
    pub(super) fn into_list(mut self) -> Vec<Change> {
        self.list.sort_by_key(|change| std::cmp::Reverse::<Class>(change.class));
        self.list
    }

    /// A member that is the same or not.
    pub(super) fn value<T: PartialEq + Serialize>(
        &mut self,
        rule: Rule,
        at: &At<'_>,
        (old, new): (&T, &T),
        message: impl FnOnce() -> String,
    ) {
        if old != new {
            self.add(rule, at, message(), Witness::values(old, new));
        }
    }

    /// A list whose order means nothing.
    pub(super) fn words<'b, T: Serialize>(
        &mut self,
        rules: Pair,
        at: &At<'_>,
        (old, new): (Option<&'b Vec<T>>, Option<&'b Vec<T>>),
        who: &str,
        told: impl Fn(&T, bool) -> (String, Witness),
    ) {
        let (before, after) = (slice(old), slice(new));
        let (gone, came) = unshared(before, after, |item| json(item).to_string());
        for (place, item) in &gone {
            let (message, witness) = told(item, false);
            self.add(rules.gone, &at.gone(*place), format!("{who} {message}."), witness);
        }
        for (place, item) in &came {
            let (message, witness) = told(item, true);
            self.add(rules.came, &at.came(*place), format!("{who} {message}."), witness);
        }
        let same = gone.is_empty() && came.is_empty();
        if same && json(&before) != json(&after) {
            self.add(Rule::ListReordered, at, format!("{who} lists the same in another order."), {
                Witness::values(&old, &new)
            });
        } else if same && old.is_some() != new.is_some() {
            self.respelled(at, &old, &new);
        }
    }

    /// A list that says where something holds; without one it holds everywhere.
    pub(super) fn reach<'b, T: Serialize + Display>(
        &mut self,
        rules: Pair,
        at: &At<'_>,
        (old, new): (Option<&'b Vec<T>>, Option<&'b Vec<T>>),
        who: &str,
        witness: impl Fn(Option<&T>) -> Witness,
    ) {
        match (old, new) {
            (None, None) => {}
            (None, Some(_)) => {
                self.add(rules.gone, at, format!("{who} is limited to some places."), witness(None));
            }
            (Some(_), None) => {
                self.add(rules.came, at, format!("{who} is not limited to some places."), witness(None));
            }
            (Some(_), Some(_)) => self.words(rules, at, (old, new), who, |item, came| {
                let message = if came { "is also at" } else { "is no longer at" };
                (format!("{message} \"{item}\""), witness(Some(item)))
            }),
        }
    }

    /// Something empty that is there or not.
    pub(super) fn respelled(&mut self, at: &At<'_>, old: &impl Serialize, new: &impl Serialize) {
        let message = "Something empty is left out or written out.";
        self.add(Rule::EmptyRespelled, at, message, Witness::values(old, new));
    }

    /// A part that is an object, where it is on one side only and says nothing there.
    pub(super) fn respelled_object<T: Serialize>(&mut self, at: &At<'_>, old: Option<&T>, new: Option<&T>) {
        let (Some(said), true) = (old.or(new), old.is_some() != new.is_some()) else { return };
        if json(said).as_object().is_some_and(JsonObject::is_empty) {
            self.respelled(at, &old, &new);
        }
    }

    /// A list of items with ids, where it is empty on one side and absent on the other.
    pub(super) fn respelled_list<T: Serialize>(
        &mut self,
        at: &At<'_>,
        old: Option<&Vec<T>>,
        new: Option<&Vec<T>>,
    ) {
        if slice(old).is_empty() && slice(new).is_empty() && old.is_some() != new.is_some() {
            self.respelled(at, &old, &new);
        }
    }

    /// A text for people, in one language or in several.
    pub(super) fn text(
        &mut self,
        rule: Rule,
        at: &At<'_>,
        (old, new): (Option<&AuthoredText>, Option<&AuthoredText>),
        who: &str,
    ) {
        if old == new {
            return;
        }
        let (was, is) = (old.and_then(languages), new.and_then(languages));
        self.translations(rule, &at.member("byLocale"), was, is, who);
        let message = || format!("{who} says something else.");
        if let (Some(was), Some(is)) = (was, is) {
            self.value(rule, &at.member("default"), (&was.default, &is.default), message);
        } else {
            // A form with members that nobody knows may mean more than a text.
            let unknown = was.into_iter().chain(is).any(|message| !message.extra.is_empty());
            let rule = if unknown { Rule::Unclassified } else { rule };
            self.add(rule, at, message(), Witness::values(&old, &new));
        }
    }

    fn translations(
        &mut self,
        rule: Rule,
        at: &At<'_>,
        old: Option<&LocaleMessage>,
        new: Option<&LocaleMessage>,
        who: &str,
    ) {
        fn texts(message: Option<&LocaleMessage>) -> Option<&BTreeMap<Locale, String>> {
            message.and_then(|message| message.by_locale.as_ref())
        }
        let (old, new) = (texts(old), texts(new));
        self.respelled_object(at, old, new);
        let none = BTreeMap::new();
        let (old, new) = (old.unwrap_or(&none), new.unwrap_or(&none));
        for (locale, was) in old {
            let at = at.member(locale.as_str());
            match new.get(locale) {
                Some(is) => self.value(rule, &at, (was, is), || format!("{who} says something else.")),
                None => {
                    let message = format!("{who} is not there in the language \"{locale}\" any more.");
                    self.add(Rule::TranslationRemoved, &at, message, Witness::gone(was));
                }
            }
        }
        for (locale, is) in new.iter().filter(|(locale, _)| !old.contains_key(*locale)) {
            let message = format!("{who} is there in the language \"{locale}\" too.");
            self.add(Rule::TranslationAdded, &at.member(locale.as_str()), message, Witness::came(is));
        }
    }

    /// What only the application understands, member by member; those in `known` were compared elsewhere.
    pub(super) fn metadata(
        &mut self,
        at: &At<'_>,
        old: Option<&JsonObject>,
        new: Option<&JsonObject>,
        who: &str,
        known: &[&str],
    ) {
        let at = at.member("metadata");
        self.respelled_object(&at, old, new);
        let all: BTreeSet<&String> = old.into_iter().chain(new).flat_map(JsonObject::keys).collect();
        for name in all.into_iter().filter(|name| !known.contains(&name.as_str())) {
            let value = |object: Option<&JsonObject>| object.and_then(|object| object.get(name)).cloned();
            let (was, is) = (value(old), value(new));
            if was == is {
                continue;
            }
            let rule = match (&was, VOUCHING.contains(&name.as_str())) {
                (_, true) => Rule::ReviewMetadataChanged,
                (None, false) => Rule::MetadataAdded,
                (Some(_), false) => Rule::MetadataChanged,
            };
            let message = format!("{who} has other metadata in \"{name}\".");
            self.add(rule, &at.member(name), message, Witness::values(&was, &is));
        }
    }
}

fn slice<T>(list: Option<&Vec<T>>) -> &[T] {
    list.map(Vec::as_slice).unwrap_or_default()
}

fn languages(text: &AuthoredText) -> Option<&LocaleMessage> {
    match text {
        AuthoredText::Localized(message) => Some(message),
        AuthoredText::Plain(_) | AuthoredText::Reference(_) => None,
    }
}
