//! The tree every document becomes before anything looks at its meaning.

use std::borrow::Cow;

/// A range of bytes in a source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// Which text, where a tree is made of several; whoever has put them together knows their numbers.
    pub source: u32,
}

impl Span {
    /// A span from `start` to `end`; offsets beyond 4 GiB cannot occur, documents are bounded far below.
    pub fn new(start: usize, end: usize) -> Self {
        let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { start: narrow(start), end: narrow(end), source: 0 }
    }
}

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<'s> {
    /// The value.
    pub value: Value<'s>,
    /// Where it stands in the source; empty for values that come from no text.
    pub span: Span,
}

/// A JSON value; YAML has been reduced to the same six kinds.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'s> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number without fraction, at most 2^53 - 1 in size.
    Integer(i64),
    /// Any other number; always finite.
    Float(f64),
    /// Text.
    Text(Cow<'s, str>),
    /// A list.
    List(Vec<Node<'s>>),
    /// An object, members in source order. A key may occur twice: decoding reports it.
    Object(Vec<Member<'s>>),
}

/// One member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member<'s> {
    /// The name.
    pub key: Cow<'s, str>,
    /// Where the name stands.
    pub key_span: Span,
    /// The value.
    pub node: Node<'s>,
}

impl<'s> Node<'s> {
    /// A borrowed view of a JSON value, without locations.
    pub fn from_json(json: &'s serde_json::Value) -> Self {
        let value = match json {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(flag) => Value::Boolean(*flag),
            serde_json::Value::Number(number) => number
                .as_i64()
                .map_or_else(|| Value::Float(number.as_f64().unwrap_or_default()), Value::Integer),
            serde_json::Value::String(text) => Value::Text(Cow::Borrowed(text)),
            serde_json::Value::Array(items) => Value::List(items.iter().map(Self::from_json).collect()),
            serde_json::Value::Object(members) => return Self::from_json_object(members),
        };
        Self { value, span: Span::default() }
    }

    /// A borrowed view of a JSON object, without locations.
    pub fn from_json_object(members: &'s serde_json::Map<String, serde_json::Value>) -> Self {
        let members = members.iter().map(|(key, value)| Member {
            key: Cow::Borrowed(key),
            key_span: Span::default(),
            node: Self::from_json(value),
        });
        Self { value: Value::Object(members.collect()), span: Span::default() }
    }

    /// A JSON value as a tree that stands at one place as a whole: it was made from what is there.
    pub fn made_at(span: Span, json: serde_json::Value) -> Self {
        let value = match json {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(flag) => Value::Boolean(flag),
            serde_json::Value::Number(number) => number
                .as_i64()
                .map_or_else(|| Value::Float(number.as_f64().unwrap_or_default()), Value::Integer),
            serde_json::Value::String(text) => Value::Text(Cow::Owned(text)),
            serde_json::Value::Array(items) => {
                Value::List(items.into_iter().map(|item| Self::made_at(span, item)).collect())
            }
            serde_json::Value::Object(members) => {
                let members = members.into_iter().map(|(key, value)| Member {
                    key: Cow::Owned(key),
                    key_span: span,
                    node: Self::made_at(span, value),
                });
                Value::Object(members.collect())
            }
        };
        Self { value, span }
    }

    /// The same tree, with the number of the text it was read from.
    #[must_use]
    pub fn from_source(mut self, source: u32) -> Self {
        self.number(source);
        self
    }

    fn number(&mut self, source: u32) {
        self.span.source = source;
        match &mut self.value {
            Value::List(items) => items.iter_mut().for_each(|item| item.number(source)),
            Value::Object(members) => members.iter_mut().for_each(|member| {
                member.key_span.source = source;
                member.node.number(source);
            }),
            _ => {}
        }
    }

    /// The member called `name`, if this is an object that has it.
    pub fn member(&self, name: &str) -> Option<&Node<'s>> {
        self.members().iter().find(|member| member.key == name).map(|member| &member.node)
    }

    /// The members; empty if this is no object.
    pub fn members(&self) -> &[Member<'s>] {
        match &self.value {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// The items; empty if this is no list.
    pub fn items(&self) -> &[Node<'s>] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// The text, if this is one.
    pub fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What this is, in the words of a sentence: "a text", "a list" ...
    pub fn what(&self) -> &'static str {
        match self.value {
            Value::Null => "null",
            Value::Boolean(_) => "a boolean",
            Value::Integer(_) | Value::Float(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Object(_) => "an object",
        }
    }

    /// The same value as JSON. Of two members with one name the last is kept.
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Boolean(flag) => (*flag).into(),
            Value::Integer(number) => (*number).into(),
            Value::Float(number) => (*number).into(),
            Value::Text(text) => text.as_ref().into(),
            Value::List(items) => items.iter().map(Self::to_json).collect(),
            Value::Object(members) => {
                members.iter().map(|member| (member.key.to_string(), member.node.to_json())).collect()
            }
        }
    }

    /// Where the value at `pointer` stands, or as much of the way as exists.
    ///
    /// With `on_key` the name of the last member is meant, not its value.
    pub fn locate(&self, pointer: &str, on_key: bool) -> Span {
        let mut node = self;
        let mut key_span = None;
        for token in pointer.split('/').skip(1) {
            let name = token.replace("~1", "/").replace("~0", "~");
            let found = match &node.value {
                // The last of two equal names is the one that is one too many.
                Value::Object(members) => members.iter().rfind(|member| member.key == name).map(|member| {
                    key_span = Some(member.key_span);
                    &member.node
                }),
                Value::List(items) => {
                    key_span = None;
                    name.parse::<usize>().ok().and_then(|index| items.get(index))
                }
                _ => None,
            };
            let Some(next) = found else { return node.span };
            node = next;
        }
        key_span.filter(|_| on_key).unwrap_or(node.span)
    }
}

/// A name or index as one step of a JSON pointer, with the leading slash.
pub fn pointer_token(name: &str) -> String {
    let mut pointer = String::with_capacity(name.len() + 1);
    push_pointer_token(&mut pointer, name);
    pointer
}

/// Takes a step further from where a JSON pointer leads.
pub fn push_pointer_token(pointer: &mut String, name: &str) {
    pointer.push('/');
    if !name.bytes().any(|byte| matches!(byte, b'~' | b'/')) {
        pointer.push_str(name);
        return;
    }
    for letter in name.chars() {
        match letter {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            letter => pointer.push(letter),
        }
    }
}
