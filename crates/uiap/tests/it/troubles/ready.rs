//! What a page shows late, and what cannot be used as it stands.

use crate::troubles::site::{Reply, Site};
use crate::troubles::stage::{Stage, page};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// One answer leads to the next, and only after the last of them there is something to use.
const LATE: &str = "<div id=late></div><script>(async () => { \
    for (let step = 1; step <= 6; step++) { await (await fetch(`/step/${step}`)).text(); await new Promise(requestAnimationFrame); } \
    late.innerHTML = '<a href=/behind>Behind it</a><button aria-pressed=false>Shown late</button>'; })();</script>";

#[tokio::test(flavor = "multi_thread")]
async fn what_is_shown_late_belongs_to_the_state() {
    uiap_testkit::proves!["DSC-11.2-3"];
    let links: &[&str] = &["/", "/slow"];
    let site = Site::start(move |path, _| match path {
        "/" | "/behind" => Reply::Page(page(path, links, "")),
        "/slow" => Reply::Page(page("Slow", links, LATE)),
        _ if path.starts_with("/step/") => Reply::Page("on".to_owned()),
        _ => Reply::Status(404, ""),
    })
    .await;
    let stage = Stage::new("late");
    stage.run(&site.url("/"), &["--jobs", "1"]).await.ended(0, &["Mapped"]);
    let found = stage.found();
    assert_eq!(found.ended("completed", &[]).routes(), ["behind", "slow", "start"]);
    let slow: Vec<_> = found.states().iter().filter(|state| state["routeId"] == "slow").collect();
    assert_eq!(slow.len(), 1, "a page that is not ready yet is no state: {slow:#?}");
    let graph = slow[0]["pageGraphRef"].as_str().unwrap();
    let graph = std::fs::read_to_string(stage.map().join("evidence").join(graph)).unwrap();
    assert!(graph.contains("Shown late"), "{graph}");
}

/// Buttons that say what was pressed. Some of them cannot be: they are off, hidden, beneath something, or never stand still.
const UNREADY: &str = "<style>@keyframes move { to { transform: translateX(400px) } } #moving { animation: move 1s linear infinite alternate }\
    .under { position: relative; width: 300px } .under i { position: absolute; inset: -4px; background: white }</style>\
    <button aria-haspopup=dialog id=plain>Plain</button>\
    <button aria-haspopup=dialog id=off disabled>Off</button>\
    <button aria-haspopup=dialog id=gone hidden>Gone</button>\
    <button aria-haspopup=dialog id=moving>Moving</button>\
    <div class=under><button aria-haspopup=dialog id=covered>Covered</button><i></i></div>\
    <div style='height:3000px'></div><button aria-haspopup=dialog id=below>Below</button>\
    <script>for (const button of document.querySelectorAll('[aria-haspopup]')) button.onclick = () => fetch('/pressed/' + button.id);</script>";

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_used_as_it_stands_is_not_pressed() {
    uiap_testkit::proves!["DSC-11.5-4"];
    let pressed = Arc::new(Mutex::new(BTreeSet::new()));
    let heard = Arc::clone(&pressed);
    let site = Site::start(move |path, _| match path.strip_prefix("/pressed/") {
        Some(button) => {
            heard.lock().unwrap().insert(button.to_owned());
            Reply::Status(204, "")
        }
        None if path == "/" => Reply::Page(page("Buttons", &["/"], UNREADY)),
        None => Reply::Status(404, ""),
    })
    .await;
    let stage = Stage::new("unready");
    stage.run(&site.url("/"), &["--jobs", "1", "--max-minutes", "4"]).await.ended(0, &["Mapped"]);
    stage.found().ended("completed", &[]);
    let pressed: Vec<_> = pressed.lock().unwrap().iter().cloned().collect();
    assert_eq!(pressed, ["below", "plain"]);
}
