//! The grammar of route patterns (`protocol` 3.2).
//!
//! `:name` is one segment that is not empty, `*` is one segment, `**` is any rest. Query and hash matter only where the
//! pattern has them.

/// Whether an address fits a pattern. A pattern that begins with a path fits every origin.
pub(super) fn matches(pattern: &str, url: &str) -> bool {
    let (pattern, url) = (Address::of(pattern), Address::of(url));
    let origin = pattern.origin.is_none() || pattern.origin == url.origin;
    let query = pattern.query.is_none() || pattern.query == url.query;
    let hash = pattern.hash.is_none_or(|wanted| url.hash.is_some_and(|found| segments_match(wanted, found)));
    origin && query && hash && segments_match(pattern.path, url.path)
}

/// Whether an address is exactly this one: path, query and hash, and the origin where it is named.
pub(super) fn is_exactly(wanted: &str, url: &str) -> bool {
    let (wanted, url) = (Address::of(wanted), Address::of(url));
    let origin = wanted.origin.is_none() || wanted.origin == url.origin;
    origin && (wanted.path, wanted.query, wanted.hash) == (url.path, url.query, url.hash)
}

/// Whether two addresses have the same origin and path.
pub(super) fn same_place(one: &str, other: &str) -> bool {
    let (one, other) = (Address::of(one), Address::of(other));
    (one.origin, one.path) == (other.origin, other.path)
}

/// An address that is written as seen from another one, such as `edit` or `?page=2`.
pub(super) fn beside(here: &str, address: &str) -> String {
    if address.contains("://") || address.starts_with('/') {
        return address.to_owned();
    }
    let path = Address::of(here).path;
    let folder = match address.chars().next() {
        Some('?' | '#') => path,
        _ => path.rsplit_once('/').map_or("", |(folder, _)| folder),
    };
    let between = if folder == path { "" } else { "/" };
    format!("{folder}{between}{address}")
}

/// Path, query and hash of an address.
pub(super) fn local(url: &str) -> &str {
    let origin = Address::of(url).origin.map_or(0, str::len);
    match url.get(origin..) {
        Some("") | None => "/",
        Some(local) => local,
    }
}

struct Address<'u> {
    origin: Option<&'u str>,
    path: &'u str,
    query: Option<&'u str>,
    hash: Option<&'u str>,
}

impl<'u> Address<'u> {
    fn of(text: &'u str) -> Self {
        let origin = text.find("://").map(|colon| {
            let host = text.get(colon + 3..).unwrap_or_default();
            let length = host.find(['/', '?', '#']).unwrap_or(host.len());
            text.get(..colon + 3 + length).unwrap_or_default()
        });
        let local = text.get(origin.map_or(0, str::len)..).unwrap_or_default();
        let (local, hash) = cut(local, '#');
        let (path, query) = cut(local, '?');
        Self { origin, path: if path.is_empty() { "/" } else { path }, query, hash }
    }
}

fn cut(text: &str, at: char) -> (&str, Option<&str>) {
    text.split_once(at).map_or((text, None), |(before, after)| (before, Some(after)))
}

fn segments(path: &str) -> Vec<&str> {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.strip_suffix('/').unwrap_or(path).split('/').collect()
}

/// Goes back to the last `**` and lets it take one segment more, so that no pattern takes longer than the product of
/// the two lengths.
fn segments_match(pattern: &str, path: &str) -> bool {
    let (pattern, path) = (segments(pattern), segments(path));
    let (mut wanted, mut found) = (0, 0);
    let mut rest: Option<(usize, usize)> = None;
    while let Some(segment) = path.get(found) {
        match pattern.get(wanted) {
            Some(&"**") => {
                rest = Some((wanted, found));
                wanted += 1;
            }
            Some(part) if fits(part, segment) => (wanted, found) = (wanted + 1, found + 1),
            _ => {
                let Some((stars, taken)) = rest else { return false };
                rest = Some((stars, taken + 1));
                (wanted, found) = (stars + 1, taken + 1);
            }
        }
    }
    pattern.iter().skip(wanted).all(|part| *part == "**")
}

fn fits(part: &str, segment: &str) -> bool {
    match part {
        "*" => true,
        _ if part.len() > 1 && part.starts_with(':') => !segment.is_empty(),
        _ => part == segment,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_what_the_grammar_says() {
        let fitting = |pattern: &str| {
            let urls =
                ["/", "/videos", "/videos/", "/videos/7", "/videos/7/edit", "/videos?page=2", "/videos#top"];
            let urls = urls.into_iter().filter(|url| matches(pattern, &format!("https://a.test{url}")));
            urls.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(fitting("/"), "/");
        assert_eq!(fitting("/videos"), "/videos /videos/ /videos?page=2 /videos#top");
        assert_eq!(fitting("/videos/:id"), "/videos/7");
        assert_eq!(fitting("/*"), "/ /videos /videos/ /videos?page=2 /videos#top");
        assert_eq!(
            fitting("/videos/**"),
            "/videos /videos/ /videos/7 /videos/7/edit /videos?page=2 /videos#top"
        );
        assert_eq!(fitting("/**/edit"), "/videos/7/edit");
        assert_eq!(fitting("/videos?page=2"), "/videos?page=2");
        assert_eq!(fitting("/videos#top"), "/videos#top");
        assert_eq!(fitting("https://a.test/videos/:id"), "/videos/7");
        assert_eq!(fitting("https://b.test/videos/:id"), "");
        assert_eq!(fitting("/:name"), "/videos /videos/ /videos?page=2 /videos#top");
    }

    #[test]
    fn an_address_is_read_from_where_one_is() {
        let from = |address: &str| beside("https://a.test/videos/7?x=1#top", address);
        assert_eq!(from("edit"), "/videos/edit");
        assert_eq!(from("?page=2"), "/videos/7?page=2");
        assert_eq!(from("#end"), "/videos/7#end");
        assert_eq!(from("/team"), "/team");
        assert_eq!(from("https://b.test/"), "https://b.test/");
        assert_eq!(beside("https://a.test", "team"), "/team");
    }

    #[test]
    fn exactly_means_path_query_and_hash() {
        assert!(is_exactly("/videos?page=2", "https://a.test/videos?page=2"));
        assert!(!is_exactly("/videos", "https://a.test/videos?page=2"));
        assert!(!is_exactly("/videos", "https://a.test/videos#top"));
        assert!(is_exactly("https://a.test/videos", "https://a.test/videos"));
        assert!(!is_exactly("https://b.test/videos", "https://a.test/videos"));
        assert_eq!(local("https://a.test"), "/");
        assert_eq!(local("https://a.test/x?y#z"), "/x?y#z");
    }
}
