//! Where in the two bundles a comparison is.

use std::fmt::Write as _;

/// A place in both bundles. It is a chain to the root, so that a pointer is only written where something differs.
#[derive(Clone, Copy, Debug)]
pub(super) struct At<'a> {
    parent: Option<&'a At<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Root,
    Member(&'a str),
    /// The places of an item in the old and in the new list.
    Item(Option<usize>, Option<usize>),
}

impl<'a> At<'a> {
    pub(super) const ROOT: Self = At { parent: None, step: Step::Root };

    pub(super) fn member(&'a self, name: &'a str) -> At<'a> {
        At { parent: Some(self), step: Step::Member(name) }
    }

    pub(super) fn both(&'a self, old: usize, new: usize) -> At<'a> {
        At { parent: Some(self), step: Step::Item(Some(old), Some(new)) }
    }

    pub(super) fn gone(&'a self, old: usize) -> At<'a> {
        At { parent: Some(self), step: Step::Item(Some(old), None) }
    }

    pub(super) fn came(&'a self, new: usize) -> At<'a> {
        At { parent: Some(self), step: Step::Item(None, Some(new)) }
    }

    /// The pointer into the old bundle, if the place exists there.
    pub(super) fn in_old(&self) -> Option<String> {
        self.pointer(|old, _| old)
    }

    /// The pointer into the new bundle, if the place exists there.
    pub(super) fn in_new(&self) -> Option<String> {
        self.pointer(|_, new| new)
    }

    fn pointer(&self, side: fn(Option<usize>, Option<usize>) -> Option<usize>) -> Option<String> {
        let mut pointer = match self.parent {
            Some(parent) => parent.pointer(side)?,
            None => String::new(),
        };
        match self.step {
            Step::Root => {}
            Step::Member(name) => push(&mut pointer, name),
            Step::Item(old, new) => {
                let _ = write!(pointer, "/{}", side(old, new)?);
            }
        }
        Some(pointer)
    }
}

/// Appends the name of a member to a JSON pointer.
pub(super) fn push(pointer: &mut String, name: &str) {
    pointer.push('/');
    for letter in name.chars() {
        match letter {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            letter => pointer.push(letter),
        }
    }
}
