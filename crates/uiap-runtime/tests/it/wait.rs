//! Waits, told by hand.

#![expect(clippy::expect_used, reason = "a test that cannot start has failed")]

use proptest::prelude::*;
use serde_json::{Value, json};
use uiap_protocol::capability::SuccessSignal;
use uiap_protocol::ids::RevisionId;
use uiap_protocol::web::{GraphStore, PageGraph, WebSignal, WebStateDelta};
use uiap_protocol::wire::{Wire, accept_object};
use uiap_runtime::wait::{Condition, Decision, Loading, LoadingSource, Revisions, Wait};
use uiap_testkit::proves;

const AT: &str = "2026-03-26T14:03:00.000Z";

fn typed<T: Wire>(value: &Value) -> T {
    accept_object(value.as_object().expect("an object")).expect("a sound value")
}

/// A page with one label, followed through its revisions.
struct Page {
    store: GraphStore,
    revisions: Revisions,
}

impl Page {
    fn new() -> Self {
        let store = GraphStore::new(typed::<PageGraph>(&json!({
            "modelVersion": "0.1", "profile": "web@0.1", "revision": "r1", "seq": 1, "capturedAt": AT,
            "route": {"url": "https://a.test/"},
            "documents": [{"id": "d", "boundary": {"kind": "root", "opaque": false}}],
            "scopes": [],
            "elements": [{"instanceId": "e", "stableId": "text", "documentId": "d", "role": "label", "name": "0", "state": {}}],
        })));
        let mut revisions = Revisions::default();
        revisions.note(&store);
        Self { store, revisions }
    }

    fn set(&mut self, members: &Value) -> &mut Self {
        let delta: WebStateDelta = typed(&json!({
            "baseRevision": self.store.revision().as_str(), "revision": format!("r{}", self.store.seq() + 1),
            "seq": self.store.seq() + 1, "at": AT,
            "ops": [{"op": "update", "kind": "element", "id": "e", "value": members}],
        }));
        self.store.apply(&delta).expect("a delta that fits");
        self.revisions.note(&self.store);
        self
    }

    fn wait(&self, condition: Condition, timeout_ms: u64) -> Wait {
        Wait::new(condition, timeout_ms, &self.store, &self.revisions, 0)
    }

    fn look(&self, wait: &mut Wait, now: u64) -> String {
        said(&wait.look(&self.store, &self.revisions, None, now))
    }
}

fn said(decision: &Decision) -> String {
    match decision {
        Decision::Until(until) => format!("until {until}"),
        Decision::Over(waited) => {
            let loading = waited
                .loading
                .as_ref()
                .map(|loading| format!(" {} {}", loading.source.word(), loading.signal));
            let changed = if waited.changed { " changed" } else { "" };
            format!(
                "{} at {}{changed}, quiet {}, seen {} of {}{}",
                waited.completion.word(),
                waited.ms,
                waited.quiet_ms,
                waited.observed.len(),
                waited.observed.len() + waited.missing.len(),
                loading.unwrap_or_default()
            )
        }
    }
}

fn revision(id: &str) -> RevisionId {
    RevisionId::new(id.to_owned()).expect("an id")
}

fn toast(text: &str) -> SuccessSignal {
    typed(&json!({"kind": "toast.contains", "text": text}))
}

fn shown(text: &str) -> WebSignal {
    typed(&json!({"id": "s", "at": AT, "kind": "toast.shown", "text": text}))
}

#[test]
fn a_change_since_a_revision_is_not_missed() {
    proves!["R013-7.1", "R018-8"];
    let mut page = Page::new();
    page.set(&json!({"name": "1"}));
    let since = |id: &str| Condition::Change { since: Some(revision(id)) };
    assert_eq!(page.look(&mut page.wait(since("r1"), 1_000), 0), "change at 0 changed, quiet 0, seen 0 of 0");
    assert_eq!(page.look(&mut page.wait(since("r2"), 1_000), 0), "until 1000");
    assert_eq!(
        page.look(&mut page.wait(since("r0"), 1_000), 0),
        "unknown_revision at 0, quiet 0, seen 0 of 0"
    );
    let mut wait = page.wait(Condition::Change { since: None }, 1_000);
    assert_eq!(page.look(&mut wait, 10), "until 1000");
    // What only looks different is no change.
    page.set(&json!({"state": {"focused": true, "hovered": true, "inViewport": true}}));
    page.set(&json!({"bbox": {"x": 1, "y": 1, "width": 1, "height": 1}}));
    assert_eq!(page.look(&mut wait, 20), "until 1000");
    page.set(&json!({"state": {"visible": false}}));
    assert_eq!(page.look(&mut wait, 30), "change at 30 changed, quiet 0, seen 0 of 0");
}

#[test]
fn a_page_that_is_read_anew_has_changed() {
    let page = Page::new();
    let mut wait = page.wait(Condition::Change { since: None }, 1_000);
    let mut again = Page::new();
    again.revisions = page.revisions.clone();
    again.store = GraphStore::new({
        let mut graph = again.store.graph();
        graph.revision = revision("other");
        graph.seq = 0;
        graph
    });
    again.revisions.note(&again.store);
    assert_eq!(again.look(&mut wait, 5), "change at 5 changed, quiet 0, seen 0 of 0");
}

#[test]
fn signals_are_waited_for_and_the_deadline_tells_what_is_missing() {
    proves!["R013-5.3"];
    let mut page = Page::new();
    let mut wait = page.wait(Condition::All(vec![toast("one"), toast("two")]), 100);
    assert_eq!(page.look(&mut wait, 0), "until 100");
    wait.hear(&shown("One"));
    assert_eq!(page.look(&mut wait, 40), "until 100");
    page.set(&json!({"name": "1"}));
    assert_eq!(page.look(&mut wait, 60), "until 100");
    assert_eq!(said(&wait.wake(100)), "deadline at 100 changed, quiet 40, seen 1 of 2");
    wait.hear(&shown("Two"));
    assert_eq!(page.look(&mut wait, 100), "deadline at 100 changed, quiet 40, seen 1 of 2");

    let mut any = page.wait(Condition::Any(vec![toast("one"), toast("two")]), 100);
    any.hear(&shown("Two"));
    assert_eq!(page.look(&mut any, 10), "signals at 10, quiet 10, seen 1 of 2");
}

#[test]
fn what_is_so_already_is_not_waited_for() {
    let page = Page::new();
    let is_there = typed(&json!({"kind": "element.appeared", "target": {"by": "stableId", "value": "text"}}));
    assert_eq!(
        page.look(&mut page.wait(Condition::Any(vec![is_there]), 100), 0),
        "signals at 0, quiet 0, seen 1 of 1"
    );
}

#[test]
fn quiet_is_a_whole_window_without_a_change() {
    proves!["R013-7.1.1"];
    let mut page = Page::new();
    let mut wait = page.wait(Condition::Quiet { ms: 50 }, 1_000);
    assert_eq!(page.look(&mut wait, 0), "until 50");
    page.set(&json!({"name": "1"}));
    assert_eq!(page.look(&mut wait, 30), "until 80");
    page.set(&json!({"state": {"focused": true}}));
    assert_eq!(page.look(&mut wait, 60), "until 80");
    assert_eq!(said(&wait.wake(79)), "until 80");
    assert_eq!(said(&wait.wake(80)), "quiet at 80 changed, quiet 50, seen 0 of 0");
}

#[test]
fn a_page_that_never_rests_is_not_quiet_at_the_deadline() {
    proves!["R010-14.1"];
    let mut page = Page::new();
    let mut wait = page.wait(Condition::Quiet { ms: 50 }, 200);
    for now in (0..200).step_by(40) {
        page.set(&json!({"name": now.to_string()}));
        assert!(page.look(&mut wait, now).starts_with("until"));
    }
    assert_eq!(said(&wait.wake(200)), "deadline at 200 changed, quiet 40, seen 0 of 0");
}

#[test]
fn the_end_of_loading_is_no_success() {
    proves!["R003-4.4"];
    let mut page = Page::new();
    let mut wait = page.wait(Condition::Any(vec![toast("done")]), 100);
    page.set(&json!({"state": {"busy": true}}));
    assert_eq!(page.look(&mut wait, 10), "until 100");
    page.set(&json!({"state": {}}));
    assert_eq!(page.look(&mut wait, 20), "until 100");

    let mut quiet = page.wait(Condition::Quiet { ms: 50 }, 500);
    page.set(&json!({"state": {"busy": true}}));
    assert_eq!(page.look(&mut quiet, 10), "until 500");
    assert_eq!(said(&quiet.wake(300)), "until 500");
    page.set(&json!({"state": {}}));
    assert_eq!(page.look(&mut quiet, 310), "until 360");
    let network = Loading { active: true, signal: "GET /api".to_owned(), source: LoadingSource::Network };
    assert_eq!(said(&quiet.look(&page.store, &page.revisions, Some(network), 350)), "until 500");
    assert_eq!(said(&quiet.wake(500)), "deadline at 500 changed, quiet 150, seen 0 of 0 network GET /api");
}

proptest! {
    /// Quiet is said only after a whole window in which nothing that matters happened, and every wait ends.
    #[test]
    fn quiet_is_never_said_too_early(gaps in proptest::collection::vec(0..80u64, 0..30), window in 1..60u64) {
        let mut page = Page::new();
        let mut wait = page.wait(Condition::Quiet { ms: window }, 1_000);
        let (mut now, mut last) = (0, 0);
        for (number, gap) in gaps.iter().enumerate() {
            let next = now + gap;
            // The shell wakes the wait when it asked for it.
            if let Decision::Over(waited) = wait.wake(next) {
                let is_due = if waited.completion.is_success() { next - last >= window } else { next >= 1_000 };
                prop_assert!(is_due);
                return Ok(());
            }
            now = next;
            page.set(&json!({"name": format!("{}", number + 1)}));
            last = now;
            let over = matches!(wait.look(&page.store, &page.revisions, None, now), Decision::Over(_));
            prop_assert!(!over || now >= 1_000);
        }
        prop_assert!(matches!(wait.wake(5_000), Decision::Over(_)));
    }
}
