//! `uiap demo`: the chain on the sample application, as far as it exists.

use crate::report::{self, Document, ReportFormat};
use crate::{Outcome, Trouble};
use clap::Args;
use std::io::{IsTerminal, Write};
use uiap_protocol::check::{Expectation, check};
use videoland::{Options, Server, ServerError, package_files};

/// Show the chain on the sample application: serve it and check its UIAP package
#[derive(Args)]
#[command(after_help = "\
Examples:
  uiap demo                 serve Videoland until Ctrl-C
  uiap demo --once          check everything and end
  uiap demo --port 4870     on a port of your choice

Without a terminal it ends by itself, as with --once.")]
pub(crate) struct Demo {
    /// Port on 127.0.0.1; 0 takes any free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// End when everything is checked instead of serving until Ctrl-C
    #[arg(long)]
    once: bool,
}

impl Demo {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(self.show())
    }

    async fn show(self) -> Result<Outcome, Trouble> {
        let options = Options { port: self.port, ..Options::default() };
        let server = Server::start(options).await.map_err(|error| match error {
            ServerError::PortTaken { .. } => {
                Trouble::Missing(format!("{error}; choose another one with --port."))
            }
            other @ ServerError::Listen { .. } => Trouble::Other(other.into()),
        })?;
        say(&format!("Videoland is at {}; sign in as admin with the password videoland.", server.origin()))?;
        let outcome = check_package()?;
        if !self.once && std::io::stdout().is_terminal() {
            say("Ctrl-C ends it.")?;
            tokio::signal::ctrl_c().await?;
        }
        server.shut_down().await;
        Ok(outcome)
    }
}

fn check_package() -> Result<Outcome, Trouble> {
    say("Its UIAP package:")?;
    let checked = package_files().into_iter().map(|file| Document {
        checked: check(&file.path, file.bytes, Expectation::default()),
        text: String::from_utf8_lossy(file.bytes).into_owned(),
        name: file.path,
    });
    let documents: Vec<_> = checked.collect();
    report::documents(&documents, ReportFormat::Human)?;
    Ok(report::outcome(&documents))
}

fn say(sentence: &str) -> Result<(), Trouble> {
    writeln!(std::io::stdout(), "{sentence}")?;
    Ok(())
}
