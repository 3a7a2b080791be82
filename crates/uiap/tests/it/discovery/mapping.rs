//! `uiap discover` on a real application in a real browser: what it finds is held against a list made by hand, and that
//! it wrote nothing against the ledger of the application.

use crate::discovery::videoland::{Stage, login};
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use uiap_protocol::discovery::DiscoveryPackage;
use uiap_protocol::text::Node;
use uiap_protocol::wire::accept;
use uiap_testkit::listed::compare;

/// What is on the list and is not found: the page that an address shows that is nobody's is never asked for. What stands
/// behind buttons that the application keeps for people or says cost money does not count, see [`uiap_testkit::listed`].
const NOT_ASKED_FOR: [&str; 1] = ["not_found link \"Zur Übersicht\""];

/// How long a run may take to find its first states, before it is killed.
const WAIT: Duration = Duration::from_mins(2);

/// How often is looked whether it did.
const POLL: Duration = Duration::from_millis(50);

/// Where what is found is kept, in the folder of a test.
const MAP: &str = "map";

/// Maps the application in the name of its administrator.
fn discover(stage: &Stage, more: &[&str]) -> Command {
    let (base, login) = (format!("{}/", stage.server.origin()), stage.file("login.yaml", &login("admin")));
    stage.command(&[&["discover", &base, "-o", MAP, "--login", &login], more].concat())
}

async fn discovered(stage: &Stage, more: &[&str]) -> Output {
    let mut command = discover(stage, more);
    let output = tokio::task::spawn_blocking(move || command.output()).await.expect("it runs");
    output.expect("the command starts")
}

fn logbook(stage: &Stage) -> Vec<Value> {
    let text = std::fs::read_to_string(stage.folder.join(MAP).join("logbook.jsonl")).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// What the application was asked to write, besides letting people in.
async fn writes(stage: &Stage) -> Vec<String> {
    let written = fetch(&stage.server.origin(), "/__test/writes").await;
    let writes = written["writes"].as_array().expect("writes").iter();
    let writes = writes.map(|write| format!("{} {}", write["method"], write["path"]));
    writes.filter(|write| !write.contains("/api/login")).collect()
}

/// What a server answers, as JSON.
async fn fetch(origin: &str, path: &str) -> Value {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let host = origin.strip_prefix("http://").expect("a plain address");
    let mut stream = tokio::net::TcpStream::connect(host).await.expect("a connection");
    let asked = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    stream.write_all(asked.as_bytes()).await.expect("it is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("it is answered");
    let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
    serde_json::from_str(body).expect("JSON")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_application_is_mapped_and_nothing_is_written() {
    uiap_testkit::proves![
        "DSC-10.2-2",
        "DSC-11.1-1",
        "DSC-11.1-2",
        "DSC-11.1-3",
        "DSC-11.1-4",
        "DSC-11.1-5",
        "DSC-11.1-6",
        "DSC-11.1-7",
        "DSC-11.2-1",
        "DSC-11.2-2",
        "DSC-11.2-4",
        "DSC-11.2-5",
        "DSC-11.2-6",
        "DSC-11.5-3",
        "DSC-13-1",
        "DSC-17-1",
        "DSC-17-2",
        "DSC-17-4",
        "DSC-17-5",
        "DSC-4-1",
        "DSC-1-2",
        "DSC-19-1",
        "DSC-3-1",
        "DSC-12.1-1",
        "DSC-12.4-1",
    ];
    let stage = Stage::new("whole").await;
    let output = discovered(&stage, &["--jobs", "2", "--seed", "/login"]).await;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    assert_eq!(stage.effects(), [""; 0]);
    assert_eq!(writes(&stage).await, [""; 0]);
    let package = stage.package(MAP);
    if let Err(findings) = accept::<DiscoveryPackage>(&Node::from_json(&package)) {
        panic!("the package is not sound: {findings:?}");
    }
    assert_eq!(package["run"]["status"], "completed");
    everything_of_the_list_is_found(&package);
    the_run_is_on_record(&package);
    evidence_is_kept(&stage, &package);
    decisions_come_before_deeds(&logbook(&stage));
    let targets: Vec<_> = package["transitionGraph"]["edges"].as_array().expect("edges").iter().collect();
    let by_id = targets.iter().filter(|edge| edge["target"]["by"] == "stableId").count();
    assert!(by_id > 10, "what has a stable id is named by it: {by_id}");
    assert!(
        stage.folder.join(MAP).join("report.html").exists()
            && stage.folder.join(MAP).join("promoted.uiap.yaml").exists()
    );
    let approved = package.to_string().contains("\"approved\"");
    assert!(!approved, "a map approves nothing");
    stage.server.shut_down().await;
}

/// Routes and actions against the list that people made.
fn everything_of_the_list_is_found(package: &Value) {
    let list = include_str!("../../../../../examples/videoland/ground-truth.json");
    let list: Value = serde_json::from_str(list).expect("JSON");
    let compared = compare(package, &list);
    assert!(compared.routes.missing.is_empty(), "routes {}: {:#?}", compared.routes, compared.routes.missing);
    assert_eq!(compared.actions.missing, NOT_ASKED_FOR, "actions {}", compared.actions);
}

fn the_run_is_on_record(package: &Value) {
    let environment = &package["environment"];
    assert!(environment["baseUrl"].is_string() && environment["budgets"]["maxStates"].is_u64());
    assert_eq!(environment["safety"]["defaultMode"], "safe_explore");
    let seeds = package["run"]["seeds"].as_array().expect("seeds");
    assert_eq!(seeds.len(), 2);
    assert_eq!(package["coverage"]["seedsVisited"], 2);
    let metadata = package["metadata"].to_string();
    assert!(environment["featureFlags"].is_object() && environment["principalProfiles"].is_array());
    for word in ["loopback", "web@0.1", "uiap.discovery"] {
        assert!(metadata.contains(word), "{word} is on record: {metadata}");
    }
    let order = ["preparing", "seeding", "exploring", "extracting", "synthesizing", "reviewing"];
    let places: Vec<_> =
        order.iter().map(|phase| metadata.find(&format!("\"{phase}\"")).expect("a phase")).collect();
    assert!(places.is_sorted(), "{metadata}");
}

fn evidence_is_kept(stage: &Stage, package: &Value) {
    let records = package["evidenceIndex"]["records"].as_array().expect("records");
    for kind in ["page_graph", "screenshot", "ax_tree"] {
        let kept: Vec<_> = records.iter().filter(|record| record["kind"] == kind).collect();
        assert_eq!(
            kept.len(),
            package["transitionGraph"]["states"].as_array().expect("states").len(),
            "{kind}"
        );
        for record in kept {
            let file = stage.folder.join(MAP).join(record["uri"].as_str().expect("a file"));
            let bytes = std::fs::read(&file).expect("evidence");
            assert!(
                !bytes.is_empty() && !String::from_utf8_lossy(&bytes).contains("videoland\""),
                "{}",
                file.display()
            );
        }
    }
}

fn decisions_come_before_deeds(logbook: &[Value]) {
    let mut decided = 0;
    let mut made = 0;
    for line in logbook {
        if let Some(decision) = line.get("decided") {
            assert_eq!(decision["decision"]["effect"], "allow");
            decided += 1;
        }
        made += usize::from(line.get("made").is_some());
        assert!(decided >= made, "something was done before it was decided");
    }
    assert!(made > 20, "{made}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_only_looks_presses_nothing() {
    uiap_testkit::proves!["DSC-8-2", "DSC-11.2-1"];
    let stage = Stage::new("looking").await;
    let output = discovered(
        &stage,
        &["--mode", "observe-only", "--jobs", "1", "--seed", "/videos/new", "--seed", "/team"],
    )
    .await;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let package = stage.package(MAP);
    assert_eq!(package["transitionGraph"]["edges"].as_array().expect("edges").len(), 0);
    assert_eq!(package["transitionGraph"]["states"].as_array().expect("states").len(), 3);
    assert!(logbook(&stage).iter().all(|line| line.get("took").is_none()));
    assert_eq!(stage.effects(), [""; 0]);
    stage.server.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_was_killed_goes_on_where_it_ended() {
    uiap_testkit::proves!["DSC-17-11"];
    let stage = Stage::new("killed").await;
    let budget = ["--jobs", "1", "--max-transitions", "14"];
    let mut child =
        discover(&stage, &budget).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let made = |stage: &Stage| logbook(stage).iter().filter(|line| line.get("made").is_some()).count();
    let until = std::time::Instant::now() + WAIT;
    while made(&stage) < 4 {
        assert!(std::time::Instant::now() < until, "nothing is found");
        tokio::time::sleep(POLL).await;
    }
    child.kill().expect("it is killed");
    child.wait().expect("it ended");
    let before = made(&stage);
    let output = discovered(&stage, &budget).await;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let package = stage.package(MAP);
    let all: u64 = made(&stage).try_into().expect("few");
    assert!(
        all <= 14 && made(&stage) > before,
        "{before} before, {all} in all: the budget is for both together"
    );
    let graphs: Vec<_> = logbook(&stage)
        .iter()
        .filter_map(|line| line["landing"]["graph"].as_str().map(str::to_owned))
        .collect();
    let different: BTreeSet<_> = graphs.iter().collect();
    assert_eq!(different.len(), graphs.len(), "no page is kept twice");
    let again = logbook(&stage).iter().filter(|line| line["landing"]["state"].is_u64()).count();
    assert!(again > 0, "nothing was seen twice, so that nothing is shown");
    let kept =
        std::fs::read_dir(stage.folder.join(MAP).join("evidence")).expect("evidence").filter_map(Result::ok);
    let kept = kept.filter(|entry| entry.file_name().to_string_lossy().ends_with(".graph.json")).count();
    assert_eq!(kept, graphs.len(), "what is seen again is not written again");
    assert_eq!(package["transitionGraph"]["states"].as_array().expect("states").len(), graphs.len());
    assert_eq!(stage.effects(), [""; 0]);
    stage.server.shut_down().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_mapped_is_said() {
    uiap_testkit::proves!["DSC-SEC-1", "DSC-2-1"];
    let stage = Stage::new("unmapped").await;
    let uiap = |folder: &str, args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_uiap"))
            .arg("discover")
            .args(args)
            .arg("-o")
            .arg(stage.folder.join(folder))
            .output()
            .expect("the command starts");
        (
            output.status.code(),
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)),
        )
    };
    let (code, said) = uiap("elsewhere", &["https://shop.example/"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("--authorized"), "{said}");
    let (code, said) = uiap("secret", &["http://ada:lovelace@127.0.0.1/"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("holds a user name or a password") && !said.contains("lovelace"), "{said}");
    let closed = uiap_testkit::ClosedPort::take().expect("a port");
    let (code, said) = uiap("nobody", &[&format!("http://{}/", closed.address())]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("could not go on") && said.contains("cannot be reached"), "{said}");
    let (code, said) =
        uiap("seeds", &[&stage.server.origin(), "--seed", "route:nowhere", "--mode", "observe-only"]);
    assert_eq!(code, Some(0), "{said}");
    let package = std::fs::read_dir(stage.folder.join("seeds")).expect("a folder").filter_map(Result::ok);
    let package =
        package.map(|entry| entry.path()).find(|path| path.to_string_lossy().ends_with(".discovery.json"));
    let text = std::fs::read_to_string(package.expect("a package")).expect("a file");
    assert!(
        text.contains("coverage_gap") && text.contains("nowhere"),
        "the seed that led nowhere is a question"
    );
    stage.server.shut_down().await;
}
