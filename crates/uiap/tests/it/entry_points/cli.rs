//! The command line: every step is a command, and every command opens the page anew.

use super::case::{Act, Person, Target, Wait};
use super::driver::{Driver, Outcome};
use super::stage::Stage;
use crate::shared::terminal::run_before_a_person;
use rustix::process::{Pid, Signal, kill_process};
use std::process::{Command, Output, Stdio};

pub(super) struct CommandLine<'s> {
    stage: &'s Stage<'s>,
    left: String,
    handle: Option<String>,
}

impl<'s> CommandLine<'s> {
    pub(super) fn new(stage: &'s Stage<'s>) -> Self {
        Self { stage, left: String::new(), handle: None }
    }

    fn command(&self, name: &str, flags: Vec<String>) -> Command {
        let mut command = self.stage.command(&[name, &self.stage.site.url()]);
        command.args(self.stage.browser_flag()).args(flags);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Everything that a command said, and its exit code.
    fn run(&mut self, mut command: Command) -> (i32, String) {
        let output = command.output().expect("the command ends");
        self.took(&output)
    }

    fn took(&mut self, output: &Output) -> (i32, String) {
        let text = [&output.stdout, &output.stderr]
            .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
            .concat();
        self.left.push_str(&text);
        (output.status.code().expect("an exit code"), text)
    }

    fn act_command(&self, act: &Act) -> Command {
        let mut flags = vec![act.action.clone()];
        let mut flag = |name: &str, value: String| flags.extend([name.to_owned(), value]);
        if let Some(target) = &act.target {
            flag("--target", shorthand(target));
        }
        for (name, value) in act.args.iter().flatten() {
            flag("--arg", format!("{name}:={value}"));
        }
        for signal in &act.verify {
            flag("--verify", signal.to_string());
        }
        if let Some(key) = &act.key {
            flag("--key", key.clone());
        }
        if let Some(timeout) = act.timeout {
            flag("--timeout", timeout.to_string());
        }
        flags.extend(self.stage.knowledge());
        flags.extend(self.stage.secrets());
        self.command("act", flags)
    }

    fn cancelled_after(&mut self, mut command: Command, request: &str) -> (i32, String) {
        let child = command.spawn().expect("the command starts");
        self.stage.site.wait_for(request);
        kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
        let output = child.wait_with_output().expect("it ends");
        self.took(&output)
    }
}

impl Driver for CommandLine<'_> {
    fn look(&mut self) -> Outcome {
        let (code, text) = self.run(self.command("look", self.stage.rules()));
        assert_eq!(code, 0, "{text}");
        Outcome::shown(text)
    }

    fn act(&mut self, act: &Act) -> Outcome {
        let command = self.act_command(act);
        let (_, text) = match (&act.cancel_after, self.stage.case.person) {
            (Some(request), _) => self.cancelled_after(command, request),
            (None, Person::Absent) => self.run(command),
            (None, person) => {
                let answer = if person == Person::Agrees { "y" } else { "n" };
                let (code, text) = run_before_a_person(command, answer);
                let text = text.replace('\r', "");
                self.left.push_str(&text);
                (code, text)
            }
        };
        let handle = text.lines().find_map(|line| line.split_once("uiap trace ")).map(|(_, handle)| handle);
        self.handle = handle.map(|handle| handle.trim().to_owned()).or_else(|| self.handle.take());
        outcome_of(text)
    }

    fn wait(&mut self, wait: &Wait) -> Outcome {
        let mut flags = vec!["--timeout".to_owned(), wait.timeout.to_string()];
        flags.extend(wait.signals.iter().flat_map(|signal| ["--signal".to_owned(), signal.to_string()]));
        flags.extend(self.stage.rules());
        let (code, text) = self.run(self.command("wait", flags));
        let status = if code == 0 { "observed" } else { "not_observed" };
        Outcome { status: status.to_owned(), text, ..Outcome::default() }
    }

    fn trace(&mut self) -> Outcome {
        let handle = self.handle.clone().expect("an action went before");
        let (code, text) = self.run(self.stage.command(&["trace", &handle]));
        assert_eq!(code, 0, "{text}");
        Outcome::shown(text)
    }

    fn end(mut self: Box<Self>) -> String {
        // What was done can be shown at any time, in every form.
        if let Some(handle) = self.handle.clone().filter(|_| !self.stage.hidden().is_empty()) {
            for form in
                [&["trace"][..], &["trace", &handle, "--why"], &["trace", &handle, "--format", "json"]]
            {
                self.run(self.stage.command(form));
            }
        }
        self.left
    }
}

/// A target as people write it.
pub(super) fn shorthand(target: &Target) -> String {
    match target {
        Target::Semantic { role, name } => format!("{role} \"{name}\""),
        Target::Stable { id } => id.clone(),
    }
}

/// What the sentences of `uiap act` say.
fn outcome_of(text: String) -> Outcome {
    let asked: Vec<_> = text.split("[y/N]").collect();
    let questions = asked[..asked.len() - 1].iter().map(|question| (*question).to_owned()).collect();
    let words = ["Succeeded: ", "Done, but not verified: ", "Failed: ", "Cancelled: "];
    let headline = text.lines().find(|line| words.iter().any(|word| line.starts_with(word)));
    let (status, code, effect) = match headline {
        Some(headline) => {
            let mut parts = headline.splitn(3, ": ");
            let (word, rest) = (parts.next().unwrap_or_default(), parts.nth(1).unwrap_or_default());
            let status = match word {
                "Failed" => "failed",
                "Cancelled" => "cancelled",
                _ => "succeeded",
            };
            let code = rest.split([' ', ';']).next().filter(|_| status != "succeeded");
            (status, code.map(str::to_owned), Some(effect_of(headline)))
        }
        // A command that was refused says so in one sentence, with the code in brackets.
        None => {
            let code = text.split(['(', ')']).skip(1).step_by(2).find(|word| {
                word.contains('_') && word.chars().all(|char| char == '_' || char.is_ascii_lowercase())
            });
            ("refused", code.map(str::to_owned), Some("none"))
        }
    };
    Outcome { status: status.to_owned(), code, effect: effect.map(str::to_owned), text, questions }
}

fn effect_of(headline: &str) -> &'static str {
    match headline {
        _ if headline.ends_with("nothing was changed.") => "none",
        _ if headline.ends_with("it took effect.") => "applied",
        _ => "unknown",
    }
}
