//! The canonical text of whatever can be serialised, in one pass and without a JSON value in between.

use super::{by_name, put_escape, put_float, put_string, separate};
use serde::Serialize;
use serde_json::ser::{CharEscape, Formatter};
use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::io;
use std::ops::Range;

/// How long a seal is, at about: the name of a hash, the hash, what stands around it.
const SEAL_LENGTH: usize = 80;

/// The canonical text of a value: that of the JSON value it is serialised to.
///
/// Fails where there is no such JSON value, as for a map whose keys are lists.
pub fn written<T: Serialize + ?Sized>(value: &T) -> Result<String, serde_json::Error> {
    let mut page = Page::of(value)?;
    page.close_outermost();
    Ok(page.text)
}

/// Something whose canonical text is there already, whole or in pieces.
#[derive(Clone, Debug)]
pub enum Piece<'t> {
    /// Whole.
    Text(Cow<'t, str>),
    /// The texts of the items of a list.
    List(Vec<&'t str>),
    /// The members of an object.
    Object(Object<'t>),
}

impl From<String> for Piece<'_> {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl<'t> From<&'t str> for Piece<'t> {
    fn from(text: &'t str) -> Self {
        Self::Text(text.into())
    }
}

impl Piece<'_> {
    fn length(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::List(items) => 2 + items.iter().map(|item| item.len() + 1).sum::<usize>(),
            Self::Object(object) => object.length(),
        }
    }

    fn put_into(&self, text: &mut String) {
        match self {
            Self::Text(whole) => text.push_str(whole),
            Self::List(items) => {
                text.push('[');
                for (place, item) in items.iter().enumerate() {
                    separate(text, place);
                    text.push_str(item);
                }
                text.push(']');
            }
            Self::Object(object) => object.put_into(text),
        }
    }
}

/// An object that is put together from canonical texts.
#[derive(Clone, Debug, Default)]
pub struct Object<'t> {
    /// In their order.
    members: Vec<(Cow<'t, str>, Piece<'t>)>,
}

impl<'t> Object<'t> {
    /// The members of a value, as far as it is an object.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        let page = Page::of(value)?;
        let text = |member: &Member| page.text.get(member.name_end + 1..member.end).unwrap_or_default();
        let owned = |member| {
            let name = name(&page.text, member).into_owned();
            (name.into(), text(member).to_owned().into())
        };
        Ok(page.members.iter().map(owned).collect())
    }

    /// Adds a member, or puts something else in its place.
    pub fn put(&mut self, name: &'t str, piece: impl Into<Piece<'t>>) {
        match self.members.binary_search_by(|(known, _)| by_name(known, name)) {
            Ok(place) => {
                if let Some((_, known)) = self.members.get_mut(place) {
                    *known = piece.into();
                }
            }
            Err(place) => self.members.insert(place, (name.into(), piece.into())),
        }
    }

    /// The canonical text.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.length());
        self.put_into(&mut text);
        text
    }

    /// The canonical text without a member that is a string and worked out from the rest.
    pub fn unsealed(mut self, name: &str) -> Unsealed<'_> {
        self.members.retain(|(known, _)| known != name);
        let before = self.members.partition_point(|(known, _)| by_name(known, name).is_lt());
        let mut text = String::with_capacity(self.length() + name.len() + SEAL_LENGTH);
        text.push('{');
        self.put_members(0..before, &mut text);
        let place = text.len();
        self.put_members(before..self.members.len(), &mut text);
        text.push('}');
        Unsealed { name, text, place, is_first: before == 0, is_only: self.members.is_empty() }
    }

    /// How long the text will be, unless names have to be escaped.
    fn length(&self) -> usize {
        2 + self.members.iter().map(|(name, piece)| name.len() + piece.length() + 4).sum::<usize>()
    }

    fn put_into(&self, text: &mut String) {
        text.push('{');
        self.put_members(0..self.members.len(), text);
        text.push('}');
    }

    fn put_members(&self, places: Range<usize>, text: &mut String) {
        for (place, (name, piece)) in self.members.iter().enumerate().take(places.end).skip(places.start) {
            separate(text, place);
            put_string(text, name);
            text.push(':');
            piece.put_into(text);
        }
    }
}

/// The canonical text of an object that lacks one member.
#[derive(Clone, Debug)]
pub struct Unsealed<'n> {
    name: &'n str,
    text: String,
    /// Where the member belongs.
    place: usize,
    is_first: bool,
    is_only: bool,
}

impl Unsealed<'_> {
    /// What the member is worked out from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The canonical text with the member.
    pub fn sealed(mut self, seal: &str) -> String {
        let mut member = String::new();
        separate(&mut member, usize::from(!self.is_first));
        put_string(&mut member, self.name);
        member.push(':');
        put_string(&mut member, seal);
        if self.is_first && !self.is_only {
            member.push(',');
        }
        self.text.insert_str(self.place, &member);
        self.text
    }
}

impl<'t> FromIterator<(Cow<'t, str>, Piece<'t>)> for Object<'t> {
    /// Of two members with one name the last is kept.
    fn from_iter<I: IntoIterator<Item = (Cow<'t, str>, Piece<'t>)>>(members: I) -> Self {
        let mut members: Vec<_> = members.into_iter().collect();
        members.sort_by(|(one, _), (other, _)| by_name(one, other));
        members.dedup_by(|later, earlier| {
            let is_same = later.0 == earlier.0;
            if is_same {
                std::mem::swap(later, earlier);
            }
            is_same
        });
        Self { members }
    }
}

/// What is written so far. Members are written as they come and put into their order when their object ends.
#[derive(Debug, Default)]
struct Page {
    text: String,
    /// The members of all objects that are open, those of inner ones behind those of outer ones.
    members: Vec<Member>,
    /// For each open object, where it begins and how many members were there before.
    open: Vec<(usize, usize)>,
    /// What is being put into order.
    sorted: String,
}

/// Where a member stands: its name in quotes, a colon, its value.
#[derive(Clone, Copy, Debug)]
struct Member {
    start: usize,
    name_end: usize,
    end: usize,
}

impl Page {
    /// Writes a value. If it is an object, its end and the order of its members are left to whoever asks.
    fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        let mut page = Self::default();
        value.serialize(&mut serde_json::Serializer::with_formatter(io::sink(), Pen(&mut page)))?;
        Ok(page)
    }

    fn close_outermost(&mut self) {
        if !self.open.is_empty() {
            self.close();
        }
    }

    /// Ends the innermost object. Of two members with one name the last is kept.
    fn close(&mut self) {
        let (_, before) = self.open.pop().unwrap_or_default();
        let Self { text, members, sorted, .. } = self;
        let own = members.get_mut(before..).unwrap_or_default();
        let is_before = |one: &Member, other: &Member| by_name(&name(text, one), &name(text, other));
        if !own.is_sorted_by(|one, other| is_before(one, other).is_lt()) {
            let start = own.first().map_or(text.len(), |first| first.start);
            own.sort_by(is_before);
            sorted.clear();
            for (place, member) in own.iter().enumerate() {
                if own.get(place + 1).is_some_and(|next| is_before(member, next).is_eq()) {
                    continue;
                }
                separate(sorted, sorted.len());
                sorted.push_str(text.get(member.start..member.end).unwrap_or_default());
            }
            text.truncate(start);
            text.push_str(sorted);
        }
        members.truncate(before);
        text.push('}');
    }

    fn put(&mut self, shown: impl Display) {
        let _ = write!(self.text, "{shown}");
    }
}

/// The name of a member, as it was before it was written.
fn name<'p>(text: &'p str, member: &Member) -> Cow<'p, str> {
    let plain = text.get(member.start + 1..member.name_end - 1).unwrap_or_default();
    if !plain.contains('\\') {
        return Cow::Borrowed(plain);
    }
    let quoted = text.get(member.start..member.name_end).unwrap_or_default();
    Cow::Owned(serde_json::from_str(quoted).unwrap_or_default())
}

/// Writes on a page what `serde_json` tells it to write; the writer that it is given gets nothing.
struct Pen<'p>(&'p mut Page);

/// Whole numbers of every width.
macro_rules! whole_numbers {
    ($($method:ident $number:ty),+) => {
        $(fn $method<W: ?Sized + io::Write>(&mut self, _: &mut W, value: $number) -> io::Result<()> {
            self.0.put(value);
            Ok(())
        })+
    };
}

/// Signs that are always the same.
macro_rules! signs {
    ($($method:ident $sign:literal),+) => {
        $(fn $method<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
            self.0.text.push_str($sign);
            Ok(())
        })+
    };
}

impl Formatter for Pen<'_> {
    whole_numbers! {
        write_i8 i8, write_i16 i16, write_i32 i32, write_i64 i64, write_i128 i128,
        write_u8 u8, write_u16 u16, write_u32 u32, write_u64 u64, write_u128 u128
    }

    signs! {
        write_null "null", begin_string "\"", end_string "\"", begin_array "[", end_array "]",
        begin_object_value ":"
    }

    fn write_bool<W: ?Sized + io::Write>(&mut self, _: &mut W, value: bool) -> io::Result<()> {
        self.0.put(value);
        Ok(())
    }

    fn write_f32<W: ?Sized + io::Write>(&mut self, _: &mut W, value: f32) -> io::Result<()> {
        put_float(&mut self.0.text, f64::from(value));
        Ok(())
    }

    fn write_f64<W: ?Sized + io::Write>(&mut self, _: &mut W, value: f64) -> io::Result<()> {
        put_float(&mut self.0.text, value);
        Ok(())
    }

    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, _: &mut W, fragment: &str) -> io::Result<()> {
        self.0.text.push_str(fragment);
        Ok(())
    }

    fn write_char_escape<W: ?Sized + io::Write>(&mut self, _: &mut W, escape: CharEscape) -> io::Result<()> {
        let byte = match escape {
            CharEscape::Quote => b'"',
            CharEscape::ReverseSolidus => b'\\',
            CharEscape::Solidus => b'/',
            CharEscape::Backspace => 0x8,
            CharEscape::FormFeed => 0xc,
            CharEscape::LineFeed => b'\n',
            CharEscape::CarriageReturn => b'\r',
            CharEscape::Tab => b'\t',
            CharEscape::AsciiControl(control) => control,
        };
        put_escape(&mut self.0.text, byte);
        Ok(())
    }

    fn begin_array_value<W: ?Sized + io::Write>(&mut self, _: &mut W, first: bool) -> io::Result<()> {
        separate(&mut self.0.text, usize::from(!first));
        Ok(())
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        let Page { text, members, open, .. } = &mut *self.0;
        open.push((text.len(), members.len()));
        text.push('{');
        Ok(())
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        let is_outermost = self.0.open.last().is_some_and(|(start, _)| *start == 0);
        if !is_outermost {
            self.0.close();
        }
        Ok(())
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, _: &mut W, first: bool) -> io::Result<()> {
        separate(&mut self.0.text, usize::from(!first));
        let start = self.0.text.len();
        self.0.members.push(Member { start, name_end: start, end: start });
        Ok(())
    }

    fn end_object_key<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        let end = self.0.text.len();
        if let Some(member) = self.0.members.last_mut() {
            member.name_end = end;
        }
        Ok(())
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        let end = self.0.text.len();
        if let Some(member) = self.0.members.last_mut() {
            member.end = end;
        }
        Ok(())
    }
}
