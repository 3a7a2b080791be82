//! What each stage of `cargo xtask test` does.

use anyhow::ensure;
use clap::ValueEnum;
use std::path::PathBuf;

use crate::fuzz::Budget;
use crate::process::{find_in_path, first_line, run as run_command, run_refusing_skips};
use crate::workspace::Workspace;
use crate::{browser, fuzz, generate, matrix, oracle, setup, tidy, videoland};

/// A short share of `cargo xtask soak fuzz`, the same on every run.
const FUZZ: Budget = Budget { seconds: 10, seed: Some(1) };

const BROWSER_TESTS: &str = "examples/videoland/tests/browser";
const MCP_TESTS: &str = "web/mcp";
const SDK_TESTS: &str = "web/sdk/tests";
/// The variable that names our own program to the tests.
const UIAP_VARIABLE: &str = "UIAP_BIN";
/// The variable that names the server that the conformance suite of MCP describes.
const MCP_FIXTURE_VARIABLE: &str = "UIAP_MCP_FIXTURE";
const BROWSER_TEST_SUFFIX: &str = ".test.mjs";

/// The stages, in the order they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Stage {
    /// Install what the tests need.
    Setup,
    /// Formatting.
    Fmt,
    /// Lints, warnings as errors.
    Clippy,
    /// The rules of the house.
    Tidy,
    /// Generated files are up to date.
    Generate,
    /// Claims are right and docs/conformance.md is up to date.
    Matrix,
    /// Rust tests.
    Rust,
    /// Doc tests and documentation.
    Doc,
    /// TypeScript checks and Node tests.
    Web,
    /// Videoland in a real browser, alone and through MCP, the SDK as its guide shows it, and roles and names of some applications against that browser.
    Browser,
    /// Each fuzz target for ten seconds.
    Fuzz,
    /// Licences, bans and sources of dependencies.
    Deny,
}

/// How a stage ended that did not fail.
#[derive(Debug)]
pub(super) enum Outcome {
    Passed,
    /// There was something to test and it was not tested.
    Skipped(String),
    /// An optional tool is not installed; nothing is claimed.
    Absent(String),
}

impl Stage {
    pub(super) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    pub(super) fn about(self) -> String {
        let help = self.to_possible_value().and_then(|value| value.get_help().map(ToString::to_string));
        help.unwrap_or_default()
    }
}

pub(super) fn run(workspace: &Workspace, stage: Stage) -> anyhow::Result<Outcome> {
    match stage {
        Stage::Setup => setup::run(workspace)?,
        Stage::Fmt => cargo(workspace, &["fmt", "--all", "--check"])?,
        Stage::Clippy => {
            cargo(workspace, &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
        }
        Stage::Tidy => tidy::run(workspace)?,
        Stage::Generate => generate::run(workspace, &generate::Args { check: true })?,
        Stage::Matrix => {
            matrix::run(workspace, &matrix::Args { check: true, format: matrix::Format::Human })?;
        }
        Stage::Rust => rust(workspace)?,
        Stage::Doc => doc(workspace)?,
        Stage::Web => return web(workspace),
        Stage::Browser => return browser_tests(workspace),
        Stage::Fuzz => return fuzz_targets(workspace),
        Stage::Deny => return deny(workspace),
    }
    Ok(Outcome::Passed)
}

fn cargo(workspace: &Workspace, arguments: &[&str]) -> anyhow::Result<()> {
    run_command(workspace.command("cargo").args(arguments))
}

fn rust(workspace: &Workspace) -> anyhow::Result<()> {
    let nextest = first_line(workspace.command("cargo").args(["nextest", "--version"])).is_some();
    let arguments: &[&str] = if nextest {
        // A workspace without a single test is not an error of the tests.
        &["nextest", "run", "--workspace", "--no-tests=warn"]
    } else {
        &["test", "--workspace", "--all-targets"]
    };
    run_refusing_skips(workspace.command("cargo").args(arguments))
}

fn doc(workspace: &Workspace) -> anyhow::Result<()> {
    run_refusing_skips(workspace.command("cargo").args(["test", "--doc", "--workspace"]))?;
    let mut doc = workspace.command("cargo");
    run_command(doc.args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-Dwarnings"))
}

fn web(workspace: &Workspace) -> anyhow::Result<Outcome> {
    if !workspace.path("web/package.json").is_file() {
        return Ok(skipped("web/package.json is missing"));
    }
    let folder = workspace.path("web");
    run_command(workspace.command("npm").current_dir(&folder).args(["ci", "--no-audit", "--no-fund"]))?;
    run_refusing_skips(workspace.command("npm").current_dir(&folder).args(["run", "check"]))?;
    Ok(Outcome::Passed)
}

fn browser_tests(workspace: &Workspace) -> anyhow::Result<Outcome> {
    if !workspace.path(BROWSER_TESTS).is_dir() {
        return Ok(skipped(&format!("the folder {BROWSER_TESTS} is missing")));
    }
    let Some(chrome) = browser::find()? else {
        return Ok(skipped("no browser found; run `cargo xtask setup`"));
    };
    let binary = videoland::build(workspace)?;
    let mut node = workspace.command("node");
    node.arg("--test").args(test_files(workspace, BROWSER_TESTS)?).env(browser::VARIABLE, &chrome);
    run_refusing_skips(node.env(videoland::VARIABLE, &binary))?;
    let mut node = workspace.command("node");
    node.arg("--test").args(test_files(workspace, MCP_TESTS)?).args(test_files(workspace, SDK_TESTS)?);
    node.env(browser::VARIABLE, chrome).env(videoland::VARIABLE, binary).env(UIAP_VARIABLE, uiap(workspace)?);
    node.env(MCP_FIXTURE_VARIABLE, mcp_fixture(workspace)?);
    run_refusing_skips(&mut node)?;
    oracle::compare(workspace, &oracle::CHEAP)?;
    Ok(Outcome::Passed)
}

/// Builds the program that serves models, and says where it is.
fn uiap(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    cargo(workspace, &["build", "--package", "uiap"])?;
    Ok(workspace.target()?.join("debug").join("uiap"))
}

/// Builds the server that the conformance suite of MCP describes, and says where it is.
fn mcp_fixture(workspace: &Workspace) -> anyhow::Result<PathBuf> {
    cargo(workspace, &["build", "--package", "uiap-server", "--example", "mcp_fixture"])?;
    Ok(workspace.target()?.join("debug").join("examples").join("mcp_fixture"))
}

/// Each file by name: what Node makes of a folder depends on its version.
fn test_files(workspace: &Workspace, folder: &str) -> anyhow::Result<Vec<String>> {
    let entries = std::fs::read_dir(workspace.path(folder))?.collect::<Result<Vec<_>, _>>()?;
    let names = entries.iter().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let tests = names.filter(|name| name.ends_with(BROWSER_TEST_SUFFIX));
    let mut files: Vec<String> = tests.map(|name| format!("{folder}/{name}")).collect();
    files.sort();
    ensure!(!files.is_empty(), "{folder} has no file that ends with {BROWSER_TEST_SUFFIX}");
    Ok(files)
}

fn fuzz_targets(workspace: &Workspace) -> anyhow::Result<Outcome> {
    if !fuzz::exists(workspace) {
        return Ok(skipped("the folder fuzz/ is missing"));
    }
    for target in fuzz::targets(workspace)? {
        fuzz::campaign(workspace, &target, &FUZZ)?;
    }
    Ok(Outcome::Passed)
}

fn deny(workspace: &Workspace) -> anyhow::Result<Outcome> {
    if find_in_path("cargo-deny").is_none() {
        let note = "cargo-deny is not installed; `cargo install --locked cargo-deny` takes some minutes";
        return Ok(Outcome::Absent(note.to_owned()));
    }
    cargo(workspace, &["deny", "check", "bans", "licenses", "sources"])?;
    Ok(Outcome::Passed)
}

fn skipped(reason: &str) -> Outcome {
    println!("Skipped: {reason}.");
    Outcome::Skipped(reason.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_says_what_it_is() {
        for stage in Stage::value_variants() {
            assert!(!stage.about().is_empty(), "{}", stage.name());
        }
    }
}
