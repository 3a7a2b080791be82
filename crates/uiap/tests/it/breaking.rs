//! `uiap breaking` as a person or a pipeline meets it.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::{Command, Output};
use uiap_protocol::seal::digest;
use uiap_testkit::proves;

/// A folder of its own for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("uiap-breaking-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    fn put(&self, name: &str, bundle: &Value) {
        std::fs::write(self.0.join(name), bundle.to_string()).expect("a file");
    }

    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uiap"));
        let Output { status, stdout, stderr } =
            command.arg("breaking").args(arguments).current_dir(&self.0).output().expect("it ends");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (status.code().expect("an exit code"), text(stdout), text(stderr))
    }

    /// Compares a bundle with itself after some changes.
    fn compared(&self, version: &str, change: impl FnOnce(&mut Value)) -> (i32, String, String) {
        let old = bundle("1.0.0");
        let mut new = bundle(version);
        change(&mut new);
        self.put("old.json", &old);
        self.put("new.json", &new);
        self.run(&["old.json", "new.json"])
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn bundle(version: &str) -> Value {
    json!({
        "packageId": "videoland.uiap", "version": version, "profile": "web@0.1", "buildContext": {},
        "compatibility": {"uiapCore": ">=0.1 <0.2"},
        "app": {"appId": "videoland", "displayName": "Videoland"},
        "bindings": {"elements": [
            {"id": "video.save", "role": "button", "name": "Save", "match": [{"by": "label", "text": "Save"}]},
        ]},
        "locales": {"common.save": "Save"},
    })
}

#[test]
fn what_breaks_is_a_no_with_rule_place_and_witness() {
    proves!["AUT-2-6", "AUT-11.2-1"];
    let folder = Folder::new("major");
    let (code, out, err) = folder.compared("1.1.0", |new| {
        new["bindings"]["elements"][0]["id"] = json!("video.keep");
        new["locales"]["common.save"] = json!("Keep\u{1b}[2J");
    });
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    let expected = "\
major (1)
  element-removed: The element \"video.save\" is gone.
    was at /bindings/elements/0
    witness {\"kind\":\"request\",\"request\":{\"actionId\":\"ui.read\",\"target\":{\"ref\":{\"by\":\"stableId\",\"value\":\"video.save\"}}}}

minor (1)
  element-added: The element \"video.keep\" is new.
    is at /bindings/elements/0
    witness {\"kind\":\"request\",\"request\":{\"actionId\":\"ui.read\",\"target\":{\"ref\":{\"by\":\"stableId\",\"value\":\"video.keep\"}}}}

patch (1)
  locale-text-changed: The text \"common.save\" says something else.
    at /locales/common.save
    witness {\"kind\":\"values\",\"was\":\"Save\",\"is\":\"Keep\\u001b[2J\"}

3 changes: 1 major, 1 minor, 1 patch. What is major needs a major step: 1.0.0 to 1.1.0 is a minor step, which is not \
enough. Use 2.0.0 or a later version.
";
    assert_eq!(out, expected);
    assert!(!out.contains('\u{1b}'), "no colours in a pipe, and no say over the terminal");
}

#[test]
fn what_is_added_or_reworded_is_a_yes() {
    proves!["AUT-11.3-1", "AUT-11.4-1"];
    let folder = Folder::new("minor");
    let (code, out, _) = folder.compared("1.1.0", |new| new["locales"]["common.new"] = json!("New"));
    assert_eq!(code, 0, "{out}");
    assert!(out.ends_with("1 change: 0 major, 1 minor, 0 patch. What is minor needs a minor step: 1.0.0 to 1.1.0 is a minor step, which is enough.\n"), "{out}");
    let (code, out, _) = folder.compared("1.0.0", |new| new["locales"]["common.save"] = json!("Keep"));
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("1.0.0 is the same version, which is not enough. Use 1.0.1"), "{out}");
    let (code, out, _) = folder.compared("1.0.0", |_| {});
    assert_eq!((code, out.as_str()), (0, "Nothing changed; 1.0.0 is the same version.\n"));
}

#[test]
fn the_same_is_there_as_data() {
    let folder = Folder::new("json");
    folder.put("old.json", &bundle("0.1.0"));
    let mut new = bundle("0.2.0");
    new["bindings"]["elements"][0]["role"] = json!("link");
    folder.put("new.json", &new);
    let (code, out, _) = folder.run(&["--json", "old.json", "new.json"]);
    let report: Value = serde_json::from_str(&out).expect("JSON and nothing else on stdout");
    // Below 1.0.0 the version is fine, and the exit code still tells of the class.
    assert_eq!(code, 1);
    assert_eq!((&report["version"], &report["class"]), (&json!(1), &json!("major")));
    assert_eq!(
        report["bump"],
        json!({"needed": "minor", "found": "minor", "enough": true, "least": "0.2.0"})
    );
    let change = &report["changes"][0];
    assert_eq!((&change["rule"], &change["class"]), (&json!("element-role-changed"), &json!("major")));
    let place = json!("/bindings/elements/0/role");
    assert_eq!((&change["old"], &change["new"]), (&place, &place));
    assert_eq!(change["witness"]["request"]["target"]["expectedRole"], "button");
}

#[test]
fn what_cannot_be_read_is_wrong_use() {
    let folder = Folder::new("unreadable");
    folder.put("good.json", &bundle("1.0.0"));
    folder.put("bad.json", &json!({"packageId": "x"}));
    let mut changed = bundle("1.0.0");
    changed["digest"] = json!("sha256:00");
    folder.put("changed.json", &changed);
    for (arguments, words) in [
        (["good.json", "missing.json"], "missing.json cannot be read"),
        (["bad.json", "good.json"], "bad.json is not a sound bundle. Nothing was compared."),
        (["good.json", "changed.json"], "changed.json was changed after it was built"),
        (["good.json", "."], ". cannot be built"),
    ] {
        let (code, _, err) = folder.run(&arguments);
        assert_eq!(code, 2, "{arguments:?}: {err}");
        assert!(err.contains(words), "{arguments:?}: {err}");
    }
    let mut sealed = bundle("1.0.0");
    sealed["digest"] = json!(digest(sealed.as_object().expect("an object")));
    folder.put("sealed.json", &sealed);
    let (code, out, err) = folder.run(&["sealed.json", "sealed.json"]);
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn the_rules_are_listed() {
    let folder = Folder::new("rules");
    let (code, page, _) = folder.run(&["--rules"]);
    assert_eq!(code, 0);
    assert!(page.contains("| `element-removed` | major |"), "{page}");
    let (_, list, _) = folder.run(&["--rules", "--json"]);
    let list: Value = serde_json::from_str(&list).expect("JSON");
    assert!(list.as_array().is_some_and(|rules| rules.len() >= 60));
    assert_eq!(folder.run(&["old.json"]).0, 2, "both bundles are needed");
}
