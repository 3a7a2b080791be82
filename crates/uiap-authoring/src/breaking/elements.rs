//! Elements.

use super::bindings::{on, signals};
use super::changes::{Changes, Met, Pair, meet, quoted, unshared};
use super::place::At;
use super::rules::Rule;
use super::witness::{Witness, json, request};
use serde_json::Value;
use std::cmp::Ordering;
use uiap_protocol::action::ActionTarget;
use uiap_protocol::authoring::{ElementBinding, ElementMatcher};
use uiap_protocol::capability::{RiskLevel, RiskTag, TargetRef};
use uiap_protocol::ids::ActionId;
use uiap_protocol::wire::{JsonObject, Shared};

/// The member of the metadata that holds the reasons for care (finding M18).
const RISK_TAGS_MEMBER: &str = "riskTags";
/// What can be asked of every element.
const READ: &str = "ui.read";

pub(super) fn compare(
    at: &At<'_>,
    old: Option<&Vec<Shared<ElementBinding>>>,
    new: Option<&Vec<Shared<ElementBinding>>>,
    changes: &mut Changes,
) {
    changes.respelled_list(at, old, new);
    for met in meet(old, new, |element| element.id.as_str()) {
        match met {
            Met::Gone(place, item) => {
                let message = format!("The element \"{}\" is gone.", item.id);
                changes.add(Rule::ElementRemoved, &at.gone(place), message, aimed(item));
            }
            Met::Came(place, item) => {
                let message = format!("The element \"{}\" is new.", item.id);
                changes.add(Rule::ElementAdded, &at.came(place), message, aimed(item));
            }
            Met::Differs((was_at, was), (is_at, is)) => element(&at.both(was_at, is_at), was, is, changes),
        }
    }
}

/// A request that is aimed at an element, with what its sender may expect of it.
fn expecting(element: &ElementBinding, expect: impl FnOnce(&mut ActionTarget)) -> Witness {
    let r#ref = Some(TargetRef::StableId { value: element.id.clone() });
    let mut target = ActionTarget { r#ref, ..ActionTarget::default() };
    expect(&mut target);
    let action = element.default_action.clone().or_else(|| ActionId::new(READ).ok());
    match action {
        Some(action) => {
            Witness::Request { request: Box::new(request(&action, Some(target), JsonObject::default())) }
        }
        None => Witness::Target { target: TargetRef::StableId { value: element.id.clone() } },
    }
}

fn aimed(element: &ElementBinding) -> Witness {
    expecting(element, |_| {})
}

fn element(at: &At<'_>, old: &ElementBinding, new: &ElementBinding, changes: &mut Changes) {
    let who = format!("The element \"{}\"", new.id);
    place(at, old, new, &who, changes);
    matchers(&at.member("match"), old, new, &who, changes);
    care(at, old, new, &who, changes);
    let at_default = at.member("defaultAction");
    match (&old.default_action, &new.default_action) {
        (None, Some(is)) => {
            let message = format!("{who} has the default action \"{is}\".");
            changes.add(Rule::ElementDefaultActionAdded, &at_default, message, aimed(new));
        }
        (was, is) if was != is => {
            let message = format!("{who} has the default action {}.", quoted(is.as_ref()));
            changes.add(Rule::ElementDefaultActionChanged, &at_default, message, aimed(old));
        }
        _ => {}
    }
    let rules = Pair { gone: Rule::ElementSignalRemoved, came: Rule::ElementSignalAdded };
    let lists = (old.success.as_ref(), new.success.as_ref());
    signals(rules, &at.member("success"), lists, &who, changes);
    let tags = [RISK_TAGS_MEMBER];
    changes.metadata(at, old.metadata.as_ref(), new.metadata.as_ref(), &who, &tags);
}

/// Where it is, what it is, and what it is called.
fn place(at: &At<'_>, old: &ElementBinding, new: &ElementBinding, who: &str, changes: &mut Changes) {
    if old.scope_id != new.scope_id {
        let (was, is) = (quoted(old.scope_id.as_ref()), quoted(new.scope_id.as_ref()));
        let witness = expecting(old, |target| target.expected_scope_id.clone_from(&old.scope_id));
        let message = format!("{who} is in the area {is}; it was {was}.");
        changes.add(Rule::ElementScopeChanged, &at.member("scopeId"), message, witness);
    }
    let rules = Pair { gone: Rule::ElementRouteRemoved, came: Rule::ElementRouteAdded };
    let lists = (old.route_ids.as_ref(), new.route_ids.as_ref());
    changes.reach(rules, &at.member("routeIds"), lists, who, |route| route.map_or_else(|| aimed(old), on));
    let at_role = at.member("role");
    match (&old.role, &new.role) {
        (None, Some(is)) => {
            let message = format!("{who} says that it is a {is}.");
            changes.add(Rule::ElementRoleAdded, &at_role, message, Witness::came(is));
        }
        (Some(was), is) if Some(was) != is.as_ref() => {
            let message = format!("{who} is {}; it was a {was}.", quoted(is.as_ref()));
            let witness = expecting(old, |target| target.expected_role = Some(was.clone()));
            changes.add(Rule::ElementRoleChanged, &at_role, message, witness);
        }
        _ => {}
    }
    let rule = Rule::ElementNameChanged;
    changes.text(rule, &at.member("name"), (old.name.as_ref(), new.name.as_ref()), who);
    let meanings = (&old.meaning, &new.meaning);
    changes.value(Rule::ElementMeaningChanged, &at.member("meaning"), meanings, || {
        format!("{who} says differently what it means.")
    });
}

/// How risky it is, and what data it holds.
fn care(at: &At<'_>, old: &ElementBinding, new: &ElementBinding, who: &str, changes: &mut Changes) {
    let level = |element: &ElementBinding| element.risk.unwrap_or(RiskLevel::Safe);
    let at_risk = at.member("risk");
    let message = || format!("{who} has the risk {}; it was {}.", level(new), level(old));
    match level(new).cmp(&level(old)) {
        Ordering::Greater => changes.add(Rule::ElementRiskRaised, &at_risk, message(), aimed(old)),
        Ordering::Less => changes.add(Rule::ElementRiskLowered, &at_risk, message(), aimed(old)),
        Ordering::Equal if old.risk != new.risk => changes.respelled(&at_risk, &old.risk, &new.risk),
        Ordering::Equal => {}
    }
    risk_tags(at, old, new, who, changes);
    let rules = Pair { gone: Rule::ElementDataClassRemoved, came: Rule::ElementDataClassAdded };
    let lists = (old.data_classes.as_ref(), new.data_classes.as_ref());
    changes.words(rules, &at.member("dataClasses"), lists, who, |class, came| {
        let holds = if came { "holds" } else { "does not hold any more" };
        (format!("{holds} the data {class}"), aimed(old))
    });
}

fn risk_tags(at: &At<'_>, old: &ElementBinding, new: &ElementBinding, who: &str, changes: &mut Changes) {
    fn listed(element: &ElementBinding) -> Option<&Value> {
        element.metadata.as_ref().and_then(|metadata| metadata.get(RISK_TAGS_MEMBER))
    }
    fn tags(value: Option<&Value>) -> Option<Vec<RiskTag>> {
        let Some(value) = value else { return Some(Vec::new()) };
        value.as_array()?.iter().map(|word| word.as_str().and_then(RiskTag::from_word)).collect()
    }
    let (was, is) = (listed(old), listed(new));
    if was == is {
        return;
    }
    let at = at.member("metadata");
    let at = at.member(RISK_TAGS_MEMBER);
    // What is no list of tags is left to the rule for everything else.
    if let (Some(was), Some(is)) = (tags(was), tags(is)) {
        let rules = Pair { gone: Rule::ElementRiskTagRemoved, came: Rule::ElementRiskTagAdded };
        changes.words(rules, &at, (Some(&was), Some(&is)), who, |tag, came| {
            let has = if came { "has" } else { "has no longer" };
            (format!("{has} the risk tag {tag}"), aimed(old))
        });
    }
}

/// Most matchers that are tried for being nearly the same as one that is gone.
const NEAR_MAX: usize = 64;

/// A matcher and what became of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Narrowed,
    Widened,
    Replaced,
}

fn matchers(at: &At<'_>, old: &ElementBinding, new: &ElementBinding, who: &str, changes: &mut Changes) {
    let (was, is) = (&old.r#match, &new.r#match);
    if was == is {
        return;
    }
    let is_hint = |matcher: &&ElementMatcher| matches!(matcher, ElementMatcher::RuntimeHint { .. });
    let lasting = |list: &[ElementMatcher]| list.iter().any(|matcher| !is_hint(&matcher));
    if is.is_empty() {
        let witness = Witness::Page { recognised_by: json(was) };
        changes.add(Rule::ElementUnmatchable, at, format!("{who} is recognised by nothing."), witness);
        return;
    }
    if lasting(was) && !lasting(is) {
        let lost: Vec<_> = was.iter().filter(|matcher| !is_hint(matcher)).collect();
        let witness = Witness::Page { recognised_by: json(&lost) };
        let message = format!("{who} is recognised by runtime hints only.");
        changes.add(Rule::ElementHintOnly, at, message, witness);
        return;
    }
    let (mut gone, mut came) = unshared(was, is, |matcher| json(matcher).to_string());
    if gone.is_empty() && came.is_empty() {
        let message = format!("{who} is recognised by the same in another order.");
        changes.add(Rule::ElementMatcherOrderChanged, at, message, Witness::values(was, is));
        return;
    }
    // Hints follow the page; where they are all there is, they count like anything else.
    if lasting(was) {
        let hints = gone.iter().chain(&came).any(|(_, matcher)| is_hint(matcher));
        if hints {
            let message = format!("{who} has other runtime hints.");
            changes.add(Rule::ElementHintChanged, at, message, Witness::values(was, is));
        }
        gone.retain(|(_, matcher)| !is_hint(matcher));
        came.retain(|(_, matcher)| !is_hint(matcher));
    }
    paired(at, gone, came, who, changes);
}

/// Takes what came for what is gone: first what is nearly the same, then the rest in order.
fn paired(
    at: &At<'_>,
    gone: Vec<(usize, &ElementMatcher)>,
    mut came: Vec<(usize, &ElementMatcher)>,
    who: &str,
    changes: &mut Changes,
) {
    let mut unpaired = Vec::new();
    for (was_at, was) in gone {
        let near = came.iter().take(NEAR_MAX).position(|(_, is)| relation(was, is) != Fate::Replaced);
        match near.map(|near| came.remove(near)) {
            Some((is_at, is)) => fate(&at.both(was_at, is_at), was, is, who, changes),
            None => unpaired.push((was_at, was)),
        }
    }
    let mut rest = came.into_iter();
    for (was_at, was) in unpaired {
        match rest.next() {
            Some((is_at, is)) => fate(&at.both(was_at, is_at), was, is, who, changes),
            None => {
                let message = format!("{who} is not recognised by {} any more.", was.word());
                let witness = Witness::Page { recognised_by: json(was) };
                changes.add(Rule::ElementMatcherRemoved, &at.gone(was_at), message, witness);
            }
        }
    }
    for (is_at, is) in rest {
        let message = format!("{who} is also recognised by {}.", is.word());
        let witness = Witness::Page { recognised_by: json(is) };
        changes.add(Rule::ElementMatcherAdded, &at.came(is_at), message, witness);
    }
}

fn fate(at: &At<'_>, was: &ElementMatcher, is: &ElementMatcher, who: &str, changes: &mut Changes) {
    let (rule, how) = match relation(was, is) {
        Fate::Narrowed => (Rule::ElementMatcherNarrowed, "more narrowly"),
        Fate::Widened => (Rule::ElementMatcherWidened, "more widely"),
        Fate::Replaced => (Rule::ElementMatcherReplaced, "differently"),
    };
    let witness = match rule {
        Rule::ElementMatcherNarrowed => Witness::Page { recognised_by: json(was) },
        _ => Witness::values(was, is),
    };
    changes.add(rule, at, format!("{who} is recognised {how}."), witness);
}

/// Whether one matcher is another with more or fewer conditions.
fn relation(was: &ElementMatcher, is: &ElementMatcher) -> Fate {
    let (
        ElementMatcher::Semantic { role, name, scope_id },
        ElementMatcher::Semantic { role: new_role, name: new_name, scope_id: new_scope },
    ) = (was, is)
    else {
        return Fate::Replaced;
    };
    let parts = [
        compare_part(role.as_ref(), new_role.as_ref()),
        compare_part(name.as_ref(), new_name.as_ref()),
        compare_part(scope_id.as_ref(), new_scope.as_ref()),
    ];
    let all = |fate: Ordering| parts.iter().all(|part| part.is_some_and(|it| it == fate || it.is_eq()));
    match (all(Ordering::Greater), all(Ordering::Less)) {
        (true, false) => Fate::Narrowed,
        (false, true) => Fate::Widened,
        _ => Fate::Replaced,
    }
}

/// Greater, if the new condition asks for more; nothing, if it asks for something else.
fn compare_part<T: PartialEq>(was: Option<&T>, is: Option<&T>) -> Option<Ordering> {
    match (was, is) {
        (was, is) if was == is => Some(Ordering::Equal),
        (None, Some(_)) => Some(Ordering::Greater),
        (Some(_), None) => Some(Ordering::Less),
        _ => None,
    }
}
