//! The chain from a map to a click: the commands that a team would type, run one after the other on the sample
//! application.
//!
//! Start at [`Chain::show`]. Every step is a command of this program in a process of its own, shown before it runs, so
//! that it can be typed again. Only the review is played: in a team it is somebody's edit of two files.

use super::say;
use crate::Trouble;
use crate::discovering::{PACKAGE_ENDING, REPORT, timestamp};
use anyhow::Context as _;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use uiap_protocol::discovery::{DiscoveryPackage, ReviewItem};
use uiap_protocol::text::Node;
use uiap_protocol::wire::accept;
use uiap_store::JournalReader;
use videoland::Server;

/// How to sign in to the sample application.
const LOGIN: &str = include_str!("login.yaml");
/// What the reviewer takes over.
const ACCEPTED: &str = include_str!("accepted.uiap.yaml");
/// What the reviewer decided.
const REVIEWS: &str = include_str!("reviews.uiap.yaml");
/// Where the manifests of a package are listed, and what the reviewer adds there.
const LISTED: &str = "  manifests:\n";
const ADDED: &str = "  manifests:\n    - {id: discovery.accepted, kind: DiscoveryImport, path: accepted.uiap.yaml}\n    \
                     - {id: reviews.demo, kind: ReviewSet, path: reviews.uiap.yaml}\n";
/// What the application notes when somebody signs in.
const SIGNED_IN: &str = "session.started";
/// What the demo does in the end.
const ACTION: &str = "video.create";
/// How many questions of the review queue are shown.
const QUESTIONS_SHOWN: usize = 3;
/// What the exploration may take at most; it is a demo.
const BUDGET: [&str; 4] = ["--max-minutes", "3", "--max-states", "60"];

/// The chain, and where it leaves things to look at.
pub(super) struct Chain<'s> {
    pub(super) server: &'s Server,
    pub(super) folder: PathBuf,
}

impl Chain<'_> {
    /// Maps the application, reviews what was found, builds it, acts on it, and shows why that was allowed.
    pub(super) fn show(&self) -> Result<(), Trouble> {
        std::fs::create_dir_all(&self.folder)
            .with_context(|| format!("the folder {} cannot be made", self.folder.display()))?;
        self.write("login.yaml", LOGIN)?;
        let (map, bundle, journal) =
            (self.path("map"), self.path("bundle.json"), self.path("journal.sqlite"));
        let login = self.path("login.yaml");
        let base = format!("{}/", self.server.origin());

        headline("1. Map it, without writing to it")?;
        must(&[&["discover", &base, "-o", &map, "--login", &login], &BUDGET[..]].concat())?;
        self.tell_effects()?;

        headline("2. Review what was found")?;
        review(Path::new(&map))?;

        headline("3. Build it")?;
        must(&["build", &map, "--channel", "staging", "-o", &bundle])?;

        headline("4. Act, with a person who agrees")?;
        let place = format!("{base}videos/new");
        let wish = ["act", &place, ACTION, "--arg", "title=From the demo", "--key", "demo"];
        let means = ["--login", &login, "--bundle", &bundle, "--journal", &journal];
        if !run(&[&wish[..], &means[..]].concat())?.success() {
            say("The action did not succeed; it said why.")?;
        }
        self.tell_effects()?;

        headline("5. Who allowed it, on what evidence?")?;
        let handle = last_handle(Path::new(&journal))?;
        must(&["trace", &handle, "--why", "--journal", &journal])?;

        say(&format!("\nLook at the map: {}", Path::new(&map).join(REPORT).display()))
    }

    /// The application's own word about what was done to it.
    fn tell_effects(&self) -> Result<(), Trouble> {
        let effects: Vec<_> = self.server.effects().into_iter().filter(|kind| *kind != SIGNED_IN).collect();
        let effects = if effects.is_empty() { "nothing".to_owned() } else { effects.join(", ") };
        say(&format!("What Videoland itself says was done to it, besides signing in: {effects}."))
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Trouble> {
        let path = self.folder.join(name);
        std::fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))?;
        Ok(())
    }
}

/// Shows what reviewers are asked, and records what one of them decides.
fn review(map: &Path) -> Result<(), Trouble> {
    let (name, package) = discovered(map)?;
    let mut questions: Vec<&ReviewItem> = package.review_queue.items.iter().collect();
    questions.sort_by_key(|item| std::cmp::Reverse(item.severity));
    say(&format!("{} questions wait for people, for instance:", questions.len()))?;
    for question in questions.iter().take(QUESTIONS_SHOWN) {
        say(&format!("  {}: {}", question.severity, question.description))?;
    }
    let manifests = map.join("package.uiap.yaml");
    let package = std::fs::read_to_string(&manifests).context("the package cannot be read")?;
    let reviews = REVIEWS.replace("REVIEWED_AT", timestamp().as_str());
    for (file, text) in [
        ("accepted.uiap.yaml", ACCEPTED.replace("DISCOVERED", &name)),
        ("reviews.uiap.yaml", reviews),
        ("package.uiap.yaml", package.replacen(LISTED, ADDED, 1)),
    ] {
        let path = map.join(file);
        std::fs::write(&path, text).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    say(&format!(
        "A reviewer takes over {ACTION} and approves it: {}",
        map.join("reviews.uiap.yaml").display()
    ))
}

/// Shows a command and runs it.
fn run(args: &[&str]) -> Result<ExitStatus, Trouble> {
    say(&format!("$ uiap {}", args.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")))?;
    let program = std::env::current_exe().context("this program is nowhere")?;
    let status = tokio::task::block_in_place(|| Command::new(program).args(args).status());
    Ok(status.context("a step of the demo cannot be started")?)
}

/// The same, and nothing goes on without it. What went wrong has been said by the command.
fn must(args: &[&str]) -> Result<(), Trouble> {
    let status = run(args)?;
    let step = args.first().copied().unwrap_or_default();
    match status.code() {
        Some(0) => Ok(()),
        Some(3) => Err(Trouble::Missing(format!("The demo needs what `uiap {step}` needs."))),
        _ => Err(Trouble::Other(anyhow::anyhow!("`uiap {step}` did not succeed, so the demo ends here"))),
    }
}

/// The discovery package in a folder, and what its file is called.
fn discovered(map: &Path) -> Result<(String, DiscoveryPackage), Trouble> {
    let files = std::fs::read_dir(map).context("the map cannot be read")?;
    let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let name = names.into_iter().find(|name| name.ends_with(PACKAGE_ENDING)).context("there is no map")?;
    let text = std::fs::read(map.join(&name)).context("the map cannot be read")?;
    let json: Value = serde_json::from_slice(&text).context("the map is no JSON")?;
    let package = accept(&Node::from_json(&json)).map_err(|_| anyhow::anyhow!("the map is not sound"))?;
    Ok((name, package))
}

/// The last thing that a journal knows.
fn last_handle(journal: &Path) -> Result<String, Trouble> {
    let reader = JournalReader::open(journal).map_err(anyhow::Error::new)?;
    let latest = reader.latest(1).map_err(anyhow::Error::new)?;
    let latest = latest.first().context("the journal knows no action")?;
    Ok(latest.handle.to_string())
}

fn headline(text: &str) -> Result<(), Trouble> {
    say(&format!("\n{text}"))
}

/// A word as one would type it.
fn quoted(word: &str) -> String {
    if word.contains(' ') { format!("'{word}'") } else { word.to_owned() }
}
