//! What a session makes of a message: looked at in the published order, the first thing that is wrong is answered.

use super::handshake::agree;
use super::reading::{Fault, Heading, Message, read};
use super::speaking::error;
use super::terms::{
    DISCOVERY_EXTENSION, INBOUND_BYTES_MAX, INFLIGHT_ACTIONS_MAX, OPEN_REQUESTS_MAX, POLICY_EXTENSION,
    POLICY_EXTENSION_OLD, STRIKES_MAX, VERSION,
};
use super::{Effect, Farewell, Open, Pending, Session, Stage};
use uiap_policy::holds;
use uiap_protocol::core::{
    Body, ConfirmationAuthority, CoreErrorCode, Envelope, Exchange, Limits as SessionLimits, Pong,
    ResumeSpec, SessionInitialize, SessionInitialized,
};
use uiap_protocol::ids::{MessageId, VendorName};
use uiap_protocol::policy::Grant;
use uiap_protocol::text::Limits;
use uiap_protocol::web::StateResync;

/// What a peer may send, apart from extensions. Everything else of ours is said by us only.
const TAKEN: [&str; 20] = [
    "error",
    "session.initialize",
    "session.ping",
    "session.terminate",
    "capabilities.list",
    "web.state.get",
    "web.state.subscribe",
    "web.state.unsubscribe",
    "action.request",
    "action.cancel",
    "action.confirmation.grant",
    "action.confirmation.deny",
    "uiap.policy.get",
    "uiap.policy.evaluate",
    "uiap.discovery.plan",
    "uiap.discovery.start",
    "uiap.discovery.pause",
    "uiap.discovery.resume",
    "uiap.discovery.cancel",
    "uiap.discovery.package.get",
];

/// What belongs to extensions that are not spoken here.
const UNSPOKEN: [&str; 1] = ["uiap.workflow."];

impl Session {
    pub(super) fn hear(&mut self, text: &str) -> Vec<Effect> {
        self.heard_at = self.now.ticks;
        let limits = Limits { bytes_max: INBOUND_BYTES_MAX, ..Limits::MESSAGE };
        let has_room = self.bucket.take(self.now.ticks);
        let message = match read(text, limits) {
            Ok(message) => message,
            Err(unsound) => return self.strike(&unsound.heading, unsound.fault),
        };
        if !has_room {
            let fault = Fault::new(CoreErrorCode::RateLimited, "Too many messages at once; wait a moment.");
            return self.strike(&message.heading, fault);
        }
        let Message { heading, whole } = message;
        let judged = self.judge(&heading).and(whole);
        match judged {
            Ok(envelope) => {
                self.strikes = 0;
                self.take_in(*envelope)
            }
            Err(fault) => {
                self.fault(&heading, fault);
                Vec::new()
            }
        }
    }

    pub(super) fn hear_noise(&mut self, farewell: Farewell) -> Vec<Effect> {
        self.heard_at = self.now.ticks;
        let (code, message) = match farewell {
            Farewell::TooLarge => {
                (CoreErrorCode::MessageTooLarge, format!("A message has at most {INBOUND_BYTES_MAX} bytes."))
            }
            _ => (CoreErrorCode::MalformedMessage, "A message is a text in UTF-8.".to_owned()),
        };
        self.strike(&Heading::default(), Fault::new(code, message))
    }

    /// Answers what cannot be understood; whoever sends nothing else is not listened to for ever.
    fn strike(&mut self, heading: &Heading, fault: Fault) -> Vec<Effect> {
        self.fault(heading, fault);
        self.strikes = self.strikes.saturating_add(1);
        if self.strikes < STRIKES_MAX {
            return Vec::new();
        }
        let mut effects = vec![Effect::Hang(Farewell::Invalid)];
        effects.extend(self.link_lost());
        effects
    }

    /// Version, session, id and type, in this order. The payload comes after.
    fn judge(&mut self, heading: &Heading) -> Result<(), Fault> {
        if heading.version != VERSION {
            let message = format!("Version {VERSION} is spoken here, not \"{}\".", shown(&heading.version));
            return Err(Fault::new(CoreErrorCode::UnsupportedVersion, message));
        }
        self.judge_session(heading)?;
        if let Some(id) = &heading.id
            && (self.is_own_id(id) || !self.seen.insert(id))
        {
            let message = format!("There was a message \"{id}\" in this session already.");
            return Err(Fault::new(CoreErrorCode::DuplicateMessageId, message));
        }
        self.judge_type(&heading.message_type)
    }

    fn judge_session(&self, heading: &Heading) -> Result<(), Fault> {
        let begins = heading.message_type == "session.initialize";
        let inactive = |message: &str| Err(Fault::new(CoreErrorCode::SessionNotActive, message));
        match self.stage {
            Stage::New | Stage::Resuming { .. } if begins => Ok(()),
            Stage::New => inactive("A session begins with \"session.initialize\"."),
            Stage::Resuming { .. } => {
                inactive("An interrupted session goes on with \"session.initialize\" and \"resume\".")
            }
            Stage::Active if begins => {
                let message = "The session has begun already.";
                Err(Fault::new(CoreErrorCode::SessionAlreadyInitialized, message))
            }
            Stage::Active if heading.session_id.as_ref() == Some(&self.id) => Ok(()),
            // An error may come without a session.
            Stage::Active if heading.session_id.is_none() => Ok(()),
            Stage::Active => {
                Err(Fault::new(CoreErrorCode::SessionNotFound, "This link belongs to another session."))
            }
            Stage::Suspended { .. } | Stage::Draining | Stage::Terminating { .. } | Stage::Over => {
                inactive("The session is ending.")
            }
        }
    }

    fn judge_type(&self, spelt: &str) -> Result<(), Fault> {
        let old = format!("{POLICY_EXTENSION_OLD}.");
        let canonical = match spelt.strip_prefix(&old) {
            Some(rest) => format!("{POLICY_EXTENSION}.{rest}"),
            None => spelt.to_owned(),
        };
        if UNSPOKEN.iter().any(|prefix| canonical.starts_with(prefix)) {
            let message = format!("The extension of \"{}\" is not spoken here.", shown(spelt));
            return Err(Fault::new(CoreErrorCode::UnsupportedExtension, message));
        }
        let is_policy = canonical.strip_prefix(POLICY_EXTENSION).is_some_and(|rest| rest.starts_with('.'));
        if is_policy && !self.agreed.as_ref().is_some_and(super::handshake::Agreed::has_policy) {
            let message = format!("\"{POLICY_EXTENSION}\" was not agreed on in the handshake.");
            return Err(Fault::new(CoreErrorCode::UnsupportedExtension, message));
        }
        let is_discovery =
            canonical.strip_prefix(DISCOVERY_EXTENSION).is_some_and(|rest| rest.starts_with('.'));
        if is_discovery && !self.agreed.as_ref().is_some_and(super::handshake::Agreed::has_discovery) {
            let message = format!("\"{DISCOVERY_EXTENSION}\" was not agreed on in the handshake.");
            return Err(Fault::new(CoreErrorCode::UnsupportedExtension, message));
        }
        if VendorName::is_legal(spelt) {
            let message = format!("\"{}\" belongs to an extension that is not spoken here.", shown(spelt));
            return Err(Fault::new(CoreErrorCode::UnknownMessageType, message));
        }
        let known = uiap_protocol::core::MESSAGES.iter().any(|info| info.name == canonical);
        if known && !TAKEN.contains(&canonical.as_str()) {
            let message = format!("\"{}\" is said by the other side.", shown(spelt));
            return Err(Fault::new(CoreErrorCode::UnexpectedMessage, message));
        }
        Ok(())
    }

    fn take_in(&mut self, envelope: Envelope) -> Vec<Effect> {
        let asks = matches!(envelope.exchange, Exchange::Request);
        let spelt_old = envelope.spelt.is_some();
        let Envelope { id, body, ext, .. } = envelope;
        if asks && self.open.len() >= OPEN_REQUESTS_MAX {
            let message = format!("{OPEN_REQUESTS_MAX} requests wait for their answers already.");
            self.refuse(&id, error(CoreErrorCode::RateLimited, message));
            return Vec::new();
        }
        let request = asks.then(|| id.clone());
        match body {
            Body::SessionInitialize(offer) => self.initialize(&id, &offer),
            Body::Ping(ping) => {
                self.respond(&id, Body::Pong(Pong { nonce: ping.nonce }), false);
                Vec::new()
            }
            Body::SessionTerminate(_) => self.terminate(id),
            Body::CapabilitiesList(list) => self.list(id, list.profile.as_ref()),
            Body::StateGet(get) => {
                self.open(&id, Pending::Snapshot(get.options));
                vec![Effect::Look { request: id }]
            }
            Body::StateSubscribe(wish) => self.subscribe(id, wish),
            Body::StateUnsubscribe(wish) => {
                self.unsubscribe(&id, &wish);
                Vec::new()
            }
            Body::ActionRequest(action) => self.request_action(id, action),
            Body::ActionCancel(cancel) => self.cancel(&id, request, cancel),
            Body::ConfirmationGrant(grant) => self.grant(&id, request, grant, ext.as_ref()),
            Body::ConfirmationDeny(denial) => self.deny(&id, request, denial),
            Body::PolicyGet(get) => {
                self.policies(&id, &get, spelt_old);
                Vec::new()
            }
            Body::PolicyEvaluate(question) => {
                self.open.insert(id.clone(), Open { pending: Pending::Other, spelt_old });
                vec![Effect::Evaluate { request: id, question: Box::new(question) }]
            }
            Body::DiscoveryPlan(plan) => self.plan(id, plan),
            Body::DiscoveryStart(start) => self.start_run(id, &start.run_id),
            Body::DiscoveryPause(pause) => self.pause_run(id, &pause.run_id),
            Body::DiscoveryResume(resume) => self.resume_run(&id, &resume.run_id),
            Body::DiscoveryCancel(cancel) => self.cancel_run(id, &cancel.run_id),
            Body::DiscoveryPackageGet(get) => {
                self.get_package(&id, &get.run_id);
                Vec::new()
            }
            // Somebody could not do anything with what we said; there is nothing to answer.
            Body::Error(_) => Vec::new(),
            _ => {
                let payload = error(CoreErrorCode::UnexpectedMessage, "This is said by the other side.");
                self.trouble(&id, request.as_ref(), payload);
                Vec::new()
            }
        }
    }

    /// A request waits for its answer from now on.
    pub(super) fn open(&mut self, id: &MessageId, pending: Pending) {
        self.open.insert(id.clone(), Open { pending, spelt_old: false });
    }

    /// Answers a request with trouble, or tells it where nobody waits for an answer.
    pub(super) fn trouble(
        &mut self,
        id: &MessageId,
        request: Option<&MessageId>,
        payload: uiap_protocol::core::ErrorPayload,
    ) {
        match request {
            Some(request) => self.refuse(request, payload),
            None => self.tell_error(Some(id.clone()), payload),
        }
    }

    fn initialize(&mut self, id: &MessageId, offer: &SessionInitialize) -> Vec<Effect> {
        let agreed = match agree(offer, &self.terms) {
            Ok(agreed) => agreed,
            Err(fault) => {
                self.refuse(id, error(fault.code, fault.message));
                return Vec::new();
            }
        };
        let resumed = offer.resume.as_ref();
        let is_mine = resumed.is_none_or(|resume| resume.session_id == self.id);
        let resuming = matches!(self.stage, Stage::Resuming { .. });
        if resumed.is_some() != resuming || !is_mine {
            self.refuse(id, error(CoreErrorCode::SessionNotFound, "There is no such session to go on with."));
            return vec![Effect::Hang(Farewell::UnknownSession)];
        }
        self.agreed = Some(agreed.clone());
        self.stage = Stage::Active;
        let gap = resumed.map(|resume| self.rewind(resume));
        let missing_grants = self.limit(offer, resuming);
        let some = |count: usize| Some(u64::try_from(count).unwrap_or(u64::MAX));
        self.respond_first(
            id,
            Body::SessionInitialized(SessionInitialized {
                session_id: self.id.clone(),
                selected_version: agreed.version,
                selected_profiles: agreed.profiles,
                selected_extensions: (!agreed.extensions.is_empty()).then_some(agreed.extensions),
                rejected_extensions: (!agreed.rejected.is_empty()).then_some(agreed.rejected),
                app: self.terms.app.clone(),
                grants: Some(self.rights.principal.grants.clone().unwrap_or_default()),
                missing_grants,
                confirmation_authority: Some(ConfirmationAuthority::User),
                heartbeat_interval_ms: self.habits.heartbeat_ms,
                resume_window_ms: self.habits.resume_window_ms,
                limits: Some(SessionLimits {
                    max_message_bytes: some(INBOUND_BYTES_MAX),
                    max_inflight_actions: some(INFLIGHT_ACTIONS_MAX),
                }),
            }),
        );
        if gap == Some(true) {
            let message = "Not everything that was said in between is known any more; look again.";
            self.tell_error(None, error(CoreErrorCode::ResyncRequired, message));
        }
        vec![Effect::Began]
    }

    /// Holds the peer to the rights that it asked for. Says which of them it does not get. A session that goes on keeps
    /// those that it has.
    fn limit(&mut self, offer: &SessionInitialize, resuming: bool) -> Option<Vec<Grant>> {
        let wanted = offer.requested_grants.as_ref()?;
        if !resuming {
            self.rights = self.rights.within(wanted);
        }
        let missing: Vec<_> =
            wanted.iter().filter(|grant| !holds(&self.rights.principal, grant)).cloned().collect();
        (!missing.is_empty()).then_some(missing)
    }

    /// Goes back to what the peer had last. Says whether something is missing.
    fn rewind(&mut self, resume: &ResumeSpec) -> bool {
        let known = resume.last_message_id.as_ref().is_none_or(|last| self.outbox.rewind(last));
        let gap = std::mem::take(&mut self.lost) || !known;
        let has_base = self.base_revision().is_some_and(|base| resume.last_revision.as_ref() == Some(base));
        let follows = resume.last_message_id.is_some() && known;
        if self.subscription.is_some() && (gap || !(has_base || follows)) {
            self.lose_base();
            let reason = "The session was interrupted; ask for a snapshot.".to_owned();
            self.tell(Body::StateResync(StateResync { reason }));
        }
        gap
    }

    fn list(&mut self, id: MessageId, profile: Option<&uiap_protocol::ids::ProfileId>) -> Vec<Effect> {
        let spoken = |profile| self.agreed.as_ref().is_some_and(|agreed| agreed.has_profile(profile));
        if let Some(profile) = profile.filter(|profile| !spoken(profile)) {
            let message = format!("\"{profile}\" was not agreed on in the handshake.");
            self.refuse(&id, error(CoreErrorCode::UnsupportedProfile, message));
            return Vec::new();
        }
        self.open(&id, Pending::Other);
        vec![Effect::ListCapabilities { request: id }]
    }
}

/// A foreign text in a sentence of ours.
fn shown(text: &str) -> String {
    text.chars().take(80).collect()
}
