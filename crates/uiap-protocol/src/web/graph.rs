//! A snapshot of a page: flat lists, linked by ids.

use super::{NodeKind, WebElementState};
use crate::capability::{Affordance, RiskDescriptor, Role, SuccessSignal, UiState};
use crate::finding::{Code, Finding};
use crate::ids::{
    ActionId, DocumentId, ElementInstanceId, Id, Locale, ModelVersion, RevisionId, RouteId, ScopeId,
    StableId, constant,
};
use crate::policy::DataClass;
use crate::text::Node;
use crate::time::Timestamp;
use crate::wire::{Decoder, JsonObject, Number, Wire, decode_object};
use std::collections::{BTreeMap, HashSet};

constant! {
    /// The profile of every PageGraph.
    WebProfile, "web@0.1", Some("WEB-2")
}

/// A page as an agent sees it.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "WEB-4", check = PageGraph::check)]
pub struct PageGraph {
    /// Always `0.1`.
    #[wire(requirement = "WEB-31")]
    pub model_version: ModelVersion,
    /// Always `web@0.1`.
    pub profile: WebProfile,
    /// This state of the page.
    #[wire(requirement = "WEB-32")]
    pub revision: RevisionId,
    /// Goes up by one with every published revision.
    pub seq: u64,
    /// When it was looked at.
    pub captured_at: Timestamp,
    /// Where the application is.
    #[wire(requirement = "WEB-44")]
    pub route: RouteState,
    /// The title of the page.
    pub title: Option<String>,
    /// The language of the page.
    pub locale: Option<Locale>,
    /// What part of the page is shown.
    pub viewport: Option<Viewport>,
    /// The page and what is embedded in it.
    pub documents: Vec<DocumentNode>,
    /// Areas of the page.
    pub scopes: Vec<ScopeNode>,
    /// What matters in them, in document order.
    pub elements: Vec<ElementNode>,
    /// What has the focus.
    pub focus: Option<Focus>,
    /// Dialogs on top of each other, the topmost last.
    pub modal_stack: Option<Vec<ScopeId>>,
    /// Where nobody may look.
    pub opaque_regions: Option<Vec<OpaqueRegion>>,
    /// Something was left out for size.
    pub truncated: Option<bool>,
    /// Something was left out for secrecy.
    pub redacted: Option<bool>,
    /// What only the publisher understands.
    pub metadata: Option<JsonObject>,
}

/// The member of a node that names another node, and what it names.
pub(super) type Reference<'g> = (&'static str, NodeKind, &'g str);

impl DocumentNode {
    /// The nodes that this one names.
    pub(super) fn references(&self) -> impl Iterator<Item = Reference<'_>> {
        let parent =
            self.parent_document_id.iter().map(|id| ("parentDocumentId", NodeKind::Document, id.as_str()));
        let host = self.host_element_id.iter().map(|id| ("hostElementId", NodeKind::Element, id.as_str()));
        parent.chain(host)
    }
}

impl ScopeNode {
    /// The nodes that this one names.
    pub(super) fn references(&self) -> impl Iterator<Item = Reference<'_>> {
        let document = ("documentId", NodeKind::Document, self.document_id.as_str());
        let parent = self.parent_scope_id.iter().map(|id| ("parentScopeId", NodeKind::Scope, id.as_str()));
        let element = self.element_id.iter().map(|id| ("elementId", NodeKind::Element, id.as_str()));
        std::iter::once(document).chain(parent).chain(element)
    }
}

impl ElementNode {
    /// The nodes that this one names.
    pub(super) fn references(&self) -> impl Iterator<Item = Reference<'_>> {
        let document = ("documentId", NodeKind::Document, self.document_id.as_str());
        let scope = self.scope_id.iter().map(|id| ("scopeId", NodeKind::Scope, id.as_str()));
        let parent = self.parent_id.iter().map(|id| ("parentId", NodeKind::Element, id.as_str()));
        std::iter::once(document).chain(scope).chain(parent)
    }
}

impl OpaqueRegion {
    /// The nodes that this one names.
    pub(super) fn references(&self) -> impl Iterator<Item = Reference<'_>> {
        self.host_element_id.iter().map(|id| ("hostElementId", NodeKind::Element, id.as_str()))
    }
}

impl PageGraph {
    /// A graph whose elements travelled apart from the rest, which has an empty list of them; or what is wrong with it.
    pub fn assemble(rest: &Node<'_>, elements: Vec<ElementNode>) -> Result<Self, Vec<Finding>> {
        let mut decoder = Decoder::brief();
        let graph = decode_object::<Self>(rest, &mut decoder, None).map(|mut graph| {
            graph.elements = elements;
            graph.check(&mut decoder);
            graph
        });
        let findings = decoder.finish();
        graph.filter(|_| findings.is_empty()).ok_or(findings)
    }

    fn check(&self, decoder: &mut Decoder<'_>) {
        let documents = self.documents.iter().map(|document| document.id.as_str());
        let scopes = self.scopes.iter().map(|scope| scope.id.as_str());
        let elements = self.elements.iter().map(|element| element.instance_id.as_str());
        let opaque = self.opaque_regions.iter().flatten().map(|region| region.id.as_str());
        decoder.unique("opaqueRegions", opaque);
        let ids = GraphIds {
            documents: decoder.unique("documents", documents),
            scopes: decoder.unique("scopes", scopes),
            elements: decoder.unique("elements", elements),
        };
        ids.check_list("documents", self.documents.iter().map(DocumentNode::references), decoder);
        ids.check_list("scopes", self.scopes.iter().map(ScopeNode::references), decoder);
        ids.check_list("elements", self.elements.iter().map(ElementNode::references), decoder);
        let regions = self.opaque_regions.iter().flatten();
        ids.check_list("opaqueRegions", regions.map(OpaqueRegion::references), decoder);
        if let Some(focus) = &self.focus {
            let target = focus.target.iter().map(|id| ("target", NodeKind::Element, id.as_str()));
            let document = focus.document_id.iter().map(|id| ("documentId", NodeKind::Document, id.as_str()));
            decoder.at("focus", |decoder| {
                target.chain(document).for_each(|named| ids.check_one(named, decoder));
            });
        }
        for (index, scope) in self.modal_stack.iter().flatten().enumerate() {
            if !ids.has(NodeKind::Scope, scope.as_str()) {
                item("modalStack", index, decoder, |decoder| {
                    dangling(NodeKind::Scope, scope.as_str(), decoder);
                });
            }
        }
    }
}

/// The ids of a graph, by kind.
struct GraphIds<'g> {
    documents: HashSet<&'g str>,
    scopes: HashSet<&'g str>,
    elements: HashSet<&'g str>,
}

impl GraphIds<'_> {
    fn has(&self, kind: NodeKind, id: &str) -> bool {
        match kind {
            NodeKind::Document => self.documents.contains(id),
            NodeKind::Scope => self.scopes.contains(id),
            NodeKind::Element => self.elements.contains(id),
            NodeKind::Opaque => false,
        }
    }

    fn check_list<'g, R: Iterator<Item = Reference<'g>>>(
        &self,
        list: &'static str,
        nodes: impl Iterator<Item = R>,
        decoder: &mut Decoder<'_>,
    ) {
        for (index, references) in nodes.enumerate() {
            for reference in references.filter(|(_, kind, id)| !self.has(*kind, id)) {
                item(list, index, decoder, |decoder| self.check_one(reference, decoder));
            }
        }
    }

    fn check_one(&self, (member, kind, id): Reference<'_>, decoder: &mut Decoder<'_>) {
        if !self.has(kind, id) {
            decoder.at(member, |decoder| dangling(kind, id, decoder));
        }
    }
}

fn item<'t>(
    list: &'static str,
    index: usize,
    decoder: &mut Decoder<'t>,
    body: impl FnOnce(&mut Decoder<'t>),
) {
    decoder.at(list, |decoder| decoder.at_index(index, body));
}

fn dangling(kind: NodeKind, id: &str, decoder: &mut Decoder<'_>) {
    decoder.error(Code::DanglingReference, format!("There is no {kind} \"{id}\" in this graph."));
}

/// Where an application is.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct RouteState {
    /// The name of the route.
    pub route_id: Option<RouteId>,
    /// The address.
    pub url: String,
    /// The path alone.
    pub path: Option<String>,
    /// The variable parts of the path.
    pub params: Option<BTreeMap<String, String>>,
    /// The title of the route.
    pub title: Option<String>,
}

/// What part of a page is shown.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct Viewport {
    /// Width.
    pub width: Number,
    /// Height.
    pub height: Number,
    /// Scrolled to the right.
    pub scroll_x: Number,
    /// Scrolled down.
    pub scroll_y: Number,
}

/// A rectangle in CSS pixels of the top-level viewport.
#[derive(Clone, Copy, Debug, PartialEq, Wire)]
#[wire(name = "DOMRectLike", requirement = "WEB-38")]
pub struct Rect {
    /// Left edge.
    pub x: Number,
    /// Upper edge.
    pub y: Number,
    /// Width.
    pub width: Number,
    /// Height.
    pub height: Number,
}

/// What has the focus.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "WEB-39")]
pub struct Focus {
    /// The element.
    pub target: Option<ElementInstanceId>,
    /// The document.
    pub document_id: Option<DocumentId>,
}

/// The page or something embedded in it.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct DocumentNode {
    /// Which.
    pub id: DocumentId,
    /// Its address.
    pub url: Option<String>,
    /// Its origin.
    pub origin: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// What embeds it.
    pub parent_document_id: Option<DocumentId>,
    /// The element that shows it.
    pub host_element_id: Option<ElementInstanceId>,
    /// How it is separated from its parent.
    pub boundary: Boundary,
}

/// What separates a document from its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(case = "kebab-case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum BoundaryKind {
    Root,
    SameOriginFrame,
    CrossOriginFrame,
    BridgedFrame,
    OpenShadow,
    ClosedShadow,
}

/// How a document is separated from its parent.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct Boundary {
    /// By what.
    pub kind: BoundaryKind,
    /// Nobody may look inside.
    pub opaque: bool,
    /// The origin behind it.
    pub origin: Option<String>,
    /// The bridge across it.
    pub bridge_id: Option<Id>,
}

/// What kind of area a scope is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Wire)]
#[wire(requirement = "WEB-48", case = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum ScopeKind {
    Page,
    Region,
    Form,
    Dialog,
    Drawer,
    Menu,
    Popover,
    Tabpanel,
    Toolbar,
    Navigation,
    List,
    Table,
    Grid,
    Tree,
    Group,
    Frame,
    Custom,
}

/// An area of a page.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct ScopeNode {
    /// Which.
    pub id: ScopeId,
    /// What kind.
    pub kind: ScopeKind,
    /// Where.
    pub document_id: DocumentId,
    /// What surrounds it.
    pub parent_scope_id: Option<ScopeId>,
    /// Its stable identity.
    pub stable_id: Option<StableId>,
    /// How it is called.
    pub name: Option<String>,
    /// Its state.
    pub state: Option<UiState>,
    /// The element it belongs to.
    pub element_id: Option<ElementInstanceId>,
}

/// Where the knowledge about an element comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(case = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum ElementSource {
    Annotation,
    Registry,
    Binding,
    Html,
    Aria,
    Text,
    Heuristic,
    Vision,
}

/// Whether an element is inside a shadow root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(case = "kebab-case")]
pub enum Shadow {
    /// An open one.
    Open,
    /// A closed one that a bridge opens.
    ClosedBridged,
}

/// Something on a page that matters.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "WEB-49")]
pub struct ElementNode {
    /// Which: stable while the node lives.
    pub instance_id: ElementInstanceId,
    /// Its stable identity.
    pub stable_id: Option<StableId>,
    /// Its document.
    pub document_id: DocumentId,
    /// Its scope.
    pub scope_id: Option<ScopeId>,
    /// The element that contains it.
    pub parent_id: Option<ElementInstanceId>,
    /// What it is.
    pub role: Role,
    /// How it is called.
    pub name: Option<String>,
    /// What is said about it.
    pub description: Option<String>,
    /// What it means to the application.
    pub meaning: Option<String>,
    /// The icon that it shows in place of a name, as the set of icons calls it.
    pub icon: Option<String>,
    /// Its state.
    pub state: WebElementState,
    /// What it offers.
    pub affordances: Option<Vec<Affordance>>,
    /// What can be requested of it.
    pub supported_actions: Option<Vec<ActionId>>,
    /// What is requested of it by default.
    pub default_action: Option<ActionId>,
    /// How risky it is.
    pub risk: Option<RiskDescriptor>,
    /// What data it holds.
    pub data_classes: Option<Vec<DataClass>>,
    /// How its success is recognised.
    pub success: Option<Vec<SuccessSignal>>,
    /// Where it is.
    pub bbox: Option<Rect>,
    /// What can be chosen in it.
    pub options: Option<Vec<Choice>>,
    /// What it is a collection of.
    pub collection: Option<Collection>,
    /// Whether its value is valid.
    pub validation: Option<Validation>,
    /// Whether it is in a shadow root.
    pub shadow: Option<Shadow>,
    /// Where the knowledge about it comes from.
    pub source: Option<ElementSource>,
    /// The rule that inferred what it is, where its author did not say.
    pub derived_by: Option<String>,
    /// The numbers in its name and text change by themselves, like those of a clock. Such a change is no new revision.
    pub volatile: Option<bool>,
}

/// Something that can be chosen.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "ElementOption")]
pub struct Choice {
    /// Its value.
    pub value: String,
    /// Its name for people.
    pub label: String,
    /// It is chosen.
    pub selected: Option<bool>,
    /// It can be chosen.
    pub enabled: Option<bool>,
}

/// What an element is a collection of.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct Collection {
    /// How many items.
    pub count: u64,
    /// What the items are.
    pub item_role: Option<Role>,
    /// There are more than are shown.
    pub has_more: Option<bool>,
}

/// Whether a value is valid.
#[derive(Clone, Debug, PartialEq, Wire)]
pub struct Validation {
    /// It is not.
    pub invalid: bool,
    /// Why.
    pub message: Option<String>,
}

/// Why nobody may look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(case = "snake_case")]
#[expect(missing_docs, reason = "the words say what they mean")]
pub enum OpaqueKind {
    CrossOriginFrame,
    ClosedShadow,
    Canvas,
    Custom,
}

/// Where nobody may look.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "WEB-47")]
pub struct OpaqueRegion {
    /// Which.
    pub id: Id,
    /// Why.
    pub kind: OpaqueKind,
    /// The element that shows it.
    pub host_element_id: Option<ElementInstanceId>,
    /// Where it is.
    pub bbox: Option<Rect>,
    /// How it is called.
    pub label: Option<String>,
}
