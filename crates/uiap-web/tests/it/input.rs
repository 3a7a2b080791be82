//! Acting on real pages: what reaches them, and the truth about it.

use crate::support::stage::*;
use crate::support::*;
use serde_json::Value;
use std::fmt::Write;
use uiap_protocol::capability::Role;
use uiap_web::{
    Act, Check, Choice, Deed, Delivery, EntryValue, Facts, Hindrance, Means, Opaque, ScrollBy, ScrollEnd,
};

const CONTROLS: &str = include_str!("input_pages/controls.html");

/// A delivery in a few words.
fn said(delivery: &Delivery) -> String {
    match delivery {
        Delivery::None(hindrance) => format!("{hindrance:?}").split([' ', '{']).take(1).collect(),
        Delivery::Delivered(receipt) => match receipt.as_wanted {
            None => "done".to_owned(),
            Some(true) => "right".to_owned(),
            Some(false) => "wrong".to_owned(),
        },
        Delivery::Unknown(interruption) => format!("unknown {interruption:?}"),
    }
}

#[tokio::test]
async fn every_means_on_every_kind_of_control() {
    let number = |value: f64| Act::SetValue { value: EntryValue::Number(value) };
    // Control, deed, what each of the means says, where to read the effect, and what stands there if it was done.
    #[rustfmt::skip]
    let cases: Vec<(&str, Act, [&str; 3], &str, &str)> = vec![
        ("Text", enter("new", true), ["right"; 3], "text.value", "new"),
        ("Text", enter("er", false), ["right"; 3], "text.value", "older"),
        ("Text", enter("", true), ["right"; 3], "text.value", ""),
        ("Text", enter("old", true), ["Already"; 3], "text.value", "old"),
        ("Text", enter("Grüße 漢字 😀", true), ["right"; 3], "text.value", "Grüße 漢字 😀"),
        ("Short", enter("abcdef", true), ["right", "right", "wrong"], "short.value", "abcd"),
        ("Number", enter("7.5", true), ["right"; 3], "number.value", "7.5"),
        ("Number", number(3.0), ["right", "Unsupported", "right"], "number.value", "3"),
        ("Number", enter("many", true), ["UnfitValue", "UnfitValue", "wrong"], "number.value", ""),
        ("Mail", enter("om", false), ["right"; 3], "mail.value", "a@b.com"),
        ("Secret", enter("s3cret", true), ["right"; 3], "secret.value", "s3cret"),
        ("Area", enter("two\nthree", true), ["right"; 3], "area.value", "two\nthree"),
        ("Editor", enter("second", true), ["right"; 3], "editor.innerText", "second"),
        ("Editor", enter(" more", false), ["right"; 3], "editor.innerText", "first more"),
        ("Date", value("2026-03-27T10:00:00Z"), ["right", "Unsupported", "Unsupported"], "date.value", "2026-03-27"),
        ("Date", value("27.3.2026"), ["UnfitValue", "Unsupported", "Unsupported"], "date.value", ""),
        ("Time", value("9:30"), ["right", "Unsupported", "Unsupported"], "time.value", "09:30"),
        ("Moment", value("2026-03-27 09:30"), ["right", "Unsupported", "Unsupported"], "moment.value", "2026-03-27T09:30"),
        ("Month", value("2026-03"), ["right", "Unsupported", "Unsupported"], "month.value", "2026-03"),
        ("Week", value("2026-w13"), ["right", "Unsupported", "Unsupported"], "week.value", "2026-W13"),
        ("Colour", value("#F0a"), ["right", "Unsupported", "Unsupported"], "colour.value", "#ff00aa"),
        ("Colour", value("reddish"), ["UnfitValue", "Unsupported", "Unsupported"], "colour.value", "#000000"),
        ("Range", number(33.0), ["right", "Unsupported", "Unsupported"], "range.value", "35"),
        ("Range", value("high"), ["UnfitValue", "Unsupported", "Unsupported"], "range.value", "10"),
        ("Check", toggle(None), ["right"; 3], "String(check.checked)", "true"),
        ("Check", toggle(Some(false)), ["Already"; 3], "String(check.checked)", "false"),
        ("Checked", toggle(Some(false)), ["right"; 3], "String(checked.checked)", "false"),
        ("Checked", Act::SetValue { value: EntryValue::Flag(false) }, ["right"; 3], "String(checked.checked)", "false"),
        ("Styled", toggle(Some(true)), ["right"; 3], "String(styled.checked)", "true"),
        ("Bee", toggle(Some(true)), ["right"; 3], "form.r.value", "b"),
        ("Ay", toggle(Some(false)), ["Unsupported"; 3], "form.r.value", "a"),
        ("Group", labels(&["Bee"]), ["right"; 3], "form.r.value", "b"),
        ("Select", values(&["2"]), ["right", "Unsupported", "Unsupported"], "select.value", "2"),
        ("Select", Act::Choose { choice: Choice::Index { index: 3 } }, ["right", "Unsupported", "Unsupported"], "select.value", "4"),
        ("Select", labels(&["Two"]), ["NoOption", "Unsupported", "Unsupported"], "select.value", "1"),
        ("Select", labels(&["Three"]), ["NoOption", "Unsupported", "Unsupported"], "select.value", "1"),
        ("Select", labels(&["One"]), ["Already", "Unsupported", "Unsupported"], "select.value", "1"),
        ("Several", labels(&["red", "blue"]), ["right", "Unsupported", "Unsupported"], "[...several.selectedOptions].map((one) => one.value).join()", "red,blue"),
        ("Switch", toggle(Some(true)), ["right"; 3], "document.getElementById('switch').ariaChecked", "true"),
        ("Bold", toggle(None), ["right"; 3], "pressed.ariaPressed", "true"),
        ("Listbox", labels(&["Why"]), ["right"; 3], "listbox.children[1].ariaSelected", "true"),
        ("Listbox", values(&["x"]), ["right"; 3], "listbox.children[0].ariaSelected", "true"),
        ("Listbox", labels(&["Zed"]), ["NoOption"; 3], "String(listbox.children[0].ariaSelected)", "null"),
        ("More", disclose(true), ["right"; 3], "String(details.open)", "true"),
        ("More", disclose(false), ["Already"; 3], "String(details.open)", "false"),
        ("Menu", disclose(true), ["right"; 3], "menu.ariaExpanded", "true"),
        ("Plain", press(), ["done"; 3], "String(notes.length)", "1"),
        ("Send", Act::Submit, ["done"; 3], "notes.join()", "submit"),
        ("Text", Act::Submit, ["Unsupported"; 3], "notes.join()", ""),
        ("Off", press(), ["Disabled"; 3], "notes.join()", ""),
        ("Fixed", enter("x", true), ["Readonly"; 3], "fixed.value", "fixed"),
        ("Text", Act::Focus, ["right", "Unsupported", "Unsupported"], "document.activeElement.id", "text"),
        ("Box", Act::Scroll { by: ScrollBy::Distance { dx: 0.0, dy: 40.0 } }, ["done"; 3], "String(box.scrollTop)", "40"),
        ("Box", Act::Scroll { by: ScrollBy::End { to: ScrollEnd::End } }, ["done"; 3], "String(box.scrollTop > 400)", "true"),
    ];
    let mut stage = Stage::of(CONTROLS).await;
    let mut wrong = String::new();
    for (name, act, expected, place, effect) in cases {
        for (means, expected) in ALL.into_iter().zip(expected) {
            stage.again().await;
            let before = stage.read(place).await;
            let delivery = stage.deliver(means, name, act.clone()).await;
            if said(&delivery) != expected {
                writeln!(wrong, "{name} {act:?} {means:?}: {} ({delivery:?})", said(&delivery)).unwrap();
                continue;
            }
            let happened = matches!(delivery, Delivery::Delivered(_));
            let wanted = if happened || expected == "Already" { Value::from(effect) } else { before };
            if stage.read(place).await != wanted {
                let now = stage.read(place).await;
                writeln!(wrong, "{name} {act:?} {means:?}: {place} is {now}, not {wanted}").unwrap();
            }
            if !happened && !stage.notes().await.is_empty() {
                writeln!(wrong, "{name} {act:?} {means:?}: the page noticed").unwrap();
            }
        }
    }
    assert_eq!(wrong, "");
}

#[tokio::test]
async fn frameworks_are_told_by_the_events_they_wait_for() {
    let mut stage = Stage::of(CONTROLS).await;
    // Whoever types leaves the field later; only then the browser says `change`.
    for (means, name, act, events) in [
        (Means::SemanticUi, "Text", enter("new", true), "beforeinput text, input text, change text"),
        (Means::ExternalDriver, "Text", enter("new", true), "beforeinput text, input text"),
        (Means::SemanticUi, "Editor", enter("new", true), "beforeinput editor, input editor"),
        (Means::SemanticUi, "Date", value("2026-03-27"), "input date, change date"),
        (Means::SemanticUi, "Select", values(&["2"]), "input select, change select"),
        (Means::SemanticUi, "Check", toggle(None), "input check, change check"),
        (Means::ExternalDriver, "Check", toggle(None), "input check, change check"),
    ] {
        stage.again().await;
        stage.delivered(means, name, act).await;
        assert_eq!(stage.notes().await, events, "{means:?} {name}");
    }
}

#[tokio::test]
async fn a_secret_is_written_and_compared_but_never_told() {
    let stage = Stage::of(CONTROLS).await;
    let act = enter("hunter2", true);
    assert!(!format!("{act:?}").contains("hunter2"));
    for means in ALL {
        let receipt = stage.delivered(means, "Secret", act.clone()).await;
        assert_eq!(receipt.as_wanted, Some(true));
        assert!(!format!("{receipt:?}").contains("hunter2"), "{receipt:?}");
        stage.read("secret.value = ''").await;
    }
    stage.delivered(Means::SemanticUi, "Secret", act).await;
    let facts = stage.facts("Secret").await;
    assert_eq!((facts.state.ui.sensitive, facts.state.ui.text_value), (Some(true), None));
}

/// What a check says, in a few words.
fn judged(facts: &Facts) -> String {
    let state = &facts.state;
    let mut words = Vec::new();
    let mut word = |is: bool, text: &str| {
        if is {
            words.push(text.to_owned());
        }
    };
    word(state.ui.visible == Some(false), "hidden");
    word(state.ui.enabled == Some(false), "disabled");
    word(state.ui.readonly == Some(true), "readonly");
    word(state.ui.busy == Some(true), "busy");
    word(state.ui.blocked == Some(true), "blocked");
    word(state.stable == Some(false), "moving");
    word(state.in_viewport == Some(false), "outside");
    word(!facts.scrollable, "unreachable");
    word(state.ui.focused == Some(true), "focused");
    if let Some(opaque) = facts.opaque {
        words.push(format!("{opaque:?}"));
    }
    if let Some(cover) = &facts.cover {
        words.push(format!("under {cover}"));
    }
    words.join(" ")
}

const HAZARDS: &str = include_str!("input_pages/hazards.html");

/// Targets with which something is the matter.
async fn hazards() -> Stage {
    let site = Site::start(|path, request| {
        let port =
            request.split("127.0.0.1:").nth(1).and_then(|rest| rest.split("\r\n").next()).unwrap_or("");
        Reply::Page(match path {
            "/" => HAZARDS.replace("{{foreign}}", &format!("http://localhost:{port}/foreign")),
            _ => "<button>Foreign</button>".to_owned(),
        })
    })
    .await;
    Stage::at(site).await
}

#[tokio::test]
async fn a_check_tells_what_is_the_matter() {
    uiap_testkit::proves!["CAP-5-6"];
    let stage = hazards().await;
    #[rustfmt::skip]
    let expected = [
        ("Free", ""), ("Covered", "under div#shade.at"), ("Under status", "under i#spin (\"Saving\")"), ("Half covered", ""),
        ("Moving", "moving"), ("Disabled", "disabled"), ("In fieldset", "disabled"), ("Aria disabled", "disabled"), ("Busy", "busy"),
        ("Below", "outside"), ("Fixed away", "outside unreachable"), ("Before the beginning", "outside unreachable"),
        ("Nothing", "outside unreachable"), ("Inert", "blocked under html"), ("a link over lines", ""), ("Canvas", "Canvas"),
        ("Foreign", "CrossOriginFrame"), ("Focused", "focused"), ("In box", "outside"), ("Ghost", "under html"), ("Tick", ""),
    ];
    let mut wrong = String::new();
    for (name, expected) in expected {
        let judged = judged(&stage.facts(name).await);
        if judged != expected {
            writeln!(wrong, "{name}: {judged}, not {expected}").unwrap();
        }
    }
    assert_eq!(wrong, "");
    assert_eq!(stage.facts("Free").await.state.stable, Some(true));
    let facts = stage.facts("Covered").await;
    assert_eq!((facts.state.ui.obscured, facts.opaque), (Some(true), None));
    // Who covers it can be looked up.
    let cover = stage.facts("Under status").await.cover.unwrap();
    assert_eq!((cover.instance_id, cover.role), (Some(stage.id("Saving")), Some(Role::Status)));
    assert_eq!(stage.facts("Canvas").await.opaque, Some(Opaque::Canvas));
    // Where the caller means to act can be another place.
    let covered = uiap_web::Point { x: 30.0, y: 135.0 };
    let Check::Present(facts) =
        stage.page.check(&stage.id("Half covered"), Some(covered), soon()).await.unwrap()
    else {
        panic!("it is there");
    };
    assert_eq!(facts.state.ui.obscured, Some(true));
}

#[tokio::test]
async fn what_is_gone_is_gone() {
    let mut stage = Stage::of("<button id=b>Go</button><button>Stay</button>").await;
    let (go, stay) = (stage.id("Go"), stage.id("Stay"));
    stage.read("b.remove()").await;
    assert_eq!(stage.page.check(&go, None, soon()).await, Ok(Check::Gone));
    for means in ALL {
        let deed = Deed { target: Some(go.clone()), act: press(), means, expected: None };
        assert_eq!(stage.page.deliver(&deed, soon()).await, Delivery::None(Hindrance::Gone));
    }
    // An id of another document means nothing in this one.
    stage.again().await;
    assert_eq!(stage.page.check(&stay, None, soon()).await, Ok(Check::Gone));
}

#[tokio::test]
async fn nothing_is_forced_on_a_target_that_cannot_take_it() {
    let stage = hazards().await;
    for name in [
        "Disabled",
        "In fieldset",
        "Aria disabled",
        "Inert",
        "Covered",
        "Under status",
        "Below",
        "Nothing",
        "Ghost",
    ] {
        for means in [Means::InputSynthesis, Means::ExternalDriver] {
            let delivery = stage.deliver(means, name, press()).await;
            assert!(matches!(delivery, Delivery::None(_)), "{name} {means:?}: {delivery:?}");
        }
    }
    assert_eq!(stage.notes().await, "");
    for name in ["Free", "Half covered", "a link over lines", "Moving"] {
        stage.delivered(Means::ExternalDriver, name, press()).await;
        assert_eq!(stage.notes().await, name);
    }
}

#[tokio::test]
async fn a_target_out_of_view_is_brought_there_and_pressed() {
    let stage = hazards().await;
    for name in ["Below", "In box"] {
        let receipt = stage.delivered(Means::SemanticUi, name, Act::Reveal).await;
        assert_eq!(receipt.as_wanted, Some(true));
        stage.delivered(Means::ExternalDriver, name, press()).await;
        assert_eq!(stage.notes().await, name);
    }
    let receipt = stage.delivered(Means::SemanticUi, "Before the beginning", Act::Reveal).await;
    assert_eq!(receipt.as_wanted, Some(false));
}

#[tokio::test]
async fn a_modal_dialog_blocks_what_is_behind_it() {
    let stage = Stage::of(
        "<button onclick='notes.push(1)'>Behind</button><dialog id=d><button onclick='notes.push(2)'>Inside</button></dialog>
        <script>window.notes = []; d.showModal()</script>",
    )
    .await;
    for means in ALL {
        assert_eq!(stage.deliver(means, "Behind", press()).await, Delivery::None(Hindrance::Blocked));
        stage.delivered(means, "Inside", press()).await;
        assert_eq!(stage.notes().await, "2");
    }
}

/// A page whose only button notes who pressed it.
const BUTTON: &str = "<!doctype html><style>body { margin: 0 }</style><button style='position: absolute; left: 150px; top: 90px; width: 30px; height: 20px'>Press</button>
    <script>document.querySelector('button').onclick = (event) => { (top.notes ??= []).push(`${event.isTrusted}`) }</script>";

#[tokio::test]
async fn coordinates_are_right_in_frames_shadow_roots_and_at_every_zoom() {
    let frame =
        |style: &str| format!("<iframe src='/button' style='width: 300px; height: 200px; {style}'></iframe>");
    #[rustfmt::skip]
    let bodies = [
        BUTTON.to_owned(),
        frame("border: 7px solid; padding: 11px; margin: 13px"),
        frame("transform: scale(0.5)"),
        frame("transform: translate(60px, 30px) scale(1.5, 2); transform-origin: 0 0"),
        frame("zoom: 1.5"),
        format!("<style>html {{ zoom: 1.25 }}</style>{}", frame("border: 3px solid")),
        format!("<div style='height: 3000px'></div>{}", frame("margin-left: 2000px")),
        "<iframe src='/nested' style='border: 5px solid; width: 500px; height: 400px; transform: scale(0.8)'></iframe>".to_owned(),
        "<div id=host></div><script>host.attachShadow({ mode: 'open' }).innerHTML = '<p></p><button>Press</button>';
            host.shadowRoot.querySelector('button').onclick = (event) => (window.notes ??= []).push(`${event.isTrusted}`)</script>".to_owned(),
    ];
    for body in bodies {
        let shown = body.clone();
        let nested = frame("border: 2px solid; margin: 50px");
        let site = Site::start(move |path, _| {
            Reply::Page(match path {
                "/button" => BUTTON.to_owned(),
                "/nested" => nested.clone(),
                _ => format!("<!doctype html>{shown}"),
            })
        })
        .await;
        let stage = Stage::at(site).await;
        stage.delivered(Means::SemanticUi, "Press", Act::Reveal).await;
        let facts = stage.facts("Press").await;
        assert_eq!(judged(&facts), "", "{body}");
        for (means, trusted) in ALL.into_iter().zip(["false", "false", "true"]) {
            stage.delivered(means, "Press", press()).await;
            // Clicking through a script is trusted less than a person is.
            assert_eq!(stage.notes().await, trusted, "{means:?} {body}");
        }
    }
}
