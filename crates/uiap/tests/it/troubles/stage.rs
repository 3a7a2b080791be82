//! A folder for the runs of one test, and what they leave there.

use crate::troubles::site::{Reply, Site};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use uiap_protocol::discovery::DiscoveryPackage;
use uiap_protocol::text::Node;
use uiap_protocol::wire::accept;

/// Nothing that is waited for takes this long, unless it is broken.
const WAIT: Duration = Duration::from_mins(3);
/// How often is looked whether it happened.
const POLL: Duration = Duration::from_millis(20);

/// A folder for one test.
pub(crate) struct Stage {
    pub(crate) folder: PathBuf,
}

/// How a run ended.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    /// Everything it said.
    pub(crate) said: String,
}

/// What a run found.
pub(crate) struct Found {
    pub(crate) package: Value,
    report: String,
}

/// A run under way. It ends with the value.
pub(crate) struct Running {
    child: Child,
}

impl Stage {
    pub(crate) fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("trouble-{name}"));
        // What an earlier run of the test left.
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self { folder }
    }

    pub(crate) fn map(&self) -> PathBuf {
        self.folder.join("map")
    }

    /// A file beside the map, for a flag.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    }

    pub(crate) fn command(&self, base: &str, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uiap"));
        command.args(["discover", base]).args(more).arg("-o").arg(self.map()).stdin(Stdio::null());
        command
    }

    pub(crate) async fn run(&self, base: &str, more: &[&str]) -> Ran {
        Ran::of(self.command(base, more)).await
    }

    pub(crate) fn start(&self, base: &str, more: &[&str]) -> Running {
        let mut command = self.command(base, more);
        Running { child: command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts") }
    }

    pub(crate) fn found(&self) -> Found {
        Found::in_folder(&self.map())
    }

    pub(crate) fn logbook(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.map().join("logbook.jsonl")).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Waits until a run has so many lines of a kind in its book.
    pub(crate) async fn until_logged(&self, kind: &str, count: usize) {
        let logged = || self.logbook().iter().filter(|line| line.get(kind).is_some()).count();
        until(&format!("{count} lines \"{kind}\""), || logged() >= count).await;
    }

    /// Files that somebody began to write and did not finish.
    pub(crate) fn half_written(&self) -> Vec<PathBuf> {
        let folders = [self.map(), self.map().join("evidence")];
        let entries = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
        let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
        paths.filter(|path| path.to_string_lossy().ends_with(".partial")).collect()
    }
}

/// Waits until something is so.
pub(crate) async fn until(what: &str, mut so: impl FnMut() -> bool) {
    let end = Instant::now() + WAIT;
    while !so() {
        assert!(Instant::now() < end, "waited in vain: {what}");
        tokio::time::sleep(POLL).await;
    }
}

impl Ran {
    pub(crate) async fn of(mut command: Command) -> Self {
        let output = tokio::task::spawn_blocking(move || command.output()).await.expect("it runs");
        Self::from(&output.expect("the command starts"))
    }

    /// It ended with a code, and said something.
    pub(crate) fn ended(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, Some(code), "{}", self.said);
        for word in words {
            assert!(self.said.contains(word), "\"{word}\" is not said:\n{}", self.said);
        }
    }
}

impl From<&std::process::Output> for Ran {
    fn from(output: &std::process::Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { code: output.status.code(), said: text(&output.stdout) + &text(&output.stderr) }
    }
}

impl Running {
    pub(crate) fn pid(&self) -> rustix::process::Pid {
        rustix::process::Pid::from_child(&self.child)
    }

    /// Its browsers: each is the first of a group of processes.
    pub(crate) fn browsers(&self) -> Vec<rustix::process::Pid> {
        let own = self.child.id().to_string();
        let is_child = |stat: &String| {
            let rest = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
            rest.split(' ').nth(1) == Some(&own) && !rest.starts_with('Z')
        };
        let processes = Path::new("/proc").read_dir().expect("processes").flatten();
        let children = processes.filter(|entry| {
            std::fs::read_to_string(entry.path().join("stat")).is_ok_and(|stat| is_child(&stat))
        });
        let numbers = children.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        numbers.filter_map(rustix::process::Pid::from_raw).collect()
    }

    pub(crate) async fn end(mut self) -> Ran {
        let child = std::mem::replace(&mut self.child, Command::new("true").spawn().expect("it starts"));
        let output = tokio::task::spawn_blocking(move || child.wait_with_output()).await.expect("it runs");
        Ran::from(&output.expect("it ends"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = rustix::process::kill_process(self.pid(), rustix::process::Signal::TERM);
        let _ = self.child.wait();
    }
}

impl Found {
    /// What is in a folder. The package is sound, whatever happened.
    pub(crate) fn in_folder(folder: &Path) -> Self {
        let entries = std::fs::read_dir(folder).expect("a folder");
        let mut files = entries.filter_map(Result::ok).map(|entry| entry.path());
        let file = files.find(|path| path.to_string_lossy().ends_with(".discovery.json")).expect("a package");
        let package = serde_json::from_slice(&std::fs::read(file).expect("a file")).expect("JSON");
        if let Err(findings) = accept::<DiscoveryPackage>(&Node::from_json(&package)) {
            panic!("the package is not sound: {findings:?}");
        }
        let report = std::fs::read_to_string(folder.join("report.html")).expect("a report");
        Self { package, report }
    }

    /// How the run ended, with a reason in the package and in the report.
    pub(crate) fn ended(&self, status: &str, words: &[&str]) -> &Self {
        let run = &self.package["run"];
        assert_eq!(run["status"], status, "{run}");
        self.notes(words)
    }

    pub(crate) fn notes(&self, words: &[&str]) -> &Self {
        let notes = self.list("/run/notes").iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n");
        for word in words {
            assert!(notes.contains(word), "\"{word}\" is not noted: {notes}");
            assert!(self.report.contains(word), "\"{word}\" is not in the report");
        }
        self
    }

    /// Reviewers are asked about something, in the package and in the report.
    pub(crate) fn asks(&self, kind: &str, words: &[&str]) -> &Self {
        let items = self.list("/reviewQueue/items");
        let texts: Vec<_> = items
            .iter()
            .filter(|item| item["kind"] == kind)
            .filter_map(|item| item["description"].as_str())
            .collect();
        for word in words {
            assert!(texts.iter().any(|text| text.contains(word)), "nobody asks about \"{word}\": {texts:#?}");
            assert!(self.report.contains(word), "\"{word}\" is not in the report");
        }
        self
    }

    pub(crate) fn list(&self, pointer: &str) -> &[Value] {
        let list = self.package.pointer(pointer).and_then(Value::as_array);
        list.unwrap_or_else(|| panic!("no list at {pointer}"))
    }

    pub(crate) fn states(&self) -> &[Value] {
        self.list("/transitionGraph/states")
    }

    pub(crate) fn edges(&self) -> &[Value] {
        self.list("/transitionGraph/edges")
    }

    /// The routes, in order.
    pub(crate) fn routes(&self) -> Vec<&str> {
        let routes = self.list("/routeCatalog/routes").iter();
        let mut routes: Vec<_> = routes.filter_map(|route| route["routeId"].as_str()).collect();
        routes.sort_unstable();
        routes
    }

    /// The names of elements with a role, in order.
    pub(crate) fn named(&self, role: &str) -> Vec<&str> {
        let elements = self.list("/elementCatalog/elements").iter().filter(|element| element["role"] == role);
        let names = elements.flat_map(|element| element["names"].as_array().into_iter().flatten());
        let mut names: Vec<_> = names.filter_map(Value::as_str).collect();
        names.sort_unstable();
        names
    }
}

/// The pages of a small site. There are so many that a run is under way for a while after the first ones are known.
pub(crate) const LINKS: &[&str] = &["/", "/one", "/two", "/three", "/four", "/five", "/six", "/seven"];

/// A site of a few pages, each of which leads to all of them.
pub(crate) async fn small_site() -> Site {
    Site::start(|path, _| {
        if LINKS.contains(&path) { Reply::Page(page(path, LINKS, "")) } else { Reply::Status(404, "") }
    })
    .await
}

/// A page with links, as applications have them.
pub(crate) fn page(title: &str, links: &[&str], rest: &str) -> String {
    let called =
        |link: &str| if link == "/" { "home".to_owned() } else { link.trim_start_matches('/').to_owned() };
    let link = |link: &&str| format!("<li><a href=\"{link}\">{}</a></li>", called(link));
    let links = links.iter().map(link).collect::<Vec<_>>().concat();
    format!(
        "<!doctype html><html lang=en><title>{title}</title><link rel=icon href='data:,'>\
         <header><nav aria-label=Main><ul>{links}</ul></nav></header><main><h1>{title}</h1>{rest}</main>"
    )
}
