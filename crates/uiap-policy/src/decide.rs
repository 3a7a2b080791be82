//! The one decision function.

use crate::compile::{CompiledPolicy, Document, Rule, Truth};
use crate::facts::{DataUse, Facts};
use crate::grants;
use std::borrow::Cow;
use uiap_protocol::capability::{ExecutionMode, RiskDescriptor, RiskLevel};
use uiap_protocol::ids::{Id, Text};
use uiap_protocol::policy::{
    AuditLevel, ConfirmedBy, DemandedVerification, Grant, ObligedAudit, PolicyEffect, PolicyObligation,
    PolicyRule, Refusal, SensitiveRead, SideEffectClass,
};
use uiap_protocol::wire::{JsonObject, Number};

/// What was decided, and everything that led to it.
#[derive(Clone, Debug)]
pub struct Decision<'p> {
    effect: PolicyEffect,
    causes: Vec<Cause<'p>>,
    obligations: Vec<Cow<'p, PolicyObligation>>,
    missing_grants: Vec<Grant>,
    risk: RiskDescriptor,
    audit: AuditLevel,
    pub(crate) revision: Option<&'p Text>,
}

/// Something that spoke in a decision.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause<'p> {
    /// A rule that matched.
    Rule {
        /// The document it stands in.
        document: &'p Id,
        /// The rule.
        rule: &'p PolicyRule,
        /// All of its conditions are understood. A rule that is not understood never allows and always forbids.
        understood: bool,
    },
    /// A default of a document.
    Default {
        /// The document.
        document: &'p Id,
        /// Which default.
        kind: DefaultKind,
        /// What it says.
        effect: PolicyEffect,
    },
    /// The risk alone.
    Risk {
        /// How risky it is.
        level: RiskLevel,
        /// What follows.
        effect: PolicyEffect,
    },
    /// Rights are missing.
    MissingGrants {
        /// What follows.
        effect: PolicyEffect,
    },
    /// A protected value would be read.
    ProtectedRead {
        /// The right that would open it.
        grant: Grant,
        /// What follows; where it is `allow`, the value is withheld.
        effect: PolicyEffect,
    },
}

/// A default of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultKind {
    /// The action is not known, and no rule names it.
    UnknownAction,
    /// No rule matches.
    NoMatch,
    /// No rule matches, and nobody knows what would change.
    UnknownSideEffect,
}

impl Cause<'_> {
    /// What follows from this alone.
    pub fn effect(&self) -> PolicyEffect {
        match self {
            Self::Rule { rule, .. } => effect_of(rule),
            Self::Default { effect, .. }
            | Self::Risk { effect, .. }
            | Self::MissingGrants { effect }
            | Self::ProtectedRead { effect, .. } => *effect,
        }
    }

    fn priority(&self) -> f64 {
        match self {
            Self::Rule { rule, .. } => rule.priority.map_or(0.0, Number::get),
            _ => 0.0,
        }
    }
}

/// A rule that asks for a confirmation does not allow without one.
fn effect_of(rule: &PolicyRule) -> PolicyEffect {
    let asks = rule.obligations.iter().flatten().any(|item| matches!(item, PolicyObligation::Confirm { .. }));
    if asks { rule.effect.max(PolicyEffect::Confirm) } else { rule.effect }
}

fn refused(refusal: Refusal) -> PolicyEffect {
    match refusal {
        Refusal::Deny => PolicyEffect::Deny,
        Refusal::Handoff => PolicyEffect::Handoff,
    }
}

impl CompiledPolicy {
    /// May this happen, with what obligations, and why.
    pub fn decide<'p>(&'p self, facts: &Facts<'_>) -> Decision<'p> {
        let spoken = self.matching(facts).into_iter().filter(|(rule, truth)| speaks(rule, *truth));
        let matching: Vec<_> = spoken.collect();
        let facts = &without_guess_if_taken_back(facts, &matching);
        let mut causes = Vec::with_capacity(matching.len() + self.documents.len() + 2);
        let mut rest = matching.as_slice();
        for (place, document) in self.documents.iter().enumerate() {
            let (own, others) = rest.split_at(rest.partition_point(|(rule, _)| rule.document <= place));
            rest = others;
            causes.extend(own.iter().map(|(rule, truth)| Cause::Rule {
                document: &document.id,
                rule: &rule.source,
                understood: *truth == Truth::Yes,
            }));
            causes.extend(document.defaults_for(facts, own));
        }
        let missing_grants = grants::missing(facts);
        let level = risk_level(facts);
        causes.extend(self.risk_floor(level));
        causes.extend(self.grant_floor(&missing_grants));
        causes.extend(self.read_floor(facts));
        // A stable sort: what is equally strict and equally important stays in the order of the documents.
        causes.sort_by(|one, other| {
            other.effect().cmp(&one.effect()).then(other.priority().total_cmp(&one.priority()))
        });
        let effect = causes.first().map_or(PolicyEffect::Allow, Cause::effect);
        let obligations = obligations(&causes, effect, facts);
        Decision {
            effect,
            audit: self.audit(&obligations),
            obligations,
            missing_grants,
            risk: effective_risk(facts, level),
            causes,
            revision: self.documents.iter().find_map(|document| document.revision.as_ref()),
        }
    }

    fn risk_floor<'p>(&self, level: RiskLevel) -> Option<Cause<'p>> {
        let effect = match level {
            RiskLevel::Safe => return None,
            RiskLevel::Confirm => PolicyEffect::Confirm,
            RiskLevel::Blocked => self.strictest_refusal(|document| document.defaults.on_blocked_risk),
        };
        Some(Cause::Risk { level, effect })
    }

    fn grant_floor<'p>(&self, missing: &[Grant]) -> Option<Cause<'p>> {
        let effect = || self.strictest_refusal(|document| document.defaults.on_missing_grant);
        (!missing.is_empty()).then(|| Cause::MissingGrants { effect: effect() })
    }

    /// A document that says nothing leaves it at a person doing it.
    fn strictest_refusal(&self, default: impl Fn(&Document) -> Option<Refusal>) -> PolicyEffect {
        let said = self.documents.iter().filter_map(default).map(refused);
        said.max().unwrap_or(PolicyEffect::Handoff)
    }

    fn read_floor<'p>(&self, facts: &Facts<'_>) -> Option<Cause<'p>> {
        if facts.data_use() != DataUse::Read {
            return None;
        }
        let sensitive = facts.target.is_some_and(|target| target.sensitive);
        let grant = grants::reading(facts.data_classes, sensitive)?;
        if grants::holds(facts.principal, &grant) {
            return None;
        }
        match self.on_protected_read(&grant) {
            SensitiveRead::Allow => None,
            SensitiveRead::Redact => Some(Cause::ProtectedRead { grant, effect: PolicyEffect::Allow }),
            SensitiveRead::Deny => Some(Cause::ProtectedRead { grant, effect: PolicyEffect::Deny }),
        }
    }

    /// The strictest answer of all documents; one that says nothing withholds, and nobody can open a secret.
    pub(crate) fn on_protected_read(&self, grant: &Grant) -> SensitiveRead {
        let said = || self.documents.iter().map(|document| document.defaults.on_sensitive_read);
        if said().any(|read| read == Some(SensitiveRead::Deny)) {
            return SensitiveRead::Deny;
        }
        let open = !self.documents.is_empty() && said().all(|read| read == Some(SensitiveRead::Allow));
        if open && *grant != Grant::ReadSecret { SensitiveRead::Allow } else { SensitiveRead::Redact }
    }

    fn audit(&self, obligations: &[Cow<'_, PolicyObligation>]) -> AuditLevel {
        let by_document =
            self.documents.iter().filter_map(|document| document.audit.as_ref()).map(|audit| audit.level);
        let by_obligation = obligations.iter().filter_map(|obligation| match obligation.as_ref() {
            PolicyObligation::Audit { level: Some(ObligedAudit::Full) } => Some(AuditLevel::Full),
            PolicyObligation::Audit { .. } => Some(AuditLevel::Decisions),
            _ => None,
        });
        by_document.chain(by_obligation).max_by_key(|level| audit_rank(*level)).unwrap_or(AuditLevel::None)
    }
}

fn audit_rank(level: AuditLevel) -> u8 {
    match level {
        AuditLevel::None => 0,
        AuditLevel::Decisions => 1,
        AuditLevel::Full => 2,
    }
}

/// A rule that is not understood never allows; one that forbids holds all the more.
fn speaks(rule: &Rule, truth: Truth) -> bool {
    truth == Truth::Yes || effect_of(&rule.source) > PolicyEffect::Allow
}

/// A rule that allows and names the place, or the very level, knows better than a guess.
fn without_guess_if_taken_back<'f>(facts: &Facts<'f>, matching: &[(&Rule, Truth)]) -> Facts<'f> {
    let level = facts.risk_level();
    let takes_back =
        |rule: &Rule| effect_of(&rule.source) == PolicyEffect::Allow && rule.condition.names_place_or(level);
    let taken_back = matching.iter().any(|(rule, _)| takes_back(rule));
    Facts { guess: facts.guess.filter(|_| !taken_back), ..*facts }
}

impl Document {
    /// What the document says where its rules do not.
    fn defaults_for<'p>(
        &'p self,
        facts: &Facts<'_>,
        own: &[(&Rule, Truth)],
    ) -> impl Iterator<Item = Cause<'p>> {
        // A rule about everything says nothing about what nobody knew when it was written.
        let named = own.iter().any(|(rule, _)| rule.condition.names_actions());
        let unknown = (!facts.action_known && !named).then_some(self.defaults.on_unknown_action);
        let nothing = own.is_empty();
        let no_match = self.defaults.on_no_match.filter(|_| nothing);
        let side_effect = self
            .defaults
            .on_unknown_side_effect
            .filter(|_| nothing && facts.changes() == SideEffectClass::Unknown);
        let said = [
            (DefaultKind::UnknownAction, unknown),
            (DefaultKind::UnknownSideEffect, side_effect),
            (DefaultKind::NoMatch, no_match),
        ];
        said.into_iter().filter_map(|(kind, effect)| {
            effect.map(|effect| Cause::Default { document: &self.id, kind, effect })
        })
    }
}

/// What nobody described is not safe.
fn risk_level(facts: &Facts<'_>) -> RiskLevel {
    let level = facts.risk_level();
    if facts.action_known { level } else { level.max(RiskLevel::Confirm) }
}

fn effective_risk(facts: &Facts<'_>, level: RiskLevel) -> RiskDescriptor {
    let mut tags = Vec::new();
    for tag in facts.tags() {
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    let guessed = || facts.guess.and_then(|guess| guess.risk.reason.clone());
    RiskDescriptor {
        level,
        tags: (!tags.is_empty()).then_some(tags),
        reason: facts.risk.reason.clone().or_else(guessed),
        extra: JsonObject::default(),
    }
}

/// What all causes ask for, the most important first, nothing twice.
fn obligations<'p>(
    causes: &[Cause<'p>],
    effect: PolicyEffect,
    facts: &Facts<'_>,
) -> Vec<Cow<'p, PolicyObligation>> {
    let mut asked: Vec<Cow<'p, PolicyObligation>> = Vec::new();
    for cause in causes {
        match cause {
            Cause::Rule { rule, .. } => {
                for obligation in rule.obligations.iter().flatten() {
                    if !asked.iter().any(|known| known.as_ref() == obligation) {
                        asked.push(Cow::Borrowed(obligation));
                    }
                }
            }
            Cause::ProtectedRead { effect: PolicyEffect::Allow, .. } => {
                let data_classes = (!facts.data_classes.is_empty()).then(|| facts.data_classes.to_vec());
                asked.push(Cow::Owned(PolicyObligation::Redact { data_classes, fields: None, mode: None }));
            }
            _ => {}
        }
    }
    let confirms =
        |item: &Cow<'_, PolicyObligation>| matches!(item.as_ref(), PolicyObligation::Confirm { .. });
    if effect == PolicyEffect::Confirm && !asked.iter().any(confirms) {
        asked.push(Cow::Owned(PolicyObligation::Confirm { by: Some(ConfirmedBy::User), message: None }));
    }
    asked
}

impl<'p> Decision<'p> {
    /// What was decided.
    pub fn effect(&self) -> PolicyEffect {
        self.effect
    }

    /// Everything that spoke, the strictest first.
    pub fn causes(&self) -> &[Cause<'p>] {
        &self.causes
    }

    /// The rules that matched, the strictest first.
    pub fn rules(&self) -> impl Iterator<Item = &'p PolicyRule> {
        self.causes.iter().filter_map(|cause| match cause {
            Cause::Rule { rule, .. } => Some(*rule),
            _ => None,
        })
    }

    /// What must come with it.
    pub fn obligations(&self) -> impl Iterator<Item = &PolicyObligation> {
        self.obligations.iter().map(AsRef::as_ref)
    }

    /// The rights that are missing.
    pub fn missing_grants(&self) -> &[Grant] {
        &self.missing_grants
    }

    /// The risk that holds.
    pub fn risk(&self) -> &RiskDescriptor {
        &self.risk
    }

    /// How much is written down: the most that any document or rule asks for.
    pub fn audit(&self) -> AuditLevel {
        self.audit
    }

    /// Who may agree: the person, unless everything that asks says that the sender may.
    pub fn confirmed_by(&self) -> ConfirmedBy {
        let mut asked = self.obligations().filter_map(|obligation| match obligation {
            PolicyObligation::Confirm { by, .. } => Some(by.unwrap_or(ConfirmedBy::User)),
            _ => None,
        });
        // A default or the risk alone asks for the person.
        let by_rules = self.causes.iter().filter(|cause| cause.effect() == PolicyEffect::Confirm);
        let only_rules = by_rules.clone().count() > 0
            && by_rules.clone().all(|cause| matches!(cause, Cause::Rule { rule, .. } if asks_somebody(rule)));
        if only_rules && asked.all(|by| by == ConfirmedBy::Controller) {
            ConfirmedBy::Controller
        } else {
            ConfirmedBy::User
        }
    }

    /// Whether a way of carrying it out is left.
    pub fn permits_mode(&self, mode: ExecutionMode) -> bool {
        self.obligations().all(|obligation| match obligation {
            PolicyObligation::LimitModes { modes } => modes.contains(&mode),
            _ => true,
        })
    }

    /// By how many signals the outcome must be verified, if a rule demands it.
    pub fn verification(&self) -> Option<DemandedVerification> {
        let demanded = self.obligations().filter_map(|obligation| match obligation {
            PolicyObligation::RequireVerification { policy } => Some(*policy),
            _ => None,
        });
        demanded.max_by_key(|policy| *policy == DemandedVerification::All)
    }
}

fn asks_somebody(rule: &PolicyRule) -> bool {
    rule.obligations.iter().flatten().any(|item| matches!(item, PolicyObligation::Confirm { .. }))
}
