//! A client of a server of tools over its standard input and output, which says exactly what it is told to.

use anyhow::{Context as _, bail, ensure};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long a server may take for one answer.
const ANSWER_WAIT: Duration = Duration::from_mins(2);

/// A server that runs, and ends with this.
pub(crate) struct Wire {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    asked: u64,
}

/// What a tool answered.
pub(crate) struct Answer {
    /// What the model reads.
    pub(crate) text: String,
    /// The same for machines, where the server tells it.
    pub(crate) structured: Option<Value>,
    is_error: bool,
}

impl Answer {
    /// What it says, unless that is bad news.
    pub(crate) fn worked(self) -> anyhow::Result<String> {
        ensure!(!self.is_error, "{}", self.text);
        Ok(self.text)
    }
}

impl Wire {
    pub(crate) fn start(command: &mut Command) -> anyhow::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let program = command.get_program().display().to_string();
        let mut child = command.spawn().with_context(|| format!("{program} does not start"))?;
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().context("it has no output")?);
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            // Nobody listens any more once this has ended.
            output
                .lines()
                .map_while(Result::ok)
                .map(|line| sender.send(line))
                .take_while(Result::is_ok)
                .count()
        });
        Ok(Self { child, input, lines, asked: 0 })
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Begins; gives what the server tells every model.
    pub(crate) fn initialize(&mut self) -> anyhow::Result<String> {
        let answer = self.request(
            "initialize",
            &json!({
                "protocolVersion": "2025-11-25",
                "capabilities": { "elicitation": {} },
                "clientInfo": { "name": "uiap-bench", "version": "1" },
            }),
        )?;
        self.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(answer.get("instructions").and_then(Value::as_str).unwrap_or_default().to_owned())
    }

    /// The tools that there are now.
    pub(crate) fn tools(&mut self) -> anyhow::Result<Vec<Value>> {
        let listed = self.request("tools/list", &json!({}))?;
        Ok(listed.get("tools").and_then(Value::as_array).cloned().unwrap_or_default())
    }

    pub(crate) fn call(&mut self, name: &str, arguments: &Value) -> anyhow::Result<Answer> {
        let result = self.request("tools/call", &json!({ "name": name, "arguments": arguments }))?;
        let blocks = result.get("content").and_then(Value::as_array).into_iter().flatten();
        let texts: Vec<_> = blocks.filter_map(|block| block.get("text")?.as_str()).collect();
        Ok(Answer {
            text: texts.join("\n"),
            structured: result.get("structuredContent").cloned(),
            is_error: result.get("isError") == Some(&Value::Bool(true)),
        })
    }

    fn say(&mut self, message: &Value) -> anyhow::Result<()> {
        let input = self.input.as_mut().context("it no longer listens")?;
        writeln!(input, "{message}")?;
        Ok(input.flush()?)
    }

    fn request(&mut self, method: &str, params: &Value) -> anyhow::Result<Value> {
        self.asked += 1;
        let id = self.asked;
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))?;
        let until = Instant::now() + ANSWER_WAIT;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).with_context(|| format!("no answer to {method}"))?;
            let Ok(mut message) = serde_json::from_str::<Value>(&line) else { continue };
            if message.get("method").is_some_and(|method| method == "elicitation/create") {
                // The person agrees; what they are asked costs the model nothing.
                let agreed = json!({ "action": "accept", "content": { "agree": true } });
                self.say(&json!({ "jsonrpc": "2.0", "id": message.get("id"), "result": agreed }))?;
            } else if message.get("id") == Some(&json!(id)) {
                if let Some(error) = message.get("error") {
                    bail!("{method}: {error}");
                }
                return Ok(message.get_mut("result").map(Value::take).unwrap_or_default());
            }
        }
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        // Without input it ends by itself, and its browser with it.
        drop(self.input.take());
        let until = Instant::now() + ANSWER_WAIT;
        while let Ok(None) = self.child.try_wait() {
            // What it still says ends with it.
            let _ = self.lines.recv_timeout(Duration::from_millis(20));
            if Instant::now() > until {
                let _ = self.child.kill();
            }
        }
    }
}
