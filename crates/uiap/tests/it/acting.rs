//! `uiap act`, `uiap wait` and `uiap trace` with a real browser, and a server that counts what really arrived.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use crate::shared::terminal;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Nothing here takes this long unless it is broken.
const WAIT: Duration = Duration::from_mins(1);
const SECRET: &str = "correct-horse-battery";

const PAGE: &str = "<!doctype html><title>Shop</title>
<script>
const post = async path => { await fetch(path, { method: 'POST' }); said.textContent = 'Arrived: ' + path; };
let marks = '';
if (location.hash === '#late') setInterval(() => { late.textContent = 'The report is ready' + (marks += '.'); }, 1000);
</script>
<button onclick=\"post('/order')\">Count</button>
<button onclick=\"post('/hang')\">Hang</button>
<button onclick=\"post('/delete')\">Delete everything</button>
<button>Idle</button>
<button onclick=\"console.error('the till is broken')\">Break</button>
<label>Name <input id=name></label>
<label>Password <input type=password></label>
<form onsubmit=\"post('/close'); return false\"><label>Reason <input></label><button>Delete account</button></form>
<a href='#' onclick=\"post('/erase')\">Erase all</a>
<label>Publish <select onchange=\"post('/publish')\"><option>later<option>now</select></label>
<p role=status id=said></p><p role=status id=late></p>";

/// A shop, its orders, and a folder for what belongs to one test.
struct Shop {
    port: u16,
    arrived: Arc<(Mutex<Vec<String>>, Condvar)>,
    folder: PathBuf,
}

impl Shop {
    fn open(name: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let arrived = Arc::<(Mutex<Vec<String>>, Condvar)>::default();
        let heard = arrived.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let heard = heard.clone();
                std::thread::spawn(move || serve(&stream, &heard));
            }
        });
        let folder = std::env::temp_dir().join(format!("uiap-acting-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self { port, arrived, folder }
    }

    /// What arrived at the server, in order.
    fn arrived(&self) -> Vec<String> {
        self.arrived.0.lock().expect("a list").clone()
    }

    fn wait_for(&self, path: &str) {
        let list = self.arrived.0.lock().expect("a list");
        let missing = |list: &mut Vec<String>| !list.iter().any(|one| one == path);
        let (list, out) = self.arrived.1.wait_timeout_while(list, WAIT, missing).expect("a list");
        assert!(!out.timed_out(), "{path} never arrived: {list:?}");
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    }

    /// A request to press a button that nothing comes of. Only the outcome is given up soon, and not the way to it as
    /// `--timeout` would.
    fn in_vain(&self, button: &str, key: Option<&str>) -> String {
        let mut request = json!({
            "actionId": "ui.activate", "target": { "ref": { "by": "semantic", "role": "button", "name": button } },
            "verification": { "timeoutMs": 1_000 },
        });
        let named = key.map(|key| ("idempotencyKey".to_owned(), key.into()));
        request.as_object_mut().expect("an object").extend(named);
        self.file(&format!("{button}-{}.json", key.unwrap_or_default()), &request.to_string())
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uiap"));
        let address = format!("http://127.0.0.1:{}/", self.port);
        let late = format!("{address}#late");
        command.args(arguments.iter().map(|argument| match *argument {
            "URL" => address.as_str(),
            "LATE" => late.as_str(),
            argument => argument,
        }));
        command.env("XDG_STATE_HOME", &self.folder).env_remove("NO_COLOR");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        self.command(arguments).output().expect("the command ends").into()
    }

    /// Runs with something on standard input, which is no terminal.
    fn run_with(&self, arguments: &[&str], input: &str) -> Ran {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().expect("the command starts");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it is read");
        child.wait_with_output().expect("the command ends").into()
    }

    /// Runs at a terminal, where somebody answers the question.
    fn run_before_a_person(&self, arguments: &[&str], answer: &str) -> (i32, String) {
        terminal::run_before_a_person(self.command(arguments), answer)
    }

    fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).spawn().expect("the command starts")
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn serve(stream: &TcpStream, heard: &(Mutex<Vec<String>>, Condvar)) {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().and_then(Result::ok).unwrap_or_default();
    while lines.next().and_then(Result::ok).is_some_and(|line| !line.is_empty()) {}
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    if first.starts_with("POST") {
        heard.0.lock().expect("a list").push(path.clone());
        heard.1.notify_all();
        if path == "/hang" {
            std::thread::sleep(WAIT);
            return;
        }
    }
    let body = if path == "/" { PAGE } else { "" };
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close";
    let _ = write!(&mut &*stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
}

/// How a command went.
struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        let code = output.status.code().expect("an exit code");
        Self { code, stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Ran {
    #[track_caller]
    fn says(&self, code: i32, sentences: &[&str]) -> &Self {
        let all = format!("{}\n--\n{}", self.stdout, self.stderr);
        assert_eq!(self.code, code, "{all}");
        for sentence in sentences {
            assert!(all.contains(sentence), "{sentence:?} in\n{all}");
        }
        self
    }

    /// The handle that the last line names.
    fn handle(&self) -> String {
        let last = self.stdout.lines().last().unwrap_or_default();
        last.strip_prefix("Trace: uiap trace ").expect("a handle").to_owned()
    }
}

#[test]
fn only_what_is_served_is_gone_to() {
    let shop = Shop::open("script");
    for (address, reason) in [
        ("javascript:post('/delete')", "a script is no address"),
        ("data:text/html,<script>open('/delete')</script>", "\"data:\" is no address of an application"),
        ("file:///etc/hosts", "\"file:\" is no address of an application"),
    ] {
        shop.run(&["act", "URL", "navigate", "--arg", &format!("url={address}")])
            .says(1, &[reason, "nothing was changed"]);
    }
    assert_eq!(shop.arrived(), Vec::<String>::new());
}

#[test]
fn what_was_done_is_proven_told_and_traced() {
    uiap_testkit::proves!["R005-3.5", "R012-11.1"];
    let shop = Shop::open("done");
    let ran =
        shop.run(&["act", "URL", "activate", "--target", "button \"Count\"", "--verify", "status:Arrived"]);
    ran.says(
        0,
        &[
            "Succeeded: ui.activate on button \"Count\": verified",
            "it took effect",
            "Observed: status:Arrived",
            "changes since rev_",
            "= \"Arrived: /order\"",
        ],
    );
    assert_eq!(ran.stderr, "", "progress is for terminals");
    assert_eq!(shop.arrived(), ["/order"]);
    let handle = ran.handle();
    shop.run(&["trace"]).says(
        0,
        &[
            &format!("{handle} ui.activate: succeeded; it took effect"),
            "1 of 1 succeeded, 1 at the first attempt",
        ],
    );
    let start: String = handle.chars().take(12).collect();
    shop.run(&["trace", &start]).says(
        0,
        &[
            "success is known by",
            "(as the request says)",
            "Around it",
            "app: request.started POST http://127.0.0.1",
            "status.changed Arrived: /order",
            "In the background",
        ],
    );
    shop.run(&["trace", &handle, "--why"])
        .says(0, &["Dispatched by", "it may happen", "said: risk", "bundle: none"]);
    let json = shop.run(&["trace", &handle, "--format", "json"]);
    let story: Value = serde_json::from_str(&json.stdout).expect("JSON and nothing else");
    assert_eq!(story["state"], "ended");
    assert_eq!(story["result"]["status"], "succeeded");
    assert!(story["decisions"][0]["grounds"]["reasons"].is_array(), "{story}");
    assert!(story["trace"]["diagnostics"][0]["relevance"].is_u64(), "{story}");
}

#[test]
fn what_did_not_happen_is_said_so() {
    // Nobody turned on any log for it.
    uiap_testkit::proves!["R005-10.2", "R006-3.5"];
    let shop = Shop::open("failed");
    let idle = shop.in_vain("Idle", None);
    let idle = ["act", "URL", "--request", &idle];
    shop.run(&idle)
        .says(1, &["Failed: ui.activate on button \"Idle\"", "no change", "is not known", "Next: look"]);
    // It may have happened, so it is not done again unless somebody means it.
    shop.run(&idle).says(1, &["unsafe_retry_refused", "--key"]);
    let again = shop.in_vain("Idle", Some("again"));
    let json = shop.run(&["act", "URL", "--request", &again, "--format", "json"]);
    let result: Value = serde_json::from_str(&json.says(1, &[]).stdout).expect("JSON and nothing else");
    assert_eq!((&result["status"], &result["sideEffectState"]), (&json!("failed"), &json!("unknown")));
    let broken = shop.run(&["act", "URL", "--request", &shop.in_vain("Break", None)]);
    shop.run(&["trace", &broken.handle()]).says(0, &["console error", "the till is broken"]);
    let missing = shop.run(&["act", "URL", "activate", "--target", "button:Nowhere"]);
    missing.says(1, &["target_not_found", "nothing was changed", "uiap look"]);
}

#[test]
fn what_is_risky_needs_a_person_at_a_terminal() {
    let shop = Shop::open("risky");
    let delete =
        ["act", "URL", "activate", "--target", "button:Delete everything", "--verify", "status:Arrived"];
    let denied = shop.run(&delete);
    denied.says(1, &["Cancelled", "confirmation_denied", "no terminal", "--policy", "nothing was changed"]);
    // A yes from a pipe is nobody's.
    shop.run_with(&delete, "y\ny\ny\n").says(1, &["confirmation_denied"]);
    assert!(shop.arrived().is_empty());
    let (code, shown) = shop.run_before_a_person(&delete, "");
    assert_eq!((code, shop.arrived().len()), (1, 0), "{shown}");
    let (code, shown) = shop.run_before_a_person(&delete, "yes");
    assert_eq!((code, shop.arrived()), (0, vec!["/delete".to_owned()]), "{shown}");
    for words in ["Press the button \"Delete everything\"", "on the page \"Shop\"", "verifying", "Succeeded"]
    {
        assert!(shown.contains(words), "{words:?} in {shown}");
    }
    shop.run(&["trace", &denied.handle(), "--why"])
        .says(0, &["if a person agrees", "Nothing was dispatched."]);
}

#[test]
fn what_is_risky_is_so_by_any_word_for_it() {
    let shop = Shop::open("words");
    let act = ["act", "URL", "--verify", "status:Arrived"];
    for (more, preview) in [
        (&["submit", "--target", "textbox:Reason"][..], "\"Delete account\""),
        (&["navigate", "--target", "link:Erase all"], "\"Erase all\""),
        (&["setValue", "--target", "combobox:Publish", "--arg", "value=now"], "\"Publish\""),
    ] {
        shop.run(&[&act[..], more].concat()).says(1, &["confirmation_denied", "nothing was changed"]);
        assert!(shop.arrived().is_empty(), "{more:?}");
        let (code, shown) = shop.run_before_a_person(&[&act[..], more].concat(), "");
        assert!(code == 1 && shown.contains(preview), "{more:?}: {shown}");
    }
    assert!(shop.arrived().is_empty());
}

#[test]
fn a_secret_is_never_shown_or_kept() {
    let shop = Shop::open("secret");
    let target = json!({ "ref": { "by": "semantic", "role": "textbox", "name": "Password" } });
    let request = json!({ "actionId": "ui.enterText", "target": target, "args": { "text": SECRET } });
    let path = shop.file("request.json", &request.to_string());
    let piped = shop.run_with(&["act", "URL", "--request", "-"], &request.to_string());
    piped.says(1, &["confirmation_denied"]);
    let (code, shown) = shop.run_before_a_person(&["act", "URL", "--request", &path], "y");
    assert_eq!(code, 0, "{shown}");
    let (_, told) = shop.run_before_a_person(&["act", "URL", "--request", &path, "--format", "json"], "y");
    let traced = shop.run(&["trace", "act_", "--limit", "9"]);
    let listed = shop.run(&["trace", "--format", "json"]);
    for text in [&shown, &told, &piped.stdout, &piped.stderr, &traced.stderr, &listed.stdout] {
        assert!(!text.contains(SECRET), "{text}");
    }
    for entry in std::fs::read_dir(shop.folder.join("uiap")).expect("the journal").flatten() {
        let bytes = std::fs::read(entry.path()).expect("a file");
        let found = bytes.windows(SECRET.len()).any(|part| part == SECRET.as_bytes());
        assert!(!found, "the secret is in {}", entry.path().display());
    }
}

#[test]
fn under_one_key_it_is_done_once() {
    let shop = Shop::open("key");
    let order = ["act", "URL", "activate", "--target", "button:Count", "--key", "order-17"];
    let first = shop.run(&order);
    first.says(0, &["Succeeded"]);
    let second = shop.run(&order);
    second.says(0, &["Succeeded", "Nothing was done now"]);
    assert_eq!((shop.arrived(), second.handle()), (vec!["/order".to_owned()], first.handle()));
    let other = shop.run(&["act", "URL", "activate", "--target", "button:Idle", "--key", "order-17"]);
    other.says(1, &["idempotency_conflict", "Nothing was done"]);
    // It never became an action, and has a trace all the same.
    let handle = other.stderr.rsplit(' ').next().map(str::trim).expect("a handle").to_owned();
    let turned_away =
        ["turned away, idempotency_conflict; nothing was changed", "which asked for something else"];
    shop.run(&["trace", &handle]).says(0, &turned_away);
    shop.run(&["trace"])
        .says(0, &["turned away, idempotency_conflict", "ui.activate: succeeded", "1 of 1 succeeded"]);
    let told = shop.run(&["trace", &handle, "--format", "json"]);
    let story: Value = serde_json::from_str(&told.says(0, &[]).stdout).expect("JSON and nothing else");
    assert_eq!((&story["state"], &story["code"]), (&json!("turned_away"), &json!("idempotency_conflict")));
}

/// Something that takes longer than anybody waits.
#[rustfmt::skip]
const HANG: [&str; 9] =
    ["act", "URL", "activate", "--target", "button:Hang", "--verify", "status:Arrived", "--timeout", "60"];

#[test]
fn a_killed_action_is_unknown_and_not_done_again() {
    let shop = Shop::open("killed");
    let mut child = shop.start(&HANG);
    shop.wait_for("/hang");
    shop.run(&["trace"]).says(0, &["ui.activate: under way"]);
    // Another process acts meanwhile, and takes away nothing of it.
    shop.run(&["act", "URL", "activate", "--target", "button:Count"]).says(0, &["Succeeded"]);
    shop.run(&["trace"]).says(0, &["ui.activate: under way", "ui.activate: succeeded"]);
    kill_process(Pid::from_child(&child), Signal::KILL).expect("it runs");
    child.wait().expect("it ends");
    let listed = shop.run(&["trace"]);
    listed.says(0, &["its process died", "whether it took effect is unknown"]);
    let handle = listed.stdout.split(' ').nth(1).expect("a handle").to_owned();
    shop.run(&["trace", &handle]).says(0, &["unsafe_retry_refused", "about to do it by"]);
    shop.run(&HANG).says(1, &["unsafe_retry_refused", &handle, "Nothing was done"]);
    shop.run(&["trace", &handle]).says(0, &["failed; whether it took effect is unknown"]);
    assert_eq!(shop.arrived(), ["/hang", "/order"]);
}

#[test]
fn an_interrupted_action_has_an_outcome() {
    let shop = Shop::open("interrupted");
    for signal in [Signal::INT, Signal::TERM] {
        let child = shop.start(&[&HANG[..], &["--key", &format!("{signal:?}")]].concat());
        let seen = shop.arrived().len();
        shop.wait_for("/hang");
        while shop.arrived().len() == seen && seen > 0 {
            std::thread::yield_now();
        }
        kill_process(Pid::from_child(&child), signal).expect("it runs");
        let ran = Ran::from(child.wait_with_output().expect("it ends"));
        ran.says(
            1,
            &["Cancelled: ui.activate on button \"Hang\": cancelled (you stopped it)", "is not known"],
        );
        shop.run(&["trace", &ran.handle()]).says(0, &["cancelled; whether it took effect is unknown"]);
    }
}

#[test]
fn policies_and_bundles_are_checked_and_obeyed() {
    let shop = Shop::open("policy");
    let idle = ["act", "URL", "activate", "--target", "button:Count"];
    let policy = |effect: &str| {
        format!(
            "modelVersion: '0.1'\nid: p\ndefaults: {{onUnknownAction: deny}}\nrules:\n\
             - {{id: no-orders, when: {{actions: [ui.activate]}}, effect: {effect}, reason: The shop is closed.}}\n"
        )
    };
    let good = shop.file("policy.yaml", &policy("deny"));
    let refused = shop.run(&[&idle[..], &["--policy", &good]].concat());
    refused.says(1, &["policy_denied", "The shop is closed", "nothing was changed", "--why"]);
    shop.run(&["trace", &refused.handle(), "--why"]).says(0, &["it may not happen", "rule: no-orders"]);
    let bad = shop.file("bad.yaml", &policy("denied"));
    shop.run(&[&idle[..], &["--policy", &bad]].concat()).says(1, &["error[unknown_word]", "bad.yaml:5"]);
    let bundle = |core: &str| {
        json!({ "packageId": "shop.uiap", "version": "0.1.0", "profile": "web@0.1",
            "buildContext": { "environment": "dev", "channel": "dev", "locale": "en" },
            "compatibility": { "uiapCore": core }, "app": { "appId": "shop", "displayName": "Shop" },
            "bindings": { "elements": [{ "id": "shop.order", "risk": "blocked",
                "match": [{ "by": "semantic", "role": "button", "name": "Count" }] }] } })
    };
    let later = shop.file("later.json", &bundle(">=7").to_string());
    shop.run(&[&idle[..], &["--bundle", &later]].concat()).says(2, &["needs the core in >=7"]);
    let fitting = shop.file("bundle.json", &bundle(">=0.1 <0.2").to_string());
    let named = ["act", "URL", "activate", "--target", "shop.order", "--bundle", &fitting];
    let ran = shop.run(&named);
    assert_eq!(ran.code, 1, "{} {}", ran.stdout, ran.stderr);
    let why = shop.run(&["trace", &ran.handle(), "--why"]);
    why.says(0, &["the bundle at /bindings/elements/0", "bundle: shop.uiap 0.1.0"]);
    assert!(shop.arrived().is_empty());
}

#[test]
fn why_goes_back_to_the_review_and_the_evidence() {
    let shop = Shop::open("why");
    let reviewed = |state: &str, item: &str| {
        json!({ "target": { "manifestId": "shop.manifest", "itemId": item }, "state": state, "by": "patrick",
            "at": "2026-03-26T17:00:00Z", "comment": "Looked at twice." })
    };
    let bundle = json!({ "packageId": "shop.uiap", "version": "0.1.0", "profile": "web@0.1",
        "buildContext": { "environment": "dev", "channel": "dev", "locale": "en" },
        "compatibility": { "uiapCore": ">=0.1 <0.2" }, "app": { "appId": "shop", "displayName": "Shop" },
        "bindings": { "elements": [{ "id": "shop.order", "risk": "safe",
            "match": [{ "by": "semantic", "role": "button", "name": "Count" }],
            "metadata": {
                "reviews": [reviewed("approved", "shop.order"), { "state": "approved" }],
                "provenance": [{ "source": "discovery", "ref": "run_7/ev_3", "at": "2026-03-20T09:00:00Z", "note": "Seen on two pages." }] } }] },
        "policies": [{ "id": "shop.policies", "document": { "modelVersion": "0.1", "id": "p",
            "defaults": { "onUnknownAction": "deny" }, "metadata": { "reviews": [reviewed("needs_review", "p")] },
            "rules": [{ "id": "no-orders", "when": { "actions": ["ui.activate"] }, "effect": "deny", "reason": "Closed." }] } }] });
    let file = shop.file("bundle.json", &bundle.to_string());
    let ran = shop.run(&["act", "URL", "activate", "--target", "shop.order", "--bundle", &file]);
    ran.says(1, &["policy_denied", "no digest"]);
    let why = shop.run(&["trace", &ran.handle(), "--why"]);
    why.says(
        0,
        &[
            "  rule: no-orders\n",
            "  said: rule no-orders: the bundle at /policies/0/document/rules/0\n",
            "  said: risk safe of shop.order: the bundle at /bindings/elements/0\n",
            "  bundle: shop.uiap 0.1.0\n",
            "  review: the bundle at /bindings/elements/0: approved by patrick at 2026-03-26T17:00:00Z as \
             shop.manifest shop.order: Looked at twice.\n",
            "  review: the bundle at /bindings/elements/0: something that cannot be read\n",
            "  review: the bundle at /policies/0/document/rules/0: needs_review by patrick",
            "  evidence: the bundle at /bindings/elements/0: discovery run_7/ev_3 at 2026-03-20T09:00:00Z: \
             Seen on two pages.\n",
        ],
    );
    let mut bare = bundle;
    bare["bindings"]["elements"][0]["metadata"] = json!({});
    bare["policies"] = json!([]);
    let file = shop.file("bare.json", &bare.to_string());
    let ran = shop.run(&["act", "URL", "activate", "--target", "shop.order", "--bundle", &file]);
    let why = shop.run(&["trace", &ran.handle(), "--why"]);
    why.says(0, &["review: the bundle carries none for this", "evidence: the bundle carries none for this"]);
}

#[test]
fn waiting_ends_with_a_reason() {
    let shop = Shop::open("wait");
    shop.run(&["wait", "LATE", "--signal", "status:report is ready"])
        .says(0, &["Observed, after", "status:report"]);
    shop.run(&["wait", "URL", "--quiet", "300"]).says(0, &["Quiet, after", "Revision: rev_"]);
    shop.run(&["wait", "URL", "--change-since", "rev_none_1"]).says(1, &["nobody remembers this revision"]);
    let never = [
        "wait",
        "LATE",
        "--signal",
        "toast:Never",
        "--signal",
        "status:ready",
        "--timeout",
        "8",
        "--format",
        "json",
    ];
    let ran = shop.run(&never);
    let waited: Value = serde_json::from_str(&ran.says(1, &[]).stdout).expect("JSON and nothing else");
    assert_eq!(
        (&waited["completion"], waited["observed"].as_array().map(Vec::len)),
        (&json!("deadline"), Some(1))
    );
    assert_eq!(waited["missing"][0]["text"], "Never");
    shop.run(&[&never[..6], &["--any", "--timeout", "20"]].concat()).says(0, &["Missing: toast:Never"]);
}

#[test]
fn wrong_use_is_told_before_a_browser_starts() {
    let shop = Shop::open("wrong");
    let act = ["act", "URL", "activate", "--browser", "no-such-browser"];
    for (more, code, sentence) in [
        (&["--arg", "text"][..], 2, "name=text or name:=JSON"),
        (&["--arg", "value:={"], 2, "is not JSON"),
        (&["--verify", "toats:Saved"], 2, "did you mean toast"),
        (&["--verify", "none", "--verify", "toast:Saved"], 2, "--verify none stands alone"),
        (&["--in", "somewhere"], 2, "--target"),
        (&["--policy", "no-such-file.yaml"], 2, "no-such-file.yaml"),
        (&["--request", "-"], 2, "cannot be used with"),
        (&["--target", "button:Count"], 3, "no-such-browser"),
    ] {
        shop.run(&[&act[..], more].concat()).says(code, &[sentence]);
    }
    shop.run(&["act", "URL"]).says(2, &["ACTION"]);
    shop.run_with(&["act", "URL", "--request", "-"], "{\"actionId\": 7}").says(1, &["<stdin>:1"]);
    shop.run(&["act", "URL", "aktivate", "--target", "button:Count"])
        .says(2, &["action_unsupported", "activate"]);
    shop.run(&["act", "URL", "activate", "--target", "e999"]).says(2, &["There is no \"e999\" on this page"]);
    shop.run(&["wait", "URL"]).says(2, &["--signal"]);
    // Ids are hex digits and may be shortened: only a name that no id begins with is surely unknown.
    shop.run(&["trace", "act_x"]).says(2, &["knows no action \"act_x\""]);
    shop.run(&["trace", "--journal", "/nowhere/at/all"]).says(3, &["no journal at"]);
    assert!(shop.arrived().is_empty());
}
