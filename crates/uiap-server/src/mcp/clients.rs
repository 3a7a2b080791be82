//! How many clients there can be over HTTP: each that begins a session has one until it ends it, or says nothing for five
//! minutes.

use futures_util::Stream;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, LocalSessionWorker,
};
use rmcp::transport::streamable_http_server::session::{
    RestoreOutcome, ServerSseMessage, SessionId, SessionManager,
};
use rmcp::transport::worker::WorkerTransport;
use tokio::sync::Mutex;

/// Most sessions of clients at a time.
pub const CLIENTS_MAX: usize = 64;

/// Why a client gets no session.
#[derive(Debug, thiserror::Error)]
pub(super) enum ClientError {
    /// There are enough.
    #[error(
        "{CLIENTS_MAX} clients are here already; end one of them, or wait until one has been silent for five minutes"
    )]
    NoRoom,
    /// The session broke down.
    #[error(transparent)]
    Session(#[from] LocalSessionManagerError),
}

/// The sessions of clients, as many as there may be.
#[derive(Debug, Default)]
pub(super) struct Clients {
    sessions: LocalSessionManager,
    /// Who comes is counted before the next one is.
    door: Mutex<()>,
}

impl Clients {
    /// Nobody else can come.
    pub(super) async fn is_full(&self) -> bool {
        self.sessions.sessions.read().await.len() >= CLIENTS_MAX
    }
}

impl SessionManager for Clients {
    type Error = ClientError;
    type Transport = WorkerTransport<LocalSessionWorker>;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), ClientError> {
        let _turn = self.door.lock().await;
        if self.is_full().await {
            return Err(ClientError::NoRoom);
        }
        Ok(self.sessions.create_session().await?)
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, ClientError> {
        Ok(self.sessions.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, ClientError> {
        Ok(self.sessions.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), ClientError> {
        Ok(self.sessions.close_session(id).await?)
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, ClientError> {
        Ok(self.sessions.create_stream(id, message).await?)
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), ClientError> {
        Ok(self.sessions.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, ClientError> {
        Ok(self.sessions.create_standalone_stream(id).await?)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, ClientError> {
        Ok(self.sessions.resume(id, last_event_id).await?)
    }

    async fn restore_session(&self, _id: SessionId) -> Result<RestoreOutcome<Self::Transport>, ClientError> {
        // Nobody keeps sessions elsewhere; whoever names one that is gone begins anew.
        Ok(RestoreOutcome::NotSupported)
    }
}
