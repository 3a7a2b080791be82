//! A run from beginning to end: the eight steps, and what is written at the end of them (DSC 10.2).

use super::folder::{RunFolder, file_name};
use super::ground::{PICTURE_ENDING, PICTURE_MEDIA_TYPE, Premises, WebGround, timestamp};
use super::practice::{Practice, presentable};
use crate::Trouble;
use crate::browsing::BrowserFlags;
use crate::keeping::{now, random};
use crate::report::sentence;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use uiap_discovery::atlas::{Atlas, Rules, State};
use uiap_discovery::budget::Budget;
use uiap_discovery::explore::{
    Archive as _, Control, Ended, Exploration, Explored, Progress, Watcher, accessibility_name, graph_name,
    picture_name,
};
use uiap_discovery::package::{Authorisation, Available, Loose, Phase, Record, package, state_id};
use uiap_discovery::promote::promoted;
use uiap_discovery::report::{self, Enclosed, PICTURES_BYTES_MAX, Picture};
use uiap_discovery::seeds::Known;
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::discovery::{
    DiscoveryEnvironment, DiscoveryPackage, DiscoveryProgress, DiscoveryRunStatus, DiscoveryRunSummary,
    DiscoverySafetyPolicy, DiscoverySeed, EvidenceKind, EvidenceRecord, EvidenceSource, SafetyMode,
};
use uiap_protocol::ids::{ExtensionId, Id, ProfileId, RunId, Text};
use uiap_protocol::policy::PolicyDocument;
use uiap_protocol::seal::hash;
use uiap_protocol::time::Timestamp;
use uiap_protocol::wire::JsonObject;
use uiap_server::secrets::Vault;
use uiap_store::SqliteJournal;
use uiap_web::{ContextOptions, StorageState, Viewport};
use url::Url;

/// The journal of the actions of a run, in its folder.
const JOURNAL: &str = "journal.sqlite";
/// The page that people look at, in the folder.
pub(crate) const REPORT: &str = "report.html";
/// How the name of a discovery package ends.
pub(crate) const PACKAGE_ENDING: &str = ".discovery.json";

/// What is to be mapped, and how.
pub(crate) struct Mapping {
    /// The name of a run that is new for sure; otherwise the folder may hold one that is gone on with.
    pub(crate) run_id: Option<RunId>,
    pub(crate) environment: DiscoveryEnvironment,
    pub(crate) profile: Option<Id>,
    pub(crate) authorisation: Authorisation,
    pub(crate) seeds: Vec<DiscoverySeed>,
    pub(crate) known: Known,
    pub(crate) jobs: usize,
    pub(crate) folder: PathBuf,
    pub(crate) context: ContextOptions,
    pub(crate) storage: Option<StorageState>,
    pub(crate) by_hand: bool,
    pub(crate) bundle: Option<CompiledBundle>,
    pub(crate) policies: Vec<PolicyDocument>,
    pub(crate) secrets: Arc<Vault>,
}

/// What came of it.
pub(crate) struct Mapped {
    pub(crate) package: DiscoveryPackage,
    pub(crate) ended: Ended,
    /// The folder, and in it the package, the report and what can be built.
    pub(crate) folder: PathBuf,
    pub(crate) file: String,
    /// Requests that were held back.
    pub(crate) held: usize,
}

/// Seeds that can be used, and those that cannot and why.
pub(crate) type Sorted = (Vec<DiscoverySeed>, Vec<(DiscoverySeed, String)>);

/// A run of a folder: begun now, or by an earlier process.
struct Run {
    id: RunId,
    started: Timestamp,
}

impl Mapping {
    /// Maps, and writes down what was found, however it ended.
    pub(crate) async fn map(
        self,
        browser: &BrowserFlags,
        control: &Control,
        watcher: &dyn Watcher,
    ) -> Result<Mapped, Trouble> {
        let folder = RunFolder::open(&self.folder).map_err(|error| {
            let at = self.folder.display();
            Trouble::Missing(format!("The folder {at} cannot be used: {error}. Name another one with -o."))
        })?;
        let run = self.run(&folder)?;
        let mut phases = vec![phase(DiscoveryRunStatus::Preparing)];
        let journal = SqliteJournal::open(&self.folder.join(JOURNAL), uiap_store::Settings::default(), now());
        let journal = Arc::new(journal.map_err(anyhow::Error::new)?);
        let practice = Practice::of(&self.environment)?;
        let base = Url::parse(self.environment.base_url.as_str()).map_err(anyhow::Error::new)?;
        let exploration = self.exploration(&run, &base, &practice)?;
        let premises = Premises {
            guard: practice.rules(&base)?,
            login: practice.login(self.profile.as_ref().map(Id::as_str)).cloned(),
            base,
            context: self.context.clone(),
            storage: self.storage.clone(),
            by_hand: self.by_hand,
            bundle: self.bundle.clone(),
            policies: self.policies.clone(),
            secrets: Arc::clone(&self.secrets),
        };
        phases.push(phase(DiscoveryRunStatus::Seeding));
        let ground = WebGround::open(premises, browser, journal).await?;
        phases.push(phase(DiscoveryRunStatus::Exploring));
        let explored = exploration.run(&ground, &folder, control, watcher).await;
        let browser = ground.browser();
        ground.close().await;
        let mut explored = explored.map_err(|error| {
            let at = self.folder.display();
            let why = format!("{:#}", anyhow::Error::new(error));
            Trouble::WrongUse(format!(
                "The run in {at} cannot be gone on with: {why}. Begin anew with --fresh, or name another folder with -o."
            ))
        })?;
        if control.is_stopped() && !matches!(explored.ended, Ended::Failed(_)) {
            // Whoever stopped it in the meantime was told that it stops.
            explored.ended = Ended::Stopped;
        }
        self.write(&folder, &run, &explored, phases, &browser, watcher)
    }

    fn exploration(&self, run: &Run, base: &Url, practice: &Practice) -> Result<Exploration, Trouble> {
        Ok(Exploration {
            run_id: run.id.clone(),
            base: base.clone(),
            further_origins: practice.origins()?,
            rules: self.rules(practice),
            seeds: self.seeds.clone(),
            known: self.known.clone(),
            hands: self.jobs,
        })
    }

    fn rules(&self, practice: &Practice) -> Rules {
        Rules {
            safety: self.environment.safety.clone().unwrap_or_else(careful),
            budget: Budget::of(self.environment.budgets.as_ref()),
            fingerprints: practice.fingerprints(),
        }
    }

    /// Which seeds can be used, and which cannot and why.
    pub(crate) fn plan(&self) -> Result<Sorted, Trouble> {
        let base = Url::parse(self.environment.base_url.as_str()).map_err(anyhow::Error::new)?;
        let run = Run { id: self.run_id.clone().map_or_else(new_run_id, Ok)?, started: timestamp() };
        Ok(self.exploration(&run, &base, &Practice::of(&self.environment)?)?.plan())
    }

    /// The package of a run that found nothing, because it could not begin (finding S2).
    pub(crate) fn nothing(&self) -> Result<DiscoveryPackage, Trouble> {
        let run = Run { id: self.run_id.clone().map_or_else(new_run_id, Ok)?, started: timestamp() };
        let record = Record::new(
            self.summary(&run, DiscoveryRunStatus::Failed, Vec::new()),
            presentable(&self.environment),
            self.authorisation.clone(),
        );
        Ok(package(&Atlas::new(self.rules(&Practice::of(&self.environment)?)), &record))
    }

    /// The run of the folder: the one that an earlier process began, if it did not end.
    fn run(&self, folder: &RunFolder) -> Result<Run, Trouble> {
        if let Some((id, started, about)) = folder.began()? {
            if about != self.about() {
                return Err(Trouble::WrongUse(format!(
                    "{} holds a run of something else ({about}); name another folder with -o.",
                    folder.path().display()
                )));
            }
            return Ok(Run {
                id: RunId::new(id).map_err(anyhow::Error::new)?,
                started: Timestamp::new(started).map_err(anyhow::Error::new)?,
            });
        }
        let run = Run { id: self.run_id.clone().map_or_else(new_run_id, Ok)?, started: timestamp() };
        folder.begin(run.id.as_str(), run.started.as_str(), &self.about())?;
        Ok(run)
    }

    /// What tells one run from a run of something else.
    fn about(&self) -> String {
        let profile = self.profile.as_ref().map(|profile| format!(" as {profile}")).unwrap_or_default();
        format!("{} at {}{profile}", self.environment.environment_id, self.environment.base_url)
    }

    fn write(
        &self,
        folder: &RunFolder,
        run: &Run,
        explored: &Explored,
        mut phases: Vec<Phase>,
        browser: &str,
        watcher: &dyn Watcher,
    ) -> Result<Mapped, Trouble> {
        for status in
            [DiscoveryRunStatus::Extracting, DiscoveryRunStatus::Synthesizing, DiscoveryRunStatus::Reviewing]
        {
            phases.push(phase(status));
            watcher.progress(&late(run, status, &explored.atlas));
        }
        let mut record = Record::new(
            self.summary(run, status_of(&explored.ended), notes(explored, browser)),
            presentable(&self.environment),
            self.authorisation.clone(),
        );
        record.available = available(self.bundle.as_ref())?;
        record.phases = phases;
        record.used_ms = u64::try_from(explored.took.as_millis()).unwrap_or(u64::MAX);
        record.evidence = explored.atlas.states().iter().flat_map(|state| evidence(folder, state)).collect();
        let unasked = explored.atlas.unasked().cloned();
        record.loose = unasked.map(|passage| Loose { state: None, passage }).collect();
        let package = package(&explored.atlas, &record);
        let file = package_file(&self.environment);
        let written = folder.write_with(&file, |out| {
            serde_json::to_writer_pretty(out, &package).map_err(std::io::Error::from)
        });
        written.map_err(|error| unwritten(&error))?;
        for promoted in promoted(&package, &file) {
            folder.write(promoted.path, promoted.text.as_bytes()).map_err(|error| unwritten(&error))?;
        }
        let enclosed = enclosed(folder, &package);
        let written = folder.write_with(REPORT, |out| report::write(out, &package, &enclosed));
        written.map_err(|error| unwritten(&error))?;
        folder.end(matches!(explored.ended, Ended::Finished)).map_err(|error| unwritten(&error))?;
        Ok(Mapped {
            held: explored.atlas.held(),
            package,
            ended: explored.ended.clone(),
            folder: self.folder.clone(),
            file,
        })
    }

    fn summary(&self, run: &Run, status: DiscoveryRunStatus, notes: Vec<String>) -> DiscoveryRunSummary {
        DiscoveryRunSummary {
            run_id: run.id.clone(),
            started_at: run.started.clone(),
            finished_at: Some(timestamp()),
            status,
            environment_id: self.environment.environment_id.clone(),
            profile: self.profile.clone(),
            seeds: None,
            notes: Some(notes),
            extra: JsonObject::default(),
        }
    }
}

/// The package of an environment, in the folder of its run.
pub(crate) fn package_file(environment: &DiscoveryEnvironment) -> String {
    format!("{}{PACKAGE_ENDING}", file_name(environment.environment_id.as_str()))
}

/// What was found cannot be written down. It is not lost: the logbook has it.
fn unwritten(error: &std::io::Error) -> Trouble {
    Trouble::Missing(format!(
        "{}. What was found is in the logbook: make room there, and the same command goes on.",
        sentence(&error.to_string())
    ))
}

fn status_of(ended: &Ended) -> DiscoveryRunStatus {
    match ended {
        Ended::Finished | Ended::OutOfTime => DiscoveryRunStatus::Completed,
        Ended::Stopped => DiscoveryRunStatus::Cancelled,
        Ended::Failed(_) => DiscoveryRunStatus::Failed,
    }
}

/// What people should know about how a run went.
fn notes(explored: &Explored, browser: &str) -> Vec<String> {
    let mut notes = vec![format!("Explored with {browser}.")];
    notes.extend(explored.notes.iter().cloned());
    notes.extend(match &explored.ended {
        Ended::Finished => None,
        Ended::OutOfTime => Some("The time of the budget was used up before everything was seen.".to_owned()),
        Ended::Stopped => Some("It was stopped before everything was seen.".to_owned()),
        Ended::Failed(trouble) => {
            Some(format!("It could not go on: {}.", trouble.to_string().trim_end_matches('.')))
        }
    });
    notes
}

/// A name for a run that no other has.
pub(crate) fn new_run_id() -> Result<RunId, Trouble> {
    let mut id = "disc_".to_owned();
    for byte in random::<6>()? {
        let _ = write!(id, "{byte:02x}");
    }
    Ok(RunId::new(id).map_err(anyhow::Error::new)?)
}

/// What holds where nobody says anything: whatever can be taken back and reaches nobody.
fn careful() -> DiscoverySafetyPolicy {
    DiscoverySafetyPolicy {
        default_mode: SafetyMode::SafeExplore,
        allow_external_effects: Some(false),
        allow_destructive_actions: Some(false),
        allow_auth_flows: Some(false),
        allow_payment_flows: Some(false),
        extra: JsonObject::default(),
    }
}

/// How the pages of an environment are shown: as it says, otherwise as the browser is started.
pub(crate) fn context_of(environment: &DiscoveryEnvironment, browser: &BrowserFlags) -> ContextOptions {
    let size = environment.viewport.as_ref();
    let asked = size.and_then(|size| format!("{}x{}", size.width, size.height).parse::<Viewport>().ok());
    ContextOptions {
        viewport: asked.unwrap_or_else(|| browser.viewport()),
        locale: environment.locale.as_ref().map(ToString::to_string),
        ..ContextOptions::default()
    }
}

fn phase(status: DiscoveryRunStatus) -> Phase {
    Phase { status, at: timestamp() }
}

/// How a run goes after its pages are closed.
fn late(run: &Run, status: DiscoveryRunStatus, atlas: &Atlas) -> Progress {
    let count = |count: usize| u64::try_from(count).ok();
    Progress {
        message: DiscoveryProgress {
            run_id: run.id.clone(),
            status,
            current_seed: None,
            current_route_id: None,
            current_state_id: None,
            visited_states: count(atlas.states().len()),
            visited_transitions: count(atlas.transitions()),
            discovered_routes: count(atlas.findings().routes.len()),
            discovered_actions: None,
            discovered_workflow_candidates: None,
            note: None,
        },
        open: 0,
        held: atlas.held(),
        time_percent: 100,
    }
}

fn available(bundle: Option<&CompiledBundle>) -> Result<Available, Trouble> {
    let mut read = vec!["annotations".to_owned(), "action registry".to_owned(), "WebMCP tools".to_owned()];
    if let Some(bundle) = bundle {
        read.push(format!("bundle {} {}", bundle.package_id, bundle.version));
        read.extend(bundle.capabilities.as_ref().map(|_| "capability document".to_owned()));
        read.extend(bundle.policies.as_ref().map(|_| "policies".to_owned()));
        read.extend(bundle.workflows.as_ref().map(|_| "workflows".to_owned()));
    }
    Ok(Available {
        profiles: vec![ProfileId::new("web@0.1").map_err(anyhow::Error::new)?],
        extensions: vec![ExtensionId::new("uiap.discovery").map_err(anyhow::Error::new)?],
        read,
    })
}

/// What is kept about a state.
fn evidence(folder: &RunFolder, state: &State) -> Vec<EvidenceRecord> {
    let fingerprint = &state.fingerprint;
    let files = [
        (graph_name(fingerprint), EvidenceSource::Dom, EvidenceKind::PageGraph),
        (picture_name(fingerprint, PICTURE_ENDING), EvidenceSource::Screenshot, EvidenceKind::Screenshot),
        (accessibility_name(fingerprint), EvidenceSource::Accessibility, EvidenceKind::AxTree),
    ];
    let kept = files.into_iter().filter_map(|(name, source, kind)| {
        let bytes = folder.kept(&name).ok()?;
        Some(EvidenceRecord {
            ref_id: Id::new(name.trim_start_matches("evidence/").to_owned()).ok()?,
            source,
            kind: Some(kind),
            at: timestamp(),
            state_id: Some(state_id(state)),
            transition_id: None,
            uri: Text::new(name).ok(),
            digest: Text::new(hash(&bytes)).ok(),
            data: None,
            redacted: Some(true),
            extra: JsonObject::default(),
        })
    });
    kept.collect()
}

/// The pictures of a package, for its report: as many as have room in it.
fn enclosed(folder: &RunFolder, package: &DiscoveryPackage) -> Enclosed {
    let mut enclosed = Enclosed::default();
    let mut room = PICTURES_BYTES_MAX;
    let uris: HashMap<_, _> = package
        .evidence_index
        .iter()
        .flat_map(|index| &index.records)
        .filter_map(|record| Some((record.ref_id.as_str(), record.uri.as_ref()?.as_str())))
        .collect();
    let wanted = package.transition_graph.states.iter().filter_map(|state| state.screenshot_ref.as_ref());
    for id in wanted {
        let bytes = uris.get(id.as_str()).and_then(|uri| folder.kept(uri).ok());
        let Some(bytes) = bytes else { continue };
        let Some(left) = room.checked_sub(bytes.len()) else { break };
        room = left;
        let picture = Picture { media_type: PICTURE_MEDIA_TYPE.to_owned(), bytes };
        enclosed.pictures.insert(id.to_string(), picture);
    }
    enclosed
}
