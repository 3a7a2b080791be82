//! `uiap serve`: sessions on a page, for programs in any language.

mod application;
mod network;
mod wiring;

use super::bundle::BundleFlags;
use crate::browsing::BrowserFlags;
use crate::keeping::JournalFlags;
use crate::{Outcome, Trouble};
use clap::{ArgGroup, Args, ValueEnum};
use network::{NetworkFlags, Ready};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::io::BufReader;
use tokio::signal::unix::{Signal, SignalKind, signal};
use uiap_runtime::surface::Surface;
use uiap_server::doors::stdio;
use uiap_server::serving::House;
use uiap_server::session::Party;
use uiap_store::SqliteJournal;

/// A surface, and everybody who acts on it.
type HouseOf<S> = Arc<House<S, SqliteJournal>>;

/// Serve a page to programs that speak UIAP
#[derive(Args)]
#[command(
    group(ArgGroup::new("what").required(true).args(["url", "app_origin"])),
    group(ArgGroup::new("door").required(true).args(["stdio", "listen"]).multiple(true)),
    after_help = "\
Examples:
  uiap serve --stdio http://127.0.0.1:4870
  uiap serve --stdio URL --bundle videoland.bundle.json --policy team.yaml
  uiap serve --stdio --as person URL         the program may also agree for the person who started it
  uiap serve --listen 127.0.0.1:4871 URL     for programs on this machine: ws://127.0.0.1:4871/uiap/ws
  uiap serve --stdio --listen 127.0.0.1:4871 --person-token-file me.token URL
                                             an agent over stdio, and a person who is asked over a WebSocket
  uiap serve --listen 127.0.0.1:4871 --app-origin http://127.0.0.1:4870
                                             the page of an application that has the SDK, in whatever browser shows it
  uiap serve --stdio URL --discovery maps --discovery-environment staging.yaml
                                             peers may map applications: the extension uiap.discovery
  uiap serve --listen 0.0.0.0:4871 --token-file agent.token --tls-cert cert.pem --tls-key key.pem URL

With --stdio one envelope per line comes in on standard input and goes out on standard output; everything else
goes to standard error. It begins like this:
  {\"uiap\":\"0.1\",\"kind\":\"request\",\"type\":\"session.initialize\",\"id\":\"m1\",\"ts\":\"2026-03-26T14:03:00.000Z\",
   \"source\":{\"role\":\"agent\",\"id\":\"me\"},\"payload\":{\"supportedVersions\":[\"0.1\"],
   \"supportedProfiles\":[\"web@0.1\"],\"peer\":{\"name\":\"me\"}}}     (on one line)

With --listen the same envelopes travel over a WebSocket at /uiap/ws (sub-protocol uiap.v0.1, one text frame each),
or over HTTP: POST to /uiap/sessions and to /uiap/sessions/ID/messages (media type application/uiap+json), events
from /uiap/sessions/ID/events. Tokens go into the header \"Authorization: Bearer\" and nowhere else.

Who a peer is follows from the door it came through, never from its messages. An agent cannot agree to what is
risky: that takes a person's channel, and where there is none, it is not done.
Everything is kept in a journal: `uiap trace` shows it.

`kill -USR1` with its process id reads the policies again; peers that speak of policies are told."
)]
pub(crate) struct Serve {
    /// The address of the page
    url: Option<String>,
    /// Speak over standard input and output
    #[arg(long)]
    stdio: bool,
    /// Who is at standard input
    #[arg(long = "as", value_enum, value_name = "WHO", default_value_t, requires = "stdio")]
    party: Who,
    #[command(flatten)]
    network: NetworkFlags,
    #[command(flatten)]
    bundle: BundleFlags,
    /// What may happen: a policy document or a policy set; may be given more than once
    #[arg(long, value_name = "FILE")]
    policy: Vec<PathBuf>,
    /// Peers may map applications on this machine; the folder for what runs find
    #[arg(long, value_name = "DIR")]
    discovery: Option<PathBuf>,
    /// An environment elsewhere that peers may map, or one here with logins and reads; may be given more than once
    #[arg(long, value_name = "FILE", requires = "discovery")]
    discovery_environment: Vec<PathBuf>,
    #[command(flatten)]
    journal: JournalFlags,
    #[command(flatten)]
    browser: BrowserFlags,
}

/// Who is at the other end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Who {
    /// A program that acts, and cannot agree to anything
    #[default]
    Agent,
    /// The person, or a program that the person trusts to agree
    Person,
    /// Somebody who only looks
    Observer,
}

/// What ended a server, other than its peers.
struct End {
    reason: String,
    served: Result<(), Trouble>,
}

impl End {
    fn stopped() -> Self {
        Self { reason: "the server ends".to_owned(), served: Ok(()) }
    }

    fn without_page(gone: &str) -> Self {
        let reason = format!("the page is gone: {gone}");
        let trouble = anyhow::anyhow!("{reason}; start `uiap serve` again");
        Self { reason, served: Err(Trouble::Other(trouble)) }
    }
}

impl From<Who> for Party {
    fn from(who: Who) -> Self {
        match who {
            Who::Agent => Self::Agent,
            Who::Person => Self::Person,
            Who::Observer => Self::Observer,
        }
    }
}

impl Serve {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let outcome = runtime.block_on(self.serve());
        // A read of standard input cannot be given up; nobody waits for it.
        runtime.shutdown_background();
        outcome
    }

    async fn serve(&self) -> Result<Outcome, Trouble> {
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let mut reread = signal(SignalKind::user_defined1())?;
        let stopped = async {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        };
        tokio::pin!(stopped);
        let network = self.network.open().await?;
        let Some(url) = &self.url else {
            let (house, network) = self.application(network)?;
            let end = async {
                stopped.await;
                End::stopped()
            };
            let served = self.until(end, &house, network, &mut reread).await;
            return served.map(|()| Outcome::Yes);
        };
        let (browsing, house) = tokio::select! {
            opened = self.open(url) => opened?,
            () = &mut stopped => return Err(Trouble::Other(anyhow::anyhow!("interrupted; nothing was done"))),
        };
        let end = async {
            tokio::select! {
                () = &mut stopped => End::stopped(),
                gone = house.application_gone() => End::without_page(&gone),
            }
        };
        let served = self.until(end, &house, network, &mut reread).await;
        drop(house);
        browsing.close().await;
        served.map(|()| Outcome::Yes)
    }

    /// Serves until the doors are left or something else ends it, which every session is told.
    async fn until<S: Surface + 'static>(
        &self,
        end: impl Future<Output = End>,
        house: &HouseOf<S>,
        network: Option<Ready>,
        reread: &mut Signal,
    ) -> Result<(), Trouble> {
        let doors = self.doors(house, network);
        tokio::pin!(doors);
        let End { reason, served } = tokio::select! {
            never = self.follow_rules(house, reread) => match never {},
            served = &mut doors => {
                house.leave("the server ends").await;
                return served;
            }
            end = end => end,
        };
        // The doors stay open for last words.
        tokio::select! {
            () = house.leave(&reason) => {}
            _ = &mut doors => house.leave(&reason).await,
        }
        served
    }

    /// Serves until the peer at standard input has gone; without one, until it is stopped.
    async fn doors<S: Surface + 'static>(
        &self,
        house: &HouseOf<S>,
        network: Option<Ready>,
    ) -> Result<(), Trouble> {
        let listening = async {
            match network {
                Some(ready) => ready.serve(Arc::clone(house)).await,
                None => std::future::pending().await,
            }
        };
        let stdio = async {
            if !self.stdio {
                return std::future::pending().await;
            }
            let input = BufReader::new(tokio::io::stdin());
            stdio::serve(Arc::clone(house), self.party.into(), input, tokio::io::stdout()).await
        };
        tokio::select! {
            served = stdio => served.map_err(Trouble::from),
            served = listening => served.map_err(Trouble::from),
        }
    }
}
