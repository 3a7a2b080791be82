//! Where exploring starts, and how one gets there (DSC 9).
//!
//! Start at [`start`]. What a seed means depends on what is known before anything was looked at: the addresses of
//! routes from a bundle or an earlier package, and the workflows of a bundle.

mod sitemap;

pub use sitemap::{Named, SITEMAPS_MAX, named_by};

use std::collections::BTreeMap;
use uiap_protocol::authoring::{CompiledBundle, RouteMatcher};
use uiap_protocol::discovery::{DiscoveryPackage, DiscoverySeed};
use uiap_protocol::ids::{ActionId, Id, RouteId, Text};
use url::Url;

/// Most seeds that one document yields.
pub const DOCUMENT_SEEDS_MAX: usize = 200;

/// How one gets to where a seed points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Approach {
    /// By its address.
    Address(String),
    /// By an entry of a menu on the first page.
    Menu(String),
    /// Where the application begins, which offers this action.
    Offering(ActionId),
}

/// A seed and how one gets to where it points.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// The seed.
    pub seed: DiscoverySeed,
    /// The way.
    pub approach: Approach,
}

/// What is known before anything was looked at.
#[derive(Clone, Debug, Default)]
pub struct Known {
    routes: BTreeMap<RouteId, String>,
    workflows: BTreeMap<String, Vec<RouteId>>,
    /// The first place that each document names.
    documents: BTreeMap<String, String>,
}

impl Known {
    /// What a bundle says about routes and workflows.
    pub fn learn_bundle(&mut self, bundle: &CompiledBundle, base: &Url) {
        let bindings = bundle.bindings.as_ref();
        for route in bindings.and_then(|bindings| bindings.routes.as_ref()).into_iter().flatten() {
            let paths = route.r#match.iter().filter_map(|matcher| match matcher {
                RouteMatcher::Path { value } => Some(value.as_str()),
                _ => None,
            });
            // A path with a variable part leads nowhere by itself.
            let mut fixed = paths.filter(|path| !path.contains([':', '*']));
            if let Some(address) = fixed.next().and_then(|path| base.join(path).ok()) {
                self.routes.insert(route.id.clone(), address.to_string());
            }
        }
        for workflow in bundle.workflows.iter().flatten() {
            self.workflows.insert(workflow.id.to_string(), Vec::new());
        }
    }

    /// What an earlier run found.
    pub fn learn_package(&mut self, package: &DiscoveryPackage) {
        for route in &package.route_catalog.routes {
            // A pattern with a variable part leads nowhere by itself.
            let mut fixed = route.urls.iter().flatten().filter(|url| !is_pattern(url));
            if let Some(url) = fixed.next() {
                self.routes.entry(route.route_id.clone()).or_insert_with(|| url.clone());
            }
        }
        for workflow in package.workflow_candidates.iter().flat_map(|catalog| &catalog.workflows) {
            let routes = workflow.route_ids.clone().unwrap_or_default();
            self.workflows.entry(workflow.id.to_string()).or_insert(routes);
        }
    }

    /// The places that a document names. Whoever starts from the document starts from the first of them.
    pub fn learn_document(&mut self, name: &str, places: &[DiscoverySeed]) {
        let first = places.iter().find_map(|place| match place {
            DiscoverySeed::Url { url } => Some(url.to_string()),
            _ => None,
        });
        if let Some(first) = first {
            self.documents.entry(name.to_owned()).or_insert(first);
        }
    }

    /// The seeds that follow from what is known, beside those that were given.
    pub fn seeds(&self) -> impl Iterator<Item = DiscoverySeed> {
        self.routes.keys().map(|route| DiscoverySeed::Route { route_id: route.clone() })
    }

    fn route(&self, route: &RouteId) -> Option<&String> {
        self.routes.get(route)
    }
}

/// How one gets to where a seed points, or why nobody can (finding S8).
pub fn start(seed: &DiscoverySeed, known: &Known, base: &Url) -> Result<Start, String> {
    let approach = match seed {
        DiscoverySeed::Url { url } => Approach::Address(address(url.as_str(), base)?),
        DiscoverySeed::Route { route_id } => match known.route(route_id) {
            Some(address) => Approach::Address(self::address(address, base)?),
            None => {
                return Err(format!(
                    "nobody knows the address of route {route_id}; give a bundle or an earlier package that says it, \
                     or an address"
                ));
            }
        },
        DiscoverySeed::Menu { label } => Approach::Menu(label.to_string()),
        DiscoverySeed::Action { action_id } => Approach::Offering(action_id.clone()),
        DiscoverySeed::Workflow { workflow_id } => {
            let routes = known.workflows.get(workflow_id.as_str());
            let Some(routes) = routes else {
                return Err(format!("no bundle and no earlier package knows workflow {workflow_id}"));
            };
            let first = routes.iter().find_map(|route| known.route(route));
            match first {
                Some(address) => Approach::Address(self::address(address, base)?),
                None => Approach::Address(base.to_string()),
            }
        }
        DiscoverySeed::Documentation { r#ref: document } => match known.documents.get(document.as_str()) {
            Some(address) => Approach::Address(self::address(address, base)?),
            None => return Err(format!("{document} names no place of this application")),
        },
    };
    Ok(Start { seed: seed.clone(), approach })
}

/// A part of the path of an address stands for data.
fn is_pattern(address: &str) -> bool {
    address.contains("/:")
}

/// An address of this application and of no other.
fn address(text: &str, base: &Url) -> Result<String, String> {
    let url = base.join(text).map_err(|error| format!("\"{text}\" is no address: {error}"))?;
    if url.origin() != base.origin() {
        return Err(format!("{} is another application", url.origin().ascii_serialization()));
    }
    Ok(url.to_string())
}

/// The places of this application that a document names: whole addresses, and paths that stand in quotation marks,
/// brackets or code marks.
pub fn named_in(document: &str, base: &Url) -> Vec<DiscoverySeed> {
    let mut seeds: Vec<DiscoverySeed> = Vec::new();
    let ends = |letter: char| letter.is_whitespace() || "\"'`()<>[]{}|,;".contains(letter);
    // The end of an element is no path.
    let document = document.replace("</", "<");
    for word in document.split(ends).filter(|word| word.starts_with('/') || word.contains("://")) {
        let word = word.trim_end_matches(['.', ':', '!', '?']);
        // A path with a variable part names no place, and two slashes begin a comment or another server.
        if word.len() < 2 || word.starts_with("//") || word.contains([':', '*']) && !word.contains("://") {
            continue;
        }
        let Ok(address) = address(word, base) else { continue };
        let Ok(url) = Text::new(address) else { continue };
        let seed = DiscoverySeed::Url { url };
        if !seeds.contains(&seed) {
            seeds.push(seed);
        }
        if seeds.len() == DOCUMENT_SEEDS_MAX {
            break;
        }
    }
    seeds
}

/// A name for a document, by which its seeds are known.
pub fn document(name: &str) -> Option<DiscoverySeed> {
    Text::new(name.to_owned()).ok().map(|r#ref| DiscoverySeed::Documentation { r#ref })
}

/// The seed that stands for an application as a whole: where it begins.
pub fn beginning(base: &Url) -> Option<DiscoverySeed> {
    Text::new(base.to_string()).ok().map(|url| DiscoverySeed::Url { url })
}

/// An entry of a menu.
pub fn menu(label: &str) -> Option<DiscoverySeed> {
    Text::new(label.to_owned()).ok().map(|label| DiscoverySeed::Menu { label })
}

/// A workflow.
pub fn workflow(id: &str) -> Option<DiscoverySeed> {
    Id::new(id.to_owned()).ok().map(|workflow_id| DiscoverySeed::Workflow { workflow_id })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base() -> Url {
        Url::parse("https://app.example/").unwrap()
    }

    #[test]
    fn documents_name_places_of_this_application_only() {
        let text = "Open [settings](/settings/profile) or `/videos/new`. See https://app.example/team, \
                    https://elsewhere.example/x and //comment, /videos/:id, a/b.";
        let named: Vec<_> = named_in(text, &base())
            .into_iter()
            .map(|seed| match seed {
                DiscoverySeed::Url { url } => url.to_string(),
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(
            named,
            [
                "https://app.example/settings/profile",
                "https://app.example/videos/new",
                "https://app.example/team"
            ]
        );
    }

    #[test]
    fn a_document_is_where_it_first_names_a_place() {
        let seed = document("manual.md").unwrap();
        let told = |known: &Known| match start(&seed, known, &base()) {
            Ok(Start { approach: Approach::Address(address), .. }) => address,
            other => format!("{other:?}"),
        };
        let mut known = Known::default();
        assert!(told(&known).contains("manual.md names no place of this application"));
        known.learn_document("manual.md", &named_in("`/billing`, then `/team`", &base()));
        assert_eq!(told(&known), "https://app.example/billing");
    }

    #[test]
    fn the_pattern_of_an_earlier_route_is_no_address() {
        let leads = |url: &str| !is_pattern(url);
        assert!(leads("http://127.0.0.1:4870/") && leads("https://app.example/videos/new"));
        assert!(leads("https://app.example/#/users") && leads("https://app.example/videos/17"));
        assert!(!leads("https://app.example/videos/:id") && !leads("https://app.example/:id/edit"));
        assert!(!leads("https://app.example/#/users/:id"));
    }

    #[test]
    fn another_application_is_no_place_to_start() {
        let seed = DiscoverySeed::Url { url: Text::new("https://elsewhere.example/").unwrap() };
        let refused = start(&seed, &Known::default(), &base()).unwrap_err();
        assert_eq!(refused, "https://elsewhere.example is another application");
        let seed = DiscoverySeed::Route { route_id: RouteId::new("videos").unwrap() };
        assert!(start(&seed, &Known::default(), &base()).unwrap_err().contains("nobody knows"));
    }
}
