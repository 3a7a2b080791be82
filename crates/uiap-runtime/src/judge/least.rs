//! The least that the profile asks for, action by action (`protocol` 3.2).

use super::before::{Before, dialogs};
use super::expectation::{Place, Wanted, state_of};
use super::pattern;
use super::signals::{flag_of, has_state, is_secret, is_shown};
use super::target::{elements_around, reference};
use crate::deed::{Choice, Private};
use uiap_protocol::capability::{Checked, Role, ScalarValue, SuccessSignal, TargetRef, UiState};
use uiap_protocol::ids::Text;
use uiap_protocol::web::{ElementNode, GraphStore};
use uiap_protocol::wire::Number;

/// What the surface says about the element after the deed, where the page does not show it. Each look may say it anew.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    /// The value is the wanted one; also said where the value itself is a secret.
    pub as_wanted: Option<bool>,
    /// What speaks against success.
    pub against: Option<String>,
    /// The values of what is chosen.
    pub selected: Option<Vec<String>>,
    /// Something was scrolled.
    pub scrolled: Option<bool>,
    /// It cannot be scrolled any further.
    pub at_limit: Option<bool>,
    /// A part of the element is in view.
    pub in_view: Option<bool>,
    /// The zoom is another one.
    pub zoomed: Option<bool>,
    /// The application itself said that the action took effect.
    pub acknowledged: Option<bool>,
}

impl Told {
    /// What is said later takes the place of what was said before.
    pub(super) fn take(&mut self, later: Self) {
        fn newer<T>(slot: &mut Option<T>, later: Option<T>) {
            if later.is_some() {
                *slot = later;
            }
        }
        newer(&mut self.as_wanted, later.as_wanted);
        newer(&mut self.selected, later.selected);
        newer(&mut self.scrolled, later.scrolled);
        newer(&mut self.at_limit, later.at_limit);
        newer(&mut self.in_view, later.in_view);
        newer(&mut self.zoomed, later.zoomed);
        newer(&mut self.acknowledged, later.acknowledged);
    }
}

/// How near a number is that is not the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Near {
    /// Within the tolerance.
    Enough,
    /// It was aimed at within bounds, read back, and not reached.
    InVain,
}

/// How a state that was wanted stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct State {
    pub(super) holds: bool,
    /// It can only have come about since.
    pub(super) new: bool,
    /// How near a number is that is not the same.
    pub(super) near: Option<Near>,
    /// What is there is something else.
    pub(super) other: Option<String>,
    /// The same as a signal.
    pub(super) signal: Option<SuccessSignal>,
}

/// How what is wanted of an element stands on a page. Changes, as opposed to states, are found elsewhere.
pub(super) fn state(
    wanted: &Wanted,
    page: &GraphStore,
    own: Option<&ElementNode>,
    told: &Told,
    before: Option<&Before>,
) -> State {
    match wanted {
        Wanted::Arrived(place) => return arrived(place, page, before),
        Wanted::Scrolled => {
            let moved = told.scrolled == Some(true);
            return State {
                holds: moved || told.at_limit == Some(true),
                new: moved,
                signal: custom("scroll.changed"),
                ..State::default()
            };
        }
        Wanted::Zoomed => {
            let zoomed = told.zoomed == Some(true);
            return State { holds: zoomed, new: zoomed, signal: custom("zoom.changed"), ..State::default() };
        }
        Wanted::Open(open) => return opened(*open, page, own, before),
        _ => {}
    }
    let Some(element) = own else { return State::default() };
    let ui = &element.state.ui;
    match wanted {
        Wanted::Focus => keyed(page, element, |state| state.focused = Some(true)),
        Wanted::Hover => {
            let mut hovered = keyed(page, element, |state| state.hovered = Some(true));
            hovered.holds |= told.as_wanted == Some(true);
            if let Some(layer) = before.and_then(|before| before.new_layers(page).next()) {
                let target = TargetRef::Scope { value: layer.id.clone() };
                hovered = State {
                    holds: true,
                    new: true,
                    signal: Some(SuccessSignal::ElementAppeared { target }),
                    ..State::default()
                };
            }
            hovered
        }
        Wanted::Text { text, append } => {
            let old = before.and_then(|before| before.target.as_ref());
            let old = old.and_then(|old| old.state.ui.text_value.as_deref()).filter(|_| *append);
            text_is(element, text, old, told)
        }
        Wanted::Value { value, tolerance } => value_is(element, value.reveal(), *tolerance, told),
        Wanted::Chosen(pick) => chosen(page, element, pick, told),
        Wanted::Toggled { to: Some(to) } => match (ui.checked, ui.pressed.or(ui.selected)) {
            (Some(_), _) => keyed(page, element, |state| state.checked = Some(*to)),
            (None, Some(_)) if ui.pressed.is_some() => {
                keyed(page, element, |state| state.pressed = Some(*to == Checked::Yes))
            }
            _ => keyed(page, element, |state| state.selected = Some(*to == Checked::Yes)),
        },
        Wanted::Toggled { to: None } => toggled(element, before),
        Wanted::Expanded(to) => match ui.expanded {
            None if ui.open.is_some() => keyed(page, element, |state| state.open = Some(*to)),
            _ => keyed(page, element, |state| state.expanded = Some(*to)),
        },
        Wanted::InView => State {
            holds: told.in_view.or(element.state.in_viewport) == Some(true),
            signal: custom("element.in_view"),
            ..State::default()
        },
        Wanted::Files(names) => {
            let text = ui.text_value.as_deref().unwrap_or_default();
            let listed = !names.is_empty() && names.iter().all(|name| text.contains(name.as_str()));
            State {
                holds: told.as_wanted.unwrap_or(listed),
                signal: custom("files.as_wanted"),
                ..State::default()
            }
        }
        _ => State::default(),
    }
}

/// A fact for which there is no signal, under a name that tells it.
fn custom(name: &str) -> Option<SuccessSignal> {
    Some(SuccessSignal::Custom { name: Text::new(name.to_owned()).ok()?, payload: None })
}

/// One key of the state of an element.
fn keyed(page: &GraphStore, element: &ElementNode, change: impl FnOnce(&mut UiState)) -> State {
    let wanted = state_of(change);
    State {
        holds: has_state(page, element, &wanted),
        signal: reference(element).map(|target| SuccessSignal::ElementState { target, state: wanted }),
        ..State::default()
    }
}

fn text_is(element: &ElementNode, wanted: &Private<String>, old: Option<&str>, told: &Told) -> State {
    if is_secret(element) {
        return secret(told);
    }
    let lines = |text: &str| text.replace("\r\n", "\n");
    let text = lines(&format!("{}{}", old.unwrap_or_default(), wanted.reveal()));
    let found = lines(element.state.ui.text_value.as_deref().unwrap_or_default());
    let signal = reference(element)
        .map(|target| SuccessSignal::ValueEquals { target, value: ScalarValue::Text(text.clone()) });
    let other = (found != text).then(|| "the field holds another text".to_owned());
    State { holds: other.is_none(), other, signal, ..State::default() }
}

/// Only the surface can say it, and nobody hears the value.
fn secret(told: &Told) -> State {
    State {
        holds: told.as_wanted == Some(true),
        other: (told.as_wanted == Some(false)).then(|| "the field holds another value".to_owned()),
        signal: custom("value.as_wanted"),
        ..State::default()
    }
}

fn value_is(element: &ElementNode, value: &ScalarValue, tolerance: Option<f64>, told: &Told) -> State {
    if is_secret(element) {
        return secret(told);
    }
    let ui = &element.state.ui;
    let signal =
        |value: ScalarValue| reference(element).map(|target| SuccessSignal::ValueEquals { target, value });
    match value {
        ScalarValue::Boolean(flag) => {
            State { holds: flag_of(ui) == Some(*flag), signal: signal(value.clone()), ..State::default() }
        }
        ScalarValue::Number(wanted) => {
            let text = || ui.text_value.as_deref().and_then(|text| text.trim().parse::<f64>().ok());
            let Some(found) = ui.numeric_value.map(Number::get).or_else(text) else {
                return State::default();
            };
            let residual = (found - wanted.get()).abs();
            let exact = residual == 0.0;
            let near = !exact && tolerance.is_some_and(|tolerance| residual <= tolerance);
            State {
                holds: exact || near,
                near: match (near, told.as_wanted) {
                    (true, _) => Some(Near::Enough),
                    (false, Some(false)) if !exact => Some(Near::InVain),
                    _ => None,
                },
                other: (!exact && !near).then(|| format!("the value is {found}")),
                signal: Number::new(if near { found } else { wanted.get() })
                    .and_then(|number| signal(ScalarValue::Number(number))),
                ..State::default()
            }
        }
        ScalarValue::Text(wanted) => {
            let number = || wanted.trim().parse::<f64>().ok();
            let same = match (&ui.text_value, ui.numeric_value) {
                (Some(text), _) => text == wanted,
                (None, Some(found)) => number() == Some(found.get()),
                (None, None) => wanted.is_empty(),
            };
            let same = same || only_choice(element) == Some(wanted);
            let other = (!same).then(|| "the field holds another value".to_owned());
            State { holds: same, other, signal: signal(value.clone()), ..State::default() }
        }
    }
}

/// What stands for the one option that is chosen: what people read of it is another thing.
fn only_choice(element: &ElementNode) -> Option<&String> {
    let mut chosen = element.options.iter().flatten().filter(|option| option.selected == Some(true));
    chosen.next().filter(|_| chosen.next().is_none()).map(|option| &option.value)
}

/// The chosen options are the wanted ones: in the list of the control, in the elements inside it, in what it shows, or
/// as the surface says.
fn chosen(page: &GraphStore, element: &ElementNode, pick: &Choice, told: &Told) -> State {
    let inside = |item: &&ElementNode| {
        matches!(
            item.role,
            Role::Option | Role::Radio | Role::Menuitem | Role::Tab | Role::Listitem | Role::Treeitem
        ) && elements_around(page, item).any(|around| around.instance_id == element.instance_id)
    };
    let options: Vec<(String, String, bool)> = match &element.options {
        Some(options) => options
            .iter()
            .map(|option| (option.value.clone(), option.label.clone(), option.selected == Some(true)))
            .collect(),
        None => page
            .elements()
            .filter(inside)
            .map(|item| {
                let name = item.name.clone().unwrap_or_default();
                (name.clone(), name, flag_of(&item.state.ui) == Some(true))
            })
            .collect(),
    };
    let shown = element.state.ui.text_value.as_deref();
    let own = |wanted: &String, by: fn(&(String, String, bool)) -> &String| {
        options.iter().find(|option| by(option) == wanted).map(|(.., is)| *is)
    };
    // Whether each of the wanted options is chosen, where the list has it.
    let marks: Vec<Option<bool>> = match pick {
        Choice::Values(values) => values.iter().map(|value| own(value, |(value, ..)| value)).collect(),
        Choice::Labels(labels) => labels.iter().map(|label| own(label, |(_, label, _)| label)).collect(),
        Choice::Index(index) => vec![options.get(*index).map(|(.., is)| *is)],
    };
    let shows = match pick {
        Choice::Values(wanted) | Choice::Labels(wanted) => {
            wanted.len() == 1 && wanted.first().map(String::as_str) == shown
        }
        Choice::Index(_) => false,
    };
    let itself = matches!(element.role, Role::Option | Role::Radio | Role::Tab)
        && flag_of(&element.state.ui) == Some(true);
    // An empty choice is no choice.
    let named = !marks.is_empty();
    let said = match (pick, &told.selected) {
        (Choice::Values(values), Some(said)) => values.iter().all(|value| said.contains(value)),
        _ => false,
    };
    // What the page shows now outweighs what was so right after the deed.
    let page_tells = named && marks.iter().all(Option::is_some) && options.iter().any(|(.., is)| *is);
    let listed = marks.iter().all(|mark| *mark == Some(true));
    let holds = named && (listed || shows || itself)
        || !page_tells && (named && said || told.as_wanted == Some(true));
    State { holds, signal: custom("choice.as_wanted"), ..State::default() }
}

fn toggled(element: &ElementNode, before: Option<&Before>) -> State {
    let Some(old) = before.and_then(|before| before.target.as_ref()) else { return State::default() };
    let (old, now) = (&old.state.ui, &element.state.ui);
    let mut wanted = UiState::default();
    if now.checked.is_some() && now.checked != old.checked {
        wanted.checked = now.checked;
    } else if now.pressed.is_some() && now.pressed != old.pressed {
        wanted.pressed = now.pressed;
    } else if now.selected.is_some() && now.selected != old.selected {
        wanted.selected = now.selected;
    } else {
        return State::default();
    }
    let signal = reference(element).map(|target| SuccessSignal::ElementState { target, state: wanted });
    State { holds: true, new: true, signal, ..State::default() }
}

/// The target says that it is open, or something opened; or the opposite. What is gone is closed.
fn opened(open: bool, page: &GraphStore, own: Option<&ElementNode>, before: Option<&Before>) -> State {
    if let Some(element) = own.filter(|element| is_shown(element)) {
        let ui = &element.state.ui;
        if let Some(found) = ui.open.or(ui.expanded) {
            let signal = reference(element).map(|target| SuccessSignal::ElementState {
                target,
                state: state_of(|state| match ui.open {
                    Some(_) => state.open = Some(found),
                    None => state.expanded = Some(found),
                }),
            });
            if found == open {
                return State { holds: true, signal, ..State::default() };
            }
        }
    }
    let Some(before) = before else {
        // A layer that is there without saying that it is open.
        return State { holds: !open && own.is_none_or(|element| !is_shown(element)), ..State::default() };
    };
    if open {
        let layer = before.new_layers(page).next();
        let signal = layer.map(|scope| {
            let target = Some(TargetRef::Scope { value: scope.id.clone() });
            SuccessSignal::DialogOpened { target }
        });
        return State { holds: signal.is_some(), new: signal.is_some(), signal, ..State::default() };
    }
    let gone = own.is_none_or(|element| !is_shown(element));
    let closed = before.dialogs_named(None).find(|id| !dialogs(page).any(|scope| scope.id == **id));
    let signal =
        closed.map(|id| SuccessSignal::DialogClosed { target: Some(TargetRef::Scope { value: id.clone() }) });
    State { holds: gone || signal.is_some(), new: gone || signal.is_some(), signal, ..State::default() }
}

/// The application is where it was to go. A redirection to elsewhere is no arrival.
fn arrived(place: &Place, page: &GraphStore, before: Option<&Before>) -> State {
    let route = page.route();
    let moved = before.is_some_and(|before| before.route_differs(page));
    let by_id =
        place.route_id.as_ref().map(|id| route.route_id.as_ref().is_some_and(|found| found.as_str() == id));
    let from = before.map_or(route.url.as_str(), |before| before.route.url.as_str());
    let by_url = place.url.as_ref().map(|url| pattern::matches(&pattern::beside(from, url), &route.url));
    let there = match (by_id, by_url) {
        (None, None) => moved,
        // A page need not name its routes; then its address decides.
        (Some(true), _) | (_, Some(true)) => true,
        _ => false,
    };
    let exact = Text::new(pattern::local(&route.url).to_owned()).ok();
    State {
        holds: there,
        new: there && moved,
        other: (moved && !there).then(|| format!("the route is {}", pattern::local(&route.url))),
        signal: there.then_some(SuccessSignal::RouteChanged { pattern: None, exact }),
        ..State::default()
    }
}
