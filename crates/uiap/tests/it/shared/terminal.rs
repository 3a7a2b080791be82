//! A command at a terminal, where somebody answers its question.

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::{Read, Write};
use std::process::Command;

/// A terminal: the side of the person, and the path of the other one.
pub(crate) fn open_terminal() -> (File, String) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("a terminal");
    let name = ptsname(&ours, Vec::new()).expect("its name").into_string().expect("UTF-8");
    (File::from(ours), name)
}

/// Runs a command at a terminal of its own and gives one answer when it asks. Says how it ended and what was shown.
pub(crate) fn run_before_a_person(mut command: Command, answer: &str) -> (i32, String) {
    let (mut ours, name) = open_terminal();
    let theirs = || File::options().read(true).write(true).open(&name).expect("the terminal");
    let mut child = command.stdin(theirs()).stdout(theirs()).stderr(theirs()).spawn().expect("it starts");
    drop(command);
    let mut shown = Vec::new();
    let mut answered = false;
    let mut part = [0; 1_024];
    // The end of a terminal is an error of the one who reads it.
    while let Ok(length @ 1..) = ours.read(&mut part) {
        shown.extend_from_slice(part.get(..length).unwrap_or_default());
        if !answered && String::from_utf8_lossy(&shown).contains("[y/N]") {
            writeln!(ours, "{answer}").expect("it is typed");
            answered = true;
        }
    }
    let code = child.wait().expect("it ends").code().expect("an exit code");
    (code, String::from_utf8_lossy(&shown).into_owned())
}
