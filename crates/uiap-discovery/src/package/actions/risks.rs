//! How risky an action is, once it is known what it does.

use crate::atlas::Passage;
use crate::safety::gravity;
use uiap_protocol::capability::{RiskDescriptor, RiskLevel, RiskTag};
use uiap_protocol::policy::SideEffectClass;

/// Money, rights, identity, or something that is gone afterwards (DSC 13 and 16).
pub(in crate::package) fn is_delicate(class: SideEffectClass) -> bool {
    use SideEffectClass as Class;
    matches!(
        class,
        Class::Destructive
            | Class::Irreversible
            | Class::BillingChange
            | Class::SecurityChange
            | Class::IdentityChange
    )
}

/// Of two descriptions, the stricter one.
pub(super) fn stricter(one: RiskDescriptor, other: RiskDescriptor) -> RiskDescriptor {
    if other.effective_level(true) > one.effective_level(true) { other } else { one }
}

/// What is known once requests were held back: it writes, whatever was said about it.
pub(super) fn raised<'p>(
    class: SideEffectClass,
    mut risk: RiskDescriptor,
    mut held: impl Iterator<Item = &'p Passage>,
    wrote: bool,
) -> (SideEffectClass, RiskDescriptor) {
    if !wrote {
        return (class, risk);
    }
    let deletes = held.any(|passage| passage.method.eq_ignore_ascii_case("delete"));
    let observed = if deletes { SideEffectClass::Destructive } else { SideEffectClass::PersistentWrite };
    let class = if gravity(observed) > gravity(class) { observed } else { class };
    if risk.level < RiskLevel::Confirm {
        risk.level = RiskLevel::Confirm;
        risk.reason = Some("A request that writes was held back when it was tried.".to_owned());
    }
    if deletes {
        let tags = risk.tags.get_or_insert_default();
        if !tags.contains(&RiskTag::Destructive) {
            tags.push(RiskTag::Destructive);
        }
    }
    (class, risk)
}

/// What nobody can place is asked about.
pub(super) fn careful(class: SideEffectClass, mut risk: RiskDescriptor) -> RiskDescriptor {
    if gravity(class) >= gravity(SideEffectClass::Unknown) && risk.level < RiskLevel::Confirm {
        risk.level = RiskLevel::Confirm;
        let unknown = class == SideEffectClass::Unknown;
        let reason =
            if unknown { "Nobody knows what it changes." } else { "It changes something that stays." };
        risk.reason = risk.reason.or_else(|| Some(reason.to_owned()));
    }
    risk
}
