//! Addresses that an environment names: `POST /api/search`, `https://host/graph*`.

use std::str::FromStr;
use url::Url;

/// Longest pattern, in bytes.
const PATTERN_BYTES_MAX: usize = 2_000;

/// Addresses that look alike.
///
/// `*` stands for any text, `:name` for one segment of a path. A pattern that begins with `/` means addresses of the
/// application itself; any other begins with a scheme and a host. Without `?` it says nothing about the query. Before
/// it may stand a method; without one it means every method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    method: Option<String>,
    parts: Vec<Part>,
    at_home: bool,
    with_query: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// Anything but `/`, at least one character.
    Segment,
    Anything,
}

/// A text is not a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{text}\" is not a pattern of addresses; write it as \"POST /api/search\" or \"https://host/path*\", \
     in at most {PATTERN_BYTES_MAX} bytes"
)]
pub struct BadPattern {
    text: String,
}

impl FromStr for Pattern {
    type Err = BadPattern;

    fn from_str(text: &str) -> Result<Self, BadPattern> {
        let bad = || BadPattern { text: text.chars().take(80).collect() };
        let (method, address) = match text.trim().split_once(' ') {
            Some((method, address)) => (Some(method), address.trim()),
            None => (None, text.trim()),
        };
        let is_method = |method: &str| method.bytes().all(|byte| byte.is_ascii_uppercase());
        let at_home = address.starts_with('/');
        let is_whole = address.split_once("://").is_some_and(|(scheme, rest)| {
            matches!(scheme, "http" | "https" | "ws" | "wss") && !rest.is_empty() && !rest.starts_with('/')
        });
        let is_clean = !address.contains(char::is_whitespace) && text.len() <= PATTERN_BYTES_MAX;
        if !is_clean || !(at_home || is_whole) || !method.is_none_or(is_method) {
            return Err(bad());
        }
        // A WebSocket begins as a request, and is judged as one.
        let address = &match address.strip_prefix("ws") {
            Some(rest) => format!("http{rest}"),
            None => address.to_owned(),
        };
        Ok(Self {
            method: method.map(str::to_owned),
            parts: parts(address),
            at_home,
            with_query: address.contains('?'),
        })
    }
}

fn parts(address: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut rest = address.chars().peekable();
    while let Some(next) = rest.next() {
        let part = match next {
            '*' => Part::Anything,
            // A colon elsewhere stands before a port or belongs to the text.
            ':' if text.ends_with('/') && rest.peek().is_some_and(char::is_ascii_alphabetic) => {
                while rest.next_if(|next| next.is_ascii_alphanumeric() || *next == '_').is_some() {}
                Part::Segment
            }
            _ => {
                text.push(next);
                continue;
            }
        };
        parts.push(Part::Text(std::mem::take(&mut text)));
        parts.push(part);
    }
    parts.push(Part::Text(text));
    parts
}

impl Pattern {
    /// Whether a request is meant. `at_home` says that it goes to the application itself.
    pub(super) fn means(&self, method: &str, url: &Url, at_home: bool) -> bool {
        if self.at_home && !at_home || self.method.as_deref().is_some_and(|own| own != method) {
            return false;
        }
        let end = if self.with_query { url::Position::AfterQuery } else { url::Position::AfterPath };
        let from = if self.at_home { url::Position::BeforePath } else { url::Position::BeforeScheme };
        fits(&self.parts, &url[from..end])
    }
}

/// Whether a text has these parts, in this order and nothing else. The last `*` gives way, as in any shell: what
/// comes before it never has to be looked at again.
fn fits(parts: &[Part], text: &str) -> bool {
    let (mut part, mut place) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    loop {
        let rest = text.get(place..).unwrap_or_default();
        let step = match parts.get(part) {
            None if rest.is_empty() => return true,
            None => None,
            Some(Part::Anything) => {
                retry = Some((part, place));
                Some(0)
            }
            Some(Part::Segment) => Some(rest.find(['/', '?']).unwrap_or(rest.len())).filter(|len| *len > 0),
            Some(Part::Text(wanted)) => rest.starts_with(wanted.as_str()).then_some(wanted.len()),
        };
        match (step, retry) {
            (Some(len), _) => {
                part += 1;
                place += len;
            }
            (None, Some((star, from))) => {
                let Some(next) = text.get(from..).and_then(|rest| rest.chars().next()) else { return false };
                retry = Some((star, from + next.len_utf8()));
                part = star + 1;
                place = from + next.len_utf8();
            }
            (None, None) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn means(pattern: &str, request: &str) -> bool {
        let (method, url) = request.split_once(' ').unwrap();
        let url = Url::parse(url).unwrap();
        let at_home = url.host_str() == Some("home.test");
        pattern.parse::<Pattern>().unwrap().means(method, &url, at_home)
    }

    #[test]
    fn a_pattern_means_what_it_says_and_nothing_else() {
        for (pattern, request) in [
            ("POST /api/search", "POST https://home.test/api/search?q=1"),
            ("/api/*", "PUT https://home.test/api/a/b"),
            ("/users/:id/rows", "POST https://home.test/users/17/rows"),
            ("/rpc?kind=read*", "POST https://home.test/rpc?kind=read&x=1"),
            ("POST https://graph.test:8443/*/query", "POST https://graph.test:8443/a/b/query"),
            ("POST /a*b*c", "POST https://home.test/aXbYbZc"),
            ("wss://feed.test/live", "GET https://feed.test/live"),
            ("ws://feed.test/live", "GET http://feed.test/live"),
        ] {
            assert!(means(pattern, request), "{pattern} means {request}");
        }
        for (pattern, request) in [
            ("POST /api/search", "POST https://home.test/api/search/more"),
            ("POST /api/search", "PUT https://home.test/api/search"),
            ("/api/*", "POST https://else.test/api/a"),
            ("/users/:id/rows", "POST https://home.test/users/1/2/rows"),
            ("/users/:id/rows", "POST https://home.test/users//rows"),
            ("/rpc?kind=read*", "POST https://home.test/rpc?kind=write"),
            ("https://graph.test/*", "POST https://graph.test.evil.test/x"),
            ("POST /a*b*c", "POST https://home.test/aXbYbZ"),
        ] {
            assert!(!means(pattern, request), "{pattern} does not mean {request}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for bad in ["", "api", "post /x", "POST", "ftp://x/", "https://", "https:///x", "/a b", "GET PUT /x"]
        {
            assert!(bad.parse::<Pattern>().is_err(), "{bad}");
        }
        assert!(format!("/{}", "x".repeat(3_000)).parse::<Pattern>().is_err());
    }
}
