//! `uiap discover`: maps an application without writing to it.

mod asking;
mod showing;

use super::bundle::BundleFlags;
use super::documents::bytes_of;
use super::supplies::Supplies;
use crate::browsing::BrowserFlags;
use crate::discovering::{Mapping, RunFolder, context_of, file_name, package_file};
use crate::report::ReportFormat;
use crate::{Outcome, Trouble};
use clap::{Args, ValueEnum};
use showing::{Bars, report};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::signal::unix::{SignalKind, signal};
use uiap_discovery::diff::diff;
use uiap_discovery::explore::{Control, Ended};
use uiap_protocol::discovery::{DiscoveryEnvironment, DiscoveryPackage, SafetyMode};
use uiap_protocol::ids::Id;

/// Map an application, without writing to it
#[derive(Args)]
#[command(after_help = "\
Examples:
  uiap discover http://127.0.0.1:4870 -o map          an application on this machine
  uiap discover https://staging.shop.example -o map --authorized
                                                      one elsewhere, which you are allowed to explore
  uiap discover --environment staging.yaml -o map     as an environment file says: profiles, budgets, logins
  uiap discover URL -o map --login login.yaml --secrets secrets.yaml
                                                      signed in; see docs/discovery.md for the file
  uiap discover URL -o map --headed --by-hand         you sign in yourself, in the window
  uiap discover URL -o map --seed /reports --seed menu:Team --seed docs:manual.md
  uiap discover URL -o map --earlier old/staging.discovery.json --max-minutes 5
  uiap discover URL -o map                            again: goes on where it was stopped

Nothing that could change anything leaves the browser: a guard holds it back, and that it wanted to leave is
noted. What looks risky is not even pressed. Ctrl-C stops it and keeps what was found.

The folder then holds report.html to look at, ENVIRONMENT.discovery.json (the package), evidence/, and manifests
that `uiap build` takes. `uiap diff` compares two such folders.")]
pub(crate) struct Discover {
    /// Where the application begins; or the environment file says it
    #[arg(required_unless_present = "environment")]
    url: Option<String>,
    /// The folder for what is found
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// A discovery environment: address, profiles, budgets, safety; and in its metadata reads, logins, origins
    #[arg(long, value_name = "FILE")]
    environment: Option<PathBuf>,
    /// You are allowed to explore an application that is not on this machine
    #[arg(long)]
    authorized: bool,
    /// In whose name, if the environment has several profiles; otherwise in that of each, one after the other
    #[arg(long, value_name = "ID")]
    profile: Option<String>,
    /// How careful to be
    #[arg(long, value_enum)]
    mode: Option<Mode>,
    /// How many pages are explored side by side
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=16))]
    jobs: u8,
    /// Where to start, besides the beginning: an address or a path, route:ID, menu:LABEL, action:ID, workflow:ID,
    /// docs:FILE, docs:ADDRESS of a document of the application, or sitemap; may be given more than once
    #[arg(long, value_name = "SEED")]
    seed: Vec<String>,
    /// What an earlier run found: its routes are places to start from; may be given more than once
    #[arg(long, value_name = "FILE")]
    earlier: Vec<PathBuf>,
    /// How to sign in
    #[arg(long, value_name = "FILE", conflicts_with_all = ["storage_state", "by_hand"])]
    login: Option<PathBuf>,
    /// Cookies and storage of somebody who is signed in, as Playwright writes them
    #[arg(long, value_name = "FILE", conflicts_with = "by_hand")]
    storage_state: Option<PathBuf>,
    /// You sign in yourself, in the window of the browser
    #[arg(long, requires = "headed")]
    by_hand: bool,
    /// Where secrets come from that a login names
    #[arg(long, value_name = "FILE")]
    secrets: Option<PathBuf>,
    /// Requests that only read though they look otherwise, such as "POST /api/search"; may be given more than once
    #[arg(long, value_name = "PATTERN")]
    read: Vec<String>,
    /// Another origin that belongs to the application; may be given more than once
    #[arg(long, value_name = "ORIGIN")]
    allow: Vec<String>,
    /// The language of the pages, such as de-CH
    #[arg(long, value_name = "LOCALE")]
    locale: Option<String>,
    /// Most states
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,
    /// Most transitions
    #[arg(long, value_name = "N")]
    max_transitions: Option<u64>,
    /// Most steps from where it starts
    #[arg(long, value_name = "N")]
    max_depth: Option<u64>,
    /// Longest time
    #[arg(long, value_name = "MINUTES")]
    max_minutes: Option<u64>,
    /// Begin anew, even if the folder holds a run; what it holds is overwritten
    #[arg(long)]
    fresh: bool,
    /// How to tell what was found
    #[arg(long, value_enum, default_value_t)]
    format: Form,
    #[command(flatten)]
    bundle: BundleFlags,
    #[command(flatten)]
    browser: BrowserFlags,
}

/// How careful to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mode {
    /// Looks at what the seeds show, and presses nothing.
    ObserveOnly,
    /// Does what can be taken back and reaches nobody.
    SafeExplore,
    /// Writes, in an environment made for it.
    SandboxWrite,
}

impl From<Mode> for SafetyMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::ObserveOnly => Self::ObserveOnly,
            Mode::SafeExplore => Self::SafeExplore,
            Mode::SandboxWrite => Self::SandboxWrite,
        }
    }
}

/// How to tell what was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Form {
    /// In a few lines.
    #[default]
    Human,
    /// The package, and nothing else.
    Json,
}

impl Discover {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        runtime.block_on(self.discover())
    }

    async fn discover(self) -> Result<Outcome, Trouble> {
        let environment = self.described()?;
        let authorisation = self.authorisation(&environment)?;
        let profiles = self.profiles(&environment)?;
        let supplies = Supplies { format: ReportFormat::Human };
        let bundle = self.bundle.load(supplies)?;
        let mut known = self.known(supplies, bundle.as_ref(), &environment)?;
        let mut seeds = self.seeds(&mut known, &environment)?;
        seeds.extend(self.fetched(&environment).await?);
        let secrets = Arc::new(self.vault()?);
        let storage = self.storage()?;
        let control = Control::default();
        stop_when_asked(control.clone())?;
        let runs: Vec<(Option<Id>, PathBuf)> = profiles
            .into_iter()
            .map(|profile| {
                let folder = self.folder(profile.as_ref(), &environment);
                (profile, folder)
            })
            .collect();
        let is_finished = |folder: &Path| !self.fresh && RunFolder::is_finished(folder);
        if runs.iter().all(|(_, folder)| is_finished(folder)) {
            return Err(Trouble::WrongUse(format!(
                "{} holds a whole map already. Name another folder with -o, or begin anew with --fresh.",
                self.output.display()
            )));
        }
        let mut all: Vec<(Option<Id>, DiscoveryPackage)> = Vec::new();
        let mut whole = true;
        for (profile, folder) in runs {
            if is_finished(&folder) {
                // Somebody else's run did not end, and this one is what it is compared with.
                all.push((profile, supplies.discovered(&folder.join(package_file(&environment)))?));
                continue;
            }
            if self.fresh {
                RunFolder::forget(&folder)?;
            }
            let mapping = Mapping {
                run_id: None,
                environment: environment.clone(),
                profile: profile.clone(),
                authorisation: authorisation.clone(),
                seeds: seeds.clone(),
                known: known.clone(),
                jobs: usize::from(self.jobs),
                folder,
                context: context_of(&environment, &self.browser),
                storage: storage.clone(),
                by_hand: self.by_hand,
                bundle: bundle.clone(),
                policies: bundle
                    .iter()
                    .flat_map(|bundle| bundle.policies.iter().flatten())
                    .map(|policy| policy.document.clone())
                    .collect(),
                secrets: Arc::clone(&secrets),
            };
            let bars = Bars::new(self.format == Form::Human);
            let mapped = Box::pin(mapping.map(&self.browser, &control, &bars)).await;
            bars.done();
            let mapped = mapped?;
            report(&mapped, self.format == Form::Json)?;
            whole = matches!(mapped.ended, Ended::Finished | Ended::OutOfTime);
            all.push((profile, mapped.package));
            if !whole {
                break;
            }
        }
        self.compare(&all)?;
        Ok(if whole { Outcome::Yes } else { Outcome::No })
    }

    /// Where the run of a profile is: in a folder of its own where there are several.
    fn folder(&self, profile: Option<&Id>, environment: &DiscoveryEnvironment) -> PathBuf {
        let several = environment.principal_profiles.as_ref().is_some_and(|all| all.len() > 1);
        match profile.filter(|_| several && self.profile.is_none()) {
            Some(profile) => self.output.join(file_name(profile.as_str())),
            None => self.output.clone(),
        }
    }

    /// What two people see differently, where several looked.
    fn compare(&self, all: &[(Option<Id>, DiscoveryPackage)]) -> Result<(), Trouble> {
        let Some(((first, base), others)) = all.split_first().filter(|(_, others)| !others.is_empty()) else {
            return Ok(());
        };
        let name = |profile: &Option<Id>| profile.as_ref().map(ToString::to_string).unwrap_or_default();
        let compared: Vec<_> = others
            .iter()
            .map(|(profile, package)| {
                let changes: Vec<_> = diff(base, package)
                    .iter()
                    .map(|change| serde_json::json!({ "class": change.class.word(), "id": change.id, "message": change.message }))
                    .collect();
                serde_json::json!({ "from": name(first), "to": name(profile), "changes": changes })
            })
            .collect();
        let text = serde_json::to_vec_pretty(&compared).map_err(anyhow::Error::new)?;
        let path = self.output.join("profiles.json");
        std::fs::write(&path, text)
            .map_err(|error| Trouble::Missing(format!("{} cannot be written: {error}.", path.display())))
    }

    /// The text of a file that a flag names.
    fn text(path: &Path) -> Result<String, Trouble> {
        let wrong = |_| Trouble::WrongUse(format!("{} is no text.", path.display()));
        String::from_utf8(bytes_of(path)?).map_err(wrong)
    }
}

/// Ctrl-C stops the run; what was found is written down.
fn stop_when_asked(control: Control) -> Result<(), Trouble> {
    let mut interrupts = signal(SignalKind::interrupt())?;
    let mut terminations = signal(SignalKind::terminate())?;
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupts.recv() => {}
            _ = terminations.recv() => {}
        }
        control.stop();
    });
    Ok(())
}
