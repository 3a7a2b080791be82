//! `uiap demo`: the whole chain on the sample application.

mod chain;

use crate::package::{report_build, time_or_now};
use crate::report::{self, Document, ReportFormat};
use crate::{Outcome, Trouble};
use chain::Chain;
use clap::Args;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use tokio::signal::unix::{SignalKind, signal};
use uiap_authoring::{Builder, Folder, Lock, Memory, Request, Texts};
use uiap_protocol::authoring::{BuildContext, ReleaseChannel};
use uiap_protocol::check::{Expectation, check};
use videoland::{Language, Options, Server, ServerError, package_files};

/// The folder of the package among the files that the application carries.
const PACKAGE: &str = "uiap";

/// Show the whole chain on the sample application: map, review, build, act with consent, trace
#[derive(Args)]
#[command(after_help = "\
Examples:
  uiap demo                 the chain, then Videoland goes on until Ctrl-C
  uiap demo -o demo         keep what it makes in a folder of your choice
  uiap demo --once          end when everything was shown
  uiap demo --package       only check and build the package that Videoland ships; needs no browser
  uiap demo --port 4870     on a port of your choice

The action in the end needs you: it is done only if you say yes. Without a terminal nobody can, so it is not done,
and the demo ends by itself, as with --once.")]
pub(crate) struct Demo {
    /// Port on 127.0.0.1; 0 takes any free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// The folder for the map, the bundle and the journal; otherwise one among the temporary files
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// End when everything was shown instead of serving until Ctrl-C
    #[arg(long)]
    once: bool,
    /// Only check and build the package that Videoland ships
    #[arg(long, conflicts_with = "output")]
    package: bool,
}

impl Demo {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(self.show())
    }

    async fn show(self) -> Result<Outcome, Trouble> {
        let language = Language::English;
        let options = Options { port: self.port, test_api: true, language, ..Options::default() };
        let server = Server::start(options).await.map_err(|error| match error {
            ServerError::PortTaken { .. } => {
                Trouble::Missing(format!("{error}; choose another one with --port."))
            }
            other @ ServerError::Listen { .. } => Trouble::Other(other.into()),
        })?;
        // A step hears Ctrl-C itself and ends as it should; the demo ends with it.
        let mut interrupts = signal(SignalKind::interrupt())?;
        say(&format!("Videoland is at {}; sign in as admin with the password videoland.", server.origin()))?;
        let mut outcome = check_package()?;
        if outcome == Outcome::Yes {
            outcome = build_package()?;
        }
        if outcome == Outcome::Yes && !self.package {
            let folder = match &self.output {
                Some(folder) => folder.clone(),
                None => std::env::temp_dir().join(format!("uiap-demo-{}", std::process::id())),
            };
            Chain { server: &server, folder }.show()?;
        }
        if !self.once && std::io::stdout().is_terminal() {
            say("Ctrl-C ends it.")?;
            interrupts.recv().await;
        }
        server.shut_down().await;
        Ok(outcome)
    }
}

fn check_package() -> Result<Outcome, Trouble> {
    say("Its UIAP package:")?;
    let documents = package_files().into_iter().filter(|file| !file.path.ends_with(Lock::FILE));
    let checked = documents.map(|file| Document {
        checked: check(&file.path, file.bytes, Expectation::default()),
        text: String::from_utf8_lossy(file.bytes).into_owned(),
        name: file.path,
    });
    let documents: Vec<_> = checked.collect();
    report::documents(&documents, ReportFormat::Human)?;
    Ok(report::outcome(&documents))
}

/// Builds the package for the channels of the application.
fn build_package() -> Result<Outcome, Trouble> {
    let mut memory = Memory::default();
    for file in package_files() {
        if let Some((folder, path)) = folder_of(&file.path) {
            memory.put(folder, path, file.bytes);
            memory.offer(folder);
        }
    }
    let pinned = package_files().into_iter().find(|file| file.path == format!("{PACKAGE}/{}", Lock::FILE));
    let pinned = pinned.map(|file| Lock::read(&String::from_utf8_lossy(file.bytes))).transpose();
    let lock = pinned.map_err(anyhow::Error::from)?.unwrap_or_default();
    let texts = Texts::default();
    let mut builder = Builder::new(&texts);
    for channel in [ReleaseChannel::Staging, ReleaseChannel::Prod] {
        let request = Request {
            folder: Folder::new(PACKAGE),
            context: BuildContext { channel: Some(channel), ..BuildContext::default() },
            now: time_or_now(None)?,
            lock: lock.clone(),
        };
        let outcome = builder.build(&request, &memory);
        report_build(&outcome, ReportFormat::Human)?;
        let Some(built) = outcome.built else { return Ok(Outcome::No) };
        let bundle = &built.bundle;
        say(&format!("Built for {channel}: {} {} ({}).", bundle.package_id, bundle.version, built.digest))?;
    }
    Ok(Outcome::Yes)
}

/// The folder of the package that a file belongs to, and its path in it.
fn folder_of(path: &str) -> Option<(&str, &str)> {
    let depth = if path.starts_with(PACKAGE) { 1 } else { 2 };
    let (end, _) = path.match_indices('/').nth(depth - 1)?;
    path.split_at_checked(end).map(|(folder, path)| (folder, path.trim_start_matches('/')))
}

fn say(sentence: &str) -> Result<(), Trouble> {
    writeln!(std::io::stdout(), "{sentence}")?;
    Ok(())
}
