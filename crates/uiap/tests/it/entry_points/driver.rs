//! What an entry point has to offer, and what comes of it in neutral words.

use super::case::{Act, EntryPoint, Step, Wait};
use super::cli::CommandLine;
use super::mcp::Mcp;
use super::stage::Stage;
use super::uiap::Uiap;

/// What came of a step.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) status: String,
    pub(super) code: Option<String>,
    pub(super) effect: Option<String>,
    /// Everything that the step answered.
    pub(super) text: String,
    /// What the person was asked.
    pub(super) questions: Vec<String>,
}

impl Outcome {
    /// Something was shown.
    pub(super) fn shown(text: String) -> Self {
        Self { status: "shown".to_owned(), text, ..Self::default() }
    }
}

/// One entry point in front of the page of one case.
pub(super) trait Driver {
    fn look(&mut self) -> Outcome;
    fn act(&mut self, act: &Act) -> Outcome;
    fn wait(&mut self, wait: &Wait) -> Outcome;
    /// How the last action went, step by step.
    fn trace(&mut self) -> Outcome;
    /// Ends it; gives every text that left.
    fn end(self: Box<Self>) -> String;
}

pub(super) fn start<'s>(entry: EntryPoint, stage: &'s Stage<'s>) -> Box<dyn Driver + 's> {
    match entry {
        EntryPoint::Cli => Box::new(CommandLine::new(stage)),
        EntryPoint::McpStdio => Box::new(Mcp::over_stdio(stage)),
        EntryPoint::McpHttp => Box::new(Mcp::over_http(stage)),
        EntryPoint::UiapStdio => Box::new(Uiap::over_stdio(stage)),
        EntryPoint::UiapWebSocket => Box::new(Uiap::over_websocket(stage)),
        EntryPoint::UiapHttp => Box::new(Uiap::over_http(stage)),
        EntryPoint::Sdk => Box::new(Uiap::of_page(stage)),
    }
}

pub(super) fn perform(driver: &mut (dyn Driver + '_), step: &Step) -> Outcome {
    match step {
        Step::Look { .. } => driver.look(),
        Step::Act(act) => driver.act(act),
        Step::Wait(wait) => driver.wait(wait),
        Step::Trace { .. } => driver.trace(),
    }
}
