//! One patch: changes a tree, or says why it cannot.

use uiap_protocol::authoring::PatchOp;
use uiap_protocol::text::{Member, Node, Value, pointer_token};

/// Why a patch cannot be applied.
#[derive(Clone, Debug)]
pub(super) struct PatchFault {
    pub(super) what: String,
    pub(super) help: &'static str,
    pub(super) requirement: &'static str,
}

/// What a patch left at a place.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    /// This value.
    Value(serde_json::Value),
    /// Nothing.
    Removed,
    /// A list with one item less: the others have other places now.
    Shortened,
}

impl Outcome {
    /// Whether it makes no difference which of two comes last.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        *self != Self::Shortened && self == other
    }
}

/// Every place that a patch changed, and what is there now.
pub(super) type Places = Vec<(String, Outcome)>;

/// Applies a patch; `value` is what it says, with its place in the overlay.
pub(super) fn apply<'t>(
    tree: &mut Node<'t>,
    pointer: &str,
    op: &PatchOp,
    value: Option<&Node<'t>>,
) -> Result<Places, PatchFault> {
    match op {
        PatchOp::Replace { .. } => replace(tree, pointer, written(value)?),
        PatchOp::Merge { .. } => merge(tree, pointer, written(value)?),
        PatchOp::Append { .. } => append(tree, pointer, written(value)?),
        PatchOp::Remove => remove(tree, pointer),
        PatchOp::Upsert { match_key, .. } => upsert(tree, pointer, match_key.as_str(), written(value)?),
    }
}

fn written<'n, 't>(value: Option<&'n Node<'t>>) -> Result<&'n Node<'t>, PatchFault> {
    value.ok_or(PatchFault {
        what: "it has no value".to_owned(),
        help: "Add \"value\".",
        requirement: "AUT-5.8-1",
    })
}

fn replace<'t>(tree: &mut Node<'t>, pointer: &str, value: &Node<'t>) -> Result<Places, PatchFault> {
    let target = target(tree, pointer, "AUT-5.8-2")?;
    *target = value.clone();
    Ok(vec![(pointer.to_owned(), Outcome::Value(value.to_json()))])
}

fn merge<'t>(tree: &mut Node<'t>, pointer: &str, value: &Node<'t>) -> Result<Places, PatchFault> {
    let target = target(tree, pointer, "AUT-5.8-3")?;
    if !matches!((&target.value, &value.value), (Value::Object(_), Value::Object(_))) {
        return Err(PatchFault {
            what: format!(
                "only an object can be merged into an object; {pointer} is {}, the value is {}",
                target.what(),
                value.what()
            ),
            help: "Use \"replace\" for other values.",
            requirement: "AUT-5.8-3",
        });
    }
    let mut places = Vec::new();
    merge_into(target, value, pointer, &mut places);
    Ok(places)
}

fn merge_into<'t>(target: &mut Node<'t>, value: &Node<'t>, pointer: &str, places: &mut Places) {
    let Value::Object(members) = &mut target.value else { return };
    for new in value.members() {
        let pointer = format!("{pointer}{}", pointer_token(&new.key));
        match members.iter_mut().find(|member| member.key == new.key) {
            Some(Member { node, .. }) if both_objects(node, &new.node) => {
                merge_into(node, &new.node, &pointer, places);
                continue;
            }
            Some(member) => member.node = new.node.clone(),
            None => members.push(new.clone()),
        }
        places.push((pointer, Outcome::Value(new.node.to_json())));
    }
}

fn both_objects(one: &Node<'_>, other: &Node<'_>) -> bool {
    matches!((&one.value, &other.value), (Value::Object(_), Value::Object(_)))
}

fn append<'t>(tree: &mut Node<'t>, pointer: &str, value: &Node<'t>) -> Result<Places, PatchFault> {
    let items = list(tree, pointer, "AUT-5.8-4")?;
    items.push(value.clone());
    Ok(vec![(format!("{pointer}/{}", items.len() - 1), Outcome::Value(value.to_json()))])
}

/// Taking an item out of a list moves those behind it, so that the whole list counts as changed.
fn remove(tree: &mut Node<'_>, pointer: &str) -> Result<Places, PatchFault> {
    const REQUIREMENT: &str = "AUT-5.8-5";
    let (parent_pointer, token) = pointer.rsplit_once('/').unwrap_or_default();
    let parent = target(tree, parent_pointer, REQUIREMENT)?;
    let name = token.replace("~1", "/").replace("~0", "~");
    let changed = match &mut parent.value {
        Value::Object(members) => {
            let place = members
                .iter()
                .position(|member| member.key == name)
                .ok_or_else(|| nothing(pointer, REQUIREMENT))?;
            members.remove(place);
            (pointer.to_owned(), Outcome::Removed)
        }
        Value::List(items) => {
            let place = index(&name).filter(|place| *place < items.len());
            items.remove(place.ok_or_else(|| nothing(pointer, REQUIREMENT))?);
            (parent_pointer.to_owned(), Outcome::Shortened)
        }
        _ => return Err(nothing(pointer, REQUIREMENT)),
    };
    Ok(vec![changed])
}

fn upsert<'t>(tree: &mut Node<'t>, pointer: &str, key: &str, value: &Node<'t>) -> Result<Places, PatchFault> {
    const REQUIREMENT: &str = "AUT-5.8-6";
    let Some(wanted) = keyed(value, key) else {
        return Err(PatchFault {
            what: format!("its value has no \"{key}\", by which items are matched"),
            help: "Write the key into the value, or match by another one.",
            requirement: REQUIREMENT,
        });
    };
    let items = list(tree, pointer, REQUIREMENT)?;
    let mut matching = (0..items.len()).filter(|place| {
        items
            .get(*place)
            .and_then(|item| keyed(item, key))
            .is_some_and(|found| found.to_json() == wanted.to_json())
    });
    let (first, second) = (matching.next(), matching.next());
    if second.is_some() {
        return Err(PatchFault {
            what: format!("more than one item of {pointer} has this \"{key}\""),
            help: "Match by a key that is unique.",
            requirement: REQUIREMENT,
        });
    }
    let place = match first.and_then(|place| items.get_mut(place).map(|item| (place, item))) {
        Some((place, item)) => {
            *item = value.clone();
            place
        }
        None => {
            items.push(value.clone());
            items.len() - 1
        }
    };
    Ok(vec![(format!("{pointer}/{place}"), Outcome::Value(value.to_json()))])
}

/// What a dotted path leads to.
fn keyed<'n, 't>(node: &'n Node<'t>, key: &str) -> Option<&'n Node<'t>> {
    key.split('.').try_fold(node, |node, name| node.member(name))
}

fn nothing(pointer: &str, requirement: &'static str) -> PatchFault {
    PatchFault {
        what: format!("there is nothing at {pointer}"),
        help: "Look at the manifest: the path starts at its root, such as /spec/policies/0.",
        requirement,
    }
}

fn list<'n, 't>(
    tree: &'n mut Node<'t>,
    pointer: &str,
    requirement: &'static str,
) -> Result<&'n mut Vec<Node<'t>>, PatchFault> {
    let node = target(tree, pointer, requirement)?;
    let what = node.what();
    match &mut node.value {
        Value::List(items) => Ok(items),
        _ => Err(PatchFault {
            what: format!("{pointer} is {what}, not a list"),
            help: "Name a list.",
            requirement,
        }),
    }
}

/// A place in a list, as a JSON pointer writes it: digits, without a leading zero.
pub(super) fn index(token: &str) -> Option<usize> {
    let is_number = token.bytes().all(|byte| byte.is_ascii_digit());
    let is_short = token == "0" || !token.starts_with('0');
    token.parse().ok().filter(|_| is_number && is_short)
}

pub(crate) fn at_mut<'n, 't>(tree: &'n mut Node<'t>, pointer: &str) -> Option<&'n mut Node<'t>> {
    target(tree, pointer, "").ok()
}

fn target<'n, 't>(
    tree: &'n mut Node<'t>,
    pointer: &str,
    requirement: &'static str,
) -> Result<&'n mut Node<'t>, PatchFault> {
    pointer.split('/').skip(1).try_fold(tree, |node, token| {
        let name = token.replace("~1", "/").replace("~0", "~");
        match &mut node.value {
            Value::List(items) => index(&name).and_then(|place| items.get_mut(place)),
            Value::Object(members) => {
                members.iter_mut().find(|member| member.key == name).map(|member| &mut member.node)
            }
            _ => None,
        }
        .ok_or_else(|| nothing(pointer, requirement))
    })
}
