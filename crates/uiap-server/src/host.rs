//! The port through which a door gets applications to act on: the binary knows browsers and files, a door does not.
//!
//! Start at [`Host::open`]. An [`Application`] is a runtime in front of one application, with everything that was
//! loaded about it; who opened it closes it.

use crate::secrets::Vault;
use std::sync::Arc;
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::ids::Id;
use uiap_protocol::policy::{PolicyDocument, PolicyPrincipal};
use uiap_runtime::journal::Journal;
use uiap_runtime::shell::Runtime;
use uiap_runtime::surface::Surface;

/// In whose name an application is opened.
#[derive(Clone, Debug, PartialEq)]
pub enum Asker {
    /// An agent in front of a person, who lends it rights by agreeing (decision 8).
    BeforeAPerson(Id),
    /// A principal with the rights that it was given, and no others.
    Principal(Box<PolicyPrincipal>),
}

/// Which application, and for whom.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Where it is.
    pub address: String,
    /// Who asks.
    pub asker: Asker,
}

/// What was loaded before anything was opened. It is the same for every application of a host.
#[derive(Clone, Debug, Default)]
pub struct Supplied {
    /// What is known about the application.
    pub bundle: Option<Arc<CompiledBundle>>,
    /// What may happen: the policies of the bundle, and those that were given beside it.
    pub policies: Vec<PolicyDocument>,
    /// What a model may use and never see.
    pub secrets: Arc<Vault>,
}

/// Why there is no application.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The address is none, or leads where it must not.
    #[error("{message}")]
    Address {
        /// What is wrong with it, and what would be right.
        message: String,
    },
    /// Something is missing on this machine.
    #[error("{message}")]
    Missing {
        /// What, and how to get it.
        message: String,
    },
    /// It did not open.
    #[error("{address} could not be opened: {reason}")]
    Unreachable {
        /// What was to be opened.
        address: String,
        /// Why it was not.
        reason: String,
    },
}

/// An application that is open.
#[derive(Debug)]
pub struct Application<S, J> {
    /// Acts on it.
    pub runtime: Runtime<S, J>,
    /// What whoever asked should know about how it opened, as sentences.
    pub remarks: Vec<String>,
}

/// An application of a host, shared by everybody who acts on it.
pub type Opened<H> = Arc<Application<<H as Host>::Surface, <H as Host>::Journal>>;

/// Opens applications.
pub trait Host: Send + Sync + 'static {
    /// What applications are looked at and acted on through.
    type Surface: Surface + 'static;
    /// What outlasts the process.
    type Journal: Journal + 'static;

    /// What was loaded.
    fn supplied(&self) -> &Supplied;

    /// Opens an application. What it needs, such as a browser, is started by the first one.
    fn open(&self, opening: Opening) -> impl Future<Output = Result<Opened<Self>, OpenError>> + Send
    where
        Self: Sized;

    /// Closes an application. What is under way there is asked to stop, and its place is left for the next one.
    fn close(&self, application: Opened<Self>) -> impl Future<Output = ()> + Send
    where
        Self: Sized;

    /// Ends everything that was started, when no door needs it any more.
    fn end(&self) -> impl Future<Output = ()> + Send;
}
