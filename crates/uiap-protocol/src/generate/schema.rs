//! JSON Schema (2020-12) of a kind of document.

use crate::kinds::Kind;
use crate::wire::{Book, Form, MemberShape, ObjectShape, Shape, UnionShape, VENDOR_PATTERN};
use serde_json::{Map, Value, json};

/// The schema of a kind, complete in itself.
pub fn schema_of(kind: Kind) -> Value {
    let mut book = Book::default();
    let root = kind.shape(&mut book);
    let mut document = match schema(&root) {
        Value::Object(members) => members,
        other => Map::from_iter([("allOf".to_owned(), json!([other]))]),
    };
    let definitions: Map<String, Value> =
        book.entries().map(|(name, doc, shape)| (name.to_owned(), described(schema(shape), doc))).collect();
    document.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    document.insert("$id".to_owned(), json!(format!("urn:uiap:0.1:{}", kind.name())));
    document.insert("title".to_owned(), json!(kind.name()));
    if !definitions.is_empty() {
        document.insert("$defs".to_owned(), Value::Object(definitions));
    }
    Value::Object(document)
}

fn described(mut schema: Value, doc: &str) -> Value {
    if let (Value::Object(members), false) = (&mut schema, doc.is_empty()) {
        members.insert("description".to_owned(), json!(doc));
    }
    schema
}

fn schema(shape: &Shape) -> Value {
    match shape {
        Shape::Anything => json!({}),
        Shape::Never => json!(false),
        Shape::Boolean => json!({ "type": "boolean" }),
        Shape::Exactly(value) => json!({ "const": value }),
        Shape::Number => json!({ "type": "number" }),
        Shape::Count { max } => json!({ "type": "integer", "minimum": 0, "maximum": max }),
        Shape::Text { length_min, length_max, pattern } => text_schema(*length_min, *length_max, *pattern),
        Shape::Words { words, vendor: false } => json!({ "enum": words }),
        Shape::Words { words, vendor: true } => match words {
            [] => json!({ "type": "string", "pattern": VENDOR_PATTERN }),
            words => json!({ "anyOf": [{ "enum": words }, { "type": "string", "pattern": VENDOR_PATTERN }] }),
        },
        Shape::List { item, items_min: 0 } => json!({ "type": "array", "items": schema(item) }),
        Shape::List { item, items_min } => {
            json!({ "type": "array", "items": schema(item), "minItems": items_min })
        }
        Shape::Map { key_pattern: None, value } => {
            json!({ "type": "object", "additionalProperties": schema(value) })
        }
        Shape::Map { key_pattern: Some(pattern), value } => json!({
            "type": "object",
            "propertyNames": { "pattern": pattern },
            "additionalProperties": schema(value),
        }),
        Shape::Object(object) => object_schema(object),
        Shape::Either(shapes) => json!({ "anyOf": shapes.iter().map(schema).collect::<Vec<_>>() }),
        Shape::Named(name) => json!({ "$ref": format!("#/$defs/{name}") }),
    }
}

fn text_schema(length_min: usize, length_max: Option<usize>, pattern: Option<&str>) -> Value {
    let mut members = Map::from_iter([("type".to_owned(), json!("string"))]);
    if length_min > 0 {
        members.insert("minLength".to_owned(), json!(length_min));
    }
    if let Some(length_max) = length_max {
        members.insert("maxLength".to_owned(), json!(length_max));
    }
    if let Some(pattern) = pattern {
        members.insert("pattern".to_owned(), json!(pattern));
    }
    Value::Object(members)
}

fn object_schema(object: &ObjectShape) -> Value {
    let mut members = member_schemas(&object.members);
    members.insert("type".to_owned(), json!("object"));
    if object.closed {
        members.insert("additionalProperties".to_owned(), json!(false));
        members.insert("patternProperties".to_owned(), json!({ VENDOR_PATTERN: {} }));
    }
    if let Some(union) = &object.union {
        members.insert("oneOf".to_owned(), Value::Array(form_schemas(union)));
    }
    Value::Object(members)
}

fn member_schemas(members: &[MemberShape]) -> Map<String, Value> {
    let properties: Map<String, Value> = members
        .iter()
        .map(|member| (member.name.to_owned(), described(schema(&member.shape), member.doc)))
        .collect();
    let required: Vec<_> =
        members.iter().filter(|member| member.required).map(|member| member.name).collect();
    let mut object = Map::new();
    if !properties.is_empty() {
        object.insert("properties".to_owned(), Value::Object(properties));
    }
    if !required.is_empty() {
        object.insert("required".to_owned(), json!(required));
    }
    object
}

/// One schema per form; members that only other forms have are refused.
fn form_schemas(union: &UnionShape) -> Vec<Value> {
    let mut forms: Vec<Value> = union.forms.iter().map(|form| form_schema(form, union)).collect();
    if union.vendor {
        forms.push(json!({
            "properties": { union.tag: { "type": "string", "pattern": VENDOR_PATTERN } },
            "required": [union.tag],
        }));
    }
    forms
}

fn form_schema(form: &Form, union: &UnionShape) -> Value {
    let tag =
        MemberShape { name: union.tag, doc: "", required: true, shape: Shape::Exactly(form.word.into()) };
    let own = |name: &str| form.members.iter().any(|member| member.name == name);
    let all = union.forms.iter().flat_map(|form| &form.members);
    let foreign = all.filter(|member| !own(member.name)).map(|member| MemberShape {
        doc: "",
        required: false,
        shape: Shape::Never,
        ..member.clone()
    });
    let members: Vec<_> = std::iter::once(tag).chain(form.members.iter().cloned()).chain(foreign).collect();
    described(Value::Object(member_schemas(&members)), form.doc)
}
