//! The facts of a page in the words of the gate.

use crate::input::{Facts, Opaque};
use uiap_runtime::gate::{self, LiveFacts};

/// What the gate needs to know.
pub(crate) fn live(facts: Facts) -> LiveFacts {
    let Facts { role, state, cover, scrollable, opaque, .. } = facts;
    LiveFacts {
        attached: state.attached != Some(false),
        changed: false,
        role,
        visible: state.ui.visible,
        enabled: state.ui.enabled,
        editable: state.ui.editable,
        readonly: state.ui.readonly,
        focusable: state.ui.focusable,
        focused: state.ui.focused,
        busy: state.ui.busy,
        stable: state.stable,
        // On the web, `inert` and a modal dialog block an element.
        blocked: None,
        behind_modal: state.ui.blocked == Some(true),
        in_view: state.in_viewport == Some(true),
        can_be_revealed: scrollable,
        covered_by: cover.map(|cover| cover.to_string()),
        opaque: opaque.map(|opaque| match opaque {
            Opaque::CrossOriginFrame => gate::Opaque::Foreign,
            Opaque::ClosedShadow => gate::Opaque::Closed,
            Opaque::Canvas => gate::Opaque::Picture,
        }),
        sensitive: state.ui.sensitive == Some(true),
        lacks: Vec::new(),
        only_read: false,
    }
}
