//! The words of actions and discovery runs.

use super::{closed, errors_of, forms, refused, survives};
use serde_json::json;
use uiap_protocol::action::{
    ActionStatus, Highlight, Pace, ResolvedBy, RuntimeErrorCode, RuntimeErrorDescriptor, RuntimeState,
    SideEffectState, Stage, VerificationPolicy,
};
use uiap_protocol::discovery::{
    ActionReviewState, AuthMode, Confidence, DiscoveredActionKind, DiscoveryActionPolicyDecision,
    DiscoveryEffect, DiscoveryReason, DiscoveryResultStatus, DiscoveryRunStatus, DiscoverySeed,
    DiscoveryStartedStatus, EvidenceSource, ItemReviewState, ReviewItemKind, SafetyMode, Severity,
    SkeletonStepType,
};
use uiap_protocol::finding::Code;

#[test]
fn an_action_is_in_one_of_eleven_states() {
    closed::<RuntimeState>(
        "RECEIVED RESOLVING_TARGET CHECKING_PRECONDITIONS AWAITING_CONFIRMATION EXECUTING VERIFYING WAITING_FOR_USER
         RECOVERING SUCCEEDED FAILED CANCELLED",
        11,
    );
    closed::<Stage>(
        "resolving_target checking_preconditions awaiting_confirmation executing verifying waiting_for_user recovering",
        7,
    );
}

#[test]
fn there_are_15_runtime_error_codes_and_three_of_ours() {
    uiap_testkit::proves!["ACT-6.4-1"];
    closed::<RuntimeErrorCode>(
        "action_unsupported target_required target_not_found target_ambiguous stale_target target_not_interactable
         confirmation_denied user_activation_required cross_origin_unavailable closed_shadow_unavailable
         execution_mode_unavailable verification_failed unsafe_retry_refused cancelled internal_runtime_error
         policy_denied invalid_arguments timeout",
        18,
    );
    survives::<RuntimeErrorDescriptor>(&json!({ "code": "cancelled", "message": "m" }));
    survives::<RuntimeErrorDescriptor>(
        &json!({ "code": "timeout", "message": "m", "retryable": true, "detail": { "a": [1] } }),
    );
    for (broken, error) in [
        (json!({ "message": "m" }), "missing_member "),
        (json!({ "code": "timeout" }), "missing_member "),
        (json!({ "code": "internal_error", "message": "m" }), "unknown_word /code"),
        (json!({ "code": "timeout", "message": "m", "retryable": "no" }), "wrong_type /retryable"),
        (json!({ "code": "timeout", "message": "m", "detail": "d" }), "wrong_type /detail"),
    ] {
        assert_eq!(errors_of::<RuntimeErrorDescriptor>(&broken), [error]);
    }
}

#[test]
fn the_words_of_the_action_runtime_are_closed() {
    closed::<Highlight>("none outline spotlight", 3);
    closed::<Pace>("instant humanized", 2);
    closed::<ActionStatus>("succeeded failed cancelled", 3);
    closed::<SideEffectState>("none applied unknown", 3);
    closed::<ResolvedBy>("stableId instanceId semantic annotation runtimeHint", 5);
    closed::<VerificationPolicy>("capability-default any all none", 4);
}

#[test]
fn there_are_13_sources_of_evidence() {
    uiap_testkit::proves!["DSC-7.1-1"];
    closed::<EvidenceSource>(
        "annotation app_registry dom accessibility visible_text signal transition network screenshot vision
         documentation manual_review inferred",
        13,
    );
}

#[test]
fn a_discovery_run_has_ten_statuses() {
    uiap_testkit::proves!["DSC-10.1-1"];
    closed::<DiscoveryRunStatus>(
        "planning preparing seeding exploring extracting synthesizing reviewing completed failed cancelled",
        10,
    );
    refused::<DiscoveryRunStatus>(&json!("paused"), Code::UnknownWord);
}

#[test]
fn a_discovery_seed_has_one_of_six_forms() {
    uiap_testkit::proves!["DSC-9.1-1"];
    let list = [
        ("route", json!({ "routeId": "videos" }), json!({})),
        ("url", json!({ "url": "https://example.com/" }), json!({})),
        ("menu", json!({ "label": "Videos" }), json!({})),
        ("action", json!({ "actionId": "video.create" }), json!({})),
        ("workflow", json!({ "workflowId": "w" }), json!({})),
        ("documentation", json!({ "ref": "docs/a.md" }), json!({})),
    ];
    forms::<DiscoverySeed>("kind", &list, 6, false);
}

#[test]
fn the_words_of_the_discovery_mapper_are_closed() {
    closed::<ReviewItemKind>(
        "missing_stable_id duplicate_name ambiguous_target opaque_frame closed_shadow missing_success_signal
         unsafe_action_candidate inferred_only coverage_gap workflow_uncertain custom",
        11,
    );
    closed::<Confidence>("high medium low", 3);
    closed::<Severity>("low medium high", 3);
    closed::<AuthMode>("manual seeded session_reuse", 3);
    closed::<SafetyMode>("observe_only safe_explore sandbox_write", 3);
    closed::<DiscoveredActionKind>("primitive domain candidate", 3);
    closed::<ItemReviewState>("verified candidate needs_review", 3);
    closed::<ActionReviewState>("verified candidate unsafe needs_review", 4);
    closed::<SkeletonStepType>("instruction collect action ensure branch handoff complete", 7);
    closed::<DiscoveryStartedStatus>("preparing seeding exploring", 3);
    closed::<DiscoveryResultStatus>("completed failed cancelled", 3);
}

#[test]
fn a_safety_decision_has_four_effects_and_ten_reasons() {
    uiap_testkit::proves!["DSC-13-2"];
    closed::<DiscoveryEffect>("allow skip review deny", 4);
    closed::<DiscoveryReason>(
        "safe unknown_side_effect destructive external_effect credential payment security_sensitive budget_exceeded
         opaque_boundary manual_only",
        10,
    );
    survives::<DiscoveryActionPolicyDecision>(&json!({ "effect": "deny", "reason": "payment" }));
    assert_eq!(errors_of::<DiscoveryActionPolicyDecision>(&json!({ "effect": "deny" })), ["missing_member "]);
    assert_eq!(errors_of::<DiscoveryActionPolicyDecision>(&json!({ "reason": "safe" })), ["missing_member "]);
}
