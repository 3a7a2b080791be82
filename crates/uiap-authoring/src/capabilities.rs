//! A capability document from actions and bindings, where nobody wrote one.

use std::collections::{BTreeMap, BTreeSet};
use uiap_protocol::authoring::{AuthoredAction, BindingsManifest};
use uiap_protocol::capability::{CapabilityDocument, StateKey, SuccessSignal};
use uiap_protocol::ids::{ModelVersion, ProfileId};
use uiap_protocol::wire::{JsonObject, Shared};

/// What the actions and bindings say an application can show, observe and do. The order of the input does not matter.
pub fn derive(
    profile: &ProfileId,
    actions: &[Shared<AuthoredAction>],
    bindings: Option<&BindingsManifest>,
) -> CapabilityDocument {
    let routes = bindings.into_iter().flat_map(|bindings| bindings.routes.iter().flatten());
    let elements = || bindings.into_iter().flat_map(|bindings| bindings.elements.iter().flatten());
    let descriptors: BTreeMap<_, _> =
        actions.iter().map(|action| (action.descriptor.id.as_str(), &action.descriptor)).collect();
    let signals: Vec<_> = descriptors
        .values()
        .flat_map(|action| action.success.iter().flatten())
        .chain(routes.flat_map(|route| route.success_signals.iter().flatten()))
        .chain(elements().flat_map(|element| element.success.iter().flatten()))
        .collect();
    let levels = descriptors.values().map(|action| action.risk.level);
    let levels: BTreeSet<_> = levels.chain(elements().filter_map(|element| element.risk)).collect();
    let affordances = descriptors.values().flat_map(|action| action.required_affordances.iter().flatten());
    let tags = descriptors.values().flat_map(|action| action.risk.tags.iter().flatten());
    CapabilityDocument {
        model_version: ModelVersion,
        profile: profile.clone(),
        roles: by_word(elements().filter_map(|element| element.role.clone()), |role| {
            role.as_str().to_owned()
        }),
        state_keys: by_word(signals.iter().flat_map(|signal| state_keys(signal)), |key| {
            key.as_str().to_owned()
        }),
        affordances: by_word(affordances.cloned(), |affordance| affordance.as_str().to_owned()),
        actions: descriptors.values().map(|action| (*action).clone()).collect(),
        risk_levels: levels.into_iter().collect(),
        risk_tags: Some(by_word(tags.cloned(), |tag| tag.as_str().to_owned())),
        success_signal_kinds: by_word(signals.iter().filter_map(|signal| signal.kind()), |kind| {
            kind.as_str().to_owned()
        }),
        metadata: None,
        extra: JsonObject::default(),
    }
}

/// Each once, in the order of its word.
fn by_word<T>(items: impl Iterator<Item = T>, word: impl Fn(&T) -> String) -> Vec<T> {
    let once: BTreeMap<_, _> = items.map(|item| (word(&item), item)).collect();
    once.into_values().collect()
}

/// The keys whose values a signal looks at.
fn state_keys(signal: &SuccessSignal) -> Vec<StateKey> {
    match signal {
        SuccessSignal::ElementState { state, .. } => {
            let members = serde_json::to_value(state).ok();
            let names =
                members.iter().filter_map(serde_json::Value::as_object).flat_map(|members| members.keys());
            names.filter_map(|name| StateKey::from_word(name)).collect()
        }
        SuccessSignal::ValueEquals { .. } => vec![StateKey::TextValue],
        _ => Vec::new(),
    }
}
