//! What does not depend on any page: the time of a run.

use super::ports::{Archive, Ground, GroundError, Hand, Hindrance, Image, Progress, Watcher};
use super::{Control, Ended, Exploration};
use crate::atlas::{Passage, Rules};
use crate::budget::Budget;
use crate::door::Door;
use crate::fingerprint::default_policy;
use crate::seeds::Known;
use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;
use std::time::Duration;
use tokio::time::Instant;
use uiap_protocol::discovery::{DiscoverySafetyPolicy, SafetyMode};
use uiap_protocol::ids::{ElementInstanceId, RunId};
use uiap_protocol::time::Timestamp;
use uiap_protocol::wire::JsonObject;
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
