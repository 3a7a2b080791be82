//! Carries out what a session wishes of the runtime. Each wish is a task of its own, so that none holds up another.

use super::capabilities::revision;
use super::ear::{Ear, Said};
use super::keeper::Told;
use super::{House, refused};
use crate::session::{ActionNews, Answer, Party};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;
use uiap_protocol::action::{
    ActionCancelled, ActionRequest, ActionTarget, Cancelled, ConfirmationAccepted, ConfirmationRequest,
};
use uiap_protocol::capability::TargetRef;
use uiap_protocol::core::{Body, CapabilitiesListed, CoreErrorCode, ErrorCode, ErrorPayload, PeerRole};
use uiap_protocol::ids::{ActionHandle, Id, MessageId, Text};
use uiap_protocol::policy::{
    AuditLevel, PolicyAudit, PolicyDecided, PolicyDecision, PolicyEvaluateInput, PolicyTarget,
};
use uiap_protocol::time::Timestamp;
use uiap_protocol::wire::JsonObject;
use uiap_runtime::consent::{ConsentError, GrantToken};
use uiap_runtime::journal::Journal;
use uiap_runtime::life::Verdict;
use uiap_runtime::shell::WordError;
use uiap_runtime::standing::Rights;
use uiap_runtime::surface::Surface;

/// Longest wait for a look at the page, or for what the application offers.
const LOOK_WAIT: Duration = Duration::from_secs(10);
/// Why an action is not done that needs a person, where none can come.
const NOBODY: &str = "nobody can be asked here: there is no door for a person, or allow it with a policy";

impl<S: Surface + 'static, J: Journal + 'static> House<S, J> {
    /// Runs an action, and passes on what it says.
    pub(super) async fn act(
        self: Arc<Self>,
        request: MessageId,
        action: Box<ActionRequest>,
        rights: Rights,
        tell: mpsc::Sender<Told>,
    ) {
        let Ok(_permit) = Arc::clone(&self.permits).try_acquire_owned() else {
            let message = "Too many actions are under way here; wait for one of them to end.".to_owned();
            let refusal = refused(ErrorCode::Core(CoreErrorCode::RateLimited), message);
            let _ =
                tell.send(Told::Action { request, news: ActionNews::Ended(Err(Box::new(refusal))) }).await;
            return;
        };
        let (ear, mut heard) = Ear::new();
        let asker = Asker { request: &request, action: &action, rights: &rights, tell: &tell };
        let mut acting = pin!(self.runtime.act_within(&rights, &action, &ear));
        let result = loop {
            tokio::select! {
                biased;
                Some(said) = heard.recv() => self.pass_on(&asker, said).await,
                result = &mut acting => break result,
            }
        };
        while let Ok(said) = heard.try_recv() {
            self.pass_on(&asker, said).await;
        }
        let ended = match result {
            Ok(result) => {
                self.settle(&result.action_handle);
                Ok(Box::new(result))
            }
            Err(refusal) => Err(Box::new(ErrorPayload::from(refusal))),
        };
        // Whose session has ended hears nothing; the journal knows.
        let _ = tell.send(Told::Action { request, news: ActionNews::Ended(ended) }).await;
    }

    async fn pass_on(&self, asker: &Asker<'_>, said: Said) {
        let news = match said {
            Said::Decided(verdict) => return self.audit(asker, *verdict).await,
            Said::Message(message) => ActionNews::Said(message),
            Said::Asks(asked, token) => {
                if !self.ask(&asked, &token) {
                    // An action that has just ended needs no answer.
                    let _ = self.runtime.deny(&asked.action_handle, Some(NOBODY.to_owned()));
                }
                ActionNews::Asks(Box::new(self.shown_question(asker.rights, *asked)))
            }
        };
        // Whose session has ended hears nothing; the action goes on, and the journal knows.
        let _ = asker.tell.send(Told::Action { request: asker.request.clone(), news }).await;
    }

    /// A question to a person as the one who asked for the action may read it.
    fn shown_question(&self, rights: &Rights, asked: ConfirmationRequest) -> ConfirmationRequest {
        let redaction = self.runtime.redaction(rights);
        let _ = self.runtime.surface().scene(|scene| redaction.note(scene.page));
        let bare = ConfirmationRequest { preview: None, ..asked.clone() };
        redaction.question(asked).unwrap_or(bare)
    }

    /// Asks an action to stop. There is an answer for whoever waits, unless the action itself will tell.
    pub(super) fn cancel(&self, handle: &ActionHandle, reason: Option<String>, own: bool) -> Option<Answer> {
        match self.runtime.cancel(handle, reason.clone()) {
            Err(error) => Some(untaken(&error)),
            Ok(()) if own => None,
            Ok(()) => {
                let body = ActionCancelled { action_handle: handle.clone(), status: Cancelled, reason };
                Some(Answer::Body(Box::new(Body::ActionCancelled(body))))
            }
        }
    }

    pub(super) async fn agree(&self, handle: ActionHandle, token: GrantToken, party: Party) -> Answer {
        match self.runtime.grant(&handle, token, party.role()).await {
            Ok(()) => self.decided(handle),
            Err(error) => untaken(&error),
        }
    }

    pub(super) fn decline(&self, handle: ActionHandle, reason: Option<String>, party: Party) -> Answer {
        // The machine has asked already who it is; a denial that is none does harm, too.
        if party.role() != PeerRole::User {
            return untaken(&WordError::NotThePerson { handle });
        }
        match self.runtime.deny(&handle, reason) {
            Ok(()) => self.decided(handle),
            Err(error) => untaken(&error),
        }
    }

    fn decided(&self, handle: ActionHandle) -> Answer {
        self.settle(&handle);
        Answer::Body(Box::new(Body::ConfirmationAccepted(ConfirmationAccepted { action_handle: handle })))
    }

    /// Looks at the page. What is seen is not yet fit for everybody.
    pub(super) async fn look(&self) -> Result<Box<uiap_protocol::web::PageGraph>, Box<ErrorPayload>> {
        let silent =
            |reason: String| Box::new(refused(ErrorCode::Core(CoreErrorCode::InternalError), reason));
        let surface = self.runtime.surface();
        surface.look(false, Instant::now() + LOOK_WAIT).await.map_err(|error| silent(error.to_string()))?;
        let graph = surface.scene(|scene| Box::new(scene.page.graph()));
        graph.ok_or_else(|| silent("nothing is known of the page".to_owned()))
    }

    pub(super) async fn list(&self, rights: Rights) -> Answer {
        self.ask_offers(LOOK_WAIT).await;
        let document = self.offered_to(&rights);
        match revision(&document) {
            Some(revision) => {
                Answer::Body(Box::new(Body::CapabilitiesListed(CapabilitiesListed { document, revision })))
            }
            None => untold("what can be done has no name"),
        }
    }

    /// What would be decided. It is decided for whoever asks, whoever the question names.
    pub(super) async fn evaluate(&self, rights: Rights, question: PolicyEvaluateInput) -> Answer {
        let request = request_of(question);
        let verdict = match self.runtime.foresee(&rights, &request, Instant::now() + LOOK_WAIT).await {
            Ok(verdict) => verdict,
            Err(refusal) => return Answer::Refused(Box::new(ErrorPayload::from(refusal))),
        };
        match self.decision(verdict) {
            Some(decision) => Answer::Body(Box::new(Body::PolicyDecided(PolicyDecided { decision }))),
            None => untold("there is no time"),
        }
    }

    /// Tells a decision to whoever asked for the action and to every person, if the rules want it told.
    async fn audit(&self, asker: &Asker<'_>, verdict: Verdict) {
        if !matches!(verdict.grounds.audit, Some(AuditLevel::Decisions | AuditLevel::Full)) {
            return;
        }
        let Some(decision) = self.decision(verdict) else { return };
        let action_id = asker.action.action_id.clone();
        let audit = PolicyAudit { action_id, principal: asker.rights.principal.clone(), decision };
        let mut persons = self.directory().persons();
        persons.retain(|person| !person.same_channel(asker.tell));
        for person in persons {
            // The journal knows it, too; who has that much waiting finds it there.
            let _ = person.try_send(Told::Audit(Box::new(audit.clone())));
        }
        // As above.
        let _ = asker.tell.send(Told::Audit(Box::new(audit))).await;
    }

    /// A verdict as the wire says it.
    fn decision(&self, verdict: Verdict) -> Option<PolicyDecision> {
        let settings = self.runtime.settings();
        let number = u128::from_be_bytes((settings.chance)());
        let wall = i64::try_from((settings.clock)()).unwrap_or(i64::MAX);
        let some = |obligations: Vec<_>| (!obligations.is_empty()).then_some(obligations);
        let missing = verdict.grounds.missing_grants;
        Some(PolicyDecision {
            decision_id: Id::new(format!("dec_{number:032x}")).ok()?,
            effect: verdict.effect,
            reason: verdict.reason,
            rule_ids: verdict.grounds.rules,
            obligations: some(verdict.grounds.obligations),
            effective_risk: verdict.risk,
            missing_grants: (!missing.is_empty()).then_some(missing),
            policy_revision: None,
            decided_at: Timestamp::from_millis(wall).ok()?,
        })
    }
}

/// Who asked for an action, and where he is told of it.
struct Asker<'a> {
    request: &'a MessageId,
    action: &'a ActionRequest,
    rights: &'a Rights,
    tell: &'a mpsc::Sender<Told>,
}

/// The action that a question to the policy is about.
fn request_of(question: PolicyEvaluateInput) -> ActionRequest {
    let target = question.target.map(|target| match target {
        PolicyTarget::Named(named) => ActionTarget { r#ref: Some(named), ..ActionTarget::default() },
        PolicyTarget::Resolved(found) => ActionTarget {
            r#ref: Text::new(format!("instance:{}", found.instance_id))
                .ok()
                .map(|value| TargetRef::Custom { value }),
            expected_role: Some(found.role),
            extra: JsonObject::new(),
            ..ActionTarget::default()
        },
    });
    ActionRequest {
        action_id: question.action_id,
        target,
        args: question.args,
        preferred_execution_modes: question.execution_mode.map(|mode| vec![mode]),
        verification: None,
        presentation: None,
        timeout_ms: None,
        idempotency_key: None,
        metadata: None,
    }
}

fn untold(reason: &str) -> Answer {
    Answer::Refused(Box::new(refused(ErrorCode::Core(CoreErrorCode::InternalError), reason.to_owned())))
}

/// Why a word about an action was not taken, as the wire says it.
fn untaken(error: &WordError) -> Answer {
    let code = match error {
        WordError::NotUnderWay { .. } => CoreErrorCode::NotFound,
        WordError::Busy { .. } | WordError::Consent(ConsentError::TooMany) => CoreErrorCode::RateLimited,
        WordError::NotAsked { .. } => CoreErrorCode::UnexpectedMessage,
        WordError::Consent(ConsentError::Expired) => CoreErrorCode::Timeout,
        WordError::NotThePerson { .. }
        | WordError::Consent(ConsentError::Forbidden | ConsentError::Unknown | ConsentError::Void) => {
            CoreErrorCode::Forbidden
        }
    };
    let mut message = error.to_string();
    message.push('.');
    Answer::Refused(Box::new(refused(ErrorCode::Core(code), message)))
}
