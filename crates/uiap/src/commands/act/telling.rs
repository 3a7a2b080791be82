//! How an action went, in the fewest true words.

use serde_json::Value;
use std::fmt::Write as _;
use uiap_protocol::action::{ActionResult, ActionStatus, ResolvedTarget, RuntimeErrorCode, SideEffectState};
use uiap_protocol::capability::SuccessSignal;
use uiap_runtime::view::clean;
use uiap_runtime::words::short_signal;

/// Longest text of a page in one line, in characters.
const CHARS_MAX: usize = 300;
/// Longest return value that is shown, in characters; `--format json` has all of it.
const RETURNED_CHARS_MAX: usize = 2_000;

/// How an action went: a line that says it all, and what else there is to know.
pub(super) fn told(result: &ActionResult, replayed: bool) -> String {
    let mut text = headline(result);
    if replayed {
        let _ = writeln!(text, "Nothing was done now: this is how the action with this key ended before.");
    }
    list(&mut text, "Observed", &result.verification.observed);
    list(&mut text, "Missing", result.verification.missing.as_deref().unwrap_or_default());
    if let Some(value) = &result.return_value {
        let value = clean(&Value::Object(value.clone()).to_string(), RETURNED_CHARS_MAX);
        let _ = writeln!(text, "Returned: {value}");
    }
    if let Some(next) = next(result) {
        let _ = writeln!(text, "Next: {next}");
    }
    text
}

fn headline(result: &ActionResult) -> String {
    let said = |name: &str| result.metadata.as_ref().and_then(|metadata| metadata.get(name)?.as_str());
    let unverified = said("verdict") == Some("unverified");
    let status = match result.status {
        ActionStatus::Succeeded if unverified => "Done, but not verified",
        ActionStatus::Succeeded => "Succeeded",
        ActionStatus::Failed => "Failed",
        ActionStatus::Cancelled => "Cancelled",
    };
    let target = result.resolved_target.as_ref().map(|target| format!(" on {}", thing(target)));
    let mut parts = Vec::new();
    if let Some(error) = &result.error {
        // Where there is a verdict it says the same, and more.
        let known = error.code == RuntimeErrorCode::VerificationFailed && said("explanation").is_some();
        let message = (!known).then(|| format!(" ({})", clean(&error.message, CHARS_MAX)));
        parts.push(format!("{}{}", error.code, message.unwrap_or_default()));
    }
    if let Some(verdict) = said("verdict").filter(|_| !unverified) {
        let explanation = said("explanation").map(|explanation| clean(explanation, CHARS_MAX));
        let explanation = explanation.filter(|text| !text.is_empty()).map(|text| format!(" ({text})"));
        parts.push(format!("{}{}", verdict.replace('_', " "), explanation.unwrap_or_default()));
    }
    parts.push(effects(result).to_owned());
    format!("{status}: {}{}: {}.\n", result.action_id, target.unwrap_or_default(), parts.join("; "))
}

fn thing(target: &ResolvedTarget) -> String {
    let name =
        target.name.as_deref().map(|name| format!(" \"{}\"", clean(name, CHARS_MAX).replace('"', "'")));
    let id = target.stable_id.as_ref().map(|id| format!(" [{}]", clean(id.as_str(), CHARS_MAX)));
    format!("{}{}{}", target.role, name.unwrap_or_default(), id.unwrap_or_default())
}

fn effects(result: &ActionResult) -> &'static str {
    match result.side_effect_state {
        Some(SideEffectState::None) => "nothing was changed",
        Some(SideEffectState::Applied) => "it took effect",
        Some(SideEffectState::Unknown) | None => "whether it took effect is not known",
    }
}

fn list(text: &mut String, what: &str, signals: &[SuccessSignal]) {
    if !signals.is_empty() {
        let signals: Vec<_> = signals.iter().map(|signal| clean(&short_signal(signal), CHARS_MAX)).collect();
        let _ = writeln!(text, "{what}: {}", signals.join(", "));
    }
}

/// What to do next, where that is not plain.
fn next(result: &ActionResult) -> Option<String> {
    use RuntimeErrorCode as Code;
    let error = result.error.as_ref()?;
    let handle = &result.action_handle;
    let open = result.side_effect_state == Some(SideEffectState::Unknown) && error.retryable == Some(false);
    if open {
        return Some(
            "look at the application. The same request is refused until it has a --key of its own."
                .to_owned(),
        );
    }
    let advice = match error.code {
        Code::TargetNotFound | Code::StaleTarget => {
            "`uiap look` shows what is on the page, `uiap look URL --find TEXT` where something is."
        }
        Code::TargetAmbiguous => {
            "say which one: --in AREA, or the reference that `uiap look URL --find TEXT` shows."
        }
        Code::PolicyDenied => return Some(format!("`uiap trace {handle} --why` says which rule decided.")),
        Code::TargetNotInteractable => "something else comes first; `uiap look` shows the page as it is.",
        Code::VerificationFailed | Code::Timeout => {
            "it may be tried again; --timeout waits longer, --verify says what is expected."
        }
        _ => return None,
    };
    Some(advice.to_owned())
}
