//! `uiap trace`: what actions did, and who allowed it.

mod around;
mod turned_away;
mod why;

use crate::keeping::{JournalFlags, now};
use crate::{Outcome, Trouble};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write as _;
use uiap_protocol::action::{ActionResult, SideEffectState};
use uiap_protocol::ids::ActionHandle;
use uiap_protocol::time::Timestamp;
use uiap_runtime::journal::{Decision, Intent, Kept, LATEST_MAX, Tally, TraceRecord, TurnedAway};
use uiap_runtime::life::Millis;
use uiap_runtime::view::clean;
use uiap_runtime::words::short_signal;
use uiap_store::JournalReader;

/// Longest text of a page in one line, in characters.
const CHARS_MAX: usize = 400;

/// Show what actions did, step by step, and who allowed it
#[derive(Args)]
#[command(after_help = "\
Examples:
  uiap trace                   the last actions, the newest first
  uiap trace act_5f0c          one of them, by its handle or the beginning of it
  uiap trace act_5f0c --why    who allowed it: rule, rights, bundle, agreement
  uiap trace act_5f0c --format json

A request that was turned away before it became an action has a trace, too: it says why.
An action whose process died is shown as it will be ended: if it may have been dispatched, nobody knows whether
it took effect, and the same request is refused.")]
pub(crate) struct Trace {
    /// The handle of an action, or its beginning; without it, the last actions are listed
    handle: Option<String>,
    /// Who allowed it, and on what grounds
    #[arg(long, requires = "handle")]
    why: bool,
    /// How many actions to list
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
    /// How to show it
    #[arg(long, value_enum, default_value_t)]
    format: TraceFormat,
    #[command(flatten)]
    journal: JournalFlags,
}

/// How to show a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum TraceFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object.
    Json,
}

/// Where an action is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Ended,
    UnderWay,
    /// The process that ran it is dead.
    Abandoned,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            Self::Ended => "ended",
            Self::UnderWay => "under_way",
            Self::Abandoned => "abandoned",
        }
    }
}

/// Everything about one action.
struct Story {
    state: State,
    kept: Kept,
    result: Option<ActionResult>,
    trace: Option<TraceRecord>,
}

impl Trace {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        let reader = self.journal.read()?;
        let text = match &self.handle {
            Some(wanted) => self.one(&Stories { reader: &reader }, wanted)?,
            None => self.list(&Stories { reader: &reader })?,
        };
        write!(std::io::stdout(), "{text}")?;
        Ok(Outcome::Yes)
    }

    fn list(&self, stories: &Stories<'_>) -> Result<String, Trouble> {
        let found = stories.latest(usize::from(self.limit))?;
        if self.format == TraceFormat::Json {
            let list: Vec<_> = found.iter().map(Found::summary).collect();
            return Ok(format!("{:#}\n", Value::from(list)));
        }
        if found.is_empty() {
            return Ok("The journal knows no action yet.\n".to_owned());
        }
        let mut tally = Tally::default();
        let ended = found.iter().filter_map(Found::story).filter(|story| story.state == State::Ended);
        for story in ended {
            story.result.iter().for_each(|result| tally.add(result, story.trace.as_ref()));
        }
        let lines: String = found.iter().map(Found::line).collect();
        Ok(format!("{lines}{tally}\n"))
    }

    fn one(&self, stories: &Stories<'_>, wanted: &str) -> Result<String, Trouble> {
        let found = stories.find(wanted)?;
        Ok(match (self.format, &found) {
            (TraceFormat::Json, found) => format!("{:#}\n", found.to_json()),
            (TraceFormat::Text, Found::Action(story)) if self.why => why::told(story),
            (TraceFormat::Text, Found::Action(story)) => story.told(),
            (TraceFormat::Text, Found::TurnedAway(request)) => {
                format!("{}Steps\n{}", turned_away::line(request), steps(&request.trace))
            }
        })
    }
}

/// What a handle names.
enum Found {
    Action(Box<Story>),
    /// It never became an action.
    TurnedAway(TurnedAway),
}

impl From<Story> for Found {
    fn from(story: Story) -> Self {
        Self::Action(Box::new(story))
    }
}

impl From<TurnedAway> for Found {
    fn from(request: TurnedAway) -> Self {
        Self::TurnedAway(request)
    }
}

impl Found {
    fn story(&self) -> Option<&Story> {
        match self {
            Self::Action(story) => Some(story),
            Self::TurnedAway(_) => None,
        }
    }

    fn handle(&self) -> &ActionHandle {
        match self {
            Self::Action(story) => &story.kept.entry.handle,
            Self::TurnedAway(request) => &request.trace.handle,
        }
    }

    fn at(&self) -> Millis {
        match self {
            Self::Action(story) => story.kept.entry.at,
            Self::TurnedAway(request) => request.at,
        }
    }

    fn is_under_way(&self) -> bool {
        self.story().is_some_and(|story| story.state != State::Ended)
    }

    fn line(&self) -> String {
        match self {
            Self::Action(story) => story.line(),
            Self::TurnedAway(request) => turned_away::line(request),
        }
    }

    fn summary(&self) -> Value {
        match self {
            Self::Action(story) => story.summary(),
            Self::TurnedAway(request) => turned_away::summary(request),
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Self::Action(story) => story.to_json(),
            Self::TurnedAway(request) => turned_away::to_json(request),
        }
    }
}

/// The stories that a journal tells.
struct Stories<'r> {
    reader: &'r JournalReader,
}

impl Stories<'_> {
    /// The last ones, the newest first; what is not over comes before everything else.
    fn latest(&self, most: usize) -> Result<Vec<Found>, Trouble> {
        let mut handles = self.reader.open_actions().map_err(anyhow::Error::new)?;
        handles.reverse();
        let ended = self.reader.latest(most).map_err(anyhow::Error::new)?;
        handles.extend(ended.into_iter().map(|summary| summary.handle));
        let stories = handles.iter().take(most).filter_map(|handle| self.story(handle).transpose());
        let mut found: Vec<_> = stories.map(|story| story.map(Found::from)).collect::<Result<_, _>>()?;
        let turned_away = self.reader.turned_away(most).map_err(anyhow::Error::new)?;
        found.extend(turned_away.into_iter().map(Found::from));
        found.sort_by_key(|found| (!found.is_under_way(), std::cmp::Reverse(found.at())));
        found.truncate(most);
        Ok(found)
    }

    /// The one with this handle, or whose handle begins so.
    fn find(&self, wanted: &str) -> Result<Found, Trouble> {
        let exact = ActionHandle::new(wanted).ok().map(|handle| self.story(&handle)).transpose()?;
        if let Some(story) = exact.flatten() {
            return Ok(story.into());
        }
        let mut similar = self.latest(LATEST_MAX)?;
        similar.retain(|found| found.handle().as_str().starts_with(wanted));
        match (similar.pop(), similar.len()) {
            (Some(found), 0) => Ok(found),
            (Some(_), others) => Err(Trouble::WrongUse(format!(
                "{} actions begin with \"{wanted}\"; write more of the handle.",
                others + 1
            ))),
            (None, _) => Err(Trouble::WrongUse(format!(
                "The journal knows no action \"{wanted}\". `uiap trace` lists the last ones."
            ))),
        }
    }

    fn story(&self, handle: &ActionHandle) -> Result<Option<Story>, Trouble> {
        let Some(kept) = self.reader.find(handle).map_err(anyhow::Error::new)? else { return Ok(None) };
        if let Some(result) = kept.result.clone() {
            let trace = self.reader.trace(handle).map_err(anyhow::Error::new)?;
            return Ok(Some(Story { state: State::Ended, kept, result: Some(result), trace }));
        }
        if self.reader.is_held(handle).map_err(anyhow::Error::new)? {
            return Ok(Some(Story { state: State::UnderWay, kept, result: None, trace: None }));
        }
        let (result, trace) = kept.ended_by_crash(now());
        Ok(Some(Story { state: State::Abandoned, kept, result: Some(result), trace: Some(trace) }))
    }
}

impl Story {
    /// How it ended, and whether it took effect.
    fn ending(&self) -> String {
        let Some(result) = &self.result else { return "under way".to_owned() };
        let status = match self.state {
            State::Abandoned => "not finished, its process died",
            State::Ended | State::UnderWay => result.status.as_str(),
        };
        let effects = match result.side_effect_state {
            Some(SideEffectState::None) => "nothing was changed",
            Some(SideEffectState::Applied) => "it took effect",
            Some(SideEffectState::Unknown) | None => "whether it took effect is unknown",
        };
        format!("{status}; {effects}")
    }

    fn line(&self) -> String {
        let entry = &self.kept.entry;
        format!("{} {} {}: {}\n", time(entry.at), entry.handle, entry.action_id, self.ending())
    }

    fn told(&self) -> String {
        let mut text = self.line();
        if let Some(target) = self.result.as_ref().and_then(|result| result.resolved_target.as_ref()) {
            let name = target.name.as_deref().map(|name| format!(" \"{}\"", clean(name, CHARS_MAX)));
            let _ = writeln!(text, "Target: {}{}", target.role, name.unwrap_or_default());
        }
        for line in self.result.iter().flat_map(outcome) {
            let _ = writeln!(text, "{line}");
        }
        if let Some(trace) = &self.trace {
            let _ = write!(text, "Steps\n{}", steps(trace));
            text.push_str(&around::told(trace));
        } else if self.state == State::Ended {
            text.push_str("Its steps are not kept any more.\n");
        }
        text
    }

    fn summary(&self) -> Value {
        let entry = &self.kept.entry;
        json!({
            "actionHandle": entry.handle,
            "actionId": entry.action_id,
            "at": time(entry.at),
            "state": self.state.word(),
            "status": self.result.as_ref().map(|result| result.status),
            "sideEffectState": self.result.as_ref().and_then(|result| result.side_effect_state),
        })
    }

    fn to_json(&self) -> Value {
        let decided = |decision: &Decision, intent: Option<&Intent>| {
            let mut object = json!({
                "at": time(decision.at),
                "effect": decision.effect,
                "risk": decision.risk,
                "reason": decision.reason,
                "grounds": decision.grounds.to_json(),
            });
            if let (Some(members), Some(intent)) = (object.as_object_mut(), intent) {
                members.insert("dispatchedBy".to_owned(), intent.mode.as_str().into());
                members.insert("consented".to_owned(), intent.consented.into());
            }
            object
        };
        let alone = self.kept.decisions.iter().map(|decision| decided(decision, None));
        let intents = self.kept.intents.iter().map(|intent| decided(&intent.decision, Some(intent)));
        let decisions: Vec<_> = alone.chain(intents).collect();
        let mut value = self.summary();
        let more = json!({
            "principal": self.kept.entry.owner.principal,
            "application": self.kept.entry.owner.application,
            "decisions": decisions,
            "result": self.result,
            "trace": self.trace.as_ref().map(TraceRecord::to_json),
        });
        if let (Some(members), Value::Object(more)) = (value.as_object_mut(), more) {
            members.extend(more);
        }
        value
    }
}

/// What was found out about an action.
fn outcome(result: &ActionResult) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(error) = &result.error {
        lines.push(format!("Error: {}, {}", error.code, clean(&error.message, CHARS_MAX)));
    }
    let said = |name: &str| result.metadata.as_ref().and_then(|metadata| metadata.get(name)?.as_str());
    if let Some(verdict) = said("verdict") {
        let why = clean(said("explanation").unwrap_or_default(), CHARS_MAX);
        lines.push(format!("Verdict: {}, {why}", verdict.replace('_', " ")));
    }
    for (what, signals) in
        [("Observed", Some(&result.verification.observed)), ("Missing", result.verification.missing.as_ref())]
    {
        let signals: Vec<_> =
            signals.into_iter().flatten().map(|signal| clean(&short_signal(signal), CHARS_MAX)).collect();
        if !signals.is_empty() {
            lines.push(format!("{what}: {}", signals.join(", ")));
        }
    }
    lines
}

fn steps(trace: &TraceRecord) -> String {
    let began = trace.steps.first().map_or(0, |step| step.at);
    let line = |step: &uiap_runtime::journal::TraceEntry| {
        let after = step.at.saturating_sub(began);
        let state = step.state.as_str().to_lowercase().replace('_', " ");
        let by = step.evidence.as_ref().and_then(|evidence| evidence.get("origin")?.as_str());
        let by = by.map(|by| format!(" (as the {by} says)")).unwrap_or_default();
        format!("  {after:>6} ms  {state}: {}{by}\n", clean(&step.note, CHARS_MAX))
    };
    trace.steps.iter().map(line).collect()
}

fn time(at: Millis) -> String {
    let at = i64::try_from(at).ok().and_then(|at| Timestamp::from_millis(at).ok());
    at.map_or_else(|| "(no time)".to_owned(), |at| at.to_string())
}
