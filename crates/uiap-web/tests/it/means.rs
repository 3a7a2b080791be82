//! Which means are used for an action, and what a page notices of them.

#![expect(clippy::indexing_slicing, reason = "a test may fail loudly")]

use crate::support::acting::*;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering};

const PAGE: &str = "<!doctype html><title>Means</title>
<button id=plain>Press</button><a id=link href='#there'>Go</a><label>Tick <input id=tick type=checkbox></label>
<label>Size <select id=size><option>Small<option>Large</select></label>
<div id=pad role=button tabindex=0 aria-label=Pad>Pad</div>
<button id=gated>Gated</button><a id=more href='/more' target=_blank>More</a>
<p role=status id=said></p>
<script>
window.notes = [];
const EVENTS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'];
for (const type of EVENTS) addEventListener(type, (event) => notes.push(`${type} ${event.constructor.name} ${event.isTrusted}`), true);
const say = (text) => { said.textContent = text; };
plain.onclick = () => say('Pressed');
size.onchange = () => say('Sized');
pad.onpointerdown = () => say('Touched');
gated.onclick = () => say(navigator.userActivation.isActive ? 'Open' : 'Refused');
</script>";

/// How an action on the fresh page went, and by which means. Each is asked for on purpose, also after one that failed.
async fn acted(act: &Act, mut request: Value) -> (String, String) {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    request["idempotencyKey"] = json!(format!("key-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
    act.again().await;
    let went = act.act(request).await;
    let mode = went.result.as_ref().ok().and_then(|result| result.chosen_execution_mode);
    (went.sum(), mode.map(|mode| mode.to_string()).unwrap_or_default())
}

/// By these means. Success ends the wait for it, so that there is patience.
fn by(mode: &str, mut request: Value) -> Value {
    request["preferredExecutionModes"] = json!([mode]);
    request["verification"] = json!({ "timeoutMs": 10_000 });
    request
}

fn done(mode: &str) -> (String, String) {
    ("succeeded applied".to_owned(), mode.to_owned())
}

#[tokio::test]
async fn methods_of_the_platform_are_called_and_no_input_is_feigned() {
    uiap_testkit::proves!["ACT-10.2-2", "ACT-10.2-3"];
    let act = Act::on(PAGE).await;
    // A click that a method makes is a PointerEvent without a pointer; one that was dispatched would be what its
    // maker took, with everything before it.
    for (request, noticed) in [
        (on("ui.activate", "button", "Press"), "click PointerEvent false"),
        (on("ui.activate", "link", "Go"), "click PointerEvent false"),
        (on("ui.toggle", "checkbox", "Tick"), "click PointerEvent false"),
        (with("ui.choose", "combobox", "Size", json!({ "label": "Large" })), ""),
    ] {
        assert_eq!(acted(&act, request.clone()).await, done("semanticUi"), "{request}");
        assert_eq!(act.read("notes.join()").await, noticed, "{request}");
    }
}

#[tokio::test]
async fn a_driver_outside_the_page_is_used_where_it_is_wanted() {
    uiap_testkit::proves!["ACT-10.3-1", "ACT-10.3-3"];
    let act = Act::on(PAGE).await;
    let driven = by("externalDriver", on("ui.activate", "button", "Press"));
    assert_eq!(acted(&act, driven).await, done("externalDriver"));
    let noticed = act.read("notes.join()").await;
    assert_eq!(
        noticed,
        "pointerdown PointerEvent true,mousedown MouseEvent true,pointerup PointerEvent true,\
         mouseup MouseEvent true,click PointerEvent true"
    );
}

#[tokio::test]
async fn what_waits_for_more_than_a_click_gets_events_made_in_the_page() {
    uiap_testkit::proves!["ACT-10.4-1"];
    let act = Act::on(PAGE).await;
    let pad = || on("ui.activate", "button", "Pad");
    let mut in_vain = by("semanticUi", pad());
    in_vain["verification"]["timeoutMs"] = json!(1_000);
    let (by_click, _) = acted(&act, in_vain).await;
    assert_eq!(by_click, "failed unknown verification_failed", "a click alone is not enough for it");
    assert_eq!(acted(&act, by("inputSynthesis", pad())).await, done("inputSynthesis"));
    assert!(act.read("notes.join()").await.as_str().unwrap().contains("pointerdown PointerEvent false"));
}

#[tokio::test]
async fn events_made_in_the_page_never_count_as_a_person() {
    uiap_testkit::proves!["ACT-10.4-2"];
    let act = Act::on(PAGE).await;
    let gated = |mode: &str| by(mode, on("ui.activate", "button", "Gated"));
    acted(&act, gated("inputSynthesis")).await;
    assert_eq!(act.read("said.textContent").await, "Refused");
    acted(&act, gated("externalDriver")).await;
    assert_eq!(act.read("said.textContent").await, "Open");
    // What the browser does only for a person is not even tried with them.
    let (sum, mode) = acted(&act, by("inputSynthesis", on("ui.activate", "link", "More"))).await;
    assert_eq!((sum.as_str(), mode.as_str()), ("succeeded applied", "externalDriver"));
}
