//! The doors of `uiap serve` that listen.

use crate::Trouble;
use crate::report::sentence;
use clap::Args;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use uiap_runtime::surface::Surface;
use uiap_server::doors::app::{APP_PATH, Lobby, Rules, TICKETS_PATH};
use uiap_server::doors::guard::{Credential, Guard, Token};
use uiap_server::doors::net::{ListenError, Listening, listen};
use uiap_server::doors::tls::{self, TlsAcceptor};
use uiap_server::doors::{SESSIONS_PATH, WS_PATH};
use uiap_server::serving::House;
use uiap_server::session::Party;
use uiap_store::SqliteJournal;
use uiap_web::app::PAGE_MESSAGE_BYTES_MAX;

/// Largest file that is taken for a token, in bytes.
const TOKEN_BYTES_MAX: u64 = 4_096;

/// Where to listen, and to whom.
#[derive(Args, Debug)]
#[command(next_help_heading = "Network")]
pub(super) struct NetworkFlags {
    /// Listen at this address and port; port 0 takes any free one
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,
    /// Agents need the token in this file; other machines cannot come without one
    #[arg(long, value_name = "FILE", requires = "listen")]
    token_file: Option<PathBuf>,
    /// Whoever has the token in this file is the person, who is asked about what is risky
    #[arg(long, value_name = "FILE", requires = "listen")]
    person_token_file: Option<PathBuf>,
    /// Whoever has the token in this file may look
    #[arg(long, value_name = "FILE", requires = "listen")]
    observer_token_file: Option<PathBuf>,
    /// Pages of this origin may connect; may be given more than once
    #[arg(long, value_name = "ORIGIN", requires = "listen")]
    allow_origin: Vec<String>,
    /// The application takes part by itself: its pages of this origin connect, and no browser is started; may be given
    /// more than once
    #[arg(long, value_name = "ORIGIN", requires = "listen", conflicts_with = "url")]
    app_origin: Vec<String>,
    /// The backend of the application needs the token in this file to get tickets for its pages
    #[arg(long, value_name = "FILE", requires = "app_origin")]
    app_token_file: Option<PathBuf>,
    /// A certificate in PEM form: everything is encrypted
    #[arg(long, value_name = "FILE", requires_all = ["listen", "tls_key"])]
    tls_cert: Option<PathBuf>,
    /// The key of the certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

/// Somebody who listens, and has let nobody in yet.
pub(super) struct Ready {
    listening: Listening,
    guard: Guard,
    acceptor: Option<TlsAcceptor>,
    /// Pages of the application itself may come, too.
    has_pages: bool,
}

impl Ready {
    /// Pages of the application itself may come, too.
    pub(super) fn with_pages(self, lobby: Arc<Lobby>) -> Self {
        Self { listening: self.listening.with_pages(lobby), has_pages: true, ..self }
    }

    /// Serves for as long as it is waited for.
    pub(super) async fn serve<S: Surface + 'static>(
        self,
        house: Arc<House<S, SqliteJournal>>,
    ) -> std::io::Result<()> {
        let (secure, at) = (if self.acceptor.is_some() { "s" } else { "" }, self.listening.address());
        writeln!(
            std::io::stderr(),
            "Listening: ws{secure}://{at}{WS_PATH} and http{secure}://{at}{SESSIONS_PATH}"
        )?;
        if self.has_pages {
            writeln!(
                std::io::stderr(),
                "Waiting for a page of the application at ws{secure}://{at}{APP_PATH}, with a ticket from \
                 http{secure}://{at}{TICKETS_PATH}"
            )?;
        }
        self.listening.serve(house, self.guard, self.acceptor).await;
        Ok(())
    }
}

impl NetworkFlags {
    /// A person can come in.
    pub(super) fn asks_people(&self) -> bool {
        self.person_token_file.is_some()
    }

    /// The application whose pages connect by themselves: the first of its origins.
    pub(super) fn application(&self) -> Option<&str> {
        self.app_origin.first().map(String::as_str)
    }

    /// Who is let in as a page of the application.
    pub(super) fn pages(&self, chance: fn() -> [u8; 16]) -> Result<Rules, Trouble> {
        for origin in &self.app_origin {
            let sound =
                url::Url::parse(origin).is_ok_and(|url| url.origin().ascii_serialization() == *origin);
            if !sound {
                let message = format!("\"{origin}\" is no origin such as https://shop.example.");
                return Err(Trouble::WrongUse(message));
            }
        }
        let token = self.app_token_file.as_deref().map(|path| {
            let wrong = |error| Trouble::WrongUse(format!("{}: {error}.", path.display()));
            Token::new(token_in(path)?).map_err(wrong)
        });
        let token = token.transpose()?;
        if token.is_none() && self.guard()?.needs_token() {
            let message =
                "Where others need a token, the application does, too: name a file with --app-token-file.";
            return Err(Trouble::WrongUse(message.to_owned()));
        }
        let origins = self.app_origin.clone();
        Ok(Rules { origins, token, message_bytes_max: PAGE_MESSAGE_BYTES_MAX, chance })
    }

    /// Takes the address, where one is wanted, before anything else is begun.
    pub(super) async fn open(&self) -> Result<Option<Ready>, Trouble> {
        let Some(address) = self.listen else { return Ok(None) };
        let guard = self.guard()?;
        let acceptor = match (&self.tls_cert, &self.tls_key) {
            (Some(certificate), Some(key)) => Some(
                tls::acceptor(certificate, key)
                    .map_err(|error| Trouble::WrongUse(format!("{:#}.", anyhow::Error::new(error))))?,
            ),
            _ => None,
        };
        let listening = listen(address, &guard).await.map_err(|error| unheard(&error))?;
        Ok(Some(Ready { listening, guard, acceptor, has_pages: false }))
    }

    fn guard(&self) -> Result<Guard, Trouble> {
        let files = [
            (&self.token_file, Party::Agent),
            (&self.person_token_file, Party::Person),
            (&self.observer_token_file, Party::Observer),
        ];
        let mut guard = Guard { credentials: Vec::new(), origins: self.allow_origin.clone() };
        for (path, party) in files {
            if let Some(path) = path {
                let wrong = |error| Trouble::WrongUse(format!("{}: {error}.", path.display()));
                guard.credentials.push(Credential::new(token_in(path)?, party).map_err(wrong)?);
            }
        }
        Ok(guard)
    }
}

fn token_in(path: &Path) -> Result<String, Trouble> {
    use std::io::Read;
    let unread =
        |error: std::io::Error| Trouble::WrongUse(format!("{} cannot be read: {error}.", path.display()));
    let file = std::fs::File::open(path).map_err(unread)?;
    let mut text = String::new();
    file.take(TOKEN_BYTES_MAX).read_to_string(&mut text).map_err(unread)?;
    Ok(text.trim().to_owned())
}

fn unheard(error: &ListenError) -> Trouble {
    match error {
        ListenError::NeedsToken { .. } => {
            Trouble::WrongUse(format!("{}: name a file with --token-file.", sentence(&error.to_string())))
        }
        ListenError::Refused { source, .. } => {
            Trouble::Missing(format!("{}: {source}.", sentence(&error.to_string())))
        }
    }
}
