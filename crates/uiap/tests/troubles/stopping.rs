//! Ctrl-C in the middle, and going on.

use crate::stage::{LINKS, Stage, small_site};
use rustix::process::{Signal, kill_process};

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
