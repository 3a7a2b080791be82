//! Deeds of the runtime, carried out by a page on itself.

use super::line::{AskError, Line};
use super::words::Wish;
use crate::deadline::Deadline;
use crate::input::{Act, Deed, Delivery, Hindrance, Interruption, Means, Outcome};
use crate::page::read_outcome;
use crate::surface::deeds::{act_of, expected, invoked, refused, told};
use serde::Deserialize;
use serde_json::json;
use uiap_protocol::capability::ExecutionMode;
use uiap_protocol::ids::{ActionId, ElementInstanceId};
use uiap_protocol::wire::JsonObject;
use uiap_runtime::deed::{Deed as Wanted, Destination};
use uiap_runtime::life;
use uiap_runtime::surface::{Dispatched, Order};

/// Where a page went, or why it did not.
#[derive(Deserialize)]
#[serde(tag = "went", rename_all = "snake_case")]
enum Went {
    There,
    Nowhere { why: String },
    Unknown,
}

/// Carries out an order in the way it says.
pub(super) async fn dispatch(line: &Line, order: &Order<'_>, deadline: Deadline) -> Dispatched {
    match (order.mode, order.deed) {
        (ExecutionMode::AppAction, Wanted::Invoke { action, args }) => {
            invoke(line, order, action, args.reveal(), deadline).await.into()
        }
        (ExecutionMode::SemanticUi, Wanted::Navigate(Destination::Address(address))) => {
            go(line, address, deadline).await.into()
        }
        (ExecutionMode::SemanticUi, Wanted::Navigate(Destination::Route { path, .. })) => match path {
            Some(path) => go(line, path, deadline).await.into(),
            None => refused("nobody knows the address of this route"),
        },
        (ExecutionMode::SemanticUi, deed) => match act_of(deed) {
            Some(act) => {
                let target = order.target.map(|target| target.instance_id.clone());
                perform(
                    line,
                    &Deed { target, act, means: Means::SemanticUi, expected: expected(order) },
                    deadline,
                )
                .await
            }
            None => refused("a page cannot do this in this way"),
        },
        _ => refused("a page acts on itself by its own means only"),
    }
}

/// Brings an element into view.
pub(super) async fn reveal(line: &Line, target: &ElementInstanceId, deadline: Deadline) {
    let deed =
        Deed { target: Some(target.clone()), act: Act::Reveal, means: Means::SemanticUi, expected: None };
    // Whether it worked is seen by the next check.
    perform(line, &deed, deadline).await;
}

async fn perform(line: &Line, deed: &Deed, deadline: Deadline) -> Dispatched {
    let written = match deed.written() {
        Ok(written) => written,
        Err(hindrance) => return told(Delivery::None(hindrance), &deed.act),
    };
    let delivery = match line.wish::<Outcome>(Wish::Perform, json!({ "deed": written }), deadline).await {
        Ok(outcome) => outcome.into(),
        Err(AskError::Unasked { reason } | AskError::Refused { reason }) => {
            Delivery::None(Hindrance::Publisher { message: reason })
        }
        Err(error @ (AskError::Lost | AskError::Unanswered | AskError::Unsound)) => {
            Delivery::Unknown(Interruption::Threw { message: error.to_string() })
        }
    };
    told(delivery, &deed.act)
}

async fn invoke(
    line: &Line,
    order: &Order<'_>,
    action: &ActionId,
    args: &JsonObject,
    deadline: Deadline,
) -> life::Delivery {
    let left = u64::try_from(deadline.left().as_millis()).unwrap_or(u64::MAX);
    let payload = json!({
        "actionId": action, "args": args, "actionHandle": order.handle, "target": order.target, "timeoutMs": left,
    });
    match line.wish::<String>(Wish::Invoke, payload, deadline).await {
        Ok(outcome) => invoked(read_outcome(&outcome)),
        Err(error) => undone(error),
    }
}

async fn go(line: &Line, address: &str, deadline: Deadline) -> life::Delivery {
    match line.wish::<Went>(Wish::Go, json!({ "to": address }), deadline).await {
        Ok(Went::There) => life::Delivery::Delivered { acknowledged: false, return_value: None },
        Ok(Went::Nowhere { why }) => life::Delivery::NotDelivered { reason: why },
        Ok(Went::Unknown) => life::Delivery::Unknown,
        Err(error) => undone(error),
    }
}

/// What is known of a deed whose page has no answer.
fn undone(error: AskError) -> life::Delivery {
    match error {
        AskError::Unasked { reason } | AskError::Refused { reason } => {
            life::Delivery::NotDelivered { reason }
        }
        AskError::Lost | AskError::Unanswered | AskError::Unsound => life::Delivery::Unknown,
    }
}
