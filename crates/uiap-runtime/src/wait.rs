//! Waiting, as a pure machine: for signals, for a change, or for quiet.
//!
//! Start at [`Wait::new`]. Looks and signals come in with the time, a [`Decision`] goes out. Every wait has a deadline
//! and ends with a reason and with what was seen until then. That something stopped loading is never a success.

use crate::judge::{Asked, Expectation, Judge, Wanted};
use crate::life::Millis;
use std::collections::VecDeque;
use uiap_protocol::action::{VerificationPolicy, VerificationSpec};
use uiap_protocol::capability::{Role, SuccessSignal};
use uiap_protocol::ids::RevisionId;
use uiap_protocol::web::{GraphStore, WebSignal};

/// Longest wait.
pub const WAIT_MS_MAX: Millis = 10 * 60 * 1_000;
/// Most revisions that are remembered, so that a caller can name one that is past.
pub const REVISIONS_MAX: usize = 1_024;

/// What is waited for.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// One of these signals.
    Any(Vec<SuccessSignal>),
    /// All of these signals.
    All(Vec<SuccessSignal>),
    /// A change that matters since a revision.
    Change {
        /// The revision; without it, that of the call.
        since: Option<RevisionId>,
    },
    /// No change that matters and nothing loading for this long.
    Quiet {
        /// How long.
        ms: Millis,
    },
}

/// The revisions of a page, each with how much had changed by then.
#[derive(Clone, Debug, Default)]
pub struct Revisions {
    past: VecDeque<(RevisionId, u64)>,
    changes: u64,
    last: Option<(u64, u64)>,
}

impl Revisions {
    /// Notes where a page is. A page that was read anew has changed.
    pub fn note(&mut self, page: &GraphStore) {
        let (seq, stirs) = (page.seq(), page.stirs());
        match self.last {
            Some((last_seq, last_stirs)) if seq >= last_seq && stirs >= last_stirs => {
                self.changes = self.changes.saturating_add(stirs - last_stirs);
            }
            Some(_) => self.changes = self.changes.saturating_add(1),
            None => {}
        }
        self.last = Some((seq, stirs));
        if self.past.back().is_none_or(|(revision, _)| revision != page.revision()) {
            if self.past.len() == REVISIONS_MAX {
                self.past.pop_front();
            }
            self.past.push_back((page.revision().clone(), self.changes));
        }
    }

    /// How much has changed up to now.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// How much had changed at a revision. Nothing, if it is not known any more.
    pub fn changes_at(&self, revision: &RevisionId) -> Option<u64> {
        self.past.iter().rev().find(|(past, _)| past == revision).map(|(_, changes)| *changes)
    }
}

/// Where it shows that something loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadingSource {
    /// An element says so.
    Element,
    /// The document is not complete.
    Document,
    /// Requests are under way.
    Network,
}

impl LoadingSource {
    /// As it stands in a result.
    pub fn word(self) -> &'static str {
        match self {
            Self::Element => "element",
            Self::Document => "document",
            Self::Network => "network",
        }
    }
}

/// Whether something loads, and how that is known (R003-4.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loading {
    /// It does.
    pub active: bool,
    /// What says so, such as `busy` or the name of a spinner.
    pub signal: String,
    /// Where.
    pub source: LoadingSource,
}

impl Loading {
    /// What the elements of a page say. Nothing, if none says anything.
    pub fn of(page: &GraphStore) -> Option<Self> {
        page.elements().filter(|element| element.state.ui.visible != Some(false)).find_map(|element| {
            let state = &element.state.ui;
            let signal = match (state.busy, state.loading) {
                (Some(true), _) => "busy",
                (_, Some(true)) => "loading",
                _ if element.role == Role::Spinner => "spinner",
                _ => return None,
            };
            let name = element.name.as_deref().unwrap_or(element.instance_id.as_str());
            Some(Self { active: true, signal: format!("{signal}: {name}"), source: LoadingSource::Element })
        })
    }
}

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// The signals were observed.
    Signals,
    /// Something changed.
    Change,
    /// It has been quiet for long enough.
    Quiet,
    /// The time was up.
    Deadline,
    /// The revision that was named is not known, so nothing can be said about what changed since.
    UnknownRevision,
}

impl Completion {
    /// As it stands in a result.
    pub fn word(self) -> &'static str {
        match self {
            Self::Signals => "signals",
            Self::Change => "change",
            Self::Quiet => "quiet",
            Self::Deadline => "deadline",
            Self::UnknownRevision => "unknown_revision",
        }
    }

    /// What was waited for has come.
    pub fn is_success(self) -> bool {
        matches!(self, Self::Signals | Self::Change | Self::Quiet)
    }
}

/// How a wait ended, with what was seen until then.
#[derive(Clone, Debug, PartialEq)]
pub struct Waited {
    /// Why it ended.
    pub completion: Completion,
    /// How long it took.
    pub ms: Millis,
    /// The revision at its end.
    pub revision: Option<RevisionId>,
    /// Something that matters changed.
    pub changed: bool,
    /// How long nothing had changed.
    pub quiet_ms: Millis,
    /// The signals that were observed.
    pub observed: Vec<SuccessSignal>,
    /// The signals that were not.
    pub missing: Vec<SuccessSignal>,
    /// Whether something loaded at its end.
    pub loading: Option<Loading>,
}

/// What follows from an event.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// More patience; look again at this time at the latest.
    Until(Millis),
    /// It is over.
    Over(Box<Waited>),
}

/// One wait.
#[derive(Debug)]
pub struct Wait {
    condition: Condition,
    judge: Option<Judge>,
    began: Millis,
    deadline: Millis,
    /// How much had changed at the revision that it is about.
    base: Option<u64>,
    changes: u64,
    quiet_since: Millis,
    loading: Option<Loading>,
    revision: Option<RevisionId>,
    signals: (Vec<SuccessSignal>, Vec<SuccessSignal>, bool),
}

impl Wait {
    /// Begins a wait. Signals since the revision that the caller names are to be told with [`Wait::hear`] before the
    /// first look, so that none is missed.
    pub fn new(
        condition: Condition,
        timeout_ms: Millis,
        page: &GraphStore,
        revisions: &Revisions,
        now: Millis,
    ) -> Self {
        let base = match &condition {
            Condition::Change { since: Some(since) } => revisions.changes_at(since),
            _ => Some(revisions.changes()),
        };
        let judge = match &condition {
            Condition::Any(signals) => Some(judge(VerificationPolicy::Any, signals, page)),
            Condition::All(signals) => Some(judge(VerificationPolicy::All, signals, page)),
            _ => None,
        };
        Self {
            condition,
            judge,
            began: now,
            deadline: now.saturating_add(timeout_ms.min(WAIT_MS_MAX)),
            base,
            changes: revisions.changes(),
            quiet_since: now,
            loading: None,
            revision: Some(page.revision().clone()),
            signals: (Vec::new(), Vec::new(), false),
        }
    }

    /// Hears what happened since the revision that it is about.
    pub fn hear(&mut self, signal: &WebSignal) {
        if let Some(judge) = &mut self.judge {
            judge.hear(signal);
        }
    }

    /// Looks at a page. What loads is what its elements say, or else what the surface says.
    pub fn look(
        &mut self,
        page: &GraphStore,
        revisions: &Revisions,
        surface_loading: Option<Loading>,
        now: Millis,
    ) -> Decision {
        // What happened before the deadline and is seen after it came too late, except quiet, which nothing disturbed.
        let over = self.decide(now);
        if let Decision::Over(_) = over {
            return over;
        }
        self.revision = Some(page.revision().clone());
        let loading = Loading::of(page).or(surface_loading);
        let was_active = self.loading.as_ref().is_some_and(|loading| loading.active);
        let is_active = loading.as_ref().is_some_and(|loading| loading.active);
        if revisions.changes() != self.changes || is_active || was_active {
            self.quiet_since = now;
        }
        self.changes = revisions.changes();
        self.loading = loading;
        if let Some(judge) = &mut self.judge {
            let seen = judge.observe(page, true);
            self.signals = (seen.observed, seen.missing, seen.enough);
        }
        self.decide(now)
    }

    /// The time that was asked for has come.
    pub fn wake(&self, now: Millis) -> Decision {
        self.decide(now)
    }

    fn decide(&self, now: Millis) -> Decision {
        let active = self.loading.as_ref().is_some_and(|loading| loading.active);
        match &self.condition {
            Condition::Change { .. } if self.base.is_none() => {
                return self.over(Completion::UnknownRevision, now);
            }
            Condition::Change { .. } if self.has_changed() => return self.over(Completion::Change, now),
            Condition::Any(_) | Condition::All(_) if self.signals.2 => {
                return self.over(Completion::Signals, now);
            }
            Condition::Quiet { ms } => {
                let quiet_at = self.quiet_since.saturating_add(*ms);
                if !active && quiet_at <= now && quiet_at <= self.deadline {
                    return self.over(Completion::Quiet, now);
                }
                if now < self.deadline {
                    let until = if active { self.deadline } else { quiet_at.min(self.deadline) };
                    return Decision::Until(until);
                }
            }
            _ => {}
        }
        if now >= self.deadline {
            self.over(Completion::Deadline, now)
        } else {
            Decision::Until(self.deadline)
        }
    }

    fn has_changed(&self) -> bool {
        self.base.is_some_and(|base| self.changes != base)
    }

    fn over(&self, completion: Completion, now: Millis) -> Decision {
        Decision::Over(Box::new(Waited {
            completion,
            ms: now.saturating_sub(self.began),
            revision: self.revision.clone(),
            changed: self.has_changed(),
            quiet_ms: now.saturating_sub(self.quiet_since),
            observed: self.signals.0.clone(),
            missing: self.signals.1.clone(),
            loading: self.loading.clone(),
        }))
    }
}

/// Whoever waits for something that is so already need not wait.
fn judge(policy: VerificationPolicy, signals: &[SuccessSignal], page: &GraphStore) -> Judge {
    let spec = VerificationSpec {
        policy: Some(policy),
        signals: Some(signals.to_vec()),
        ..VerificationSpec::default()
    };
    let asked = Asked {
        verification: Some(&spec),
        described: &[],
        target: None,
        wanted: &Wanted::Nothing,
        idempotent: true,
    };
    Judge::new(Expectation::of(&asked), page)
}
