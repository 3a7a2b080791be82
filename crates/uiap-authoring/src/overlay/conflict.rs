//! Which changes of different overlays are in each other's way.

use super::Patched;
use super::patch::Outcome;
use std::cmp::Ordering;

/// A place that a patch changed, and what it left there.
#[derive(Clone, Debug)]
pub(super) struct Touch {
    pub(super) patched: Patched,
    pub(super) outcome: Outcome,
}

/// Pairs of changes by different overlays at the same place, or one inside the other, that do not come out the same:
/// the earlier one and the later one.
pub(super) fn conflicts(touches: &[Touch]) -> Vec<(&Patched, &Patched)> {
    let mut sorted: Vec<&Touch> = touches.iter().collect();
    sorted.sort_by(|one, other| {
        let manifests = one.patched.manifest.cmp(&other.patched.manifest);
        manifests.then_with(|| by_tokens(&one.patched.pointer, &other.patched.pointer))
    });
    let mut found = Vec::new();
    // Those that the present place lies in, the outermost first.
    let mut around: Vec<&Touch> = Vec::new();
    for touch in sorted {
        around.retain(|outer| {
            outer.patched.manifest == touch.patched.manifest
                && covers(&outer.patched.pointer, &touch.patched.pointer)
        });
        for outer in &around {
            if outer.patched.overlay != touch.patched.overlay && !comes_out_the_same(outer, touch) {
                let in_order = (outer.patched.overlay, outer.patched.patch)
                    < (touch.patched.overlay, touch.patched.patch);
                let (earlier, later) = if in_order { (outer, &touch) } else { (&touch, outer) };
                found.push((&earlier.patched, &later.patched));
            }
        }
        around.push(touch);
    }
    found
}

/// Whether the outer change leaves at the inner place what the inner one does.
fn comes_out_the_same(outer: &Touch, inner: &Touch) -> bool {
    let way = inner.patched.pointer.strip_prefix(&outer.patched.pointer).unwrap_or_default();
    match (&outer.outcome, &inner.outcome) {
        (Outcome::Value(outer), Outcome::Value(inner)) => outer.pointer(way) == Some(inner),
        (outer, inner) => way.is_empty() && outer.is_same(inner),
    }
}

/// Places in an order in which what lies inside follows what it lies in.
fn by_tokens(one: &str, other: &str) -> Ordering {
    one.split('/').cmp(other.split('/'))
}

pub(super) fn covers(outer: &str, inner: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
