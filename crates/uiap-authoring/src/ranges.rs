//! Which versions one range has and another has not.

use serde::Serialize;
use uiap_protocol::ids::Text;
use uiap_protocol::version::VersionRange;

/// Something that some versions fulfil.
pub(crate) trait Accepts: PartialEq + Serialize {
    /// Whether a version fulfils it.
    fn accepts(&self, version: &str) -> bool;

    /// How it is written.
    fn written(&self) -> Vec<&str>;
}

impl Accepts for VersionRange {
    fn accepts(&self, version: &str) -> bool {
        self.contains(version)
    }

    fn written(&self) -> Vec<&str> {
        vec![self.as_str()]
    }
}

/// Versions of an application: each text is a range or a plain name.
impl Accepts for Vec<Text> {
    fn accepts(&self, version: &str) -> bool {
        self.iter().any(|text| match VersionRange::new(text.as_str()) {
            Ok(range) => range.contains(version),
            Err(_) => text.as_str() == version,
        })
    }

    fn written(&self) -> Vec<&str> {
        self.iter().map(Text::as_str).collect()
    }
}

/// A version that fulfils the one and not the other. Who says nothing accepts everything.
///
/// Ranges are made of steps "from here" and "below here", so whatever one has and another has not begins at such a
/// step, or at the very first version. Trying all of them finds a version wherever there is one.
pub(crate) fn lost<T: Accepts>(had: Option<&T>, has: Option<&T>) -> Option<String> {
    let accepts = |range: Option<&T>, version: &str| range.is_none_or(|range| range.accepts(version));
    let written: Vec<&str> = [had, has].into_iter().flatten().flat_map(Accepts::written).collect();
    let (ranges, names): (Vec<&str>, Vec<&str>) =
        written.into_iter().partition(|text| VersionRange::new(*text).is_ok());
    let steps = ranges.into_iter().flat_map(steps);
    let mut tried = steps.chain(names.into_iter().map(str::to_owned)).chain(["0.0.0".to_owned()]);
    tried.find(|version| accepts(had, version) && !accepts(has, version))
}

/// The places where a range that is written like this may begin or end.
fn steps(text: &str) -> Vec<String> {
    let is_version = |letter: char| letter.is_ascii_digit() || letter == '.';
    let mut steps = Vec::new();
    for word in text.split(|letter: char| !is_version(letter)).filter(|word| !word.is_empty()) {
        let mut numbers = word.split('.').map(|part| part.parse::<u64>().unwrap_or_default());
        let (a, b, c) = (
            numbers.next().unwrap_or_default(),
            numbers.next().unwrap_or_default(),
            numbers.next().unwrap_or_default(),
        );
        let up = |number: u64| number.saturating_add(1);
        steps.extend([(a, b, c), (a, b, up(c)), (a, up(b), 0), (up(a), 0, 0)]);
    }
    steps.into_iter().map(|(a, b, c)| format!("{a}.{b}.{c}")).collect()
}
