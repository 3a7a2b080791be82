//! What an environment says beyond the words of the protocol, in its `metadata`: which requests only read, how one
//! signs in, what counts for a state.

use crate::Trouble;
use crate::login::Login;
use serde::Deserialize;
use std::collections::BTreeMap;
use uiap_discovery::fingerprint::default_policy;
use uiap_protocol::discovery::{DiscoveryEnvironment, StateFingerprintPolicy};
use uiap_protocol::wire::JsonObject;
use uiap_web::guard::{Pattern, Procedures, Rules};
use url::{Origin, Url};

/// What an environment says in its `metadata`. Members that nobody knows are other people's business.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Practice {
    /// Requests that only read, such as `POST /api/search`.
    pub(crate) reads: Vec<String>,
    /// `WebSockets` that only read.
    pub(crate) sockets: Vec<String>,
    /// Where procedures are called by JSON-RPC.
    pub(crate) procedures: Vec<Calls>,
    /// Further origins that belong to the application.
    pub(crate) origins: Vec<String>,
    /// How somebody signs in, by the id of the profile; `*` for everybody.
    pub(crate) login: BTreeMap<String, Login>,
    /// What counts for a state.
    pub(crate) fingerprint: Option<Counting>,
}

/// Where procedures are called by JSON-RPC.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Calls {
    at: String,
    #[serde(default)]
    reads: Vec<String>,
}

/// What counts for a state.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Counting {
    include_text_values: Option<bool>,
    include_collections: Option<bool>,
    ignore_transient_toasts: Option<bool>,
    ignore_spinners: Option<bool>,
}

impl Practice {
    /// What an environment says.
    pub(crate) fn of(environment: &DiscoveryEnvironment) -> Result<Self, Trouble> {
        let metadata = environment.metadata.clone().unwrap_or_default();
        let practice: Self = serde_json::from_value(metadata.into()).map_err(|error| {
            Trouble::WrongUse(format!("The metadata of environment {}: {error}.", environment.environment_id))
        })?;
        practice.login.values().try_for_each(Login::check)?;
        Ok(practice)
    }

    /// How somebody signs in.
    pub(crate) fn login(&self, profile: Option<&str>) -> Option<&Login> {
        profile.and_then(|profile| self.login.get(profile)).or_else(|| self.login.get("*"))
    }

    /// Further origins that belong to the application.
    pub(crate) fn origins(&self) -> Result<Vec<Url>, Trouble> {
        let wrong = |text: &String, error| Trouble::WrongUse(format!("\"{text}\" is no origin: {error}."));
        self.origins.iter().map(|text| Url::parse(text).map_err(|error| wrong(text, error))).collect()
    }

    /// What the guard lets through.
    pub(crate) fn rules(&self, base: &Url) -> Result<Rules, Trouble> {
        let pattern =
            |text: &String| text.parse::<Pattern>().map_err(|error| Trouble::WrongUse(format!("{error}.")));
        let elsewhere: Vec<Origin> = self.origins()?.iter().map(Url::origin).collect();
        let procedures = self.procedures.iter().map(|calls| {
            Ok::<_, Trouble>(Procedures { at: pattern(&calls.at)?, reads: calls.reads.clone() })
        });
        Ok(Rules {
            home: vec![base.origin()],
            elsewhere,
            reads: self.reads.iter().map(pattern).collect::<Result<_, _>>()?,
            sockets: self.sockets.iter().map(pattern).collect::<Result<_, _>>()?,
            procedures: procedures.collect::<Result<_, _>>()?,
        })
    }

    /// What counts for a state.
    pub(crate) fn fingerprints(&self) -> StateFingerprintPolicy {
        let usual = default_policy();
        let Some(counting) = self.fingerprint else { return usual };
        StateFingerprintPolicy {
            include_text_values: counting.include_text_values.or(usual.include_text_values),
            include_collections: counting.include_collections.or(usual.include_collections),
            ignore_transient_toasts: counting.ignore_transient_toasts.or(usual.ignore_transient_toasts),
            ignore_spinners: counting.ignore_spinners.or(usual.ignore_spinners),
            ..usual
        }
    }
}

/// The environment without what is nobody's business: how somebody signs in. That there are no profiles and no flags is
/// said (DSC 11.1).
pub(crate) fn presentable(environment: &DiscoveryEnvironment) -> DiscoveryEnvironment {
    let metadata = environment.metadata.clone().map(|mut metadata: JsonObject| {
        metadata.remove("login");
        metadata
    });
    DiscoveryEnvironment {
        metadata: metadata.filter(|metadata| !metadata.is_empty()),
        principal_profiles: Some(environment.principal_profiles.clone().unwrap_or_default()),
        feature_flags: Some(environment.feature_flags.clone().unwrap_or_default()),
        ..environment.clone()
    }
}
