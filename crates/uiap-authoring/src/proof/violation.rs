//! What is wrong, and the way that leads there.

use std::fmt::{Display, Formatter, Result};
use uiap_protocol::capability::{RiskLevel, RiskTag};
use uiap_protocol::finding::{Code, Finding, Severity};
use uiap_protocol::ids::{ActionId, Id, StableId};

/// Most steps of a way that are printed; of a longer one, its beginning and its end.
pub const PATH_SHOWN_MAX: usize = 12;

/// What a person did on the way. Ordered: a later one is more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Guard {
    /// Nothing.
    Nothing,
    /// Agreed to something.
    Confirmation,
    /// Did something.
    Handoff,
}

/// How one step leads to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// It is the first step.
    Start,
    /// By `next`.
    Next,
    /// By `next`, because the condition of the step before does not hold.
    Skipped,
    /// By `otherwise`.
    Otherwise,
    /// By a case of a branch, counted from 0.
    Case(usize),
    /// By `onError`.
    OnError,
    /// By a recovery rule of the workflow, counted from 0.
    Recovery(usize),
}

/// A step on a way, and how it is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// How.
    pub edge: Edge,
    /// The step.
    pub step: Id,
}

/// Where a way begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// With a workflow.
    Workflow(Id),
    /// With what is requested of an element by default.
    Element(StableId),
}

/// Something grave, and what it would need.
#[derive(Clone, Debug, PartialEq)]
pub struct Danger {
    /// The action that is reached.
    pub action: ActionId,
    /// The element it is aimed at.
    pub element: Option<StableId>,
    /// How risky the bundle declares it to be.
    pub level: RiskLevel,
    /// Which of its tags are grave.
    pub tags: Vec<RiskTag>,
    /// What it needs and does not get.
    pub needs: Guard,
    /// Why it needs that, as a sentence.
    pub because: String,
}

/// A way to something grave without the person that it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// Where the way begins.
    pub entry: Entry,
    /// The steps, from the first one to the one that acts; empty for a default action.
    pub path: Vec<Hop>,
    /// What is reached.
    pub danger: Danger,
    /// Where that stands, as a JSON pointer into the bundle.
    pub pointer: String,
}

impl Violation {
    /// The way in one line, such as `intro -> check -(otherwise)-> publish`.
    pub fn way(&self) -> String {
        let left_out = self.path.len().saturating_sub(PATH_SHOWN_MAX);
        let shown_first = if left_out == 0 { self.path.len() } else { PATH_SHOWN_MAX / 2 };
        let (first, rest) = self.path.split_at(shown_first);
        let gap = (left_out > 0).then(|| format!(" -> ... {left_out} more"));
        let last = rest.iter().skip(left_out).map(Hop::to_string);
        first.iter().map(Hop::to_string).chain(gap).chain(last).collect()
    }

    /// What to do about it.
    fn help(&self) -> String {
        let Danger { action, needs, .. } = &self.danger;
        match (&self.entry, needs) {
            (Entry::Workflow(_), Guard::Handoff) => {
                let before = self.path.last().map(|hop| hop.step.as_str()).unwrap_or_default();
                format!("Put a handoff step before \"{before}\" on this way, or leave \"{action}\" to a person.")
            }
            (Entry::Workflow(_), _) => {
                "Give the element a \"risk\" of confirm, so that a person is asked, or put a handoff step before it."
                    .to_owned()
            }
            (Entry::Element(_), Guard::Handoff) => {
                "Remove \"defaultAction\": nobody but a person may do this.".to_owned()
            }
            (Entry::Element(_), _) => {
                "Give the element a \"risk\" of confirm: its tags alone ask nobody.".to_owned()
            }
        }
    }
}

impl Display for Hop {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        match self.edge {
            Edge::Start => Ok(()),
            Edge::Next => formatter.write_str(" -> "),
            Edge::Skipped => formatter.write_str(" -(skipped)-> "),
            Edge::Otherwise => formatter.write_str(" -(otherwise)-> "),
            Edge::Case(case) => write!(formatter, " -(case {})-> ", case + 1),
            Edge::OnError => formatter.write_str(" -(on error)-> "),
            Edge::Recovery(rule) => write!(formatter, " -(recovery {})-> ", rule + 1),
        }?;
        formatter.write_str(self.step.as_str())
    }
}

impl Display for Violation {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        let Danger { action, element, needs, because, .. } = &self.danger;
        let lacking = if *needs == Guard::Handoff { "a handoff" } else { "anybody being asked" };
        match &self.entry {
            Entry::Workflow(workflow) => {
                write!(formatter, "The workflow \"{workflow}\" reaches \"{action}\"")?;
                if let Some(element) = element {
                    write!(formatter, " on \"{element}\"")?;
                }
                write!(formatter, " without {lacking}: {}. {because}", self.way())
            }
            Entry::Element(element) => {
                let what = format!("The default action \"{action}\" of \"{element}\"");
                write!(formatter, "{what} does something grave without {lacking}. {because}")
            }
        }
    }
}

impl From<&Violation> for Finding {
    fn from(violation: &Violation) -> Self {
        Self {
            code: Code::UngatedRisk,
            severity: Severity::Error,
            message: violation.to_string(),
            help: Some(violation.help()),
            pointer: violation.pointer.clone(),
            on_key: false,
            span: None,
            requirement: Some(match violation.danger.needs {
                Guard::Handoff => "CAP-8-4",
                Guard::Nothing | Guard::Confirmation => "CAP-8-5",
            }),
        }
    }
}
