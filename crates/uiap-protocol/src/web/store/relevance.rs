//! Which changes of an element matter (R013-7.1): what can be seen and used, what it is and says. Not where it is drawn,
//! whether it has the focus or whether the pointer is over it.

use crate::web::ElementNode;

/// Whether an element says something else than before.
pub(super) fn differ(old: &ElementNode, new: &ElementNode) -> bool {
    plain(old) != plain(new)
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
