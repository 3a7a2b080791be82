//! What looks like an action of the application: buttons that change something, forms that are sent, and whatever was
//! seen to do the same wherever it was pressed.

use super::arguments::arguments;
use super::risks::{careful, raised};
use super::{Deed, is_delicate, observed, patterns};
use crate::package::evidence::Backing;
use crate::package::forms::{Form, Forms};
use crate::package::survey::{Piece, Step, Survey};
use crate::package::words::{action_id, word};
use crate::safety::gravity;
use std::collections::{BTreeMap, BTreeSet};
use uiap_policy::risk::{Deed as Command, command, declines};
use uiap_protocol::capability::{Affordance, RiskDescriptor, RiskLevel, Role};
use uiap_protocol::discovery::{ActionReviewState, Confidence, DiscoveredActionKind, EvidenceSource};
use uiap_protocol::ids::ScopeId;
use uiap_protocol::policy::SideEffectClass;
use uiap_protocol::wire::JsonObject;

/// From how many routes on something belongs to the application as a whole.
const EVERYWHERE_ROUTES: usize = 3;
/// How often the same must come of a press until that is no accident (DSC 15.4).
const REPEATED: usize = 2;
/// What ids of candidates begin with.
const CANDIDATE: &str = "candidate";
/// The part of a route that stands for data.
const DATA_SEGMENT: &str = "id";

/// What is taken to be one action: where it belongs, what it is called, and the form that it sends.
type Group = (String, String, Option<ScopeId>);

pub(super) fn deeds(survey: &Survey<'_>, forms: &Forms, taken: &BTreeSet<usize>) -> Vec<Deed> {
    let mut groups: BTreeMap<Group, Vec<usize>> = BTreeMap::new();
    for (index, piece) in survey.pieces.iter().enumerate() {
        if !taken.contains(&index) && is_candidate(survey, forms, index, piece) {
            let form = forms.sent_by(index);
            let (area, verb) =
                by_stable_id(piece).unwrap_or_else(|| (area(piece), verb(survey, piece, form)));
            let group = (area, verb, form.map(|form| form.scope.clone()));
            groups.entry(group).or_default().push(index);
        }
    }
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (area, verb, _) in groups.keys() {
        *counts.entry((area.clone(), verb.clone())).or_default() += 1;
    }
    let deeds = groups.into_iter().map(|((area, verb, form), pieces)| {
        let is_only = counts.get(&(area.clone(), verb.clone())) == Some(&1);
        let ending = match &form {
            // Forms that are sent by buttons of the same name are told apart by their areas.
            Some(scope) if !is_only => format!("_in_{}", word(last_part(scope))),
            _ => String::new(),
        };
        let id = action_id(&format!("{CANDIDATE}.{area}.{verb}{ending}"));
        let form = form.as_ref().and_then(|scope| forms.in_area(scope));
        deed(survey, form, id, pieces)
    });
    deeds.collect()
}

fn last_part(scope: &ScopeId) -> &str {
    scope.as_str().rsplit('.').next().unwrap_or_default()
}

fn is_candidate(survey: &Survey<'_>, forms: &Forms, index: usize, piece: &Piece) -> bool {
    let wrote = survey.steps_by(index).any(|step| !step.held().is_empty());
    if wrote || forms.sent_by(index).is_some() {
        return true;
    }
    let is_pressed = matches!(
        piece.found.role,
        Role::Button | Role::Menuitem | Role::Link | Role::Custom | Role::Vendor(_)
    ) && (piece.offers(&Affordance::Activate) || piece.offers(&Affordance::Submit));
    let is_way_out = piece.name().is_some_and(declines);
    let changes = gravity(piece.class()) >= gravity(SideEffectClass::Unknown);
    is_pressed && !is_way_out && (changes || piece.found.role == Role::Button && is_stable(survey, index))
}

/// Wherever it was pressed, the same came of it.
fn is_stable(survey: &Survey<'_>, index: usize) -> bool {
    let steps: Vec<&Step<'_>> = survey.steps_by(index).filter(|step| step.to.is_some()).collect();
    let outcome = |step: &Step<'_>| (step.to.map(|to| to.id.clone()), step.signals());
    let Some(first) = steps.first() else { return false };
    let leads_on = first.to.is_some_and(|to| to.id != first.from.id);
    let places: BTreeSet<_> = steps.iter().map(|step| step.from.id.as_str()).collect();
    leads_on && places.len() >= REPEATED && steps.iter().all(|step| outcome(step) == outcome(first))
}

/// The name that its developers gave it outlasts what it is called on the page, unless it names one item of many.
fn by_stable_id(piece: &Piece) -> Option<(String, String)> {
    let id = piece.found.stable_id.as_ref()?.as_str();
    let is_plain = |letter: char| letter.is_ascii_alphabetic() || matches!(letter, '.' | '_' | '-');
    let (area, verb) = id.rsplit_once('.').filter(|_| id.chars().all(is_plain))?;
    let area: Vec<_> = area.split('.').map(word).collect();
    Some((area.join("."), word(verb)))
}

/// The part of the application that something belongs to.
fn area(piece: &Piece) -> String {
    let routes = &piece.found.routes;
    let route = routes.iter().min_by_key(|route| (route.as_str().len(), (*route).clone()));
    let Some(route) = route.filter(|_| routes.len() < EVERYWHERE_ROUTES) else { return "app".to_owned() };
    let parts: Vec<_> = route.as_str().split('.').filter(|part| *part != DATA_SEGMENT).map(word).collect();
    if parts.is_empty() { "app".to_owned() } else { parts.join(".") }
}

/// What it does, in a word of an id.
fn verb(survey: &Survey<'_>, piece: &Piece, form: Option<&Form>) -> String {
    let name = piece.name().filter(|_| !piece.is_secret());
    let has_letters = |name: &&str| name.chars().any(|letter| letter.is_ascii_alphabetic());
    if let Some(name) = name.filter(has_letters) {
        return word(name);
    }
    if let Some(found) = name.and_then(command) {
        let deed = match found.deed {
            Command::Destroy => "delete",
            Command::Pay => "pay",
            Command::Send => "send",
            Command::Publish => "publish",
            Command::Grant => "grant",
        };
        return deed.to_owned();
    }
    let meaning = piece.found.meanings.iter().next();
    let title = form.and_then(|form| survey.spots.get(&form.scope)?.names.iter().next());
    let said = meaning.or(title).map(String::as_str).or(name);
    said.map_or_else(|| format!("use_{}", word(&piece.found.role.to_string())), word)
}

fn deed(
    survey: &Survey<'_>,
    form: Option<&Form>,
    id: uiap_protocol::ids::ActionId,
    pieces: Vec<usize>,
) -> Deed {
    let mut backing = Backing::default();
    let own = || pieces.iter().filter_map(|index| survey.pieces.get(*index));
    for piece in own() {
        back(survey, piece, &mut backing);
    }
    let (signals, wrote) = observed(survey, &pieces, &mut backing);
    let gravest = own().max_by_key(|piece| (gravity(piece.class()), std::cmp::Reverse(piece.key.clone())));
    let judgement = gravest.and_then(|piece| piece.judgement.as_ref());
    let class = judgement.map_or(SideEffectClass::Unknown, |judgement| judgement.side_effect);
    let risk = judgement.map_or_else(unknown, |judgement| judgement.risk.clone());
    let held = pieces.iter().flat_map(|piece| survey.steps_by(*piece)).flat_map(Step::held);
    let (class, risk) = raised(class, risk, held, wrote);
    let risk = careful(class, risk);
    let (_, confidence) = backing.done();
    let review = match class {
        class if is_delicate(class) => ActionReviewState::Unsafe,
        SideEffectClass::Unknown | SideEffectClass::ExternalEffect => ActionReviewState::NeedsReview,
        _ if wrote || confidence == Confidence::Low => ActionReviewState::NeedsReview,
        _ => ActionReviewState::Candidate,
    };
    let declared = own().filter_map(|piece| piece.found.risk.clone()).reduce(super::risks::stricter);
    Deed {
        kind: DiscoveredActionKind::Candidate,
        patterns: patterns(survey, &pieces),
        form: form.map(|form| form.scope.clone()),
        args: form.map(|form| arguments(survey, form)).unwrap_or_default(),
        risk: Some(risk),
        registered: None,
        routes: BTreeSet::new(),
        id,
        pieces,
        class,
        declared,
        wrote,
        signals,
        backing,
        review,
    }
}

/// That a thing is there says the page; what it would do says its label, or it is a guess.
fn back(survey: &Survey<'_>, piece: &Piece, backing: &mut Backing) {
    let source = piece.judgement.as_ref().map(|judgement| judgement.source);
    let speaks = source == Some(EvidenceSource::VisibleText)
        || piece.name().is_some_and(|name| command(name).is_some());
    let Some(state) = piece.found.states.iter().next() else { return };
    let seen = survey.look_up(state);
    backing.add(EvidenceSource::Dom, seen.clone());
    match source {
        Some(EvidenceSource::Annotation | EvidenceSource::AppRegistry) => {
            backing.add(EvidenceSource::Annotation, seen);
        }
        _ if speaks => backing.add(EvidenceSource::VisibleText, seen),
        _ => {
            let why = piece.judgement.as_ref().and_then(|judgement| judgement.risk.reason.clone());
            let note = why.unwrap_or_else(|| "Nothing says what it does.".to_owned());
            backing.note(EvidenceSource::Inferred, seen, note);
        }
    }
}

fn unknown() -> RiskDescriptor {
    RiskDescriptor { level: RiskLevel::Confirm, tags: None, reason: None, extra: JsonObject::default() }
}
