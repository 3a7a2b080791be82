//! The way by which the requests of a context leave the browser.

use serde_json::{Map, Value};
use std::net::SocketAddr;

/// Not even what is on this machine is spoken to directly.
const NOTHING_BYPASSES: &str = "<-loopback>";

/// A proxy for all requests of a context: see [`Guard::proxy`](crate::guard::Guard::proxy).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proxy {
    address: SocketAddr,
    unpinned: bool,
}

impl Proxy {
    pub(crate) fn at(address: SocketAddr) -> Self {
        Self { address, unpinned: false }
    }

    /// Where it is.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// For a browser that was not started with the flags of the guard's authority: its pages do not look at the
    /// certificates, which the guard does in their place. Their shared and service workers still look.
    #[must_use]
    pub fn unpinned(self) -> Self {
        Self { unpinned: true, ..self }
    }

    pub(super) fn is_unpinned(&self) -> bool {
        self.unpinned
    }

    /// What the order to make a context says about it.
    pub(super) fn members(&self) -> Map<String, Value> {
        let server = Value::String(format!("http://{}", self.address));
        let bypass = Value::String(NOTHING_BYPASSES.to_owned());
        Map::from_iter([("proxyServer".to_owned(), server), ("proxyBypassList".to_owned(), bypass)])
    }
}
