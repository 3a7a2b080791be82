//! The routes: patterns instead of addresses, and what leads in and out.

use super::evidence::Backing;
use super::survey::Survey;
use super::words::{id, lasting_all, object, some};
use crate::atlas::RouteFinding;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use uiap_protocol::capability::{PrimitiveAction, SuccessSignal};
use uiap_protocol::discovery::{DiscoveredRoute, EvidenceSource, RouteCatalog};
use uiap_protocol::ids::RouteId;
use uiap_protocol::wire::JsonObject;
use url::Url;

/// What separates the parts of a title.
const SEPARATORS: [&str; 5] = [" · ", " | ", " – ", " — ", " - "];
/// What stands for a part of a title that is only data.
const ANY_TITLE: &str = "*";
/// Most signals that are kept for leaving a route.
const SIGNALS_MAX: usize = 8;

pub(super) fn catalog(survey: &Survey<'_>) -> RouteCatalog {
    let said = titles_in_use(survey);
    let routes = survey.atlas.findings().routes.iter();
    let routes = routes.map(|(route, found)| entry(survey, route, found, &said)).collect();
    RouteCatalog { routes, extra: JsonObject::default() }
}

fn entry(
    survey: &Survey<'_>,
    route: &RouteId,
    found: &RouteFinding,
    said: &BTreeMap<&str, usize>,
) -> DiscoveredRoute {
    let mut backing = Backing::default();
    let read = if found.is_named { EvidenceSource::Annotation } else { EvidenceSource::Dom };
    for state in &found.states {
        backing.add(read, survey.look_up(state));
    }
    let mut entries = BTreeSet::new();
    let opens = survey
        .states_of(route)
        .iter()
        .any(|state| state.opens_by_address == Some(true) && state.modals.is_empty());
    if opens {
        entries.insert(id(PrimitiveAction::Navigate.as_str()));
    }
    for step in survey.steps.iter().filter(|step| step.changes_route()) {
        if step.to.is_some_and(|to| to.place.route_id == *route) {
            backing.add(EvidenceSource::Transition, step.id.clone());
            entries.insert(id(step.choice.action.as_str()));
        }
    }
    let (discovered_by, confidence) = backing.done();
    let named = found.areas.iter().filter(|area| survey.spots.contains_key(*area));
    let scopes: BTreeSet<_> = named.chain(survey.areas_of(route.as_str())).cloned().collect();
    let metadata = object([
        ("patterns", json!(found.patterns)),
        ("named", json!(found.is_named)),
        ("parentRouteId", json!(parent(survey, route))),
        ("states", json!(found.states.len())),
    ]);
    DiscoveredRoute {
        route_id: route.clone(),
        urls: some(urls(survey, found)),
        titles: some(titles(found, said)),
        scopes: some(scopes.into_iter().collect()),
        discovered_by,
        confidence,
        entry_actions: some(entries.into_iter().collect()),
        exit_signals: some(exits(survey, route)),
        metadata: Some(metadata),
        extra: JsonObject::default(),
    }
}

/// Addresses of the application with `:id` for what is only data, and without queries.
fn urls(survey: &Survey<'_>, found: &RouteFinding) -> Vec<String> {
    let base = Url::parse(survey.record.environment.base_url.as_str()).ok();
    let base = base.map(|url| url.origin().ascii_serialization()).unwrap_or_default();
    let origins: BTreeSet<String> = found
        .urls
        .iter()
        .filter_map(|url| Url::parse(url).ok())
        .map(|url| url.origin().ascii_serialization())
        .collect();
    let origins = if origins.is_empty() { BTreeSet::from([base]) } else { origins };
    let all = origins
        .iter()
        .flat_map(|origin| found.patterns.iter().map(move |pattern| format!("{origin}{pattern}")));
    all.collect()
}

/// In how many titles the parts of titles are.
fn titles_in_use<'s>(survey: &'s Survey<'_>) -> BTreeMap<&'s str, usize> {
    let all: BTreeSet<&str> =
        survey.atlas.findings().routes.values().flat_map(|route| &route.titles).map(String::as_str).collect();
    let mut said = BTreeMap::new();
    for part in all.into_iter().flat_map(parts) {
        *said.entry(part).or_default() += 1;
    }
    said
}

fn parts(title: &str) -> Vec<&str> {
    let separator = SEPARATORS.iter().find(|separator| title.contains(*separator));
    separator.map_or_else(|| vec![title], |separator| title.split(separator).collect())
}

/// The titles; on the page of one thing out of many, only what other titles say too.
fn titles(found: &RouteFinding, said: &BTreeMap<&str, usize>) -> Vec<String> {
    let is_data = found.patterns.iter().any(|pattern| pattern.contains(':'));
    if !is_data {
        return found.titles.iter().cloned().collect();
    }
    let told = |title: &String| {
        let kept: Vec<_> = parts(title)
            .into_iter()
            .map(|part| if said.get(part).is_some_and(|count| *count > 1) { part } else { ANY_TITLE })
            .collect();
        let separator = SEPARATORS.iter().find(|separator| title.contains(*separator));
        kept.join(separator.unwrap_or(&" "))
    };
    let titles: BTreeSet<String> = found.titles.iter().map(told).filter(|title| title != ANY_TITLE).collect();
    titles.into_iter().collect()
}

/// What is observed on leaving.
fn exits(survey: &Survey<'_>, route: &RouteId) -> Vec<SuccessSignal> {
    let leaving =
        survey.steps.iter().filter(|step| step.changes_route() && step.from.place.route_id == *route);
    let signals: Vec<_> = leaving.flat_map(super::survey::Step::signals).collect();
    let changes = signals.iter().filter(|signal| matches!(signal, SuccessSignal::RouteChanged { .. }));
    let mut signals = lasting_all(changes);
    signals.truncate(SIGNALS_MAX);
    signals
}

/// The route whose pattern this one fits, too: `/videos/new` is also a `/videos/:id`.
fn parent(survey: &Survey<'_>, route: &RouteId) -> Option<RouteId> {
    let own = survey.pattern_of(route)?;
    let routes = &survey.atlas.findings().routes;
    let fits = routes.iter().filter(|(other, found)| {
        *other != route
            && found
                .patterns
                .iter()
                .any(|pattern| pattern.contains(':') && pattern != own && covers(pattern, own))
    });
    // Of several, the one that says most.
    fits.max_by_key(|(other, _)| {
        let pattern = survey.pattern_of(other).unwrap_or_default();
        (pattern.split('/').filter(|segment| !segment.starts_with(':')).count(), (*other).clone())
    })
    .map(|(other, _)| other.clone())
}

fn covers(general: &str, special: &str) -> bool {
    let (mut general, mut special) = (general.split('/'), special.split('/'));
    loop {
        match (general.next(), special.next()) {
            (None, None) => return true,
            (Some(wanted), Some(given)) if wanted == given || wanted.starts_with(':') => {}
            _ => return false,
        }
    }
}
