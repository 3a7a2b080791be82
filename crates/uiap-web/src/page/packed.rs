//! A graph as it travels: what elements have in common was written once, and is put back here.
//!
//! The form is described in `web/publisher/src/pack.ts`, which writes it. A page cannot reach it, but nothing is
//! believed all the same: every part is decoded, and the whole is checked like any other graph.

use super::LookError;
use std::borrow::Cow;
use uiap_protocol::ids::{BadForm, ElementInstanceId, ScopeId};
use uiap_protocol::text::{Member, Node, Span, Value};
use uiap_protocol::web::{ElementNode, PageGraph, Rect};
use uiap_protocol::wire::{self, Number, Wire};

/// A sound graph, from the tree of one that is packed or not.
pub(super) fn unpack(mut tree: Node<'_>) -> Result<PageGraph, LookError> {
    let unsound = |findings| LookError::Unsound { findings };
    let Some(packed) = take_packed(&mut tree) else { return wire::accept(&tree).map_err(unsound) };
    let templates: Vec<ElementNode> = match packed.member("templates") {
        Some(templates) => wire::accept(templates).map_err(unsound)?,
        None => Vec::new(),
    };
    let starts = packed.member("starts").map(Node::items).unwrap_or_default();
    let pack = Pack {
        templates,
        starts: [0, 1].map(|at| starts.get(at).and_then(Node::as_text).unwrap_or_default()),
    };
    let rows = packed.member("rows").map(Node::items).unwrap_or_default();
    let elements = rows.iter().enumerate().map(|(row, node)| match &node.value {
        Value::List(cells) => pack.element(cells).ok_or(LookError::Packed { row }),
        _ => wire::accept(node).map_err(unsound),
    });
    PageGraph::assemble(&tree, elements.collect::<Result<_, _>>()?).map_err(unsound)
}

/// Takes the packed elements out of a graph and leaves an empty list in their place.
fn take_packed<'s>(tree: &mut Node<'s>) -> Option<Node<'s>> {
    let Value::Object(members) = &mut tree.value else { return None };
    let packed = members.iter_mut().find(|member| member.key == "packed")?;
    let none = Node { value: Value::List(Vec::new()), span: Span::default() };
    let elements = Member { key: Cow::Borrowed("elements"), key_span: packed.key_span, node: none };
    Some(std::mem::replace(packed, elements).node)
}

/// What the rows have in common.
struct Pack<'p> {
    templates: Vec<ElementNode>,
    /// How ids of elements begin, and of areas.
    starts: [&'p str; 2],
}

impl Pack<'_> {
    fn element(&self, cells: &[Node<'_>]) -> Option<ElementNode> {
        let [template, x, y, width, height, in_viewport, instance, parent, scope, name] = cells else {
            return None;
        };
        let mut element = self.templates.get(usize::try_from(number(template)?).ok()?)?.clone();
        let bbox = Rect { x: measure(x)?, y: measure(y)?, width: measure(width)?, height: measure(height)? };
        let [of_elements, of_areas] = self.starts;
        element.bbox = Some(bbox);
        element.state.in_viewport = Some(number(in_viewport)? == 1);
        element.instance_id = id(instance, of_elements, ElementInstanceId::new)?;
        element.parent_id = perhaps(parent, |cell| id(cell, of_elements, ElementInstanceId::new))?;
        element.scope_id = perhaps(scope, |cell| id(cell, of_areas, ScopeId::new))?;
        element.name = perhaps(name, some)?;
        Some(element)
    }
}

fn some<T: Wire>(cell: &Node<'_>) -> Option<T> {
    wire::accept(cell).ok()
}

/// The outer `None` means that it is there and wrong.
#[expect(clippy::option_option, reason = "whether it is sound, and whether it is there")]
fn perhaps<'c, T>(cell: &'c Node<'c>, read: impl FnOnce(&'c Node<'c>) -> Option<T>) -> Option<Option<T>> {
    match cell.value {
        Value::Null => Some(None),
        _ => read(cell).map(Some),
    }
}

fn number(cell: &Node<'_>) -> Option<u64> {
    match cell.value {
        Value::Integer(number) => u64::try_from(number).ok(),
        _ => None,
    }
}

fn measure(cell: &Node<'_>) -> Option<Number> {
    match cell.value {
        #[expect(clippy::cast_precision_loss, reason = "an integer of JSON is at most 2^53")]
        Value::Integer(number) => Number::new(number as f64),
        Value::Float(number) => Number::new(number),
        _ => None,
    }
}

/// An id that is written whole, or as the number after its usual beginning.
fn id<T: Wire>(cell: &Node<'_>, start: &str, new: impl FnOnce(String) -> Result<T, BadForm>) -> Option<T> {
    match number(cell) {
        Some(number) => new(numbered(start, number)).ok(),
        None => some(cell),
    }
}

/// A number behind its beginning, as JavaScript writes it in base 36.
fn numbered(start: &str, number: u64) -> String {
    let mut text = start.to_owned();
    let mut place = 1;
    while number / place >= 36 {
        place *= 36;
    }
    while place > 0 {
        text.extend(u32::try_from(number / place % 36).ok().and_then(|digit| char::from_digit(digit, 36)));
        place /= 36;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use uiap_protocol::text::{Format, Limits, read};

    /// What becomes of these rows over two templates.
    fn unpacked(rows: &str) -> String {
        let text = format!(
            r#"{{"modelVersion":"0.1","profile":"web@0.1","revision":"r1","seq":1,
            "capturedAt":"2026-01-01T00:00:00Z","route":{{"url":"http://x/"}},
            "documents":[{{"id":"doc","boundary":{{"kind":"root","opaque":false}}}}],
            "scopes":[{{"id":"s","kind":"page","documentId":"doc","elementId":"e1"}}],
            "packed":{{"starts":["e","s"],"templates":[{{"instanceId":"e1","documentId":"doc","role":"button","state":{{"visible":true}}}},
            {{"instanceId":"e9","documentId":"doc","role":"list","state":{{}}}}],"rows":[{rows}]}}}}"#
        );
        match unpack(read(&text, Format::Json, Limits::DOCUMENT).unwrap()) {
            Ok(graph) => serde_json::to_string(&graph.elements).unwrap(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_was_written_once_is_put_where_it_belongs() {
        let rows = r#"[1,1,2,30,40,1,1,null,"s",null],[0,-5,6.5,7,8,0,1331,1,null,"Save"],
            {"instanceId":"e3","documentId":"doc","role":"link","state":{}}"#;
        let elements = [
            r#"{"instanceId":"e1","documentId":"doc","scopeId":"s","role":"list","state":{"inViewport":true},"bbox":{"x":1,"y":2,"width":30,"height":40}}"#,
            r#"{"instanceId":"e10z","documentId":"doc","parentId":"e1","role":"button","name":"Save","state":{"inViewport":false,"visible":true},"bbox":{"x":-5,"y":6.5,"width":7,"height":8}}"#,
            r#"{"instanceId":"e3","documentId":"doc","role":"link","state":{}}"#,
        ];
        assert_eq!(unpacked(rows), format!("[{}]", elements.join(",")));
    }

    #[test]
    fn a_row_that_is_none_is_told() {
        for row in [
            "[]",
            "[2,1,2,3,4,1,2,null,null,null]",
            "[-1,1,2,3,4,1,2,null,null,null]",
            r#"["0",1,2,3,4,1,2,null,null,null]"#,
            "[0,1,2,3,4,1,2,null,null]",
            "[0,1,2,3,4,1,null,null,null,null]",
            r#"[0,1,2,3,"4",1,2,null,null,null]"#,
            "[0,1,2,3,4,true,2,null,null,null]",
            "[0,1,2,3,4,1,2,-7,null,null]",
            "[0,1,2,3,4,1,2,null,null,7]",
        ] {
            let rows = format!("[1,1,2,3,4,1,1,null,null,null],{row}");
            let said = "the publisher's answer cannot be unpacked: row 1 is not an element";
            assert_eq!(unpacked(&rows), said, "{row}");
        }
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let first = |row: &str| unpacked(row).split(": ").nth(2).unwrap_or_default().to_owned();
        assert_eq!(
            first(r#"[0,1,2,3,4,1,"e1","e7",null,null]"#),
            "There is no element \"e7\" in this graph."
        );
        assert_eq!(first("[0,1,2,3,4,1,2,null,null,null]"), "There is no element \"e1\" in this graph.");
        assert_eq!(first("7"), "Expected an object, found a number.");
    }
}
