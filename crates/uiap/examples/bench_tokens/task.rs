//! The task that every tool is given: `task.json`.

use serde::Deserialize;
use serde_json::Value;

/// Ten steps, and what the server must have written once, and only once, when they were taken.
#[derive(Deserialize)]
pub(crate) struct Task {
    pub(crate) steps: Vec<Step>,
    pub(crate) written: Value,
}

#[derive(Deserialize)]
pub(crate) struct Step {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) deed: Deed,
    /// What is typed or chosen.
    #[serde(default)]
    pub(crate) with: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Deed {
    /// A path of the application.
    Open(String),
    Fill(Target),
    Choose(Target),
    Press(Target),
    /// A text that the page has to show.
    Find(String),
}

/// Something on a page, as a person names it.
#[derive(Deserialize)]
pub(crate) struct Target {
    pub(crate) role: String,
    pub(crate) label: String,
}

pub(crate) fn task() -> serde_json::Result<Task> {
    serde_json::from_str(include_str!("task.json"))
}
