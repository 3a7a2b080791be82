//! Disks that take no more, and folders that cannot be written to.

use crate::troubles::site::{Reply, Site};
use crate::troubles::stage::{Stage, page};
use std::os::unix::fs::symlink;

/// Whatever is written here, there is no room for it.
const FULL: &str = "/dev/full";
const FEW: &[&str] = &["/", "/one", "/two"];

async fn tiny_site() -> Site {
    Site::start(
        |path, _| {
            if FEW.contains(&path) { Reply::Page(page(path, FEW, "")) } else { Reply::Status(404, "") }
        },
    )
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_cannot_be_used_is_said() {
    let site = tiny_site().await;
    let stage = Stage::new("no-folder");
    stage.file("map", "this is a file");
    stage.run(&site.url("/"), &[]).await.ended(3, &["cannot be used", "map", "Name another one with -o"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_is_full_loses_nothing_that_was_found() {
    let site = tiny_site().await;
    let stage = Stage::new("full-disk");
    let few = ["--jobs", "1"];
    let name = format!("127-0-0-1-{}.discovery", site.port);
    std::fs::create_dir_all(stage.map()).expect("a folder");
    // A package is written beside its name before it is there; that is where there is no room.
    symlink(FULL, stage.map().join(format!("{name}.partial"))).expect("a link");
    let ran = stage.run(&site.url("/"), &few).await;
    ran.ended(3, &[&format!("{name}.json cannot be written"), "No space left", "make room", "goes on"]);
    assert_eq!(stage.half_written(), [""; 0].map(std::path::PathBuf::from));
    assert!(!stage.map().join(format!("{name}.json")).exists(), "half a package is none");
    let made = stage.logbook().iter().filter(|line| line.get("made").is_some()).count();
    assert!(made > 0, "the logbook has what was found");
    stage.run(&site.url("/"), &few).await.ended(0, &["Mapped"]);
    let found = stage.found();
    assert_eq!(found.ended("completed", &[]).states().len(), FEW.len());
    let again = stage.logbook().iter().filter(|line| line.get("made").is_some()).count();
    assert_eq!(again, made, "nothing had to be done again");

    // In the middle of a run: the evidence of one page does not find room.
    let evidence = |state: &serde_json::Value| state["stateId"].as_str().expect("an id").to_owned();
    let last = evidence(found.states().last().expect("a state"));
    std::fs::remove_dir_all(stage.map()).expect("it is gone");
    std::fs::create_dir_all(stage.map().join("evidence")).expect("a folder");
    symlink(FULL, stage.map().join(format!("evidence/{last}.graph.partial"))).expect("a link");
    let ran = stage.run(&site.url("/"), &few).await;
    ran.ended(
        1,
        &["could not go on", &format!("{last}.graph.json cannot be written"), "No space left", "goes on"],
    );
    stage.found().ended("failed", &["cannot be kept", "No space left"]);
    assert_eq!(stage.half_written(), [""; 0].map(std::path::PathBuf::from));
    stage.run(&site.url("/"), &few).await.ended(0, &["Mapped"]);
    assert_eq!(stage.found().ended("completed", &[]).states().len(), FEW.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn half_a_line_in_the_logbook_is_cut_off() {
    let site = tiny_site().await;
    let stage = Stage::new("half-a-line");
    let few = ["--jobs", "1", "--max-transitions", "1"];
    stage.run(&site.url("/"), &few).await.ended(0, &["Mapped"]);
    let path = stage.map().join("logbook.jsonl");
    let mut text = std::fs::read_to_string(&path).expect("a logbook");
    text.push_str("{\"took\":[0");
    std::fs::write(&path, text).expect("it is written");
    // It goes on once, and once more: nothing stands behind half a line.
    for budget in ["2", "3"] {
        let run = std::fs::read_to_string(stage.map().join("run.json")).expect("a run");
        let run = run.replace("\"finished\":true", "\"finished\":false");
        std::fs::write(stage.map().join("run.json"), run).expect("it is written");
        stage.run(&site.url("/"), &["--jobs", "1", "--max-transitions", budget]).await.ended(0, &["Mapped"]);
    }
    assert!(stage.found().edges().len() > 1);
}
