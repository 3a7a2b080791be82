//! `uiap completions`: for the shell.

use crate::{Arguments, Outcome, Trouble};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Print completions for a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  uiap completions bash > ~/.local/share/bash-completion/completions/uiap
  uiap completions fish > ~/.config/fish/completions/uiap.fish")]
pub(crate) struct Completions {
    /// For which shell
    shell: Shell,
}

impl Completions {
    #[expect(clippy::unnecessary_wraps, reason = "every command has the same signature")]
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        clap_complete::generate(self.shell, &mut Arguments::command(), "uiap", &mut std::io::stdout());
        Ok(Outcome::Yes)
    }
}
