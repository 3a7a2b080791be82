//! What an agent cannot do while a person is asked: anything else. Otherwise it could change what the person reads about.
//!
//! Start at [`Server::turn`]. Looking, waiting, reading and traces go on, and the agent can give the action up.

use super::Server;
use super::acting::stop;
use super::answer::Refused;
use super::arguments::ActArguments;
use super::errand::Errand;
use super::tools;
use crate::host::Host;
use rmcp::RoleServer;
use rmcp::model::CallToolRequestParams;
use rmcp::service::RequestContext;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::MutexGuard;

/// What `act` calls giving up an action that is under way.
pub(super) const CANCEL: &str = "cancel";
/// How long an action waits for those before it.
const TURN_WAIT: Duration = Duration::from_secs(20);

impl<H: Host> Server<H> {
    /// The turn of an action: it begins when those before it have ended or need a person, and is refused if one of them
    /// asks. An action that only reads needs none.
    pub(super) async fn turn(
        &self,
        call: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<Option<MutexGuard<'_, ()>>, Refused> {
        if call.name == tools::READ {
            return Ok(None);
        }
        self.refuse_beside_question()?;
        let turn = async {
            let turn = self.0.acting.lock().await;
            self.0.errands.until_all_rest().await;
            turn
        };
        let turn = tokio::select! {
            turn = tokio::time::timeout(TURN_WAIT, turn) => turn.map_err(|_| {
                Refused::new("Another action is under way.", "Wait with its handle; trace lists what has ended.")
            })?,
            () = context.ct.cancelled() => {
                return Err(Refused::new("The call was stopped before the action began.", "Look."));
            }
        };
        self.refuse_beside_question()?;
        Ok(Some(turn))
    }

    /// Refuses to begin anything while a person is asked.
    pub(super) fn refuse_beside_question(&self) -> Result<(), Refused> {
        let Some(question) = self.0.errands.open_question() else { return Ok(()) };
        let (action, handle) = (&question.request.action_id, &question.request.action_handle);
        Err(Refused::new(
            format!(
                "A question to the person is open: {action} with the handle {handle}. No other action begins before it \
                 is answered."
            ),
            format!(
                "Wait with the handle {handle}, or give the action up: act with action cancel and args \
                 {{\"handle\": \"{handle}\"}}."
            ),
        ))
    }

    /// Stops the action that a call names.
    pub(super) async fn cancelled(&self, given: &ActArguments) -> Result<Arc<Errand>, Refused> {
        let handle = given.args.as_ref().and_then(|args| args.get("handle")).and_then(Value::as_str);
        let errand = handle.and_then(|handle| self.0.errands.find(handle)).ok_or_else(|| {
            Refused::new(
                "No action of this server has this handle.",
                "Name it in args: {\"handle\": \"act_...\"}.",
            )
        })?;
        stop(&errand, "the agent gave it up").await;
        Ok(errand)
    }
}
