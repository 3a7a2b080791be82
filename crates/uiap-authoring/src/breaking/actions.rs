//! Actions: what can be asked for.

use super::arguments;
use super::bindings::signals;
use super::changes::{Changes, Met, Pair, meet, quoted};
use super::place::At;
use super::rules::Rule;
use super::subjects::Subjects;
use super::witness::{Witness, request};
use std::cmp::Ordering;
use uiap_protocol::action::ActionTarget;
use uiap_protocol::authoring::AuthoredAction;
use uiap_protocol::capability::{ActionDescriptor, DescribedKind, Idempotency, RiskLevel};
use uiap_protocol::wire::Shared;

pub(super) fn compare(
    at: &At<'_>,
    old: Option<&Vec<Shared<AuthoredAction>>>,
    new: Option<&Vec<Shared<AuthoredAction>>>,
    subjects: &Subjects<'_>,
    changes: &mut Changes,
) {
    changes.respelled_list(at, old, new);
    for met in meet(old, new, |action| action.descriptor.id.as_str()) {
        match met {
            Met::Gone(place, action) => removed(&at.gone(place), &action.descriptor, subjects, changes),
            Met::Came(place, action) => added(&at.came(place), &action.descriptor, subjects, changes),
            Met::Differs((was_at, was), (is_at, is)) => {
                let at = at.both(was_at, is_at);
                descriptor(&at, &was.descriptor, &is.descriptor, subjects, changes);
                carried_out(&at, was, is, subjects, changes);
            }
        }
    }
}

/// Actions of a capability document.
pub(super) fn described(
    at: &At<'_>,
    old: &Vec<ActionDescriptor>,
    new: &Vec<ActionDescriptor>,
    subjects: &Subjects<'_>,
    changes: &mut Changes,
) {
    for met in meet(Some(old), Some(new), |action| action.id.as_str()) {
        match met {
            Met::Gone(place, action) => removed(&at.gone(place), action, subjects, changes),
            Met::Came(place, action) => added(&at.came(place), action, subjects, changes),
            Met::Differs((was_at, was), (is_at, is)) => {
                descriptor(&at.both(was_at, is_at), was, is, subjects, changes);
            }
        }
    }
}

/// A request for an action that its descriptor accepts.
pub(super) fn sample(action: &ActionDescriptor, subjects: &Subjects<'_>) -> Witness {
    Witness::request(&action.id, subjects.of(action), arguments::demanded(action))
}

fn removed(at: &At<'_>, action: &ActionDescriptor, subjects: &Subjects<'_>, changes: &mut Changes) {
    let message = format!("The action \"{}\" is gone.", action.id);
    changes.add(Rule::ActionRemoved, at, message, sample(action, subjects));
}

fn added(at: &At<'_>, action: &ActionDescriptor, subjects: &Subjects<'_>, changes: &mut Changes) {
    let message = format!("The action \"{}\" is new.", action.id);
    changes.add(Rule::ActionAdded, at, message, sample(action, subjects));
}

fn descriptor(
    at: &At<'_>,
    old: &ActionDescriptor,
    new: &ActionDescriptor,
    subjects: &Subjects<'_>,
    changes: &mut Changes,
) {
    let who = format!("The action \"{}\"", new.id);
    changes.value(Rule::ActionTitleChanged, &at.member("title"), (&old.title, &new.title), || {
        format!("{who} is called {}; it was {}.", quoted(new.title.as_ref()), quoted(old.title.as_ref()))
    });
    let texts = (&old.description, &new.description);
    changes.value(Rule::ActionDescriptionChanged, &at.member("description"), texts, || {
        format!("{who} is described differently.")
    });
    ways(at, old, new, subjects, changes);
    let lists = (old.args.as_ref(), new.args.as_ref());
    arguments::compare(&at.member("args"), lists, old, subjects, changes);
    idempotency(at, old, new, subjects, changes);
    risk(&at.member("risk"), old, new, subjects, changes);
    let rules = Pair { gone: Rule::ActionSignalRemoved, came: Rule::ActionSignalAdded };
    let lists = (old.success.as_ref(), new.success.as_ref());
    signals(rules, &at.member("success"), lists, &who, changes);
    changes.metadata(at, old.metadata.as_ref(), new.metadata.as_ref(), &who, &[]);
}

/// What it can be aimed at, what that must offer, and how it is done.
fn ways(
    at: &At<'_>,
    old: &ActionDescriptor,
    new: &ActionDescriptor,
    subjects: &Subjects<'_>,
    changes: &mut Changes,
) {
    let who = format!("The action \"{}\"", new.id);
    let rules = Pair { gone: Rule::ActionTargetKindRemoved, came: Rule::ActionTargetKindAdded };
    let lists = (Some(&old.target_kinds), Some(&new.target_kinds));
    changes.words(rules, &at.member("targetKinds"), lists, &who, |kind, came| {
        let can = if came { "can" } else { "can no longer" };
        let descriptor = if came { new } else { old };
        let args = arguments::demanded(descriptor);
        let witness = Witness::request(&new.id, subjects.of_kind(*kind), args);
        (format!("{can} be aimed at a target of the kind {kind}"), witness)
    });
    let rules = Pair { gone: Rule::ActionAffordanceRemoved, came: Rule::ActionAffordanceAdded };
    let lists = (old.required_affordances.as_ref(), new.required_affordances.as_ref());
    changes.words(rules, &at.member("requiredAffordances"), lists, &who, |affordance, came| {
        let asks = if came { "asks" } else { "does not ask any more" };
        (format!("{asks} for the affordance {affordance}"), sample(old, subjects))
    });
    let rules = Pair { gone: Rule::ActionModeRemoved, came: Rule::ActionModeAdded };
    let lists = (Some(&old.execution_modes), Some(&new.execution_modes));
    changes.words(rules, &at.member("executionModes"), lists, &who, |mode, came| {
        let can = if came { "can" } else { "can no longer" };
        let descriptor = if came { new } else { old };
        let target = subjects.of(descriptor);
        let target = target.map(|it| ActionTarget { r#ref: Some(it), ..ActionTarget::default() });
        let mut wanted = request(&new.id, target, arguments::demanded(descriptor));
        wanted.preferred_execution_modes = Some(vec![*mode]);
        (format!("{can} be carried out by {mode}"), Witness::Request { request: Box::new(wanted) })
    });
}

fn idempotency(
    at: &At<'_>,
    old: &ActionDescriptor,
    new: &ActionDescriptor,
    subjects: &Subjects<'_>,
    changes: &mut Changes,
) {
    // What nobody vouches for happens twice.
    let rank = |action: &ActionDescriptor| match action.idempotency {
        Some(Idempotency::Idempotent) => 0,
        Some(Idempotency::Conditional) => 1,
        Some(Idempotency::NonIdempotent) | None => 2,
    };
    let at = at.member("idempotency");
    let (was, is) = (quoted(old.idempotency.as_ref()), quoted(new.idempotency.as_ref()));
    let message = format!("The action \"{}\" says {is} about being repeated; it said {was}.", new.id);
    match rank(new).cmp(&rank(old)) {
        Ordering::Greater => {
            changes.add(Rule::ActionIdempotencyWeakened, &at, message, sample(old, subjects));
        }
        Ordering::Less => {
            changes.add(Rule::ActionIdempotencyStrengthened, &at, message, sample(old, subjects));
        }
        Ordering::Equal if old.idempotency != new.idempotency => {
            changes.respelled(&at, &old.idempotency, &new.idempotency);
        }
        Ordering::Equal => {}
    }
}

fn risk(
    at: &At<'_>,
    old: &ActionDescriptor,
    new: &ActionDescriptor,
    subjects: &Subjects<'_>,
    changes: &mut Changes,
) {
    let who = format!("The action \"{}\"", new.id);
    let effective =
        |action: &ActionDescriptor| action.risk.effective_level(action.kind == DescribedKind::Domain);
    let (was, is) = (effective(old), effective(new));
    let rule = match (was, is) {
        (was, is) if was == is => None,
        (_, RiskLevel::Blocked) => Some(Rule::ActionBlocked),
        (RiskLevel::Blocked, _) => Some(Rule::ActionUnblocked),
        (RiskLevel::Safe, _) => Some(Rule::ActionConfirmationAdded),
        _ => Some(Rule::ActionConfirmationDropped),
    };
    let at_level = at.member("level");
    if let Some(rule) = rule {
        let message = format!("{who} has the risk {is}; it was {was}.");
        changes.add(rule, &at_level, message, sample(old, subjects));
    } else if old.risk.level != new.risk.level {
        let message = format!("{who} declares the risk {}; {is} held and holds.", new.risk.level);
        let witness = Witness::values(&old.risk.level, &new.risk.level);
        changes.add(Rule::ActionRiskDeclared, &at_level, message, witness);
    }
    let rules = Pair { gone: Rule::ActionRiskTagRemoved, came: Rule::ActionRiskTagAdded };
    let lists = (old.risk.tags.as_ref(), new.risk.tags.as_ref());
    changes.words(rules, &at.member("tags"), lists, &who, |tag, came| {
        let has = if came { "has" } else { "has no longer" };
        (format!("{has} the risk tag {tag}"), sample(old, subjects))
    });
    let reasons = (&old.risk.reason, &new.risk.reason);
    changes.value(Rule::ActionRiskReasonChanged, &at.member("reason"), reasons, || {
        format!("{who} explains its risk differently.")
    });
}

/// What carries it out, and where it is offered.
fn carried_out(
    at: &At<'_>,
    old: &AuthoredAction,
    new: &AuthoredAction,
    subjects: &Subjects<'_>,
    changes: &mut Changes,
) {
    let who = format!("The action \"{}\"", new.descriptor.id);
    let at_implementation = at.member("implementation");
    match (&old.implementation, &new.implementation) {
        (None, Some(is)) => {
            let message = format!("{who} is carried out by something.");
            changes.add(Rule::ActionImplementationAdded, &at_implementation, message, Witness::came(is));
        }
        (was, is) if was != is => {
            let message = format!("{who} is carried out by something else, or by nothing.");
            let witness = sample(&old.descriptor, subjects);
            changes.add(Rule::ActionImplementationChanged, &at_implementation, message, witness);
        }
        _ => {}
    }
    if old.selectors != new.selectors {
        let message = format!("{who} is offered elsewhere or to somebody else.");
        let witness = sample(&old.descriptor, subjects);
        changes.add(Rule::ActionSelectorChanged, &at.member("selectors"), message, witness);
    }
}
