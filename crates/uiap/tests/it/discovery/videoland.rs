//! Videoland, and a folder for the runs of one test.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use videoland::{Options, Server};

/// How somebody signs in.
pub(crate) fn login(name: &str) -> String {
    format!(
        "url: /login\n\
         steps:\n\
         - {{action: enterText, target: login.user, args: {{text: {name}}}}}\n\
         - {{action: enterText, target: login.password, args: {{text: videoland}}}}\n\
         - {{action: activate, target: login.submit}}\n"
    )
}

/// Videoland, and a folder for one test.
pub(crate) struct Stage {
    pub(crate) server: Server,
    pub(crate) folder: PathBuf,
}

impl Stage {
    pub(crate) async fn new(name: &str) -> Self {
        let options = Options { port: 0, test_api: true, ..Options::default() };
        let server = Server::start(options).await.expect("Videoland starts");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("discover-{name}"));
        // What an earlier run of the test left.
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self { server, folder }
    }

    /// A file in the folder, for a flag.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    }

    /// A command in the folder.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uiap"));
        command.args(args).current_dir(&self.folder).stdin(Stdio::null());
        command
    }

    /// Runs a command that succeeds.
    pub(crate) async fn uiap(&self, args: &[&str]) -> Output {
        let mut command = self.command(args);
        let output = tokio::task::spawn_blocking(move || command.output()).await.expect("it runs");
        let output = output.expect("the command starts");
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        output
    }

    /// The package in a folder of the folder.
    pub(crate) fn package(&self, map: &str) -> Value {
        let files = std::fs::read_dir(self.folder.join(map)).expect("a folder").filter_map(Result::ok);
        let file =
            files.map(|file| file.path()).find(|path| path.to_string_lossy().ends_with(".discovery.json"));
        serde_json::from_slice(&std::fs::read(file.expect("a package")).expect("a file")).expect("JSON")
    }

    /// What was done to the application, besides letting people in.
    pub(crate) fn effects(&self) -> Vec<&'static str> {
        self.server.effects().into_iter().filter(|kind| *kind != "session.started").collect()
    }
}
