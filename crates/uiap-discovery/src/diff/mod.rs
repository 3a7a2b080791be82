//! What is different between two discovery packages: of two releases, or of two people who may see different things.
//!
//! Start at [`diff`]. Things are the same if they have the same id; what has no stable id and only changed its name is
//! recognised by its place. Times, states and evidence are not compared: they differ when nothing has changed.

mod actions;
mod elements;
mod places;

use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use uiap_protocol::discovery::{DiscoveryPackage, DiscoveryRunStatus, ReviewItemKind};

/// What kind of change it is, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// It is not there any more.
    Vanished,
    /// It is there and means something else.
    Meaning,
    /// It is riskier than it was.
    Stricter,
    /// It is less risky than it was.
    Looser,
    /// It is new.
    Appeared,
}

impl Class {
    /// All of them, the gravest first.
    pub const ALL: [Self; 5] = [Self::Vanished, Self::Meaning, Self::Stricter, Self::Looser, Self::Appeared];

    /// As a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Vanished => "vanished",
            Self::Meaning => "meaning",
            Self::Stricter => "stricter",
            Self::Looser => "looser",
            Self::Appeared => "appeared",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

/// What changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Subject {
    /// A route.
    Route,
    /// An area.
    Scope,
    /// An element.
    Element,
    /// An action.
    Action,
    /// What could become a workflow.
    Workflow,
}

impl Subject {
    /// As it stands in a sentence.
    fn word(self) -> &'static str {
        match self {
            Self::Route => "route",
            Self::Scope => "area",
            Self::Element => "element",
            Self::Action => "action",
            Self::Workflow => "workflow",
        }
    }
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Change {
    /// What kind.
    pub class: Class,
    /// Of what.
    pub subject: Subject,
    /// Which.
    pub id: String,
    /// In a sentence.
    pub message: String,
}

/// What is different, the gravest first.
pub fn diff(old: &DiscoveryPackage, new: &DiscoveryPackage) -> Vec<Change> {
    let mut changes = Changes::default();
    places::compare(old, new, &mut changes);
    elements::compare(old, new, &mut changes);
    actions::compare(old, new, &mut changes);
    changes.0.sort();
    changes.0.dedup();
    changes.0
}

/// Whether a package shows all that its run could have seen: what is missing in it may then be missing indeed.
pub fn is_complete(package: &DiscoveryPackage) -> bool {
    let has_gap = package.review_queue.items.iter().any(|item| {
        item.kind == ReviewItemKind::CoverageGap && item.description.starts_with("The budget of ")
    });
    package.run.status == DiscoveryRunStatus::Completed && !has_gap
}

/// Differences that are found one by one.
#[derive(Default)]
struct Changes(Vec<Change>);

impl Changes {
    fn add(&mut self, class: Class, subject: Subject, id: &str, message: String) {
        self.0.push(Change { class, subject, id: id.to_owned(), message });
    }

    fn meaning(&mut self, subject: Subject, id: &str, what: &str) {
        self.add(Class::Meaning, subject, id, format!("The {} {id} {what}.", subject.word()));
    }

    /// Something is a value that was another one.
    fn became(&mut self, subject: Subject, id: &str, what: &str, old: &str, new: &str) {
        if old != new {
            self.meaning(subject, id, &format!("has another {what}: {} instead of {}", said(new), said(old)));
        }
    }

    /// Something is a list that was another one.
    fn lists(&mut self, subject: Subject, id: &str, what: &str, old: &[String], new: &[String]) {
        let gone: Vec<_> = old.iter().filter(|one| !new.contains(one)).map(|one| said(one)).collect();
        let come: Vec<_> = new.iter().filter(|one| !old.contains(one)).map(|one| said(one)).collect();
        let told = match (gone.is_empty(), come.is_empty()) {
            (true, true) => return,
            (false, true) => format!("has lost {what}: {}", gone.join(", ")),
            (true, false) => format!("has gained {what}: {}", come.join(", ")),
            (false, false) => format!("has other {what}: {} instead of {}", come.join(", "), gone.join(", ")),
        };
        self.meaning(subject, id, &told);
    }

    /// Goes through the items of two lists by id: what is in one only is told, what is in both is compared.
    fn pairs<'p, T>(
        &mut self,
        subject: Subject,
        old: &BTreeMap<&'p str, &'p T>,
        new: &BTreeMap<&'p str, &'p T>,
        mut both: impl FnMut(&mut Self, &str, &'p T, &'p T),
    ) {
        for (id, item) in old {
            match new.get(id) {
                Some(now) => both(self, id, item, now),
                None => {
                    let message = format!("The {} {id} is not there any more.", subject.word());
                    self.add(Class::Vanished, subject, id, message);
                }
            }
        }
        for id in new.keys().filter(|id| !old.contains_key(*id)) {
            self.add(Class::Appeared, subject, id, format!("The {} {id} is new.", subject.word()));
        }
    }
}

fn said(word: &str) -> String {
    if word.is_empty() { "nothing".to_owned() } else { word.to_owned() }
}

/// The texts of a list that may be absent.
fn texts<T: ToString>(list: Option<&Vec<T>>) -> Vec<String> {
    list.into_iter().flatten().map(ToString::to_string).collect()
}

/// How something is written, in one order of its members.
fn written(of: impl Serialize) -> String {
    uiap_protocol::canonical::canonical(&serde_json::to_value(of).unwrap_or_default())
}
