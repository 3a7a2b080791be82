//! Consent through `uiap mcp` where the client has no forms: a person agrees with a code that the model does not see, and
//! no agent agrees for them.

#![expect(clippy::expect_used, clippy::string_slice, reason = "a test may fail loudly")]

use crate::mcp::{Client, at, folder_of};
use crate::shared::terminal::open_terminal;
use crate::troubles::site::{Reply, Site};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Wrong codes that end a question.
const TRIES_MAX: usize = 5;

/// Where the person of a test looks.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Person {
    AtDesktop,
    AtBrowser,
    Away,
}

/// A server, and a person who is reached by the programs of a desktop, as on any machine. These write down what they are
/// told to show.
pub(crate) fn serve(name: &str, person: Person) -> Client {
    let folder = folder_of(name);
    let mut command = without_terminal();
    command.arg(env!("CARGO_BIN_EXE_uiap")).arg("mcp").arg("--journal").arg(folder.join("journal.sqlite"));
    furnish(&mut command, &folder, person);
    command.stdin(Stdio::piped());
    let mut client = Client::run(command, folder);
    client.initialize();
    client
}

/// A command that no terminal controls, whoever runs the tests.
fn without_terminal() -> Command {
    Command::new("setsid")
}

fn furnish(command: &mut Command, folder: &Path, person: Person) {
    let programs = folder.join("bin");
    std::fs::create_dir_all(&programs).expect("a folder");
    for program in ["notify-send", "xdg-open"] {
        let file = programs.join(program);
        let shown = folder.join(program).display().to_string();
        std::fs::write(&file, format!("#!/bin/sh\nprintf '%s\\n' \"$@\" >> '{shown}'\n")).expect("a program");
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).expect("a program");
    }
    let path = std::env::var("PATH").expect("a path");
    command.env("PATH", format!("{}:{path}", programs.display()));
    for variable in ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY"] {
        command.env_remove(variable);
    }
    let variable = match person {
        Person::AtDesktop => Some(("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")),
        Person::AtBrowser => Some(("WAYLAND_DISPLAY", "wayland-0")),
        Person::Away => None,
    };
    command.envs(variable);
    command.stderr(File::create(folder.join("stderr")).expect("a file"));
}

/// What a program of the desktop was told to show.
fn shown(client: &Client, program: &str) -> String {
    std::fs::read_to_string(client.folder.join(program)).unwrap_or_default()
}

/// The last code in a text.
fn code_in(text: &str) -> String {
    let is_code = |word: &&str| {
        word.len() == 9
            && word.chars().nth(4) == Some('-')
            && word.chars().all(|letter| letter == '-' || letter.is_ascii_alphanumeric())
    };
    let words: Vec<_> = text.split(|letter: char| letter != '-' && !letter.is_ascii_alphanumeric()).collect();
    words.into_iter().rev().find(is_code).expect("a code").to_owned()
}

/// An address of this machine in a text.
fn address_in(text: &str) -> String {
    let address = text.split("http://127.0.0.1:").nth(1).expect("an address");
    let end = address
        .find(|letter: char| letter != '/' && !letter.is_ascii_alphanumeric())
        .unwrap_or(address.len());
    format!("http://127.0.0.1:{}", &address[..end])
}

fn call(client: &mut Client, tool: &str, arguments: &Value) -> Value {
    let answer = client.request("tools/call", &json!({ "name": tool, "arguments": arguments }));
    answer.pointer("/result/structuredContent").cloned().unwrap_or(answer)
}

fn press(name: &str) -> Value {
    json!({ "action": "activate", "target": format!("button \"{name}\"") })
}

/// What a page answers to a browser that sends these headers: its status and text.
fn http(address: &str, headers: &[(&str, &str)], form: Option<&str>) -> (u16, String) {
    let (host, path) = address.trim_start_matches("http://").split_once('/').expect("a path");
    let mut stream = TcpStream::connect(host).expect("it listens");
    let method = if form.is_some() { "POST" } else { "GET" };
    let mut request = format!("{method} /{path} HTTP/1.1\r\nConnection: close\r\n");
    let own = [("Host", host), ("Content-Type", "application/x-www-form-urlencoded")];
    for (name, value) in
        own.iter().filter(|(name, _)| !headers.iter().any(|(other, _)| other == name)).chain(headers)
    {
        request.extend([name, ": ", value, "\r\n"]);
    }
    let body = form.unwrap_or_default();
    write!(stream, "{request}Content-Length: {}\r\n\r\n{body}", body.len()).expect("it is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, answer)
}

/// Sends the form of an approval page as a browser does.
fn decide(address: &str, agree: &str, code: &str) -> (u16, String) {
    let (_, page) = http(address, &[], None);
    let own = page.split("name=\"answer_with\" value=\"").nth(1).unwrap_or_default();
    let own = own.split('"').next().unwrap_or_default();
    let host = address.trim_start_matches("http://").split('/').next().expect("a host");
    let form = format!("answer_with={own}&agree={agree}&code={code}");
    let origin = format!("http://{host}");
    http(address, &[("Origin", origin.as_str()), ("Sec-Fetch-Site", "same-origin")], Some(&form))
}

/// A site with something risky, and ways to any address of this machine; it counts what was done.
#[derive(Default)]
struct Shop {
    deleted: AtomicUsize,
    is_stocked: AtomicBool,
}

impl Shop {
    async fn open(self: &Arc<Self>) -> Site {
        let shop = Arc::clone(self);
        Site::start(move |path, _| {
            let mut parts = path.trim_start_matches('/').splitn(2, '/');
            let (way, rest) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let to = format!("http://127.0.0.1:{rest}");
            match way {
                "deleted" => {
                    shop.deleted.fetch_add(1, Ordering::SeqCst);
                    Reply::Page("done".into())
                }
                "stock" => Reply::Page(if shop.is_stocked.load(Ordering::SeqCst) { "yes" } else { "no" }.into()),
                "frame" => Reply::Page(format!("<h1>Frame</h1><iframe src='{to}' width=800 height=600></iframe>")),
                "window" => Reply::Page(format!("<button onclick=\"open('{to}')\">Show more</button>")),
                "script" => Reply::Page(format!("<button onclick=\"location.href='{to}'\">Show more</button>")),
                "link" => Reply::Page(format!("<a href='{to}'>Show more</a>")),
                "redirect" => Reply::Redirect(to.leak()),
                "late" => Reply::Page(
                    "<label>Name <input id=name></label><button disabled onclick=\"fetch('/deleted/', {method: 'POST'})\">Delete account</button>
                     <script>const look = async () => { if (await (await fetch('/stock/')).text() === 'yes') document.querySelector('button').disabled = false;
                     else setTimeout(look, 20); }; look();</script>"
                        .into(),
                ),
                _ => Reply::Page(
                    "<title>Shop</title><label>Name <input id=name></label><p role=status></p>
                     <button onclick=\"fetch('/deleted/', {method: 'POST'}).then(() => { document.querySelector('p').textContent = 'Deleted'; })\">Delete account</button>"
                        .into(),
                ),
            }
        })
        .await
    }

    fn deleted(&self) -> usize {
        self.deleted.load(Ordering::SeqCst)
    }
}

/// Asks for what needs a person. Gives the handle, and the address that the model is told.
fn ask(client: &mut Client) -> (String, String) {
    let asked = call(client, "act", &press("Delete account"));
    assert_eq!(at(&asked, "/status"), "pending", "{asked}");
    (at(&asked, "/handle").to_owned(), address_in(at(&asked, "/next")))
}

/// Runs a conversation beside a shop.
async fn beside_shop(talk: impl FnOnce(&str, &Shop) + Send + 'static) {
    let shop = Arc::<Shop>::default();
    let site = shop.open().await;
    let origin = site.url("");
    tokio::task::spawn_blocking(move || talk(&origin, &shop)).await.expect("the conversation ends");
    drop(site);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_of_one_client_cannot_agree_with_each_other() {
    beside_shop(|origin, shop| {
        let mut asking = serve("asking", Person::AtDesktop);
        let mut other = serve("other", Person::AtDesktop);
        call(&mut asking, "open", &json!({ "url": origin }));
        let (handle, address) = ask(&mut asking);
        let rest = address.trim_start_matches("http://127.0.0.1:");
        let ways = ["frame", "window", "script", "link", "redirect"];
        let ways = ways.iter().map(|way| format!("{origin}/{way}/{rest}"));
        for url in [address.clone(), address.replace("127.0.0.1", "localhost")].into_iter().chain(ways) {
            let mut seen = vec![call(&mut other, "open", &json!({ "url": url }))];
            seen.push(call(&mut other, "act", &press("Show more")));
            seen.push(call(
                &mut other,
                "act",
                &json!({ "action": "activate", "target": "link \"Show more\"" }),
            ));
            seen.push(call(&mut other, "look", &json!({ "scope": "page" })));
            seen.push(call(&mut other, "act", &json!({ "action": "navigate", "args": { "url": url } })));
            let agreed = call(&mut other, "act", &press("Do it"));
            assert_eq!(at(&agreed, "/side_effect"), "none", "{url}: {agreed}");
            for answer in seen {
                assert!(!at(&answer, "/page").contains("Do it"), "{url}: {answer}");
            }
            assert_eq!(shop.deleted(), 0, "{url}");
        }
        let opened = call(&mut other, "open", &json!({ "url": address }));
        assert!(at(&opened, "/why").contains("where a person agrees"), "{opened}");

        // The person does agree, with what only they were shown.
        let notified = shown(&asking, "notify-send");
        assert_eq!(address_in(&notified), address);
        assert_eq!(decide(&address, "yes", &code_in(&notified)).0, 200);
        let done = call(&mut asking, "wait", &json!({ "handle": handle }));
        assert_eq!(at(&done, "/status"), "succeeded", "{done}");
        assert_eq!(shop.deleted(), 1);

        // The code was told to nobody else, and is kept nowhere.
        let code = code_in(&notified);
        let plain = code.replace('-', "");
        let is_in = |text: &str| text.contains(&code) || text.contains(&plain);
        assert!(!is_in(&asking.heard) && !is_in(&other.heard));
        for file in ["stderr", "journal.sqlite", "journal.sqlite-wal"] {
            let bytes = std::fs::read(asking.folder.join(file)).unwrap_or_default();
            assert!(!is_in(&String::from_utf8_lossy(&bytes)), "{file}");
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_cannot_be_guessed_nor_sent_by_another_page() {
    beside_shop(|origin, shop| {
        let mut client = serve("guessing", Person::AtDesktop);
        call(&mut client, "open", &json!({ "url": origin }));
        let (handle, address) = ask(&mut client);
        let code = code_in(&shown(&client, "notify-send"));
        for headers in [
            [("Host", "attacker.example")],
            [("Sec-Fetch-Dest", "iframe")],
            [("Sec-Fetch-Mode", "cors")],
            [("Sec-Purpose", "prefetch")],
            [("User-Agent", "Mozilla/5.0 HeadlessChrome/156.0")],
        ] {
            let (status, page) = http(&address, &headers, None);
            assert_eq!(status, 403, "{headers:?}");
            assert!(
                page.to_lowercase().contains("uiap-approval-page: 1") && !page.contains("Delete"),
                "{page}"
            );
        }
        let (_, page) =
            http(&address, &[("Sec-Fetch-Dest", "document"), ("Sec-Fetch-Mode", "navigate")], None);
        assert!(page.contains("Delete account") && page.contains("frame-ancestors 'none'"), "{page}");
        let own = page.split("name=\"answer_with\" value=\"").nth(1).and_then(|own| own.split('"').next());
        let form = format!("answer_with={}&agree=yes&code={code}", own.expect("a form"));
        let host = address.trim_start_matches("http://").split('/').next().expect("a host");
        let right = format!("http://{host}");
        for headers in [
            vec![],
            vec![("Origin", "null")],
            vec![("Origin", "https://attacker.example")],
            vec![("Origin", right.as_str()), ("Sec-Fetch-Site", "cross-site")],
            vec![("Origin", right.as_str()), ("Host", "attacker.example")],
        ] {
            assert_eq!(http(&address, &headers, Some(&form)).0, 403, "{headers:?}");
        }
        for tries in 0..TRIES_MAX {
            let wrong = if tries == 0 { "" } else { "0000-0000" };
            assert_eq!(decide(&address, "yes", wrong).0, 403);
        }
        assert_eq!(decide(&address, "yes", &code).0, 404, "it is too late for the right one");
        let ended = call(&mut client, "wait", &json!({ "handle": handle }));
        assert_eq!(at(&ended, "/error"), "confirmation_denied", "{ended}");

        let (handle, address) = ask(&mut client);
        assert_eq!(decide(&address, "no", "").0, 200, "a no needs no code");
        let ended = call(&mut client, "wait", &json!({ "handle": handle }));
        assert_eq!(at(&ended, "/error"), "confirmation_denied", "{ended}");
        assert_eq!(shop.deleted(), 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_question_is_open_nothing_else_begins() {
    beside_shop(|origin, shop| {
        let mut client = serve("beside", Person::AtDesktop);
        call(&mut client, "open", &json!({ "url": origin }));
        let (handle, _) = ask(&mut client);
        let write = json!({ "action": "enterText", "target": "textbox \"Name\"", "args": { "text": "Eve" } });
        let navigate = json!({ "action": "navigate", "args": { "url": origin } });
        let others = [("act", write.clone()), ("act", navigate), ("act", press("Delete account")), ("open", json!({ "url": origin }))];
        for (tool, arguments) in others {
            let refused = call(&mut client, tool, &arguments);
            assert_eq!(at(&refused, "/status"), "refused", "{arguments}: {refused}");
            assert!(at(&refused, "/why").contains(&handle), "it names the question: {refused}");
            assert!(at(&refused, "/next").contains("cancel"), "{refused}");
        }
        let looked = call(&mut client, "look", &json!({ "scope": "page" }));
        assert!(at(&looked, "/page").contains("Delete account"), "{looked}");
        assert_eq!(at(&call(&mut client, "wait", &json!({ "quiet": 50 })), "/status"), "observed");
        assert_eq!(at(&call(&mut client, "read", &json!({ "target": "textbox \"Name\"" })), "/status"), "succeeded");
        assert!(call(&mut client, "trace", &json!({})).get("actions").is_some());
        let cancelled = call(&mut client, "act", &json!({ "action": "cancel", "args": { "handle": handle } }));
        assert_eq!(at(&cancelled, "/status"), "cancelled", "{cancelled}");
        let written = call(&mut client, "act", &write);
        assert_eq!(at(&written, "/status"), "succeeded", "{written}");

        // A client that gives up a wait gives up the action.
        let (handle, _) = ask(&mut client);
        let waiting = client.ask("tools/call", &json!({ "name": "wait", "arguments": { "handle": handle } }));
        let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": waiting } });
        client.say(&cancel.to_string());
        let again = loop {
            let written = call(&mut client, "act", &write);
            if at(&written, "/status") != "refused" {
                break written;
            }
        };
        assert_eq!(at(&again, "/status"), "succeeded", "{again}");
        assert_eq!(shop.deleted(), 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_action_that_was_sent_before_the_question_opens_does_not_begin_beside_it() {
    beside_shop(|origin, shop| {
        let mut client = serve("before", Person::AtDesktop);
        call(&mut client, "open", &json!({ "url": format!("{origin}/late/") }));
        let mut arguments = press("Delete account");
        arguments["timeout"] = json!(30);
        let asking = client.ask(
            "tools/call",
            &json!({ "name": "act", "arguments": arguments, "_meta": { "progressToken": 1 } }),
        );
        client.hear("notifications/progress");
        let write = json!({ "action": "enterText", "target": "textbox \"Name\"", "args": { "text": "Eve" } });
        let writing = client.ask("tools/call", &json!({ "name": "act", "arguments": write }));
        shop.is_stocked.store(true, Ordering::SeqCst);
        // Whichever answer comes first.
        let mut answers = [client.any_answer(), client.any_answer()];
        answers.sort_by_key(|answer| answer["id"].as_u64());
        let [asked, written] = &answers;
        assert_eq!((asked["id"].as_u64(), written["id"].as_u64()), (Some(asking), Some(writing)));
        assert_eq!(at(asked, "/result/structuredContent/status"), "pending", "{asked}");
        assert_eq!(at(written, "/result/structuredContent/status"), "refused", "{written}");
        let read = call(&mut client, "read", &json!({ "target": "textbox \"Name\"" }));
        assert!(!read.to_string().contains("Eve"), "{read}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_way_to_the_person_the_action_is_refused() {
    beside_shop(|origin, shop| {
        let mut client = serve("alone", Person::Away);
        call(&mut client, "open", &json!({ "url": origin }));
        let refused = call(&mut client, "act", &press("Delete account"));
        assert_eq!(at(&refused, "/status"), "cancelled", "{refused}");
        assert_eq!(at(&refused, "/error"), "confirmation_denied", "{refused}");
        assert_eq!(at(&refused, "/side_effect"), "none", "{refused}");
        for advice in ["elicitation", "notify-send", "xdg-open", "terminal"] {
            assert!(at(&refused, "/next").contains(advice), "{refused}");
        }
        let actions = call(&mut client, "trace", &json!({}));
        assert!(actions.to_string().contains("ui.activate cancelled"), "{actions}");
        assert_eq!(shop.deleted(), 0);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_without_notifications_gets_the_page_in_their_browser() {
    beside_shop(|origin, shop| {
        let mut client = serve("browser", Person::AtBrowser);
        call(&mut client, "open", &json!({ "url": origin }));
        let (handle, address) = ask(&mut client);
        let opened = shown(&client, "xdg-open");
        let opened = opened.trim();
        assert!(opened.starts_with(&format!("{address}?opened=")), "{opened}");
        let (_, first) = http(opened, &[], None);
        let code = code_in(first.split("name=\"code\" value=\"").nth(1).expect("a field"));
        let (_, second) = http(opened, &[], None);
        assert!(second.contains("name=\"code\" value=\"\""), "the address fills the code in once: {second}");
        assert!(!client.heard.contains("opened="), "the model is not told");
        assert_eq!(decide(&address, "yes", &code).0, 200);
        assert_eq!(at(&call(&mut client, "wait", &json!({ "handle": handle })), "/status"), "succeeded");
        assert_eq!(shop.deleted(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_without_a_desktop_reads_the_code_on_the_terminal() {
    beside_shop(|origin, shop| {
        let folder = folder_of("terminal");
        let input = folder.join("input");
        assert!(Command::new("mkfifo").arg(&input).status().expect("mkfifo").success());
        let (mut ours, theirs) = open_terminal();
        let mut command = Command::new("setsid");
        command.args(["--ctty", "sh", "-c", "exec \"$0\" \"$@\" < \"$INPUT\""]).env("INPUT", &input);
        command
            .arg(env!("CARGO_BIN_EXE_uiap"))
            .arg("mcp")
            .arg("--journal")
            .arg(folder.join("journal.sqlite"));
        furnish(&mut command, &folder, Person::Away);
        command.stdin(File::options().read(true).write(true).open(theirs).expect("the terminal"));
        let mut client = Client::run(command, folder);
        client.speak_through(File::options().write(true).open(input).expect("the input"));
        client.initialize();
        call(&mut client, "open", &json!({ "url": origin }));
        let (handle, address) = ask(&mut client);
        let mut text = String::new();
        while !text.contains("type the code") || !text.ends_with('\n') {
            let mut part = [0; 256];
            let length = ours.read(&mut part).expect("the terminal shows something");
            text.push_str(&String::from_utf8_lossy(&part[..length]));
        }
        assert_eq!(address_in(&text), address);
        assert!(!client.heard.contains(&code_in(&text)));
        assert_eq!(decide(&address, "yes", &code_in(&text)).0, 200);
        assert_eq!(at(&call(&mut client, "wait", &json!({ "handle": handle })), "/status"), "succeeded");
        assert_eq!(shop.deleted(), 1);
    })
    .await;
}
