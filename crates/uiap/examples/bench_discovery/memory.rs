//! What 5,000 states cost in memory.
//!
//! Nobody explores that much in a benchmark. So the folder of a run is made that was killed with 5,000 states in its logbook,
//! and the program goes on with it: it takes in every page again, finds that its budget is used up, and writes package,
//! manifests and report. All of that is the program itself, in its own process; only the pages are made up.

use crate::goals::Goal;
use crate::run::Order;
use anyhow::Context as _;
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use uiap_discovery::atlas::{Atlas, Errand, Outcome, Rules, Seen, Via};
use uiap_discovery::budget::Budget;
use uiap_discovery::explore::{accessibility_name, graph_name, picture_name};
use uiap_discovery::fingerprint::default_policy;
use uiap_protocol::text::Node;
use uiap_protocol::web::PageGraph;
use uiap_protocol::wire::{Wire, accept};
use videoland::{Options, Server};

/// How many states.
const STATES: usize = 5_000;
/// How many states a route has: its page, and dialogs on it.
const STATES_PER_ROUTE: usize = 10;
/// What may be done on every page.
const COMMON: usize = 20;
/// What may be done on the page of each route.
const OWN: usize = 40;
/// What may be done in each dialog.
const IN_DIALOG: usize = 5;
/// Most memory.
const MEMORY_MB_MAX: f64 = 1_024.0;
/// The size of a picture of an ordinary page.
const PICTURE_BYTES: usize = 40 * 1024;
/// The size of an accessibility tree of an ordinary page.
const TREE_BYTES: usize = 60 * 1024;
const AT: &str = "2026-03-26T14:03:00.000Z";

pub(crate) async fn measure(uiap: &Path, scratch: &Path) -> anyhow::Result<Vec<Goal>> {
    let folder = scratch.join("memory");
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(folder.join("evidence"))?;
    let server = Server::start(Options { port: 0, test_api: true, ..Options::default() }).await?;
    let base = format!("{}/", server.origin());
    crate::say(&format!("making the folder of a run with {STATES} states"));
    let steps = make(&folder, &base)?;
    crate::say("going on with it");
    let environment = format!(
        "environmentId: large\nbaseUrl: {base}\n\
         budgets: {{maxStates: {STATES}, maxTransitions: {steps}, maxPerRoute: {STATES}}}\n"
    );
    let run = Order { uiap, environment, folder, goes_on: true, jobs: 2, more: Vec::new() }.run().await?;
    server.shut_down().await;
    let states = run.count("/transitionGraph/states");
    crate::print(&format!(
        "{states} states of {} routes with {} elements and {} transitions: {:.0} MB at most, {:.0} seconds, of which {:.0} of the \
         processor.\n",
        run.count("/routeCatalog/routes"),
        run.count("/elementCatalog/elements"),
        run.count("/transitionGraph/edges"),
        run.peak_mb,
        run.wall.as_secs_f64(),
        run.own_seconds,
    ));
    Ok(vec![
        Goal::quality(states == STATES, format!("A run with {STATES} states has {states} on its map.")),
        Goal::quality(
            run.peak_mb <= MEMORY_MB_MAX,
            format!("{STATES} states take {:.0} MB at most; wanted: {MEMORY_MB_MAX:.0} MB.", run.peak_mb),
        ),
    ])
}

/// Makes the folder of a run that was killed. Returns how many transitions it made.
fn make(folder: &Path, base: &str) -> anyhow::Result<usize> {
    let about = json!({ "runId": "disc_large", "startedAt": AT, "about": format!("large at {base}"), "finished": false });
    fs::write(folder.join("run.json"), about.to_string())?;
    let rules = Rules {
        safety: sound(&json!({ "defaultMode": "safe_explore" }))?,
        budget: Budget { states: STATES, per_route: STATES, ..Budget::DEFAULT },
        fingerprints: default_policy(),
    };
    let mut making = Making {
        folder,
        base,
        atlas: Atlas::new(rules),
        log: std::io::BufWriter::new(fs::File::create(folder.join("logbook.jsonl"))?),
        steps: 0,
    };
    let seed = json!({ "kind": "url", "url": base });
    making.line(&json!({ "sown": seed }))?;
    let number = making.atlas.sow(sound(&seed)?);
    let start = making.see(0, 0, Via::Seed(number))?;
    making.line(&json!({ "grew": number, "landing": start.1 }))?;
    let mut page = start.0;
    for state in 1..STATES {
        let (route, dialog) = (state / STATES_PER_ROUTE, state % STATES_PER_ROUTE);
        let (from, pressed) = match dialog {
            0 => (page, format!("Area {}", letters(route))),
            _ => (page, format!("Open {}", letters(dialog))),
        };
        let to = making.step(from, &pressed, route, dialog)?;
        if dialog == 0 {
            page = to;
        }
    }
    making.log.flush()?;
    Ok(making.steps)
}

struct Making<'m> {
    folder: &'m Path,
    base: &'m str,
    atlas: Atlas,
    log: std::io::BufWriter<fs::File>,
    steps: usize,
}

impl Making<'_> {
    fn line(&mut self, line: &Value) -> anyhow::Result<()> {
        Ok(writeln!(self.log, "{line}")?)
    }

    /// A page is seen, and kept.
    fn see(&mut self, route: usize, dialog: usize, via: Via) -> anyhow::Result<(usize, Value)> {
        let whole = page(self.base, route, dialog);
        let graph: PageGraph = sound(&whole)?;
        let seen = self.atlas.see(&graph, &[], via);
        let Seen::New(index) = seen else { anyhow::bail!("route {route}, dialog {dialog} was seen before") };
        let state = self.atlas.state(index).context("a state that was just seen")?;
        let name = graph_name(&state.fingerprint);
        fs::write(self.folder.join(&name), whole.to_string())?;
        fs::write(self.folder.join(picture_name(&state.fingerprint, "jpg")), vec![0_u8; PICTURE_BYTES])?;
        let tree = json!({ "nodes": ["x".repeat(TREE_BYTES)] });
        fs::write(self.folder.join(accessibility_name(&state.fingerprint)), tree.to_string())?;
        Ok((index, json!({ "graph": name, "offered": [] })))
    }

    fn step(&mut self, from: usize, pressed: &str, route: usize, dialog: usize) -> anyhow::Result<usize> {
        let state = self.atlas.state(from).context("a state")?;
        let ending = format!("|{}|0", pressed.to_lowercase());
        let choice = state
            .choices
            .iter()
            .position(|choice| choice.key.as_ref().is_some_and(|key| key.to_lowercase().ends_with(&ending)));
        let choice = choice.with_context(|| format!("\"{pressed}\" cannot be pressed"))?;
        self.line(&json!({ "took": [from, choice] }))?;
        self.atlas.begin(Errand { state: from, choice });
        let (to, landing) = self.see(route, dialog, Via::Choice(from, choice))?;
        let outcome = Outcome {
            signals: Vec::new(),
            trouble: None,
            passages: Vec::new(),
            target: None,
            complaints: Vec::new(),
        };
        self.line(&json!({
            "made": [from, choice], "landing": landing,
            "outcome": { "signals": [], "trouble": null, "passages": [], "target": null, "complaints": [] },
        }))?;
        self.atlas.arrive(Errand { state: from, choice }, Some(Seen::New(to)), outcome);
        self.steps += 1;
        Ok(to)
    }
}

/// A page of an application with many areas; a dialog may be open on it.
fn page(base: &str, route: usize, dialog: usize) -> Value {
    let mut scopes = vec![scope("scope_1", "page", None), scope("scope_2", "navigation", None)];
    let mut elements = Vec::new();
    for number in 0..COMMON {
        elements.push(element(elements.len(), "link", &format!("Menu {}", letters(number)), "scope_2"));
    }
    // From each area a person gets to the next.
    elements.push(element(elements.len(), "link", &format!("Area {}", letters(route + 1)), "scope_2"));
    let area = letters(route);
    for number in 0..OWN {
        let (role, name) = match number % 4 {
            _ if number < STATES_PER_ROUTE => ("button", format!("Open {}", letters(number))),
            0 => ("textbox", format!("Field {} of area {area}", letters(number))),
            1 => ("checkbox", format!("Choice {} of area {area}", letters(number))),
            2 => ("link", format!("Link {} of area {area}", letters(number))),
            _ => ("button", format!("Button {} of area {area}", letters(number))),
        };
        let mut node = element(elements.len(), role, &name, "scope_1");
        if let (true, Some(state)) =
            (number < STATES_PER_ROUTE, node.get_mut("state").and_then(Value::as_object_mut))
        {
            state.insert("hasPopup".to_owned(), json!("dialog"));
        }
        elements.push(node);
    }
    let mut modals = Vec::new();
    if dialog > 0 {
        scopes.push(scope("scope_3", "dialog", Some(&format!("Dialog {} of area {area}", letters(dialog)))));
        modals.push("scope_3");
        for number in 0..IN_DIALOG {
            elements.push(element(
                elements.len(),
                "button",
                &format!("Step {} of {}", letters(number), letters(dialog)),
                "scope_3",
            ));
        }
    }
    let path = if route == 0 { String::new() } else { format!("area-{area}") };
    json!({
        "modelVersion": "0.1", "profile": "web@0.1", "revision": "r1", "seq": 1, "capturedAt": AT,
        "route": { "url": format!("{base}{path}") }, "title": format!("Area {area}"),
        "documents": [{ "id": "d", "boundary": { "kind": "root", "opaque": false } }],
        "scopes": scopes, "elements": elements, "modalStack": modals,
    })
}

/// A number in letters: what is told apart by numbers alone is one thing to the mapper.
fn letters(number: usize) -> String {
    number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
}

fn scope(id: &str, kind: &str, name: Option<&str>) -> Value {
    match name {
        Some(name) => json!({ "id": id, "kind": kind, "name": name, "documentId": "d" }),
        None => json!({ "id": id, "kind": kind, "documentId": "d" }),
    }
}

fn element(number: usize, role: &str, name: &str, scope: &str) -> Value {
    let offers = match role {
        "textbox" => "edit",
        "checkbox" => "toggle",
        _ => "activate",
    };
    json!({
        "instanceId": format!("e{number}"), "documentId": "d", "role": role, "name": name, "scopeId": scope,
        "state": { "visible": true, "enabled": true }, "affordances": [offers], "source": "html",
    })
}

fn sound<T: Wire>(value: &Value) -> anyhow::Result<T> {
    accept(&Node::from_json(value)).map_err(|findings| anyhow::anyhow!("{value} is not sound: {findings:?}"))
}
