//! One thing, one line.

use uiap_protocol::capability::{Affordance, Checked, Current, Invalid, RiskLevel, Role};
use uiap_protocol::web::ElementNode;
use uiap_protocol::wire::Number;

/// Longest name or value that is written out, in characters.
const TEXT_CHARS_MAX: usize = 80;
/// Most choices that are written out.
const CHOICES_SHOWN_MAX: usize = 8;

/// A text in quotes, on one line, cut where it is too long.
pub(super) fn quoted(text: &str) -> String {
    let clean = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut = clean.chars().count() > TEXT_CHARS_MAX;
    let shown: String = clean.chars().take(TEXT_CHARS_MAX).collect();
    format!("\"{}{}\"", shown.replace('"', "'"), if cut { "..." } else { "" })
}

/// The shortest name that an action can use for an element.
pub(super) fn reference(element: &ElementNode) -> &str {
    element.stable_id.as_ref().map_or_else(|| element.instance_id.as_str(), |id| id.as_str())
}

/// Whether something can be done with an element, beyond looking at it.
pub(super) fn is_actionable(element: &ElementNode) -> bool {
    let passive =
        |offer: &Affordance| matches!(offer, Affordance::Read | Affordance::Focus | Affordance::Scroll);
    element.affordances.iter().flatten().any(|offer| !passive(offer))
}

/// Whether an element says something that an agent must know.
pub(super) fn is_message(element: &ElementNode) -> bool {
    matches!(element.role, Role::Alert | Role::Toast | Role::Status | Role::Progress | Role::Spinner)
}

/// An element as a line: reference, role, name, value, states.
pub(super) fn element_line(element: &ElementNode) -> String {
    let mut words = vec![reference(element).to_owned(), element.role.to_string()];
    words.extend(element.name.as_ref().filter(|name| !name.is_empty()).map(|name| quoted(name)));
    words.extend(value(element));
    words.extend(states(element));
    words.join(" ")
}

/// What an element holds.
fn value(element: &ElementNode) -> Option<String> {
    let state = &element.state.ui;
    let choices = element.options.as_ref().filter(|choices| !choices.is_empty());
    if let Some(choices) = choices {
        let chosen: Vec<_> = choices
            .iter()
            .filter(|choice| choice.selected == Some(true))
            .map(|choice| quoted(&choice.label))
            .collect();
        let shown: Vec<_> =
            choices.iter().take(CHOICES_SHOWN_MAX).map(|choice| quoted(&choice.label)).collect();
        let more = choices.len().saturating_sub(CHOICES_SHOWN_MAX);
        let tail = if more == 0 { String::new() } else { format!(" and {more} more") };
        return Some(format!("= {} of {}{tail}", chosen.join(", "), shown.join(" ")));
    }
    if let Some(number) = state.numeric_value {
        let range = match (state.min, state.max) {
            (Some(min), Some(max)) => format!(" ({}..{})", plain(min), plain(max)),
            _ => String::new(),
        };
        return Some(format!("= {}{range}", plain(number)));
    }
    state.text_value.as_ref().map(|text| format!("= {}", quoted(text)))
}

fn plain(number: Number) -> String {
    number.get().to_string()
}

/// What an agent must know before it acts; what is normal is not said.
fn states(element: &ElementNode) -> Vec<String> {
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
    say(state.selected == Some(true) && element.role != Role::Option, "selected");
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
