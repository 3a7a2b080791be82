//! Finds an installed Chromium, Chrome or Edge.
//!
//! Start at [`find`]. An explicit wish (argument, then `CHROME`) is never silently replaced by another browser.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The variable that names a browser.
const ENVIRONMENT: &str = "CHROME";

/// Names under which a browser is installed, in order of preference.
const NAMES: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
    "google-chrome-beta",
    "google-chrome-unstable",
];

/// Where a browser lies that is not in `PATH`.
const PLACES: &[&str] = &[
    "/usr/bin/chromium",
    "/usr/lib/chromium/chromium",
    "/usr/bin/google-chrome",
    "/opt/google/chrome/chrome",
    "/opt/microsoft/msedge/msedge",
    "/snap/bin/chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];

/// What helps when there is none.
const ADVICE: &str =
    "install one (`sudo apt-get install chromium`) or name one (`--browser PATH`, or the variable CHROME)";

/// Why no browser was found.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    /// The one that was asked for is not there.
    #[error("there is no browser at \"{}\"; {ADVICE}", path.display())]
    Asked {
        /// Where it should be.
        path: PathBuf,
    },
    /// The one that the variable names is not there.
    #[error("the variable CHROME names \"{}\", where no browser is; {ADVICE}", path.display())]
    Environment {
        /// Where it should be.
        path: PathBuf,
    },
    /// None of the usual ones is there.
    #[error("no browser was found, neither {} in PATH nor {}; {ADVICE}", names.join(", "), places.join(", "))]
    Nowhere {
        /// Names that were looked for in `PATH`.
        names: &'static [&'static str],
        /// Places that were looked at.
        places: &'static [&'static str],
    },
}

/// The browser that is asked for, or the first one that is installed.
pub fn find(asked: Option<&Path>) -> Result<PathBuf, FindError> {
    let environment = std::env::var_os(ENVIRONMENT).filter(|value| !value.is_empty());
    let path = std::env::var_os("PATH").unwrap_or_default();
    find_among(asked, environment.as_deref().map(Path::new), &path, PLACES)
}

fn find_among(
    asked: Option<&Path>,
    environment: Option<&Path>,
    path: &OsStr,
    places: &'static [&'static str],
) -> Result<PathBuf, FindError> {
    if let Some(asked) = asked {
        return locate(asked, path).ok_or_else(|| FindError::Asked { path: asked.to_owned() });
    }
    if let Some(named) = environment {
        return locate(named, path).ok_or_else(|| FindError::Environment { path: named.to_owned() });
    }
    let in_path = NAMES.iter().find_map(|name| locate(Path::new(name), path));
    let in_place = || places.iter().map(PathBuf::from).find(|place| is_program(place));
    in_path.or_else(in_place).ok_or(FindError::Nowhere { names: NAMES, places })
}

/// A bare name is looked for in `PATH`; anything else is a path.
fn locate(program: &Path, path: &OsStr) -> Option<PathBuf> {
    if program.components().count() > 1 || program.is_absolute() {
        return is_program(program).then(|| program.to_owned());
    }
    std::env::split_paths(path).map(|folder| folder.join(program)).find(|file| is_program(file))
}

fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|facts| facts.is_file() && facts.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(asked: Option<&str>, environment: Option<&str>, path: &str) -> String {
        let found = find_among(
            asked.map(Path::new),
            environment.map(Path::new),
            OsStr::new(path),
            &["/nowhere/chrome"],
        );
        found.map_or_else(|error| error.to_string(), |path| path.display().to_string())
    }

    #[test]
    fn an_explicit_wish_wins_and_is_never_replaced() {
        assert_eq!(search(Some("/bin/sh"), Some("/bin/cat"), "/bin"), "/bin/sh");
        assert_eq!(search(Some("sh"), None, "/nowhere:/bin"), "/bin/sh");
        assert!(
            search(Some("/no/such"), Some("/bin/cat"), "/bin")
                .starts_with("there is no browser at \"/no/such\"")
        );
    }

    #[test]
    fn the_variable_comes_second() {
        assert_eq!(search(None, Some("/bin/cat"), "/bin"), "/bin/cat");
        assert!(search(None, Some("/bin"), "/bin").starts_with("the variable CHROME names \"/bin\""));
    }

    #[test]
    fn the_error_says_what_was_looked_for_and_how_to_get_one() {
        let error = search(None, None, "/nowhere");
        for part in
            ["chromium", "microsoft-edge", "/nowhere/chrome", "sudo apt-get install chromium", "CHROME"]
        {
            assert!(error.contains(part), "{error} lacks {part}");
        }
    }
}
