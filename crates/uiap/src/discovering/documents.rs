//! Reads the documents among the seeds: sitemaps, and manuals that name places of the application.

use uiap_discovery::seeds::{Named, named_by};
use uiap_protocol::discovery::DiscoverySeed;
use uiap_protocol::ids::Text;
use uiap_web::guard::{Rules, fetch};
use url::Url;

/// Most documents that are read for one run, those that a sitemap names included.
const DOCUMENTS_MAX: usize = 16;
/// Where applications have their sitemap.
const SITEMAP: &str = "/sitemap.xml";

/// What became of seeds.
#[derive(Default)]
pub(crate) struct Gathered {
    /// Where to start: all but the documents, and what those name.
    pub(crate) seeds: Vec<DiscoverySeed>,
    /// Documents that name places.
    pub(crate) read: Vec<DiscoverySeed>,
    /// Documents that do not, and why.
    pub(crate) refused: Vec<(DiscoverySeed, String)>,
}

/// The seed that stands for the sitemap of an application.
pub(crate) fn sitemap(base: &Url) -> Option<DiscoverySeed> {
    let r#ref = Text::new(base.join(SITEMAP).ok()?.to_string()).ok()?;
    Some(DiscoverySeed::Documentation { r#ref })
}

/// Puts what documents name in their place.
pub(crate) async fn gather(seeds: Vec<DiscoverySeed>, rules: &Rules, base: &Url) -> Gathered {
    let mut gathered = Gathered::default();
    let mut left = DOCUMENTS_MAX;
    for seed in seeds {
        let DiscoverySeed::Documentation { r#ref } = &seed else {
            keep(&mut gathered.seeds, seed);
            continue;
        };
        match named(r#ref.as_str(), rules, base, &mut left).await {
            Ok(places) => {
                places.into_iter().for_each(|place| keep(&mut gathered.seeds, place));
                gathered.read.push(seed);
            }
            Err(reason) => gathered.refused.push((seed, reason)),
        }
    }
    gathered
}

fn keep(seeds: &mut Vec<DiscoverySeed>, seed: DiscoverySeed) {
    if !seeds.contains(&seed) {
        seeds.push(seed);
    }
}

/// The places that a document names, and the sitemaps that it names.
async fn named(
    address: &str,
    rules: &Rules,
    base: &Url,
    left: &mut usize,
) -> Result<Vec<DiscoverySeed>, String> {
    let first = base.join(address).map_err(|error| format!("it is no address: {error}"))?;
    let (mut open, mut places, mut trouble) = (vec![first], Vec::new(), None);
    while let Some(url) = open.pop() {
        let Some(fewer) = left.checked_sub(1) else {
            return Err(format!("at most {DOCUMENTS_MAX} documents are read for one run"));
        };
        *left = fewer;
        match fetch(rules, &url).await.map(|text| named_by(&text, base)) {
            // Many servers have a page for every address.
            Ok(Named::InPassing(_)) if url.path() == SITEMAP => trouble = Some("it is no sitemap".to_owned()),
            Ok(Named::Places(named) | Named::InPassing(named)) => places.extend(named),
            Ok(Named::Sitemaps(further)) => open.extend(further),
            Err(error) => trouble = Some(error.to_string()),
        }
    }
    if places.is_empty() {
        return Err(trouble.unwrap_or_else(|| "it names no place of this application".to_owned()));
    }
    Ok(places)
}
