//! The report in a real browser: it draws, filters and is walked through with the keyboard, nothing complains and
//! nothing leaves.

use crate::discovery::site::served;
use serde_json::{Value, json};
use std::time::Duration;
use uiap_discovery::diff::{Change, Class, Subject};
use uiap_discovery::report::{self, Difference, Enclosed, Picture};
use uiap_protocol::discovery::DiscoveryPackage;
use uiap_protocol::text::Node;
use uiap_protocol::web::SnapshotOptions;
use uiap_protocol::wire::accept;
use uiap_web::{Browser, ContextOptions, Deadline, LaunchOptions, Page};

const AT: &str = "2026-03-26T14:03:00.000Z";
/// A name that would be a script and a picture, were it ever read as markup.
const HOSTILE: &str = "</script><script>window.owned = 1</script><img src=x onerror=\"window.owned = 2\">";
/// The smallest picture there is.
const DOT: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

fn html(package: &DiscoveryPackage, enclosed: &Enclosed) -> String {
    let mut page = Vec::new();
    report::write(&mut page, package, enclosed).expect("memory can be written to");
    String::from_utf8(page).expect("text")
}

fn soon() -> Deadline {
    Deadline::after(Duration::from_mins(1))
}

/// A package with so many states, in which everything that can be named has a hostile name.
fn package(states: usize) -> DiscoveryPackage {
    let by = json!([{"source": "dom", "refId": "st_0"}]);
    let nodes: Vec<Value> = (0..states)
        .map(|number| {
            let route = if number == 0 { "start".to_owned() } else { format!("page.{number}") };
            json!({
                "stateId": format!("st_{number}"), "fingerprint": format!("sha256:{number}"), "routeId": route,
                "screenshotRef": format!("pic_{number}"), "discoveredBy": by, "confidence": "medium",
                "metadata": {"depth": number.min(1) + number / 40, "pattern": HOSTILE, "seed": number == 0},
            })
        })
        .collect();
    let edges: Vec<Value> = (1..states)
        .map(|number| {
            json!({
                "transitionId": format!("tr_{number}"), "fromStateId": format!("st_{}", number / 3),
                "toStateId": format!("st_{number}"), "viaActionId": "ui.activate",
                "target": {"by": "semantic", "role": "link", "name": HOSTILE},
                "confidence": "medium", "discoveredBy": by, "metadata": {"held": 1},
            })
        })
        .collect();
    let item = |id: &str, severity: &str, description: &str| json!({"id": id, "severity": severity, "kind": "custom", "description": description, "evidence": by, "remediation": "<b data-uiap-id=\"x\">paste me</b>"});
    let whole = json!({
        "modelVersion": "0.1", "spec": "uiap.discovery",
        "run": {"runId": "disc_1", "startedAt": AT, "status": "completed", "environmentId": "test"},
        "environment": {"environmentId": "test", "baseUrl": "https://app.test"},
        "routeCatalog": {"routes": [
            {"routeId": "start", "urls": ["https://app.test/"], "titles": [HOSTILE], "discoveredBy": by, "confidence": "high"},
            {"routeId": "page.1", "urls": ["https://app.test/1"], "discoveredBy": by, "confidence": "low"},
        ]},
        "scopeCatalog": {"scopes": []},
        "elementCatalog": {"elements": [
            {"semanticKey": "k", "role": "button", "names": [HOSTILE], "routes": ["start"], "discoveredBy": by, "confidence": "low"},
        ]},
        "actionCatalog": {"actions": [
            {"id": "candidate.start.delete", "kind": "candidate", "sideEffectClass": "destructive", "risk": {"level": "confirm"}, "metadata": {"titles": [HOSTILE]}, "discoveredBy": by, "confidence": "low"},
        ]},
        "transitionGraph": {"states": nodes, "edges": edges},
        "workflowCandidates": {"workflows": []},
        "reviewQueue": {"items": [item("rev_1", "high", HOSTILE), item("rev_2", "low", "A quiet question.")]},
        "coverage": {
            "seedsTotal": 1, "seedsVisited": 1, "routesDiscovered": 2, "scopesDiscovered": 0, "elementsDiscovered": 1,
            "actionsDiscovered": 1, "workflowCandidatesDiscovered": 0, "opaqueRegions": 0, "unresolvedTransitions": 0,
            "reviewItems": 2,
        },
        "evidenceIndex": {"records": [
            {"refId": "net_1", "source": "network", "kind": "network", "at": AT, "stateId": "st_0", "transitionId": "tr_1", "data": {"method": "DELETE", "url": "https://app.test/:id", "held": "it can write"}},
            {"refId": "pic_0", "source": "screenshot", "kind": "screenshot", "at": AT, "uri": "evidence/pic_0.gif"},
            {"refId": "pic_1", "source": "screenshot", "kind": "screenshot", "at": AT, "uri": "javascript:window.owned=3"},
        ]},
    });
    accept(&Node::from_json(&whole)).unwrap_or_else(|findings| panic!("{findings:?}"))
}

fn enclosed() -> Enclosed {
    let picture = Picture { media_type: "image/gif".to_owned(), bytes: DOT.to_vec() };
    let change = Change {
        class: Class::Vanished,
        subject: Subject::Action,
        id: "x".to_owned(),
        message: "The action x is not there any more.".to_owned(),
    };
    Enclosed {
        pictures: [("pic_0".to_owned(), picture)].into(),
        differences: vec![Difference { title: "admin and viewer".to_owned(), changes: vec![change] }],
    }
}

/// What an expression of the page is.
async fn ask(page: &Page, expression: &str) -> Value {
    page.evaluate_main(expression, soon()).await.unwrap_or_else(|error| panic!("{expression}: {error}"))
}

/// Everything that the console of the page was told, and every failed script.
fn complaints(page: &Page) -> Vec<String> {
    let signals = page.signals().since(uiap_web::Position::default()).signals;
    let told = signals.iter().map(|signal| serde_json::to_value(&**signal).expect("JSON").to_string());
    told.filter(|signal| signal.contains("console") || signal.contains("exception")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_report_draws_filters_and_walks_and_nothing_leaves() {
    let text = html(&package(30), &enclosed());
    // The data cannot end its element, whatever is in it.
    assert_eq!((text.matches("</script").count(), text.matches("<img").count()), (2, 0));
    let (origin, asked) = served(move |_| text.clone()).await;
    let browser = Browser::launch(&LaunchOptions::default()).await.expect("a browser");
    let context = browser.context(soon()).await.expect("a context");
    let page = context.open(&format!("{origin}/report.html"), soon()).await.expect("it opens");
    assert!(page.rest(soon()).await, "the page rests");

    // The map is drawn, with every state and a line for every way.
    assert_eq!(ask(&page, "document.querySelectorAll('.map .state').length").await, 30);
    assert_eq!(ask(&page, "document.querySelectorAll('.map .lines path').length").await, 29);
    assert_eq!(ask(&page, "(() => { const { width, height } = document.querySelector('.map .state').getBoundingClientRect(); return width > 40 && height > 10; })()").await, true);
    // The beginning is shown with its picture, which is in the page.
    assert_eq!(ask(&page, "document.querySelector('.panel h3').textContent").await, "start");
    assert_eq!(
        ask(&page, "document.querySelector('.panel img').src.startsWith('data:image/gif;base64,')").await,
        true
    );

    // Every heading, landmark and control has a name, as an agent sees it.
    let graph = page.look(&SnapshotOptions::default(), soon()).await.expect("the page is looked at").graph;
    let nameless: Vec<_> = graph
        .elements
        .iter()
        .filter(|element| {
            element
                .affordances
                .iter()
                .flatten()
                .any(|offer| offer.as_str() == "activate" || offer.as_str() == "edit")
        })
        .filter(|element| element.name.as_deref().unwrap_or_default().is_empty())
        .map(|element| format!("{} {:?}", element.role, element.bbox))
        .collect();
    assert_eq!(nameless, Vec::<String>::new());
    assert_eq!(ask(&page, "['header', 'nav', 'main', 'footer', 'aside', 'h1'].map((tag) => document.querySelectorAll(tag).length).join()").await, "1,1,1,1,1,1");

    // With the keyboard: to the filter, a word, and back; then through the map.
    ask(&page, "document.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }))").await;
    assert_eq!(ask(&page, "document.activeElement.id").await, "filter");
    let filter = |words: &str| {
        format!(
            "(() => {{ const field = document.getElementById('filter'); field.value = {}; field.dispatchEvent(new Event('input')); return [...document.querySelectorAll('#review .card')].filter((card) => !card.hidden).length; }})()",
            Value::from(words)
        )
    };
    assert_eq!(ask(&page, &filter("quiet question")).await, 1);
    assert_eq!(ask(&page, "document.querySelectorAll('.state.dim').length").await, 30);
    assert_eq!(ask(&page, &filter("page.7")).await, 0);
    assert_eq!(ask(&page, "document.querySelectorAll('.state:not(.dim)').length").await, 1);
    assert_eq!(ask(&page, "document.querySelector('.filter [role=status]').textContent").await, "0 of 7");
    assert_eq!(ask(&page, "(() => { const field = document.getElementById('filter'); field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })); return document.querySelectorAll('.state.dim').length + field.value.length; })()").await, 0);
    let key = |key: &str| {
        format!(
            "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {{ key: {}, bubbles: true }}))",
            Value::from(key)
        )
    };
    ask(&page, "document.querySelector('.state[tabindex=\"0\"]').focus()").await;
    ask(&page, &key("ArrowRight")).await;
    ask(&page, &key("Enter")).await;
    let now = ask(&page, "document.querySelector('.panel h3').textContent").await;
    assert!(now.as_str().is_some_and(|name| name.starts_with("page.")), "{now}");
    assert_eq!(ask(&page, "document.querySelectorAll('.state[aria-pressed=\"true\"]').length").await, 1);
    // What is linked from a state leads there.
    let follow = "(() => { const link = [...document.querySelectorAll('.panel .link')].at(-1); const name = link.textContent; link.click(); \
                  return name === document.querySelector('.panel h3').textContent && document.activeElement.id; })()";
    assert_eq!(ask(&page, follow).await, "state-title");

    // A question opens, with something to paste; differences and what was held back are there.
    assert_eq!(ask(&page, "(async () => { const card = document.querySelector('#review .card'); card.open = true; await new Promise((go) => card.addEventListener('toggle', go, { once: true })); await null; return card.querySelector('pre').textContent; })()").await, "<b data-uiap-id=\"x\">paste me</b>");
    assert_eq!(
        ask(&page, "document.querySelector('#held tbody').textContent.includes('DELETE')").await,
        true
    );
    assert_eq!(ask(&page, "document.querySelector('#differences').textContent.includes('The action x is not there any more.')").await, true);

    // Light and dark can be read and differ.
    let colours = "(() => { const { backgroundColor, color } = getComputedStyle(document.body); return `${backgroundColor} ${color}`; })()";
    let before = ask(&page, colours).await;
    ask(&page, "document.querySelector('.theme').click()").await;
    assert_ne!(ask(&page, colours).await, before);

    // Nothing that came from a page became anything but text, nobody complained, and nothing was asked for.
    assert_eq!(ask(&page, "String(window.owned)").await, "undefined");
    assert_eq!(ask(&page, "document.querySelectorAll('img[src=x], main script').length").await, 0);
    assert_eq!(
        ask(
            &page,
            "[...document.querySelectorAll('a')].filter((link) => link.protocol === 'javascript:').length"
        )
        .await,
        0
    );
    assert_eq!(complaints(&page), Vec::<String>::new());
    assert_eq!(
        ask(
            &page,
            "performance.getEntriesByType('resource').filter(({ name }) => !name.startsWith('data:')).length"
        )
        .await,
        0
    );
    assert_eq!(*asked.lock().expect("a log"), ["/report.html"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_map_is_drawn_and_a_small_window_does_not_scroll_sideways() {
    let (origin, _) = served(|_| html(&package(500), &Enclosed::default())).await;
    let browser = Browser::launch(&LaunchOptions::default()).await.expect("a browser");
    let telephone =
        ContextOptions { viewport: "390x844".parse().expect("a size"), ..ContextOptions::default() };
    let context = browser.context_with(telephone, soon()).await.expect("a context");
    let page = context.open(&format!("{origin}/report.html"), soon()).await.expect("it opens");
    assert!(page.rest(soon()).await, "the page rests");
    assert_eq!(ask(&page, "innerWidth").await, 390);
    assert_eq!(ask(&page, "document.querySelectorAll('.map .state').length").await, 500);
    assert_eq!(
        ask(&page, "document.documentElement.scrollWidth - document.documentElement.clientWidth").await,
        0
    );
    // Names on the map can be read.
    let letters = "document.querySelector('.map .state text').getBoundingClientRect().height";
    assert!(ask(&page, letters).await.as_f64().is_some_and(|height| height >= 10.0));
}
