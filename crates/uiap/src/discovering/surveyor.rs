//! Maps applications for sessions: what a plan asks for is held against what whoever started the server allows.
//!
//! Start at [`Surveyor`]. Where and from where to explore follows from the plan. What protects an application (which
//! requests only read, who signs in how, what may be written) follows from files of the person who started the server,
//! unless whoever asks administers it.

use super::documents::{Gathered, gather};
use super::ground::timestamp;
use super::mapping::{Mapping, context_of, new_run_id};
use super::permission::{base_of, is_loopback};
use super::practice::Practice;
use crate::Trouble;
use crate::browsing::BrowserFlags;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use uiap_discovery::explore::{Control, Watcher};
use uiap_discovery::package::{Authorisation, AuthorisationBasis};
use uiap_discovery::seeds::{Known, beginning};
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::discovery::{
    DiscoveryBudget, DiscoveryEnvironment, DiscoveryPackage, DiscoveryPlan, DiscoveryRunStatus, SafetyMode,
};
use uiap_protocol::policy::PolicyDocument;
use uiap_server::mapping::{Expedition, Found, Mapper, PACKAGE_BYTES_MAX, PlanError, Planned, Trust};
use uiap_server::secrets::Vault;
use url::{Origin, Url};

/// Most seeds of one plan.
const SEEDS_MAX: usize = 1_000;
/// How many pages of a run are explored side by side.
const JOBS: usize = 2;
/// What a plan may say about how an environment is treated without loosening anything.
const HARMLESS: [&str; 1] = ["fingerprint"];

/// Maps applications for sessions.
pub(crate) struct Surveyor {
    /// Where runs keep their folders.
    pub(crate) folder: PathBuf,
    /// What may be explored beside what is on this machine.
    pub(crate) listed: Vec<DiscoveryEnvironment>,
    /// How each run starts a browser of its own.
    pub(crate) browser: Arc<BrowserFlags>,
    /// What is known about the application that is served, and where that is.
    pub(crate) bundle: Option<(Origin, CompiledBundle)>,
    /// What may happen there.
    pub(crate) policies: Vec<PolicyDocument>,
}

/// A run that could begin.
struct Survey {
    mapping: Mapping,
    /// What there is to tell if nothing is found.
    outline: DiscoveryPackage,
    browser: Arc<BrowserFlags>,
}

impl Mapper for Surveyor {
    fn plan(
        &self,
        plan: DiscoveryPlan,
        trust: Trust,
    ) -> Pin<Box<dyn Future<Output = Result<Planned, PlanError>> + Send + '_>> {
        Box::pin(self.planned(plan, trust))
    }
}

impl Surveyor {
    async fn planned(&self, plan: DiscoveryPlan, trust: Trust) -> Result<Planned, PlanError> {
        let base = base_of(plan.environment.base_url.as_str()).map_err(refused)?;
        let (environment, authorisation) = self.allowed(plan.environment, &base, trust)?;
        let profile = match environment.principal_profiles.as_deref().unwrap_or_default() {
            [] => None,
            [one] => Some(one.id.clone()),
            _ => return Err(unsound("A run explores in the name of one profile; plan one run for each.")),
        };
        // What the metadata says is found out now, not when the run has begun.
        let rules = Practice::of(&environment).and_then(|practice| practice.rules(&base)).map_err(refused)?;
        let bundle = self.bundle.as_ref().filter(|(origin, _)| *origin == base.origin());
        let bundle = bundle.map(|(_, bundle)| bundle.clone());
        let mut known = Known::default();
        if let Some(bundle) = &bundle {
            known.learn_bundle(bundle, &base);
        }
        let seeds = match plan.seeds {
            Some(seeds) => seeds,
            // Without seeds it begins where the application does.
            None => beginning(&base).into_iter().chain(known.seeds()).collect(),
        };
        if seeds.len() > SEEDS_MAX {
            return Err(unsound(&format!("A plan has at most {SEEDS_MAX} seeds.")));
        }
        let Gathered { seeds, read, refused: unread } = gather(seeds, &rules, &base).await;
        let run_id = new_run_id().map_err(refused)?;
        let mut mapping = Mapping {
            run_id: Some(run_id.clone()),
            profile,
            authorisation,
            seeds,
            known,
            jobs: JOBS,
            folder: self.folder.join(run_id.as_str()),
            context: context_of(&environment, &self.browser),
            storage: None,
            by_hand: false,
            policies: bundle.as_ref().map(|_| self.policies.clone()).unwrap_or_default(),
            bundle,
            secrets: Arc::new(Vault::default()),
            environment,
        };
        let (mut accepted, mut rejected) = mapping.plan().map_err(refused)?;
        mapping.seeds.clone_from(&accepted);
        accepted.extend(read);
        rejected.extend(unread);
        let outline = mapping.nothing().map_err(refused)?;
        let expedition = Box::new(Survey { mapping, outline, browser: Arc::clone(&self.browser) });
        Ok(Planned { run_id, accepted, rejected, expedition })
    }

    /// The environment as it may be explored, and why it may be (DSC-SEC-1).
    fn allowed(
        &self,
        asked: DiscoveryEnvironment,
        base: &Url,
        trust: Trust,
    ) -> Result<(DiscoveryEnvironment, Authorisation), PlanError> {
        let same = |listed: &&DiscoveryEnvironment| {
            listed.environment_id == asked.environment_id
                && Url::parse(listed.base_url.as_str()).is_ok_and(|url| url.origin() == base.origin())
        };
        let listed = self.listed.iter().find(same);
        let basis = match listed {
            _ if is_loopback(base) => AuthorisationBasis::Loopback,
            Some(_) => AuthorisationBasis::EnvironmentFile,
            None => {
                return Err(forbidden(format!(
                    "{base} is not on this machine, and \"{}\" there is no environment that whoever started this \
                     server lists; they can with --discovery-environment.",
                    asked.environment_id
                )));
            }
        };
        let environment = match trust {
            Trust::Everything => filled(asked, listed),
            Trust::Bounds => bounded(asked, listed)?,
        };
        Ok((environment, Authorisation { basis, note: Some("Asked for by a message.".to_owned()) }))
    }
}

/// What was asked for, and what the file says where nothing was asked for.
fn filled(asked: DiscoveryEnvironment, listed: Option<&DiscoveryEnvironment>) -> DiscoveryEnvironment {
    let Some(listed) = listed.cloned() else { return asked };
    DiscoveryEnvironment {
        principal_profiles: asked.principal_profiles.or(listed.principal_profiles),
        budgets: asked.budgets.or(listed.budgets),
        safety: asked.safety.or(listed.safety),
        metadata: asked.metadata.or(listed.metadata),
        ..asked
    }
}

/// What was asked for, as far as it loosens nothing that the file says, or that holds where nobody says anything.
fn bounded(
    asked: DiscoveryEnvironment,
    listed: Option<&DiscoveryEnvironment>,
) -> Result<DiscoveryEnvironment, PlanError> {
    let mode = |environment: &DiscoveryEnvironment| {
        let safety = environment.safety.as_ref();
        safety.map_or(SafetyMode::SafeExplore, |safety| safety.default_mode)
    };
    let most = listed.map_or(SafetyMode::SafeExplore, mode);
    if rank(mode(&asked)) > rank(most) {
        return Err(forbidden(format!("\"{}\" is explored as \"{most}\" at most.", asked.environment_id)));
    }
    let told = listed.and_then(|listed| listed.metadata.as_ref());
    let mut metadata = told.cloned().unwrap_or_default();
    for (name, value) in asked.metadata.iter().flatten() {
        if HARMLESS.contains(&name.as_str()) {
            metadata.insert(name.clone(), value.clone());
        } else if metadata.get(name) != Some(value) {
            return Err(forbidden(format!(
                "The metadata of a plan cannot say \"{name}\": that takes the right \"admin\", or a file for \
                 --discovery-environment."
            )));
        }
    }
    let safety = asked.safety.clone().or_else(|| listed.and_then(|listed| listed.safety.clone()));
    if safety.as_ref().is_some_and(|safety| safety.default_mode == SafetyMode::SandboxWrite) {
        return Err(forbidden(format!(
            "\"{}\" is explored as \"sandbox_write\", which takes the right \"admin\"; ask for \"safe_explore\".",
            asked.environment_id
        )));
    }
    let profiles = listed.and_then(|listed| listed.principal_profiles.clone());
    let limits = listed.and_then(|listed| listed.budgets.as_ref());
    Ok(DiscoveryEnvironment {
        budgets: Some(within(asked.budgets.clone().unwrap_or_default(), limits)),
        safety,
        principal_profiles: asked.principal_profiles.clone().or(profiles),
        metadata: (!metadata.is_empty()).then_some(metadata),
        ..asked
    })
}

fn rank(mode: SafetyMode) -> u8 {
    match mode {
        SafetyMode::ObserveOnly => 0,
        SafetyMode::SafeExplore => 1,
        SafetyMode::SandboxWrite => 2,
    }
}

/// No more than the file allows.
fn within(asked: DiscoveryBudget, most: Option<&DiscoveryBudget>) -> DiscoveryBudget {
    let Some(most) = most else { return asked };
    let least = |asked: Option<u64>, most: Option<u64>| asked.into_iter().chain(most).min();
    DiscoveryBudget {
        max_states: least(asked.max_states, most.max_states),
        max_transitions: least(asked.max_transitions, most.max_transitions),
        max_depth: least(asked.max_depth, most.max_depth),
        max_runtime_ms: least(asked.max_runtime_ms, most.max_runtime_ms),
        max_per_route: least(asked.max_per_route, most.max_per_route),
        ..asked
    }
}

impl Expedition for Survey {
    fn run(
        self: Box<Self>,
        control: Control,
        watcher: Arc<dyn Watcher>,
    ) -> Pin<Box<dyn Future<Output = Found> + Send>> {
        Box::pin(async move {
            let mut outline = self.outline;
            outline.run.started_at = timestamp();
            match Box::pin(self.mapping.map(&self.browser, &control, &*watcher)).await {
                Ok(mapped) => found(mapped.package, outline, &mapped.folder.join(mapped.file).display()),
                Err(trouble) => {
                    let why = format!("Nothing could be explored: {:#}.", anyhow::Error::new(trouble));
                    Found { package: noted(outline, why), is_whole: true }
                }
            }
        })
    }

    fn give_up(self: Box<Self>) -> Found {
        let mut package = self.outline;
        package.run.status = DiscoveryRunStatus::Cancelled;
        Found { package: noted(package, "It was cancelled before it began.".to_owned()), is_whole: true }
    }
}

/// The package, if a message can hold it; otherwise its outline, which says where it is.
fn found(package: DiscoveryPackage, outline: DiscoveryPackage, at: &dyn std::fmt::Display) -> Found {
    let bytes = serde_json::to_vec(&package).map_or(usize::MAX, |text| text.len());
    if bytes <= PACKAGE_BYTES_MAX {
        return Found { package, is_whole: true };
    }
    let outline = DiscoveryPackage { run: package.run, ..outline };
    let note = format!("It has {bytes} bytes and a message at most {PACKAGE_BYTES_MAX}: find it in {at}.");
    Found { package: noted(outline, note), is_whole: false }
}

fn noted(mut package: DiscoveryPackage, note: String) -> DiscoveryPackage {
    package.run.notes.get_or_insert_with(Vec::new).push(note);
    package
}

fn unsound(message: &str) -> PlanError {
    PlanError::Unsound { message: message.to_owned() }
}

fn forbidden(message: String) -> PlanError {
    PlanError::Forbidden { message }
}

fn refused(trouble: Trouble) -> PlanError {
    match trouble {
        Trouble::WrongUse(message) => PlanError::Unsound { message },
        other => PlanError::Missing { message: format!("{:#}", anyhow::Error::new(other)) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use uiap_protocol::text::Node;
    use uiap_protocol::wire::accept;

    /// An environment with this safety; without any, where nothing is said.
    fn environment(mode: Option<&str>) -> DiscoveryEnvironment {
        let mut environment = json!({"environmentId": "staging", "baseUrl": "https://staging.example/"});
        if let (Some(mode), Some(environment)) = (mode, environment.as_object_mut()) {
            environment.insert("safety".to_owned(), json!({"defaultMode": mode}));
        }
        accept(&Node::from_json(&environment)).unwrap()
    }

    /// How careful a run is that somebody asks for who does not administer the application.
    fn told(asked: Option<&str>, listed: Option<&str>) -> String {
        match bounded(environment(asked), Some(&environment(listed))) {
            Ok(environment) => {
                environment.safety.map_or("as usual".to_owned(), |safety| safety.default_mode.to_string())
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn who_does_not_administer_an_application_does_not_write_to_it() {
        assert_eq!(told(None, None), "as usual");
        assert_eq!(told(Some("observe_only"), None), "observe_only");
        assert_eq!(told(Some("safe_explore"), Some("sandbox_write")), "safe_explore");
        assert!(told(Some("safe_explore"), Some("observe_only")).contains("\"observe_only\" at most"));
        // Who leaves it open asks for what the file says.
        assert!(told(None, Some("sandbox_write")).contains("takes the right \"admin\""));
    }
}
