//! The page on which a person agrees, where the client cannot ask: on a loopback address, behind a name that nobody
//! can guess, once.
//!
//! Start at [`Approvals::slip`]. The address is for the person. A model that opened it through this server would agree
//! with itself, so the page does not answer while an application of this server shows it, and `open` refuses it.

use super::errand::{Errand, Question, Stage};
use axum::Router;
use axum::extract::{Form, Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;
use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::net::TcpListener;
use tokio::sync::OnceCell;
use tokio::time::{Duration, Instant};
use uiap_runtime::life::CONFIRMATION_WAIT_MS_MAX;
use uiap_runtime::question::question;

/// Most questions that wait for a person at one time.
const SLIPS_MAX: usize = 64;
/// Longest answer of a form, in bytes.
const FORM_BYTES_MAX: usize = 1_024;
/// What the page may do: nothing but show itself and send its form here. Nobody may frame it.
const CONTENT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// Tells what the applications of this server show, as addresses.
pub(super) type Shown = Arc<dyn Fn() -> Option<String> + Send + Sync>;

/// The page on which a person agrees. Nothing listens before the first question.
pub(super) struct Approvals {
    shown: Shown,
    listening: OnceCell<SocketAddr>,
    slips: Arc<Slips>,
}

#[derive(Default)]
struct Slips(Mutex<HashMap<String, Slip>>);

/// One question to a person.
struct Slip {
    errand: Arc<Errand>,
    question: Arc<Question>,
    /// Only who has read the page can answer it.
    answer_with: String,
    until: Instant,
}

struct Desk {
    slips: Arc<Slips>,
    shown: Shown,
    address: SocketAddr,
}

impl Approvals {
    /// Nothing is asked yet.
    pub(super) fn new(shown: Shown) -> Self {
        Self { shown, listening: OnceCell::new(), slips: Arc::default() }
    }

    /// The address at which a person can answer. Nothing, if this machine lets nobody listen.
    pub(super) async fn slip(&self, errand: &Arc<Errand>, question: &Arc<Question>) -> Option<String> {
        let address = *self.listening.get_or_try_init(|| self.listen()).await.ok()?;
        if let Some(name) = self.slips.name_of(question) {
            return Some(format!("http://{address}/{name}"));
        }
        let name = random_name()?;
        let slip = Slip {
            errand: Arc::clone(errand),
            question: Arc::clone(question),
            answer_with: random_name()?,
            until: Instant::now() + Duration::from_millis(CONFIRMATION_WAIT_MS_MAX),
        };
        self.slips.put(name.clone(), slip).then(|| format!("http://{address}/{name}"))
    }

    /// Whether an address is one of this page.
    pub(super) fn is_own(&self, address: &str) -> bool {
        self.listening.get().is_some_and(|own| leads_to(address, *own))
    }

    async fn listen(&self) -> std::io::Result<SocketAddr> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let desk = Desk { slips: Arc::clone(&self.slips), shown: Arc::clone(&self.shown), address };
        let pages = Router::new()
            .route("/{name}", get(show).post(decide))
            .layer(axum::extract::DefaultBodyLimit::max(FORM_BYTES_MAX))
            .with_state(Arc::new(desk));
        tokio::spawn(async move { axum::serve(listener, pages).await });
        Ok(address)
    }
}

impl Slips {
    fn locked(&self) -> MutexGuard<'_, HashMap<String, Slip>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, name: String, slip: Slip) -> bool {
        let mut slips = self.locked();
        slips.retain(|_, slip| slip.is_open());
        let has_room = slips.len() < SLIPS_MAX;
        if has_room {
            slips.insert(name, slip);
        }
        has_room
    }

    /// The name of the slip that asks this already.
    fn name_of(&self, question: &Arc<Question>) -> Option<String> {
        let slips = self.locked();
        let mut open = slips.iter().filter(|(_, slip)| slip.is_open());
        open.find(|(_, slip)| Arc::ptr_eq(&slip.question, question)).map(|(name, _)| name.clone())
    }

    /// What a person reads, and the word with which he answers.
    fn read(&self, name: &str) -> Option<(Arc<Question>, String)> {
        let slips = self.locked();
        let slip = slips.get(name).filter(|slip| slip.is_open())?;
        Some((Arc::clone(&slip.question), slip.answer_with.clone()))
    }

    /// Takes a slip away for whoever has its word: it is answered once.
    fn take(&self, name: &str, answer_with: &str) -> Option<Slip> {
        let mut slips = self.locked();
        let is_his = slips.get(name).is_some_and(|slip| slip.is_open() && slip.answer_with == answer_with);
        is_his.then(|| slips.remove(name)).flatten()
    }
}

impl Slip {
    /// It has time left, and its action still asks just this.
    fn is_open(&self) -> bool {
        let asks = |stage: &Stage| matches!(stage, Stage::Asks(asked) if Arc::ptr_eq(asked, &self.question));
        Instant::now() < self.until && self.question.is_open() && asks(&self.errand.stage().borrow())
    }
}

impl Desk {
    /// Somebody who came here by our address, and not through an application that we show.
    fn admits(&self, headers: &HeaderMap) -> bool {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        // Another name for this address would be that of somebody else's page (DNS rebinding).
        let is_ours = host == Some(self.address.to_string().as_str());
        let is_shown = (self.shown)().is_some_and(|shown| leads_to(&shown, self.address));
        is_ours && !is_shown
    }
}

#[derive(Deserialize)]
struct Decision {
    answer_with: String,
    agree: String,
}

async fn show(State(desk): State<Arc<Desk>>, Path(name): Path<String>, headers: HeaderMap) -> Response {
    if !desk.admits(&headers) {
        return page(StatusCode::FORBIDDEN, "<p>This page is for the person, in a browser of their own.</p>");
    }
    match desk.slips.read(&name) {
        Some((asked, answer_with)) => page(StatusCode::OK, &form(&asked, &answer_with)),
        None => page(StatusCode::NOT_FOUND, "<p>Nothing is asked here (any more).</p>"),
    }
}

async fn decide(
    State(desk): State<Arc<Desk>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    Form(decision): Form<Decision>,
) -> Response {
    let origin = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok());
    let is_own_form = origin == Some(format!("http://{}", desk.address).as_str());
    if !desk.admits(&headers) || !is_own_form {
        return page(StatusCode::FORBIDDEN, "<p>This was not sent by the form of this page.</p>");
    }
    let Some(slip) = desk.slips.take(&name, &decision.answer_with) else {
        return page(StatusCode::NOT_FOUND, "<p>Nothing is asked here (any more).</p>");
    };
    let agrees = decision.agree == "yes";
    match slip.errand.answer(&slip.question, agrees).await {
        Ok(()) if agrees => page(StatusCode::OK, "<p>You agreed. It goes on.</p>"),
        Ok(()) => page(StatusCode::OK, "<p>You did not agree. Nothing is done.</p>"),
        Err(error) => page(StatusCode::CONFLICT, &format!("<p>{}.</p>", escaped(&error.to_string()))),
    }
}

fn form(asked: &Question, answer_with: &str) -> String {
    let lines = escaped(&question(&asked.request).join("\n"));
    format!(
        "<pre>{lines}</pre><form method=\"post\"><input type=\"hidden\" name=\"answer_with\" \
         value=\"{answer_with}\"><button name=\"agree\" value=\"yes\">Do it</button> \
         <button name=\"agree\" value=\"no\" autofocus>Do not</button></form>"
    )
}

fn page(status: StatusCode, body: &str) -> Response {
    let html = Html(format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Shall it be done?</title>\
         <style>body{{font:1rem/1.5 system-ui;margin:3rem auto;max-width:45rem}}pre{{white-space:pre-wrap;\
         border-left:4px solid;padding-left:1rem}}button{{font:inherit;padding:.4rem 1rem}}</style>\
         <h1>An agent asks you</h1>{body}</html>"
    ));
    let mut response = (status, html).into_response();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Whether an address leads to a port of this machine.
fn leads_to(address: &str, own: SocketAddr) -> bool {
    let Ok(url) = url::Url::parse(address) else { return false };
    let is_local = match url.host() {
        Some(url::Host::Ipv4(host)) => host.is_loopback() || host.is_unspecified(),
        Some(url::Host::Ipv6(host)) => {
            host.is_loopback() || host.is_unspecified() || host.to_ipv4_mapped().is_some()
        }
        Some(url::Host::Domain(host)) => host == "localhost" || host.ends_with(".localhost"),
        None => false,
    };
    is_local && url.port_or_known_default() == Some(own.port())
}

/// A name that nobody can guess.
pub(super) fn random_name() -> Option<String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(format!("{:032x}", u128::from_be_bytes(bytes)))
}
