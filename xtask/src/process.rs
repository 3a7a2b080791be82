//! Running other programs.
//!
//! Start at [`run`]. [`run_refusing_skips`] is for test runners: in CI a skipped test is a failure.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, bail};

/// Something that this machine lacks; the text says what to do about it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct EnvironmentMissing(pub(crate) String);

impl EnvironmentMissing {
    pub(crate) const EXIT_CODE: u8 = 3;
}

/// Shows the command line and runs it; anything but exit code 0 is an error.
pub(crate) fn run(command: &mut Command) -> anyhow::Result<()> {
    let line = announce(command);
    let status = command.status().with_context(|| format!("`{line}` could not be started"))?;
    succeeded(&line, status)
}

/// Like [`run`], for a test runner. With `CI=true` its output is read along, and a skipped test is an error.
pub(crate) fn run_refusing_skips(command: &mut Command) -> anyhow::Result<()> {
    if !in_ci() {
        return run(command);
    }
    let line = announce(command);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("`{line}` could not be started"))?;
    let out = child.stdout.take().context("the output is not piped")?;
    let err = child.stderr.take().context("the output is not piped")?;
    let skipped = std::thread::scope(|scope| {
        let from_err = scope.spawn(|| forward(err, std::io::stderr()));
        let from_out = forward(out, std::io::stdout());
        from_out + from_err.join().unwrap_or_default()
    });
    succeeded(&line, child.wait()?)?;
    if skipped > 0 {
        bail!("`{line}` skipped {skipped} tests, which counts as a failure with CI=true");
    }
    Ok(())
}

/// Whether this is a run where nothing may be skipped.
pub(crate) fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

/// The first line a program prints, or nothing if it is missing or fails.
pub(crate) fn first_line(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().map(|line| line.trim().to_owned())
}

/// The file that a program's name stands for.
pub(crate) fn find_in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| is_executable(file))
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}

/// The command as a person would type it.
fn announce(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    eprintln!("$ {line}");
    line
}

fn succeeded(line: &str, status: ExitStatus) -> anyhow::Result<()> {
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// Copies a runner's output and counts the tests it says it skipped.
fn forward(from: impl Read, mut to: impl Write) -> u64 {
    let mut skipped = 0;
    let mut reader = BufReader::new(from);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
        // The runner's verdict decides; a closed terminal must not change it.
        let _ = to.write_all(&line);
        skipped += skipped_in(&String::from_utf8_lossy(&line));
        line.clear();
    }
    skipped
}

/// The number of skipped tests that a summary line of nextest, libtest or Node states.
fn skipped_in(line: &str) -> u64 {
    let words: Vec<&str> = line.split([' ', ',', ';']).filter(|word| !word.is_empty()).collect();
    let number = |word: &str| word.trim().parse::<u64>().ok();
    match words.as_slice() {
        // `ℹ skipped 2` and `# skipped 2`, the same for `todo`
        ["ℹ" | "#", "skipped" | "todo", count] => number(count).unwrap_or_default(),
        ["Summary", ..] => count_before(&words, "skipped"),
        ["test", "result:", ..] => count_before(&words, "ignored"),
        _ => 0,
    }
}

fn count_before(words: &[&str], label: &str) -> u64 {
    let pairs = words.iter().zip(words.iter().skip(1));
    pairs.filter(|(_, word)| word.trim() == label).filter_map(|(count, _)| count.parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_tests_are_counted_from_the_summaries_of_all_runners() {
        assert_eq!(skipped_in("     Summary [   0.012s] 3 tests run: 3 passed, 2 skipped\n"), 2);
        assert_eq!(
            skipped_in("test result: ok. 3 passed; 0 failed; 4 ignored; 0 measured; 0 filtered out"),
            4
        );
        assert_eq!(skipped_in("ℹ skipped 1\n"), 1);
        assert_eq!(skipped_in("# skipped 5\n"), 5);
        assert_eq!(skipped_in("# todo 1\n"), 1);
    }

    #[test]
    fn other_lines_count_nothing() {
        assert_eq!(skipped_in("     Summary [   0.012s] 3 tests run: 3 passed, 0 skipped\n"), 0);
        assert_eq!(skipped_in("the page said 7 skipped"), 0);
        assert_eq!(skipped_in("ℹ skipped 0"), 0);
        assert_eq!(skipped_in(""), 0);
    }

    #[test]
    fn output_is_copied_unchanged() {
        let mut copy = Vec::new();
        assert_eq!(forward("a\n# skipped 2\nb".as_bytes(), &mut copy), 2);
        assert_eq!(copy, b"a\n# skipped 2\nb");
    }

    #[test]
    fn a_failing_program_is_an_error_with_its_command_line() {
        let error = run(Command::new("false").arg("really")).unwrap_err();
        assert!(error.to_string().contains("`false really` failed"), "{error}");
    }

    #[test]
    fn a_missing_program_has_no_first_line_and_no_path() {
        assert_eq!(first_line(&mut Command::new("no-such-program-here")), None);
        assert_eq!(find_in_path("no-such-program-here"), None);
    }
}
