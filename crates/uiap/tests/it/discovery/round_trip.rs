//! The way from a page to a bundle and back: what was seen is promoted, built, bound to the live page, and found there
//! under the ids of the bundle.

use crate::discovery::site::served;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;
use uiap_authoring::{Builder, Folder, Lock, Memory, Request, Texts};
use uiap_discovery::atlas::{Atlas, Rules, Via};
use uiap_discovery::budget::Budget;
use uiap_discovery::fingerprint::default_policy;
use uiap_discovery::package::{Authorisation, AuthorisationBasis, Record, package};
use uiap_discovery::promote::promoted;
use uiap_protocol::authoring::{BindingsManifest, CompiledBundle};
use uiap_protocol::discovery::{DiscoveryPackage, DiscoverySeed};
use uiap_protocol::text::Node;
use uiap_protocol::time::Timestamp;
use uiap_protocol::web::{PageGraph, SnapshotOptions};
use uiap_protocol::wire::{Wire, accept};
use uiap_testkit::proves;
use uiap_web::{Browser, Deadline, LaunchOptions, Page};

/// An application that knows nothing of UIAP: no annotation anywhere.
const HOME: &str = "<!doctype html><title>Shop</title><nav aria-label=Main><a href=/>Home</a> <a href=/items/new>New item</a></nav>\
    <main><h1>Items</h1><ul><li><a href=/items/17>Teapot</a> <button>Delete</button></li><li><a href=/items/18>Cup</a> <button>Delete</button></li></ul>\
    <button aria-expanded=false>Filters</button></main>";
const NEW: &str = "<!doctype html><title>New item</title><nav aria-label=Main><a href=/>Home</a> <a href=/items/new>New item</a></nav>\
    <main><form aria-label=Item><label>Title <input required></label><label>Kind <select><option>Big<option>Small</select></label>\
    <button>Save</button></form></main>";
const ITEM: &str = "<!doctype html><title>Teapot</title><main><button aria-haspopup=menu>More</button><label>Note <textarea></textarea></label></main>";

fn soon() -> Deadline {
    Deadline::after(Duration::from_mins(1))
}

fn sound<T: Wire>(value: &Value) -> T {
    accept(&Node::from_json(value)).unwrap_or_else(|findings| panic!("{value}: {findings:?}"))
}

/// The page at a path of the application.
fn page_at(path: &str) -> String {
    let page = match path {
        "/" => HOME,
        "/items/new" => NEW,
        _ => ITEM,
    };
    page.to_owned()
}

async fn graph(page: &Page) -> PageGraph {
    assert!(page.rest(soon()).await, "the page rests");
    page.look(&SnapshotOptions::default(), soon()).await.expect("the page is looked at").graph
}

/// What a run that only looks at these addresses finds.
async fn found(page: &mut Page, origin: &str, paths: &[&str]) -> DiscoveryPackage {
    let safety = sound(&json!({"defaultMode": "safe_explore"}));
    let mut atlas = Atlas::new(Rules { safety, budget: Budget::DEFAULT, fingerprints: default_policy() });
    for path in paths {
        let url = format!("{origin}{path}");
        page.go(&url, soon()).await.expect("it goes there");
        let seed: DiscoverySeed = sound(&json!({"kind": "url", "url": url}));
        let seed = atlas.sow(seed);
        atlas.see(&graph(page).await, &[], Via::Seed(seed));
    }
    let at = "2026-03-26T14:03:00.000Z";
    let run = json!({"runId": "disc_1", "startedAt": at, "finishedAt": at, "status": "completed", "environmentId": "local"});
    let environment = sound(&json!({"environmentId": "local", "baseUrl": origin}));
    let allowed = Authorisation { basis: AuthorisationBasis::Loopback, note: None };
    package(&atlas, &Record::new(sound(&run), environment, allowed))
}

fn built(package: &DiscoveryPackage) -> CompiledBundle {
    let mut memory = Memory::default();
    for file in promoted(package, "local.discovery.json") {
        memory.put("run", file.path, file.text);
    }
    memory.put("run", "local.discovery.json", serde_json::to_string(package).expect("JSON"));
    let request = Request {
        folder: Folder::new("run"),
        context: sound(&json!({"environment": "local", "channel": "dev"})),
        now: Timestamp::new("2026-06-01T00:00:00Z").expect("a time"),
        lock: Lock::default(),
    };
    let outcome = Builder::new(&Texts::default()).build(&request, &memory);
    outcome.built.unwrap_or_else(|| panic!("{:#?}", outcome.diagnostics)).bundle
}

/// How often every element that a bundle has for a route is on its page.
fn resolved(graph: &PageGraph, bindings: &BindingsManifest) -> BTreeMap<String, usize> {
    let route = graph.route.route_id.as_ref().expect("the page is on a route of the bundle");
    let own = bindings
        .elements
        .iter()
        .flatten()
        .filter(|element| element.route_ids.as_ref().is_none_or(|routes| routes.contains(route)));
    let count = |id: &str| {
        let carried = graph.elements.iter().filter_map(|element| element.stable_id.as_ref());
        carried.filter(|stable| stable.as_str() == id).count()
    };
    own.map(|element| (element.id.to_string(), count(element.id.as_str()))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_found_is_found_again_under_the_ids_of_the_bundle() {
    proves!["DSC-6.4-2", "DSC-15.1-1"];
    let (origin, _) = served(page_at).await;
    let browser = Browser::launch(&LaunchOptions::default()).await.expect("a browser");
    let context = browser.context(soon()).await.expect("a context");
    let mut page = context.open(&format!("{origin}/"), soon()).await.expect("it opens");
    let package = found(&mut page, &origin, &["/", "/items/new", "/items/17"]).await;
    let bindings = built(&package).bindings.expect("bindings");
    page.bind(&bindings, soon()).await.expect("the page is bound");
    let expected: [(&str, &str, &[&str]); 3] = [
        ("/", "start", &["home", "new item", "filters"]),
        // It fits two patterns, and is the more special one of them.
        ("/items/new", "items.new", &["home", "new item", "item", "title", "kind"]),
        ("/items/4711", "items.id", &["more", "note"]),
    ];
    for (path, route, names) in expected {
        page.go(&format!("{origin}{path}"), soon()).await.expect("it goes there");
        let graph = graph(&page).await;
        assert_eq!(graph.route.route_id.as_ref().map(ToString::to_string).as_deref(), Some(route), "{path}");
        let resolved = resolved(&graph, &bindings);
        assert!(resolved.values().all(|count| *count == 1), "each is there once: {resolved:?}");
        let mut named: Vec<_> = resolved.keys().filter_map(|id| id.rsplit('|').nth(1)).collect();
        named.sort_unstable();
        let mut wanted = names.to_vec();
        wanted.sort_unstable();
        assert_eq!(named, wanted, "{path}");
        assert!(
            graph.metadata.as_ref().is_none_or(|metadata| !metadata.contains_key("bindings")),
            "nothing is ambiguous"
        );
    }
}
