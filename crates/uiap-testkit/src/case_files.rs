//! Runs a check over every case of one kind, so that adding a case is adding a file.

use std::any::Any;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// What a check of one case file returns; it may also panic, as assertions do.
pub type CaseResult = Result<(), Box<dyn Error>>;

/// Checks every `.yaml` file below `spec/cases/<kind>`, in the order of their paths.
///
/// All files are checked, whatever fails.
///
/// # Panics
///
/// If a file fails, with the path and the reason of each that did, and if there is no file at all.
pub fn check_case_files(kind: &str, check: impl Fn(&Path) -> CaseResult) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/cases").join(kind);
    let mut files = Vec::new();
    collect(&folder, &mut files);
    files.sort();
    assert!(!files.is_empty(), "{} has no case", folder.display());
    let failures: Vec<String> = files
        .iter()
        .filter_map(|file| {
            let reason = match catch_unwind(AssertUnwindSafe(|| check(file))) {
                Ok(Ok(())) => return None,
                Ok(Err(error)) => error.to_string(),
                Err(panic) => panic_message(panic.as_ref()),
            };
            Some(format!("{}: {reason}", file.display()))
        })
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} case files failed:\n{}",
        failures.len(),
        files.len(),
        failures.join("\n\n")
    );
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path);
        }
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failing_file_is_named_with_its_reason() {
        let outcome = catch_unwind(|| {
            check_case_files("plan", |path| {
                assert!(!path.ends_with("targets.yaml"), "asserted");
                Err("returned".into())
            });
        });
        let message = outcome.map_err(|panic| panic_message(panic.as_ref())).expect_err("all of them fail");
        let files = message.lines().filter(|line| line.contains(".yaml: ")).count();
        assert!(message.starts_with(&format!("{files} of {files} case files failed:")), "{message}");
        assert!(message.contains(": returned"), "{message}");
    }
}
