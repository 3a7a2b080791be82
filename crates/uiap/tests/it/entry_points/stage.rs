//! What is prepared for one case: the page, files for the flags, and a journal.

use super::browser::SharedBrowser;
use super::case::Case;
use super::site::Site;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

static STAGES: AtomicUsize = AtomicUsize::new(0);

pub(super) struct Stage<'c> {
    pub(super) case: &'c Case,
    pub(super) browser: &'c SharedBrowser,
    pub(super) site: Site,
    folder: PathBuf,
}

impl<'c> Stage<'c> {
    pub(super) fn prepare(case: &'c Case, browser: &'c SharedBrowser) -> Self {
        let number = STAGES.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("uiap-entry-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let site = Site::start(&case.page, case.server.clone());
        Self { case, browser, site, folder }
    }

    /// Texts that must not leave.
    pub(super) fn hidden(&self) -> Vec<&str> {
        let secrets = self.case.secrets.values();
        self.case.hidden.iter().chain(secrets).map(String::as_str).collect()
    }

    pub(super) fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    }

    /// A command with the journal of this case.
    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        // Without a terminal, a session bus and a display: no code of an approval page is shown to whoever runs the tests.
        let mut command = Command::new("setsid");
        command.arg(env!("CARGO_BIN_EXE_uiap")).args(arguments).env("XDG_STATE_HOME", &self.folder);
        for place in ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"] {
            command.env_remove(place);
        }
        command
    }

    /// Flags for what the case knows of the application, and for what may happen.
    pub(super) fn knowledge(&self) -> Vec<String> {
        self.flags_of([("--bundle", &self.case.bundle), ("--policy", &self.case.policy)])
    }

    /// The flag for what may happen and be seen.
    pub(super) fn rules(&self) -> Vec<String> {
        self.flags_of([("--policy", &self.case.policy)])
    }

    fn flags_of<const N: usize>(&self, files: [(&str, &Option<serde_json::Value>); N]) -> Vec<String> {
        let given = files.iter().filter_map(|(flag, document)| Some((flag, document.as_ref()?)));
        given.flat_map(|(flag, document)| [(*flag).to_owned(), self.json_file(flag, document)]).collect()
    }

    fn json_file(&self, flag: &str, document: &serde_json::Value) -> String {
        self.file(&format!("{}.json", flag.trim_start_matches('-')), &document.to_string())
    }

    /// Flags for the secrets of the case.
    pub(super) fn secrets(&self) -> Vec<String> {
        if self.case.secrets.is_empty() {
            return Vec::new();
        }
        let origin = self.site.origin();
        let line = |(name, value): (&String, &String)| {
            let file = self.file(&format!("secret-{name}"), value);
            format!("{name}: {{origins: [\"{origin}\"], file: {file}}}\n")
        };
        let lines: String = self.case.secrets.iter().map(line).collect();
        vec!["--secrets".to_owned(), self.file("secrets.yaml", &lines)]
    }

    /// The flag for the browser of all cases.
    pub(super) fn browser_flag(&self) -> [String; 2] {
        ["--browser".to_owned(), self.browser.address.clone()]
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
