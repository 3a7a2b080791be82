//! A case on its stage: pages in short form, and a walk through them.
//!
//! A file has `about`, `proves`, and:
//! - `mode`: the safety mode; `safe_explore` without it.
//! - `pages`: by name. A page has `at` (its path), and optionally `route`, `title`, `scopes`, `elements`, `dialogs` (the
//!   modal stack), `viewport`, `metadata` and `opaque`. Elements need no instance id; what can be pressed or entered follows from the role where
//!   `affordances` are not said.
//! - `registered`: actions that the application offers, as descriptors.
//! - `walk`: what happens. `{seed: {...}, shows: PAGE}`, `{seed: {...}, trouble: WHY}`, and
//!   `{on: PAGE, press: NAME OR STABLE ID, shows: PAGE}` with optional `signals`, `held` (`{method, url, why}`),
//!   `trouble` and `times`. Without `shows`, nothing could be made out. `{on: PAGE, scrolls: true}` shows more of its
//!   list in place of pressing, which `goesOn`.
//! - `record`: `profile`, `flags`, `speaks` (profiles), `extends` (extensions), `errors`, `loose`, `heard` (`{page, role, name}`), `pictures` and `trees` (names of pages).
//! - `expect`: by list (`routes`, `scopes`, `elements`, `actions`, `states`, `edges`, `workflows`, `review`, `evidence`)
//!   items by id with members that must be so (null: it must not be there), or a list of which each must have its like, or
//!   a number; by any other member of the package what it must have. `~text` must be contained.
//! - `absent`: texts that must not be anywhere in the package.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use uiap_discovery::atlas::{Atlas, Errand, Outcome, Passage, Rules, Seen, StateIndex, Via};
use uiap_discovery::budget::Budget;
use uiap_discovery::fingerprint::default_policy;
use uiap_discovery::options::Choice;
use uiap_discovery::package::{AppError, Authorisation, AuthorisationBasis, Heard, Loose, Record, state_id};
use uiap_protocol::capability::ActionDescriptor;
use uiap_protocol::discovery::{DiscoveryEnvironment, DiscoveryRunSummary, DiscoverySeed, EvidenceRecord};
use uiap_protocol::ids::{Id, RouteId};
use uiap_protocol::text::{Format, Limits, Node, read};
use uiap_protocol::web::PageGraph;
use uiap_protocol::wire::{Wire, accept};

const AT: &str = "2026-03-26T14:03:00.000Z";
const BASE: &str = "https://app.test";

/// In which order the things of a case are seen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    AsWritten,
    Backwards,
    LinksFirst,
}

pub(crate) struct Stage(Value);

pub(crate) fn list<'v>(value: &'v Value, member: &str) -> &'v [Value] {
    value.get(member).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

pub(crate) fn text<'v>(value: &'v Value, member: &str) -> Option<&'v str> {
    value.get(member).and_then(Value::as_str)
}

fn is_so(value: &Value, member: &str) -> bool {
    value.get(member).and_then(Value::as_bool).unwrap_or_default()
}

pub(crate) fn sound<T: Wire>(value: &Value) -> T {
    accept(&Node::from_json(value)).unwrap_or_else(|findings| panic!("{value} is not sound: {findings:?}"))
}

impl Stage {
    pub(crate) fn read(yaml: &str) -> Self {
        Self(read(yaml, Format::Yaml, Limits::DOCUMENT).expect("well-formed YAML").to_json())
    }

    pub(crate) fn about(&self) -> &str {
        text(&self.0, "about").expect("what the case is about")
    }

    pub(crate) fn expect(&self) -> &Value {
        self.0.get("expect").expect("what is expected")
    }

    pub(crate) fn absent(&self) -> impl Iterator<Item = &str> {
        list(&self.0, "absent").iter().filter_map(Value::as_str)
    }

    pub(crate) fn members(&self, name: &str) -> &[Value] {
        list(&self.0, name)
    }

    pub(crate) fn page(&self, name: &str) -> &Value {
        self.0.get("pages").and_then(|pages| pages.get(name)).expect("a page")
    }

    pub(crate) fn cases(&self) -> &[Value] {
        list(&self.0, "cases")
    }

    /// The same stage after some changes.
    pub(crate) fn changed(&self, case: &Value) -> Self {
        let mut stage = self.0.clone();
        for change in list(case, "change") {
            match (text(change, "remove"), text(change, "set")) {
                (Some(pointer), _) => {
                    let (home, name) = pointer.rsplit_once('/').expect("a pointer");
                    match stage.pointer_mut(home).unwrap_or_else(|| panic!("nothing is at {home}")) {
                        Value::Object(members) => drop(members.remove(name).expect("a member")),
                        Value::Array(items) => drop(items.remove(name.parse().expect("a place"))),
                        other => panic!("{other} has no parts"),
                    }
                }
                (None, Some(pointer)) => {
                    let to = change.get("to").expect("a value").clone();
                    let (home, name) = pointer.rsplit_once('/').expect("a pointer");
                    match stage.pointer_mut(home).unwrap_or_else(|| panic!("nothing is at {home}")) {
                        Value::Object(members) => drop(members.insert(name.to_owned(), to)),
                        Value::Array(items) => match name.parse::<usize>() {
                            Ok(place) => *items.get_mut(place).expect("an item") = to,
                            Err(_) => items.push(to),
                        },
                        other => panic!("{other} has no parts"),
                    }
                }
                (None, None) => panic!("{change} changes nothing"),
            }
        }
        Self(stage)
    }

    /// Explores the pages of the case.
    pub(crate) fn play(&self, order: Order) -> (Atlas, Record) {
        let safety = json!({"defaultMode": text(&self.0, "mode").unwrap_or("safe_explore")});
        let budget = Budget { states: budget(&self.0, "states", Budget::DEFAULT.states), ..Budget::DEFAULT };
        let rules = Rules { safety: sound(&safety), budget, fingerprints: default_policy() };
        let mut play = Play {
            atlas: Atlas::new(rules),
            stage: self,
            registered: list(&self.0, "registered").iter().map(sound).collect(),
            at: BTreeMap::new(),
        };
        let (seeds, mut steps): (Vec<_>, Vec<_>) =
            list(&self.0, "walk").iter().partition(|one| one.get("seed").is_some());
        for one in seeds {
            play.sow(one);
        }
        match order {
            Order::AsWritten => {}
            Order::Backwards => steps.reverse(),
            Order::LinksFirst => steps.sort_by_key(|one| text(one, "press").map(str::len)),
        }
        play.walk(steps);
        let record = play.record();
        (play.atlas, record)
    }
}

fn budget(case: &Value, member: &str, default: usize) -> usize {
    let given = case.pointer(&format!("/budget/{member}")).and_then(Value::as_u64);
    given.and_then(|count| usize::try_from(count).ok()).unwrap_or(default)
}

struct Play<'s> {
    atlas: Atlas,
    stage: &'s Stage,
    registered: Vec<ActionDescriptor>,
    at: BTreeMap<String, StateIndex>,
}

impl Play<'_> {
    fn page(&self, name: &str) -> PageGraph {
        let page =
            self.stage.0.pointer(&format!("/pages/{name}")).unwrap_or_else(|| panic!("no page {name}"));
        graph(page)
    }

    fn see(&mut self, name: &str, via: Via) -> Seen {
        let graph = self.page(name);
        let offered = self.registered.clone();
        let seen = self.atlas.see(&graph, &offered, via);
        if let Some(state) = seen.state() {
            self.at.insert(name.to_owned(), state);
        }
        seen
    }

    fn sow(&mut self, one: &Value) {
        let seed: DiscoverySeed = sound(one.get("seed").expect("a seed"));
        let number = self.atlas.sow(seed);
        match (text(one, "shows"), text(one, "trouble")) {
            (Some(name), _) => {
                let name = name.to_owned();
                self.see(&name, Via::Seed(number));
            }
            (None, Some(trouble)) => self.atlas.barren(number, trouble),
            (None, None) => panic!("{one} shows nothing and says no trouble"),
        }
    }

    /// Takes the steps, each as soon as its page was seen.
    fn walk(&mut self, steps: Vec<&Value>) {
        let mut waiting = steps;
        while !waiting.is_empty() {
            let (now, later): (Vec<&Value>, Vec<&Value>) = waiting
                .iter()
                .copied()
                .partition(|one| text(one, "on").is_some_and(|page| self.at.contains_key(page)));
            assert!(!now.is_empty(), "nobody gets to {later:?}");
            for one in now {
                for _ in 0..one.get("times").and_then(Value::as_u64).unwrap_or(1) {
                    self.step(one);
                }
            }
            waiting = later;
        }
    }

    fn step(&mut self, one: &Value) {
        let state = self.at.get(text(one, "on").expect("a page")).copied().expect("a state");
        let choice = if is_so(one, "scrolls") {
            let state = self.atlas.state(state).expect("a state");
            state.choices.iter().position(Choice::scrolls).expect("a list")
        } else {
            let pressed = text(one, "press").expect("what is pressed");
            self.choice(state, pressed, text(one, "on").unwrap_or_default())
        };
        let seen = text(one, "shows").map(|name| {
            let name = name.to_owned();
            self.see(&name, Via::Choice(state, choice))
        });
        let held = list(one, "held").iter().map(|held| Passage {
            method: text(held, "method").expect("a method").to_owned(),
            url: text(held, "url").expect("an address").to_owned(),
            held: text(held, "why").map(str::to_owned),
        });
        let outcome = Outcome {
            signals: list(one, "signals").iter().map(sound).collect(),
            trouble: text(one, "trouble").map(str::to_owned),
            passages: held.collect(),
            target: None,
            complaints: list(one, "complaints").iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        };
        if is_so(one, "goesOn") {
            self.atlas.goes_on(Errand { state, choice });
        }
        self.atlas.arrive(Errand { state, choice }, seen, outcome);
    }

    /// The choice that is about a thing, by its stable id or its name.
    fn choice(&self, state: StateIndex, pressed: &str, page: &str) -> usize {
        let graph = self.page(page);
        let sighting = uiap_discovery::sighting::Sighting::of(&graph);
        let thing = sighting.things.iter().find(|thing| {
            thing.element.stable_id.as_ref().is_some_and(|id| id.as_str() == pressed)
                || thing.element.name.as_deref() == Some(pressed)
        });
        let key = thing.map(|thing| thing.key.clone());
        let state = self.atlas.state(state).expect("a state");
        let place = state.choices.iter().position(|choice| match &key {
            Some(key) => choice.key.as_ref() == Some(key),
            None => choice.key.is_none() && choice.action.as_str() == pressed,
        });
        place.unwrap_or_else(|| panic!("nothing can be done with {pressed:?} on {page}"))
    }

    fn record(&self) -> Record {
        let run: DiscoveryRunSummary = sound(&json!({
            "runId": "disc_1", "startedAt": AT, "finishedAt": AT, "status": "completed", "environmentId": "test",
        }));
        let environment: DiscoveryEnvironment = sound(&json!({"environmentId": "test", "baseUrl": BASE}));
        let basis = Authorisation { basis: AuthorisationBasis::EnvironmentFile, note: None };
        let mut record = Record::new(run, environment, basis);
        let nothing = json!({});
        let given = self.stage.0.get("record").unwrap_or(&nothing);
        let id_of = |page: &str| self.at.get(page).and_then(|state| self.atlas.state(*state)).map(state_id);
        record.run.profile = text(given, "profile").map(|profile| Id::new(profile).expect("an id"));
        record.environment.feature_flags = given.get("flags").map(|flags| {
            let flags = flags.as_object().expect("flags by name");
            flags.iter().map(|(name, value)| (name.clone(), sound(value))).collect()
        });
        record.available.profiles = list(given, "speaks").iter().map(sound).collect();
        record.available.extensions = list(given, "extends").iter().map(sound).collect();
        record.errors = list(given, "errors")
            .iter()
            .map(|error| AppError {
                state: text(error, "page").and_then(id_of),
                route: text(error, "route").map(|route| RouteId::new(route).expect("an id")),
                what: text(error, "what").expect("what went wrong").to_owned(),
            })
            .collect();
        record.loose = list(given, "loose")
            .iter()
            .map(|loose| Loose {
                state: text(loose, "page").and_then(id_of),
                passage: Passage {
                    method: text(loose, "method").expect("a method").to_owned(),
                    url: text(loose, "url").expect("an address").to_owned(),
                    held: text(loose, "why").map(str::to_owned),
                },
            })
            .collect();
        record.heard = list(given, "heard")
            .iter()
            .filter_map(|heard| {
                let state = id_of(text(heard, "page")?)?;
                Some(Heard {
                    state,
                    role: text(heard, "role")?.to_owned(),
                    name: text(heard, "name")?.to_owned(),
                })
            })
            .collect();
        for (member, kind, source) in [
            ("pictures", "screenshot", "screenshot"),
            ("trees", "ax_tree", "accessibility"),
            ("graphs", "page_graph", "dom"),
        ] {
            for page in list(given, member).iter().filter_map(Value::as_str) {
                record.evidence.extend(id_of(page).map(|state| kept(&state, kind, source)));
            }
        }
        record
    }
}

fn kept(state: &Id, kind: &str, source: &str) -> EvidenceRecord {
    sound(&json!({
        "refId": format!("{kind}:{state}"), "source": source, "kind": kind, "at": AT, "stateId": state,
        "uri": format!("evidence/{state}.{kind}"),
    }))
}

/// A page with everything that every page has.
pub(crate) fn graph(page: &Value) -> PageGraph {
    let scopes: Vec<Value> =
        list(page, "scopes").iter().map(|scope| with(scope, &[("documentId", json!("d"))])).collect();
    let elements = list(page, "elements").iter().enumerate();
    let elements: Vec<Value> = elements
        .map(|(place, element)| {
            let role = text(element, "role").expect("a role");
            with(
                element,
                &[
                    ("instanceId", json!(format!("e{place}"))),
                    ("documentId", json!("d")),
                    ("state", json!({"visible": true, "enabled": true})),
                    ("affordances", offers(role)),
                    ("source", json!("html")),
                ],
            )
        })
        .collect();
    let opaque: Vec<Value> = list(page, "opaque")
        .iter()
        .enumerate()
        .map(|(place, region)| with(region, &[("id", json!(format!("o{place}")))]))
        .collect();
    let named = |member: &str, value: Option<&str>| value.map(|value| (member.to_owned(), json!(value)));
    let url = format!("{BASE}{}", text(page, "at").expect("a path"));
    let route: Map<String, Value> =
        named("url", Some(&url)).into_iter().chain(named("routeId", text(page, "route"))).collect();
    let mut whole = json!({
        "modelVersion": "0.1", "profile": "web@0.1", "revision": "r1", "seq": 1, "capturedAt": AT, "route": route,
        "documents": [{"id": "d", "boundary": {"kind": "root", "opaque": false}}],
        "scopes": scopes, "elements": elements, "modalStack": list(page, "dialogs"), "opaqueRegions": opaque,
    });
    let given = ["viewport", "metadata"].into_iter();
    let given = given.filter_map(|name| Some((name.to_owned(), page.get(name)?.clone())));
    whole
        .as_object_mut()
        .expect("a page")
        .extend(named("title", text(page, "title")).into_iter().chain(given));
    sound(&whole)
}

fn with(node: &Value, members: &[(&str, Value)]) -> Value {
    let mut node = node.clone();
    let object = node.as_object_mut().expect("a node");
    for (name, value) in members {
        object.entry(*name).or_insert_with(|| value.clone());
    }
    node
}

/// What a thing of a role offers where a case does not say it.
fn offers(role: &str) -> Value {
    match role {
        "button" | "menuitem" | "tab" => json!(["activate"]),
        "link" => json!(["activate", "navigate"]),
        "textbox" | "textarea" | "searchbox" | "spinbutton" | "datepicker" | "timepicker" | "slider" => {
            json!(["edit"])
        }
        "checkbox" | "switch" | "radio" => json!(["toggle"]),
        "combobox" | "listbox" => json!(["choose"]),
        "fileinput" => json!(["upload"]),
        _ => json!([]),
    }
}
