//! What is decided before anything is done: whether a page is a state that was seen, what may be done there, and what
//! is done first.

use crate::packages::stage::{Stage, graph, list, sound, text};
use serde_json::{Value, json};
use std::path::Path;
use uiap_discovery::atlas::{Atlas, Next, Outcome, Rules, Via};
use uiap_discovery::budget::Budget;
use uiap_discovery::fingerprint::{default_policy, fingerprint, is_of_same_kinds};
use uiap_discovery::menus::menus;
use uiap_discovery::options::{Choice, choices};
use uiap_discovery::sighting::Sighting;
use uiap_protocol::capability::ActionDescriptor;
use uiap_protocol::discovery::{DiscoverySafetyPolicy, DiscoverySeed, StateFingerprintPolicy};
use uiap_protocol::web::PageGraph;

/// Every case under `spec/cases/discovery-states`: a page, and by `cases` what becomes of it (`change`), under which
/// `policy`, and whether it then `is` the `same` state or an `other`; and with `longer`, whether an other one is taken for
/// the same if it came of scrolling; and with `opens`, which lists are menus if it came of pressing something.
pub(crate) fn states(path: &Path) -> uiap_testkit::CaseResult {
    let stage = Stage::read(&std::fs::read_to_string(path)?);
    let mut wrong = Vec::new();
    for case in stage.cases() {
        let policy = policy(case.get("policy"));
        let print = |stage: &Stage| fingerprint(&Sighting::of(&page(stage)), &policy);
        let same = print(&stage) == print(&stage.changed(case));
        if text(case, "is") != Some(if same { "same" } else { "other" }) {
            wrong.push(text(case, "what").expect("what the case is").to_owned());
        }
        let (before, after) = (page(&stage), page(&stage.changed(case)));
        let longer = is_of_same_kinds(&Sighting::of(&before), &Sighting::of(&after), &policy);
        if case.get("longer").is_some_and(|expected| *expected != json!(longer)) {
            wrong.push(format!("{}: of the same kinds is {longer}", text(case, "what").unwrap_or_default()));
        }
        let opened: Vec<_> = menus(&[], Some(&before), &after).iter().map(ToString::to_string).collect();
        if case.get("opens").is_some_and(|expected| *expected != json!(opened)) {
            wrong.push(format!("{}: menus are {opened:?}", text(case, "what").unwrap_or_default()));
        }
    }
    assert!(wrong.is_empty(), "{}: {}\n{}", path.display(), stage.about(), wrong.join("\n"));
    Ok(())
}

/// Every case under `spec/cases/discovery-safety`: a page, and by `cases` a `mode`, what it allows besides (`allow`),
/// and what is decided about things, by their names: effect and reason.
pub(crate) fn safety(path: &Path) -> uiap_testkit::CaseResult {
    let stage = Stage::read(&std::fs::read_to_string(path)?);
    let graph = page(&stage);
    let sighting = Sighting::of(&graph);
    let mut wrong = Vec::new();
    for case in stage.cases() {
        let all = choices(&sighting, &[], &allowed(case));
        let decisions = case.get("decisions").and_then(Value::as_object).expect("decisions");
        for (name, expected) in decisions {
            let choice = all.iter().find(|choice| called(choice, &sighting) == *name).expect("a choice");
            let decision = serde_json::to_value(&choice.judgement.decision).expect("JSON");
            let word = |member: &str| text(&decision, member).unwrap_or_default().to_owned();
            let found = format!("{} {}", word("effect"), word("reason"));
            if expected.as_str() != Some(&found) {
                wrong.push(format!("{}: {name}: {found}", text(case, "what").unwrap_or_default()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}: {}\n{}", path.display(), stage.about(), wrong.join("\n"));
    Ok(())
}

/// Every case under `spec/cases/discovery-order`: a page on which nothing leads anywhere, and by `cases` a `mode`, a
/// budget of `transitions`, what cannot be got to when it is tried (`missed`), and what is tried, in `order`.
pub(crate) fn order(path: &Path) -> uiap_testkit::CaseResult {
    let stage = Stage::read(&std::fs::read_to_string(path)?);
    let graph = page(&stage);
    let sighting = Sighting::of(&graph);
    let registered: Vec<ActionDescriptor> = stage.members("registered").iter().map(sound).collect();
    for case in stage.cases() {
        let transitions = case.get("transitions").and_then(Value::as_u64);
        let transitions =
            transitions.map_or(Budget::DEFAULT.transitions, |count| usize::try_from(count).expect("few"));
        let budget = Budget { transitions, ..Budget::DEFAULT };
        let mut atlas = Atlas::new(Rules { safety: allowed(case), budget, fingerprints: default_policy() });
        let seed = atlas.sow(sound::<DiscoverySeed>(&json!({ "kind": "url", "url": "https://app.test/" })));
        let here = atlas.see(&graph, &registered, Via::Seed(seed)).state();
        let mut tried = Vec::new();
        let mut missed: Vec<_> = list(case, "missed").iter().filter_map(Value::as_str).collect();
        while let Next::Errand(errand) = atlas.next(here) {
            let name = called(atlas.choice(errand).expect("a choice"), &sighting);
            let miss = missed.iter().position(|missed| *missed == name);
            tried.push(name);
            if let Some(miss) = miss {
                missed.remove(miss);
                atlas.miss(errand);
                continue;
            }
            let seen = atlas.see(&graph, &registered, Via::Choice(errand.state, errand.choice));
            let nothing = Outcome {
                signals: Vec::new(),
                trouble: None,
                passages: Vec::new(),
                target: None,
                complaints: Vec::new(),
            };
            atlas.arrive(errand, Some(seen), nothing);
        }
        let expected: Vec<_> = list(case, "order").iter().filter_map(Value::as_str).collect();
        assert_eq!(tried, expected, "{}: {}", path.display(), text(case, "what").unwrap_or_default());
    }
    Ok(())
}

fn page(stage: &Stage) -> PageGraph {
    graph(stage.page("one"))
}

fn policy(said: Option<&Value>) -> StateFingerprintPolicy {
    let usual = serde_json::to_value(default_policy()).expect("JSON");
    let mut policy = usual.as_object().expect("an object").clone();
    policy.extend(said.and_then(Value::as_object).cloned().unwrap_or_default());
    sound(&Value::Object(policy))
}

fn allowed(case: &Value) -> DiscoverySafetyPolicy {
    let mut safety = case.get("allow").cloned().unwrap_or_else(|| json!({}));
    let mode = text(case, "mode").unwrap_or("safe_explore");
    safety.as_object_mut().expect("an object").insert("defaultMode".to_owned(), json!(mode));
    sound(&safety)
}

/// The name of what a choice is aimed at, or its icon; of many alike, of the one with its number.
fn called(choice: &Choice, sighting: &Sighting<'_>) -> String {
    let Some(key) = &choice.key else { return choice.action.to_string() };
    let thing = sighting.one_of(key, choice.item.as_ref());
    let element = thing.expect("a thing").element;
    element.name.clone().or_else(|| Some(format!("icon {}", element.icon.as_ref()?))).expect("a name")
}
