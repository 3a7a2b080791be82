//! What happened during an action, as it is kept and shown.

use super::Kept;
use crate::catalogue::ActionType;
use crate::life::{Milestone, Millis, StageResult, TraceStage, TraceStep};
use serde_json::Value;
use uiap_protocol::action::{ActionStatus, RuntimeState, SideEffectState};
use uiap_protocol::ids::{ActionHandle, ActionId};
use uiap_protocol::wire::JsonObject;

/// Most diagnostics of one trace.
pub const DIAGNOSTICS_MAX: usize = 256;

/// What happened during one action.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceRecord {
    /// Which action.
    pub handle: ActionHandle,
    /// What it is.
    pub action_id: ActionId,
    /// Its transitions, in order.
    pub steps: Vec<TraceEntry>,
    /// What was seen around it: console lines, exceptions, network, signals.
    pub diagnostics: Vec<JsonObject>,
    /// How many diagnostics there was no room for.
    pub omitted: u64,
}

/// One transition.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceEntry {
    /// When.
    pub at: Millis,
    /// Into which state.
    pub state: RuntimeState,
    /// Why.
    pub note: String,
    /// Whose outcome it tells.
    pub stage: TraceStage,
    /// Which outcome.
    pub result: StageResult,
    /// What is reached by it.
    pub milestone: Option<Milestone>,
    /// How often the action was about to be dispatched by then.
    pub attempt: u32,
    /// How often it had left its way to recover by then.
    pub cycle: u32,
    /// What showed it.
    pub evidence: Option<JsonObject>,
}

/// One line of a list of traces.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceSummary {
    /// Which action.
    pub handle: ActionHandle,
    /// What it is.
    pub action_id: ActionId,
    /// When it was admitted, in milliseconds since 1970.
    pub at: Millis,
    /// How it ended.
    pub status: ActionStatus,
    /// Whether anything was changed.
    pub side_effects: Option<SideEffectState>,
}

impl Kept {
    /// The action as one line; nothing while it is under way.
    pub fn summary(&self) -> Option<TraceSummary> {
        let result = self.result.as_ref()?;
        Some(TraceSummary {
            handle: self.entry.handle.clone(),
            action_id: self.entry.action_id.clone(),
            at: self.entry.at,
            status: result.status,
            side_effects: result.side_effect_state,
        })
    }
}

impl From<&TraceStep> for TraceEntry {
    fn from(step: &TraceStep) -> Self {
        let TraceStep { at, state, note, stage, result, milestone, attempt, cycle, evidence } = step.clone();
        Self { at, state, note, stage, result, milestone, attempt, cycle, evidence }
    }
}

impl TraceRecord {
    /// A trace without steps.
    pub fn new(handle: ActionHandle, action_id: ActionId) -> Self {
        Self { handle, action_id, steps: Vec::new(), diagnostics: Vec::new(), omitted: 0 }
    }

    /// Adds what was seen around the action; what there is no room for is counted.
    pub fn attach(&mut self, diagnostic: JsonObject) {
        if self.diagnostics.len() < DIAGNOSTICS_MAX {
            self.diagnostics.push(diagnostic);
        } else {
            self.omitted = self.omitted.saturating_add(1);
        }
    }

    /// How it ended; nothing, if that is not in it.
    pub fn outcome(&self) -> Option<RuntimeState> {
        self.steps.last().map(|step| step.state).filter(|state| {
            matches!(state, RuntimeState::Succeeded | RuntimeState::Failed | RuntimeState::Cancelled)
        })
    }

    /// How often it was about to be dispatched.
    pub fn attempts(&self) -> u32 {
        self.steps.iter().map(|step| step.attempt).max().unwrap_or_default()
    }

    /// The trace as JSON. What follows from its steps is said once more, for those who read no further.
    pub fn to_json(&self) -> Value {
        let mut object = JsonObject::new();
        object.insert("actionHandle".to_owned(), self.handle.as_str().into());
        object.insert("actionId".to_owned(), self.action_id.as_str().into());
        object.insert("actionType".to_owned(), ActionType::of(&self.action_id).word().into());
        object.insert("outcome".to_owned(), self.outcome().map(|state| state.to_string()).into());
        object.insert("attempts".to_owned(), self.attempts().into());
        object.insert("steps".to_owned(), self.steps.iter().map(TraceEntry::to_json).collect());
        if !self.diagnostics.is_empty() {
            let diagnostics = self.diagnostics.iter().cloned().map(Value::Object).collect();
            object.insert("diagnostics".to_owned(), diagnostics);
        }
        if self.omitted > 0 {
            object.insert("omitted".to_owned(), self.omitted.into());
        }
        Value::Object(object)
    }

    /// Reads what [`TraceRecord::to_json`] wrote; nothing, if it is something else.
    pub fn from_json(value: &Value) -> Option<Self> {
        let diagnostics = match value.get("diagnostics") {
            Some(diagnostics) => {
                diagnostics.as_array()?.iter().map(|one| one.as_object().cloned()).collect::<Option<_>>()?
            }
            None => Vec::new(),
        };
        Some(Self {
            handle: ActionHandle::new(value.get("actionHandle")?.as_str()?).ok()?,
            action_id: ActionId::new(value.get("actionId")?.as_str()?).ok()?,
            steps: value
                .get("steps")?
                .as_array()?
                .iter()
                .map(TraceEntry::from_json)
                .collect::<Option<_>>()?,
            diagnostics,
            omitted: value.get("omitted").map_or(Some(0), Value::as_u64)?,
        })
    }
}

impl TraceEntry {
    fn to_json(&self) -> Value {
        let mut object = JsonObject::new();
        object.insert("at".to_owned(), self.at.into());
        object.insert("state".to_owned(), self.state.as_str().into());
        object.insert("note".to_owned(), self.note.as_str().into());
        object.insert("stage".to_owned(), self.stage.word().into());
        object.insert("result".to_owned(), self.result.word().into());
        if let Some(milestone) = self.milestone {
            object.insert("milestone".to_owned(), milestone.word().into());
        }
        object.insert("attempt".to_owned(), self.attempt.into());
        object.insert("cycle".to_owned(), self.cycle.into());
        if let Some(evidence) = &self.evidence {
            object.insert("evidence".to_owned(), evidence.clone().into());
        }
        Value::Object(object)
    }

    fn from_json(value: &Value) -> Option<Self> {
        let evidence = match value.get("evidence") {
            Some(evidence) => Some(evidence.as_object()?.clone()),
            None => None,
        };
        let milestone = match value.get("milestone") {
            Some(word) => Some(Milestone::from_word(word.as_str()?)?),
            None => None,
        };
        // Journals that were written before these were counted have none of them.
        let count = |name: &str| match value.get(name) {
            Some(count) => u32::try_from(count.as_u64()?).ok(),
            None => Some(0),
        };
        let state = RuntimeState::from_word(value.get("state")?.as_str()?)?;
        let stage = match value.get("stage") {
            Some(word) => TraceStage::from_word(word.as_str()?)?,
            None if state == RuntimeState::Received => TraceStage::Accept,
            None if state == RuntimeState::ResolvingTarget => TraceStage::Resolve,
            None if state == RuntimeState::CheckingPreconditions => TraceStage::Check,
            None => TraceStage::Execute,
        };
        let result = match value.get("result") {
            Some(word) => StageResult::from_word(word.as_str()?)?,
            None if state == RuntimeState::Failed => StageResult::Failed,
            None => StageResult::Passed,
        };
        Some(Self {
            at: value.get("at")?.as_u64()?,
            state,
            note: value.get("note")?.as_str()?.to_owned(),
            stage,
            result,
            milestone,
            attempt: count("attempt")?,
            cycle: count("cycle")?,
            evidence,
        })
    }
}
