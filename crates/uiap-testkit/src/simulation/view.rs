//! What the application shows: a list of things with buttons, a text field and a clock.

use super::Broken;
use serde_json::json;
use std::sync::OnceLock;
use uiap_protocol::capability::{Checked, Role};
use uiap_protocol::ids::{DocumentId, ElementInstanceId, RevisionId, StableId};
use uiap_protocol::text::Node;
use uiap_protocol::web::{ElementNode, PageGraph};
use uiap_protocol::wire::accept;

/// How many things there are.
pub const THINGS: usize = 3;

/// The label of the button that does something harmless.
const PRESS: &str = "Continue";
/// The label of the button that destroys something.
const DROP: &str = "Delete";

/// A page in short.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// How often a document was loaded; every document has nodes of its own.
    pub load: u32,
    /// The number in the address.
    pub address: u32,
    /// Which thing each row shows.
    pub rows: Vec<usize>,
    /// How often each row was drawn anew; its nodes are others each time.
    pub renders: Vec<u32>,
    /// How much was done to each thing, as far as it is shown.
    pub done: Vec<u32>,
    /// What stands in the field.
    pub field: String,
    /// What the clock shows.
    pub clock: u32,
    /// Names belong to rows: whatever a row shows has the same name.
    pub by_row: bool,
    /// A row says which thing it shows.
    pub says_which: bool,
}

impl View {
    /// The first page.
    pub fn new(by_row: bool) -> Self {
        Self {
            load: 0,
            address: 0,
            rows: (0..THINGS).collect(),
            renders: vec![0; THINGS],
            done: vec![0; THINGS],
            field: String::new(),
            clock: 0,
            by_row,
            says_which: true,
        }
    }

    /// The name of a part of a row, by the thing it shows or by the row itself.
    fn stable_id(&self, row: usize, part: &str) -> String {
        match (self.by_row, self.rows.get(row)) {
            (false, Some(thing)) => format!("thing.{thing}.{part}"),
            _ => format!("row.{row}.{part}"),
        }
    }

    fn instance_id(&self, row: usize, part: &str) -> String {
        let render = self.renders.get(row).copied().unwrap_or_default();
        format!("{part}-{row}-{}-{render}", self.load)
    }

    /// The thing that a node belongs to, if the node is there.
    pub fn thing_at(&self, instance: &str) -> Option<usize> {
        let shown = self.rows.iter().enumerate();
        let parts = ["press", "drop", "mark", "row"];
        shown
            .into_iter()
            .find(|(row, _)| parts.iter().any(|part| self.instance_id(*row, part) == instance))
            .map(|(_, thing)| *thing)
    }

    /// The node of the field.
    pub fn field_id(&self) -> String {
        format!("field-{}", self.load)
    }

    /// The page as a graph.
    pub fn graph(&self, seq: u64) -> Result<PageGraph, Broken> {
        let template = template()?;
        let mut graph = template.clone();
        let document = DocumentId::new(format!("doc-{}", self.load))?;
        graph.seq = seq;
        graph.revision = RevisionId::new(format!("r{seq}"))?;
        graph.route.url = format!("https://things.test/{}", self.address);
        graph.documents.iter_mut().for_each(|node| node.id = document.clone());
        let patterns = std::mem::take(&mut graph.elements);
        let [row, press, drop, mark, field, clock] = patterns.as_slice() else {
            return Err(Broken::Simulation("the template has other elements".to_owned()));
        };
        let node = |pattern: &ElementNode, id: String, stable_id: Option<String>| {
            let mut node = pattern.clone();
            node.instance_id = ElementInstanceId::new(id)?;
            node.stable_id = stable_id.map(StableId::new).transpose()?;
            node.document_id = document.clone();
            Ok::<_, Broken>(node)
        };
        for (place, thing) in self.rows.iter().enumerate() {
            let mut line = node(row, self.instance_id(place, "row"), None)?;
            line.name = self.says_which.then(|| format!("Thing {thing}"));
            let parent = Some(line.instance_id.clone());
            graph.elements.push(line);
            for (pattern, part) in [(press, "press"), (drop, "drop"), (mark, "mark")] {
                let stable_id = self.stable_id(place, part);
                let mut child = node(pattern, self.instance_id(place, part), Some(stable_id))?;
                child.parent_id.clone_from(&parent);
                if child.role == Role::Checkbox {
                    let done = self.done.get(*thing).copied().unwrap_or_default();
                    child.name = Some(format!("done {done} times"));
                    child.state.ui.checked = Some(if done > 0 { Checked::Yes } else { Checked::No });
                }
                graph.elements.push(child);
            }
        }
        let mut entry = node(field, self.field_id(), Some("field".to_owned()))?;
        entry.state.ui.text_value = Some(self.field.clone());
        graph.elements.push(entry);
        let mut time = node(clock, format!("clock-{}", self.load), None)?;
        time.name = Some(format!("{} o'clock", self.clock));
        graph.elements.push(time);
        Ok(graph)
    }
}

/// A page with one element of each kind.
fn template() -> Result<&'static PageGraph, Broken> {
    static TEMPLATE: OnceLock<Result<PageGraph, Broken>> = OnceLock::new();
    let made = TEMPLATE.get_or_init(|| {
        let element = |id: &str, role: &str, name: &str, affordances: &[&str]| {
            json!({
                "instanceId": id, "documentId": "doc", "role": role, "name": name, "affordances": affordances,
                "state": {"visible": true, "enabled": true},
            })
        };
        let page = json!({
            "modelVersion": "0.1", "profile": "web@0.1", "revision": "r1", "seq": 1,
            "capturedAt": "2026-03-26T14:03:00.000Z", "route": {"url": "https://things.test/"},
            "documents": [{"id": "doc", "boundary": {"kind": "root", "opaque": false}}],
            "scopes": [],
            "elements": [
                element("row", "listitem", "row", &[]),
                element("press", "button", PRESS, &["activate"]),
                element("drop", "button", DROP, &["activate"]),
                element("mark", "checkbox", "mark", &[]),
                element("field", "textbox", "Note", &["edit"]),
                element("clock", "image", "clock", &[]),
            ],
        });
        accept(&Node::from_json(&page)).map_err(Broken::from)
    });
    made.as_ref().map_err(Clone::clone)
}
