//! The deeds of the actions that every runtime knows, with the arguments of each (`protocol.md` 3.2).

use super::Refusal;
use super::arguments::Arguments;
use crate::catalogue::{BadParams, Catalogue, Native};
use crate::deed::{Block, Choice, Deed, Destination, LONG_PRESS_MS, Private, ReadField, Scroll, UploadFile};
use serde_json::Value;
use std::collections::BTreeMap;
use uiap_protocol::action::{Highlight, RuntimeErrorCode};
use uiap_protocol::capability::{Checked, PrimitiveAction as Primitive, ScalarValue, TargetRef};
use uiap_protocol::ids::RouteId;
use uiap_protocol::wire::Number;

/// Longest hovering and holding, in milliseconds.
pub const GESTURE_MS_MAX: u64 = 30_000;
/// Farthest scrolling at once.
pub const SCROLL_DISTANCE_MAX: f64 = 1_000_000.0;
/// Smallest scale of a pinch.
pub const PINCH_SCALE_MIN: f64 = 0.1;
/// Largest scale of a pinch.
pub const PINCH_SCALE_MAX: f64 = 10.0;
/// Most files that are handed over at once.
pub const UPLOAD_FILES_MAX: usize = 100;
/// Farthest option that is chosen by its place.
const INDEX_MAX: u64 = 1_000_000;

const HIGHLIGHTS: [(&str, Highlight); 3] =
    [("none", Highlight::None), ("outline", Highlight::Outline), ("spotlight", Highlight::Spotlight)];
const ENDS: [(&str, Scroll); 2] = [("start", Scroll::ToStart), ("end", Scroll::ToEnd)];

/// What is asked for, with its arguments checked.
pub(super) fn deed(
    native: Native,
    args: Arguments<'_>,
    target: Option<&TargetRef>,
    catalogue: &Catalogue,
) -> Result<Deed, Refusal> {
    let args = args.only(&native.usage().argument_names())?;
    match native {
        Native::Primitive(primitive) => match primitive {
            Primitive::Read => read(args),
            Primitive::Focus => Ok(Deed::Focus),
            Primitive::Highlight => Ok(Deed::Highlight { style: args.word("style", &HIGHLIGHTS)? }),
            Primitive::Hover => Ok(Deed::Hover { duration_ms: args.count("durationMs", 1, GESTURE_MS_MAX)? }),
            Primitive::Activate => Ok(Deed::Activate),
            Primitive::EnterText => enter_text(args),
            Primitive::ClearText => Ok(Deed::ClearText),
            Primitive::SetValue => set_value(args),
            Primitive::Choose => choose(args),
            Primitive::Toggle => toggle(args),
            Primitive::Expand => Ok(Deed::Expand),
            Primitive::Collapse => Ok(Deed::Collapse),
            Primitive::Open => Ok(Deed::Open),
            Primitive::Close => Ok(Deed::Close),
            Primitive::ScrollIntoView => {
                Ok(Deed::ScrollIntoView { block: args.word("block", &Block::WORDS)? })
            }
            Primitive::Scroll => scroll(args),
            Primitive::Submit => Ok(Deed::Submit),
            Primitive::Upload => upload(args),
            Primitive::Navigate => navigate(args, target, catalogue).map(Deed::Navigate),
            // It was replaced by the action that it invokes.
            Primitive::Invoke => Err(args.missing("action")),
        },
        Native::LongPress => {
            let duration_ms = args.count("durationMs", 1, GESTURE_MS_MAX)?;
            Ok(Deed::LongPress { duration_ms: duration_ms.unwrap_or(LONG_PRESS_MS) })
        }
        Native::Pinch => {
            let scale = args.number("scale", PINCH_SCALE_MIN, PINCH_SCALE_MAX)?;
            Ok(Deed::Pinch { scale: scale.ok_or_else(|| args.missing("scale"))? })
        }
    }
}

fn read(args: Arguments<'_>) -> Result<Deed, Refusal> {
    let Some(names) = args.texts("fields")? else {
        return Ok(Deed::Read { fields: None });
    };
    let fields = names.into_iter().map(|name| args.one_word("fields", name, &ReadField::WORDS));
    Ok(Deed::Read { fields: Some(fields.collect::<Result<_, _>>()?) })
}

fn enter_text(args: Arguments<'_>) -> Result<Deed, Refusal> {
    let text = args.text("text")?.ok_or_else(|| args.missing("text"))?;
    let clear = match (args.flag("clear")?, args.flag("append")?) {
        (Some(true), Some(true)) => {
            return Err(args.wrong("append", "contradicts \"clear\": give one of them"));
        }
        (Some(clear), _) => clear,
        (None, append) => append != Some(true),
    };
    Ok(Deed::EnterText { text: Private::new(text.to_owned()), clear })
}

fn set_value(args: Arguments<'_>) -> Result<Deed, Refusal> {
    let value = args.value("value").ok_or_else(|| args.missing("value"))?;
    let number = value.as_f64().and_then(Number::new);
    let scalar = match value {
        Value::String(text) => Some(ScalarValue::Text(text.clone())),
        Value::Bool(flag) => Some(ScalarValue::Boolean(*flag)),
        _ => number.map(ScalarValue::Number),
    };
    let value = scalar.ok_or_else(|| args.wrong("value", "must be a text, a number, or true or false"))?;
    let tolerance = args.number("tolerance", 0.0, f64::MAX)?;
    if tolerance.is_some() && number.is_none() {
        return Err(args.wrong("tolerance", "is only for numbers, and \"value\" is none"));
    }
    Ok(Deed::SetValue { value: Private::new(value), tolerance })
}

fn choose(args: Arguments<'_>) -> Result<Deed, Refusal> {
    const WAYS: [&str; 5] = ["value", "label", "values", "labels", "index"];
    let owned = |texts: Vec<&str>| texts.into_iter().map(str::to_owned).collect();
    let choice = match args.one_of(&WAYS)? {
        Some("value") => args.text("value")?.map(|value| Choice::Values(vec![value.to_owned()])),
        Some("label") => args.text("label")?.map(|label| Choice::Labels(vec![label.to_owned()])),
        Some("values") => args.texts("values")?.map(|values| Choice::Values(owned(values))),
        Some("labels") => args.texts("labels")?.map(|labels| Choice::Labels(owned(labels))),
        Some(_) => {
            let index = args.count("index", 0, INDEX_MAX)?;
            index.and_then(|index| usize::try_from(index).ok()).map(Choice::Index)
        }
        None => None,
    };
    choice.map(Deed::Choose).ok_or_else(|| {
        let message =
            "\"ui.choose\" must say what to choose: give one of value, label, values, labels, index.";
        Refusal::payload(message).with("argument", "value").with("allowed", WAYS.to_vec())
    })
}

fn toggle(args: Arguments<'_>) -> Result<Deed, Refusal> {
    let to = match args.value("to") {
        None => None,
        Some(Value::Bool(true)) => Some(Checked::Yes),
        Some(Value::Bool(false)) => Some(Checked::No),
        Some(Value::String(word)) if word == "mixed" => Some(Checked::Mixed),
        Some(_) => return Err(args.wrong("to", "must be true, false or \"mixed\"")),
    };
    Ok(Deed::Toggle { to })
}

fn scroll(args: Arguments<'_>) -> Result<Deed, Refusal> {
    let distance = |name| args.number(name, -SCROLL_DISTANCE_MAX, SCROLL_DISTANCE_MAX);
    let (dx, dy, to) = (distance("dx")?, distance("dy")?, args.word("to", &ENDS)?);
    match (dx, dy, to) {
        (None, None, Some(end)) => Ok(Deed::Scroll(end)),
        (_, _, Some(_)) => Err(args.wrong("to", "cannot be given together with a distance")),
        (dx, dy, None) => {
            let (dx, dy) = (dx.unwrap_or(0.0), dy.unwrap_or(0.0));
            if dx == 0.0 && dy == 0.0 {
                return Err(Refusal::payload("\"ui.scroll\" must say how far: give dx, dy or to.")
                    .with("argument", "to")
                    .with("allowed", vec!["dx", "dy", "to"]));
            }
            Ok(Deed::Scroll(Scroll::By { dx, dy }))
        }
    }
}

fn upload(args: Arguments<'_>) -> Result<Deed, Refusal> {
    let items = args.list("files")?.ok_or_else(|| args.missing("files"))?;
    if items.is_empty() || items.len() > UPLOAD_FILES_MAX {
        return Err(args.wrong("files", format!("must name from 1 to {UPLOAD_FILES_MAX} files")));
    }
    let wanted = "an object with the texts name, mimeType and dataRef";
    let file = |item: &Value| {
        let text = |name: &str| item.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let (name, mime_type, data_ref) = (text("name")?, text("mimeType")?, text("dataRef")?);
        Some(UploadFile {
            name: name.to_owned(),
            mime_type: mime_type.to_owned(),
            data_ref: Private::new(data_ref.to_owned()),
        })
    };
    let files = items.iter().map(|item| file(item).ok_or_else(|| args.not_all("files", wanted, item)));
    Ok(Deed::Upload { files: files.collect::<Result<_, _>>()? })
}

fn navigate(
    args: Arguments<'_>,
    target: Option<&TargetRef>,
    catalogue: &Catalogue,
) -> Result<Destination, Refusal> {
    let way = args.one_of(&["route", "url"])?;
    if let (Some(way), Some(_)) = (way, target) {
        return Err(args.wrong(way, "says where to go, and so does the target: give one of them"));
    }
    let params = args.params("params")?;
    let by_target = match target {
        Some(TargetRef::Route { value }) => Some(value.as_str()),
        _ => None,
    };
    if let Some(name) = args.text("route")?.or(by_target) {
        return route(args, name, params, catalogue);
    }
    if !params.is_empty() {
        return Err(args.wrong("params", "is only for routes"));
    }
    match args.text("url")? {
        Some("") => Err(args.wrong("url", "is empty")),
        Some(url) => Ok(Destination::Address(url.to_owned())),
        None => Ok(Destination::Target),
    }
}

fn route(
    args: Arguments<'_>,
    name: &str,
    params: BTreeMap<String, String>,
    catalogue: &Catalogue,
) -> Result<Destination, Refusal> {
    let route =
        RouteId::new(name).map_err(|_| args.wrong("route", "must be an id of 1 to 128 characters"))?;
    let Some(known) = catalogue.route(name) else {
        if !catalogue.has_routes() {
            return Ok(Destination::Route { route, params, path: None });
        }
        let near = catalogue.nearest_routes(name);
        let meant = near.first().map(|near| format!(" Did you mean \"{near}\"?")).unwrap_or_default();
        let message = format!("The application has no route \"{name}\".{meant}");
        return Err(Refusal::runtime(RuntimeErrorCode::TargetNotFound, message)
            .with("argument", "route")
            .with("nearest", near));
    };
    let path = known.path(&params).map_err(|bad| match bad {
        BadParams::Missing(part) => {
            args.wrong("params", format!("must have \"{part}\" for the route \"{name}\""))
        }
        BadParams::Unusable(part) => {
            args.wrong("params", format!("has a \"{part}\" that cannot be a part of a path"))
        }
        BadParams::Unknown { name: part, known } => {
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            args.wrong(
                "params",
                format!("has \"{part}\", but the parts of the route \"{name}\" are: {known}"),
            )
        }
    })?;
    Ok(Destination::Route { route, params, path })
}
