//! A Videoland for each tool, and what its server says in the end.

use super::play::{self, Played, Sight};
use super::players::{Player, Setting};
use super::task::Task;
use anyhow::{Context as _, ensure};
use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

/// Plays the task with a tool, before a Videoland of its own, whose server has to say that it was done.
pub(crate) fn play(
    player: Player,
    sight: Sight,
    task: &Task,
    setting: &Setting,
    show: bool,
) -> anyhow::Result<Played> {
    let runtime = tokio::runtime::Runtime::new()?;
    let options = videoland::Options { test_api: true, ..videoland::Options::default() };
    let site = runtime.block_on(videoland::Server::start(options))?;
    let played = play::play(player, sight, task, setting, &site.origin(), show)?;
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
