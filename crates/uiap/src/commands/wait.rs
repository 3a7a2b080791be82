//! `uiap wait`: waits for something on a page.

use super::reader::ReaderFlags;
use super::supplies::Supplies;
use crate::browsing::BrowserFlags;
use crate::opening::{Opened, address_of, open};
use crate::report::ReportFormat;
use crate::{Outcome, Trouble};
use anyhow::Context as _;
use clap::{ArgGroup, Args, ValueEnum};
use serde_json::{Value, json};
use std::io::Write;
use std::time::Duration;
use tokio::time::Instant;
use uiap_protocol::capability::SuccessSignal;
use uiap_protocol::ids::RevisionId;
use uiap_runtime::redaction::RedactionFilter;
use uiap_runtime::shell::wait;
use uiap_runtime::surface::Surface as _;
use uiap_runtime::view::clean;
use uiap_runtime::wait::{Completion, Condition, Revisions, Waited};
use uiap_runtime::words::{Place, Sign, short_signal};
use uiap_web::{Deadline, WebSurface};

/// How long a page may take to be there, before the wait begins.
const PAGE_WAIT: Duration = Duration::from_secs(30);
/// Longest text of a page in one line, in characters.
const CHARS_MAX: usize = 300;

/// Wait on a page for signals, for a change or for quiet
#[derive(Args)]
#[command(
    group(ArgGroup::new("condition").required(true).args(["signal", "change", "change_since", "quiet"])),
    after_help = "\
Examples:
  uiap wait URL --signal toast:Ready                        until a toast says so
  uiap wait URL --signal 'status:done' --signal route:/end  until both are observed
  uiap wait URL --signal toast:Ready --signal toast:Failed --any
  uiap wait URL --change                                    until something that matters changes
  uiap wait URL --change-since rev_my1qy_1                  since a revision that was seen before
  uiap wait URL --quiet 500                                 until nothing changed or loaded for half a second

Signals are written as for `uiap act --verify`. Exit code 0 means that it came, 1 that it did not; either way
the answer says why the wait ended, what was seen until then, and whether something was still loading."
)]
pub(crate) struct Wait {
    /// The address of the page
    url: String,
    /// A signal that is waited for; may be given more than once
    #[arg(long, value_name = "SIGNAL")]
    signal: Vec<String>,
    /// One of the signals is enough
    #[arg(long, requires = "signal")]
    any: bool,
    /// A change that matters
    #[arg(long)]
    change: bool,
    /// A change that matters since this revision
    #[arg(long, value_name = "REVISION")]
    change_since: Option<String>,
    /// No change that matters, and nothing that loads, for so many milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=600_000))]
    quiet: Option<u64>,
    /// How long to wait at most, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=600))]
    timeout: u64,
    #[command(flatten)]
    reader: ReaderFlags,
    /// How to tell how it ended
    #[arg(long, value_enum, default_value_t)]
    format: WaitFormat,
    #[command(flatten)]
    browser: BrowserFlags,
}

/// How to tell how a wait ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum WaitFormat {
    /// A line, and what is missing.
    #[default]
    Text,
    /// One JSON object.
    Json,
}

impl Wait {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        runtime.block_on(async {
            tokio::select! {
                outcome = self.wait() => outcome,
                _ = tokio::signal::ctrl_c() => Err(Trouble::Other(anyhow::anyhow!("interrupted"))),
            }
        })
    }

    async fn wait(&self) -> Result<Outcome, Trouble> {
        let address = address_of(&self.url)?;
        let signs = self.signal.iter().map(|text| Sign::read(text)).collect::<Result<Vec<_>, _>>()?;
        let since = self.change_since.as_ref().map(RevisionId::new).transpose();
        let since = since.map_err(|error| Trouble::WrongUse(format!("--change-since: {error}.")))?;
        let supplies = Supplies { format: ReportFormat::default() };
        let (bundle, settings) = self.reader.load(supplies)?;
        let redaction = RedactionFilter::of(&settings);
        let deadline = Deadline::after(PAGE_WAIT);
        let Opened { browsing, page } = open(&self.browser, &address, bundle.as_ref(), deadline).await?;
        let surface = WebSurface::new(page);
        surface.look(false, Instant::now() + PAGE_WAIT).await.map_err(anyhow::Error::new)?;
        let condition = self.condition(&surface, &redaction, &signs, since)?;
        let timeout = Duration::from_secs(self.timeout);
        let waited = wait(&surface, &redaction, &mut Revisions::default(), condition, timeout).await;
        let mut waited = waited.map_err(anyhow::Error::new)?;
        waited.loading.iter_mut().for_each(|loading| redaction.text(&mut loading.signal));
        drop(surface);
        browsing.close().await;
        let mut out = std::io::stdout().lock();
        match self.format {
            WaitFormat::Text => write!(out, "{}", told(&waited))?,
            WaitFormat::Json => writeln!(out, "{:#}", as_json(&waited))?,
        }
        Ok(if waited.completion.is_success() { Outcome::Yes } else { Outcome::No })
    }

    fn condition(
        &self,
        surface: &WebSurface,
        redaction: &RedactionFilter<'_>,
        signs: &[Sign],
        since: Option<RevisionId>,
    ) -> Result<Condition, Trouble> {
        if let Some(ms) = self.quiet {
            return Ok(Condition::Quiet { ms });
        }
        if signs.is_empty() {
            return Ok(Condition::Change { since });
        }
        let signals = surface.scene(|scene| {
            let mut graph = scene.page.graph();
            redaction.graph(&mut graph);
            let place = Place::new(scene, &graph);
            signs.iter().map(|sign| place.signal(sign)).collect::<Result<Vec<_>, _>>()
        });
        let signals = signals.context("the page cannot be looked at")??;
        Ok(if self.any { Condition::Any(signals) } else { Condition::All(signals) })
    }
}

fn told(waited: &Waited) -> String {
    let why = match waited.completion {
        Completion::Signals => "Observed",
        Completion::Change => "Changed",
        Completion::Quiet => "Quiet",
        Completion::Deadline => "Not in time",
        Completion::UnknownRevision => {
            "Not known: nobody remembers this revision, so nothing can be said about what changed since"
        }
    };
    let seconds = Duration::from_millis(waited.ms).as_secs_f64();
    let mut lines = vec![format!("{why}, after {seconds:.1} s.")];
    let mut list = |what: &str, signals: &[SuccessSignal]| {
        let signals: Vec<_> = signals.iter().map(|signal| clean(&short_signal(signal), CHARS_MAX)).collect();
        if !signals.is_empty() {
            lines.push(format!("{what}: {}", signals.join(", ")));
        }
    };
    list("Observed", &waited.observed);
    list("Missing", &waited.missing);
    if let Some(loading) = waited.loading.as_ref().filter(|loading| loading.active) {
        lines.push(format!("Loading: {} ({})", clean(&loading.signal, CHARS_MAX), loading.source.word()));
    }
    if let Some(revision) = &waited.revision {
        let changed = if waited.changed { "changed meanwhile" } else { "not changed" };
        lines.push(format!("Revision: {revision}, {changed}"));
    }
    lines.join("\n") + "\n"
}

fn as_json(waited: &Waited) -> Value {
    let loading = waited.loading.as_ref().map(|loading| {
        json!({ "active": loading.active, "signal": loading.signal, "source": loading.source.word() })
    });
    json!({
        "completion": waited.completion.word(),
        "ms": waited.ms,
        "revision": waited.revision,
        "changed": waited.changed,
        "quietMs": waited.quiet_ms,
        "observed": waited.observed,
        "missing": waited.missing,
        "loading": loading,
    })
}
