//! What a bundle says about itself, and its parts one after the other.

use super::changes::{Changes, Pair};
use super::place::At;
use super::rules::Rule;
use super::subjects::Subjects;
use super::witness::Witness;
use super::{actions, app, bindings, capabilities, compatibility, elements, policies, workflows};
use std::collections::BTreeMap;
use uiap_protocol::authoring::{BuildContext, CompiledBundle};

pub(super) fn compare(old: &CompiledBundle, new: &CompiledBundle, changes: &mut Changes) {
    let root = At::ROOT;
    changes.value(
        Rule::PackageIdChanged,
        &root.member("packageId"),
        (&old.package_id, &new.package_id),
        || format!("The package \"{}\" is now \"{}\".", old.package_id, new.package_id),
    );
    changes.value(Rule::ProfileChanged, &root.member("profile"), (&old.profile, &new.profile), || {
        format!("The bundle is for the profile {}; it was {}.", new.profile, old.profile)
    });
    context(&root.member("buildContext"), &old.build_context, &new.build_context, changes);
    compatibility::compare(&root.member("compatibility"), &old.compatibility, &new.compatibility, changes);
    app::compare(&root.member("app"), &old.app, &new.app, changes);
    let subjects = Subjects::new(old);
    let (was, is) = (old.capabilities.as_ref(), new.capabilities.as_ref());
    capabilities::compare(&root.member("capabilities"), was, is, &subjects, changes);
    let at = root.member("bindings");
    changes.respelled_object(&at, old.bindings.as_ref(), new.bindings.as_ref());
    let nothing = uiap_protocol::authoring::BindingsManifest::default();
    let (was, is) = (old.bindings.as_ref().unwrap_or(&nothing), new.bindings.as_ref().unwrap_or(&nothing));
    bindings::routes(&at.member("routes"), was.routes.as_ref(), is.routes.as_ref(), changes);
    bindings::scopes(&at.member("scopes"), was.scopes.as_ref(), is.scopes.as_ref(), changes);
    elements::compare(&at.member("elements"), was.elements.as_ref(), is.elements.as_ref(), changes);
    actions::compare(&root.member("actions"), old.actions.as_ref(), new.actions.as_ref(), &subjects, changes);
    policies::compare(&root.member("policies"), old, new, changes);
    workflows::compare(&root.member("workflows"), old.workflows.as_ref(), new.workflows.as_ref(), changes);
    locales(&root.member("locales"), old.locales.as_ref(), new.locales.as_ref(), changes);
    index_and_digest(old, new, changes);
}

fn context(at: &At<'_>, old: &BuildContext, new: &BuildContext, changes: &mut Changes) {
    let said = "The bundle was built for somebody else.";
    let rule = Rule::BuildContextChanged;
    changes.value(rule, &at.member("environment"), (&old.environment, &new.environment), || said.to_owned());
    changes.value(rule, &at.member("channel"), (&old.channel, &new.channel), || said.to_owned());
    changes.value(rule, &at.member("locale"), (&old.locale, &new.locale), || said.to_owned());
    changes.value(rule, &at.member("tenantId"), (&old.tenant_id, &new.tenant_id), || said.to_owned());
    let profiles = (&old.principal_profile, &new.principal_profile);
    changes.value(rule, &at.member("principalProfile"), profiles, || said.to_owned());
    changes.value(rule, &at.member("appVersion"), (&old.app_version, &new.app_version), || said.to_owned());
}

fn locales(
    at: &At<'_>,
    old: Option<&BTreeMap<String, String>>,
    new: Option<&BTreeMap<String, String>>,
    changes: &mut Changes,
) {
    changes.respelled_object(at, old, new);
    let none = BTreeMap::new();
    let (old, new) = (old.unwrap_or(&none), new.unwrap_or(&none));
    for (key, was) in old {
        let at = at.member(key);
        match new.get(key) {
            Some(is) => changes.value(Rule::LocaleTextChanged, &at, (was, is), || {
                format!("The text \"{key}\" says something else.")
            }),
            None => {
                let message = format!("The text \"{key}\" is gone.");
                changes.add(Rule::LocaleTextRemoved, &at, message, Witness::gone(was));
            }
        }
    }
    for (key, is) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
        let message = format!("The text \"{key}\" is new.");
        changes.add(Rule::LocaleTextAdded, &at.member(key), message, Witness::came(is));
    }
}

/// Version and digest name a bundle; they are no change of what it holds.
fn index_and_digest(old: &CompiledBundle, new: &CompiledBundle, changes: &mut Changes) {
    let rules = Pair { gone: Rule::ManifestIndexChanged, came: Rule::ManifestIndexChanged };
    let lists = (old.manifest_index.as_ref(), new.manifest_index.as_ref());
    changes.words(rules, &At::ROOT.member("manifestIndex"), lists, "The bundle", |manifest, came| {
        let built = if came { "was built from" } else { "was not built from" };
        let witness = if came { Witness::came(manifest) } else { Witness::gone(manifest) };
        (format!("{built} the manifest \"{manifest}\""), witness)
    });
    let at = At::ROOT.member("digest");
    match (&old.digest, &new.digest) {
        (Some(was), None) => {
            let message = "The bundle has no digest any more.";
            changes.add(Rule::DigestRemoved, &at, message, Witness::gone(was));
        }
        (None, Some(is)) => {
            changes.add(Rule::DigestAdded, &at, "The bundle has a digest.", Witness::came(is));
        }
        _ => {}
    }
}
