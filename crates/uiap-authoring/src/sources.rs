//! Where the files of packages come from: a disk, a memory, the buffers of an editor.

use std::fmt;

/// Largest manifest that is read, in bytes.
pub const FILE_BYTES_MAX: usize = uiap_protocol::text::DOCUMENT_BYTES_MAX;
/// Most files that one build reads.
pub const FILES_MAX: usize = 10_000;

/// The folder of a package, as its [`Sources`] name it and as people see it in findings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Folder(String);

impl Folder {
    /// A folder with a name.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What a file in it is called in findings.
    pub(crate) fn file(&self, path: &str) -> String {
        if self.0.is_empty() { path.to_owned() } else { format!("{}/{path}", self.0) }
    }
}

impl fmt::Display for Folder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// There is none.
    #[error("there is no such file")]
    Missing,
    /// It is not in the folder of its package, by whatever way.
    #[error("it lies outside the folder of its package")]
    Outside,
    /// It is too large.
    #[error("it has more than {FILE_BYTES_MAX} bytes")]
    TooLarge,
    /// Something else.
    #[error("{0}")]
    Other(String),
}

/// Where the files of packages come from.
pub trait Sources {
    /// The bytes of a file; `path` is relative to the folder, with `/` between its parts. A path that leaves the
    /// folder, be it by a link, is [`Unreadable::Outside`].
    fn read(&self, folder: &Folder, path: &str) -> Result<Vec<u8>, Unreadable>;

    /// Every folder that holds a package which may be imported.
    fn importable(&self) -> Vec<Folder>;
}
