//! Every vocabulary against the list of the published text, written out here a second time.
//!
//! The lists are copied from the specifications, not from the source, so a word that is lost, added or misspelt in
//! the source shows up. [`closed`] and [`open`] hold one type against one list.

#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use serde_json::{Value, json};
use uiap_protocol::action::{
    ActionStatus, Highlight, Pace, ResolvedBy, RuntimeErrorCode, RuntimeErrorDescriptor, RuntimeState,
    SideEffectState, Stage, VerificationPolicy,
};
use uiap_protocol::authoring::{
    AcceptanceMode, AuthoringKind, DiscoveryItemKind, ImplementationKind, LocalManifestKind, ManifestSource,
    OwnerRole, PatchOp, ProvenanceSource, PublishSpec, ReleaseChannel, ReleaseChannelSpec,
    RequiredReviewState, ReviewState, ReviewVerdict, RoutingMode, WorkflowReviewLevel,
};
use uiap_protocol::capability::{
    ActionDescriptor, Affordance, ArgType, CountOperator, DescribedKind, ExecutionMode, Idempotency,
    Orientation, PrimitiveAction, RiskDescriptor, RiskLevel, RiskTag, Role, SignalKind, StateKey,
    SuccessSignal, TargetKind, TargetRef, UiState,
};
use uiap_protocol::conformance::{ConformanceRole, Level, Polarity, RoleVerdict, Verdict};
use uiap_protocol::core::{CoreErrorCode, MessageKind, PeerRole};
use uiap_protocol::discovery::{
    ActionReviewState, AuthMode, Confidence, DiscoveredActionKind, DiscoveryActionPolicyDecision,
    DiscoveryEffect, DiscoveryReason, DiscoveryResultStatus, DiscoveryRunStatus, DiscoverySeed,
    DiscoveryStartedStatus, EvidenceSource, ItemReviewState, ReviewItemKind, SafetyMode, Severity,
    SkeletonStepType,
};
use uiap_protocol::finding::{Code, Finding};
use uiap_protocol::policy::{
    DataClass, Grant, PolicyEffect, PolicyPrincipal, PrincipalType, SideEffectClass,
};
use uiap_protocol::text::Node;
use uiap_protocol::web::{BoundaryKind, NodeKind, OpaqueKind, ScopeKind, WebElementState, WebSignal};
use uiap_protocol::wire::{Book, Shape, Wire, decode};
use uiap_protocol::workflow::{
    StepBody, WorkflowCategory, WorkflowCondition, WorkflowInteractionMode, WorkflowRunStatus,
    WorkflowStartMode,
};

/// What is written back, or the findings.
fn taken<T: Wire>(value: &Value) -> Result<Value, Vec<Finding>> {
    let (decoded, findings) = decode::<T>(&Node::from_json(value));
    decoded.map(|decoded| serde_json::to_value(decoded).expect("wire types are JSON")).ok_or(findings)
}

fn survives<T: Wire>(value: &Value) {
    assert_eq!(taken::<T>(value).as_ref(), Ok(value), "{}", std::any::type_name::<T>());
}

fn refused<T: Wire>(value: &Value, code: Code) -> Finding {
    let findings = taken::<T>(value).expect_err(&format!("{value} as {}", std::any::type_name::<T>()));
    let [finding] = findings.as_slice() else { panic!("{value}: {findings:?}") };
    assert_eq!(finding.code, code, "{value}: {finding:?}");
    finding.clone()
}

/// The words that the generated schema allows, and whether it allows those of vendors.
fn described<T: Wire>() -> (Vec<&'static str>, bool) {
    let mut book = Book::default();
    let shape = match T::shape(&mut book) {
        Shape::Named(name) => {
            book.entries().find(|(entry, ..)| *entry == name).map(|(.., shape)| shape.clone())
        }
        other => Some(other),
    };
    let Some(Shape::Words { words, vendor }) = shape else { panic!("no vocabulary: {shape:?}") };
    (words.to_vec(), vendor)
}

fn vocabulary<T: Wire>(words: &str, count: usize, open: bool) {
    let words: Vec<&str> = words.split_whitespace().collect();
    assert_eq!(words.len(), count, "words written out here");
    let (mut described, vendor) = described::<T>();
    let mut expected = words.clone();
    described.sort_unstable();
    expected.sort_unstable();
    assert_eq!(described, expected, "{}", std::any::type_name::<T>());
    assert_eq!(vendor, open, "vendor words in {}", std::any::type_name::<T>());

    for word in &words {
        survives::<T>(&json!(word));
        let misspelt = format!("{word}q");
        let finding = refused::<T>(&json!(misspelt), Code::UnknownWord);
        let help = finding.help.unwrap_or_default();
        assert!(help.starts_with("Nearest known words: ") && help.contains(word), "{misspelt}: {help}");
    }
    for wrong in
        [json!(""), json!("x.word"), json!("x.Vendor.word"), json!("y.vendor.word"), json!("x.vendor.wörd")]
    {
        refused::<T>(&wrong, Code::UnknownWord);
    }
    for wrong in [json!(1), json!(null), json!(true), json!([words]), json!({ "word": words })] {
        refused::<T>(&wrong, Code::WrongType);
    }
    let vendor = json!("x.vendor.word");
    if open { survives::<T>(&vendor) } else { drop(refused::<T>(&vendor, Code::UnknownWord)) }
}

fn closed<T: Wire>(words: &str, count: usize) {
    vocabulary::<T>(words, count, false);
}

fn open<T: Wire>(words: &str, count: usize) {
    vocabulary::<T>(words, count, true);
}

#[test]
fn there_are_51_roles() {
    uiap_testkit::proves!["CAP-4-1", "CAP-2-2", "CAP-2-6"];
    open::<Role>(
        "app route region group form dialog drawer popover tabpanel
         link menu menuitem tablist tab toolbar breadcrumb pagination
         list listitem table row cell grid tree treeitem
         button textbox textarea searchbox combobox listbox option checkbox radio switch slider spinbutton
         datepicker timepicker fileinput label
         alert toast status progress spinner image video audio canvas custom",
        51,
    );
    for selector in [".btn-primary", "#submit", "div", "button.primary", "div > button", "//button"] {
        refused::<Role>(&json!(selector), Code::UnknownWord);
        refused::<Affordance>(&json!(selector), Code::UnknownWord);
    }
}

const STATE_KEYS: &str = "visible enabled focusable focused editable readonly required busy loading blocked selected \
    checked pressed expanded open modal hovered dragged current invalid multiline hasPopup orientation textValue \
    numericValue min max step placeholder description sensitive obscured";

#[test]
fn there_are_32_state_keys() {
    open::<StateKey>(STATE_KEYS, 32);
}

#[test]
fn every_state_key_has_its_own_values() {
    uiap_testkit::proves!["CAP-5-1"];
    let boolean =
        (vec![json!(true), json!(false)], vec![json!("true"), json!(1), json!(null), json!("mixed")]);
    let text = (vec![json!(""), json!("Größe")], vec![json!(1), json!(true), json!(null), json!(["a"])]);
    let number = (vec![json!(0), json!(-1.5), json!(1e20)], vec![json!("1"), json!(true), json!(null)]);
    for key in STATE_KEYS.split_whitespace() {
        let (legal, illegal) = match key {
            "checked" => {
                (vec![json!(true), json!(false), json!("mixed")], vec![json!("yes"), json!(1), json!(null)])
            }
            "current" => (
                vec![
                    json!(false),
                    json!("page"),
                    json!("step"),
                    json!("location"),
                    json!("date"),
                    json!("time"),
                ],
                vec![json!(true), json!("true"), json!("pages"), json!(0), json!(null)],
            ),
            "invalid" => (
                vec![json!(false), json!(true), json!("grammar"), json!("spelling")],
                vec![json!("true"), json!("typo"), json!(0), json!(null)],
            ),
            "hasPopup" => (
                vec![
                    json!(false),
                    json!("menu"),
                    json!("listbox"),
                    json!("dialog"),
                    json!("grid"),
                    json!("tree"),
                ],
                vec![json!(true), json!("popover"), json!(0), json!(null)],
            ),
            "orientation" => (
                vec![json!("horizontal"), json!("vertical")],
                vec![json!("diagonal"), json!(false), json!(0), json!(null)],
            ),
            "textValue" | "placeholder" | "description" => text.clone(),
            "numericValue" | "min" | "max" | "step" => number.clone(),
            _ => boolean.clone(),
        };
        for value in legal {
            survives::<UiState>(&json!({ key: value }));
            survives::<WebElementState>(&json!({ key: value }));
        }
        for value in illegal {
            let findings = taken::<UiState>(&json!({ key: value })).expect_err(&format!("{key} is {value}"));
            assert!(findings.iter().all(|finding| finding.pointer == format!("/{key}")), "{findings:?}");
            assert!(findings.iter().all(|finding| finding.requirement == Some("CAP-5-1")), "{findings:?}");
        }
    }
    survives::<UiState>(&json!({}));
    survives::<UiState>(&json!({ "x.vendor.word": { "any": ["thing"] } }));
    let finding = refused::<UiState>(&json!({ "visble": true }), Code::UnknownWord);
    assert_eq!(finding.help.as_deref(), Some("Nearest known words: visible."));
    assert_eq!(finding.pointer, "/visble");
}

#[test]
fn the_web_adds_attached_and_stable_to_the_state() {
    uiap_testkit::proves!["WEB-53", "WEB-54"];
    for key in ["attached", "stable", "inViewport", "redacted"] {
        survives::<WebElementState>(&json!({ key: true, "visible": false }));
        refused::<WebElementState>(&json!({ key: "yes" }), Code::WrongType);
        refused::<UiState>(&json!({ key: true }), Code::UnknownWord);
    }
}

#[test]
fn there_are_19_affordances() {
    uiap_testkit::proves!["CAP-6-1"];
    open::<Affordance>(
        "read focus activate edit choose toggle expand collapse open close scroll submit dismiss drag drop resize
         upload navigate invoke",
        19,
    );
    refused::<Affordance>(&json!("activatable"), Code::UnknownWord);
}

#[test]
fn there_are_20_primitive_actions() {
    uiap_testkit::proves!["CAP-7-1"];
    let words = "ui.read ui.focus ui.highlight ui.hover ui.activate ui.enterText ui.clearText ui.setValue ui.choose \
        ui.toggle ui.expand ui.collapse ui.open ui.close ui.scrollIntoView ui.scroll ui.submit ui.upload \
        nav.navigate app.invoke";
    closed::<PrimitiveAction>(words, 20);
    let described = |id: &str, kind: &str| {
        json!({ "id": id, "kind": kind, "targetKinds": ["element"], "executionModes": ["semanticUi"],
                "risk": { "level": "safe" } })
    };
    for word in words.split_whitespace() {
        survives::<ActionDescriptor>(&described(word, "primitive"));
        let finding = errors_of::<ActionDescriptor>(&described(word, "domain"));
        assert_eq!(finding, ["inconsistent /kind"]);
    }
    assert_eq!(errors_of::<ActionDescriptor>(&described("ui.click", "primitive")), ["unknown_word /id"]);
    assert_eq!(errors_of::<ActionDescriptor>(&described("video.create", "primitive")), ["unknown_word /id"]);
    survives::<ActionDescriptor>(&described("video.create", "domain"));
}

fn errors_of<T: Wire>(value: &Value) -> Vec<String> {
    let findings = taken::<T>(value).err().unwrap_or_default();
    let errors =
        findings.iter().filter(|finding| finding.severity == uiap_protocol::finding::Severity::Error);
    errors.map(|finding| format!("{} {}", finding.code.as_str(), finding.pointer)).collect()
}

#[test]
fn the_guides_names_for_execution_modes_are_refused() {
    uiap_testkit::proves!["CAP-7-2"];
    closed::<ExecutionMode>("appAction semanticUi inputSynthesis externalDriver visionAssist", 5);
    for synonym in ["semanticDom", "browserInput", "webdriver", "vision"] {
        refused::<ExecutionMode>(&json!(synonym), Code::UnknownWord);
    }
}

#[test]
fn target_kinds_and_idempotency_are_closed() {
    uiap_testkit::proves!["CAP-7-4", "CAP-7-5"];
    closed::<TargetKind>("element scope route entity session none", 6);
    closed::<Idempotency>("idempotent conditional non_idempotent", 3);
}

#[test]
fn kinds_and_types_of_arguments_are_closed() {
    closed::<DescribedKind>("primitive domain", 2);
    closed::<ArgType>("string number boolean enum object array", 6);
    closed::<Orientation>("horizontal vertical", 2);
    closed::<CountOperator>("eq gte lte", 3);
}

#[test]
fn there_are_three_levels_and_nine_tags() {
    uiap_testkit::proves!["CAP-8-2"];
    closed::<RiskLevel>("safe confirm blocked", 3);
    open::<RiskTag>(
        "sensitive_data destructive external_effect privileged billing security identity legal irreversible",
        9,
    );
    survives::<RiskDescriptor>(&json!({ "level": "safe" }));
    survives::<RiskDescriptor>(
        &json!({ "level": "confirm", "tags": ["billing", "x.vendor.word"], "reason": "r" }),
    );
    for (broken, error) in [
        (json!({ "tags": ["billing"] }), "missing_member "),
        (json!({ "level": "high" }), "unknown_word /level"),
        (json!({ "level": "safe", "tags": "billing" }), "wrong_type /tags"),
        (json!({ "level": "safe", "tags": ["billing_change"] }), "unknown_word /tags/0"),
        (json!({ "level": "safe", "reason": 1 }), "wrong_type /reason"),
    ] {
        assert_eq!(errors_of::<RiskDescriptor>(&broken), [error]);
    }
}

/// Holds one form of a union against its members: `required` must be there, `optional` may, all others may not.
fn form<T: Wire>(tag: &str, word: &str, required: &Value, optional: &Value, foreign: &[(&str, Value)]) {
    let tagged = |parts: &[&Value]| {
        let mut object = serde_json::Map::from_iter([(tag.to_owned(), json!(word))]);
        for part in parts {
            object.extend(part.as_object().expect("members").clone());
        }
        Value::Object(object)
    };
    survives::<T>(&tagged(&[required]));
    let full = tagged(&[required, optional]);
    survives::<T>(&full);
    for name in required.as_object().into_iter().flatten().map(|(name, _)| name) {
        let mut broken = full.clone();
        broken.as_object_mut().map(|members| members.remove(name));
        assert_eq!(errors_of::<T>(&broken), ["missing_member "], "{word} without {name}");
    }
    for name in full.as_object().into_iter().flatten().map(|(name, _)| name).filter(|name| *name != tag) {
        let mut broken = full.clone();
        broken[name] = json!(null);
        assert!(!errors_of::<T>(&broken).is_empty(), "{word} with {name}: null");
    }
    for (name, value) in foreign.iter().filter(|(name, _)| full.get(name).is_none()) {
        let mut broken = full.clone();
        broken[*name] = value.clone();
        assert_eq!(errors_of::<T>(&broken), [format!("foreign_member /{name}")], "{word} with {name}");
    }
}

/// Every member that some form has.
fn members_of(forms: &[(&str, Value, Value)]) -> Vec<(&'static str, Value)> {
    let all = forms.iter().flat_map(|(_, required, optional)| [required, optional]);
    let members = all.flat_map(|part| part.as_object().expect("members").clone());
    members.map(|(name, value)| (&*name.leak(), value)).collect()
}

fn forms<T: Wire>(tag: &str, forms: &[(&str, Value, Value)], count: usize, open: bool) {
    assert_eq!(forms.len(), count);
    let all = members_of(forms);
    for (word, required, optional) in forms {
        form::<T>(tag, word, required, optional, &all);
        let finding = taken::<T>(&json!({ tag: format!("{word}q") })).expect_err("a misspelt form");
        let [finding] = finding.as_slice() else { panic!("{finding:?}") };
        assert!(finding.help.as_deref().is_some_and(|help| help.contains(word)), "{finding:?}");
        assert_eq!((finding.code, finding.pointer.as_str()), (Code::UnknownWord, format!("/{tag}").as_str()));
    }
    assert_eq!(errors_of::<T>(&json!({})), ["missing_member "]);
    let vendor = json!({ tag: "x.vendor.word", "anything": { "goes": [1] } });
    if open {
        survives::<T>(&vendor);
    } else {
        assert_eq!(errors_of::<T>(&vendor), [format!("unknown_word /{tag}")]);
    }
}

fn named() -> Value {
    json!({ "by": "stableId", "value": "video.submit" })
}

#[test]
fn a_target_has_one_of_five_forms() {
    uiap_testkit::proves!["CAP-3-2"];
    let list = [
        ("stableId", json!({ "value": "video.submit" }), json!({})),
        ("scope", json!({ "value": "form" }), json!({})),
        ("route", json!({ "value": "videos" }), json!({})),
        ("semantic", json!({ "role": "button" }), json!({ "name": "Save", "scope": "form" })),
        ("custom", json!({ "value": "entity:video/1" }), json!({})),
    ];
    forms::<TargetRef>("by", &list, 5, false);
}

#[test]
fn there_are_16_success_signals_each_with_its_members() {
    uiap_testkit::proves!["CAP-9-1"];
    open::<SignalKind>(
        "element.appeared element.disappeared element.state value.equals route.changed dialog.opened dialog.closed
         toast.contains status.contains validation.none collection.count entity.created entity.updated
         entity.deleted network.response custom",
        16,
    );
    let target = json!({ "target": named() });
    let text = json!({ "text": "erstellt" });
    let entity = json!({ "entityType": "video" });
    let path = json!({ "idPath": "/id" });
    let list = [
        ("element.appeared", target.clone(), json!({})),
        ("element.disappeared", target.clone(), json!({})),
        ("element.state", json!({ "target": named(), "state": { "checked": "mixed" } }), json!({})),
        ("value.equals", json!({ "target": named(), "value": 7 }), json!({})),
        ("route.changed", json!({}), json!({ "pattern": "/videos/:id", "exact": "/videos/1" })),
        ("dialog.opened", json!({}), target.clone()),
        ("dialog.closed", json!({}), target),
        ("toast.contains", text.clone(), json!({})),
        ("status.contains", text, json!({})),
        ("validation.none", json!({}), json!({ "scope": "form" })),
        ("collection.count", json!({ "target": named(), "op": "gte", "value": 3 }), json!({})),
        ("entity.created", entity.clone(), path.clone()),
        ("entity.updated", entity.clone(), path.clone()),
        ("entity.deleted", entity, path),
        ("network.response", json!({}), json!({ "urlPattern": "/api/**", "status": 201 })),
        ("custom", json!({ "name": "app.saved" }), json!({ "payload": { "a": 1 } })),
    ];
    forms::<SuccessSignal>("kind", &list, 16, true);
    for value in [json!("a"), json!(1.5), json!(false)] {
        survives::<SuccessSignal>(&json!({ "kind": "value.equals", "target": named(), "value": value }));
    }
    let list_valued = json!({ "kind": "value.equals", "target": named(), "value": ["a"] });
    assert_eq!(errors_of::<SuccessSignal>(&list_valued), ["wrong_type /value"]);
    let negative = json!({ "kind": "collection.count", "target": named(), "op": "eq", "value": -1 });
    assert_eq!(errors_of::<SuccessSignal>(&negative), ["out_of_range /value"]);
    let fraction = json!({ "kind": "collection.count", "target": named(), "op": "eq", "value": 1.5 });
    assert_eq!(errors_of::<SuccessSignal>(&fraction), ["wrong_type /value"]);
}

#[test]
fn an_action_is_in_one_of_eleven_states() {
    uiap_testkit::proves!["ACT-4-1"];
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
