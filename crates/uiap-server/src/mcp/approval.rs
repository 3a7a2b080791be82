//! The approval page: where a person agrees if the client has no forms. It listens on a loopback address, and each
//! question has its own page, which is good for one answer.
//!
//! Start at [`Approvals::ask`]. The address is no secret, as the model may read it aloud; who agrees types the code that
//! a [`PersonNotifier`] shows where the model does not look. Every answer of this listener carries
//! [`APPROVAL_PAGE_HEADER`]: no browser that uiap drives shows it, of whichever process it is.

use super::errand::{Errand, Question, Stage};
use super::notifier::{ApprovalCode, ApprovalNotice, CodePlace, PersonNotifier};
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Router, middleware};
use serde::Deserialize;
use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::net::TcpListener;
use tokio::sync::OnceCell;
use tokio::time::{Duration, Instant};
use uiap_runtime::consent::APPROVAL_PAGE_HEADER;
use uiap_runtime::life::CONFIRMATION_WAIT_MS_MAX;
use uiap_runtime::question::question;

/// Most questions that wait for a person at one time.
const APPROVALS_MAX: usize = 64;
/// How often a wrong code can be typed before the question is denied.
const TRIES_MAX: u8 = 5;
/// Longest answer of a form, in bytes.
const FORM_BYTES_MAX: usize = 1_024;
/// What the page may do: show itself and send its form here. No page may frame it.
const CONTENT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
/// What browsers without a window call themselves. No person reads a page there.
const WINDOWLESS: &str = "Headless";

/// Where a person was asked.
pub(super) struct Invitation {
    /// Where the question stands.
    pub(super) address: String,
    /// Where the code was shown; never empty.
    pub(super) places: Vec<CodePlace>,
}

/// The approval page. Nothing listens before the first question.
pub(super) struct Approvals {
    notifier: Arc<dyn PersonNotifier>,
    listening: OnceCell<SocketAddr>,
    /// One question is shown at a time, and each of them once.
    showing: tokio::sync::Mutex<()>,
    pending: Arc<PendingApprovals>,
}

#[derive(Default)]
struct PendingApprovals(Mutex<HashMap<String, PendingApproval>>);

/// One question to a person, and what answers it.
struct PendingApproval {
    errand: Arc<Errand>,
    question: Arc<Question>,
    notice: Arc<ApprovalNotice>,
    /// What the filled address of the notice carries, until it was opened.
    ticket: Option<String>,
    places: Vec<CodePlace>,
    /// The form of this page has it.
    answer_with: String,
    tries_left: u8,
    until: Instant,
}

/// What serves the pages.
struct ApprovalSite {
    pending: Arc<PendingApprovals>,
    address: SocketAddr,
}

impl Approvals {
    /// No question is asked yet.
    pub(super) fn new(notifier: Arc<dyn PersonNotifier>) -> Self {
        let (listening, showing) = (OnceCell::new(), tokio::sync::Mutex::default());
        Self { notifier, listening, showing, pending: Arc::default() }
    }

    /// Asks a person, once for each question. Nothing, if there is no place for the page or for its code.
    pub(super) async fn ask(&self, errand: &Arc<Errand>, question: &Arc<Question>) -> Option<Invitation> {
        let address = *self.listening.get_or_try_init(|| self.listen()).await.ok()?;
        let _turn = self.showing.lock().await;
        if let Some(asked) = self.pending.asked(question) {
            return Some(asked);
        }
        let (name, ticket) = (random_name()?, random_name()?);
        let page = format!("http://{address}/{name}");
        let filled_address = format!("{page}?opened={ticket}");
        let notice = ApprovalNotice { address: page, code: ApprovalCode::random()?, filled_address };
        let notice = Arc::new(notice);
        let approval = PendingApproval {
            errand: Arc::clone(errand),
            question: Arc::clone(question),
            notice: Arc::clone(&notice),
            ticket: Some(ticket),
            places: Vec::new(),
            answer_with: random_name()?,
            tries_left: TRIES_MAX,
            until: Instant::now() + Duration::from_millis(CONFIRMATION_WAIT_MS_MAX),
        };
        if !self.pending.put(name.clone(), approval) {
            return None;
        }
        let places = self.notifier.notify(&notice).await;
        self.pending.shown(&name, &places);
        (!places.is_empty()).then(|| Invitation { address: notice.address.clone(), places })
    }

    async fn listen(&self) -> std::io::Result<SocketAddr> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let site = ApprovalSite { pending: Arc::clone(&self.pending), address };
        let pages = Router::new()
            .route("/{name}", get(show).post(decide))
            .layer(axum::extract::DefaultBodyLimit::max(FORM_BYTES_MAX))
            .layer(middleware::map_response(mark))
            .with_state(Arc::new(site));
        tokio::spawn(async move { axum::serve(listener, pages).await });
        Ok(address)
    }
}

impl PendingApprovals {
    fn locked(&self) -> MutexGuard<'_, HashMap<String, PendingApproval>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, name: String, approval: PendingApproval) -> bool {
        let mut pending = self.locked();
        pending.retain(|_, approval| approval.is_open());
        let has_room = pending.len() < APPROVALS_MAX;
        if has_room {
            pending.insert(name, approval);
        }
        has_room
    }

    /// Keeps where the code of an approval was shown. One that was shown nowhere is taken away.
    fn shown(&self, name: &str, places: &[CodePlace]) {
        let mut pending = self.locked();
        if places.is_empty() {
            pending.remove(name);
        } else if let Some(approval) = pending.get_mut(name) {
            approval.places = places.to_vec();
        }
    }

    /// Where this question was asked before.
    fn asked(&self, question: &Arc<Question>) -> Option<Invitation> {
        let pending = self.locked();
        // One without places is still being shown, by a call that was given up.
        let mut open = pending.values().filter(|approval| approval.is_open() && !approval.places.is_empty());
        let approval = open.find(|approval| Arc::ptr_eq(&approval.question, question))?;
        Some(Invitation { address: approval.notice.address.clone(), places: approval.places.clone() })
    }

    /// The form of an approval. The code is filled in if the page was opened with the ticket, which is good once.
    fn form(&self, name: &str, ticket: Option<&str>) -> Option<String> {
        let mut pending = self.locked();
        let approval = pending.get_mut(name).filter(|approval| approval.is_open())?;
        let is_opened_by_us =
            ticket.is_some() && approval.ticket.take_if(|own| Some(own.as_str()) == ticket).is_some();
        let code = if is_opened_by_us { approval.notice.code.shown() } else { String::new() };
        Some(form(&approval.question, &approval.answer_with, &code))
    }

    /// What an answer means. An approval that is answered is gone.
    fn take(&self, name: &str, decision: &Decision) -> DecisionOutcome {
        let mut pending = self.locked();
        let open = pending.get_mut(name).filter(|approval| approval.is_open());
        let Some(approval) = open.filter(|approval| approval.answer_with == decision.answer_with) else {
            return DecisionOutcome::Unknown;
        };
        let agrees = decision.agree == "yes";
        if agrees && !approval.notice.code.is_typed(&decision.code) {
            approval.tries_left = approval.tries_left.saturating_sub(1);
            if approval.tries_left > 0 {
                return DecisionOutcome::WrongCode { tries_left: approval.tries_left };
            }
            return pending.remove(name).map_or(DecisionOutcome::Unknown, DecisionOutcome::Guessed);
        }
        pending
            .remove(name)
            .map_or(DecisionOutcome::Unknown, |approval| DecisionOutcome::Answered { approval, agrees })
    }
}

/// What an answer means.
enum DecisionOutcome {
    /// There is no such question (any more).
    Unknown,
    /// The code is wrong, and can be typed again.
    WrongCode { tries_left: u8 },
    /// The code was wrong too often.
    Guessed(PendingApproval),
    /// The person decided.
    Answered { approval: PendingApproval, agrees: bool },
}

impl PendingApproval {
    /// It has time left, and its action still asks just this.
    fn is_open(&self) -> bool {
        let asks = |stage: &Stage| matches!(stage, Stage::Asks(asked) if Arc::ptr_eq(asked, &self.question));
        Instant::now() < self.until && self.question.is_open() && asks(&self.errand.stage().borrow())
    }
}

impl ApprovalSite {
    /// A browser with a window shows this page as a whole, under its own address. What a client does not say does not
    /// count: without the code it can do nothing.
    fn admits(&self, headers: &HeaderMap) -> bool {
        let said = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        // Another name for this address would be that of a page from elsewhere (DNS rebinding).
        let is_ours = said("host") == Some(self.address.to_string().as_str());
        let is_page = said("sec-fetch-mode").is_none_or(|mode| mode == "navigate")
            && said("sec-fetch-dest").is_none_or(|destination| destination == "document");
        let is_guess = headers.contains_key("sec-purpose");
        let is_windowless = said("user-agent").is_some_and(|agent| agent.contains(WINDOWLESS));
        is_ours && is_page && !is_guess && !is_windowless
    }

    /// The form of this very page sent it.
    fn admits_form(&self, headers: &HeaderMap) -> bool {
        let said = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let is_own = said("origin") == Some(format!("http://{}", self.address).as_str())
            && said("sec-fetch-site").is_none_or(|site| site == "same-origin");
        is_own && self.admits(headers)
    }
}

#[derive(Deserialize)]
struct Visit {
    opened: Option<String>,
}

#[derive(Deserialize)]
struct Decision {
    answer_with: String,
    agree: String,
    #[serde(default)]
    code: String,
}

async fn show(
    State(site): State<Arc<ApprovalSite>>,
    Path(name): Path<String>,
    Query(visit): Query<Visit>,
    headers: HeaderMap,
) -> Response {
    if !site.admits(&headers) {
        return page(StatusCode::FORBIDDEN, "<p>This page is for the person, in a browser of their own.</p>");
    }
    match site.pending.form(&name, visit.opened.as_deref()) {
        Some(form) => page(StatusCode::OK, &form),
        None => page(StatusCode::NOT_FOUND, "<p>Nothing is asked here (any more).</p>"),
    }
}

async fn decide(
    State(site): State<Arc<ApprovalSite>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    Form(decision): Form<Decision>,
) -> Response {
    if !site.admits_form(&headers) {
        return page(StatusCode::FORBIDDEN, "<p>This was not sent by the form of this page.</p>");
    }
    match site.pending.take(&name, &decision) {
        DecisionOutcome::Unknown => page(StatusCode::NOT_FOUND, "<p>Nothing is asked here (any more).</p>"),
        DecisionOutcome::WrongCode { tries_left } => {
            let form = site.pending.form(&name, None).unwrap_or_default();
            let body = format!("<p>This is not the code. Tries left: {tries_left}.</p>{form}");
            page(StatusCode::FORBIDDEN, &body)
        }
        DecisionOutcome::Guessed(approval) => {
            // An action that has ended meanwhile needs no denial.
            let _ = approval.errand.deny(&approval.question, "a wrong code was typed too often");
            page(StatusCode::FORBIDDEN, "<p>The code was wrong too often. Nothing is done.</p>")
        }
        DecisionOutcome::Answered { approval, agrees } => {
            match approval.errand.answer(&approval.question, agrees).await {
                Ok(()) if agrees => page(StatusCode::OK, "<p>You agreed. It goes on.</p>"),
                Ok(()) => page(StatusCode::OK, "<p>You did not agree. Nothing is done.</p>"),
                Err(error) => page(StatusCode::CONFLICT, &format!("<p>{}.</p>", escaped(&error.to_string()))),
            }
        }
    }
}

fn form(asked: &Question, answer_with: &str, code: &str) -> String {
    let lines = escaped(&question(&asked.request).join("\n"));
    format!(
        "<pre>{lines}</pre><form method=\"post\" autocomplete=\"off\"><input type=\"hidden\" name=\"answer_with\" \
         value=\"{answer_with}\"><p><label>Code that uiap showed you: <input name=\"code\" value=\"{code}\" size=\"12\" \
         spellcheck=\"false\" autofocus></label></p><button name=\"agree\" value=\"yes\">Do it</button> \
         <button name=\"agree\" value=\"no\">Do not</button></form>"
    )
}

fn page(status: StatusCode, body: &str) -> Response {
    // A page that was open before uiap looks at it has no headers any more; the mark in it says the same.
    let html = Html(format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"{APPROVAL_PAGE_HEADER}\">\
         <title>Agree to an action?</title>\
         <style>body{{font:1rem/1.5 system-ui;margin:3rem auto;max-width:45rem}}pre{{white-space:pre-wrap;\
         border-left:4px solid;padding-left:1rem}}button,input{{font:inherit;padding:.4rem 1rem}}</style>\
         <h1>An agent asks you</h1>{body}</html>"
    ));
    (status, html).into_response()
}

/// Whatever this listener answers, it says so about it.
async fn mark(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(HeaderName::from_static(APPROVAL_PAGE_HEADER), HeaderValue::from_static("1"));
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A name that cannot be guessed.
pub(super) fn random_name() -> Option<String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(format!("{:032x}", u128::from_be_bytes(bytes)))
}
