//! What is known of actions, elements and routes, and who said it.
//!
//! Start at [`Catalogue`]. Three voices are kept apart: the bundle, which was reviewed; the application in the page,
//! whose descriptors are claims; and the profile, which knows the primitives. A claim fills gaps and raises a risk. It
//! never takes back what the bundle says. Every lookup is one step, however many actions there are.

mod native;
mod routes;
mod usage;
mod vouched;

pub use native::{ActionType, Aimed, MODE_ORDER, Native};
pub use routes::{BadParams, KnownRoute};
pub use usage::{ActionExample, ActionUsage, ArgumentForm, ArgumentUsage};
pub use vouched::{PROVENANCE_MEMBER, REVIEWS_MEMBER, Vouched};

use crate::life::Millis;
use std::collections::HashMap;
use uiap_protocol::authoring::{CompiledBundle, ElementBinding};
use uiap_protocol::capability::{
    ActionDescriptor, Affordance, ArgDescriptor, DescribedKind, ExecutionMode, Idempotency, RiskDescriptor,
    RiskTag, SuccessSignal, TargetKind,
};
use uiap_protocol::ids::{ActionId, Id, RouteId, StableId, Text};
use uiap_protocol::policy::{DataClass, PolicyRule, SideEffectClass};
use uiap_protocol::version::PackageVersion;
use uiap_protocol::wire::{JsonObject, Shared, nearest};

/// Most actions that applications may claim.
pub const CLAIMS_MAX: usize = 1_000;
/// Most known words that a refusal suggests.
const NEAREST_MAX: usize = 3;

/// Who said something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The bundle, at this place in it.
    Bundle {
        /// A JSON pointer into the bundle.
        pointer: String,
    },
    /// The application, when it registered the action.
    App,
    /// The page, by an annotation.
    Page,
    /// The profile, for every application.
    Profile,
    /// Nobody: it was guessed.
    Guess,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Bundle { pointer } => write!(formatter, "the bundle at {pointer}"),
            Self::App => formatter.write_str("the application"),
            Self::Page => formatter.write_str("the page"),
            Self::Profile => formatter.write_str("the profile"),
            Self::Guess => formatter.write_str("a guess"),
        }
    }
}

/// Something, and who said it.
#[derive(Clone, Debug, PartialEq)]
pub struct Sourced<T> {
    /// What was said.
    pub value: T,
    /// By whom.
    pub origin: Origin,
}

/// Which bundle.
#[derive(Clone, Debug, PartialEq)]
pub struct BundleName {
    /// The package.
    pub package: Id,
    /// Its version.
    pub version: PackageVersion,
    /// What it hashes to.
    pub digest: Option<Text>,
}

impl std::fmt::Display for BundleName {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {}", self.package, self.version)?;
        self.digest.as_ref().map_or(Ok(()), |digest| write!(formatter, " {digest}"))
    }
}

/// What is known of actions, elements and routes.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    bundle: Option<BundleName>,
    actions: HashMap<ActionId, Described>,
    elements: HashMap<StableId, KnownElement>,
    routes: HashMap<RouteId, KnownRoute>,
    rules: HashMap<Id, KnownRule>,
}

/// A rule of the bundle.
#[derive(Clone, Debug)]
pub(crate) struct KnownRule {
    rule: PolicyRule,
    pointer: String,
    /// Of the document that it stands in.
    metadata: Option<JsonObject>,
}

impl KnownRule {
    /// Where it stands.
    pub(crate) fn origin(&self) -> Origin {
        Origin::Bundle { pointer: self.pointer.clone() }
    }

    /// What is known about the document that it stands in.
    pub(crate) fn metadata(&self) -> Option<&JsonObject> {
        self.metadata.as_ref()
    }
}

/// What was said about one action.
#[derive(Clone, Debug, Default)]
struct Described {
    bundle: Option<(ActionDescriptor, String)>,
    claim: Option<ActionDescriptor>,
}

impl Catalogue {
    /// What is known without a bundle: the primitives.
    pub fn new() -> Self {
        Self::default()
    }

    /// What a bundle says, on top of that.
    pub fn of_bundle(bundle: &CompiledBundle) -> Self {
        let mut catalogue = Self {
            bundle: Some(BundleName {
                package: bundle.package_id.clone(),
                version: bundle.version.clone(),
                digest: bundle.digest.clone(),
            }),
            ..Self::default()
        };
        let authored = bundle.actions.iter().flatten().map(|action| &action.descriptor).enumerate();
        let listed = bundle.capabilities.iter().flat_map(|capabilities| &capabilities.actions).enumerate();
        let authored = authored.map(|(index, action)| (action, format!("/actions/{index}")));
        let listed = listed.map(|(index, action)| (action, format!("/capabilities/actions/{index}")));
        for (descriptor, pointer) in authored.chain(listed) {
            let entry = catalogue.actions.entry(descriptor.id.clone()).or_default();
            entry.bundle.get_or_insert_with(|| (descriptor.clone(), pointer));
        }
        let bindings = bundle.bindings.as_ref();
        let elements = bindings.into_iter().flat_map(|bindings| bindings.elements.iter().flatten());
        for (index, binding) in elements.enumerate() {
            let pointer = format!("/bindings/elements/{index}");
            let known = || KnownElement { binding: binding.clone(), pointer };
            catalogue.elements.entry(binding.id.clone()).or_insert_with(known);
        }
        let routes = bindings.into_iter().flat_map(|bindings| bindings.routes.iter().flatten());
        for (index, binding) in routes.enumerate() {
            let known = || KnownRoute::new(binding.clone(), format!("/bindings/routes/{index}"));
            catalogue.routes.entry(binding.id.clone()).or_insert_with(known);
        }
        for (place, policy) in bundle.policies.iter().flatten().enumerate() {
            for (index, rule) in policy.document.rules.iter().enumerate() {
                let pointer = format!("/policies/{place}/document/rules/{index}");
                let metadata = policy.document.metadata.clone();
                let known = || KnownRule { rule: rule.clone(), pointer, metadata };
                catalogue.rules.entry(rule.id.clone()).or_insert_with(known);
            }
        }
        catalogue
    }

    /// Takes what the application in the page offers now, in place of what it offered before. Returns how many were
    /// left out, because there are more than [`CLAIMS_MAX`].
    pub fn claim(&mut self, descriptors: impl IntoIterator<Item = ActionDescriptor>) -> usize {
        self.actions.values_mut().for_each(|described| described.claim = None);
        self.actions.retain(|_, described| described.bundle.is_some());
        let mut left_out = 0;
        for (place, descriptor) in descriptors.into_iter().enumerate() {
            if place >= CLAIMS_MAX {
                left_out += 1;
                continue;
            }
            let described = self.actions.entry(descriptor.id.clone()).or_default();
            // A second claim to a name could be anybody's; the first one stands.
            described.claim.get_or_insert(descriptor);
        }
        left_out
    }

    /// Which bundle this is from.
    pub fn bundle(&self) -> Option<&BundleName> {
        self.bundle.as_ref()
    }

    /// What is known of an action, if anything is.
    pub fn action(&self, id: &str) -> Option<KnownAction<'_>> {
        let native = Native::from_word(id);
        let described = self.actions.get(id);
        (native.is_some() || described.is_some()).then_some(KnownAction { native, described })
    }

    /// What the bundle says about an element.
    pub fn element(&self, id: &str) -> Option<&KnownElement> {
        self.elements.get(id)
    }

    /// What the bundle says about a route.
    pub fn route(&self, id: &str) -> Option<&KnownRoute> {
        self.routes.get(id)
    }

    /// Where in the bundle a rule stands. A rule of another policy may have the same name, so it must be the same.
    pub(crate) fn rule(&self, rule: &PolicyRule) -> Option<&KnownRule> {
        self.rules.get(&rule.id).filter(|known| known.rule == *rule)
    }

    /// The bundle describes routes, so that a route it does not describe does not exist.
    pub fn has_routes(&self) -> bool {
        !self.routes.is_empty()
    }

    /// The known actions that are also called so, or else those with the most similar ids.
    pub fn nearest_actions(&self, id: &str) -> Vec<&str> {
        let meant: Vec<_> = Native::called(id).collect();
        if !meant.is_empty() {
            return meant;
        }
        let described = self.actions.keys().map(ActionId::as_str);
        let native = Native::words().map(|word: &str| word);
        let mut near = nearest(id, native.chain(described), NEAREST_MAX + 1);
        near.dedup();
        near.truncate(NEAREST_MAX);
        near
    }

    /// The known routes with the most similar ids.
    pub fn nearest_routes(&self, id: &str) -> Vec<&str> {
        nearest(id, self.routes.keys().map(RouteId::as_str), NEAREST_MAX)
    }
}

/// What is known of one action.
#[derive(Clone, Copy, Debug)]
pub struct KnownAction<'c> {
    native: Option<Native>,
    described: Option<&'c Described>,
}

impl<'c> KnownAction<'c> {
    /// The native action that it is, if it is one.
    pub fn native(self) -> Option<Native> {
        self.native
    }

    /// Native or the application's own.
    pub fn kind(self) -> DescribedKind {
        if self.native.is_some() { DescribedKind::Primitive } else { DescribedKind::Domain }
    }

    /// What the bundle says, or else what the application claims.
    pub fn descriptor(self) -> Option<Sourced<&'c ActionDescriptor>> {
        self.by_bundle().or_else(|| self.by_claim())
    }

    /// What the bundle says.
    pub fn by_bundle(self) -> Option<Sourced<&'c ActionDescriptor>> {
        let (value, pointer) = self.described?.bundle.as_ref()?;
        Some(Sourced { value, origin: Origin::Bundle { pointer: pointer.clone() } })
    }

    /// What the application claims.
    pub fn by_claim(self) -> Option<Sourced<&'c ActionDescriptor>> {
        let value = self.described?.claim.as_ref()?;
        Some(Sourced { value, origin: Origin::App })
    }

    /// Its name for people.
    pub fn title(self) -> Option<&'c str> {
        self.descriptor()?.value.title.as_deref()
    }

    /// What it takes, where it is the application's own.
    pub fn args(self) -> &'c [ArgDescriptor] {
        let args = self.descriptor().and_then(|descriptor| descriptor.value.args.as_deref());
        args.unwrap_or_default()
    }

    /// What it can be aimed at, where it is the application's own.
    pub fn target_kinds(self) -> &'c [TargetKind] {
        self.descriptor().map_or(&[], |descriptor| &descriptor.value.target_kinds)
    }

    /// What its target must offer, by bundle and claim together.
    pub fn required_affordances(self) -> impl Iterator<Item = &'c Affordance> {
        let said = |said: Sourced<&'c ActionDescriptor>| said.value.required_affordances.iter().flatten();
        let (bundle, claim) = (self.by_bundle(), self.by_claim());
        bundle.into_iter().chain(claim).flat_map(said)
    }

    /// How it can be carried out, best first. What a page claims does not reroute a primitive.
    pub fn modes(self) -> Sourced<Vec<ExecutionMode>> {
        let described = self.by_bundle().or_else(|| self.by_claim().filter(|_| self.native.is_none()));
        match (described, self.native) {
            (Some(Sourced { value, origin }), _) => {
                let listed = MODE_ORDER.into_iter().filter(|mode| value.execution_modes.contains(mode));
                Sourced { value: listed.collect(), origin }
            }
            (None, Some(native)) => Sourced { value: native.modes().to_vec(), origin: Origin::Profile },
            (None, None) => Sourced { value: Vec::new(), origin: Origin::Profile },
        }
    }

    /// What happens if it runs twice, where somebody says so. A claim counts only where the bundle is silent.
    pub fn idempotency(self) -> Option<Sourced<Idempotency>> {
        let said = |Sourced { value, origin }: Sourced<&ActionDescriptor>| {
            value.idempotency.map(|value| Sourced { value, origin })
        };
        self.by_bundle().and_then(said).or_else(|| self.by_claim().and_then(said))
    }

    /// How its success is recognised, where somebody says so.
    pub fn success(self) -> Option<Sourced<&'c [SuccessSignal]>> {
        let said = |Sourced { value, origin }: Sourced<&'c ActionDescriptor>| {
            let signals = value.success.as_deref().filter(|signals| !signals.is_empty())?;
            Some(Sourced { value: signals, origin })
        };
        self.by_bundle().and_then(said).or_else(|| self.by_claim().and_then(said))
    }

    /// How risky the bundle says it is.
    pub fn risk(self) -> Option<Sourced<&'c RiskDescriptor>> {
        self.by_bundle().map(|Sourced { value, origin }| Sourced { value: &value.risk, origin })
    }

    /// How risky the application claims it is.
    pub fn claimed_risk(self) -> Option<&'c RiskDescriptor> {
        self.by_claim().map(|claim| &claim.value.risk)
    }

    /// How long it may take where the request does not say.
    pub fn timeout_ms(self) -> Millis {
        self.native.map_or(native::DOMAIN_MS, Native::timeout_ms)
    }

    /// How long is waited for its outcome where the request does not say.
    pub fn outcome_ms(self) -> Millis {
        self.native.map_or(native::LONG_OUTCOME_MS, Native::outcome_ms)
    }
}

/// What the bundle says about one element.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownElement {
    binding: Shared<ElementBinding>,
    pointer: String,
}

impl KnownElement {
    /// All of it.
    pub fn binding(&self) -> &ElementBinding {
        &self.binding
    }

    /// Where it stands.
    pub fn origin(&self) -> Origin {
        Origin::Bundle { pointer: self.pointer.clone() }
    }

    /// How risky it is, where the bundle says so. Its tags stand in its metadata (finding M18).
    pub fn risk(&self) -> Option<RiskDescriptor> {
        let tags = self.risk_tags();
        let level = self.binding.risk?;
        Some(RiskDescriptor {
            level,
            tags: (!tags.is_empty()).then_some(tags),
            reason: None,
            extra: JsonObject::default(),
        })
    }

    fn risk_tags(&self) -> Vec<RiskTag> {
        let named = self.binding.metadata.as_ref().and_then(|metadata| metadata.get("riskTags"));
        let words = named.and_then(serde_json::Value::as_array).into_iter().flatten();
        words.filter_map(|word| word.as_str().and_then(RiskTag::from_word)).collect()
    }

    /// What data it holds.
    pub fn data_classes(&self) -> &[DataClass] {
        self.binding.data_classes.as_deref().unwrap_or_default()
    }

    /// How its success is recognised.
    pub fn success(&self) -> Option<Sourced<&[SuccessSignal]>> {
        let signals = self.binding.success.as_deref().filter(|signals| !signals.is_empty())?;
        Some(Sourced { value: signals, origin: self.origin() })
    }
}

/// What would change, by the reasons for care that were declared: the gravest (finding S3).
pub fn side_effect(risk: &RiskDescriptor) -> SideEffectClass {
    const GRAVEST_FIRST: [(RiskTag, SideEffectClass); 6] = [
        (RiskTag::Irreversible, SideEffectClass::Irreversible),
        (RiskTag::Destructive, SideEffectClass::Destructive),
        (RiskTag::Billing, SideEffectClass::BillingChange),
        (RiskTag::Security, SideEffectClass::SecurityChange),
        (RiskTag::Identity, SideEffectClass::IdentityChange),
        (RiskTag::ExternalEffect, SideEffectClass::ExternalEffect),
    ];
    let has = |tag: &RiskTag| risk.tags.iter().flatten().any(|own| own == tag);
    GRAVEST_FIRST.into_iter().find(|(tag, _)| has(tag)).map_or(SideEffectClass::Unknown, |(_, class)| class)
}
