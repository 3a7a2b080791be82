//! The words of manifests, policies, workflows, pages, messages and reports.

use super::{closed, errors_of, form, forms, members_of, named, open, refused, survives};
use serde_json::json;
use uiap_protocol::authoring::{
    AcceptanceMode, AuthoringKind, DiscoveryItemKind, ImplementationKind, LocalManifestKind, ManifestSource,
    OwnerRole, PatchOp, ProvenanceSource, PublishSpec, ReleaseChannel, ReleaseChannelSpec,
    RequiredReviewState, ReviewState, ReviewVerdict, RoutingMode, WorkflowReviewLevel,
};
use uiap_protocol::conformance::{ConformanceRole, Level, Polarity, RoleVerdict, Verdict};
use uiap_protocol::core::{CoreErrorCode, MessageKind, PeerRole};
use uiap_protocol::finding::Code;
use uiap_protocol::policy::{
    DataClass, Grant, PolicyEffect, PolicyPrincipal, PrincipalType, SideEffectClass,
};
use uiap_protocol::web::{BoundaryKind, NodeKind, OpaqueKind, ScopeKind, WebSignal};
use uiap_protocol::workflow::{
    StepBody, WorkflowCategory, WorkflowCondition, WorkflowInteractionMode, WorkflowRunStatus,
    WorkflowStartMode,
};

#[test]
fn there_are_eleven_kinds_of_manifest() {
    uiap_testkit::proves!["AUT-3-2"];
    let others = "App Capabilities Bindings Actions PolicySet WorkflowCatalog LocalePack Overlay ReviewSet \
        DiscoveryImport";
    closed::<AuthoringKind>(&format!("Package {others}"), 11);
    closed::<LocalManifestKind>(others, 10);
    refused::<LocalManifestKind>(&json!("Package"), Code::UnknownWord);
}

#[test]
fn there_are_five_release_channels() {
    uiap_testkit::proves!["AUT-9-1"];
    closed::<ReleaseChannel>("dev staging canary prod deprecated", 5);
    closed::<RequiredReviewState>("approved in_review draft", 3);
    survives::<PublishSpec>(&json!({ "channels": [] }));
    survives::<ReleaseChannelSpec>(&json!({ "name": "dev" }));
    survives::<PublishSpec>(&json!({ "defaultChannel": "staging", "channels": [{
        "name": "staging", "selectors": [{ "environments": ["staging"] }], "requiredReviewState": "in_review",
        "allowWaivers": true, "forbidGeneratedOnly": false, "requireDigest": false }] }));
    for (broken, error) in [
        (json!({}), "missing_member "),
        (json!({ "channels": [{}] }), "missing_member /channels/0"),
        (json!({ "channels": [{ "name": "production" }] }), "unknown_word /channels/0/name"),
        (json!({ "channels": [], "defaultChannel": "beta" }), "unknown_word /defaultChannel"),
        (
            json!({ "channels": [{ "name": "dev", "requiredReviewState": "rejected" }] }),
            "unknown_word /channels/0/requiredReviewState",
        ),
        (json!({ "channels": [{ "name": "dev", "selectors": {} }] }), "wrong_type /channels/0/selectors"),
        (
            json!({ "channels": [{ "name": "dev", "allowWaivers": "no" }] }),
            "wrong_type /channels/0/allowWaivers",
        ),
        (
            json!({ "channels": [{ "name": "dev", "forbidGeneratedOnly": 1 }] }),
            "wrong_type /channels/0/forbidGeneratedOnly",
        ),
        (
            json!({ "channels": [{ "name": "dev", "requireDigest": null }] }),
            "wrong_type /channels/0/requireDigest",
        ),
    ] {
        assert_eq!(errors_of::<PublishSpec>(&broken), [error]);
    }
}

#[test]
fn the_words_of_manifests_are_closed() {
    closed::<ReviewState>("draft generated in_review approved rejected deprecated", 6);
    closed::<ManifestSource>("manual generated mixed imported", 4);
    closed::<OwnerRole>("owner maintainer reviewer approver", 4);
    closed::<ProvenanceSource>("manual discovery import generated runtime-trace", 5);
    closed::<ReviewVerdict>("approved rejected needs_review", 3);
    closed::<DiscoveryItemKind>("route scope element action workflowCandidate reviewItem", 6);
    closed::<AcceptanceMode>("copy promote link", 3);
    closed::<ImplementationKind>("sdkHandler serverAction externalDriver none", 4);
    closed::<RoutingMode>("history hash custom", 3);
    closed::<WorkflowReviewLevel>("draft candidate approved", 3);
}

#[test]
fn only_an_upsert_has_a_match_key() {
    let value = json!({ "value": { "a": [1] } });
    let list = [
        ("replace", value.clone(), json!({})),
        ("merge", value.clone(), json!({})),
        ("append", value, json!({})),
        ("remove", json!({}), json!({})),
    ];
    for (word, required, optional) in &list {
        let mut patch = required.clone();
        patch["op"] = json!(word);
        survives::<PatchOp>(&patch);
        patch["matchKey"] = json!("id");
        assert_eq!(errors_of::<PatchOp>(&patch), ["foreign_member /matchKey"], "{word} {optional}");
    }
    survives::<PatchOp>(&json!({ "op": "upsert", "matchKey": "definition.id", "value": {} }));
    assert_eq!(errors_of::<PatchOp>(&json!({ "op": "upsert", "value": {} })), ["missing_member "]);
    assert_eq!(errors_of::<PatchOp>(&json!({ "op": "remove", "value": 1 })), ["foreign_member /value"]);
}

#[test]
fn there_are_eleven_grants_and_five_kinds_of_principal() {
    uiap_testkit::proves!["POL-16", "POL-17", "POL-18"];
    closed::<PrincipalType>("user agent bridge observer system", 5);
    open::<Grant>(
        "observe guide draft act admin read.sensitive read.secret write.sensitive billing identity security",
        11,
    );
    survives::<PolicyPrincipal>(&json!({ "type": "agent", "id": "a" }));
    survives::<PolicyPrincipal>(&json!({ "type": "user", "id": "u", "roles": ["admin"], "grants": ["act"] }));
    for (broken, error) in [
        (json!({ "id": "a" }), "missing_member "),
        (json!({ "type": "agent" }), "missing_member "),
        (json!({ "type": "robot", "id": "a" }), "unknown_word /type"),
        (json!({ "type": "agent", "id": "" }), "bad_form /id"),
        (json!({ "type": "agent", "id": "a", "roles": "admin" }), "wrong_type /roles"),
        (json!({ "type": "agent", "id": "a", "grants": ["root"] }), "unknown_word /grants/0"),
    ] {
        assert_eq!(errors_of::<PolicyPrincipal>(&broken), [error]);
    }
}

#[test]
fn the_words_of_policy_are_closed() {
    uiap_testkit::proves!["POL-30", "POL-33"];
    closed::<DataClass>("public internal personal sensitive credential secret payment health", 8);
    closed::<SideEffectClass>(
        "none navigation local_ui draft reversible_write persistent_write external_effect identity_change
         billing_change security_change destructive irreversible unknown",
        13,
    );
    closed::<PolicyEffect>("allow confirm deny handoff", 4);
}

#[test]
fn the_words_of_workflows_are_closed() {
    uiap_testkit::proves!["WF-23"];
    closed::<WorkflowCategory>("onboarding setup task support recovery training custom", 7);
    closed::<WorkflowStartMode>("suggested manual automatic agent", 4);
    closed::<WorkflowInteractionMode>("guide assist auto", 3);
    closed::<WorkflowRunStatus>(
        "created running waiting_for_input waiting_for_confirmation waiting_for_user paused completed failed cancelled",
        9,
    );
}

#[test]
fn a_workflow_step_has_one_of_seven_forms() {
    uiap_testkit::proves!["WF-26"];
    let next = json!({ "next": "done" });
    let list = [
        ("instruction", next.clone(), json!({ "presentation": { "pace": "humanized" } })),
        ("collect", json!({ "parameters": ["title"], "next": "done" }), json!({})),
        (
            "action",
            json!({ "actionId": "ui.enterText", "next": "done" }),
            json!({ "target": { "ref": named() }, "args": { "text": "a" }, "verification": { "policy": "any" },
                    "retry": { "max": 1 } }),
        ),
        (
            "ensure",
            next.clone(),
            json!({ "signals": [], "conditions": [], "policy": "all", "timeoutMs": 1, "otherwise": "done" }),
        ),
        ("branch", json!({ "cases": [{ "when": [], "next": "done" }], "otherwise": "done" }), json!({})),
        ("handoff", next, json!({ "reason": "r", "resumeWhen": [] })),
        ("complete", json!({}), json!({ "outcome": "aborted" })),
    ];
    forms::<StepBody>("type", &list, 7, false);
}

#[test]
fn a_workflow_condition_has_one_of_ten_forms() {
    let all = json!({ "conditions": [{ "kind": "role", "role": "admin" }] });
    let list = [
        ("signal", json!({ "signal": { "kind": "validation.none" } }), json!({})),
        ("route", json!({}), json!({ "routeId": "videos", "pattern": "/videos/*" })),
        ("element", json!({ "target": named() }), json!({ "state": { "open": true }, "present": true })),
        ("parameter", json!({ "name": "title", "op": "set" }), json!({})),
        ("grant", json!({ "grant": "act" }), json!({})),
        ("role", json!({ "role": "admin" }), json!({})),
        ("capability", json!({ "actionId": "video.create" }), json!({})),
        ("all", all.clone(), json!({})),
        ("any", all, json!({})),
        ("not", json!({ "condition": { "kind": "role", "role": "admin" } }), json!({})),
    ];
    forms::<WorkflowCondition>("kind", &list, 10, false);
    survives::<WorkflowCondition>(
        &json!({ "kind": "parameter", "name": "title", "op": "in", "value": ["a", null] }),
    );
}

#[test]
fn the_words_of_the_web_profile_are_closed() {
    uiap_testkit::proves!["WEB-48"];
    closed::<ScopeKind>(
        "page region form dialog drawer menu popover tabpanel toolbar navigation list table grid tree group frame custom",
        17,
    );
    closed::<BoundaryKind>(
        "root same-origin-frame cross-origin-frame bridged-frame open-shadow closed-shadow",
        6,
    );
    closed::<OpaqueKind>("cross_origin_frame closed_shadow canvas custom", 4);
    closed::<NodeKind>("document scope element opaque", 4);
}

#[test]
fn a_web_signal_has_one_of_twelve_forms() {
    let common = json!({ "id": "s1", "at": "2026-03-26T14:03:00.000Z", "revision": "rev_20" });
    let route = json!({ "url": "https://example.com/" });
    let list = [
        ("route.changed", json!({ "to": route }), json!({ "from": route })),
        ("toast.shown", json!({ "text": "t" }), json!({ "target": "el" })),
        ("status.changed", json!({ "text": "t" }), json!({ "target": "el" })),
        (
            "validation.changed",
            json!({ "errors": [{ "target": "el", "message": "m" }] }),
            json!({ "scopeId": "f" }),
        ),
        ("focus.changed", json!({}), json!({ "target": "el" })),
        ("dialog.opened", json!({ "scopeId": "d" }), json!({})),
        ("dialog.closed", json!({ "scopeId": "d" }), json!({})),
        ("entity.created", json!({ "entityType": "video" }), json!({ "payload": { "id": 1 } })),
        ("entity.updated", json!({ "entityType": "video" }), json!({ "payload": { "id": 1 } })),
        ("entity.deleted", json!({ "entityType": "video" }), json!({ "payload": { "id": 1 } })),
        ("network.response", json!({ "url": "/api", "status": 200 }), json!({})),
        ("custom", json!({ "name": "n" }), json!({ "payload": { "id": 1 } })),
    ];
    let all = members_of(&list);
    for (word, required, optional) in &list {
        let mut required = required.clone();
        required.as_object_mut().expect("members").extend(common.as_object().expect("members").clone());
        required.as_object_mut().expect("members").remove("revision");
        form::<WebSignal>("kind", word, &required, optional, &all);
    }
    let mut vendor = common;
    vendor["kind"] = json!("x.vendor.word");
    survives::<WebSignal>(&vendor);
}

#[test]
fn the_words_of_core_are_closed() {
    uiap_testkit::proves!["CORE-44", "CORE-51"];
    closed::<MessageKind>("request response event", 3);
    closed::<PeerRole>("agent bridge app user observer system", 6);
    closed::<CoreErrorCode>(
        "malformed_message invalid_envelope invalid_payload message_too_large duplicate_message_id
         unknown_message_type unexpected_message unsupported_version unsupported_profile unsupported_extension
         required_extension_missing session_not_found session_not_active session_already_initialized session_expired
         unauthorized forbidden policy_denied handoff_required rate_limited timeout resync_required
         idempotency_conflict not_found internal_error",
        25,
    );
}

#[test]
fn the_words_of_the_conformance_suite_are_closed() {
    uiap_testkit::proves!["CNF-16"];
    closed::<ConformanceRole>(
        "CoreEndpoint CapabilityProvider WebPublisher WebConsumer WebBridge RuntimeExecutor RuntimeController
         RuntimePresenter PolicyEnforcer SDKHost WorkflowEngine DiscoveryMapper AuthoringBuilder",
        13,
    );
    closed::<Verdict>("pass fail skip not_applicable inconclusive", 5);
    closed::<RoleVerdict>("conformant non-conformant not_tested", 3);
    closed::<Level>("required recommended optional", 3);
    closed::<Polarity>("positive negative", 2);
}
