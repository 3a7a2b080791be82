//! A `uiap serve` that listens, for tests that are its peers.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A server that listens, ended with the value.
pub(crate) struct Listening {
    pub(crate) child: Child,
    pub(crate) at: String,
}

impl Listening {
    pub(crate) fn open(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        while !line.starts_with("Listening: ") {
            line.clear();
            assert_ne!(stderr.read_line(&mut line).expect("a line"), 0, "it never listened");
        }
        // Whatever else it says is read, so that it can say it.
        std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
        let at = line.split("://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address");
        Self { child, at: at.to_owned() }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        // It may have ended by itself.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        let _ = self.child.wait();
    }
}
