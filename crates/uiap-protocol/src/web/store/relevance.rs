//! Which changes of a page matter (R013-7.1): what comes and goes, what can be seen and used, what is said. Not where
//! something is drawn, what has the focus or what the pointer is over.

use crate::web::{ElementNode, GraphNode};

/// Whether a node says something else than before.
pub(super) fn says_something_else(old: &GraphNode, new: &GraphNode) -> bool {
    match (old, new) {
        (GraphNode::Element(old), GraphNode::Element(new)) => plain(old) != plain(new),
        (GraphNode::Opaque(_), GraphNode::Opaque(_)) => false,
        _ => old != new,
    }
}

/// An element without what is only cosmetic.
fn plain(element: &ElementNode) -> ElementNode {
    let mut plain = element.clone();
    plain.bbox = None;
    let state = &mut plain.state;
    (state.stable, state.in_viewport) = (None, None);
    (state.ui.focused, state.ui.hovered, state.ui.dragged, state.ui.obscured) = (None, None, None, None);
    plain
}
