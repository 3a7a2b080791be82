//! Reads one document of an application by a plain request, which is held to the rules of the guard.

use super::forward::Forwarder;
use super::rules::{Asked, AskedBody, Judgement, Reason, Rules, Wanted, judge};
use super::upstream::{Fault, trust};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header::LOCATION;
use hyper::{Request, Uri};
use std::time::Duration;
use url::Url;

/// Largest document, in bytes.
pub const DOCUMENT_BYTES_MAX: usize = 4 * 1024 * 1024;
/// How long a document may take, wherever it leads.
const FETCH_WAIT: Duration = Duration::from_secs(20);
/// How often a document may be elsewhere.
const REDIRECTS_MAX: usize = 3;

/// Why there is no document.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The guard holds the request back.
    #[error("{address} is not asked for: {reason}")]
    Held {
        /// Where it is, or leads.
        address: String,
        /// Why.
        reason: Reason,
    },
    /// Nobody answers.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// No connection can be made safe.
    #[error("connections cannot be encrypted")]
    Encryption(#[from] rustls::Error),
    /// The server has none.
    #[error("the server answers {status}")]
    Status {
        /// With what.
        status: u16,
    },
    /// It is too large.
    #[error("it has more than {DOCUMENT_BYTES_MAX} bytes")]
    TooLarge,
    /// It leads in circles, or nowhere.
    #[error("it leads somewhere else all the time")]
    Circle,
}

/// Reads a document as a text. No cookie and no login goes along.
pub async fn fetch(rules: &Rules, url: &Url) -> Result<String, FetchError> {
    let read = tokio::time::timeout(FETCH_WAIT, follow(rules, url.clone())).await;
    read.unwrap_or(Err(FetchError::Fault(Fault::TimedOut)))
}

async fn follow(rules: &Rules, mut url: Url) -> Result<String, FetchError> {
    let forwarder = Forwarder::new(trust(&[])?);
    for _ in 0..=REDIRECTS_MAX {
        url.set_fragment(None);
        if let Judgement::Hold(reason) = judge(rules, &asked(&url)) {
            return Err(FetchError::Held { address: url.to_string(), reason });
        }
        let to: Uri = url.as_str().parse().map_err(|_| FetchError::Circle)?;
        let request = Request::new(Full::new(Bytes::new()).map_err(|never| match never {}).boxed());
        let (response, _) = forwarder.send(request, to, false).await?;
        let status = response.status();
        if status.is_redirection() {
            let next = response.headers().get(LOCATION).and_then(|next| url.join(next.to_str().ok()?).ok());
            url = next.ok_or(FetchError::Circle)?;
            continue;
        }
        if !status.is_success() {
            return Err(FetchError::Status { status: status.as_u16() });
        }
        let (mut body, mut bytes) = (response.into_body(), Vec::new());
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| FetchError::Fault(Fault::of(&*error)))?;
            bytes.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data));
            if bytes.len() > DOCUMENT_BYTES_MAX {
                return Err(FetchError::TooLarge);
            }
        }
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    Err(FetchError::Circle)
}

/// A document is asked for as a page is: it must be one of this application.
fn asked(url: &Url) -> Asked<'_> {
    Asked {
        method: "GET",
        url,
        wanted: Wanted::Page,
        upgrade: false,
        other_method: false,
        content_type: "",
        body: AskedBody::Whole(&[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    /// A server that answers one request after the other with these texts.
    fn server(answers: Vec<String>) -> Url {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = Url::parse(&format!("http://{}/map.xml", listener.local_addr().unwrap())).unwrap();
        std::thread::spawn(move || {
            for answer in answers {
                let (mut stream, _) = listener.accept().unwrap();
                let mut head = [0; 4096];
                let _ = stream.read(&mut head);
                // Whoever has read enough goes away.
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        url
    }

    fn answer(head: &str, body: &str) -> String {
        format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
    }

    async fn said(answers: Vec<String>) -> String {
        let url = server(answers);
        let read = fetch(&Rules::of(std::slice::from_ref(&url)), &url).await;
        read.unwrap_or_else(|error| error.to_string())
    }

    #[tokio::test]
    async fn a_document_is_read_within_bounds_and_within_the_application() {
        assert_eq!(said(vec![answer("200 OK", "text")]).await, "text");
        assert_eq!(said(vec![answer("404 Not Found", "")]).await, "the server answers 404");
        let moved = || answer("302 Found\r\nlocation: /other.xml", "");
        assert_eq!(said(vec![moved(), answer("200 OK", "there")]).await, "there");
        assert_eq!(
            said(vec![moved(), moved(), moved(), moved()]).await,
            "it leads somewhere else all the time"
        );
        let away = answer("302 Found\r\nlocation: https://elsewhere.example/", "");
        assert!(said(vec![away]).await.contains("another application"));
        let command = answer("302 Found\r\nlocation: /videos/1/delete", "");
        assert!(said(vec![command]).await.contains("looks like a command"));
        let large = answer("200 OK", &"x".repeat(DOCUMENT_BYTES_MAX + 1));
        assert_eq!(said(vec![large]).await, format!("it has more than {DOCUMENT_BYTES_MAX} bytes"));
    }
}
