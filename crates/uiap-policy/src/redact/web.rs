//! Pages, what changed on them and what happened on them.

use super::{MASK, Redactor, ValueFacts};
use std::borrow::Cow;
use uiap_protocol::capability::Role;
use uiap_protocol::ids::{ElementInstanceId, RouteId};
use uiap_protocol::policy::RedactionMode;
use uiap_protocol::web::{
    DeltaOp, ElementNode, GraphNode, GraphStore, NodeKind, PageGraph, RouteState, WebSignal, WebSignalBody,
    WebStateDelta,
};
use uiap_protocol::wire::JsonObject;

impl Redactor<'_> {
    /// Withholds values of a page.
    pub fn graph(&mut self, graph: &mut PageGraph) {
        let route = graph.route.route_id.clone();
        let mut any = false;
        for element in &mut graph.elements {
            any |= self.element(element, route.as_ref());
        }
        if any {
            graph.redacted = Some(true);
        }
        if !self.withheld.is_empty() {
            self.strike(&mut graph.title);
            self.strike_route(&mut graph.route);
            graph.elements.iter_mut().for_each(|element| self.strike_element(element));
            graph.scopes.iter_mut().for_each(|scope| self.strike(&mut scope.name));
            for document in &mut graph.documents {
                self.strike(&mut document.title);
                self.strike(&mut document.url);
            }
        }
    }

    /// Withholds the value of one element; says whether anything was withheld.
    pub fn element(&mut self, element: &mut ElementNode, route: Option<&RouteId>) -> bool {
        let Some(mode) = self.mode_of(element, route) else { return false };
        let state = &mut element.state.ui;
        state.text_value = self.replace(state.text_value.take(), mode);
        state.placeholder = None;
        state.description = None;
        state.numeric_value = None;
        (state.checked, state.selected, state.pressed) = (None, None, None);
        element.description = None;
        for option in element.options.iter_mut().flatten() {
            option.selected = None;
        }
        if let Some(validation) = &mut element.validation {
            validation.message = None;
        }
        if !is_label(&element.role) {
            element.name = self.replace(element.name.take(), mode);
        }
        element.state.redacted = Some(true);
        true
    }

    /// Withholds values in what changed; `store` is the page before the change, as it was before redaction.
    pub fn delta(&mut self, delta: &mut WebStateDelta, store: &GraphStore, route: Option<&RouteId>) {
        let route = delta.route.as_ref().and_then(|route| route.route_id.clone()).or_else(|| route.cloned());
        for op in &mut delta.ops {
            match op {
                DeltaOp::Add { kind: NodeKind::Element, id, value, .. } => {
                    self.element_members(id.as_str(), value, store, route.as_ref());
                    value.retain(|_, member| !member.is_null());
                }
                DeltaOp::Update { kind: NodeKind::Element, id, value, .. } => {
                    self.element_members(id.as_str(), value, store, route.as_ref());
                }
                DeltaOp::Add { .. } | DeltaOp::Update { .. } | DeltaOp::Remove { .. } => {}
            }
        }
        for op in &mut delta.ops {
            if let DeltaOp::Add { value, .. } | DeltaOp::Update { value, .. } = op {
                self.strike_object(value);
            }
        }
        self.strike(&mut delta.title);
        delta.route.iter_mut().for_each(|route| self.strike_route(route));
    }

    /// An update names only what is different, so the rest is taken from the page before it.
    fn element_members(
        &mut self,
        id: &str,
        value: &mut JsonObject,
        store: &GraphStore,
        route: Option<&RouteId>,
    ) {
        let mut whole = match store.element(id).map(serde_json::to_value) {
            Some(Ok(serde_json::Value::Object(known))) => known,
            _ => JsonObject::new(),
        };
        whole.extend(value.iter().map(|(name, value)| (name.clone(), value.clone())));
        whole.retain(|_, value| !value.is_null());
        // What cannot be understood as an element is not handed on with its values.
        let Ok(GraphNode::Element(mut element)) = GraphNode::from_json(NodeKind::Element, &whole) else {
            for member in VALUE_MEMBERS {
                value.remove(member);
            }
            return;
        };
        if !self.element(&mut element, route) {
            return;
        }
        let Ok(serde_json::Value::Object(redacted)) = serde_json::to_value(&*element) else { return };
        for (name, slot) in value.iter_mut().filter(|(_, slot)| !slot.is_null()) {
            *slot = redacted.get(name).cloned().unwrap_or(serde_json::Value::Null);
        }
    }

    /// Withholds values in what happened. `page` is where the elements stand that a signal names.
    pub fn signal(&mut self, signal: &mut WebSignal, page: &GraphStore, route: Option<&RouteId>) {
        match &mut signal.body {
            WebSignalBody::RouteChanged { from, to } => {
                from.iter_mut().for_each(|route| self.strike_route(route));
                self.strike_route(to);
            }
            WebSignalBody::ToastShown { text, target } | WebSignalBody::StatusChanged { text, target } => {
                self.strike_said(text, target.as_ref(), page, route);
            }
            WebSignalBody::ValidationChanged { errors, .. } => {
                for error in errors {
                    self.strike_said(&mut error.message, error.target.as_ref(), page, route);
                }
            }
            WebSignalBody::EntityCreated { payload, .. }
            | WebSignalBody::EntityUpdated { payload, .. }
            | WebSignalBody::EntityDeleted { payload, .. }
            | WebSignalBody::Custom { payload, .. } => {
                payload.iter_mut().for_each(|payload| self.strike_object(payload));
            }
            WebSignalBody::NetworkResponse { url, .. } => self.strike_text(url),
            WebSignalBody::Vendor(form) => self.strike_object(&mut form.members),
            WebSignalBody::FocusChanged { .. }
            | WebSignalBody::DialogOpened { .. }
            | WebSignalBody::DialogClosed { .. } => {}
        }
    }

    /// A text that an element says: withheld like the element's own value.
    fn strike_said(
        &mut self,
        text: &mut String,
        target: Option<&ElementInstanceId>,
        page: &GraphStore,
        route: Option<&RouteId>,
    ) {
        let element = target.and_then(|id| page.element(id.as_str()));
        match element.and_then(|element| self.mode_of(element, route)) {
            // A signal must say something; what is left out is masked here.
            Some(mode) => *text = self.replacement(text, mode).unwrap_or_else(|| MASK.to_owned()),
            None => self.strike_text(text),
        }
    }

    fn mode_of(&self, element: &ElementNode, route: Option<&RouteId>) -> Option<RedactionMode> {
        let value = ValueFacts {
            data_classes: element.data_classes.as_deref().unwrap_or_default(),
            target: element.stable_id.as_ref(),
            route,
            sensitive: element.state.ui.sensitive == Some(true),
        };
        self.policy.redaction(&value, self.principal)
    }

    fn replace(&mut self, text: Option<String>, mode: RedactionMode) -> Option<String> {
        let text = text?;
        self.withhold(&text);
        self.replacement(&text, mode)
    }

    fn strike_element(&self, element: &mut ElementNode) {
        let state = &mut element.state.ui;
        self.strike(&mut element.name);
        self.strike(&mut element.description);
        self.strike(&mut state.text_value);
        self.strike(&mut state.placeholder);
        self.strike(&mut state.description);
        for option in element.options.iter_mut().flatten() {
            self.strike_text(&mut option.label);
            self.strike_text(&mut option.value);
        }
        element.validation.iter_mut().for_each(|validation| self.strike(&mut validation.message));
    }

    fn strike_route(&self, route: &mut RouteState) {
        self.strike_text(&mut route.url);
        self.strike(&mut route.path);
        self.strike(&mut route.title);
        for value in route.params.iter_mut().flat_map(|params| params.values_mut()) {
            self.strike_text(value);
        }
    }

    fn strike_object(&self, object: &mut JsonObject) {
        let mut value = serde_json::Value::Object(std::mem::take(object));
        self.json(&mut value, []);
        if let serde_json::Value::Object(struck) = value {
            *object = struck;
        }
    }

    fn strike(&self, text: &mut Option<String>) {
        text.iter_mut().for_each(|text| self.strike_text(text));
    }

    fn strike_text(&self, text: &mut String) {
        if let Cow::Owned(struck) = self.text(text) {
            *text = struck;
        }
    }
}

/// The members of an element that can hold its value.
const VALUE_MEMBERS: [&str; 5] = ["name", "description", "state", "options", "validation"];

/// Whether the name of an element is its label, not its content.
fn is_label(role: &Role) -> bool {
    matches!(
        role,
        Role::Button
            | Role::Textbox
            | Role::Textarea
            | Role::Searchbox
            | Role::Combobox
            | Role::Listbox
            | Role::Checkbox
            | Role::Radio
            | Role::Switch
            | Role::Slider
            | Role::Spinbutton
            | Role::Datepicker
            | Role::Timepicker
            | Role::Fileinput
            | Role::Tab
            | Role::Menuitem
            | Role::Form
    )
}
