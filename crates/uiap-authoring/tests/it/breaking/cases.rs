//! Every rule with cases that show it and cases that do not. A file is a case; its name is its rule.

use crate::breaking::bundles::{base, changes, edited, yaml};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use uiap_authoring::breaking::{Change, Class, Rule};
use uiap_testkit::proves;

/// Rules that answer each other when the bundles change places.
const MIRRORED: [(Rule, Rule); 10] = [
    (Rule::RouteRemoved, Rule::RouteAdded),
    (Rule::ScopeRemoved, Rule::ScopeAdded),
    (Rule::ElementRemoved, Rule::ElementAdded),
    (Rule::ActionRemoved, Rule::ActionAdded),
    (Rule::WorkflowRemoved, Rule::WorkflowAdded),
    (Rule::StepRemoved, Rule::StepAdded),
    (Rule::EnvironmentRemoved, Rule::EnvironmentAdded),
    (Rule::PrincipalProfileRemoved, Rule::PrincipalProfileAdded),
    (Rule::LocaleRemoved, Rule::LocaleAdded),
    (Rule::LocaleTextRemoved, Rule::LocaleTextAdded),
];

fn files() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/breaking/cases");
    let entries = std::fs::read_dir(folder).expect("the cases");
    let mut files: Vec<_> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, yaml(&std::fs::read_to_string(path).expect("a case")))
        })
        .collect();
    files.sort_by(|one, other| one.0.cmp(&other.0));
    files
}

fn listed<'f>(file: &'f Value, kind: &str) -> &'f Vec<Value> {
    file[kind].as_array().filter(|cases| !cases.is_empty()).expect("at least one case")
}

/// Whether a value has everything that another one asks for.
fn has(value: &Value, wanted: &Value) -> bool {
    match (value, wanted) {
        (Value::Object(members), Value::Object(wanted)) => {
            wanted.iter().all(|(name, wanted)| members.get(name).is_some_and(|value| has(value, wanted)))
        }
        (Value::Array(items), Value::Array(wanted)) => {
            items.len() == wanted.len() && items.iter().zip(wanted).all(|(item, wanted)| has(item, wanted))
        }
        _ => value == wanted,
    }
}

fn count(changes: &[Change], rule: Rule) -> usize {
    changes.iter().filter(|change| change.rule == rule).count()
}

/// What is wrong with a case, if anything is.
fn judged(rule: Rule, positive: bool, case: &Value, base: &Value) -> Result<(), String> {
    let (old, new) = (edited(base, case.get("old")), edited(base, case.get("new")));
    let found = changes(&old, &new);
    let mut names: Vec<_> = found.iter().map(|change| change.rule.name()).collect();
    names.sort_unstable();
    if Value::from(names.clone()) != case["expect"] {
        return Err(format!("found {names:?}: {found:#?}"));
    }
    if positive != names.contains(&rule.name()) {
        return Err("it is in the wrong list".to_owned());
    }
    for change in &found {
        let leads = |document: &Value, pointer: &Option<String>| {
            pointer.as_ref().is_none_or(|pointer| document.pointer(pointer).is_some())
        };
        if !leads(&old, &change.old)
            || !leads(&new, &change.new)
            || change.old.is_none() && change.new.is_none()
        {
            return Err(format!("a pointer leads nowhere: {change:#?}"));
        }
        if !change.message.ends_with('.') {
            return Err(format!("no sentence: {}", change.message));
        }
    }
    let own: Vec<_> = found.iter().filter(|change| change.rule == rule).collect();
    if let Some(at) = case.get("at").and_then(Value::as_str)
        && !own.iter().any(|change| [&change.old, &change.new].into_iter().flatten().any(|it| it == at))
    {
        return Err(format!("none at {at}: {own:#?}"));
    }
    if let Some(wanted) = case.get("witness") {
        let witness = |change: &Change| serde_json::to_value(&change.witness).expect("a witness is data");
        if !own.iter().any(|change| has(&witness(change), wanted)) {
            let found: Vec<_> = own.iter().map(|change| witness(change)).collect();
            return Err(format!("another witness: {found:#?}"));
        }
    }
    let back = changes(&new, &old);
    for (gone, came) in MIRRORED {
        if count(&found, gone) != count(&back, came) || count(&found, came) != count(&back, gone) {
            return Err(format!("{gone} and {came} do not mirror each other: {back:#?}"));
        }
    }
    Ok(())
}

#[test]
fn every_rule_is_shown_by_cases_and_not_by_others() {
    proves!["AUT-2-6", "AUT-5.3-5", "AUT-11.2-1", "AUT-11.3-1", "AUT-11.4-1"];
    let base = base();
    let mut wrong = Vec::new();
    for (name, file) in files() {
        let rule = Rule::named(&name).unwrap_or_else(|| panic!("{name} is no rule"));
        for (kind, positive) in [("positive", true), ("negative", false)] {
            for case in listed(&file, kind) {
                if let Err(why) = judged(rule, positive, case, &base) {
                    wrong.push(format!("{name}, {kind}, {}: {why}", case["what"]));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_rule_has_its_cases() {
    let named: BTreeSet<String> = files().into_iter().map(|(name, _)| name).collect();
    let rules: BTreeSet<String> = Rule::ALL.iter().map(|rule| rule.name().to_owned()).collect();
    assert_eq!(rules.len(), Rule::ALL.len(), "two rules have one name");
    assert!(rules.len() >= 60);
    assert_eq!(rules.difference(&named).collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(named.difference(&rules).collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn the_gravest_change_comes_first() {
    let base = base();
    let edits =
        yaml("[{set: /locales/common.save, to: x}, {remove: /actions/1}, {set: /locales/new, to: x}]");
    let classes: Vec<_> =
        changes(&base, &edited(&base, Some(&edits))).iter().map(|change| change.class).collect();
    assert_eq!(classes, [Class::Major, Class::Minor, Class::Patch]);
}
