//! What the policy says about an action on its target.
//!
//! Start at [`verdict`]. What is known is gathered (`survey`), the policy is asked once for every way of
//! carrying it out, and the answers are joined. Where the page itself says something about risk or data, the policy is
//! asked twice, with and without it, and the stricter answer holds: so what a page says can only raise.

mod preview;
mod survey;

use crate::catalogue::{Catalogue, Vouched};
use crate::deed::Deed;
use crate::life::{Grounds, Verdict};
use survey::{Case, Survey};
use uiap_policy::{Cause, CompiledPolicy, Decision, Facts, TargetFacts};
use uiap_protocol::capability::{ExecutionMode, RiskDescriptor, RiskTag};
use uiap_protocol::ids::{ActionId, Id, StableId};
use uiap_protocol::policy::{
    AuditLevel, ConfirmedBy, DemandedVerification, Grant, PolicyEffect, PolicyObligation, PolicyPrincipal,
};
use uiap_protocol::web::{ElementNode, GraphStore};
use uiap_protocol::wire::JsonObject;

/// Who wants to do what, to what, and what is known about it.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// Who asks.
    pub principal: &'q PolicyPrincipal,
    /// The rights that the person in front lends by agreeing.
    pub lent: &'q [Grant],
    /// By which rules.
    pub policy: &'q CompiledPolicy,
    /// What is known.
    pub catalogue: &'q Catalogue,
    /// What is asked for; a domain action stands here under its own id.
    pub action: &'q ActionId,
    /// What would be done.
    pub deed: &'q Deed,
    /// With what.
    pub args: Option<&'q JsonObject>,
    /// To which element.
    pub target: Option<&'q ElementNode>,
    /// On which page.
    pub page: &'q GraphStore,
    /// In which ways.
    pub modes: &'q [ExecutionMode],
}

/// May it happen, in which ways, and what must come with it.
pub fn verdict(question: &Question<'_>) -> Verdict {
    let survey = Survey::of(question);
    let rulings: Vec<_> =
        question.modes.iter().map(|mode| Ruling::of(question, &survey, Some(*mode))).collect();
    // Where there is no way at all, the life of the action will say so; the rules hold all the same.
    let joined = joined(rulings).unwrap_or_else(|| Ruling::of(question, &survey, None));
    let Ruling {
        effect,
        reasons,
        risk,
        modes,
        verification,
        rules,
        missing,
        lent,
        obligations,
        by,
        audit,
        mut origins,
        mut vouched,
    } = joined;
    origins.extend(survey.origins.iter().cloned());
    add(&mut vouched.reviews, survey.vouched.reviews.clone());
    add(&mut vouched.evidence, survey.vouched.evidence.clone());
    let modes = modes.into_iter().filter(|mode| is_fit(*mode, &risk)).collect();
    let preview = preview::preview(question, &survey, &risk, &obligations);
    let effect_kind = survey.effect_kind();
    Verdict {
        effect,
        reason: reasons.first().cloned().unwrap_or_default(),
        risk,
        modes,
        verification,
        preview,
        grounds: Grounds {
            reasons,
            rules,
            missing_grants: missing,
            lent_grants: lent,
            obligations,
            confirmed_by: (effect == PolicyEffect::Confirm).then_some(by),
            audit: Some(audit),
            origins,
            reviews: vouched.reviews,
            evidence: vouched.evidence,
            bundle: question.catalogue.bundle().map(ToString::to_string),
            effect_kind,
        },
    }
}

/// Events that a page could have made itself are no way to do what protects, pays or names (ACT 10.4).
fn is_fit(mode: ExecutionMode, risk: &RiskDescriptor) -> bool {
    let critical = |tag: &RiskTag| matches!(tag, RiskTag::Security | RiskTag::Identity | RiskTag::Billing);
    mode != ExecutionMode::InputSynthesis || !risk.tags.iter().flatten().any(critical)
}

/// What the policy says about one way, or about several.
#[derive(Clone, Debug)]
struct Ruling {
    effect: PolicyEffect,
    reasons: Vec<String>,
    risk: RiskDescriptor,
    modes: Vec<ExecutionMode>,
    verification: Option<DemandedVerification>,
    rules: Vec<Id>,
    missing: Vec<Grant>,
    lent: Vec<Grant>,
    obligations: Vec<PolicyObligation>,
    by: ConfirmedBy,
    audit: AuditLevel,
    /// Where the rules stand.
    origins: Vec<String>,
    /// Who stands behind them.
    vouched: Vouched,
}

impl Ruling {
    /// About one way: with what the page says and without, the stricter of both.
    fn of(question: &Question<'_>, survey: &Survey<'_>, mode: Option<ExecutionMode>) -> Self {
        let own = question.target.and_then(|element| element.stable_id.as_ref());
        let about = |case: &Case| {
            let ruling = Self::about(question, survey, case, own, mode);
            let sent = survey.sent.map(|form| Self::about(question, survey, case, Some(form), mode));
            // Only rules about the form count here; the rest was decided by what the button is.
            match sent.filter(|sent| sent.rules.iter().any(|rule| !ruling.rules.contains(rule))) {
                Some(sent) => ruling.and(sent),
                None => ruling,
            }
        };
        let without = about(&survey.trusted);
        match &survey.claimed {
            Some(claimed) => without.and(about(claimed)),
            None => without,
        }
    }

    fn about(
        question: &Question<'_>,
        survey: &Survey<'_>,
        case: &Case,
        stable_id: Option<&StableId>,
        mode: Option<ExecutionMode>,
    ) -> Self {
        let target = question.target.map(|element| TargetFacts {
            stable_id,
            scopes: &survey.scopes,
            role: Some(&element.role),
            sensitive: survey.sensitive,
        });
        let facts = Facts {
            principal: question.principal,
            action: question.action,
            action_kind: survey.kind,
            action_known: survey.known,
            target,
            route: question.page.route().route_id.as_ref(),
            risk: &case.risk,
            side_effect: case.side_effect,
            guess: case.guess.as_ref(),
            data_classes: &case.data_classes,
            mode,
        };
        let decision = question.policy.decide(&facts);
        if !lacks_only_what_is_lent(&decision, question.lent) {
            return Self::new(&decision, &facts, mode, question.catalogue);
        }
        let lent = decision.missing_grants().to_vec();
        let grants = question.principal.grants.iter().flatten().chain(&lent).cloned().collect();
        let principal = PolicyPrincipal { grants: Some(grants), ..question.principal.clone() };
        let facts = Facts { principal: &principal, ..facts };
        let mut ruling = Self::new(&question.policy.decide(&facts), &facts, mode, question.catalogue);
        let words: Vec<_> = lent.iter().map(Grant::as_str).collect();
        let reason = format!(
            "\"{}\" needs the grant {}, which the person lends by agreeing.",
            question.action,
            words.join(" and ")
        );
        ruling.reasons.insert(0, reason);
        ruling.effect = ruling.effect.max(PolicyEffect::Confirm);
        ruling.by = ConfirmedBy::User;
        ruling.lent = lent;
        ruling
    }

    fn new(
        decision: &Decision<'_>,
        facts: &Facts<'_>,
        mode: Option<ExecutionMode>,
        catalogue: &Catalogue,
    ) -> Self {
        let (mut origins, mut vouched) = (Vec::new(), Vouched::default());
        for rule in decision.rules() {
            let Some(known) = catalogue.rule(rule) else { continue };
            origins.push(format!("rule {}: {}", rule.id, known.origin()));
            vouched.add(&known.origin(), known.metadata());
        }
        let reasons: Vec<_> = decision.causes().iter().map(|cause| decision.because(cause, facts)).collect();
        Self {
            effect: decision.effect(),
            reasons: if reasons.is_empty() { vec![decision.reason(facts)] } else { reasons },
            risk: decision.risk().clone(),
            modes: mode.into_iter().filter(|mode| decision.permits_mode(*mode)).collect(),
            verification: decision.verification(),
            rules: decision.rules().map(|rule| rule.id.clone()).collect(),
            missing: decision.missing_grants().to_vec(),
            lent: Vec::new(),
            obligations: decision.obligations().cloned().collect(),
            by: decision.confirmed_by(),
            audit: decision.audit(),
            origins,
            vouched,
        }
    }

    /// Both hold: the stricter effect, with everything that either asks for. The stricter one speaks first.
    fn and(self, other: Self) -> Self {
        let (mut one, other) = if other.effect > self.effect { (other, self) } else { (self, other) };
        add(&mut one.reasons, other.reasons);
        add(&mut one.rules, other.rules);
        add(&mut one.missing, other.missing);
        add(&mut one.lent, other.lent);
        add(&mut one.obligations, other.obligations);
        add(&mut one.origins, other.origins);
        add(&mut one.vouched.reviews, other.vouched.reviews);
        add(&mut one.vouched.evidence, other.vouched.evidence);
        one.modes.retain(|mode| other.modes.contains(mode));
        one.risk = survey::merged(one.risk, &other.risk);
        one.verification = [one.verification, other.verification]
            .into_iter()
            .flatten()
            .max_by_key(|demanded| *demanded == DemandedVerification::All);
        if other.by == ConfirmedBy::User {
            one.by = ConfirmedBy::User;
        }
        one.audit = stricter_audit(one.audit, other.audit);
        one
    }
}

/// The right to do it is all that is in the way, and the person can lend it.
fn lacks_only_what_is_lent(decision: &Decision<'_>, lent: &[Grant]) -> bool {
    let missing = decision.missing_grants();
    let harmless = |cause: &Cause<'_>| {
        cause.effect() < PolicyEffect::Handoff || matches!(cause, Cause::MissingGrants { .. })
    };
    decision.effect() == PolicyEffect::Handoff
        && !missing.is_empty()
        && missing.iter().all(|grant| lent.contains(grant))
        && decision.causes().iter().all(harmless)
}

/// Several ways: those that are left count together, because any of them may be used in the end. Where none is left,
/// the mildest refusal holds: what one way may not do, a person may still do.
fn joined(rulings: Vec<Ruling>) -> Option<Ruling> {
    let allowed = |ruling: &Ruling| ruling.effect < PolicyEffect::Handoff && !ruling.modes.is_empty();
    let (left, refused): (Vec<_>, Vec<_>) = rulings.into_iter().partition(allowed);
    let modes: Vec<_> = left.iter().flat_map(|ruling| ruling.modes.clone()).collect();
    let whole = |ruling: Ruling| Ruling { modes: modes.clone(), ..ruling };
    if let Some(joined) = left.into_iter().map(whole).reduce(Ruling::and) {
        return Some(joined);
    }
    let without = |ruling: Ruling| Ruling { modes: Vec::new(), ..ruling };
    let mildest = refused.iter().map(|ruling| ruling.effect).min();
    let mildest = refused.into_iter().filter(|ruling| Some(ruling.effect) == mildest).map(without);
    mildest.reduce(Ruling::and)
}

fn add<T: PartialEq>(list: &mut Vec<T>, more: Vec<T>) {
    for item in more {
        if !list.contains(&item) {
            list.push(item);
        }
    }
}

fn stricter_audit(one: AuditLevel, other: AuditLevel) -> AuditLevel {
    match (one, other) {
        (AuditLevel::Full, _) | (_, AuditLevel::Full) => AuditLevel::Full,
        (AuditLevel::Decisions, _) | (_, AuditLevel::Decisions) => AuditLevel::Decisions,
        (AuditLevel::None, AuditLevel::None) => AuditLevel::None,
    }
}
