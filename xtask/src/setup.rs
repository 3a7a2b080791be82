//! Installs what the tests need on a fresh Debian or Ubuntu machine with Rust.
//!
//! Start at [`run`]. What is there already is left alone; what cannot be installed is said, with exit code 3.

use anyhow::bail;

use crate::browser;
use crate::fuzz;
use crate::process::{self, EnvironmentMissing, find_in_path, first_line};
use crate::workspace::Workspace;

/// The oldest Node that has the test runner that the web tests use.
const NODE_MAJOR_MIN: u32 = 20;

pub(crate) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    let mut apt = Apt { workspace, index_is_fresh: false };
    compiler(&mut apt)?;
    node(&mut apt)?;
    chromium(&mut apt)?;
    minisign(&mut apt)?;
    nextest(workspace)?;
    cargo_fuzz(workspace)
}

/// What `cargo xtask test fast` needs.
pub(crate) fn fast(workspace: &Workspace) -> anyhow::Result<()> {
    let mut apt = Apt { workspace, index_is_fresh: false };
    compiler(&mut apt)?;
    minisign(&mut apt)?;
    nextest(workspace)
}

/// What `cargo xtask demo` needs.
pub(crate) fn demo(workspace: &Workspace) -> anyhow::Result<()> {
    let mut apt = Apt { workspace, index_is_fresh: false };
    compiler(&mut apt)?;
    chromium(&mut apt)
}

fn compiler(apt: &mut Apt<'_>) -> anyhow::Result<()> {
    if find_in_path("cc").is_none() {
        apt.install("a C compiler", &["build-essential"])?;
    }
    report("C compiler", find_in_path("cc").map(|path| path.display().to_string()))
}

fn node(apt: &mut Apt<'_>) -> anyhow::Result<()> {
    if find_in_path("node").is_none() || find_in_path("npm").is_none() {
        apt.install("Node with npm", &["nodejs", "npm"])?;
    }
    let version = first_line(apt.workspace.command("node").arg("--version"));
    if let Some(version) = version.as_deref().filter(|version| major(version) < Some(NODE_MAJOR_MIN)) {
        let sentence = format!(
            "Node {version} is too old; install Node {NODE_MAJOR_MIN} or newer from https://nodejs.org and put it first in PATH"
        );
        bail!(EnvironmentMissing(sentence));
    }
    report("Node", version)?;
    report("npm", first_line(apt.workspace.command("npm").arg("--version")))
}

/// The number before the first dot of `v20.1.2`.
fn major(version: &str) -> Option<u32> {
    version.trim_start_matches('v').split('.').next()?.parse().ok()
}

fn chromium(apt: &mut Apt<'_>) -> anyhow::Result<()> {
    if browser::find()?.is_none() {
        apt.install("Chromium", &["chromium"])?;
    }
    let version = browser::find()?.and_then(|path| browser::version(&path));
    if version.is_none() {
        // Ubuntu's package only points to a snap, which does not start in a container.
        let sentence =
            "the browser does not start; install Google Chrome or Chromium and set CHROME to its path";
        bail!(EnvironmentMissing(sentence.to_owned()));
    }
    report("browser", version)
}

/// The other side of our signatures.
fn minisign(apt: &mut Apt<'_>) -> anyhow::Result<()> {
    if find_in_path("minisign").is_none() {
        apt.install("minisign", &["minisign"])?;
    }
    report("minisign", first_line(apt.workspace.command("minisign").arg("-v")))
}

/// Runs each test in a process of its own, two and more at a time.
fn nextest(workspace: &Workspace) -> anyhow::Result<()> {
    let version = || first_line(workspace.command("cargo").args(["nextest", "--version"]));
    if version().is_none() {
        process::run(workspace.command("cargo").args(["install", "--locked", "cargo-nextest"]))?;
    }
    report("cargo-nextest", version())
}

fn cargo_fuzz(workspace: &Workspace) -> anyhow::Result<()> {
    if !fuzz::exists(workspace) {
        return Ok(());
    }
    if fuzz::tool_version(workspace).is_none() {
        process::run(workspace.command("cargo").args(["install", "--locked", "cargo-fuzz"]))?;
    }
    report("cargo-fuzz", fuzz::tool_version(workspace))
}

fn report(what: &str, version: Option<String>) -> anyhow::Result<()> {
    match version {
        Some(version) => println!("{what}: {version}"),
        None => bail!(EnvironmentMissing(format!("{what} was installed but does not start"))),
    }
    Ok(())
}

/// The system's package manager.
struct Apt<'a> {
    workspace: &'a Workspace,
    index_is_fresh: bool,
}

/// Who runs the package manager.
#[derive(Clone, Copy)]
enum Rights {
    Root,
    Sudo,
}

impl Apt<'_> {
    fn install(&mut self, what: &str, packages: &[&str]) -> anyhow::Result<()> {
        let by_hand = format!("apt-get install {}", packages.join(" "));
        let Some(rights) = self.rights() else {
            let sentence =
                format!("{what} is missing and cannot be installed from here; as root, run `{by_hand}`");
            bail!(EnvironmentMissing(sentence));
        };
        println!("{what} is missing; installing it.");
        self.refresh_index(rights)
            .and_then(|()| self.run(rights, &install_arguments(packages)))
            .map_err(|error| EnvironmentMissing(format!("{what} could not be installed: {error}")).into())
    }

    /// Nothing if there is no package manager, or nobody who may use it without a password.
    fn rights(&self) -> Option<Rights> {
        find_in_path("apt-get")?;
        let user = first_line(self.workspace.command("id").arg("-u"));
        if user.as_deref() == Some("0") {
            return Some(Rights::Root);
        }
        let sudo = self.workspace.command("sudo").args(["-n", "true"]).output();
        sudo.is_ok_and(|output| output.status.success()).then_some(Rights::Sudo)
    }

    fn refresh_index(&mut self, rights: Rights) -> anyhow::Result<()> {
        if !self.index_is_fresh {
            self.run(rights, &["update"])?;
            self.index_is_fresh = true;
        }
        Ok(())
    }

    fn run(&self, rights: Rights, arguments: &[&str]) -> anyhow::Result<()> {
        // `env` because sudo does not pass the variable on.
        let prefix: &[&str] = match rights {
            Rights::Root => &["env"],
            Rights::Sudo => &["sudo", "-n", "env"],
        };
        let mut words = prefix.iter().chain(&["DEBIAN_FRONTEND=noninteractive", "apt-get"]).chain(arguments);
        let program = words.next().copied().unwrap_or("env");
        process::run(self.workspace.command(program).args(words))
    }
}

fn install_arguments<'a>(packages: &[&'a str]) -> Vec<&'a str> {
    let options = ["install", "-y", "--no-install-recommends"];
    options.into_iter().chain(packages.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_of_node_is_read() {
        assert_eq!(major("v20.20.2"), Some(20));
        assert_eq!(major("18.0.0"), Some(18));
        assert_eq!(major("nightly"), None);
        assert!(major("v9.1") < Some(NODE_MAJOR_MIN));
    }
}
