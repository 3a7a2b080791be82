//! Discovery over messages, against Videoland: from the plan to the package.

use crate::serving::support::{Pipe, Videoland};
use serde_json::{Value, json};
use std::path::Path;

/// How often the served page is looked at while a run is paused: each look takes the browser some time.
const LOOKS: usize = 10;

/// An environment of which the person who starts the server says how somebody signs in there.
fn environment(videoland: &Videoland) -> String {
    let step =
        |action: &str, target: &str, args: Value| json!({"action": action, "target": target, "args": args});
    let login = json!({"url": "/login", "steps": [
        step("enterText", "login.user", json!({"text": "editor"})),
        step("enterText", "login.password", json!({"text": "videoland"})),
        step("activate", "login.submit", json!({})),
    ]});
    let environment = json!({
        "environmentId": "videoland", "baseUrl": videoland.address("/"),
        "budgets": {"maxStates": 4, "maxTransitions": 6}, "metadata": {"login": {"*": login}},
    });
    videoland.file("videoland.json", &environment.to_string())
}

fn asked(videoland: &Videoland, more: &Value) -> Value {
    let mut environment = json!({"environmentId": "videoland", "baseUrl": videoland.address("/")});
    if let (Some(environment), Some(more)) = (environment.as_object_mut(), more.as_object()) {
        environment.extend(more.clone());
    }
    environment
}

/// What a run did so far, by its own book.
fn logged(folder: &Path) -> usize {
    std::fs::read_to_string(folder.join("logbook.jsonl")).unwrap_or_default().lines().count()
}

/// The answer to a request; what comes between is told, too.
fn answer(pipe: &mut Pipe, kind: &str, payload: &Value) -> (Value, Vec<Value>) {
    let id = pipe.say(kind, payload, None);
    let mut between = Vec::new();
    loop {
        let message = pipe.next();
        if message["correlationId"] == id.as_str() {
            return (message, between);
        }
        between.push(message);
    }
}

fn counters_never_decrease(progress: &[&Value]) {
    for name in ["visitedStates", "visitedTransitions", "discoveredRoutes", "discoveredActions"] {
        let counts: Vec<_> =
            progress.iter().filter_map(|message| message["payload"][name].as_u64()).collect();
        assert!(counts.is_sorted(), "{name}: {counts:?}");
    }
}

#[test]
fn a_run_goes_from_its_plan_to_its_package_and_writes_nothing() {
    uiap_testkit::proves![
        "DSC-3-1",
        "DSC-3-3",
        "DSC-14-1",
        "DSC-14.1-1",
        "DSC-14.3-1",
        "DSC-14.4-1",
        "DSC-14.5-1",
        "DSC-14.7-1",
        "DSC-14.8-1",
        "DSC-17-1"
    ];
    let videoland = Videoland::start("mapping");
    let maps = videoland.folder.join("maps");
    let (listed, folder) = (environment(&videoland), maps.to_str().expect("UTF-8"));
    let address = videoland.address("/login");
    let command = ["serve", "--stdio", "--discovery", folder, "--discovery-environment", &listed, &address];
    let mut pipe =
        Pipe::begun_with(videoland.uiap(&command), &json!([{"id": "uiap.discovery", "versions": ["0.1"]}]));

    let seeds = json!([
        {"kind": "url", "url": "/"},
        {"kind": "url", "url": "/videos"},
        {"kind": "url", "url": "https://elsewhere.example/"},
        {"kind": "documentation", "ref": "/sitemap.xml"},
    ]);
    let plan = json!({"environment": asked(&videoland, &json!({})), "seeds": seeds});
    let (planned, _) = answer(&mut pipe, "uiap.discovery.plan", &plan);
    assert_eq!(planned["type"], "uiap.discovery.planned", "{planned}");
    let planned = &planned["payload"];
    assert_eq!(
        (&planned["estimatedSeedCount"], &planned["acceptedSeeds"]),
        (&json!(2), &json!([seeds[0], seeds[1]]))
    );
    assert_eq!(planned["rejectedSeeds"][0]["seed"], seeds[2]);
    let reasons: Vec<_> =
        (0..2).filter_map(|place| planned["rejectedSeeds"][place]["reason"].as_str()).collect();
    assert!(reasons[0].contains("another application") && reasons[1].contains("404"), "{reasons:?}");
    let run = json!({"runId": planned["runId"]});
    let folder = maps.join(planned["runId"].as_str().expect("an id"));

    let (started, _) = answer(&mut pipe, "uiap.discovery.start", &run);
    assert_eq!(started["type"], "uiap.discovery.started", "{started}");
    let mut told = vec![pipe.until("uiap.discovery.progress")];
    while told.last().is_some_and(|last| last["payload"]["visitedStates"].as_u64() < Some(1)) {
        told.push(pipe.until("uiap.discovery.progress"));
    }
    let (paused, between) = answer(&mut pipe, "uiap.discovery.pause", &run);
    assert_eq!(paused["payload"]["status"], "paused", "{paused}");
    told.extend(between);
    let before = logged(&folder);
    assert!(before > 0, "it has begun");
    for _ in 0..LOOKS {
        let (seen, between) = answer(&mut pipe, "web.state.get", &json!({}));
        assert_eq!((seen["type"].as_str(), between), (Some("web.state.snapshot"), Vec::new()));
    }
    assert_eq!(logged(&folder), before, "nothing is done while it is paused");
    let phase = told.last().expect("progress")["payload"]["status"].clone();
    let (resumed, _) = answer(&mut pipe, "uiap.discovery.resume", &run);
    assert_eq!((&resumed["type"], &resumed["payload"]["status"]), (&json!("uiap.discovery.resumed"), &phase));

    let result = loop {
        let message = pipe.next();
        if message["type"] == "uiap.discovery.result" {
            break message["payload"].clone();
        }
        told.push(message);
    };
    counters_never_decrease(&told.iter().collect::<Vec<_>>());
    assert_eq!(
        (&result["runId"], &result["status"]),
        (&run["runId"], &json!("completed")),
        "{}",
        result["package"]["run"]
    );
    assert_eq!(result["package"]["run"]["runId"], run["runId"]);
    let states = result["package"]["transitionGraph"]["states"].as_array().expect("states");
    assert!((1..=4).contains(&states.len()), "the budget of the file holds: {}", states.len());
    let (package, _) = answer(&mut pipe, "uiap.discovery.package.get", &run);
    assert_eq!(package["payload"]["package"], result["package"]);
    assert_eq!(videoland.writes_beside_signing_in(), Vec::<String>::new());
    pipe.close();
}

#[test]
fn what_is_not_allowed_is_not_planned_and_what_is_cancelled_has_a_package() {
    uiap_testkit::proves!["DSC-SEC-1", "DSC-14.2-1", "DSC-14.6-1", "DSC-14.7-1"];
    let videoland = Videoland::start("mapping-refused");
    let maps = videoland.folder.join("maps");
    let folder = maps.to_str().expect("UTF-8");
    let address = videoland.address("/login");
    let command = videoland.uiap(&["serve", "--stdio", "--discovery", folder, &address]);
    let mut pipe =
        Pipe::begun_with(command, &json!([{"id": "uiap.discovery", "versions": ["0.1"], "required": true}]));
    let reads = json!({"metadata": {"reads": ["POST /api/videos"]}});
    let writes = json!({"safety": {"defaultMode": "sandbox_write"}});
    let two = json!({"principalProfiles": [{"id": "a"}, {"id": "b"}]});
    for (more, code, said) in [
        (json!({"baseUrl": "https://app.example.com/"}), "forbidden", "--discovery-environment"),
        (json!({"baseUrl": "file:///etc"}), "invalid_payload", "not the address"),
        (reads, "forbidden", "reads"),
        (writes, "forbidden", "admin"),
        (two, "invalid_payload", "one profile"),
    ] {
        let plan = json!({"environment": asked(&videoland, &more)});
        let (refused, _) = answer(&mut pipe, "uiap.discovery.plan", &plan);
        assert_eq!(refused["payload"]["code"], code, "{refused}");
        assert!(
            refused["payload"]["message"].as_str().is_some_and(|message| message.contains(said)),
            "{refused}"
        );
    }
    let (unknown, _) = answer(&mut pipe, "uiap.discovery.start", &json!({"runId": "disc_0"}));
    assert_eq!(unknown["payload"]["code"], "not_found", "{unknown}");

    let plan = json!({"environment": asked(&videoland, &json!({}))});
    let (first, _) = answer(&mut pipe, "uiap.discovery.plan", &plan);
    let (second, _) = answer(&mut pipe, "uiap.discovery.plan", &plan);
    let runs = [first, second].map(|planned| planned["payload"]["runId"].clone());
    assert_ne!(runs[0], runs[1], "every plan is a new run");
    answer(&mut pipe, "uiap.discovery.start", &json!({"runId": runs[0]}));
    for run in runs {
        let (cancelled, _) = answer(&mut pipe, "uiap.discovery.cancel", &json!({"runId": run}));
        assert_eq!(cancelled["type"], "uiap.discovery.cancelled", "{cancelled}");
        let result = pipe.until("uiap.discovery.result");
        assert_eq!((&result["payload"]["runId"], &result["payload"]["status"]), (&run, &json!("cancelled")));
        let (package, _) = answer(&mut pipe, "uiap.discovery.package.get", &json!({"runId": run}));
        assert_eq!(package["payload"]["package"], result["payload"]["package"]);
    }
    assert_eq!(videoland.writes_beside_signing_in(), Vec::<String>::new());
    pipe.close();
}

#[test]
fn nobody_maps_where_nobody_said_so() {
    let videoland = Videoland::start("mapping-off");
    let address = videoland.address("/login");
    let mut pipe = Pipe::begun(videoland.uiap(&["serve", "--stdio", &address]));
    let plan = json!({"environment": asked(&videoland, &json!({}))});
    let (refused, _) = answer(&mut pipe, "uiap.discovery.plan", &plan);
    assert_eq!(refused["payload"]["code"], "unsupported_extension", "{refused}");
    pipe.close();
}
