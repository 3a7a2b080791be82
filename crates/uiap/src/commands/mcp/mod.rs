//! `uiap mcp`: hands for models, in any MCP client.

mod config;
mod notifier;
pub(super) mod secrets;

use super::bundle::BundleFlags;
use super::supplies::Supplies;
use crate::browsing::BrowserFlags;
use crate::hosting::WebHost;
use crate::keeping::JournalFlags;
use crate::report::{ReportFormat, sentence};
use crate::{Outcome, Trouble};
use clap::Args;
use notifier::LocalNotifier;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::signal::unix::{SignalKind, signal};
use uiap_protocol::ids::Id;
use uiap_server::host::Supplied;
use uiap_server::mcp::{HttpError, HttpOptions, Rules, Server};
use uiap_server::secrets::Vault;

/// In whose name actions of models are done.
const AGENT: &str = "uiap-mcp";
/// Threads that serve; one client asks one thing at a time, mostly.
const THREADS: usize = 2;

/// Serve models: open, look, act, wait, read and trace as MCP tools
#[derive(Args)]
#[command(after_help = "\
Examples:
  uiap mcp                                  for a client that starts it, over stdin and stdout
  uiap mcp --print-config                   what to put into the configuration of clients
  uiap mcp --bundle shop.json --policy team.yaml --allow https://shop.example
  uiap mcp --http 127.0.0.1:8931            for clients that connect

The browser starts when the model opens the first page. What is risky waits for you: your client asks you, or
you answer on a page on this machine with a code that the model does not see (a notification, this terminal, or
your browser shows it). The model has no tool that agrees.")]
pub(crate) struct Mcp {
    /// Serve over HTTP on this loopback address instead, at /mcp
    #[arg(long, value_name = "ADDRESS")]
    http: Option<SocketAddr>,
    /// Pages of this origin may call over HTTP; may be given more than once
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    http_origin: Vec<String>,
    /// Open and act on this origin only; may be given more than once
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    allow: Vec<String>,
    #[command(flatten)]
    bundle: BundleFlags,
    /// What may happen: a policy document or a policy set; may be given more than once
    #[arg(long, value_name = "FILE")]
    policy: Vec<PathBuf>,
    /// What a model may use and never see, by name: where each secret comes from and on which origins it may be used.
    ///
    /// JSON or YAML: `shop: {origins: [https://shop.example], env: SHOP_PASSWORD}`, or `file: PATH` instead of `env`.
    /// The model writes secret:shop; the value goes into a field that hides it, and nowhere else.
    #[arg(long, value_name = "FILE")]
    secrets: Option<PathBuf>,
    /// Print what to put into the configuration of MCP clients, and end
    #[arg(long)]
    print_config: bool,
    #[command(flatten)]
    journal: JournalFlags,
    #[command(flatten)]
    browser: BrowserFlags,
}

impl Mcp {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        if self.print_config {
            write!(std::io::stdout(), "{}", config::snippets()?)?;
            return Ok(Outcome::Yes);
        }
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(THREADS).enable_all().build()?;
        let outcome = runtime.block_on(self.serve());
        // Reading stdin cannot be given up, so nobody waits for the thread that does.
        runtime.shutdown_background();
        outcome
    }

    async fn serve(self) -> Result<Outcome, Trouble> {
        let Self { http, http_origin, allow, bundle, policy, secrets, journal, browser, print_config: _ } =
            self;
        let supplied = supplied(&bundle, &policy, secrets.as_deref())?;
        let rules = Rules { agent: Id::new(AGENT).map_err(anyhow::Error::new)?, origins: allow };
        let notifier = Arc::new(LocalNotifier { serves_stdio: http.is_none() });
        let server = Server::new(WebHost::new(browser, journal, supplied), rules, notifier);
        let server =
            server.map_err(|error| Trouble::Missing(format!("{}.", sentence(&error.to_string()))))?;
        let stop = stopped()?;
        let Some(address) = http else {
            tokio::select! {
                served = server.serve_stdio() => served.map_err(anyhow::Error::new)?,
                () = stop => server.close().await,
            }
            return Ok(Outcome::Yes);
        };
        let options = HttpOptions { origins: http_origin };
        let listening = |address| {
            // Whoever closed stderr does not want to know.
            let _ = writeln!(std::io::stderr(), "MCP is served at http://{address}/mcp.");
        };
        server.serve_http(address, options, listening, stop).await.map_err(|error| match error {
            HttpError::NotLoopback { .. } => Trouble::WrongUse(format!("{}.", sentence(&error.to_string()))),
            HttpError::Taken { .. } => Trouble::Missing(format!("{}.", sentence(&error.to_string()))),
            HttpError::Serve(_) => Trouble::Other(error.into()),
        })?;
        Ok(Outcome::Yes)
    }
}

/// Everything that can be read before there is a client.
fn supplied(bundle: &BundleFlags, policy: &[PathBuf], secrets: Option<&Path>) -> Result<Supplied, Trouble> {
    // Findings go to stdout in other commands; here it belongs to the protocol.
    let supplies = Supplies { format: ReportFormat::default() };
    let bundle = bundle.load(supplies)?.map(Arc::new);
    let mut policies: Vec<_> = bundle
        .iter()
        .flat_map(|bundle| bundle.policies.iter().flatten())
        .map(|policy| policy.document.clone())
        .collect();
    for path in policy {
        policies.extend(supplies.policies(path)?);
    }
    let secrets = Arc::new(secrets.map_or_else(|| Ok(Vault::default()), secrets::vault)?);
    Ok(Supplied { bundle, policies, secrets })
}

/// Ready when the system asks to stop.
fn stopped() -> Result<impl Future<Output = ()> + Send + 'static, Trouble> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// An origin as browsers write it.
fn origin(text: &str) -> Result<String, String> {
    let url = url::Url::parse(text).map_err(|error| format!("{error}; write it as https://example.org"))?;
    let origin = url.origin();
    if origin.is_tuple() { Ok(origin.ascii_serialization()) } else { Err("this is no origin".to_owned()) }
}
