//! The application as its team sees it.

use crate::finding::Code;
use crate::ids::{Id, Locale, Text};
use crate::policy::Grant;
use crate::wire::{Decoder, JsonObject, Wire};
use std::collections::BTreeMap;

/// The application.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.1-1", check = AppManifest::check)]
pub struct AppManifest {
    /// Which.
    pub app_id: Id,
    /// Its name for people.
    pub display_name: Text,
    /// Its language, unless somebody chooses another.
    pub default_locale: Option<Locale>,
    /// Its languages.
    pub supported_locales: Option<Vec<Locale>>,
    /// Where it runs.
    pub environments: Option<Vec<AppEnvironment>>,
    /// Who uses it.
    pub principal_profiles: Option<Vec<AppPrincipalProfile>>,
    /// How it finds its pages.
    pub routing: Option<AppRoutingConfig>,
    /// How the SDK works in it.
    pub sdk: Option<AppSdkConfig>,
    /// What only the application understands.
    pub metadata: Option<JsonObject>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl AppManifest {
    fn check(&self, decoder: &mut Decoder<'_>) {
        let environments = self.environments.iter().flatten().map(|item| item.id.as_str());
        decoder.unique("environments", environments);
        let profiles = self.principal_profiles.iter().flatten().map(|item| item.id.as_str());
        decoder.unique("principalProfiles", profiles);
        let routing = self.routing.as_ref().and_then(|routing| routing.route_provider_ref.as_ref());
        let sdk = self.sdk.as_ref().and_then(|sdk| sdk.route_provider_ref.as_ref());
        if let (Some(routing), Some(sdk)) = (routing, sdk)
            && routing != sdk
        {
            let message = format!("\"routing\" names the route provider {routing}, \"sdk\" names {sdk}.");
            decoder.warning(Code::Inconsistent, message, "The one in \"routing\" holds; remove the other.");
        }
        if let (Some(default), Some(supported)) = (&self.default_locale, &self.supported_locales)
            && !supported.contains(default)
        {
            let message = format!("The default locale {default} is not among the supported ones.");
            decoder.at("defaultLocale", |decoder| {
                decoder.warning(Code::UndeclaredWord, message, "Add it to \"supportedLocales\".");
            });
        }
        self.check_prefix(decoder);
    }

    fn check_prefix(&self, decoder: &mut Decoder<'_>) {
        let prefix = self.sdk.as_ref().and_then(|sdk| sdk.annotation_prefix.as_ref());
        if prefix.is_some_and(|prefix| prefix.as_str() != "data-uiap-") {
            decoder.under(Some("AUT-5.1-2"), |decoder| {
                decoder.at("sdk", |decoder| {
                    decoder.at("annotationPrefix", |decoder| {
                        let message = "The annotation prefix is not the recommended one.";
                        decoder.warning(Code::UnusualName, message, "Use data-uiap-.");
                    });
                });
            });
        }
    }
}

/// Where an application runs.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.1-1")]
pub struct AppEnvironment {
    /// Which, such as `staging`.
    pub id: Id,
    /// At which addresses.
    pub base_urls: Option<Vec<Text>>,
    /// For machines.
    pub labels: Option<BTreeMap<String, String>>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// Who uses an application.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.1-1")]
pub struct AppPrincipalProfile {
    /// Which, such as `workspace-admin`.
    pub id: Id,
    /// In what roles.
    pub roles: Option<Vec<String>>,
    /// With what rights.
    pub grants: Option<Vec<Grant>>,
    /// For people.
    pub description: Option<String>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// How an application finds its pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "AUT-5.1-1", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum RoutingMode {
    History,
    Hash,
    Custom,
}

/// How an application finds its pages.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "AUT-5.1-1")]
pub struct AppRoutingConfig {
    /// By what.
    pub mode: Option<RoutingMode>,
    /// By whom.
    pub route_provider_ref: Option<Text>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// How the SDK works in an application.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(name = "AppSDKConfig", requirement = "AUT-5.1-1")]
pub struct AppSdkConfig {
    /// How annotations begin.
    pub annotation_prefix: Option<Text>,
    /// Who knows the route.
    pub route_provider_ref: Option<Text>,
    /// What happens is shown.
    pub overlay_enabled: Option<bool>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}
