//! The tools that are compared: how each is started, how it says a step, and what its pages look like.

use super::task::{Deed, Step, Target};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where everything is.
pub(crate) struct Setting {
    pub(crate) uiap: PathBuf,
    pub(crate) browser: PathBuf,
    /// Where the peers are installed; nothing, if nobody is compared.
    pub(crate) peers: Option<PathBuf>,
    /// A folder for what programs leave behind.
    pub(crate) scratch: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Player {
    Uiap,
    Playwright,
    DevTools,
}

pub(crate) const PLAYERS: [Player; 3] = [Player::Uiap, Player::Playwright, Player::DevTools];

/// A call of a tool: its name and its arguments.
pub(crate) type Call = (&'static str, Value);

impl Player {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Uiap => "uiap mcp",
            Self::Playwright => "@playwright/mcp",
            Self::DevTools => "chrome-devtools-mcp",
        }
    }

    /// How it is started, or why it cannot be.
    pub(crate) fn command(self, setting: &Setting) -> Result<Command, String> {
        let program = match self {
            Self::Uiap => {
                let mut command = Command::new(&setting.uiap);
                command.arg("mcp").arg("--journal").arg(setting.scratch.join("journal.sqlite"));
                command.arg("--browser").arg(&setting.browser);
                return Ok(command);
            }
            Self::Playwright => "@playwright/mcp/cli.js",
            Self::DevTools => "chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js",
        };
        let peers = setting.peers.as_deref().ok_or("nobody else was asked for")?;
        let path = peers.join("node_modules").join(program);
        if !path.is_file() {
            return Err(format!(
                "it is not installed at {}",
                Path::new("node_modules").join(program).display()
            ));
        }
        let mut command = Command::new("node");
        command.arg(path).current_dir(&setting.scratch);
        let browser = setting.browser.display();
        match self {
            Self::Playwright => command
                .args(["--headless", "--isolated", "--no-sandbox", "--executable-path"])
                .arg(&setting.browser),
            Self::DevTools | Self::Uiap => command
                .args(["--headless", "--isolated", "--no-usage-statistics", "--no-page-id-routing"])
                .args([format!("--executablePath={browser}"), "--chromeArg=--no-sandbox".to_owned()]),
        };
        Ok(command)
    }

    /// How it is asked for the page.
    pub(crate) fn look(self) -> Call {
        match self {
            Self::Uiap => ("look", json!({ "scope": "page" })),
            Self::Playwright => ("browser_snapshot", json!({})),
            Self::DevTools => ("take_snapshot", json!({})),
        }
    }

    /// How it is told to take a step; `id` is its own name for the target.
    pub(crate) fn say(self, step: &Step, origin: &str, id: &str) -> Call {
        let text = &step.with;
        match (self, &step.deed) {
            (Self::Uiap, Deed::Open(path)) => ("open", json!({ "url": format!("{origin}{path}") })),
            (Self::Uiap, Deed::Fill(_)) => {
                ("act", json!({ "action": "enterText", "target": id, "args": { "text": text } }))
            }
            (Self::Uiap, Deed::Choose(_)) => {
                ("act", json!({ "action": "choose", "target": id, "args": { "label": text } }))
            }
            (Self::Uiap, Deed::Press(_)) => ("act", json!({ "action": "activate", "target": id })),
            (Self::Uiap, Deed::Find(text)) => ("look", json!({ "find": text })),
            (Self::Playwright, Deed::Open(path)) => {
                ("browser_navigate", json!({ "url": format!("{origin}{path}") }))
            }
            (Self::Playwright, Deed::Fill(_)) => ("browser_type", json!({ "target": id, "text": text })),
            (Self::Playwright, Deed::Choose(_)) => {
                ("browser_select_option", json!({ "target": id, "values": [text] }))
            }
            (Self::Playwright, Deed::Press(_)) => ("browser_click", json!({ "target": id })),
            (Self::Playwright, Deed::Find(text)) => ("browser_find", json!({ "text": text })),
            (Self::DevTools, Deed::Open(path)) => {
                ("navigate_page", json!({ "type": "url", "url": format!("{origin}{path}") }))
            }
            (Self::DevTools, Deed::Fill(_) | Deed::Choose(_)) => {
                ("fill", json!({ "uid": id, "value": text }))
            }
            (Self::DevTools, Deed::Press(_)) => ("click", json!({ "uid": id })),
            (Self::DevTools, Deed::Find(text)) => {
                let script = format!("() => document.body.innerText.includes({})", json!(text));
                ("evaluate_script", json!({ "function": script }))
            }
        }
    }

    /// Its own name for something that it showed; what it showed last counts.
    pub(crate) fn id(self, seen: &str, target: &Target) -> Option<String> {
        let words = format!("{} \"{}\"", target.role, target.label);
        // A line about what was left out names buttons the other way round.
        let named = format!("\"{}\" [", target.label);
        seen.lines().rev().find_map(|line| {
            if self == Self::Uiap
                && let Some((_, after)) = line.split_once(&named).filter(|_| line.contains("... "))
            {
                return after.split_once(']').map(|(id, _)| id.to_owned());
            }
            let (before, after) = line.split_once(&words)?;
            match self {
                Self::Uiap => before.split_whitespace().next_back().map(str::to_owned),
                Self::Playwright => Some(after.split_once("[ref=")?.1.split_once(']')?.0.to_owned()),
                Self::DevTools => before.trim().strip_prefix("uid=").map(str::to_owned),
            }
        })
    }

    /// Whether an answer shows that the page has the text that was looked for.
    pub(crate) fn has_found(self, answer: &str, text: &str) -> bool {
        match self {
            Self::Uiap => answer.contains(text) && !answer.contains("No control or label here contains"),
            Self::Playwright => answer.contains(text) && answer.contains("[ref="),
            Self::DevTools => answer.lines().any(|line| line == "true"),
        }
    }

    /// Whether its answers say what a step did to the page; otherwise the model has to look.
    pub(crate) fn shows_pages(self) -> bool {
        self == Self::Uiap
    }
}
