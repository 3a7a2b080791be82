//! A port at which nobody listens, for as long as a test needs that.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use tokio::net::TcpSocket;

/// A port of this machine that refuses connections for as long as the value lives.
///
/// A port that was free a moment ago may be somebody else's by now. This one is taken, only that nobody listens: the
/// system gives it to nobody who asks for any free port. Whoever asks for it by its number can still listen there, and
/// when they stop it is closed again.
#[derive(Debug)]
pub struct ClosedPort {
    address: SocketAddr,
    _bound: TcpSocket,
}

impl ClosedPort {
    /// Takes a free port.
    pub fn take() -> io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        // Both sides must allow it for somebody else to listen there; servers do, so that they can be started again.
        socket.set_reuseaddr(true)?;
        socket.bind((Ipv4Addr::LOCALHOST, 0).into())?;
        Ok(Self { address: socket.local_addr()?, _bound: socket })
    }

    /// Where nobody listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its number.
    pub fn port(&self) -> u16 {
        self.address.port()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;
    use std::net::{TcpListener, TcpStream};

    fn refuses(port: &ClosedPort) -> bool {
        TcpStream::connect(port.address()).is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
    }

    #[test]
    fn a_closed_port_refuses_before_and_after_somebody_listens_there() {
        let port = ClosedPort::take().unwrap();
        assert!(refuses(&port));
        let listener = TcpListener::bind(port.address()).unwrap();
        assert!(TcpStream::connect(port.address()).is_ok());
        drop(listener);
        assert!(refuses(&port));
    }
}
