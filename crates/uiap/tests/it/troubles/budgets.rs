//! Budgets are never exceeded, however many hands share them.

use crate::troubles::site::{Reply, Site};
use crate::troubles::stage::{Stage, page};
use serde_json::{Value, json};

/// A site that goes on for ever: every page leads to three others, and has three parts that unfold.
async fn endless() -> Site {
    Site::start(|path, _| {
        let deeper: Vec<String> = ["ant", "bee", "cow"]
            .iter()
            .map(|name| format!("{}/{name}", path.trim_end_matches('/')))
            .collect();
        let links: Vec<&str> = deeper.iter().map(String::as_str).collect();
        let tab = |tab: &str| {
            format!(
                "<button aria-expanded=false onclick=\"this.setAttribute('aria-expanded', true); \
                 this.insertAdjacentHTML('afterend', '<p><button>Inside {tab}</button></p>')\">Part {tab}</button>"
            )
        };
        Reply::Page(page(path, &links, &["facts", "history", "shipping"].map(tab).concat()))
    })
    .await
}

fn count(value: &Value) -> usize {
    value.as_array().map_or(0, Vec::len)
}

#[tokio::test(flavor = "multi_thread")]
async fn no_budget_is_exceeded() {
    uiap_testkit::proves!["DSC-2-2"];
    let site = endless().await;
    let budgets = [
        ("states", json!({ "maxStates": 4, "maxTransitions": 12 })),
        ("transitions", json!({ "maxTransitions": 5 })),
        ("depth", json!({ "maxDepth": 1, "maxTransitions": 12 })),
        ("route", json!({ "maxPerRoute": 2, "maxDepth": 1, "maxTransitions": 12 })),
    ];
    for (name, budgets) in budgets {
        let stage = Stage::new(&format!("budget-{name}"));
        let environment = json!({ "environmentId": name, "baseUrl": site.url("/"), "budgets": budgets });
        let file = stage.file("environment.json", &environment.to_string());
        stage.run(&site.url("/"), &["--jobs", "3", "--environment", &file]).await.ended(0, &["Mapped"]);
        let found = stage.found();
        let graph = &found.package["transitionGraph"];
        let max = |name: &str| budgets[name].as_u64().and_then(|max| usize::try_from(max).ok());
        assert!(count(&graph["states"]) <= max("maxStates").unwrap_or(usize::MAX), "{name}");
        let made = stage.logbook().iter().filter(|line| line.get("made").is_some()).count();
        assert!(made <= max("maxTransitions").unwrap_or(usize::MAX), "{name}: {made} were made");
        if let Some(max) = max("maxDepth") {
            let deep = found.states().iter().filter_map(|state| state["routeId"].as_str());
            let deepest = deep.map(|route| route.split('.').count()).max();
            assert!(deepest <= Some(max), "{name}: {:?}", found.routes());
        }
        if let Some(max) = max("maxPerRoute") {
            for route in found.routes() {
                let states = found.states().iter().filter(|state| state["routeId"] == route).count();
                assert!(states <= max, "{name}: {states} states of {route}");
            }
        }
        // The budget was needed, and people are told.
        let what = match name {
            "depth" => "steps from a seed",
            "route" => "states of one route",
            other => other,
        };
        found.ended("completed", &[]).asks("coverage_gap", &[&format!("budget of {what} is used up")]);
    }
}
