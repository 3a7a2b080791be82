//! What a bundle works with.

use super::changes::{Changes, Met, meet};
use super::place::At;
use super::rules::Rule;
use super::witness::Witness;
use crate::ranges::{Accepts, lost};
use uiap_protocol::authoring::{CompatibilitySpec, ExtensionRange};

pub(super) fn compare(at: &At<'_>, old: &CompatibilitySpec, new: &CompatibilitySpec, changes: &mut Changes) {
    let core = Ranges {
        narrowed: Rule::CoreRangeNarrowed,
        widened: Rule::CoreRangeWidened,
        of: "uiap core".to_owned(),
    };
    core.compare(&at.member("uiapCore"), Some(&old.uiap_core), Some(&new.uiap_core), changes);
    extensions(&at.member("extensions"), old, new, changes);
    let web = |spec: &CompatibilitySpec| spec.sdk.as_ref().and_then(|sdk| sdk.web.clone());
    let sdk =
        Ranges { narrowed: Rule::SdkRangeNarrowed, widened: Rule::SdkRangeWidened, of: "web SDK".to_owned() };
    let at_sdk = at.member("sdk");
    changes.respelled_object(&at_sdk, old.sdk.as_ref(), new.sdk.as_ref());
    sdk.compare(&at_sdk.member("web"), web(old).as_ref(), web(new).as_ref(), changes);
    let app = Ranges {
        narrowed: Rule::AppVersionsNarrowed,
        widened: Rule::AppVersionsWidened,
        of: "application".to_owned(),
    };
    let at = at.member("appVersions");
    app.compare(&at, old.app_versions.as_ref(), new.app_versions.as_ref(), changes);
}

fn extensions(at: &At<'_>, old: &CompatibilitySpec, new: &CompatibilitySpec, changes: &mut Changes) {
    let required = |one: &ExtensionRange| one.required == Some(true);
    changes.respelled_list(at, old.extensions.as_ref(), new.extensions.as_ref());
    for met in meet(old.extensions.as_ref(), new.extensions.as_ref(), |one| one.id.as_str()) {
        match met {
            Met::Gone(place, one) => {
                let rule = if required(one) { Rule::ExtensionReleased } else { Rule::ExtensionMentioned };
                let message = format!("The extension \"{}\" is not asked for any more.", one.id);
                changes.add(rule, &at.gone(place), message, Witness::gone(one));
            }
            Met::Came(place, one) if required(one) => {
                let message = format!("The extension \"{}\" is required.", one.id);
                changes.add(Rule::ExtensionRequired, &at.came(place), message, without(one));
            }
            Met::Came(place, one) => {
                let message = format!("The extension \"{}\" is asked for, and not required.", one.id);
                changes.add(Rule::ExtensionMentioned, &at.came(place), message, Witness::came(one));
            }
            Met::Differs((was_at, was), (is_at, is)) => {
                let at = at.both(was_at, is_at);
                let ranges = Ranges {
                    narrowed: Rule::ExtensionRangeNarrowed,
                    widened: Rule::ExtensionRangeWidened,
                    of: format!("extension {}", is.id),
                };
                ranges.compare(&at.member("range"), Some(&was.range), Some(&is.range), changes);
                let at = at.member("required");
                match (required(was), required(is)) {
                    (false, true) => {
                        let message = format!("The extension \"{}\" is required.", is.id);
                        changes.add(Rule::ExtensionRequired, &at, message, without(is));
                    }
                    (true, false) => {
                        let message = format!("The extension \"{}\" is not required any more.", is.id);
                        changes.add(Rule::ExtensionReleased, &at, message, Witness::values(was, is));
                    }
                    _ if was.required != is.required => {
                        changes.respelled(&at, &was.required, &is.required);
                    }
                    _ => {}
                }
            }
        }
    }
}

/// A runtime that does not have an extension.
fn without(extension: &ExtensionRange) -> Witness {
    Witness::Version { of: format!("a runtime without {}", extension.id), version: "any".to_owned() }
}

/// The rules for one thing that has versions.
struct Ranges {
    narrowed: Rule,
    widened: Rule,
    of: String,
}

impl Ranges {
    fn compare<T: Accepts>(&self, at: &At<'_>, old: Option<&T>, new: Option<&T>, changes: &mut Changes) {
        if old == new {
            return;
        }
        let witness = |version: &str| Witness::Version { of: self.of.clone(), version: version.to_owned() };
        let narrowed = lost(old, new);
        if let Some(version) = &narrowed {
            let message = format!("The {} {version} is not supported any more.", self.of);
            changes.add(self.narrowed, at, message, witness(version));
        }
        let widened = lost(new, old);
        if let Some(version) = &widened {
            let message = format!("The {} {version} is supported.", self.of);
            changes.add(self.widened, at, message, witness(version));
        }
        if narrowed.is_none() && widened.is_none() {
            let message = format!("The versions of the {} are written differently.", self.of);
            changes.add(Rule::RangeRespelled, at, message, Witness::values(&old, &new));
        }
    }
}
