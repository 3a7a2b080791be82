//! `uiap diff` as a person or a pipeline meets it.

use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::{Command, Output};
use uiap_testkit::proves;

const SAMPLE: &str =
    include_str!("../../../../../examples/videoland/uiap/discovery/staging-admin.discovery.json");

/// A folder of its own for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("uiap-diff-{}-{name}", std::process::id()));
        std::fs::create_dir_all(folder.join("old")).expect("a folder");
        std::fs::create_dir_all(folder.join("new")).expect("a folder");
        Self(folder)
    }

    /// Compares the sample with itself after some changes.
    fn compared(&self, options: &[&str], change: impl FnOnce(&mut Value)) -> (i32, String, String) {
        let old: Value = serde_json::from_str(SAMPLE).expect("JSON");
        let mut new = old.clone();
        change(&mut new);
        std::fs::write(self.0.join("old/a.discovery.json"), old.to_string()).expect("a file");
        std::fs::write(self.0.join("new/a.discovery.json"), new.to_string()).expect("a file");
        let arguments: Vec<&str> =
            ["diff", "old", "new/a.discovery.json"].into_iter().chain(options.iter().copied()).collect();
        self.run(&arguments)
    }

    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uiap"));
        let Output { status, stdout, stderr } =
            command.args(arguments).current_dir(&self.0).output().expect("it ends");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (status.code().expect("an exit code"), text(stdout), text(stderr))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_same_run_twice_is_a_yes() {
    let (code, out, err) = Folder::new("same").compared(&[], |new| {
        new["run"]["runId"] = json!("another");
        new["run"]["startedAt"] = json!("2027-01-01T00:00:00Z");
    });
    assert_eq!((code, out.as_str(), err.as_str()), (0, "Nothing changed.\n", ""));
}

/// A run after a release: an action is riskier, an element has another role, and its name tries to rule the terminal.
fn released(new: &mut Value) {
    new["actionCatalog"]["actions"][0]["risk"] = json!({"level": "blocked"});
    new["elementCatalog"]["elements"][0]["role"] = json!("alert");
    new["elementCatalog"]["elements"][0]["names"] = json!(["Live\u{1b}[2J"]);
    new["run"]["status"] = json!("cancelled");
}

#[test]
fn what_changed_is_a_no_and_is_told_by_class() {
    proves!["DSC-17-12"];
    let folder = Folder::new("changed");
    let (code, out, err) = folder.compared(&[], released);
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    let expected = "\
meaning (2)
  The element dashboard.live has another role: alert instead of status.
  The element dashboard.live has gained names: Live[2J.

stricter (1)
  The risk of video.create is blocked now; it was confirm.

The new run disc_videoland_1 did not see everything it could have: what is missing there may exist.
3 changes: 0 vanished, 2 meaning, 1 stricter, 0 looser, 0 appeared.
";
    assert_eq!(out, expected);
    // Only what is asked for is a no.
    assert_eq!(folder.compared(&["--fail-on", "vanished", "looser"], released).0, 0);
    assert_eq!(folder.compared(&["--fail-on", "stricter"], released).0, 1);
    assert_eq!(folder.compared(&["--fail-on", "nothing"], released).0, 0);
}

#[test]
fn a_program_gets_one_object() {
    let (code, out, err) = Folder::new("json").compared(&["--format", "json"], |new| {
        let actions = new["actionCatalog"]["actions"].as_array_mut().expect("a list");
        actions.remove(0);
        new["coverage"]["actionsDiscovered"] =
            json!(new["actionCatalog"]["actions"].as_array().map(Vec::len));
    });
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["version"], 1);
    assert_eq!(report["failed"], true);
    assert_eq!(report["counts"]["vanished"], 1);
    assert_eq!(report["changes"][0]["class"], "vanished");
    assert_eq!(report["changes"][0]["subject"], "action");
    assert_eq!(report["changes"][0]["id"], "video.create");
}

#[test]
fn what_is_no_package_is_said_with_the_next_step() {
    let folder = Folder::new("none");
    let (code, out, err) = folder.run(&["diff", "old", "new"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("no file that ends in .discovery.json in old"), "{err}");
    std::fs::write(folder.0.join("old/a.discovery.json"), "{\"spec\": \"uiap.discovery\"}").expect("a file");
    let (code, _, err) = folder.run(&["diff", "old", "old"]);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("not a sound discovery package"), "{err}");
    std::fs::write(folder.0.join("old/b.discovery.json"), SAMPLE).expect("a file");
    let (code, _, err) = folder.run(&["diff", "old", "old"]);
    assert_eq!(code, 2);
    assert!(err.contains("several discovery packages"), "{err}");
}
