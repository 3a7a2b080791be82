//! Routes and areas.

use super::changes::{Changes, Met, Pair, meet, quoted, unshared};
use super::place::At;
use super::rules::Rule;
use super::witness::{Witness, json};
use std::collections::BTreeSet;
use uiap_protocol::authoring::{RouteBinding, RouteMatcher, ScopeBinding};
use uiap_protocol::capability::{SuccessSignal, TargetRef};
use uiap_protocol::ids::{RouteId, Text};

pub(super) fn routes(
    at: &At<'_>,
    old: Option<&Vec<RouteBinding>>,
    new: Option<&Vec<RouteBinding>>,
    changes: &mut Changes,
) {
    changes.respelled_list(at, old, new);
    for met in meet(old, new, |route| route.id.as_str()) {
        match met {
            Met::Gone(place, route) => {
                let message = format!("The route \"{}\" is gone.", route.id);
                changes.add(Rule::RouteRemoved, &at.gone(place), message, on(&route.id));
            }
            Met::Came(place, route) => {
                let message = format!("The route \"{}\" is new.", route.id);
                changes.add(Rule::RouteAdded, &at.came(place), message, on(&route.id));
            }
            Met::Differs((was_at, was), (is_at, is)) => route(&at.both(was_at, is_at), was, is, changes),
        }
    }
}

/// A target that is a route.
pub(super) fn on(route: &RouteId) -> Witness {
    // A route id has the form of any text that is not empty.
    match Text::new(route.as_str()) {
        Ok(value) => Witness::Target { target: TargetRef::Route { value } },
        Err(_) => Witness::Page { recognised_by: json(route) },
    }
}

fn route(at: &At<'_>, old: &RouteBinding, new: &RouteBinding, changes: &mut Changes) {
    let who = format!("The route \"{}\"", new.id);
    matchers(&at.member("match"), old, new, &who, changes);
    let rule = Rule::RouteTitleChanged;
    changes.text(rule, &at.member("title"), (old.title.as_ref(), new.title.as_ref()), &who);
    let parents = (&old.parent_route_id, &new.parent_route_id);
    changes.value(Rule::RouteParentChanged, &at.member("parentRouteId"), parents, || {
        format!("{who} belongs to {}; it was {}.", quoted(parents.1.as_ref()), quoted(parents.0.as_ref()))
    });
    let rules = Pair { gone: Rule::RouteSignalRemoved, came: Rule::RouteSignalAdded };
    let lists = (old.success_signals.as_ref(), new.success_signals.as_ref());
    signals(rules, &at.member("successSignals"), lists, &who, changes);
    changes.metadata(at, old.metadata.as_ref(), new.metadata.as_ref(), &who, &[]);
}

fn matchers(at: &At<'_>, old: &RouteBinding, new: &RouteBinding, who: &str, changes: &mut Changes) {
    let (was, is) = (&old.r#match, &new.r#match);
    if was == is {
        return;
    }
    if is.is_empty() {
        let witness = Witness::Page { recognised_by: json(was) };
        changes.add(Rule::RouteUnmatchable, at, format!("{who} is recognised by nothing."), witness);
        return;
    }
    if let (Some(before), Some(after)) = (parameters(was), parameters(is))
        && before != after
    {
        let message = format!("{who} has a path with other parameters.");
        changes.add(Rule::RouteParameterChanged, at, message, Witness::values(&before, &after));
    }
    let (gone, came) = unshared(was, is, |matcher| json(matcher).to_string());
    if gone.is_empty() && came.is_empty() {
        let message = format!("{who} is recognised by the same in another order.");
        changes.add(Rule::RouteMatcherReplaced, at, message, Witness::values(was, is));
    }
    // What came stands for what is gone; only what nothing stands for is missing.
    for ((was_at, was), (is_at, is)) in gone.iter().zip(&came) {
        let message = format!("{who} is recognised differently.");
        let at = at.both(*was_at, *is_at);
        changes.add(Rule::RouteMatcherReplaced, &at, message, Witness::values(was, is));
    }
    for (was_at, was) in gone.iter().skip(came.len()) {
        let message = format!("{who} is not recognised by {} any more.", was.word());
        let witness = Witness::Page { recognised_by: json(was) };
        changes.add(Rule::RouteMatcherRemoved, &at.gone(*was_at), message, witness);
    }
    for (is_at, is) in came.iter().skip(gone.len()) {
        let message = format!("{who} is also recognised by {}.", is.word());
        let witness = Witness::Page { recognised_by: json(is) };
        changes.add(Rule::RouteMatcherAdded, &at.came(*is_at), message, witness);
    }
}

/// What a navigation must give; nothing, if no path leads there.
fn parameters(matchers: &[RouteMatcher]) -> Option<BTreeSet<&str>> {
    let path = matchers.iter().find_map(|matcher| match matcher {
        RouteMatcher::Path { value } => Some(value.as_str()).filter(|path| !path.contains('*')),
        _ => None,
    });
    path.map(|path| path.split('/').filter_map(|part| part.strip_prefix(':')).collect())
}

pub(super) fn scopes(
    at: &At<'_>,
    old: Option<&Vec<ScopeBinding>>,
    new: Option<&Vec<ScopeBinding>>,
    changes: &mut Changes,
) {
    let target =
        |scope: &ScopeBinding| Witness::Target { target: TargetRef::Scope { value: scope.id.clone() } };
    changes.respelled_list(at, old, new);
    for met in meet(old, new, |scope| scope.id.as_str()) {
        match met {
            Met::Gone(place, item) => {
                let message = format!("The area \"{}\" is gone.", item.id);
                changes.add(Rule::ScopeRemoved, &at.gone(place), message, target(item));
            }
            Met::Came(place, item) => {
                let message = format!("The area \"{}\" is new.", item.id);
                changes.add(Rule::ScopeAdded, &at.came(place), message, target(item));
            }
            Met::Differs((was_at, was), (is_at, is)) => scope(&at.both(was_at, is_at), was, is, changes),
        }
    }
}

fn scope(at: &At<'_>, old: &ScopeBinding, new: &ScopeBinding, changes: &mut Changes) {
    let who = format!("The area \"{}\"", new.id);
    changes.value(Rule::ScopeKindChanged, &at.member("kind"), (&old.kind, &new.kind), || {
        format!("{who} is a {}; it was a {}.", new.kind, old.kind)
    });
    let rules = Pair { gone: Rule::ScopeRouteRemoved, came: Rule::ScopeRouteAdded };
    let lists = (old.route_ids.as_ref(), new.route_ids.as_ref());
    let target = || Witness::Target { target: TargetRef::Scope { value: new.id.clone() } };
    changes.reach(rules, &at.member("routeIds"), lists, &who, |route| route.map_or_else(target, on));
    let parents = (&old.parent_scope_id, &new.parent_scope_id);
    changes.value(Rule::ScopeParentChanged, &at.member("parentScopeId"), parents, || {
        format!("{who} lies in {}; it was {}.", quoted(parents.1.as_ref()), quoted(parents.0.as_ref()))
    });
    let rule = Rule::ScopeTitleChanged;
    changes.text(rule, &at.member("title"), (old.title.as_ref(), new.title.as_ref()), &who);
    let rules = Pair { gone: Rule::ScopeStableIdRemoved, came: Rule::ScopeStableIdAdded };
    let lists = (old.stable_ids.as_ref(), new.stable_ids.as_ref());
    changes.words(rules, &at.member("stableIds"), lists, &who, |id, came| {
        let recognised = if came { "is recognised" } else { "is not recognised any more" };
        (format!("{recognised} by \"{id}\""), Witness::Page { recognised_by: json(id) })
    });
    changes.metadata(at, old.metadata.as_ref(), new.metadata.as_ref(), &who, &[]);
}

/// Signals that prove something. All of them are asked for, so one more is as grave as one less.
pub(super) fn signals(
    rules: Pair,
    at: &At<'_>,
    lists: (Option<&Vec<SuccessSignal>>, Option<&Vec<SuccessSignal>>),
    who: &str,
    changes: &mut Changes,
) {
    changes.words(rules, at, lists, who, |signal, came| {
        let asks = if came { "asks" } else { "does not ask any more" };
        let witness = Witness::Signal { of: who.to_owned(), signal: Box::new(signal.clone()) };
        (format!("{asks} for the signal {}", signal.word()), witness)
    });
}
