//! The sixteen success signals, on a page and on what was heard.

use super::area::Touched;
use super::before::{Before, dialogs, new_messages};
use super::pattern;
use super::target::{named, names_scope, within};
use super::text::contains;
use serde_json::Value;
use uiap_protocol::capability::{
    Checked, CountOperator, Invalid, ScalarValue, SuccessSignal, TargetRef, UiState,
};
use uiap_protocol::ids::{JsonPointer, ScopeId, Text};
use uiap_protocol::web::{ElementNode, GraphStore, WebSignalBody};
use uiap_protocol::wire::JsonObject;

/// How a signal stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Standing {
    /// It holds now, or has occurred.
    pub(super) holds: bool,
    /// It can only have come about since the baseline.
    pub(super) new: bool,
}

impl Standing {
    /// An event: it is new by its nature.
    fn event(occurred: bool) -> Self {
        Self { holds: occurred, new: occurred }
    }

    /// A state: whether it is new depends on how it was.
    fn state(holds: bool) -> Self {
        Self { holds, new: false }
    }
}

/// What a signal is judged by.
#[derive(Clone, Copy)]
pub(super) struct Look<'l> {
    pub(super) page: &'l GraphStore,
    pub(super) before: &'l Before,
    pub(super) heard: &'l [WebSignalBody],
    pub(super) touched: &'l Touched<'l>,
    /// The element of the action, and what the surface says about its value.
    pub(super) own: Option<(&'l ElementNode, Option<bool>)>,
}

/// How a signal stands. One that nobody here understands never holds.
pub(super) fn standing(signal: &SuccessSignal, look: Look<'_>) -> Standing {
    let Look { page, before, heard, .. } = look;
    match signal {
        SuccessSignal::ElementAppeared { target } => {
            let count = shown(page, target);
            Standing { holds: count > 0, new: count > before.count_of(target) }
        }
        SuccessSignal::ElementDisappeared { target } => Standing::state(shown(page, target) == 0),
        SuccessSignal::ElementState { target, state } => {
            Standing::state(the(page, target).is_some_and(|element| has_state(page, element, state)))
        }
        SuccessSignal::ValueEquals { target, value } => Standing::state(value_equals(look, target, value)),
        SuccessSignal::RouteChanged { pattern, exact } => {
            route_changed(look, pattern.as_ref().map(Text::as_str), exact.as_ref().map(Text::as_str))
        }
        SuccessSignal::DialogOpened { target } => dialog_opened(look, target.as_ref()),
        SuccessSignal::DialogClosed { target } => dialog_closed(look, target.as_ref()),
        SuccessSignal::ToastContains { text } | SuccessSignal::StatusContains { text } => {
            Standing::event(messages(look).any(|message| contains(message, text.as_str())))
        }
        SuccessSignal::ValidationNone { scope } => {
            let scope = scope.as_ref().map(ScopeId::as_str);
            Standing::state(
                !page.elements().any(|element| {
                    is_invalid(element) && scope.is_none_or(|scope| within(page, element, scope))
                }),
            )
        }
        SuccessSignal::CollectionCount { target, op, value } => {
            Standing::state(the(page, target).is_some_and(|element| {
                let count = count_of(page, element);
                match op {
                    CountOperator::Eq => count == *value,
                    CountOperator::Gte => count >= *value,
                    CountOperator::Lte => count <= *value,
                }
            }))
        }
        SuccessSignal::EntityCreated { entity_type, id_path } => Standing::event(heard.iter().any(|body| {
            matches!(body, WebSignalBody::EntityCreated { entity_type: found, payload }
                if found == entity_type && has_id(payload.as_ref(), id_path.as_ref()))
        })),
        SuccessSignal::EntityUpdated { entity_type, id_path } => Standing::event(heard.iter().any(|body| {
            matches!(body, WebSignalBody::EntityUpdated { entity_type: found, payload }
                if found == entity_type && has_id(payload.as_ref(), id_path.as_ref()))
        })),
        SuccessSignal::EntityDeleted { entity_type, id_path } => Standing::event(heard.iter().any(|body| {
            matches!(body, WebSignalBody::EntityDeleted { entity_type: found, payload }
                if found == entity_type && has_id(payload.as_ref(), id_path.as_ref()))
        })),
        SuccessSignal::NetworkResponse { url_pattern, status } => Standing::event(heard.iter().any(|body| {
            matches!(body, WebSignalBody::NetworkResponse { url, status: found }
                if status.is_none_or(|status| status == *found)
                    && url_pattern.as_ref().is_none_or(|wanted| pattern::matches(wanted.as_str(), url)))
        })),
        SuccessSignal::Custom { name, payload } => Standing::event(heard.iter().any(|body| {
            matches!(body, WebSignalBody::Custom { name: found, payload: sent }
                if found == name && includes(sent.as_ref(), payload.as_ref()))
        })),
        SuccessSignal::Vendor(_) => Standing::default(),
    }
}

/// What was said since the baseline, whether or not it is still shown.
fn messages(look: Look<'_>) -> impl Iterator<Item = &str> {
    let heard = look.heard.iter().filter_map(|body| match body {
        WebSignalBody::ToastShown { text, .. } | WebSignalBody::StatusChanged { text, .. } => {
            Some(text.as_str())
        }
        _ => None,
    });
    heard.chain(new_messages(look.touched).map(|(_, _, text)| text))
}

/// How many elements a signal names that can be seen.
pub(super) fn shown(page: &GraphStore, target: &TargetRef) -> usize {
    if let TargetRef::Scope { value } = target {
        let open = page
            .scope(value.as_str())
            .is_some_and(|scope| scope.state.as_ref().and_then(|state| state.visible) != Some(false));
        return usize::from(open);
    }
    named(page, target).into_iter().filter(|element| is_shown(element)).count()
}

/// It is not known to be hidden.
pub(super) fn is_shown(element: &ElementNode) -> bool {
    element.state.ui.visible != Some(false)
}

/// The one element that a signal names; the one that can be seen, if there are several.
fn the<'p>(page: &'p GraphStore, target: &TargetRef) -> Option<&'p ElementNode> {
    let found = named(page, target);
    match found.as_slice() {
        [one] => Some(one),
        several => {
            let mut shown = several.iter().filter(|element| is_shown(element));
            let first = shown.next()?;
            shown.next().is_none().then_some(first)
        }
    }
}

/// Every key that is named has this value. The focus of the page counts as the element's own (finding A19).
pub(super) fn has_state(page: &GraphStore, element: &ElementNode, wanted: &UiState) -> bool {
    let mut found = element.state.ui.clone();
    if page.focus().and_then(|focus| focus.target.as_ref()) == Some(&element.instance_id) {
        found.focused = Some(true);
    }
    let object = |state: &UiState| serde_json::to_value(state).unwrap_or_default();
    let (wanted, found) = (object(wanted), object(&found));
    let Some(wanted) = wanted.as_object() else { return false };
    !wanted.is_empty() && wanted.iter().all(|(key, value)| found.get(key) == Some(value))
}

fn value_equals(look: Look<'_>, target: &TargetRef, value: &ScalarValue) -> bool {
    let Some(element) = the(look.page, target) else { return false };
    if is_secret(element) {
        let own = look.own.filter(|(own, _)| own.instance_id == element.instance_id);
        return own.and_then(|(_, as_wanted)| as_wanted) == Some(true);
    }
    let state = &element.state.ui;
    match value {
        ScalarValue::Text(text) => state.text_value.as_ref() == Some(text),
        ScalarValue::Number(number) => state.numeric_value == Some(*number),
        ScalarValue::Boolean(flag) => flag_of(state) == Some(*flag),
    }
}

/// A value that is not published.
pub(super) fn is_secret(element: &ElementNode) -> bool {
    element.state.redacted == Some(true) || element.state.ui.sensitive == Some(true)
}

/// Whether it is checked, selected or pressed: the first of these that is known.
pub(super) fn flag_of(state: &UiState) -> Option<bool> {
    match state.checked {
        Some(Checked::Yes) => Some(true),
        Some(Checked::No) => Some(false),
        Some(Checked::Mixed) => None,
        None => state.selected.or(state.pressed),
    }
}

/// It says that its value is wrong.
pub(super) fn is_invalid(element: &ElementNode) -> bool {
    element.validation.as_ref().is_some_and(|validation| validation.invalid)
        || element.state.ui.invalid.is_some_and(|invalid| invalid != Invalid::No)
}

/// Direct items, as the page counts them, or as they stand in it.
fn count_of(page: &GraphStore, element: &ElementNode) -> u64 {
    match &element.collection {
        Some(collection) => collection.count,
        None => {
            let child = |item: &&ElementNode| item.parent_id.as_ref() == Some(&element.instance_id);
            page.elements().filter(child).count() as u64
        }
    }
}

/// The application must still be there: a route that was left again is no success.
fn route_changed(look: Look<'_>, pattern: Option<&str>, exact: Option<&str>) -> Standing {
    let url = look.page.route().url.as_str();
    let fits = pattern.is_none_or(|pattern| pattern::matches(pattern, url))
        && exact.is_none_or(|exact| pattern::is_exactly(exact, url));
    let moved = look.before.route_differs(look.page)
        || look.heard.iter().any(|body| {
            matches!(body, WebSignalBody::RouteChanged { from, to }
                if to.url == url && from.as_ref().is_none_or(|from| from != to))
        });
    let named = pattern.is_some() || exact.is_some();
    Standing { holds: fits && (moved || named), new: fits && moved }
}

fn dialog_opened(look: Look<'_>, target: Option<&TargetRef>) -> Standing {
    let mut standing = Standing::default();
    for scope in dialogs(look.page) {
        if target.is_none_or(|target| names_scope(look.page, target, scope)) {
            // Without a name, a dialog that was open all the time is none that opened.
            standing.holds |= target.is_some();
            let heard = look.heard.iter().any(
                |body| matches!(body, WebSignalBody::DialogOpened { scope_id } if *scope_id == scope.id),
            );
            if heard || !look.before.had_dialog(&scope.id) {
                standing = Standing::event(true);
            }
        }
    }
    standing
}

fn dialog_closed(look: Look<'_>, target: Option<&TargetRef>) -> Standing {
    let open = |id: &ScopeId| dialogs(look.page).any(|scope| scope.id == *id);
    let mut closed = look.before.dialogs_named(target).filter(|id| !open(id));
    if closed.next().is_some() {
        return Standing::event(true);
    }
    // One that opened and closed since, known by its id or not named at all.
    let heard = look.heard.iter().any(|body| match (body, target) {
        (WebSignalBody::DialogClosed { scope_id }, Some(TargetRef::Scope { value })) => {
            value == scope_id && !open(scope_id)
        }
        (WebSignalBody::DialogClosed { scope_id }, None) => !open(scope_id),
        _ => false,
    });
    let none_open =
        target.is_some_and(|target| !dialogs(look.page).any(|scope| names_scope(look.page, target, scope)));
    Standing { holds: heard || none_open, new: heard }
}

/// The id of an entity is where it is said to be.
fn has_id(payload: Option<&JsonObject>, path: Option<&JsonPointer>) -> bool {
    let Some(path) = path else { return true };
    let Some(payload) = payload else { return false };
    let value = Value::Object(payload.clone());
    matches!(value.pointer(path.as_str()), Some(Value::String(_) | Value::Number(_)))
}

/// Every member that is wanted was sent.
fn includes(sent: Option<&JsonObject>, wanted: Option<&JsonObject>) -> bool {
    let mut wanted = wanted.into_iter().flatten();
    wanted.all(|(key, value)| sent.and_then(|sent| sent.get(key)) == Some(value))
}
