//! Versions of packages and ranges of versions.
//!
//! Ranges follow the common grammar (`^1.2`, `~0.1.3`, `>=0.1 <0.2`, `1.x`, `a || b`) with two-part versions
//! allowed, because the specification writes `>=0.1 <0.2`.

use crate::ids::{ID_LENGTH_MAX, Rule, text_type};
use semver::Version as Semver;

const PACKAGE_VERSION: Rule = Rule {
    wanted: "a semantic version such as 0.1.0",
    holds: |text| Semver::parse(text).is_ok(),
    length: (5, Some(ID_LENGTH_MAX)),
    pattern: Some(
        r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$",
    ),
};
text_type! {
    /// The version of a package or workflow: semantic versioning.
    PackageVersion, PACKAGE_VERSION, Some("AUT-11.1-1")
}

const RANGE: Rule = Rule {
    wanted: "a version range such as >=0.1 <0.2 or ^1.2",
    holds: |text| parse(text).is_some(),
    length: (1, Some(256)),
    pattern: Some(
        r"^ *(\^|~|>=|<=|>|<|=)? *([0-9]+|[xX*])(\.([0-9]+|[xX*])){0,2}( +(\^|~|>=|<=|>|<|=)? *([0-9]+|[xX*])(\.([0-9]+|[xX*])){0,2})*( *\|\| *(\^|~|>=|<=|>|<|=)? *([0-9]+|[xX*])(\.([0-9]+|[xX*])){0,2}( +(\^|~|>=|<=|>|<|=)? *([0-9]+|[xX*])(\.([0-9]+|[xX*])){0,2})*)* *$",
    ),
};
text_type! {
    /// A range of versions.
    VersionRange, RANGE, Some("AUT-4.1-1")
}

impl VersionRange {
    /// Whether a version lies in the range. A pre-release lies only where the plain order of versions puts it.
    ///
    /// ```
    /// use uiap_protocol::version::VersionRange;
    ///
    /// let range = VersionRange::new(">=0.1 <0.2")?;
    /// assert!(range.contains("0.1.7"));
    /// assert!(!range.contains("0.2.0"));
    /// # Ok::<(), uiap_protocol::ids::BadForm>(())
    /// ```
    pub fn contains(&self, version: &str) -> bool {
        let Some(version) = complete(version) else { return false };
        let alternatives = parse(self.as_str()).unwrap_or_default();
        alternatives.iter().any(|bounds| bounds.iter().all(|bound| bound.holds(&version)))
    }
}

/// From this version on, or below it.
#[derive(Debug, PartialEq)]
enum Bound {
    From(Semver),
    Below(Semver),
}

impl Bound {
    fn holds(&self, version: &Semver) -> bool {
        match self {
            Self::From(least) => version >= least,
            Self::Below(limit) => version < limit,
        }
    }
}

/// A version with missing parts filled with zeros.
fn complete(text: &str) -> Option<Semver> {
    let dots = text.split(['-', '+']).next().unwrap_or_default().matches('.').count();
    match dots {
        0 => Semver::parse(&format!("{text}.0.0")).ok(),
        1 => Semver::parse(&format!("{text}.0")).ok(),
        _ => Semver::parse(text).ok(),
    }
}

fn parse(range: &str) -> Option<Vec<Vec<Bound>>> {
    range.split("||").map(alternative).collect()
}

fn alternative(text: &str) -> Option<Vec<Bound>> {
    let mut bounds = Vec::new();
    let mut words = text.split(' ').filter(|word| !word.is_empty()).peekable();
    words.peek()?;
    while let Some(word) = words.next() {
        let (operator, mut version) = split_operator(word);
        // An operator may stand apart from its version.
        if version.is_empty() {
            version = words.next()?;
        }
        bounds.extend(comparator(operator, version)?);
    }
    Some(bounds)
}

fn split_operator(word: &str) -> (&str, &str) {
    ["^", "~", ">=", "<=", ">", "<", "="]
        .into_iter()
        .find_map(|operator| word.strip_prefix(operator).map(|version| (operator, version)))
        .unwrap_or(("", word))
}

/// The numbers of a version up to the first wildcard.
fn partial(version: &str) -> Option<Vec<u64>> {
    let mut numbers = Vec::new();
    let mut open = false;
    for part in version.split('.') {
        if matches!(part, "x" | "X" | "*") {
            open = true;
        } else if !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = part.parse().ok()?;
            if !open {
                numbers.push(number);
            }
        } else {
            return None;
        }
    }
    (version.split('.').count() <= 3).then_some(numbers)
}

fn comparator(operator: &str, version: &str) -> Option<Vec<Bound>> {
    let parts = partial(version)?;
    let part = |index: usize| parts.get(index).copied().unwrap_or_default();
    let least = Semver::new(part(0), part(1), part(2));
    // The first version behind everything the written parts cover.
    let next = match parts.len() {
        0 => None,
        1 => Some(Semver::new(part(0).checked_add(1)?, 0, 0)),
        2 => Some(Semver::new(part(0), part(1).checked_add(1)?, 0)),
        _ => Some(Semver::new(part(0), part(1), part(2).checked_add(1)?)),
    };
    let below = |limit: Option<Semver>| limit.map(Bound::Below);
    Some(match operator {
        ">=" => vec![Bound::From(least)],
        "<" => vec![Bound::Below(least)],
        ">" => vec![Bound::From(next?)],
        "<=" => below(next).into_iter().collect(),
        "^" => std::iter::once(Bound::From(least)).chain(below(caret_limit(&parts).ok()?)).collect(),
        "~" => {
            let limit =
                if parts.len() == 3 { Some(Semver::new(part(0), part(1).checked_add(1)?, 0)) } else { next };
            std::iter::once(Bound::From(least)).chain(below(limit)).collect()
        }
        _ => std::iter::once(Bound::From(least)).chain(below(next)).collect(),
    })
}

/// The first version that a caret range does not cover: the leftmost number that is not zero goes up.
fn caret_limit(parts: &[u64]) -> Result<Option<Semver>, Overflow> {
    let up = |number: u64| number.checked_add(1).ok_or(Overflow);
    Ok(match *parts {
        [] => None,
        [0] => Some(Semver::new(1, 0, 0)),
        [0, 0, patch, ..] => Some(Semver::new(0, 0, up(patch)?)),
        [0, minor, ..] => Some(Semver::new(0, up(minor)?, 0)),
        [major, ..] => Some(Semver::new(up(major)?, 0, 0)),
    })
}

/// A number of a version is too large to go up.
struct Overflow;

#[cfg(test)]
mod tests {
    use super::*;

    fn contained(range: &str) -> String {
        let range = VersionRange::new(range).expect("range");
        let versions = ["0.0.3", "0.0.4", "0.1.0", "0.1.9", "0.2.0", "1.0.0", "1.2.3", "1.3.0", "2.0.0"];
        versions.into_iter().filter(|version| range.contains(version)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ranges_contain_what_npm_says_they_contain() {
        assert_eq!(contained(">=0.1 <0.2"), "0.1.0 0.1.9");
        assert_eq!(contained("^0.1.0"), "0.1.0 0.1.9");
        assert_eq!(contained("^0.0.3"), "0.0.3");
        assert_eq!(contained("^1.2"), "1.2.3 1.3.0");
        assert_eq!(contained("~1.2.3"), "1.2.3");
        assert_eq!(contained("1.x || 0.0.4"), "0.0.4 1.0.0 1.2.3 1.3.0");
        assert_eq!(contained(">1"), "2.0.0");
        assert_eq!(contained("<= 0.1"), "0.0.3 0.0.4 0.1.0 0.1.9");
        assert_eq!(contained("*").split(' ').count(), 9);
    }

    #[test]
    fn nonsense_is_not_a_range() {
        for range in ["", " ", "latest", ">=", "1.2.3.4", "1..2", "^^1", "1 ||", "99999999999999999999"] {
            assert!(VersionRange::new(range).is_err(), "{range:?}");
        }
    }
}
