//! Nothing but what was meant is ever pressed, whatever the page does meanwhile.
//!
//! Pages change their rows at random between the look and the deed and during the deed; a ledger in the page says
//! what was really pressed. `UIAP_ACTIONS` says how many actions (`cargo xtask soak targets` runs ten thousand),
//! `UIAP_SEED` where to begin.

#![expect(clippy::unwrap_used, reason = "a campaign that cannot be run fails the test")]

use crate::support::acting::*;
use crate::support::{Reply, Site, soon};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use uiap_protocol::capability::Role;
use uiap_protocol::web::ElementNode;
use uiap_runtime::surface::Surface as _;

const STAGE: &str = include_str!("pages/targets.html");
const CHANGES: &str = include_str!("pages/targets.js");
/// Actions of a run that is part of the tests.
const ACTIONS: u64 = 150;
/// Browsers at work at one time.
const WORKERS: u64 = 3;
/// How long the outcome of an action is waited for. It comes at once, or not at all.
const VERIFICATION_MS: u64 = 400;
/// The same where it must come: whoever sees it waits no longer.
const SUCCESS_MS: u64 = 10_000;
/// What share of the unambiguous targets that stayed must be found again, in percent; a few say less than many.
const FOUND_PERCENT_MIN: u64 = 95;
const FOUND_PERCENT_MIN_OF_FEW: u64 = 80;
const FEW: u64 = 1_000;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// What the page chose.
#[derive(Deserialize)]
struct Chosen {
    last: Option<Books>,
    /// What is meant.
    key: String,
    /// By which words.
    words: Value,
    /// Several are meant by them.
    equal: bool,
}

/// What the page saw of an action.
#[derive(Deserialize)]
struct Books {
    hits: Vec<String>,
    /// For a moment at least there was nothing to press.
    lost: bool,
    /// Another node stands for it, or did for a moment.
    elsewhere: bool,
    /// The page changed while something was held down, so that nobody may press again.
    during: bool,
    log: Vec<String>,
}

/// An action that was asked for, until the page closes its books on it.
struct Asked {
    seed: u64,
    key: String,
    is_ambiguous: bool,
    /// Meant by the node, so that it ends with the node.
    by_instance: bool,
    request: Value,
    came_to: String,
}

/// What came of all of them.
#[derive(Default)]
struct Tally {
    wrong: Vec<String>,
    ambiguous: u64,
    ambiguous_refused: u64,
    /// Unambiguous, and there all the time.
    stayed: u64,
    found: u64,
    /// Not there at some moment.
    lost: u64,
    lost_found: u64,
    /// Held down already when the page changed.
    held: u64,
    held_found: u64,
    /// How those ended that stayed and were not found.
    missed: BTreeMap<String, u64>,
}

impl Tally {
    fn enter(&mut self, asked: &Asked, books: &Books) {
        let meant = |hit: &String| *hit == asked.key && !asked.is_ambiguous;
        if books.hits.len() > 1 || !books.hits.iter().all(meant) {
            let Asked { seed, key, request, came_to, .. } = asked;
            let (hits, log) = (books.hits.join(", "), books.log.join(" "));
            self.wrong
                .push(format!("seed {seed}: meant {key}, hit {hits} ({came_to})\n  {request}\n  {log}"));
        }
        let found = !books.hits.is_empty();
        if asked.is_ambiguous {
            self.ambiguous += 1;
            self.ambiguous_refused += u64::from(asked.came_to.ends_with("target_ambiguous"));
        } else if books.lost || (asked.by_instance && books.elsewhere) {
            self.lost += 1;
            self.lost_found += u64::from(found);
        } else if books.during {
            self.held += 1;
            self.held_found += u64::from(found);
        } else {
            self.stayed += 1;
            self.found += u64::from(found);
            if !found {
                *self.missed.entry(asked.came_to.clone()).or_default() += 1;
            }
        }
    }

    fn add(&mut self, other: Self) {
        self.wrong.extend(other.wrong);
        self.ambiguous += other.ambiguous;
        self.ambiguous_refused += other.ambiguous_refused;
        self.stayed += other.stayed;
        self.found += other.found;
        self.lost += other.lost;
        self.lost_found += other.lost_found;
        self.held += other.held;
        self.held_found += other.held_found;
        for (came_to, count) in other.missed {
            *self.missed.entry(came_to).or_default() += count;
        }
    }

    fn report(&self) -> String {
        let Self { ambiguous, ambiguous_refused, stayed, found, lost, lost_found, held, held_found, .. } =
            self;
        let wrong = self.wrong.len();
        let mut report = format!(
            "{wrong} wrong; {found} of {stayed} found that stayed; {ambiguous_refused} of {ambiguous} ambiguous refused; \
             {lost} were gone for a moment, {lost_found} of them found; \
             {held} changed while they were held down, {held_found} of them found"
        );
        for (came_to, count) in &self.missed {
            write!(report, "\n  not found: {count} {came_to}").unwrap();
        }
        self.wrong.iter().for_each(|wrong| write!(report, "\n{wrong}").unwrap());
        report
    }
}

/// Always the same number for a seed, different for neighbours.
fn mixed(seed: u64) -> u64 {
    (seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)) >> 32
}

/// The request for what the page chose. Some name the node they saw, which a look has shown before.
fn request(act: &Act, seed: u64, chosen: &Chosen) -> (Value, bool) {
    let modes = ["semanticUi", "externalDriver", "semanticUi", "inputSynthesis", "externalDriver"];
    let mode = modes.into_iter().cycle().nth(usize::try_from(mixed(seed) % 5).unwrap()).unwrap();
    let seen =
        if mixed(seed + 1).is_multiple_of(4) && !chosen.equal { seen(act, &chosen.words) } else { None };
    let by_instance = seen.is_some();
    let target = seen.unwrap_or_else(|| json!({ "ref": chosen.words }));
    let request = json!({
        "actionId": "ui.activate", "target": target, "preferredExecutionModes": [mode],
        "verification": { "timeoutMs": VERIFICATION_MS }, "idempotencyKey": format!("{seed}-{}", chosen.key),
    });
    (request, by_instance)
}

/// The node that is meant, with what the sender knows of it.
fn seen(act: &Act, words: &Value) -> Option<Value> {
    let name = words["name"].as_str()?;
    let scope = words["scope"].as_str();
    let meant = |element: &&ElementNode| {
        let inside = element.scope_id.as_ref().map(uiap_protocol::ids::ScopeId::as_str);
        element.role == Role::Button
            && element.name.as_deref() == Some(name)
            && (scope.is_none() || inside == scope)
    };
    let found = act.runtime.surface().scene(|scene| {
        let ids: Vec<_> = scene.page.elements().filter(meant).map(|node| node.instance_id.clone()).collect();
        ids
    })?;
    let [instance] = found.as_slice() else { return None };
    let mut target = json!({
        "ref": { "by": "custom", "value": format!("instance:{}", instance.as_str()) },
        "expectedRole": "button", "expectedName": name,
    });
    if let (Some(members), Some(scope)) = (target.as_object_mut(), scope) {
        members.insert("expectedScopeId".to_owned(), scope.into());
    }
    Some(target)
}

async fn choose(act: &Act, seed: u64) -> Chosen {
    serde_json::from_value(act.read(&format!("next({seed})")).await).unwrap()
}

/// One browser's share: every so manyth seed.
async fn work(first: u64, end: u64) -> Tally {
    let site = Site::start(|path, _| match path {
        "/" => Reply::Page(STAGE.to_owned()),
        _ => Reply::Script(CHANGES),
    })
    .await;
    let act = Act::at(site).await;
    act.runtime.surface().page().watch(soon()).await.unwrap();
    let mut tally = Tally::default();
    let mut last: Option<Asked> = None;
    let mut seed = first;
    loop {
        let chosen = choose(&act, seed).await;
        if let (Some(asked), Some(books)) = (&last, &chosen.last) {
            tally.enter(asked, books);
        }
        if seed >= end {
            return tally;
        }
        let (request, by_instance) = request(&act, seed, &chosen);
        act.read("go()").await;
        let came_to = act.act(request.clone()).await.sum();
        last =
            Some(Asked { seed, key: chosen.key, is_ambiguous: chosen.equal, by_instance, request, came_to });
        seed += WORKERS;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_but_what_was_meant_is_pressed() {
    let first = number("UIAP_SEED", 1);
    let end = first + number("UIAP_ACTIONS", ACTIONS);
    let mut workers = tokio::task::JoinSet::new();
    for worker in 0..WORKERS {
        workers.spawn(work(first + worker, end));
    }
    let mut tally = Tally::default();
    while let Some(done) = workers.join_next().await {
        tally.add(done.unwrap());
    }
    let report = tally.report();
    eprintln!("{report}");
    let least = if tally.stayed < FEW { FOUND_PERCENT_MIN_OF_FEW } else { FOUND_PERCENT_MIN };
    let is_found = tally.found * 100 >= tally.stayed * least;
    let all_refused = tally.ambiguous_refused == tally.ambiguous;
    assert!(tally.wrong.is_empty() && is_found && all_refused, "{report}");
}

/// One row that comes to stand for another item as soon as it is told of an event.
const RECYCLED: &str =
    "<!doctype html><ul id=list><li><span></span> <button>Open</button></li></ul><p role=status id=state></p>
    <script>const [name, button] = list.querySelectorAll('span, button'); let hits = [], when;
    const stand = (n) => { name.textContent = `Item ${n}`; button.dataset.uiapId = `item-${n}`; };
    const begin = (type) => { hits = []; when = type; stand(1); return true; };
    for (const type of ['focusin', 'pointerdown', 'mousedown', 'mouseup'])
      list.addEventListener(type, () => { if (type === when) stand(2); });
    list.addEventListener('click', () => { hits.push(button.dataset.uiapId); state.textContent += '.'; });
    begin()</script>";

#[tokio::test]
async fn a_row_that_stands_for_something_else_when_it_is_pressed_is_not_pressed() {
    let act = Act::on(RECYCLED).await;
    for when in ["", "focusin", "pointerdown", "mousedown", "mouseup"] {
        for mode in ["semanticUi", "inputSynthesis", "externalDriver"] {
            let is_told = when == "focusin" || (mode != "semanticUi" && !when.is_empty());
            let patience = if is_told { VERIFICATION_MS } else { SUCCESS_MS };
            act.read(&format!("document.activeElement.blur(); begin('{when}')")).await;
            let went = act
                .act(json!({
                    "actionId": "ui.activate", "target": { "ref": { "by": "stableId", "value": "item-1" } },
                    "preferredExecutionModes": [mode], "verification": { "timeoutMs": patience },
                    "idempotencyKey": format!("{when}-{mode}"),
                }))
                .await;
            let hits = act.read("hits").await;
            let wanted = if is_told { json!([]) } else { json!(["item-1"]) };
            assert_eq!(hits, wanted, "{when} {mode}: {}", went.sum());
            assert_eq!(went.sum().starts_with("succeeded"), !is_told, "{when} {mode}: {}", went.sum());
        }
    }
}
