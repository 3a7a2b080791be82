//! What a form asks for, as arguments.

use crate::package::forms::Form;
use crate::package::survey::{Piece, Survey};
use crate::package::words::{object, text, word};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use uiap_protocol::capability::{ArgDescriptor, ArgType, Role};
use uiap_protocol::policy::DataClass;
use uiap_protocol::wire::JsonObject;
use uiap_protocol::workflow::WorkflowParameter;

/// Most values of an argument that are listed; beyond, it is a text.
const VALUES_MAX: usize = 64;
/// How a date and a time are written.
const DATE: &str = r"^\d{4}-\d{2}-\d{2}$";
const TIME: &str = r"^\d{2}:\d{2}(:\d{2})?$";

/// What an action needs to know.
#[derive(Clone, Debug)]
pub(in crate::package) struct Argument {
    pub(in crate::package) name: String,
    pub(in crate::package) data: Vec<DataClass>,
    /// The element that it is entered in.
    pub(in crate::package) piece: Option<usize>,
    of: ArgDescriptor,
    pattern: Option<&'static str>,
    /// What the element is called in the package.
    field: Option<String>,
}

impl Argument {
    /// What the application itself says.
    pub(super) fn declared(of: ArgDescriptor) -> Self {
        Self {
            name: of.name.as_str().to_owned(),
            data: Vec::new(),
            piece: None,
            of,
            pattern: None,
            field: None,
        }
    }

    pub(in crate::package) fn descriptor(&self) -> ArgDescriptor {
        self.of.clone()
    }

    /// The same as the input of a workflow.
    pub(in crate::package) fn parameter(&self) -> WorkflowParameter {
        WorkflowParameter {
            name: self.of.name.clone(),
            r#type: self.of.r#type,
            required: self.of.required,
            r#enum: self.of.r#enum.clone(),
            description: None,
            default: None,
            data_class: self.data.first().copied(),
            source: None,
            pattern: self.pattern.map(str::to_owned),
            extra: JsonObject::default(),
        }
    }

    /// Where it is entered, and what it must look like.
    pub(super) fn field(&self) -> Option<(String, Value)> {
        let field = self.field.as_ref()?;
        let said = object([("element", json!(field)), ("pattern", json!(self.pattern))]);
        Some((self.name.clone(), Value::Object(said)))
    }
}

/// What a form asks for, in the order of its elements, each name once.
pub(in crate::package) fn arguments(survey: &Survey<'_>, form: &Form) -> Vec<Argument> {
    let mut named: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = Vec::new();
    let (radios, fields): (Vec<_>, Vec<_>) = form
        .fields
        .iter()
        .filter_map(|index| Some((*index, survey.pieces.get(*index)?)))
        .partition(|(_, piece)| piece.found.role == Role::Radio);
    for (index, piece) in fields {
        let name = unique(&mut named, &name_of(piece));
        all.push(one(index, piece, name));
    }
    let mut groups: BTreeMap<String, Vec<(usize, &Piece)>> = BTreeMap::new();
    for (index, piece) in radios {
        groups.entry(group_of(survey, piece)).or_default().push((index, piece));
    }
    for (group, radios) in groups {
        let name = unique(&mut named, &group);
        all.extend(chosen(&radios, name));
    }
    all
}

/// Radio buttons are one argument together.
fn chosen(radios: &[(usize, &Piece)], name: String) -> Option<Argument> {
    let (index, first) = radios.first()?;
    let values: BTreeSet<String> =
        radios.iter().filter_map(|(_, piece)| piece.name()).map(str::to_owned).collect();
    let required = radios.iter().any(|(_, piece)| piece.found.is_required);
    let values: Vec<_> = values.into_iter().take(VALUES_MAX).collect();
    let r#type = if values.is_empty() { ArgType::String } else { ArgType::Enum };
    let of = ArgDescriptor {
        name: text(&name),
        r#type,
        required: Some(required),
        r#enum: (!values.is_empty()).then_some(values),
        description: None,
        extra: JsonObject::default(),
    };
    let field = Some(first.identity().to_owned());
    Some(Argument {
        name,
        data: first.found.data_classes.clone(),
        piece: Some(*index),
        of,
        pattern: None,
        field,
    })
}

fn one(index: usize, piece: &Piece, name: String) -> Argument {
    let found = &piece.found;
    let values: Vec<String> = found
        .options
        .iter()
        .map(|(value, label)| if value.is_empty() { label.clone() } else { value.clone() })
        .filter(|value| !value.is_empty())
        .take(VALUES_MAX + 1)
        .collect();
    let listed = !values.is_empty() && values.len() <= VALUES_MAX && !piece.is_secret();
    let (r#type, pattern) = match found.role {
        Role::Checkbox | Role::Switch => (ArgType::Boolean, None),
        Role::Slider | Role::Spinbutton => (ArgType::Number, None),
        Role::Combobox | Role::Listbox if listed => (ArgType::Enum, None),
        Role::Datepicker => (ArgType::String, Some(DATE)),
        Role::Timepicker => (ArgType::String, Some(TIME)),
        _ => (ArgType::String, None),
    };
    let of = ArgDescriptor {
        name: text(&name),
        r#type,
        required: Some(found.is_required),
        r#enum: (r#type == ArgType::Enum).then_some(values),
        description: piece.name().map(str::to_owned),
        extra: JsonObject::default(),
    };
    let field = Some(piece.identity().to_owned());
    Argument { name, data: found.data_classes.clone(), piece: Some(index), of, pattern, field }
}

/// The last part of its stable id is what developers call it; otherwise what people do.
fn name_of(piece: &Piece) -> String {
    let stable = piece.found.stable_id.as_ref().and_then(|id| id.as_str().rsplit(['.', ':']).next());
    let said = stable.or_else(|| piece.name());
    said.map_or_else(|| word(&piece.found.role.to_string()), word)
}

fn group_of(survey: &Survey<'_>, piece: &Piece) -> String {
    let area = piece.found.areas.iter().next().and_then(|area| survey.spots.get(area));
    area.and_then(|spot| spot.names.iter().next()).map_or_else(|| "choice".to_owned(), |name| word(name))
}

fn unique(named: &mut BTreeMap<String, usize>, name: &str) -> String {
    let count = named.entry(name.to_owned()).or_default();
    *count += 1;
    if *count == 1 { name.to_owned() } else { format!("{name}_{count}") }
}
