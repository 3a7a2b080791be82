//! What is pushed and what can be asked for leads, delta by delta, to what a fresh look shows.
//!
//! `UIAP_SEQUENCES` says how many random sequences (`cargo xtask soak deltas` runs thousands), `UIAP_SEED` where to
//! begin.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a sequence that cannot be followed fails the test"
)]

use crate::support::*;
use serde_json::Value;
use uiap_protocol::web::{GraphStore, PageGraph, SnapshotOptions};
use uiap_testkit::proves;
use uiap_web::{Changes, Page};

const STAGE: &str = include_str!("pages/mutate.html");
const MUTATE: &str = include_str!("pages/mutate.js");
/// Sequences of a run that is part of the tests.
const SEQUENCES: u64 = 60;
/// How often each is compared.
const ROUNDS: u64 = 5;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// A graph as it must be equal: without time, place and viewport, and without the revision.
fn comparable(graph: &PageGraph) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(members) => {
                for name in ["bbox", "inViewport", "viewport", "capturedAt", "revision", "seq"] {
                    members.remove(name);
                }
                members.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut value = serde_json::to_value(graph).unwrap();
    strip(&mut value);
    value
}

/// The first place where two values differ.
fn difference(ours: &Value, fresh: &Value, at: &str) -> Option<String> {
    match (ours, fresh) {
        (Value::Object(one), Value::Object(other)) => {
            let names: std::collections::BTreeSet<_> = one.keys().chain(other.keys()).collect();
            names.into_iter().find_map(|name| {
                let null = Value::Null;
                let (one, other) = (one.get(name).unwrap_or(&null), other.get(name).unwrap_or(&null));
                difference(one, other, &format!("{at}/{name}"))
            })
        }
        (Value::Array(one), Value::Array(other)) => {
            let pairs = one.iter().zip(other).enumerate();
            let inner =
                pairs.into_iter().find_map(|(index, (a, b))| difference(a, b, &format!("{at}/{index}")));
            let length =
                (one.len() != other.len()).then(|| format!("{at}: {} and {}", one.len(), other.len()));
            inner.or(length)
        }
        _ => (ours != fresh).then(|| format!("{at}: followed {ours}, fresh {fresh}")),
    }
}

async fn mutate(page: &Page, seed: u64, steps: u64) {
    page.evaluate_main(&format!("mutate({seed}, {steps})"), soon()).await.unwrap();
}

/// The page looked at from the start, whatever is known already.
async fn fresh(page: &Page) -> PageGraph {
    page.look_fresh(soon()).await.unwrap().graph
}

async fn follow(page: &Page, store: &mut GraphStore) -> Result<(), String> {
    let changes = page.changes(store.revision(), soon()).await.map_err(|error| error.to_string())?;
    let Changes::Deltas(deltas) = changes else { return Err("the revision is not known".to_owned()) };
    for delta in &deltas {
        let text = || serde_json::to_string(delta).unwrap_or_default();
        store.apply(delta).map_err(|error| format!("{error} by {}", text()))?;
    }
    Ok(())
}

async fn sequence(page: &mut Page, url: &str, seed: u64) -> Result<(), String> {
    page.go(url, soon()).await.map_err(|error| error.to_string())?;
    page.evaluate_main(MUTATE, soon()).await.unwrap();
    let mut store = GraphStore::new(fresh(page).await);
    for round in 0..ROUNDS {
        mutate(page, seed * 1_000 + round, if round == 0 { 14 } else { 1 + round * 2 }).await;
        follow(page, &mut store).await.map_err(|error| format!("round {round}: {error}"))?;
        let warm = page.look(&SnapshotOptions::default(), soon()).await.unwrap().graph;
        let again = fresh(page).await;
        let followed = comparable(&store.graph());
        for (what, graph) in [("look", &warm), ("fresh look", &again)] {
            if let Some(difference) = difference(&followed, &comparable(graph), "") {
                return Err(format!("round {round}, {what}: {difference}"));
            }
            if graph.revision != *store.revision() {
                return Err(format!("round {round}, {what}: another revision, but no difference"));
            }
        }
        if again.truncated == Some(true) || again.metadata.is_some() {
            return Err(format!("round {round}: {:?}", again.metadata));
        }
    }
    Ok(())
}

#[tokio::test]
async fn deltas_lead_to_what_a_fresh_look_shows() {
    proves!("WEB-33");
    let site = site_of(STAGE).await;
    let (_browser, mut page) = open(&site.url("/")).await;
    let first = number("UIAP_SEED", 1);
    for seed in first..first + number("UIAP_SEQUENCES", SEQUENCES) {
        if let Err(error) = sequence(&mut page, &site.url("/"), seed).await {
            panic!("seed {seed}: {error}\nReplay with UIAP_SEED={seed} UIAP_SEQUENCES=1.");
        }
    }
}

#[tokio::test]
async fn what_is_pushed_leads_there_too() {
    proves!("WEB-6");
    let site = site_of(STAGE).await;
    let (_browser, mut page) = open(&site.url("/")).await;
    for seed in 5_000..5_010_u64 {
        page.go(&site.url("/"), soon()).await.unwrap();
        page.evaluate_main(MUTATE, soon()).await.unwrap();
        let mut watch = page.watch(soon()).await.unwrap();
        let mut store = watch.read(|store| GraphStore::new(store.graph())).unwrap();
        mutate(&page, seed, 40).await;
        let wanted = fresh(&page).await;
        // The look itself may find what nobody pushed, and then pushes it.
        while watch.revision().as_ref() != Some(&wanted.revision) {
            let known = watch.revision().unwrap();
            assert!(watch.moved_from(&known, soon()).await.unwrap(), "seed {seed}");
        }
        for delta in watch.next(soon()).await.unwrap() {
            store.apply(&delta).unwrap();
        }
        let followed = watch.read(GraphStore::graph).unwrap();
        for graph in [&followed, &store.graph()] {
            assert_eq!(difference(&comparable(graph), &comparable(&wanted), ""), None, "seed {seed}");
        }
    }
}

#[tokio::test]
async fn what_is_pushed_is_enough_before_anybody_looks() {
    proves!("WEB-6");
    let site = site_of(STAGE).await;
    let (_browser, mut page) = open(&site.url("/")).await;
    for seed in 6_000..6_020_u64 {
        page.go(&site.url("/"), soon()).await.unwrap();
        page.evaluate_main(MUTATE, soon()).await.unwrap();
        let mut watch = page.watch(soon()).await.unwrap();
        let end = format!("End of {seed}");
        let script =
            format!("mutate({seed}, 30, {{ told: true }}).then(() => {{ document.title = '{end}' }})");
        page.evaluate_main(&script, soon()).await.unwrap();
        let pushed = loop {
            let known = watch.read(GraphStore::graph).unwrap();
            if known.title.as_deref() == Some(&end) {
                break known;
            }
            assert!(!watch.next(soon()).await.unwrap().is_empty(), "seed {seed}: the end is not pushed");
        };
        // Only now somebody looks: what this look finds out came too late to be pushed.
        let wanted = fresh(&page).await;
        assert_eq!(difference(&comparable(&pushed), &comparable(&wanted), ""), None, "seed {seed}");
    }
}

#[tokio::test]
async fn annotations_that_begin_otherwise_are_followed_too() {
    let body = "<!doctype html><title>Acme</title><form data-acme-scope=pay><button id=b data-acme-id=first data-uiap-id=no>Go</button>
        <input id=f aria-label=Code value=4711></form>";
    let site = site_of(body).await;
    let (_browser, mut page) = open(&site.url("/")).await;
    let error = page.annotated_by("acme", soon()).await.unwrap_err();
    assert!(error.to_string().starts_with("annotations cannot begin with \"acme\": "), "{error}");
    page.annotated_by("data-acme-", soon()).await.unwrap();
    let watch = page.watch(soon()).await.unwrap();
    let id = |graph: &PageGraph| graph.elements[1].stable_id.as_ref().map(ToString::to_string);
    let known = || watch.read(GraphStore::graph).unwrap();
    assert_eq!(id(&known()).as_deref(), Some("first"));
    assert_eq!(known().elements[1].scope_id.as_ref().map(ToString::to_string).as_deref(), Some("pay"));
    for (script, renamed) in [
        ("b.dataset.acmeId = 'second'", "second"),
        ("b.dataset.uiapId = 'never', b.dataset.acmeId = 'third'", "third"),
    ] {
        let before = watch.revision().unwrap();
        page.evaluate_main(script, soon()).await.unwrap();
        assert!(watch.moved_from(&before, soon()).await.unwrap(), "{script}");
        assert_eq!(id(&known()).as_deref(), Some(renamed), "{script}");
    }
    let before = watch.revision().unwrap();
    page.evaluate_main("f.dataset.acmeSensitive = ''", soon()).await.unwrap();
    assert!(watch.moved_from(&before, soon()).await.unwrap());
    let field = known().elements[2].clone();
    assert_eq!((field.state.ui.sensitive, field.state.ui.text_value), (Some(true), None));
    let Ok(uiap_web::Check::Present(facts)) = page.check(&field.instance_id, None, soon()).await else {
        panic!("the field is there");
    };
    assert_eq!((facts.state.ui.sensitive, facts.state.ui.text_value), (Some(true), None));
    for graph in [fresh(&page).await, page.look(&SnapshotOptions::default(), soon()).await.unwrap().graph] {
        assert_eq!(difference(&comparable(&known()), &comparable(&graph), ""), None);
    }
    // The next document is read in the same way.
    page.go(&site.url("/next"), soon()).await.unwrap();
    assert_eq!(id(&fresh(&page).await).as_deref(), Some("first"));
}

#[tokio::test]
async fn what_is_hidden_while_it_is_empty_comes_and_goes_with_its_text() {
    let body =
        "<!doctype html><title>Empty</title><style>ul:empty { display: none }</style><ul id=list>Open</ul>";
    let site = site_of(body).await;
    let (_browser, page) = open(&site.url("/")).await;
    let mut store = GraphStore::new(fresh(&page).await);
    for (text, lists) in [("", 0), ("Open", 1), ("Other", 1), ("", 0)] {
        page.evaluate_main(&format!("list.firstChild.data = '{text}'"), soon()).await.unwrap();
        follow(&page, &mut store).await.unwrap();
        assert_eq!(store.graph().elements.len(), lists, "{text:?}");
        let graph = fresh(&page).await;
        assert_eq!(difference(&comparable(&store.graph()), &comparable(&graph), ""), None, "{text:?}");
    }
}

#[tokio::test]
async fn only_what_counts_makes_a_revision() {
    proves!("WEB-32");
    let body = "<!doctype html><title>Quiet</title><style>@keyframes turn { to { transform: rotate(1turn) } }
        .turning { animation: turn 1s linear infinite }</style>
        <p id=clock>0</p><div class=turning id=box style='position:absolute'>~</div><input id=field aria-label=Field>
        <div style='height:5000px'></div><button id=b>Go</button>";
    let site = site_of(body).await;
    let (_browser, page) = open(&site.url("/")).await;
    let before = fresh(&page).await.revision;
    let run = async |script: &str| page.evaluate_main(script, soon()).await.unwrap();
    let revision = async || fresh(&page).await.revision;
    let quiet = [
        "clock.textContent = '12:00:01'",
        "box.style.left = '17px'; box.style.transform = 'scale(2)'",
        "box.className = 'turning other'; box.dataset.frame = '7'",
        "scrollTo(0, 900)",
        "field.setSelectionRange(0, 0, 'backward')",
        "document.body.append(document.createComment('x'))",
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))",
    ];
    for script in quiet {
        run(script).await;
        assert_eq!(revision().await, before, "{script}");
    }
    let mut last = before;
    for script in
        ["b.textContent = 'Stop'", "field.value = 'x'", "b.disabled = true", "document.title = 'Loud'"]
    {
        run(script).await;
        let now = revision().await;
        assert_ne!(now, last, "{script}");
        last = now;
    }
    let known = page.changes(&last, soon()).await.unwrap();
    assert_eq!(known, Changes::Deltas(Vec::new()));
    let unknown = uiap_protocol::ids::RevisionId::new("rev_never").unwrap();
    assert_eq!(page.changes(&unknown, soon()).await.unwrap(), Changes::Unknown);
}

/// A page graph has the focus in it, so a focus that moves is told. It is no change that counts: what waits for one, and
/// what looks for the effect of a deed, counts by `stirs`.
#[tokio::test]
async fn a_focus_that_moves_is_told_and_counts_nothing() {
    proves!("R003-4.2");
    let body =
        "<!doctype html><title>Focus</title><button id=a>One</button><input id=b aria-label=Two value=word>";
    let site = site_of(body).await;
    let (_browser, page) = open(&site.url("/")).await;
    let mut store = GraphStore::new(fresh(&page).await);
    let (mut seq, stirs) = (store.seq(), store.stirs());
    for script in ["a.focus()", "b.focus()", "b.select()", "b.blur()"] {
        page.evaluate_main(script, soon()).await.unwrap();
        follow(&page, &mut store).await.unwrap();
        assert_eq!(store.stirs(), stirs, "{script}");
        assert!(store.seq() >= seq, "{script}");
        seq = store.seq();
        assert_eq!(store.graph().focus, fresh(&page).await.focus, "{script}");
    }
    page.evaluate_main("a.textContent = 'Other'", soon()).await.unwrap();
    follow(&page, &mut store).await.unwrap();
    assert_eq!((store.stirs(), store.seq()), (stirs + 1, seq + 1));
}

#[tokio::test]
async fn what_ticks_by_itself_makes_no_revision() {
    proves!("WEB-32");
    let body =
        "<!doctype html><title>Ticking</title><link rel=icon href='data:,'><button id=buy>Buy (<span id=left>100000</span>)</button>
        <p role=status id=ago>Saved 0 seconds ago</p><button id=other>Other</button><script>
        ticks = 0;
        setInterval(() => {
            ticks += 1;
            left.textContent = 100000 - ticks;
            ago.textContent = `Saved ${ticks} seconds ago`;
        }, 10);
        passed = async (count) => {
            const end = ticks + count;
            while (ticks < end) await new Promise((done) => setTimeout(done, 5));
        };</script>";
    let site = site_of(body).await;
    let (_browser, page) = open(&site.url("/")).await;
    let mut watch = page.watch(soon()).await.unwrap();
    let volatile = |graph: &PageGraph| graph.elements.iter().filter(|one| one.volatile == Some(true)).count();
    while watch.read(|store| volatile(&store.graph())) != Some(2) {
        watch.next(soon()).await.unwrap();
    }
    let standing = watch.revision().unwrap();
    let from = page.signals().position();
    page.evaluate_main("passed(50)", soon()).await.unwrap();
    let looked = page.look(&SnapshotOptions::default(), soon()).await.unwrap().graph;
    assert_eq!(looked.revision, standing);
    assert_eq!(fresh(&page).await.revision, standing);
    assert_eq!(watch.revision().unwrap(), standing);
    assert_eq!(told(&page, from), [""; 0]);
    let followed = watch.read(GraphStore::graph).unwrap();
    let (now, then) = (&looked.elements[0].name, &followed.elements[0].name);
    assert_ne!(now, then, "a look tells the present text");

    page.evaluate_main("other.textContent = 'Another'", soon()).await.unwrap();
    assert!(watch.moved_from(&standing, soon()).await.unwrap());
    assert_eq!(
        watch.read(|store| store.graph().elements[2].name.clone()).unwrap().as_deref(),
        Some("Another")
    );
    let quiet = watch.revision().unwrap();
    page.evaluate_main("buy.disabled = true", soon()).await.unwrap();
    assert!(watch.moved_from(&quiet, soon()).await.unwrap());
    let caught_up = watch.read(|store| store.graph().elements[0].name.clone()).unwrap();
    assert_ne!(&caught_up, then, "real news of an element brings its text");
}

/// The kinds of the signals of a page, with what they say.
fn told(page: &Page, from: uiap_web::Position) -> Vec<String> {
    let line = |signal: &std::sync::Arc<uiap_protocol::web::WebSignal>| {
        let value = serde_json::to_value(signal.as_ref()).unwrap();
        let kind = value["kind"].as_str().unwrap().to_owned();
        let said =
            [&value["text"], &value["scopeId"], &value["to"]["path"]].into_iter().find_map(Value::as_str);
        assert!(value["at"].is_string(), "{value}");
        said.map_or(kind.clone(), |said| format!("{kind} {said}"))
    };
    let signals = page.signals().since(from).signals;
    signals.iter().map(line).filter(|line| !line.starts_with("x.")).collect()
}

#[tokio::test]
async fn what_happens_is_told_even_if_it_is_over_at_once() {
    proves!("WEB-11", "WEB-12", "WEB-13", "WEB-14");
    let body = "<!doctype html><title>Signals</title><div id=toasts aria-live=polite></div><p role=status id=message></p>
        <dialog id=d data-uiap-scope=ask aria-label=Ask><button>Yes</button></dialog>
        <form data-uiap-scope=form><input id=f aria-label=F required value=x></form><button id=b>B</button>";
    let site = site_of(body).await;
    let (_browser, page) = open(&site.url("/")).await;
    let _watch = page.watch(soon()).await.unwrap();
    let frame = "await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));";
    let cases = [
        (
            format!(
                "const t = document.createElement('div'); t.className = 'toast'; t.textContent = 'Saved'; toasts.append(t); {frame} t.remove();"
            ),
            vec!["Saved"],
        ),
        ("message.textContent = 'Working';".to_owned(), vec!["status.changed Working"]),
        ("d.showModal();".to_owned(), vec!["dialog.opened ask", "focus.changed"]),
        ("d.close();".to_owned(), vec!["dialog.closed ask"]),
        (
            "f.value = ''; f.dispatchEvent(new Event('input', { bubbles: true }));".to_owned(),
            vec!["validation.changed form"],
        ),
        ("b.focus();".to_owned(), vec!["focus.changed"]),
        ("history.pushState({}, '', '/next');".to_owned(), vec!["route.changed /next"]),
    ];
    for (script, wanted) in cases {
        let from = page.signals().position();
        page.evaluate_main(&format!("(async () => {{ {script} }})()"), soon()).await.unwrap();
        for word in wanted {
            let deadline = soon();
            let mut position = from;
            while !told(&page, from).iter().any(|line| line.contains(word)) {
                assert!(!deadline.is_over(), "{script}: {word} is missing in {:?}", told(&page, from));
                position = page.signals().next(position, deadline).await.next;
            }
        }
    }
}

#[tokio::test]
async fn a_page_that_is_replaced_is_lost_and_found() {
    let site = site_of("<!doctype html><title>One</title><button>Here</button>").await;
    let (_browser, mut page) = open(&site.url("/one")).await;
    let first = page.watch(soon()).await.unwrap().revision().unwrap();
    page.go(&site.url("/two"), soon()).await.unwrap();
    let mut watch = page.watch(soon()).await.unwrap();
    assert_ne!(watch.revision().unwrap(), first);
    assert_eq!(page.changes(&first, soon()).await.unwrap(), Changes::Unknown);
    page.evaluate_main("location.href = '/three'", soon()).await.unwrap();
    assert_eq!(watch.next(soon()).await.unwrap_err(), uiap_web::Lost::Replaced);
    assert_eq!(watch.lost(), Some(uiap_web::Lost::Replaced));
}
