//! The door for the page of an application that takes part by itself (decision 13).
//!
//! Start at [`Lobby`]. A browser sends the origin of a page along and no page can change it, and the page carries a
//! ticket that its own backend fetched here: good once, and not for long. It travels among the sub-protocols, because a
//! page cannot set headers and an address ends up in logs. Whoever comes this way is the application and nobody else,
//! whatever its messages say.

use super::guard::{Token, is_loopback};
use super::net::Shared;
use super::{SUB_PROTOCOL, http};
use crate::session::{Farewell, trouble};
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade, rejection::WebSocketUpgradeRejection};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, HOST, HeaderMap, ORIGIN, SEC_WEBSOCKET_PROTOCOL};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};
use uiap_protocol::core::CoreErrorCode;
use uiap_runtime::journal::Journal;
use uiap_runtime::surface::Surface;

/// Where a page of the application connects.
pub const APP_PATH: &str = "/uiap/app";
/// Where the backend of the application fetches tickets.
pub const TICKETS_PATH: &str = "/uiap/tickets";
/// How the sub-protocol begins that carries a ticket.
pub const TICKET_PREFIX: &str = "uiap.ticket.";
/// How long a ticket is good.
pub const TICKET_LIFE: Duration = Duration::from_mins(1);
/// Most tickets that nobody has used.
pub const TICKETS_MAX: usize = 64;
/// Most messages on their way, in each direction.
const LINK_MAX: usize = 16;
/// Longest time that a page may take to read one message.
const WRITE_WAIT: Duration = Duration::from_secs(20);
/// How often a page is asked for a sign of life, which its browser gives.
const PING_EVERY: Duration = Duration::from_secs(20);
/// After so long without any the page is gone.
const SILENCE_MAX: Duration = Duration::from_mins(1);

/// What a page that was let in is brought to.
pub trait Place: Send + Sync + 'static {
    /// Talks to the page until one side ends it, and says how.
    fn enter(
        &self,
        inbound: mpsc::Receiver<String>,
        outbound: mpsc::Sender<String>,
    ) -> Pin<Box<dyn Future<Output = Farewell> + Send>>;
}

/// What a lobby is set to.
#[derive(Debug)]
pub struct Rules {
    /// The origins whose pages are the application.
    pub origins: Vec<String>,
    /// What the backend of the application shows to get tickets. Without one, programs on this machine get them.
    pub token: Option<Token>,
    /// Largest message of a page, in bytes.
    pub message_bytes_max: usize,
    /// Numbers that nobody can guess.
    pub chance: fn() -> [u8; 16],
}

/// Lets pages of the application in.
pub struct Lobby {
    rules: Rules,
    tickets: Mutex<VecDeque<Ticket>>,
    place: Box<dyn Place>,
}

struct Ticket {
    token: Token,
    until: Instant,
}

impl std::fmt::Debug for Lobby {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Lobby").field("rules", &self.rules).finish_non_exhaustive()
    }
}

/// Why there is no ticket, or no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum Unfit {
    #[error("a page gets its ticket from its own backend, which asks for it here")]
    Page,
    #[error("the token of the application is needed in the header \"Authorization: Bearer\"")]
    Unauthorized,
    #[error("without a token this machine is called by a loopback name only")]
    Host,
    #[error("too many tickets wait to be used")]
    TooMany,
    #[error("pages of this origin are not the application")]
    Origin,
    #[error("a ticket that is unused and not older than a minute is needed among the sub-protocols")]
    Ticket,
}

impl Unfit {
    fn status(self) -> StatusCode {
        match self {
            Self::Page | Self::Host | Self::Origin => StatusCode::FORBIDDEN,
            Self::Unauthorized | Self::Ticket => StatusCode::UNAUTHORIZED,
            Self::TooMany => StatusCode::TOO_MANY_REQUESTS,
        }
    }

    fn code(self) -> CoreErrorCode {
        match self {
            Self::Page | Self::Host | Self::Origin => CoreErrorCode::Forbidden,
            Self::Unauthorized | Self::Ticket => CoreErrorCode::Unauthorized,
            Self::TooMany => CoreErrorCode::RateLimited,
        }
    }
}

impl Lobby {
    /// A lobby before a place.
    pub fn new(rules: Rules, place: Box<dyn Place>) -> Arc<Self> {
        Arc::new(Self { rules, tickets: Mutex::default(), place })
    }

    /// A ticket for the backend of the application. `others_need_tokens` is said of everybody else here.
    fn issue(&self, headers: &HeaderMap, others_need_tokens: bool) -> Result<String, Unfit> {
        if headers.contains_key(ORIGIN) {
            return Err(Unfit::Page);
        }
        match &self.rules.token {
            Some(token) => {
                let shown = text(headers, &AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
                if !shown.is_some_and(|shown| token.is(shown.trim())) {
                    return Err(Unfit::Unauthorized);
                }
            }
            None if others_need_tokens => return Err(Unfit::Unauthorized),
            None if !text(headers, &HOST).is_some_and(is_loopback) => return Err(Unfit::Host),
            None => {}
        }
        let written = URL_SAFE_NO_PAD.encode((self.rules.chance)());
        let token = Token::new(written.as_str()).map_err(|_| Unfit::TooMany)?;
        let now = Instant::now();
        let mut tickets = self.tickets.lock().unwrap_or_else(PoisonError::into_inner);
        tickets.retain(|ticket| ticket.until > now);
        if tickets.len() >= TICKETS_MAX {
            return Err(Unfit::TooMany);
        }
        tickets.push_back(Ticket { token, until: now + TICKET_LIFE });
        Ok(written)
    }

    /// Whether these are the headers of a page of the application; its ticket is used up.
    fn admit(&self, headers: &HeaderMap) -> Result<(), Unfit> {
        let origin = text(headers, &ORIGIN).unwrap_or_default();
        if !self.rules.origins.iter().any(|known| known == origin) {
            return Err(Unfit::Origin);
        }
        let offered = text(headers, &SEC_WEBSOCKET_PROTOCOL).unwrap_or_default();
        let shown = offered.split(',').find_map(|word| word.trim().strip_prefix(TICKET_PREFIX));
        let shown = shown.ok_or(Unfit::Ticket)?;
        let mut tickets = self.tickets.lock().unwrap_or_else(PoisonError::into_inner);
        let at = tickets.iter().position(|ticket| ticket.token.is(shown)).ok_or(Unfit::Ticket)?;
        let used = tickets.remove(at).ok_or(Unfit::Ticket)?;
        if used.until > Instant::now() { Ok(()) } else { Err(Unfit::Ticket) }
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name).map(|value| value.to_str().unwrap_or_default())
}

/// Gives a ticket to the backend of the application.
pub(super) async fn ticket<S: Surface + 'static, J: Journal + 'static>(
    State(hall): State<Shared<S, J>>,
    headers: HeaderMap,
) -> Response {
    let Some(lobby) = &hall.lobby else { return StatusCode::NOT_FOUND.into_response() };
    match lobby.issue(&headers, hall.guard.needs_token()) {
        Ok(ticket) => {
            let life = u64::try_from(TICKET_LIFE.as_millis()).unwrap_or(u64::MAX);
            let body = serde_json::json!({ "ticket": ticket, "expiresInMs": life });
            ([(CACHE_CONTROL, "no-store")], axum::Json(body)).into_response()
        }
        Err(unfit) => {
            let payload = trouble(unfit.code(), format!("{unfit}."));
            http::refused(&hall, unfit.status(), "", payload)
        }
    }
}

/// Opens the line to a page.
pub(super) async fn open<S: Surface + 'static, J: Journal + 'static>(
    State(hall): State<Shared<S, J>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let Some(lobby) = hall.lobby.clone() else { return StatusCode::NOT_FOUND.into_response() };
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade.protocols([SUB_PROTOCOL]),
        Err(rejection) => return rejection.into_response(),
    };
    if upgrade.selected_protocol().is_none() {
        let message = format!("The sub-protocol \"{SUB_PROTOCOL}\" is spoken here.");
        let payload = trouble(CoreErrorCode::UnsupportedVersion, message);
        return http::refused(&hall, StatusCode::BAD_REQUEST, "", payload);
    }
    if let Err(unfit) = lobby.admit(&headers) {
        let payload = trouble(unfit.code(), format!("{unfit}."));
        return http::refused(&hall, unfit.status(), "", payload);
    }
    let bytes_max = lobby.rules.message_bytes_max;
    let upgrade = upgrade.max_message_size(bytes_max).max_frame_size(bytes_max);
    upgrade.on_upgrade(move |socket| async move {
        let (speak, inbound) = mpsc::channel(LINK_MAX);
        let (outbound, listen) = mpsc::channel(LINK_MAX);
        let talk = tokio::spawn(lobby.place.enter(inbound, outbound));
        pump(socket, speak, listen, talk).await;
    })
}

/// Brings texts in and out until either side ends.
async fn pump(
    mut socket: WebSocket,
    speak: mpsc::Sender<String>,
    mut listen: mpsc::Receiver<String>,
    mut talk: JoinHandle<Farewell>,
) {
    let mut pings = interval(PING_EVERY);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut heard = Instant::now();
    let farewell = loop {
        tokio::select! {
            Some(text) = listen.recv() => {
                if !said(&mut socket, Message::Text(text.into())).await {
                    return;
                }
            }
            ended = &mut talk => break ended.unwrap_or(Farewell::Normal),
            _ = pings.tick() => {
                if heard.elapsed() > SILENCE_MAX || !said(&mut socket, Message::Ping(Vec::new().into())).await {
                    return;
                }
            }
            message = socket.recv() => {
                heard = Instant::now();
                match message {
                    Some(Ok(Message::Text(text))) => {
                        // Who does not listen any more says so by its end.
                        let _ = speak.send(text.as_str().to_owned()).await;
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Binary(_))) => break Farewell::NotText,
                    Some(Ok(Message::Close(_))) | None => return,
                    Some(Err(error)) => match super::ws::unreadable(error) {
                        Some(farewell) => break farewell,
                        None => return,
                    },
                }
            }
        }
    };
    while let Ok(text) = listen.try_recv() {
        if !said(&mut socket, Message::Text(text.into())).await {
            return;
        }
    }
    drop((speak, listen));
    super::ws::hang_up(socket, farewell).await;
}

async fn said(socket: &mut WebSocket, message: Message) -> bool {
    matches!(timeout(WRITE_WAIT, socket.send(message)).await, Ok(Ok(())))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nowhere;

    impl Place for Nowhere {
        fn enter(
            &self,
            _: mpsc::Receiver<String>,
            _: mpsc::Sender<String>,
        ) -> Pin<Box<dyn Future<Output = Farewell> + Send>> {
            Box::pin(async { Farewell::Normal })
        }
    }

    fn lobby(token: Option<&str>) -> Arc<Lobby> {
        static NEXT: std::sync::atomic::AtomicU8 = std::sync::atomic::AtomicU8::new(0);
        let rules = Rules {
            origins: vec!["http://127.0.0.1:4870".to_owned()],
            token: token.map(|token| Token::new(token).expect("a strong token")),
            message_bytes_max: 1_000,
            chance: || [NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed); 16],
        };
        Lobby::new(rules, Box::new(Nowhere))
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse()));
        pairs.map(|(name, value)| (name, value.expect("a value"))).collect()
    }

    const OURS: (&str, &str) = ("origin", "http://127.0.0.1:4870");

    #[tokio::test(start_paused = true)]
    async fn a_ticket_is_good_once_and_not_for_long() {
        let lobby = lobby(None);
        let at_home = headers(&[("host", "127.0.0.1:4871")]);
        let coming = |ticket: &str| {
            let protocols = format!("uiap.v0.1, {TICKET_PREFIX}{ticket}");
            lobby.admit(&headers(&[OURS, ("sec-websocket-protocol", &protocols)]))
        };
        let first = lobby.issue(&at_home, false).expect("a ticket");
        assert_eq!(coming("AAAAAAAAAAAAAAAAAAAAAA-"), Err(Unfit::Ticket));
        assert_eq!(coming(&first), Ok(()));
        assert_eq!(coming(&first), Err(Unfit::Ticket));
        let second = lobby.issue(&at_home, false).expect("a ticket");
        tokio::time::advance(TICKET_LIFE).await;
        assert_eq!(coming(&second), Err(Unfit::Ticket));
        for _ in 0..TICKETS_MAX {
            lobby.issue(&at_home, false).expect("a ticket");
        }
        assert_eq!(lobby.issue(&at_home, false), Err(Unfit::TooMany));
        tokio::time::advance(TICKET_LIFE).await;
        assert!(lobby.issue(&at_home, false).is_ok());
    }

    #[tokio::test]
    async fn a_page_of_another_origin_does_not_come_and_does_not_use_the_ticket_up() {
        let lobby = lobby(None);
        let ticket = lobby.issue(&headers(&[("host", "localhost")]), false).expect("a ticket");
        let protocols = format!("uiap.v0.1,{TICKET_PREFIX}{ticket}");
        let protocols = ("sec-websocket-protocol", protocols.as_str());
        for origin in ["http://127.0.0.1:4871", "https://127.0.0.1:4870", "null", ""] {
            assert_eq!(
                lobby.admit(&headers(&[("origin", origin), protocols])),
                Err(Unfit::Origin),
                "{origin}"
            );
        }
        assert_eq!(lobby.admit(&headers(&[protocols])), Err(Unfit::Origin));
        assert_eq!(lobby.admit(&headers(&[OURS])), Err(Unfit::Ticket));
        assert_eq!(
            lobby.admit(&headers(&[OURS, ("sec-websocket-protocol", "uiap.v0.1")])),
            Err(Unfit::Ticket)
        );
        assert_eq!(lobby.admit(&headers(&[OURS, protocols])), Ok(()));
    }

    #[tokio::test]
    async fn tickets_are_for_the_backend_of_the_application() {
        let open = lobby(None);
        let issued = |lobby: &Lobby, pairs: &[(&'static str, &str)], others| {
            lobby.issue(&headers(pairs), others).map(drop)
        };
        assert_eq!(issued(&open, &[("host", "localhost"), OURS], false), Err(Unfit::Page));
        assert_eq!(issued(&open, &[("host", "evil.example")], false), Err(Unfit::Host));
        assert_eq!(issued(&open, &[("host", "localhost")], true), Err(Unfit::Unauthorized));
        let guarded = lobby(Some("the-application-itself"));
        let bearer = |token| ("authorization", token);
        assert_eq!(issued(&guarded, &[("host", "localhost")], true), Err(Unfit::Unauthorized));
        assert_eq!(issued(&guarded, &[bearer("Bearer somebody-else-here")], true), Err(Unfit::Unauthorized));
        assert_eq!(issued(&guarded, &[bearer("Bearer the-application-itself")], true), Ok(()));
    }
}
