//! Where the project is and which files belong to it.
//!
//! Start at [`Workspace::find`]; [`Workspace::files`] lists what git would commit.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

/// The project's folder.
#[derive(Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
}

/// One text file of the project.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    /// Relative to the workspace, with `/` between the parts.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Workspace {
    /// Finds the workspace this program was started for.
    pub(crate) fn find() -> anyhow::Result<Self> {
        // Cargo sets it for `cargo run` and `cargo test`, so a moved folder needs no rebuild.
        let manifest_dir =
            std::env::var_os("CARGO_MANIFEST_DIR").context("start this program with `cargo xtask`")?;
        let root = Path::new(&manifest_dir).parent().context("xtask has no parent folder")?;
        Ok(Self { root: root.to_owned() })
    }

    /// A path inside the workspace.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// The workspace's own folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A command that runs in the workspace's folder.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command
    }

    /// The folder of what cargo builds, which need not be in the workspace.
    pub(crate) fn target(&self) -> anyhow::Result<PathBuf> {
        let output =
            self.command("cargo").args(["metadata", "--no-deps", "--format-version", "1"]).output()?;
        let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
        let folder = metadata.get("target_directory").and_then(serde_json::Value::as_str);
        folder.map(PathBuf::from).context("cargo metadata names no target folder")
    }

    /// The text files that git tracks or would track. Files that are not UTF-8 are left out.
    pub(crate) fn files(&self) -> anyhow::Result<Vec<SourceFile>> {
        let paths = self.file_paths()?;
        Ok(paths.into_iter().filter_map(|path| self.read(path)).collect())
    }

    /// A file that is listed but gone (deleted, not yet committed) is no file of the project.
    fn read(&self, path: String) -> Option<SourceFile> {
        let bytes = std::fs::read(self.path(&path)).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        Some(SourceFile { path, text })
    }

    fn file_paths(&self) -> anyhow::Result<Vec<String>> {
        let output = self
            .command("git")
            .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
            .output()
            .context("git could not be started")?;
        if !output.status.success() {
            bail!("git could not list the files: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        let listing = String::from_utf8_lossy(&output.stdout);
        let mut paths: Vec<String> =
            listing.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect();
        paths.sort();
        paths.dedup();
        Ok(paths)
    }
}

impl SourceFile {
    /// The part of the name after the last dot.
    pub(crate) fn extension(&self) -> &str {
        Path::new(&self.path).extension().and_then(|extension| extension.to_str()).unwrap_or_default()
    }

    /// Whether the file lies in this folder, at any depth.
    pub(crate) fn is_under(&self, folder: &str) -> bool {
        Path::new(&self.path).starts_with(folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_lists_its_own_sources() {
        let workspace = Workspace::find().unwrap();
        let files = workspace.files().unwrap();
        assert!(files.iter().any(|file| file.path == "xtask/src/workspace.rs"));
        assert!(files.iter().all(|file| !file.path.starts_with("target/")));
    }

    #[test]
    fn a_folder_is_not_a_prefix_of_a_name() {
        let file = SourceFile { path: "spec/cases-old/a.yaml".to_owned(), text: String::new() };
        assert!(!file.is_under("spec/cases"));
        assert!(file.is_under("spec"));
        assert_eq!(file.extension(), "yaml");
    }
}
