//! Dragging: with the pointer, and what browsers call drag and drop.

use super::mouse::{moved, released};
use super::{Driver, Met};
use crate::cdp::Subscription;
use crate::input::deed::{Button, Modifiers, Press};
use crate::input::delivery::{Interruption, Stop};
use crate::input::facts::Point;
use serde::Deserialize;
use serde_json::{Value, json};

/// How many times the pointer is seen on its way.
const STEPS: u32 = 10;
/// How far the pointer goes before the way begins: no browser takes less for a drag. In CSS pixels.
const PULL: f64 = 8.0;

const INTERCEPT: &str = "Input.setInterceptDrags";
const DRAG: &str = "Input.dispatchDragEvent";

#[derive(Deserialize)]
struct Carried {
    data: Value,
}

impl Driver<'_> {
    pub(super) async fn drag(&mut self, from: Point, to: Point) -> Result<(), Stop> {
        let mut events = self.page.subscribe();
        // Otherwise the drag is handed to the desktop, and the way ends here.
        let intercept = |enabled: bool| (INTERCEPT, json!({ "enabled": enabled }));
        let begun = self.begun;
        self.dispatch([intercept(true)]).await?;
        self.begun = begun;
        let dragged = self.pull(from, to, &mut events).await;
        let _ = self.dispatch([intercept(false)]).await;
        dragged
    }

    async fn pull(&mut self, from: Point, to: Point, events: &mut Subscription) -> Result<(), Stop> {
        let press = Press::default();
        self.hold(from, press).await?;
        let held = |at| moved(at, Some(Button::Left), Modifiers::default());
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let length = dx.hypot(dy).max(1.0);
        let along =
            |distance: f64| Point { x: from.x + dx / length * distance, y: from.y + dy / length * distance };
        self.dispatch([held(along(PULL / 2.0)), held(along(PULL))]).await?;
        if let Met::Target { drags: true } = self.met().await? {
            let carried = self.carried(events).await?;
            let over = |kind: &str| (DRAG, json!({ "type": kind, "x": to.x, "y": to.y, "data": carried }));
            // One after the other: a page says what it takes in answer to the first.
            for kind in ["dragEnter", "dragOver", "drop"] {
                self.dispatch([over(kind)]).await?;
            }
        } else {
            let way = (1..=STEPS).map(|step| held(along(length * f64::from(step) / f64::from(STEPS))));
            self.dispatch(way.collect::<Vec<_>>()).await?;
        }
        self.dispatch([released(to, press, 1)]).await
    }

    /// What the browser carries.
    async fn carried(&self, events: &mut Subscription) -> Result<Value, Stop> {
        let told = async {
            while let Some(event) = events.next().await {
                let carried = event.ok().filter(|event| event.method == "Input.dragIntercepted");
                if let Some(Carried { data }) = carried.and_then(|event| event.params()) {
                    return Some(data);
                }
            }
            None
        };
        let told = self.deadline.half().limit(told).await.flatten();
        told.ok_or(Stop::Interrupted(Interruption::NoDrag))
    }
}
