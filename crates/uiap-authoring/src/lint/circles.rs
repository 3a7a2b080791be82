//! Nothing belongs to itself, however many others stand between.

use super::report::{At, Remark, Report};
use std::collections::HashMap;
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::finding::{Code, Severity};
use uiap_protocol::ids::{RouteId, ScopeId};

/// Most names of a circle that are printed.
const CIRCLE_SHOWN_MAX: usize = 8;

pub(super) fn check(bundle: &CompiledBundle, report: &mut Report) {
    let Some(bindings) = &bundle.bindings else { return };
    let routes = bindings.routes.iter().flatten().map(|route| {
        // A route that is its own parent is refused already when it is read.
        let parent = route.parent_route_id.as_ref().filter(|parent| **parent != route.id);
        (route.id.as_str(), parent.map(RouteId::as_str))
    });
    circles(&routes.collect::<Vec<_>>(), ("routes", "parentRouteId"), report);
    let scopes = bindings.scopes.iter().flatten();
    let scopes = scopes.map(|scope| (scope.id.as_str(), scope.parent_scope_id.as_ref().map(ScopeId::as_str)));
    circles(&scopes.collect::<Vec<_>>(), ("scopes", "parentScopeId"), report);
}

/// Where a walk along the parents has been.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Never,
    /// By the walk that began here.
    By(usize),
}

fn circles(items: &[(&str, Option<&str>)], (list, member): (&str, &str), report: &mut Report) {
    let places: HashMap<_, _> = items.iter().enumerate().map(|(place, (id, _))| (*id, place)).collect();
    let parent = |place: usize| {
        let (_, parent) = items.get(place)?;
        places.get((*parent)?).copied()
    };
    let mut seen = vec![Seen::Never; items.len()];
    for start in 0..items.len() {
        let mut next = Some(start);
        while let Some(place) = next {
            match seen.get_mut(place) {
                Some(seen @ Seen::Never) => *seen = Seen::By(start),
                // Back on its own track: a circle. On that of another walk: already told.
                Some(Seen::By(walk)) if *walk == start => {
                    tell(place, parent, items, (list, member), report);
                    break;
                }
                _ => break,
            }
            next = parent(place);
        }
    }
}

fn tell(
    start: usize,
    parent: impl Fn(usize) -> Option<usize>,
    items: &[(&str, Option<&str>)],
    (list, member): (&str, &str),
    report: &mut Report,
) {
    let around = std::iter::successors(parent(start), |place| parent(*place).filter(|_| *place != start));
    let names: Vec<_> = std::iter::once(start)
        .chain(around)
        .filter_map(|place| items.get(place).map(|(id, _)| *id))
        .collect();
    let shown = names.iter().take(CIRCLE_SHOWN_MAX).copied().collect::<Vec<_>>().join(" -> ");
    let more = if names.len() > CIRCLE_SHOWN_MAX { ", and so on" } else { "" };
    let remark = Remark {
        severity: Severity::Error,
        code: Code::Inconsistent,
        message: format!("The parents go in a circle: {shown}{more}."),
        help: format!("Remove \"{member}\" from one of them."),
        requirement: "AUT-13-4",
    };
    report.add(&At::new("bindings").member(list).item(start).member(member), remark);
}
