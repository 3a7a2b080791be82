//! The guard where requests leave a browser: nothing that can write gets past it.
//!
//! Start at [`Guard::start`]. It is a proxy on the loopback interface for one context of a browser, which ends
//! encryption with certificates of an [`Authority`] of this run, so that it sees every request: of pages, frames,
//! workers and of the browser itself. What it says to them is decided by [`judge`], a pure function; what passed and
//! what was held back is in its log.
//!
//! A browser that we start trusts the authority by a flag ([`Authority::flags`]). One that we only attach to cannot be
//! told: there every page of the context is told not to look at certificates ([`Proxy::unpinned`]), which is safe as
//! the guard looks at those of the servers itself. It does not hold for shared and service workers, whose encrypted
//! requests then fail; and WebRTC is not switched off there. Who attaches to a browser should start it with the flags.

mod address;
mod authority;
mod fetch;
mod forward;
mod graphql;
mod log;
mod pattern;
mod proxy;
mod rules;
mod upstream;
mod words;

pub use authority::Authority;
pub use fetch::{DOCUMENT_BYTES_MAX, FetchError, fetch};
pub use log::{Fate, PASSAGES_MAX, Passage, Tally};
pub use pattern::{BadPattern, Pattern};
pub use rules::{
    Asked, AskedBody, BODY_BYTES_MAX, Grounds, Judgement, Procedures, Reason, Rules, Wanted, judge,
};
pub use upstream::Fault;

use crate::page::Proxy;
use log::Log;
use rustls::pki_types::CertificateDer;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// Why there is no guard.
#[derive(Debug, thiserror::Error)]
pub enum GuardError {
    /// No certificate can be made.
    #[error("the guard's certificates cannot be made")]
    Certificate(#[from] rcgen::Error),
    /// A certificate cannot be used.
    #[error("the guard's certificates cannot be used")]
    Encryption(#[from] rustls::Error),
    /// There is no place to listen at.
    #[error("the guard cannot listen on the loopback interface")]
    Listen(#[source] io::Error),
}

/// Whether requests that can write may pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gate {
    /// They are held back.
    #[default]
    Closed,
    /// They pass, and it is recorded why they would have been held back: for a login, or for writes that are allowed.
    Open,
}

/// What the tasks of a guard go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Gate(Gate),
    Stop,
}

/// A guard before one context of a browser. It stops when it is dropped, and then nothing passes any more.
#[derive(Debug)]
pub struct Guard {
    address: SocketAddr,
    order: watch::Sender<Order>,
    log: Arc<Log>,
}

impl Guard {
    /// A guard whose gate is closed. Servers are held against the certificates that this machine trusts.
    pub async fn start(authority: Arc<Authority>, rules: Rules) -> Result<Self, GuardError> {
        Self::start_trusting(authority, rules, &[]).await
    }

    /// The same, for servers whose certificates go back to one of these as well.
    pub async fn start_trusting(
        authority: Arc<Authority>,
        rules: Rules,
        roots: &[CertificateDer<'static>],
    ) -> Result<Self, GuardError> {
        let trust = upstream::trust(roots)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(GuardError::Listen)?;
        let address = listener.local_addr().map_err(GuardError::Listen)?;
        let (order, orders) = watch::channel(Order::Gate(Gate::Closed));
        let log = Arc::new(Log::default());
        let post = proxy::Post::new(authority, rules, trust, Arc::clone(&log), orders);
        tokio::spawn(proxy::attend(listener, Arc::new(post)));
        Ok(Self { address, order, log })
    }

    /// What a context needs to stand behind this guard.
    pub fn proxy(&self) -> Proxy {
        Proxy::at(self.address)
    }

    /// Whether requests that can write may pass now.
    pub fn gate(&self) -> Gate {
        match *self.order.borrow() {
            Order::Gate(gate) => gate,
            Order::Stop => Gate::Closed,
        }
    }

    /// Lets everything pass from now on, and records it.
    pub fn open(&self) {
        self.order.send_replace(Order::Gate(Gate::Open));
    }

    /// Holds back from now on what can write. A WebSocket that was opened meanwhile is cut, unless it is declared
    /// as a read; what has passed already is not called back.
    pub fn close(&self) {
        self.order.send_replace(Order::Gate(Gate::Closed));
    }

    /// What passed and what was held back from this number on, the oldest first, and the number to go on with.
    pub fn passages(&self, since: u64) -> (Vec<Passage>, u64) {
        self.log.since(since)
    }

    /// How many there were so far.
    pub fn tally(&self) -> Tally {
        self.log.tally()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.order.send_replace(Order::Stop);
    }
}
