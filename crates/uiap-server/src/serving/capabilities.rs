//! What somebody may know that can be done here (CAP-SEC-2, finding X7).

use serde::Serialize;
use std::hash::{DefaultHasher, Hash, Hasher};
use uiap_policy::{DataUse, holds, needed};
use uiap_protocol::capability::{ActionDescriptor, CapabilityDocument, DescribedKind};
use uiap_protocol::ids::Text;
use uiap_protocol::policy::{PolicyDocument, SideEffectClass};
use uiap_runtime::catalogue::side_effect;
use uiap_runtime::standing::Rights;

/// The document, with what the application offers by itself, as far as the rights of somebody reach.
pub(super) fn permitted(
    document: &CapabilityDocument,
    offers: &[ActionDescriptor],
    rights: &Rights,
) -> CapabilityDocument {
    let mut document = document.clone();
    for offer in offers {
        if !document.actions.iter().any(|known| known.id == offer.id) {
            document.actions.push(offer.clone());
        }
    }
    document.actions.retain(|action| {
        let right = needed(changes(action));
        holds(&rights.principal, &right) || rights.lent.contains(&right)
    });
    document
}

/// The same document has the same revision for as long as the process lives.
pub(super) fn revision(document: &CapabilityDocument) -> Option<Text> {
    named("cap", document)
}

/// So have the same rules.
pub(super) fn policy_revision(policies: &[PolicyDocument]) -> Option<Text> {
    named("pol", policies)
}

fn named<T: Serialize + ?Sized>(kind: &str, value: &T) -> Option<Text> {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(value).ok()?.hash(&mut hasher);
    Text::new(format!("{kind}_{:016x}", hasher.finish())).ok()
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
