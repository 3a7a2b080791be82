//! Videoland, mapped by one, two and four hands: what was found of the list that people made, and what its own ledger says
//! was written.

use crate::goals::Goal;
use crate::run::{Order, Run};
use crate::table::table;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use uiap_testkit::listed::{Compared, compare};
use videoland::{Options, Server};

/// What people found in it.
const LIST: &str = include_str!("../../../../examples/videoland/ground-truth.json");
/// How many hands.
const JOBS: [usize; 3] = [1, 2, 4];
/// What share of the actions must be found.
const FOUND_PERCENT_MIN: usize = 98;
/// How long it may take.
const WALL_MAX: Duration = Duration::from_mins(2);
/// What part of the time may be spent outside the browser.
const OWN_SHARE_MAX: f64 = 0.15;

/// The environment of a Videoland, with its login.
pub(crate) fn environment(origin: &str) -> String {
    format!(
        "environmentId: videoland\n\
         baseUrl: {origin}/\n\
         metadata:\n\
         \x20 login:\n\
         \x20   '*':\n\
         \x20     url: /login\n\
         \x20     steps:\n\
         \x20     - {{action: enterText, target: login.user, args: {{text: admin}}}}\n\
         \x20     - {{action: enterText, target: login.password, args: {{text: videoland}}}}\n\
         \x20     - {{action: activate, target: login.submit}}\n"
    )
}

struct Row {
    jobs: usize,
    run: Run,
    compared: Compared,
    /// What it was asked to write, and what it did, besides letting people in.
    writes: Vec<String>,
    effects: Vec<String>,
}

pub(crate) async fn measure(uiap: &Path, scratch: &Path) -> anyhow::Result<Vec<Goal>> {
    let mut rows = Vec::new();
    for jobs in JOBS {
        crate::say(&format!("Videoland with --jobs {jobs}"));
        rows.push(one(uiap, scratch, jobs).await?);
    }
    crate::print(&shown(&rows));
    Ok(rows.iter().flat_map(goals).collect())
}

async fn one(uiap: &Path, scratch: &Path, jobs: usize) -> anyhow::Result<Row> {
    let server = Server::start(Options { port: 0, test_api: true, ..Options::default() }).await?;
    let order = Order {
        uiap,
        environment: environment(&server.origin()),
        folder: scratch.join(format!("videoland-{jobs}")),
        goes_on: false,
        jobs,
        more: ["--seed", "/login"].map(str::to_owned).to_vec(),
    };
    let run = order.run().await?;
    let list: Value = serde_json::from_str(LIST)?;
    let row = Row {
        jobs,
        compared: compare(&run.package, &list),
        run,
        writes: writes(&server).await?,
        effects: effects(&server).await?,
    };
    server.shut_down().await;
    Ok(row)
}

/// What a Videoland was asked to write, besides letting people in.
pub(crate) async fn writes(server: &Server) -> anyhow::Result<Vec<String>> {
    let answer = fetch(server, "/__test/writes").await?;
    let writes = answer.get("writes").and_then(Value::as_array).into_iter().flatten();
    let told = |write: &Value| {
        let word = |name: &str| write.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        format!("{} {}", word("method"), word("path"))
    };
    Ok(writes.map(told).filter(|write| write != "POST /api/login").collect())
}

/// What a Videoland did, besides letting people in.
pub(crate) async fn effects(server: &Server) -> anyhow::Result<Vec<String>> {
    let answer = fetch(server, "/__test/ledger").await?;
    let effects = answer.get("effects").and_then(Value::as_array).into_iter().flatten();
    let kinds = effects.filter_map(|effect| effect.get("kind")?.as_str());
    Ok(kinds.filter(|kind| *kind != "session.started").map(str::to_owned).collect())
}

async fn fetch(server: &Server, path: &str) -> anyhow::Result<Value> {
    let mut stream = tokio::net::TcpStream::connect(server.address()).await?;
    let asked = format!("GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", server.address());
    stream.write_all(asked.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let body = answer.split_once("\r\n\r\n").map(|(_, body)| body).unwrap_or_default();
    Ok(serde_json::from_str(body)?)
}

fn shown(rows: &[Row]) -> String {
    let head = [
        "Jobs",
        "Routes",
        "Actions",
        "States",
        "Steps",
        "Writes",
        "Effects",
        "Seconds",
        "States/min",
        "Own",
        "Browser",
        "MB",
    ];
    let cells = |row: &Row| {
        vec![
            row.jobs.to_string(),
            row.compared.routes.to_string(),
            row.compared.actions.to_string(),
            row.run.count("/transitionGraph/states").to_string(),
            row.run.count("/transitionGraph/edges").to_string(),
            row.writes.len().to_string(),
            row.effects.len().to_string(),
            format!("{:.1}", row.run.wall.as_secs_f64()),
            format!("{:.0}", row.run.states_a_minute()),
            format!("{:.1} %", row.run.own_share() * 100.0),
            format!("{:.0} %", row.run.browser_share() * 100.0),
            format!("{:.0}", row.run.peak_mb),
        ]
    };
    let mut text = table(&head, &rows.iter().map(cells).collect::<Vec<_>>());
    text.push_str(
        "\nOwn: processor time of the uiap process alone, by the time on the clock. Browser: processor time of everything below \
         it, which can exceed 100 % on several processors. The rest is waiting for pages to come to rest.\n",
    );
    if let Some(row) = rows.first() {
        text.push_str(&excluded(&row.compared));
    }
    for row in rows {
        let missing = row.compared.routes.missing.iter().chain(&row.compared.actions.missing);
        text.extend(missing.map(|missing| format!("missing with {} jobs: {missing}\n", row.jobs)));
    }
    text
}

/// What was not looked for, and what was looked for elsewhere.
pub(crate) fn excluded(compared: &Compared) -> String {
    let elsewhere = (compared.elsewhere > 0).then(|| {
        let count = compared.elsewhere;
        format!("{count} actions stand behind something that several routes share, and were looked at on another of them.\n")
    });
    let excluded = compared.excluded.iter().map(|excluded| format!("not counted: {excluded}\n"));
    elsewhere.into_iter().chain(excluded).collect()
}

fn goals(row: &Row) -> Vec<Goal> {
    let Row { jobs, run, compared, writes, effects } = row;
    let whole = Goal::quality(
        run.trouble().is_none(),
        format!("Videoland, {jobs} jobs: the run ended by itself. {}", run.trouble().unwrap_or_default()),
    );
    let written: Vec<_> = writes.iter().chain(effects).map(String::as_str).collect();
    vec![
        whole,
        Goal::quality(
            compared.routes.missing.is_empty(),
            format!("Videoland, {jobs} jobs: routes {}; wanted: all.", compared.routes),
        ),
        Goal::quality(
            compared.actions.reaches(FOUND_PERCENT_MIN),
            format!("Videoland, {jobs} jobs: actions {}; wanted: {FOUND_PERCENT_MIN} %.", compared.actions),
        ),
        Goal::quality(
            written.is_empty(),
            format!(
                "Videoland, {jobs} jobs: {} writes and effects by its own ledger; wanted: none. {}",
                written.len(),
                written.join(", ")
            ),
        ),
        Goal::speed(
            run.wall <= WALL_MAX,
            format!(
                "Videoland, {jobs} jobs: {:.0} seconds; wanted: at most {}.",
                run.wall.as_secs_f64(),
                WALL_MAX.as_secs()
            ),
        ),
        Goal::speed(
            run.own_share() < OWN_SHARE_MAX,
            format!(
                "Videoland, {jobs} jobs: {:.1} % of the time outside the browser; wanted: less than {:.0} %.",
                run.own_share() * 100.0,
                OWN_SHARE_MAX * 100.0
            ),
        ),
    ]
}
