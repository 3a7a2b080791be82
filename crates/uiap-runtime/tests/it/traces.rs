//! What a whole runtime leaves behind of its actions: a trace of each, and what can be counted from them.

#![expect(clippy::expect_used, clippy::panic, reason = "a test may fail loudly")]

use serde_json::{Value, json};
use std::sync::Arc;
use uiap_protocol::action::{ActionRequest, ActionResult, ActionStatus, SideEffectState};
use uiap_protocol::core::PeerRole;
use uiap_protocol::ids::ActionId;
use uiap_protocol::text::Node;
use uiap_protocol::wire::accept;
use uiap_runtime::journal::{Journal, Tally, TraceRecord};
use uiap_runtime::life::Message;
use uiap_testkit::simulation::{
    Bench, Call, Ear, House, Proof, SlowJournal, Trouble, View, What, Wish, World,
};
use uiap_testkit::{Faults, MemoryJournal, proves};

fn bench(house: &House, trouble: Trouble) -> Bench {
    let world = World::new(1, View::new(false), trouble);
    let shelf = Arc::new(MemoryJournal::default());
    let journal = SlowJournal::new(Arc::clone(&shelf), 1, 0);
    Bench::new(1, house, &world, &shelf, journal).expect("a sound house")
}

fn calm() -> Bench {
    bench(&House::default(), Trouble::default())
}

fn wish(what: What, proof: Proof) -> ActionRequest {
    let wish = Wish { what, place: 1, by_row: false, proof, key: None, timeout_ms: None };
    wish.request().expect("a sound wish")
}

/// Acts; whoever is asked agrees, unless it is to be stopped as soon as it has begun.
async fn acted(bench: &Bench, request: &ActionRequest, stops: bool) -> (ActionResult, Vec<Message>) {
    let (ear, mut calls) = Ear::new(&bench.world);
    let acting = bench.runtime.act(request, &ear);
    tokio::pin!(acting);
    let result = loop {
        let call = tokio::select! {
            result = &mut acting => break result,
            Some(call) = calls.recv() => call,
        };
        match call {
            Call::Begun(handle) if stops => bench.runtime.cancel(&handle, None).expect("it is under way"),
            Call::Begun(_) => {}
            Call::Asks(question) => {
                let handle = question.request.action_handle.clone();
                bench.world.agree(&handle, 1);
                let granted = bench.runtime.grant(&handle, question.token, PeerRole::User);
                tokio::pin!(granted);
                tokio::select! {
                    result = &mut acting => break result,
                    granted = &mut granted => granted.expect("the right agreement"),
                }
            }
            Call::Waits(handle) => panic!("{handle} waits for a person"),
        }
    };
    (result.expect("a result"), ear.heard())
}

/// The same, with the trace that it leaves.
async fn act(bench: &Bench, request: &ActionRequest, stops: bool) -> (ActionResult, TraceRecord) {
    let (result, _) = acted(bench, request, stops).await;
    let trace = bench.runtime.journal().trace(&result.action_handle).await.expect("a journal");
    (result, trace.expect("a trace"))
}

fn step<'t>(trace: &'t Value, has: &str) -> &'t Value {
    let steps = trace["steps"].as_array().expect("steps");
    let found = steps.iter().find(|step| step["evidence"].get(has).is_some());
    found.unwrap_or_else(|| panic!("no step shows {has}: {trace:#}"))
}

#[tokio::test(start_paused = true)]
async fn every_action_leaves_a_trace_that_can_be_asked_for() {
    proves!["R005-6.2", "R005-6.3", "R005-7.1", "R005-10.1", "R007-3.7", "R012-6.1", "R012-11.1"];
    for (what, proof, action, kind, effect) in [
        (What::Press, Proof::Usual, "ui.activate", "selection", "side_effect"),
        (What::Drop, Proof::Usual, "ui.activate", "selection", "side_effect"),
        (What::Write, Proof::Usual, "ui.enterText", "input", "local"),
        (What::Note, Proof::Word, "thing.note", "system", "side_effect"),
        (What::Send, Proof::Word, "thing.send", "system", "side_effect"),
    ] {
        let bench = calm();
        let (result, trace) = act(&bench, &wish(what, proof), false).await;
        assert_eq!(result.status, ActionStatus::Succeeded, "{result:?}");
        assert_eq!(TraceRecord::from_json(&trace.to_json()), Some(trace.clone()));
        let trace = trace.to_json();
        assert_eq!(trace["actionHandle"], result.action_handle.as_str());
        assert_eq!((&trace["actionId"], &trace["actionType"]), (&json!(action), &json!(kind)));
        assert_eq!((&trace["outcome"], &trace["attempts"]), (&json!("SUCCEEDED"), &json!(1)));
        // What was wanted, what was to come of it, who said so, and from where on it was looked for.
        assert_eq!(step(&trace, "intent")["evidence"]["intent"], action);
        let expected = step(&trace, "origin");
        assert!(expected["note"].as_str().is_some_and(|note| note.len() > "success is known by ".len()));
        let origin = if proof == Proof::Usual { "profile" } else { "request" };
        assert_eq!(expected["evidence"]["origin"], origin);
        assert!(expected["evidence"]["baseline"].is_string());
        if let Some(target) = &result.resolved_target {
            assert!(step(&trace, "target")["evidence"]["target"]["ref"].is_object());
            assert_eq!(step(&trace, "targetId")["evidence"]["targetId"], target.instance_id.as_str());
        }
        assert_eq!(step(&trace, "effectKind")["evidence"]["effectKind"], effect);
        // Each step says when, whose outcome it tells and which, and in which attempt.
        for step in trace["steps"].as_array().expect("steps") {
            for member in ["at", "state", "note", "stage", "result", "attempt", "cycle"] {
                assert!(!step[member].is_null(), "{member} of {step}");
            }
        }
        let last = trace["steps"].as_array().and_then(|steps| steps.last()).expect("a step");
        assert_eq!(
            (&last["milestone"], &last["evidence"]["verdict"]),
            (&json!("verified"), &json!("verified"))
        );
        let metadata = result.metadata.as_ref().expect("metadata");
        let says = metadata["explanation"].as_str().expect("what was observed");
        assert!(says.starts_with("observed ") && says.len() > "observed ".len(), "{says}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_counts_as_success_was_seen_twice_at_least() {
    proves!["R010-5.1", "R010-6.2", "R010-6.4"];
    for (what, window) in [(What::Press, 0), (What::Drop, 500), (What::Write, 150), (What::Note, 500)] {
        let proof = if what == What::Note { Proof::Word } else { Proof::Usual };
        let (_, trace) = act(&calm(), &wish(what, proof), false).await;
        let last = trace.steps.last().and_then(|step| step.evidence.as_ref()).expect("evidence");
        assert!(last["matches"].as_u64() >= Some(2), "{last:?}");
        assert_eq!(last["windowMs"], window);
        // It holds for one window, not for two.
        let held = last["heldMs"].as_u64().expect("a time");
        assert!((window..window + 100).contains(&held), "{last:?}");
    }
    // How long is waited for it can be said, within bounds; what lies outside is refused and the bounds are told.
    let mut request = wish(What::Press, Proof::Word);
    request.verification.as_mut().expect("a proof").timeout_ms = Some(10_000_000);
    let (ear, _calls) = Ear::new(&calm().world);
    let refusal = calm().runtime.act(&request, &ear).await.expect_err("out of bounds");
    assert_eq!((refusal.detail["min"].as_u64(), refusal.detail["max"].as_u64()), (Some(1), Some(600_000)));
}

#[tokio::test(start_paused = true)]
async fn nobody_fails_for_what_was_not_looked_at_again() {
    proves!["R010-3.3", "R010-6.5", "R010-7.2", "R010-8.3"];
    let deaf = bench(&House::default(), Trouble { without_effect: 100, ..Trouble::default() });
    for what in [What::Press, What::Write, What::Note] {
        let before = deaf.world.looks();
        let (result, trace) = act(&deaf, &wish(what, Proof::Usual), false).await;
        assert_eq!(result.side_effect_state, Some(SideEffectState::Unknown), "{result:?}");
        let since = deaf.world.looks().split_off(before.len());
        let dispatched = trace.steps.iter().find(|step| step.state.as_str() == "EXECUTING").expect("a step");
        let fresh = since.iter().filter(|at| **at > dispatched.at).count();
        assert!((1..=3).contains(&fresh), "{fresh} looks of {since:?} after {}", dispatched.at);
    }
}

#[tokio::test(start_paused = true)]
async fn what_was_stopped_or_refused_is_told_too() {
    let stopped = calm();
    let (result, trace) = act(&stopped, &wish(What::Drop, Proof::Usual), true).await;
    assert_eq!(result.status, ActionStatus::Cancelled);
    assert_eq!(trace.to_json()["outcome"], "CANCELLED");
    assert_eq!(stopped.world.times_reached(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_request_that_never_became_an_action_has_a_trace_that_says_why() {
    proves!["R012-5.1"];
    let bench = calm();
    let sound = wish(What::Write, Proof::Usual);
    let secret = "hunter2";
    let args = |value: Value| ActionRequest { args: value.as_object().cloned(), ..sound.clone() };
    let named = |id: &str| ActionRequest { action_id: ActionId::new(id).expect("an id"), ..sound.clone() };
    for (request, code) in [
        (args(json!({ "text": [secret] })), "invalid_payload"),
        (args(json!({ "text": "a", "txet": secret })), "invalid_payload"),
        (named("ui.dance"), "action_unsupported"),
        (ActionRequest { target: None, ..sound.clone() }, "target_required"),
    ] {
        let (ear, _calls) = Ear::new(&bench.world);
        let refusal = bench.runtime.act(&request, &ear).await.expect_err("a refusal");
        assert_eq!(refusal.code.as_str(), code);
        let handle = refusal.trace.clone().expect("a trace");
        let trace = bench.runtime.journal().trace(&handle).await.expect("a journal").expect("a trace");
        assert_eq!(TraceRecord::from_json(&trace.to_json()), Some(trace.clone()));
        assert_eq!((trace.action_id.as_str(), trace.attempts()), (request.action_id.as_str(), 0));
        let told = trace.to_json();
        assert_eq!(told["outcome"], "FAILED");
        let last = told["steps"].as_array().and_then(|steps| steps.last()).expect("a step");
        assert_eq!(
            (&last["stage"], &last["milestone"], &last["evidence"]["code"], &last["note"]),
            (&json!("accept"), &json!("failed"), &json!(code), &json!(refusal.message))
        );
        assert!(!told.to_string().contains(secret), "{told}");
        // Whoever asked is told where it is.
        let payload = uiap_protocol::core::ErrorPayload::from(refusal);
        assert_eq!(payload.detail.expect("a detail")["trace"], handle.as_str());
        // It is no action: nobody finds one, and none is under way.
        assert_eq!(bench.runtime.journal().find(&handle).await.expect("a journal"), None);
    }
    assert_eq!(bench.runtime.journal().turned_away(9).await.expect("a journal").len(), 4);
    assert_eq!((bench.world.times_reached(), bench.runtime.load().under_way), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn how_much_is_verified_follows_from_what_is_at_stake() {
    proves!["R018-6.1"];
    let verdict =
        |trace: &TraceRecord| trace.to_json()["steps"].as_array().and_then(|steps| steps.last()).cloned();
    // None: it is said to be unverified, and nothing is waited for.
    let mut unasked = wish(What::Write, Proof::Usual);
    let policy = json!({ "policy": "none" });
    unasked.verification = Some(accept(&Node::from_json(&policy)).expect("a policy"));
    let began = tokio::time::Instant::now();
    let (_, trace) = act(&calm(), &unasked, false).await;
    let none = began.elapsed();
    let last = verdict(&trace).expect("a step");
    assert_eq!((&last["evidence"]["verdict"], &last["milestone"]), (&json!("unverified"), &Value::Null));
    // Light: seen after the deed, and no time has to pass. Full: it has to last.
    for (what, window) in [(What::Press, 0), (What::Drop, 500)] {
        let (_, trace) = act(&calm(), &wish(what, Proof::Usual), false).await;
        let last = verdict(&trace).expect("a step");
        assert_eq!((&last["evidence"]["windowMs"], &last["milestone"]), (&json!(window), &json!("verified")));
    }
    assert!(none.as_millis() < 100, "{none:?}");
    // What cannot be looked at afterwards is not said to have failed: nobody knows.
    let blind = bench(&House::default(), Trouble { cut_ms: Some((20, 60_000)), ..Trouble::default() });
    let (result, trace) = act(&blind, &wish(What::Drop, Proof::Usual), false).await;
    assert_eq!(result.side_effect_state, Some(SideEffectState::Unknown), "{:#}", trace.to_json());
}

#[tokio::test(start_paused = true)]
async fn finding_a_target_does_nothing_to_the_application() {
    proves!["R005-3.2"];
    let rules = vec![json!({
        "id": "not-this", "effect": "deny", "when": {"actionIds": ["ui.activate"]}, "reason": "no",
    })];
    let house = House { rules, ..House::default() };
    let bench = bench(&house, Trouble::default());
    let before = bench.world.view();
    let (result, trace) = act(&bench, &wish(What::Press, Proof::Usual), false).await;
    assert_eq!(result.error.as_ref().map(|error| error.code.as_str()), Some("policy_denied"));
    let found = result.resolved_target.as_ref().map(|target| target.instance_id.as_str());
    assert!(found.is_some_and(|id| id.starts_with("press")), "{found:?}");
    assert_eq!((bench.world.times_reached(), trace.attempts()), (0, 0));
    assert!(bench.world.view() == before, "the page is as it was");
}

#[tokio::test(start_paused = true)]
async fn the_same_life_leaves_the_same_trace() {
    proves!["R010-3.5", "R012-3.3"];
    for what in [What::Press, What::Drop, What::Write] {
        let trouble = || Trouble { slow: true, undelivered: 50, ..Trouble::default() };
        let run = async || act(&bench(&House::default(), trouble()), &wish(what, Proof::Usual), false).await;
        let (one, other) = (run().await, run().await);
        let steps = |trace: &TraceRecord| {
            let mut trace = trace.to_json();
            trace["actionHandle"] = Value::Null;
            trace
        };
        assert_eq!(steps(&one.1), steps(&other.1));
    }
}

#[tokio::test(start_paused = true)]
async fn what_went_well_is_counted_from_what_was_kept() {
    proves!["R007-12.1", "R008-12.1"];
    let mut tally = Tally::default();
    let calm = calm();
    for what in [What::Press, What::Write] {
        let (result, trace) = act(&calm, &wish(what, Proof::Usual), false).await;
        tally.add(&result, Some(&trace));
    }
    let deaf = bench(&House::default(), Trouble { without_effect: 100, ..Trouble::default() });
    let (result, trace) = act(&deaf, &wish(What::Press, Proof::Usual), false).await;
    tally.add(&result, Some(&trace));
    let result = |value: Value| -> ActionResult {
        let mut whole = json!({
            "actionHandle": "act_1", "actionId": "ui.activate", "status": "succeeded",
            "verification": {"passed": true, "policy": "any", "observed": []},
        });
        whole.as_object_mut().expect("an object").extend(value.as_object().expect("members").clone());
        accept(&Node::from_json(&whole)).expect("a sound result")
    };
    let custom = |status: &str| {
        json!({"status": status, "chosenExecutionMode": "externalDriver", "resolvedTarget": {
            "by": "semantic", "instanceId": "e", "documentId": "d", "role": "custom",
        }, "metadata": {"recovery": {"tried": ["re_resolve"], "cycles": 1, "attempts": 1}}})
    };
    tally.add(&result(custom("succeeded")), None);
    tally.add(&result(custom("failed")), None);
    let adjusted = |attempts: u32, converged: bool, degraded: bool| {
        json!({"actionId": "ui.setValue", "chosenExecutionMode": "semanticUi", "returnValue": {
            "residual": 0, "attempts": attempts, "converged": converged, "degraded": degraded,
        }})
    };
    tally.add(&result(adjusted(1, true, false)), None);
    tally.add(&result(adjusted(4, true, true)), None);
    assert_eq!(
        tally.to_string(),
        "5 of 7 succeeded, 4 at the first attempt; 7 dispatched, 2 by a pointer, 1 in vain; 2 targets looked for \
         again; 1 of 2 on custom controls succeeded; 1 of 2 values reached at once, 3 further values tried, \
         1 controls not set"
    );
}

#[tokio::test(start_paused = true)]
async fn whether_a_trace_can_be_kept_changes_nothing() {
    proves!["R012-8.1"];
    for what in [What::Press, What::Drop, What::Write] {
        let run = async |faults: Faults| {
            let world = World::new(1, View::new(false), Trouble::default());
            let shelf = Arc::new(MemoryJournal::default());
            shelf.inject(faults);
            let journal = SlowJournal::new(Arc::clone(&shelf), 1, 0);
            let bench = Bench::new(1, &House::default(), &world, &shelf, journal).expect("a sound house");
            let began = tokio::time::Instant::now();
            let (result, said) = acted(&bench, &wish(what, Proof::Usual), false).await;
            let kept = shelf.trace(&result.action_handle).await.expect("a journal").is_some();
            (kept, shelf.writes(), (result, said, began.elapsed()))
        };
        let (kept, writes, with) = run(Faults::default()).await;
        let (lost, _, without) = run(Faults { failing: writes..u64::MAX, ..Faults::default() }).await;
        assert!(kept && !lost, "the last write is that of the trace");
        assert_eq!(with, without);
    }
}
