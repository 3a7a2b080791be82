//! The tools that a model is told about: each argument, each action and each signal of their descriptions is used.

use super::extract;
use super::site::Site;
use crate::mcp::{Client, at, stateless_meta};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use uiap_runtime::catalogue::{ActionExample, Native};
use uiap_runtime::words::SIGNAL_FORMS;

/// What makes a signal observable on the practice page: an action, its target and its arguments.
const TRIGGERS: [(&str, &str, &str, &str); 14] = [
    ("toast", "activate", "button \"Save\"", "{}"),
    ("status", "activate", "button \"Run\"", "{}"),
    ("route", "navigate", "", r#"{"url": "/videos"}"#),
    ("appeared", "activate", "button \"Change\"", "{}"),
    ("disappeared", "activate", "button \"Undo\"", "{}"),
    ("value", "enterText", "textbox \"Name\"", r#"{"text": "Ada"}"#),
    ("dialog.opened", "activate", "button \"Help\"", "{}"),
    ("dialog.closed", "close", "dialog \"Tips\"", "{}"),
    ("response", "activate", "button \"Refresh\"", "{}"),
    ("validation.none", "enterText", "textbox \"Name\"", r#"{"text": "Grace"}"#),
    ("entity.created", "activate", "button \"Make a video\"", "{}"),
    ("entity.updated", "activate", "button \"Rename the video\"", "{}"),
    ("entity.deleted", "activate", "button \"Drop the video\"", "{}"),
    ("custom", "activate", "button \"Export\"", "{}"),
];

/// A bundle that knows the routes of the practice page.
fn bundle() -> String {
    json!({
        "packageId": "practice.uiap", "version": "0.1.0", "profile": "web@0.1",
        "buildContext": { "environment": "dev", "channel": "dev", "locale": "en" },
        "compatibility": { "uiapCore": ">=0.1 <0.2" },
        "app": { "appId": "practice", "displayName": "Practice" },
        "bindings": { "routes": [{ "id": "video", "match": [{ "kind": "path", "value": "/videos/:id" }] }] },
    })
    .to_string()
}

/// A model that uses everything, and what it has used.
struct Model {
    client: Client,
    page: String,
    /// Tools with their arguments, actions with theirs, and the words that were said to them.
    used: BTreeSet<String>,
}

impl Model {
    /// Calls a tool before a person who agrees, and demands that it says so.
    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let agrees = json!({ "action": "accept", "content": { "agree": true } });
        let mut answer = self.client.call(tool, arguments, None);
        while at(&answer, "/resultType") == "input_required" {
            let state = at(&answer, "/requestState").to_owned();
            answer = self.client.call(tool, arguments, Some((&state, &agrees)));
        }
        assert_ne!(answer.get("isError"), Some(&json!(true)), "{tool} {arguments}: {answer}");
        self.used.extend(members(arguments).map(|(name, _)| format!("{tool}.{name}")));
        answer
    }

    fn open(&mut self) {
        let page = json!({ "url": self.page });
        self.call("open", &page);
    }

    /// Performs an action on the page as it is.
    fn act(&mut self, action: &str, target: &str, args: &Value, verify: Option<&str>) {
        let mut call = Map::from_iter([("action".to_owned(), json!(action))]);
        call.extend((!target.is_empty()).then(|| ("target".to_owned(), json!(target))));
        call.extend(
            args.as_object().filter(|args| !args.is_empty()).map(|args| ("args".to_owned(), json!(args))),
        );
        call.extend(verify.map(|signal| ("verify".to_owned(), json!([signal]))));
        let answer = self.call("act", &call.into());
        assert_eq!(
            at(&answer, "/structuredContent/status"),
            "succeeded",
            "{action} {target} {args}: {answer}"
        );
        self.used.insert(action.to_owned());
        for (name, value) in members(args) {
            let word = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            self.used.extend([format!("{action} {name}"), format!("{action} {name} {word}")]);
        }
        self.used.extend(verify.map(|signal| format!("verify {signal}")));
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// The arguments of an example.
fn args_of(example: &ActionExample, file: &str) -> Value {
    let value = |text: &str| serde_json::from_str(&text.replace("/path/to/report.pdf", file));
    let args = example
        .arguments
        .iter()
        .map(|(name, text)| ((*name).to_owned(), value(text).expect("the value of an example is JSON")));
    Value::Object(args.collect())
}

#[test]
fn whatever_the_tools_describe_can_be_done() {
    let site = Site::start();
    let folder = folder("described");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    };
    let (report, bundle) = (file("report.pdf", "a report"), file("practice.bundle.json", &bundle()));
    let client = Client::start("described", &["--bundle", &bundle]);
    let mut model = Model { client, page: site.address("/"), used: BTreeSet::new() };
    let listed = model.client.request("tools/list", &json!({ "_meta": stateless_meta() }));
    let described = listed.pointer("/result/tools").and_then(Value::as_array).cloned().expect("tools");

    for (id, native) in Native::all() {
        for example in native.usage().examples {
            model.open();
            let target = example.target.unwrap_or_default();
            model.act(Native::short_word(id), target, &args_of(example, &report), None);
        }
    }
    for form in &SIGNAL_FORMS {
        let trigger = TRIGGERS.iter().find(|(word, ..)| *word == form.word);
        let (_, action, target, args) =
            trigger.unwrap_or_else(|| panic!("nothing makes {} observable", form.word));
        model.open();
        if form.word == "disappeared" {
            model.act("activate", "button \"Change\"", &json!({}), None);
        }
        model.act(action, target, &serde_json::from_str(args).expect("JSON"), Some(form.example));
    }
    others(&mut model);

    for tool in &described {
        for (name, _) in members(tool.pointer("/inputSchema/properties").unwrap_or(&Value::Null)) {
            let call = format!("{}.{name}", at(tool, "/name"));
            assert!(model.used.contains(&call), "no test uses the argument {call}");
        }
    }
    // The help text shows the rare ones, too; the command line takes them by the same function.
    for (id, native) in Native::all().filter(|(_, native)| !native.usage().examples.is_empty()) {
        for argument in native.usage().arguments {
            let argument = format!("{} {}", Native::short_word(id), argument.shown_name());
            assert!(model.used.contains(&argument), "no example gives {argument}");
        }
    }
    let act = described.iter().find(|tool| at(tool, "/name") == "act").expect("act is there");
    for described in extract::actions(at(act, "/description")) {
        assert!(model.used.contains(&described.action), "no test performs {}", described.action);
        for (name, words) in &described.arguments {
            let argument = format!("{} {name}", described.action);
            assert!(model.used.contains(&argument), "no test gives {argument}");
            for word in words {
                assert!(
                    model.used.contains(&format!("{argument} {word}")),
                    "no test gives {argument} as {word}"
                );
            }
        }
    }
    let verify = at(act, "/inputSchema/properties/verify/description");
    let (_, forms) = verify.split_once(": ").expect("it lists signals");
    for form in forms.split(", ") {
        let word = form.split(':').next().unwrap_or(form);
        let is_it = |used: &&String| {
            used.strip_prefix("verify ").is_some_and(|used| used.split(':').next() == Some(word))
        };
        assert!(model.used.iter().any(|used| is_it(&used)), "no test observes {form}");
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

/// The calls that are no actions, and the arguments that all actions have in common.
fn others(model: &mut Model) {
    model.open();
    for look in [
        json!({}),
        json!({ "scope": "page" }),
        json!({ "scope": "videos.table", "from": 1 }),
        json!({ "find": "Save" }),
        json!({ "picture": true }),
        json!({ "picture": "full" }),
    ] {
        model.call("look", &look);
    }
    let edit = json!({
        "action": "activate", "target": "button \"Edit\"", "in": "videos.table", "key": "edit-once", "timeout": 20,
    });
    model.call("act", &edit);
    model.act("enterText", "textbox \"Name\"", &json!({ "text": "Ada" }), None);
    model.call("read", &json!({ "target": "textbox \"Name\"" }));
    let named = "value:textbox \"Name\"=Ada";
    model.call("wait", &json!({ "signals": [named, "toast:Never"], "any": true, "timeout": 20 }));
    model.call("wait", &json!({ "quiet": 50 }));
    let traces = model.call("trace", &json!({}));
    let latest = at(&traces, "/structuredContent/actions/0").split(' ').next().unwrap_or_default().to_owned();
    model.call("trace", &json!({ "handle": latest }));
    model.call("wait", &json!({ "handle": latest }));
    model.call("note.add", &json!({ "text": "Bread" }));
}

#[test]
fn every_tool_says_whether_it_changes_something() {
    let site = Site::start();
    let mut client = Client::start("annotations", &[]);
    client.call("open", &json!({ "url": site.address("/") }), None);
    let listed = client.request("tools/list", &json!({ "_meta": stateless_meta() }));
    let tools = listed.pointer("/result/tools").and_then(Value::as_array).expect("tools");
    assert!(tools.iter().any(|tool| at(tool, "/name") == "note.add"), "{listed}");
    for tool in tools {
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            let said = tool.pointer(&format!("/annotations/{hint}"));
            assert!(said.is_some_and(Value::is_boolean), "{} has no {hint}", at(tool, "/name"));
        }
        for (name, schema) in members(tool.pointer("/inputSchema/properties").unwrap_or(&Value::Null)) {
            let is_plain =
                matches!(name.as_str(), "url" | "action" | "target" | "handle" | "signals" | "text" | "key");
            let is_described = schema.get("description").is_some();
            assert!(is_plain || is_described, "{}.{name} is not described", at(tool, "/name"));
        }
    }
}

/// A folder for one test.
pub(super) fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("uiap-documented-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn every_call_in_the_document_about_tools_works() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let options =
        videoland::Options { language: videoland::Language::English, ..videoland::Options::default() };
    let videoland = runtime.block_on(videoland::Server::start(options)).expect("Videoland starts");
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mcp.md");
    let document = std::fs::read_to_string(path).expect("the document is there");
    let lines =
        extract::blocks(&document, "json").concat().replace("http://127.0.0.1:4870", &videoland.origin());
    let calls: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("a call is JSON")).collect();
    assert!(calls.len() >= 6, "{lines}");
    let client = Client::start("document", &[]);
    let mut model = Model { client, page: String::new(), used: BTreeSet::new() };
    for call in &calls {
        model.call(at(call, "/name"), call.get("arguments").unwrap_or(&Value::Null));
    }
}
