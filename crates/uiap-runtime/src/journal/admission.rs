//! Whether a request is new, decided from what a journal knows.

use super::{Digest, Entry};
use uiap_protocol::action::{ActionResult, SideEffectState};
use uiap_protocol::ids::ActionHandle;

/// What becomes of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Admission {
    /// It is new and has been taken in.
    New,
    /// It was done before under this key; this is how it ended.
    Replay(Box<ActionResult>),
    /// It is being done under this key.
    Running(ActionHandle),
    /// Its key stands for something else: `idempotency_conflict`.
    Conflict {
        /// What the key stands for.
        earlier: ActionHandle,
    },
    /// The same was asked for before, must not happen twice, and may have happened: `unsafe_retry_refused`.
    UnsafeRetry {
        /// What may have happened.
        earlier: ActionHandle,
    },
}

/// What a journal knows that bears on a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Known {
    /// The action of the same owner under the same key.
    pub same_key: Option<Earlier>,
    /// The latest action of the same owner with the same deed that [`leaves_unsure`].
    pub unsure: Option<ActionHandle>,
}

/// An action that was admitted before.
#[derive(Clone, Debug, PartialEq)]
pub struct Earlier {
    /// Its handle.
    pub handle: ActionHandle,
    /// What it asked for.
    pub payload: Digest,
    /// How it ended; nothing while it is under way.
    pub result: Option<ActionResult>,
}

/// Decides about a request.
///
/// A key of its own says that a request is meant to be another one, even if it asks for the same.
pub fn admit(entry: &Entry, known: Known) -> Admission {
    match (known.same_key, known.unsure) {
        (Some(earlier), _) if earlier.payload != entry.fingerprint.payload => {
            Admission::Conflict { earlier: earlier.handle }
        }
        (Some(Earlier { result: Some(result), .. }), _) => Admission::Replay(Box::new(result)),
        (Some(earlier), _) => Admission::Running(earlier.handle),
        (None, Some(earlier)) if entry.key.is_none() => Admission::UnsafeRetry { earlier },
        (None, _) => Admission::New,
    }
}

/// Whether an action must not happen twice and may have happened, or may happen yet. Until it has ended, that is so.
pub fn leaves_unsure(repeatable: bool, result: Option<&ActionResult>) -> bool {
    let known = matches!(
        result.and_then(|result| result.side_effect_state),
        Some(SideEffectState::None | SideEffectState::Applied)
    );
    !repeatable && !known
}
