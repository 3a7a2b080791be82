//! Patterns of ids: `*` stands for any characters of one dotted segment.

/// A pattern, split once.
#[derive(Debug)]
pub(crate) enum Pattern {
    /// No `*`: the id itself.
    Exact(String),
    /// At least one segment has a `*`.
    Segments(Vec<Segment>),
}

impl Pattern {
    pub(crate) fn new(text: &str) -> Self {
        if text.contains('*') {
            Self::Segments(text.split('.').map(Segment::new).collect())
        } else {
            Self::Exact(text.to_owned())
        }
    }

    pub(crate) fn matches(&self, id: &str) -> bool {
        match self {
            Self::Exact(exact) => exact == id,
            Self::Segments(segments) => {
                let mut parts = id.split('.');
                let all =
                    segments.iter().all(|segment| parts.next().is_some_and(|part| segment.matches(part)));
                all && parts.next().is_none()
            }
        }
    }
}

/// One segment of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    /// These characters.
    Literal(String),
    /// Any characters, but at least one.
    Any,
    /// Literal pieces with anything between them; the first and the last are at the ends.
    Pieces(Vec<String>),
}

impl Segment {
    fn new(text: &str) -> Self {
        match text {
            "*" => Self::Any,
            text if text.contains('*') => Self::Pieces(text.split('*').map(str::to_owned).collect()),
            text => Self::Literal(text.to_owned()),
        }
    }

    pub(crate) fn matches(&self, part: &str) -> bool {
        match self {
            Self::Literal(literal) => literal == part,
            Self::Any => !part.is_empty(),
            Self::Pieces(pieces) => matches_pieces(pieces, part),
        }
    }
}

/// Whether a text is the pieces in their order. Taking each piece as early as possible leaves most for the rest.
fn matches_pieces(pieces: &[String], part: &str) -> bool {
    let [first, middle @ .., last] = pieces else { return false };
    let Some(mut rest) = part.strip_prefix(first.as_str()) else { return false };
    for piece in middle {
        match rest.split_once(piece.as_str()) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    !part.is_empty() && rest.ends_with(last.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stays_inside_its_segment() {
        let matched = |pattern: &str| {
            let ids =
                ["video", "video.create", "video.create.draft", "videos.create", "team.create", "video."];
            let hits: Vec<_> = ids.into_iter().filter(|id| Pattern::new(pattern).matches(id)).collect();
            hits.join(" ")
        };
        assert_eq!(matched("video.create"), "video.create");
        assert_eq!(matched("video.*"), "video.create");
        assert_eq!(matched("video*.create"), "video.create videos.create");
        assert_eq!(matched("*.c*e"), "video.create videos.create team.create");
        assert_eq!(matched("*"), "video");
        assert_eq!(matched("*.*.*"), "video.create.draft");
        assert_eq!(matched("*i*e*.*"), "video.create videos.create");
        assert_eq!(matched("v**.create"), "video.create videos.create");
    }
}
