//! What a document of an application names: a sitemap says it in its own words, any other document in passing.

use super::{DOCUMENT_SEEDS_MAX, address, named_in};
use uiap_protocol::discovery::DiscoverySeed;
use uiap_protocol::ids::Text;
use url::Url;

/// Most further sitemaps that an index yields.
pub const SITEMAPS_MAX: usize = 8;

/// How addresses end that lead to parts of pages.
const PARTS: [&str; 12] =
    [".css", ".gif", ".ico", ".jpg", ".js", ".json", ".mjs", ".png", ".svg", ".webp", ".woff", ".woff2"];

/// What a document names.
#[derive(Clone, Debug, PartialEq)]
pub enum Named {
    /// Places of this application: it is a sitemap.
    Places(Vec<DiscoverySeed>),
    /// Places of this application, in passing: it is any other document.
    InPassing(Vec<DiscoverySeed>),
    /// Further sitemaps of this application.
    Sitemaps(Vec<Url>),
}

/// What a document names, whatever kind of document it is.
pub fn named_by(document: &str, base: &Url) -> Named {
    if document.contains("<sitemapindex") {
        let places = locations(document).filter_map(|place| Url::parse(&address(&place, base).ok()?).ok());
        return Named::Sitemaps(places.take(SITEMAPS_MAX).collect());
    }
    if !document.contains("<urlset") {
        let mut seeds = named_in(document, base);
        seeds.retain(|seed| !is_part(seed));
        return Named::InPassing(seeds);
    }
    let mut seeds: Vec<DiscoverySeed> = Vec::new();
    for place in locations(document) {
        let Some(url) = address(&place, base).ok().and_then(|url| Text::new(url).ok()) else { continue };
        let seed = DiscoverySeed::Url { url };
        if !seeds.contains(&seed) {
            seeds.push(seed);
        }
        if seeds.len() == DOCUMENT_SEEDS_MAX {
            break;
        }
    }
    Named::Places(seeds)
}

/// It is a part of a page and no page.
fn is_part(seed: &DiscoverySeed) -> bool {
    let DiscoverySeed::Url { url } = seed else { return false };
    let path = url.as_str().split(['?', '#']).next().unwrap_or_default();
    PARTS.iter().any(|ending| path.ends_with(ending))
}

/// What stands between `<loc>` and `</loc>`.
fn locations(document: &str) -> impl Iterator<Item = String> {
    let pieces = document.split("<loc>").skip(1).filter_map(|piece| piece.split_once("</loc>"));
    pieces.map(|(place, _)| unescaped(place.trim()))
}

/// The five names that XML has for letters; the first of them last, so that nothing is read twice.
fn unescaped(text: &str) -> String {
    let names = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    names.iter().fold(text.to_owned(), |text, (name, letter)| text.replace(name, letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(document: &str) -> String {
        let base = Url::parse("https://app.example/").unwrap();
        match named_by(document, &base) {
            Named::Sitemaps(urls) => {
                urls.iter().map(|url| format!("index {url}")).collect::<Vec<_>>().join(" ")
            }
            Named::Places(seeds) | Named::InPassing(seeds) => {
                let words = seeds.iter().map(|seed| match seed {
                    DiscoverySeed::Url { url } => url.to_string(),
                    other => format!("{other:?}"),
                });
                words.collect::<Vec<_>>().join(" ")
            }
        }
    }

    #[test]
    fn a_sitemap_names_places_of_this_application_only_and_each_once() {
        let text = "<?xml version=\"1.0\"?><urlset xmlns=\"x\"><url><loc> https://app.example/team </loc></url>\
                    <url><loc>https://app.example/list?a=1&amp;b=2</loc></url><url><loc>https://app.example/team</loc></url>\
                    <url><loc>https://elsewhere.example/</loc></url><url><loc>https://app.example/open";
        assert_eq!(said(text), "https://app.example/team https://app.example/list?a=1&b=2");
    }

    #[test]
    fn an_index_names_sitemaps_and_only_so_many() {
        let text = "<sitemapindex><sitemap><loc>/one.xml</loc></sitemap><sitemap><loc>https://b.example/two.xml</loc>";
        assert_eq!(said(text), "index https://app.example/one.xml");
        let many = format!("<sitemapindex>{}", "<loc>/one.xml</loc>".repeat(100));
        assert_eq!(said(&many).matches("index").count(), SITEMAPS_MAX);
    }

    #[test]
    fn a_sitemap_without_end_yields_so_many_places() {
        let places = (0..10_000).map(|number| format!("<loc>/{number}</loc>"));
        assert_eq!(
            said(&format!("<urlset>{}", places.collect::<String>())).split(' ').count(),
            DOCUMENT_SEEDS_MAX
        );
    }

    #[test]
    fn any_other_document_names_places_in_passing() {
        let page = "<script src=\"/app.js?v=1\"></script><p>Open <a href=\"/settings\">it</a>";
        assert_eq!(said(page), "https://app.example/settings");
        let base = Url::parse("https://app.example/").unwrap();
        assert!(matches!(named_by(page, &base), Named::InPassing(_)), "it is no sitemap");
    }
}
