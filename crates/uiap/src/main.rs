//! The `uiap` command: one verb per thing people do with UIAP.
//!
//! Start at [`Command`]; each verb is a module under `commands`. Results go to stdout, everything else to stderr.
//! Exit codes: 0 done and true, 1 the answer is no, 2 wrong use, 3 something is missing on this machine.

mod browsing;
mod commands;
mod discovering;
mod hosting;
mod keeping;
mod login;
mod opening;
mod package;
mod report;
mod running;

use clap::{Parser, Subcommand};
use mimalloc::MiMalloc;
use std::process::ExitCode;
use std::time::Duration;

/// Builds make millions of small things on every processor, which the allocator of glibc hands out slowly.
#[global_allocator]
static MEMORY: MiMalloc = MiMalloc;

/// AI agents operate applications, and prove what happened.
#[derive(Parser)]
#[command(name = "uiap", version, about, after_help = EXAMPLES, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// How long the end of a browser that was killed may take.
const FAREWELL_WAIT: Duration = Duration::from_secs(5);

const EXAMPLES: &str = "\
Examples:
  uiap init                              begin a package for your application
  uiap check examples/videoland/uiap     validate every document in a folder
  uiap build examples/videoland/uiap --packages examples/videoland/packages -o bundle.json
                                         compile a package to one bundle
  uiap schema Actions                    print the JSON Schema of a kind
  uiap policy test examples/videoland    ask policies, and compare with what is expected
  uiap breaking old.json new.json        what changed between two bundles, and what that breaks
  uiap publish shop.json --channel prod --registry releases --key team.key
                                         sign a bundle and make it current
  uiap verify --registry releases        is everything as it was published?
  uiap look http://127.0.0.1:4870        a page as an agent sees it
  uiap act URL activate --target button:Save
                                         do one thing, and prove it
  uiap trace                             what was done, and who allowed it
  uiap discover http://127.0.0.1:4870 -o map
                                         map an application without writing to it
  uiap diff before/ after/               what changed in an application between two runs
  uiap mcp                               serve models in any MCP client
  uiap serve --stdio URL                 serve a page to programs that speak UIAP
  uiap doctor                            is everything here that is needed?
  uiap demo                              the chain on the sample application";

#[derive(Subcommand)]
enum Command {
    Build(Box<commands::build::Build>),
    Init(commands::init::Init),
    Check(commands::check::Check),
    Schema(commands::schema::Schema),
    Policy(commands::policy::Policy),
    Breaking(commands::breaking::Breaking),
    Publish(commands::publish::Publish),
    Verify(commands::verify::Verify),
    Key(commands::keys::Key),
    Look(commands::look::Look),
    Act(Box<commands::act::Act>),
    Wait(commands::wait::Wait),
    Trace(commands::trace::Trace),
    Diff(commands::diff::Diff),
    Discover(Box<commands::discover::Discover>),
    Mcp(Box<commands::mcp::Mcp>),
    Serve(Box<commands::serve::Serve>),
    Explain(commands::explain::Explain),
    Doctor(commands::doctor::Doctor),
    Demo(commands::demo::Demo),
    Completions(commands::completions::Completions),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Build(build) => build.run(),
        Command::Init(init) => init.run(),
        Command::Check(check) => check.run(),
        Command::Schema(schema) => schema.run(),
        Command::Policy(policy) => policy.run(),
        Command::Breaking(breaking) => breaking.run(),
        Command::Publish(publish) => publish.run(),
        Command::Verify(verify) => verify.run(),
        Command::Key(key) => key.run(),
        Command::Look(look) => look.run(),
        Command::Act(act) => act.run(),
        Command::Wait(wait) => wait.run(),
        Command::Trace(trace) => trace.run(),
        Command::Diff(diff) => diff.run(),
        Command::Discover(discover) => discover.run(),
        Command::Mcp(mcp) => mcp.run(),
        Command::Serve(serve) => serve.run(),
        Command::Explain(explain) => explain.run(),
        Command::Doctor(doctor) => doctor.run(),
        Command::Demo(demo) => demo.run(),
        Command::Completions(completions) => completions.run(),
    };
    // However the command ended, its browser goes with everything that it left on the disk.
    uiap_web::farewell(FAREWELL_WAIT);
    match outcome {
        Ok(outcome) => outcome.into(),
        Err(trouble) => report::trouble(&trouble),
    }
}

/// How a command ended, when it could do its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Done, and the answer is yes.
    Yes,
    /// Done, and the answer is no.
    No,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Yes => Self::SUCCESS,
            Outcome::No => Self::from(1),
        }
    }
}

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    /// It was used wrongly.
    #[error("{0}")]
    WrongUse(String),
    /// Something is missing on this machine.
    #[error("{0}")]
    Missing(String),
    /// A document is not sound, and what is wrong with it has been reported.
    #[error("a document is not sound")]
    Reported,
    /// What reads our output is gone: no trouble at all.
    #[error("the reader of the output is gone")]
    ReaderGone,
    /// Anything else.
    #[error(transparent)]
    Other(#[from] anyhow::Error),
}

impl From<uiap_runtime::words::Unclear> for Trouble {
    fn from(unclear: uiap_runtime::words::Unclear) -> Self {
        let told = report::sentence(&unclear.to_string());
        let end = if told.ends_with(['.', '?']) { "" } else { "." };
        Self::WrongUse(format!("{told}{end}"))
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::ReaderGone,
            _ => Self::Other(error.into()),
        }
    }
}
