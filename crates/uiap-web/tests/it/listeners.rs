//! What only its listeners make something to press.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::support::*;
use uiap_protocol::capability::{Affordance, Role};
use uiap_protocol::web::{ElementNode, GraphStore, PageGraph, SnapshotOptions};
use uiap_web::{Browser, Changes, Page};

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

async fn run(page: &Page, script: &str) {
    page.evaluate_main(&format!("void ({script})"), soon()).await.unwrap();
}

fn activates(element: &ElementNode) -> bool {
    element.affordances.iter().flatten().any(|offer| *offer == Affordance::Activate)
}

/// The names of what can be activated, in the order of the page.
fn pressable(graph: &PageGraph) -> Vec<&str> {
    let active = graph.elements.iter().filter(|element| activates(element));
    active.filter_map(|element| element.name.as_deref()).collect()
}

/// What the publisher follows must be what it finds when it starts anew.
async fn assert_pressable(page: &Page, names: &[&str]) {
    assert_eq!(pressable(&look(page).await), names, "followed");
    assert_eq!(pressable(&page.look_fresh(soon()).await.unwrap().graph), names, "fresh");
}

#[tokio::test]
async fn a_listener_makes_something_to_press() {
    let (_site, _browser, page) = open_body(
        "<div id=a>Archive</div><div>Only text</div><div id=m>Moves</div><p><span>Star</span></p>
        <ul><li id=l>Line</li></ul><div tabindex=0 id=t>Stop</div><div id=k>Keys only</div><button id=b>Own</button>
        <div id=c>On the way down</div>
        <script>on(a); on(m, 'mousemove'); on(document.querySelector('span'), 'pointerdown'); on(l, 'mouseup');
          on(t, 'keydown'); on(k, 'keydown'); on(b); c.addEventListener('click', () => 0, true)</script>",
    )
    .await;
    let graph = look(&page).await;
    assert_eq!(pressable(&graph), ["Archive", "Star", "Stop", "Own"]);
    let archive = graph.elements.iter().find(|element| element.name.as_deref() == Some("Archive")).unwrap();
    let archive_json = serde_json::to_value(archive).unwrap();
    assert_eq!(archive.role, Role::Custom);
    assert_eq!(archive_json.get("source"), Some(&"heuristic".into()));
    assert_eq!(archive_json.get("derivedBy"), Some(&"click_handler".into()));
    // A line of a list stays one; it can be pressed besides.
    let line = graph.elements.iter().find(|element| element.role == Role::Listitem).unwrap();
    assert!(activates(line), "{line:?}");
    assert_pressable(&page, &["Archive", "Star", "Stop", "Own"]).await;
    assert_eq!(look(&page).await.revision, graph.revision, "what is known is no news");
}

#[tokio::test]
async fn whoever_listens_for_others_is_nothing_to_press() {
    let (_site, _browser, page) = open_body(
        "<div id=root><main id=main><ul id=list><li>One</li><li>Two</li></ul><div id=many></div>
        <div id=card>Card <a href='#x'>Link</a></div><div id=outer>Outer <b id=inner>Inner</b></div>
        <div id=host><p>Hosted</p></div><div id=framed><iframe srcdoc='<p>Text'></iframe></div></main></div>
        <div id=app>Drawn by a framework</div>
        <script>
          many.innerHTML = '<p>Row</p>'.repeat(60);
          host.attachShadow({ mode: 'open' }).innerHTML = '<button>In shadow</button><slot></slot>';
          [window, document, document.documentElement, document.body, root, main, list, many, card, outer, host, framed].forEach((node) => on(node));
          'click mousedown mouseup keydown keyup input change focusin focusout drag drop copy paste wheel'.split(' ').forEach((type) => on(app, type));
        </script>",
    )
    .await;
    assert_pressable(&page, &["Link", "Outer Inner", "In shadow"]).await;
    // A part that listens takes its place; without the link, the card has nothing else to press.
    run(&page, "(on(inner), document.querySelector('a').remove())").await;
    assert_pressable(&page, &["Card", "Inner", "In shadow"]).await;
    run(&page, "(many.innerHTML = '<p>Row</p>')").await;
    assert_pressable(&page, &["Row", "Card", "Inner", "In shadow"]).await;
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
    // What is closed stays closed.
    assert_pressable(&page, &["In open", "Framed"]).await;
}

#[tokio::test]
async fn elements_and_listeners_come_and_go() {
    let (_site, _browser, mut page) = open_body(
        "<div id=a>First</div><div id=b>Second</div>
        <script>on(a); b.addEventListener('click', hear = () => 0)</script>",
    )
    .await;
    let mut store = GraphStore::new(page.look_fresh(soon()).await.unwrap().graph);
    assert_eq!(pressable(&store.graph()), [""; 0], "a listener alone changes nothing that the page tells of");
    for (script, names) in [
        ("0", vec!["First", "Second"]),
        ("b.removeEventListener('click', hear)", vec!["First"]),
        ("on(b, 'keydown')", vec!["First"]),
        ("b.addEventListener('click', hear)", vec!["First", "Second"]),
        ("(kept = a, a.remove())", vec!["Second"]),
        ("document.body.append(kept)", vec!["Second", "First"]),
        ("(kept.remove(), on(kept.appendChild(document.createElement('i'))))", vec!["Second"]),
    ] {
        run(&page, script).await;
        assert_eq!(pressable(&look(&page).await), names, "{script}");
        let Changes::Deltas(deltas) = page.changes(store.revision(), soon()).await.unwrap() else {
            panic!("the revision is known")
        };
        deltas.iter().for_each(|delta| store.apply(delta).unwrap());
        assert_eq!(pressable(&store.graph()), names, "{script}");
        assert_pressable(&page, &names).await;
    }
    // Another document is asked from the start.
    let url = page.url();
    page.go(&url, soon()).await.unwrap();
    assert_pressable(&page, &["First", "Second"]).await;
}

#[tokio::test]
async fn marks_are_invisible_and_gone_at_once() {
    let (_site, _browser, page) = open_body(
        "<div id=a>Archive</div><script>
          seen = [];
          for (const name of ['addEventListener', 'removeEventListener']) {
            const native = EventTarget.prototype[name];
            EventTarget.prototype[name] = function (...given) { seen.push(String(given[0])); return native.apply(this, given); };
          }
          on(a); before = document.documentElement.outerHTML; new MutationObserver((all) => seen.push(...all.map(({ type }) => type)))
            .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        </script>",
    )
    .await;
    assert_pressable(&page, &["Archive"]).await;
    let seen = page.evaluate_main("JSON.stringify(seen)", soon()).await.unwrap();
    assert_eq!(seen, r#"["click"]"#);
    let held = page
        .evaluate_main(
            "(a.dispatchEvent(new Event('uiap:1')), document.documentElement.outerHTML === before)",
            soon(),
        )
        .await
        .unwrap();
    assert_eq!(held, true);
}

/// A page with this many elements that listen.
fn listening(count: usize) -> String {
    format!(
        "<body><script>for (let at = 0; at < {count}; at += 1) {{
          const made = document.body.appendChild(document.createElement('div'));
          made.textContent = `Item ${{at}}`;
          on(made);
          on(made, 'keydown');
        }}</script>"
    )
}

#[tokio::test]
async fn more_of_them_than_are_described_are_all_found() {
    let (_site, _browser, page) = open_body(&listening(200)).await;
    let names: Vec<_> = (0..200).map(|at| format!("Item {at}")).collect();
    assert_eq!(pressable(&look(&page).await), names);
}

#[tokio::test]
async fn a_page_with_very_many_listeners_lives() {
    const LOOKS: usize = 30;
    let (_site, _browser, page) = open_body(&listening(10_000)).await;
    for at in 0..LOOKS {
        run(&page, "on(document.body.appendChild(document.createElement('div')))").await;
        run(&page, &format!("document.body.append(Object.assign(document.createElement('button'), {{ textContent: 'New {at}' }}))")).await;
        let graph = look(&page).await;
        assert_eq!(pressable(&graph).last(), Some(&format!("New {at}").as_str()));
    }
}
