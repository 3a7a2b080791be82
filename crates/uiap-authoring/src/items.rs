//! The items that manifests consist of: what is reviewed, merged and published one by one.

use crate::load::{Loaded, Manifest};
use rustc_hash::FxHashMap;
use uiap_protocol::authoring::ManifestSpec;

/// A list of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum List {
    Routes,
    Scopes,
    Elements,
    Actions,
    Policies,
    Workflows,
}

impl List {
    /// The list in a manifest.
    pub(crate) fn member(self) -> &'static str {
        match self {
            Self::Routes => "routes",
            Self::Scopes => "scopes",
            Self::Elements => "elements",
            Self::Actions => "actions",
            Self::Policies => "policies",
            Self::Workflows => "workflows",
        }
    }

    /// One of them, in a sentence.
    pub(crate) fn one(self) -> &'static str {
        match self {
            Self::Routes => "route",
            Self::Scopes => "scope",
            Self::Elements => "element",
            Self::Actions => "action",
            Self::Policies => "policy",
            Self::Workflows => "workflow",
        }
    }

    /// The list in a bundle.
    pub(crate) fn in_bundle(self) -> &'static str {
        match self {
            Self::Routes => "/bindings/routes",
            Self::Scopes => "/bindings/scopes",
            Self::Elements => "/bindings/elements",
            Self::Actions => "/actions",
            Self::Policies => "/policies",
            Self::Workflows => "/workflows",
        }
    }

    /// Where the published part of an item is, seen from the item.
    pub(crate) fn inner(self) -> &'static str {
        if self == Self::Workflows { "/definition" } else { "" }
    }
}

/// Where an item is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Home {
    pub(crate) manifest: usize,
    pub(crate) list: List,
    pub(crate) index: usize,
}

/// The places where an item is written. Almost always that is one.
#[derive(Clone, Debug)]
pub(crate) struct Homes {
    first: Home,
    rest: Vec<Home>,
}

impl Homes {
    pub(crate) fn new(home: Home) -> Self {
        Self { first: home, rest: Vec::new() }
    }

    /// The place that holds.
    pub(crate) fn first(&self) -> Home {
        self.first
    }

    /// The other places.
    pub(crate) fn rest(&self) -> &[Home] {
        &self.rest
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Home> {
        std::iter::once(&self.first).chain(&self.rest)
    }

    pub(crate) fn push(&mut self, home: Home) {
        self.rest.push(home);
    }

    /// Another place holds from now on.
    pub(crate) fn put_first(&mut self, home: Home) {
        self.rest.insert(0, std::mem::replace(&mut self.first, home));
    }
}

/// Something about items. Homes are numbers of our own: nobody can choose them so that they collide.
pub(crate) type ByHome<T> = FxHashMap<Home, T>;

impl Home {
    /// Its place in its manifest.
    pub(crate) fn pointer(self) -> String {
        format!("/spec/{}/{}", self.list.member(), self.index)
    }
}

/// The items of a manifest: which list, which place in it, which id.
pub(crate) fn items_of<'m>(manifest: &'m Manifest<'_>) -> Vec<(List, usize, &'m str)> {
    fn numbered<'m>(list: List, ids: impl Iterator<Item = &'m str>) -> Vec<(List, usize, &'m str)> {
        ids.enumerate().map(|(index, id)| (list, index, id)).collect()
    }
    match &manifest.document.spec {
        ManifestSpec::Bindings(bindings) => {
            let routes = bindings.routes.iter().flatten().map(|route| route.id.as_str());
            let scopes = bindings.scopes.iter().flatten().map(|scope| scope.id.as_str());
            let elements = bindings.elements.iter().flatten().map(|element| element.id.as_str());
            let mut items = numbered(List::Routes, routes);
            items.extend(numbered(List::Scopes, scopes));
            items.extend(numbered(List::Elements, elements));
            items
        }
        ManifestSpec::Actions(actions) => {
            numbered(List::Actions, actions.actions.iter().map(|action| action.descriptor.id.as_str()))
        }
        ManifestSpec::PolicySet(set) => {
            numbered(List::Policies, set.policies.iter().map(|policy| policy.id.as_str()))
        }
        ManifestSpec::WorkflowCatalog(catalog) => numbered(
            List::Workflows,
            catalog.workflows.iter().map(|workflow| workflow.definition.id.as_str()),
        ),
        _ => Vec::new(),
    }
}

/// The id of an item.
pub(crate) fn id_of<'l>(loaded: &'l Loaded<'_>, home: Home) -> Option<&'l str> {
    let Home { manifest, list, index } = home;
    match (&loaded.manifests.get(manifest)?.document.spec, list) {
        (ManifestSpec::Bindings(bindings), List::Routes) => {
            bindings.routes.as_ref()?.get(index).map(|route| route.id.as_str())
        }
        (ManifestSpec::Bindings(bindings), List::Scopes) => {
            bindings.scopes.as_ref()?.get(index).map(|scope| scope.id.as_str())
        }
        (ManifestSpec::Bindings(bindings), List::Elements) => {
            bindings.elements.as_ref()?.get(index).map(|element| element.id.as_str())
        }
        (ManifestSpec::Actions(actions), List::Actions) => {
            actions.actions.get(index).map(|action| action.descriptor.id.as_str())
        }
        (ManifestSpec::PolicySet(set), List::Policies) => {
            set.policies.get(index).map(|policy| policy.id.as_str())
        }
        (ManifestSpec::WorkflowCatalog(catalog), List::Workflows) => {
            catalog.workflows.get(index).map(|workflow| workflow.definition.id.as_str())
        }
        _ => None,
    }
}

/// Every item of every manifest.
pub(crate) fn all_items<'l>(loaded: &'l Loaded<'_>) -> impl Iterator<Item = (Home, &'l str)> {
    loaded.manifests.iter().enumerate().flat_map(|(manifest, one)| {
        items_of(one).into_iter().map(move |(list, index, id)| (Home { manifest, list, index }, id))
    })
}
