//! What each stage of `cargo xtask test` does.

use anyhow::ensure;
use clap::ValueEnum;

use super::shared_browser::{self, SharedBrowser};
use crate::fuzz::Budget;
use crate::process::{find_in_path, run as run_command, run_refusing_skips};
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

    /// Whether `cargo xtask test fast` runs it.
    pub(super) fn is_fast(self) -> bool {
        use Stage::{Clippy, Fmt, Generate, Matrix, Rust, Setup, Tidy};
        matches!(self, Setup | Fmt | Clippy | Tidy | Generate | Matrix | Rust)
    }

    pub(super) fn about(self) -> String {
        let help = self.to_possible_value().and_then(|value| value.get_help().map(ToString::to_string));
        help.unwrap_or_default()
    }
}

/// How much of the stages is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    Everything,
    /// What needs no browser, no Node and no fuzzer, and takes a few minutes.
    Fast,
}

pub(super) fn run(workspace: &Workspace, stage: Stage, scope: Scope) -> anyhow::Result<Outcome> {
    match stage {
        Stage::Setup if scope == Scope::Fast => setup::fast(workspace)?,
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
        Stage::Rust => rust(workspace, scope)?,
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

/// Everything is built in one go, with the features that the whole workspace asks for: the stages after this one start
/// the programs that are built here, and build nothing with other features.
fn rust(workspace: &Workspace, scope: Scope) -> anyhow::Result<()> {
    build_tests(workspace)?;
    let mut tests = workspace.command("cargo");
    tests.args(["nextest", "run", "--workspace"]);
    match scope {
        Scope::Everything => {
            let shared = SharedBrowser::start(workspace)?;
            run_refusing_skips(tests.env(shared_browser::VARIABLE, shared.address()))
        }
        // A test that needs a browser after all fails, because there is none at this path.
        Scope::Fast => run_command(tests.args(["--profile", "fast"]).env(browser::VARIABLE, "/no/browser")),
    }
}

/// Test programs, examples and the commands that tests start.
fn build_tests(workspace: &Workspace) -> anyhow::Result<()> {
    cargo(workspace, &["nextest", "run", "--workspace", "--no-run"])
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
    build_tests(workspace)?;
    let built = workspace.target()?.join("debug");
    let binary = built.join("videoland");
    let mut node = workspace.command("node");
    node.arg("--test").args(test_files(workspace, BROWSER_TESTS)?).env(browser::VARIABLE, &chrome);
    run_refusing_skips(node.env(videoland::VARIABLE, &binary))?;
    let mut node = workspace.command("node");
    node.arg("--test").args(test_files(workspace, MCP_TESTS)?).args(test_files(workspace, SDK_TESTS)?);
    node.env(browser::VARIABLE, chrome)
        .env(videoland::VARIABLE, &binary)
        .env(UIAP_VARIABLE, built.join("uiap"));
    node.env(MCP_FIXTURE_VARIABLE, built.join("examples/mcp_fixture"));
    run_refusing_skips(&mut node)?;
    oracle::compare(workspace, &binary, &oracle::CHEAP)?;
    Ok(Outcome::Passed)
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
    let targets = fuzz::targets(workspace)?;
    fuzz::build(workspace)?;
    // One target keeps one processor busy.
    let at_once = std::thread::available_parallelism().map_or(1, usize::from);
    for group in targets.chunks(at_once) {
        std::thread::scope(|scope| {
            let start = |target| scope.spawn(move || fuzz::campaign(workspace, target, &FUZZ));
            let running: Vec<_> = group.iter().map(|target| start(target)).collect();
            let ended = running.into_iter().map(|campaign| {
                campaign.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a fuzz campaign panicked")))
            });
            // All are waited for, whatever the first says.
            ended.collect::<Vec<_>>().into_iter().collect::<anyhow::Result<()>>()
        })?;
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
