//! How a run goes, and what it found, for people.

use crate::Trouble;
use crate::discovering::Mapped;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use uiap_discovery::explore::{Ended, Progress, Watcher};
use uiap_protocol::discovery::Severity;

/// What a bar shows: how much of the time is used, and what was found meanwhile.
const TEMPLATE: &str = "{spinner} {prefix:<12} {bar:24} {pos:>3} % of the time  {msg}";

/// Bars on a terminal; nothing elsewhere.
pub(super) struct Bars {
    bar: ProgressBar,
}

impl Bars {
    pub(super) fn new(wanted: bool) -> Self {
        let shown = wanted && std::io::stderr().is_terminal();
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(100), target);
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style);
        }
        Self { bar }
    }

    pub(super) fn done(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watcher for Bars {
    fn progress(&self, progress: &Progress) {
        let message = &progress.message;
        let count = |count: Option<u64>| count.unwrap_or_default();
        self.bar.set_prefix(message.status.to_string());
        self.bar.set_position(progress.time_percent);
        self.bar.set_message(format!(
            "{} routes, {} states, {} transitions, {} to try, {} writes held back",
            count(message.discovered_routes),
            count(message.visited_states),
            count(message.visited_transitions),
            progress.open,
            progress.held,
        ));
    }
}

/// Tells what was found.
pub(super) fn report(mapped: &Mapped, json: bool) -> Result<(), Trouble> {
    let mut out = std::io::stdout().lock();
    if json {
        let text = serde_json::to_string(&mapped.package).map_err(anyhow::Error::new)?;
        writeln!(out, "{text}")?;
        return Ok(());
    }
    let package = &mapped.package;
    let coverage = &package.coverage;
    let profile = package.run.profile.as_ref().map(|profile| format!(" as {profile}")).unwrap_or_default();
    writeln!(out, "Mapped {}{profile}:", package.environment.base_url)?;
    writeln!(
        out,
        "  {} routes, {} areas, {} elements, {} actions, {} workflow candidates",
        coverage.routes_discovered,
        coverage.scopes_discovered,
        coverage.elements_discovered,
        coverage.actions_discovered,
        coverage.workflow_candidates_discovered,
    )?;
    writeln!(
        out,
        "  {} states, {} transitions, {} requests that could write were held back",
        package.transition_graph.states.len(),
        package.transition_graph.edges.len(),
        mapped.held,
    )?;
    let high = package.review_queue.items.iter().filter(|item| item.severity == Severity::High).count();
    writeln!(out, "  {} questions for reviewers, {high} of them urgent", coverage.review_items)?;
    for note in package.run.notes.iter().flatten().skip(1) {
        writeln!(out, "  {note}")?;
    }
    if mapped.ended != Ended::Finished {
        writeln!(out, "The same command goes on where it ended.")?;
    }
    let folder = mapped.folder.display();
    writeln!(out, "Look at it:   {folder}/report.html")?;
    writeln!(out, "The package:  {folder}/{}", mapped.file)?;
    writeln!(out, "Build it:     uiap build {folder} -o bundle.json")?;
    Ok(())
}
