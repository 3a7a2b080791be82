//! Where people sign in, as far as a page shows it.

use crate::sighting::{Sighting, Thing, is_field};
use std::collections::BTreeSet;
use uiap_protocol::capability::Role;

/// What a page asks for where people sign in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Door {
    /// Its fields, by role and name.
    fields: BTreeSet<String>,
}

impl Door {
    /// What a page asks for. Nothing, if nothing of it is secret.
    pub fn of(sighting: &Sighting<'_>) -> Option<Self> {
        let secret = sighting.things.iter().find(|thing| is_secret(thing))?;
        let beside = sighting.things.iter();
        let beside = beside.filter(|thing| thing.path == secret.path && is_field(&thing.element.role));
        let fields = beside.map(|thing| format!("{}|{}", thing.element.role, thing.name)).collect();
        Some(Self { fields })
    }

    /// A page asks for the same.
    pub fn is_shown(&self, sighting: &Sighting<'_>) -> bool {
        Self::of(sighting).is_some_and(|other| other == *self)
    }
}

/// It has a field whose value nobody may see, such as a password.
pub fn asks_for_secret(sighting: &Sighting<'_>) -> bool {
    sighting.things.iter().any(is_secret)
}

fn is_secret(thing: &Thing<'_>) -> bool {
    thing.element.role == Role::Textbox && thing.element.state.ui.sensitive == Some(true)
}
