//! What is decided, and how it is explained.

use crate::policy::support::{Question, compiled, document, yaml};
use insta::assert_snapshot;
use uiap_policy::CompiledPolicy;
use uiap_protocol::capability::ExecutionMode;
use uiap_protocol::ids::Id;
use uiap_protocol::policy::{AuditLevel, ConfirmedBy, DataClass, DemandedVerification, SideEffectClass};
use uiap_protocol::time::Timestamp;
use uiap_testkit::proves;

/// The effect and all causes, as text.
fn asked(policy: &CompiledPolicy, question: &Question) -> String {
    let facts = question.facts();
    let decision = policy.decide(&facts);
    let causes = decision.causes().iter().map(|cause| format!("- {}", decision.because(cause, &facts)));
    std::iter::once(decision.effect().to_string()).chain(causes).collect::<Vec<_>>().join("\n")
}

fn effect(policy: &CompiledPolicy, question: &Question) -> String {
    policy.decide(&question.facts()).effect().to_string()
}

fn two_documents() -> CompiledPolicy {
    compiled([
        document(
            "policy.default",
            "{onUnknownAction: deny, onNoMatch: confirm}",
            "- {id: safe, when: {riskLevels: [safe]}, effect: allow}\n\
             - {id: outside, when: {riskTags: [external_effect]}, effect: confirm, reason: It leaves the application.}\n\
             - {id: publish, when: {actions: ['video.publ*']}, effect: handoff, priority: 5}",
        ),
        document(
            "policy.lab",
            "{onUnknownAction: allow, onNoMatch: allow}",
            "- {id: lab, when: {routes: [lab], not: {actions: [ui.read]}}, effect: deny}",
        ),
    ])
}

#[test]
fn the_strictest_rule_holds_and_says_why() {
    proves!["POL-2", "POL-7", "POL-35"];
    let policy = two_documents();
    assert_snapshot!(asked(&policy, &Question::new("video.open")), @r#"
    allow
    - The rule "safe" of "policy.default" says allow.
    - No rule of "policy.lab" speaks about "video.open"; the default of "policy.lab" is allow.
    "#);
    let share = Question::new("video.share").risk("{level: safe, tags: [external_effect]}");
    assert_snapshot!(asked(&policy, &share.changes(SideEffectClass::ExternalEffect)), @r#"
    confirm
    - The rule "outside" of "policy.default" says confirm. It leaves the application.
    - The risk of "video.share" is confirm (external_effect), which means at least confirm.
    - No rule of "policy.lab" speaks about "video.share"; the default of "policy.lab" is allow.
    "#);
    let mut publish = Question::new("video.publish");
    assert_eq!(effect(&policy, &publish), "handoff");
    publish.route = Some(yaml("lab"));
    assert_eq!(effect(&policy, &publish), "deny");
    let mut read = Question::new("ui.read");
    read.route = Some(yaml("lab"));
    assert_eq!(effect(&policy, &read), "allow");
}

#[test]
fn a_rule_about_everything_says_nothing_about_an_unknown_action() {
    proves!["POL-31", "POL-32"];
    let policy = two_documents();
    assert_snapshot!(asked(&policy, &Question::new("video.explode").unknown()), @r#"
    deny
    - The action "video.explode" is not known; the default of "policy.default" is deny.
    - The risk of "video.explode" is confirm, which means at least confirm.
    - The rule "safe" of "policy.default" says allow.
    - The action "video.explode" is not known; the default of "policy.lab" is allow.
    - No rule of "policy.lab" speaks about "video.explode"; the default of "policy.lab" is allow.
    "#);
    assert_eq!(effect(&policy, &Question::new("video.publicise").unknown()), "handoff", "a rule names it");
}

#[test]
fn without_a_policy_risk_and_grants_decide() {
    let none = compiled([]);
    assert_eq!(asked(&none, &Question::new("ui.focus")), "allow");
    assert_eq!(
        none.decide(&Question::new("ui.focus").facts()).reason(&Question::new("ui.focus").facts()),
        "Nothing speaks against \"ui.focus\"."
    );
    assert_eq!(effect(&none, &Question::new("ui.activate").risk("{level: confirm}")), "confirm");
    assert_eq!(effect(&none, &Question::new("ui.activate").risk("{level: blocked}")), "handoff");
    assert_eq!(effect(&none, &Question::new("video.explode").unknown()), "confirm");
    assert_eq!(effect(&none, &Question::new("ui.activate").risk("{level: safe, tags: [legal]}")), "confirm");
}

#[test]
fn of_several_tags_the_strictest_level_holds() {
    proves!["CAP-8-3"];
    let none = compiled([]);
    let tagged = |risk: &str| effect(&none, &Question::new("ui.activate").risk(risk));
    assert_eq!(tagged("{level: safe, tags: [x.acme.mild]}"), "allow");
    assert_eq!(tagged("{level: safe, tags: [x.acme.mild, legal]}"), "confirm");
    assert_eq!(tagged("{level: safe, tags: [legal, x.acme.mild]}"), "confirm");
    assert_eq!(tagged("{level: blocked, tags: [x.acme.mild, legal]}"), "handoff");
}

#[test]
fn no_rule_lowers_the_floor_of_the_risk() {
    let policy = compiled([document(
        "p",
        "{onUnknownAction: allow, onNoMatch: allow, onBlockedRisk: deny}",
        "- {id: all, when: {actionKinds: [primitive, domain]}, effect: allow}",
    )]);
    assert_eq!(effect(&policy, &Question::new("a.b").risk("{level: confirm}")), "confirm");
    assert_eq!(effect(&policy, &Question::new("a.b").risk("{level: blocked}")), "deny");
    let deletes = Question::new("a.b").grants("admin").changes(SideEffectClass::Destructive);
    assert_snapshot!(asked(&policy, &deletes), @r#"
    confirm
    - The risk of "a.b" is confirm (destructive), which means at least confirm.
    - The rule "all" of "p" says allow.
    "#);
}

/// Which side effects a set of grants opens.
fn opened_by(grants: &str) -> String {
    let policy = compiled([]);
    let classes = [
        SideEffectClass::None,
        SideEffectClass::Navigation,
        SideEffectClass::LocalUi,
        SideEffectClass::Draft,
        SideEffectClass::ReversibleWrite,
        SideEffectClass::PersistentWrite,
        SideEffectClass::ExternalEffect,
        SideEffectClass::Unknown,
        SideEffectClass::Destructive,
        SideEffectClass::Irreversible,
        SideEffectClass::BillingChange,
        SideEffectClass::SecurityChange,
        SideEffectClass::IdentityChange,
    ];
    let open = |class: &SideEffectClass| {
        let question = Question::new("a.b").grants(grants).changes(*class);
        policy.decide(&question.facts()).missing_grants().is_empty()
    };
    classes.iter().filter(|class| open(class)).map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_grant_opens_what_it_is_for() {
    proves!["POL-20", "POL-21", "POL-22", "POL-23", "POL-27", "POL-28", "POL-29", "POL-33", "POL-34"];
    assert_eq!(opened_by(""), "");
    assert_eq!(opened_by("observe"), "none");
    assert_eq!(opened_by("guide"), "none navigation local_ui");
    assert_eq!(opened_by("draft"), "none navigation local_ui draft");
    let act = "none navigation local_ui draft reversible_write persistent_write external_effect unknown";
    assert_eq!(opened_by("act"), act);
    assert_eq!(opened_by("admin"), format!("{act} destructive irreversible"));
    assert_eq!(opened_by("billing"), "billing_change");
    assert_eq!(opened_by("security"), "security_change");
    assert_eq!(opened_by("identity"), "identity_change");
    assert_eq!(opened_by("read.secret, write.sensitive"), "");
}

#[test]
fn a_missing_grant_is_named() {
    let policy = compiled([document("p", "{onUnknownAction: deny, onMissingGrant: deny}", "[]")]);
    let question = Question::new("video.delete").changes(SideEffectClass::Destructive);
    assert_snapshot!(asked(&policy, &question), @r#"
    deny
    - "helper" lacks the grant admin for "video.delete" (destructive), which means deny.
    - The risk of "video.delete" is confirm (destructive), which means at least confirm.
    "#);
}

#[test]
fn writing_protected_data_needs_its_grant() {
    proves!["POL-4", "POL-26"];
    let policy = compiled([]);
    for class in [
        DataClass::Credential,
        DataClass::Secret,
        DataClass::Payment,
        DataClass::Sensitive,
        DataClass::Health,
    ] {
        let question = Question::new("ui.enterText").changes(SideEffectClass::Draft).data(&[class]);
        assert_eq!(effect(&policy, &question), "handoff", "{class}");
        assert_eq!(effect(&policy, &question.clone().grants("act, write.sensitive")), "allow", "{class}");
        let focus = Question::new("ui.focus").data(&[class]);
        assert_eq!(effect(&policy, &focus), "allow", "{class}");
    }
    let open = Question::new("ui.enterText").changes(SideEffectClass::Draft).data(&[DataClass::Personal]);
    assert_eq!(effect(&policy, &open), "allow");
}

#[test]
fn reading_protected_data_withholds_or_refuses() {
    proves!["POL-24", "POL-25"];
    let read = |class| Question::new("ui.read").changes(SideEffectClass::None).data(&[class]);
    let obligations = |policy: &CompiledPolicy, question: &Question| {
        let facts = question.facts();
        let decision = policy.decide(&facts);
        format!("{} {:?}", decision.effect(), decision.obligations().count())
    };
    let none = compiled([]);
    assert_eq!(obligations(&none, &read(DataClass::Sensitive)), "allow 1");
    assert_eq!(obligations(&none, &read(DataClass::Sensitive).grants("observe, read.sensitive")), "allow 0");
    assert_eq!(obligations(&none, &read(DataClass::Secret).grants("observe, read.sensitive")), "allow 1");
    assert_eq!(obligations(&none, &read(DataClass::Secret).grants("observe, read.secret")), "allow 0");
    assert_eq!(obligations(&none, &read(DataClass::Public)), "allow 0");
    let open = compiled([document("p", "{onUnknownAction: deny, onSensitiveRead: allow}", "[]")]);
    assert_eq!(obligations(&open, &read(DataClass::Sensitive)), "allow 0");
    assert_eq!(
        obligations(&open, &read(DataClass::Credential)),
        "allow 1",
        "nothing opens a secret but its grant"
    );
    let closed = compiled([document("p", "{onUnknownAction: deny, onSensitiveRead: deny}", "[]")]);
    assert_snapshot!(asked(&closed, &read(DataClass::Health)), @r#"
    deny
    - "helper" lacks the grant read.sensitive to read this value, which means deny.
    "#);
}

#[test]
fn a_rule_that_is_not_understood_never_allows() {
    let allow = |when: &str| {
        compiled([document(
            "p",
            "{onUnknownAction: deny, onNoMatch: deny}",
            &format!("- {{id: r, when: {when}, effect: allow}}"),
        )])
    };
    let question = Question::new("a.b");
    assert_eq!(effect(&allow("{actions: [a.b]}"), &question), "allow");
    assert_eq!(effect(&allow("{actions: [a.b], hourOfDay: [9]}"), &question), "deny");
    assert_eq!(effect(&allow("{actions: [a.b], not: {hourOfDay: [9]}}"), &question), "deny");
    assert_eq!(effect(&allow("{actions: [a.b], not: {actions: [a.c], hourOfDay: [9]}}"), &question), "allow");
    let limited = document(
        "p",
        "{onUnknownAction: deny, onNoMatch: deny}",
        "- {id: r, when: {actions: [a.b]}, effect: allow, validUntil: yesterday}\n\
         - {id: n, when: {actions: [a.c]}, effect: allow, x-owner: me}",
    );
    let limited = compiled([limited]);
    assert_eq!(effect(&limited, &question), "deny");
    assert_eq!(effect(&limited, &Question::new("a.c")), "allow", "a remark of a vendor is no limit");
    let forbids = compiled([document(
        "p",
        "{onUnknownAction: deny, onNoMatch: allow}",
        "- {id: r, when: {actions: [a.b], hourOfDay: [9]}, effect: handoff}",
    )]);
    assert_snapshot!(asked(&forbids, &question), @r#"
    handoff
    - The rule "r" of "p" says handoff. It has conditions that are not understood here, and counts as if they held.
    "#);
}

#[test]
fn obligations_are_joined_to_the_strictest() {
    proves!["POL-6", "POL-15"];
    let policy = compiled([document(
        "p",
        "{onUnknownAction: deny}",
        "- id: one\n  when: {actions: [a.b]}\n  effect: allow\n  obligations:\n\
         \x20 - {kind: limitModes, modes: [appAction, semanticUi]}\n\
         \x20 - {kind: requireVerification, policy: any}\n\
         \x20 - {kind: audit}\n\
         - id: two\n  when: {actions: ['a.*']}\n  effect: allow\n  priority: 3\n  obligations:\n\
         \x20 - {kind: limitModes, modes: [semanticUi, inputSynthesis]}\n\
         \x20 - {kind: requireVerification, policy: all}\n\
         \x20 - {kind: audit, level: full}\n\
         \x20 - {kind: redact, fields: [token], mode: mask}\n\
         - id: same\n  when: {actions: ['*.b']}\n  effect: allow\n  obligations:\n  - {kind: audit}",
    )]);
    let question = Question::new("a.b");
    let facts = question.facts();
    let decision = policy.decide(&facts);
    let modes = [
        ExecutionMode::AppAction,
        ExecutionMode::SemanticUi,
        ExecutionMode::InputSynthesis,
        ExecutionMode::ExternalDriver,
    ];
    let left: Vec<_> = modes.into_iter().filter(|mode| decision.permits_mode(*mode)).collect();
    assert_eq!(left, [ExecutionMode::SemanticUi]);
    assert_eq!(decision.verification(), Some(DemandedVerification::All));
    assert_eq!(decision.audit(), AuditLevel::Full);
    assert_eq!(decision.obligations().count(), 7, "nothing is listed twice");
    let rules: Vec<_> = decision.rules().map(|rule| rule.id.as_str()).collect();
    assert_eq!(rules, ["two", "one", "same"], "the more important rule comes first");
}

#[test]
fn the_person_confirms_unless_every_rule_says_otherwise() {
    let confirm = |by: &str| {
        let rules = format!(
            "- {{id: r, when: {{actions: [a.b]}}, effect: allow, obligations: [{{kind: confirm, by: {by}}}]}}\n\
             - {{id: s, when: {{actions: [a.c]}}, effect: confirm}}"
        );
        compiled([document("p", "{onUnknownAction: deny}", &rules)])
    };
    let by = |policy: &CompiledPolicy, question: Question| {
        let facts = question.facts();
        let decision = policy.decide(&facts);
        (decision.effect().to_string(), decision.confirmed_by())
    };
    let confirms = "confirm".to_owned();
    assert_eq!(by(&confirm("user"), Question::new("a.b")), (confirms.clone(), ConfirmedBy::User));
    assert_eq!(by(&confirm("controller"), Question::new("a.b")), (confirms.clone(), ConfirmedBy::Controller));
    assert_eq!(by(&confirm("controller"), Question::new("a.c")), (confirms.clone(), ConfirmedBy::User));
    let risky = Question::new("a.b").risk("{level: confirm}");
    assert_eq!(by(&confirm("controller"), risky), (confirms, ConfirmedBy::User));
}

#[test]
fn rules_about_modes_hold_for_the_mode_that_is_used() {
    let policy = compiled([document(
        "p",
        "{onUnknownAction: deny}",
        "- {id: r, when: {executionModes: [visionAssist, inputSynthesis]}, effect: deny}",
    )]);
    assert_eq!(effect(&policy, &Question::new("a.b")), "allow");
    assert_eq!(effect(&policy, &Question::new("a.b").mode(ExecutionMode::SemanticUi)), "allow");
    assert_eq!(effect(&policy, &Question::new("a.b").mode(ExecutionMode::VisionAssist)), "deny");
}

#[test]
fn a_decision_is_a_message() {
    proves!["POL-8"];
    let policy = two_documents();
    let question = Question::new("video.share").risk("{level: safe, tags: [external_effect]}");
    let question = question.changes(SideEffectClass::ExternalEffect);
    let facts = question.facts();
    let id = Id::new("dec_1").expect("an id");
    let at = Timestamp::new("2026-03-26T14:03:00.000Z").expect("a time");
    let message = policy.decide(&facts).to_message(&facts, id, at);
    let text = serde_json::to_string_pretty(&message).expect("a message");
    assert_snapshot!(text, @r#"
    {
      "decisionId": "dec_1",
      "effect": "confirm",
      "reason": "The rule \"outside\" of \"policy.default\" says confirm. It leaves the application.",
      "ruleIds": [
        "outside"
      ],
      "obligations": [
        {
          "kind": "confirm",
          "by": "user"
        }
      ],
      "effectiveRisk": {
        "level": "confirm",
        "tags": [
          "external_effect"
        ]
      },
      "policyRevision": "7",
      "decidedAt": "2026-03-26T14:03:00.000Z"
    }
    "#);
}
