//! How long an action may take and how its success is recognised (findings A11, A15, A21).

use super::Refusal;
use crate::catalogue::KnownAction;
use crate::deed::Deed;
use crate::life::{Millis, VerificationPlan};
use uiap_protocol::action::{ActionRequest, VerificationPolicy, VerificationSpec};
use uiap_protocol::capability::{Idempotency, SuccessSignal};

/// Longest time of an action, and of waiting for its outcome.
pub const TIMEOUT_MS_MAX: Millis = 10 * 60 * 1_000;
/// Most signals that a request may name.
pub const SIGNALS_MAX: usize = 32;

/// The time of the whole action, and how its outcome is recognised within it.
pub(super) fn verification(
    request: &ActionRequest,
    known: KnownAction<'_>,
    deed: &Deed,
    idempotency: Idempotency,
) -> Result<(Millis, VerificationPlan), Refusal> {
    let spec = request.verification.as_ref();
    let patience = spec.and_then(|spec| spec.timeout_ms);
    let whole = within("timeoutMs", request.timeout_ms)?;
    let patience = within("verification.timeoutMs", patience)?;
    // Whoever is patient about the outcome means to be patient about the whole.
    let whole = whole
        .unwrap_or_else(|| known.timeout_ms().max(patience.unwrap_or(0).saturating_add(known.timeout_ms())))
        .min(TIMEOUT_MS_MAX);
    let timeout_ms = patience.unwrap_or_else(|| known.outcome_ms()).min(whole);
    let signals = spec.and_then(|spec| spec.signals.clone()).unwrap_or_default();
    check_signals(&signals)?;
    let policy = policy(request, spec, &signals, deed, idempotency)?;
    let require_revision_advance = spec.and_then(|spec| spec.require_revision_advance).unwrap_or(false);
    if require_revision_advance && policy == VerificationPolicy::None {
        return Err(Refusal::payload(
            "The verification policy none looks at nothing, so it cannot require that the page changes.",
        ));
    }
    Ok((whole, VerificationPlan { policy, signals, timeout_ms, require_revision_advance }))
}

fn within(member: &str, given: Option<u64>) -> Result<Option<Millis>, Refusal> {
    match given {
        Some(given) if !(1..=TIMEOUT_MS_MAX).contains(&given) => {
            let message =
                format!("\"{member}\" must be from 1 to {TIMEOUT_MS_MAX} milliseconds, not {given}.");
            Err(Refusal::payload(message).with("member", member).with("min", 1).with("max", TIMEOUT_MS_MAX))
        }
        given => Ok(given),
    }
}

fn check_signals(signals: &[SuccessSignal]) -> Result<(), Refusal> {
    if signals.len() > SIGNALS_MAX {
        let message = format!("\"verification.signals\" has more than {SIGNALS_MAX} signals.");
        return Err(Refusal::payload(message).with("max", SIGNALS_MAX));
    }
    let foreign = signals.iter().find(|signal| matches!(signal, SuccessSignal::Vendor(_)));
    match foreign {
        Some(signal) => {
            let word = signal.word();
            let message = format!("Nobody here can observe the signal \"{word}\".");
            Err(Refusal::payload(message).with("signal", word))
        }
        None => Ok(()),
    }
}

fn policy(
    request: &ActionRequest,
    spec: Option<&VerificationSpec>,
    signals: &[SuccessSignal],
    deed: &Deed,
    idempotency: Idempotency,
) -> Result<VerificationPolicy, Refusal> {
    use VerificationPolicy as Policy;
    let asked = spec.and_then(|spec| spec.policy);
    let refuse = |message: String| Err(Refusal::payload(message).with("member", "verification.policy"));
    match (asked, signals.is_empty()) {
        // Whoever names signals and no policy expects all of them.
        (None, false) => Ok(Policy::All),
        (None, true) if deed.is_only_shown() => Ok(Policy::None),
        (None | Some(Policy::CapabilityDefault | Policy::Any | Policy::All), true) => {
            Ok(Policy::CapabilityDefault)
        }
        (Some(policy @ (Policy::Any | Policy::All)), false) => Ok(policy),
        (Some(policy @ (Policy::CapabilityDefault | Policy::None)), false) => {
            refuse(format!("The verification policy {policy} takes no signals; use any or all."))
        }
        (Some(Policy::None), true) if idempotency != Idempotency::Idempotent => refuse(format!(
            "\"{}\" may not run twice, so it cannot go unverified; leave out the policy none.",
            request.action_id
        )),
        (Some(Policy::None), true) => Ok(Policy::None),
    }
}
