//! Deeds of the runtime, carried out on a page.

use crate::deadline::Deadline;
use crate::input::{
    Act, Check, Choice, Deed, Delivery, EntryValue, Expected, Hindrance, Interruption, Key, Means, NamedKey,
    Point, Press, Receipt, ScrollBy, ScrollEnd, Typing,
};
use crate::page::{Invoked, OpenError, Page, Returned};
use serde_json::json;
use uiap_protocol::capability::{Checked, ExecutionMode, ScalarValue};
use uiap_protocol::ids::{ActionId, ElementInstanceId};
use uiap_protocol::wire::JsonObject;
use uiap_runtime::deed::{self, Deed as Wanted, Destination, Scroll};
use uiap_runtime::judge::Told;
use uiap_runtime::life;
use uiap_runtime::sight;
use uiap_runtime::surface::{Dispatched, Order};

/// The scheme of what looks like an address and is a program.
const SCRIPT: &str = "javascript";

/// Brings an element into view.
pub(super) fn reveal(target: ElementInstanceId) -> Deed {
    Deed { target: Some(target), act: Act::Reveal, means: Means::SemanticUi, expected: None }
}

/// Carries out an order in the way it says.
pub(super) async fn dispatch(page: &Page, order: &Order<'_>, deadline: Deadline) -> Dispatched {
    match (order.mode, order.deed) {
        (ExecutionMode::AppAction, Wanted::Invoke { action, args }) => {
            invoke(page, action, args.reveal(), order.handle.as_str(), deadline).await.into()
        }
        (ExecutionMode::AppAction, _) => refused("the application has no action of its own for this"),
        (_, Wanted::Navigate(destination)) if !matches!(destination, Destination::Target) => {
            navigate(page, destination, deadline).await.into()
        }
        (ExecutionMode::ExternalDriver, Wanted::PointAlong { share }) => {
            point_along(page, order, *share, deadline).await
        }
        (ExecutionMode::SemanticUi, _) => deliver(page, order, Means::SemanticUi, deadline).await,
        (ExecutionMode::ExternalDriver, _) => deliver(page, order, Means::ExternalDriver, deadline).await,
        (ExecutionMode::InputSynthesis, _) => deliver(page, order, Means::InputSynthesis, deadline).await,
        (ExecutionMode::VisionAssist, Wanted::Activate) => match order.at {
            Some(at) => press_at(page, order, at, deadline).await,
            None => refused("nobody said where in the picture it is"),
        },
        (ExecutionMode::VisionAssist, _) => refused("only pressing can be done by a picture"),
    }
}

/// Nothing was done, and this is why.
pub(crate) fn refused(reason: &str) -> Dispatched {
    life::Delivery::NotDelivered { reason: reason.to_owned() }.into()
}

async fn deliver(page: &Page, order: &Order<'_>, means: Means, deadline: Deadline) -> Dispatched {
    match act_of(order.deed) {
        Some(act) => carry_out(page, order, act, means, deadline).await,
        None => refused("a page cannot do this in this way"),
    }
}

/// Presses where somebody who looked at a picture says that it is, if that is the target at all.
async fn press_at(page: &Page, order: &Order<'_>, at: sight::Point, deadline: Deadline) -> Dispatched {
    let act = Act::PressAt { at: Point { x: at.x, y: at.y } };
    carry_out(page, order, act, Means::ExternalDriver, deadline).await
}

/// Presses the track of a control, from its left or its lower end on.
async fn point_along(page: &Page, order: &Order<'_>, share: f64, deadline: Deadline) -> Dispatched {
    let Some(target) = order.target else { return refused("only a control has a track") };
    let facts = match page.check(&target.instance_id, None, deadline).await {
        Ok(Check::Present(facts)) => facts,
        Ok(Check::Gone) => return life::Delivery::Outdated { reason: Hindrance::Gone.to_string() }.into(),
        Err(error) => return refused(&error.to_string()),
    };
    let (left, top) = (facts.bounds.x.get(), facts.bounds.y.get());
    let (width, height) = (facts.bounds.width.get(), facts.bounds.height.get());
    // The very edge belongs to what is beside it.
    let along =
        |length: f64| (share * length).clamp(1.0_f64.min(length / 2.0), (length - 1.0).max(length / 2.0));
    let at = if height > width {
        Point { x: left + width / 2.0, y: top + height - along(height) }
    } else {
        Point { x: left + along(width), y: top + height / 2.0 }
    };
    carry_out(page, order, Act::PressAt { at }, Means::ExternalDriver, deadline).await
}

async fn carry_out(page: &Page, order: &Order<'_>, act: Act, means: Means, deadline: Deadline) -> Dispatched {
    let target = order.target.map(|target| target.instance_id.clone());
    let deed = Deed { target, act, means, expected: expected(order) };
    let delivery = page.deliver(&deed, deadline).await;
    told(delivery, &deed.act)
}

/// What came of a deed, in the words of the runtime.
pub(crate) fn told(delivery: Delivery, act: &Act) -> Dispatched {
    match delivery {
        Delivery::Delivered(receipt) => Dispatched {
            delivery: life::Delivery::Delivered { acknowledged: false, return_value: returned(&receipt) },
            seen: seen(*receipt, act),
        },
        Delivery::None(Hindrance::Already) => Dispatched {
            delivery: life::Delivery::Already,
            seen: Told { as_wanted: Some(true), ..Told::default() },
        },
        Delivery::None(hindrance @ (Hindrance::Gone | Hindrance::Changed | Hindrance::Missed { .. })) => {
            life::Delivery::Outdated { reason: hindrance.to_string() }.into()
        }
        Delivery::None(hindrance) => refused(&hindrance.to_string()),
        Delivery::Unknown(interruption) => Dispatched {
            delivery: life::Delivery::Unknown,
            // Nobody let it go to its end, so whatever happens next is not its effect.
            seen: Told {
                // A change that merely looks like an effect proves nothing about a press that nobody saw.
                against: matches!(interruption, Interruption::Strayed | Interruption::Unseen)
                    .then(|| interruption.to_string()),
                ..Told::default()
            },
        },
    }
}

/// What the target must still be.
pub(crate) fn expected(order: &Order<'_>) -> Option<Expected> {
    let target = order.target?;
    let around = order.as_found.map(|identity| {
        let outer = identity.around().iter();
        outer.map(|(role, name)| (role.as_str().to_owned(), name.clone())).collect()
    });
    Some(Expected {
        role: target.role.as_str().to_owned(),
        name: target.name.clone(),
        stable_id: target.stable_id.clone(),
        document_id: target.document_id.clone(),
        scope_id: target.scope_id.clone(),
        around,
    })
}

/// What a page does for a deed; nothing if it is not done to an element.
pub(crate) fn act_of(deed: &Wanted) -> Option<Act> {
    Some(match deed {
        Wanted::Focus => Act::Focus,
        Wanted::Hover { .. } => Act::Hover,
        Wanted::Activate | Wanted::Navigate(Destination::Target) => Act::Press(Press::default()),
        Wanted::EnterText { text, clear } => {
            Act::EnterText { text: text.reveal().as_str().into(), clear: *clear, typing: Typing::Whole }
        }
        Wanted::ClearText => Act::EnterText { text: "".into(), clear: true, typing: Typing::Whole },
        Wanted::SetValue { value, .. } => Act::SetValue {
            value: match value.reveal() {
                ScalarValue::Text(text) => EntryValue::Text(text.as_str().into()),
                ScalarValue::Number(number) => EntryValue::Number(number.get()),
                ScalarValue::Boolean(flag) => EntryValue::Flag(*flag),
            },
        },
        Wanted::Choose(choice) => Act::Choose {
            choice: match choice {
                deed::Choice::Values(values) => Choice::Value { values: values.clone() },
                deed::Choice::Labels(labels) => Choice::Label { labels: labels.clone() },
                deed::Choice::Index(index) => Choice::Index { index: *index },
            },
        },
        Wanted::Toggle { to } => Act::Toggle {
            to: match to {
                None => None,
                Some(Checked::Yes) => Some(true),
                Some(Checked::No) => Some(false),
                // Nobody can switch something to "partly".
                Some(Checked::Mixed) => return None,
            },
        },
        Wanted::Expand | Wanted::Open => Act::Disclose { open: true },
        Wanted::Collapse | Wanted::Close => Act::Disclose { open: false },
        Wanted::ScrollIntoView { .. } => Act::Reveal,
        Wanted::Scroll(scroll) => Act::Scroll {
            by: match *scroll {
                Scroll::By { dx, dy } => ScrollBy::Distance { dx, dy },
                Scroll::ToStart => ScrollBy::End { to: ScrollEnd::Start },
                Scroll::ToEnd => ScrollBy::End { to: ScrollEnd::End },
            },
        },
        Wanted::Submit => Act::Submit,
        Wanted::Upload { files } => {
            Act::Upload { files: files.iter().map(|file| file.data_ref.reveal().into()).collect() }
        }
        Wanted::Nudge { steps } => {
            let key = if *steps < 0 { NamedKey::ArrowDown } else { NamedKey::ArrowUp };
            let times = usize::try_from(steps.unsigned_abs()).unwrap_or_default();
            Act::Keys { chords: vec![Key::Named(key).into(); times] }
        }
        Wanted::LongPress { .. } => Act::LongPress,
        Wanted::Pinch { scale } => Act::Pinch { scale: *scale },
        Wanted::Read { .. }
        | Wanted::Highlight { .. }
        | Wanted::Navigate(_)
        | Wanted::Invoke { .. }
        | Wanted::PointAlong { .. } => return None,
    })
}

/// What the page saw of its deed.
fn seen(receipt: Receipt, act: &Act) -> Told {
    let scrolls = matches!(act, Act::Scroll { .. });
    let moved = receipt.scrolled.map(|scrolled| scrolled.x != 0.0 || scrolled.y != 0.0);
    Told {
        as_wanted: receipt.as_wanted,
        selected: receipt.selected,
        scrolled: moved.filter(|_| scrolls),
        // What does not move although it was told to is at its end.
        at_limit: moved.filter(|_| scrolls).map(|moved| !moved),
        in_view: receipt.as_wanted.filter(|_| matches!(act, Act::Reveal)),
        zoomed: receipt.as_wanted.filter(|_| matches!(act, Act::Pinch { .. })),
        acknowledged: None,
        against: None,
    }
}

fn returned(receipt: &Receipt) -> Option<JsonObject> {
    let scrolled = receipt.scrolled?;
    json!({ "scrolled": { "dx": scrolled.x, "dy": scrolled.y } }).as_object().cloned()
}

async fn navigate(page: &Page, destination: &Destination, deadline: Deadline) -> life::Delivery {
    let address = match destination {
        Destination::Address(address) => Some(address.clone()),
        Destination::Route { path, .. } => path.clone(),
        Destination::Target => None,
    };
    let here = url::Url::parse(&page.url());
    let absolute = address.and_then(|address| match here {
        Ok(here) => here.join(&address).ok(),
        Err(_) => url::Url::parse(&address).ok(),
    });
    let Some(absolute) = absolute else {
        return life::Delivery::NotDelivered { reason: "nobody knows the address of this route".to_owned() };
    };
    if absolute.scheme() == SCRIPT {
        // It would run in the page with the rights of its application, past everything that was decided.
        return life::Delivery::NotDelivered { reason: "a script is no address".to_owned() };
    }
    let moves_within = page.url().split('#').next() == absolute.as_str().split('#').next();
    if !matches!(absolute.scheme(), "http" | "https") && !moves_within {
        // Files of this machine and pages of the sender's own making are no part of the application.
        let reason = format!("\"{}:\" is no address of an application", absolute.scheme());
        return life::Delivery::NotDelivered { reason };
    }
    match page.visit(absolute.as_str(), deadline).await {
        Ok(_) => life::Delivery::Delivered { acknowledged: false, return_value: None },
        Err(
            error @ (OpenError::Address { .. }
            | OpenError::Unreachable { .. }
            | OpenError::ApprovalPage { .. }),
        ) => life::Delivery::NotDelivered { reason: error.to_string() },
        Err(_) => life::Delivery::Unknown,
    }
}

async fn invoke(
    page: &Page,
    action: &ActionId,
    args: &JsonObject,
    key: &str,
    deadline: Deadline,
) -> life::Delivery {
    let offered = match page.actions(deadline).await {
        Ok(registered) => registered.actions.into_iter().find(|offered| offered.descriptor.id == *action),
        Err(error) => return life::Delivery::NotDelivered { reason: error.to_string() },
    };
    let Some(offered) = offered else {
        return life::Delivery::NotDelivered { reason: format!("the page does not offer {action}") };
    };
    invoked(page.invoke(&offered, args, Some(key), deadline).await)
}

/// What came of an invocation, in the words of the runtime.
pub(crate) fn invoked(invoked: Invoked) -> life::Delivery {
    match invoked {
        Invoked::None(why) => life::Delivery::NotDelivered { reason: why.to_string() },
        Invoked::Unknown(_) => life::Delivery::Unknown,
        Invoked::Delivered(returned) => {
            life::Delivery::Delivered { acknowledged: true, return_value: value_of(returned) }
        }
    }
}

/// What an application returned, as an object.
fn value_of(returned: Returned) -> Option<JsonObject> {
    match returned {
        Returned::Value(serde_json::Value::Object(object)) => Some(object),
        Returned::Value(value) => json!({ "value": value }).as_object().cloned(),
        Returned::Nothing => None,
        Returned::TooLong => json!({ "omitted": "too long" }).as_object().cloned(),
        Returned::Unreadable => json!({ "omitted": "not readable" }).as_object().cloned(),
    }
}
