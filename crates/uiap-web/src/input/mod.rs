//! Acting on a page: fresh facts about a target, and three means to do something to it.
//!
//! Start at [`Page::check`] and [`Page::deliver`]. Two of the means work in the page and cost one call; the third is
//! the browser's own input, which the publisher aims and watches so that it cannot hit anything else.

mod ask;
mod deed;
mod delivery;
mod driver;
mod facts;
mod keys;

pub use deed::{
    Act, Button, Choice, Deed, EntryText, EntryValue, Expected, Means, Modifiers, Press, PressCount,
    ScrollBy, ScrollEnd, Typing,
};
pub use delivery::{Delivery, Hindrance, Interruption, Receipt, Scrolled};
pub use facts::{Check, Cover, Facts, Opaque, Point};
pub use keys::{Chord, Key, NamedKey};

use crate::deadline::Deadline;
use crate::page::Page;
use ask::AskError;
pub(crate) use delivery::Outcome;
use driver::Driver;
use serde::Serialize;
use uiap_protocol::ids::ElementInstanceId;

/// A deed as the publisher reads it.
#[derive(Serialize)]
struct Written<'d> {
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'d ElementInstanceId>,
    #[serde(flatten)]
    act: &'d Act,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<&'d Expected>,
}

impl Deed {
    /// The elements that it is done to.
    fn elements(&self) -> impl Iterator<Item = &ElementInstanceId> {
        let other = match &self.act {
            Act::Drag { to } => Some(to),
            _ => None,
        };
        self.target.iter().chain(other)
    }

    /// As the publisher reads it.
    pub(crate) fn written(&self) -> Result<String, Hindrance> {
        let written =
            Written { target: self.target.as_ref(), act: &self.act, expected: self.expected.as_ref() };
        serde_json::to_string(&written).map_err(|_| Hindrance::UnfitValue)
    }
}

impl Page {
    /// The facts about an element, fresh, in one round trip. The point is where the caller means to act; without one
    /// a point is looked for.
    pub async fn check(
        &self,
        instance: &ElementInstanceId,
        point: Option<Point>,
        deadline: Deadline,
    ) -> Result<Check, Hindrance> {
        if self.is_beyond_bridge(instance) {
            return Err(Hindrance::BeyondBridge);
        }
        let point = point.and_then(|point| serde_json::to_string(&point).ok());
        let arguments: Vec<&str> =
            [Some(instance.as_str()), point.as_deref()].into_iter().flatten().collect();
        match self.ask::<Option<Box<Facts>>>("check", &arguments, deadline).await {
            Ok(Some(facts)) => Ok(Check::Present(facts)),
            Ok(None)
            | Err(AskError::NotAsked(Hindrance::Replaced) | AskError::Interrupted(Interruption::Replaced)) => {
                Ok(Check::Gone)
            }
            Err(error) => Err(error.hindrance()),
        }
    }

    /// Does something, and tells whether it reached the page. It never tries twice.
    pub async fn deliver(&self, deed: &Deed, deadline: Deadline) -> Delivery {
        if deed.elements().any(|element| self.is_beyond_bridge(element)) {
            return Delivery::None(Hindrance::BeyondBridge);
        }
        let written = match deed.written() {
            Ok(written) => written,
            Err(hindrance) => return Delivery::None(hindrance),
        };
        match deed.means {
            Means::SemanticUi => self.perform("semantic_ui", &written, deadline).await,
            Means::InputSynthesis => self.perform("input_synthesis", &written, deadline).await,
            Means::ExternalDriver => match Driver::new(self, deadline).drive(deed, &written).await {
                Ok(receipt) => Delivery::Delivered(Box::new(receipt)),
                Err(stop) => stop.into(),
            },
        }
    }

    /// Makes what follows the page know it as it is now; costs what has changed.
    pub(crate) async fn catch_up(&self, deadline: Deadline) -> Result<(), Hindrance> {
        self.ask::<()>("catchUp", &[], deadline).await.map_err(AskError::hindrance)
    }

    /// Waits until the page was shown twice; false if it is not shown at all, for instance in the background.
    pub async fn shown_twice(&self, deadline: Deadline) -> Result<bool, Hindrance> {
        self.ask::<bool>("shown", &[], deadline).await.map_err(AskError::hindrance)
    }

    async fn perform(&self, means: &str, deed: &str, deadline: Deadline) -> Delivery {
        match self.ask::<Outcome>("perform", &[means, deed], deadline).await {
            Ok(outcome) => outcome.into(),
            Err(error) => error.stop().into(),
        }
    }
}
