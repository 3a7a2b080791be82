//! Where every value of a bundle comes from: file and line, import, overlay, discovery, review.
//!
//! [`Origins`] is written beside a bundle; [`Origins::explain`] follows a pointer.

mod lines;
mod write;

pub(crate) use write::{Known, OriginsMemory, origins};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the format is called.
pub const ORIGINS_FORMAT: &str = "uiap.origins/v0.1";

/// Where everything in a bundle comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Origins {
    /// Always [`ORIGINS_FORMAT`].
    pub format: String,
    /// The digest of the bundle that this is about.
    pub bundle: String,
    /// The files that were read.
    pub files: Vec<OriginFile>,
    /// Parts of the bundle and where they come from, by pointer.
    pub parts: BTreeMap<String, Part>,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OriginFile {
    /// Of which package.
    pub package_id: String,
    /// In which version.
    pub version: String,
    /// Where in the package.
    pub path: String,
    /// What it hashes to.
    pub digest: String,
}

/// Where a part of a bundle comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Part {
    /// The manifest.
    pub manifest: String,
    /// The place.
    pub at: Line,
    /// Other places that say the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<Line>,
    /// Places of what is inside, where they are on other lines than what is around them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inside: BTreeMap<String, Line>,
    /// What was changed, and by which overlay.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overlays: Vec<Changed>,
    /// Texts that stood behind references.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<String, Line>,
    /// The run that found it, or that is evidence for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discovery: Option<Evidence>,
    /// How far its review is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<Reviewed>,
}

/// A place: the number of a file, and a line in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line(pub usize, pub usize);

/// A change by an overlay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Changed {
    /// What, seen from the part.
    pub pointer: String,
    /// By which overlay.
    pub overlay: String,
    /// Where it says so.
    pub at: Line,
}

/// What discovery knows about a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Evidence {
    /// Which run.
    pub run_id: String,
    /// Which evidence.
    pub evidence: Vec<String>,
    /// The manifest that took it over.
    pub manifest: String,
    /// The rule that did.
    pub at: Line,
    /// Where it stands in the discovery package.
    pub found_at: Line,
    /// The part was written by hand, and the run only shows that it is so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_linked: bool,
}

/// How far the review of a part is, and whose word that is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Reviewed {
    /// How far.
    pub state: String,
    /// Who decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// When.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_at: Option<String>,
    /// Where the decision, or otherwise the waiver, is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Line>,
    /// A waiver lets it through for now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_waived: bool,
}

impl Origins {
    /// The part that a pointer lies in, and the way from the part to what the pointer means.
    pub fn part<'p>(&self, pointer: &'p str) -> Option<(&str, &Part, &'p str)> {
        let mut outer = pointer;
        loop {
            if let Some((name, part)) = self.parts.get_key_value(outer) {
                return Some((name, part, pointer.get(outer.len()..).unwrap_or_default()));
            }
            outer = outer.rsplit_once('/')?.0;
        }
    }

    /// A line as people write it.
    pub fn shown(&self, line: Line) -> String {
        let Line(file, line) = line;
        self.files.get(file).map_or_else(String::new, |file| {
            format!("{} {}: {}:{line}", file.package_id, file.version, file.path)
        })
    }
}

impl Part {
    fn at(manifest: &str, at: Line) -> Self {
        Self {
            manifest: manifest.to_owned(),
            at,
            also: Vec::new(),
            inside: BTreeMap::new(),
            overlays: Vec::new(),
            texts: BTreeMap::new(),
            discovery: None,
            review: None,
        }
    }

    /// The line of what is inside at `pointer`, or of the nearest thing around it that has one.
    pub fn line_of(&self, pointer: &str) -> Line {
        let mut outer = pointer;
        while !outer.is_empty() {
            if let Some(line) = self.inside.get(outer) {
                return *line;
            }
            outer = outer.rsplit_once('/').map_or("", |(outer, _)| outer);
        }
        self.at
    }
}
