//! Routes and areas.

use super::{Changes, Subject, texts};
use crate::place::pattern;
use std::collections::{BTreeMap, BTreeSet};
use uiap_protocol::discovery::{DiscoveredRoute, DiscoveryPackage};

pub(super) fn compare(old: &DiscoveryPackage, new: &DiscoveryPackage, changes: &mut Changes) {
    changes.pairs(Subject::Route, &routes(old), &routes(new), |changes, id, old, new| {
        changes.lists(Subject::Route, id, "addresses", &paths(old), &paths(new));
    });
    let scopes = |package: &'_ DiscoveryPackage| -> BTreeMap<String, _> {
        package.scope_catalog.scopes.iter().map(|scope| (scope.scope_id.to_string(), scope.clone())).collect()
    };
    let (old, new) = (scopes(old), scopes(new));
    let old = old.iter().map(|(id, scope)| (id.as_str(), scope)).collect();
    let new = new.iter().map(|(id, scope)| (id.as_str(), scope)).collect();
    changes.pairs(Subject::Scope, &old, &new, |changes, id, old, new| {
        changes.became(Subject::Scope, id, "kind", &old.kind.to_string(), &new.kind.to_string());
        changes.lists(Subject::Scope, id, "names", &texts(old.names.as_ref()), &texts(new.names.as_ref()));
    });
}

fn routes(package: &DiscoveryPackage) -> BTreeMap<&str, &DiscoveredRoute> {
    package.route_catalog.routes.iter().map(|route| (route.route_id.as_str(), route)).collect()
}

/// Addresses without the place where the application runs.
fn paths(route: &DiscoveredRoute) -> Vec<String> {
    let paths: BTreeSet<_> = route.urls.iter().flatten().map(|url| pattern(url)).collect();
    paths.into_iter().collect()
}
