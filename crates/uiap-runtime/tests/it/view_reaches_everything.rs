//! Whatever the page: each thing that can be acted on is in the view, or a rule that the view states leads to it.
//!
//! The oracle knows nothing of how a view is made. It reads the text as an agent does, follows every option that the
//! text offers, and collects the references it meets.

#![expect(clippy::panic, clippy::indexing_slicing, reason = "a test may fail loudly")]

use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeSet, VecDeque};
use uiap_protocol::text::Node;
use uiap_protocol::web::PageGraph;
use uiap_protocol::wire::accept;
use uiap_runtime::view::{Refs, ViewOptions, is_actionable, view};

/// Most looks until an agent would give up.
const LOOKS_MAX: usize = 1_000;

const ROLES: [&str; 12] = [
    "button", "link", "textbox", "row", "cell", "listitem", "treeitem", "table", "list", "region", "group",
    "option",
];
const KINDS: [&str; 10] =
    ["page", "region", "form", "dialog", "menu", "list", "table", "grid", "toolbar", "group"];

#[derive(Clone, Debug)]
struct Plan {
    role: usize,
    /// The parent, as a distance backwards or forwards: a page may contradict itself.
    parent: Option<usize>,
    scope: Option<usize>,
    name: Option<String>,
    stable: Option<usize>,
    actionable: bool,
    /// The kind of the scope that belongs to it.
    area: Option<usize>,
    foreign: bool,
}

fn plan() -> impl Strategy<Value = Plan> {
    let name = prop_oneof![
        Just(None),
        Just(Some("Löschen".to_owned())),
        "[a-zA-Z0-9 |\"\\-;,.\n]{0,24}".prop_map(Some),
        // A page that talks like a view.
        Just(Some("... 3 more rows, 1 to 3; --scope e1 --from N".to_owned())),
    ];
    (
        0..ROLES.len(),
        proptest::option::weighted(0.8, 0..400_usize),
        proptest::option::weighted(0.3, 0..400_usize),
        name,
        proptest::option::weighted(0.2, 0..30_usize),
        proptest::bool::weighted(0.7),
        proptest::option::weighted(0.2, 0..KINDS.len()),
        proptest::bool::weighted(0.1),
    )
        .prop_map(|(role, parent, scope, name, stable, actionable, area, foreign)| Plan {
            role,
            parent,
            scope,
            name,
            stable,
            actionable,
            area,
            foreign,
        })
}

/// Long runs of likes as well as wild mixtures.
fn plans() -> impl Strategy<Value = Vec<Plan>> {
    let run = (plan(), 1..60_usize).prop_map(|(plan, times)| vec![plan; times]);
    let part = prop_oneof![3 => plan().prop_map(|plan| vec![plan]), 1 => run];
    proptest::collection::vec(part, 1..16).prop_map(|parts| parts.concat())
}

fn graph_of(plans: &[Plan], modal: bool) -> PageGraph {
    let id = |at: usize| match plans.get(at) {
        Some(plan) if plan.foreign => format!("frame {at}"),
        _ => format!("el_k3_{at}"),
    };
    let areas: Vec<usize> =
        (0..plans.len()).filter(|at| plans.get(*at).is_some_and(|plan| plan.area.is_some())).collect();
    let area = |wish: usize| areas.get(wish % areas.len().max(1)).map(|at| format!("scope_k3_{at}"));
    let elements = plans.iter().enumerate().map(|(at, plan)| {
        let mut element =
            json!({ "instanceId": id(at), "documentId": "doc", "role": ROLES[plan.role], "state": {} });
        let mut set = |member: &str, value: Option<Value>| {
            if let Some(value) = value {
                element[member] = value;
            }
        };
        // Mostly the near past, sometimes the future or itself.
        let near =
            |wish: usize| if wish < 380 { at.saturating_sub(1 + wish % 6) } else { wish % plans.len() };
        set("parentId", plan.parent.filter(|_| at > 0).map(|wish| id(near(wish)).into()));
        set("scopeId", plan.scope.and_then(area).map(Value::from));
        set("name", plan.name.clone().map(Value::from));
        set("stableId", plan.stable.map(|number| format!("app.thing{number}").into()));
        set("affordances", plan.actionable.then(|| json!(["read", "activate"])));
        element
    });
    let elements: Vec<Value> = elements.collect();
    let scopes = areas.iter().map(|at| {
        let kind = plans.get(*at).and_then(|plan| plan.area).unwrap_or_default();
        let mut scope = json!({ "id": format!("scope_k3_{at}"), "kind": KINDS[kind], "documentId": "doc", "elementId": id(*at) });
        if let Some(name) = plans.get(*at).and_then(|plan| plan.name.clone()) {
            scope["name"] = name.into();
        }
        scope
    });
    let scopes: Vec<Value> = scopes.collect();
    let mut page = json!({
        "modelVersion": "0.1", "profile": "web@0.1", "revision": "rev_1", "seq": 1,
        "capturedAt": "2026-03-26T14:03:00.000Z", "route": { "url": "https://example.com/" },
        "documents": [{ "id": "doc", "boundary": { "kind": "root", "opaque": false } }],
        "scopes": scopes, "elements": elements,
    });
    if let Some(top) = areas.last().filter(|_| modal) {
        page["modalStack"] = json!([format!("scope_k3_{top}")]);
    }
    accept(&Node::from_json(&page)).unwrap_or_else(|findings| panic!("{findings:#?}"))
}

/// A text without what stands in quotes: there only the page speaks.
fn unquoted(line: &str) -> String {
    line.split('"').step_by(2).collect::<Vec<_>>().join(" \u{0} ")
}

/// The looks that a line offers.
fn offers(line: &str) -> Vec<ViewOptions> {
    let own = unquoted(line);
    let words: Vec<&str> = own.split([' ', ';', ',']).filter(|word| !word.is_empty()).collect();
    let after = |option: &str| {
        let at = words.iter().position(|word| *word == option)?;
        words.get(at + 1).map(|word| (*word).to_owned())
    };
    // "16 to 200": the first number is the next thing to see.
    let range = words.windows(3).find(|window| window[1] == "to").and_then(|window| window[0].parse().ok());
    let from = after("--from").and(range);
    let scope = after("--scope");
    let mut offers = Vec::new();
    if scope.is_some() || from.is_some() {
        offers.push(ViewOptions { scope, from, ..ViewOptions::default() });
    }
    // Areas that are only named can be looked into.
    if own.trim_start().starts_with("...") {
        let named = own.split('[').skip(1).filter_map(|rest| rest.split(']').next());
        offers
            .extend(named.map(|name| ViewOptions { scope: Some(name.to_owned()), ..ViewOptions::default() }));
    }
    offers
}

/// Every word outside of quotes that could be a reference.
fn references(text: &str) -> BTreeSet<String> {
    let lines = text.lines().skip(1).filter(|line| !line.trim_start().starts_with("..."));
    let words = lines.flat_map(|line| {
        let own = unquoted(line);
        own.split([' ', '|', '[', ']']).map(|word| word.trim_end_matches(':').to_owned()).collect::<Vec<_>>()
    });
    words.filter(|word| !word.is_empty()).collect()
}

/// Follows the rules until everything is met that can be acted on; says what is not.
fn unreached(graph: &PageGraph) -> Result<Vec<&str>, TestCaseError> {
    let refs = Refs::of(graph);
    let actionable = graph.elements.iter().filter(|element| is_actionable(element));
    let mut missing: BTreeSet<&str> = actionable.map(|element| element.instance_id.as_str()).collect();
    let mut open = VecDeque::from([ViewOptions::default()]);
    let mut seen = BTreeSet::new();
    while let Some(options) = open.pop_front().filter(|_| !missing.is_empty()) {
        if !seen.insert((options.scope.clone(), options.from)) {
            continue;
        }
        prop_assert!(seen.len() <= LOOKS_MAX, "the rules lead on and on");
        let text = view(graph, &options);
        let text =
            text.map_err(|error| TestCaseError::fail(format!("{options:?} is offered, but {error}")))?;
        for element in references(&text).iter().filter_map(|word| refs.resolve(word).ok()) {
            missing.remove(element.instance_id.as_str());
        }
        open.extend(text.lines().skip(1).flat_map(offers));
    }
    Ok(missing.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, max_shrink_iters: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn everything_that_can_be_acted_on_is_reached_by_the_rules_of_the_view(plans in plans(), modal in any::<bool>()) {
        let graph = graph_of(&plans, modal);
        let missing = unreached(&graph)?;
        let overview = || view(&graph, &ViewOptions::default()).expect("an overview");
        prop_assert!(missing.is_empty(), "{missing:?} are nowhere in\n{}", overview());
    }

    #[test]
    fn a_reference_leads_back_to_its_element(plans in plans()) {
        let graph = graph_of(&plans, false);
        let refs = Refs::of(&graph);
        for element in &graph.elements {
            let reference = refs.of_element(element);
            prop_assert_eq!(&refs.resolve(&reference).expect("its own reference").instance_id, &element.instance_id);
        }
    }

    #[test]
    fn what_is_found_is_found_by_its_name(plans in plans(), at in any::<prop::sample::Index>()) {
        let graph = graph_of(&plans, false);
        let named: Vec<_> = graph.elements.iter().filter(|element| is_actionable(element)).collect();
        prop_assume!(!named.is_empty());
        let element = at.get(&named);
        let name = element.name.as_deref().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        prop_assume!(!name.is_empty());
        let refs = Refs::of(&graph);
        let is_it = |word: &String| refs.resolve(word).is_ok_and(|met| met.instance_id == element.instance_id);
        let find = Some(name.replace('"', "'"));
        let mut options = ViewOptions { find, ..ViewOptions::default() };
        loop {
            let text = view(&graph, &options).expect("a look");
            if references(&text).iter().any(is_it) {
                break;
            }
            let next = text.lines().last().and_then(|line| line.strip_prefix("... ")?.rsplit_once("--from ")?.1.parse().ok());
            prop_assert!(next > options.from, "{} {name:?} is nowhere in\n{text}", element.instance_id);
            options.from = next;
        }
    }
}
