//! A client for HTTP that says exactly what it is told to. It speaks version 1.0, in which answers are not cut into
//! chunks and end with the connection.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Nothing here takes this long unless it is broken.
const WAIT: Duration = Duration::from_mins(1);

pub(super) struct Answer {
    pub(super) head: String,
    pub(super) body: String,
}

impl Answer {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }
}

/// An answer whose body is still to be read.
pub(super) struct StreamingAnswer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: BufReader<TcpStream>,
}

impl StreamingAnswer {
    /// A header of the answer.
    pub(super) fn header(&self, name: &str) -> Option<String> {
        let lines = self.head.lines().filter_map(|line| line.split_once(':'));
        lines
            .filter(|(named, _)| named.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim().to_owned())
            .next()
    }

    /// The next event of a stream of events, as JSON; nothing at its end.
    pub(super) fn event(&mut self) -> Option<Value> {
        loop {
            let mut line = String::new();
            if self.body.read_line(&mut line).unwrap_or_default() == 0 {
                return None;
            }
            if let Some(data) = line.strip_prefix("data:").map(str::trim).filter(|data| !data.is_empty()) {
                return Some(serde_json::from_str(data).expect("JSON"));
            }
        }
    }
}

/// Sends a request; the body of the answer is left to be read.
pub(super) fn open(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> StreamingAnswer {
    let mut stream = TcpStream::connect(address).expect("it connects");
    stream.set_read_timeout(Some(WAIT)).expect("a timeout");
    let headers: Vec<_> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let headers = headers.concat();
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.0\r\nHost: {address}\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    )
    .expect("it is sent");
    let mut body = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(body.read_line(&mut head).expect("a head"), 0, "no answer to {method} {path}: {head}");
    }
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    StreamingAnswer { status, head, body }
}

pub(super) fn request(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Answer {
    let StreamingAnswer { head, body: mut rest, .. } = open(address, method, path, headers, body);
    let mut body = String::new();
    rest.read_to_string(&mut body).expect("a body");
    Answer { head, body }
}
