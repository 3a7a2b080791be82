//! Where a run starts, what it reads first, and in whose name: `uiap discover` on Videoland in a real browser.

use crate::discovery::videoland::{Stage, login};
use serde_json::Value;
use std::path::Path;

fn words(list: &Value, member: &str) -> Vec<String> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(|item| item[member].as_str().map(str::to_owned)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn seeds_of_every_kind_come_from_every_source() {
    uiap_testkit::proves!["DSC-9.2-1", "DSC-11.1-8"];
    let stage = Stage::new("seeds").await;
    let base = format!("{}/", stage.server.origin());
    let login = stage.file("login.yaml", &login("admin"));
    let manual = stage.file("manual.md", "Change the plan at [billing](/settings/billing).");
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/videoland");
    let (package, imports) = (repository.join("uiap"), repository.join("packages"));
    let text = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let (package, imports) = (text(&package), text(&imports));
    stage
        .uiap(&["build", &package, "--packages", &imports, "--channel", "staging", "-o", "bundle.json"])
        .await;

    let first = ["discover", &base, "-o", "first", "--login", &login, "--mode", "observe-only"];
    stage.uiap(&[&first[..], &["--seed", "/embedded"]].concat()).await;
    let earlier = std::fs::read_dir(stage.folder.join("first")).expect("a folder").filter_map(Result::ok);
    let earlier = earlier.map(|file| text(&file.path())).find(|path| path.ends_with(".discovery.json"));
    let earlier = earlier.expect("an earlier package");

    let seeds = ["--seed", "menu:Team", "--seed", "action:workspace.search", "--seed", "/lab"];
    let manual = format!("docs:{manual}");
    let sources = ["--seed", &manual, "--earlier", &earlier, "--bundle", "bundle.json"];
    let workflow = ["--seed", "workflow:video.create_first_video", "--max-transitions", "1"];
    let run = ["discover", &base, "-o", "map", "--login", &login, "--jobs", "2"];
    stage.uiap(&[&run[..], &seeds[..], &sources[..], &workflow[..]].concat()).await;

    let package = stage.package("map");
    let seeds = &package["run"]["seeds"];
    let mut kinds = words(seeds, "kind");
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds, ["action", "documentation", "menu", "route", "url", "workflow"]);
    let routes = words(seeds, "routeId");
    for known in ["videos.new", "embedded"] {
        assert!(
            routes.iter().any(|route| route == known),
            "{known} of a bundle, of an earlier run: {routes:?}"
        );
    }
    let urls = words(seeds, "url");
    for path in ["settings/billing", "lab"] {
        assert!(urls.iter().any(|url| url.ends_with(path)), "{path} is named: {urls:?}");
    }
    let barren: Vec<_> = words(&package["reviewQueue"]["items"], "description")
        .into_iter()
        .filter(|question| question.starts_with("Nothing was found behind"))
        .collect();
    assert_eq!(barren, [""; 0], "every seed leads somewhere");
    // Every one of them has its page, and what navigation and registry offer is known before anything is pressed.
    let places = words(&package["routeCatalog"]["routes"], "routeId");
    for route in ["dashboard", "videos", "videos.new", "team", "settings.billing", "embedded", "lab"] {
        assert!(places.iter().any(|place| place == route), "{route} was looked at: {places:?}");
    }
    let actions = words(&package["actionCatalog"]["actions"], "id");
    assert!(actions.iter().any(|action| action == "video.create"), "the registry is read: {actions:?}");
    let read = package["metadata"].to_string();
    for source in
        ["annotations", "action registry", "WebMCP tools", "capability document", "policies", "workflows"]
    {
        assert!(read.contains(source), "{source} were read first: {read}");
    }
    assert_eq!(stage.effects(), [""; 0]);
    stage.server.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_two_people_see_differently_is_said() {
    uiap_testkit::proves!["DSC-17-9"];
    let stage = Stage::new("profiles").await;
    let indented =
        |name: &str| login(name).lines().fold(String::new(), |text, line| text + "      " + line + "\n");
    let environment = format!(
        "environmentId: staging\nbaseUrl: {}/\nprincipalProfiles: [{{id: admin}}, {{id: viewer}}]\n\
         safety: {{defaultMode: observe_only}}\nmetadata:\n  login:\n    admin:\n{}    viewer:\n{}",
        stage.server.origin(),
        indented("admin"),
        indented("viewer")
    );
    let environment = stage.file("staging.yaml", &environment);
    stage.uiap(&["discover", "--environment", &environment, "-o", "map", "--seed", "/team"]).await;
    for profile in ["admin", "viewer"] {
        let package = stage.package(&format!("map/{profile}"));
        assert_eq!(package["run"]["profile"], profile);
        assert_eq!(package["transitionGraph"]["states"].as_array().map(Vec::len), Some(2), "{profile}");
    }
    let compared = std::fs::read(stage.folder.join("map/profiles.json")).expect("a comparison");
    let compared: Value = serde_json::from_slice(&compared).expect("JSON");
    assert_eq!((&compared[0]["from"], &compared[0]["to"]), (&Value::from("admin"), &Value::from("viewer")));
    let changes = compared[0]["changes"].to_string();
    assert!(changes.contains("vanished") && changes.contains("team.invite"), "{changes}");
    assert_eq!(stage.effects(), [""; 0]);
    stage.server.shut_down().await;
}
