//! Who may come in from the network, and as whom.
//!
//! Start at [`Guard::admit`]. A token in the `Authorization` header says who comes; without tokens only this machine
//! may come, and only by a name of this machine. A page of a browser comes with its origin, and only from those that
//! were named.

use crate::session::Party;
use axum::http::header::{AUTHORIZATION, HOST, HeaderMap, ORIGIN};

/// Shortest token that is taken.
pub const TOKEN_CHARS_MIN: usize = 16;

/// A text that only its owner knows. It is never shown.
pub struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("[withheld]")
    }
}

impl Token {
    /// A token that is not too easy to guess.
    pub fn new(token: impl Into<String>) -> Result<Self, WeakToken> {
        let token = token.into();
        let legal = token.len() >= TOKEN_CHARS_MIN && token.bytes().all(|byte| byte.is_ascii_graphic());
        if legal { Ok(Self(token)) } else { Err(WeakToken) }
    }

    /// Compares in a time that says nothing about how much is the same.
    pub(super) fn is(&self, other: &str) -> bool {
        let differences = self.0.bytes().zip(other.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
        self.0.len() == other.len() && differences == 0
    }
}

/// What opens the door.
#[derive(Debug)]
pub struct Credential {
    token: Token,
    party: Party,
}

/// A token that is too easy to guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a token has at least {TOKEN_CHARS_MIN} characters, and no spaces")]
pub struct WeakToken;

impl Credential {
    /// A token, and who has it.
    pub fn new(token: impl Into<String>, party: Party) -> Result<Self, WeakToken> {
        Ok(Self { token: Token::new(token)?, party })
    }
}

/// Why somebody does not come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwelcome {
    /// There is no token that is known.
    #[error("a known token is needed in the header \"Authorization: Bearer\"")]
    Unauthorized,
    /// A page of an origin that nobody named.
    #[error("pages of this origin may not come in")]
    Origin,
    /// This machine was called by a name that is not its own.
    #[error("without a token this machine is called by a loopback name only")]
    Host,
}

/// Says who comes.
#[derive(Debug, Default)]
pub struct Guard {
    /// Whoever has one of these. Without any, everybody on this machine is an agent.
    pub credentials: Vec<Credential>,
    /// The origins whose pages may come.
    pub origins: Vec<String>,
}

impl Guard {
    /// Everybody needs a token.
    pub fn needs_token(&self) -> bool {
        !self.credentials.is_empty()
    }

    /// As whom somebody comes in.
    pub fn admit(&self, headers: &HeaderMap) -> Result<Party, Unwelcome> {
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        if let Some(origin) = text(&ORIGIN)
            && !self.origins.iter().any(|known| known == origin)
        {
            return Err(Unwelcome::Origin);
        }
        if !self.needs_token() {
            // A page that gave its own name this machine's address would come without an origin of its own.
            let is_ours = text(&HOST).is_some_and(is_loopback);
            return if is_ours { Ok(Party::Agent) } else { Err(Unwelcome::Host) };
        }
        let token = text(&AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        let token = token.ok_or(Unwelcome::Unauthorized)?;
        let known = self.credentials.iter().find(|credential| credential.token.is(token.trim()));
        known.map(|credential| credential.party).ok_or(Unwelcome::Unauthorized)
    }
}

/// Whether a `Host` names this machine.
pub(super) fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(guard: &Guard, headers: &[(&'static str, &'static str)]) -> Result<Party, Unwelcome> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, axum::http::HeaderValue::from_static(value));
        }
        guard.admit(&map)
    }

    #[test]
    fn a_token_says_who_comes_and_nothing_else_does() {
        let credential = |token: &str, party| Credential::new(token, party).expect("a strong token");
        let guard = Guard {
            credentials: vec![
                credential("agent-agent-agent", Party::Agent),
                credential("person-person-person", Party::Person),
            ],
            origins: vec!["https://shop.example".to_owned()],
        };
        let with = |headers: &[(&'static str, &'static str)]| admitted(&guard, headers);
        assert_eq!(with(&[("authorization", "Bearer person-person-person")]), Ok(Party::Person));
        assert_eq!(with(&[("authorization", "Bearer agent-agent-agent")]), Ok(Party::Agent));
        assert_eq!(with(&[("authorization", "Bearer agent-agent-agenT")]), Err(Unwelcome::Unauthorized));
        assert_eq!(with(&[("authorization", "agent-agent-agent")]), Err(Unwelcome::Unauthorized));
        assert_eq!(with(&[("host", "localhost")]), Err(Unwelcome::Unauthorized));
        let token = ("authorization", "Bearer agent-agent-agent");
        assert_eq!(with(&[token, ("origin", "https://evil.example")]), Err(Unwelcome::Origin));
        assert_eq!(with(&[token, ("origin", "null")]), Err(Unwelcome::Origin));
        assert_eq!(with(&[token, ("origin", "https://shop.example")]), Ok(Party::Agent));
    }

    #[test]
    fn without_tokens_only_this_machine_comes() {
        let guard = Guard::default();
        for host in ["localhost:4871", "127.0.0.1", "127.0.0.1:4871", "[::1]:4871"] {
            assert_eq!(admitted(&guard, &[("host", host)]), Ok(Party::Agent), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example", "10.0.0.1:80", ""] {
            assert_eq!(admitted(&guard, &[("host", host)]), Err(Unwelcome::Host), "{host}");
        }
        assert_eq!(
            admitted(&guard, &[("host", "localhost"), ("origin", "http://localhost")]),
            Err(Unwelcome::Origin)
        );
        assert_eq!(admitted(&guard, &[]), Err(Unwelcome::Host));
    }

    #[test]
    fn a_short_token_is_none() {
        assert!(Credential::new("short", Party::Agent).is_err());
        assert!(Credential::new("long enough but spaced", Party::Agent).is_err());
    }
}
