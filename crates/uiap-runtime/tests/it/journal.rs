//! What the journal's port decides by itself: admissions, fingerprints, recoveries, traces.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot start has failed")]

use insta::assert_snapshot;
use serde_json::{Value, json};
use uiap_protocol::action::{ActionRequest, ActionResult, RuntimeState, SideEffectState};
use uiap_protocol::capability::{ExecutionMode, RiskLevel};
use uiap_protocol::ids::{ActionHandle, ActionId, Id};
use uiap_protocol::policy::PolicyEffect;
use uiap_protocol::text::Node;
use uiap_protocol::wire::{JsonObject, accept};
use uiap_runtime::journal::{
    Admission, DIAGNOSTICS_MAX, Decision, Digest, Earlier, Entry, Fingerprint, Intent, Journal, JournalError,
    Kept, Known, Owner, TraceEntry, TraceRecord, admit, leaves_unsure,
};
use uiap_runtime::life::{Grounds, Milestone, StageResult, TraceStage, after_crash};
use uiap_testkit::{Faults, MemoryJournal, proves};

fn handle(name: &str) -> ActionHandle {
    ActionHandle::new(name).expect("an id")
}

fn action_id() -> ActionId {
    ActionId::new("video.delete").expect("an id")
}

fn id(name: &str) -> Id {
    Id::new(name).expect("an id")
}

fn entry(key: Option<&str>) -> Entry {
    Entry {
        handle: handle("new"),
        action_id: action_id(),
        owner: Owner { principal: id("alice"), application: id("videoland") },
        key: key.map(id),
        fingerprint: Fingerprint { payload: Digest([1; 32]), deed: Digest([2; 32]) },
        repeatable: false,
        at: 10,
    }
}

fn ended(effects: Option<SideEffectState>) -> ActionResult {
    ActionResult { side_effect_state: effects, ..after_crash(handle("old"), action_id(), false) }
}

fn request(change: Value) -> Fingerprint {
    let mut request = json!({
        "actionId": "video.delete",
        "target": {"ref": {"by": "stableId", "value": "video.42"}, "expectedName": "Delete"},
        "args": {"reason": "spam", "count": 1, "list": [1, 2]},
        "verification": {"policy": "any"},
    });
    let (Value::Object(members), Value::Object(change)) = (&mut request, change) else { panic!("objects") };
    members.extend(change);
    let request = accept::<ActionRequest>(&Node::from_json(&request)).expect("a request");
    Fingerprint::of(&request).expect("a fingerprint")
}

/// What becomes of a request, given what is known.
fn admitted(key: Option<&str>, same_key: Option<(u8, Option<ActionResult>)>, unsure: bool) -> String {
    let same_key = same_key.map(|(payload, result)| Earlier {
        handle: handle("old"),
        payload: Digest([payload; 32]),
        result,
    });
    let known = Known { same_key, unsure: unsure.then(|| handle("old")) };
    match admit(&entry(key), known) {
        Admission::Replay(result) => format!("Replay({})", result.action_handle),
        admission => format!("{admission:?}"),
    }
}

#[test]
fn a_key_stands_for_one_request() {
    let done = || Some(ended(Some(SideEffectState::Applied)));
    assert_eq!(admitted(None, None, false), "New");
    assert_eq!(admitted(Some("k"), None, false), "New");
    assert_eq!(admitted(Some("k"), Some((1, done())), false), "Replay(old)");
    assert_eq!(admitted(Some("k"), Some((1, None)), false), r#"Running(ActionHandle("old"))"#);
    let conflict = r#"Conflict { earlier: ActionHandle("old") }"#;
    assert_eq!(admitted(Some("k"), Some((9, done())), false), conflict);
    assert_eq!(admitted(Some("k"), Some((9, None)), true), conflict);
}

#[test]
fn what_may_have_happened_is_not_asked_for_again_without_a_key() {
    proves!["ACT-13.3-2"];
    let refused = r#"UnsafeRetry { earlier: ActionHandle("old") }"#;
    assert_eq!(admitted(None, None, true), refused);
    assert_eq!(admitted(Some("another"), None, true), "New");
    let unknown = Some(ended(Some(SideEffectState::Unknown)));
    assert_eq!(admitted(Some("k"), Some((1, unknown)), true), "Replay(old)");
}

#[test]
fn only_what_must_not_happen_twice_and_is_not_known_leaves_unsure() {
    let unsure =
        |repeatable, effects: Option<SideEffectState>| leaves_unsure(repeatable, Some(&ended(effects)));
    assert!(leaves_unsure(false, None));
    assert!(unsure(false, Some(SideEffectState::Unknown)));
    assert!(unsure(false, None));
    assert!(!unsure(false, Some(SideEffectState::None)));
    assert!(!unsure(false, Some(SideEffectState::Applied)));
    assert!(!leaves_unsure(true, None));
    assert!(!unsure(true, Some(SideEffectState::Unknown)));
}

#[test]
fn equal_requests_have_equal_fingerprints() {
    let plain = request(json!({}));
    let same = [
        json!({"args": {"list": [1, 2], "count": 1.0, "reason": "spam"}}),
        json!({"idempotencyKey": "k", "timeoutMs": 5, "metadata": {"a": 1}}),
        json!({"presentation": {"ghostCursor": true}}),
        json!({"verification": {"policy": "any", "timeoutMs": 5}}),
    ];
    for change in same {
        assert_eq!(request(change.clone()), plain, "{change}");
    }
    let other_deeds = [
        json!({"actionId": "video.publish"}),
        json!({"args": {"reason": "spam", "count": 2, "list": [1, 2]}}),
        json!({"args": {"reason": "spam", "count": "1", "list": [1, 2]}}),
        json!({"args": {"reason": "spam", "count": 1, "list": [2, 1]}}),
        json!({"args": {"reason": "spam", "count": 1, "list": [[1, 2]]}}),
        json!({"args": {}}),
        json!({"target": {"ref": {"by": "stableId", "value": "video.43"}, "expectedName": "Delete"}}),
    ];
    for change in other_deeds {
        let other = request(change.clone());
        assert_ne!(other.payload, plain.payload, "{change}");
        assert_ne!(other.deed, plain.deed, "{change}");
    }
    let same_deed = [
        json!({"verification": {"policy": "none"}}),
        json!({"preferredExecutionModes": ["inputSynthesis"]}),
        json!({"target": {"ref": {"by": "stableId", "value": "video.42"}}}),
    ];
    for change in same_deed {
        let other = request(change.clone());
        assert_ne!(other.payload, plain.payload, "{change}");
        assert_eq!(other.deed, plain.deed, "{change}");
    }
}

fn decision(at: u64) -> Decision {
    Decision {
        at,
        effect: PolicyEffect::Confirm,
        risk: RiskLevel::Confirm,
        reason: "it destroys".into(),
        grounds: Grounds::default(),
    }
}

fn intent(at: u64, mode: ExecutionMode, repeatable: bool) -> Intent {
    Intent { mode, repeatable, consented: true, decision: decision(at) }
}

/// How an action ends that a crash left open, and its trace.
fn recovered(repeatable: bool, intents: Vec<Intent>) -> String {
    let kept = Kept {
        entry: Entry { repeatable, ..entry(None) },
        decisions: vec![decision(11)],
        intents,
        result: None,
    };
    let (result, trace) = kept.ended_by_crash(99);
    let error = result.error.expect("an error");
    let mut lines = vec![format!(
        "{} {:?} {} retryable={:?}",
        result.status, result.side_effect_state, error.code, error.retryable
    )];
    lines.extend(trace.steps.iter().map(|step| format!("{} {} {}", step.at, step.state, step.note)));
    lines.join("\n")
}

#[test]
fn a_crash_ends_what_was_open() {
    use ExecutionMode::{AppAction, SemanticUi};
    proves!["R006-3.3"];
    assert_snapshot!(recovered(false, Vec::new()), @"
    failed Some(None) internal_runtime_error retryable=Some(true)
    10 RECEIVED accepted
    11 CHECKING_PRECONDITIONS confirm: it destroys
    99 FAILED the runtime ended before the action was dispatched; nothing happened
    ");
    let twice = vec![intent(12, AppAction, false), intent(13, SemanticUi, false)];
    assert_snapshot!(recovered(false, twice), @"
    failed Some(Unknown) unsafe_retry_refused retryable=Some(false)
    10 RECEIVED accepted
    11 CHECKING_PRECONDITIONS confirm: it destroys
    12 CHECKING_PRECONDITIONS confirm: it destroys
    12 EXECUTING about to do it by appAction
    13 CHECKING_PRECONDITIONS confirm: it destroys
    13 EXECUTING about to do it by semanticUi
    99 FAILED the runtime ended while the action was under way; whether it took effect is not known
    ");
    let head = |text: String| text.lines().next().unwrap_or_default().to_owned();
    assert_eq!(
        head(recovered(true, vec![intent(12, AppAction, true)])),
        "failed Some(Unknown) internal_runtime_error retryable=Some(true)"
    );
    // Whoever says that it must not happen twice is believed.
    assert_eq!(
        head(recovered(true, vec![intent(12, AppAction, false)])),
        "failed Some(Unknown) unsafe_retry_refused retryable=Some(false)"
    );
}

#[test]
fn a_trace_survives_being_written_and_counts_what_it_leaves_out() {
    let mut trace = TraceRecord::new(handle("a"), action_id());
    assert_eq!(TraceRecord::from_json(&trace.to_json()).as_ref(), Some(&trace));
    let mut evidence = JsonObject::new();
    evidence.insert("revision".to_owned(), "rev_2".into());
    for evidence in [None, Some(evidence)] {
        trace.steps.push(TraceEntry {
            at: 5,
            state: RuntimeState::Executing,
            note: "doing it".into(),
            stage: TraceStage::Check,
            result: StageResult::Again,
            milestone: Some(Milestone::Dispatched),
            attempt: 1,
            cycle: 2,
            evidence,
        });
    }
    for _ in 0..DIAGNOSTICS_MAX + 3 {
        trace.attach(JsonObject::new());
    }
    assert_eq!((trace.diagnostics.len(), trace.omitted), (DIAGNOSTICS_MAX, 3));
    assert_eq!(TraceRecord::from_json(&trace.to_json()).as_ref(), Some(&trace));
    for broken in [json!(null), json!({}), json!({"actionHandle": "a", "actionId": "b", "steps": [{}]})] {
        assert_eq!(TraceRecord::from_json(&broken), None);
    }
}

/// A future that is ready at once, as all of the journal in memory are.
fn now<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    match future.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
        std::task::Poll::Ready(value) => value,
        std::task::Poll::Pending => panic!("it waits"),
    }
}

#[test]
fn the_journal_in_memory_fails_and_dies_on_demand() {
    let journal = MemoryJournal::default();
    let intend = || now(journal.intend(&handle("new"), intent(12, ExecutionMode::AppAction, false)));
    let intents = || now(journal.find(&handle("new"))).map(|kept| kept.map_or(0, |kept| kept.intents.len()));
    journal.inject(Faults { failing: 2..3, die_after: Some(4) });
    assert_eq!(now(journal.admit(entry(None))).expect("an answer"), Admission::New);
    assert!(matches!(intend(), Err(JournalError::Unavailable(_))));
    assert_eq!(intents().expect("an answer"), 0);
    intend().expect("kept");
    assert!(matches!(intend(), Err(JournalError::Unavailable(_))), "the fourth write is kept but not told");
    assert!(matches!(intents(), Err(JournalError::Unavailable(_))));
    journal.restart(20);
    assert_eq!(intents().expect("an answer"), 2);
    assert_eq!(journal.writes(), 4);
    assert!(matches!(intend(), Err(JournalError::Ended(_))));
}
