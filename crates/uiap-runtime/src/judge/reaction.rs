//! Whether something on the page plausibly comes from the action.
//!
//! It is not any change: a clock, an animation, a list that updates itself elsewhere prove nothing. What counts:
//!
//! - another route;
//! - a dialog, drawer, menu or popover that opened; one that closed with the target in it;
//! - a toast; a message in the area of the target, or in a place that said nothing before;
//! - another page that opened, a file that is handed over;
//! - the focus on something else than the target;
//! - an element of the area of the target that came, went or changed, or a frame in it that shows another document.
//!
//! What does not: what pressing does by itself (focus and hover of the target, a bubble that explains it, a field that
//! lost the focus), what is busy or loading, what tells the time or keeps changing. While something in the area has
//! become busy, nothing counts yet. A message of failure or a new complaint about a value speaks against success.

use super::area::{Area, Change, Touched, is_in, is_ornament};
use super::before::{Before, complaint, new_complaints, new_messages, was_corrected};
use super::expectation::state_of;
use super::pattern;
use super::signals::is_invalid;
use super::target::{followed, reference, related, scopes_around, within};
use super::text::{only_time_passed, says_failure};
use crate::surface::{FILE_OFFERED, PAGE_OPENED};
use std::collections::BTreeSet;
use uiap_protocol::capability::{Role, SuccessSignal, TargetRef, UiState};
use uiap_protocol::ids::{ScopeId, Text};
use uiap_protocol::web::{ElementNode, GraphStore, ScopeKind, ScopeNode, WebSignalBody};

/// Most pieces of evidence that are kept.
const EVIDENCE_MAX: usize = 8;

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Reaction {
    /// What speaks for the action, in words and, where there is one, as a signal.
    pub(super) evidence: Vec<(String, Option<SuccessSignal>)>,
    /// What speaks against it.
    pub(super) against: Vec<String>,
    /// Something is still going on.
    pub(super) under_way: bool,
}

impl Reaction {
    fn add(&mut self, words: impl Into<String>, signal: Option<SuccessSignal>) {
        let words = words.into();
        if self.evidence.len() < EVIDENCE_MAX && !self.evidence.iter().any(|(known, _)| *known == words) {
            self.evidence.push((words, signal));
        }
    }
}

/// What a reaction is looked for in.
pub(super) struct Surroundings<'s> {
    pub(super) page: &'s GraphStore,
    pub(super) before: &'s Before,
    pub(super) heard: &'s [WebSignalBody],
    pub(super) area: Option<&'s mut Area>,
    pub(super) touched: &'s Touched<'s>,
    /// A form is to be taken: that its button looks different is not enough.
    pub(super) submits: bool,
}

impl Surroundings<'_> {
    /// The scopes of the area of the target.
    fn scopes(&self) -> Option<BTreeSet<ScopeId>> {
        let (area, target) = (self.area.as_ref()?, self.before.target.as_ref()?);
        Some(area.scopes(self.page, target))
    }
}

/// Everything that speaks for and against the action.
pub(super) fn reaction(around: &mut Surroundings<'_>) -> Reaction {
    let mut found = Reaction::default();
    route(around, &mut found);
    if around.touched.anew && around.before.target_is_gone(around.page) {
        found.add("the page was loaded anew", None);
    }
    layers(around, &mut found);
    messages(around, &mut found);
    openings(around, &mut found);
    focus(around, &mut found);
    area(around, &mut found);
    complaints(around, &mut found);
    found
}

fn route(around: &Surroundings<'_>, found: &mut Reaction) {
    if around.before.route_differs(around.page) {
        let local = pattern::local(&around.page.route().url);
        let exact = Text::new(local.to_owned()).ok();
        found.add(
            format!("the route is now {local}"),
            Some(SuccessSignal::RouteChanged { pattern: None, exact }),
        );
    }
}

fn layers(around: &Surroundings<'_>, found: &mut Reaction) {
    let Surroundings { page, before, .. } = around;
    for scope in before.new_layers(page) {
        let frame = scope.element_id.as_ref().and_then(|id| page.element(id.as_str()));
        if scope.kind == ScopeKind::Popover && frame.is_none_or(|frame| is_ornament(page, frame)) {
            continue;
        }
        let target = TargetRef::Scope { value: scope.id.clone() };
        let name = scope.name.as_deref().unwrap_or("without a name");
        let signal = match scope.kind {
            ScopeKind::Menu | ScopeKind::Popover => SuccessSignal::ElementAppeared { target },
            _ => SuccessSignal::DialogOpened { target: Some(target) },
        };
        found.add(format!("a {} opened: {name}", scope.kind), Some(signal));
    }
    // A press anywhere closes an open menu; only what the target was in was closed by it.
    for id in before.closed_layers(page) {
        if before.encloses_target(id) {
            let signal = SuccessSignal::DialogClosed { target: Some(TargetRef::Scope { value: id.clone() }) };
            found.add(format!("what the target was in closed: {id}"), Some(signal));
        }
    }
}

fn messages(around: &Surroundings<'_>, found: &mut Reaction) {
    let Surroundings { heard, touched, area, .. } = around;
    let mut said: Vec<(String, bool)> = Vec::new();
    for body in *heard {
        match body {
            WebSignalBody::ToastShown { text, .. } => said.push((text.clone(), true)),
            // One that was gone before anybody could see it proves nothing, but a failure stays one.
            WebSignalBody::StatusChanged { text, target: None } if says_failure(text) => {
                said.push((text.clone(), false));
            }
            _ => {}
        }
    }
    let near = around.scopes();
    let restless = |element: &ElementNode| area.as_ref().is_some_and(|area| area.is_restless(element));
    for (element, said_before, text) in new_messages(touched) {
        if restless(element) || said_before.is_some_and(|said_before| only_time_passed(said_before, text)) {
            continue;
        }
        let toast = element.role == Role::Toast;
        if toast || said_before.is_none() || near.as_ref().is_some_and(|near| is_in(near, element)) {
            said.push((text.to_owned(), toast));
        }
    }
    for (text, toast) in said {
        if says_failure(&text) {
            found.against.push(format!("the page says \"{text}\""));
            continue;
        }
        let signal = Text::new(text.clone()).ok().map(|text| {
            if toast { SuccessSignal::ToastContains { text } } else { SuccessSignal::StatusContains { text } }
        });
        found.add(format!("the page says \"{text}\""), signal);
    }
}

/// Another page, or a file: they are not on this page, so only the surface can tell.
fn openings(around: &Surroundings<'_>, found: &mut Reaction) {
    for body in around.heard {
        let WebSignalBody::Vendor(form) = body else { continue };
        match form.word.as_str() {
            PAGE_OPENED if form.members.get("refused") != Some(&serde_json::Value::Bool(true)) => {
                found.add("another page opened", None);
            }
            FILE_OFFERED => found.add("a file is handed over", None),
            _ => {}
        }
    }
}

fn focus(around: &Surroundings<'_>, found: &mut Reaction) {
    let Surroundings { page, before, submits, .. } = around;
    let now = page.focus().and_then(|focus| focus.target.as_ref());
    let Some(element) = now.filter(|now| before.focus.as_ref() != Some(now)) else { return };
    let Some(element) = page.element(element.as_str()) else { return };
    let own = before.target.as_ref().and_then(|target| followed(page, target));
    // Without its target, the focus falls back to wherever the page puts it; a refused form puts it on what is wrong.
    if *submits || is_invalid(element) || own.is_none_or(|own| related(page, own, element)) {
        return;
    }
    let name = element.name.as_deref().unwrap_or("an element without a name");
    let signal = reference(element).map(|target| SuccessSignal::ElementState {
        target,
        state: state_of(|state| state.focused = Some(true)),
    });
    found.add(format!("the focus is on {name}"), signal);
}

fn area(around: &mut Surroundings<'_>, found: &mut Reaction) {
    let Surroundings { page, before, area, touched, submits, .. } = around;
    let (Some(area), Some(target)) = (area, &before.target) else { return };
    let own = followed(page, target).map(|own| own.instance_id.clone());
    let ignored = |element: &ElementNode| {
        let id = &element.instance_id;
        let lost_focus = before.focus.as_ref() == Some(id) && own.as_ref() != Some(id);
        let own_look = *submits && own.as_ref() == Some(id);
        // What speaks is judged by what it says.
        let speaks = matches!(element.role, Role::Toast | Role::Alert | Role::Status);
        lost_focus || own_look || speaks
    };
    for change in area.changes(page, target, touched, ignored) {
        let (words, signal) = match change {
            Change::Appeared(id) => {
                let element = page.element(id.as_str());
                let signal = element.and_then(reference);
                let signal = signal.map(|target| SuccessSignal::ElementAppeared { target });
                (format!("{} appeared", name_of(element)), signal)
            }
            Change::Differs(id) => {
                let element = page.element(id.as_str());
                let signal = element.and_then(|element| {
                    let state = shown_state(element);
                    reference(element).map(|target| SuccessSignal::ElementState { target, state })
                });
                (format!("{} changed", name_of(element)), signal)
            }
            Change::Disappeared => ("something near the target disappeared".to_owned(), None),
            Change::Frame => ("a frame near the target shows another document".to_owned(), None),
        };
        found.add(words, signal);
    }
    if was_corrected(touched) {
        found.add("a value that was wrong is right", Some(SuccessSignal::ValidationNone { scope: None }));
    }
    found.under_way |= area.is_busy(page, target, touched);
}

fn complaints(around: &Surroundings<'_>, found: &mut Reaction) {
    let Surroundings { page, before, touched, submits, .. } = around;
    let scopes = around.scopes();
    let near = |element: &ElementNode| scopes.as_ref().is_none_or(|scopes| is_in(scopes, element));
    let mut wrong: Vec<&ElementNode> = new_complaints(touched).collect();
    // A form that still complains was not taken, unless the application has gone elsewhere.
    if *submits && !before.route_differs(page) {
        let form = before.target.as_ref().and_then(|target| form_around(page, target));
        let sent = |element: &&ElementNode| form.is_none_or(|form| within(page, element, form.id.as_str()));
        wrong.extend(page.elements().filter(|element| is_invalid(element)).filter(sent));
    }
    for element in wrong.into_iter().filter(|element| near(element)).take(EVIDENCE_MAX) {
        let message = complaint(element);
        let name = name_of(Some(element));
        let words =
            if message.is_empty() { format!("{name} is not valid") } else { format!("{name}: {message}") };
        if !found.against.contains(&words) {
            found.against.push(words);
        }
    }
}

/// The form that an element belongs to, by its place.
fn form_around<'p>(page: &'p GraphStore, element: &ElementNode) -> Option<&'p ScopeNode> {
    scopes_around(page, element).find(|scope| scope.kind == ScopeKind::Form)
}

fn name_of(element: Option<&ElementNode>) -> String {
    let Some(element) = element else { return "an element".to_owned() };
    match &element.name {
        Some(name) => format!("{} \"{name}\"", element.role),
        None => format!("a {} without a name", element.role),
    }
}

/// The part of a state that a reader of the result needs; never a value.
fn shown_state(element: &ElementNode) -> UiState {
    let now = &element.state.ui;
    state_of(|state| {
        state.visible = now.visible;
        state.enabled = now.enabled;
        state.selected = now.selected;
        state.checked = now.checked;
        state.pressed = now.pressed;
        state.expanded = now.expanded;
        state.open = now.open;
    })
}
