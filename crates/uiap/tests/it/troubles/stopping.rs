//! Ctrl-C in the middle, going on, and beginning anew.

use crate::troubles::stage::{Found, LINKS, Stage, small_site};
use rustix::process::{Signal, kill_process};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn who_is_interrupted_leaves_a_sound_package_and_goes_on_with_the_next_call() {
    let site = small_site().await;
    let stage = Stage::new("interrupted");
    let run = stage.start(&site.url("/"), &["--jobs", "2"]);
    stage.until_logged("made", 1).await;
    kill_process(run.pid(), Signal::INT).expect("it is interrupted");
    run.end().await.ended(1, &["It was stopped before everything was seen", "goes on where it ended"]);
    let found = stage.found();
    let before = found.ended("cancelled", &["It was stopped"]).states().len();
    assert!((1..LINKS.len()).contains(&before), "{before} states");
    stage.run(&site.url("/"), &["--jobs", "2"]).await.ended(0, &["Mapped"]);
    assert_eq!(stage.found().ended("completed", &[]).states().len(), LINKS.len());
    stage.run(&site.url("/"), &[]).await.ended(2, &["holds a whole map already", "--fresh"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_several_people_look_the_next_call_goes_on_with_whoever_did_not_end() {
    let site = small_site().await;
    let stage = Stage::new("several");
    let environment = json!({
        "environmentId": "../staging", "baseUrl": site.url("/"), "safety": {"defaultMode": "observe_only"},
        "principalProfiles": [{"id": "admin"}, {"id": "../viewer"}],
    });
    let file = stage.file("environment.json", &environment.to_string());
    let look = || async { stage.run(&site.url("/"), &["--environment", &file]).await };
    look().await.ended(0, &["as admin", "as ../viewer"]);
    look().await.ended(2, &["holds a whole map already", "--fresh"]);
    let folders = || {
        let entries = std::fs::read_dir(stage.map()).unwrap().map(|entry| entry.unwrap().path());
        let mut folders: Vec<_> = entries.filter(|path| path.is_dir()).collect();
        folders.sort();
        folders
    };
    let [admin, viewer] = &folders()[..] else { panic!("{:?}", folders()) };
    for folder in [admin, viewer] {
        assert_eq!(Found::in_folder(folder).ended("completed", &[]).states().len(), 1);
    }
    let run = std::fs::read_to_string(viewer.join("run.json")).unwrap();
    std::fs::write(viewer.join("run.json"), run.replace("\"finished\":true", "\"finished\":false")).unwrap();
    std::fs::remove_file(stage.map().join("profiles.json")).unwrap();
    let ran = look().await;
    ran.ended(0, &["as ../viewer"]);
    assert!(!ran.said.contains("as admin"), "{}", ran.said);
    assert!(stage.map().join("profiles.json").exists(), "both are compared");
    let mut beside: Vec<_> =
        std::fs::read_dir(&stage.folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    beside.sort();
    assert_eq!(beside, ["environment.json", "map"], "ids lead to no other folder");
}

#[tokio::test(flavor = "multi_thread")]
async fn beginning_anew_takes_away_a_run_and_nothing_else() {
    let site = small_site().await;
    let stage = Stage::new("anew");
    let own = stage.map().join("evidence/own.txt");
    std::fs::create_dir_all(stage.map().join("evidence")).unwrap();
    std::fs::write(&own, "not of a run").unwrap();
    let anew = ["--fresh", "--mode", "observe-only"];
    stage.run(&site.url("/"), &anew).await.ended(0, &["Mapped"]);
    assert!(own.exists(), "there was no run that it could be of");
    stage.run(&site.url("/"), &anew).await.ended(0, &["Mapped"]);
    assert!(!own.exists(), "the evidence of a run goes with it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_not_gone_on_with_under_other_limits() {
    let site = small_site().await;
    let stage = Stage::new("other-limits");
    stage.run(&site.url("/"), &["--jobs", "1", "--max-transitions", "3"]).await.ended(0, &["Mapped"]);
    let run = std::fs::read_to_string(stage.map().join("run.json")).unwrap();
    let run = run.replace("\"finished\":true", "\"finished\":false");
    std::fs::write(stage.map().join("run.json"), run).unwrap();
    let ran = stage.run(&site.url("/"), &["--jobs", "1", "--max-states", "1"]).await;
    ran.ended(2, &["cannot be gone on with", "under the limits", "--fresh"]);
}
