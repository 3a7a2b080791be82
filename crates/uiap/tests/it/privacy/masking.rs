//! What policy masks leaves `uiap mcp` nowhere. Planted texts are looked for in every byte that the server says.

use super::client::Client;
use super::site::Site;
use serde_json::{Value, json};

/// Everything that must not leave.
const SECRETS: [&str; 5] =
    ["Ada Quillfeather", "Quince Street 7", "Orla Vantongeren", "Zeb Hollowmere", "4929-77-01"];
/// What nobody is called.
const OTHER: &str = "Kit Underbarrow";

/// Masks by the class of the data, and by the name that the application gave an element.
const POLICY: &str = "
modelVersion: '0.1'
id: masks
defaults: {onUnknownAction: allow}
rules: []
redaction:
- {id: class, when: {dataClasses: [personal]}, mode: mask}
- {id: name, when: {targets: ['customer.*']}, mode: mask}
";

/// A page that shows personal data in a field, in a message, in the cells of a row and as a choice, and repeats it where
/// nothing declares it.
fn page(color: &str) -> String {
    let [name, street, first, second, number] = SECRETS;
    format!(
        r#"<!doctype html><title>Customer {name}</title><style>* {{ font-family: monospace }}</style>
        <label>Name <input data-uiap-id="customer.name" value="{name}"></label>
        <label>Note <input data-uiap-id="note" value="plain"></label>
        <p role="status" data-uiap-id="street" data-uiap-data-class="personal">{street}</p>
        <table aria-label="Orders">
          <tr><th>Who</th><th>What</th></tr>
          <tr data-uiap-data-class="personal"><td>{first}</td><td><button>Show {second}</button></td></tr>
        </table>
        <div data-uiap-data-class="personal" role="img" aria-label="{number}"
             style="width: 80px; height: 40px; background: {color}"></div>
        <p>Dear {name}, this paragraph is declared by nobody.</p>
        <button onclick="save()">Save</button>
        <button onclick="throw new Error('no {name} here')">Throw</button>
        <button>Write to {name}</button>
        <div id="said"></div>
        <script>
          function save() {{
            const said = document.createElement('p');
            said.setAttribute('role', 'status');
            said.textContent = 'Saved {name} of {street}';
            document.getElementById('said').append(said);
            console.log('{name}');
            history.pushState(null, '', '/?who=' + encodeURIComponent('{name}'));
            fetch('/api/' + encodeURIComponent('{street}'));
          }}
        </script>"#
    )
}

/// Everything that a client can ask for, with nothing in it that tells the server a planted text.
fn ask_for_everything(client: &mut Client, origin: &str) {
    client.call("open", &json!({ "url": origin }));
    client.request("resources/subscribe", &json!({ "uri": "uiap://page" }));
    client.call("look", &json!({}));
    client.call("look", &json!({ "scope": "page" }));
    client.call("look", &json!({ "find": "a" }));
    for target in
        ["customer.name", "street", "button Save", "row", "status", "e1", "e2", "e3", "e4", "e5", "e6"]
    {
        client.call("read", &json!({ "target": target }));
    }
    for (action, target) in [
        ("activate", "button Save"),
        ("activate", "button Throw"),
        ("activate", "button Sav"),
        ("expand", "button"),
    ] {
        client.call("act", &json!({ "action": action, "target": target, "timeout": 5 }));
    }
    let write = json!({ "action": "enterText", "target": "note", "args": { "text": "written" } });
    client.call("act", &write);
    client.call("wait", &json!({ "quiet": 100 }));
    client.call("wait", &json!({ "signals": ["status:Never"], "timeout": 1 }));
    client.call("look", &json!({ "scope": "page" }));
    let traces = client.call("trace", &json!({}));
    let listed = traces.pointer("/structuredContent/actions").and_then(Value::as_array).cloned();
    for line in listed.expect("the actions") {
        let handle = line.as_str().and_then(|line| line.split(' ').next()).expect("a handle").to_owned();
        client.call("trace", &json!({ "handle": handle }));
        client.request("resources/read", &json!({ "uri": format!("uiap://traces/{handle}") }));
    }
    for uri in ["uiap://page", "uiap://traces"] {
        client.request("resources/read", &json!({ "uri": uri }));
    }
    client.request("tools/list", &json!({}));
}

fn planted(heard: &str) -> Vec<String> {
    let spellings = SECRETS.into_iter().flat_map(|secret| {
        let encoded: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
        [secret.to_owned(), secret.replace(' ', "%20"), encoded]
    });
    spellings.filter(|spelling| heard.contains(spelling.as_str())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_policy_masks_leaves_anywhere() {
    let site = Site::start(page("red")).await;
    let talk = move || {
        let mut client = Client::start("masked", Some(POLICY));
        ask_for_everything(&mut client, &site.origin);
        let left = planted(&client.heard);
        let lines = client.heard.lines().filter(|line| !planted(line).is_empty());
        assert!(left.is_empty(), "{left:?} left: {:#?}", lines.collect::<Vec<_>>());
        // What is not masked is there, so that silence proves nothing.
        assert!(client.heard.contains("plain") && client.heard.contains("Save"), "{}", client.heard);
    };
    tokio::task::spawn_blocking(talk).await.expect("the conversation ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_what_is_masked_tells_nothing() {
    let site = Site::start(page("red")).await;
    let talk = move || {
        let mut client = Client::start("guesses", Some(POLICY));
        client.call("open", &json!({ "url": site.origin }));
        let [name, street, first, ..] = SECRETS;
        let mut probe = |tool: &str, ask: &dyn Fn(&str) -> Value, right: &str, member: &str| {
            let told = client.said(tool, &ask(right), member).replace(right, "X");
            let other = client.said(tool, &ask(OTHER), member).replace(OTHER, "X");
            assert_eq!(told, other, "{tool} {}", ask(right));
        };
        for secret in [name, street, first] {
            probe("look", &|text| json!({ "find": text }), secret, "page");
            for wait in ["status:", "toast:", "appeared:status ", "appeared:cell ", "appeared:row "] {
                let ask = |text: &str| json!({ "signals": [format!("{wait}{text}")], "timeout": 1 });
                probe("wait", &ask, secret, "status");
            }
            let target = |text: &str| json!({ "target": format!("status \"{text}\"") });
            probe("read", &target, secret, "error");
        }
        let value = |text: &str| json!({ "signals": [format!("value:customer.name={text}")], "timeout": 1 });
        probe("wait", &value, name, "status");
        let verify = |text: &str| {
            let sign = format!("value:customer.name={text}");
            json!({ "action": "focus", "target": "note", "verify": [sign], "timeout": 2 })
        };
        probe("act", &verify, name, "status");
        probe("act", &verify, name, "why");
        let verify = |text: &str| {
            let sign = format!("status:{text}");
            let key = text.replace(' ', "-");
            json!({ "action": "activate", "target": "button Save", "verify": [sign], "timeout": 2, "key": key })
        };
        probe("act", &verify, street, "status");
    };
    tokio::task::spawn_blocking(talk).await.expect("the conversation ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_is_the_same_whatever_is_masked_on_it() {
    let (red, blue) =
        (Site::start(page("red")).await, Site::start(page("blue").replace("Ada Q", "Ida Q")).await);
    let talk = move || {
        let mut client = Client::start("pictures", Some(POLICY));
        let mut picture = |origin: &str, size: Value| {
            client.call("open", &json!({ "url": origin }));
            let looked = client.call("look", &json!({ "picture": size }));
            looked.pointer("/content/1/data").and_then(Value::as_str).expect("a picture").to_owned()
        };
        for size in [json!("full"), json!(true)] {
            assert!(picture(&red.origin, size.clone()) == picture(&blue.origin, size), "the pictures differ");
        }
    };
    tokio::task::spawn_blocking(talk).await.expect("the conversation ends");
}

#[test]
fn the_command_line_masks_the_same() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let site = runtime.block_on(Site::start(page("red")));
    let folder = Client::start("cli", Some(POLICY)).folder.clone();
    let policy = folder.join("policy.yaml");
    let journal = folder.join("cli.sqlite");
    let run = |words: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_uiap"));
        let ran = command.args(words).output().expect("it runs");
        format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr))
    };
    let (policy, journal) = (policy.to_str().expect("UTF-8"), journal.to_str().expect("UTF-8"));
    let origin = site.origin.as_str();
    let mut said = run(&["look", origin, "--policy", policy]);
    assert!(said.contains("Save"), "{said}");
    said += &run(&["look", origin, "--policy", policy, "--format", "json"]);
    said += &run(&["look", origin, "--policy", policy, "--find", "a", "--watch=1"]);
    let act =
        ["act", origin, "activate", "--target", "button Save", "--policy", policy, "--journal", journal];
    said += &run(&act);
    said += &run(&[&act[..], &["--format", "json", "--key", "again"]].concat());
    said += &run(&["wait", origin, "--policy", policy, "--signal", "status:Never", "--timeout", "1"]);
    let traces = run(&["trace", "--journal", journal]);
    for word in traces.split_whitespace().filter(|word| word.starts_with("act_")) {
        said += &run(&["trace", word, "--journal", journal, "--why"]);
        said += &run(&["trace", word, "--journal", journal, "--format", "json"]);
    }
    assert!(planted(&said).is_empty(), "{:?} left:\n{said}", planted(&said));
}
