//! Short names for elements, and the way back.
//!
//! Start at [`Refs::of_element`] and [`Refs::resolve`]. A reference has one of three forms, which cannot be confused:
//! - the stable id that the application gave, where exactly one element has it;
//! - `e` and a number, for an element that the publisher of the page itself numbered;
//! - `id:` and the instance id, for every other element.
//!
//! The first can change from look to look only if the application uses an id twice; the others never do.

use std::collections::HashMap;
use uiap_protocol::ids::{ElementInstanceId, StableId};
use uiap_protocol::web::{BoundaryKind, ElementNode, PageGraph, ScopeNode};

/// The reference of the whole page.
pub const PAGE: &str = "page";
/// Starts a reference that spells an instance id out.
const SPELT: &str = "id:";
/// The digits of the numbers in instance ids.
const RADIX: u32 = 36;
/// Longest stable id that is used as a reference, in bytes.
const NAME_BYTES_MAX: usize = 64;

/// Why a reference leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RefError {
    /// Nothing has it.
    #[error("there is no \"{wanted}\" on this page")]
    Unknown {
        /// The reference.
        wanted: String,
    },
    /// More than one element has it.
    #[error("{count} elements of this page are called \"{wanted}\"; use their references")]
    Ambiguous {
        /// The reference.
        wanted: String,
        /// How many.
        count: usize,
    },
}

/// The references of one page.
#[derive(Clone, Debug)]
pub struct Refs<'g> {
    /// What the instance ids of the page's own publisher start with.
    home: Option<&'g str>,
    elements: HashMap<&'g str, &'g ElementNode>,
    /// Who has a name that the application gave: as an element, or as the element of a scope.
    named: HashMap<&'g str, Vec<&'g str>>,
}

impl<'g> Refs<'g> {
    /// The references of a page.
    pub fn of(graph: &'g PageGraph) -> Self {
        let elements: HashMap<_, _> =
            graph.elements.iter().map(|element| (element.instance_id.as_str(), element)).collect();
        let mut named: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut call = |name: &'g str, id: &'g str| {
            let owners = named.entry(name).or_default();
            if !owners.contains(&id) {
                owners.push(id);
            }
        };
        for element in &graph.elements {
            if let Some(name) = &element.stable_id {
                call(name.as_str(), element.instance_id.as_str());
            }
        }
        for scope in &graph.scopes {
            let Some(element) = scope.element_id.as_ref().map(ElementInstanceId::as_str) else { continue };
            call(scope.id.as_str(), element);
            if let Some(name) = &scope.stable_id {
                call(name.as_str(), element);
            }
        }
        Self { home: home_of(graph), elements, named }
    }

    /// How an element is called.
    pub fn of_element(&self, element: &ElementNode) -> String {
        let name = element.stable_id.as_ref().map(StableId::as_str);
        name.filter(|name| self.is_usable(name))
            .map_or_else(|| self.of_instance(element.instance_id.as_str()), str::to_owned)
    }

    /// How a scope is called: by its name, or by the reference of its element.
    pub(super) fn of_scope(&self, scope: &ScopeNode) -> String {
        let stable = scope.stable_id.as_ref().map(StableId::as_str);
        let given = [stable, Some(scope.id.as_str())].into_iter().flatten();
        let element = scope.element_id.as_ref().map(ElementInstanceId::as_str);
        let named = given.into_iter().find(|name| self.is_usable(name) && !is_generated(name, element));
        match (named, element) {
            (Some(name), _) => name.to_owned(),
            (None, Some(id)) => {
                self.elements.get(id).map_or_else(|| self.of_instance(id), |element| self.of_element(element))
            }
            (None, None) => format!("{SPELT}{}", spelt(scope.id.as_str())),
        }
    }

    /// The element that a reference means, by any of its references; an instance id is one, too.
    pub fn resolve(&self, wanted: &str) -> Result<&'g ElementNode, RefError> {
        let unknown = || RefError::Unknown { wanted: wanted.to_owned() };
        let instance = self.numbered(wanted).or_else(|| self.spelt_out(wanted));
        if let Some(element) = instance.or_else(|| self.by_instance(wanted)) {
            return Ok(element);
        }
        match self.named.get(wanted).map(Vec::as_slice) {
            Some([owner]) => self.elements.get(owner).copied().ok_or_else(unknown),
            Some(owners) => Err(RefError::Ambiguous { wanted: wanted.to_owned(), count: owners.len() }),
            None => Err(unknown()),
        }
    }

    pub(super) fn by_instance(&self, id: &str) -> Option<&'g ElementNode> {
        self.elements.get(id).copied()
    }

    /// How an element is called that has no other name, also one that is gone.
    pub(super) fn of_instance(&self, id: &str) -> String {
        let number = self.home.and_then(|home| id.strip_prefix(home)).and_then(number_of);
        number.map_or_else(|| format!("{SPELT}{}", spelt(id)), |number| format!("e{number}"))
    }

    fn numbered(&self, wanted: &str) -> Option<&'g ElementNode> {
        let number = wanted.strip_prefix('e')?.parse().ok()?;
        self.elements.get(format!("{}{}", self.home?, in_radix(number)).as_str()).copied()
    }

    fn spelt_out(&self, wanted: &str) -> Option<&'g ElementNode> {
        let wanted = wanted.strip_prefix(SPELT)?;
        let is_it = |element: &&&ElementNode| spelt(element.instance_id.as_str()) == wanted;
        self.elements.values().find(is_it).copied()
    }

    /// Whether a given name means one element only and cannot be taken for anything else.
    fn is_usable(&self, name: &str) -> bool {
        let plain = |letter: char| letter.is_alphanumeric() || "._-/:".contains(letter);
        let number =
            name.strip_prefix('e').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        name != PAGE
            && name.len() <= NAME_BYTES_MAX
            && name.chars().all(plain)
            && !number
            && !name.starts_with(SPELT)
            && !self.elements.contains_key(name)
            && self.named.get(name).is_none_or(|owners| owners.len() == 1)
    }
}

/// Whether the id of a scope is only that of its element in other words.
fn is_generated(name: &str, element: Option<&str>) -> bool {
    let tail = |id: &str| id.split_once('_').map(|(_, tail)| tail.to_owned());
    element.and_then(tail).is_some_and(|own| tail(name) == Some(own))
}

/// The publisher of the page itself numbers what stands in the root document, and gives it one beginning.
fn home_of(graph: &PageGraph) -> Option<&str> {
    let root = graph.documents.iter().find(|document| document.boundary.kind == BoundaryKind::Root)?;
    let first = graph.elements.iter().find(|element| element.document_id == root.id)?;
    let id = first.instance_id.as_str();
    let (start, number) = id.split_at(id.rfind('_')? + 1);
    number_of(number).map(|_| start)
}

/// A number, if this is the one way to write it.
fn number_of(digits: &str) -> Option<u64> {
    let number = u64::from_str_radix(digits, RADIX).ok()?;
    (in_radix(number) == digits).then_some(number)
}

fn in_radix(mut number: u64) -> String {
    let radix = u64::from(RADIX);
    let mut digits = Vec::new();
    loop {
        let digit = u32::try_from(number % radix).ok().and_then(|digit| char::from_digit(digit, RADIX));
        digits.extend(digit);
        number /= radix;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

/// An id without anything that could end or split a reference.
fn spelt(id: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-/:".contains(&byte);
    id.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
