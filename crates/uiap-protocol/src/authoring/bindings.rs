//! Routes, areas and elements, and how they are recognised.

use crate::capability::{RiskLevel, Role, SuccessSignal};
use crate::finding::Code;
use crate::ids::{ActionId, Id, RouteId, ScopeId, StableId, Text};
use crate::policy::DataClass;
use crate::text_value::AuthoredText;
use crate::web::ScopeKind;
use crate::wire::{Decoder, JsonObject, Shared, Wire};
use std::collections::HashMap;

/// Routes, areas and elements.
#[derive(Clone, Debug, Default, PartialEq, Wire)]
#[wire(requirement = "AUT-5.3-1", check = BindingsManifest::check)]
pub struct BindingsManifest {
    /// Routes.
    pub routes: Option<Vec<RouteBinding>>,
    /// Areas.
    pub scopes: Option<Vec<ScopeBinding>>,
    /// Elements.
    pub elements: Option<Vec<Shared<ElementBinding>>>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl BindingsManifest {
    fn check(&self, decoder: &mut Decoder<'_>) {
        same_id_means_same(self.routes.iter().flatten(), |item| item.id.as_str(), "routes", decoder);
        same_id_means_same(self.scopes.iter().flatten(), |item| item.id.as_str(), "scopes", decoder);
        same_id_means_same(self.elements.iter().flatten(), |item| item.id.as_str(), "elements", decoder);
        for (index, route) in self.routes.iter().flatten().enumerate() {
            decoder.at("routes", |decoder| decoder.at_index(index, |decoder| route.check(decoder)));
        }
    }
}

/// Two definitions with one id are the same or a conflict (finding M4).
pub(super) fn same_id_means_same<'i, T: PartialEq + 'i>(
    items: impl Iterator<Item = &'i T>,
    id: impl Fn(&T) -> &str,
    list: &'static str,
    decoder: &mut Decoder<'_>,
) {
    let mut seen: HashMap<&str, &T> = HashMap::new();
    for (index, item) in items.enumerate() {
        let id = id(item);
        let earlier = seen.insert(id, item);
        if earlier.is_some_and(|earlier| earlier != item) {
            let message = format!("\"{id}\" is defined twice, and differently.");
            decoder.at(list, |decoder| {
                decoder.at_index(index, |decoder| decoder.error(Code::AmbiguousId, message));
            });
        }
    }
}

/// A route.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.3-1")]
pub struct RouteBinding {
    /// Which.
    pub id: RouteId,
    /// How it is recognised.
    pub r#match: Vec<RouteMatcher>,
    /// Its name for people.
    pub title: Option<AuthoredText>,
    /// What it belongs to.
    pub parent_route_id: Option<RouteId>,
    /// How arriving is recognised.
    pub success_signals: Option<Vec<SuccessSignal>>,
    /// What only the application understands.
    pub metadata: Option<JsonObject>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl RouteBinding {
    fn check(&self, decoder: &mut Decoder<'_>) {
        if self.parent_route_id.as_ref() == Some(&self.id) {
            let message = format!("The route \"{}\" cannot belong to itself.", self.id);
            decoder.at("parentRouteId", |decoder| decoder.error(Code::Inconsistent, message));
        }
        warn_if_unmatchable(self.r#match.is_empty(), self.id.as_str(), decoder);
    }
}

fn warn_if_unmatchable(unmatchable: bool, id: &str, decoder: &mut Decoder<'_>) {
    if unmatchable {
        let message = format!("Nothing says how \"{id}\" is recognised.");
        decoder.at("match", |decoder| {
            decoder.warning(Code::UnreachableItem, message, "Add at least one matcher.");
        });
    }
}

/// How a route is recognised.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(tag = "kind", requirement = "AUT-5.3-1", case = "camelCase")]
pub enum RouteMatcher {
    /// By the id that the application publishes.
    RouteId {
        /// The id.
        value: Text,
    },
    /// By its path.
    Path {
        /// A path pattern.
        value: Text,
    },
    /// By its address.
    UrlPattern {
        /// A URL pattern.
        value: Text,
    },
    /// By the title of the page.
    Title {
        /// The title.
        value: Text,
    },
    /// By a signal of the application.
    Signal {
        /// The name of the signal.
        value: Text,
    },
}

/// An area.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.3-1")]
pub struct ScopeBinding {
    /// Which.
    pub id: ScopeId,
    /// What kind.
    pub kind: ScopeKind,
    /// On which routes.
    pub route_ids: Option<Vec<RouteId>>,
    /// What surrounds it.
    pub parent_scope_id: Option<ScopeId>,
    /// Its name for people.
    pub title: Option<AuthoredText>,
    /// By which stable ids it is recognised.
    pub stable_ids: Option<Vec<StableId>>,
    /// What only the application understands.
    pub metadata: Option<JsonObject>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

/// An element.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "AUT-5.3-1", check = ElementBinding::check)]
pub struct ElementBinding {
    /// Which; stays the same when the page is rebuilt.
    pub id: StableId,
    /// In which area.
    pub scope_id: Option<ScopeId>,
    /// On which routes.
    pub route_ids: Option<Vec<RouteId>>,
    /// What it is.
    pub role: Option<Role>,
    /// Its name for people.
    pub name: Option<AuthoredText>,
    /// What it means.
    pub meaning: Option<String>,
    /// How it is recognised, best first.
    pub r#match: Vec<ElementMatcher>,
    /// How risky it is.
    pub risk: Option<RiskLevel>,
    /// What data it holds.
    pub data_classes: Option<Vec<DataClass>>,
    /// What is requested of it by default.
    pub default_action: Option<ActionId>,
    /// How its success is recognised.
    pub success: Option<Vec<SuccessSignal>>,
    /// What only the application understands.
    pub metadata: Option<JsonObject>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl ElementBinding {
    fn check(&self, decoder: &mut Decoder<'_>) {
        warn_if_unmatchable(self.r#match.is_empty(), self.id.as_str(), decoder);
        let is_hint = |matcher: &ElementMatcher| matches!(matcher, ElementMatcher::RuntimeHint { .. });
        let critical = self.risk.is_some_and(|risk| risk > RiskLevel::Safe) || self.default_action.is_some();
        let only_hints = !self.r#match.is_empty() && self.r#match.iter().all(is_hint);
        if only_hints && critical {
            decoder.under(Some("AUT-5.3-4"), |decoder| {
                let message = format!("\"{}\" matters, but only CSS or XPath identifies it.", self.id);
                let help = "Add an annotation or semantic matcher in front.";
                decoder.at("match", |decoder| decoder.warning(Code::UnusualName, message, help));
            });
        } else if self.r#match.iter().skip_while(|matcher| !is_hint(matcher)).any(|matcher| !is_hint(matcher))
        {
            decoder.under(Some("AUT-5.3-2"), |decoder| {
                let message = "A CSS or XPath hint stands before better matchers.";
                decoder.at("match", |decoder| {
                    decoder.warning(
                        Code::UnusualName,
                        message,
                        "Move annotation and semantic matchers to the front.",
                    );
                });
            });
        }
    }
}

/// How an element is recognised.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(tag = "by", requirement = "AUT-5.3-1", case = "camelCase", check = ElementMatcher::check)]
pub enum ElementMatcher {
    /// By an attribute.
    Annotation {
        /// Its name.
        attr: Text,
        /// Its value.
        value: Text,
    },
    /// By what it is and how it is called.
    Semantic {
        /// What it is.
        role: Option<Role>,
        /// How it is called.
        name: Option<String>,
        /// Where it is.
        scope_id: Option<ScopeId>,
    },
    /// By its label.
    Label {
        /// What the label says.
        text: Text,
    },
    /// By its text.
    Text {
        /// What it says.
        text: Text,
    },
    /// By code of the application.
    Adapter {
        /// Which.
        id: Id,
    },
    /// By its place in the document, if nothing else helps.
    RuntimeHint {
        /// As a CSS selector.
        css: Option<Text>,
        /// As an `XPath` expression.
        xpath: Option<Text>,
    },
}

impl ElementMatcher {
    fn check(&self, decoder: &mut Decoder<'_>) {
        let (empty, help) = match self {
            Self::Semantic { role: None, name: None, .. } => (true, "Give a role or a name."),
            Self::RuntimeHint { css: None, xpath: None } => {
                (true, "Give a CSS selector or an XPath expression.")
            }
            _ => (false, ""),
        };
        if empty {
            decoder.error_with_help(Code::MissingMember, "The matcher would match everything.", help);
        }
    }
}
