//! Questions about routes, about what could not be looked into, and about what was not seen at all.

use super::{Question, Reach, Stakes};
use crate::atlas::{Gap, Sown};
use crate::package::evidence::{piece as evidence, request_of};
use crate::package::survey::Survey;
use crate::package::words::id;
use std::collections::{BTreeMap, BTreeSet};
use uiap_protocol::discovery::{DiscoverySeed, EvidenceSource, ReviewItemKind};
use uiap_protocol::ids::{Id, RouteId};
use uiap_protocol::web::OpaqueKind;

/// Most pieces of evidence of one question.
const EVIDENCE_MAX: usize = 8;

pub(super) fn questions(survey: &Survey<'_>) -> Vec<Question> {
    let mut questions = nameless_routes(survey);
    questions.extend(closed(survey));
    questions.extend(nowhere(survey));
    questions.extend(survey.atlas.gaps().map(|gap| gap_in(survey, gap)));
    questions.extend(survey.atlas.sown().iter().filter_map(|sown| barren(survey, sown)));
    questions.extend(errors(survey));
    questions.extend(unasked(survey));
    questions
}

/// Routes that have no name but their address (DSC 16, finding S9).
fn nameless_routes(survey: &Survey<'_>) -> Vec<Question> {
    let routes = survey.atlas.findings().routes.iter().filter(|(_, found)| !found.is_named);
    routes
        .map(|(route, found)| {
            let moves = survey
                .states_of(route)
                .iter()
                .any(|state| state.opens_by_address == Some(false) && state.modals.is_empty());
            let pattern = survey.pattern_of(route).unwrap_or_default();
            let why = if moves { ", and opening that address does not always show it again" } else { "" };
            let description = format!(
                "The route {route} has no name of its own; it is recognised by its address {pattern}{why}."
            );
            let mut question =
                Question::new(ReviewItemKind::MissingStableId, &["route", route.as_str()], description);
            question.stakes = if moves { Stakes::Much } else { Stakes::None };
            question.route = Some(route.clone());
            question.evidence = found
                .states
                .iter()
                .take(EVIDENCE_MAX)
                .map(|state| evidence(EvidenceSource::Dom, survey.look_up(state)))
                .chain([evidence(EvidenceSource::Dom, id(route.as_str()))])
                .collect();
            question.remedy = Some(format!("<main data-uiap-route=\"{route}\">…</main>"));
            question
        })
        .collect()
}

/// What kind of area it is, on which routes and in which states.
type Region<'s> = (OpaqueKind, BTreeSet<&'s RouteId>, BTreeSet<&'s str>);

/// Where nobody could look (DSC 12 and 16).
fn closed(survey: &Survey<'_>) -> Vec<Question> {
    let mut regions: BTreeMap<(String, String), Region<'_>> = BTreeMap::new();
    for state in &survey.states {
        for (kind, label) in &state.opaque {
            let label = label.clone().unwrap_or_default();
            let known = regions
                .entry((kind.to_string(), label))
                .or_insert_with(|| (*kind, BTreeSet::new(), BTreeSet::new()));
            known.1.insert(&state.place.route_id);
            known.2.insert(&state.id);
        }
    }
    let all = regions.into_iter().map(|((word, label), (kind, routes, states))| {
        let (item, what, remedy) = match kind {
            OpaqueKind::CrossOriginFrame => (
                ReviewItemKind::OpaqueFrame,
                "is a page of another origin",
                "Embed the SDK in that page and allow its origin, so that it shows itself through a bridge.",
            ),
            OpaqueKind::ClosedShadow => (
                ReviewItemKind::ClosedShadow,
                "is inside a closed shadow root",
                "Attach the shadow root with {mode: \"open\"}, or publish what is inside through the SDK.",
            ),
            OpaqueKind::Canvas => (
                ReviewItemKind::InferredOnly,
                "is only a picture",
                "Publish what is on it through the SDK, or give it a fallback content with roles and names.",
            ),
            OpaqueKind::Custom => (
                ReviewItemKind::CoverageGap,
                "cannot be looked into",
                "Publish what is inside through the SDK.",
            ),
        };
        let name =
            if label.is_empty() { "An area without a name".to_owned() } else { format!("“{label}”") };
        let mut question = Question::new(
            item,
            &["opaque", &word, &label],
            format!("{name} {what}; nothing in it was explored."),
        );
        question.stakes = Stakes::Some;
        question.reach = Reach::of(routes.len());
        question.route = routes.into_iter().next().cloned();
        question.evidence = states
            .into_iter()
            .take(EVIDENCE_MAX)
            .map(|state| evidence(EvidenceSource::Dom, survey.look_up(state)))
            .collect();
        question.remedy = Some(remedy.to_owned());
        question
    });
    all.collect()
}

/// What was done and led to no state that could be told apart (DSC 11.6).
fn nowhere(survey: &Survey<'_>) -> Vec<Question> {
    let lost = survey.steps.iter().filter(|step| step.is_unresolved());
    lost.map(|step| {
        let piece = step.piece.and_then(|index| survey.pieces.get(index));
        let what = piece.map_or_else(|| step.choice.action.to_string(), super::about_elements::called);
        let key = piece.map_or(step.choice.action.as_str(), |piece| piece.identity());
        let (kind, why) = match (step.to, step.trouble()) {
            (None, Some(trouble)) => {
                (ReviewItemKind::CoverageGap, format!("could not be followed: {trouble}"))
            }
            (None, None) => {
                (ReviewItemKind::CoverageGap, "led to no state that could be told apart".to_owned())
            }
            (Some(_), _) => (
                ReviewItemKind::MissingSuccessSignal,
                "was pressed, and nothing could be observed".to_owned(),
            ),
        };
        let mut question =
            Question::new(kind, &["nowhere", &step.from.id, key], format!("The {what} {why}."));
        question.route = Some(step.from.place.route_id.clone());
        question.stable = piece.and_then(|piece| piece.found.stable_id.clone());
        question.scope = piece.and_then(|piece| piece.found.areas.iter().next().cloned());
        question.evidence = vec![
            evidence(EvidenceSource::Transition, step.id.clone()),
            evidence(EvidenceSource::Dom, survey.look_up(&step.from.id)),
        ];
        question.remedy = piece.map(|piece| {
            let id = piece
                .found
                .stable_id
                .as_ref()
                .map_or_else(|| super::remedy::proposed_id(piece), ToString::to_string);
            super::remedy::success(&id)
        });
        question
    })
    .collect()
}

fn gap_in(survey: &Survey<'_>, gap: &Gap) -> Question {
    let kind = ReviewItemKind::CoverageGap;
    match gap {
        Gap::Budget { what } => {
            let description = format!("The budget of {what} is used up; there is more than this map shows.");
            let mut question = Question::new(kind, &["budget", what], description);
            question.stakes = Stakes::Some;
            question.reach = Reach::Wide;
            question.evidence = survey
                .states
                .first()
                .map(|state| evidence(EvidenceSource::Dom, survey.look_up(&state.id)))
                .into_iter()
                .collect();
            question.remedy =
                Some("Give the next run a larger budget, or start it from seeds that are nearer.".to_owned());
            question
        }
        Gap::Barren { area } => {
            let description = format!(
                "Links of {area} led to the page that they stand on, one after the other; the rest was not followed."
            );
            let mut question = Question::new(kind, &["barren", area], description);
            stands_on_route_of(&mut question, area, survey);
            question.remedy = Some("Name what they lead to as seeds of the next run.".to_owned());
            question
        }
        Gap::Endless { list } => {
            let area = list.split('|').take(2).collect::<Vec<_>>().join("|");
            let description = format!(
                "A list of {area} grew every time its end was shown, and goes on; the rest was not looked at."
            );
            let mut question = Question::new(kind, &["endless", list], description);
            stands_on_route_of(&mut question, list, survey);
            question.remedy = Some("Name what must be seen of it as seeds of the next run.".to_owned());
            question
        }
        Gap::Unreachable { state } => {
            let description = format!("The state {state} was seen once and could not be reached again.");
            let mut question = Question::new(kind, &["unreachable", state], description);
            let known = survey.states.iter().find(|known| known.id == *state);
            question.route = known.map(|known| known.place.route_id.clone());
            question.evidence = vec![evidence(EvidenceSource::Dom, survey.look_up(state))];
            question.remedy =
                Some("Give the page an address of its own, so that it can be opened directly.".to_owned());
            question
        }
    }
}

/// What a question is about stands on the route that its name begins with; the first look at that route shows it.
fn stands_on_route_of(question: &mut Question, name: &str, survey: &Survey<'_>) {
    let route = name.split('|').next().unwrap_or_default();
    let known = survey.states.iter().find(|known| known.place.route_id.as_str() == route);
    question.route = known.map(|known| known.place.route_id.clone());
    let seen = known.map(|known| evidence(EvidenceSource::Dom, survey.look_up(&known.id)));
    question.evidence = seen.into_iter().collect();
}

/// Seeds that led nowhere (finding S8).
fn barren(survey: &Survey<'_>, sown: &Sown) -> Option<Question> {
    if sown.state.is_some() {
        return None;
    }
    let seed = match &sown.seed {
        DiscoverySeed::Route { route_id } => format!("the route {route_id}"),
        DiscoverySeed::Url { url } => {
            format!("the address {}", crate::place::without_data(url.as_str()))
        }
        DiscoverySeed::Menu { label } => format!("the menu entry “{label}”"),
        DiscoverySeed::Action { action_id } => format!("the action {action_id}"),
        DiscoverySeed::Workflow { workflow_id } => format!("the workflow {workflow_id}"),
        DiscoverySeed::Documentation { r#ref } => format!("the document {}", r#ref.as_str()),
    };
    let why = sown.trouble.as_deref().unwrap_or("it was not visited");
    let mut question = Question::new(
        ReviewItemKind::CoverageGap,
        &["seed", &seed],
        format!("Nothing was found behind {seed}: {why}."),
    );
    question.stakes = Stakes::Some;
    question.evidence = survey
        .states
        .first()
        .map(|state| evidence(EvidenceSource::Dom, survey.look_up(&state.id)))
        .into_iter()
        .collect();
    question.remedy = Some("Correct the seed, or leave it out.".to_owned());
    Some(question)
}

/// What went wrong in the application itself: at loading, or when something was done.
fn errors(survey: &Survey<'_>) -> Vec<Question> {
    let told = survey.record.errors.iter().map(|error| {
        let home = error.state.as_ref().map(|state| survey.look_up(state.as_str()));
        (error.route.as_ref(), error.what.as_str(), home)
    });
    let complained = survey.steps.iter().flat_map(|step| {
        let home = survey.look_up(&step.from.id);
        step.complaints()
            .into_iter()
            .map(move |what| (Some(&step.from.place.route_id), what, Some(home.clone())))
    });
    let mut by: BTreeMap<(Option<&RouteId>, &str), BTreeSet<Id>> = BTreeMap::new();
    for (route, what, home) in told.chain(complained) {
        by.entry((route, what)).or_default().extend(home);
    }
    by.into_iter()
        .map(|((route, what), homes)| {
            let place = route.map_or("", |route| route.as_str());
            let description = format!("The application failed: {what}");
            let mut question = Question::new(ReviewItemKind::Custom, &["error", place, what], description);
            question.stakes = Stakes::Much;
            question.route = route.cloned();
            question.evidence = homes
                .into_iter()
                .take(EVIDENCE_MAX)
                .map(|home| evidence(EvidenceSource::Dom, home))
                .collect();
            question.remedy = Some("Correct it in the application, and explore again.".to_owned());
            question
        })
        .collect()
}

/// Writes that nobody asked for.
fn unasked(survey: &Survey<'_>) -> Vec<Question> {
    let held: BTreeSet<_> = survey.record.loose.iter().filter(|loose| loose.passage.held.is_some()).collect();
    held.into_iter()
        .map(|loose| {
            let home = loose.state.as_ref().map_or("", Id::as_str);
            let passage = &loose.passage;
            let address = crate::place::without_data(&passage.url);
            let route =
                survey.states.iter().find(|state| state.id == home).map(|state| &state.place.route_id);
            let description = format!(
                "A page asks by itself for something that can write, at loading, by a timer or on leaving: {} {address} \
                 was held back, and pages that need the answer were seen without it.",
                passage.method
            );
            let place = route.map_or("", |route| route.as_str());
            let mut question = Question::new(
                ReviewItemKind::Custom,
                &["unasked", place, &passage.method, &address],
                description,
            );
            question.stakes = Stakes::Much;
            question.route = route.cloned();
            question.evidence = vec![evidence(EvidenceSource::Network, request_of(home, passage))];
            question.remedy = Some(format!(
                "If it changes nothing, name it in the environment: metadata: {{reads: [\"{} {}\"]}}",
                passage.method,
                crate::place::pattern(&passage.url)
            ));
            question
        })
        .collect()
}
