//! Every name of a bundle, found in one step.

use std::collections::{HashMap, HashSet};
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::capability::{ActionDescriptor, PrimitiveAction};
use uiap_protocol::ids::VendorName;

/// What something can be called after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Route,
    Scope,
    Element,
    Action,
    Environment,
    Profile,
}

impl Named {
    /// As it stands in a sentence, and where such things are described.
    pub(super) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Route => ("route", "routes of a Bindings manifest"),
            Self::Scope => ("scope", "scopes of a Bindings manifest"),
            Self::Element => ("element", "elements of a Bindings manifest"),
            Self::Action => ("action", "actions of an Actions manifest"),
            Self::Environment => ("environment", "environments of the App manifest"),
            Self::Profile => ("principal profile", "principalProfiles of the App manifest"),
        }
    }
}

/// The names of a bundle.
#[derive(Debug)]
pub(super) struct Index<'b> {
    routes: HashSet<&'b str>,
    scopes: HashSet<&'b str>,
    elements: HashSet<&'b str>,
    actions: HashMap<&'b str, &'b ActionDescriptor>,
    /// Only where the application lists them.
    environments: Option<HashSet<&'b str>>,
    profiles: Option<HashSet<&'b str>>,
}

impl<'b> Index<'b> {
    pub(super) fn of(bundle: &'b CompiledBundle) -> Self {
        let bindings = bundle.bindings.as_ref();
        let routes = bindings.into_iter().flat_map(|bindings| bindings.routes.iter().flatten());
        let scopes = bindings.into_iter().flat_map(|bindings| bindings.scopes.iter().flatten());
        let elements = bindings.into_iter().flat_map(|bindings| bindings.elements.iter().flatten());
        let authored = bundle.actions.iter().flatten().map(|action| &action.descriptor);
        let listed = bundle.capabilities.iter().flat_map(|capabilities| &capabilities.actions);
        let mut actions = HashMap::new();
        for action in authored.chain(listed) {
            actions.entry(action.id.as_str()).or_insert(action);
        }
        let environments = bundle.app.environments.as_ref();
        let profiles = bundle.app.principal_profiles.as_ref();
        Self {
            routes: routes.map(|route| route.id.as_str()).collect(),
            scopes: scopes.map(|scope| scope.id.as_str()).collect(),
            elements: elements.map(|element| element.id.as_str()).collect(),
            actions,
            environments: environments.map(|list| list.iter().map(|item| item.id.as_str()).collect()),
            profiles: profiles.map(|list| list.iter().map(|item| item.id.as_str()).collect()),
        }
    }

    /// What the bundle says about an action.
    pub(super) fn action(&self, id: &str) -> Option<&'b ActionDescriptor> {
        self.actions.get(id).copied()
    }

    /// Something is called so.
    pub(super) fn has(&self, named: Named, id: &str) -> bool {
        match named {
            Named::Route => self.routes.contains(id),
            Named::Scope => self.scopes.contains(id),
            Named::Element => self.elements.contains(id),
            // What a runtime or a vendor brings along is described nowhere.
            Named::Action => {
                self.actions.contains_key(id)
                    || PrimitiveAction::from_word(id).is_some()
                    || VendorName::is_legal(id)
            }
            Named::Environment => self.environments.as_ref().is_none_or(|known| known.contains(id)),
            Named::Profile => self.profiles.as_ref().is_none_or(|known| known.contains(id)),
        }
    }

    /// Everything that has a name of this kind.
    pub(super) fn names(&self, named: Named) -> Vec<&'b str> {
        let optional = |known: &Option<HashSet<&'b str>>| known.iter().flatten().copied().collect();
        match named {
            Named::Route => self.routes.iter().copied().collect(),
            Named::Scope => self.scopes.iter().copied().collect(),
            Named::Element => self.elements.iter().copied().collect(),
            Named::Action => self.actions.keys().chain(PrimitiveAction::WORDS).copied().collect(),
            Named::Environment => optional(&self.environments),
            Named::Profile => optional(&self.profiles),
        }
    }
}
