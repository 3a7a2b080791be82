//! Who allowed an action: the chain from the deed back to the rules and to those who wrote them.

use super::{CHARS_MAX, State, Story, time};
use std::fmt::Write as _;
use uiap_protocol::ids::Id;
use uiap_protocol::policy::{Grant, PolicyEffect, PolicyObligation};
use uiap_runtime::journal::{Decision, Intent};
use uiap_runtime::view::clean;

/// The chain, the deed first.
pub(super) fn told(story: &Story) -> String {
    let mut text = story.line();
    let entry = &story.kept.entry;
    let _ = writeln!(
        text,
        "Asked for by {} in {}.",
        entry.owner.principal,
        clean(entry.owner.application.as_str(), CHARS_MAX)
    );
    for intent in &story.kept.intents {
        dispatched(&mut text, intent);
    }
    for decision in &story.kept.decisions {
        decided(&mut text, decision);
    }
    if story.kept.intents.is_empty() && story.kept.decisions.is_empty() {
        text.push_str("Nothing was dispatched, and no policy was asked: it ended before.\n");
    } else if story.kept.intents.is_empty() && story.state != State::UnderWay {
        text.push_str("Nothing was dispatched.\n");
    }
    text
}

fn dispatched(text: &mut String, intent: &Intent) {
    let agreed = if intent.consented { "after a person agreed" } else { "without asking anybody" };
    let _ = writeln!(text, "Dispatched by {} {agreed}.", intent.mode);
    decided(text, &intent.decision);
}

fn decided(text: &mut String, decision: &Decision) {
    let effect = match decision.effect {
        PolicyEffect::Allow => "may happen",
        PolicyEffect::Confirm => "may happen if a person agrees",
        PolicyEffect::Handoff => "may be done by a person only",
        PolicyEffect::Deny => "may not happen",
    };
    let _ = writeln!(text, "Decided at {}: it {effect}; risk {}.", time(decision.at), decision.risk);
    let grounds = &decision.grounds;
    let mut line = |what: &str, words: Vec<String>| {
        for word in words {
            let _ = writeln!(text, "  {what}: {}", clean(&word, CHARS_MAX));
        }
    };
    let reasons =
        if grounds.reasons.is_empty() { vec![decision.reason.clone()] } else { grounds.reasons.clone() };
    line("because", reasons);
    line("rule", grounds.rules.iter().map(Id::to_string).collect());
    line("right that is missing", grounds.missing_grants.iter().map(Grant::to_string).collect());
    line("right that the person lends", grounds.lent_grants.iter().map(Grant::to_string).collect());
    line("must come with it", grounds.obligations.iter().map(obliged).collect());
    line("said", grounds.origins.clone());
    match &grounds.bundle {
        Some(bundle) => {
            line("bundle", vec![bundle.clone()]);
            line("review", carried(&grounds.reviews));
            line("evidence", carried(&grounds.evidence));
        }
        None => {
            line("bundle", vec!["none; nobody has reviewed what is known of this application".to_owned()]);
        }
    }
}

/// What the bundle says of itself; saying nothing would look as if nobody had asked.
fn carried(told: &[String]) -> Vec<String> {
    if told.is_empty() { vec!["the bundle carries none for this".to_owned()] } else { told.to_vec() }
}

fn obliged(obligation: &PolicyObligation) -> String {
    serde_json::to_string(obligation).unwrap_or_else(|_| obligation.word().to_owned())
}
