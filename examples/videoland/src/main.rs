//! Serves Videoland on this machine until Ctrl-C.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use videoland::{Agents, Language, Options, Server, ServerError};

/// Exit code when the surroundings are missing something, here a free port.
const EXIT_ENVIRONMENT: u8 = 3;

/// The sample application of UIAP: a small web application with the traps of a real one.
#[derive(Parser)]
#[command(name = "videoland", version)]
struct Arguments {
    /// Port on 127.0.0.1; 0 takes any free port.
    #[arg(long, default_value_t = 4870)]
    port: u16,

    /// Port of the second origin, which serves the foreign frame; 0 takes any free port.
    #[arg(long, default_value_t = 0)]
    frame_port: u16,

    /// Record every write and serve /__test/writes, /__test/ledger and /__test/reset.
    #[arg(long)]
    test_api: bool,

    /// Language of pages until a person chooses another one.
    #[arg(long, value_enum, default_value_t)]
    language: PageLanguage,

    /// Let agents take part through `uiap serve --listen ADDRESS:PORT --app-origin ORIGIN`.
    #[arg(long, value_name = "ADDRESS:PORT")]
    uiap: Option<SocketAddr>,

    /// What it was given as --app-token-file.
    #[arg(long, value_name = "FILE", requires = "uiap")]
    uiap_token_file: Option<PathBuf>,
}

/// A language of the pages.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum PageLanguage {
    /// English.
    #[default]
    En,
    /// German.
    De,
}

#[tokio::main]
#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the address and the failure are this program's output"
)]
async fn main() -> anyhow::Result<ExitCode> {
    let Arguments { port, frame_port, test_api, language, uiap, uiap_token_file } = Arguments::parse();
    let language = match language {
        PageLanguage::En => Language::English,
        PageLanguage::De => Language::German,
    };
    let server = match Server::start(Options { port, frame_port, test_api, language }).await {
        Ok(server) => server,
        Err(failure @ ServerError::PortTaken { .. }) => {
            eprintln!(
                "Videoland did not start: {failure}. Choose another port with --port, or --port 0 for any free one."
            );
            return Ok(ExitCode::from(EXIT_ENVIRONMENT));
        }
        Err(failure) => return Err(failure.into()),
    };
    if let Some(address) = uiap {
        let token = uiap_token_file.map(std::fs::read_to_string).transpose()?;
        server.invite(Agents { address, token: token.map(|token| token.trim().to_owned()) });
    }
    println!("Videoland is at {} (foreign frame at {}).", server.origin(), server.frame_origin());
    println!("Sign in as admin, editor or viewer with the password videoland. Ctrl-C ends it.");
    tokio::signal::ctrl_c().await?;
    server.shut_down().await;
    Ok(ExitCode::SUCCESS)
}
