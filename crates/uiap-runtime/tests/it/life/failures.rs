//! How actions fail: classed, told in full, recovered from within bounds, and never repeated where that could harm.

use crate::life::lives::*;
use insta::assert_snapshot;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use uiap_protocol::action::{RuntimeErrorCode, RuntimeState, VerificationPolicy};
use uiap_protocol::capability::{ExecutionMode, Idempotency};
use uiap_protocol::policy::PolicyEffect;
use uiap_runtime::gate::LiveFacts;
use uiap_runtime::judge::{Finding, FindingWord};
use uiap_runtime::life::{
    Action, Answer, CLASSES_VERSION, Delivery, Event, FailureClass, LAST_LOOK_MS, Observation, Plan,
    TRACE_STEPS_MAX, TraceStage,
};
use uiap_runtime::resolve::{Distinction, Mismatch, ResolveError};
use uiap_testkit::proves;

fn codes() -> impl Iterator<Item = RuntimeErrorCode> {
    RuntimeErrorCode::WORDS.iter().filter_map(|word| RuntimeErrorCode::from_word(word))
}

#[test]
fn every_code_has_its_class() {
    use FindingWord as Word;
    proves!["R005-3.4", "R010-8.1", "R011-3.1", "R011-5.1", "R011-6.1"];
    let classed = |code, found| {
        let class = FailureClass::of(code, found);
        class.map_or_else(|| "-".to_owned(), |class| format!("{} {}", class.word(), class.family().word()))
    };
    let mut table: Vec<_> = codes().map(|code| format!("{code}: {}", classed(code, None))).collect();
    for found in [Word::Timeout, Word::NoChange, Word::UnexpectedChange, Word::NotConverged, Word::Mismatch] {
        let class = classed(RuntimeErrorCode::VerificationFailed, Some(found));
        table.push(format!("verification_failed, {}: {class}", found.word()));
    }
    // Whoever changes a line gives the table another version.
    assert_eq!(CLASSES_VERSION, 1);
    assert_snapshot!(table.join("\n"), @r"
    action_unsupported: dispatch execution
    target_required: resolution target_resolution
    target_not_found: resolution target_resolution
    target_ambiguous: resolution target_resolution
    stale_target: resolution target_resolution
    target_not_interactable: resolution target_resolution
    confirmation_denied: -
    user_activation_required: -
    cross_origin_unavailable: -
    closed_shadow_unavailable: -
    execution_mode_unavailable: dispatch execution
    verification_failed: timeout verification
    unsafe_retry_refused: -
    cancelled: -
    internal_runtime_error: dispatch execution
    policy_denied: -
    invalid_arguments: dispatch execution
    timeout: dispatch execution
    verification_failed, timeout: timeout verification
    verification_failed, no_change: no_change verification
    verification_failed, unexpected_change: unexpected_change verification
    verification_failed, not_converged: not_converged control_convergence
    verification_failed, mismatch: mismatch semantic_mismatch
    ");
    let families: BTreeSet<_> = FailureClass::ALL.iter().map(|class| class.family().word()).collect();
    assert_eq!(families.len(), 5);
}

/// The detail of the error of a life that has ended.
fn detail(life: &Life) -> Value {
    let error = life.result.as_ref().and_then(|result| result.error.as_ref()).expect("an error");
    let mut detail = Value::Object(error.detail.clone().expect("a detail"));
    detail["code"] = error.code.as_str().into();
    detail
}

#[test]
fn a_failure_is_told_in_full() {
    proves![
        "R007-7.1",
        "R011-3.5",
        "R011-8.1",
        "R011-9.1",
        "R011-12.1",
        "R0111-4.1",
        "R0111-10.1",
        "R014-16.1"
    ];
    // The target became something else, was found again as another element, and then nothing came of it.
    let mut life = Life::dispatched(|_| {});
    life.answer(40, outdated()).answer(50, found("el_2")).answer(60, fine());
    life.answer(70, verdict(PolicyEffect::Allow)).answer(80, delivered());
    let finding = Some(Finding::new(FindingWord::NoChange, "nothing changed"));
    life.tell(90, Event::Observed(Observation { finding, ..Observation::default() }));
    life.tell(4_080, Event::Woke);
    assert_eq!(
        detail(&life),
        json!({
            "code": "verification_failed", "phase": "verifying", "class": "no_change",
            "family": "verification", "classesVersion": CLASSES_VERSION, "attempts": 2,
            "tried": ["step_back", "re_resolve", "alternate_candidate"], "firstTarget": "el_1",
        })
    );
    let result = life.result.as_ref().expect("a result");
    assert_eq!(result.resolved_target.as_ref().map(|target| target.instance_id.as_str()), Some("el_2"));
    let metadata = result.metadata.as_ref().expect("metadata");
    assert_eq!(metadata["verdict"], "no_change");
    assert_eq!(
        metadata["recovery"],
        json!({ "tried": ["step_back", "re_resolve", "alternate_candidate"], "cycles": 1, "attempts": 2 })
    );

    // Something stood in the way until nothing more could be tried.
    let mut hidden = Life::new(|_| {});
    hidden.answer(10, found("el_1")).answer(20, checked(LiveFacts { behind_modal: true, ..facts() }));
    let told = detail(&hidden);
    assert_eq!(
        (&told["code"], &told["phase"], &told["gate"], &told["obstacle"], &told["tried"]),
        (
            &json!("target_not_interactable"),
            &json!("checking_preconditions"),
            &json!("not_enabled"),
            &json!("behind_modal"),
            &json!([])
        )
    );

    // Several could have been meant: all of them, and what tells them apart.
    let mut twins = Life::new(|_| {});
    twins.answer(
        10,
        Answer::Resolved(Err(ResolveError::Ambiguous {
            count: 2,
            candidates: vec![candidate("el_1"), candidate("el_2")],
            distinctions: vec![Distinction::Scope],
        })),
    );
    let told = detail(&twins);
    assert_eq!((&told["class"], &told["count"]), (&json!("resolution"), &json!(2)));
    assert_eq!(told["distinctions"], json!(["scopeId"]));
    let named: Vec<_> =
        told["candidates"].as_array().expect("a list").iter().map(|one| &one["instanceId"]).collect();
    assert_eq!(named, ["el_1", "el_2"]);
    assert_eq!(told["candidates"][0]["score"], json!({ "role": 20 }));

    let mut stale = Life::new(|_| {});
    let other = || {
        let found = Box::new(candidate("el_9"));
        Answer::Resolved(Err(ResolveError::Stale { mismatch: Mismatch::Name, found }))
    };
    stale.answer(10, other()).answer(20, other());
    let told = detail(&stale);
    assert_eq!(
        (&told["code"], &told["mismatch"], &told["tried"], &told["candidates"][0]["instanceId"]),
        (&json!("stale_target"), &json!("name"), &json!(["re_resolve"]), &json!("el_9"))
    );
}

#[test]
fn what_was_found_is_explained_and_what_came_next_is_kept() {
    proves!["R007-7.1", "R007-10.1"];
    let mut life = Life::new(|_| {});
    life.answer(10, found_beside("el_1", &["el_2"])).answer(20, fine());
    life.answer(30, verdict(PolicyEffect::Deny));
    let metadata = life.result.as_ref().and_then(|result| result.metadata.as_ref()).expect("metadata");
    assert_eq!(metadata["resolution"]["confidencePercent"], 100);
    assert_eq!(metadata["resolution"]["targetId"], "el_1");
    assert_eq!(metadata["resolution"]["alternates"][0]["instanceId"], "el_2");
    assert_eq!(metadata["resolution"]["alternates"][0]["score"], json!({ "role": 20 }));
    let trace = life.action.as_ref().expect("an action").trace();
    let step = trace.iter().find(|step| step.stage == TraceStage::Resolve).expect("a step");
    assert_eq!(step.evidence.as_ref().expect("evidence")["targetId"], "el_1");
}

/// Every strategy that the trace of a life shows.
fn shown_strategies(life: &Life) -> Vec<String> {
    let steps = life.action.as_ref().expect("an action").trace().iter();
    let words = steps.filter_map(|step| Some(step.evidence.as_ref()?.get("strategy")?.as_str()?.to_owned()));
    words.collect()
}

fn tried(life: &Life) -> Vec<String> {
    let metadata = life.result.as_ref().and_then(|result| result.metadata.as_ref());
    let tried = metadata.and_then(|metadata| metadata.get("recovery")).map(|recovery| &recovery["tried"]);
    let words = tried.and_then(Value::as_array).into_iter().flatten();
    words.filter_map(|word| word.as_str().map(str::to_owned)).collect()
}

#[test]
fn what_is_tried_depends_on_what_went_wrong() {
    proves!["R011-3.2", "R011-6.2", "R011-7.1", "R0111-7.1"];
    let done = |life: &mut Life, from: u64| {
        life.answer(from, verdict(PolicyEffect::Allow)).answer(from + 10, delivered());
        life.tell(from + 20, seen(true)).tell(from + 600, Event::Woke);
        assert!(life.since().ends_with("result succeeded applied"));
    };
    // Gone: looked for again; it is another element now.
    let mut gone_once = Life::new(|_| {});
    gone_once.answer(10, found("el_1")).answer(20, gone()).answer(30, found("el_2")).answer(40, fine());
    done(&mut gone_once, 50);
    assert_eq!(tried(&gone_once), ["re_resolve", "alternate_candidate"]);
    assert_eq!(shown_strategies(&gone_once), ["re_resolve"]);
    // Not usable for a moment: looked at again.
    let mut busy = Life::new(|_| {});
    busy.answer(10, found("el_1")).answer(20, checked(LiveFacts { busy: Some(true), ..facts() }));
    busy.tell(70, Event::Woke).answer(80, fine());
    done(&mut busy, 90);
    assert_eq!(tried(&busy), ["state_refresh"]);
    // Out of view: brought there.
    let mut away = Life::new(|_| {});
    away.answer(10, found("el_1")).answer(20, checked(LiveFacts { in_view: false, ..facts() }));
    away.answer(30, Answer::Revealed).answer(40, fine());
    done(&mut away, 50);
    assert_eq!(tried(&away), ["reveal"]);
    // One way delivers nothing: the next one is tried, in the state as it is then.
    let mut other_way = Life::dispatched(|_| {});
    other_way.answer(40, undelivered()).answer(50, fine()).answer(60, delivered());
    other_way.tell(70, seen(true)).tell(700, Event::Woke);
    assert_eq!(tried(&other_way), ["adjusted_retry"]);
    let result = other_way.result.as_ref().expect("a result");
    assert_eq!(result.chosen_execution_mode, Some(ExecutionMode::SemanticUi));
    // Something else stands there: a step back to the search, and the same deed again; nothing is rolled back.
    let mut back = Life::dispatched(|_| {});
    back.answer(40, outdated()).answer(50, found("el_1")).answer(60, fine());
    back.answer(70, verdict(PolicyEffect::Allow));
    assert_snapshot!(back.since(), @r"
    progress recovering
    ask resolve fresh=true
    progress checking_preconditions
    ask check
    ask decide
    progress executing
    record intent consented=false
    watch
    ask dispatch appAction
    ");
    back.answer(80, delivered()).tell(90, seen(true)).tell(700, Event::Woke);
    assert_eq!(tried(&back), ["step_back", "re_resolve"]);
}

#[test]
fn time_that_is_up_says_whether_anything_can_have_happened() {
    proves!["R018-6"];
    let mut early = Life::new(|_| {});
    early.since();
    early.tell(10_000, Event::Woke);
    assert_snapshot!(early.since(), @r"
    record outcome
    result failed none timeout retryable=true
    ");
    let mut late = Life::dispatched(|_| {});
    late.tell(10_000, Event::Woke);
    assert_snapshot!(late.since(), @r"
    record outcome
    result failed unknown timeout retryable=false
    ");
}

#[test]
fn nothing_is_done_again_once_it_may_have_happened() {
    proves!["R0111-4.2", "R0111-8.2"];
    // Whatever a page shows after a delivery of which nobody knows, and whatever the surface says late.
    for after in [Delivery::Unknown, Delivery::Delivered { acknowledged: false, return_value: None }] {
        let mut life = Life::dispatched(|_| {});
        life.answer(40, Answer::Delivered(after)).since();
        let asked = life.asked;
        for now in [50, 100, 200, 4_040] {
            life.tell(now, Event::Answered(asked, undelivered()))
                .tell(now, Event::Answered(asked, outdated()));
            life.tell(now, Event::Answered(asked, gone())).tell(now, seen(false)).tell(now, Event::Woke);
        }
        let told = life.since();
        assert!(!told.contains("ask"), "{told}");
        assert!(told.ends_with("result failed unknown verification_failed retryable=false"), "{told}");
        let detail = detail(&life);
        assert_eq!((&detail["attempts"], &detail["tried"]), (&json!(1), &json!([])));
    }
}

#[test]
fn what_must_not_be_repeated_is_looked_for_again_and_done_once() {
    proves!["R0111-8.3"];
    let once = |plan: &mut Plan| plan.idempotency = Idempotency::NonIdempotent;
    // The target is gone: it is looked for again, and another one stands for it.
    let mut gone_once = Life::new(once);
    gone_once.answer(10, found("el_1")).answer(20, gone()).answer(30, found("el_2")).answer(40, fine());
    gone_once.answer(50, verdict(PolicyEffect::Allow)).answer(60, delivered());
    gone_once.tell(70, seen(true)).tell(700, Event::Woke);
    assert_eq!(tried(&gone_once), ["re_resolve", "alternate_candidate"]);
    assert_eq!(gone_once.since().matches("ask dispatch").count(), 1);
    // It may have been delivered: whatever fails then, nothing is tried that would do it again.
    let mut perhaps = Life::dispatched(once);
    perhaps.answer(40, Answer::Delivered(Delivery::Unknown)).tell(60, seen(false)).tell(9_000, Event::Woke);
    assert_eq!(tried(&perhaps), Vec::<String>::new());
    assert!(!perhaps.since().contains("ask dispatch"));
}

#[test]
fn what_is_wrong_for_a_moment_is_no_failure() {
    proves![
        "R010-3.1",
        "R010-3.4",
        "R010-6.1",
        "R010-6.3",
        "R010-8.2",
        "R010-8.4",
        "R010-10.1",
        "R005-4.3",
        "R005-4.5",
        "R005-7.2"
    ];
    for action in ["ui.activate", "ui.setValue", "ui.enterText"] {
        let begun = || {
            let mut life = Life::dispatched(|plan| plan.action_id = action_id(action));
            life.answer(40, delivered()).since();
            life
        };
        // Wrong, unseen, right, wrong, and right in the end: only what holds counts, whatever came before.
        let mut late = begun();
        late.tell(60, seen(false)).tell(100, Event::Unseen).tell(400, seen(true)).tell(450, seen(false));
        assert_eq!(late.action.as_ref().map(Action::state), Some(RuntimeState::Verifying), "{action}");
        late.tell(3_000, seen(true)).tell(3_499, Event::Woke);
        assert_eq!(late.since(), "", "{action}: it has not held long enough");
        late.tell(3_500, Event::Woke);
        assert!(late.since().ends_with("result succeeded applied"), "{action}");
        // Nothing ends before the window does, and what comes after it does not count.
        let mut never = begun();
        never.tell(60, seen(false)).tell(4_039, seen(false));
        assert_eq!(never.since(), "", "{action}");
        never.tell(4_040, seen(true));
        assert!(never.since().ends_with("result failed unknown verification_failed retryable=false"));
    }
}

#[test]
fn the_page_is_looked_at_once_more_before_time_is_up() {
    proves!["R010-6.5", "R010-7.1"];
    // What a failure rests on is never older than this.
    const { assert!(LAST_LOOK_MS <= 300) };
    let mut life = Life::dispatched(|_| {});
    life.answer(40, delivered()).tell(60, seen(false));
    assert_eq!(life.wake, 4_040 - LAST_LOOK_MS);
    life.tell(4_040 - LAST_LOOK_MS, Event::Woke);
    assert_eq!(life.wake, 4_040);
    // What the last look found is what the failure says.
    let finding = Some(Finding::new(FindingWord::UnexpectedChange, "the page changed elsewhere"));
    life.tell(4_040, Event::Observed(Observation { finding, ..Observation::default() }));
    assert_eq!(detail(&life)["class"], "unexpected_change");
}

#[test]
fn an_outcome_that_keeps_changing_fills_the_trace_and_not_more() {
    proves!["R012-9.1"];
    let mut life = Life::dispatched(|_| {});
    life.answer(40, delivered());
    for now in 0..2_000 {
        life.tell(50 + now, seen(now % 2 == 0));
    }
    life.tell(4_040, Event::Woke);
    let steps = life.action.as_ref().expect("an action").trace();
    assert_eq!(steps.len(), TRACE_STEPS_MAX);
    assert_eq!(steps.last().map(|step| step.state), Some(RuntimeState::Failed));
    let longest = steps.iter().map(|step| step.note.len() + format!("{:?}", step.evidence).len()).max();
    assert!(longest < Some(1_000), "{longest:?}");
}

#[test]
fn the_stages_of_a_life_are_told_apart() {
    proves!["R012-3.2", "R012-7.6", "R010-13.1", "R006-3.4", "R006-6.2", "R006-6.3"];
    let mut life = Life::new(|_| {});
    life.answer(10, found("el_1")).answer(20, checked(LiveFacts { busy: Some(true), ..facts() }));
    life.tell(70, Event::Woke).answer(80, fine()).answer(90, verdict(PolicyEffect::Allow));
    life.answer(100, undelivered()).answer(110, fine()).answer(120, delivered());
    life.tell(130, seen(true)).tell(200, seen(false)).tell(300, seen(true)).tell(310, seen(true));
    life.tell(800, Event::Woke);
    let steps = life.action.as_ref().expect("an action").trace();
    let told: Vec<_> = steps
        .iter()
        .map(|step| {
            let (stage, result) = (step.stage.word(), step.result.word());
            let reached = step.milestone.map(|reached| format!(", {}", reached.word())).unwrap_or_default();
            format!("{} {stage} {result} {}.{} {}{reached}", step.at, step.attempt, step.cycle, step.note)
        })
        .collect();
    assert_snapshot!(told.join("\n"), @r"
    0 accept passed 0.0 accepted
    0 accept passed 0.0 looking for the target
    10 resolve passed 0.0 found
    20 check again 0.1 busy
    80 recover passed 0.1 nothing in the way, resolved
    90 check passed 1.1 doing it, dispatched
    100 execute again 1.1 no handler
    110 check passed 2.1 doing it, dispatched
    120 execute passed 2.1 delivered, pending_verification
    130 verify passed 2.1 the outcome is as expected, and has to hold
    200 stabilize again 2.1 the outcome did not hold
    300 verify passed 2.1 the outcome is as expected, and has to hold
    800 stabilize passed 2.1 done, verified
    ");
    let last = steps.last().and_then(|step| step.evidence.as_ref()).expect("evidence");
    assert_eq!(
        (&last["matches"], &last["heldMs"], &last["windowMs"], &last["revision"]),
        (&json!(2), &json!(500), &json!(500), &json!("r2"))
    );
}

#[test]
fn a_trace_alone_tells_the_kinds_of_failure_apart() {
    proves!["R012-12.1", "R006-11.1"];
    let family = |life: &Life| {
        let last = life.action.as_ref().expect("an action").trace().last().expect("a step");
        assert_eq!(last.state, RuntimeState::Failed);
        let evidence = last.evidence.as_ref().expect("evidence");
        evidence.get("family").and_then(Value::as_str).unwrap_or("-").to_owned()
    };
    let judged = |word| {
        let mut life = Life::dispatched(|_| {});
        let finding = Some(Finding::new(word, "so"));
        life.answer(40, delivered());
        life.tell(60, Event::Observed(Observation { finding, ..Observation::default() }));
        life.tell(4_040, Event::Woke);
        life
    };
    let mut lost = Life::new(|_| {});
    lost.answer(10, Answer::Resolved(Err(ResolveError::NotFound { nearest: Vec::new() })));
    assert_eq!(family(&lost), "target_resolution");
    let mut dead = Life::dispatched(|_| {});
    dead.answer(40, undelivered()).answer(50, fine()).answer(60, undelivered());
    assert_eq!(family(&dead), "execution");
    assert_eq!(family(&judged(FindingWord::NoChange)), "verification");
    assert_eq!(family(&judged(FindingWord::NotConverged)), "control_convergence");
    assert_eq!(family(&judged(FindingWord::Mismatch)), "semantic_mismatch");
}

#[test]
fn without_a_verifier_nothing_is_called_verified() {
    proves!["R006-6.4"];
    let mut life = Life::dispatched(|plan| {
        plan.idempotency = Idempotency::Idempotent;
        plan.verification.policy = VerificationPolicy::None;
    });
    life.answer(40, delivered());
    let result = life.result.as_ref().expect("a result");
    let metadata = result.metadata.as_ref().expect("metadata");
    assert_eq!((&metadata["verdict"], &metadata["unverified"]), (&json!("unverified"), &json!(true)));
    assert!(life.since().ends_with("result succeeded unknown"));
}
