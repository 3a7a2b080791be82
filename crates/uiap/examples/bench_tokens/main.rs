//! What a model pays for ten steps in Videoland, with `uiap mcp` and with others: `cargo xtask bench tokens`.
//!
//! Start at [`measure`]. The task is `task.json`; a scripted client does it with each tool, and the server of Videoland
//! says whether it was really done. Counted are o200k tokens of all that a model gets and sends: the schemas of the
//! tools, its calls, and the texts of the results.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark reports")]

mod play;
mod players;
mod report;
mod task;
mod weight;
mod wire;

use anyhow::{Context as _, ensure};
use clap::Parser;
use play::{Played, Sight, play};
use players::{PLAYERS, Player, Setting};
use report::Report;
use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use task::Task;

#[derive(Parser)]
struct Args {
    /// The `uiap` to start
    #[arg(long)]
    uiap: PathBuf,
    /// The folder where the peers are installed
    #[arg(long)]
    peers: Option<PathBuf>,
    /// A folder for what programs leave behind
    #[arg(long)]
    scratch: PathBuf,
    /// Print everything that is said
    #[arg(long)]
    show: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let report = measure(&args)?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report.to_json())?);
    } else {
        println!("{report}");
    }
    Ok(())
}

fn measure(args: &Args) -> anyhow::Result<Report> {
    let setting = Setting {
        uiap: args.uiap.clone(),
        browser: uiap_web::find(None)?,
        peers: args.peers.clone(),
        scratch: args.scratch.clone(),
    };
    let weight = weight::measure(&setting)?;
    let task = task::task()?;
    let (mut played, mut blind, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    for player in PLAYERS {
        if player != Player::Uiap && setting.peers.is_none() {
            continue;
        }
        for (sight, done) in [(Sight::Open, &mut played), (Sight::Blind, &mut blind)] {
            eprintln!("{}", player.name());
            match one(player, sight, &task, &setting, args.show) {
                Ok(cost) => done.push(cost),
                Err(error) => failures.push(format!("{} did not do it: {error:#}", player.name())),
            }
        }
    }
    Ok(Report { task, played, blind, failures, weight })
}

/// One tool, before a Videoland of its own.
fn one(player: Player, sight: Sight, task: &Task, setting: &Setting, show: bool) -> anyhow::Result<Played> {
    let runtime = tokio::runtime::Runtime::new()?;
    let options = videoland::Options { test_api: true, ..videoland::Options::default() };
    let site = runtime.block_on(videoland::Server::start(options))?;
    let played = play(player, sight, task, setting, &site.origin(), show)?;
    let writes = writes(&site.origin())?;
    let done = writes.iter().filter(|write| has(write, &task.written)).count();
    ensure!(done == 1, "the server says that it was done {done} times: {}", Value::from(writes));
    runtime.block_on(site.shut_down());
    Ok(played)
}

/// Whether a value has everything that another one has.
fn has(value: &Value, wanted: &Value) -> bool {
    match (value, wanted) {
        (Value::Object(members), Value::Object(wanted)) => {
            wanted.iter().all(|(name, wanted)| members.get(name).is_some_and(|own| has(own, wanted)))
        }
        _ => value == wanted,
    }
}

/// What the server of Videoland was really asked to write.
fn writes(origin: &str) -> anyhow::Result<Vec<Value>> {
    let host = origin.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host)?;
    write!(stream, "GET /__test/writes HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (_, body) = answer.split_once("\r\n\r\n").context("the server says nothing")?;
    let told: Value = serde_json::from_str(body).context("the server does not say what was written")?;
    Ok(told.get("writes").and_then(Value::as_array).cloned().unwrap_or_default())
}

/// How many tokens a text has.
fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
}
