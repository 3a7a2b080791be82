//! A browser that many tests share, each with a context of its own.
//!
//! Prints the address of the browser and keeps it until standard input ends. `cargo xtask test` starts it and names the
//! address to the tests in `UIAP_TEST_BROWSER`; without that variable each test starts a browser of its own.

#![expect(clippy::print_stdout, reason = "the address is what this program is for")]

use std::io::{Error, Write};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use uiap_web::{Browser, LaunchOptions};

/// How often the file is looked for in which the browser writes its port.
const POLL: Duration = Duration::from_millis(10);
/// How long the browser may take to write it.
const PORT_WAIT: Duration = Duration::from_secs(30);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let flags = vec!["--remote-debugging-port=0".to_owned()];
    let browser = Browser::launch(&LaunchOptions { flags, ..LaunchOptions::default() }).await?;
    let file = browser.profile().ok_or_else(|| Error::other("the browser has no profile"))?;
    let file = file.join("DevToolsActivePort");
    let port = tokio::time::timeout(PORT_WAIT, async {
        loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if let Some(port) = text.lines().next().and_then(|line| line.parse::<u16>().ok()) {
                return port;
            }
            tokio::time::sleep(POLL).await;
        }
    });
    println!("http://127.0.0.1:{}", port.await?);
    std::io::stdout().flush()?;
    tokio::io::stdin().read_to_end(&mut Vec::new()).await?;
    browser.close().await;
    Ok(())
}
