//! What the flags ask for.

use super::Discover;
use crate::Trouble;
use crate::commands::login::login_in;
use crate::commands::mcp::secrets::vault;
use crate::commands::supplies::Supplies;
use crate::discovering::{Practice, base_of, gather, is_loopback, sitemap};
use crate::opening::address_of;
use std::path::Path;
use uiap_discovery::package::{Authorisation, AuthorisationBasis};
use uiap_discovery::seeds::{Known, beginning, document, menu, named_in, workflow};
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::discovery::{DiscoveryBudget, DiscoveryEnvironment, DiscoverySafetyPolicy, DiscoverySeed};
use uiap_protocol::ids::{ActionId, Id, Locale, RouteId, Text};
use uiap_protocol::wire::JsonObject;
use uiap_server::secrets::Vault;
use uiap_web::StorageState;
use url::Url;

impl Discover {
    /// The environment: of the file, with what the flags say instead.
    pub(super) fn described(&self) -> Result<DiscoveryEnvironment, Trouble> {
        let mut environment = match &self.environment {
            Some(path) => Supplies { format: crate::report::ReportFormat::Human }.environment(path)?,
            None => self.plain()?,
        };
        if let (Some(url), true) = (&self.url, self.environment.is_some()) {
            environment.base_url = Text::new(address_of(url)?).map_err(anyhow::Error::new)?;
        }
        if let Some(locale) = &self.locale {
            let wrong = |error| Trouble::WrongUse(format!("--locale: {error}."));
            environment.locale = Some(Locale::new(locale.clone()).map_err(wrong)?);
        }
        if let Some(mode) = self.mode {
            let safety = environment.safety.get_or_insert_with(|| safety(mode.into()));
            safety.default_mode = mode.into();
        }
        let budgets = environment.budgets.get_or_insert_with(DiscoveryBudget::default);
        budgets.max_states = self.max_states.or(budgets.max_states);
        budgets.max_transitions = self.max_transitions.or(budgets.max_transitions);
        budgets.max_depth = self.max_depth.or(budgets.max_depth);
        let time = self.max_minutes.map(|minutes| minutes.saturating_mul(60_000));
        budgets.max_runtime_ms = time.or(budgets.max_runtime_ms);
        self.put_practice(&mut environment)?;
        Ok(environment)
    }

    /// An environment that nobody described.
    fn plain(&self) -> Result<DiscoveryEnvironment, Trouble> {
        let address = address_of(self.url.as_deref().unwrap_or_default())?;
        let url = base_of(&address)?;
        let host = url.host_str().unwrap_or("app");
        let port = url.port().map(|port| format!("-{port}")).unwrap_or_default();
        let id = format!("{host}{port}").replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
        Ok(DiscoveryEnvironment {
            environment_id: Id::new(id.trim_matches('-').to_owned()).map_err(anyhow::Error::new)?,
            base_url: Text::new(url.to_string()).map_err(anyhow::Error::new)?,
            locale: None,
            viewport: None,
            auth_mode: None,
            principal_profiles: None,
            feature_flags: None,
            budgets: None,
            safety: None,
            metadata: None,
            extra: JsonObject::default(),
        })
    }

    /// Adds what the flags say about reads, origins and logins.
    fn put_practice(&self, environment: &mut DiscoveryEnvironment) -> Result<(), Trouble> {
        let metadata = environment.metadata.get_or_insert_with(JsonObject::default);
        let mut append = |name: &str, texts: &[String]| {
            if texts.is_empty() {
                return;
            }
            let list = metadata.entry(name.to_owned()).or_insert_with(|| serde_json::json!([]));
            if let Some(list) = list.as_array_mut() {
                list.extend(texts.iter().map(|text| serde_json::json!(text)));
            }
        };
        append("reads", &self.read);
        append("origins", &self.allow);
        if let Some(path) = &self.login {
            // It is read again with the rest; here it only has to make sense by itself.
            let (_, login) = login_in(path)?;
            metadata.insert("login".to_owned(), serde_json::json!({ "*": login }));
        }
        Ok(())
    }

    /// Why it may happen (DSC-SEC-1): what is on this machine or stands in an environment file is meant.
    pub(super) fn authorisation(&self, environment: &DiscoveryEnvironment) -> Result<Authorisation, Trouble> {
        let url = base_of(environment.base_url.as_str())?;
        let basis = if is_loopback(&url) {
            AuthorisationBasis::Loopback
        } else if self.environment.is_some() && self.url.is_none() {
            AuthorisationBasis::EnvironmentFile
        } else if self.authorized {
            AuthorisationBasis::Declared
        } else {
            return Err(Trouble::WrongUse(format!(
                "{url} is not on this machine. Explore only what you are allowed to explore: say so with \
                 --authorized, or describe it in a file for --environment."
            )));
        };
        Ok(Authorisation { basis, note: None })
    }

    /// In whose name, one run after the other (finding S17).
    pub(super) fn profiles(&self, environment: &DiscoveryEnvironment) -> Result<Vec<Option<Id>>, Trouble> {
        let all = environment.principal_profiles.as_deref().unwrap_or_default();
        match &self.profile {
            Some(wanted) => {
                let found = all.iter().find(|profile| profile.id.as_str() == wanted);
                let known: Vec<_> = all.iter().map(|profile| profile.id.as_str()).collect();
                let found = found.ok_or_else(|| {
                    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                    Trouble::WrongUse(format!(
                        "There is no profile \"{wanted}\"; the environment has {known}."
                    ))
                })?;
                Ok(vec![Some(found.id.clone())])
            }
            None if all.is_empty() => Ok(vec![None]),
            None => Ok(all.iter().map(|profile| Some(profile.id.clone())).collect()),
        }
    }

    pub(super) fn known(
        &self,
        supplies: Supplies,
        bundle: Option<&CompiledBundle>,
        environment: &DiscoveryEnvironment,
    ) -> Result<Known, Trouble> {
        let base = base_of(environment.base_url.as_str())?;
        let mut known = Known::default();
        if let Some(bundle) = bundle {
            known.learn_bundle(bundle, &base);
        }
        for path in &self.earlier {
            known.learn_package(&supplies.discovered(path)?);
        }
        Ok(known)
    }

    /// Where to start: at the beginning, where the flags say, and at every route that is known.
    pub(super) fn seeds(
        &self,
        known: &mut Known,
        environment: &DiscoveryEnvironment,
    ) -> Result<Vec<DiscoverySeed>, Trouble> {
        let base = base_of(environment.base_url.as_str())?;
        let mut seeds: Vec<_> = beginning(&base).into_iter().collect();
        for text in self.seed.iter().filter(|text| remote(text, &base).is_none()) {
            seeds.extend(seed(text, &base, known)?);
        }
        seeds.extend(known.seeds());
        Ok(seeds)
    }

    /// What documents of the application itself name: those of the flags, and its sitemap if it has one.
    pub(super) async fn fetched(
        &self,
        environment: &DiscoveryEnvironment,
    ) -> Result<Vec<DiscoverySeed>, Trouble> {
        let base = base_of(environment.base_url.as_str())?;
        let rules = Practice::of(environment)?.rules(&base)?;
        let wanted: Vec<_> = self.seed.iter().filter_map(|text| remote(text, &base)).collect();
        let given = gather(wanted.clone(), &rules, &base).await;
        if let Some((DiscoverySeed::Documentation { r#ref: document }, reason)) = given.refused.first() {
            return Err(Trouble::WrongUse(format!("--seed: {document} cannot be used: {reason}.")));
        }
        // Nobody misses a sitemap that is not there.
        let usual = sitemap(&base).filter(|seed| !wanted.contains(seed)).into_iter().collect();
        let usual = gather(usual, &rules, &base).await;
        Ok(given.seeds.into_iter().chain(usual.seeds).collect())
    }

    pub(super) fn vault(&self) -> Result<Vault, Trouble> {
        self.secrets.as_deref().map_or_else(|| Ok(Vault::default()), vault)
    }

    pub(super) fn storage(&self) -> Result<Option<StorageState>, Trouble> {
        let Some(path) = &self.storage_state else { return Ok(None) };
        let wrong = |error| Trouble::WrongUse(format!("--storage-state {}: {error}.", path.display()));
        serde_json::from_str(&Self::text(path)?).map(Some).map_err(wrong)
    }
}

fn safety(default_mode: uiap_protocol::discovery::SafetyMode) -> DiscoverySafetyPolicy {
    DiscoverySafetyPolicy {
        default_mode,
        allow_external_effects: None,
        allow_destructive_actions: None,
        allow_auth_flows: None,
        allow_payment_flows: None,
        extra: JsonObject::default(),
    }
}

/// A document that has to be asked for.
fn remote(text: &str, base: &Url) -> Option<DiscoverySeed> {
    match text.split_once("docs:") {
        _ if text == "sitemap" => sitemap(base),
        Some(("", address)) if address.contains("://") => document(address),
        _ => None,
    }
}

/// The seeds that a text stands for: a document names many.
fn seed(text: &str, base: &Url, known: &mut Known) -> Result<Vec<DiscoverySeed>, Trouble> {
    let wrong = |why: &str| Trouble::WrongUse(format!("--seed {text}: {why}."));
    let seed = match text.split_once(':') {
        Some(("route", id)) => {
            let route_id = RouteId::new(id.to_owned()).map_err(|error| wrong(&error.to_string()))?;
            Some(DiscoverySeed::Route { route_id })
        }
        Some(("menu", label)) => menu(label),
        Some(("action", id)) => {
            let action_id = ActionId::new(id.to_owned()).map_err(|error| wrong(&error.to_string()))?;
            Some(DiscoverySeed::Action { action_id })
        }
        Some(("workflow", id)) => workflow(id),
        Some(("docs", path)) => {
            let named = named_in(&Discover::text(Path::new(path))?, base);
            if named.is_empty() {
                return Err(wrong("the document names no place of this application"));
            }
            known.learn_document(path, &named);
            return Ok(document(path).into_iter().chain(named).collect());
        }
        _ => Text::new(text.to_owned()).ok().map(|url| DiscoverySeed::Url { url }),
    };
    seed.map(|seed| vec![seed]).ok_or_else(|| wrong("it says nothing"))
}
