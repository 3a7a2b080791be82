//! Puts the graph of a frame into the graph of the page around it.

use uiap_protocol::ids::{DocumentId, ElementInstanceId, Id, ScopeId};
use uiap_protocol::web::{
    Boundary, BoundaryKind, DocumentNode, ElementNode, Focus, OpaqueRegion, PageGraph, Rect, ScopeKind,
    ScopeNode,
};
use uiap_protocol::wire::Number;

/// What joins ids: those of the frame stand behind the id of the element that shows it.
pub(super) const JOINT: &str = ".";

/// The graph of a frame and where it belongs.
#[derive(Debug)]
pub(super) struct Inner {
    /// The element that shows the frame.
    pub(super) host: ElementInstanceId,
    /// What is in it.
    pub(super) graph: PageGraph,
    /// Where its content begins, in the viewport of the outer graph.
    pub(super) offset: (f64, f64),
    /// What led us there.
    pub(super) bridge: Id,
}

/// Replaces the opaque region of a frame by what is in it. The outer graph stays as it is if it shows no such frame,
/// or if an id becomes too long.
pub(super) fn merge(outer: &mut PageGraph, inner: Inner) -> bool {
    let Some(join) = Join::plan(outer, &inner) else { return false };
    let Some(renamed) = join.rename(inner) else { return false };
    join.apply(outer, renamed);
    true
}

/// Where the frame stands in the outer graph, and what its ids become.
struct Join {
    host: ElementNode,
    /// Behind which element the frame's own stand.
    place: usize,
    /// The document that could not be looked into.
    document: usize,
    document_id: DocumentId,
    outer_document: Option<DocumentId>,
    /// The document that it turns out to be.
    root: DocumentId,
    bridge: Id,
    offset: (f64, f64),
    /// How much of the outer page is shown.
    viewport: Option<(f64, f64)>,
}

/// The graph of a frame with ids that are unique in the outer graph.
struct Renamed {
    documents: Vec<DocumentNode>,
    scopes: Vec<ScopeNode>,
    elements: Vec<ElementNode>,
    regions: Vec<OpaqueRegion>,
    modals: Vec<ScopeId>,
    focus: Option<Focus>,
    truncated: bool,
    redacted: bool,
}

impl Join {
    fn plan(outer: &PageGraph, inner: &Inner) -> Option<Self> {
        let place = outer.elements.iter().position(|element| element.instance_id == inner.host)?;
        let host = outer.elements.get(place)?.clone();
        let shows = |document: &DocumentNode| document.host_element_id.as_ref() == Some(&inner.host);
        let document = outer.documents.iter().position(shows)?;
        let opaque = outer.documents.get(document).filter(|document| document.boundary.opaque)?;
        let is_root = |document: &&DocumentNode| document.boundary.kind == BoundaryKind::Root;
        Some(Self {
            host,
            place,
            document,
            document_id: opaque.id.clone(),
            outer_document: opaque.parent_document_id.clone(),
            root: inner.graph.documents.iter().find(is_root)?.id.clone(),
            bridge: inner.bridge.clone(),
            offset: inner.offset,
            viewport: outer.viewport.as_ref().map(|shown| (shown.width.get(), shown.height.get())),
        })
    }

    fn rename(&self, inner: Inner) -> Option<Renamed> {
        let graph = inner.graph;
        let focus = match graph.focus {
            None => None,
            Some(Focus { target, document_id }) => Some(Focus {
                target: self.optional(target, Self::element)?,
                document_id: self.optional(document_id, Self::document)?,
            }),
        };
        Some(Renamed {
            documents: graph
                .documents
                .into_iter()
                .map(|node| self.document_node(node))
                .collect::<Option<_>>()?,
            scopes: graph.scopes.into_iter().map(|node| self.scope_node(node)).collect::<Option<_>>()?,
            elements: graph
                .elements
                .into_iter()
                .map(|node| self.element_node(node))
                .collect::<Option<_>>()?,
            regions: graph
                .opaque_regions
                .into_iter()
                .flatten()
                .map(|node| self.region(node))
                .collect::<Option<_>>()?,
            modals: graph
                .modal_stack
                .into_iter()
                .flatten()
                .map(|id| self.scope(&id))
                .collect::<Option<_>>()?,
            focus,
            truncated: graph.truncated == Some(true),
            redacted: graph.redacted == Some(true),
        })
    }

    fn apply(self, outer: &mut PageGraph, inner: Renamed) {
        let after = (self.place + 1).min(outer.elements.len());
        outer.elements.splice(after..after, inner.elements);
        let end = (self.document + 1).min(outer.documents.len());
        outer.documents.splice(self.document.min(end)..end, inner.documents);
        outer.scopes.extend(inner.scopes);
        let regions = outer.opaque_regions.get_or_insert_default();
        regions.retain(|region| region.host_element_id.as_ref() != Some(&self.host.instance_id));
        regions.extend(inner.regions);
        if regions.is_empty() {
            outer.opaque_regions = None;
        }
        if !inner.modals.is_empty() {
            let modals = outer.modal_stack.get_or_insert_default();
            // The topmost is last: what covers the frame covers its dialogs.
            let place = if self.is_covered() { 0 } else { modals.len() };
            modals.splice(place..place, inner.modals);
        }
        let holds_focus = |focus: &Focus| focus.target.as_ref() == Some(&self.host.instance_id);
        if inner.focus.is_some() && outer.focus.as_ref().is_some_and(holds_focus) {
            outer.focus = inner.focus;
        }
        outer.truncated = inner.truncated.then_some(true).or(outer.truncated);
        outer.redacted = inner.redacted.then_some(true).or(outer.redacted);
    }

    fn is_covered(&self) -> bool {
        self.host.state.ui.blocked == Some(true)
    }

    fn prefixed(&self, id: &str) -> String {
        format!("{}{JOINT}{id}", self.host.instance_id.as_str())
    }

    fn element(&self, id: &ElementInstanceId) -> Option<ElementInstanceId> {
        ElementInstanceId::new(self.prefixed(id.as_str())).ok()
    }

    fn scope(&self, id: &ScopeId) -> Option<ScopeId> {
        ScopeId::new(self.prefixed(id.as_str())).ok()
    }

    fn document(&self, id: &DocumentId) -> Option<DocumentId> {
        if *id == self.root {
            return Some(self.document_id.clone());
        }
        DocumentId::new(self.prefixed(id.as_str())).ok()
    }

    /// Renames what may be missing; `None` if it is there and cannot be renamed.
    #[expect(clippy::option_option, reason = "absent and impossible are different")]
    fn optional<T>(&self, id: Option<T>, rename: impl Fn(&Self, &T) -> Option<T>) -> Option<Option<T>> {
        match id {
            None => Some(None),
            Some(id) => rename(self, &id).map(Some),
        }
    }

    fn document_node(&self, node: DocumentNode) -> Option<DocumentNode> {
        if node.id == self.root {
            let origin = node.origin.clone();
            return Some(DocumentNode {
                id: self.document_id.clone(),
                parent_document_id: self.outer_document.clone(),
                host_element_id: Some(self.host.instance_id.clone()),
                boundary: Boundary {
                    kind: BoundaryKind::BridgedFrame,
                    opaque: false,
                    origin,
                    bridge_id: Some(self.bridge.clone()),
                },
                ..node
            });
        }
        Some(DocumentNode {
            id: self.document(&node.id)?,
            parent_document_id: self.optional(node.parent_document_id, Self::document)?,
            host_element_id: self.optional(node.host_element_id, Self::element)?,
            ..node
        })
    }

    fn scope_node(&self, node: ScopeNode) -> Option<ScopeNode> {
        let id = self.scope(&node.id)?;
        if node.kind == ScopeKind::Page {
            return Some(ScopeNode {
                id,
                kind: ScopeKind::Frame,
                document_id: self.document(&node.document_id)?,
                parent_scope_id: self.host.scope_id.clone(),
                element_id: Some(self.host.instance_id.clone()),
                ..node
            });
        }
        Some(ScopeNode {
            id,
            document_id: self.document(&node.document_id)?,
            parent_scope_id: self.optional(node.parent_scope_id, Self::scope)?,
            element_id: self.optional(node.element_id, Self::element)?,
            ..node
        })
    }

    fn element_node(&self, mut node: ElementNode) -> Option<ElementNode> {
        node.instance_id = self.element(&node.instance_id)?;
        node.document_id = self.document(&node.document_id)?;
        node.scope_id = self.optional(node.scope_id, Self::scope)?;
        node.parent_id = match &node.parent_id {
            Some(parent) => Some(self.element(parent)?),
            None => Some(self.host.instance_id.clone()),
        };
        node.bbox = node.bbox.and_then(|rect| self.moved(rect));
        if self.is_covered() {
            node.state.ui.blocked = Some(true);
        }
        // What a frame shows is seen only where the frame itself is.
        let in_sight =
            self.host.state.in_viewport != Some(false) && node.bbox.is_none_or(|rect| self.shows(rect));
        node.state.in_viewport = node.state.in_viewport.map(|shown| shown && in_sight);
        Some(node)
    }

    /// A part of the rectangle is in the viewport of the outer page.
    fn shows(&self, rect: Rect) -> bool {
        let overlaps =
            |start: Number, length: Number, end: f64| start.get() < end && start.get() + length.get() > 0.0;
        self.viewport.is_none_or(|(width, height)| {
            overlaps(rect.x, rect.width, width) && overlaps(rect.y, rect.height, height)
        })
    }

    fn region(&self, node: OpaqueRegion) -> Option<OpaqueRegion> {
        Some(OpaqueRegion {
            id: Id::new(self.prefixed(node.id.as_str())).ok()?,
            host_element_id: self.optional(node.host_element_id, Self::element)?,
            bbox: node.bbox.and_then(|rect| self.moved(rect)),
            ..node
        })
    }

    fn moved(&self, rect: Rect) -> Option<Rect> {
        let (x, y) = self.offset;
        Some(Rect { x: Number::new(rect.x.get() + x)?, y: Number::new(rect.y.get() + y)?, ..rect })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uiap_protocol::text::{Format, Limits, read};
    use uiap_protocol::wire;

    fn graph(json: &str) -> PageGraph {
        let json = format!(
            r#"{{"modelVersion":"0.1","profile":"web@0.1","revision":"r1","seq":1,
            "capturedAt":"2026-01-01T00:00:00Z","route":{{"url":"http://x/"}},{json}}}"#
        );
        accepted(&json)
    }

    fn accepted(json: &str) -> PageGraph {
        wire::accept(&read(json, Format::Json, Limits::DOCUMENT).unwrap()).unwrap()
    }

    fn outer(host_state: &str) -> PageGraph {
        graph(&format!(
            r#""viewport":{{"width":400,"height":300,"scrollX":0,"scrollY":0}},"documents":[{{"id":"doc_root","boundary":{{"kind":"root","opaque":false}}}},
              {{"id":"doc_f","parentDocumentId":"doc_root","hostElementId":"f","boundary":{{"kind":"cross-origin-frame","opaque":true}}}}],
            "scopes":[{{"id":"page","kind":"page","documentId":"doc_root"}},{{"id":"dlg","kind":"dialog","documentId":"doc_root"}}],
            "elements":[{{"instanceId":"a","documentId":"doc_root","role":"button","state":{{}}}},
              {{"instanceId":"f","documentId":"doc_root","scopeId":"page","role":"custom","state":{host_state},
                "bbox":{{"x":100,"y":200,"width":300,"height":100}}}},
              {{"instanceId":"b","documentId":"doc_root","role":"button","state":{{}}}}],
            "focus":{{"target":"f","documentId":"doc_root"}},"modalStack":["dlg"],
            "opaqueRegions":[{{"id":"opaque_f","kind":"cross_origin_frame","hostElementId":"f"}}]"#
        ))
    }

    fn inner() -> PageGraph {
        graph(
            r#""documents":[{"id":"doc_root","origin":"http://y","boundary":{"kind":"root","opaque":false}},
              {"id":"doc_g","parentDocumentId":"doc_root","hostElementId":"g","boundary":{"kind":"same-origin-frame","opaque":false}}],
            "scopes":[{"id":"page","kind":"page","documentId":"doc_root"},
              {"id":"dlg","kind":"dialog","documentId":"doc_root","parentScopeId":"page","elementId":"d"}],
            "elements":[{"instanceId":"d","documentId":"doc_root","scopeId":"page","role":"dialog","state":{}},
              {"instanceId":"a","documentId":"doc_root","scopeId":"dlg","parentId":"d","role":"button","state":{"inViewport":true},
                "bbox":{"x":1,"y":2,"width":3,"height":4}},
              {"instanceId":"g","documentId":"doc_root","role":"custom","state":{}}],
            "focus":{"target":"a","documentId":"doc_root"},"modalStack":["dlg"],"redacted":true,
            "opaqueRegions":[{"id":"opaque_c","kind":"canvas","hostElementId":"g","bbox":{"x":5,"y":5,"width":1,"height":1}}]"#,
        )
    }

    fn merged(host_state: &str) -> PageGraph {
        let mut page = outer(host_state);
        let inner = Inner {
            host: ElementInstanceId::new("f").unwrap(),
            graph: inner(),
            offset: (100.0, 200.0),
            bridge: Id::new("cdp").unwrap(),
        };
        assert!(merge(&mut page, inner));
        // What we hand on passes the same check as what a publisher sends.
        accepted(&serde_json::to_string(&page).unwrap())
    }

    fn ids<'a, T>(list: &'a [T], id: impl Fn(&'a T) -> &'a str) -> String {
        list.iter().map(id).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_frame_becomes_a_part_of_its_page() {
        let page = merged("{}");
        assert_eq!(ids(&page.elements, |element| element.instance_id.as_str()), "a f f.d f.a f.g b");
        assert_eq!(ids(&page.documents, |document| document.id.as_str()), "doc_root doc_f f.doc_g");
        assert_eq!(ids(&page.scopes, |scope| scope.id.as_str()), "page dlg f.page f.dlg");
        let document = &page.documents[1];
        assert_eq!((document.boundary.kind, document.boundary.opaque), (BoundaryKind::BridgedFrame, false));
        assert_eq!(document.boundary.bridge_id.as_ref().map(Id::as_str), Some("cdp"));
        assert_eq!(document.host_element_id.as_ref().map(ElementInstanceId::as_str), Some("f"));
        assert_eq!(page.elements[2].parent_id.as_ref().map(ElementInstanceId::as_str), Some("f"));
        assert_eq!(page.elements[3].parent_id.as_ref().map(ElementInstanceId::as_str), Some("f.d"));
        let bbox = page.elements[3].bbox.unwrap();
        assert_eq!((bbox.x.get(), bbox.y.get(), bbox.width.get()), (101.0, 202.0, 3.0));
        assert_eq!(page.scopes[2].kind, ScopeKind::Frame);
        assert_eq!(page.scopes[2].parent_scope_id.as_ref().map(ScopeId::as_str), Some("page"));
        let regions = page.opaque_regions.unwrap();
        assert_eq!(ids(&regions, |region| region.id.as_str()), "f.opaque_c");
        assert_eq!(page.focus.unwrap().target.unwrap().as_str(), "f.a");
        assert_eq!(ids(&page.modal_stack.unwrap(), ScopeId::as_str), "dlg f.dlg");
        assert_eq!((page.redacted, page.truncated), (Some(true), None));
    }

    #[test]
    fn what_covers_a_frame_or_hides_it_holds_for_what_is_in_it() {
        let page = merged(r#"{"blocked":true,"inViewport":false}"#);
        let button = &page.elements[3];
        assert_eq!((button.state.ui.blocked, button.state.in_viewport), (Some(true), Some(false)));
        assert_eq!(ids(&page.modal_stack.unwrap(), ScopeId::as_str), "f.dlg dlg");
    }

    #[test]
    fn what_the_page_does_not_show_of_a_frame_is_out_of_sight() {
        let in_sight = |offset| {
            let mut page = outer("{}");
            let host = ElementInstanceId::new("f").unwrap();
            let inner = Inner { host, graph: inner(), offset, bridge: Id::new("cdp").unwrap() };
            assert!(merge(&mut page, inner));
            page.elements[3].state.in_viewport
        };
        assert_eq!(in_sight((100.0, 200.0)), Some(true));
        assert_eq!(in_sight((100.0, 299.0)), Some(false));
        assert_eq!(in_sight((-5.0, 200.0)), Some(false));
    }

    #[test]
    fn what_does_not_fit_changes_nothing() {
        for (host, fits) in [("f", true), ("a", false), ("nowhere", false)] {
            let mut page = outer("{}");
            let host = ElementInstanceId::new(host).unwrap();
            let inner = Inner { host, graph: inner(), offset: (0.0, 0.0), bridge: Id::new("cdp").unwrap() };
            assert_eq!(merge(&mut page, inner), fits);
            assert_eq!(page == outer("{}"), !fits);
        }
        // An id that has no room for what stands before it.
        let mut long = inner();
        long.elements[0].instance_id = ElementInstanceId::new("x".repeat(128)).unwrap();
        let mut page = outer("{}");
        let host = ElementInstanceId::new("f").unwrap();
        let inner = Inner { host, graph: long, offset: (0.0, 0.0), bridge: Id::new("cdp").unwrap() };
        assert!(!merge(&mut page, inner));
        assert_eq!(page, outer("{}"));
    }
}
