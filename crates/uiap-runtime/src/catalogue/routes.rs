//! Routes of a bundle, and the paths that lead to them.

use super::Origin;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use uiap_protocol::authoring::{RouteBinding, RouteMatcher};

/// What the bundle says about one route.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownRoute {
    binding: RouteBinding,
    pointer: String,
}

/// The parameters of a request do not fit the route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadParams {
    /// This one is missing.
    Missing(String),
    /// This one would lead elsewhere: it is empty, or a way up.
    Unusable(String),
    /// The route has no such part.
    Unknown {
        /// What was given.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
}

impl KnownRoute {
    pub(super) fn new(binding: RouteBinding, pointer: String) -> Self {
        Self { binding, pointer }
    }

    /// All of it.
    pub fn binding(&self) -> &RouteBinding {
        &self.binding
    }

    /// Where it stands.
    pub fn origin(&self) -> Origin {
        Origin::Bundle { pointer: self.pointer.clone() }
    }

    /// The path that leads there. Without a pattern from which one can be made, only the application knows the way.
    pub fn path(&self, params: &BTreeMap<String, String>) -> Result<Option<String>, BadParams> {
        let Some(pattern) = self.pattern() else { return Ok(None) };
        let known: Vec<_> = pattern.split('/').filter_map(|part| part.strip_prefix(':')).collect();
        if let Some(name) = params.keys().find(|name| !known.contains(&name.as_str())) {
            let known = known.into_iter().map(str::to_owned).collect();
            return Err(BadParams::Unknown { name: name.clone(), known });
        }
        let fill = |part: &str| match part.strip_prefix(':') {
            Some(name) => match params.get(name).map(String::as_str) {
                Some("" | "." | "..") => Err(BadParams::Unusable(name.to_owned())),
                Some(value) => Ok(escaped(value)),
                None => Err(BadParams::Missing(name.to_owned())),
            },
            None => Ok(part.to_owned()),
        };
        let parts = pattern.split('/').map(fill).collect::<Result<Vec<_>, _>>()?;
        Ok(Some(parts.join("/")))
    }

    /// The first path pattern without wildcards.
    fn pattern(&self) -> Option<&str> {
        self.binding.r#match.iter().find_map(|matcher| match matcher {
            RouteMatcher::Path { value } => Some(value.as_str()).filter(|pattern| !pattern.contains('*')),
            _ => None,
        })
    }
}

/// A parameter as one segment of a path: whatever it holds, it cannot lead elsewhere.
fn escaped(value: &str) -> String {
    value.bytes().fold(String::with_capacity(value.len()), |mut path, byte| {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'~' | b'.') {
            path.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(path, "%{byte:02X}");
        }
        path
    })
}
