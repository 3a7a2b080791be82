//! `uiap doctor` on this machine, and on machines that lack something.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn doctor(flags: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_uiap")).arg("doctor").args(flags).output().expect("the program runs")
}

/// The checks by name, and whether everything is there.
fn report(flags: &[&str]) -> (bool, impl Fn(&str) -> Option<Value> + use<>) {
    let output = doctor(&[flags, &["--format", "json"]].concat());
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    let is_ready = report.get("ready").and_then(Value::as_bool).expect("an answer");
    assert_eq!(output.status.code(), Some(i32::from(!is_ready)));
    let checks = report.get("checks").and_then(Value::as_array).expect("checks").clone();
    let named = move |name: &str| {
        checks.iter().find(|check| check.get("name").and_then(Value::as_str) == Some(name)).cloned()
    };
    (is_ready, named)
}

fn state(check: Option<&Value>) -> Option<&str> {
    check?.get("state")?.as_str()
}

#[test]
fn a_machine_with_everything_is_ready() {
    let folder = std::env::temp_dir().join(format!("uiap-doctor-{}", std::process::id()));
    let journal = folder.join("deep/journal.sqlite");
    let (is_ready, check) = report(&["--journal", &journal.display().to_string()]);
    assert!(is_ready);
    for name in ["browser", "journal", "loopback", "chance"] {
        assert_eq!(state(check(name).as_ref()), Some("good"), "{name}");
    }
    assert!(!folder.exists(), "it leaves nothing behind");
}

#[test]
fn what_is_missing_is_named_with_what_to_do() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let flags = ["--browser", "/nowhere/chromium", "--journal", &here.display().to_string()];
    let (is_ready, check) = report(&flags);
    assert!(!is_ready);
    for (name, word) in [("browser", "/nowhere/chromium"), ("journal", "Cargo.toml")] {
        let check = check(name).expect("a check");
        assert_eq!(state(Some(&check)), Some("bad"), "{name}");
        assert!(check.get("says").and_then(Value::as_str).expect("words").contains(word), "{check}");
        assert!(check.get("advice").is_some_and(Value::is_string), "{check}");
    }
    assert_eq!(check("sandbox"), None, "nothing is said about a browser that is not there");
    let told = String::from_utf8(doctor(&flags).stdout).expect("text");
    assert!(told.ends_with("Something that is needed is not here.\n"), "{told}");
}
