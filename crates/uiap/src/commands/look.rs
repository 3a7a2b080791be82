//! `uiap look`: a page as an agent sees it.

mod watching;

use super::bundle::BundleFlags;
use super::supplies::Supplies;
use crate::browsing::BrowserFlags;
use crate::opening::{Opened, address_of, open, reopen};
use crate::report::{ReportFormat, sentence};
use crate::{Outcome, Trouble};
use anyhow::Context as _;
use clap::{Args, ValueEnum};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use uiap_protocol::ids::RevisionId;
use uiap_protocol::web::{SnapshotOptions, WebStateDelta};
use uiap_runtime::view::{RefError, ViewOptions, changes_since, clean, view};
use uiap_web::{Changes, Deadline, Look as Looked, Page, ScreenshotOptions};

/// Longest revision that is said back, in characters.
const REVISION_CHARS_MAX: usize = 64;

/// Show a page as an agent sees it: one line per thing that matters
#[derive(Args)]
#[command(after_help = "\
Examples:
  uiap look 127.0.0.1:4870                              one line per thing that matters
  uiap look URL --find Save                             only what says so, and where it stands
  uiap look URL --scope video.create.form               one area, more of it
  uiap look URL --scope e25 --from 40                   a long table from its 40th row on
  uiap look URL --format json > page.json               the whole PageGraph
  uiap look URL --since rev_my1qy_3 --browser http://127.0.0.1:9222
                                                        what changed on a page that is open there
  uiap look URL --watch                                 and then what changes, as it changes
  uiap look URL --screenshot page.png                   and a picture
  uiap look URL --bundle videoland.bundle.json          with the names that a bundle gives
  uiap look URL --viewport 390x844                      as on a telephone
  uiap look URL --user-data ~/.uiap-profile --headed    with a profile that is kept, in a window
  uiap look URL --browser http://127.0.0.1:9222         in a browser that is running already
  uiap look URL --browser wss://pool.example?token=...  in a browser of a pool

A line starts with the reference of an element: the name that the application gave it, or e and a
number, which stays the same while the page is open. Areas have theirs in brackets. What is folded
is counted in a line that starts with three dots and ends with the options that show it.")]
pub(crate) struct Look {
    /// The address of the page
    url: String,
    /// How to show it
    #[arg(long, value_enum, default_value_t)]
    format: LookFormat,
    /// Only this area or element; `page` is all of it
    #[arg(long, value_name = "REF")]
    scope: Option<String>,
    /// Only what contains this text in its line or in the title of its area, whatever the case
    #[arg(long, value_name = "TEXT")]
    find: Option<String>,
    /// Only from this entry on: of the area, or of what was found
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    from: Option<u32>,
    /// Only what changed since this revision, on a page that is open in a running browser (`--browser ADDRESS`).
    ///
    /// The page is left open, so that the next look can ask again. A revision that no open page knows is said so, and
    /// the whole page is shown.
    #[arg(long, value_name = "REV", value_parser = revision, conflicts_with_all = ["scope", "find", "from"])]
    since: Option<RevisionId>,
    #[command(flatten)]
    bundle: BundleFlags,
    /// Go on and show what changes, until you press Ctrl-C or so many seconds have passed
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true)]
    #[expect(clippy::option_option, reason = "the way of clap to say: with or without a value")]
    watch: Option<Option<u64>>,
    /// Save a picture of the page
    #[arg(long, value_name = "FILE.png")]
    screenshot: Option<PathBuf>,
    /// How long to wait for the page, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=600))]
    timeout: u64,
    #[command(flatten)]
    browser: BrowserFlags,
}

/// How to show a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum LookFormat {
    /// One line per thing that matters.
    #[default]
    Text,
    /// The PageGraph.
    Json,
}

impl Look {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        runtime.block_on(async {
            tokio::select! {
                outcome = self.look() => outcome,
                // Whoever watches ends it like this.
                _ = tokio::signal::ctrl_c(), if self.watch.is_some() => Ok(Outcome::Yes),
                _ = tokio::signal::ctrl_c(), if self.watch.is_none() => {
                    Err(Trouble::Other(anyhow::anyhow!("interrupted")))
                }
            }
        })
    }

    async fn look(&self) -> Result<Outcome, Trouble> {
        let address = address_of(&self.url)?;
        let supplies = Supplies { format: ReportFormat::default() };
        let bundle = self.bundle.load(supplies)?;
        let deadline = Deadline::after(Duration::from_secs(self.timeout));
        let (Opened { browsing, page }, unknown) = match &self.since {
            Some(since) => reopen(&self.browser, &address, bundle.as_ref(), since, deadline).await?,
            None => (open(&self.browser, &address, bundle.as_ref(), deadline).await?, None),
        };
        let looked =
            page.look(&SnapshotOptions::default(), deadline).await.context("the page cannot be looked at")?;
        match self.since.as_ref().filter(|_| unknown.is_none()) {
            Some(since) => self.show_since(since, &page, &looked, deadline).await?,
            None => self.show(&looked)?,
        }
        if let (Some(since), Some(why)) = (&self.since, unknown) {
            not_known(since, why)?;
        }
        if let Some(path) = &self.screenshot {
            let picture = page.screenshot(&ScreenshotOptions::default(), deadline).await;
            let picture = picture.context("the page cannot be photographed")?;
            write_whole(path, &picture).with_context(|| format!("{} cannot be written", path.display()))?;
        }
        if let Some(seconds) = self.watch {
            let as_json = self.format == LookFormat::Json;
            watching::watch(&page, &looked.graph, as_json, seconds.map(Duration::from_secs)).await?;
        }
        drop(page);
        browsing.close().await;
        Ok(Outcome::Yes)
    }

    /// What led from a revision to what was seen.
    async fn show_since(
        &self,
        since: &RevisionId,
        page: &Page,
        looked: &Looked,
        deadline: Deadline,
    ) -> Result<(), Trouble> {
        let changes = page.changes(since, deadline).await.context("the page cannot be looked at")?;
        let Some(deltas) = until(&looked.graph.revision, since, changes) else {
            not_known(since, "too much has changed since")?;
            return self.show(looked);
        };
        let mut out = std::io::stdout().lock();
        match self.format {
            LookFormat::Json => write_lines(&mut out, &deltas)?,
            LookFormat::Text => {
                let text =
                    changes_since(&deltas, &looked.graph).map_err(|error| Trouble::Other(error.into()))?;
                write!(out, "{text}")?;
            }
        }
        Ok(())
    }

    fn show(&self, looked: &Looked) -> Result<(), Trouble> {
        let mut out = std::io::stdout().lock();
        match self.format {
            LookFormat::Json => {
                let graph = serde_json::to_string_pretty(&looked.graph).context("the graph is not JSON")?;
                writeln!(out, "{graph}")?;
            }
            LookFormat::Text => {
                let from = self.from.and_then(|from| usize::try_from(from).ok());
                let options = ViewOptions {
                    scope: self.scope.clone(),
                    find: self.find.clone(),
                    from,
                    ..ViewOptions::default()
                };
                let text = view(&looked.graph, &options).map_err(|error| no_such_reference(&error))?;
                write!(out, "{text}")?;
            }
        }
        Ok(())
    }
}

/// The deltas that lead to what was seen; the page may have gone on since.
fn until(seen: &RevisionId, since: &RevisionId, changes: Changes) -> Option<Vec<WebStateDelta>> {
    let Changes::Deltas(mut deltas) = changes else { return None };
    let leads_there = |delta: &WebStateDelta| delta.revision == *seen;
    let count = if seen == since { 0 } else { deltas.iter().position(leads_there)? + 1 };
    deltas.truncate(count);
    Some(deltas)
}

fn write_lines(out: &mut impl Write, deltas: &[WebStateDelta]) -> Result<(), Trouble> {
    for delta in deltas {
        let line = serde_json::to_string(delta).context("a delta is not JSON")?;
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn not_known(since: &RevisionId, why: &str) -> Result<(), Trouble> {
    let since = clean(since.as_str(), REVISION_CHARS_MAX);
    writeln!(std::io::stderr(), "The revision {since} is not known: {why}. This is the whole page.")?;
    Ok(())
}

fn revision(text: &str) -> Result<RevisionId, String> {
    RevisionId::new(text).map_err(|error| error.to_string())
}

fn no_such_reference(error: &RefError) -> Trouble {
    let advice = match error {
        RefError::Unknown { .. } => "Look without --scope to see what there is",
        RefError::Ambiguous { .. } => "--find shows them",
    };
    Trouble::WrongUse(format!("{}. {advice}.", sentence(&error.to_string())))
}

/// Writes a file so that it is there whole or not at all.
fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    std::fs::write(&part, bytes)?;
    std::fs::rename(&part, path)
}
