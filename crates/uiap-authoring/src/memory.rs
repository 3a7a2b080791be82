//! Packages in memory: for editors, for tests, and for packages that a program carries.

use crate::sources::{Folder, Sources, Unreadable};
use std::collections::{BTreeMap, BTreeSet};

/// Files by folder and path.
///
/// ```
/// use uiap_authoring::{Folder, Memory, Sources};
///
/// let mut memory = Memory::default();
/// memory.put("uiap", "app.uiap.yaml", "kind: App");
/// assert_eq!(memory.read(&Folder::new("uiap"), "app.uiap.yaml"), Ok(b"kind: App".to_vec()));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: BTreeMap<(String, String), Vec<u8>>,
    importable: BTreeSet<String>,
}

impl Memory {
    /// Puts a file into a folder, or another content into a file.
    pub fn put(&mut self, folder: &str, path: &str, content: impl Into<Vec<u8>>) {
        self.files.insert((folder.to_owned(), path.to_owned()), content.into());
    }

    /// Takes a file away; says whether it was there.
    pub fn remove(&mut self, folder: &str, path: &str) -> bool {
        self.files.remove(&(folder.to_owned(), path.to_owned())).is_some()
    }

    /// Lets the package in a folder be imported.
    pub fn offer(&mut self, folder: &str) {
        self.importable.insert(folder.to_owned());
    }
}

impl Sources for Memory {
    fn read(&self, folder: &Folder, path: &str) -> Result<Vec<u8>, Unreadable> {
        if path.starts_with('/') || path.split(['/', '\\']).any(|part| part == "..") {
            return Err(Unreadable::Outside);
        }
        let key = (folder.as_str().to_owned(), path.to_owned());
        self.files.get(&key).cloned().ok_or(Unreadable::Missing)
    }

    fn importable(&self) -> Vec<Folder> {
        self.importable.iter().map(Folder::new).collect()
    }
}
