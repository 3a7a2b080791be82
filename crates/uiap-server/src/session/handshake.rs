//! What two sides agree on when they meet.

use super::reading::Fault;
use super::terms::{DISCOVERY_EXTENSION, POLICY_EXTENSION, POLICY_EXTENSION_OLD, Terms, VERSION};
use uiap_protocol::core::{
    CoreErrorCode, ExtensionOffer, RejectedExtension, SelectedExtension, SessionInitialize,
};
use uiap_protocol::ids::{ProfileId, Version};

/// What was agreed on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Agreed {
    pub(crate) version: Version,
    pub(crate) profiles: Vec<ProfileId>,
    pub(crate) extensions: Vec<SelectedExtension>,
    pub(crate) rejected: Vec<RejectedExtension>,
}

impl Agreed {
    /// Whether the policy extension is spoken, under either of its ids.
    pub(crate) fn has_policy(&self) -> bool {
        self.extensions.iter().any(|extension| is_policy(extension.id.as_str()))
    }

    /// Whether the discovery extension is spoken.
    pub(crate) fn has_discovery(&self) -> bool {
        self.extensions.iter().any(|extension| extension.id.as_str() == DISCOVERY_EXTENSION)
    }

    /// Whether the policy extension is spoken under the older of them only.
    pub(crate) fn has_policy_of_old(&self) -> bool {
        self.extensions.iter().all(|extension| extension.id.as_str() != POLICY_EXTENSION)
    }

    pub(crate) fn has_profile(&self, profile: &ProfileId) -> bool {
        self.profiles.contains(profile)
    }
}

/// Agrees, or says what is missing: version, then profiles, then extensions.
pub(crate) fn agree(offer: &SessionInitialize, terms: &Terms) -> Result<Agreed, Fault> {
    let version = offer.supported_versions.iter().find(|version| version.as_str() == VERSION);
    let version = version.cloned().ok_or_else(|| {
        let message = format!("Version {VERSION} is spoken here, and not among those that were offered.");
        Fault::new(CoreErrorCode::UnsupportedVersion, message)
    })?;
    let profiles: Vec<_> =
        terms.profiles.iter().filter(|profile| offer.supported_profiles.contains(profile)).cloned().collect();
    if profiles.is_empty() {
        let ours: Vec<_> = terms.profiles.iter().map(ProfileId::as_str).collect();
        let message = format!("None of the offered profiles is spoken here; {} is.", ours.join(", "));
        return Err(Fault::new(CoreErrorCode::UnsupportedProfile, message));
    }
    let mut agreed = Agreed { version, profiles, extensions: Vec::new(), rejected: Vec::new() };
    for offer in offer.extensions.iter().flatten() {
        match select(offer, terms) {
            Ok(selected) => agreed.extensions.push(selected),
            Err(reason) if offer.required == Some(true) => {
                let message = format!("The extension \"{}\" is required: {reason}.", offer.id);
                return Err(Fault::new(CoreErrorCode::RequiredExtensionMissing, message));
            }
            Err(reason) => agreed.rejected.push(RejectedExtension { id: offer.id.clone(), reason }),
        }
    }
    Ok(agreed)
}

fn select(offer: &ExtensionOffer, terms: &Terms) -> Result<SelectedExtension, String> {
    let maps = terms.maps && offer.id.as_str() == DISCOVERY_EXTENSION;
    if !maps && !is_policy(offer.id.as_str()) {
        return Err("it is not spoken here".to_owned());
    }
    let version = offer.versions.iter().find(|version| version.as_str() == VERSION).cloned();
    let version = version.ok_or_else(|| format!("it is spoken here in version {VERSION}"))?;
    // Answered under the id that was offered: both are the same extension.
    Ok(SelectedExtension { id: offer.id.clone(), version })
}

fn is_policy(id: &str) -> bool {
    id == POLICY_EXTENSION || id == POLICY_EXTENSION_OLD
}
