//! The server of the page: what arrives there is counted, and that is the truth about what was done.

use super::case::Reply;
use super::http;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Nothing here takes this long unless it is broken.
const WAIT: Duration = Duration::from_mins(1);

const HEAD: &str = "<!doctype html><title>Shop</title><script>
const post = async path => {
  try { await fetch(path, { method: 'POST' }); said.textContent = 'Arrived: ' + path; }
  catch { said.textContent = 'Not sent: ' + path; }
};
</script>";
const FOOT: &str = "<p role=status id=said></p>";

/// Connects the page with the server that it is to take part in.
const SDK: &str = "<script type=module>
import { createUIAPClient, webSocketTransport } from '/uiap-sdk/index.js';
const ticket = async () => (await fetch('/agents/ticket', { method: 'POST' })).text();
const transport = webSocketTransport({ url: 'ws://SERVER/uiap/app', ticket });
await createUIAPClient({ app: { id: 'shop', version: '1.0.0', profile: 'web@0.1' }, transport }).start();
</script>";

/// A page, how some requests are treated, and what arrived.
pub(super) struct Site {
    pub(super) address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    page: String,
    replies: BTreeMap<String, Reply>,
    arrived: Mutex<Vec<String>>,
    news: Condvar,
    /// Where pages take part, and the token that gets tickets.
    invited: Mutex<Option<(SocketAddr, String)>>,
}

impl Site {
    pub(super) fn start(page: &str, replies: BTreeMap<String, Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(Shared {
            page: format!("{HEAD}{page}{FOOT}"),
            replies,
            arrived: Mutex::default(),
            news: Condvar::new(),
            invited: Mutex::default(),
        });
        let server = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let server = Arc::clone(&server);
                std::thread::spawn(move || server.answer(stream));
            }
        });
        Self { address, shared }
    }

    pub(super) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(super) fn url(&self) -> String {
        format!("{}/", self.origin())
    }

    /// From now on the page takes part in this server.
    pub(super) fn invite(&self, server: SocketAddr, token: &str) {
        *lock(&self.shared.invited) = Some((server, token.to_owned()));
    }

    /// What arrived, and how often.
    pub(super) fn ledger(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for line in lock(&self.shared.arrived).iter() {
            *counts.entry(line.clone()).or_default() += 1;
        }
        counts
    }

    /// Waits until a request such as `POST /order` arrived.
    pub(super) fn wait_for(&self, request: &str) {
        let missing = |list: &mut Vec<String>| !list.iter().any(|line| line == request);
        let waited = self.shared.news.wait_timeout_while(lock(&self.shared.arrived), WAIT, missing);
        assert!(!waited.expect("a list").1.timed_out(), "{request} never arrived");
    }
}

impl Shared {
    fn answer(&self, mut stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
        let mut first = String::new();
        let _ = reader.read_line(&mut first);
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or_default() <= 2 {
                break;
            }
            let header = line.to_ascii_lowercase();
            length = header
                .strip_prefix("content-length:")
                .map_or(length, |text| text.trim().parse().unwrap_or(0));
        }
        let _ = reader.read_exact(&mut vec![0; length]);
        let mut words = first.split(' ');
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let (kind, body) = match (method, path) {
            ("GET", "/") => ("text/html", self.whole_page()),
            ("POST", "/agents/ticket") => ("text/plain", self.ticket()),
            ("GET", _) => ("text/javascript", sdk_file(path)),
            _ => {
                lock(&self.arrived).push(format!("{method} {path}"));
                self.news.notify_all();
                match self.replies.get(path) {
                    // The page ends before its patience does.
                    Some(Reply::Hang) => return drop(stream.read(&mut [0])),
                    Some(Reply::Cut) => return,
                    None => ("text/plain", String::new()),
                }
            }
        };
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}; charset=utf-8\r\nConnection: close");
        let _ = write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    }

    fn whole_page(&self) -> String {
        let sdk = lock(&self.invited).as_ref().map(|(server, _)| SDK.replace("SERVER", &server.to_string()));
        format!("{}{}", self.page, sdk.unwrap_or_default())
    }

    fn ticket(&self) -> String {
        let invited = lock(&self.invited).clone();
        let Some((server, token)) = invited else { return String::new() };
        if TcpStream::connect(server).is_err() {
            // A page that outlives its server asks in vain.
            return String::new();
        }
        let answer = http::request(
            server,
            "POST",
            "/uiap/tickets",
            &[("Authorization", &format!("Bearer {token}"))],
            "",
        );
        answer.json()["ticket"].as_str().unwrap_or_default().to_owned()
    }
}

/// A file of the SDK; nothing for all else that browsers ask for.
fn sdk_file(path: &str) -> String {
    let name = path.strip_prefix("/uiap-sdk/").unwrap_or_default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/sdk/dist");
    if name.is_empty() {
        String::new()
    } else {
        std::fs::read_to_string(folder.join(name)).unwrap_or_default()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
