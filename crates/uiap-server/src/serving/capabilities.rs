//! What somebody may know that can be done here (CAP-SEC-2, finding X7).

use uiap_policy::{DataUse, holds, needed};
use uiap_protocol::capability::{ActionDescriptor, CapabilityDocument, DescribedKind};
use uiap_protocol::policy::{Grant, PolicyPrincipal, SideEffectClass};
use uiap_runtime::catalogue::side_effect;

/// The document, with what the application offers by itself, as far as the rights of somebody reach.
pub(super) fn permitted(
    document: &CapabilityDocument,
    offers: Vec<ActionDescriptor>,
    principal: &PolicyPrincipal,
    lent: &[Grant],
) -> CapabilityDocument {
    let mut document = document.clone();
    for offer in offers {
        if !document.actions.iter().any(|known| known.id == offer.id) {
            document.actions.push(offer);
        }
    }
    document.actions.retain(|action| {
        let right = needed(changes(action));
        holds(principal, &right) || lent.contains(&right)
    });
    document
}

/// What an action would change at least, whatever it is aimed at.
fn changes(action: &ActionDescriptor) -> SideEffectClass {
    let declared = side_effect(&action.risk);
    if action.kind == DescribedKind::Primitive && declared == SideEffectClass::Unknown {
        return match DataUse::of(&action.id, declared) {
            DataUse::Read => SideEffectClass::None,
            DataUse::None => SideEffectClass::LocalUi,
            DataUse::Write => SideEffectClass::Unknown,
        };
    }
    declared
}
