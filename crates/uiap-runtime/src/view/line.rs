//! One thing, one line.

use super::refs::Refs;
use super::text::quoted;
use uiap_protocol::capability::{Affordance, Checked, Current, Invalid, RiskLevel, Role};
use uiap_protocol::web::{Choice, ElementNode};
use uiap_protocol::wire::Number;

/// Most choices that are written out.
const CHOICES_SHOWN_MAX: usize = 8;

/// Whether something can be done with an element, beyond looking at it.
pub fn is_actionable(element: &ElementNode) -> bool {
    let passive =
        |offer: &Affordance| matches!(offer, Affordance::Read | Affordance::Focus | Affordance::Scroll);
    element.affordances.iter().flatten().any(|offer| !passive(offer))
}

/// Whether an element says something that an agent must know.
pub(super) fn is_message(element: &ElementNode) -> bool {
    let speaks =
        matches!(element.role, Role::Alert | Role::Toast | Role::Status | Role::Progress | Role::Spinner);
    let text =
        [&element.name, &element.state.ui.text_value].into_iter().flatten().any(|text| !text.is_empty());
    speaks && (text || element.state.ui.numeric_value.is_some() || element.state.ui.busy == Some(true))
}

/// An element as a line: reference, role, name, value, states.
pub(super) fn element_line(element: &ElementNode, refs: &Refs<'_>) -> String {
    words(element, refs, true, value(element))
}

/// The line of an element that was shown before: what is chosen, without what else could be.
pub(super) fn known_line(element: &ElementNode, refs: &Refs<'_>) -> String {
    let choices = element.options.iter().flatten().filter(|choice| choice.selected == Some(true));
    let chosen: Vec<_> = choices.map(|choice| quoted(&choice.label)).collect();
    let chosen = (!chosen.is_empty()).then(|| format!("= {}", chosen.join(", ")));
    words(element, refs, true, chosen.or_else(|| value(element)))
}

/// An element inside a row, where a button or a link needs no introduction.
pub(super) fn element_in_row(element: &ElementNode, refs: &Refs<'_>) -> String {
    let with_role = !matches!(element.role, Role::Button | Role::Link | Role::Cell);
    words(element, refs, with_role, value(element))
}

fn words(element: &ElementNode, refs: &Refs<'_>, with_role: bool, value: Option<String>) -> String {
    let mut words = vec![refs.of_element(element)];
    if with_role {
        words.push(element.role.to_string());
    }
    words.extend(called(element));
    words.extend(value);
    words.extend(states(element));
    words.join(" ")
}

/// How an element is called, or what it shows instead.
fn called(element: &ElementNode) -> Option<String> {
    name(element).map(quoted).or_else(|| Some(format!("icon {}", quoted(element.icon.as_deref()?))))
}

/// What an element is called, or what else tells it apart.
fn name(element: &ElementNode) -> Option<&str> {
    let state = &element.state.ui;
    let texts = [&element.name, &element.description, &state.placeholder, &element.meaning];
    texts.into_iter().flatten().map(String::as_str).find(|text| !text.chars().all(says_nothing))
}

/// A blank, or a letter that means nothing outside of a font, such as one of icons.
fn says_nothing(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(letter, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{ffffd}' | '\u{100000}'..='\u{10fffd}')
}

/// What an element holds. An empty field is the rule and not worth a word.
pub(super) fn value(element: &ElementNode) -> Option<String> {
    let state = &element.state.ui;
    if let Some(choices) = element.options.as_ref().filter(|choices| !choices.is_empty()) {
        return Some(chosen(choices));
    }
    if let Some(number) = state.numeric_value {
        let range = match (state.min, state.max) {
            (Some(min), Some(max)) => format!(" ({}..{})", plain(min), plain(max)),
            _ => String::new(),
        };
        return Some(format!("= {}{range}", plain(number)));
    }
    let text = state.text_value.as_ref().filter(|text| !text.is_empty());
    text.map(|text| format!("= {}", quoted(text)))
}

/// What is chosen, then what else could be.
fn chosen(choices: &[Choice]) -> String {
    let (chosen, others): (Vec<_>, Vec<_>) = choices.iter().partition(|choice| choice.selected == Some(true));
    let listed = |choices: &[&Choice]| {
        let shown = choices.iter().take(CHOICES_SHOWN_MAX).map(|choice| quoted(&choice.label));
        let more = choices.len().saturating_sub(CHOICES_SHOWN_MAX);
        let more = (more > 0).then(|| format!("{more} more"));
        shown.chain(more).collect::<Vec<_>>().join(", ")
    };
    match (chosen.as_slice(), others.as_slice()) {
        ([], others) => format!("= none of {}", listed(others)),
        (chosen, []) => format!("= {}", listed(chosen)),
        (chosen, others) => format!("= {} or {}", listed(chosen), listed(others)),
    }
}

fn plain(number: Number) -> String {
    number.get().to_string()
}

/// What an agent must know before it acts; what is normal is not said.
pub(super) fn states(element: &ElementNode) -> Vec<String> {
    let state = &element.state.ui;
    let mut words: Vec<String> = Vec::new();
    let mut say = |condition: bool, word: &str| {
        if condition {
            words.push(word.to_owned());
        }
    };
    say(state.enabled == Some(false), "disabled");
    say(state.readonly == Some(true), "readonly");
    say(state.required == Some(true), "required");
    say(state.busy == Some(true) || state.loading == Some(true), "busy");
    say(state.blocked == Some(true), "blocked");
    say(state.obscured == Some(true), "covered");
    say(state.visible == Some(false), "hidden");
    say(state.focused == Some(true), "focused");
    say(state.selected == Some(true), "selected");
    say(state.pressed == Some(true), "pressed");
    say(state.expanded == Some(true), "expanded");
    say(state.expanded == Some(false), "collapsed");
    say(state.sensitive == Some(true), "sensitive");
    say(state.checked == Some(Checked::Yes), "checked");
    say(state.checked == Some(Checked::No), "unchecked");
    say(state.checked == Some(Checked::Mixed), "mixed");
    say(state.current.is_some_and(|current| current != Current::No), "current");
    say(state.invalid.is_some_and(|invalid| invalid != Invalid::No), "invalid");
    if let Some(message) = element.validation.as_ref().and_then(|validation| validation.message.as_ref()) {
        words.push(quoted(message));
    }
    if let Some(risk) = element.risk.as_ref().filter(|risk| risk.level > RiskLevel::Safe) {
        words.push(format!("risk={}", risk.level));
    }
    words
}
