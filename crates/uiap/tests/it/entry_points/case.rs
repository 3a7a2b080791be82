//! The language of the cases.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use uiap_protocol::text::{Format, Limits, read};

/// How a client reaches an application. `xtask` knows the same names for its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryPoint {
    Cli,
    McpStdio,
    McpHttp,
    UiapStdio,
    UiapWebSocket,
    UiapHttp,
    Sdk,
}

/// How long what is to succeed may take, in seconds.
const PATIENCE: u64 = 30;

const ENTRY_POINTS: [EntryPoint; 7] = [
    EntryPoint::Cli,
    EntryPoint::McpStdio,
    EntryPoint::McpHttp,
    EntryPoint::UiapStdio,
    EntryPoint::UiapWebSocket,
    EntryPoint::UiapHttp,
    EntryPoint::Sdk,
];

impl EntryPoint {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Cli => "cli",
            Self::McpStdio => "mcp-stdio",
            Self::McpHttp => "mcp-http",
            Self::UiapStdio => "uiap-stdio",
            Self::UiapWebSocket => "uiap-websocket",
            Self::UiapHttp => "uiap-http",
            Self::Sdk => "sdk",
        }
    }

    /// Whether `cannot` means this entry point by this word: its name, or the protocol that it speaks.
    fn is_meant_by(self, word: &str) -> bool {
        self.name() == word || self.name().strip_prefix(word).is_some_and(|rest| rest.starts_with('-'))
    }
}

impl fmt::Display for EntryPoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// One file of `spec/cases/entry-points`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    /// Below the folder of the cases, without the ending.
    #[serde(skip)]
    pub(super) path: String,
    /// What is promised, as a sentence. The table shows it.
    #[serde(rename = "about")]
    _about: String,
    /// Requirements; `cargo xtask matrix` reads them.
    #[serde(default, rename = "proves")]
    _proves: Vec<String>,
    /// The body of the page. `post(path)` posts and says `Arrived: path` in a status line.
    pub(super) page: String,
    /// How the server treats some paths; it answers all others at once.
    #[serde(default)]
    pub(super) server: BTreeMap<String, Reply>,
    /// A policy document.
    pub(super) policy: Option<Value>,
    /// A compiled bundle.
    pub(super) bundle: Option<Value>,
    /// Secrets that may be used on the page, by name. Their values must never be shown.
    #[serde(default)]
    pub(super) secrets: BTreeMap<String, String>,
    /// The grants that a session asks for; without them all that it can have.
    pub(super) grants: Option<Vec<String>>,
    #[serde(default)]
    pub(super) person: Person,
    pub(super) steps: Vec<Step>,
    /// Texts that never leave, in no message and no output.
    #[serde(default)]
    pub(super) hidden: Vec<String>,
    /// What arrived at the server at the end, such as `POST /order: 1`; nothing else did.
    #[serde(default)]
    pub(super) ledger: BTreeMap<String, usize>,
    /// Entry points (`cli`, `sdk`, `mcp-stdio`), or protocols (`mcp`, `uiap`), that have no way to say this, and why.
    #[serde(default)]
    cannot: BTreeMap<String, String>,
}

/// How the server treats a request.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Reply {
    /// Takes it and never answers.
    Hang,
    /// Takes it and breaks the connection.
    Cut,
}

/// The person who is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Person {
    Agrees,
    Refuses,
    /// The entry point has no way to ask anyone.
    #[default]
    Absent,
}

/// One call.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Step {
    Look {
        expect: Expect,
    },
    Act(Box<Act>),
    Wait(Wait),
    /// How the last action of this case went, step by step.
    Trace {
        expect: Expect,
    },
}

impl Step {
    pub(super) fn expect(&self) -> &Expect {
        match self {
            Self::Look { expect } | Self::Trace { expect } => expect,
            Self::Act(act) => &act.expect,
            Self::Wait(wait) => &wait.expect,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Act {
    /// An id, such as `ui.activate`.
    pub(super) action: String,
    pub(super) target: Option<Target>,
    pub(super) args: Option<Map<String, Value>>,
    /// Signals, as the protocol writes them.
    #[serde(default)]
    pub(super) verify: Vec<Value>,
    pub(super) key: Option<String>,
    /// In seconds. What is to succeed has half a minute without it, so that a busy machine changes no outcome.
    pub(super) timeout: Option<u64>,
    /// The call is cancelled once this arrived at the server.
    pub(super) cancel_after: Option<String>,
    expect: Expect,
}

/// An element, by its role and name or by its stable id.
#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(super) enum Target {
    Semantic { role: String, name: String },
    Stable { id: String },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wait {
    pub(super) signals: Vec<Value>,
    /// In seconds.
    pub(super) timeout: u64,
    expect: Expect,
}

/// What must come of a step.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expect {
    /// Of an action `succeeded`, `failed`, `cancelled`, or `refused` if it was never begun; of a wait `observed` or
    /// `not_observed`; otherwise `shown`.
    pub(super) status: String,
    /// The code of the error, wherever there is one.
    pub(super) code: Option<String>,
    /// Of an action: `none`, `applied` or `unknown`.
    pub(super) effect: Option<String>,
    /// How often the person was asked.
    #[serde(default)]
    pub(super) asked: usize,
    /// What stands in each question.
    #[serde(default)]
    pub(super) question: Vec<String>,
    /// What stands in the answer.
    #[serde(default)]
    pub(super) shown: Vec<String>,
}

impl Case {
    /// All cases, by their paths.
    pub(super) fn load_all() -> Vec<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/cases/entry-points");
        let mut cases = Vec::new();
        for category in std::fs::read_dir(&root).expect("the folder of cases").flatten() {
            for file in std::fs::read_dir(category.path()).expect("a category").flatten() {
                let path = file.path().with_extension("");
                let path = path.strip_prefix(&root).expect("below").to_str().expect("UTF-8").to_owned();
                cases.push(Self::load(path, &file.path()));
            }
        }
        cases.sort_by(|one, other| one.path.cmp(&other.path));
        assert!(!cases.is_empty(), "there are cases");
        cases
    }

    fn load(path: String, file: &Path) -> Self {
        let text = std::fs::read_to_string(file).expect("a readable case");
        let node =
            read(&text, Format::Yaml, Limits::DOCUMENT).unwrap_or_else(|fault| panic!("{path}: {fault}"));
        let mut case: Self =
            serde_json::from_value(node.to_json()).unwrap_or_else(|error| panic!("{path}: {error}"));
        for word in case.cannot.keys() {
            assert!(
                ENTRY_POINTS.iter().any(|entry| entry.is_meant_by(word)),
                "{path}: no entry point is {word}"
            );
        }
        for step in &mut case.steps {
            if let Step::Act(act) = step
                && act.expect.status == "succeeded"
            {
                act.timeout.get_or_insert(PATIENCE);
            }
            let Expect { status, code, effect, .. } = step.expect();
            let is_action = matches!(step, Step::Act(_));
            assert_eq!(effect.is_some(), is_action, "{path}: an action has an effect, and nothing else has");
            let fails = ["failed", "cancelled", "refused"].contains(&status.as_str());
            assert_eq!(code.is_some(), fails, "{path}: what fails has a code, and nothing else has");
        }
        Self { path, ..case }
    }

    /// Why an entry point cannot take this case.
    pub(super) fn reason_against(&self, entry: EntryPoint) -> Option<&str> {
        self.cannot.iter().find(|(word, _)| entry.is_meant_by(word)).map(|(_, reason)| reason.as_str())
    }
}
