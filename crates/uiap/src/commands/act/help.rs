//! What `uiap act --help` says after the flags: the actions, examples of each, and how targets and signals are
//! written. Actions and examples are those of the catalogue.

use std::fmt::Write as _;
use uiap_runtime::catalogue::{ActionExample, Native};
use uiap_runtime::words::signal_forms;

/// Where the explanations of actions begin.
const COLUMN: usize = 18;

const FURTHER_EXAMPLES: &str = "  uiap act URL activate --target 'button \"Save\"' --verify toast:Saved
  uiap act URL activate --target video.create.submit --key order-17
  uiap act URL activate --target 'button \"Edit\"' --in videos.table
  uiap act URL navigate --arg url=/videos --verify route:/videos
  uiap act URL video.create --arg title=Intro --bundle videoland.bundle.json --policy team.yaml \\
    --login login.yaml --secrets secrets.yaml   signed in first; see docs/discovery.md for the files
  uiap act URL --request request.json           a whole action.request; `-` is standard input
";

const REMARKS: &str = "\
What is risky waits for you: it is shown, and done only if you say yes. Without a terminal it is not
done. What an argument says can be seen by others on this machine; a secret is named as secret:NAME of
--secrets.
Everything is kept in a journal: `uiap trace` shows it.";

/// The text after the flags.
pub(super) fn after_help() -> String {
    let (mut actions, mut examples) = (String::new(), String::new());
    for (id, native) in Native::all() {
        let usage = native.usage();
        let Some(example) = usage.examples.first() else { continue };
        let word = Native::short_word(id);
        // Writing to a string cannot fail.
        let _ = writeln!(actions, "  {word:width$}{}", usage.summary, width = COLUMN - 2);
        let signature = usage.signature(false);
        if !signature.is_empty() {
            let _ = writeln!(actions, "{:COLUMN$}{signature}", "");
        }
        let _ = writeln!(examples, "  {}", command(word, example));
    }
    format!(
        "Actions, with the arguments that --arg gives them:\n{actions}\n\
         Examples:\n{examples}{FURTHER_EXAMPLES}\n\
         Targets: a stable id, a role and a name as `uiap look` shows them (button \"Save\", button:Save),\n\
         or the number that a look at the fresh page shows (e25).\n\n\
         Signals for --verify, all of which must be observed: {}, or a SuccessSignal as JSON;\n\
         `none` verifies nothing, where that is allowed.\n\n{REMARKS}",
        signal_forms(false)
    )
}

/// An example as a command.
fn command(word: &str, example: &ActionExample) -> String {
    let mut command = format!("uiap act URL {word}");
    if let Some(target) = example.target {
        let _ = write!(command, " --target '{target}'");
    }
    for (name, value) in example.arguments {
        let text = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        let _ = match text {
            Some(text) if !text.contains([' ', '\\']) => write!(command, " --arg {name}={text}"),
            Some(text) if !text.contains('\\') => write!(command, " --arg '{name}={text}'"),
            _ => write!(command, " --arg '{name}:={value}'"),
        };
    }
    command
}
