//! The side of a guard that speaks to servers: what passed is sent on as it is, and what comes back as well.

use super::proxy::AnyBody;
use super::upstream::{Caller, Fault};
use http_body_util::{BodyExt, Empty, Full};
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::{
    CACHE_CONTROL, CONNECTION, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, UPGRADE,
};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper::{Method, Request, Response, StatusCode, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use rustls::ClientConfig;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep};

/// How long a server may take to begin its answer.
const ANSWER_WAIT: Duration = Duration::from_mins(2);
/// How long a server may be silent within an answer. Events may be rare.
const SILENCE_MAX: Duration = Duration::from_mins(10);
/// How long an idle connection to a server is kept, and how many per server.
const IDLE_WAIT: Duration = Duration::from_secs(15);
const IDLE_MAX: usize = 8;
/// Longest head of an answer, in bytes.
const HEAD_BYTES_MAX: usize = 256 * 1024;

/// By this the page, a test and a person recognise an answer of the guard's own.
const MARK: HeaderName = HeaderName::from_static("x-uiap-guard");

/// Headers that belong to one connection and not to the request.
const OF_CONNECTION: [&str; 8] = [
    "connection",
    "proxy-connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
];

/// Sends requests on.
pub(super) struct Forwarder {
    /// Over connections that are used again. A server may close one of them while a request is on its way.
    client: Client<Caller, AnyBody>,
    /// Over a connection for each request: for what must not be asked for twice, and for what came to nothing over one that
    /// was used again.
    fresh: Client<Caller, AnyBody>,
}

/// Both ends of a connection that became another one.
pub(super) type Ends = (OnUpgrade, Upgraded);

impl Forwarder {
    pub(super) fn new(trust: Arc<ClientConfig>) -> Self {
        let mut builder = Client::builder(TokioExecutor::new());
        builder.http1_preserve_header_case(true).http1_max_buf_size(HEAD_BYTES_MAX);
        let fresh = builder.clone().pool_max_idle_per_host(0).build(Caller { trust: Arc::clone(&trust) });
        builder.pool_timer(TokioTimer::new()).pool_idle_timeout(IDLE_WAIT).pool_max_idle_per_host(IDLE_MAX);
        Self { client: builder.build(Caller { trust }), fresh }
    }

    /// Gets the beginning of an answer. What only reads is asked for once more if the connection broke before there was any:
    /// that servers end idle connections whenever they like is no fault (RFC 9110, 9.2.2).
    async fn ask(&self, request: Request<AnyBody>) -> Result<Response<Incoming>, Fault> {
        let is_read =
            matches!(*request.method(), Method::GET | Method::HEAD) && request.body().is_end_stream();
        if !is_read || request.headers().contains_key(UPGRADE) {
            return self.fresh.request(request).await.map_err(|error| Fault::of(&error));
        }
        let (parts, body) = request.into_parts();
        let again = Request::from_parts(parts.clone(), Empty::new().map_err(|never| match never {}).boxed());
        match self.client.request(Request::from_parts(parts, body)).await {
            Err(error) if !error.is_connect() => {
                self.fresh.request(again).await.map_err(|error| Fault::of(&error))
            }
            answered => answered.map_err(|error| Fault::of(&error)),
        }
    }

    /// Sends a request and gives the answer; both ends as well, if the connection becomes another one.
    pub(super) async fn send(
        &self,
        mut request: Request<AnyBody>,
        to: Uri,
        upgrade: bool,
    ) -> Result<(Response<AnyBody>, Option<Ends>), Fault> {
        let browser = upgrade.then(|| hyper::upgrade::on(&mut request));
        strip(request.headers_mut(), upgrade);
        // The server is told the host as it is in the address, whatever the browser wrote.
        let host = to.host().unwrap_or_default();
        let host = to.port_u16().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        if let Ok(host) = HeaderValue::from_str(&host) {
            request.headers_mut().insert(HOST, host);
        }
        *request.uri_mut() = to;
        *request.version_mut() = hyper::Version::HTTP_11;
        let sent = tokio::time::timeout(ANSWER_WAIT, self.ask(request)).await;
        let mut response = sent.map_err(|_| Fault::TimedOut)??;
        let changes = response.status() == StatusCode::SWITCHING_PROTOCOLS;
        let ends = match (changes, browser) {
            (true, Some(browser)) => {
                let server = hyper::upgrade::on(&mut response).await.map_err(|error| Fault::of(&error))?;
                Some((browser, server))
            }
            (true, None) => {
                return Err(Fault::Broken { detail: "it changed the protocol unasked".to_owned() });
            }
            (false, _) => None,
        };
        strip(response.headers_mut(), changes);
        // The way by which the browser came is the only one.
        response.headers_mut().remove("alt-svc");
        Ok((response.map(|body| Patient::new(body).boxed()), ends))
    }
}

/// Takes away what belongs to one connection only.
fn strip(headers: &mut HeaderMap, upgrade: bool) {
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .filter(|name| !(upgrade && *name == UPGRADE))
        .collect();
    named.iter().for_each(|name| drop(headers.remove(name)));
    OF_CONNECTION.iter().for_each(|name| drop(headers.remove(*name)));
    if upgrade {
        headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
    } else {
        headers.remove(UPGRADE);
    }
}

/// Carries what comes from one end to the other, until one of them ends.
pub(super) async fn join(browser: OnUpgrade, server: Upgraded) {
    let Ok(browser) = browser.await else { return };
    // However it ends, both ends are dropped and notice it.
    let _ = tokio::io::copy_bidirectional(&mut TokioIo::new(browser), &mut TokioIo::new(server)).await;
}

/// An answer of the guard's own.
pub(super) fn answer(status: StatusCode, mark: Option<&'static str>, text: &str) -> Response<AnyBody> {
    let body = Full::new(Bytes::from(text.to_owned())).map_err(|never| match never {}).boxed();
    let mut response = Response::new(body);
    *response.status_mut() = status;
    if let Some(mark) = mark {
        let headers = response.headers_mut();
        headers.insert(MARK, HeaderValue::from_static(mark));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// A body that is waited for, but not endlessly.
struct Patient {
    body: Incoming,
    silence: Pin<Box<Sleep>>,
}

impl Patient {
    fn new(body: Incoming) -> Self {
        Self { body, silence: Box::pin(tokio::time::sleep(SILENCE_MAX)) }
    }
}

impl Body for Patient {
    type Data = Bytes;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            let next = Instant::now() + SILENCE_MAX;
            self.silence.as_mut().reset(next);
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        self.silence.as_mut().poll(context).map(|()| Some(Err(Fault::TimedOut.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::super::upstream::trust;
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};

    const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

    /// The method of the next request; nothing, if the line ends.
    async fn asked(line: &mut TcpStream) -> Option<String> {
        let mut read = Vec::new();
        while !read.ends_with(b"\r\n\r\n") {
            if line.read_buf(&mut read).await.unwrap() == 0 {
                return None;
            }
        }
        String::from_utf8(read).unwrap().split(' ').next().map(str::to_owned)
    }

    /// Answers the first request of each line and breaks off at the second; breaks off at once at what writes. Tells what
    /// it was asked for.
    async fn serve(listener: TcpListener, told: tokio::sync::mpsc::UnboundedSender<String>) {
        while let Ok((mut line, _)) = listener.accept().await {
            let told = told.clone();
            tokio::spawn(async move {
                let Some(method) = asked(&mut line).await else { return };
                let is_read = method == "GET";
                told.send(method).unwrap();
                if is_read {
                    line.write_all(ANSWER).await.unwrap();
                    asked(&mut line).await;
                }
            });
        }
    }

    async fn send(forwarder: &Forwarder, method: Method, to: &Uri) -> Result<u16, Fault> {
        let mut request = Request::new(Empty::new().map_err(|never| match never {}).boxed());
        *request.method_mut() = method;
        let (response, _) = forwarder.send(request, to.clone(), false).await?;
        let status = response.status().as_u16();
        response.into_body().collect().await.unwrap();
        Ok(status)
    }

    #[tokio::test]
    async fn a_read_outlives_the_end_of_an_idle_connection_and_a_write_is_sent_once() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let to: Uri = format!("http://{}/", listener.local_addr().unwrap()).parse().unwrap();
        let (told, mut heard) = tokio::sync::mpsc::unbounded_channel();
        tokio::spawn(serve(listener, told));
        let forwarder = Forwarder::new(trust(&[]).unwrap());
        for _ in 0..4 {
            assert_eq!(send(&forwarder, Method::GET, &to).await, Ok(200));
        }
        assert!(matches!(send(&forwarder, Method::POST, &to).await, Err(Fault::Broken { .. })));
        let mut all = Vec::new();
        while let Ok(method) = heard.try_recv() {
            all.push(method);
        }
        assert_eq!(all, ["GET", "GET", "GET", "GET", "POST"]);
    }
}
