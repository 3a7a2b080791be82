//! The whole description of an application's abilities.

use super::{ActionDescriptor, Affordance, RiskLevel, RiskTag, Role, SignalKind, StateKey};
use crate::finding::Code;
use crate::ids::{ModelVersion, ProfileId};
use crate::wire::{Decoder, JsonObject, Wire};
use std::collections::HashSet;

/// What an application can show, observe and do.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "CAP-10-2", check = CapabilityDocument::check)]
pub struct CapabilityDocument {
    /// Always `0.1`.
    pub model_version: ModelVersion,
    /// The profile it is written for.
    pub profile: ProfileId,
    /// Roles that occur.
    #[wire(requirement = "CAP-10-1")]
    pub roles: Vec<Role>,
    /// State keys that are published.
    #[wire(requirement = "CAP-10-1")]
    pub state_keys: Vec<StateKey>,
    /// Affordances that occur.
    #[wire(requirement = "CAP-10-1")]
    pub affordances: Vec<Affordance>,
    /// Actions that can be requested.
    #[wire(requirement = "CAP-10-1")]
    pub actions: Vec<ActionDescriptor>,
    /// Risk levels that occur.
    #[wire(requirement = "CAP-10-1")]
    pub risk_levels: Vec<RiskLevel>,
    /// Risk tags that occur.
    pub risk_tags: Option<Vec<RiskTag>>,
    /// Signals that can be observed.
    pub success_signal_kinds: Vec<SignalKind>,
    /// What only the application understands.
    pub metadata: Option<JsonObject>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl CapabilityDocument {
    fn check(&self, decoder: &mut Decoder<'_>) {
        let declared = Declared {
            levels: self.risk_levels.iter().collect(),
            affordances: self.affordances.iter().collect(),
            tags: self.risk_tags.as_ref().map(|tags| tags.iter().collect()),
            signals: self.success_signal_kinds.iter().collect(),
        };
        let mut ids = HashSet::new();
        for (index, action) in self.actions.iter().enumerate() {
            decoder.at("actions", |decoder| {
                decoder.at_index(index, |decoder| {
                    if !ids.insert(action.id.as_str()) {
                        let message = format!("The action \"{}\" is described twice.", action.id);
                        decoder.under(Some("CAP-7-3"), |decoder| decoder.error(Code::AmbiguousId, message));
                    }
                    declared.check(action, decoder);
                });
            });
        }
    }
}

/// What a document declares.
struct Declared<'d> {
    levels: HashSet<&'d RiskLevel>,
    affordances: HashSet<&'d Affordance>,
    tags: Option<HashSet<&'d RiskTag>>,
    signals: HashSet<&'d SignalKind>,
}

impl Declared<'_> {
    /// Everything an action uses must be declared (CAP 2).
    fn check(&self, action: &ActionDescriptor, decoder: &mut Decoder<'_>) {
        if !self.levels.contains(&action.risk.level) {
            decoder.at("risk", |decoder| {
                decoder.at("level", |decoder| undeclared(action.risk.level.as_str(), "riskLevels", decoder));
            });
        }
        let affordances = action.required_affordances.iter().flatten().enumerate();
        for (index, affordance) in affordances.filter(|(_, used)| !self.affordances.contains(used)) {
            decoder.at("requiredAffordances", |decoder| {
                decoder.at_index(index, |decoder| undeclared(affordance.as_str(), "affordances", decoder));
            });
        }
        let tags = action.risk.tags.iter().flatten().enumerate();
        for (index, tag) in
            tags.filter(|(_, used)| self.tags.as_ref().is_some_and(|tags| !tags.contains(used)))
        {
            decoder.at("risk", |decoder| {
                decoder.at("tags", |decoder| {
                    decoder.at_index(index, |decoder| undeclared(tag.as_str(), "riskTags", decoder));
                });
            });
        }
        for (index, signal) in action.success.iter().flatten().enumerate() {
            if signal.kind().is_some_and(|kind| !self.signals.contains(&kind)) {
                let message = format!("The signal \"{}\" is not in \"successSignalKinds\".", signal.word());
                decoder.under(Some("CAP-10-4"), |decoder| {
                    decoder.at("success", |decoder| {
                        decoder.at_index(index, |decoder| {
                            decoder.warning(Code::UndeclaredWord, message, "Add it there.");
                        });
                    });
                });
            }
        }
    }
}

fn undeclared(word: &str, list: &str, decoder: &mut Decoder<'_>) {
    let message = format!("\"{word}\" is used but not declared in \"{list}\".");
    let help = format!("Add \"{word}\" to \"{list}\".");
    decoder.under(Some("CAP-2-5"), |decoder| decoder.error_with_help(Code::UndeclaredWord, message, help));
}
