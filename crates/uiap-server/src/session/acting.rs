//! The actions of a session, and what people say to them.

use super::speaking::{Ext, error};
use super::terms::{CONSENT_EXTENSION, ENDED_MAX, INFLIGHT_ACTIONS_MAX};
use super::{ActionNews, Answer, Effect, Pending, Session};
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use uiap_protocol::action::{
    Accepted, ActionAccepted, ActionCancel, ActionRequest, ActionResult, ActionStatus, ConfirmationDeny,
    ConfirmationGrant, ConfirmationRequest,
};
use uiap_protocol::core::{Body, CoreErrorCode, ErrorPayload};
use uiap_protocol::ids::{ActionHandle, MessageId};
use uiap_protocol::wire::JsonObject;
use uiap_runtime::consent::GrantToken;
use uiap_runtime::life::Message;

/// The actions of a session.
#[derive(Clone, Debug, Default)]
pub(super) struct Actions {
    /// By the message that asked for each; its handle, once it has one.
    under_way: BTreeMap<MessageId, Option<ActionHandle>>,
    ended: VecDeque<(ActionHandle, ActionStatus)>,
}

impl Actions {
    pub(super) fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    fn has(&self, handle: &ActionHandle) -> bool {
        self.under_way.values().flatten().any(|own| own == handle)
    }

    fn end(&mut self, request: &MessageId, result: Option<&ActionResult>) {
        self.under_way.remove(request);
        if let Some(result) = result {
            self.ended.push_back((result.action_handle.clone(), result.status));
            if self.ended.len() > ENDED_MAX {
                self.ended.pop_front();
            }
        }
    }

    fn status_of(&self, handle: &ActionHandle) -> Option<ActionStatus> {
        self.ended.iter().find(|(ended, _)| ended == handle).map(|(_, status)| *status)
    }
}

impl Session {
    pub(super) fn request_action(&mut self, id: MessageId, action: ActionRequest) -> Vec<Effect> {
        if !self.party.may_act() {
            self.refuse(&id, error(CoreErrorCode::Forbidden, "Who only looks cannot act."));
            return Vec::new();
        }
        if self.actions.under_way.len() >= INFLIGHT_ACTIONS_MAX {
            let message =
                format!("{INFLIGHT_ACTIONS_MAX} actions are under way; wait for one of them to end.");
            self.refuse(&id, error(CoreErrorCode::RateLimited, message));
            return Vec::new();
        }
        self.open(&id, Pending::Action);
        self.actions.under_way.insert(id.clone(), None);
        vec![Effect::Act { request: id, action: Box::new(action) }]
    }

    /// An action of this session said something.
    pub(super) fn action(&mut self, request: &MessageId, news: ActionNews) -> Vec<Effect> {
        if !self.actions.under_way.contains_key(request) {
            return Vec::new();
        }
        match news {
            ActionNews::Said(Message::Accepted(accepted)) => self.accepted(request, accepted),
            ActionNews::Said(Message::Progress(progress)) => self.tell(Body::ActionProgress(*progress)),
            ActionNews::Said(Message::Cancelled(cancelled)) => {
                for cancel in self.cancels_of(&cancelled.action_handle) {
                    self.answered(&cancel, Answer::Body(Box::new(Body::ActionCancelled(cancelled.clone()))));
                }
            }
            // Its end is told by what follows.
            ActionNews::Said(Message::Result(_)) => {}
            ActionNews::Asks(asked) => self.asks(*asked),
            ActionNews::Ended(Ok(result)) => self.ended(request, *result),
            ActionNews::Ended(Err(payload)) => {
                self.actions.end(request, None);
                self.answered(request, Answer::Refused(payload));
            }
        }
        Vec::new()
    }

    fn accepted(&mut self, request: &MessageId, accepted: ActionAccepted) {
        self.actions.under_way.insert(request.clone(), Some(accepted.action_handle.clone()));
        self.answered(request, Answer::Body(Box::new(Body::ActionAccepted(accepted))));
    }

    /// Who asked for the action is told that a person is asked; a person is told by [`Session::consent`].
    fn asks(&mut self, asked: ConfirmationRequest) {
        if !self.party.may_agree() {
            self.tell(Body::ConfirmationRequest(asked));
        }
    }

    fn ended(&mut self, request: &MessageId, result: ActionResult) {
        // One that ended before, under the same key, was not accepted now.
        if self.open.contains_key(request) {
            let accepted = ActionAccepted {
                action_handle: result.action_handle.clone(),
                action_id: result.action_id.clone(),
                status: Accepted,
            };
            self.accepted(request, accepted);
        }
        self.actions.end(request, Some(&result));
        let (handle, status) = (result.action_handle.clone(), result.status);
        self.tell(Body::ActionResult(result));
        for cancel in self.cancels_of(&handle) {
            let payload = ended_already(&handle, status);
            self.answered(&cancel, Answer::Refused(Box::new(payload)));
        }
    }

    /// The requests that wait for an action to stop.
    fn cancels_of(&self, handle: &ActionHandle) -> Vec<MessageId> {
        let waits = |pending: &Pending| matches!(pending, Pending::Cancel(cancelled) if cancelled == handle);
        self.open.iter().filter(|(_, open)| waits(&open.pending)).map(|(id, _)| id.clone()).collect()
    }

    pub(super) fn cancel(
        &mut self,
        id: &MessageId,
        request: Option<MessageId>,
        cancel: ActionCancel,
    ) -> Vec<Effect> {
        let ActionCancel { action_handle: handle, reason } = cancel;
        if let Some(status) = self.actions.status_of(&handle) {
            let payload = ended_already(&handle, status);
            self.trouble(id, request.as_ref(), payload);
            return Vec::new();
        }
        let own = self.actions.has(&handle);
        if !own && !self.party.may_agree() {
            let message = format!("There is no action \"{handle}\" in this session.");
            self.trouble(id, request.as_ref(), error(CoreErrorCode::NotFound, message));
            return Vec::new();
        }
        if let Some(request) = &request {
            self.open(request, Pending::Cancel(handle.clone()));
        }
        vec![Effect::Cancel { request, handle, reason, own }]
    }

    /// Asks everything that is under way to stop.
    pub(super) fn stop_all(&mut self, reason: &str) -> Vec<Effect> {
        let mut effects = self.stop_runs(false);
        let handles = self.actions.under_way.values().flatten().cloned();
        let cancel = |handle| {
            let reason = Some(reason.to_owned());
            Effect::Cancel { request: None, handle, reason, own: true }
        };
        effects.extend(handles.map(cancel));
        effects
    }

    /// Somebody's action needs an agreement: a person is shown what for, and gets what agrees to it.
    pub(super) fn consent(&mut self, request: ConfirmationRequest, token: &GrantToken) {
        if self.party.may_agree() && self.agreed.is_some() {
            let mut members = JsonObject::new();
            members.insert("token".to_owned(), Value::String(token_text(token)));
            self.tell_with(
                Body::ConfirmationRequest(request),
                Ext::from([(CONSENT_EXTENSION.to_owned(), members)]),
            );
        }
    }

    pub(super) fn grant(
        &mut self,
        id: &MessageId,
        request: Option<MessageId>,
        grant: ConfirmationGrant,
        ext: Option<&Ext>,
    ) -> Vec<Effect> {
        if let Err(payload) = self.may_decide() {
            self.trouble(id, request.as_ref(), payload);
            return Vec::new();
        }
        let token = ext.and_then(|ext| ext.get(CONSENT_EXTENSION)?.get("token")?.as_str());
        let Some(token) = token.and_then(token_of) else {
            let message = format!(
                "A grant carries the token of its request in \"ext\", under \"{CONSENT_EXTENSION}\" as \"token\"."
            );
            self.trouble(id, request.as_ref(), error(CoreErrorCode::InvalidPayload, message));
            return Vec::new();
        };
        request.iter().for_each(|request| self.open(request, Pending::Other));
        vec![Effect::Agree { request, handle: grant.action_handle, token }]
    }

    pub(super) fn deny(
        &mut self,
        id: &MessageId,
        request: Option<MessageId>,
        denial: ConfirmationDeny,
    ) -> Vec<Effect> {
        if let Err(payload) = self.may_decide() {
            self.trouble(id, request.as_ref(), payload);
            return Vec::new();
        }
        request.iter().for_each(|request| self.open(request, Pending::Other));
        let ConfirmationDeny { action_handle, reason } = denial;
        vec![Effect::Decline { request, handle: action_handle, reason }]
    }

    fn may_decide(&self) -> Result<(), ErrorPayload> {
        if self.party.may_agree() {
            return Ok(());
        }
        let message = "Only the person decides about this, through the person's own channel.";
        Err(error(CoreErrorCode::Forbidden, message))
    }
}

/// It cannot be stopped any more (finding A8).
fn ended_already(handle: &ActionHandle, status: ActionStatus) -> ErrorPayload {
    let mut payload = error(
        CoreErrorCode::UnexpectedMessage,
        format!("The action \"{handle}\" has ended already: {status}."),
    );
    let mut detail = JsonObject::new();
    detail.insert("status".to_owned(), Value::String(status.as_str().to_owned()));
    payload.detail = Some(detail);
    payload
}

/// A token as a text: the nonce, the end and the code that binds them, in hexadecimal digits.
fn token_text(token: &GrantToken) -> String {
    let hex = |bytes: &[u8]| bytes.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
    format!("{}.{:x}.{}", hex(&token.nonce), token.expires_at, hex(&token.mac))
}

fn token_of(text: &str) -> Option<GrantToken> {
    let mut parts = text.split('.');
    let (nonce, end, mac) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    Some(GrantToken {
        nonce: bytes(nonce)?,
        expires_at: u64::from_str_radix(end, 16).ok()?,
        mac: bytes(mac)?,
    })
}

fn bytes<const LENGTH: usize>(text: &str) -> Option<[u8; LENGTH]> {
    let mut bytes = [0; LENGTH];
    if text.len() != LENGTH * 2 || !text.is_ascii() {
        return None;
    }
    for (place, slot) in bytes.iter_mut().enumerate() {
        *slot = u8::from_str_radix(text.get(place * 2..place * 2 + 2)?, 16).ok()?;
    }
    Some(bytes)
}
