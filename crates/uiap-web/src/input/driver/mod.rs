//! The browser's own input. The page and its listeners cannot tell it from a person's.
//!
//! Each deed is aimed by the publisher (where is the target, does a point hit it), dispatched, and read back.

mod drag;
mod files;
mod keyboard;
mod mouse;
mod touch;

use super::deed::{Act, Deed, EntryValue, Press};
use super::delivery::{Hindrance, Interruption, Receipt, Stop, Why};
use super::facts::{Cover, Point};
use crate::cdp::CallError;
use crate::deadline::Deadline;
use crate::page::Page;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

/// What the publisher prepared.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Aimed {
    point: Option<Point>,
    to: Option<Point>,
    wheel: Option<Point>,
    occupied: bool,
    files: Option<Files>,
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Files {
    One,
    Several,
}

#[derive(Deserialize)]
struct Aim {
    ready: bool,
    #[serde(default)]
    aimed: Aimed,
    why: Option<Why>,
    cover: Option<Cover>,
}

/// Whom a press met.
#[derive(Deserialize)]
#[serde(tag = "on", rename_all = "snake_case")]
enum Met {
    Target {
        drags: bool,
    },
    Other {
        cover: Cover,
    },
    /// What the target has become.
    Changed,
    /// The target, and then something else.
    Strayed,
    Nothing,
}

impl Met {
    /// Why it must not go on, unless it met its target.
    fn stop(self) -> Option<Stop> {
        match self {
            Self::Target { .. } => None,
            Self::Other { cover } => Some(Stop::Hindered(Hindrance::Missed { cover })),
            Self::Changed => Some(Stop::Hindered(Hindrance::Changed)),
            Self::Strayed => Some(Stop::Interrupted(Interruption::Strayed)),
            Self::Nothing => Some(Stop::Interrupted(Interruption::Unseen)),
        }
    }
}

/// How it is afterwards.
#[derive(Default, Deserialize)]
#[serde(default)]
struct After {
    #[serde(flatten)]
    receipt: Receipt,
    /// The page made something else of the target in the middle.
    strayed: bool,
}

/// Makes one deed happen.
pub(super) struct Driver<'p> {
    page: &'p Page,
    deadline: Deadline,
    /// Something was dispatched: from here on nobody can say that nothing happened.
    begun: bool,
}

impl<'p> Driver<'p> {
    pub(super) fn new(page: &'p Page, deadline: Deadline) -> Self {
        Self { page, deadline, begun: false }
    }

    pub(super) async fn drive(mut self, deed: &Deed, written: &str) -> Result<Receipt, Stop> {
        if let Act::Upload { files } = &deed.act {
            files::check(files)?;
        }
        let aimed = self.aim(written).await?;
        let mut zoomed = false;
        match &deed.act {
            Act::Press(press) => self.press(spot(aimed.point)?, *press).await?,
            Act::PressAt { .. }
            | Act::Toggle { .. }
            | Act::Choose { .. }
            | Act::Disclose { .. }
            | Act::Submit
            | Act::SetValue { value: EntryValue::Flag(_) } => {
                self.press(spot(aimed.point)?, Press::default()).await?;
            }
            Act::Hover => self.hover(spot(aimed.point)?).await?,
            Act::Scroll { .. } => self.wheel(spot(aimed.point)?, spot(aimed.wheel)?).await?,
            Act::EnterText { text, typing, .. } => {
                self.enter(text.as_str(), *typing, aimed.occupied).await?;
            }
            Act::SetValue { value } => self.enter_value(value, aimed.occupied).await?,
            Act::Keys { chords } => self.strike(chords).await?,
            Act::Drag { .. } => self.drag(spot(aimed.point)?, spot(aimed.to)?).await?,
            Act::Tap => self.tap(spot(aimed.point)?).await?,
            Act::LongPress => self.long_press(spot(aimed.point)?).await?,
            Act::Pinch { scale } => zoomed = self.pinch(spot(aimed.point)?, *scale).await?,
            Act::Upload { files } => self.upload(deed.target.as_ref(), files, &aimed).await?,
            Act::Reveal | Act::Focus => return Err(Stop::Hindered(Hindrance::Unsupported)),
        }
        match self.read_back().await {
            After { strayed: true, .. } => Err(Stop::Interrupted(Interruption::Strayed)),
            After { receipt, .. } if zoomed => Ok(Receipt { as_wanted: Some(true), ..receipt }),
            After { receipt, .. } => Ok(receipt),
        }
    }

    async fn aim(&self, written: &str) -> Result<Aimed, Stop> {
        let asked = self.page.ask::<Aim>("aim", &[written], self.deadline).await;
        match asked.map_err(|error| Stop::Hindered(error.hindrance()))? {
            Aim { ready: true, aimed, .. } => Ok(aimed),
            Aim { why, cover, .. } => Err(Stop::Hindered(why.unwrap_or(Why::Unsupported).hindrance(cover))),
        }
    }

    /// How it is afterwards. The page may be on its way to another one; then there is nothing to read.
    async fn read_back(&self) -> After {
        self.page.ask("after", &[], self.deadline).await.unwrap_or_default()
    }

    /// Whether the press met its target.
    async fn met(&self) -> Result<Met, Stop> {
        self.page.ask("landed", &[], self.deadline).await.map_err(|error| error.stop().interrupted())
    }

    /// Sends input one after the other without waiting in between, then waits until the page has dealt with all.
    async fn dispatch(
        &mut self,
        events: impl IntoIterator<Item = (&'static str, Value)>,
    ) -> Result<(), Stop> {
        let first = !self.begun;
        let calls = events
            .into_iter()
            .map(|(method, params)| self.page.call::<IgnoredAny>(method, params, self.deadline));
        let answers = futures_util::future::join_all(calls).await;
        self.begun = true;
        for (index, answer) in answers.into_iter().enumerate() {
            if let Err(error) = answer {
                return Err(unanswered(error, first && index == 0));
            }
        }
        Ok(())
    }
}

/// What the end of a call says about the deed.
fn unanswered(error: CallError, is_first: bool) -> Stop {
    match error {
        error @ (CallError::Refused { .. } | CallError::Busy { .. }) if is_first => {
            Stop::Hindered(Hindrance::Call(error))
        }
        error => Stop::Interrupted(Interruption::Call(error)),
    }
}

fn spot(point: Option<Point>) -> Result<Point, Stop> {
    point.ok_or(Stop::Hindered(Hindrance::OutOfView))
}
