//! How grave a change is, and which step of the version carries it.

use semver::Version;
use serde::Serialize;
use uiap_protocol::version::PackageVersion;

/// How grave a change is. Ordered: a later one is graver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Texts, reviews and harmless corrections.
    Patch,
    /// Something was added.
    Minor,
    /// Something that worked does not, or does something else.
    Major,
}

impl Class {
    /// All of them, the gravest first.
    pub const ALL: [Self; 3] = [Self::Major, Self::Minor, Self::Patch];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
        }
    }
}

impl std::fmt::Display for Class {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// How far a version is from an earlier one. Ordered: a later one carries more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Bump {
    /// It is an earlier one.
    Backwards,
    /// It is the same; what stands behind a `+` does not count.
    None,
    /// The third number goes up.
    Patch,
    /// The second number goes up.
    Minor,
    /// The first number goes up.
    Major,
}

impl Bump {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Backwards => "backwards",
            Self::None => "none",
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
        }
    }

    fn between(old: &Version, new: &Version) -> Self {
        use std::cmp::Ordering;
        match new.cmp_precedence(old) {
            Ordering::Less => Self::Backwards,
            Ordering::Equal => Self::None,
            Ordering::Greater if new.major > old.major => Self::Major,
            Ordering::Greater if new.minor > old.minor => Self::Minor,
            Ordering::Greater if new.patch > old.patch => Self::Patch,
            // From one pre-release to the next, or to the release: the step that its numbers stand for.
            Ordering::Greater => match (new.minor, new.patch) {
                (0, 0) => Self::Major,
                (_, 0) => Self::Minor,
                _ => Self::Patch,
            },
        }
    }
}

impl std::fmt::Display for Bump {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Whether a version goes up enough.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BumpVerdict {
    /// The smallest step that carries the changes.
    pub needed: Bump,
    /// The step that was made.
    pub found: Bump,
    /// The step is large enough.
    pub enough: bool,
    /// The smallest release that would be enough; the old version itself where nothing changed.
    pub least: String,
}

/// Whether the step from one version to another carries changes of a class; no class, if nothing changed.
///
/// From 1.0.0 on a step carries its own class and everything below. Below 1.0.0 there is no first number to raise, so
/// a minor step also carries what is major (0.1.0 to 0.2.0). A patch step carries only what is a patch, below 1.0.0
/// and even below 0.1.0 too: what is added needs a minor step everywhere. That is stricter than Cargo, which lets a
/// patch step of 0.x add things; here a version says by its numbers whether anything beside texts is new. Raising the
/// first number carries everything. A changed bundle never keeps its version and never goes back.
pub fn required_bump(old: &PackageVersion, new: &PackageVersion, class: Option<Class>) -> BumpVerdict {
    let (old, new) = (parsed(old), parsed(new));
    let needed = match class {
        None => Bump::None,
        Some(Class::Patch) => Bump::Patch,
        Some(Class::Major) if old.major > 0 => Bump::Major,
        Some(Class::Minor | Class::Major) => Bump::Minor,
    };
    let found = Bump::between(&old, &new);
    BumpVerdict { needed, found, enough: found >= needed, least: least(&old, needed).to_string() }
}

/// A package version has the form of a semantic version; its type says so.
fn parsed(version: &PackageVersion) -> Version {
    Version::parse(version.as_str()).unwrap_or_else(|_| Version::new(0, 0, 0))
}

fn least(old: &Version, needed: Bump) -> Version {
    let released = Version::new(old.major, old.minor, old.patch);
    // The release of a pre-release is a step already, of the size that its numbers stand for.
    if needed > Bump::None && Bump::between(old, &released) >= needed {
        return released;
    }
    match needed {
        Bump::Backwards | Bump::None => old.clone(),
        Bump::Patch => Version::new(old.major, old.minor, old.patch.saturating_add(1)),
        Bump::Minor => Version::new(old.major, old.minor.saturating_add(1), 0),
        Bump::Major => Version::new(old.major.saturating_add(1), 0, 0),
    }
}
