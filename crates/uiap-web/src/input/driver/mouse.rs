//! Pointing, pressing and turning the wheel.

use super::{Driver, Met};
use crate::input::deed::{Button, Modifiers, Press};
use crate::input::delivery::Stop;
use crate::input::facts::Point;
use serde_json::{Value, json};

pub(super) const MOUSE: &str = "Input.dispatchMouseEvent";

/// The browser's number for held keys.
pub(super) fn bits(modifiers: Modifiers) -> u8 {
    let Modifiers { alt, control, meta, shift } = modifiers;
    u8::from(alt) | u8::from(control) << 1 | u8::from(meta) << 2 | u8::from(shift) << 3
}

pub(super) fn moved(at: Point, held: Option<Button>, modifiers: Modifiers) -> (&'static str, Value) {
    let (button, buttons) = held.map_or(("none", 0), |button| (word(button), 1));
    (
        MOUSE,
        json!({
            "type": "mouseMoved", "x": at.x, "y": at.y, "button": button, "buttons": buttons, "modifiers": bits(modifiers),
        }),
    )
}

pub(super) fn pressed(at: Point, press: Press, count: u8) -> (&'static str, Value) {
    button_event("mousePressed", at, press, count)
}

pub(super) fn released(at: Point, press: Press, count: u8) -> (&'static str, Value) {
    button_event("mouseReleased", at, press, count)
}

fn button_event(kind: &str, at: Point, press: Press, count: u8) -> (&'static str, Value) {
    (
        MOUSE,
        json!({
            "type": kind, "x": at.x, "y": at.y, "button": word(press.button), "clickCount": count,
            "modifiers": bits(press.modifiers),
        }),
    )
}

fn word(button: Button) -> &'static str {
    match button {
        Button::Left => "left",
        Button::Middle => "middle",
        Button::Right => "right",
    }
}

impl Driver<'_> {
    pub(super) async fn hover(&mut self, at: Point) -> Result<(), Stop> {
        self.dispatch([moved(at, None, Modifiers::default())]).await
    }

    /// Presses and lets go. If something came in between, the publisher swallowed the press and nothing happened.
    pub(super) async fn press(&mut self, at: Point, press: Press) -> Result<(), Stop> {
        self.hold(at, press).await?;
        let releases = (1..=press.count.number()).flat_map(|count| {
            let again = (count > 1).then(|| pressed(at, press, count));
            again.into_iter().chain([released(at, press, count)])
        });
        self.dispatch(releases.collect::<Vec<_>>()).await
    }

    /// Presses and holds; says whether the browser is already carrying something.
    pub(super) async fn hold(&mut self, at: Point, press: Press) -> Result<(), Stop> {
        self.dispatch([moved(at, None, press.modifiers), pressed(at, press, 1)]).await?;
        let met = match self.met().await.map(Met::stop) {
            Ok(None) => return Ok(()),
            Ok(Some(stop)) | Err(stop) => stop,
        };
        // Nobody should find the button still down; the press itself decides what is reported.
        let _ = self.dispatch([released(at, press, 1)]).await;
        self.read_back().await;
        Err(met)
    }

    pub(super) async fn wheel(&mut self, at: Point, by: Point) -> Result<(), Stop> {
        let turn = json!({ "type": "mouseWheel", "x": at.x, "y": at.y, "deltaX": by.x, "deltaY": by.y });
        self.dispatch([(MOUSE, turn)]).await
    }
}
