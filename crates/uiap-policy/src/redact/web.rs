//! Pages, what changed on them and what happened on them.

use super::rule::strictest;
use super::{MASK, Redactor, ValueFacts};
use std::borrow::Cow;
use std::collections::HashMap;
use uiap_protocol::capability::Role;
use uiap_protocol::ids::{ElementInstanceId, RouteId, ScopeId};
use uiap_protocol::policy::RedactionMode;
use uiap_protocol::web::{
    DeltaOp, ElementNode, GraphNode, GraphStore, NodeKind, PageGraph, RouteState, ScopeNode, WebSignal,
    WebSignalBody, WebStateDelta,
};
use uiap_protocol::wire::JsonObject;

/// Most areas or elements around an element that are asked whether they are withheld.
const AROUND_MAX: usize = 256;

/// How elements are withheld, by their ids; those that are not are left out.
type Modes = HashMap<ElementInstanceId, RedactionMode>;

impl Redactor<'_> {
    /// Withholds values of a page. What stands in an element or area that is withheld is withheld with it.
    pub fn graph(&mut self, graph: &mut PageGraph) {
        let modes = self.modes(graph);
        for element in &mut graph.elements {
            if let Some(mode) = modes.get(&element.instance_id) {
                self.withhold_element(element, *mode);
            }
        }
        for scope in &mut graph.scopes {
            if let Some(mode) = scope.element_id.as_ref().and_then(|id| modes.get(id)) {
                scope.name = self.replace(scope.name.take(), *mode);
            }
        }
        if !modes.is_empty() {
            graph.redacted = Some(true);
        }
        if !self.withheld.is_empty() {
            self.strike_graph(graph);
        }
    }

    /// Remembers what is withheld of a page.
    pub fn note(&mut self, page: &GraphStore) {
        if self.withholds(page) {
            self.graph(&mut page.graph());
        }
    }

    fn withholds(&self, page: &GraphStore) -> bool {
        let route = page.route().route_id.as_ref();
        page.elements().any(|element| self.mode_of(element, route).is_some())
    }

    /// The page as the principal may see it; nothing, if that is all of it.
    pub fn page(&mut self, page: &GraphStore) -> Option<GraphStore> {
        if self.withheld.is_empty() && !self.withholds(page) {
            return None;
        }
        let route = page.route().route_id.as_ref();
        let whole = page.graph();
        let modes = self.modes(&whole);
        let mut graph = whole;
        self.graph(&mut graph);
        let this = &*self;
        Some(page.with_contents(graph, |was| {
            let mode = modes.get(&was.instance_id).copied().or_else(|| this.mode_of(was, route));
            if let Some(mode) = mode {
                this.blank(was, mode);
            }
            this.strike_element(was);
        }))
    }

    /// The elements of a page that are withheld.
    pub fn withheld_elements(&self, graph: &PageGraph) -> Vec<ElementInstanceId> {
        let modes = self.modes(graph);
        let elements = graph.elements.iter().map(|element| &element.instance_id);
        elements.filter(|id| modes.contains_key(*id)).cloned().collect()
    }

    fn modes(&self, graph: &PageGraph) -> Modes {
        let route = graph.route.route_id.as_ref();
        if !graph.elements.iter().any(|element| self.mode_of(element, route).is_some()) {
            return Modes::new();
        }
        let scopes: HashMap<&ScopeId, &ScopeNode> =
            graph.scopes.iter().map(|scope| (&scope.id, scope)).collect();
        let mut modes = Modes::new();
        for element in &graph.elements {
            let mut mode = self.mode_of(element, route);
            if !modes.is_empty() {
                let parent = element.parent_id.as_ref().and_then(|id| modes.get(id)).copied();
                let first = element.scope_id.as_ref().and_then(|id| scopes.get(id)).copied();
                let up = |scope: &&ScopeNode| scopes.get(scope.parent_scope_id.as_ref()?).copied();
                let around = std::iter::successors(first, up).take(AROUND_MAX);
                let areas = around.filter_map(|scope| modes.get(scope.element_id.as_ref()?)).copied();
                mode = strictest(mode.into_iter().chain(parent).chain(areas));
            }
            modes.extend(mode.map(|mode| (element.instance_id.clone(), mode)));
        }
        modes
    }

    fn strike_graph(&self, graph: &mut PageGraph) {
        self.strike(&mut graph.title);
        self.strike_route(&mut graph.route);
        graph.elements.iter_mut().for_each(|element| self.strike_element(element));
        graph.scopes.iter_mut().for_each(|scope| self.strike(&mut scope.name));
        for document in &mut graph.documents {
            self.strike(&mut document.title);
            self.strike(&mut document.url);
        }
        graph.opaque_regions.iter_mut().flatten().for_each(|region| self.strike(&mut region.label));
        graph.metadata.iter_mut().for_each(|metadata| self.strike_object(metadata));
    }

    /// Withholds the value of one element, whatever is around it; says whether anything was withheld.
    pub fn element(&mut self, element: &mut ElementNode, route: Option<&RouteId>) -> bool {
        let Some(mode) = self.mode_of(element, route) else { return false };
        self.withhold_element(element, mode);
        true
    }

    fn withhold_element(&mut self, element: &mut ElementNode, mode: RedactionMode) {
        let state = &element.state.ui;
        let name = element.name.as_ref().filter(|_| !is_label(&element.role));
        for text in [name, state.text_value.as_ref()].into_iter().flatten() {
            self.withheld.insert(text);
        }
        self.blank(element, mode);
    }

    /// Takes away what an element shows, without remembering it.
    fn blank(&self, element: &mut ElementNode, mode: RedactionMode) {
        let state = &mut element.state.ui;
        state.text_value = state.text_value.take().and_then(|text| self.replacement(&text, mode));
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
            element.name = element.name.take().and_then(|text| self.replacement(&text, mode));
        }
        element.state.redacted = Some(true);
    }

    /// Withholds values in what changed; `store` is the page before the change, as it was before redaction.
    pub fn delta(&mut self, delta: &mut WebStateDelta, store: &GraphStore, route: Option<&RouteId>) {
        let route = delta.route.as_ref().and_then(|route| route.route_id.clone()).or_else(|| route.cloned());
        let mut modes = Modes::new();
        for op in &mut delta.ops {
            match op {
                DeltaOp::Add { kind: NodeKind::Element, id, value, .. } => {
                    self.element_members(id.as_str(), value, store, route.as_ref(), &mut modes);
                    value.retain(|_, member| !member.is_null());
                }
                DeltaOp::Update { kind: NodeKind::Element, id, value, .. } => {
                    self.element_members(id.as_str(), value, store, route.as_ref(), &mut modes);
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
        modes: &mut Modes,
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
        let parent = element.parent_id.as_ref().and_then(|id| modes.get(id)).copied();
        let mode = strictest(parent.into_iter().chain(self.mode_on(&element, store, route)));
        let Some(mode) = mode else { return };
        modes.insert(element.instance_id.clone(), mode);
        self.withhold_element(&mut element, mode);
        let Ok(serde_json::Value::Object(redacted)) = serde_json::to_value(&*element) else { return };
        for (name, slot) in value.iter_mut().filter(|(_, slot)| !slot.is_null()) {
            *slot = redacted.get(name).cloned().unwrap_or(serde_json::Value::Null);
        }
    }

    /// Withholds values in what happened. `page` is where the elements stand that a signal names; without it nothing is
    /// known of them.
    pub fn signal(&mut self, signal: &mut WebSignal, page: Option<&GraphStore>, route: Option<&RouteId>) {
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
        page: Option<&GraphStore>,
        route: Option<&RouteId>,
    ) {
        let mode = page.zip(target).and_then(|(page, id)| {
            let element = page.element(id.as_str())?;
            self.mode_on(element, page, route)
        });
        match mode {
            // A signal must say something; what is left out is masked here.
            Some(mode) => *text = self.replacement(text, mode).unwrap_or_else(|| MASK.to_owned()),
            None => self.strike_text(text),
        }
    }

    /// How an element is withheld where it stands: by itself, or with what it stands in.
    fn mode_on(
        &self,
        element: &ElementNode,
        page: &GraphStore,
        route: Option<&RouteId>,
    ) -> Option<RedactionMode> {
        let up = |element: &&ElementNode| page.element(element.parent_id.as_ref()?.as_str());
        let around = std::iter::successors(Some(element), up).take(AROUND_MAX);
        let first = element.scope_id.as_ref().and_then(|id| page.scope(id.as_str()));
        let up = |scope: &&ScopeNode| page.scope(scope.parent_scope_id.as_ref()?.as_str());
        let areas = std::iter::successors(first, up).take(AROUND_MAX);
        let areas = areas.filter_map(|scope| page.element(scope.element_id.as_ref()?.as_str()));
        strictest(around.chain(areas).filter_map(|element| self.mode_of(element, route)))
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
