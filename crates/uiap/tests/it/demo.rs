//! `uiap demo` as a person sees it: the whole chain on the sample application, with a real browser and a terminal.

use crate::shared::terminal;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("demo-{name}"));
    // What an earlier run of the test left.
    drop(std::fs::remove_dir_all(&folder));
    folder
}

fn demo(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_uiap"));
    command.args(["demo", "--once", "-o"]).arg(folder);
    command
}

#[test]
fn from_a_map_to_a_click_and_back_to_who_allowed_it() {
    let folder = folder("whole");
    let (code, shown) = terminal::run_before_a_person(demo(&folder), "y");
    assert_eq!(code, 0, "{shown}");
    let mut rest = shown.as_str();
    for step in [
        "$ uiap discover",
        "Mapped ",
        "besides signing in: nothing.",
        "questions wait for people",
        "approves it",
        "$ uiap build",
        "$ uiap act",
        "Shall it be done? [y/N]",
        "Succeeded",
        "besides signing in: video.created.",
        "$ uiap trace",
        "reviewer of the demo",
        "Look at the map: ",
    ] {
        let place = rest.find(step);
        let place =
            place.unwrap_or_else(|| panic!("\"{step}\" is not shown, or not in this order:\n{shown}"));
        rest = rest.get(place..).expect("a place in it");
    }
    assert!(folder.join("bundle.json").exists());
    let report = std::fs::read_to_string(folder.join("map/report.html")).expect("the report");
    assert!(
        report.contains("Main navigation") && !report.contains("Hauptnavigation"),
        "the demo is in English"
    );
}
