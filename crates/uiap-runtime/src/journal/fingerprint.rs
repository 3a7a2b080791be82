//! What a request asks for, in a few bytes.

use crate::canonical;
use sha2::{Digest as _, Sha256};
use uiap_protocol::action::{ActionRequest, ActionTarget, VerificationSpec};

/// SHA-256 over a canonical form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

impl std::fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

/// What a request asks for. The order of members and the spelling of numbers make no difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// Everything that bears on what happens and on what counts as success: action, target, arguments, modes,
    /// verification. The key itself, presentation, patience and metadata do not.
    pub payload: Digest,
    /// Action, target and arguments alone: whoever asks for them again wants the same to happen again, whatever else
    /// differs (R0111-8.2).
    pub deed: Digest,
}

impl Fingerprint {
    /// The fingerprint of a request.
    pub fn of(request: &ActionRequest) -> Result<Self, serde_json::Error> {
        let deed = ActionRequest {
            action_id: request.action_id.clone(),
            target: request
                .target
                .as_ref()
                .map(|target| ActionTarget { r#ref: target.r#ref.clone(), ..ActionTarget::default() }),
            args: request.args.clone(),
            preferred_execution_modes: None,
            verification: None,
            presentation: None,
            timeout_ms: None,
            idempotency_key: None,
            metadata: None,
        };
        let payload = ActionRequest {
            target: request.target.clone(),
            preferred_execution_modes: request.preferred_execution_modes.clone(),
            verification: request.verification.as_ref().and_then(impatient),
            ..deed.clone()
        };
        Ok(Self { payload: digest(&payload)?, deed: digest(&deed)? })
    }
}

/// What counts as success, however long it is waited for.
fn impatient(verification: &VerificationSpec) -> Option<VerificationSpec> {
    let verification = VerificationSpec { timeout_ms: None, ..verification.clone() };
    (verification != VerificationSpec::default()).then_some(verification)
}

fn digest(request: &ActionRequest) -> Result<Digest, serde_json::Error> {
    let mut sum = Sha256::new();
    canonical::value(&mut sum, &serde_json::to_value(request)?);
    Ok(Digest(sum.finalize().into()))
}
