//! What can go wrong with a page.

use super::StorageError;
use crate::cdp::CallError;
use uiap_protocol::finding::Finding;
use uiap_protocol::text::Fault;

/// Why there is no context.
#[derive(Debug, thiserror::Error)]
pub enum ContextError {
    /// The browser does not make one.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The context of a profile goes its own ways, and nothing would stand behind the proxy.
    #[error("the context of the browser's profile cannot be put behind a proxy; use a fresh one")]
    LastingProxy,
}

/// Why a page did not open.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The browser does not play along.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The address is not one.
    #[error("\"{url}\" is not an address that a browser can open")]
    Address {
        /// The address.
        url: String,
    },
    /// Nobody is there, or the way there is blocked.
    #[error("\"{url}\" cannot be reached: {fault}")]
    Unreachable {
        /// The address.
        url: String,
        /// Why.
        fault: NetworkFault,
    },
    /// The address is a file to keep, not a page to show.
    #[error("\"{url}\" is a download, not a page")]
    Download {
        /// The address.
        url: String,
    },
    /// A person agrees there to what an agent wants, and nothing that an agent drives shows it.
    #[error("\"{url}\" leads to a page where a person agrees to actions of agents; uiap does not open it")]
    ApprovalPage {
        /// The address.
        url: String,
    },
    /// Not even the beginning of a page came in time.
    #[error("\"{url}\" did not answer in time")]
    NoAnswer {
        /// The address.
        url: String,
    },
    /// What the page should begin with cannot be given to it.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The page took its process down with it.
    #[error("\"{url}\" crashed while it was opened")]
    Crashed {
        /// The address.
        url: String,
    },
}

/// Why an address cannot be reached.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkFault {
    /// The name means nothing.
    #[error("its host name is unknown")]
    NameUnknown,
    /// Nobody listens there.
    #[error("nobody listens there")]
    Refused,
    /// The connection broke.
    #[error("the connection was broken off")]
    Broken,
    /// It took too long.
    #[error("the connection took too long")]
    TimedOut,
    /// There is no network.
    #[error("the network cannot be reached")]
    Offline,
    /// One address leads to the next, and there is no last one.
    #[error("it redirects from one address to the next without end")]
    Redirects,
    /// The certificate is not to be trusted.
    #[error("its certificate is not trusted ({code})")]
    Certificate {
        /// The browser's word for it.
        code: String,
    },
    /// The server has nothing to show, or the browser stopped.
    #[error("the navigation was given up")]
    Aborted,
    /// The browser or the page forbids it.
    #[error("the browser does not allow it ({code})")]
    Blocked {
        /// The browser's word for it.
        code: String,
    },
    /// Something else.
    #[error("the browser reports {code}")]
    Other {
        /// The browser's word for it.
        code: String,
    },
}

impl NetworkFault {
    /// From the browser's word, such as `net::ERR_CONNECTION_REFUSED`.
    pub fn from_code(code: &str) -> Self {
        let code = code.strip_prefix("net::").unwrap_or(code);
        match code {
            "ERR_NAME_NOT_RESOLVED" | "ERR_NAME_RESOLUTION_FAILED" => Self::NameUnknown,
            "ERR_CONNECTION_REFUSED" | "ERR_SOCKET_NOT_CONNECTED" => Self::Refused,
            "ERR_CONNECTION_RESET"
            | "ERR_CONNECTION_CLOSED"
            | "ERR_CONNECTION_ABORTED"
            | "ERR_EMPTY_RESPONSE" => Self::Broken,
            "ERR_TIMED_OUT" | "ERR_CONNECTION_TIMED_OUT" => Self::TimedOut,
            "ERR_INTERNET_DISCONNECTED" | "ERR_ADDRESS_UNREACHABLE" | "ERR_NETWORK_CHANGED" => Self::Offline,
            "ERR_ABORTED" => Self::Aborted,
            "ERR_TOO_MANY_REDIRECTS" => Self::Redirects,
            _ if code.starts_with("ERR_CERT_") || code.starts_with("ERR_SSL_") => {
                Self::Certificate { code: code.to_owned() }
            }
            _ if code.starts_with("ERR_BLOCKED_") || code == "ERR_UNSAFE_PORT" => {
                Self::Blocked { code: code.to_owned() }
            }
            _ => Self::Other { code: code.to_owned() },
        }
    }
}

/// Why a look shows nothing.
#[derive(Debug, thiserror::Error)]
pub enum LookError {
    /// The browser does not play along.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The page took its process down with it.
    #[error("the page crashed")]
    Crashed,
    /// The page waits for an answer and does nothing else until then.
    #[error("the page waits for an answer to its dialog \"{message}\"")]
    Dialog {
        /// What the dialog says.
        message: String,
    },
    /// The page navigates faster than anybody can look.
    #[error("the page was replaced {attempts} times while it was looked at")]
    Restless {
        /// How often it was tried.
        attempts: usize,
    },
    /// The publisher threw.
    #[error("the publisher failed in the page: {message}")]
    Publisher {
        /// What it threw.
        message: String,
    },
    /// The publisher's answer is not JSON or exceeds a limit.
    #[error("the publisher's answer cannot be read: {0}")]
    Text(#[from] Fault),
    /// The publisher's answer does not fit together.
    #[error("the publisher's answer cannot be unpacked: row {row} is not an element")]
    Packed {
        /// Which one, from 0.
        row: usize,
    },
    /// The publisher's answer is not a sound graph. A half graph is never handed on.
    #[error(
        "the publisher's answer is not a sound PageGraph: {} errors, the first at {}: {}",
        .findings.len(),
        .findings.first().map_or("", |finding| finding.pointer.as_str()),
        .findings.first().map_or("", |finding| finding.message.as_str())
    )]
    Unsound {
        /// Everything that is wrong with it.
        findings: Vec<Finding>,
    },
    /// What is asked for cannot be said.
    #[error("the options of the look cannot be written")]
    Options,
}

/// Why a dialog was not answered.
#[derive(Debug, thiserror::Error)]
pub enum DialogError {
    /// The browser does not play along.
    #[error(transparent)]
    Call(#[from] CallError),
    /// It was answered already, or its page is gone.
    #[error("this dialog does not wait for an answer any more")]
    Over,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum ScreenshotError {
    /// The browser does not play along.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The browser's answer is not a picture.
    #[error("the browser's picture cannot be decoded")]
    Picture,
    /// What has to be covered cannot be found out.
    #[error(transparent)]
    Look(#[from] LookError),
    /// What has to be covered changes all the time. No picture is better than one that shows it.
    #[error("the page changes its sensitive fields faster than they can be covered")]
    Uncovered,
}

/// Why an expression has no value.
#[doc(hidden)]
#[derive(Debug, thiserror::Error)]
pub enum EvaluateError {
    /// The browser does not play along.
    #[error(transparent)]
    Call(#[from] CallError),
    /// It threw.
    #[error("the expression threw: {0}")]
    Thrown(String),
}
