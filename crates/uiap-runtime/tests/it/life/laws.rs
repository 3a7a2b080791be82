//! What holds for every life, whatever happens in it.

use crate::life::lives::*;
use proptest::prelude::*;
use serde_json::json;
use uiap_protocol::action::RuntimeState;
use uiap_protocol::capability::Idempotency;
use uiap_protocol::policy::PolicyEffect;
use uiap_runtime::gate::LiveFacts;
use uiap_runtime::life::{
    Answer, Delivery, Event, Milestone, RECOVERIES_MAX, RESOLUTIONS_MAX, StageResult, TRACE_STEPS_MAX,
    TraceStage, TraceStep,
};
use uiap_runtime::resolve::{Mismatch, ResolveError};
use uiap_testkit::proves;

/// What may happen to an action, whether it fits or not.
#[derive(Clone, Copy, Debug)]
enum Any {
    Found,
    FoundAnother,
    NotFound,
    Stale,
    Fine,
    Gone,
    Busy,
    Covered,
    Away,
    OnlyRead,
    Allow,
    Confirm,
    Handoff,
    Granted,
    Denied,
    Outdated,
    Revealed,
    Undelivered,
    BecameAnother,
    NeedsUser,
    Already,
    Delivered,
    Unknown,
    Right,
    Wrong,
    Unseen,
    UserActed,
    Woke,
    Cancel,
    Lost,
}

impl Any {
    fn answer(self) -> Option<Answer> {
        Some(match self {
            Self::Found => found("el_1"),
            Self::FoundAnother => found("el_2"),
            Self::NotFound => Answer::Resolved(Err(ResolveError::NotFound { nearest: Vec::new() })),
            Self::Stale => {
                let found = Box::new(candidate("el_3"));
                Answer::Resolved(Err(ResolveError::Stale { mismatch: Mismatch::Role, found }))
            }
            Self::Fine => fine(),
            Self::Gone => gone(),
            Self::Busy => checked(LiveFacts { busy: Some(true), ..facts() }),
            Self::Covered => checked(LiveFacts { covered_by: Some("a veil".to_owned()), ..facts() }),
            Self::Away => checked(LiveFacts { in_view: false, ..facts() }),
            Self::OnlyRead => checked(LiveFacts { only_read: true, ..facts() }),
            Self::Allow => verdict(PolicyEffect::Allow),
            Self::Confirm => verdict(PolicyEffect::Confirm),
            Self::Handoff => verdict(PolicyEffect::Handoff),
            Self::Granted => Answer::Granted,
            Self::Denied => Answer::Denied { reason: None },
            Self::Outdated => Answer::Outdated,
            Self::Revealed => Answer::Revealed,
            Self::Undelivered => undelivered(),
            Self::BecameAnother => outdated(),
            Self::NeedsUser => Answer::Delivered(Delivery::NeedsUser { note: "Please.".to_owned() }),
            Self::Already => Answer::Delivered(Delivery::Already),
            Self::Delivered => delivered(),
            Self::Unknown => Answer::Delivered(Delivery::Unknown),
            _ => return None,
        })
    }

    fn event(self) -> Event {
        match self {
            Self::Right => seen(true),
            Self::Wrong => seen(false),
            Self::Unseen => Event::Unseen,
            Self::UserActed => Event::UserActed,
            Self::Cancel => Event::Cancel { reason: None },
            Self::Lost => Event::SurfaceLost { reason: "it died".to_owned() },
            _ => Event::Woke,
        }
    }
}

/// What can come next: mostly an answer to the open question that keeps the action alive, so that long lives occur.
fn possible(asked: &str) -> &'static [Any] {
    use Any::*;
    match asked.split(' ').nth(1).unwrap_or_default() {
        "resolve" => &[Found, Found, FoundAnother, Stale, NotFound],
        "check" => &[Fine, Fine, Fine, Gone, Busy, Covered, Away, OnlyRead, Outdated],
        "reveal" => &[Revealed],
        "decide" => &[Allow, Allow, Confirm, Handoff],
        "confirm" => &[Granted, Granted, Outdated, Denied],
        _ => &[Undelivered, BecameAnother, Outdated, NeedsUser, Already, Delivered, Delivered, Unknown],
    }
}

const OTHERS: [Any; 8] =
    [Any::Right, Any::Right, Any::Wrong, Any::Unseen, Any::UserActed, Any::Woke, Any::Cancel, Any::Lost];

/// The one automaton of all actions: where a state may lead.
fn may_follow(from: RuntimeState, to: RuntimeState) -> bool {
    use RuntimeState as S;
    let ends = [S::Failed, S::Cancelled];
    let lawful: &[S] = match from {
        S::Received => &[S::Received, S::ResolvingTarget, S::CheckingPreconditions],
        S::ResolvingTarget => &[S::CheckingPreconditions, S::Recovering],
        S::CheckingPreconditions => &[
            S::CheckingPreconditions,
            S::Recovering,
            S::AwaitingConfirmation,
            S::WaitingForUser,
            S::Executing,
        ],
        S::AwaitingConfirmation => &[S::CheckingPreconditions],
        S::Recovering => &[S::Recovering, S::CheckingPreconditions],
        S::Executing => {
            &[S::Executing, S::CheckingPreconditions, S::Recovering, S::WaitingForUser, S::Verifying]
        }
        S::WaitingForUser => &[S::Verifying],
        S::Verifying => &[S::Verifying, S::Succeeded],
        S::Succeeded | S::Failed | S::Cancelled => return false,
    };
    lawful.contains(&to) || ends.contains(&to)
}

const ACTIONS: [&str; 8] = [
    "ui.activate",
    "ui.enterText",
    "ui.setValue",
    "ui.scroll",
    "nav.navigate",
    "ui.hover",
    "x.uiap.pinch",
    "video.make",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever happens to whatever action: one automaton, a trace that tells it step by step, and an end.
    #[test]
    fn every_life_is_lawful_told_and_bounded(
        events in proptest::collection::vec((any::<prop::sample::Index>(), 0..10_u8, 1..300_u64), 1..60),
        action in proptest::sample::select(ACTIONS.to_vec()),
        needs_target in any::<bool>(),
        idempotent in any::<bool>(),
    ) {
        proves![
            "R005-3.1", "R005-3.6", "R005-4.0", "R005-5.2", "R006-3.1", "R006-6.1", "R006-10.1", "R011-3.3", "R011-3.4", "R011-8.2", "R0111-2.1", "R0111-5.1", "R011-7.2",
            "R0111-8.1", "R012-3.1", "R012-3.4", "R012-6.2", "R012-6.3", "POL-13"
        ];
        let live = || {
            let mut life = Life::new(|plan| {
                plan.action_id = action_id(action);
                plan.needs_target = needs_target;
                if idempotent {
                    plan.idempotency = Idempotency::Idempotent;
                }
            });
            let mut now = 0;
            for (which, other, pause) in &events {
                now += pause;
                let asked = life.all.iter().rev().find(|told| told.starts_with("ask ")).cloned();
                let event = match asked {
                    Some(asked) if *other < 7 => *which.get(possible(&asked)),
                    _ => *which.get(&OTHERS),
                };
                match event.answer() {
                    Some(answer) => life.answer(now, answer),
                    None => life.tell(now, event.event()),
                };
            }
            // Time passes, and nobody answers any more: people are waited for longest.
            for _ in 0..20 {
                now += 1_000_000;
                life.tell(now, Event::Woke);
            }
            life
        };
        let life = live();
        prop_assert_eq!(&life.all, &live().all, "what was told and asked follows from what happened");
        let asked_for = action;
        let action = life.action.as_ref().expect("an action");
        let steps = action.trace();
        prop_assert!(action.is_over() && life.result.is_some(), "{:?}", action.state());
        prop_assert!(steps.len() <= TRACE_STEPS_MAX);
        let first = &steps[0];
        let accepted = (RuntimeState::Received, TraceStage::Accept, None);
        prop_assert_eq!((first.state, first.stage, first.milestone), accepted, "accepted is not resolved");
        prop_assert_eq!(steps[steps.len() - 1].state, action.state());
        for pair in steps.windows(2) {
            let (before, after) = (&pair[0], &pair[1]);
            prop_assert!(may_follow(before.state, after.state), "{:?} to {:?}", before.state, after.state);
            prop_assert!(before.at <= after.at && before.attempt <= after.attempt && before.cycle <= after.cycle);
            // A dispatch is an attempt of its own.
            let dispatches = after.state == RuntimeState::Executing && before.state != RuntimeState::Executing;
            prop_assert_eq!(after.attempt - before.attempt, u32::from(dispatches));
            let failed = matches!(after.state, RuntimeState::Failed | RuntimeState::Cancelled);
            prop_assert_eq!(failed, after.result == StageResult::Failed);
        }
        prop_assert!(steps.iter().all(|step| step.cycle <= RECOVERIES_MAX));
        let reached = |milestone, among: &[TraceStep]| among.iter().any(|step| step.milestone == Some(milestone));
        for (place, step) in steps.iter().enumerate() {
            let before = &steps[..place];
            match step.milestone {
                Some(Milestone::Dispatched) => prop_assert!(reached(Milestone::Resolved, before)),
                Some(Milestone::Verified) => prop_assert!(reached(Milestone::Pending, before)),
                Some(Milestone::Pending) => {
                    let by_person = before.iter().any(|step| step.state == RuntimeState::WaitingForUser);
                    prop_assert!(by_person || reached(Milestone::Dispatched, before));
                }
                Some(Milestone::Resolved | Milestone::Failed) | None => {}
            }
        }
        let succeeded = action.state() == RuntimeState::Succeeded;
        prop_assert_eq!(succeeded, reached(Milestone::Verified, steps), "nothing goes unverified here");
        let asked = life.all.iter().filter(|told| told.starts_with("ask resolve")).count();
        prop_assert!(asked <= usize::from(RESOLUTIONS_MAX), "{asked} searches");
        // It is this one deed that is saved or given up; no other takes its place.
        let result = life.result.as_ref().expect("a result");
        prop_assert_eq!(result.action_id.as_str(), asked_for);
        // What is said about recovery is what the transitions did, and nothing else.
        let last = &steps[steps.len() - 1];
        let recovery = result.metadata.as_ref().and_then(|metadata| metadata.get("recovery"));
        if let Some(recovery) = recovery {
            prop_assert_eq!((&recovery["cycles"], &recovery["attempts"]), (&json!(last.cycle), &json!(last.attempt)));
        }
        prop_assert!(recovery.is_some() || last.cycle == 0);
        // Nothing is done that was not decided about, and what was found anew is decided about anew.
        let mut is_decided = false;
        for told in &life.all {
            match told.split(' ').nth(1).filter(|_| told.starts_with("ask ")) {
                Some("decide") => is_decided = true,
                Some("resolve") => is_decided = false,
                Some("dispatch") => prop_assert!(is_decided, "{:?}", life.all),
                _ => {}
            }
        }
        // Each of the lives' dispatches but the last certainly delivered nothing.
        let dispatched = life.all.iter().filter(|told| told.starts_with("ask dispatch")).count();
        prop_assert_eq!(u32::try_from(dispatched).expect("few"), steps[steps.len() - 1].attempt);
    }
}
