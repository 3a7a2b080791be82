//! What a model can try next.

use uiap_protocol::action::{ActionResult, RuntimeErrorCode, SideEffectState};
use uiap_protocol::core::{CoreErrorCode, ErrorCode};
use uiap_runtime::plan::Refusal;
use uiap_runtime::words::{common_actions, similar_actions};

/// What to try after an action that did not succeed.
pub(super) fn next(result: &ActionResult) -> Option<&'static str> {
    use RuntimeErrorCode as Code;
    let error = result.error.as_ref()?;
    if result.side_effect_state == Some(SideEffectState::Unknown) {
        return Some("It may have happened: look at the application before anything else; do not repeat it.");
    }
    Some(match error.code {
        Code::TargetNotFound | Code::StaleTarget => "look for it, with find.",
        Code::TargetAmbiguous => "Say which one: in, or the reference that look with find shows.",
        Code::TargetNotInteractable => "It cannot be used as it is now: look.",
        Code::PolicyDenied => "It is forbidden here. Tell the person; do not try another way.",
        Code::ConfirmationDenied => "The person did not agree. Ask what they want instead.",
        Code::UserActivationRequired => "Only the person can do this: ask for it.",
        Code::VerificationFailed | Code::Timeout => {
            "look; then try again with verify or a longer timeout if it did not happen."
        }
        Code::InvalidArguments => "Correct args and try again.",
        Code::TargetRequired => "Name a target.",
        Code::ActionUnsupported | Code::ExecutionModeUnavailable => "Do it another way: look.",
        Code::CrossOriginUnavailable | Code::ClosedShadowUnavailable => {
            "This part cannot be reached. Ask the person to do it."
        }
        Code::UnsafeRetryRefused => "look; if it has to happen again, give it a key.",
        Code::Cancelled => "It was stopped. Ask whether to go on.",
        Code::InternalRuntimeError => {
            "Tell the person what is said here. If it is about the page, open it again."
        }
    })
}

/// What to try after an action that was never begun.
pub(super) fn next_after_refusal(refusal: &Refusal, action: &str) -> String {
    use RuntimeErrorCode as Code;
    let advice = match refusal.code {
        ErrorCode::Runtime(Code::ActionUnsupported) => {
            let near = similar_actions(action);
            let known = if near.is_empty() { common_actions() } else { near };
            return format!("Use one of: {}.", known.join(", "));
        }
        ErrorCode::Runtime(Code::UnsafeRetryRefused) => {
            "look whether it happened; only if it has to happen again, give it a key."
        }
        ErrorCode::Runtime(Code::TargetRequired) => "Name a target.",
        // Nothing in the call is wrong: the disk is full, the journal is gone.
        ErrorCode::Core(CoreErrorCode::InternalError) => {
            "Nothing was done. Tell the person what is said here; then try again."
        }
        _ => "Correct the call and try again.",
    };
    advice.to_owned()
}
