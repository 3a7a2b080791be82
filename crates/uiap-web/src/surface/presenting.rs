//! Shows a person what is about to be done, by the browser's own overlay: the page does not notice.

use crate::deadline::Deadline;
use crate::input::{Check, Facts};
use crate::page::Page;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use std::time::Duration;
use uiap_protocol::action::{Highlight, Pace, PresentationHints};
use uiap_protocol::ids::ElementInstanceId;

/// How long a person has to see where something is about to happen.
const SEEN_FOR: Duration = Duration::from_millis(500);
/// The places on the way of the ghost cursor, and how long it is at each.
const WAY_STEPS: u32 = 12;
const WAY_STEP: Duration = Duration::from_millis(25);
/// The size of the ghost cursor, in CSS pixels.
const CURSOR: f64 = 14.0;

/// Shows it as the hints say.
pub(super) async fn present(
    page: &Page,
    hints: &PresentationHints,
    target: Option<&ElementInstanceId>,
    deadline: Deadline,
) {
    let Some(target) = target else { return };
    let slowly = hints.pace == Some(Pace::Humanized);
    let Ok(Check::Present(facts)) = page.check(target, None, deadline).await else { return };
    for domain in ["DOM.enable", "Overlay.enable"] {
        page.post(domain, json!({}));
    }
    if hints.ghost_cursor == Some(true) {
        travel(page, &facts, slowly, deadline).await;
    }
    if let Some(colours) = colours(hints.highlight) {
        let mut params = rectangle(&facts);
        params.extend(colours);
        // Whether anybody sees it makes no difference to what happens.
        let _ = page.call::<IgnoredAny>("Overlay.highlightRect", Value::Object(params), deadline).await;
    }
    if slowly {
        let _ = deadline.limit(tokio::time::sleep(SEEN_FOR)).await;
    }
}

/// Takes it away.
pub(super) fn unveil(page: &Page) {
    page.post("Overlay.hideHighlight", json!({}));
}

fn colours(highlight: Option<Highlight>) -> Option<serde_json::Map<String, Value>> {
    let (fill, line) = match highlight? {
        Highlight::None => return None,
        Highlight::Outline => (0.0, 1.0),
        Highlight::Spotlight => (0.35, 1.0),
    };
    let colour = |a: f64| json!({ "r": 255, "g": 140, "b": 0, "a": a });
    json!({ "color": colour(fill), "outlineColor": colour(line) }).as_object().cloned()
}

fn rectangle(facts: &Facts) -> serde_json::Map<String, Value> {
    let bounds = facts.bounds;
    let whole = |number: f64| json!(number.round());
    let mut members = serde_json::Map::new();
    members.insert("x".to_owned(), whole(bounds.x.get()));
    members.insert("y".to_owned(), whole(bounds.y.get()));
    members.insert("width".to_owned(), whole(bounds.width.get().max(1.0)));
    members.insert("height".to_owned(), whole(bounds.height.get().max(1.0)));
    members
}

/// An arrow goes from the corner of the page to the middle of the element.
async fn travel(page: &Page, facts: &Facts, slowly: bool, deadline: Deadline) {
    let bounds = facts.bounds;
    let x = bounds.x.get() + bounds.width.get() / 2.0;
    let y = bounds.y.get() + bounds.height.get() / 2.0;
    let first = if slowly { 1 } else { WAY_STEPS };
    for step in first..=WAY_STEPS {
        let share = f64::from(step) / f64::from(WAY_STEPS);
        let (x, y) = (x * share, y * share);
        let params = json!({
            "quad": [x, y, x + CURSOR, y + CURSOR * 0.7, x + CURSOR * 0.4, y + CURSOR * 0.7, x, y + CURSOR],
            "color": { "r": 30, "g": 30, "b": 30, "a": 0.8 }, "outlineColor": { "r": 255, "g": 255, "b": 255, "a": 1 },
        });
        if page.call::<IgnoredAny>("Overlay.highlightQuad", params, deadline).await.is_err() {
            return;
        }
        if slowly {
            let _ = deadline.limit(tokio::time::sleep(WAY_STEP)).await;
        }
    }
}
