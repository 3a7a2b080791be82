//! A client of `uiap mcp` that keeps every byte that the server says.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A client of a server of its own, which ends with the value.
pub(super) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    pub(super) folder: PathBuf,
    asked: u64,
    /// Everything that the server said.
    pub(super) heard: String,
}

impl Client {
    /// Starts `uiap mcp`; a policy is given as the text of its file.
    pub(super) fn start(name: &str, policy: Option<&str>) -> Self {
        Self::begin(name, policy, &[])
    }

    /// Starts `uiap mcp` with these flags.
    pub(super) fn start_with(name: &str, flags: &[&str]) -> Self {
        Self::begin(name, None, flags)
    }

    fn begin(name: &str, policy: Option<&str>, flags: &[&str]) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("privacy-{name}"));
        // What an earlier run of the test left.
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_uiap"));
        command.arg("mcp").arg("--journal").arg(folder.join("journal.sqlite")).args(flags);
        if let Some(policy) = policy {
            let path = folder.join("policy.yaml");
            std::fs::write(&path, policy).expect("a file");
            command.arg("--policy").arg(path);
        }
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("an output"));
        let mut client = Self { child, input, output, folder, asked: 0, heard: String::new() };
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        });
        client.request("initialize", &params);
        client.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    /// The process of the server.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    fn say(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("it listens");
        writeln!(input, "{message}").and_then(|()| input.flush()).expect("it is heard");
    }

    /// The answer to a request, with what came before it in [`Client::heard`].
    pub(super) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.until(|message| message.get("id") == Some(&json!(id)))
    }

    /// The next message of a kind.
    pub(super) fn until(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("an output") > 0, "it ended");
            self.heard.push_str(&line);
            let message: Value = serde_json::from_str(&line).expect("a message");
            if is_it(&message) {
                return message;
            }
        }
    }

    /// What a tool answers.
    pub(super) fn call(&mut self, name: &str, arguments: &Value) -> Value {
        let meta = json!({ "progressToken": "steps" });
        let answer =
            self.request("tools/call", &json!({ "name": name, "arguments": arguments, "_meta": meta }));
        answer.get("result").cloned().unwrap_or(answer)
    }

    /// A member of what a tool answers to machines.
    pub(super) fn said(&mut self, name: &str, arguments: &Value, member: &str) -> String {
        let answer = self.call(name, arguments);
        let said = answer.get("structuredContent").and_then(|content| content.get(member));
        said.and_then(Value::as_str).unwrap_or_default().to_owned()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Without input it ends by itself, and its browser with it.
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
