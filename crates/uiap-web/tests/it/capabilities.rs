//! What the web surface declares is what it does: held against real pages, in both directions.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "what cannot be compared fails the test"
)]

use crate::support::acting::*;
use crate::support::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use uiap_protocol::capability::{CapabilityDocument, ExecutionMode, RiskTag, StateKey};
use uiap_protocol::text::Node;
use uiap_protocol::web::{PageGraph, SnapshotOptions};
use uiap_protocol::wire;
use uiap_runtime::catalogue::Native;
use uiap_runtime::surface::Surface as _;
use uiap_web::{Check, Page};

type Words = BTreeSet<String>;

/// What pages turned out to show.
#[derive(Debug, Default, PartialEq)]
struct Shown {
    roles: Words,
    state_keys: Words,
    affordances: Words,
}

fn words(list: &Value) -> Words {
    list.as_array().into_iter().flatten().map(|word| word.as_str().unwrap().to_owned()).collect()
}

fn declared(document: &CapabilityDocument) -> Shown {
    let document = serde_json::to_value(document).unwrap();
    let words = |list: &str| words(&document[list]);
    Shown { roles: words("roles"), state_keys: words("stateKeys"), affordances: words("affordances") }
}

impl Shown {
    fn state(&mut self, state: &Value) {
        let keys = state.as_object().into_iter().flat_map(|state| state.keys());
        // The others belong to the web: they are not for a document of every profile.
        self.state_keys.extend(keys.filter(|key| StateKey::WORDS.contains(&key.as_str())).cloned());
    }

    fn add(&mut self, graph: &PageGraph) {
        let graph = serde_json::to_value(graph).unwrap();
        for element in graph["elements"].as_array().unwrap() {
            // What an application calls its own is not ours to declare.
            self.roles
                .extend(element["role"].as_str().filter(|role| !role.starts_with("x.")).map(str::to_owned));
            self.affordances.extend(words(&element["affordances"]));
            self.state(&element["state"]);
        }
        graph["scopes"].as_array().unwrap().iter().for_each(|scope| self.state(&scope["state"]));
    }

    /// What a check before an action finds out on top.
    async fn check_all(&mut self, page: &Page, graph: &PageGraph) {
        for element in &graph.elements {
            if let Ok(Check::Present(facts)) = page.check(&element.instance_id, None, soon()).await {
                self.state(&serde_json::to_value(&facts.state).unwrap());
            }
        }
    }
}

/// The pages on which the publisher is tested.
fn pages() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/publisher/cases");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let pages = files.filter(|path| path.extension().is_some_and(|end| end == "html"));
    pages.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

async fn document(act: &Act) -> CapabilityDocument {
    act.runtime.surface().capabilities(soon()).await.unwrap()
}

#[tokio::test]
async fn pages_show_what_is_declared_and_nothing_else() {
    uiap_testkit::proves!["CAP-2-5", "CAP-5-2", "CAP-10-3", "CAP-2-1", "WEB-2"];
    let act = Act::on("<!doctype html><title>Any</title>").await;
    let first = document(&act).await;
    let mut shown = Shown::default();
    for body in pages() {
        let site = site_of(&body).await;
        let (_browser, page) = open(&site.url("/")).await;
        let graph = page.look(&SnapshotOptions::default(), soon()).await.unwrap().graph;
        assert_eq!(serde_json::to_value(graph.profile).unwrap(), first.profile.as_str());
        shown.add(&graph);
        if body.contains("<dialog") {
            shown.check_all(&page, &graph).await;
        }
    }
    assert_eq!(shown, declared(&first));
    // Sound by its own rules, and the same for the next page.
    let written = serde_json::to_value(&first).unwrap();
    assert_eq!(wire::accept::<CapabilityDocument>(&Node::from_json(&written)).as_ref(), Ok(&first));
    let other = Act::on("<!doctype html><title>Other</title><div><b><button>Same</button></b></div>").await;
    assert_eq!(serde_json::to_value(document(&other).await).unwrap(), written);
}

#[tokio::test]
async fn what_only_some_may_do_can_be_declared_with_its_risk() {
    uiap_testkit::proves!["CAP-SEC-1"];
    let act = Act::on(
        "<!doctype html><script>(globalThis.uiap ??= []).push(['registerAction', {
            id: 'team.purge', kind: 'domain', targetKinds: ['none'], executionModes: ['appAction'],
            risk: { level: 'confirm', tags: ['privileged', 'destructive'] },
        }, () => 0]);</script>",
    )
    .await;
    let written = serde_json::to_value(document(&act).await).unwrap();
    let sound = wire::accept::<CapabilityDocument>(&Node::from_json(&written)).unwrap();
    let purge = sound.actions.iter().find(|action| action.id.as_str() == "team.purge").unwrap();
    assert_eq!(purge.risk.tags.as_deref(), Some(&[RiskTag::Privileged, RiskTag::Destructive][..]));
}

/// A page on which every action has something to do.
const STAGE: &str = "<!doctype html><title>Stage</title><style>body { height: 4000px } #low { position: absolute; top: 3000px }</style>
    <button id=press onclick='this.textContent = `Pressed`'>Press</button>
    <button id=point onmouseover='this.textContent = `Pointed at`'>Point</button>
    <label>Text <input id=text value=old></label>
    <label>Number <input id=number type=number value=1></label>
    <label>Colour <select id=colour><option>Red<option>Green</select></label>
    <label><input type=checkbox id=box> Box</label>
    <div role=listbox aria-label=Size><div role=option aria-selected=false onclick='this.ariaSelected = true'>Large</div></div>
    <button id=more aria-expanded=false onclick='this.ariaExpanded = this.ariaExpanded === `true` ? `false` : `true`'>More</button>
    <button id=less aria-expanded=true onclick='this.ariaExpanded = this.ariaExpanded === `true` ? `false` : `true`'>Less</button>
    <form onsubmit='event.preventDefault(); said.textContent = `Sent`'><label>Word <input value=yes></label><button>Go</button></form>
    <label>File <input type=file id=file></label>
    <button id=hold oncontextmenu='said.textContent = `Held`'>Hold</button>
    <button id=low>Low</button><p role=status id=said></p>
    <script>(globalThis.uiap ??= []).push(['registerAction', {
        id: 'note.add', kind: 'domain', targetKinds: ['none'], executionModes: ['appAction'], risk: { level: 'safe' },
        success: [{ kind: 'status.contains', text: 'Added' }],
    }, () => { said.textContent = 'Added'; }]);</script>";

/// A request that has an effect on the stage.
fn request(action: &str, mode: ExecutionMode, file: &Path) -> Value {
    match action {
        "ui.read" | "ui.focus" | "ui.clearText" => on(action, "textbox", "Text"),
        "ui.hover" => on(action, "button", "Point"),
        "ui.activate" | "ui.highlight" => on(action, "button", "Press"),
        "ui.enterText" => with(action, "textbox", "Text", json!({ "text": "new" })),
        "ui.setValue" => with(action, "spinbutton", "Number", json!({ "value": 7 })),
        // A native list opens outside of the page; one that the page draws can be pressed.
        "ui.choose" if mode != ExecutionMode::SemanticUi => {
            with(action, "listbox", "Size", json!({ "label": "Large" }))
        }
        "ui.choose" => with(action, "combobox", "Colour", json!({ "label": "Green" })),
        "ui.toggle" => on(action, "checkbox", "Box"),
        "ui.expand" | "ui.open" => on(action, "button", "More"),
        "ui.collapse" | "ui.close" => on(action, "button", "Less"),
        "ui.scrollIntoView" => on(action, "button", "Low"),
        "ui.scroll" => json!({ "actionId": action, "args": { "dy": 300 } }),
        "ui.submit" => on(action, "button", "Go"),
        "ui.upload" => {
            let file = json!({ "name": file.file_name().unwrap().to_str(), "mimeType": "text/plain", "dataRef": file });
            with(action, "fileinput", "File", json!({ "files": [file] }))
        }
        "nav.navigate" => json!({ "actionId": action, "args": { "url": "#there" } }),
        "app.invoke" => json!({ "actionId": action, "args": { "action": "note.add", "args": {} } }),
        "note.add" => json!({ "actionId": action }),
        "x.uiap.long-press" => on(action, "button", "Hold"),
        "x.uiap.pinch" => json!({ "actionId": action, "args": { "scale": 2 } }),
        other => panic!("no page shows whether {other} works"),
    }
}

#[tokio::test]
async fn the_ways_that_are_declared_are_those_that_work() {
    uiap_testkit::proves!["CAP-10-3"];
    let file = std::env::temp_dir().join(format!("uiap-capabilities-{}.txt", std::process::id()));
    std::fs::write(&file, "note").unwrap();
    let act = Act::on(STAGE).await;
    let document = document(&act).await;
    let mut wrong = Vec::new();
    let mut count = 0;
    for id in Native::words().chain(["note.add"]) {
        let known = Native::from_word(id).map_or(&[ExecutionMode::AppAction][..], Native::modes);
        for mode in known.iter().filter(|mode| act.runtime.surface().modes().contains(mode)) {
            let action = document.actions.iter().find(|action| action.id.as_str() == id);
            let declared = action.is_some_and(|action| action.execution_modes.contains(mode));
            act.again().await;
            let mut request = request(id, *mode, &file);
            request["preferredExecutionModes"] = json!([mode]);
            request["idempotencyKey"] = format!("{id} {mode}").into();
            // Success ends the wait for it; only what is expected to fail is given up soon.
            request["verification"] = json!({ "timeoutMs": if declared { 10_000 } else { 2_000 } });
            let went = act.act(request).await;
            let chosen = went.result.as_ref().ok().and_then(|result| result.chosen_execution_mode);
            let works = went.sum().starts_with("succeeded") && chosen == Some(*mode);
            if works != declared {
                let why = went.result.as_ref().ok().and_then(|result| result.error.clone());
                wrong.push(format!("{id} by {mode}: {declared}, but {} by {chosen:?}, {why:?}", went.sum()));
            }
            count += 1;
        }
    }
    std::fs::remove_file(&file).unwrap();
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(document.actions.iter().all(|action| !action.execution_modes.is_empty()));
}

#[test]
fn the_sdk_declares_what_the_runtime_declares_of_pages_that_take_part() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/sdk/src/capabilities.json");
    let stated: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let declared = serde_json::to_value(uiap_web::app::AppSurface::capabilities().unwrap()).unwrap();
    assert_eq!(
        stated, declared,
        "web/sdk/src/capabilities.json should be:\n{declared}\nThen run npm run build in web/."
    );
}
