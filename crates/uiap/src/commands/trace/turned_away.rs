//! Requests that never became actions.

use super::time;
use serde_json::{Value, json};
use uiap_runtime::journal::TurnedAway;

/// How the place in its life is called that a request never left.
const STATE: &str = "turned_away";

pub(super) fn line(request: &TurnedAway) -> String {
    let trace = &request.trace;
    let code = request.code().map(|code| format!(", {code}")).unwrap_or_default();
    format!(
        "{} {} {}: turned away{code}; nothing was changed\n",
        time(request.at),
        trace.handle,
        trace.action_id
    )
}

pub(super) fn summary(request: &TurnedAway) -> Value {
    let trace = &request.trace;
    json!({
        "actionHandle": trace.handle,
        "actionId": trace.action_id,
        "at": time(request.at),
        "state": STATE,
        "code": request.code(),
        "sideEffectState": "none",
    })
}

pub(super) fn to_json(request: &TurnedAway) -> Value {
    let mut value = summary(request);
    if let Some(members) = value.as_object_mut() {
        members.insert("trace".to_owned(), request.trace.to_json());
    }
    value
}
