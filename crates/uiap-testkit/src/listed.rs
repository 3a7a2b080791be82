//! A list that people made of an application, held against a discovery package.
//!
//! Start at [`compare`]. It is strict, because a comparison that gives the benefit of the doubt measures itself:
//!
//! - An action is found on its own route, by its role and its name. What has no name in the package is found only by an
//!   entry without one (`*`): such things are named after their data.
//! - What the list says stands behind something is found in an area that using that thing brought up, so that a "Cancel" in
//!   one dialog is no "Cancel" in another. Of what stands on the page itself, as many are found as the list has.
//! - What opens from the same thing on several routes is looked at on one of them. It counts on the others if that thing
//!   was found there, and how often that was needed is told.
//! - What nobody may look at does not count, and is told with its reason. So is what stands behind something that the
//!   application itself keeps for people or says costs money (`declared`): whoever finds it has pressed what must not be
//!   pressed.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Formatter};

/// The route of what stands on every page.
const EVERYWHERE: &str = "*";
/// The name of what is named after its data.
const ANY_NAME: &str = "*";

/// What became of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// The routes.
    pub routes: Share,
    /// The actions.
    pub actions: Share,
    /// How many of the actions that were found were looked at on another route only, where the same thing opens them.
    pub elsewhere: usize,
    /// What nobody may look at, and why.
    pub excluded: Vec<String>,
}

/// How much of something was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// How many.
    pub found: usize,
    /// Which were not.
    pub missing: Vec<String>,
}

impl Share {
    /// How many there are.
    pub fn all(&self) -> usize {
        self.found + self.missing.len()
    }

    /// At least so many of a hundred were found.
    pub fn reaches(&self, percent: usize) -> bool {
        self.found * 100 >= self.all() * percent
    }
}

impl Display for Share {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        let permille = (self.found * 1000).checked_div(self.all()).unwrap_or(1000);
        write!(out, "{} of {} ({}.{} %)", self.found, self.all(), permille / 10, permille % 10)
    }
}

/// Holds a package against a list: an object with `routes` (`pattern`, and `id` where the application names its routes) and
/// `actions` (`route`, `role`, `name`, and `within` for what must be used before they are there).
pub fn compare(package: &Value, list: &Value) -> Compared {
    let map = Map::of(package, list);
    let mut routes = Share::default();
    for route in items(list, "/routes") {
        let pattern = word(route, "pattern");
        let found = map.here.get(pattern).is_some_and(|ids| match route.get("id").and_then(Value::as_str) {
            Some(id) => ids.contains(id),
            None => true,
        });
        routes.count(found, || pattern.to_owned());
    }
    let mut compared = Compared { routes, ..Compared::default() };
    let mut open = Vec::new();
    for action in items(list, "/actions") {
        match why_not(action).or_else(|| forbidden(action, list)) {
            Some(why) => compared.excluded.push(format!("{}: {why}", told(action))),
            None => open.push(action),
        }
    }
    let mut taken: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    let mut found = Vec::new();
    for action in &open {
        let (route, role, name) = key(action);
        found.push(match behind(action) {
            Some((opener_role, opener_name)) => {
                let opened = map.opened(route, opener_role, opener_name);
                map.places(route, role, name, |area| opened.contains(area)) > 0
            }
            None => {
                let taken = taken.entry((route, role, name)).or_default();
                let is_found = map.on_page(route, role, name) > *taken;
                *taken += usize::from(is_found);
                is_found
            }
        });
    }
    for (number, action) in open.iter().enumerate() {
        let is_here = found.get(number) == Some(&true);
        let is_elsewhere = || {
            let twins = open.iter().zip(&found).filter(|(other, found)| **found && is_twin(action, other));
            twins.count() > 0
                && opener(action)
                    .is_some_and(|(role, name)| map.on_page(word(action, "route"), role, name) > 0)
        };
        let is_shared = !is_here && is_elsewhere();
        compared.elsewhere += usize::from(is_shared);
        compared.actions.count(is_here || is_shared, || told(action));
    }
    compared
}

impl Share {
    fn count(&mut self, found: bool, told: impl FnOnce() -> String) {
        if found {
            self.found += 1;
        } else {
            self.missing.push(told());
        }
    }
}

/// Why nobody may look at it: it is in a frame of somebody else or in a closed root, or the application itself says that it
/// is nobody's business.
fn why_not(action: &Value) -> Option<&'static str> {
    let note = word(action, "note");
    match word(action, "frame") {
        "foreign" => Some("in a frame of another origin"),
        _ if note.contains("closed shadow") => Some("in a closed shadow root"),
        _ if note.contains("marked as ignored") => Some("marked as not for agents"),
        _ => None,
    }
}

/// Why nobody may open what it stands behind: the application says so of the thing that opens it.
fn forbidden(action: &Value, list: &Value) -> Option<&'static str> {
    let declared = |step: &Value| {
        let is_step = |entry: &&Value| {
            word(entry, "route") == word(action, "route")
                && word(entry, "role") == word(step, "role")
                && word(entry, "name") == word(step, "name")
        };
        items(list, "/actions").find(is_step).map(|entry| word(entry, "declared"))
    };
    items(action, "/within").filter_map(declared).find_map(|declared| match declared {
        "blocked" => Some("behind what the application keeps for people"),
        "billing" => Some("behind what the application says costs money"),
        _ => None,
    })
}

/// The same thing, opened by the same thing, on another route.
fn is_twin(action: &Value, other: &Value) -> bool {
    let (_, role, name) = key(action);
    let (_, other_role, other_name) = key(other);
    let within = action.get("within");
    within.is_some() && within == other.get("within") && (role, name) == (other_role, other_name)
}

/// What opens it, first.
fn opener(action: &Value) -> Option<(&str, &str)> {
    let first = action.pointer("/within/0")?;
    Some((word(first, "role"), word(first, "name")))
}

/// What opens it, last.
fn behind(action: &Value) -> Option<(&str, &str)> {
    let last = items(action, "/within").last()?;
    Some((word(last, "role"), word(last, "name")))
}

fn told(action: &Value) -> String {
    let within = items(action, "/within").map(|step| format!(" in {}", word(step, "name")));
    format!(
        "{} {} \"{}\"{}",
        word(action, "route"),
        word(action, "role"),
        word(action, "name"),
        within.collect::<String>()
    )
}

fn key(action: &Value) -> (&str, &str, &str) {
    let role = match word(action, "role") {
        // Browsers have a word of their own for what unfolds something.
        "DisclosureTriangle" => "button",
        other => other,
    };
    (word(action, "route"), role, word(action, "name"))
}

/// A package, by the routes of a list.
struct Map<'p> {
    package: &'p Value,
    /// The routes of the package that are this route of the list.
    here: BTreeMap<&'p str, BTreeSet<&'p str>>,
    /// The routes of each area.
    areas: BTreeMap<&'p str, BTreeSet<&'p str>>,
}

impl<'p> Map<'p> {
    fn of(package: &'p Value, list: &'p Value) -> Self {
        let mut here: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for route in items(package, "/routeCatalog/routes") {
            for pattern in texts(route, "/metadata/patterns") {
                let known = items(list, "/routes").map(|route| word(route, "pattern"));
                let fitting = known.filter(|known| covers(known, pattern));
                // `/videos/new` is no `/videos/:id`, where the list has both.
                if let Some(known) =
                    fitting.max_by_key(|known| segments(known).filter(|part| !is_variable(part)).count())
                {
                    here.entry(known).or_default().insert(word(route, "routeId"));
                }
            }
        }
        let areas = items(package, "/scopeCatalog/scopes");
        let areas = areas.map(|area| (word(area, "scopeId"), texts(area, "/routeIds").collect())).collect();
        Self { package, here, areas }
    }

    /// In how many places of a route something of this role and name was found.
    fn on_page(&self, route: &str, role: &str, name: &str) -> usize {
        self.places(route, role, name, |_| true)
    }

    /// In how many of these areas of a route something of this role and name was found.
    fn places(&self, route: &str, role: &str, name: &str, wanted: impl Fn(&str) -> bool) -> usize {
        let ids = self.here.get(route);
        let mut places = 0;
        for element in items(self.package, "/elementCatalog/elements") {
            let routes: BTreeSet<&str> = texts(element, "/routes").collect();
            let is_here = route == EVERYWHERE || ids.is_some_and(|ids| !ids.is_disjoint(&routes));
            if !is_here || role_of(element) != role || !is_called(element, name) {
                continue;
            }
            let mut around = texts(element, "/scopes").peekable();
            if around.peek().is_none() && wanted("") {
                places += 1;
            }
            places += around.filter(|area| wanted(area) && self.is_on(area, route)).count();
        }
        places
    }

    /// An area is on a route.
    fn is_on(&self, area: &str, route: &str) -> bool {
        let on = self.areas.get(area).zip(self.here.get(route));
        route == EVERYWHERE || on.is_some_and(|(on, ids)| !ids.is_disjoint(on))
    }

    /// The areas that were there after something of this role and name was used on a route; where a dialog opened, only
    /// those that it brought up.
    fn opened(&self, route: &str, role: &str, name: &str) -> BTreeSet<&'p str> {
        let state = |id: &str| {
            items(self.package, "/transitionGraph/states").find(|state| word(state, "stateId") == id)
        };
        let mut opened = BTreeSet::new();
        for edge in items(self.package, "/transitionGraph/edges") {
            let (Some(from), Some(to)) = (state(word(edge, "fromStateId")), state(word(edge, "toStateId")))
            else {
                continue;
            };
            let is_here = route == EVERYWHERE
                || self.here.get(route).is_some_and(|ids| ids.contains(word(from, "routeId")));
            if !is_here || !self.aims_at(edge, role, name) {
                continue;
            }
            let before: BTreeSet<&str> = texts(from, "/scopeIds").collect();
            let is_dialog = texts(to, "/modalStack").count() > texts(from, "/modalStack").count();
            opened.extend(texts(to, "/scopeIds").filter(|area| !is_dialog || !before.contains(area)));
        }
        opened
    }

    /// A transition was made with something of this role and name.
    fn aims_at(&self, edge: &Value, role: &str, name: &str) -> bool {
        let Some(target) = edge.get("target") else { return false };
        match word(target, "by") {
            "stableId" => items(self.package, "/elementCatalog/elements").any(|element| {
                word(element, "stableId") == word(target, "value")
                    && role_of(element) == role
                    && is_called(element, name)
            }),
            "semantic" => role_of(target) == role && fits(word(target, "name"), name),
            _ => false,
        }
    }
}

/// A role in the words of the lists, which are those of browsers.
fn role_of(element: &Value) -> &str {
    match word(element, "role") {
        "textarea" => "textbox",
        // What can be pressed, and is nothing that browsers have a word for, is a button to people.
        "fileinput" | "custom" => "button",
        "datepicker" => "Date",
        "breadcrumb" => "link",
        other => other,
    }
}

fn is_called(element: &Value, name: &str) -> bool {
    let mut names = texts(element, "/names").peekable();
    match names.peek() {
        None => name == ANY_NAME,
        Some(_) => name != ANY_NAME && names.any(|known| fits(known, name)),
    }
}

/// A name is what a pattern of the list says: `*` stands for anything.
fn fits(name: &str, pattern: &str) -> bool {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    match pattern.split_once('*') {
        None => name == pattern,
        Some((start, end)) => {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
    }
}

/// A path is one of those that a pattern of the list means.
fn covers(pattern: &str, path: &str) -> bool {
    let (mut wanted, mut given) = (segments(pattern), segments(path));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(wanted), Some(given)) if wanted == given || is_variable(wanted) => {}
            _ => return false,
        }
    }
}

fn segments(pattern: &str) -> impl Iterator<Item = &str> {
    pattern.split('/').filter(|part| !part.is_empty())
}

fn is_variable(segment: &str) -> bool {
    segment.starts_with(':')
}

fn items<'v>(value: &'v Value, pointer: &str) -> impl Iterator<Item = &'v Value> + use<'v> {
    value.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
}

fn texts<'v>(value: &'v Value, pointer: &str) -> impl Iterator<Item = &'v str> + use<'v> {
    items(value, pointer).filter_map(Value::as_str)
}

fn word<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What is missing of a list with these actions, in a package with these elements.
    fn missing(actions: &Value, elements: &Value) -> Vec<String> {
        let list = json!({ "routes": [{ "pattern": "/a" }, { "pattern": "/b/:id" }, { "pattern": "/b/new" }], "actions": actions });
        let route = |id: &str, pattern: &str| json!({ "routeId": id, "metadata": { "patterns": [pattern] } });
        let area = |id: &str, route: &str| json!({ "scopeId": id, "routeIds": [route] });
        let package = json!({
            "routeCatalog": { "routes": [route("a", "/a"), route("b", "/b/:id"), route("new", "/b/new")] },
            "scopeCatalog": { "scopes": [area("one", "a"), area("two", "a"), area("three", "b")] },
            "elementCatalog": { "elements": elements },
            // Sharing opens the second area of the first route.
            "transitionGraph": {
                "states": [{ "stateId": "s", "routeId": "a", "scopeIds": ["one"] }, { "stateId": "t", "routeId": "a", "scopeIds": ["one", "two"], "modalStack": ["two"] }],
                "edges": [{ "fromStateId": "s", "toStateId": "t", "target": { "by": "semantic", "role": "button", "name": "Share" } }],
            },
        });
        let compared = compare(&package, &list);
        assert_eq!(compared.routes.missing, [""; 0]);
        compared.actions.missing
    }

    fn button(route: &str, name: &str) -> Value {
        json!({ "route": route, "role": "button", "name": name })
    }

    #[test]
    fn an_action_is_found_by_route_role_and_name() {
        let elements = json!([{ "role": "button", "names": ["Save"], "routes": ["a"], "scopes": ["one"] }]);
        let wanted = json!([
            button("/a", "Save"),
            button("/a", "Sa*"),
            button("*", "Save"),
            button("/b/new", "Save"),
            button("/a", "Load")
        ]);
        assert_eq!(missing(&wanted, &elements), ["/b/new button \"Save\"", "/a button \"Load\""]);
    }

    #[test]
    fn what_has_no_name_is_found_by_an_entry_without_one() {
        let elements = json!([{ "role": "link", "routes": ["b"] }, { "role": "link", "names": ["Home"], "routes": ["a"] }]);
        let link = |route: &str, name: &str| json!({ "route": route, "role": "link", "name": name });
        let wanted = json!([link("/b/:id", "*"), link("/b/:id", "More"), link("/a", "*")]);
        assert_eq!(missing(&wanted, &elements), ["/b/:id link \"More\"", "/a link \"*\""]);
    }

    #[test]
    fn as_many_are_found_as_there_are_places() {
        let elements = json!([{ "role": "button", "names": ["Edit"], "routes": ["a", "b"], "scopes": ["one", "two", "three"] }]);
        let wanted = json!([button("/a", "Edit"), button("/a", "Edit"), button("/a", "Edit")]);
        assert_eq!(missing(&wanted, &elements), ["/a button \"Edit\""]);
    }

    #[test]
    fn what_stands_behind_something_is_found_where_that_opens_it() {
        let within = |name: &str| json!({ "route": "/a", "role": "button", "name": "Cancel", "within": [{ "role": "button", "name": name }] });
        let elements = json!([
            { "role": "button", "names": ["Cancel"], "routes": ["a"], "scopes": ["two"] },
            { "role": "button", "names": ["Share"], "routes": ["a"], "scopes": ["one"] },
            { "role": "button", "names": ["Delete"], "routes": ["a"], "scopes": ["one"] },
        ]);
        assert_eq!(
            missing(&json!([within("Share"), within("Delete")]), &elements),
            ["/a button \"Cancel\" in Delete"]
        );
    }

    #[test]
    fn what_stands_behind_something_forbidden_does_not_count() {
        let within = |name: &str| json!({ "route": "/a", "role": "button", "name": "Yes", "within": [{ "role": "button", "name": name }] });
        let publish = json!({ "route": "/a", "role": "button", "name": "Publish", "declared": "blocked" });
        let wanted = json!([publish, button("/a", "Delete"), within("Publish"), within("Delete")]);
        let elements = json!([{ "role": "button", "names": ["Delete"], "routes": ["a"], "scopes": ["one"] }]);
        // What is forbidden must be seen all the same.
        assert_eq!(missing(&wanted, &elements), ["/a button \"Publish\"", "/a button \"Yes\" in Delete"]);
    }

    #[test]
    fn what_the_same_thing_opens_is_looked_at_once() {
        let within = |route: &str| json!({ "route": route, "role": "menuitem", "name": "Team", "within": [{ "role": "button", "name": "Share" }] });
        let elements = json!([
            { "role": "menuitem", "names": ["Team"], "routes": ["a"], "scopes": ["two"] },
            { "role": "button", "names": ["Share"], "routes": ["a", "b"] },
        ]);
        let wanted = json!([within("/a"), within("/b/:id"), within("/b/new")]);
        assert_eq!(missing(&wanted, &elements), ["/b/new menuitem \"Team\" in Share"]);
    }
}
