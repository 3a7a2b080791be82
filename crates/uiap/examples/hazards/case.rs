//! A case: a page, what is asked for, and how the truth is found out. Made by the kinds of hazards, in a browser.

use anyhow::{Context as _, ensure};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use uiap_web::{Browser, Deadline};

use crate::site::Site;
use crate::trial::PATIENCE;

/// Where the kinds are: adding a file there adds a kind.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../uiap-testkit/hazards")
}

/// The names of all kinds.
pub(crate) fn kinds() -> anyhow::Result<Vec<String>> {
    let folder = folder().join("kinds");
    let entries = std::fs::read_dir(&folder).with_context(|| format!("{}", folder.display()))?;
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<_> = names.filter_map(|name| name.strip_suffix(".js").map(str::to_owned)).collect();
    names.sort();
    Ok(names)
}

/// One page with everything about it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Case {
    pub(crate) kind: String,
    pub(crate) about: String,
    /// Why a wrong answer is no broken promise, where it is none.
    pub(crate) beyond: Option<String>,
    pub(crate) seed: u64,
    pub(crate) html: String,
    pub(crate) parts: BTreeMap<String, Part>,
    pub(crate) request: Value,
    pub(crate) oracle: Oracle,
    /// Effects that must not be in the ledger.
    pub(crate) never: Vec<String>,
    pub(crate) honest: Honest,
    /// How long the truth may take to show, in milliseconds.
    pub(crate) settle: u64,
    /// When the process of the page is ended, in milliseconds after the request.
    pub(crate) crash: Option<u64>,
}

/// Another document under the same address.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Part {
    pub(crate) body: String,
    pub(crate) r#type: Option<String>,
}

/// How the effect is found out. All of it must hold.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Oracle {
    /// How often each effect is in the ledger of the server.
    #[serde(default)]
    pub(crate) ledger: BTreeMap<String, usize>,
    /// An expression in the page, for what no server sees.
    pub(crate) page: Option<String>,
}

/// What an honest answer is.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Honest {
    /// Whether the effect comes about; only the oracle knows where this is absent.
    pub(crate) effect: Option<bool>,
    /// The effect can be seen, so it must be known.
    pub(crate) recognise: bool,
    /// The codes with which it may fail.
    pub(crate) codes: Vec<String>,
    /// A person is asked before; either way is fine where this is absent.
    pub(crate) asks: Option<bool>,
    pub(crate) answer: Reply,
}

/// What the person says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Reply {
    Grant,
    Deny,
}

/// Makes the cases of some kinds and seeds. The generators are programs for a browser, so a browser runs them.
pub(crate) async fn make(
    browser: &Browser,
    site: &Site,
    kinds: &[String],
    seeds: &[u64],
) -> anyhow::Result<Vec<Case>> {
    let deadline = Deadline::after(PATIENCE);
    let page = browser.context(deadline).await?.open(&site.url("/lib/workshop.html"), deadline).await?;
    let wanted = json!({ "kinds": kinds, "seeds": seeds });
    let made = page.evaluate_main(&format!("cases({wanted})"), deadline).await?;
    let cases: Vec<Case> = serde_json::from_value(made).context("the workshop made something else")?;
    ensure!(cases.len() == kinds.len() * seeds.len(), "the workshop made only {} cases", cases.len());
    Ok(cases)
}
