//! Questions about actions and workflows: what is guessed, what is risky, what contradicts itself, and how one would know
//! that it worked.

use super::about_elements::called;
use super::{Question, Reach, Stakes, remedy};
use crate::package::actions::{Deed, Deeds, is_delicate};
use crate::package::evidence::piece as evidence;
use crate::package::survey::Survey;
use crate::package::words::id;
use crate::safety::gravity;
use std::collections::BTreeSet;
use uiap_protocol::capability::{RiskLevel, Role};
use uiap_protocol::discovery::{
    DiscoveredActionKind, DiscoveredWorkflowCandidate, EvidenceRef, EvidenceSource, ItemReviewState,
    ReviewItemKind,
};
use uiap_protocol::policy::{DataClass, SideEffectClass};

/// Most pieces of evidence of one question.
const EVIDENCE_MAX: usize = 8;

pub(super) fn questions(survey: &Survey<'_>, deeds: &Deeds) -> Vec<Question> {
    let own = deeds.all.iter().filter(|deed| deed.kind != DiscoveredActionKind::Primitive);
    own.flat_map(|deed| {
        let duties = [
            without_signal(survey, deed),
            guessed(survey, deed),
            delicate(survey, deed),
            contradictory(survey, deed),
        ];
        duties.into_iter().flatten()
    })
    .collect()
}

/// Places a question where its action is.
fn at(mut question: Question, survey: &Survey<'_>, deed: &Deed) -> Question {
    let pieces = || deed.pieces.iter().filter_map(|index| survey.pieces.get(*index));
    let routes: BTreeSet<_> = pieces().flat_map(|piece| &piece.found.routes).collect();
    question.stakes = question.stakes.max(Stakes::of(deed.class));
    question.reach = Reach::of(routes.len());
    question.route = routes.into_iter().next().cloned();
    question.scope =
        deed.form.clone().or_else(|| pieces().flat_map(|piece| &piece.found.areas).next().cloned());
    question.stable = pieces().find_map(|piece| piece.found.stable_id.clone());
    let (backing, _) = deed.backing.done();
    let itself = evidence(EvidenceSource::Inferred, id(deed.id.as_str()));
    question.evidence = backing.into_iter().take(EVIDENCE_MAX).chain([itself]).collect();
    question
}

/// How would one know that it worked? (DSC 15.5)
fn without_signal(survey: &Survey<'_>, deed: &Deed) -> Option<Question> {
    if !deed.signals.is_empty() {
        return None;
    }
    let done =
        deed.pieces.iter().flat_map(|piece| survey.steps_by(*piece)).any(|step| step.held().is_empty());
    let why = if done {
        "nothing was observed when it was done"
    } else if deed.wrote {
        "what it sends was held back, so its answer was never seen"
    } else {
        "it was never done here"
    };
    let description = format!("Nothing says how the success of {} is recognised: {why}.", deed.id);
    let mut question = Question::new(ReviewItemKind::MissingSuccessSignal, &[deed.id.as_str()], description);
    question.remedy = Some(remedy::success(deed.id.as_str()));
    Some(at(question, survey, deed))
}

/// An important action that only its words or its looks speak for (DSC 16).
fn guessed(survey: &Survey<'_>, deed: &Deed) -> Option<Question> {
    use EvidenceSource as Source;
    let firm = [Source::Annotation, Source::AppRegistry, Source::Transition, Source::Network];
    let matters = gravity(deed.class) >= gravity(SideEffectClass::Unknown);
    if !matters || firm.into_iter().any(|source| deed.backing.has(source)) {
        return None;
    }
    let what = deed.pieces.iter().find_map(|index| survey.pieces.get(*index)).map(called)?;
    let description = format!("{} is guessed from the {what} alone.", deed.id);
    let mut question =
        Question::new(ReviewItemKind::InferredOnly, &["action", deed.id.as_str()], description);
    let level = deed.risk.as_ref().map_or(RiskLevel::Confirm, |risk| risk.level);
    question.remedy = Some(remedy::risk(deed.id.as_str(), &level.to_string()));
    Some(at(question, survey, deed))
}

/// Money, rights, secrets, or something that would be gone (DSC 16, finding S9).
fn delicate(survey: &Survey<'_>, deed: &Deed) -> Option<Question> {
    let secret: BTreeSet<String> = deed
        .args
        .iter()
        .flat_map(|argument| &argument.data)
        .filter(|class| matches!(class, DataClass::Credential | DataClass::Secret | DataClass::Payment))
        .map(ToString::to_string)
        .collect();
    let touches = is_delicate(deed.class) || deed.class == SideEffectClass::ExternalEffect;
    if !touches && secret.is_empty() {
        return None;
    }
    let what =
        if touches { deed.class.to_string() } else { secret.into_iter().collect::<Vec<_>>().join(", ") };
    let reason = deed.risk.as_ref().and_then(|risk| risk.reason.clone()).unwrap_or_default();
    let description = format!("{} touches {what} and was not tried. {reason}", deed.id);
    let description =
        if deed.wrote { description.replace("was not tried", "was held back") } else { description };
    let kind = ReviewItemKind::UnsafeActionCandidate;
    let mut question = Question::new(kind, &[deed.id.as_str()], description.trim_end().to_owned());
    question.remedy = Some(remedy::risk(deed.id.as_str(), "confirm"));
    question.stakes = if touches { Stakes::Some } else { Stakes::Grave };
    Some(at(question, survey, deed))
}

/// It says one thing and does another (DSC 16).
fn contradictory(survey: &Survey<'_>, deed: &Deed) -> Option<Question> {
    if !deed.wrote {
        return None;
    }
    let pieces = || deed.pieces.iter().filter_map(|index| survey.pieces.get(*index));
    let declared = deed.declared.as_ref().filter(|risk| risk.level == RiskLevel::Safe);
    let link = pieces().find(|piece| matches!(piece.found.role, Role::Link | Role::Breadcrumb));
    let harmless = pieces().find(|piece| gravity(piece.class()) < gravity(SideEffectClass::Unknown));
    let why = match (declared, link, harmless) {
        (Some(_), ..) => "is declared to be safe".to_owned(),
        (None, Some(link), _) => format!("is a {}, which should only lead somewhere", called(link)),
        (None, None, Some(piece)) => format!("looks harmless ({})", called(piece)),
        (None, None, None) => return None,
    };
    let (refs, _) = deed.backing.done();
    let sent: Vec<_> = refs
        .iter()
        .filter(|piece| piece.source == EvidenceSource::Network)
        .filter_map(|piece| piece.note.clone())
        .collect();
    let description = format!("{} {why}, but it writes: {} was held back.", deed.id, sent.join(", "));
    let mut question =
        Question::new(ReviewItemKind::Custom, &["contradiction", deed.id.as_str()], description);
    question.remedy = Some(remedy::risk(deed.id.as_str(), "confirm"));
    question.stakes = Stakes::Grave;
    Some(at(question, survey, deed))
}

/// Workflows of which nobody could say when they have succeeded (DSC 16).
pub(super) fn about_workflows(workflows: &[DiscoveredWorkflowCandidate]) -> Vec<Question> {
    let uncertain = workflows.iter().filter(|workflow| {
        workflow.success_signals.as_ref().is_none_or(Vec::is_empty)
            || workflow.review_state == Some(ItemReviewState::NeedsReview)
    });
    uncertain
        .map(|workflow| {
            let title = workflow.title.as_deref().unwrap_or(workflow.id.as_str());
            let without = workflow.success_signals.as_ref().is_none_or(Vec::is_empty);
            let why = if without {
                "nothing says when it has succeeded"
            } else {
                "what it does at the end is risky"
            };
            let description = format!("The workflow “{title}” is a proposal: {why}.");
            let mut question =
                Question::new(ReviewItemKind::WorkflowUncertain, &[workflow.id.as_str()], description);
            question.route = workflow.route_ids.as_ref().and_then(|routes| routes.last().cloned());
            let itself: EvidenceRef = evidence(EvidenceSource::Inferred, workflow.id.clone());
            question.evidence =
                workflow.discovered_by.iter().take(EVIDENCE_MAX).cloned().chain([itself]).collect();
            question.stakes = Stakes::Some;
            question.remedy = Some(format!(
                "- id: {}\n  successSignals:\n    - {{kind: route.changed, pattern: /…}}",
                serde_json::Value::from(workflow.id.as_str())
            ));
            question
        })
        .collect()
}
