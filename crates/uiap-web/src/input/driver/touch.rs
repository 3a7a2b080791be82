//! Fingers.

use super::{Driver, Met};
use crate::input::ask::AskError;
use crate::input::delivery::{Hindrance, Stop};
use crate::input::facts::Point;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use std::time::Duration;

/// How long a finger rests until a browser calls it a long press, with something to spare.
const HOLD: Duration = Duration::from_millis(900);
/// How far apart two fingers are when they are close, in CSS pixels.
const SPREAD: f64 = 200.0;
/// How many times fingers are seen on their way.
const PINCH_STEPS: u32 = 24;
/// How far things can be made larger or smaller by one pinch.
const PINCH_MAX: f64 = 4.0;

const TOUCH: &str = "Input.dispatchTouchEvent";

fn touch(kind: &str, fingers: &[Point]) -> (&'static str, Value) {
    let points: Vec<_> =
        fingers.iter().enumerate().map(|(id, at)| json!({ "x": at.x, "y": at.y, "id": id })).collect();
    (TOUCH, json!({ "type": kind, "touchPoints": points }))
}

impl Driver<'_> {
    pub(super) async fn tap(&mut self, at: Point) -> Result<(), Stop> {
        self.put_down(at).await?;
        self.dispatch([touch("touchEnd", &[])]).await
    }

    pub(super) async fn long_press(&mut self, at: Point) -> Result<(), Stop> {
        self.put_down(at).await?;
        let _ = self.deadline.limit(tokio::time::sleep(HOLD)).await;
        let held = self.page.ask::<Option<IgnoredAny>>("hold", &[], self.deadline).await;
        self.dispatch([touch("touchEnd", &[])]).await?;
        held.map(drop).map_err(|error| error.stop().interrupted())
    }

    /// Puts a finger on the target and sees that it is the target.
    async fn put_down(&mut self, at: Point) -> Result<(), Stop> {
        self.dispatch([touch("touchStart", &[at])]).await?;
        let met = match self.met().await.map(Met::stop) {
            Ok(None) => return Ok(()),
            Ok(Some(stop)) | Err(stop) => stop,
        };
        // Nobody should find the finger still there.
        let _ = self.dispatch([touch("touchCancel", &[])]).await;
        self.read_back().await;
        Err(met)
    }

    /// Tells whether the browser zooms; a page that zooms by itself does not show it.
    pub(super) async fn pinch(&mut self, at: Point, scale: f64) -> Result<bool, Stop> {
        if !(scale.is_finite() && (1.0 / PINCH_MAX..=PINCH_MAX).contains(&scale)) {
            return Err(Stop::Hindered(Hindrance::UnfitValue));
        }
        // Together they need room: spreading begins close, bringing together begins wide.
        let begin = if scale >= 1.0 { SPREAD / 2.0 } else { SPREAD / 2.0 / scale };
        let fingers = |reach: f64| [Point { x: at.x - reach, y: at.y }, Point { x: at.x + reach, y: at.y }];
        let before = self.zoom().await.map_err(|error| Stop::Hindered(error.hindrance()))?;
        self.dispatch([touch("touchStart", &fingers(begin))]).await?;
        let mut zoomed = 1.0;
        for number in 1..=PINCH_STEPS {
            let share = f64::from(number) / f64::from(PINCH_STEPS);
            let reach = begin * (1.0 + (scale - 1.0) * share);
            self.dispatch([touch("touchMove", &fingers(reach))]).await?;
            // A browser zooms faster than fingers move; a page that zooms by itself gets the whole way.
            zoomed = self.zoom().await.map_err(|error| error.stop().interrupted())? / before;
            if (scale >= 1.0 && zoomed >= scale) || (scale < 1.0 && zoomed <= scale) {
                break;
            }
        }
        self.dispatch([touch("touchEnd", &[])]).await?;
        Ok((scale > 1.0 && zoomed > 1.0) || (scale < 1.0 && zoomed < 1.0))
    }

    /// How much larger than by itself the page is shown.
    async fn zoom(&self) -> Result<f64, AskError> {
        self.page.ask("zoom", &[], self.deadline).await
    }
}
