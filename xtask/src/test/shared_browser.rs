//! One browser for all tests that need no browser of their own.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use anyhow::{Context, bail};

use crate::workspace::Workspace;

/// The variable that names the browser to the tests.
pub(super) const VARIABLE: &str = "UIAP_TEST_BROWSER";

/// A running browser. It ends with the value, and with this program, because its standard input then ends.
pub(super) struct SharedBrowser {
    process: Child,
    address: String,
}

impl SharedBrowser {
    /// Starts the example `shared_browser` of `uiap-web`, which has been built with the tests.
    pub(super) fn start(workspace: &Workspace) -> anyhow::Result<Self> {
        let program = workspace.target()?.join("debug/examples/shared_browser");
        let mut command = workspace.command(&program);
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} could not be started", program.display()))?;
        let mut line = String::new();
        let output = process.stdout.take().context("the output is not piped")?;
        BufReader::new(output).read_line(&mut line)?;
        let address = line.trim().to_owned();
        if address.is_empty() {
            bail!("the browser that tests share did not start; its message stands above");
        }
        Ok(Self { process, address })
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }
}

impl Drop for SharedBrowser {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        // Nothing depends on how it ends.
        let _ = self.process.wait();
    }
}
