//! Acting on real pages: what reaches them, and the truth about it.

mod support;

use serde_json::Value;
use std::fmt::Write;
use support::*;
use uiap_protocol::ids::ElementInstanceId;
use uiap_protocol::web::{PageGraph, SnapshotOptions};
use uiap_web::{
    Act, Browser, Button, CallError, Check, Choice, Chord, Deed, Delivery, EntryValue, Facts, Hindrance,
    Interruption, Key, Means, Modifiers, NamedKey, Opaque, Page, Press, PressCount, Receipt, ScrollBy,
    ScrollEnd, Typing,
};

const CONTROLS: &str = include_str!("input_pages/controls.html");

/// A page, and the elements of a look at it.
struct Stage {
    page: Page,
    graph: PageGraph,
    site: Site,
    _browser: Browser,
}

impl Stage {
    async fn of(body: &str) -> Self {
        Self::at(site_of(body).await).await
    }

    async fn at(site: Site) -> Self {
        let (browser, page) = open(&site.url("/")).await;
        let graph = graph(&page).await;
        Self { page, graph, site, _browser: browser }
    }

    /// As it was in the beginning.
    async fn again(&mut self) {
        self.page.go(&self.site.url("/"), soon()).await.unwrap();
        self.look().await;
    }

    async fn look(&mut self) {
        self.graph = graph(&self.page).await;
    }

    /// The element of this name.
    fn id(&self, name: &str) -> ElementInstanceId {
        let named = |element: &&uiap_protocol::web::ElementNode| element.name.as_deref() == Some(name);
        let found: Vec<_> = self.graph.elements.iter().filter(named).collect();
        let names: Vec<_> = self.graph.elements.iter().map(|element| &element.name).collect();
        assert_eq!(found.len(), 1, "one element is called {name}, of {names:?}");
        found[0].instance_id.clone()
    }

    async fn deliver(&self, means: Means, name: &str, act: Act) -> Delivery {
        let target = (!name.is_empty()).then(|| self.id(name));
        self.page.deliver(&Deed { target, act, means }, soon()).await
    }

    async fn delivered(&self, means: Means, name: &str, act: Act) -> Receipt {
        match self.deliver(means, name, act).await {
            Delivery::Delivered(receipt) => *receipt,
            other => panic!("{name}: {other:?}"),
        }
    }

    async fn facts(&self, name: &str) -> Facts {
        match self.page.check(&self.id(name), None, soon()).await.unwrap() {
            Check::Present(facts) => *facts,
            Check::Gone => panic!("{name} is gone"),
        }
    }

    async fn read(&self, expression: &str) -> Value {
        self.page.evaluate_main(expression, soon()).await.unwrap()
    }

    /// What the page wrote down.
    async fn notes(&self) -> String {
        self.read("window.notes.splice(0).join(', ')").await.as_str().unwrap().to_owned()
    }

    /// Waits until an expression in the page has a value.
    async fn until(&self, expression: &str, wanted: impl Into<Value>) {
        let wanted = wanted.into();
        let end = std::time::Instant::now() + WAIT;
        loop {
            let value = self.read(expression).await;
            if value == wanted {
                return;
            }
            assert!(std::time::Instant::now() < end, "{expression} is {value}, not {wanted}");
        }
    }
}

async fn graph(page: &Page) -> PageGraph {
    page.look(&SnapshotOptions::default(), soon()).await.unwrap().graph
}

fn press() -> Act {
    Act::Press(Press::default())
}

fn enter(text: &str, clear: bool) -> Act {
    Act::EnterText { text: text.into(), clear, typing: Typing::Whole }
}

fn value(text: &str) -> Act {
    Act::SetValue { value: EntryValue::Text(text.into()) }
}

fn labels(labels: &[&str]) -> Act {
    Act::Choose { choice: Choice::Label { labels: labels.iter().map(|&label| label.to_owned()).collect() } }
}

fn values(values: &[&str]) -> Act {
    Act::Choose { choice: Choice::Value { values: values.iter().map(|&value| value.to_owned()).collect() } }
}

fn toggle(to: Option<bool>) -> Act {
    Act::Toggle { to }
}

fn disclose(open: bool) -> Act {
    Act::Disclose { open }
}

/// A delivery in a few words.
fn said(delivery: &Delivery) -> String {
    match delivery {
        Delivery::None(hindrance) => format!("{hindrance:?}").split([' ', '{']).next().unwrap().to_owned(),
        Delivery::Delivered(receipt) => match receipt.as_wanted {
            None => "done".to_owned(),
            Some(true) => "right".to_owned(),
            Some(false) => "wrong".to_owned(),
        },
        Delivery::Unknown(interruption) => format!("unknown {interruption:?}"),
    }
}

const ALL: [Means; 3] = [Means::SemanticUi, Means::InputSynthesis, Means::ExternalDriver];

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
        ("Text", Act::Submit, ["done"; 3], "notes.join()", "submit"),
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
            if !happened && stage.notes().await != "" {
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
    word(state.stable.is_none(), "frameless");
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
    let facts = stage.facts("Covered").await;
    assert_eq!((facts.state.ui.obscured, facts.opaque), (Some(true), None));
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
        let deed = Deed { target: Some(go.clone()), act: press(), means };
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

/// Notes everything that happens to a button or a field.
const WITNESS: &str = "<!doctype html><meta name=viewport content='width=device-width'><style>body { margin: 0; height: 3000px }</style>
    <button style='width: 200px; height: 100px'>Press</button><input aria-label=Field style='display: block'>
    <script>
    window.notes = [];
    for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu', 'touchstart', 'touchend'])
        document.querySelector('button').addEventListener(type, (event) => {
            const held = ['alt', 'ctrl', 'meta', 'shift'].filter((key) => event[`${key}Key`]).join('+');
            notes.push([type, event.button, held, event.isTrusted ? '' : 'untrusted'].filter((part) => part !== '' && part !== undefined && part !== 0).join(' '));
        });
    for (const type of ['keydown', 'keyup', 'compositionstart', 'compositionend', 'input'])
        document.querySelector('input').addEventListener(type, (event) => notes.push(`${type} ${event.key ?? event.data}`));
    </script>";

#[tokio::test]
async fn the_browser_presses_as_a_person_does() {
    let stage = Stage::of(WITNESS).await;
    let held = Modifiers { control: true, shift: true, ..Modifiers::default() };
    let presses = [
        (Press::default(), "pointerdown, mousedown, mouseup, click"),
        (
            Press { button: Button::Right, ..Press::default() },
            "pointerdown 2, mousedown 2, contextmenu 2, mouseup 2",
        ),
        (
            Press { modifiers: held, ..Press::default() },
            "pointerdown ctrl+shift, mousedown ctrl+shift, mouseup ctrl+shift, click ctrl+shift",
        ),
        (
            Press { count: PressCount::Double, ..Press::default() },
            "pointerdown, mousedown, mouseup, click, pointerdown, mousedown, mouseup, click, dblclick",
        ),
    ];
    for (press, expected) in presses {
        stage.delivered(Means::ExternalDriver, "Press", Act::Press(press)).await;
        assert_eq!(stage.notes().await, expected);
    }
    stage.delivered(Means::ExternalDriver, "Press", Act::Hover).await;
    assert_eq!(stage.read("document.querySelector('button').matches(':hover')").await, true);
}

#[tokio::test]
async fn fingers_tap_hold_and_pinch() {
    let stage = Stage::of(WITNESS).await;
    stage.delivered(Means::ExternalDriver, "Press", Act::Tap).await;
    stage.until("notes.includes('click')", true).await;
    assert_eq!(stage.notes().await, "pointerdown, touchstart, touchend, mousedown, mouseup, click");
    stage.delivered(Means::InputSynthesis, "Press", Act::Tap).await;
    assert_eq!(
        stage.notes().await,
        "pointerdown untrusted, touchstart untrusted, touchend untrusted, click untrusted"
    );
    // A browser with a screen says `contextmenu` by itself.
    stage.delivered(Means::ExternalDriver, "Press", Act::LongPress).await;
    assert_eq!(stage.notes().await, "pointerdown, touchstart, contextmenu untrusted, touchend");

    let pinch = |scale| Act::Pinch { scale };
    stage.delivered(Means::ExternalDriver, "", pinch(2.0)).await;
    stage.until("visualViewport.scale >= 1.5 && visualViewport.scale <= 3", true).await;
    // What is large is still hit where it is.
    stage.delivered(Means::SemanticUi, "Press", Act::Reveal).await;
    stage.delivered(Means::ExternalDriver, "Press", press()).await;
    assert_eq!(stage.notes().await, "pointerdown, mousedown, mouseup, click");
    stage.delivered(Means::ExternalDriver, "Press", Act::Tap).await;
    stage.until("notes.includes('click')", true).await;
    let large = stage.read("visualViewport.scale").await.as_f64().unwrap();
    stage.delivered(Means::ExternalDriver, "", pinch(0.5)).await;
    stage.until(&format!("visualViewport.scale < {large}"), true).await;
    let delivery = stage.deliver(Means::ExternalDriver, "", pinch(f64::NAN)).await;
    assert_eq!(delivery, Delivery::None(Hindrance::UnfitValue));
}

#[tokio::test]
async fn keys_are_struck_one_by_one() {
    let stage = Stage::of(WITNESS).await;
    let typed = |text: &str, typing| Act::EnterText { text: text.into(), clear: true, typing };
    stage.delivered(Means::ExternalDriver, "Field", typed("aB ü", Typing::Keystrokes)).await;
    assert_eq!(
        stage.notes().await,
        "keydown a, input a, keyup a, keydown Shift, keydown B, input B, keyup B, keyup Shift, keydown  , input  , keyup  , input ü"
    );
    stage.delivered(Means::ExternalDriver, "Field", typed("漢字", Typing::Composed)).await;
    let composed = stage.notes().await;
    assert!(composed.contains("compositionstart") && composed.contains("compositionend 漢字"), "{composed}");
    assert_eq!(stage.read("document.querySelector('input').value").await, "漢字");

    let control = Modifiers { control: true, ..Modifiers::default() };
    let chords = vec![
        Chord { modifiers: control, key: Key::Character('a') },
        Key::Named(NamedKey::Backspace).into(),
        Key::Character('x').into(),
        Key::Named(NamedKey::Home).into(),
        Key::Character('y').into(),
    ];
    stage.delivered(Means::ExternalDriver, "Field", Act::Keys { chords }).await;
    assert_eq!(stage.read("document.querySelector('input').value").await, "yx");
    let none = Act::Keys { chords: Vec::new() };
    let delivery = stage.deliver(Means::ExternalDriver, "Field", none).await;
    assert_eq!(delivery, Delivery::None(Hindrance::UnfitValue));
}

#[tokio::test]
async fn things_are_dragged_with_the_pointer_and_with_what_they_carry() {
    let mut stage = Stage::of(
        "<!doctype html><style>div { position: absolute; width: 80px; height: 80px; background: silver }</style>
        <div id=pointed role=button tabindex=0 aria-label=Pointed style='left: 20px; top: 20px; touch-action: none'></div>
        <div id=carried draggable=true role=button tabindex=0 aria-label=Carried style='left: 20px; top: 200px'></div>
        <div id=goal role=button tabindex=0 aria-label=Goal style='left: 400px; top: 120px'></div>
        <script>
        window.notes = [];
        let from;
        pointed.onpointerdown = (event) => { from = event; pointed.setPointerCapture(event.pointerId); };
        pointed.onpointermove = (event) => {
            if (from && event.buttons) pointed.style.translate = `${event.clientX - from.clientX}px ${event.clientY - from.clientY}px`;
        };
        pointed.onpointerup = () => { from = undefined; notes.push('let go'); };
        carried.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'parcel');
        carried.ondragend = () => notes.push('end');
        goal.ondragover = (event) => event.preventDefault();
        goal.ondrop = (event) => { event.preventDefault(); notes.push(`got ${event.dataTransfer.getData('text/plain')}`); };
        </script>",
    )
    .await;
    for means in [Means::ExternalDriver, Means::InputSynthesis] {
        stage.again().await;
        let to = stage.id("Goal");
        stage.delivered(means, "Carried", Act::Drag { to: to.clone() }).await;
        assert_eq!(stage.notes().await, "got parcel, end", "{means:?}");
        if means == Means::ExternalDriver {
            stage.delivered(means, "Pointed", Act::Drag { to }).await;
            assert_eq!(stage.notes().await, "let go");
            assert_eq!(stage.read("pointed.style.translate").await, "380px 100px");
        }
    }
}

#[tokio::test]
async fn files_are_handed_over_with_and_without_a_chooser() {
    let folder = std::env::temp_dir().join(format!("uiap-input-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let files: Vec<_> = ["a.txt", "b.txt"].iter().map(|name| folder.join(name)).collect();
    for file in &files {
        std::fs::write(file, "content").unwrap();
    }
    let stage = Stage::of(
        "<input type=file aria-label=One id=one><input type=file multiple aria-label=Several id=several>
        <button onclick='hidden_one.click()'>Choose</button><input type=file id=hidden_one style='display: none' multiple>
        <button>Nothing opens</button>
        <script>
        window.notes = [];
        document.onchange = ({ target }) => notes.push(`${target.id} ${[...target.files].map((file) => file.name + file.size)}`);
        </script>",
    )
    .await;
    let upload = |files: &[std::path::PathBuf]| Act::Upload { files: files.to_vec() };
    stage.delivered(Means::ExternalDriver, "One", upload(&files[..1])).await;
    assert_eq!(stage.notes().await, "one a.txt7");
    stage.delivered(Means::ExternalDriver, "Several", upload(&files)).await;
    assert_eq!(stage.notes().await, "several a.txt7,b.txt7");
    stage.delivered(Means::ExternalDriver, "Choose", upload(&files)).await;
    assert_eq!(stage.notes().await, "hidden_one a.txt7,b.txt7");

    let delivery = stage.deliver(Means::ExternalDriver, "One", upload(&files)).await;
    assert_eq!(delivery, Delivery::None(Hindrance::OneFileOnly));
    let path = folder.join("missing");
    let delivery = stage.deliver(Means::ExternalDriver, "One", upload(std::slice::from_ref(&path))).await;
    assert_eq!(delivery, Delivery::None(Hindrance::NoFile { path }));
    let delivery = stage.deliver(Means::ExternalDriver, "Nothing opens", upload(&files)).await;
    assert_eq!(delivery, Delivery::Unknown(Interruption::NoChooser));
    for means in [Means::SemanticUi, Means::InputSynthesis] {
        let delivery = stage.deliver(means, "One", upload(&files[..1])).await;
        assert_eq!(delivery, Delivery::None(Hindrance::Unsupported));
    }
    assert_eq!(stage.notes().await, "");
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn what_comes_in_between_at_the_last_moment_is_not_pressed() {
    // The cover appears when the pointer arrives: after the aim, before the press.
    let stage = Stage::of(
        "<!doctype html><button id=b style='position: absolute; left: 50px; top: 50px; width: 100px; height: 50px'>Pay</button>
        <script>
        window.notes = [];
        b.onmousemove = () => {
            const cover = document.body.appendChild(document.createElement('button'));
            cover.textContent = 'Delete all';
            cover.style = 'position: absolute; left: 0; top: 0; width: 300px; height: 300px';
            for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click', 'focus']) cover.addEventListener(type, () => notes.push(type));
            cover.addEventListener('probe', () => notes.push('probe'));
        };
        b.onclick = () => notes.push('paid');
        </script>",
    )
    .await;
    let delivery = stage.deliver(Means::ExternalDriver, "Pay", press()).await;
    let Delivery::None(Hindrance::Missed { cover }) = delivery else { panic!("{delivery:?}") };
    assert_eq!(cover.name.as_deref(), Some("Delete all"));
    assert_eq!(stage.notes().await, "");
    // The guard is gone: a person can press it.
    stage.read("document.querySelector('button:last-of-type').click()").await;
    assert_eq!(stage.notes().await, "click");
}

#[tokio::test]
async fn a_press_that_leads_elsewhere_is_delivered() {
    for means in ALL {
        let site = Site::start(|path, _| Reply::Page(format!("<a href='/next'>Go</a><p>{path}"))).await;
        let stage = Stage::at(site).await;
        let delivery = stage.deliver(means, "Go", press()).await;
        assert!(matches!(delivery, Delivery::Delivered(_)), "{means:?}: {delivery:?}");
        let end = std::time::Instant::now() + WAIT;
        while stage.page.url() != stage.site.url("/next") {
            assert!(std::time::Instant::now() < end, "{means:?}");
            stage.read("0").await;
        }
    }
}

#[tokio::test]
async fn a_page_that_ends_under_a_deed_leaves_it_unknown() {
    for means in ALL {
        let stage = Stage::of("<button onclick='for (;;);'>Loop</button>").await;
        let deed = Deed { target: Some(stage.id("Loop")), act: press(), means };
        let short = uiap_web::Deadline::after(std::time::Duration::from_secs(2));
        let delivery = stage.page.deliver(&deed, short).await;
        let late = matches!(delivery, Delivery::Unknown(Interruption::Call(CallError::Deadline { .. })));
        assert!(late, "{means:?}: {delivery:?}");

        let stage = Stage::of("<button onclick='for (;;);'>Loop</button>").await;
        let deed = Deed { target: Some(stage.id("Loop")), act: press(), means };
        let crash = async {
            // The crash is ordered while the deed is under way.
            tokio::task::yield_now().await;
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            let _ = stage.page.crash_for_tests(soon()).await;
        };
        let (delivery, ()) = tokio::join!(stage.page.deliver(&deed, soon()), crash);
        assert_eq!(delivery, Delivery::Unknown(Interruption::Call(CallError::SessionGone)), "{means:?}");
        // Afterwards it is clear that nothing happens any more.
        let delivery = stage.page.deliver(&deed, soon()).await;
        assert!(matches!(delivery, Delivery::None(Hindrance::Call(_))), "{means:?}: {delivery:?}");
    }
}
