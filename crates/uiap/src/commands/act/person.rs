//! The person at the terminal: is told what happens, and asked what only a person may decide.

use std::io::{BufRead, IsTerminal, Write};
use tokio::sync::mpsc;
use uiap_protocol::action::{ActionProgress, ConfirmationRequest, Stage};
use uiap_protocol::ids::ActionHandle;
use uiap_runtime::consent::GrantToken;
use uiap_runtime::life::Message;
use uiap_runtime::question::{SHOWN_CHARS_MAX, question};
use uiap_runtime::shell::Listener;
use uiap_runtime::view::clean;

/// Most things that an action says and nobody has taken note of.
const SAID_MAX: usize = 64;
/// Most lines that were typed and not read.
const LINES_MAX: usize = 8;
/// Longest line that is taken for an answer, in bytes.
const LINE_BYTES_MAX: u64 = 256;

/// What an action says that somebody must react to.
pub(super) enum Said {
    /// It has a handle.
    Accepted(ActionHandle),
    /// It needs an agreement. The token is good for this process only and goes nowhere else.
    Asks(Box<ConfirmationRequest>, GrantToken),
    /// It needs a person who acts.
    NeedsUser { handle: ActionHandle, note: String },
}

/// Hears an action.
pub(super) struct Ear {
    said: mpsc::Sender<Said>,
    shows_progress: bool,
}

impl Ear {
    /// An ear, and where what it hears comes out.
    pub(super) fn new() -> (Self, mpsc::Receiver<Said>) {
        let (said, heard) = mpsc::channel(SAID_MAX);
        (Self { said, shows_progress: std::io::stderr().is_terminal() }, heard)
    }

    fn pass(&self, said: Said) {
        // Nobody listens any more only when the action has ended; then there is nothing to react to.
        let _ = self.said.try_send(said);
    }

    fn show(&self, progress: &ActionProgress) {
        if self.shows_progress {
            let note = clean(progress.note.as_deref().unwrap_or_default(), SHOWN_CHARS_MAX);
            say(&format!("  {}: {note}", progress.stage.as_str().replace('_', " ")));
        }
    }
}

impl Listener for Ear {
    fn hear(&self, message: &Message) {
        match message {
            Message::Accepted(accepted) => self.pass(Said::Accepted(accepted.action_handle.clone())),
            Message::Progress(progress) if progress.stage == Stage::WaitingForUser => {
                let note = clean(progress.note.as_deref().unwrap_or_default(), SHOWN_CHARS_MAX);
                self.pass(Said::NeedsUser { handle: progress.action_handle.clone(), note });
            }
            // The question itself follows.
            Message::Progress(progress) if progress.stage == Stage::AwaitingConfirmation => {}
            Message::Progress(progress) => self.show(progress),
            Message::Cancelled(_) | Message::Result(_) => {}
        }
    }

    fn confirm(&self, request: &ConfirmationRequest, token: GrantToken) {
        self.pass(Said::Asks(Box::new(request.clone()), token));
    }
}

/// The terminal, if there is a person at it.
pub(super) struct Terminal {
    lines: mpsc::Receiver<Option<String>>,
}

impl Terminal {
    /// Somebody can read what we ask and type an answer.
    pub(super) fn is_there() -> bool {
        std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
    }

    /// Begins to read what is typed. What was typed before counts for nothing.
    pub(super) fn listen() -> Self {
        let (typed, lines) = mpsc::channel(LINES_MAX);
        forget_input();
        // A thread of its own: reading cannot be given up, and nobody waits for its end.
        std::thread::spawn(move || {
            loop {
                let mut line = String::new();
                let mut input = std::io::Read::take(std::io::stdin().lock(), LINE_BYTES_MAX);
                let read = input.read_line(&mut line);
                drop(input);
                let line = read.is_ok_and(|bytes| bytes > 0).then_some(line);
                let is_end = line.is_none();
                if typed.blocking_send(line).is_err() || is_end {
                    return;
                }
            }
        });
        Self { lines }
    }

    /// Forgets what was typed before it was asked for.
    pub(super) fn forget(&mut self) {
        forget_input();
        while self.lines.try_recv().is_ok() {}
    }

    /// The next line; nothing if there will be none.
    pub(super) async fn line(&mut self) -> Option<String> {
        self.lines.recv().await.flatten()
    }
}

/// Throws away what was typed and not read.
fn forget_input() {
    // If it cannot be thrown away, it is no terminal, and then nobody is asked.
    let _ = rustix::termios::tcflush(std::io::stdin(), rustix::termios::QueueSelector::IFlush);
}

/// Shows what would happen, and asks.
pub(super) fn ask(request: &ConfirmationRequest) {
    question(request).iter().for_each(|line| say(line));
    prompt("Shall it be done? [y/N] ");
}

/// Whether a line is a yes. Everything else is a no.
pub(super) fn is_yes(line: Option<&str>) -> bool {
    line.is_some_and(|line| matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}

/// Says something to the person.
pub(super) fn say(sentence: &str) {
    // Whoever closed stderr does not want to know.
    let _ = writeln!(std::io::stderr(), "{sentence}");
}

fn prompt(question: &str) {
    let mut stderr = std::io::stderr();
    let _ = write!(stderr, "{question}").and_then(|()| stderr.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_yes_is_a_yes() {
        for yes in ["y\n", "Y", " yes \n", "YES"] {
            assert!(is_yes(Some(yes)), "{yes:?}");
        }
        for no in [None, Some("\n"), Some("n"), Some("yy"), Some("yes please"), Some("j")] {
            assert!(!is_yes(no), "{no:?}");
        }
    }
}
