//! Videoland, bound to a bundle that is made of its own manifests.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use serde_json::{Value, json};
use std::process::Command;
use std::time::Duration;
use uiap_protocol::authoring::BindingsManifest;
use uiap_protocol::check::{Expectation, check};
use uiap_protocol::web::{PageGraph, SnapshotOptions};
use uiap_protocol::wire;
use uiap_web::{Browser, Deadline, LaunchOptions, Page};
use videoland::{Options, Server};

const ROUTES: &[u8] = include_bytes!("../../../../examples/videoland/uiap/bindings/routes.uiap.yaml");

fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(30))
}

/// The routes of Videoland under other names and by their paths, so that the page cannot say them itself.
fn routes() -> Vec<Value> {
    let document = check("routes.uiap.yaml", ROUTES, Expectation::default()).value.expect("a manifest");
    let routes = document.pointer("/spec/routes").and_then(Value::as_array).expect("routes");
    let path = |route: &Value| {
        let matchers = route["match"].as_array().expect("matchers").iter();
        matchers.filter(|matcher| matcher["kind"] == "path").cloned().collect::<Vec<_>>()
    };
    let id = |route: &Value| format!("bundle.{}", route["id"].as_str().expect("an id"));
    routes.iter().map(|route| json!({ "id": id(route), "match": path(route) })).collect()
}

fn bindings() -> Value {
    json!({
        "routes": routes(),
        "elements": [
            { "id": "login.as_admin", "match": [{ "by": "semantic", "role": "button", "name": "admin" }] },
            { "id": "login.any_field", "match": [{ "by": "semantic", "role": "textbox", "scopeId": "login.form" }] },
            { "id": "login.broken", "match": [{ "by": "runtimeHint", "css": "::::" }] }
        ]
    })
}

fn manifest(bindings: &Value) -> BindingsManifest {
    wire::accept_object(bindings.as_object().expect("an object")).expect("sound bindings")
}

async fn graph(page: &Page) -> PageGraph {
    // Videoland builds its screens after it is loaded.
    assert!(page.rest(soon()).await, "the page rests");
    page.look(&SnapshotOptions::default(), soon()).await.expect("the page is looked at").graph
}

fn names_of(graph: &PageGraph, id: &str) -> Vec<String> {
    let has = |node: &&uiap_protocol::web::ElementNode| {
        node.stable_id.as_ref().is_some_and(|stable| stable.as_str() == id)
    };
    graph.elements.iter().filter(has).map(|node| node.name.clone().unwrap_or_default()).collect()
}

fn route_of(graph: &PageGraph) -> Option<&str> {
    graph.route.route_id.as_ref().map(uiap_protocol::ids::RouteId::as_str)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bundle_names_what_the_page_does_not() {
    let server = Server::start(Options::default()).await.expect("Videoland starts");
    let browser = Browser::launch(&LaunchOptions::default()).await.expect("a browser");
    let context = browser.context(soon()).await.expect("a context");
    let mut page = context.open(&format!("{}/login", server.origin()), soon()).await.expect("it opens");
    let plain = graph(&page).await;
    assert_eq!((route_of(&plain), names_of(&plain, "login.as_admin").len()), (Some("login"), 0));

    let bound = page.bind(&manifest(&bindings()), soon()).await.expect("the page is bound");
    assert_eq!(bound.problems.len(), 1, "{bound:?}");
    // The second time another document, which was bound before its first script.
    for path in ["/login", "/login?again"] {
        page.go(&format!("{}{path}", server.origin()), soon()).await.expect("it goes there");
        let graph = graph(&page).await;
        assert_eq!(route_of(&graph), Some("bundle.login"), "{path}");
        assert_eq!(names_of(&graph, "login.as_admin"), ["admin"], "{path}");
        let metadata = serde_json::to_value(&graph.metadata).expect("metadata");
        let ambiguous = &metadata["bindings"]["ambiguous"];
        assert_eq!(ambiguous[0]["binding"], "login.any_field", "{metadata}");
        assert_eq!(ambiguous[0]["elements"].as_array().map(Vec::len), Some(2), "{metadata}");
    }
    // Another bundle takes the place of the first, in later documents too.
    page.bind(&manifest(&json!({ "routes": [] })), soon()).await.expect("the page is bound");
    assert_eq!(route_of(&graph(&page).await), Some("login"));
    page.go(&format!("{}/login", server.origin()), soon()).await.expect("it goes there");
    assert_eq!(names_of(&graph(&page).await, "login.as_admin").len(), 0);
    drop(page);

    let folder = std::env::temp_dir().join(format!("uiap-bind-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut bundle = json!({
        "packageId": "videoland.uiap", "version": "0.1.0", "profile": "web@0.1",
        "buildContext": { "environment": "dev", "channel": "dev", "locale": "de" },
        "compatibility": { "uiapCore": ">=0.1 <0.2" },
        "app": { "appId": "videoland", "displayName": "Videoland" },
        "bindings": bindings(),
    });
    let file = folder.join("bundle.json");
    let look = |bundle: &Value| {
        std::fs::write(&file, bundle.to_string()).expect("a file");
        let arguments = ["look", &format!("{}/login", server.origin()), "--bundle"];
        let output = Command::new(env!("CARGO_BIN_EXE_uiap")).args(arguments).arg(&file).output();
        let output = output.expect("the command starts");
        let all = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
        (output.status.code(), all.join("\n"))
    };
    let (code, said) = look(&bundle);
    assert_eq!(code, Some(0), "{said}");
    for line in ["route=bundle.login", "login.as_admin button \"admin\"", "login.broken"] {
        assert!(said.contains(line), "{line:?} in\n{said}");
    }
    bundle["version"] = json!(7);
    let (code, said) = look(&bundle);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("bundle.json") && said.contains("version"), "{said}");
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    browser.close().await;
    server.shut_down().await;
}
