//! An object that is being decoded: members are asked for by name, what nobody asked for is reported.

use super::scalars::decode_json;
use super::{Decoder, JsonObject, Members, Wire, decode_words, nearest};
use crate::finding::{Code, Severity};
use crate::ids::VendorName;
use crate::text::{Member, Node, Value};

/// The members of an object and which of them have been taken.
#[derive(Debug)]
pub struct Object<'t> {
    members: &'t [Member<'t>],
    taken: Taken,
}

/// Which members have been taken. Nearly every object has few members, so a word of bits does.
#[derive(Debug)]
enum Taken {
    Few(u64),
    Many(Vec<bool>),
}

impl Taken {
    fn new(length: usize) -> Self {
        if length <= 64 { Self::Few(0) } else { Self::Many(vec![false; length]) }
    }

    fn get(&self, index: usize) -> bool {
        match self {
            Self::Few(bits) => bits >> index & 1 == 1,
            Self::Many(flags) => flags.get(index).copied().unwrap_or_default(),
        }
    }

    fn set(&mut self, index: usize) {
        match self {
            Self::Few(bits) => *bits |= 1 << index,
            Self::Many(flags) => {
                if let Some(flag) = flags.get_mut(index) {
                    *flag = true;
                }
            }
        }
    }
}

/// Decodes an object into a type with members.
pub fn decode_object<'t, T: Members>(
    node: &'t Node<'t>,
    decoder: &mut Decoder<'t>,
    requirement: Option<&'static str>,
) -> Option<T> {
    decoder.under(requirement, |decoder| {
        let Value::Object(members) = &node.value else {
            decoder.error(Code::WrongType, format!("Expected an object, found {}.", node.what()));
            return None;
        };
        let mut object = Object { members, taken: Taken::new(members.len()) };
        let value = T::take(&mut object, decoder);
        let complete = object.report_untaken::<T>(decoder);
        value.filter(|_| complete)
    })
}

impl<'t> Object<'t> {
    /// The member called `name`, without taking it.
    pub fn peek(&self, name: &str) -> Option<&'t Node<'t>> {
        self.members.iter().find(|member| member.key == name).map(|member| &member.node)
    }

    fn find(&mut self, name: &str) -> Option<&'t Member<'t>> {
        let (index, member) = self
            .members
            .iter()
            .enumerate()
            .find(|(index, member)| member.key == name && !self.taken.get(*index))?;
        self.taken.set(index);
        Some(member)
    }

    /// Takes a mandatory member.
    pub fn required<T: Wire>(
        &mut self,
        name: &'static str,
        requirement: Option<&'static str>,
        decoder: &mut Decoder<'t>,
    ) -> Option<T> {
        decoder.under(requirement, |decoder| match self.find(name) {
            Some(member) => decoder.at(name, |decoder| T::decode(&member.node, decoder)),
            None => {
                report_missing(name, decoder);
                None
            }
        })
    }

    /// Takes a mandatory member as it stands, to be decoded by somebody who knows its type.
    pub fn required_node(&mut self, name: &'static str, decoder: &mut Decoder<'t>) -> Option<&'t Node<'t>> {
        let member = self.find(name);
        if member.is_none() {
            report_missing(name, decoder);
        }
        member.map(|member| &member.node)
    }

    /// Takes an optional member. The outer `None` means that it is there and wrong.
    pub fn optional<T: Wire>(
        &mut self,
        name: &'static str,
        requirement: Option<&'static str>,
        decoder: &mut Decoder<'t>,
    ) -> Option<Option<T>> {
        let Some(member) = self.find(name) else { return Some(None) };
        decoder
            .under(requirement, |decoder| decoder.at(name, |decoder| T::decode(&member.node, decoder)))
            .map(Some)
    }

    /// Takes the word that chooses a form of a union.
    ///
    /// Without a legal word nothing can be said about the other members, so they are passed over.
    pub fn tag(
        &mut self,
        name: &'static str,
        words: &'static [&'static str],
        vendor: bool,
        decoder: &mut Decoder<'t>,
    ) -> Option<&'t str> {
        let legal = |word: &str| words.contains(&word) || (vendor && VendorName::is_legal(word));
        let word = match self.find(name) {
            Some(member) => decoder.at(name, |decoder| {
                decode_words(&member.node, decoder, words, |word| legal(word).then_some(()))?;
                member.node.as_text()
            }),
            None => {
                let message = format!("The member \"{name}\" is missing.");
                let help = format!("Add \"{name}\" with one of: {}.", words.join(", "));
                decoder.error_with_help(Code::MissingMember, message, help);
                None
            }
        };
        if word.is_none() {
            self.members = &[];
        }
        word
    }

    /// Refuses members that belong to another form of the union `what`.
    pub fn refuse(&mut self, names: &[&'static str], what: &str, decoder: &mut Decoder<'t>) -> Option<()> {
        let mut clean = Some(());
        for name in names {
            if self.find(name).is_some() {
                let message =
                    format!("\"{name}\" does not belong to {what}; it is a member of another form.");
                let help = Some(format!("Remove \"{name}\", or choose the form it belongs to."));
                decoder.at(name, |decoder| decoder.error_on_key(Code::ForeignMember, message, help));
                clean = None;
            }
        }
        clean
    }

    /// Takes everything that has not been taken: members the specification does not know, with a remark.
    pub fn rest<T: Members>(&mut self, decoder: &mut Decoder<'t>) -> Option<JsonObject> {
        let clean = self.report_untaken::<T>(decoder);
        self.remaining(decoder).filter(|_| clean)
    }

    /// Takes everything that has not been taken, without remark: the content of a vendor form.
    pub fn remaining(&mut self, decoder: &mut Decoder<'t>) -> Option<JsonObject> {
        let mut rest = JsonObject::new();
        let mut clean = true;
        for (index, member) in self.members.iter().enumerate() {
            if self.taken.get(index) {
                continue;
            }
            self.taken.set(index);
            let value = decoder.at(&member.key, |decoder| decode_json(&member.node, decoder));
            if let Some(value) = value
                && rest.insert(member.key.to_string(), value).is_some()
            {
                report_duplicate(&member.key, decoder);
                clean = false;
            }
        }
        Some(rest).filter(|_| clean)
    }

    /// Takes what is left of an object whose member names are a vocabulary: only vendor names are legal.
    pub fn vendor_members<T: Members>(&mut self, decoder: &mut Decoder<'t>) -> Option<JsonObject> {
        let mut clean = true;
        for (index, member) in self.members.iter().enumerate() {
            if self.taken.get(index) || VendorName::is_legal(&member.key) {
                continue;
            }
            self.taken.set(index);
            let mut known = Vec::new();
            T::names(&mut known);
            if known.contains(&member.key.as_ref()) {
                report_duplicate(&member.key, decoder);
            } else {
                report_unknown_name(&member.key, &known, decoder);
            }
            clean = false;
        }
        self.remaining(decoder).filter(|_| clean)
    }

    /// Reports what nobody took; false if one of it is an error.
    fn report_untaken<T: Members>(&self, decoder: &mut Decoder<'t>) -> bool {
        let untaken = |(index, _): &(usize, &Member<'t>)| !self.taken.get(*index);
        let mut unknown = self.members.iter().enumerate().filter(untaken).peekable();
        if unknown.peek().is_none() {
            return true;
        }
        let mut known = Vec::new();
        T::names(&mut known);
        let mut clean = true;
        for (_, member) in unknown {
            if known.contains(&member.key.as_ref()) {
                report_duplicate(&member.key, decoder);
                clean = false;
            } else if decoder.is_thorough() {
                remark_unknown(&member.key, &known, decoder);
            }
        }
        clean
    }
}

fn report_missing(name: &'static str, decoder: &mut Decoder<'_>) {
    let message = format!("The member \"{name}\" is missing.");
    decoder.error_with_help(Code::MissingMember, message, format!("Add \"{name}\"."));
}

/// Two members have one name.
pub(super) fn report_duplicate<'t>(name: &'t str, decoder: &mut Decoder<'t>) {
    let message = format!("\"{name}\" is there twice.");
    let help = Some("Keep one of the two.".to_owned());
    decoder.at(name, |decoder| decoder.error_on_key(Code::DuplicateKey, message, help));
}

fn remark_unknown<'t>(name: &'t str, known: &[&str], decoder: &mut Decoder<'t>) {
    let message = format!("\"{name}\" is not a member here; it is ignored.");
    // A near miss is most likely a typing error; anything else may be a newer version's member.
    let near = if decoder.is_full() { Vec::new() } else { nearest(name, known.iter().copied(), 1) };
    let (severity, help) = match near.first() {
        Some(near) => (Severity::Warning, Some(format!("Did you mean \"{near}\"?"))),
        None => (Severity::Hint, None),
    };
    decoder.at(name, |decoder| decoder.remark_on_key(severity, Code::UnknownMember, message, help));
}

fn report_unknown_name<'t>(name: &'t str, known: &[&str], decoder: &mut Decoder<'t>) {
    let near = nearest(name, known.iter().copied(), 3);
    let help = (!near.is_empty()).then(|| format!("Nearest known words: {}.", near.join(", ")));
    let message = format!("\"{name}\" is not a known word here.");
    decoder.at(name, |decoder| decoder.error_on_key(Code::UnknownWord, message, help));
}
