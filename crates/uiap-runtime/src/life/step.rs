//! Every transition of an action.

use super::outcome::failure;
use super::{
    Action, Answer, CONFIRMATION_WAIT_MS_MAX, CONFIRMATIONS_MAX, Consent, Delivery, Effect, Event, Message,
    Millis, Observation, Question, RESOLUTIONS_MAX, Record, SHORT_WAIT_MS, SHORT_WAITS_MS_MAX,
    USER_WAIT_MS_MAX, Verdict,
};
use crate::gate::{self, LiveFacts, Obstacle, Opaque, Recovery};
use crate::resolve::{Aim, ResolveError};
use uiap_protocol::action::{
    ActionCancelled, ActionProgress, Cancelled, ConfirmationPreview, ConfirmationRequest,
    RuntimeErrorCode as Code, RuntimeState as State, Stage, VerificationPolicy,
};
use uiap_protocol::capability::{ExecutionMode, RiskLevel};
use uiap_protocol::policy::PolicyEffect;

/// Moves one action forward by one event. An event that does not belong to the state changes nothing.
pub fn step(mut action: Action, now: Millis, event: Event) -> (Action, Vec<Effect>) {
    let mut effects = Vec::new();
    if !action.is_over() {
        advance(&mut action, now, event, &mut effects);
    }
    (action, effects)
}

fn advance(action: &mut Action, now: Millis, event: Event, effects: &mut Vec<Effect>) {
    if let Event::Cancel { reason } = event {
        return cancel(action, reason, now, effects);
    }
    // What comes too late, came too late: even good news does not move the deadline.
    if now >= action.budget.deadline {
        return expire(action, now, effects);
    }
    match (action.state, event) {
        (_, Event::Answered(ticket, answer)) if ticket == action.asked => {
            answered(action, answer, now, effects);
        }
        // The application may have acted before the link broke: the evidence says what can be said.
        (_, Event::SurfaceLost { reason }) => {
            action.fail(failure(Code::InternalRuntimeError, reason), now, effects);
        }
        (_, Event::JournalFailed) => {
            // The dispatch behind the record did not happen.
            action.evidence.dispatched = false;
            action.fail(
                failure(Code::InternalRuntimeError, "the journal could not keep the intent"),
                now,
                effects,
            );
        }
        (State::Recovering, Event::Woke) => {
            // The answer may never come; the short wait took the place of the deadline.
            wake_at(action, action.budget.deadline, effects);
            action.ask(Question::Check, effects);
        }
        (State::WaitingForUser, Event::UserActed) => user_acted(action, now, effects),
        // The outcome itself says that the person acted.
        (State::WaitingForUser, Event::Observed(observation)) if observation.enough => {
            action.observation = observation;
            user_acted(action, now, effects);
        }
        (State::Executing, Event::Unseen) => unseen(action),
        (State::Verifying, Event::Unseen) => {
            unseen(action);
            judge(action, now, effects);
        }
        // An effect may show before the surface says that it has delivered.
        (State::Executing, Event::Observed(observation)) => action.observation = observation,
        (State::Verifying, Event::Observed(observation)) => {
            action.observation = observation;
            judge(action, now, effects);
        }
        (State::Verifying, Event::Woke) => judge(action, now, effects),
        _ => {}
    }
}

/// What the person did may have been the deed itself: it is looked for, and never done again.
fn user_acted(action: &mut Action, now: Millis, effects: &mut Vec<Effect>) {
    resume(action, now, effects);
    action.evidence.dispatched = true;
    verify(action, "the person acted", now, effects);
}

fn unseen(action: &mut Action) {
    action.observation.enough = false;
    action.observation.settled = false;
}

fn answered(action: &mut Action, answer: Answer, now: Millis, effects: &mut Vec<Effect>) {
    match (action.state, answer) {
        (State::ResolvingTarget | State::Recovering, Answer::Resolved(found)) => {
            resolved(action, found, now, effects);
        }
        (State::CheckingPreconditions | State::Recovering, Answer::Checked(facts)) => {
            checked(action, facts.as_ref(), now, effects);
        }
        (State::CheckingPreconditions, Answer::Decided(verdict)) => decided(action, *verdict, now, effects),
        (State::Recovering, Answer::Revealed) => action.ask(Question::Check, effects),
        (State::AwaitingConfirmation, Answer::Granted) => {
            action.consent = Consent::GivenFor(action.target.clone());
            resume(action, now, effects);
            // Somebody thought about it for a while: the target may not be what it was.
            enter(action, State::CheckingPreconditions, "agreed", now, effects);
            action.ask(Question::Check, effects);
        }
        (
            State::AwaitingConfirmation | State::CheckingPreconditions | State::Recovering | State::Executing,
            Answer::Outdated,
        ) => outdated(action, now, effects),
        (State::AwaitingConfirmation, Answer::Denied { reason }) => {
            let message = reason.unwrap_or_else(|| "the person did not agree".to_owned());
            action.cancel(failure(Code::ConfirmationDenied, message), now, effects);
        }
        (State::Executing, Answer::Delivered(delivery)) => delivered(action, delivery, now, effects),
        _ => {}
    }
}

/// What was decided and agreed to was about something that is not so any more.
fn outdated(action: &mut Action, now: Millis, effects: &mut Vec<Effect>) {
    resume(action, now, effects);
    action.evidence.dispatched = false;
    action.verdict = None;
    action.consent = Consent::NotGiven;
    enter(action, State::CheckingPreconditions, "what was shown has changed", now, effects);
    action.ask(Question::Check, effects);
}

/// The first state after acceptance.
pub(super) fn begin(action: &mut Action, now: Millis, effects: &mut Vec<Effect>) {
    if action.plan.needs_target {
        action.budget.resolutions = 1;
        enter(action, State::ResolvingTarget, "looking for the target", now, effects);
        action.ask(Question::Resolve { fresh: false }, effects);
    } else {
        enter(action, State::CheckingPreconditions, "no target", now, effects);
        action.ask(Question::Check, effects);
    }
}

/// Goes to a state, says so and writes it down.
fn enter(action: &mut Action, state: State, note: &str, now: Millis, effects: &mut Vec<Effect>) {
    action.state = state;
    action.note(now, note);
    let stage = match state {
        State::ResolvingTarget => Stage::ResolvingTarget,
        State::CheckingPreconditions => Stage::CheckingPreconditions,
        State::AwaitingConfirmation => Stage::AwaitingConfirmation,
        State::Executing => Stage::Executing,
        State::Verifying => Stage::Verifying,
        State::WaitingForUser => Stage::WaitingForUser,
        State::Recovering => Stage::Recovering,
        State::Received | State::Succeeded | State::Failed | State::Cancelled => return,
    };
    let mode = action.modes.first().copied().filter(|_| matches!(state, State::Executing | State::Verifying));
    effects.push(Effect::Send(Message::Progress(Box::new(ActionProgress {
        action_handle: action.plan.handle.clone(),
        stage,
        chosen_execution_mode: mode,
        resolved_target: action.target.clone(),
        note: Some(note.to_owned()),
        detail: None,
    }))));
}

fn resolved(action: &mut Action, found: Result<Aim, ResolveError>, now: Millis, effects: &mut Vec<Effect>) {
    match found {
        Ok(aim) => {
            action.target = match aim {
                Aim::Element(resolution) => Some(resolution.target),
                Aim::Route(_) | Aim::Custom(_) => None,
            };
            enter(action, State::CheckingPreconditions, "found", now, effects);
            action.ask(Question::Check, effects);
        }
        Err(ResolveError::Stale { .. }) if action.budget.resolutions < RESOLUTIONS_MAX => {
            resolve_again(action, "the target is not what was expected", now, effects);
        }
        Err(error) => action.fail(failure(error.code(), error.to_string()), now, effects),
    }
}

fn resolve_again(action: &mut Action, note: &str, now: Millis, effects: &mut Vec<Effect>) {
    action.budget.resolutions += 1;
    enter(action, State::Recovering, note, now, effects);
    action.ask(Question::Resolve { fresh: true }, effects);
}

fn checked(action: &mut Action, facts: Option<&LiveFacts>, now: Millis, effects: &mut Vec<Effect>) {
    action.is_picture = facts.is_some_and(|facts| facts.opaque == Some(Opaque::Picture))
        && action.plan.modes.contains(&ExecutionMode::VisionAssist);
    let passed = match (facts, &action.target) {
        // Somebody looks at it: what is in a picture must be as reachable as anything else.
        (Some(facts), _) if action.is_picture => {
            gate::check(action.plan.demand, &LiveFacts { opaque: None, ..facts.clone() })
        }
        (Some(facts), _) => gate::check(action.plan.demand, facts),
        // A target that cannot be looked at is not there.
        (None, Some(_)) => Err(Obstacle::Detached),
        (None, None) => Ok(()),
    };
    if let Err(obstacle) = passed {
        return recover(action, &obstacle, now, effects);
    }
    if action.state == State::Recovering {
        enter(action, State::CheckingPreconditions, "nothing in the way", now, effects);
    }
    match &action.verdict {
        None => action.ask(Question::Decide, effects),
        Some(_) => permitted(action, now, effects),
    }
}

/// What may be tried against an obstacle, or the end.
fn recover(action: &mut Action, obstacle: &Obstacle, now: Millis, effects: &mut Vec<Effect>) {
    let budget = &action.budget;
    let wait_left = budget.waited < SHORT_WAITS_MS_MAX;
    match obstacle.recovery() {
        Recovery::Resolve if action.plan.needs_target && budget.resolutions < RESOLUTIONS_MAX => {
            // A verdict and an agreement are about one target; another one is decided anew.
            action.verdict = None;
            action.consent = Consent::NotGiven;
            resolve_again(action, obstacle.word(), now, effects);
        }
        // What lies over a target at the edge of the view, such as a bar that stays, does not in the middle.
        Recovery::Reveal | Recovery::Wait
            if budget.reveals == 0
                && matches!(obstacle, Obstacle::OutOfView { .. } | Obstacle::Covered { .. }) =>
        {
            action.budget.reveals += 1;
            enter(action, State::Recovering, obstacle.word(), now, effects);
            action.ask(Question::Reveal, effects);
        }
        Recovery::Wait if wait_left => {
            action.budget.waited += SHORT_WAIT_MS;
            if action.state != State::Recovering {
                enter(action, State::Recovering, obstacle.word(), now, effects);
            }
            wake_at(action, now + SHORT_WAIT_MS, effects);
        }
        _ => action.fail(failure(obstacle.code(), obstacle.to_string()), now, effects),
    }
}

fn decided(action: &mut Action, verdict: Verdict, now: Millis, effects: &mut Vec<Effect>) {
    action.modes = action.candidates();
    action.modes.retain(|mode| verdict.modes.contains(mode));
    action.plan.verification.policy = verdict.raised(action.plan.verification.policy);
    let unverifiable = action.plan.verification.policy == VerificationPolicy::None;
    let risky = verdict.risk.level > RiskLevel::Safe || verdict.effect > PolicyEffect::Allow;
    if verdict.effect == PolicyEffect::Deny {
        return action.fail(failure(Code::PolicyDenied, verdict.reason), now, effects);
    }
    if unverifiable && (risky || !action.is_repeatable()) {
        let message = "an action that needs care or must not run twice cannot go unverified";
        return action.fail(failure(Code::InvalidArguments, message), now, effects);
    }
    if verdict.effect == PolicyEffect::Handoff {
        return hand_off(action, verdict, now, effects);
    }
    action.verdict = Some(verdict);
    permitted(action, now, effects);
}

/// Only a person may do it: the person is told what, and what they do is watched for. Nothing is dispatched.
fn hand_off(action: &mut Action, verdict: Verdict, now: Millis, effects: &mut Vec<Effect>) {
    // None of them will be used.
    action.modes.clear();
    effects.push(Effect::Watch);
    let note = format!("Please do this yourself: {} {}", verdict.preview.summary, verdict.reason);
    action.verdict = Some(verdict);
    enter(action, State::WaitingForUser, note.trim(), now, effects);
    pause(action, USER_WAIT_MS_MAX, now, effects);
}

/// The policy does not forbid it and nothing is in the way: ask the person, if that is due, or do it.
fn permitted(action: &mut Action, now: Millis, effects: &mut Vec<Effect>) {
    let Some(verdict) = &action.verdict else { return };
    // Nobody has described what is in a picture, so nobody but a person can vouch for it.
    let by_sight = action.modes.first() == Some(&ExecutionMode::VisionAssist);
    let must_ask =
        by_sight || verdict.effect == PolicyEffect::Confirm || verdict.risk.level > RiskLevel::Safe;
    let agreed = matches!(&action.consent, Consent::GivenFor(target) if *target == action.target);
    if must_ask && !agreed {
        return ask(action, now, effects);
    }
    execute(action, must_ask, now, effects);
}

fn ask(action: &mut Action, now: Millis, effects: &mut Vec<Effect>) {
    let Some(verdict) = action.verdict.clone() else { return };
    if action.budget.confirmations == CONFIRMATIONS_MAX {
        return action.fail(
            failure(Code::StaleTarget, "the target keeps changing after it was agreed to"),
            now,
            effects,
        );
    }
    action.budget.confirmations += 1;
    action.consent = Consent::NotGiven;
    enter(action, State::AwaitingConfirmation, &verdict.reason, now, effects);
    let mut summary = verdict.preview.summary;
    if action.modes.first() == Some(&ExecutionMode::VisionAssist) {
        summary.push_str(" Where exactly is decided by looking at a picture of it.");
    }
    let request = ConfirmationRequest {
        action_handle: action.plan.handle.clone(),
        action_id: action.plan.action_id.clone(),
        risk: verdict.risk,
        preview: Some(ConfirmationPreview {
            summary: Some(summary),
            target: action.target.clone(),
            args: verdict.preview.args,
        }),
    };
    action.ask(Question::Confirm(Box::new(request)), effects);
    pause(action, CONFIRMATION_WAIT_MS_MAX, now, effects);
}

fn execute(action: &mut Action, consented: bool, now: Millis, effects: &mut Vec<Effect>) {
    let Some(mode) = action.modes.first().copied() else {
        let message = "no permitted way of carrying it out is available";
        return action.fail(failure(Code::ExecutionModeUnavailable, message), now, effects);
    };
    enter(action, State::Executing, "doing it", now, effects);
    action.evidence.dispatched = true;
    effects.push(Effect::Record(Record::Intent { mode, repeatable: action.is_repeatable(), consented }));
    effects.push(Effect::Watch);
    action.ask(Question::Dispatch { mode }, effects);
}

fn delivered(action: &mut Action, delivery: Delivery, now: Millis, effects: &mut Vec<Effect>) {
    match delivery {
        Delivery::NotDelivered { reason } => {
            action.evidence.dispatched = false;
            action.observation = Observation::default();
            if !action.modes.is_empty() {
                action.modes.remove(0);
            }
            if action.modes.is_empty() {
                return action.fail(failure(Code::ExecutionModeUnavailable, reason), now, effects);
            }
            // The page may have moved on meanwhile, so the next way begins with a look.
            enter(action, State::CheckingPreconditions, &reason, now, effects);
            action.ask(Question::Check, effects);
        }
        Delivery::Outdated { reason } => {
            action.evidence.dispatched = false;
            action.observation = Observation::default();
            action.note(now, &reason);
            recover(action, &Obstacle::Changed, now, effects);
        }
        Delivery::NeedsUser { note } => {
            action.evidence.dispatched = false;
            enter(action, State::WaitingForUser, &note, now, effects);
            pause(action, USER_WAIT_MS_MAX, now, effects);
        }
        Delivery::Already => {
            action.evidence.dispatched = false;
            verify(action, "everything is as wanted already", now, effects);
        }
        Delivery::Delivered { acknowledged, return_value } => {
            action.evidence.acknowledged = acknowledged;
            action.return_value = return_value;
            verify(action, "delivered", now, effects);
        }
        Delivery::Unknown => verify(action, "it is not known whether it was delivered", now, effects),
    }
}

fn verify(action: &mut Action, note: &str, now: Millis, effects: &mut Vec<Effect>) {
    enter(action, State::Verifying, note, now, effects);
    let window = now.saturating_add(action.plan.verification.timeout_ms);
    action.budget.deadline = action.budget.deadline.min(window);
    judge(action, now, effects);
}

/// Success, if what was observed is enough, has settled and has held long enough; otherwise more patience.
fn judge(action: &mut Action, now: Millis, effects: &mut Vec<Effect>) {
    if action.plan.verification.policy == VerificationPolicy::None {
        return action.succeed(now, effects);
    }
    let observation = &action.observation;
    let advanced = observation.revision.is_some() || !action.plan.verification.require_revision_advance;
    if !(observation.enough && observation.settled && advanced) {
        action.enough_since = None;
        return wake_at(action, action.budget.deadline, effects);
    }
    let since = *action.enough_since.get_or_insert(now);
    let held_at = since.saturating_add(action.hold_ms());
    if now >= held_at {
        action.evidence.verified = true;
        return action.succeed(now, effects);
    }
    wake_at(action, held_at, effects);
}

/// Stops the clock of the action while a person is waited for; the wait has a limit of its own.
fn pause(action: &mut Action, limit: Millis, now: Millis, effects: &mut Vec<Effect>) {
    action.budget.paused = Some(action.budget.deadline.saturating_sub(now));
    action.budget.deadline = now.saturating_add(limit);
    wake_at(action, action.budget.deadline, effects);
}

fn resume(action: &mut Action, now: Millis, effects: &mut Vec<Effect>) {
    if let Some(left) = action.budget.paused.take() {
        action.budget.deadline = now.saturating_add(left);
        wake_at(action, action.budget.deadline, effects);
    }
}

/// Nothing is slept through: the deadline comes first.
fn wake_at(action: &Action, at: Millis, effects: &mut Vec<Effect>) {
    effects.push(Effect::WakeAt(at.min(action.budget.deadline)));
}

fn expire(action: &mut Action, now: Millis, effects: &mut Vec<Effect>) {
    let error = match action.state {
        State::AwaitingConfirmation => failure(Code::Timeout, "nobody agreed in time"),
        State::WaitingForUser => failure(Code::UserActivationRequired, "nobody acted in time"),
        State::Verifying if action.finding().is_some() => failure(
            Code::VerificationFailed,
            action.finding().map(|finding| finding.says).unwrap_or_default(),
        ),
        State::Verifying if action.observation.enough => {
            failure(Code::VerificationFailed, "the outcome did not hold")
        }
        State::Verifying if action.observation.changed => {
            failure(Code::VerificationFailed, "something changed, but not what was expected")
        }
        State::Verifying => failure(Code::VerificationFailed, "nothing changed"),
        _ => failure(Code::Timeout, "the action took too long"),
    };
    action.fail(error, now, effects);
}

fn cancel(action: &mut Action, reason: Option<String>, now: Millis, effects: &mut Vec<Effect>) {
    effects.push(Effect::Send(Message::Cancelled(ActionCancelled {
        action_handle: action.plan.handle.clone(),
        status: Cancelled,
        reason: reason.clone(),
    })));
    let message = reason.unwrap_or_else(|| "somebody wanted it to stop".to_owned());
    action.cancel(failure(Code::Cancelled, message), now, effects);
}
