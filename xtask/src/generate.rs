//! Files that are generated and committed: JSON Schemas, TypeScript declarations, reference pages.
//!
//! Start at [`run`]. What is generated is decided in `uiap_protocol::generate` and [`entry_points`]; this writes or compares.

use std::fs;
use std::path::{Component, Path};

use anyhow::{Context, bail, ensure};
use uiap_protocol::generate::GeneratedFile;

use crate::entry_points;
use crate::workspace::Workspace;

/// Folders that hold generated files only; a file that is no longer generated is removed from them.
pub(crate) const FOLDERS: [&str; 2] = ["spec/schemas", "web/types"];

/// Options of `cargo xtask generate`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask generate           write the files that differ
  cargo xtask generate --check   write nothing; fail if a file differs")]
pub(crate) struct Args {
    /// Write nothing; fail if a file would change.
    #[arg(long)]
    pub(crate) check: bool,
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> anyhow::Result<()> {
    let mut files = uiap_protocol::generate::files();
    files.push(entry_points::page(workspace)?);
    let changes = plan(workspace.root(), &files)?;
    if changes.is_empty() {
        println!("{} generated files are up to date.", files.len());
        return Ok(());
    }
    for change in &changes {
        println!("{change}");
        if !args.check {
            change.apply(workspace.root())?;
        }
    }
    if args.check {
        bail!("{} generated files differ; run `cargo xtask generate` and commit the result", changes.len());
    }
    Ok(())
}

/// What has to happen to one file.
enum Change<'a> {
    Create { file: &'a GeneratedFile },
    Update { file: &'a GeneratedFile, current: String },
    Remove { path: String },
}

fn plan<'a>(root: &Path, files: &'a [GeneratedFile]) -> anyhow::Result<Vec<Change<'a>>> {
    let mut changes = Vec::new();
    for file in files {
        ensure!(stays_inside(&file.path), "a generator wants to write outside the workspace: {}", file.path);
        let current = fs::read(root.join(&file.path)).ok();
        match current.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()) {
            None => changes.push(Change::Create { file }),
            Some(current) if current != file.content => changes.push(Change::Update { file, current }),
            Some(_) => {}
        }
    }
    let mut existing = Vec::new();
    for folder in FOLDERS {
        list(root, folder, &mut existing)?;
    }
    existing.retain(|path| !files.iter().any(|file| file.path == *path));
    changes.extend(existing.into_iter().map(|path| Change::Remove { path }));
    Ok(changes)
}

fn stays_inside(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

/// All files under a folder, sorted, relative to the root. A missing folder holds none.
fn list(root: &Path, folder: &str, found: &mut Vec<String>) -> anyhow::Result<()> {
    if !root.join(folder).is_dir() {
        return Ok(());
    }
    let entries = fs::read_dir(root.join(folder)).with_context(|| format!("{folder} could not be read"))?;
    let mut entries = entries.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list(root, &path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

impl Change<'_> {
    fn apply(&self, root: &Path) -> anyhow::Result<()> {
        match self {
            Self::Create { file } | Self::Update { file, .. } => write(root, file),
            Self::Remove { path } => {
                fs::remove_file(root.join(path)).with_context(|| format!("{path} could not be removed"))
            }
        }
    }
}

/// Writes beside the file and renames, so that a reader sees the old or the new text and nothing between.
fn write(root: &Path, file: &GeneratedFile) -> anyhow::Result<()> {
    let path = root.join(&file.path);
    let work = || {
        fs::create_dir_all(path.parent().unwrap_or(root))?;
        let mut beside = path.clone().into_os_string();
        beside.push(".new");
        fs::write(&beside, &file.content)?;
        fs::rename(&beside, &path)
    };
    work().with_context(|| format!("{} could not be written", file.path))
}

impl std::fmt::Display for Change<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Create { file } => write!(f, "new      {}", file.path),
            Self::Remove { path } => write!(f, "removed  {path}"),
            Self::Update { file, current } => {
                write!(f, "changed  {}", file.path)?;
                first_difference(current, &file.content)
                    .map_or(Ok(()), |difference| write!(f, "{difference}"))
            }
        }
    }
}

/// The first line that differs, as it is and as it should be.
fn first_difference(current: &str, wanted: &str) -> Option<String> {
    let mut current = current.lines();
    let mut wanted = wanted.lines();
    for number in 1_usize.. {
        match (current.next(), wanted.next()) {
            (None, None) => break,
            (is, should) if is == should => {}
            (is, should) => {
                let side = |sign, line: Option<&str>| {
                    line.map(|line| format!("\n  {sign} {line}")).unwrap_or_default()
                };
                return Some(format!(", first in line {number}:{}{}", side('-', is), side('+', should)));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own for each test.
    struct Folder(std::path::PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("uiap-generate-{}-{name}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn put(&self, path: &str, content: &str) {
            write(&self.0, &file(path, content)).unwrap();
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn file(path: &str, content: &str) -> GeneratedFile {
        GeneratedFile { path: path.to_owned(), content: content.to_owned() }
    }

    fn shown(changes: &[Change<'_>]) -> String {
        changes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn new_changed_and_stale_files_are_found_and_fixed() {
        let folder = Folder::new("all");
        folder.put("spec/schemas/same.json", "{}\n");
        folder.put("spec/schemas/changed.json", "{\n  \"a\": 1\n}\n");
        folder.put("web/types/deep/stale.ts", "x");
        folder.put("spec/cases/kept.json", "not generated");
        let files = [
            file("spec/schemas/same.json", "{}\n"),
            file("spec/schemas/changed.json", "{\n  \"a\": 2\n}\n"),
            file("web/types/new/one.ts", "export {};\n"),
        ];

        let changes = plan(&folder.0, &files).unwrap();
        insta::assert_snapshot!(shown(&changes), @r#"
        changed  spec/schemas/changed.json, first in line 2:
          -   "a": 1
          +   "a": 2
        new      web/types/new/one.ts
        removed  web/types/deep/stale.ts
        "#);

        for change in &changes {
            change.apply(&folder.0).unwrap();
        }
        assert_eq!(shown(&plan(&folder.0, &files).unwrap()), "");
        assert!(folder.0.join("spec/cases/kept.json").is_file());
        assert_eq!(fs::read_dir(folder.0.join("spec/schemas")).unwrap().count(), 2, "no file is left beside");
    }

    #[test]
    fn a_file_that_ends_earlier_differs_where_it_ends() {
        assert_eq!(first_difference("a\n", "a\nb\n").unwrap(), ", first in line 2:\n  + b");
        assert_eq!(first_difference("a\nb\n", "a\n").unwrap(), ", first in line 2:\n  - b");
    }

    #[test]
    fn a_generator_cannot_write_outside_the_workspace() {
        for path in ["../x", "a/../../x", "/etc/x", ""] {
            assert!(plan(Path::new("."), &[file(path, "")]).is_err(), "{path}");
        }
    }
}
