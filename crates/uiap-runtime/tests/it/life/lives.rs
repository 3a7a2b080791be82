//! Actions, and short words for what happens to them.

use uiap_protocol::action::{ActionResult, ResolvedBy, ResolvedTarget, VerificationPolicy};
use uiap_protocol::capability::{ExecutionMode, Idempotency, RiskDescriptor, RiskLevel, Role};
use uiap_protocol::ids::{ActionHandle, ActionId, DocumentId, ElementInstanceId, RevisionId};
use uiap_protocol::policy::PolicyEffect;
use uiap_protocol::wire::JsonObject;
use uiap_runtime::gate::{Demand, LiveFacts};
use uiap_runtime::life::{
    Action, Answer, Delivery, Effect, Event, Grounds, Message, Observation, Plan, Preview, Question, Record,
    Ticket, Verdict, VerificationPlan, step,
};
use uiap_runtime::resolve::{Aim, Candidate, Resolution, Score};

/// An action with everything it has caused, as text.
pub(crate) struct Life {
    pub(crate) action: Option<Action>,
    pub(crate) asked: Ticket,
    told: Vec<String>,
    /// Everything that was caused so far.
    pub(crate) all: Vec<String>,
    /// When it wants to be woken.
    pub(crate) wake: u64,
    /// What the last progress said.
    pub(crate) note: Option<String>,
    pub(crate) result: Option<ActionResult>,
}

pub(crate) fn plan() -> Plan {
    Plan {
        handle: ActionHandle::new("act_1").expect("an id"),
        action_id: ActionId::new("ui.activate").expect("an id"),
        needs_target: true,
        demand: Demand::Pressing,
        idempotency: Idempotency::NonIdempotent,
        modes: vec![ExecutionMode::AppAction, ExecutionMode::SemanticUi],
        verification: VerificationPlan {
            policy: VerificationPolicy::Any,
            signals: Vec::new(),
            timeout_ms: 4_000,
            require_revision_advance: false,
        },
        timeout_ms: 10_000,
        args: None,
    }
}

impl Life {
    pub(crate) fn new(change: impl FnOnce(&mut Plan)) -> Self {
        let mut plan = plan();
        change(&mut plan);
        let mut life = Self {
            action: None,
            asked: Ticket::default(),
            told: Vec::new(),
            all: Vec::new(),
            wake: 0,
            note: None,
            result: None,
        };
        let (action, effects) = Action::accept(plan, 0);
        life.hear(&effects);
        life.action = Some(action);
        life
    }

    pub(crate) fn tell(&mut self, now: u64, event: Event) -> &mut Self {
        let (action, effects) = step(self.action.take().expect("an action"), now, event);
        self.hear(&effects);
        self.action = Some(action);
        self
    }

    pub(crate) fn answer(&mut self, now: u64, answer: Answer) -> &mut Self {
        self.tell(now, Event::Answered(self.asked, answer))
    }

    fn hear(&mut self, effects: &[Effect]) {
        for effect in effects {
            if let Effect::Ask(ticket, _) = effect {
                self.asked = *ticket;
            }
            if let Effect::Send(Message::Progress(progress)) = effect {
                self.note.clone_from(&progress.note);
            }
            if let Effect::Send(Message::Result(result)) = effect {
                self.result = Some((**result).clone());
            }
            if let Effect::WakeAt(at) = effect {
                self.wake = *at;
            }
            self.told.extend(shown(effect));
            self.all.extend(shown(effect));
        }
    }

    /// What was caused since the last time.
    pub(crate) fn since(&mut self) -> String {
        std::mem::take(&mut self.told).join("\n")
    }

    /// To the point where the surface is asked to act.
    pub(crate) fn dispatched(change: impl FnOnce(&mut Plan)) -> Self {
        let mut life = Self::new(change);
        life.answer(10, found("el_1")).answer(20, fine()).answer(30, verdict(PolicyEffect::Allow));
        life.since();
        life
    }
}

fn shown(effect: &Effect) -> Option<String> {
    Some(match effect {
        Effect::Send(Message::Accepted(_)) => "accepted".to_owned(),
        Effect::Send(Message::Progress(progress)) => format!("progress {}", progress.stage),
        Effect::Send(Message::Cancelled(_)) => "cancelled".to_owned(),
        Effect::Send(Message::Result(result)) => {
            let error = result.error.as_ref();
            let effects = result.side_effect_state.map(|state| state.to_string()).unwrap_or_default();
            let code = error.map(|error| format!(" {}", error.code)).unwrap_or_default();
            let retry = error.and_then(|error| error.retryable).map(|retry| format!(" retryable={retry}"));
            format!("result {} {effects}{code}{}", result.status, retry.unwrap_or_default())
        }
        Effect::Ask(_, Question::Confirm(request)) => format!("ask confirm {}", request.risk.level),
        Effect::Ask(_, Question::Dispatch { mode }) => format!("ask dispatch {mode}"),
        Effect::Ask(_, Question::Resolve { fresh }) => format!("ask resolve fresh={fresh}"),
        Effect::Ask(_, question) => format!("ask {}", format!("{question:?}").to_lowercase()),
        Effect::Record(Record::Intent { consented, .. }) => format!("record intent consented={consented}"),
        Effect::Record(Record::Outcome(_)) => "record outcome".to_owned(),
        Effect::Watch => "watch".to_owned(),
        Effect::WakeAt(_) => return None,
    })
}

pub(crate) fn action_id(id: &str) -> ActionId {
    ActionId::new(id).expect("an id")
}

fn target(id: &str) -> ResolvedTarget {
    ResolvedTarget {
        by: ResolvedBy::StableId,
        instance_id: ElementInstanceId::new(id).expect("an id"),
        stable_id: None,
        document_id: DocumentId::new("doc").expect("an id"),
        scope_id: None,
        role: Role::Button,
        name: None,
        bbox: None,
    }
}

pub(crate) fn candidate(id: &str) -> Candidate {
    Candidate { target: target(id), score: Score { role: 20, ..Score::default() } }
}

pub(crate) fn found(id: &str) -> Answer {
    found_beside(id, &[])
}

/// Found, with others that could have been meant.
pub(crate) fn found_beside(id: &str, others: &[&str]) -> Answer {
    Answer::Resolved(Ok(Aim::Element(Box::new(Resolution {
        target: target(id),
        score: Score::default(),
        confidence_percent: 100,
        found_inside: None,
        alternates: others.iter().map(|id| candidate(id)).collect(),
    }))))
}

pub(crate) fn facts() -> LiveFacts {
    LiveFacts::shown(Role::Button)
}

pub(crate) fn fine() -> Answer {
    Answer::Checked(Some(facts()))
}

pub(crate) fn gone() -> Answer {
    Answer::Checked(Some(LiveFacts { attached: false, ..facts() }))
}

pub(crate) fn verdict(effect: PolicyEffect) -> Answer {
    let level = if effect == PolicyEffect::Confirm { RiskLevel::Confirm } else { RiskLevel::Safe };
    Answer::Decided(Box::new(Verdict {
        effect,
        reason: "by the rule \"r\"".to_owned(),
        risk: RiskDescriptor { level, tags: None, reason: None, extra: JsonObject::default() },
        modes: vec![ExecutionMode::AppAction, ExecutionMode::SemanticUi],
        verification: None,
        preview: Preview::default(),
        grounds: Grounds::default(),
    }))
}

pub(crate) fn delivered() -> Answer {
    Answer::Delivered(Delivery::Delivered { acknowledged: false, return_value: None })
}

pub(crate) fn seen(enough: bool) -> Event {
    let revision = RevisionId::new("r2").ok();
    Event::Observed(Observation { enough, settled: true, changed: true, revision, ..Observation::default() })
}

pub(crate) fn undelivered() -> Answer {
    Answer::Delivered(Delivery::NotDelivered { reason: "no handler".to_owned() })
}

pub(crate) fn outdated() -> Answer {
    Answer::Delivered(Delivery::Outdated { reason: "it shows another row".to_owned() })
}

pub(crate) fn checked(facts: LiveFacts) -> Answer {
    Answer::Checked(Some(facts))
}
