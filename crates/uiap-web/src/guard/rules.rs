//! What may leave the browser while nothing may be written. Start at [`judge`].
//!
//! A request passes if its method only reads and its address commands nothing, if the environment declares it as a
//! read, or if its body is provably a question. Everything else is held back: what cannot be judged is not let through.

use super::pattern::Pattern;
use super::{address, graphql, words};
use uiap_protocol::text::{Format, Limits, Node, Value, read, utf8};
use url::{Origin, Url};

/// Longest body that is judged, in bytes. Longer ones are held back.
pub const BODY_BYTES_MAX: usize = 256 * 1024;
/// Longest address that is judged, in bytes.
pub(super) const ADDRESS_BYTES_MAX: usize = 64 * 1024;

/// What an environment declares.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Where the application is. Documents from elsewhere are not shown in place of its pages.
    pub home: Vec<Origin>,
    /// Further places that pages may lead to.
    pub elsewhere: Vec<Origin>,
    /// Requests that only read, whatever they look like.
    pub reads: Vec<Pattern>,
    /// Every WebSocket that only reads: commands that go over one are not seen.
    pub sockets: Vec<Pattern>,
    /// Where procedures are called (JSON-RPC).
    pub procedures: Vec<Procedures>,
}

/// An address where procedures are called by JSON-RPC.
#[derive(Clone, Debug)]
pub struct Procedures {
    /// Where.
    pub at: Pattern,
    /// Procedures that only read, besides those whose name begins with a word like `get`, `list` or `search` and
    /// has no word in it that writes.
    pub reads: Vec<String>,
}

/// A request that wants to leave the browser: all of it that matters here.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The method, in capitals.
    pub method: &'a str,
    /// Where to.
    pub url: &'a Url,
    /// What for.
    pub wanted: Wanted,
    /// It asks to become a connection of another kind, such as a WebSocket.
    pub upgrade: bool,
    /// A header says that another method is meant.
    pub other_method: bool,
    /// The kind of its body.
    pub content_type: &'a str,
    /// Its body.
    pub body: AskedBody<'a>,
}

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A document in place of the page.
    Page,
    /// A document in a frame of a page.
    Frame,
    /// Anything else.
    Part,
}

/// The body of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedBody<'a> {
    /// All of it.
    Whole(&'a [u8]),
    /// More than [`BODY_BYTES_MAX`], or not there in time.
    Unknown,
}

/// What a guard says to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Go on.
    Pass(Grounds),
    /// Go nowhere.
    Hold(Reason),
}

/// Why a request may pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grounds {
    /// Its method only reads, and its address commands nothing.
    Read,
    /// The environment declares it as a read.
    Declared,
    /// It is a GraphQL query.
    Query,
    /// It calls procedures that only read.
    Procedure,
    /// The gate is open; this is why a closed one would have held it back.
    OpenGate(Reason),
}

/// Why a request is held back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// Its method can write.
    #[error("its method can write")]
    Method,
    /// It says that another method is meant.
    #[error("it says that another method is meant")]
    OtherMethod,
    /// Its address commands something.
    #[error("its address looks like a command: {word}")]
    Command {
        /// The part that does.
        word: String,
    },
    /// It is a link that was meant for one person, who agrees by following it.
    #[error("its address carries a token by which somebody agrees to something")]
    TokenLink,
    /// It leads a page to where programs are served.
    #[error("it leads a page to where only programs are served")]
    ForPrograms,
    /// It leads the page to another application.
    #[error("it leads to another application")]
    Elsewhere,
    /// It is a WebSocket or the like.
    #[error("it opens a connection whose commands are not seen")]
    Socket,
    /// It is GraphQL that does not only ask.
    #[error("it is a GraphQL mutation or subscription, or asks for a field that is called like one")]
    Mutation,
    /// It is GraphQL whose text only the server knows.
    #[error("it names a stored GraphQL document whose text is not known")]
    StoredQuery,
    /// It calls a procedure that is not known to read.
    #[error("it calls a procedure that is not known to only read: {name}")]
    Procedure {
        /// Which.
        name: String,
    },
    /// Its body is too long to be judged.
    #[error("its body is too long, or too slow, to be judged")]
    TooLong,
    /// It cannot be understood.
    #[error("it cannot be understood")]
    Unreadable,
}

impl Reason {
    /// One word for it, for evidence and counters.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Method => "method",
            Self::OtherMethod => "other_method",
            Self::Command { .. } => "command",
            Self::TokenLink => "token_link",
            Self::ForPrograms => "for_programs",
            Self::Elsewhere => "elsewhere",
            Self::Socket => "socket",
            Self::Mutation => "mutation",
            Self::StoredQuery => "stored_query",
            Self::Procedure { .. } => "procedure",
            Self::TooLong => "too_long",
            Self::Unreadable => "unreadable",
        }
    }

    /// Its being held back is evidence that the request writes, and not only that it leads away or is not understood.
    pub fn is_write(&self) -> bool {
        !matches!(self, Self::Elsewhere | Self::ForPrograms | Self::Unreadable)
    }
}

impl Rules {
    /// Rules of an application that declares nothing, at these addresses.
    pub fn of(home: &[Url]) -> Self {
        Self { home: home.iter().map(Url::origin).collect(), ..Self::default() }
    }

    fn is_home(&self, url: &Url) -> bool {
        self.home.contains(&plain(url))
    }

    pub(super) fn is_read_socket(&self, url: &Url) -> bool {
        self.sockets.iter().any(|pattern| pattern.means("GET", url, self.is_home(url)))
    }
}

/// A WebSocket belongs to the origin of the page beside it.
fn plain(url: &Url) -> Origin {
    let mut plain = url.clone();
    let scheme = match url.scheme() {
        "ws" => "http",
        "wss" => "https",
        other => other,
    };
    match plain.set_scheme(scheme) {
        Ok(()) => plain.origin(),
        Err(()) => url.origin(),
    }
}

/// The body decides, so that it has to be read before anything is said.
pub(super) fn is_judged_by_body(method: &str, content_type: &str) -> bool {
    method == "POST" && is_json(content_type)
}

/// What a closed gate says to a request.
pub fn judge(rules: &Rules, asked: &Asked<'_>) -> Judgement {
    match pass(rules, asked) {
        Ok(grounds) => Judgement::Pass(grounds),
        Err(reason) => Judgement::Hold(reason),
    }
}

fn pass(rules: &Rules, asked: &Asked<'_>) -> Result<Grounds, Reason> {
    let Asked { method, url, .. } = *asked;
    if asked.upgrade {
        let is_read = method == "GET" && rules.is_read_socket(url);
        return if is_read { Ok(Grounds::Declared) } else { Err(Reason::Socket) };
    }
    let is_home = rules.is_home(url);
    if asked.wanted == Wanted::Page && !is_home && !rules.elsewhere.contains(&url.origin()) {
        return Err(Reason::Elsewhere);
    }
    if asked.other_method || address::means_other_method(url, method) {
        return Err(Reason::OtherMethod);
    }
    if rules.reads.iter().any(|pattern| pattern.means(method, url, is_home)) {
        return Ok(Grounds::Declared);
    }
    match method {
        "OPTIONS" => Ok(Grounds::Read),
        "GET" | "HEAD" => get(asked),
        "POST" => post(rules, asked, is_home),
        _ => Err(Reason::Method),
    }
}

fn get(asked: &Asked<'_>) -> Result<Grounds, Reason> {
    if let Some(reason) = address::command(asked.url, asked.wanted) {
        return Err(reason);
    }
    if asked.wanted != Wanted::Part && address::is_for_programs(asked.url) {
        return Err(Reason::ForPrograms);
    }
    Ok(Grounds::Read)
}

fn post(rules: &Rules, asked: &Asked<'_>, is_home: bool) -> Result<Grounds, Reason> {
    if !is_json(asked.content_type) || asked.wanted != Wanted::Part {
        return Err(Reason::Method);
    }
    let AskedBody::Whole(body) = asked.body else { return Err(Reason::TooLong) };
    let text = utf8(body, Limits::MESSAGE).map_err(|_| Reason::Method)?;
    let sent = read(text, Format::Json, Limits::MESSAGE).map_err(|_| Reason::Method)?;
    let calls = match &sent.value {
        Value::List(calls) if !calls.is_empty() => calls.as_slice(),
        Value::Object(_) => std::slice::from_ref(&sent),
        _ => return Err(Reason::Method),
    };
    let by_procedures =
        rules.procedures.iter().find(|procedures| procedures.at.means("POST", asked.url, is_home));
    if let Some(procedures) = by_procedures {
        calls.iter().try_for_each(|call| procedure(procedures, call))?;
        return Ok(Grounds::Procedure);
    }
    // The address may name another document than the body, and only the server knows which one counts.
    let rivals = ["query", "extensions", "documentId", "doc_id"];
    if asked.url.query_pairs().any(|(key, _)| rivals.contains(&&*key)) {
        return Err(Reason::Method);
    }
    if let Some(reason) = address::command(asked.url, asked.wanted) {
        return Err(reason);
    }
    calls.iter().try_for_each(question)?;
    Ok(Grounds::Query)
}

fn is_json(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || kind == "application/graphql+json"
}

/// The text of a member, if there is exactly one of that name.
fn text<'n>(call: &'n Node<'_>, name: &str) -> Option<&'n str> {
    let mut found = call.members().iter().filter(|member| member.key == name);
    match (found.next().map(|member| &member.node.value), found.next()) {
        (Some(Value::Text(text)), None) => Some(text),
        _ => None,
    }
}

/// A request of GraphQL that only asks.
fn question(call: &Node<'_>) -> Result<(), Reason> {
    let known = ["query", "variables", "operationName", "extensions"];
    let has = |name: &str| call.members().iter().any(|member| member.key == name);
    if !has("query") && (has("extensions") || has("documentId") || has("id") || has("doc_id")) {
        return Err(Reason::StoredQuery);
    }
    // A member that GraphQL does not know may mean anything; one that comes twice may be read either way.
    if call.members().iter().any(|member| !known.contains(&&*member.key)) {
        return Err(Reason::Method);
    }
    let document = text(call, "query").ok_or(Reason::Method)?;
    match graphql::read(document) {
        graphql::Document::Queries(roots) if asks_only(&roots) => Ok(()),
        graphql::Document::Queries(_) | graphql::Document::Writes => Err(Reason::Mutation),
        graphql::Document::Stranger => Err(Reason::Method),
    }
}

/// No field of a query is called like a command.
pub(super) fn asks_only(roots: &[&str]) -> bool {
    !roots.iter().any(|field| begins_writing(field))
}

/// A field of a query that is called like a command: there are servers that do not care what they are asked by.
fn begins_writing(field: &str) -> bool {
    let words = words::words(field);
    let Some((first, rest)) = words.split_first() else { return false };
    !rest.is_empty() && words::is_one_of(first, words::WRITE_VERBS)
}

fn procedure(known: &Procedures, call: &Node<'_>) -> Result<(), Reason> {
    let name = text(call, "method").ok_or(Reason::Method)?;
    if known.reads.iter().any(|read| read == name) || is_reading(name) {
        return Ok(());
    }
    Err(Reason::Procedure { name: name.chars().take(80).collect() })
}

/// The last part of a procedure's name begins with a word that reads, and no word in the name writes. What is called
/// `query` and nothing else takes any command of a language of its own.
fn is_reading(name: &str) -> bool {
    let last = words::words(name.rsplit(['.', '/', ':']).next().unwrap_or_default());
    let begins = last.first().is_some_and(|word| words::is_one_of(word, words::READ_VERBS));
    begins
        && last != ["query"]
        && !words::words(name).iter().any(|word| words::is_one_of(word, words::WRITE_VERBS))
}
