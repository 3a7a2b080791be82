//! Shows the person at this machine the code of an approval page, where no model looks: in a notification of the desktop,
//! on the terminal, or on the page itself, opened in the person's browser.
//!
//! Start at [`LocalNotifier::show`]. Standard error is not used: clients read it and keep it.

use rustix::fs::OFlags;
use rustix::process::getpgrp;
use rustix::termios::{LocalModes, tcgetattr, tcgetpgrp};
use std::fs::File;
use std::io::{IsTerminal, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Command;
use uiap_server::mcp::{ApprovalNotice, CodePlace, NotifyFuture, PersonNotifier};

/// How long a desktop may take to show a notification.
const NOTIFICATION_WAIT: Duration = Duration::from_secs(5);
/// How long a browser that cannot be opened may take to say so; one that can may run for as long as it likes.
const BROWSER_WAIT: Duration = Duration::from_secs(3);
/// The terminal that controls this process.
const TERMINAL: &str = "/dev/tty";
/// What opens an address in the person's browser.
const OPENER: &str = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };

/// Reaches the person at this machine.
pub(super) struct LocalNotifier {
    /// The client speaks on standard input and output, so a terminal there is the client's.
    pub(super) serves_stdio: bool,
}

impl PersonNotifier for LocalNotifier {
    fn notify<'n>(&'n self, notice: &'n ApprovalNotice) -> NotifyFuture<'n> {
        Box::pin(self.show(notice))
    }
}

impl LocalNotifier {
    async fn show(&self, notice: &ApprovalNotice) -> Vec<CodePlace> {
        let mut places = Vec::new();
        if show_notification(notice).await {
            places.push(CodePlace::Notification);
        }
        // Another program may be drawing on a terminal that we were not started at.
        if (places.is_empty() || std::io::stderr().is_terminal()) && self.write_to_terminal(notice) {
            places.push(CodePlace::Terminal);
        }
        // A model may have a hand in the person's browser, so the code is filled in only if there is no other place for it.
        let is_last_place = places.is_empty();
        let address = if is_last_place { &notice.filled_address } else { &notice.address };
        if open_in_browser(address).await && is_last_place {
            places.push(CodePlace::Browser);
        }
        places
    }

    /// Writes to the controlling terminal, unless that would reach the client or stop this process.
    fn write_to_terminal(&self, notice: &ApprovalNotice) -> bool {
        if self.serves_stdio && (std::io::stdin().is_terminal() || std::io::stdout().is_terminal()) {
            return false;
        }
        let flags = (OFlags::NOCTTY | OFlags::NONBLOCK).bits().cast_signed();
        let Ok(mut terminal) = File::options().write(true).custom_flags(flags).open(TERMINAL) else {
            return false;
        };
        let stops_writers = tcgetattr(&terminal).map(|modes| modes.local_modes.contains(LocalModes::TOSTOP));
        let is_in_front = tcgetpgrp(&terminal).is_ok_and(|group| group == getpgrp());
        if stops_writers.unwrap_or(true) && !is_in_front {
            return false;
        }
        let (address, code) = (&notice.address, notice.code.shown());
        // A program that draws on the terminal may have it in raw mode.
        let text = format!(
            "\r\nuiap: an agent asks for your agreement.\r\nOpen {address} in your browser and type the code {code}.\r\n"
        );
        terminal.write_all(text.as_bytes()).is_ok()
    }
}

async fn show_notification(notice: &ApprovalNotice) -> bool {
    let has_bus = is_set("DBUS_SESSION_BUS_ADDRESS")
        || std::env::var_os("XDG_RUNTIME_DIR").is_some_and(|folder| Path::new(&folder).join("bus").exists());
    if !has_bus {
        return false;
    }
    let (address, code) = (&notice.address, notice.code.shown());
    let mut command = quiet("notify-send");
    command.args(["--app-name=uiap", "--urgency=critical", "An agent asks for your agreement"]);
    command.arg(format!("The code is {code}. Type it at {address}"));
    let Ok(mut child) = command.kill_on_drop(true).spawn() else { return false };
    matches!(tokio::time::timeout(NOTIFICATION_WAIT, child.wait()).await, Ok(Ok(status)) if status.success())
}

async fn open_in_browser(address: &str) -> bool {
    let has_display = cfg!(target_os = "macos") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
    if !has_display {
        return false;
    }
    let Ok(mut child) = quiet(OPENER).arg(address).spawn() else { return false };
    match tokio::time::timeout(BROWSER_WAIT, child.wait()).await {
        Ok(status) => status.is_ok_and(|status| status.success()),
        // It became the browser.
        Err(_) => true,
    }
}

/// A program that says nothing to the client and outlives an interrupt at our terminal.
fn quiet(program: &str) -> Command {
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    command
}

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}
