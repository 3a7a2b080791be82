//! Actions to write down, and places to write them to.

#![expect(clippy::expect_used, reason = "a test that cannot start has failed")]

use std::path::{Path, PathBuf};
use uiap_protocol::action::{
    ActionResult, ActionStatus, SideEffectState, VerificationOutcome, VerificationPolicy,
};
use uiap_protocol::capability::{ExecutionMode, RiskLevel};
use uiap_protocol::ids::{ActionHandle, ActionId, Id};
use uiap_protocol::policy::PolicyEffect;
use uiap_runtime::journal::{Decision, Digest, Entry, Fingerprint, Intent, Owner, TraceRecord};
use uiap_runtime::life::Grounds;

/// A folder of its own, gone at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("journal-{name}-{}", std::process::id()));
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    pub(crate) fn journal(&self) -> PathBuf {
        self.0.join("state").join("journal.sqlite")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

pub(crate) fn handle(name: &str) -> ActionHandle {
    ActionHandle::new(name).expect("an id")
}

fn id(name: &str) -> Id {
    Id::new(name).expect("an id")
}

/// An action that must not happen twice, unlike any other.
pub(crate) fn entry(name: &str) -> Entry {
    let mut sum = [0; 32];
    name.bytes().zip(sum.iter_mut()).for_each(|(byte, slot)| *slot = byte);
    Entry {
        handle: handle(name),
        action_id: ActionId::new("ui.activate").expect("an id"),
        owner: Owner { principal: id("alice"), application: id("videoland") },
        key: Some(id(name)),
        fingerprint: Fingerprint { payload: Digest(sum), deed: Digest(sum) },
        repeatable: false,
        at: 1_000,
    }
}

pub(crate) fn decision(at: u64) -> Decision {
    Decision {
        at,
        effect: PolicyEffect::Allow,
        risk: RiskLevel::Safe,
        reason: "nothing speaks against it".into(),
        grounds: grounds(),
    }
}

/// Grounds with something in every part.
fn grounds() -> Grounds {
    let grounds = serde_json::json!({
        "reasons": ["rule calm says so"], "rules": ["calm"], "missingGrants": ["billing"], "lentGrants": ["admin"],
        "obligations": [{ "kind": "audit", "level": "full" }], "confirmedBy": "user", "audit": "full",
        "origins": ["risk safe: the profile"], "bundle": "videoland.uiap 0.1.0",
    });
    Grounds::from_json(&grounds).expect("grounds")
}

pub(crate) fn intent(mode: ExecutionMode) -> Intent {
    Intent { mode, repeatable: false, consented: false, decision: decision(1_001) }
}

pub(crate) fn result(name: &str, status: ActionStatus, effects: SideEffectState) -> ActionResult {
    ActionResult {
        action_handle: handle(name),
        action_id: ActionId::new("ui.activate").expect("an id"),
        status,
        chosen_execution_mode: Some(ExecutionMode::SemanticUi),
        resolved_target: None,
        verification: VerificationOutcome {
            passed: status == ActionStatus::Succeeded,
            policy: VerificationPolicy::Any,
            observed: Vec::new(),
            missing: None,
            timeout_ms: Some(4_000),
        },
        side_effect_state: Some(effects),
        state_revision: None,
        return_value: None,
        error: None,
        metadata: None,
    }
}

pub(crate) fn trace(name: &str) -> TraceRecord {
    TraceRecord::new(handle(name), ActionId::new("ui.activate").expect("an id"))
}
