//! The application itself.

use super::changes::{Changes, Met, Pair, meet, quoted};
use super::place::At;
use super::rules::Rule;
use super::witness::Witness;
use std::collections::BTreeMap;
use uiap_protocol::authoring::{AppEnvironment, AppManifest, AppPrincipalProfile};

pub(super) fn compare(at: &At<'_>, old: &AppManifest, new: &AppManifest, changes: &mut Changes) {
    changes.value(Rule::AppIdChanged, &at.member("appId"), (&old.app_id, &new.app_id), || {
        format!("The application \"{}\" is now \"{}\".", old.app_id, new.app_id)
    });
    let names = (&old.display_name, &new.display_name);
    changes.value(Rule::AppNameChanged, &at.member("displayName"), names, || {
        format!("The application \"{}\" is called \"{}\".", names.0, names.1)
    });
    let defaults = (&old.default_locale, &new.default_locale);
    changes.value(Rule::DefaultLocaleChanged, &at.member("defaultLocale"), defaults, || {
        let (was, is) = (quoted(defaults.0.as_ref()), quoted(defaults.1.as_ref()));
        format!("The default language is {is}; it was {was}.")
    });
    let rules = Pair { gone: Rule::LocaleRemoved, came: Rule::LocaleAdded };
    let locales = (old.supported_locales.as_ref(), new.supported_locales.as_ref());
    changes.words(rules, &at.member("supportedLocales"), locales, "The application", |locale, came| {
        let no = if came { "supports" } else { "does not support" };
        let witness = if came { Witness::came(locale) } else { Witness::gone(locale) };
        (format!("{no} the language \"{locale}\""), witness)
    });
    environments(at, old, new, changes);
    profiles(at, old, new, changes);
    routing(at, old, new, changes);
    changes.metadata(at, old.metadata.as_ref(), new.metadata.as_ref(), "The application", &[]);
}

fn environments(at: &At<'_>, old: &AppManifest, new: &AppManifest, changes: &mut Changes) {
    let at = at.member("environments");
    let (old, new) = (old.environments.as_ref(), new.environments.as_ref());
    changes.respelled_list(&at, old, new);
    for met in meet(old, new, |item| item.id.as_str()) {
        match met {
            Met::Gone(place, item) => {
                let message = format!("The environment \"{}\" is gone.", item.id);
                changes.add(Rule::EnvironmentRemoved, &at.gone(place), message, Witness::gone(item));
            }
            Met::Came(place, item) => {
                let message = format!("The environment \"{}\" is new.", item.id);
                changes.add(Rule::EnvironmentAdded, &at.came(place), message, Witness::came(item));
            }
            Met::Differs((was_at, was), (is_at, is)) => {
                environment(&at.both(was_at, is_at), was, is, changes);
            }
        }
    }
}

fn environment(at: &At<'_>, old: &AppEnvironment, new: &AppEnvironment, changes: &mut Changes) {
    let who = format!("The environment \"{}\"", new.id);
    let rules = Pair { gone: Rule::EnvironmentAddressRemoved, came: Rule::EnvironmentAddressAdded };
    let addresses = (old.base_urls.as_ref(), new.base_urls.as_ref());
    changes.words(rules, &at.member("baseUrls"), addresses, &who, |address, came| {
        let has = if came { "has" } else { "has no longer" };
        let witness = Witness::Page { recognised_by: address.as_str().into() };
        (format!("{has} the address {address}"), witness)
    });
    let at = at.member("labels");
    changes.respelled_object(&at, old.labels.as_ref(), new.labels.as_ref());
    let none = BTreeMap::new();
    let (old, new) = (old.labels.as_ref().unwrap_or(&none), new.labels.as_ref().unwrap_or(&none));
    for (label, was) in old.iter().filter(|(label, was)| new.get(*label) != Some(was)) {
        let message = format!("{who} has another label \"{label}\", or none.");
        let witness = Witness::values(was, &new.get(label));
        changes.add(Rule::EnvironmentLabelChanged, &at.member(label), message, witness);
    }
    for (label, is) in new.iter().filter(|(label, _)| !old.contains_key(*label)) {
        let message = format!("{who} has the label \"{label}\".");
        changes.add(Rule::EnvironmentLabelAdded, &at.member(label), message, Witness::came(is));
    }
}

fn profiles(at: &At<'_>, old: &AppManifest, new: &AppManifest, changes: &mut Changes) {
    let at = at.member("principalProfiles");
    let (old, new) = (old.principal_profiles.as_ref(), new.principal_profiles.as_ref());
    changes.respelled_list(&at, old, new);
    for met in meet(old, new, |item| item.id.as_str()) {
        match met {
            Met::Gone(place, item) => {
                let message = format!("The kind of user \"{}\" is gone.", item.id);
                changes.add(Rule::PrincipalProfileRemoved, &at.gone(place), message, Witness::gone(item));
            }
            Met::Came(place, item) => {
                let message = format!("The kind of user \"{}\" is new.", item.id);
                changes.add(Rule::PrincipalProfileAdded, &at.came(place), message, Witness::came(item));
            }
            Met::Differs((was_at, was), (is_at, is)) => {
                profile(&at.both(was_at, is_at), was, is, changes);
            }
        }
    }
}

fn profile(at: &At<'_>, old: &AppPrincipalProfile, new: &AppPrincipalProfile, changes: &mut Changes) {
    let who = format!("The kind of user \"{}\"", new.id);
    let rules = Pair { gone: Rule::PrincipalProfileRoleRemoved, came: Rule::PrincipalProfileRoleAdded };
    let roles = (old.roles.as_ref(), new.roles.as_ref());
    changes.words(rules, &at.member("roles"), roles, &who, |role, came| {
        let has = if came { "has" } else { "has no longer" };
        (format!("{has} the role \"{role}\""), Witness::values(old, new))
    });
    let rules = Pair { gone: Rule::PrincipalProfileGrantRemoved, came: Rule::PrincipalProfileGrantAdded };
    let grants = (old.grants.as_ref(), new.grants.as_ref());
    changes.words(rules, &at.member("grants"), grants, &who, |grant, came| {
        let has = if came { "has" } else { "has no longer" };
        (format!("{has} the right {grant}"), Witness::values(old, new))
    });
    let texts = (&old.description, &new.description);
    changes.value(Rule::PrincipalProfileDescriptionChanged, &at.member("description"), texts, || {
        format!("{who} is described differently.")
    });
}

fn routing(at: &At<'_>, old: &AppManifest, new: &AppManifest, changes: &mut Changes) {
    let at_routing = at.member("routing");
    changes.respelled_object(&at_routing, old.routing.as_ref(), new.routing.as_ref());
    let mode = |app: &AppManifest| app.routing.as_ref().and_then(|routing| routing.mode);
    changes.value(Rule::RoutingModeChanged, &at_routing.member("mode"), (&mode(old), &mode(new)), || {
        let (was, is) = (quoted(mode(old).as_ref()), quoted(mode(new).as_ref()));
        format!("The application finds its pages by {is}; it was {was}.")
    });
    let at_sdk = at.member("sdk");
    changes.respelled_object(&at_sdk, old.sdk.as_ref(), new.sdk.as_ref());
    let by_routing = |app: &AppManifest| app.routing.as_ref().and_then(|it| it.route_provider_ref.clone());
    let by_sdk = |app: &AppManifest| app.sdk.as_ref().and_then(|it| it.route_provider_ref.clone());
    for (at, was, is) in [
        (at_routing.member("routeProviderRef"), by_routing(old), by_routing(new)),
        (at_sdk.member("routeProviderRef"), by_sdk(old), by_sdk(new)),
    ] {
        changes.value(Rule::RouteProviderChanged, &at, (&was, &is), || {
            format!("The route is told by {}; it was {}.", quoted(is.as_ref()), quoted(was.as_ref()))
        });
    }
    let prefix = |app: &AppManifest| app.sdk.as_ref().and_then(|sdk| sdk.annotation_prefix.clone());
    let prefixes = (&prefix(old), &prefix(new));
    changes.value(Rule::AnnotationPrefixChanged, &at_sdk.member("annotationPrefix"), prefixes, || {
        let (was, is) = (quoted(prefixes.0.as_ref()), quoted(prefixes.1.as_ref()));
        format!("Annotations begin with {is}; it was {was}.")
    });
    let overlay = |app: &AppManifest| app.sdk.as_ref().and_then(|sdk| sdk.overlay_enabled);
    let overlays = (&overlay(old), &overlay(new));
    changes.value(Rule::OverlayDisplayChanged, &at_sdk.member("overlayEnabled"), overlays, || {
        "What happens is shown differently.".to_owned()
    });
}
