//! `uiap doctor`: is everything here that UIAP needs?

mod checks;

use crate::browsing::BrowserFlags;
use crate::keeping::JournalFlags;
use crate::report::colour;
use crate::{Outcome, Trouble};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::io::Write;

/// Find out what is missing on this machine, and what to do about it
#[derive(Args)]
#[command(after_help = "\
Examples:
  uiap doctor                             look at the browser, the journal and the network of this machine
  uiap doctor --browser /opt/chrome       with this browser
  uiap doctor --format json               for programs
  uiap mcp --print-config                 then: what to put into the configuration of MCP clients

Exit code 0 if everything that is needed is here, 1 otherwise. It starts a browser for a moment, opens an empty page
in it, and changes nothing.")]
pub(crate) struct Doctor {
    /// How to report
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    journal: JournalFlags,
    #[command(flatten)]
    browser: BrowserFlags,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    #[default]
    Human,
    /// One JSON object.
    Json,
}

/// What was looked at, and what came of it.
#[derive(Debug)]
struct Check {
    name: &'static str,
    state: State,
    /// What is the case.
    says: String,
    /// What to do about it.
    advice: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It is as it should be.
    Good,
    /// UIAP works, but something does not.
    Limited,
    /// UIAP does not work.
    Bad,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Limited => "limited",
            Self::Bad => "bad",
        }
    }
}

impl Check {
    fn to_json(&self) -> Value {
        let Self { name, state, says, advice } = self;
        json!({ "name": name, "state": state.word(), "says": says, "advice": advice })
    }
}

impl Doctor {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let mut found = runtime.block_on(checks::browser(&self.browser));
        found.extend([
            checks::window(),
            checks::journal(&self.journal),
            checks::loopback(),
            checks::chance(),
        ]);
        let is_ready = found.iter().all(|check| check.state != State::Bad);
        match self.format {
            Format::Human => tell(&found, is_ready)?,
            Format::Json => {
                let checks: Vec<_> = found.iter().map(Check::to_json).collect();
                let report = json!({ "ready": is_ready, "checks": checks });
                writeln!(std::io::stdout(), "{report:#}")?;
            }
        }
        Ok(if is_ready { Outcome::Yes } else { Outcome::No })
    }
}

fn tell(found: &[Check], is_ready: bool) -> Result<(), Trouble> {
    let mut out = std::io::stdout().lock();
    let coloured = colour(&std::io::stdout());
    for check in found {
        let word = check.state.word();
        let paint = match check.state {
            State::Good => "\u{1b}[32m",
            State::Limited => "\u{1b}[33m",
            State::Bad => "\u{1b}[1;31m",
        };
        let (paint, end) = if coloured { (paint, "\u{1b}[0m") } else { ("", "") };
        writeln!(out, "{paint}{word:<7}{end}  {:<9} {}", check.name, check.says)?;
        if let Some(advice) = &check.advice {
            writeln!(out, "{:19}{advice}", "")?;
        }
    }
    let end = if is_ready {
        "Everything that is needed is here. To connect a model: uiap mcp --print-config"
    } else {
        "Something that is needed is not here."
    };
    writeln!(out, "\n{end}")?;
    Ok(())
}
