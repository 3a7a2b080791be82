//! The way from a guard to the servers: connections that are verified, and that nobody waits for endlessly.

use hyper::Uri;
use hyper::rt::ReadBufCursor;
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::TokioIo;
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tower_service::Service;

/// How long a server may take to take the call, encryption included.
const CONNECT_WAIT: Duration = Duration::from_secs(15);

/// Why a request that was let through found nobody.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The name of the host means nothing.
    #[error("its host name is unknown")]
    NameUnknown,
    /// Nobody listens there.
    #[error("nobody listens there")]
    Refused,
    /// The certificate of the server is not to be trusted.
    #[error("its certificate is not trusted: {detail}")]
    Certificate {
        /// What is wrong with it.
        detail: String,
    },
    /// It took too long.
    #[error("it took too long")]
    TimedOut,
    /// The connection broke, or what came over it is no answer.
    #[error("the connection broke off: {detail}")]
    Broken {
        /// How.
        detail: String,
    },
    /// The browser does not believe the guard: it lacks the flag of its authority.
    #[error("the browser did not accept the guard's certificate: {detail}")]
    Distrusted {
        /// In whose words.
        detail: String,
    },
}

impl Fault {
    /// The fault that an error comes from.
    pub(super) fn of(error: &(dyn std::error::Error + 'static)) -> Self {
        let mut cause = Some(error);
        while let Some(error) = cause {
            if let Some(fault) = error.downcast_ref::<Self>() {
                return fault.clone();
            }
            cause = error.source();
        }
        Self::Broken { detail: error.to_string() }
    }

    fn of_connecting(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::ConnectionRefused => Self::Refused,
            io::ErrorKind::TimedOut => Self::TimedOut,
            _ => Self::Broken { detail: error.to_string() },
        }
    }

    fn of_encrypting(error: &io::Error) -> Self {
        let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
        match inner {
            Some(rustls::Error::InvalidCertificate(why)) => Self::Certificate { detail: why.to_string() },
            _ => Self::Broken { detail: error.to_string() },
        }
    }
}

/// What servers are held against: what this machine trusts, and what the caller adds.
pub(super) fn trust(further: &[CertificateDer<'static>]) -> Result<Arc<ClientConfig>, rustls::Error> {
    let mut roots = RootCertStore::empty();
    // One certificate that cannot be read is no reason to trust the others less.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    for root in further {
        roots.add(root.clone())?;
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions()?;
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// Calls servers.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) trust: Arc<ClientConfig>,
}

impl Service<Uri> for Caller {
    type Response = Line;
    type Error = Fault;
    type Future = Pin<Box<dyn Future<Output = Result<Line, Fault>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Fault>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, to: Uri) -> Self::Future {
        let trust = Arc::clone(&self.trust);
        Box::pin(async move {
            tokio::time::timeout(CONNECT_WAIT, connect(trust, to)).await.unwrap_or(Err(Fault::TimedOut))
        })
    }
}

async fn connect(trust: Arc<ClientConfig>, to: Uri) -> Result<Line, Fault> {
    let encrypted = to.scheme_str() == Some("https");
    let host = to.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']').to_owned();
    let port = to.port_u16().unwrap_or(if encrypted { 443 } else { 80 });
    let places: Vec<_> =
        tokio::net::lookup_host((host.as_str(), port)).await.map_err(|_| Fault::NameUnknown)?.collect();
    let stream = TcpStream::connect(&*places).await.map_err(|error| Fault::of_connecting(&error))?;
    // It only makes things faster.
    let _ = stream.set_nodelay(true);
    if !encrypted {
        return Ok(Line::over(stream));
    }
    let name =
        ServerName::try_from(host).map_err(|error| Fault::Certificate { detail: error.to_string() })?;
    let stream = TlsConnector::from(trust).connect(name, stream).await;
    stream.map(Line::over).map_err(|error| Fault::of_encrypting(&error))
}

trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// A connection to a server, encrypted or not.
pub(super) struct Line(TokioIo<Box<dyn Stream>>);

impl Line {
    fn over(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) -> Self {
        Self(TokioIo::new(Box::new(stream)))
    }
}

impl Connection for Line {
    fn connected(&self) -> Connected {
        Connected::new()
    }
}

impl hyper::rt::Read for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl hyper::rt::Write for Line {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
