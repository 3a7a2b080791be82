//! What can be asked for.

use super::{Affordance, ExecutionMode, PrimitiveAction, RiskLevel, RiskTag, SuccessSignal};
use crate::finding::Code;
use crate::ids::{ActionId, Text};
use crate::wire::{Decoder, JsonObject, Wire};
use std::collections::HashSet;

/// Whether an action belongs to every runtime or to one application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(name = "ActionKind", requirement = "CAP-7-3", case = "snake_case")]
pub enum DescribedKind {
    /// One of the twenty primitives.
    Primitive,
    /// An action of the application.
    Domain,
}

/// What an action can be aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "CAP-7-4", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum TargetKind {
    Element,
    Scope,
    Route,
    Entity,
    Session,
    None,
}

/// What happens if an action runs twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "CAP-7-5", case = "snake_case")]
pub enum Idempotency {
    /// The same as once.
    Idempotent,
    /// It depends.
    Conditional,
    /// It happens twice.
    NonIdempotent,
}

/// The JSON type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Wire)]
#[wire(requirement = "CAP-7-6", case = "snake_case")]
#[expect(missing_docs, reason = "the words are defined by the specification and say what they mean")]
pub enum ArgType {
    String,
    Number,
    Boolean,
    Enum,
    Object,
    Array,
}

/// One argument of an action.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(name = "ActionArgDescriptor", requirement = "CAP-7-6", check = check_argument)]
pub struct ArgDescriptor {
    /// Its name.
    pub name: Text,
    /// Its type.
    pub r#type: ArgType,
    /// It must be given.
    pub required: Option<bool>,
    /// The values of an `enum` argument.
    pub r#enum: Option<Vec<String>>,
    /// What it is for.
    pub description: Option<String>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

fn check_argument(argument: &ArgDescriptor, decoder: &mut Decoder<'_>) {
    let listed = argument.r#enum.as_ref().is_some_and(|values| !values.is_empty());
    if argument.r#type == ArgType::Enum && !listed {
        let message = "An argument of type enum must list its values in \"enum\".";
        decoder.error(Code::Inconsistent, message);
    } else if argument.r#type != ArgType::Enum && argument.r#enum.is_some() {
        let message = "\"enum\" is only for arguments of type enum.";
        decoder.warning(Code::Inconsistent, message, "Use type enum, or remove \"enum\".");
    }
}

/// How risky an action is, and why.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "CAP-8-2")]
pub struct RiskDescriptor {
    /// What may happen on its own.
    pub level: RiskLevel,
    /// Why.
    pub tags: Option<Vec<RiskTag>>,
    /// Why, for people.
    pub reason: Option<String>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl RiskDescriptor {
    /// The level that holds: the declared one, or the floor of a tag where that is stricter (CAP 8).
    pub fn effective_level(&self, writes: bool) -> RiskLevel {
        let floors = self.tags.iter().flatten().map(|tag| tag.floor(writes));
        floors.fold(self.level, RiskLevel::max)
    }
}

/// An action that can be requested.
#[derive(Clone, Debug, PartialEq, Wire)]
#[wire(requirement = "CAP-7-3", check = ActionDescriptor::check)]
pub struct ActionDescriptor {
    /// Its id.
    pub id: ActionId,
    /// Primitive or domain.
    pub kind: DescribedKind,
    /// Its name for people.
    pub title: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// What it can be aimed at.
    pub target_kinds: Vec<TargetKind>,
    /// What the target must offer.
    pub required_affordances: Option<Vec<Affordance>>,
    /// How it can be carried out.
    pub execution_modes: Vec<ExecutionMode>,
    /// What it takes.
    pub args: Option<Vec<ArgDescriptor>>,
    /// What happens if it runs twice.
    pub idempotency: Option<Idempotency>,
    /// How risky it is.
    pub risk: RiskDescriptor,
    /// How its success is recognised.
    pub success: Option<Vec<SuccessSignal>>,
    /// What only the application understands.
    pub metadata: Option<JsonObject>,
    /// Members of later versions and vendors.
    #[wire(extra)]
    pub extra: JsonObject,
}

impl ActionDescriptor {
    /// What can be wrong with a descriptor beyond its shape.
    pub fn check(&self, decoder: &mut Decoder<'_>) {
        self.check_id(decoder);
        self.check_success(decoder);
        self.check_risk(decoder);
        let mut names = HashSet::new();
        for (index, argument) in self.args.iter().flatten().enumerate() {
            if !names.insert(argument.name.as_str()) {
                let message = format!("The argument \"{}\" is described twice.", argument.name);
                decoder.under(Some("CAP-7-6"), |decoder| {
                    decoder.at("args", |decoder| {
                        decoder.at_index(index, |decoder| decoder.error(Code::AmbiguousId, message));
                    });
                });
            }
        }
    }

    fn check_id(&self, decoder: &mut Decoder<'_>) {
        let id = self.id.as_str();
        let primitive = PrimitiveAction::from_word(id).is_some();
        match self.kind {
            DescribedKind::Primitive if !primitive => {
                let near = crate::wire::nearest(id, PrimitiveAction::WORDS.iter().copied(), 3).join(", ");
                let message = format!("\"{id}\" is not a primitive action.");
                let help = format!("Use kind domain, or one of the primitives. {near}");
                decoder.under(Some("CAP-7-1"), |decoder| {
                    decoder.at("id", |decoder| {
                        decoder.error_with_help(Code::UnknownWord, message, help.trim_end());
                    });
                });
            }
            DescribedKind::Domain if primitive => {
                let message = format!("\"{id}\" is a primitive action, not a domain action.");
                decoder.at("kind", |decoder| decoder.error(Code::Inconsistent, message));
            }
            DescribedKind::Domain if !is_domain_name(id) => {
                let message = format!("\"{id}\" does not name a domain action by dotted segments.");
                decoder.under(Some("CAP-7-8"), |decoder| {
                    let help = "Name it after what it means, such as team.invite.";
                    decoder.at("id", |decoder| decoder.warning(Code::UnusualName, message, help));
                });
            }
            _ => {}
        }
    }

    fn check_success(&self, decoder: &mut Decoder<'_>) {
        let signals = self.success.as_ref().map_or(0, Vec::len);
        let critical = self.kind == DescribedKind::Domain && self.risk.level > RiskLevel::Safe;
        let help = "Say in \"success\" what can be observed when it worked.";
        // A primitive has the minimal verification of its profile; it need not say more (finding P15).
        if signals == 0 && self.kind == DescribedKind::Domain {
            decoder.under(Some("CAP-9-3"), |decoder| {
                let message = format!("\"{}\" says nothing about how its success is recognised.", self.id);
                decoder.warning(Code::SuccessMissing, message, help);
            });
        } else if critical && signals == 1 {
            decoder.under(Some("CAP-9-5"), |decoder| {
                let message = format!("\"{}\" is risky and has only one success signal.", self.id);
                decoder.at("success", |decoder| decoder.warning(Code::SuccessMissing, message, help));
            });
        }
    }

    fn check_risk(&self, decoder: &mut Decoder<'_>) {
        let effective = self.risk.effective_level(self.kind == DescribedKind::Domain);
        if effective > self.risk.level {
            let message = format!("The risk level is {}, but its tags ask for {effective}.", self.risk.level);
            let help = format!("Declare {effective}; the stricter level holds in any case.");
            decoder.under(Some("CAP-SEC-3"), |decoder| {
                decoder.at("risk", |decoder| {
                    decoder.at("level", |decoder| decoder.warning(Code::RiskUnderstated, message, help));
                });
            });
        }
    }
}

fn is_domain_name(id: &str) -> bool {
    let segment = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_lowercase())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    };
    id.contains('.') && id.split('.').all(segment)
}
