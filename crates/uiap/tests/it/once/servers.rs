//! Several `uiap mcp` at once on one journal, as several windows of an editor start them, each with a client of its
//! own that presses buttons whose server keeps a ledger. Seeded kills and stops fall at random.
//!
//! Start at [`campaign`]. Nothing happens twice under one key, nothing of one server shows in another, and the only
//! refusals are for what a kill left unknown. `cargo xtask soak once` runs ten servers with a hundred actions each.

use super::lane::Target;
use super::server::{Ledger, Server};
use super::strike::Dice;
use super::{number, server};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;
use uiap_testkit::proves;

/// Servers and actions of each, unless the environment says otherwise.
const SERVERS: u64 = 4;
const ACTIONS: u64 = 10;
/// Longest time between a call and the blow.
const LAG_MS_MAX: u64 = 250;
/// One action in so many may end as unknown without a kill, because its page did not come to rest in time.
const RESTLESS_SHARE: usize = 50;
/// Longest time that a server is stopped.
const STOP_MS_MAX: u64 = 700;
/// How long an action may take: ten servers and their pages share few processors.
const TIMEOUT_S: u64 = 40;
/// The revision of MCP in which a person is asked by calling again.
const REVISION: &str = "2026-07-28";

/// What happens to a server during a call.
#[derive(Clone, Copy, Debug)]
enum Blow {
    None,
    /// It is stopped for a while, and goes on.
    Stop {
        after: Duration,
        lasting: Duration,
    },
    Kill {
        after: Duration,
    },
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// With a key; a person is asked.
    Agreed,
    /// With a key, by the reference that a look gave.
    Referred,
    /// With a key.
    Keyed,
    /// Without a key.
    Free,
    /// Every server asks for it, under the same key.
    Shared,
    /// Every server asks for the same without a key, each on its own page.
    Everyone,
}

impl Kind {
    fn of(action: u64) -> Self {
        match action % 10 {
            0 => Self::Agreed,
            1 => Self::Referred,
            3 | 6 => Self::Free,
            5 => Self::Shared,
            8 => Self::Everyone,
            _ => Self::Keyed,
        }
    }

    /// The button of an action of a lane, and its line in the ledger.
    fn button(self, lane: u64, action: u64) -> (String, String) {
        match self {
            Self::Agreed => (format!("Delete {lane}-{action}"), format!("{lane}.{action}")),
            Self::Shared => (format!("Shared {action}"), format!("shared.{action}")),
            Self::Everyone => ("Everyone".to_owned(), format!("everyone.{lane}")),
            Self::Referred | Self::Keyed | Self::Free => {
                (format!("Item {lane}-{action}"), format!("{lane}.{action}"))
            }
        }
    }

    fn key(self, lane: u64, action: u64) -> Option<String> {
        match self {
            Self::Free | Self::Everyone => None,
            Self::Shared => Some(format!("shared-{action}")),
            Self::Agreed | Self::Referred | Self::Keyed => Some(format!("key-{lane}-{action}")),
        }
    }

    /// A reference means something else after a restart, and what everyone does must be certain.
    fn may_be_struck(self) -> bool {
        !matches!(self, Self::Referred | Self::Everyone)
    }
}

/// The page of a lane: a button for each of its actions.
pub(super) fn page(lane: u64, actions: u64) -> String {
    let mut buttons = BTreeMap::new();
    for action in 0..actions {
        let (name, line) = Kind::of(action).button(lane, action);
        buttons.insert(name, line);
    }
    let button = |(name, line): (&String, &String)| format!("<li><button value='{line}'>{name}</button>");
    let buttons = buttons.iter().map(button).collect::<Vec<_>>().concat();
    format!(
        "<!doctype html><title>Lane {lane}</title><h1>Lane {lane}</h1><p role=status></p><ul>{buttons}</ul><script>
        let presses = 0;
        document.onclick = event => {{
            const button = event.target.closest('button');
            fetch('/press/' + button.value + '/0', {{ method: 'POST' }}).then(() => {{
                presses += 1;
                document.querySelector('p').textContent = button.textContent + ' done, press ' + presses;
            }});
        }};</script>"
    )
}

/// How one action ended, as its client was told.
#[derive(Debug)]
struct Outcome {
    action: u64,
    kind: Kind,
    blow: Blow,
    answer: Value,
}

impl Outcome {
    /// Its server was killed, or that of another window that did the same under the same key.
    fn may_be_of_a_kill(&self) -> bool {
        matches!(self.blow, Blow::Kill { .. }) || self.kind == Kind::Shared
    }

    fn member(&self, name: &str) -> &str {
        self.answer[name].as_str().unwrap_or_default()
    }
}

/// A server and the client before it. Dropping it kills the server.
struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    asked: u64,
}

impl Client {
    fn start(journal: &Path, browser: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_uiap"))
            .args(["mcp", "--browser", browser, "--journal"])
            .arg(journal)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("an input");
        let output = BufReader::new(child.stdout.take().expect("an output"));
        Self { child, input, output, asked: 0 }
    }

    fn say(&mut self, tool: &str, arguments: &Value, state: Option<&str>) -> u64 {
        self.asked += 1;
        let mut params = json!({
            "name": tool,
            "arguments": arguments,
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": REVISION,
                "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
                "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
            },
        });
        if let Some(state) = state {
            params["requestState"] = state.into();
            params["inputResponses"] =
                json!({ "agreement": { "action": "accept", "content": { "agree": true } } });
        }
        let call = json!({ "jsonrpc": "2.0", "id": self.asked, "method": "tools/call", "params": params });
        writeln!(self.input, "{call}").and_then(|()| self.input.flush()).expect("it is heard");
        self.asked
    }

    /// The answer to a call; nothing, if the server died before.
    fn hear(&mut self, id: u64) -> Option<Value> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).expect("an output") == 0 {
                return None;
            }
            // What a killed server was saying may be cut off.
            let message: Value = serde_json::from_str(&line).ok()?;
            if message["id"] == json!(id) {
                return Some(message["result"].clone());
            }
        }
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let id = self.say(tool, arguments, None);
        self.hear(id).expect("it answers")
    }

    fn signal(&self, signal: rustix::process::Signal) {
        let id = rustix::process::Pid::from_raw(self.child.id().cast_signed()).expect("the id of a process");
        rustix::process::kill_process(id, signal).expect("the process is there");
    }

    fn strike(&mut self, blow: Blow) {
        match blow {
            Blow::None => {}
            Blow::Stop { after, lasting } => {
                std::thread::sleep(after);
                self.signal(rustix::process::Signal::STOP);
                std::thread::sleep(lasting);
                self.signal(rustix::process::Signal::CONT);
            }
            Blow::Kill { after } => {
                std::thread::sleep(after);
                self.child.kill().expect("killed");
                self.child.wait().expect("ended");
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One editor window: a server, restarted when it is killed, and what became of its actions.
struct Window {
    lane: u64,
    actions: u64,
    page: String,
    journal: PathBuf,
    browser: String,
    client: Client,
    dice: Dice,
    ended: Vec<Outcome>,
    /// Handles that its sessions listed, each session in a set of its own.
    listed: Vec<BTreeSet<String>>,
}

impl Window {
    fn open(lane: u64, actions: u64, seed: u64, journal: &Path, browser: &str, server: &Server) -> Self {
        let mut window = Self {
            lane,
            actions,
            page: server.lane(lane, actions),
            journal: journal.to_owned(),
            browser: browser.to_owned(),
            client: Client::start(journal, browser),
            dice: Dice::new(seed, lane),
            ended: Vec::new(),
            listed: Vec::new(),
        };
        window.open_page();
        window
    }

    fn open_page(&mut self) {
        let opened = self.client.call("open", &json!({ "url": self.page }));
        let shown = opened["structuredContent"]["page"].as_str().unwrap_or_default().to_owned();
        assert!(shown.contains(&format!("Lane {}", self.lane)), "lane {}: {opened}", self.lane);
        self.check_own(&opened);
    }

    /// Nothing that another window shows, asks or does.
    fn check_own(&self, answer: &Value) {
        let text = answer.to_string();
        for rest in ["Lane ", "Item "].iter().flat_map(|word| text.split(word).skip(1)) {
            let named: String = rest.chars().take_while(char::is_ascii_digit).collect();
            assert!(named.is_empty() || named == self.lane.to_string(), "lane {} got {text}", self.lane);
        }
    }

    fn draw(&mut self, kind: Kind) -> Blow {
        let (what, after) = (self.dice.below(6), Duration::from_millis(self.dice.below(LAG_MS_MAX)));
        match what {
            0 if kind.may_be_struck() => Blow::Kill { after },
            1 if kind.may_be_struck() => {
                Blow::Stop { after, lasting: Duration::from_millis(self.dice.below(STOP_MS_MAX)) }
            }
            _ => Blow::None,
        }
    }

    fn run(&mut self) {
        for action in 0..self.actions {
            let kind = Kind::of(action);
            let blow = self.draw(kind);
            let answer = self.act(action, kind, blow);
            self.check_own(&answer);
            self.ended.push(Outcome { action, kind, blow, answer: answer["structuredContent"].clone() });
        }
        self.list();
    }

    /// Asks for one action, and once more if the server is killed meanwhile.
    fn act(&mut self, action: u64, kind: Kind, blow: Blow) -> Value {
        let arguments = self.arguments(action, kind);
        let id = self.client.say("act", &arguments, None);
        self.client.strike(blow);
        let heard = self.client.hear(id);
        if matches!(blow, Blow::Kill { .. }) {
            self.client = Client::start(&self.journal, &self.browser);
            self.open_page();
        }
        let is_asked = |answer: &Value| answer["resultType"] == "input_required";
        match heard {
            Some(answer) if !is_asked(&answer) => answer,
            // It died with its question, or before it said anything.
            _ if matches!(blow, Blow::Kill { .. }) => {
                let answer = self.client.call("act", &arguments);
                self.agreed(&arguments, answer)
            }
            heard => self.agreed(&arguments, heard.expect("it does not end by itself")),
        }
    }

    fn arguments(&mut self, action: u64, kind: Kind) -> Value {
        let (button, _) = kind.button(self.lane, action);
        let named = format!("button \"{button}\"");
        let target = if kind == Kind::Referred {
            let found = self.client.call("look", &json!({ "find": button }));
            let shown = found["structuredContent"]["page"].as_str().unwrap_or_default();
            let line = shown.lines().find(|line| line.contains(&button)).expect("it is shown");
            let reference = line
                .split_whitespace()
                .find(|word| word.strip_prefix('e').is_some_and(|rest| rest.parse::<u32>().is_ok()));
            reference.expect("a reference").to_owned()
        } else {
            named
        };
        let mut arguments = json!({ "action": "activate", "target": target, "timeout": TIMEOUT_S });
        if let Some(key) = kind.key(self.lane, action) {
            arguments["key"] = key.into();
        }
        arguments
    }

    /// Agrees where a person is asked, after looking at what is asked.
    fn agreed(&mut self, arguments: &Value, answer: Value) -> Value {
        if answer["resultType"] != "input_required" {
            return answer;
        }
        self.check_own(&answer);
        let question = answer["inputRequests"]["agreement"]["params"]["message"].as_str().unwrap_or_default();
        let own = format!("{}-", self.lane);
        assert!(question.contains(&own), "lane {} is asked: {question}", self.lane);
        let state = answer["requestState"].as_str().expect("a state").to_owned();
        let id = self.client.say("act", arguments, Some(&state));
        self.client.hear(id).expect("it answers")
    }

    /// What the session of this server has done, as it says.
    fn list(&mut self) {
        let traced = self.client.call("trace", &json!({}));
        let actions = traced["structuredContent"]["actions"].as_array().cloned().unwrap_or_default();
        let handle = |line: &Value| Some(line.as_str()?.split_once(' ')?.0.to_owned());
        self.listed.push(actions.iter().filter_map(handle).collect());
    }

    /// What is wrong with how an action ended.
    fn fault(&self, ended: &Outcome, ledger: &Ledger) -> Option<String> {
        let (_, line) = ended.kind.button(self.lane, ended.action);
        let count = ledger.count(&line);
        if ended.kind == Kind::Everyone {
            let all = self.ended.iter().filter(|ended| ended.kind == Kind::Everyone).count();
            let is_right = ended.member("side_effect") == "applied" && count as usize == all;
            return (!is_right).then(|| format!("pressed {count} times of {all}"));
        }
        if count > 1 {
            return Some(format!("it happened {count} times"));
        }
        let (status, effect) = (ended.member("status"), ended.member("side_effect"));
        if status == "refused" {
            let was_killed = matches!(ended.blow, Blow::Kill { .. });
            let is_right =
                ended.kind == Kind::Free && was_killed && ended.member("error") == "unsafe_retry_refused";
            return (!is_right).then(|| "it was refused".to_owned());
        }
        match effect {
            "applied" if count == 1 => None,
            // Nobody is killed here, so somebody knows how it ended.
            "none" if count == 0 && ended.may_be_of_a_kill() => None,
            // True after a kill, and of a page that does not come to rest in time: how often that may be is judged by all.
            "unknown" if count == 1 || ended.may_be_of_a_kill() => None,
            _ => Some(format!("it happened {count} times")),
        }
    }
}

/// Runs all windows to their end.
fn campaign(servers: u64, actions: u64, seed: u64, server: &Server, browser: &str) -> Vec<Window> {
    let folder = std::env::temp_dir().join(format!("uiap-servers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let journal = folder.join("journal.sqlite");
    let mut windows: Vec<_> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..servers)
            .map(|lane| {
                let journal = &journal;
                scope.spawn(move || {
                    let mut window = Window::open(lane, actions, seed, journal, browser, server);
                    window.run();
                    window
                })
            })
            .collect();
        running.into_iter().map(|window| window.join().expect("a window")).collect()
    });
    check_traces(&mut windows);
    drop(std::fs::remove_dir_all(folder));
    windows
}

/// No action is in the list of two sessions, and none tells of an action of another.
fn check_traces(windows: &mut [Window]) {
    let mut seen = BTreeSet::new();
    for handle in windows.iter().flat_map(|window| &window.listed).flatten() {
        assert!(seen.insert(handle.clone()), "{handle} is in two lists");
    }
    for number in 0..windows.len() {
        let other = (number + 1) % windows.len();
        let Some(foreign) = windows[other].listed.iter().flatten().next().cloned() else { continue };
        let Some(own) = windows[number].listed.iter().flatten().next().cloned() else { continue };
        let refused = windows[number].client.call("trace", &json!({ "handle": foreign }));
        assert_eq!(refused["structuredContent"]["status"], "refused", "{refused}");
        let told = windows[number].client.call("trace", &json!({ "handle": own }));
        assert!(told["structuredContent"]["steps"].is_array(), "{told}");
    }
}

/// Actions whose outcome is unknown though nothing was killed.
fn restless(windows: &[Window]) -> usize {
    let is_restless =
        |ended: &&Outcome| ended.member("side_effect") == "unknown" && !ended.may_be_of_a_kill();
    windows.iter().flat_map(|window| &window.ended).filter(is_restless).count()
}

fn report(windows: &[Window]) -> String {
    let ended = || windows.iter().flat_map(|window| &window.ended);
    let kills = ended().filter(|ended| matches!(ended.blow, Blow::Kill { .. })).count();
    let stops = ended().filter(|ended| matches!(ended.blow, Blow::Stop { .. })).count();
    let refused = ended().filter(|ended| ended.member("status") == "refused").count();
    let restless = restless(windows);
    let mut outcomes: BTreeMap<String, u64> = BTreeMap::new();
    for ended in ended() {
        let outcome = format!("{}, {}", ended.member("status"), ended.member("side_effect"));
        *outcomes.entry(outcome).or_default() += 1;
    }
    let outcomes: Vec<_> = outcomes.iter().map(|(outcome, times)| format!("{outcome}: {times}")).collect();
    format!(
        "{} servers, {} actions, {kills} killed, {stops} stopped, {refused} refused after a kill, {restless} unknown without \
         one, 0 duplicates.\n{}\n",
        windows.len(),
        ended().count(),
        outcomes.join("; ")
    )
}

#[test]
fn a_journal_that_is_taken_away_stops_every_action_and_the_person_is_told() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let (server, target) = runtime.block_on(async { (server::Server::start().await, Target::start().await) });
    let folder = std::env::temp_dir().join(format!("uiap-taken-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let journal = folder.join("journal.sqlite");
    let mut window = Window::open(0, ACTIONS, 1, &journal, &target.address(), &server);
    let press = |window: &mut Window, action| {
        let arguments = window.arguments(action, Kind::Keyed);
        window.client.call("act", &arguments)["structuredContent"].clone()
    };
    assert_eq!(press(&mut window, 2)["status"], "succeeded");
    let away = folder.join("away.sqlite");
    std::fs::rename(&journal, &away).expect("moved");
    let refused = press(&mut window, 4);
    assert_eq!(refused["side_effect"], "none", "{refused}");
    let why = refused["why"].as_str().unwrap_or_default();
    assert!(why.contains("was deleted, moved or replaced") && why.contains("put it back"), "{refused}");
    // Nothing is wrong with the call.
    let next = refused["next"].as_str().unwrap_or_default();
    assert!(next.contains("Tell the person") && !next.contains("Correct the call"), "{refused}");
    assert_eq!(server.ledger().count("0.4"), 0);
    std::fs::rename(&away, &journal).expect("put back");
    assert_eq!(press(&mut window, 4)["status"], "succeeded");
    assert_eq!(server.ledger().count("0.4"), 1);
    drop(window);
    drop(std::fs::remove_dir_all(folder));
    runtime.block_on(target.close());
}

#[test]
fn servers_side_by_side_do_everything_once_and_never_cross() {
    proves!["ACT-3-2", "ACT-13.2-1", "ACT-13.3-2"];
    let seed = number("UIAP_SEED", 1);
    let (servers, actions) = (number("UIAP_SERVERS", SERVERS), number("UIAP_ACTIONS", ACTIONS));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let (server, target) = runtime.block_on(async { (server::Server::start().await, Target::start().await) });
    let windows = campaign(servers, actions, seed, &server, &target.address());
    // What came late counts too.
    let ledger = server.ledger();
    for window in &windows {
        for ended in &window.ended {
            let fault = window.fault(ended, &ledger);
            assert!(
                fault.is_none(),
                "lane {}, action {}: {}: {ended:?}\nReplay: cargo xtask soak once --rounds 0 --servers {servers} \
                 --actions {actions} --seed {seed}",
                window.lane,
                ended.action,
                fault.unwrap_or_default(),
            );
        }
    }
    let all: usize = windows.iter().map(|window| window.ended.len()).sum();
    let most = 1 + all / RESTLESS_SHARE;
    assert!(
        restless(&windows) <= most,
        "too much is unknown, though nothing was killed:\n{}",
        report(&windows)
    );
    eprint!("{}", report(&windows));
    runtime.block_on(target.close());
}
