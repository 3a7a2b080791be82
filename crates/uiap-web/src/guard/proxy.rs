//! The side of a guard that the browser speaks to. Start at [`attend`].

use super::forward::{Forwarder, answer};
use super::log::{Fate, Log, Passage};
use super::rules::{
    ADDRESS_BYTES_MAX, Asked, AskedBody, BODY_BYTES_MAX, Grounds, Judgement, Rules, Wanted,
    is_judged_by_body, judge,
};
use super::upstream::Fault;
use super::{Authority, Gate, Order};
use crate::page::shown;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{
    ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap, UPGRADE, UPGRADE_INSECURE_REQUESTS,
};
use hyper::http::uri::Authority as Place;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::upgrade::Upgraded;
use hyper::{Method, Request, Response, StatusCode, Uri};
use hyper_util::rt::{TokioIo, TokioTimer};
use rustls::ClientConfig;
use std::convert::Infallible;
use std::io::Cursor;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio_rustls::TlsAcceptor;
use url::Url;

/// Connections of the browser at a time; further ones wait.
const CONNECTIONS_MAX: usize = 512;
/// Connections that became another one, tunnels and sockets, at a time; further ones wait.
const TUNNELS_MAX: usize = 1_024;
/// How long the browser may take to say what it wants, and to agree on encryption.
const HEAD_WAIT: Duration = Duration::from_secs(30);
/// How long the browser may take to send a body that is judged.
const BODY_WAIT: Duration = Duration::from_secs(10);
/// Bytes of a body that is held back which are taken before the connection is given up.
const HELD_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Longest head of a request, in bytes.
const HEAD_BYTES_MAX: usize = 256 * 1024;
/// Most headers of a request.
const HEADERS_MAX: usize = 256;
/// How long a listener rests after it could not take a call, as when there are no more files.
const ACCEPT_REST: Duration = Duration::from_millis(50);

/// Every connection that speaks TLS begins with this byte, and no request of HTTP does.
const TLS_FIRST: u8 = 0x16;
/// Headers by which a request says that it is something else.
const METHOD_HEADERS: [&str; 3] = ["x-http-method-override", "x-http-method", "x-method-override"];

pub(super) type AnyBody = BoxBody<Bytes, Box<dyn std::error::Error + Send + Sync>>;

/// Where a guard stands, and what it goes by.
pub(super) struct Post {
    authority: Arc<Authority>,
    rules: Rules,
    log: Arc<Log>,
    orders: watch::Receiver<Order>,
    forwarder: Forwarder,
    tunnels: Semaphore,
}

/// Where the requests of a connection go to, if the connection says so.
#[derive(Clone)]
struct Tunnel {
    scheme: &'static str,
    place: Place,
}

impl Post {
    pub(super) fn new(
        authority: Arc<Authority>,
        rules: Rules,
        trust: Arc<ClientConfig>,
        log: Arc<Log>,
        orders: watch::Receiver<Order>,
    ) -> Self {
        Self {
            authority,
            rules,
            log,
            orders,
            forwarder: Forwarder::new(trust),
            tunnels: Semaphore::new(TUNNELS_MAX),
        }
    }

    fn gate(&self) -> Gate {
        match *self.orders.borrow() {
            Order::Gate(gate) => gate,
            Order::Stop => Gate::Closed,
        }
    }

    /// Waits until the guard stops.
    async fn stopped(&self) {
        // Without anybody who could give an order, it stops too.
        let _ = self.orders.clone().wait_for(|order| *order == Order::Stop).await;
    }

    /// Waits until what an open gate let through has to end.
    async fn closed(&self) {
        let _ = self.orders.clone().wait_for(|order| *order != Order::Gate(Gate::Open)).await;
    }
}

/// Takes the calls of the browser until the guard stops.
pub(super) async fn attend(listener: TcpListener, post: Arc<Post>) {
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let taking = async {
        while let Ok(place) = Arc::clone(&places).acquire_owned().await {
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(ACCEPT_REST).await;
                continue;
            };
            // It only makes things faster.
            let _ = stream.set_nodelay(true);
            let post = Arc::clone(&post);
            tokio::spawn(async move {
                serve(stream, &post, None).await;
                drop(place);
            });
        }
    };
    tokio::select! {
        () = taking => {}
        () = post.stopped() => {}
    }
}

/// Answers the requests of a connection until it ends or the guard stops.
async fn serve(
    stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
    post: &Arc<Post>,
    tunnel: Option<Tunnel>,
) {
    let service = service_fn(|request| {
        let (post, tunnel) = (Arc::clone(post), tunnel.clone());
        async move { Ok::<_, Infallible>(receive(&post, tunnel, request).await) }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_WAIT).preserve_header_case(true);
    builder.max_buf_size(HEAD_BYTES_MAX).max_headers(HEADERS_MAX);
    let connection = builder.serve_connection(TokioIo::new(stream), service).with_upgrades();
    tokio::select! {
        // The browser may hang up at any time, and nobody is there to be told.
        _ = connection => {}
        () = post.stopped() => {}
    }
}

async fn receive(post: &Arc<Post>, tunnel: Option<Tunnel>, request: Request<Incoming>) -> Response<AnyBody> {
    if request.method() == Method::CONNECT {
        return match (tunnel, request.uri().authority().cloned()) {
            (None, Some(place)) => dig(post, place, request),
            _ => answer(StatusCode::BAD_REQUEST, None, "a tunnel needs the name of a host"),
        };
    }
    let Some(url) = target(tunnel.as_ref(), &request) else {
        return answer(StatusCode::BAD_REQUEST, None, "this is a proxy; it has no pages of its own");
    };
    decide(post, &url, request).await
}

/// Where a request goes to. Within a tunnel it goes where the tunnel goes, and may not say anything else.
fn target(tunnel: Option<&Tunnel>, request: &Request<Incoming>) -> Option<Url> {
    let address = match tunnel {
        None => request.uri().to_string(),
        Some(Tunnel { scheme, place }) => {
            let said = request.headers().get(HOST).and_then(|host| host.to_str().ok())?;
            let path = request.uri().path_and_query()?;
            let (said, meant) = (origin(scheme, said)?, origin(scheme, place.as_str())?);
            (said == meant && request.uri().authority().is_none())
                .then(|| format!("{scheme}://{place}{path}"))?
        }
    };
    let url = Url::parse(&address).ok().filter(|_| address.len() <= ADDRESS_BYTES_MAX)?;
    matches!(url.scheme(), "http" | "https").then_some(url)
}

fn origin(scheme: &str, host: &str) -> Option<url::Origin> {
    Url::parse(&format!("{scheme}://{host}/")).ok().map(|url| url.origin())
}

/// Opens a tunnel in which requests are answered like outside of it.
fn dig(post: &Arc<Post>, place: Place, request: Request<Incoming>) -> Response<AnyBody> {
    let post = Arc::clone(post);
    tokio::spawn(async move {
        let Ok(_place) = post.tunnels.acquire().await else { return };
        let Ok(upgraded) = hyper::upgrade::on(request).await else { return };
        tokio::select! {
            () = enter(&post, place, upgraded) => {}
            () = post.stopped() => {}
        }
    });
    answer(StatusCode::OK, None, "")
}

/// Finds out whether what comes through a tunnel is encrypted: a WebSocket comes through a tunnel without being so.
async fn enter(post: &Arc<Post>, place: Place, upgraded: Upgraded) {
    let mut stream = TokioIo::new(upgraded);
    let mut first = [0; 1];
    let begun = tokio::time::timeout(HEAD_WAIT, stream.read_exact(&mut first)).await;
    if !matches!(begun, Ok(Ok(_))) {
        return;
    }
    let (rest, back) = tokio::io::split(stream);
    let stream = tokio::io::join(Cursor::new(first).chain(rest), back);
    if first != [TLS_FIRST] {
        return Box::pin(serve(stream, post, Some(Tunnel { scheme: "http", place }))).await;
    }
    let host = place.host().trim_start_matches('[').trim_end_matches(']');
    let config = match post.authority.config(host) {
        Ok(config) => config,
        Err(error) => return distrusted(post, &place, &error.to_string()),
    };
    match tokio::time::timeout(HEAD_WAIT, TlsAcceptor::from(config).accept(stream)).await {
        Ok(Ok(stream)) => Box::pin(serve(stream, post, Some(Tunnel { scheme: "https", place }))).await,
        Ok(Err(error)) => distrusted(post, &place, &error.to_string()),
        Err(_) => {}
    }
}

fn distrusted(post: &Post, place: &Place, detail: &str) {
    post.log.note(Passage {
        number: 0,
        method: "CONNECT".to_owned(),
        address: format!("https://{place}/"),
        host: place.to_string(),
        destination: None,
        fate: Fate::Failed(Fault::Distrusted { detail: detail.to_owned() }),
    });
}

/// Reads as much of a request as has to be judged, judges it, writes it down and acts accordingly.
async fn decide(post: &Arc<Post>, url: &Url, request: Request<Incoming>) -> Response<AnyBody> {
    let (parts, body) = request.into_parts();
    let content_type = header(&parts.headers, CONTENT_TYPE.as_str()).to_owned();
    let is_judged = is_judged_by_body(parts.method.as_str(), &content_type);
    // An open gate lets a long body pass unread; of a short one it is still said what it is.
    let (body, seen) = if is_judged && (post.gate() == Gate::Closed || is_short(&parts.headers)) {
        (None, seen(body).await)
    } else {
        (Some(body), None)
    };
    let upgrade = parts.headers.contains_key(UPGRADE);
    let asked = Asked {
        method: parts.method.as_str(),
        url,
        wanted: wanted(&parts.headers),
        upgrade,
        other_method: METHOD_HEADERS.iter().any(|name| parts.headers.contains_key(*name)),
        content_type: &content_type,
        body: seen.as_deref().map_or(AskedBody::Unknown, AskedBody::Whole),
    };
    let fate = match (judge(&post.rules, &asked), post.gate()) {
        (Judgement::Pass(grounds), _) => Fate::Passed(grounds),
        // Of a body that was too long to be judged there is nothing left to send.
        (Judgement::Hold(reason), Gate::Open) if body.is_some() || seen.is_some() => {
            Fate::Passed(Grounds::OpenGate(reason))
        }
        (Judgement::Hold(reason), _) => Fate::Held(reason),
    };
    let passage = passage(url, &parts, fate.clone());
    post.log.note(passage.clone());
    if let Fate::Held(reason) = fate {
        if let Some(body) = body {
            swallow(body).await;
        }
        return answer(StatusCode::FORBIDDEN, Some("held"), &format!("Held back by the guard: {reason}."));
    }
    let Ok(address) = url.as_str().parse::<Uri>() else {
        return answer(StatusCode::BAD_REQUEST, None, "this address cannot be sent on");
    };
    let body = match (body, seen) {
        (Some(body), _) => body.map_err(Into::into).boxed(),
        (None, seen) => {
            Full::new(Bytes::from(seen.unwrap_or_default())).map_err(|never| match never {}).boxed()
        }
    };
    let is_lasting = !matches!(passage.fate, Fate::Passed(Grounds::OpenGate(_)));
    let sent = post.forwarder.send(Request::from_parts(parts, body), address, upgrade).await;
    match sent {
        Ok((response, None)) => response,
        Ok((response, Some((browser, server)))) => {
            let post = Arc::clone(post);
            tokio::spawn(async move {
                let Ok(_place) = post.tunnels.acquire().await else { return };
                let ended = async { if is_lasting { post.stopped().await } else { post.closed().await } };
                tokio::select! {
                    () = super::forward::join(browser, server) => {}
                    () = ended => {}
                }
            });
            response
        }
        Err(fault) => {
            let told = format!("The guard let this through, but {fault}.");
            let status =
                if fault == Fault::TimedOut { StatusCode::GATEWAY_TIMEOUT } else { StatusCode::BAD_GATEWAY };
            post.log.note(Passage { fate: Fate::Failed(fault), ..passage });
            answer(status, Some("failed"), &told)
        }
    }
}

/// Lets the browser finish, so that it hears the answer and does not take it for a broken connection and try again.
async fn swallow(mut body: Incoming) {
    let mut left = HELD_BYTES_MAX;
    let swallowing = async {
        while let Some(Ok(frame)) = body.frame().await {
            let count = frame.data_ref().map_or(0, Bytes::len);
            left = left.saturating_sub(count);
            if left == 0 {
                return;
            }
        }
    };
    // Whatever is left of it after that ends with the connection.
    let _ = tokio::time::timeout(BODY_WAIT, swallowing).await;
}

/// The whole body, unless it is too long or too slow.
async fn seen(body: Incoming) -> Option<Vec<u8>> {
    let collected = http_body_util::Limited::new(body, BODY_BYTES_MAX).collect();
    let collected = tokio::time::timeout(BODY_WAIT, collected).await.ok()?.ok()?;
    Some(collected.to_bytes().to_vec())
}

fn is_short(headers: &HeaderMap) -> bool {
    header(headers, CONTENT_LENGTH.as_str()).parse().is_ok_and(|length: usize| length <= BODY_BYTES_MAX)
}

fn passage(url: &Url, parts: &hyper::http::request::Parts, fate: Fate) -> Passage {
    let host = url.host_str().unwrap_or_default();
    let destination = header(&parts.headers, "sec-fetch-dest");
    Passage {
        number: 0,
        method: parts.method.to_string(),
        address: shown(url.as_str()),
        host: url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")),
        destination: (!destination.is_empty()).then(|| destination.chars().take(40).collect()),
        fate,
    }
}

/// What the browser says that a request is for. To places it does not think safe it says nothing of the kind; there
/// the wish for a document tells, and a frame is taken for a page, which is the stricter of the two.
fn wanted(headers: &HeaderMap) -> Wanted {
    match (header(headers, "sec-fetch-mode"), header(headers, "sec-fetch-dest")) {
        ("navigate", "iframe" | "frame" | "fencedframe" | "object" | "embed") => Wanted::Frame,
        ("navigate", _) => Wanted::Page,
        ("", _) => {
            let is_document = headers.contains_key(UPGRADE_INSECURE_REQUESTS)
                || header(headers, ACCEPT.as_str()).starts_with("text/html");
            if is_document { Wanted::Page } else { Wanted::Part }
        }
        _ => Wanted::Part,
    }
}

fn header<'h>(headers: &'h HeaderMap, name: &str) -> &'h str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
