//! Every transition of an action.

use super::failure::{failure, obstructed, unresolved};
use super::{
    Action, Answer, CONFIRMATION_WAIT_MS_MAX, CONFIRMATIONS_MAX, Consent, Delivery, Effect, EffectKind,
    Event, LAST_LOOK_MS, Message, Millis, Observation, Question, RESOLUTIONS_MAX, Record, SHORT_WAIT_MS,
    SHORT_WAITS_MS_MAX, Strategy, USER_WAIT_MS_MAX, Verdict,
};
use crate::gate::{self, LiveFacts, Obstacle, Opaque, Recovery};
use crate::resolve::{Aim, ResolveError};
use uiap_protocol::action::{
    ActionCancelled, ActionProgress, Cancelled, ConfirmationPreview, ConfirmationRequest,
    RuntimeErrorCode as Code, RuntimeState as State, Stage, VerificationPolicy,
};
use uiap_protocol::capability::{ExecutionMode, RiskLevel};
use uiap_protocol::policy::PolicyEffect;
use uiap_protocol::wire::JsonObject;

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
    // What comes too late, came too late: even good news does not move the deadline. It only says how things stand.
    if now >= action.budget.deadline {
        if let (State::Verifying, Event::Observed(observation)) = (action.state, event) {
            action.observation = observation;
        }
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
        (_, Event::JournalFailed { reason }) => unrecorded(action, &reason, now, effects),
        (State::Recovering, Event::Woke) => {
            // The answer may never come; the short wait took the place of the deadline.
            wake_at(action, action.budget.deadline, effects);
            action.ask(Question::Check, effects);
        }
        (State::WaitingForUser, Event::UserActed) => user_acted(action, now, effects),
        // The outcome itself says that the person acted.
        (State::WaitingForUser, Event::Observed(observation)) if observation.enough => {
            observed(action, observation);
            user_acted(action, now, effects);
        }
        (State::Executing, Event::Unseen) => unseen(action),
        (State::Verifying, Event::Unseen) => {
            unseen(action);
            judge(action, now, effects);
        }
        // An effect may show before the surface says that it has delivered.
        (State::Executing, Event::Observed(observation)) => observed(action, observation),
        (State::Verifying, Event::Observed(observation)) => {
            observed(action, observation);
            judge(action, now, effects);
        }
        (State::Verifying, Event::Woke) => judge(action, now, effects),
        _ => {}
    }
}

/// The dispatch behind the record did not happen.
fn unrecorded(action: &mut Action, reason: &str, now: Millis, effects: &mut Vec<Effect>) {
    action.evidence.dispatched = false;
    unobserved(action);
    let message = format!("nothing was done, because the journal could not keep it: {reason}");
    action.fail(failure(Code::InternalRuntimeError, message), now, effects);
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
    action.matches = 0;
}

fn observed(action: &mut Action, observation: Observation) {
    action.matches = if observation.enough { action.matches.saturating_add(1) } else { 0 };
    action.observation = observation;
}

/// What was observed so far was not the effect of what comes next.
fn unobserved(action: &mut Action) {
    observed(action, Observation::default());
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
        (State::Executing, Answer::JournalLost { reason }) => unrecorded(action, &reason, now, effects),
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
    enter_with(action, state, note, None, now, effects);
}

/// The same, with what shows that it is time.
fn enter_with(
    action: &mut Action,
    state: State,
    note: &str,
    evidence: Option<JsonObject>,
    now: Millis,
    effects: &mut Vec<Effect>,
) {
    action.state = state;
    action.note_with(now, note, evidence);
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
            action.resolution = match &aim {
                Aim::Element(resolution) => Some(resolution.explanation()),
                Aim::Route(_) | Aim::Custom(_) => None,
            };
            action.target = match aim {
                Aim::Element(resolution) => Some(resolution.target),
                Aim::Route(_) | Aim::Custom(_) => None,
            };
            aimed_at(action);
            let evidence = action.resolution.clone();
            enter_with(action, State::CheckingPreconditions, "found", evidence, now, effects);
            action.ask(Question::Check, effects);
        }
        Err(ResolveError::Stale { .. })
            if action.budget.resolutions < RESOLUTIONS_MAX && action.recovery.is_open() =>
        {
            resolve_again(action, "the target is not what was expected", now, effects);
        }
        Err(error) => action.fail(unresolved(&error), now, effects),
    }
}

/// Remembers the first element, and that it is another one now.
fn aimed_at(action: &mut Action) {
    let Some(target) = &action.target else { return };
    if *action.first_target.get_or_insert_with(|| target.instance_id.clone()) != target.instance_id {
        action.recovery.tries(Strategy::AlternateCandidate);
    }
}

/// Leaves the way for a while, to try something against an obstacle.
fn leave(action: &mut Action, strategy: Strategy, note: &str, now: Millis, effects: &mut Vec<Effect>) {
    action.recovery.tries(strategy);
    action.recovery.cycles += 1;
    let evidence = JsonObject::from_iter([("strategy".to_owned(), strategy.word().into())]);
    enter_with(action, State::Recovering, note, Some(evidence), now, effects);
}

fn resolve_again(action: &mut Action, note: &str, now: Millis, effects: &mut Vec<Effect>) {
    action.budget.resolutions += 1;
    leave(action, Strategy::ReResolve, note, now, effects);
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
    action.cleared = action.verdict.is_none();
    if action.state == State::Recovering {
        enter(action, State::CheckingPreconditions, "nothing in the way", now, effects);
    } else if action.cleared {
        action.note(now, "nothing in the way");
    }
    action.cleared = false;
    match &action.verdict {
        None => action.ask(Question::Decide, effects),
        Some(_) => permitted(action, now, effects),
    }
}

/// What may be tried against an obstacle, or the end.
fn recover(action: &mut Action, obstacle: &Obstacle, now: Millis, effects: &mut Vec<Effect>) {
    let budget = &action.budget;
    let wait_left = budget.waited < SHORT_WAITS_MS_MAX;
    // What goes on being recovered from is one cycle.
    let is_recovering = action.state == State::Recovering;
    let may_leave = action.recovery.is_open();
    match obstacle.recovery() {
        Recovery::Resolve
            if action.plan.needs_target && budget.resolutions < RESOLUTIONS_MAX && may_leave =>
        {
            // A verdict and an agreement are about one target; another one is decided anew.
            action.verdict = None;
            action.consent = Consent::NotGiven;
            resolve_again(action, obstacle.word(), now, effects);
        }
        // What lies over a target at the edge of the view, such as a bar that stays, does not in the middle.
        Recovery::Reveal | Recovery::Wait
            if budget.reveals == 0
                && may_leave
                && matches!(obstacle, Obstacle::OutOfView { .. } | Obstacle::Covered { .. }) =>
        {
            action.budget.reveals += 1;
            leave(action, Strategy::Reveal, obstacle.word(), now, effects);
            action.ask(Question::Reveal, effects);
        }
        Recovery::Wait if wait_left && (is_recovering || may_leave) => {
            action.budget.waited += SHORT_WAIT_MS;
            action.recovery.tries(Strategy::StateRefresh);
            if !is_recovering {
                leave(action, Strategy::StateRefresh, obstacle.word(), now, effects);
            }
            wake_at(action, now + SHORT_WAIT_MS, effects);
        }
        _ => action.fail(obstructed(obstacle), now, effects),
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
    action.recovery.attempts += 1;
    let kind =
        action.verdict.as_ref().map_or_else(EffectKind::default, |verdict| verdict.grounds.effect_kind);
    let evidence = JsonObject::from_iter([
        ("mode".to_owned(), mode.as_str().into()),
        ("effectKind".to_owned(), kind.word().into()),
    ]);
    enter_with(action, State::Executing, "doing it", Some(evidence), now, effects);
    action.evidence.dispatched = true;
    effects.push(Effect::Record(Record::Intent { mode, repeatable: action.is_repeatable(), consented }));
    effects.push(Effect::Watch);
    action.ask(Question::Dispatch { mode }, effects);
}

fn delivered(action: &mut Action, delivery: Delivery, now: Millis, effects: &mut Vec<Effect>) {
    match delivery {
        Delivery::NotDelivered { reason } => {
            action.evidence.dispatched = false;
            unobserved(action);
            if !action.modes.is_empty() {
                action.modes.remove(0);
            }
            if action.modes.is_empty() {
                return action.fail(failure(Code::ExecutionModeUnavailable, reason), now, effects);
            }
            action.recovery.tries(Strategy::AdjustedRetry);
            // The page may have moved on meanwhile, so the next way begins with a look.
            enter(action, State::CheckingPreconditions, &reason, now, effects);
            action.ask(Question::Check, effects);
        }
        Delivery::Outdated { reason } => {
            action.evidence.dispatched = false;
            unobserved(action);
            action.note(now, &reason);
            action.recovery.tries(Strategy::StepBack);
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
        if action.enough_since.is_some() {
            action.note(now, "the outcome did not hold");
            action.enough_since = None;
        }
        return wake_at(action, last_look(action, now), effects);
    }
    if action.enough_since.is_none() {
        action.note(now, "the outcome is as expected, and has to hold");
    }
    let since = *action.enough_since.get_or_insert(now);
    let held_at = since.saturating_add(action.hold_ms());
    if now >= held_at {
        action.evidence.verified = true;
        return action.succeed(now, effects);
    }
    wake_at(action, held_at, effects);
}

/// When to look once more before time is up: nobody fails for what was not looked at in the end.
fn last_look(action: &Action, now: Millis) -> Millis {
    let deadline = action.budget.deadline;
    let before = deadline.saturating_sub(LAST_LOOK_MS.min(action.plan.verification.timeout_ms / 2));
    if now < before { before } else { deadline }
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
