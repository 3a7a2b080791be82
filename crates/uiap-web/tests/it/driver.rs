//! The browser's own input, and deeds that end badly.

use crate::support::stage::*;
use crate::support::*;
use uiap_protocol::web::WebSignal;
use uiap_web::{
    Act, BrowserSignal, Button, CallError, Chord, Deed, Delivery, Hindrance, Interruption, Key, Means,
    Modifiers, NamedKey, Press, PressCount, Typing,
};

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
        let arrived = |signal: &WebSignal| {
            BrowserSignal::of(signal) == Some(BrowserSignal::Navigated)
                && serde_json::to_string(signal).is_ok_and(|signal| signal.contains("/next"))
        };
        let signals = stage.page.signals();
        let found = signals.find(uiap_web::Position::default(), soon(), arrived).await;
        assert!(found.is_some(), "{means:?}");
        assert_eq!(stage.page.url(), stage.site.url("/next"), "{means:?}");
    }
}

/// Asks the server for something, waits for the answer, and then loops.
const LOOP_THAT_SAYS_SO: &str =
    "<button onclick='const x = new XMLHttpRequest(); x.open(`GET`, `/began`, false);
    x.send(); for (;;);'>Loop</button>";

#[tokio::test]
async fn a_page_that_ends_under_a_deed_leaves_it_unknown() {
    for means in ALL {
        let stage = Stage::of("<button onclick='for (;;);'>Loop</button>").await;
        let deed = Deed { target: Some(stage.id("Loop")), act: press(), means, expected: None };
        let short = uiap_web::Deadline::after(std::time::Duration::from_secs(6));
        let delivery = stage.page.deliver(&deed, short).await;
        let late = matches!(delivery, Delivery::Unknown(Interruption::Call(CallError::Deadline { .. })));
        assert!(late, "{means:?}: {delivery:?}");

        let stage = Stage::of(LOOP_THAT_SAYS_SO).await;
        let deed = Deed { target: Some(stage.id("Loop")), act: press(), means, expected: None };
        let crash = async {
            let signals = stage.page.signals();
            let began = |signal: &WebSignal| {
                serde_json::to_string(signal).is_ok_and(|signal| signal.contains("/began"))
            };
            signals.find(uiap_web::Position::default(), soon(), began).await.unwrap();
            let _ = stage.page.crash_for_tests(soon()).await;
        };
        let (delivery, ()) = tokio::join!(stage.page.deliver(&deed, soon()), crash);
        assert_eq!(delivery, Delivery::Unknown(Interruption::Call(CallError::SessionGone)), "{means:?}");
        // Afterwards it is clear that nothing happens any more.
        let delivery = stage.page.deliver(&deed, soon()).await;
        assert!(matches!(delivery, Delivery::None(Hindrance::Call(_))), "{means:?}: {delivery:?}");
    }
}
