//! Videoland's UIAP package and the base package it imports, carried along for the demo.

use include_dir::{Dir, include_dir};

static PACKAGE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/uiap");
static BASE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/packages");

/// One file of the package.
#[derive(Clone, Debug)]
pub struct PackageFile {
    /// Where it lies below `examples/videoland`.
    pub path: String,
    /// What it holds.
    pub bytes: &'static [u8],
}

/// Every file of the package and of its base, by path.
pub fn package_files() -> Vec<PackageFile> {
    let mut files = Vec::new();
    collect(&PACKAGE, "uiap", &mut files);
    collect(&BASE, "packages", &mut files);
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

fn collect(folder: &'static Dir<'static>, root: &str, files: &mut Vec<PackageFile>) {
    for file in folder.files() {
        files.push(PackageFile { path: format!("{root}/{}", file.path().display()), bytes: file.contents() });
    }
    for folder in folder.dirs() {
        collect(folder, root, files);
    }
}
