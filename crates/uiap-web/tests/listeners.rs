//! What only its listeners make something to press.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

mod support;

use support::*;
use uiap_protocol::capability::{Affordance, Role};
use uiap_protocol::web::{ElementNode, GraphStore, PageGraph, SnapshotOptions};
use uiap_web::{Browser, Changes, LISTENERS_LEARNED_MAX, Learned, Page};

/// What all pages here share: a short way to listen.
const HEAD: &str = "<!doctype html><link rel=icon href='data:,'><script>on = (node, type = 'click') => node.addEventListener(type, () => 0)</script>";

async fn open_body(body: &str) -> (Site, Browser, Page) {
    let site = site_of(&format!("{HEAD}{body}")).await;
    let (browser, page) = open(&site.url("/")).await;
    (site, browser, page)
}

async fn look(page: &Page) -> PageGraph {
    page.look(&SnapshotOptions::default(), soon()).await.unwrap().graph
}

async fn learn(page: &Page) -> Learned {
    page.learn_listeners(soon()).await.unwrap()
}

async fn run(page: &Page, script: &str) {
    page.evaluate_main(&format!("void ({script})"), soon()).await.unwrap();
}

fn activates(element: &ElementNode) -> bool {
    element.affordances.iter().flatten().any(|offer| *offer == Affordance::Activate)
}

/// The names of what can be activated, in the order of the page.
fn pressable(graph: &PageGraph) -> Vec<&str> {
    graph
        .elements
        .iter()
        .filter(|element| activates(element))
        .filter_map(|element| element.name.as_deref())
        .collect()
}

/// What the publisher follows must be what it finds when it starts anew.
async fn assert_followed(page: &Page, names: &[&str]) {
    assert_eq!(pressable(&look(page).await), names, "followed");
    assert_eq!(pressable(&page.look_fresh(soon()).await.unwrap().graph), names, "fresh");
}

#[tokio::test]
async fn a_listener_makes_something_to_press() {
    let (_site, _browser, page) = open_body(
        "<div id=a>Archive</div><div>Only text</div><div id=m>Moves</div><p><span>Star</span></p>
        <ul><li id=l>Line</li></ul><div tabindex=0 id=t>Stop</div><button id=b>Own</button>
        <script>on(a); on(m, 'mousemove'); on(document.querySelector('span'), 'pointerdown'); on(l, 'mouseup'); on(t, 'keydown'); on(b)</script>",
    )
    .await;
    let before = look(&page).await;
    assert_eq!(pressable(&before), ["Own"]);
    assert!(before.elements.iter().all(|element| element.name.as_deref() != Some("Archive")));

    assert_eq!(learn(&page).await.left, 0);
    let after = look(&page).await;
    assert_eq!(pressable(&after), ["Archive", "Star", "Stop", "Own"]);
    let archive = after.elements.iter().find(|element| element.name.as_deref() == Some("Archive")).unwrap();
    let archive_json = serde_json::to_value(archive).unwrap();
    assert_eq!(archive.role, Role::Custom);
    assert_eq!(archive_json.get("source"), Some(&"heuristic".into()));
    assert_eq!(archive_json.get("derivedBy"), Some(&"click_handler".into()));
    // A line of a list stays one; it can be pressed besides.
    let line = after.elements.iter().find(|element| element.role == Role::Listitem).unwrap();
    assert!(activates(line), "{line:?}");
    assert_followed(&page, &["Archive", "Star", "Stop", "Own"]).await;
    assert_eq!(learn(&page).await, Learned::default(), "what is known is not asked for again");
}

#[tokio::test]
async fn whoever_listens_for_others_is_nothing_to_press() {
    let (_site, _browser, page) = open_body(
        "<div id=root><main id=main><ul id=list><li>One</li><li>Two</li></ul><div id=many></div>
        <div id=card>Card <a href='#x'>Link</a></div><div id=outer>Outer <b id=inner>Inner</b></div>
        <div id=host><p>Hosted</p></div><div id=framed><iframe srcdoc='<p>Text'></iframe></div></main></div>
        <script>
          many.innerHTML = '<p>Row</p>'.repeat(60);
          host.attachShadow({ mode: 'open' }).innerHTML = '<button>In shadow</button><slot></slot>';
          [window, document, document.documentElement, document.body, root, main, list, many, card, outer, host, framed].forEach((node) => on(node));
        </script>",
    )
    .await;
    // The only one without anything inside that is pressed instead.
    let before = ["Link", "In shadow"];
    assert_eq!(pressable(&look(&page).await), before);
    learn(&page).await;
    assert_followed(&page, &["Link", "Outer Inner", "In shadow"]).await;
    // A part that listens takes its place; without the link, the card has nothing else to press.
    run(&page, "(on(inner), document.querySelector('a').remove())").await;
    learn(&page).await;
    assert_followed(&page, &["Card", "Inner", "In shadow"]).await;
    run(&page, "(many.innerHTML = '<p>Row</p>')").await;
    assert_followed(&page, &["Row", "Card", "Inner", "In shadow"]).await;
}

#[tokio::test]
async fn shadow_roots_and_frames_are_heard_too() {
    let (_site, _browser, page) = open_body(
        "<div id=open></div><div id=closed></div><iframe srcdoc='<div>Framed</div>'></iframe>
        <script>
          for (const mode of ['open', 'closed']) {
            const root = document.getElementById(mode).attachShadow({ mode });
            root.innerHTML = `<div>In ${mode}</div>`;
            on(root.firstChild);
          }
          addEventListener('load', () => on(frames[0].document.querySelector('div')));
        </script>",
    )
    .await;
    assert_eq!(pressable(&look(&page).await), [""; 0]);
    learn(&page).await;
    // What is closed stays closed.
    assert_followed(&page, &["In open", "Framed"]).await;
}

#[tokio::test]
async fn what_was_learned_before_the_first_look_counts() {
    let (_site, _browser, page) = open_body("<div id=a>Archive</div><script>on(a)</script>").await;
    learn(&page).await;
    assert_eq!(pressable(&look(&page).await), ["Archive"]);
}

#[tokio::test]
async fn elements_and_listeners_come_and_go() {
    let (_site, _browser, mut page) = open_body(
        "<div id=a>First</div><div id=b>Second</div>
        <script>on(a); b.addEventListener('click', hear = () => 0)</script>",
    )
    .await;
    let mut store = GraphStore::new(look(&page).await);
    learn(&page).await;
    for (script, learned, names) in [
        ("0", [0, 0], vec!["First", "Second"]),
        ("b.removeEventListener('click', hear)", [0, 1], vec!["First"]),
        ("b.addEventListener('click', hear)", [1, 0], vec!["First", "Second"]),
        ("(kept = a, a.remove())", [0, 1], vec!["Second"]),
        ("document.body.append(kept)", [1, 0], vec!["Second", "First"]),
        ("(kept.remove(), on(kept.appendChild(document.createElement('i'))))", [0, 1], vec!["Second"]),
    ] {
        run(&page, script).await;
        let Learned { heard, silent, left } = learn(&page).await;
        assert_eq!(([heard, silent], left), (learned, 0), "{script}");
        let Changes::Deltas(deltas) = page.changes(store.revision(), soon()).await.unwrap() else {
            unreachable!("the revision is known")
        };
        deltas.iter().for_each(|delta| store.apply(delta).unwrap());
        assert_eq!(pressable(&store.graph()), names, "{script}");
        assert_followed(&page, &names).await;
    }
    // Another document is learned from the start.
    let url = page.url();
    page.go(&url, soon()).await.unwrap();
    assert_eq!(pressable(&look(&page).await), [""; 0]);
    assert_eq!(learn(&page).await.heard, 3, "the document, which we listen to ourselves, and two elements");
    assert_followed(&page, &["First", "Second"]).await;
}

#[tokio::test]
async fn what_is_learned_is_pushed() {
    let (_site, _browser, page) = open_body("<div id=a>Archive</div><script>on(a)</script>").await;
    let watch = page.watch(soon()).await.unwrap();
    learn(&page).await;
    until_async("the delta comes", async || {
        watch.read(|store| pressable(&store.graph()) == ["Archive"]).unwrap()
    })
    .await;
}

#[tokio::test]
#[ignore = "Chromium resolves these nodes into the wrong world, and its page process crashes"]
async fn a_run_has_a_limit_and_the_next_one_goes_on() {
    const LISTENERS: usize = 5_000;
    let (_site, _browser, page) = open_body(&format!(
        "<body><script>for (let at = 0; at < {LISTENERS}; at += 1) {{
          const made = document.body.appendChild(document.createElement('div'));
          made.textContent = `Item ${{at}}`;
          on(made);
          on(made, 'keydown');
        }}</script>"
    ))
    .await;
    let mut before = LISTENERS;
    loop {
        let Learned { heard, left, .. } = learn(&page).await;
        assert!(heard <= LISTENERS_LEARNED_MAX && left < before, "{heard} heard, {left} left of {before}");
        before = left;
        assert_eq!(pressable(&look(&page).await).len(), LISTENERS - left);
        if left == 0 {
            break;
        }
        assert_eq!(heard, LISTENERS_LEARNED_MAX);
    }
}
