//! Who stands behind the items of a bundle: the decision that holds about each, written into its metadata.
//!
//! A runtime that was given the bundle alone can then say who allowed what it did (`uiap trace --why`). Only a package
//! that embeds provenance carries it; `BUNDLE.origins.json` knows it in any case.

use crate::assemble::Assembled;
use crate::items::{Homes, List};
use crate::load::Loaded;
use crate::review::{Reviews, decision_at};
use serde_json::Value;
use uiap_protocol::wire::JsonObject;

/// The member of the metadata that holds review decisions.
const REVIEWS: &str = "reviews";

/// Writes down who decided about elements, actions and policies, if the package says what it is made of.
pub(crate) fn vouch(assembled: &mut Assembled, loaded: &Loaded<'_>, reviews: &Reviews) {
    if !embeds(loaded) {
        return;
    }
    let bundle = &mut assembled.bundle;
    for (list, homes) in &assembled.homes {
        let decided = homes.iter().map(|homes| decisions(homes, loaded, reviews)).enumerate();
        let decided = decided.filter(|(_, decisions)| !decisions.is_empty());
        match list {
            List::Elements => {
                let elements = bundle.bindings.as_mut().and_then(|bindings| bindings.elements.as_mut());
                let Some(elements) = elements else { continue };
                for (index, decisions) in decided {
                    let Some(element) = elements.get_mut(index) else { continue };
                    put(&mut element.to_mut().metadata, decisions);
                }
            }
            List::Actions => {
                let Some(actions) = &mut bundle.actions else { continue };
                for (index, decisions) in decided {
                    let Some(action) = actions.get_mut(index) else { continue };
                    put(&mut action.to_mut().descriptor.metadata, decisions);
                }
            }
            List::Policies => {
                let Some(policies) = &mut bundle.policies else { continue };
                for (index, decisions) in decided {
                    let Some(policy) = policies.get_mut(index) else { continue };
                    put(&mut policy.document.metadata, decisions);
                }
            }
            List::Routes | List::Scopes | List::Workflows => {}
        }
    }
}

/// The bundle says itself what it is made of.
pub(crate) fn embeds(loaded: &Loaded<'_>) -> bool {
    let build = loaded.root().and_then(|root| root.manifest.build.as_ref());
    build.and_then(|build| build.embed_provenance) == Some(true)
}

/// What holds about an item, wherever it is written.
fn decisions(homes: &Homes, loaded: &Loaded<'_>, reviews: &Reviews) -> Vec<Value> {
    let mut decisions = Vec::new();
    for home in homes.iter() {
        let standing = reviews.items.get(home);
        let decision = standing.and_then(|standing| decision_at(loaded, standing.decision?));
        let decision = decision.and_then(|decision| serde_json::to_value(decision).ok());
        decisions.extend(decision.filter(|decision| !decisions.contains(decision)));
    }
    decisions
}

fn put(metadata: &mut Option<JsonObject>, decisions: Vec<Value>) {
    metadata.get_or_insert_default().insert(REVIEWS.to_owned(), Value::Array(decisions));
}
