//! A graph as it travels: what elements have in common was written once, and is put back here.
//!
//! The form is described in `web/publisher/src/pack.ts`, which writes it. A page cannot reach it, but nothing is
//! believed all the same: every part is decoded, and the whole is checked like any other graph.

use super::LookError;
use std::borrow::Cow;
use uiap_protocol::text::{Member, Node, Span, Value};
use uiap_protocol::web::{ElementNode, PageGraph, Rect};
use uiap_protocol::wire::{self, Wire};

/// A sound graph, from the tree of one that is packed or not.
pub(super) fn unpack(mut tree: Node<'_>) -> Result<PageGraph, LookError> {
    let unsound = |findings| LookError::Unsound { findings };
    let Some(packed) = take_packed(&mut tree) else { return wire::accept(&tree).map_err(unsound) };
    let templates: Vec<ElementNode> = match packed.member("templates") {
        Some(templates) => wire::accept(templates).map_err(unsound)?,
        None => Vec::new(),
    };
    let rows = packed.member("rows").map(Node::items).unwrap_or_default();
    let elements = rows.iter().enumerate().map(|(row, node)| match &node.value {
        Value::List(cells) => element(cells, &templates).ok_or(LookError::Packed { row }),
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

fn element(cells: &[Node<'_>], templates: &[ElementNode]) -> Option<ElementNode> {
    let [template, x, y, width, height, in_viewport, instance, scope, parent, name] = cells else {
        return None;
    };
    let Value::Integer(template) = template.value else { return None };
    let mut element = templates.get(usize::try_from(template).ok()?)?.clone();
    let bbox = Rect { x: some(x)?, y: some(y)?, width: some(width)?, height: some(height)? };
    element.bbox = Some(bbox);
    element.state.in_viewport = Some(some(in_viewport)?);
    element.instance_id = some(instance)?;
    element.scope_id = perhaps(scope)?;
    element.parent_id = perhaps(parent)?;
    element.name = perhaps(name)?;
    Some(element)
}

fn some<T: Wire>(cell: &Node<'_>) -> Option<T> {
    wire::accept(cell).ok()
}

/// The outer `None` means that it is there and wrong.
fn perhaps<T: Wire>(cell: &Node<'_>) -> Option<Option<T>> {
    match cell.value {
        Value::Null => Some(None),
        _ => some(cell).map(Some),
    }
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
            "packed":{{"templates":[{{"instanceId":"e1","documentId":"doc","role":"button","state":{{"visible":true}}}},
            {{"instanceId":"e9","documentId":"doc","role":"list","state":{{}}}}],"rows":[{rows}]}}}}"#
        );
        match unpack(read(&text, Format::Json, Limits::DOCUMENT).unwrap()) {
            Ok(graph) => serde_json::to_string(&graph.elements).unwrap(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_was_written_once_is_put_where_it_belongs() {
        let rows = r#"[1,1,2,30,40,true,"e1","s",null,null],[0,-5,6.5,7,8,false,"e2",null,"e1","Save"],
            {"instanceId":"e3","documentId":"doc","role":"link","state":{}}"#;
        let elements = [
            r#"{"instanceId":"e1","documentId":"doc","scopeId":"s","role":"list","state":{"inViewport":true},"bbox":{"x":1,"y":2,"width":30,"height":40}}"#,
            r#"{"instanceId":"e2","documentId":"doc","parentId":"e1","role":"button","name":"Save","state":{"inViewport":false,"visible":true},"bbox":{"x":-5,"y":6.5,"width":7,"height":8}}"#,
            r#"{"instanceId":"e3","documentId":"doc","role":"link","state":{}}"#,
        ];
        assert_eq!(unpacked(rows), format!("[{}]", elements.join(",")));
    }

    #[test]
    fn a_row_that_is_none_is_told() {
        for row in [
            "[]",
            r#"[2,1,2,3,4,true,"e2",null,null,null]"#,
            r#"[-1,1,2,3,4,true,"e2",null,null,null]"#,
            r#"["0",1,2,3,4,true,"e2",null,null,null]"#,
            r#"[0,1,2,3,4,true,"e2",null,null]"#,
            r#"[0,1,2,3,4,true,null,null,null,null]"#,
            r#"[0,1,2,3,"4",true,"e2",null,null,null]"#,
            r#"[0,1,2,3,4,1,"e2",null,null,null]"#,
            r#"[0,1,2,3,4,true,"e2",7,null,null]"#,
        ] {
            let rows = format!(r#"[1,1,2,3,4,true,"e1",null,null,null],{row}"#);
            let said = "the publisher's answer cannot be unpacked: row 1 is not an element";
            assert_eq!(unpacked(&rows), said, "{row}");
        }
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let first = |row: &str| unpacked(row).split(": ").nth(3).unwrap_or_default().to_owned();
        assert_eq!(
            first(r#"[0,1,2,3,4,true,"e1",null,"e7",null]"#),
            "There is no element \"e7\" in this graph."
        );
        assert_eq!(
            first(r#"[0,1,2,3,4,true,"e2",null,null,null]"#),
            "There is no element \"e1\" in this graph."
        );
        assert_eq!(first("7"), "Expected an object, found a number.");
    }
}
