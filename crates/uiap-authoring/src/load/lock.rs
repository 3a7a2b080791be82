//! `uiap.lock`: which versions of imported packages were used, and what they were.

use serde::{Deserialize, Serialize};

/// The versions of imported packages that a build used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Lock {
    /// Every package, by id and version.
    pub packages: Vec<Locked>,
}

/// A package as it was used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Locked {
    /// Which.
    pub package_id: String,
    /// In which version.
    pub version: String,
    /// What its files hash to.
    pub digest: String,
}

/// A text is not a lock file.
#[derive(Debug, thiserror::Error)]
#[error("it is not a lock file: {0}")]
pub struct NotALock(#[from] serde_json::Error);

impl Lock {
    /// What the file is called.
    pub const FILE: &'static str = "uiap.lock";

    /// Reads a lock file.
    pub fn read(text: &str) -> Result<Self, NotALock> {
        Ok(serde_json::from_str(text)?)
    }

    /// The text of the file. Equal locks have equal texts.
    pub fn to_text(&self) -> String {
        let mut sorted = self.clone();
        sorted.packages.sort();
        let text = serde_json::to_string_pretty(&sorted).unwrap_or_default();
        format!("{text}\n")
    }

    /// Whether nothing is pinned.
    pub fn is_empty(&self) -> bool {
        self.packages.is_empty()
    }

    pub(super) fn add(&mut self, package: Locked) {
        if !self.packages.contains(&package) {
            self.packages.push(package);
        }
    }

    /// The versions that are pinned of a package; two importers may need different ones.
    pub(super) fn versions_of(&self, package_id: &str) -> impl Iterator<Item = &str> {
        let packages = self.packages.iter().filter(move |package| package.package_id == package_id);
        packages.map(|package| package.version.as_str())
    }

    pub(super) fn find(&self, package_id: &str, version: &str) -> Option<&Locked> {
        self.packages.iter().find(|one| one.package_id == package_id && one.version == version)
    }
}
