//! Lives of single actions, told by hand.

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail loudly")]

mod failures;
mod laws;
mod lives;
mod sight;

use insta::assert_snapshot;
use lives::*;
use uiap_protocol::action::VerificationPolicy;
use uiap_protocol::capability::Idempotency;
use uiap_protocol::ids::{ActionId, RevisionId};
use uiap_protocol::policy::{DemandedVerification, PolicyEffect};
use uiap_protocol::wire::JsonObject;
use uiap_runtime::gate::LiveFacts;
use uiap_runtime::judge::{Finding, FindingWord};
use uiap_runtime::life::{
    Action, Answer, CONFIRMATION_WAIT_MS_MAX, Delivery, Effect, Event, Message, Observation, Plan,
    SHORT_WAITS_MS_MAX, USER_WAIT_MS_MAX, after_crash, step,
};
use uiap_runtime::resolve::ResolveError;
use uiap_testkit::proves;

#[test]
fn a_plain_life() {
    proves!["ACT-5.2-1"];
    let mut life = Life::new(|_| {});
    life.answer(10, found("el_1")).answer(20, fine()).answer(30, verdict(PolicyEffect::Allow));
    life.answer(40, delivered()).tell(60, seen(true)).tell(560, Event::Woke);
    assert_snapshot!(life.since(), @r"
    accepted
    progress resolving_target
    ask resolve fresh=false
    progress checking_preconditions
    ask check
    ask decide
    progress executing
    record intent consented=false
    watch
    ask dispatch appAction
    progress verifying
    record outcome
    result succeeded applied
    ");
    life.tell(600, seen(true)).tell(700, Event::Cancel { reason: None });
    assert_eq!(life.since(), "", "after the end nothing happens");
}

#[test]
fn what_is_right_for_a_moment_is_no_success() {
    let mut life = Life::dispatched(|_| {});
    life.answer(40, delivered()).tell(60, seen(true)).tell(300, seen(false)).tell(600, Event::Woke);
    assert_snapshot!(life.since(), @"progress verifying");
    life.tell(4_040, Event::Woke);
    assert_snapshot!(life.since(), @r"
    record outcome
    result failed unknown verification_failed retryable=false
    ");
    let mut harmless = Life::dispatched(|plan| plan.idempotency = Idempotency::Idempotent);
    harmless.answer(40, delivered()).tell(60, seen(true));
    assert!(harmless.since().ends_with("result succeeded applied"), "what may run twice needs no quiet");
}

/// The verdict of the result, the class of its error, and what is said about its effect.
fn ended(life: &mut Life, now: u64, event: Event) -> String {
    let (_, effects) = step(life.action.take().expect("an action"), now, event);
    let result = effects.iter().find_map(|effect| match effect {
        Effect::Send(Message::Result(result)) => Some(result),
        _ => None,
    });
    let result = result.expect("a result");
    let member = |object: &Option<JsonObject>, name: &str| {
        let value = object.as_ref().and_then(|object| object.get(name)).and_then(|value| value.as_str());
        value.unwrap_or("-").to_owned()
    };
    let error = result.error.as_ref();
    let class = error.map_or_else(|| "-".to_owned(), |error| member(&error.detail, "class"));
    let effects = result.side_effect_state.map(|state| state.to_string()).unwrap_or_default();
    format!("{} {} {class} {effects}", result.status, member(&result.metadata, "verdict"))
}

#[test]
fn a_result_says_what_the_verification_found() {
    use FindingWord as Word;
    proves!["R005-11.1", "R010-3.2"];
    let judged = |word, enough: bool, now| {
        let mut life = Life::dispatched(|_| {});
        let finding = Some(Finding::new(word, "seen so"));
        let seen = Observation { enough, settled: true, finding, ..Observation::default() };
        life.answer(40, delivered()).tell(60, Event::Observed(seen));
        ended(&mut life, now, Event::Woke)
    };
    assert_eq!(judged(Word::Verified, true, 560), "succeeded verified - applied");
    assert_eq!(judged(Word::WithinTolerance, true, 560), "succeeded within_tolerance - applied");
    assert_eq!(judged(Word::NoChange, false, 4_040), "failed no_change no_change unknown");
    assert_eq!(
        judged(Word::UnexpectedChange, false, 4_040),
        "failed unexpected_change unexpected_change unknown"
    );
    assert_eq!(judged(Word::Mismatch, false, 4_040), "failed mismatch mismatch unknown");
    assert_eq!(judged(Word::Timeout, false, 4_040), "failed timeout timeout unknown");
    // Right at the last look, but not for long enough.
    assert_eq!(judged(Word::Verified, true, 4_040), "failed timeout timeout unknown");
}

#[test]
fn what_only_reads_changes_nothing() {
    for action in ["ui.read", "ui.highlight"] {
        let mut life = Life::dispatched(|plan| {
            plan.action_id = ActionId::new(action).expect("an id");
            plan.idempotency = Idempotency::Idempotent;
            plan.verification.policy = VerificationPolicy::None;
        });
        let done = Event::Answered(life.asked, delivered());
        assert_eq!(ended(&mut life, 40, done), "succeeded unverified - none");
    }
}

#[test]
fn a_revision_is_demanded_where_it_was_asked_for() {
    proves!["ACT-12.4-1"];
    let still = |revision| {
        let mut life = Life::dispatched(|plan| {
            plan.idempotency = Idempotency::Idempotent;
            plan.verification.require_revision_advance = true;
        });
        let revision: Option<RevisionId> = revision;
        let observation = Observation { enough: true, settled: true, revision, ..Observation::default() };
        life.answer(40, delivered()).tell(60, Event::Observed(observation));
        life.since()
    };
    assert_eq!(still(None), "progress verifying");
    assert!(still(RevisionId::new("r2").ok()).ends_with("result succeeded applied"));
}

#[test]
fn a_person_is_asked_and_the_clock_stands_still() {
    let asked = || {
        let mut life = Life::new(|_| {});
        life.answer(10, found("el_1")).answer(20, fine()).answer(30, verdict(PolicyEffect::Confirm));
        life.since();
        life
    };
    let mut granted = asked();
    granted.answer(400_000, Answer::Granted).answer(400_010, fine());
    assert_snapshot!(granted.since(), @r"
    progress checking_preconditions
    ask check
    progress executing
    record intent consented=true
    watch
    ask dispatch appAction
    ");
    let mut denied = asked();
    denied.answer(50, Answer::Denied { reason: None });
    assert_snapshot!(denied.since(), @r"
    record outcome
    result cancelled none confirmation_denied retryable=true
    ");
    let mut silent = asked();
    silent.tell(30 + CONFIRMATION_WAIT_MS_MAX, Event::Woke);
    assert_snapshot!(silent.since(), @r"
    record outcome
    result failed none timeout retryable=true
    ");
}

#[test]
fn an_agreement_is_for_one_target() {
    proves!["ACT-8.3-1"];
    let mut life = Life::new(|_| {});
    life.answer(10, found("el_1")).answer(20, fine()).answer(30, verdict(PolicyEffect::Confirm));
    life.since();
    life.answer(40, Answer::Granted).answer(50, gone()).answer(60, found("el_2")).answer(70, fine());
    life.answer(80, verdict(PolicyEffect::Confirm));
    assert_snapshot!(life.since(), @r"
    progress checking_preconditions
    ask check
    progress recovering
    ask resolve fresh=true
    progress checking_preconditions
    ask check
    ask decide
    progress awaiting_confirmation
    ask confirm confirm
    ");
    // The target goes away for good: it was looked for twice already.
    life.answer(90, Answer::Granted).answer(100, gone());
    assert!(life.since().ends_with("result failed none stale_target retryable=true"));
}

#[test]
fn a_refusal_of_the_policy_ends_it() {
    let mut life = Life::new(|_| {});
    life.answer(10, found("el_1")).answer(20, fine()).answer(30, verdict(PolicyEffect::Deny));
    let told = life.since();
    assert!(told.ends_with("ask decide\nrecord outcome\nresult failed none policy_denied retryable=true"));
}

#[test]
fn what_only_a_person_may_do_waits_for_the_person_and_is_never_dispatched() {
    proves!["ACT-14-1", "ACT-14-2", "ACT-14-4"];
    let handed_off = || {
        let mut life = Life::new(|_| {});
        life.answer(10, found("el_1")).answer(20, fine());
        life.since();
        life.answer(30, verdict(PolicyEffect::Handoff));
        life
    };
    let mut life = handed_off();
    life.tell(50_000, seen(false)).tell(60_000, seen(true)).tell(60_510, Event::Woke);
    assert_snapshot!(life.since(), @r"
    watch
    progress waiting_for_user
    progress verifying
    record outcome
    result succeeded applied
    ");
    assert_eq!(life.result.and_then(|result| result.chosen_execution_mode), None);
    let mut alone = handed_off();
    alone.tell(30 + USER_WAIT_MS_MAX, Event::Woke);
    assert!(alone.since().ends_with("result failed none user_activation_required retryable=true"));
}

#[test]
fn a_policy_can_demand_more_of_the_outcome() {
    use DemandedVerification as Demanded;
    use VerificationPolicy as Policy;
    let demanding = |policy, demanded| {
        let mut life = Life::new(|plan| plan.verification.policy = policy);
        let mut answer = verdict(PolicyEffect::Allow);
        if let Answer::Decided(verdict) = &mut answer {
            verdict.verification = demanded;
        }
        life.answer(10, found("el_1")).answer(20, fine()).answer(30, answer);
        life.action.expect("an action").plan().verification.policy
    };
    assert_eq!(demanding(Policy::Any, None), Policy::Any);
    assert_eq!(demanding(Policy::Any, Some(Demanded::All)), Policy::All);
    assert_eq!(demanding(Policy::All, Some(Demanded::Any)), Policy::All);
    assert_eq!(demanding(Policy::None, Some(Demanded::Any)), Policy::CapabilityDefault);
}

#[test]
fn the_next_mode_is_tried_only_if_nothing_was_delivered() {
    let not = || Answer::Delivered(Delivery::NotDelivered { reason: "no handler".to_owned() });
    let mut life = Life::dispatched(|_| {});
    life.answer(40, not()).answer(50, fine());
    assert_snapshot!(life.since(), @r"
    progress checking_preconditions
    ask check
    progress executing
    record intent consented=false
    watch
    ask dispatch semanticUi
    ");
    life.answer(60, not());
    assert!(life.since().ends_with("result failed none execution_mode_unavailable retryable=true"));
    let mut unsure = Life::dispatched(|_| {});
    unsure.answer(40, Answer::Delivered(Delivery::Unknown)).tell(4_040, Event::Woke);
    assert_snapshot!(unsure.since(), @r"
    progress verifying
    record outcome
    result failed unknown verification_failed retryable=false
    ");
}

#[test]
fn what_shows_late_is_looked_at_again() {
    proves!["ACT-13-1", "ACT-13.1-4"];
    let mut life = Life::dispatched(|_| {});
    life.answer(40, delivered()).tell(60, seen(false)).tell(2_000, seen(true)).tell(2_500, Event::Woke);
    assert_snapshot!(life.since(), @r"
    progress verifying
    record outcome
    result succeeded applied
    ");
}

#[test]
fn a_target_that_became_something_else_is_looked_for_again_once() {
    proves!["ACT-13.1-1"];
    let outdated = || Answer::Delivered(Delivery::Outdated { reason: "it shows another row".to_owned() });
    let mut life = Life::dispatched(|_| {});
    life.answer(40, outdated());
    assert_snapshot!(life.since(), @r"
    progress recovering
    ask resolve fresh=true
    ");
    life.answer(50, found("el_2")).answer(60, fine()).answer(70, verdict(PolicyEffect::Allow));
    assert!(life.since().ends_with("ask dispatch appAction"), "the way was not at fault");
    life.answer(80, outdated());
    assert!(life.since().ends_with("result failed none stale_target retryable=true"));
}

#[test]
fn answers_to_old_questions_are_not_heard() {
    let mut life = Life::dispatched(|_| {});
    let old = life.asked;
    life.answer(40, Answer::Delivered(Delivery::NotDelivered { reason: "no handler".to_owned() }))
        .answer(50, fine());
    life.since();
    life.tell(
        60,
        Event::Answered(old, Answer::Delivered(Delivery::NotDelivered { reason: "no handler".to_owned() })),
    );
    assert_eq!(life.since(), "");
}

#[test]
fn short_waits_end() {
    proves!["ACT-13-2", "ACT-9.5-1", "R009-7.3", "R014-9.1"];
    let disabled = || Answer::Checked(Some(LiveFacts { enabled: Some(false), ..facts() }));
    let mut life = Life::new(|_| {});
    life.answer(10, found("el_1")).answer(20, disabled());
    let mut now = 20;
    while !life.action.as_ref().is_some_and(Action::is_over) && now < 10_000 {
        now += 50;
        life.tell(now, Event::Woke).answer(now, disabled());
    }
    assert!(now <= 20 + SHORT_WAITS_MS_MAX, "{now}");
    // However sure the search was (a hundred percent here), nothing was sent to it.
    let told = life.since();
    assert!(!told.contains("dispatch"), "{told}");
    assert!(told.ends_with("result failed none target_not_interactable retryable=true"));
}

#[test]
fn a_person_is_waited_for_and_nothing_is_done_twice() {
    proves!["ACT-3-5", "ACT-10.2-4", "ACT-14-1", "ACT-14-3", "ACT-14-4", "ACT-15-4"];
    let needs = || Answer::Delivered(Delivery::NeedsUser { note: "Choose a file, please.".to_owned() });
    let mut life = Life::dispatched(|_| {});
    life.answer(40, needs());
    assert_eq!(life.note.as_deref(), Some("Choose a file, please."));
    life.tell(60_000, Event::UserActed).tell(60_010, seen(true)).tell(60_510, Event::Woke);
    assert_snapshot!(life.since(), @r"
    progress waiting_for_user
    progress verifying
    record outcome
    result succeeded applied
    ");
    let mut alone = Life::dispatched(|_| {});
    alone.answer(40, needs()).tell(40 + USER_WAIT_MS_MAX, Event::Woke);
    assert!(alone.since().ends_with("result failed none user_activation_required retryable=true"));
}

#[test]
fn cancelling_tells_what_may_have_happened() {
    proves!["ACT-5.6-1", "ACT-5.7-1", "ACT-13.3-1"];
    let mut early = Life::new(|_| {});
    early.since();
    early.tell(5, Event::Cancel { reason: None });
    assert_snapshot!(early.since(), @r"
    cancelled
    record outcome
    result cancelled none cancelled retryable=true
    ");
    let mut late = Life::dispatched(|_| {});
    late.tell(35, Event::Cancel { reason: None });
    assert!(late.since().ends_with("result cancelled unknown cancelled retryable=false"));
}

#[test]
fn a_record_that_cannot_be_kept_stops_it() {
    let mut life = Life::dispatched(|_| {});
    life.tell(31, Event::JournalFailed { reason: "it is full".to_owned() });
    assert!(life.since().ends_with("result failed none internal_runtime_error retryable=true"));
}

#[test]
fn nothing_found_is_said_at_once() {
    proves!["ACT-15-1"];
    let mut life = Life::new(|_| {});
    life.since();
    life.answer(10, Answer::Resolved(Err(ResolveError::NotFound { nearest: Vec::new() })));
    assert_snapshot!(life.since(), @r"
    record outcome
    result failed none target_not_found retryable=true
    ");
}

#[test]
fn what_needs_care_cannot_go_unverified() {
    let unverified = |plan: &mut Plan| plan.verification.policy = VerificationPolicy::None;
    let mut careful = Life::new(unverified);
    careful.answer(10, found("el_1")).answer(20, fine()).answer(30, verdict(PolicyEffect::Confirm));
    assert!(careful.since().ends_with("result failed none invalid_arguments retryable=true"));
    let mut once = Life::new(unverified);
    once.answer(10, found("el_1")).answer(20, fine()).answer(30, verdict(PolicyEffect::Allow));
    assert!(once.since().ends_with("result failed none invalid_arguments retryable=true"));
    let mut harmless = Life::dispatched(|plan| {
        unverified(plan);
        plan.idempotency = Idempotency::Idempotent;
    });
    harmless.answer(40, delivered());
    assert!(harmless.since().ends_with("result succeeded unknown"), "nobody saw an effect");
}

#[test]
fn what_is_out_of_view_is_brought_there_once() {
    proves!["ACT-9.2-7", "ACT-13.1-2"];
    let away = || Answer::Checked(Some(LiveFacts { in_view: false, ..facts() }));
    let mut life = Life::new(|_| {});
    life.answer(10, found("el_1"));
    life.since();
    life.answer(20, away()).answer(30, Answer::Revealed).answer(40, fine());
    assert_snapshot!(life.since(), @r"
    progress recovering
    ask reveal
    ask check
    progress checking_preconditions
    ask decide
    ");
    let mut lost = Life::new(|_| {});
    lost.answer(10, found("el_1")).answer(20, away()).answer(30, Answer::Revealed).answer(40, away());
    assert!(lost.since().ends_with("result failed none target_not_interactable retryable=true"));
}

#[test]
fn what_is_busy_for_a_moment_is_waited_for() {
    proves!["ACT-13.1-3"];
    let busy = || Answer::Checked(Some(LiveFacts { busy: Some(true), ..facts() }));
    let mut life = Life::new(|_| {});
    life.answer(10, found("el_1")).answer(20, busy()).tell(70, Event::Woke).answer(80, busy());
    life.tell(130, Event::Woke).answer(140, fine()).answer(150, verdict(PolicyEffect::Allow));
    assert!(life.since().ends_with("watch\nask dispatch appAction"));
}

#[test]
fn after_a_crash_it_is_not_known_and_not_done_again() {
    let plan = plan();
    let result = after_crash(plan.handle.clone(), plan.action_id.clone(), false);
    let text = format!(
        "{:?} {:?}",
        result.side_effect_state,
        result.error.map(|error| (error.code, error.retryable))
    );
    assert_eq!(text, "Some(Unknown) Some((UnsafeRetryRefused, Some(false)))");
}
