//! What does not depend on any page: the time of a run, and going on with what an earlier process found.

use super::book::{Book, End, Report, Sight, Task};
use super::ports::{Archive, Ground, GroundError, Hand, Hindrance, Image, Progress, Watcher};
use super::{Control, Ended, Exploration, logbook};
use crate::atlas::{Atlas, Outcome, Passage, Rules};
use crate::budget::Budget;
use crate::door::Door;
use crate::fingerprint::{default_policy, fingerprint};
use crate::seeds::{Known, beginning, start};
use crate::sighting::Sighting;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;
use std::time::Duration;
use tokio::time::Instant;
use uiap_protocol::discovery::{DiscoverySafetyPolicy, SafetyMode};
use uiap_protocol::ids::{ElementInstanceId, RunId};
use uiap_protocol::text::Node;
use uiap_protocol::time::Timestamp;
use uiap_protocol::web::PageGraph;
use uiap_protocol::wire::{JsonObject, accept};
use uiap_runtime::shell::Runtime;
use uiap_testkit::MemoryJournal;
use uiap_testkit::simulation::FakeSurface;
use url::Url;

const BASE: &str = "https://app.example/";
const AT: &str = "2026-03-27T12:00:00Z";

/// What a folder would hold.
#[derive(Default)]
struct Memory {
    lines: Mutex<Vec<String>>,
    files: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl Archive for Memory {
    fn keep(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.files.lock().unwrap().insert(name.to_owned(), bytes.to_owned());
        Ok(())
    }

    fn kept(&self, name: &str) -> io::Result<Vec<u8>> {
        self.files.lock().unwrap().get(name).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn log(&self, line: &str) -> io::Result<()> {
        self.lines.lock().unwrap().push(line.to_owned());
        Ok(())
    }

    fn lines(&self) -> io::Result<Vec<String>> {
        Ok(self.lines.lock().unwrap().clone())
    }
}

/// An application that never shows its first page.
struct Silent;

impl Ground for Silent {
    type Hand = Nobody;

    async fn hand(&self, _: usize) -> Result<Nobody, GroundError> {
        std::future::pending().await
    }

    fn now(&self) -> Timestamp {
        Timestamp::new(AT).unwrap()
    }
}

impl Watcher for Silent {
    fn progress(&self, _: &Progress) {}
}

enum Nobody {}

impl Hand for Nobody {
    type Surface = FakeSurface;
    type Journal = MemoryJournal;

    fn runtime(&self) -> &Runtime<FakeSurface, MemoryJournal> {
        match *self {}
    }

    fn passages(&self) -> Vec<Passage> {
        match *self {}
    }

    fn complaints(&self) -> Vec<String> {
        match *self {}
    }

    fn hindrance(&self) -> Option<Hindrance> {
        match *self {}
    }

    fn lift(&self, _: bool) {
        match *self {}
    }

    async fn picture(&self, _: Instant) -> Option<Image> {
        match *self {}
    }

    async fn accessibility(&self, _: Instant) -> Option<JsonObject> {
        match *self {}
    }

    async fn openers(&self, _: Instant) -> Vec<ElementInstanceId> {
        match *self {}
    }

    async fn tidy(&self) {
        match *self {}
    }

    fn has_account(&self) -> bool {
        match *self {}
    }

    fn is_at_door(&self) -> bool {
        match *self {}
    }

    fn is_unknown(&self) -> bool {
        match *self {}
    }

    fn door(&self) -> Option<Door> {
        match *self {}
    }

    async fn sign_in(&self) -> Result<(), GroundError> {
        match *self {}
    }
}

fn rules(budget: Budget) -> Rules {
    let safety = DiscoverySafetyPolicy {
        default_mode: SafetyMode::SafeExplore,
        allow_external_effects: None,
        allow_destructive_actions: None,
        allow_auth_flows: None,
        allow_payment_flows: None,
        extra: JsonObject::default(),
    };
    Rules { safety, budget, fingerprints: default_policy() }
}

fn exploration(budget: Budget) -> Exploration {
    Exploration {
        run_id: RunId::new("disc_1").unwrap(),
        base: Url::parse(BASE).unwrap(),
        further_origins: Vec::new(),
        rules: rules(budget),
        seeds: Vec::new(),
        known: Known::default(),
        hands: 1,
    }
}

#[tokio::test(start_paused = true)]
async fn a_first_page_that_does_not_come_takes_no_more_time_than_there_is() {
    let exploration = exploration(Budget { runtime_ms: 60_000, ..Budget::DEFAULT });
    let (archive, control) = (Memory::default(), Control::default());
    let explored = exploration.run(&Silent, &archive, &control, &Silent).await.unwrap();
    assert_eq!((explored.ended, explored.took.as_secs()), (Ended::OutOfTime, 60));
}

#[tokio::test(start_paused = true)]
async fn who_stops_a_run_does_not_wait_for_its_first_page() {
    let exploration = exploration(Budget::DEFAULT);
    let (archive, control) = (Memory::default(), Control::default());
    let stopping = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        control.stop();
    };
    let (explored, ()) = tokio::join!(exploration.run(&Silent, &archive, &control, &Silent), stopping);
    let explored = explored.unwrap();
    assert_eq!((explored.ended, explored.took.as_secs()), (Ended::Stopped, 1));
}

/// A page with links.
fn page(path: &str, links: &[&str]) -> PageGraph {
    let link = |(place, name): (usize, &&str)| {
        json!({
            "instanceId": format!("e{place}"), "documentId": "d", "role": "link", "name": name, "source": "html",
            "state": {"visible": true, "enabled": true}, "affordances": ["activate", "navigate"],
        })
    };
    let elements: Vec<Value> = links.iter().enumerate().map(link).collect();
    let graph = json!({
        "modelVersion": "0.1", "profile": "web@0.1", "revision": "r1", "seq": 1, "capturedAt": AT,
        "route": {"url": format!("https://app.example{path}")},
        "documents": [{"id": "d", "boundary": {"kind": "root", "opaque": false}}],
        "scopes": [], "elements": elements, "modalStack": [], "opaqueRegions": [],
    });
    accept(&Node::from_json(&graph)).unwrap()
}

fn sight(graph: PageGraph) -> Box<Sight> {
    let fingerprint = fingerprint(&Sighting::of(&graph), &default_policy());
    Box::new(Sight { graph, fingerprint, offered: Vec::new() })
}

/// What is known, in a few words.
fn told(atlas: &Atlas) -> String {
    let states: Vec<_> = atlas.states().iter().map(|state| state.place.pattern.as_str()).collect();
    let gaps: Vec<_> = atlas.gaps().map(|gap| format!("{gap:?}")).collect();
    let (made, open) = (atlas.transitions(), atlas.open_choices());
    format!("{}; {made} made, {open} open; {}", states.join(" "), gaps.join(" "))
}

/// One hand follows the links of the first page, each to a page of its own.
fn explored(budget: Budget, archive: &Memory) -> String {
    let mut book = Book::new(Atlas::new(rules(budget)), archive, 1);
    let base = Url::parse(BASE).unwrap();
    let seed = beginning(&base).unwrap();
    book.sow(start(&seed, &Known::default(), &base).unwrap()).unwrap();
    for number in 0_u64.. {
        let end = match book.choose(number, None).unwrap().unwrap() {
            Task::Seed { seed, .. } => End::Seeded(seed, Ok(sight(page("/", &["one", "two", "three"])))),
            Task::Errand(trip) => {
                let nothing = Outcome {
                    signals: Vec::new(),
                    trouble: None,
                    passages: Vec::new(),
                    target: None,
                    complaints: Vec::new(),
                };
                let to = page(&format!("/page-{}", trip.errand.choice), &["home"]);
                End::Made(trip.errand, nothing, Some(sight(to)))
            }
            Task::Rest => End::Idle,
            Task::End => break,
        };
        book.report(number, Report::from(end));
    }
    told(&book.atlas)
}

fn replayed(budget: Budget, archive: &Memory) -> Result<String, String> {
    let mut atlas = Atlas::new(rules(budget));
    logbook::replay(&mut atlas, archive).map_err(|error| error.to_string())?;
    Ok(told(&atlas))
}

#[test]
fn whoever_goes_on_knows_what_the_earlier_process_knew() {
    for budget in [Budget::DEFAULT, Budget { states: 2, ..Budget::DEFAULT }] {
        let archive = Memory::default();
        let known = explored(budget, &archive);
        assert_eq!(replayed(budget, &archive), Ok(known));
    }
    let archive = Memory::default();
    let short = Budget { states: 2, ..Budget::DEFAULT };
    assert!(explored(short, &archive).contains("\"states\""), "the budget was needed");
}

#[test]
fn a_logbook_is_not_read_under_other_limits() {
    let archive = Memory::default();
    explored(Budget::DEFAULT, &archive);
    let short = Budget { states: 2, ..Budget::DEFAULT };
    let refused = replayed(short, &archive).unwrap_err();
    assert!(refused.contains("under the limits and the rules of now"), "{refused}");
}
