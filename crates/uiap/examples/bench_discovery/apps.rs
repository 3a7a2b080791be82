//! Applications that other people wrote, held against lists that were made by hand before any map was.

use crate::goals::Goal;
use crate::proxy::{Passed, Proxy};
use crate::run::{Order, Run};
use crate::table::table;
use crate::videoland::excluded;
use anyhow::Context as _;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use uiap_testkit::listed::{Compared, compare};

/// The applications, by the names of their definitions.
pub(crate) const NAMES: [&str; 3] = ["datasette", "django-admin", "node-red"];
/// How long installing and starting may take.
const START_WAIT: Duration = Duration::from_mins(10);
/// How long ending may take.
const STOP_WAIT: Duration = Duration::from_secs(15);
/// How many hands.
const JOBS: usize = 2;

struct Row {
    name: String,
    packages: String,
    run: Run,
    compared: Compared,
    /// What signing in did, before the guard was closed.
    login: Vec<String>,
    /// What else could have changed something.
    writes: Vec<String>,
    requests: usize,
}

/// An application that runs.
struct App {
    child: Child,
    about: Value,
}

pub(crate) async fn measure(
    names: &[&str],
    uiap: &Path,
    scratch: &Path,
    web: &Path,
    installed: &Path,
) -> anyhow::Result<Vec<Goal>> {
    let (mut rows, mut goals) = (Vec::new(), Vec::new());
    for name in names {
        crate::say(&format!("mapping {name}"));
        match one(name, uiap, scratch, web, installed).await {
            Ok(row) => rows.push(row),
            // One that cannot be mapped takes nothing from the others.
            Err(error) => goals.push(Goal::quality(false, format!("{name} was not mapped: {error:#}"))),
        }
    }
    crate::print(&shown(&rows));
    goals.extend(rows.iter().map(goal));
    Ok(goals)
}

async fn one(name: &str, uiap: &Path, scratch: &Path, web: &Path, installed: &Path) -> anyhow::Result<Row> {
    let list = web.join("mapped").join(format!("{name}.json"));
    let list: Value =
        serde_json::from_slice(&std::fs::read(&list).with_context(|| list.display().to_string())?)?;
    let app = App::start(name, web, installed).await?;
    let proxy = Proxy::start(app.address()?, None).await?;
    let order = Order {
        uiap,
        environment: environment(name, &proxy.origin(), &list).to_string(),
        folder: scratch.join(name),
        goes_on: false,
        jobs: JOBS,
        more: Vec::new(),
    };
    let run = order.run().await;
    let (run, passed) = (run?, proxy.passed());
    let own = |passed: &&Passed| is_login(passed, &list);
    let row = Row {
        name: app.word("name"),
        packages: app.word("packages"),
        compared: compare(&run.package, &list),
        run,
        login: passed.iter().filter(own).map(Passed::told).collect(),
        writes: passed.iter().filter(|passed| passed.can_write() && !own(passed)).map(Passed::told).collect(),
        requests: passed.len(),
    };
    app.stop().await;
    Ok(row)
}

/// JSON is YAML, too.
fn environment(name: &str, origin: &str, list: &Value) -> Value {
    let start = list.get("start").and_then(Value::as_str).unwrap_or("/");
    let mut environment = json!({ "environmentId": name, "baseUrl": format!("{origin}{start}") });
    if let (Some(login), Some(members)) = (list.get("login"), environment.as_object_mut()) {
        members.insert("metadata".to_owned(), json!({ "login": { "*": login } }));
    }
    environment
}

/// A request that writes because somebody signs in; the list says which that are.
fn is_login(passed: &Passed, list: &Value) -> bool {
    let known = list.get("loginWrites").and_then(Value::as_array).into_iter().flatten();
    passed.can_write() && known.filter_map(Value::as_str).any(|known| known == passed.told())
}

impl App {
    async fn start(name: &str, web: &Path, installed: &Path) -> anyhow::Result<Self> {
        let mut node = Command::new("node");
        node.current_dir(web).arg("mapped/serve.mjs").arg("--scratch").arg(installed).args(["--app", name]);
        node.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = node.spawn().context("node does not start")?;
        let out = child.stdout.take().context("its output is not piped")?;
        let mut line = String::new();
        let mut lines = BufReader::new(out);
        tokio::time::timeout(START_WAIT, lines.read_line(&mut line))
            .await
            .context("it does not start in time")??;
        let about = serde_json::from_str(&line).context("it does not say where it is")?;
        Ok(Self { child, about })
    }

    fn word(&self, name: &str) -> String {
        self.about.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    fn address(&self) -> anyhow::Result<SocketAddr> {
        let origin = self.word("origin");
        let address = origin.strip_prefix("http://").context("it has no plain address")?;
        address.parse().with_context(|| format!("\"{origin}\" is no address"))
    }

    /// Whoever serves it ends it when its input ends.
    async fn stop(mut self) {
        drop(self.child.stdin.take());
        // What does not end in time is killed when it is dropped.
        let _ = tokio::time::timeout(STOP_WAIT, self.child.wait()).await;
    }
}

fn shown(rows: &[Row]) -> String {
    let head = [
        "Application",
        "Version",
        "Routes",
        "Actions",
        "States",
        "Requests",
        "Login",
        "Writes",
        "Seconds",
        "Own",
    ];
    let cells = |row: &Row| {
        vec![
            row.name.clone(),
            row.packages.clone(),
            row.compared.routes.to_string(),
            row.compared.actions.to_string(),
            row.run.count("/transitionGraph/states").to_string(),
            row.requests.to_string(),
            row.login.len().to_string(),
            row.writes.len().to_string(),
            format!("{:.1}", row.run.wall.as_secs_f64()),
            format!("{:.1} %", row.run.own_share() * 100.0),
        ]
    };
    let mut text = table(&head, &rows.iter().map(cells).collect::<Vec<_>>());
    text.push_str(
        "\nRequests, Login and Writes are what a proxy before the application saw; Login is what signing in did before the guard \
         was closed.\n",
    );
    for row in rows {
        text.extend(
            row.run.trouble().map(|trouble| format!("{} was not mapped to the end: {trouble}\n", row.name)),
        );
        let missing = row.compared.routes.missing.iter().chain(&row.compared.actions.missing);
        text.extend(missing.map(|missing| format!("missing in {}: {missing}\n", row.name)));
        text.push_str(&excluded(&row.compared));
    }
    text
}

fn goal(row: &Row) -> Goal {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for write in &row.writes {
        *counts.entry(write).or_default() += 1;
    }
    let told: Vec<_> = counts.iter().map(|(write, count)| format!("{write} ({count})")).collect();
    Goal::quality(
        row.writes.is_empty(),
        format!(
            "{}: {} requests that could write; wanted: none. {}",
            row.name,
            row.writes.len(),
            told.join(", ")
        ),
    )
}
