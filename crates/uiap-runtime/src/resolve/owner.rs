//! The element that owns an action: the row, not the text in it (R007 6.A, 6.C).

use crate::areas::areas;
use crate::catalogue::Native;
use uiap_protocol::capability::{Affordance, PrimitiveAction as Primitive, Role};
use uiap_protocol::ids::{ActionId, ScopeId};
use uiap_protocol::web::{ElementNode, GraphStore, ScopeKind};

/// Most steps from a text to what it belongs to.
const OWNER_STEPS_MAX: usize = 16;

/// The element that offers what the action needs: the element itself, or the nearest one around it; of a form that is
/// to be sent, the button that is pressed for it. An element that nothing can stand for stays what it is; the gate says
/// then why it cannot be acted on.
pub(super) fn owner<'p>(
    page: &'p GraphStore,
    element: &'p ElementNode,
    action: &ActionId,
) -> &'p ElementNode {
    if Native::from_word(action.as_str()) == Some(Native::Primitive(Primitive::Submit)) {
        return sender(page, element).unwrap_or(element);
    }
    let needed = needed(action);
    if needed.is_empty() || offers(element, needed) {
        return element;
    }
    let mut around = element;
    for _ in 0..OWNER_STEPS_MAX {
        let Some(parent) = around.parent_id.as_ref().and_then(|id| page.element(id.as_str())) else { break };
        if parent.document_id != element.document_id {
            break;
        }
        if offers(parent, needed) {
            return parent;
        }
        around = parent;
    }
    element
}

/// The button that sends the form of an element: what is asked about and checked is what is pressed, whatever part of
/// the form was named. Nothing, where the page shows no such button.
fn sender<'p>(page: &'p GraphStore, element: &'p ElementNode) -> Option<&'p ElementNode> {
    let sends = |one: &ElementNode| one.role == Role::Button && offers(one, &[Affordance::Submit]);
    if sends(element) {
        return Some(element);
    }
    let own = page.scopes().find(|scope| scope.element_id.as_ref() == Some(&element.instance_id));
    let form = form_around(page, own.map(|scope| &scope.id).or(element.scope_id.as_ref())?)?;
    let visible = |one: &&ElementNode| one.state.ui.visible != Some(false);
    let mut senders = page.elements().filter(|one| sends(one)).filter(visible);
    senders.find(|one| one.scope_id.as_ref().and_then(|scope| form_around(page, scope)) == Some(form))
}

/// The innermost form that an area is, or is in.
fn form_around<'p>(page: &'p GraphStore, scope: &'p ScopeId) -> Option<&'p ScopeId> {
    areas(page, Some(scope)).find(|area| area.kind == ScopeKind::Form).map(|form| &form.id)
}

/// Nothing says that more can be done to it than reading it. What an application gives an id of its own as a control of
/// its own is one.
pub fn is_only_read(element: &ElementNode, action: &ActionId) -> bool {
    let own_control = element.role == Role::Custom && element.stable_id.is_some();
    let has_actions = element.default_action.is_some() || element.supported_actions.is_some();
    if own_control || has_actions {
        return false;
    }
    if is_press(action) && is_area(&element.role) {
        // Whoever pressed an area would press what happens to stand in its middle. A form is sent and a region takes the
        // focus, which is no press.
        let idle = [Affordance::Read, Affordance::Focus, Affordance::Submit];
        return element.affordances.iter().flatten().all(|affordance| idle.contains(affordance));
    }
    let only_read = |offered: &Vec<Affordance>| offered.iter().all(|one| *one == Affordance::Read);
    element.affordances.as_ref().is_some_and(only_read)
}

fn is_press(action: &ActionId) -> bool {
    matches!(
        Native::from_word(action.as_str()),
        Some(Native::LongPress | Native::Primitive(Primitive::Activate | Primitive::Navigate))
    )
}

/// It holds other things, and is nothing to use itself.
fn is_area(role: &Role) -> bool {
    matches!(
        role,
        Role::Form
            | Role::Region
            | Role::List
            | Role::Table
            | Role::Grid
            | Role::Tree
            | Role::Tablist
            | Role::Toolbar
            | Role::Menu
            | Role::Group
            | Role::Tabpanel
    )
}

/// Whether the action fits the element, as far as anybody says: a finger held on a heading leads to nothing (R007 4.3).
/// What says nothing about itself, or has actions of its own, is not doubted.
pub(super) fn fits(element: &ElementNode, action: &ActionId) -> bool {
    let needed = needed(action);
    let has_actions = element.default_action.is_some() || element.supported_actions.is_some();
    needed.is_empty() || element.affordances.is_none() || has_actions || offers(element, needed)
}

fn offers(element: &ElementNode, needed: &[Affordance]) -> bool {
    element.affordances.iter().flatten().any(|affordance| needed.contains(affordance))
}

/// Any of these lets the action be done. Nothing: every element will do.
fn needed(action: &ActionId) -> &'static [Affordance] {
    let Some(native) = Native::from_word(action.as_str()) else { return &[] };
    match native {
        Native::LongPress | Native::Primitive(Primitive::Activate) => &[
            Affordance::Activate,
            Affordance::Navigate,
            Affordance::Submit,
            Affordance::Toggle,
            Affordance::Open,
            Affordance::Expand,
            Affordance::Collapse,
            Affordance::Choose,
            Affordance::Upload,
            Affordance::Invoke,
            Affordance::Dismiss,
            Affordance::Close,
        ],
        Native::Primitive(Primitive::EnterText | Primitive::ClearText | Primitive::SetValue) => {
            &[Affordance::Edit]
        }
        Native::Primitive(Primitive::Choose) => &[Affordance::Choose, Affordance::Activate],
        Native::Primitive(Primitive::Toggle) => &[Affordance::Toggle, Affordance::Choose],
        Native::Primitive(Primitive::Expand | Primitive::Collapse) => {
            &[Affordance::Expand, Affordance::Collapse]
        }
        Native::Primitive(Primitive::Navigate) => &[Affordance::Navigate],
        Native::Primitive(Primitive::Upload) => &[Affordance::Upload],
        Native::Primitive(_) | Native::Pinch => &[],
    }
}
