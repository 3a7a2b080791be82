//! How well a candidate fits, part by part (ACT 8.2).

use super::names::NameMatch;
use serde_json::Value;
use uiap_protocol::web::Rect;

/// The parts of a score. They are kept, because they are the explanation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// It has the stable id that was asked for.
    pub stable_id: u16,
    /// It is what was asked for.
    pub role: u16,
    /// It is called so.
    pub name: u16,
    /// It is in the expected area.
    pub scope: u16,
    /// It is in the expected document.
    pub document: u16,
    /// The action is its default action.
    pub default_action: u16,
    /// It is near what has the focus. Never makes a winner.
    pub focus: u16,
}

pub(super) const STABLE_ID: u16 = 100;
pub(super) const ROLE: u16 = 20;
pub(super) const NAME_EXACT: u16 = 20;
pub(super) const SCOPE: u16 = 15;
pub(super) const DOCUMENT: u16 = 10;
pub(super) const DEFAULT_ACTION: u16 = 10;
const NAME_NORMALISED: u16 = 15;
const NAME_CONTAINS: u16 = 8;
const FOCUS_MAX: u16 = 5;

/// By how much the best must be better than the second.
pub(super) const MARGIN_MIN: u16 = 10;

/// Least share of what was asked for that the winner must have, in percent.
pub(super) const CONFIDENCE_PERCENT_MIN: u16 = 75;

/// What is left of the confidence in an element that the action does not fit, in percent. It is told, and the gate
/// decides.
pub(super) const MISFIT_PERCENT: u16 = 90;

/// Farther from the focus than this counts nothing, in pixels.
const FOCUS_DISTANCE_MAX: f64 = 1_000.0;

impl Score {
    /// What decides: everything but the nearness to the focus.
    pub fn deciding(&self) -> u16 {
        self.stable_id + self.role + self.name + self.scope + self.document + self.default_action
    }

    /// The parts that count something, by name.
    pub fn to_json(&self) -> Value {
        let parts = [
            ("stableId", self.stable_id),
            ("role", self.role),
            ("name", self.name),
            ("scope", self.scope),
            ("document", self.document),
            ("defaultAction", self.default_action),
            ("focus", self.focus),
        ];
        let parts = parts.into_iter().filter(|(_, points)| *points > 0);
        Value::Object(parts.map(|(part, points)| (part.to_owned(), points.into())).collect())
    }

    /// Everything.
    pub fn total(&self) -> u16 {
        self.deciding() + self.focus
    }
}

pub(super) fn name(fit: Option<NameMatch>) -> u16 {
    match fit {
        Some(NameMatch::Exact) => NAME_EXACT,
        Some(NameMatch::Normalised) => NAME_NORMALISED,
        Some(NameMatch::Contains) => NAME_CONTAINS,
        None => 0,
    }
}

/// Points for being near the focus, by the distance of the middles.
pub(super) fn focus(element: Option<Rect>, focused: Option<Rect>) -> u16 {
    let (Some(element), Some(focused)) = (element, focused) else { return 0 };
    let middle = |rect: Rect| (rect.x.get() + rect.width.get() / 2.0, rect.y.get() + rect.height.get() / 2.0);
    let ((x, y), (focus_x, focus_y)) = (middle(element), middle(focused));
    let distance = (x - focus_x).hypot(y - focus_y);
    (0..FOCUS_MAX)
        .rev()
        .find(|step| distance <= FOCUS_DISTANCE_MAX / f64::from(1 << step))
        .map_or(0, |step| step + 1)
}
