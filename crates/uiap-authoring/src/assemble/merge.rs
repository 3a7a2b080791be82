//! Items with the same id in several manifests: the same, put together, or a conflict.

use crate::file::Shelf;
use crate::findings::Findings;
use crate::items::{Home, Homes, List};
use crate::load::Loaded;
use crate::overlay::Patched;
use rustc_hash::FxHashSet;
use serde_json::{Map, Value};
use std::collections::HashMap;
use uiap_protocol::authoring::AuthoredAction;
use uiap_protocol::finding::Code;
use uiap_protocol::text::Node;
use uiap_protocol::wire::{Shared, Wire, accept};

/// An item and where it is written.
#[derive(Clone, Debug)]
pub(super) struct Found<T> {
    pub(super) item: T,
    pub(super) home: Home,
}

/// Items in the order of their ids, and where each comes from: the first place is the one that holds.
#[derive(Debug)]
pub(super) struct Merged<T> {
    pub(super) items: Vec<T>,
    pub(super) homes: Vec<Homes>,
}

pub(super) struct Merger<'m, 't> {
    loaded: &'m Loaded<'t>,
    /// Items that an overlay has changed.
    patched: FxHashSet<Home>,
    shelf: &'m Shelf<'t>,
    findings: &'m mut Findings,
}

/// What is to be done with two items of one id.
enum Verdict<T> {
    Same,
    Together(T),
    Conflict { what: String, requirement: &'static str },
}

impl<'m, 't> Merger<'m, 't> {
    pub(super) fn new(
        loaded: &'m Loaded<'t>,
        patched: &[Patched],
        shelf: &'m Shelf<'t>,
        findings: &'m mut Findings,
    ) -> Self {
        let patched =
            patched.iter().filter_map(|patched| item_at(patched.manifest, &patched.pointer)).collect();
        Self { loaded, patched, shelf, findings }
    }

    /// Items that are the same or in conflict.
    pub(super) fn whole<T: PartialEq>(
        &mut self,
        list: List,
        found: Vec<Found<T>>,
        id: fn(&T) -> &str,
    ) -> Merged<T> {
        let requirement = match list {
            List::Workflows => "AUT-7.1-8",
            _ => "AUT-7.1-7",
        };
        self.merge(list, found, id, |one, other| {
            if one == other {
                Verdict::Same
            } else {
                Verdict::Conflict { what: "differently".to_owned(), requirement }
            }
        })
    }

    /// Actions; those that are carried out in different ways are told apart from other differences.
    pub(super) fn actions(
        &mut self,
        found: Vec<Found<Shared<AuthoredAction>>>,
    ) -> Merged<Shared<AuthoredAction>> {
        self.merge(
            List::Actions,
            found,
            |action| action.descriptor.id.as_str(),
            |one, other| {
                if one == other {
                    return Verdict::Same;
                }
                if one.implementation != other.implementation {
                    let what = "with different implementations".to_owned();
                    return Verdict::Conflict { what, requirement: "AUT-7.1-6" };
                }
                Verdict::Conflict { what: "differently".to_owned(), requirement: "AUT-7.1-5" }
            },
        )
    }

    /// Routes, scopes and elements: one place may say what another leaves out.
    pub(super) fn bindings<T: PartialEq + Wire>(
        &mut self,
        list: List,
        found: Vec<Found<T>>,
        id: fn(&T) -> &str,
    ) -> Merged<T> {
        self.merge(list, found, id, together)
    }

    /// Two definitions of one id in one package must be the same, for whomever they are meant: what differs from
    /// context to context is the matter of overlays.
    pub(super) fn once_per_package<T: PartialEq>(
        &mut self,
        list: List,
        found: &[Found<T>],
        id: fn(&T) -> &str,
        is_in_context: impl Fn(&T) -> bool,
    ) {
        const UNIQUE: &str = "AUT-13-4";
        let mut first: HashMap<(usize, &str), &Found<T>> = HashMap::new();
        for one in found {
            let Some(manifest) = self.loaded.manifests.get(one.home.manifest) else { continue };
            let Some(earlier) = first.insert((manifest.package, id(&one.item)), one) else { continue };
            let is_decided = [one, earlier].iter().any(|one| self.patched.contains(&one.home));
            // What meets in this context is told when it is merged.
            let is_told = is_in_context(&one.item) && is_in_context(&earlier.item);
            if earlier.item != one.item && !is_decided && !is_told {
                self.tell(list, id(&one.item), one.home, Some(earlier.home), "differently", UNIQUE);
            }
        }
    }

    fn merge<T>(
        &mut self,
        list: List,
        mut found: Vec<Found<T>>,
        id: fn(&T) -> &str,
        compare: impl Fn(&T, &T) -> Verdict<T>,
    ) -> Merged<T> {
        // Those of imports come first, so that of two places the importing package's is the one that is shown.
        found.sort_by(|one, other| (id(&one.item), one.home).cmp(&(id(&other.item), other.home)));
        let mut merged =
            Merged { items: Vec::with_capacity(found.len()), homes: Vec::with_capacity(found.len()) };
        for Found { item, home } in found {
            let (Some(last), Some(homes)) = (merged.items.last_mut(), merged.homes.last_mut()) else {
                merged.items.push(item);
                merged.homes.push(Homes::new(home));
                continue;
            };
            if id(last) != id(&item) {
                merged.items.push(item);
                merged.homes.push(Homes::new(home));
                continue;
            }
            let is_decided_by_overlay = |home: &Home| self.patched.contains(home);
            match compare(last, &item) {
                Verdict::Same => homes.push(home),
                // An overlay that changes one of the two says which holds.
                _ if is_decided_by_overlay(&home) && !homes.iter().any(is_decided_by_overlay) => {
                    *last = item;
                    homes.put_first(home);
                }
                _ if homes.iter().any(is_decided_by_overlay) && !is_decided_by_overlay(&home) => {
                    homes.push(home);
                }
                Verdict::Together(both) => {
                    let earlier = Some(homes.first());
                    self.warn_of_matchers(list, id(&item), home, earlier);
                    *last = both;
                    homes.push(home);
                }
                Verdict::Conflict { what, requirement } => {
                    let earlier = Some(homes.first());
                    self.tell(list, id(&item), home, earlier, &what, requirement);
                    homes.push(home);
                }
            }
        }
        merged
    }

    fn written_at(&self, home: Option<Home>) -> String {
        let manifest = home.and_then(|home| Some((home, self.loaded.manifests.get(home.manifest)?)));
        manifest
            .map(|(home, manifest)| self.shelf.place(manifest.place(home.pointer()).span))
            .unwrap_or_default()
    }

    fn tell(
        &mut self,
        list: List,
        id: &str,
        home: Home,
        earlier: Option<Home>,
        what: &str,
        requirement: &'static str,
    ) {
        let Some(manifest) = self.loaded.manifests.get(home.manifest) else { return };
        let other = earlier.and_then(|earlier| self.loaded.manifests.get(earlier.manifest));
        let is_imported = other.is_some_and(|other| other.package != manifest.package);
        let message = format!(
            "The {} \"{id}\" is defined twice, {what}: here, and at {}.",
            list.one(),
            self.written_at(earlier)
        );
        let help = if is_imported {
            "Change the imported one by an overlay, or give yours another id."
        } else {
            "Keep one of the two, or give one another id."
        };
        let requirement = match requirement {
            // How an action is carried out has a rule of its own, wherever the two come from.
            "AUT-7.1-6" => requirement,
            _ if is_imported => "AUT-6.2-3",
            _ => match list {
                List::Actions => "AUT-5.4-2",
                List::Workflows => "AUT-5.6-2",
                _ => requirement,
            },
        };
        self.findings
            .error(Code::Conflict, manifest.place(home.pointer()), message)
            .help(help)
            .requirement(requirement);
    }

    fn warn_of_matchers(&mut self, list: List, id: &str, home: Home, earlier: Option<Home>) {
        let Some(manifest) = self.loaded.manifests.get(home.manifest) else { return };
        let message = format!(
            "The {} \"{id}\" is recognised in different ways: here, and at {}. Both count.",
            list.one(),
            self.written_at(earlier)
        );
        self.findings
            .warning(Code::NeedsReview, manifest.place(home.pointer()), message)
            .help("Write all matchers in one place.")
            .requirement("AUT-7.1-4");
    }
}

/// The item that a place in a manifest belongs to.
pub(crate) fn item_at(manifest: usize, pointer: &str) -> Option<Home> {
    let mut tokens = pointer.split('/').skip(1);
    if tokens.next()? != "spec" {
        return None;
    }
    let list = match tokens.next()? {
        "routes" => List::Routes,
        "scopes" => List::Scopes,
        "elements" => List::Elements,
        "actions" => List::Actions,
        "policies" => List::Policies,
        "workflows" => List::Workflows,
        _ => return None,
    };
    Some(Home { manifest, list, index: tokens.next()?.parse().ok()? })
}

/// Two halves of one item: members that only one has, and matchers of both.
fn together<T: PartialEq + Wire>(one: &T, other: &T) -> Verdict<T> {
    if one == other {
        return Verdict::Same;
    }
    let (Ok(Value::Object(mut both)), Ok(Value::Object(other))) =
        (serde_json::to_value(one), serde_json::to_value(other))
    else {
        return Verdict::Same;
    };
    if let Some(member) = join(&mut both, other) {
        return Verdict::Conflict { what: format!("with different {member}"), requirement: "AUT-7.1-3" };
    }
    match accept(&Node::from_json_object(&both)) {
        Ok(both) => Verdict::Together(both),
        Err(_) => Verdict::Conflict { what: "differently".to_owned(), requirement: "AUT-7.1-3" },
    }
}

/// Adds the members of another object; answers with the first that contradicts.
fn join(both: &mut Map<String, Value>, other: Map<String, Value>) -> Option<String> {
    for (member, value) in other {
        match (both.get_mut(&member), value) {
            (None, value) => {
                both.insert(member, value);
            }
            (Some(known), value) if *known == value => {}
            (Some(Value::Array(known)), Value::Array(more)) if member == "match" => {
                for matcher in more {
                    if !known.contains(&matcher) {
                        known.push(matcher);
                    }
                }
            }
            _ => return Some(member),
        }
    }
    None
}
