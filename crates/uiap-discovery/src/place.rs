//! Where a page is: its address without what is only data, and the route that it shows.

use crate::naming::{fit, slug};
use std::collections::BTreeSet;
use uiap_protocol::ids::RouteId;
use uiap_protocol::web::RouteState;
use url::Url;

/// Most parts of a path that are told apart.
const SEGMENTS_MAX: usize = 32;
/// From how many letters on a part of a path that mixes letters and digits is a key and not a word.
const KEY_LETTERS_MIN: usize = 8;
/// From how many letters on a part of a key is a word.
const WORD_LETTERS_MIN: usize = 4;
/// The variable part of a path.
const VARIABLE: &str = ":id";

/// Where a page is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The name of the route.
    pub route_id: RouteId,
    /// The application itself named it.
    pub is_named: bool,
    /// The path, with `:id` for what is only data.
    pub pattern: String,
    /// The whole address, as it can be opened again.
    pub url: String,
}

impl Place {
    /// Where the application says it is.
    pub fn of(route: &RouteState) -> Self {
        let pattern = pattern(&route.url);
        let named = route.route_id.clone();
        let is_named = named.is_some();
        // A name that fits is an id.
        let made = || RouteId::new(fit(&route_name(&pattern))).ok();
        let route_id = named.or_else(made).unwrap_or_else(start);
        Self { route_id, is_named, pattern, url: route.url.clone() }
    }

    /// The address names one thing out of many.
    pub fn is_one_of_many(&self) -> bool {
        self.pattern.split('/').any(|segment| segment == VARIABLE)
    }
}

fn start() -> RouteId {
    #[expect(clippy::expect_used, reason = "the text is a constant of the right form")]
    RouteId::new("start").expect("a word is a route id")
}

/// The path of an address with `:id` for what is only data. What a query asks for shows in the page itself.
pub fn pattern(address: &str) -> String {
    let Ok(url) = Url::parse(address) else { return address.to_owned() };
    let segments = url.path_segments().into_iter().flatten().filter(|segment| !segment.is_empty());
    let parts: Vec<_> =
        segments.take(SEGMENTS_MAX).map(|segment| if is_key(segment) { VARIABLE } else { segment }).collect();
    let pattern = format!("/{}", parts.join("/"));
    // Applications that live behind the hash have their path there.
    match url.fragment().filter(|fragment| fragment.starts_with(['/', '!'])) {
        Some(fragment) => {
            let path = fragment.split(['?', '&']).next().unwrap_or_default();
            let parts: Vec<_> =
                path.split('/').map(|part| if is_key(part) { VARIABLE } else { part }).collect();
            format!("{pattern}#{}", parts.join("/"))
        }
        None => pattern,
    }
}

/// An address without what is only data: its origin, the pattern of its path and the names of its query.
pub fn without_data(address: &str) -> String {
    let Ok(url) = Url::parse(address) else { return address.to_owned() };
    let names: BTreeSet<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
    let query = names.into_iter().collect::<Vec<_>>().join("&");
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{}{}{mark}{query}", url.origin().ascii_serialization(), pattern(address))
}

/// Numbers, UUIDs, digests and other keys; not words, and not words with a version.
fn is_key(segment: &str) -> bool {
    let letters = segment.chars().filter(|letter| letter.is_alphabetic()).count();
    let digits = segment.chars().filter(char::is_ascii_digit).count();
    let hex = segment.chars().all(|letter| letter.is_ascii_hexdigit() || letter == '-');
    match (letters, digits) {
        (_, 0) => false,
        (0, _) => true,
        _ if hex => letters + digits >= KEY_LETTERS_MIN,
        // `v2`, `page1` and `2024-report` are words; `a8Xk29dPq` is a key.
        _ if has_word(segment) => false,
        _ => digits * 4 >= letters && letters + digits >= KEY_LETTERS_MIN,
    }
}

/// One of its parts is made of letters only.
fn has_word(segment: &str) -> bool {
    let mut parts = segment.split(|letter: char| !letter.is_alphanumeric());
    parts.any(|part| part.chars().count() >= WORD_LETTERS_MIN && part.chars().all(char::is_alphabetic))
}

fn route_name(pattern: &str) -> String {
    let name: Vec<_> = pattern.split(['/', '#']).map(slug).filter(|segment| !segment.is_empty()).collect();
    if name.is_empty() { "start".to_owned() } else { name.join(".") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(addresses: &[&str]) -> Vec<String> {
        addresses.iter().map(|path| pattern(&format!("https://app.example{path}"))).collect()
    }

    #[test]
    fn keys_are_data_and_words_are_routes() {
        assert_eq!(
            patterns(&["/", "/videos?page=2", "/videos/17/", "/videos/new", "/api/v2/users"]),
            ["/", "/videos", "/videos/:id", "/videos/new", "/api/v2/users"]
        );
        assert_eq!(
            patterns(&[
                "/o/3fa85f64-5717-4562-b3fc-2c963f66afa6/edit",
                "/c/deadbeef01",
                "/f/face",
                "/2024-report"
            ]),
            ["/o/:id/edit", "/c/:id", "/f/face", "/2024-report"]
        );
        assert_eq!(patterns(&["/#/users/7?tab=1", "/#top"]), ["/#/users/:id", "/"]);
    }

    #[test]
    fn addresses_are_told_without_data() {
        assert_eq!(
            without_data("https://app.example:8443/api/users/17?q=ada&_=1699&q=bob"),
            "https://app.example:8443/api/users/:id?_&q"
        );
        assert_eq!(without_data("https://app.example/api"), "https://app.example/api");
    }

    #[test]
    fn routes_are_named_after_their_paths() {
        let named = |path: &str| {
            let url = format!("https://app.example{path}");
            Place::of(&RouteState { route_id: None, url, path: None, params: None, title: None }).route_id
        };
        assert_eq!(named("/settings/billing").as_str(), "settings.billing");
        assert_eq!(named("/videos/17").as_str(), "videos.id");
        assert_eq!(named("/").as_str(), "start");
        let long = |end: &str| named(&format!("/{}/{end}", ["department"; 12].join("/")));
        assert!(long("one").as_str().starts_with("department.department"), "{}", long("one"));
        assert_ne!(long("one"), long("two"));
    }
}
