//! Questions about elements: which one is meant, by what it is recognised, and what is only a picture.

use super::remedy::{annotation, binding, proposed_id};
use super::{Question, Reach, Stakes};
use crate::package::actions::Deeds;
use crate::package::elements::{is_picture, names};
use crate::package::evidence::piece as evidence;
use crate::package::survey::{Piece, Survey};
use crate::package::words::id;
use std::collections::{BTreeMap, BTreeSet};
use uiap_protocol::capability::Affordance;
use uiap_protocol::discovery::{EvidenceRef, EvidenceSource, ReviewItemKind};
use uiap_protocol::ids::{RouteId, ScopeId};

/// Most elements of a route that are named in one question.
const NAMED_MAX: usize = 5;

pub(super) fn questions(survey: &Survey<'_>, deeds: &Deeds) -> Vec<Question> {
    let mut questions = Vec::new();
    let mut nameless: BTreeMap<&RouteId, Vec<&Piece>> = BTreeMap::new();
    for (index, piece) in survey.pieces.iter().enumerate() {
        let meant = deeds.meant_by(index);
        let stakes = meant.map_or(Stakes::None, |deed| Stakes::of(deed.class));
        if piece.found.is_ambiguous && is_used(piece) {
            questions.push(ambiguous(survey, piece, stakes));
        }
        if is_picture(piece) && piece.found.stable_id.is_none() {
            questions.push(picture(survey, piece));
        }
        if piece.found.stable_id.is_none() && is_used(piece) && !piece.found.is_ambiguous {
            match piece.found.routes.iter().next() {
                // What does something is asked about by itself, everything else route by route.
                Some(_) if stakes > Stakes::None => questions.push(without_id(survey, piece, stakes)),
                Some(route) => nameless.entry(route).or_default().push(piece),
                None => {}
            }
        }
    }
    questions.extend(nameless.into_iter().map(|(route, pieces)| without_ids(survey, route, &pieces)));
    questions.extend(same_names(survey));
    questions
}

fn is_used(piece: &Piece) -> bool {
    piece.found.affordances.iter().any(|offer| {
        !matches!(offer, Affordance::Read | Affordance::Focus | Affordance::Scroll | Affordance::Drop)
    })
}

/// What people call it.
pub(super) fn called(piece: &Piece) -> String {
    match names(piece).first() {
        Some(name) => format!("{} “{name}”", piece.found.role),
        None => format!("{} without a name", piece.found.role),
    }
}

fn seen(survey: &Survey<'_>, piece: &Piece) -> Vec<EvidenceRef> {
    let state = piece.found.states.iter().next();
    let page = state.map(|state| evidence(EvidenceSource::Dom, survey.look_up(state)));
    page.into_iter().chain([evidence(EvidenceSource::Dom, id(piece.identity()))]).collect()
}

fn at(mut question: Question, survey: &Survey<'_>, piece: &Piece, stakes: Stakes) -> Question {
    question.stakes = stakes;
    question.reach = Reach::of(piece.found.routes.len());
    question.route = piece.found.routes.iter().next().cloned();
    question.scope = piece.found.areas.iter().next().cloned();
    question.stable.clone_from(&piece.found.stable_id);
    question.evidence = seen(survey, piece);
    question
}

fn ambiguous(survey: &Survey<'_>, piece: &Piece, stakes: Stakes) -> Question {
    let many =
        if piece.found.is_item { "Every item of a collection has a" } else { "There is more than one" };
    let description = format!(
        "{many} {} in the same area, and nothing tells them apart. Whoever asks for it is refused.",
        called(piece)
    );
    let mut question = Question::new(ReviewItemKind::AmbiguousTarget, &[&piece.key], description);
    let own = proposed_id(piece);
    let id = if piece.found.is_item { format!("{own}.{{key of the item}}") } else { own };
    question.remedy = Some(annotation(piece, &id));
    at(question, survey, piece, stakes.max(Stakes::Some))
}

fn without_id(survey: &Survey<'_>, piece: &Piece, stakes: Stakes) -> Question {
    let description = format!(
        "The {} does something and has no stable id; it is recognised by its name, which may change.",
        called(piece)
    );
    let mut question = Question::new(ReviewItemKind::MissingStableId, &["element", &piece.key], description);
    let id = proposed_id(piece);
    question.remedy = Some(format!("{}\n\n{}", annotation(piece, &id), binding(piece, &id)));
    at(question, survey, piece, stakes)
}

fn without_ids(survey: &Survey<'_>, route: &RouteId, pieces: &[&Piece]) -> Question {
    let listed: Vec<_> = pieces.iter().take(NAMED_MAX).map(|piece| called(piece)).collect();
    let rest = pieces.len().saturating_sub(NAMED_MAX);
    let more = if rest == 0 { String::new() } else { format!(" and {rest} more") };
    let count = pieces.len();
    let description =
        format!("{count} elements of the route {route} have no stable id: {}{more}.", listed.join(", "));
    let mut question =
        Question::new(ReviewItemKind::MissingStableId, &["elements", route.as_str()], description);
    let remedies: Vec<_> =
        pieces.iter().take(NAMED_MAX).map(|piece| annotation(piece, &proposed_id(piece))).collect();
    question.remedy = Some(remedies.join("\n"));
    question.route = Some(route.clone());
    question.evidence = pieces.iter().take(NAMED_MAX).flat_map(|piece| seen(survey, piece)).collect();
    question
}

fn picture(survey: &Survey<'_>, piece: &Piece) -> Question {
    let description =
        format!("The {} is only a picture: what is on it has no names and no roles.", called(piece));
    let mut question = Question::new(ReviewItemKind::InferredOnly, &["picture", &piece.key], description);
    let id = proposed_id(piece);
    question.remedy = Some(format!("<canvas data-uiap-id=\"{id}\" role=\"img\" aria-label=\"…\"></canvas>"));
    at(question, survey, piece, Stakes::Some)
}

/// Where something stands, what it is and how it is called.
type Called<'p> = (Option<&'p ScopeId>, Option<&'p RouteId>, String, &'p str);

/// Different elements of one area that are called the same.
fn same_names(survey: &Survey<'_>) -> Vec<Question> {
    let mut alike: BTreeMap<Called<'_>, BTreeSet<usize>> = BTreeMap::new();
    for (index, piece) in survey.pieces.iter().enumerate() {
        if let (Some(name), Some(_)) = (piece.name(), &piece.found.stable_id)
            && is_used(piece)
            && !piece.found.is_item
        {
            let place = (
                piece.found.areas.iter().next(),
                piece.found.routes.iter().next(),
                piece.found.role.to_string(),
                name,
            );
            alike.entry(place).or_default().insert(index);
        }
    }
    let several = alike.into_iter().filter(|(_, pieces)| pieces.len() > 1);
    several
        .filter_map(|((.., name), pieces)| {
            let pieces: Vec<&Piece> = pieces.iter().filter_map(|index| survey.pieces.get(*index)).collect();
            let first = pieces.first()?;
            let ids: Vec<&str> = pieces.iter().map(|piece| piece.identity()).collect();
            let description = format!(
                "{} elements are all called “{name}” in the same area: {}. People and agents cannot tell them apart by name.",
                ids.len(),
                ids.join(", ")
            );
            let mut question = Question::new(ReviewItemKind::DuplicateName, &ids, description);
            question.remedy = Some(format!("aria-label=\"{name} …\""));
            Some(at(question, survey, first, Stakes::None))
        })
        .collect()
}
