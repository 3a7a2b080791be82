//! What the browser tells about a page, as signals.

use super::address::shown;
use super::signals::{BrowserSignal, SignalLog, cut};
use crate::cdp::{Event, Text};
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

/// Most values of one console call that are told.
const CONSOLE_VALUES_MAX: usize = 16;

/// Tells what needs nothing but the event itself.
pub(super) fn report(event: &Event, log: &SignalLog) {
    match event.method.as_str() {
        "Runtime.consoleAPICalled" => event.params().iter().for_each(|call| console(call, log)),
        "Log.entryAdded" => event.params().into_iter().for_each(|Added { entry }| complaint(&entry, log)),
        "Runtime.exceptionThrown" => event
            .params()
            .into_iter()
            .for_each(|Thrown { exception_details }| exception(&exception_details, log)),
        _ => {}
    }
}

fn console(call: &ConsoleCall, log: &SignalLog) {
    let level = match call.kind.as_str() {
        "error" | "assert" => "error",
        "warning" => "warning",
        _ => return,
    };
    let values: Vec<_> = call.args.iter().take(CONSOLE_VALUES_MAX).map(RemoteValue::text).collect();
    let place = call.stack_trace.as_ref().and_then(|trace| trace.call_frames.first());
    let members = json!({
        "level": level, "text": cut(&values.join(" ")),
        "url": place.map(|place| shown(&place.url.0)), "line": place.map(|place| place.line_number + 1),
    });
    log.tell(BrowserSignal::Console, members);
}

/// What the browser itself writes to the console: blocked content, failed requests.
fn complaint(entry: &Entry, log: &SignalLog) {
    if !matches!(entry.level.as_str(), "error" | "warning") {
        return;
    }
    let members = json!({
        "level": entry.level, "text": cut(&entry.text.0), "url": entry.url.as_ref().map(|url| shown(&url.0)),
        "line": entry.line_number.map(|line| line + 1),
    });
    log.tell(BrowserSignal::Console, members);
}

fn exception(details: &Details, log: &SignalLog) {
    let what = details.exception.as_ref().map(RemoteValue::text).unwrap_or_default();
    // The browser puts "Uncaught" into one text and the error with its stack into another.
    let text = format!("{} {}", details.text.0, what.lines().next().unwrap_or_default());
    let place = details.stack_trace.as_ref().and_then(|trace| trace.call_frames.first());
    let url = details.url.as_ref().or(place.map(|place| &place.url));
    let members = json!({
        "text": cut(text.trim()), "url": url.map(|url| shown(&url.0)),
        "line": details.line_number + 1, "column": details.column_number + 1,
    });
    log.tell(BrowserSignal::Exception, members);
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ConsoleCall {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    args: Vec<RemoteValue>,
    stack_trace: Option<StackTrace>,
}

/// A value in the page, as far as it can be told.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RemoteValue {
    value: Option<Box<RawValue>>,
    unserializable_value: Option<String>,
    description: Option<Text>,
    #[serde(rename = "type", default)]
    kind: String,
}

impl RemoteValue {
    fn text(&self) -> String {
        let value = self.value.as_ref().map(|raw| match serde_json::from_str(raw.get()) {
            Ok(Text(text)) => text,
            Err(_) => raw.get().to_owned(),
        });
        let described = || self.description.as_ref().map(|Text(text)| text.clone());
        value
            .or_else(|| self.unserializable_value.clone())
            .or_else(described)
            .unwrap_or_else(|| self.kind.clone())
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StackTrace {
    #[serde(default)]
    call_frames: Vec<CallFrame>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallFrame {
    url: Text,
    line_number: i64,
}

#[derive(Deserialize)]
struct Added {
    entry: Entry,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    level: String,
    #[serde(default)]
    text: Text,
    url: Option<Text>,
    line_number: Option<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Thrown {
    exception_details: Details,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Details {
    #[serde(default)]
    text: Text,
    line_number: i64,
    column_number: i64,
    url: Option<Text>,
    stack_trace: Option<StackTrace>,
    exception: Option<RemoteValue>,
}
