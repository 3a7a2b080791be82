//! Which rights an action needs, and which a principal has.

use crate::facts::{DataUse, Facts};
use uiap_protocol::policy::{DataClass, Grant, PolicyPrincipal, SideEffectClass};

/// Whether a principal has a right. `observe`, `guide`, `draft`, `act` and `admin` are a ladder: a higher one
/// includes the lower ones. All other rights stand for themselves, and who was given nothing has nothing.
pub fn holds(principal: &PolicyPrincipal, grant: &Grant) -> bool {
    let step = ladder(grant);
    principal.grants.iter().flatten().any(|held| {
        held == grant || step.is_some_and(|step| ladder(held).is_some_and(|reached| reached >= step))
    })
}

fn ladder(grant: &Grant) -> Option<u8> {
    match grant {
        Grant::Observe => Some(0),
        Grant::Guide => Some(1),
        Grant::Draft => Some(2),
        Grant::Act => Some(3),
        Grant::Admin => Some(4),
        Grant::ReadSensitive
        | Grant::ReadSecret
        | Grant::WriteSensitive
        | Grant::Billing
        | Grant::Identity
        | Grant::Security
        | Grant::Vendor(_) => None,
    }
}

/// The rights that would be needed and are not there.
pub(crate) fn missing(facts: &Facts<'_>) -> Vec<Grant> {
    let by_data =
        (facts.data_use() == DataUse::Write && is_protected(facts)).then_some(Grant::WriteSensitive);
    let all = [Some(needed(facts.changes())), by_data];
    all.into_iter().flatten().filter(|grant| !holds(facts.principal, grant)).collect()
}

/// The right that it takes to bring about a side effect.
pub fn needed(side_effect: SideEffectClass) -> Grant {
    match side_effect {
        SideEffectClass::None => Grant::Observe,
        SideEffectClass::Navigation | SideEffectClass::LocalUi => Grant::Guide,
        SideEffectClass::Draft => Grant::Draft,
        // Nobody knows what would change, so at least the right to change things is needed.
        SideEffectClass::ReversibleWrite
        | SideEffectClass::PersistentWrite
        | SideEffectClass::ExternalEffect
        | SideEffectClass::Unknown => Grant::Act,
        SideEffectClass::Destructive | SideEffectClass::Irreversible => Grant::Admin,
        SideEffectClass::BillingChange => Grant::Billing,
        SideEffectClass::SecurityChange => Grant::Security,
        SideEffectClass::IdentityChange => Grant::Identity,
    }
}

fn is_protected(facts: &Facts<'_>) -> bool {
    facts.target.is_some_and(|target| target.sensitive)
        || facts.data_classes.iter().any(|class| is_secret(*class) || is_sensitive(*class))
}

/// Data that only `read.secret` opens.
pub(crate) fn is_secret(class: DataClass) -> bool {
    matches!(class, DataClass::Credential | DataClass::Secret | DataClass::Payment)
}

/// Data that `read.sensitive` opens.
pub(crate) fn is_sensitive(class: DataClass) -> bool {
    matches!(class, DataClass::Sensitive | DataClass::Health)
}

/// The right to read that data of these classes needs, if it needs one.
pub(crate) fn reading(classes: &[DataClass], sensitive: bool) -> Option<Grant> {
    if classes.iter().any(|class| is_secret(*class)) {
        return Some(Grant::ReadSecret);
    }
    (sensitive || classes.iter().any(|class| is_sensitive(*class))).then_some(Grant::ReadSensitive)
}
