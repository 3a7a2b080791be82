//! Which crate may use which.
//!
//! Start at [`RULES`], the table of ARCHITECTURE.md as data.

use anyhow::bail;
use serde::Deserialize;

use super::Finding;
use crate::workspace::Workspace;

/// What one crate may use of ours in its normal and build dependencies.
struct Rule {
    krate: &'static str,
    may_use: &'static [&'static str],
}

/// Every crate of the workspace has its line here; [`TEST_ONLY`] comes on top in tests.
const RULES: [Rule; 13] = [
    Rule { krate: "uiap-wire-derive", may_use: &[] },
    Rule { krate: "uiap-protocol", may_use: &["uiap-wire-derive"] },
    Rule { krate: "uiap-policy", may_use: &["uiap-protocol"] },
    Rule { krate: "uiap-authoring", may_use: &["uiap-protocol", "uiap-policy"] },
    Rule { krate: "uiap-runtime", may_use: &["uiap-protocol", "uiap-policy"] },
    Rule { krate: "uiap-discovery", may_use: &["uiap-protocol", "uiap-policy", "uiap-runtime"] },
    Rule { krate: "uiap-web", may_use: &["uiap-protocol", "uiap-runtime"] },
    Rule { krate: "uiap-store", may_use: &["uiap-protocol", "uiap-runtime"] },
    Rule {
        krate: "uiap-server",
        may_use: &["uiap-protocol", "uiap-policy", "uiap-authoring", "uiap-runtime", "uiap-discovery"],
    },
    Rule {
        krate: "uiap",
        may_use: &[
            "uiap-protocol",
            "uiap-policy",
            "uiap-authoring",
            "uiap-runtime",
            "uiap-discovery",
            "uiap-web",
            "uiap-store",
            "uiap-server",
            "videoland",
        ],
    },
    Rule { krate: "uiap-testkit", may_use: &["uiap-protocol", "uiap-policy", "uiap-runtime"] },
    Rule { krate: "videoland", may_use: &[] },
    Rule { krate: "xtask", may_use: &["uiap-protocol"] },
];

/// Any crate may use it in its tests, and nowhere else.
const TEST_ONLY: &str = "uiap-testkit";

/// Crates that do no input or output, read no clock and start no task.
const PURE: [&str; 3] = ["uiap-protocol", "uiap-policy", "uiap-authoring"];

/// What gives a crate the outside world.
const OUTSIDE_WORLD: [&str; 20] = [
    "async-std",
    "axum",
    "chrono",
    "command-fds",
    "futures",
    "hyper",
    "mio",
    "notify",
    "reqwest",
    "rmcp",
    "rusqlite",
    "smol",
    "tempfile",
    "tokio",
    "tokio-postgres",
    "tokio-tungstenite",
    "tower",
    "tower-http",
    "tungstenite",
    "ureq",
];

/// Errors of libraries are types; only programs may lump them together.
const PROGRAMS_ONLY: &str = "anyhow";
const PROGRAMS: [&str; 3] = ["uiap", "videoland", "xtask"];

/// One crate of the workspace, as `cargo metadata` describes it.
#[derive(Debug, Deserialize)]
pub(super) struct Package {
    pub(super) name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    name: String,
    /// Nothing, `dev` or `build`.
    kind: Option<String>,
}

impl Dependency {
    fn is_for_tests(&self) -> bool {
        self.kind.as_deref() == Some("dev")
    }
}

/// Asks cargo for the crates of the workspace.
pub(super) fn packages(workspace: &Workspace) -> anyhow::Result<Vec<Package>> {
    #[derive(Deserialize)]
    struct Metadata {
        packages: Vec<Package>,
    }
    let output =
        workspace.command("cargo").args(["metadata", "--no-deps", "--format-version", "1"]).output()?;
    if !output.status.success() {
        bail!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let metadata: Metadata = serde_json::from_slice(&output.stdout)?;
    Ok(metadata.packages)
}

pub(super) fn check(packages: &[Package]) -> Vec<Finding> {
    let ours: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let mut findings = Vec::new();
    for package in packages {
        let Some(rule) = RULES.iter().find(|rule| rule.krate == package.name) else {
            findings.push(Finding::error(&package.name, "has no line in the table of allowed directions"));
            continue;
        };
        let refusals = package.dependencies.iter().filter_map(|used| refusal(rule, used, &ours));
        findings.extend(refusals.map(|message| Finding::error(&package.name, message)));
    }
    findings
}

/// Why a crate may not have this dependency, if it may not.
fn refusal(rule: &Rule, used: &Dependency, ours: &[&str]) -> Option<String> {
    let name = used.name.as_str();
    if rule.may_use.contains(&name) || name == TEST_ONLY && used.is_for_tests() {
        return None;
    }
    if name == TEST_ONLY {
        return Some(format!("uses {name}, which is for tests only"));
    }
    if ours.contains(&name) {
        return Some(format!("must not use {name}; it may use {}", listed(rule.may_use)));
    }
    if !used.is_for_tests() && PURE.contains(&rule.krate) && OUTSIDE_WORLD.contains(&name) {
        return Some(format!("must not use {name}; it is pure: no input or output, no clock, no task"));
    }
    if !used.is_for_tests() && name == PROGRAMS_ONLY && !PROGRAMS.contains(&rule.krate) {
        return Some(format!("must not use {name}; libraries have typed errors"));
    }
    None
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { "nothing of ours".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::super::shown;
    use super::*;

    fn package(name: &str, dependencies: &[(&str, Option<&str>)]) -> Package {
        let dependency = |(name, kind): &(&str, Option<&str>)| Dependency {
            name: (*name).to_owned(),
            kind: kind.map(str::to_owned),
        };
        Package { name: name.to_owned(), dependencies: dependencies.iter().map(dependency).collect() }
    }

    /// What is said about one crate in a workspace that has all the others.
    fn said_of(name: &str, dependencies: &[(&str, Option<&str>)]) -> String {
        let mut packages = vec![package(name, dependencies)];
        packages.extend(RULES.iter().filter(|rule| rule.krate != name).map(|rule| package(rule.krate, &[])));
        shown(&check(&packages))
    }

    #[test]
    fn the_projects_own_crates_keep_the_directions() {
        let packages = packages(&Workspace::find().unwrap()).unwrap();
        assert!(packages.len() >= RULES.len());
        assert_eq!(shown(&check(&packages)), "");
    }

    #[test]
    fn allowed_directions_are_silent() {
        assert_eq!(said_of("uiap-policy", &[("uiap-protocol", None), ("serde", None)]), "");
        assert_eq!(said_of("uiap-web", &[("uiap-runtime", None), ("tokio", None)]), "");
        assert_eq!(said_of("videoland", &[("uiap-testkit", Some("dev")), ("axum", None)]), "");
        assert_eq!(said_of("uiap-protocol", &[("uiap-testkit", Some("dev")), ("tokio", Some("dev"))]), "");
    }

    #[test]
    fn forbidden_directions_are_errors() {
        insta::assert_snapshot!(
            said_of("uiap-protocol", &[("uiap-policy", None)]),
            @"error: uiap-protocol: must not use uiap-policy; it may use uiap-wire-derive"
        );
        insta::assert_snapshot!(
            said_of("uiap-server", &[("uiap-web", Some("dev")), ("uiap-store", Some("build"))]),
            @"
        error: uiap-server: must not use uiap-web; it may use uiap-protocol, uiap-policy, uiap-authoring, uiap-runtime, uiap-discovery
        error: uiap-server: must not use uiap-store; it may use uiap-protocol, uiap-policy, uiap-authoring, uiap-runtime, uiap-discovery
        "
        );
        insta::assert_snapshot!(
            said_of("videoland", &[("uiap-protocol", None)]),
            @"error: videoland: must not use uiap-protocol; it may use nothing of ours"
        );
    }

    #[test]
    fn the_testkit_is_for_tests_only() {
        insta::assert_snapshot!(
            said_of("uiap", &[("uiap-testkit", None)]),
            @"error: uiap: uses uiap-testkit, which is for tests only"
        );
    }

    #[test]
    fn pure_crates_have_no_outside_world() {
        insta::assert_snapshot!(
            said_of("uiap-authoring", &[("tokio", None)]),
            @"error: uiap-authoring: must not use tokio; it is pure: no input or output, no clock, no task"
        );
        assert_eq!(said_of("uiap-runtime", &[("tokio", None)]), "");
    }

    #[test]
    fn libraries_have_typed_errors() {
        insta::assert_snapshot!(
            said_of("uiap-store", &[("anyhow", None)]),
            @"error: uiap-store: must not use anyhow; libraries have typed errors"
        );
        assert_eq!(said_of("xtask", &[("anyhow", None)]), "");
    }

    #[test]
    fn a_new_crate_needs_a_line_in_the_table() {
        insta::assert_snapshot!(
            said_of("uiap-desktop", &[]),
            @"error: uiap-desktop: has no line in the table of allowed directions"
        );
    }
}
