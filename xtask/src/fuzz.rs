//! Runs the fuzz targets of `fuzz/`, which lies outside the workspace.
//!
//! Start at [`campaign`]; `cargo xtask test` and `cargo xtask soak` differ only in the seconds.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Deserialize;

use crate::process::{self, EnvironmentMissing, first_line};
use crate::workspace::Workspace;

const MEMORY_MB_MAX: u32 = 2048;
const INPUT_SECONDS_MAX: u32 = 10;

/// Whether the project has fuzz targets at all.
pub(crate) fn exists(workspace: &Workspace) -> bool {
    workspace.path("fuzz/Cargo.toml").is_file()
}

/// The version of cargo-fuzz, if it is installed.
pub(crate) fn tool_version(workspace: &Workspace) -> Option<String> {
    first_line(workspace.command("cargo").args(["fuzz", "--version"]))
}

/// The names of the fuzz targets.
pub(crate) fn targets(workspace: &Workspace) -> anyhow::Result<Vec<String>> {
    let targets = binaries(&metadata(workspace)?);
    if targets.is_empty() {
        bail!("fuzz/Cargo.toml declares no fuzz target");
    }
    Ok(targets)
}

fn metadata(workspace: &Workspace) -> anyhow::Result<Metadata> {
    let arguments = ["metadata", "--no-deps", "--format-version", "1", "--manifest-path", "fuzz/Cargo.toml"];
    let output = workspace.command("cargo").args(arguments).output()?;
    if !output.status.success() {
        bail!("fuzz/Cargo.toml could not be read: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Where cargo-fuzz puts the program of a target: it always builds for a named platform.
fn program(workspace: &Workspace, target: &str) -> anyhow::Result<PathBuf> {
    let output = workspace.command("rustc").arg("-vV").output()?;
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = output.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
    Ok(metadata(workspace)?.target_directory.join(host).join("release").join(target))
}

/// How long a target runs, and from where.
pub(crate) struct Budget {
    pub(crate) seconds: u32,
    /// The start of the random numbers; without it every run goes another way.
    pub(crate) seed: Option<u32>,
}

/// Builds all targets at once, with what they share built once.
pub(crate) fn build(workspace: &Workspace) -> anyhow::Result<()> {
    if tool_version(workspace).is_none() {
        bail!(EnvironmentMissing("cargo-fuzz is missing; run `cargo xtask setup`".to_owned()));
    }
    // Without a sanitizer cargo-fuzz works on the stable toolchain; the code under test has no unsafe blocks.
    let arguments = ["fuzz", "build", "--fuzz-dir", "fuzz", "--sanitizer", "none"];
    process::run(workspace.command("cargo").args(arguments))
}

/// Runs one target, which has been built, from its seeds and nothing else.
pub(crate) fn campaign(workspace: &Workspace, target: &str, budget: &Budget) -> anyhow::Result<()> {
    let corpus = Corpus::from_seeds(&workspace.path("fuzz/seeds").join(target), target)?;
    let artifacts = workspace.path("fuzz/artifacts").join(target);
    fs::create_dir_all(&artifacts)?;
    let mut command = workspace.command(program(workspace, target)?);
    command.arg(&corpus.folder).args([
        // Where an input goes that makes the target fail; the slash makes it a folder.
        format!("-artifact_prefix={}/", artifacts.display()),
        format!("-max_total_time={}", budget.seconds),
        format!("-rss_limit_mb={MEMORY_MB_MAX}"),
        format!("-timeout={INPUT_SECONDS_MAX}"),
        "-print_final_stats=1".to_owned(),
    ]);
    command.args(budget.seed.map(|seed| format!("-seed={seed}")));
    process::run(&mut command)
}

/// The part of `cargo metadata` that is needed here.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    target_directory: PathBuf,
}

#[derive(Deserialize)]
struct Package {
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

fn binaries(metadata: &Metadata) -> Vec<String> {
    let targets = metadata.packages.iter().flat_map(|package| &package.targets);
    targets
        .filter(|target| target.kind.iter().any(|kind| kind == "bin"))
        .map(|target| target.name.clone())
        .collect()
}

/// A folder of inputs that exists for one run, so that no run depends on another.
struct Corpus {
    folder: PathBuf,
}

impl Corpus {
    fn from_seeds(seeds: &Path, target: &str) -> anyhow::Result<Self> {
        let folder = std::env::temp_dir().join(format!("uiap-fuzz-{}-{target}", std::process::id()));
        fs::create_dir_all(&folder).with_context(|| format!("{} could not be made", folder.display()))?;
        let corpus = Self { folder };
        if seeds.is_dir() {
            for entry in fs::read_dir(seeds)? {
                let entry = entry?;
                fs::copy(entry.path(), corpus.folder.join(entry.file_name()))?;
            }
        }
        Ok(corpus)
    }
}

impl Drop for Corpus {
    fn drop(&mut self) {
        // What is left behind lies in the system's temporary folder.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_binaries_are_targets() {
        let metadata = r#"{"packages": [{"targets": [
            {"name": "uiap_fuzz", "kind": ["lib"]}, {"name": "envelope", "kind": ["bin"]}, {"name": "delta", "kind": ["bin"]}
        ]}], "target_directory": "target"}"#;
        assert_eq!(binaries(&serde_json::from_str(metadata).unwrap()), ["envelope", "delta"]);
    }

    #[test]
    fn a_corpus_starts_with_the_seeds_and_is_gone_afterwards() {
        let seeds = std::env::temp_dir().join(format!("uiap-fuzz-seeds-{}", std::process::id()));
        fs::create_dir_all(&seeds).unwrap();
        fs::write(seeds.join("one.json"), "{}").unwrap();
        let corpus = Corpus::from_seeds(&seeds, "sample").unwrap();
        let folder = corpus.folder.clone();
        assert_eq!(fs::read_to_string(folder.join("one.json")).unwrap(), "{}");
        drop(corpus);
        assert!(!folder.exists());
        fs::remove_dir_all(seeds).unwrap();
    }

    #[test]
    fn a_target_without_seeds_starts_empty() {
        let corpus = Corpus::from_seeds(Path::new("no/such/folder"), "seedless").unwrap();
        assert_eq!(fs::read_dir(&corpus.folder).unwrap().count(), 0);
    }
}
