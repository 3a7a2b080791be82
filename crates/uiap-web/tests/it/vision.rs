//! A target that is only painted: somebody looks at a picture and says where it is.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail loudly")]

use crate::support::acting::*;
use serde_json::{Value, json};
use std::pin::Pin;
use std::sync::Mutex;
use uiap_runtime::journal::Journal;
use uiap_runtime::sight::{Eyes, Point, Sought};

/// The painted button is at 20 to 120 to the right and 120 to 160 down; a veil hides the right end of the canvas.
const PAGE: &str = "<!doctype html><title>Board</title><style>body { margin: 0 }</style>
<button id=other onclick='notes.push(`other`)'>Other</button>
<canvas id=board aria-label=Board width=300 height=150 style='position: absolute; left: 0; top: 100px'></canvas>
<div id=veil style='position: absolute; left: 200px; top: 100px; width: 100px; height: 150px'></div>
<p role=status id=said></p>
<script>
window.notes = [];
const paint = board.getContext('2d');
paint.strokeRect(20, 20, 100, 40);
paint.fillText('Keep', 40, 44);
board.onclick = ({ offsetX: x, offsetY: y, isTrusted }) => {
    notes.push(`${x} ${y} ${isTrusted}`);
    if (x > 20 && x < 120 && y > 20 && y < 60) said.textContent = 'Kept';
};
</script>";

/// Somebody who says the same point of every picture.
#[derive(Default)]
struct Scripted {
    point: Option<Point>,
    /// The size of what was looked at, and whether it was a picture.
    looked_at: Mutex<Vec<(f64, f64, bool)>>,
}

impl Scripted {
    fn at(x: f64, y: f64) -> Self {
        Self { point: Some(Point { x, y }), ..Self::default() }
    }

    fn looks(&self) -> usize {
        self.looked_at.lock().unwrap().len()
    }
}

impl Eyes for Scripted {
    fn find<'s>(&'s self, sought: Sought<'s>) -> Pin<Box<dyn Future<Output = Option<Point>> + Send + 's>> {
        let picture = sought.picture;
        let is_picture = picture.bytes.starts_with(b"\x89PNG") && picture.media_type == "image/png";
        assert_eq!(sought.request.action_id.as_str(), "ui.activate");
        assert!(sought.target.is_some_and(|target| target.name.as_deref() == Some("Board")));
        self.looked_at.lock().unwrap().push((picture.width, picture.height, is_picture));
        Box::pin(async { self.point })
    }
}

/// Success ends the wait for it, so that there is patience.
fn press() -> Value {
    let mut request = on("ui.activate", "canvas", "Board");
    request["verification"] = json!({ "timeoutMs": 10_000 });
    request
}

#[tokio::test]
async fn a_painted_button_is_pressed_where_somebody_sees_it() {
    uiap_testkit::proves!["ACT-10.5-2"];
    let act = Act::on(PAGE).await;
    let eyes = Scripted::at(70.0, 140.0);
    let went = act.act_with(Person::Agrees, Some(&eyes), press()).await;
    assert_eq!(went.sum(), "succeeded applied", "{:?}", went.result);
    assert_eq!(act.read("notes.join()").await, "70 40 true");
    assert_eq!((eyes.looks(), went.asked.len()), (1, 1), "a person agreed before anybody looked");
    let (width, height, is_picture) = eyes.looked_at.lock().unwrap()[0];
    assert!(is_picture);
    let size = act.read("[innerWidth, innerHeight]").await;
    assert_eq!((size[0].as_f64(), size[1].as_f64()), (Some(width), Some(height)));

    // The point, the picture and what the verification found stand together in the result and in the trace.
    let result = went.result.unwrap();
    assert_eq!(result.chosen_execution_mode.map(|mode| mode.to_string()).as_deref(), Some("visionAssist"));
    assert!(result.verification.passed && !result.verification.observed.is_empty(), "{result:?}");
    let seen = Value::from(result.return_value.unwrap());
    assert_eq!(seen["point"], json!({ "x": 70.0, "y": 140.0 }));
    let digest = seen["picture"]["digest"].as_str().unwrap();
    assert!(digest.starts_with("sha256:") && digest.len() == 71, "{digest}");
    let trace = act.runtime.journal().trace(&result.action_handle).await.unwrap().unwrap().to_json();
    let steps = trace["steps"].as_array().unwrap();
    assert!(steps.iter().any(|step| step["evidence"] == seen), "{trace:#}");
}

#[tokio::test]
async fn a_point_counts_only_where_it_hits_the_target() {
    uiap_testkit::proves!["ACT-10.5-1"];
    let act = Act::on(PAGE).await;
    let rows = [
        ("far outside", Scripted::at(9_000.0, 140.0), "outside of the picture"),
        ("before the beginning", Scripted::at(-1.0, 140.0), "outside of the picture"),
        ("no number", Scripted::at(f64::NAN, 140.0), "outside of the picture"),
        ("another element", Scripted::at(10.0, 10.0), "covers the element"),
        ("something over it", Scripted::at(250.0, 140.0), "div#veil covers the element"),
        ("nothing seen", Scripted::default(), "nobody saw the target"),
    ];
    for (what, eyes, says) in rows {
        let went = act.act_with(Person::Agrees, Some(&eyes), press()).await;
        assert_eq!(went.sum(), "failed none execution_mode_unavailable", "{what}: {:?}", went.result);
        let message = went.result.unwrap().error.unwrap().message;
        assert!(message.contains(says), "{what}: {message}");
        assert_eq!(eyes.looks(), 1, "{what}");
        assert_eq!(act.read("notes.join()").await, "", "{what}");
    }
    // It hits the canvas, and nothing comes of it.
    let beside = Scripted::at(150.0, 220.0);
    let mut in_vain = press();
    in_vain["verification"]["timeoutMs"] = json!(1_000);
    let went = act.act_with(Person::Agrees, Some(&beside), in_vain).await;
    assert_eq!(went.sum(), "failed unknown verification_failed", "{:?}", went.result);
    assert_eq!(act.read("notes.join()").await, "150 120 true");
}

#[tokio::test]
async fn nobody_looks_unless_somebody_was_named_and_a_person_agreed() {
    let act = Act::on(PAGE).await;
    let went = act.act(press()).await;
    assert_eq!(went.sum(), "failed none target_not_interactable", "{:?}", went.result);
    let mut wished = press();
    wished["preferredExecutionModes"] = json!(["visionAssist"]);
    let went = act.act(wished).await;
    assert_eq!(went.sum(), "failed none target_not_interactable", "{:?}", went.result);
    let eyes = Scripted::at(70.0, 140.0);
    let went = act.act_with(Person::Refuses, Some(&eyes), press()).await;
    assert_eq!(went.sum(), "cancelled none confirmation_denied", "{:?}", went.result);
    assert_eq!((eyes.looks(), act.read("notes.join()").await), (0, json!("")));
    // What can be reached otherwise is not looked for in pictures.
    let went = act.act_with(Person::Agrees, Some(&eyes), on("ui.activate", "button", "Other")).await;
    assert_eq!(
        went.result.unwrap().chosen_execution_mode.map(|mode| mode.to_string()).as_deref(),
        Some("semanticUi")
    );
    assert_eq!(eyes.looks(), 0);
}
