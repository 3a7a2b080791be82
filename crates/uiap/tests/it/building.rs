//! `uiap build` and `uiap explain` as a person or a pipeline meets them, on packages on a disk.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use uiap_testkit::proves;

/// How long a change may take to get into a bundle before it counts as lost.
const WAIT: Duration = Duration::from_mins(1);

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A copy of the packages of the cases, in a folder that goes away.
struct Desk(PathBuf);

impl Desk {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("uiap-building-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        for package in ["shop", "base"] {
            copy(&repository().join("spec/packages").join(package), &folder.join("packages").join(package));
        }
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn shop(&self, file: &str) -> PathBuf {
        self.0.join("packages/shop").join(file)
    }

    fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.shop(file);
        let text = text_in(&path);
        assert!(text.contains(from), "{from:?} is in {file}");
        std::fs::write(path, text.replace(from, to)).expect("a file");
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uiap"));
        command.args(arguments).current_dir(&self.0);
        command
    }

    /// Exit code and everything that was said.
    fn run(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.command(arguments).output().expect("the command ends");
        let all = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        (output.status.code().expect("an exit code"), all.join("\n"))
    }

    fn build(&self, more: &[&str]) -> (i32, String) {
        self.run(&[&["build", "packages/shop", "--packages", "packages", "-o", "bundle.json"], more].concat())
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn text_in(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a text")
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in from.read_dir().expect("a folder").flatten() {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).expect("a copy");
        }
    }
}

#[test]
fn a_bundle_is_written_with_its_origins_and_a_lock() {
    proves!["AUT-12-1", "AUT-13-10"];
    let desk = Desk::new("written");
    let (code, said) = desk.build(&[]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("shop.uiap 1.2.0 (sha256:"), "{said}");
    assert_eq!(desk.run(&["check", "bundle.json"]).0, 0);
    let bundle: Value = serde_json::from_str(&text_in(&desk.path("bundle.json"))).expect("JSON");
    let origins: Value =
        serde_json::from_str(&text_in(&desk.path("bundle.json.origins.json"))).expect("JSON");
    assert_eq!(origins.get("bundle"), bundle.get("digest"));
    let lock = text_in(&desk.shop("uiap.lock"));
    assert!(lock.contains("base.uiap") && lock.contains("sha256:"), "{lock}");
}

#[test]
fn an_older_bundle_survives_a_build_that_fails() {
    proves!["AUT-9-5"];
    let desk = Desk::new("survives");
    assert_eq!(desk.build(&[]).0, 0);
    let before = ["bundle.json", "bundle.json.origins.json"].map(|name| text_in(&desk.path(name)));
    desk.edit("overlays/prod.uiap.yaml", "onUnknownAction", "onUnknwnAction");
    let (code, said) = desk.build(&["--channel", "prod"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("packages/shop/overlays/prod.uiap.yaml:7:"), "{said}");
    assert!(said.contains("patch_failed") && said.contains("AUT-5.8-2"), "{said}");
    let after = ["bundle.json", "bundle.json.origins.json"].map(|name| text_in(&desk.path(name)));
    assert_eq!(before, after);
    let left: Vec<_> =
        desk.0.read_dir().expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left.len(), 3, "nothing half-written is left: {left:?}");
}

#[test]
fn what_cannot_be_read_or_written_is_named() {
    let desk = Desk::new("named");
    for (arguments, words) in [
        (["build", "nowhere", "-o", "b.json"], "There is no folder nowhere."),
        (["build", "packages", "-o", "b.json"], "The folder packages has no package.uiap.yaml."),
        (["build", "packages/shop", "--packages", "elsewhere"], "There is no folder elsewhere."),
    ] {
        let (code, said) = desk.run(&arguments);
        assert!(code > 0 && said.contains(words) && !said.contains("-->"), "{said}");
    }
    for (output, advice) in [("no/such/b.json", "Make its folder first"), ("packages", "Name a file in it.")]
    {
        let (code, said) = desk.run(&["build", "packages/shop", "--packages", "packages", "-o", output]);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains("cannot be written") && said.contains(advice), "{said}");
    }
}

#[test]
fn comparing_leaves_the_package_alone() {
    let desk = Desk::new("compare");
    let (code, said) = desk.run(&["breaking", "packages/shop", "packages/shop", "--packages", "packages"]);
    assert_eq!(code, 0, "{said}");
    assert!(!desk.shop("uiap.lock").exists());
}

#[test]
fn an_item_below_the_gate_stops_the_build_and_says_which() {
    proves!["AUT-9-4", "AUT-12-6"];
    let desk = Desk::new("gate");
    desk.edit("reviews/core.uiap.yaml", "state: approved", "state: needs_review");
    assert_eq!(desk.build(&["--channel", "staging"]).0, 0);
    let (code, said) = desk.build(&["--channel", "prod"]);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains(
            "The workflow \"order.cancel_one\" is in_review, and the channel prod asks for approved."
        ),
        "{said}"
    );
}

#[test]
fn a_changed_import_is_refused_until_somebody_updates_the_lock() {
    let desk = Desk::new("lock");
    assert_eq!(desk.build(&[]).0, 0);
    let import = desk.path("packages/base/locales/shared.uiap.yaml");
    std::fs::write(&import, text_in(&import).replace("Please wait.", "Wait.")).expect("a file");
    let (code, said) = desk.build(&[]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("lock_mismatch") && said.contains("--update"), "{said}");
    assert_eq!(desk.build(&["--update"]).0, 0);
    assert_eq!(desk.build(&[]).0, 0);
}

#[test]
fn a_manifest_never_comes_from_outside_its_package() {
    proves!["AUT-SEC-3"];
    let desk = Desk::new("outside");
    std::fs::rename(desk.shop("app.uiap.yaml"), desk.path("app.uiap.yaml")).expect("a move");
    std::os::unix::fs::symlink(desk.path("app.uiap.yaml"), desk.shop("app.uiap.yaml")).expect("a link");
    let (code, said) = desk.build(&[]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("path_escapes") && said.contains("outside the folder"), "{said}");
    assert!(!desk.path("bundle.json").exists());
}

#[test]
fn the_same_package_gives_the_same_bytes_everywhere() {
    proves!["AUT-2-4"];
    let desk = Desk::new("one-place");
    let other = Desk::new("another place");
    assert_eq!(desk.build(&["--now", "2026-01-01T00:00:00Z"]).0, 0);
    let arguments = [
        "build",
        "packages/shop",
        "--packages",
        "packages",
        "-o",
        "bundle.json",
        "--now",
        "2026-12-31T23:59:59Z",
    ];
    let mut command = other.command(&arguments);
    let built =
        command.env("TZ", "Pacific/Kiritimati").env("LC_ALL", "tr_TR.UTF-8").output().expect("it ends");
    assert!(built.status.success());
    for file in ["bundle.json", "bundle.json.origins.json", "packages/shop/uiap.lock"] {
        assert_eq!(text_in(&desk.path(file)), text_in(&other.path(file)), "{file}");
    }
}

#[test]
fn a_value_is_followed_to_the_line_that_says_it_and_to_whoever_allowed_it() {
    proves!["AUT-10-2", "AUT-2-3"];
    let desk = Desk::new("explain");
    assert_eq!(desk.build(&["--channel", "prod", "--locale", "en", "--report", "report.json"]).0, 0);
    let explain = |pointer: &str| {
        let (code, said) = desk.run(&["explain", "bundle.json", pointer]);
        assert_eq!(code, 0, "{said}");
        said
    };
    let overlaid = explain("/policies/0/document/defaults/onUnknownAction");
    for words in ["= \"deny\"", "overlays.prod", "overlays/prod.uiap.yaml:7", "approved"] {
        assert!(overlaid.contains(words), "{words:?} in {overlaid}");
    }
    let text = explain("/workflows/0/title");
    for words in
        ["= \"Cancel an order\"", "locales/core.uiap.yaml:12", "approved by ada", "reviews/core.uiap.yaml:6"]
    {
        assert!(text.contains(words), "{words:?} in {text}");
    }
    let imported = desk.run(&["explain", "bundle.json", "/actions/1/id"]).1;
    assert!(
        imported.contains("base.uiap 1.1.0: actions/looking.uiap.yaml:6")
            && imported.contains("imported as base"),
        "{imported}"
    );
    assert_eq!(desk.run(&["explain", "bundle.json", "/actions/9"]).0, 2);
    let report: Value = serde_json::from_str(&text_in(&desk.path("report.json"))).expect("JSON");
    let states = report.get("items").and_then(Value::as_array).expect("items");
    assert!(states.iter().any(|item| item.get("itemId").and_then(Value::as_str) == Some("order.cancel_one")));
}

#[test]
fn origins_of_another_bundle_are_refused() {
    let desk = Desk::new("stale");
    assert_eq!(desk.build(&[]).0, 0);
    let origins = text_in(&desk.path("bundle.json.origins.json"));
    assert_eq!(desk.build(&["--channel", "prod"]).0, 0);
    std::fs::write(desk.path("bundle.json.origins.json"), origins).expect("a file");
    let (code, said) = desk.run(&["explain", "bundle.json", "/app"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("about another bundle"), "{said}");
}

/// Ends the process at the end of a test, however it ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_watched_package_is_built_again_when_a_file_changes() {
    let desk = Desk::new("watch");
    let arguments = ["build", "packages/shop", "--packages", "packages", "-o", "bundle.json", "--watch"];
    let child = desk.command(&arguments).stderr(Stdio::null()).spawn().expect("it starts");
    let _running = Running(child);
    let holds = |word: &str| {
        let start = Instant::now();
        while start.elapsed() < WAIT {
            if std::fs::read_to_string(desk.path("bundle.json")).is_ok_and(|text| text.contains(word)) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    };
    assert!(holds("Bestellungen"));
    desk.edit("locales/core.uiap.yaml", "default: Bestellungen", "default: Aufträge hier");
    assert!(holds("Aufträge hier"));
    desk.edit("locales/core.uiap.yaml", "default: Aufträge hier", "default: [broken");
    desk.edit("locales/core.uiap.yaml", "default: [broken", "default: Wieder gut");
    assert!(holds("Wieder gut"));
}

#[test]
fn a_package_is_published_from_its_folder_if_its_version_says_what_changed() {
    proves!["AUT-11.2-1", "AUT-12-6"];
    let desk = Desk::new("publish");
    let publish =
        ["publish", "packages/shop", "--packages", "packages", "--registry", "releases", "--channel", "prod"];
    let (code, said) = desk.run(&publish);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("Published shop.uiap 1.2.0 to prod"), "{said}");
    assert_eq!(desk.run(&["verify", "--registry", "releases"]).0, 0);
    let bundle =
        said.lines().find_map(|line| line.trim().strip_prefix("bundle: ")).expect("where the bundle is");
    assert_eq!(
        desk.run(&["breaking", bundle, "packages/shop", "--packages", "packages", "--channel", "prod"]).0,
        0
    );

    desk.edit("actions/core.uiap.yaml", "required: true, description: Why.", "required: true, description: Why.}\n        - {name: note, type: string, required: true, description: More.");
    desk.edit("package.uiap.yaml", "  version: 1.2.0\n  reviewState", "  version: 1.2.1\n  reviewState");
    desk.edit(
        "package.uiap.yaml",
        "  packageId: shop.uiap\n  version: 1.2.0",
        "  packageId: shop.uiap\n  version: 1.2.1",
    );
    desk.edit(
        "workflows/core.uiap.yaml",
        "args: {reason: wrong size}",
        "args: {reason: wrong size, note: none}",
    );
    let (code, said) = desk.run(&publish);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("needs at least the version 2.0.0, and this is 1.2.1"), "{said}");
    assert_eq!(
        desk.run(&["breaking", bundle, "packages/shop", "--packages", "packages", "--channel", "prod"]).0,
        1
    );

    desk.edit("reviews/core.uiap.yaml", "state: approved", "state: rejected");
    let (code, said) = desk.run(&publish);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("gate_failed"), "{said}");
}
