//! What holds for every request: nothing panics, both ways to ask are one, and what a page says only raises.

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail loudly")]

use crate::support::{available, catalogue, handle, page, sound, yaml};
use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;
use uiap_policy::CompiledPolicy;
use uiap_protocol::action::{ActionRequest, VerificationPolicy};
use uiap_protocol::capability::{ExecutionMode, Idempotency, PrimitiveAction};
use uiap_protocol::ids::Id;
use uiap_protocol::policy::{Grant, PolicyDocument, PolicyEffect, PolicyPrincipal, PrincipalType};
use uiap_protocol::text::Node;
use uiap_protocol::web::GraphStore;
use uiap_protocol::wire::accept;
use uiap_runtime::catalogue::{Catalogue, Native};
use uiap_runtime::deed::Private;
use uiap_runtime::journal::Fingerprint;
use uiap_runtime::life::Verdict;
use uiap_runtime::plan::{Planned, Refusal, TIMEOUT_MS_MAX, plan};
use uiap_runtime::standing::Standing;
use uiap_runtime::verdict::{Question, verdict};
use uiap_testkit::proves;

/// An application that describes a little.
const SITUATION: &str = r#"
bundle:
  actions:
  - {id: video.create, kind: domain, targetKinds: [none, element], executionModes: [appAction, semanticUi], args: [{name: title, type: string, required: true}, {name: n, type: number}], risk: {level: confirm}}
  - {id: video.sort, kind: domain, targetKinds: [none], executionModes: [appAction], risk: {level: safe}}
  bindings:
    routes: [{id: videos, match: [{kind: path, value: "/videos/:id"}]}]
    elements: [{id: known, role: button, match: [{by: text, text: a}], risk: safe}]
"#;

static DESCRIBED: LazyLock<Catalogue> = LazyLock::new(|| catalogue(&yaml(SITUATION)));

/// A page with something that the application describes, in a form.
static PAGE: LazyLock<GraphStore> = LazyLock::new(|| {
    let element = json!({"instanceId": "e", "stableId": "known", "role": "button", "name": "Delete", "scopeId": "form"});
    page(&json!({"page": {"scopes": [{"id": "form", "kind": "form"}], "elements": [element]}}))
});

fn planned_in(request: &Value, catalogue: &Catalogue) -> Result<Planned, Refusal> {
    plan(&sound::<ActionRequest>(request), handle(), catalogue, &available(&Value::Null))
}

/// What every caller may rely on. A line that changes breaks somebody: change it with a version, or not at all.
#[test]
fn every_action_keeps_its_contract() {
    proves!["R006-3.6"];
    let contract = |word: &'static str| {
        let native = Native::from_word(word).expect("a native action");
        let request = json!({
            "actionId": word, "args": {"no such argument": 1}, "target": {"ref": {"by": "stableId", "value": "a"}},
        });
        let takes = match planned_in(&request, &DESCRIBED) {
            Err(refusal) => refusal.detail.get("allowed").cloned().unwrap_or_else(|| refusal.message.into()),
            Ok(_) => panic!("{word} takes anything"),
        };
        let takes: Vec<_> = takes.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let modes: Vec<_> = native.modes().iter().map(ExecutionMode::as_str).collect();
        let aimed = format!("{:?}", native.aimed()).to_lowercase();
        format!(
            "{word} ({}) target {aimed}; by {}; {}",
            takes.join(", "),
            modes.join(", "),
            native.timeout_ms()
        )
    };
    let contracts: Vec<_> = Native::words().map(contract).collect();
    assert_snapshot!(contracts.join("\n"), @r"
    ui.read (fields) target always; by semanticUi; 5000
    ui.focus () target always; by semanticUi, externalDriver, inputSynthesis; 5000
    ui.highlight (style) target always; by semanticUi; 5000
    ui.hover (durationMs) target always; by externalDriver, inputSynthesis, visionAssist; 5000
    ui.activate () target always; by semanticUi, externalDriver, inputSynthesis, visionAssist; 15000
    ui.enterText (text, append, clear) target always; by semanticUi, externalDriver, inputSynthesis; 15000
    ui.clearText () target always; by semanticUi, externalDriver, inputSynthesis; 15000
    ui.setValue (value, tolerance) target always; by semanticUi, externalDriver, inputSynthesis; 15000
    ui.choose (label, labels, value, values, index) target always; by semanticUi, externalDriver, inputSynthesis; 15000
    ui.toggle (to) target always; by semanticUi, externalDriver, inputSynthesis, visionAssist; 15000
    ui.expand () target always; by semanticUi, externalDriver, inputSynthesis, visionAssist; 15000
    ui.collapse () target always; by semanticUi, externalDriver, inputSynthesis, visionAssist; 15000
    ui.open () target always; by semanticUi, externalDriver, inputSynthesis, visionAssist; 15000
    ui.close () target always; by semanticUi, externalDriver, inputSynthesis, visionAssist; 15000
    ui.scrollIntoView (block) target always; by semanticUi, externalDriver, inputSynthesis; 5000
    ui.scroll (to, dy, dx) target maybe; by semanticUi, externalDriver, inputSynthesis; 5000
    ui.submit () target always; by semanticUi, externalDriver, inputSynthesis; 30000
    ui.upload (files) target always; by externalDriver, semanticUi; 30000
    nav.navigate (url, route, params) target maybe; by semanticUi, externalDriver; 30000
    app.invoke (action, args) target maybe; by appAction; 30000
    x.uiap.long-press (durationMs) target always; by externalDriver, inputSynthesis, visionAssist; 15000
    x.uiap.pinch (scale) target maybe; by externalDriver, inputSynthesis, visionAssist; 15000
    ");
}

/// The deed of an action with these arguments, as it prints.
fn deed(action: &str, args: &str) -> String {
    let request = json!({
        "actionId": action, "args": yaml(args), "target": {"ref": {"by": "stableId", "value": "a"}},
    });
    match planned_in(&request, &DESCRIBED) {
        Ok(planned) => {
            let plan = format!("{:?}", planned.plan.args);
            assert!(matches!(plan.as_str(), "None" | "Some([withheld])"), "{plan}");
            format!("{:?}", planned.deed)
        }
        Err(refusal) => refusal.to_string(),
    }
}

#[test]
fn every_primitive_has_its_deed_and_no_secret_prints() {
    proves!["CAP-7-1"];
    let deeds = [
        ("ui.read", "{fields: [text]}"),
        ("ui.focus", "{}"),
        ("ui.highlight", "{style: outline}"),
        ("ui.hover", "{durationMs: 300}"),
        ("ui.activate", "{}"),
        ("ui.enterText", "{text: s3cr3t}"),
        ("ui.clearText", "{}"),
        ("ui.setValue", "{value: s3cr3t}"),
        ("ui.choose", "{label: Red}"),
        ("ui.toggle", "{to: false}"),
        ("ui.expand", "{}"),
        ("ui.collapse", "{}"),
        ("ui.open", "{}"),
        ("ui.close", "{}"),
        ("ui.scrollIntoView", "{block: center}"),
        ("ui.scroll", "{dx: 1, dy: -2.5}"),
        ("ui.submit", "{}"),
        ("ui.upload", "{files: [{name: a, mimeType: b/c, dataRef: s3cr3t}]}"),
        ("nav.navigate", "{}"),
        ("app.invoke", "{action: video.create, args: {title: s3cr3t}}"),
        ("x.uiap.long-press", "{}"),
        ("x.uiap.pinch", "{scale: 0.5}"),
    ];
    let shown: Vec<_> =
        deeds.iter().map(|(action, args)| format!("{action}: {}", deed(action, args))).collect();
    assert_snapshot!(shown.join("\n"), @r#"
    ui.read: Read { fields: Some([Text]) }
    ui.focus: Focus
    ui.highlight: Highlight { style: Some(Outline) }
    ui.hover: Hover { duration_ms: Some(300) }
    ui.activate: Activate
    ui.enterText: EnterText { text: [withheld], clear: true }
    ui.clearText: ClearText
    ui.setValue: SetValue { value: [withheld], tolerance: None }
    ui.choose: Choose(Labels(["Red"]))
    ui.toggle: Toggle { to: Some(No) }
    ui.expand: Expand
    ui.collapse: Collapse
    ui.open: Open
    ui.close: Close
    ui.scrollIntoView: ScrollIntoView { block: Some(Center) }
    ui.scroll: Scroll(By { dx: 1.0, dy: -2.5 })
    ui.submit: Submit
    ui.upload: Upload { files: [UploadFile { name: "a", mime_type: "b/c", data_ref: [withheld] }] }
    nav.navigate: Navigate(Target)
    app.invoke: Invoke { action: ActionId("video.create"), args: [withheld] }
    x.uiap.long-press: LongPress { duration_ms: 800 }
    x.uiap.pinch: Pinch { scale: 0.5 }
    "#);
    assert!(Native::words().all(|word| deeds.iter().any(|(action, _)| *action == word)));
    assert_eq!(deeds.len(), PrimitiveAction::WORDS.len() + 2);
}

#[test]
fn a_route_becomes_a_path_that_cannot_lead_elsewhere() {
    let path = |id: &str| {
        let request = json!({"actionId": "nav.navigate", "args": {"route": "videos", "params": {"id": id}}});
        match planned_in(&request, &DESCRIBED) {
            Ok(planned) => {
                format!("{:?}", planned.deed).split("path: ").last().unwrap_or_default().to_owned()
            }
            Err(refusal) => refusal.to_string(),
        }
    };
    assert_eq!(path("5"), r#"Some("/videos/5") })"#);
    assert_eq!(path("../a?b#c"), r#"Some("/videos/..%2Fa%3Fb%23c") })"#);
    assert_eq!(path("ü"), r#"Some("/videos/%C3%BC") })"#);
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(|number| Value::from(number % (1 << 53))),
        any::<f64>().prop_filter_map("finite", |number| number.is_finite().then(|| Value::from(number))),
        "[a-z./:\\PC]{0,12}".prop_map(Value::from),
        prop::sample::select(vec!["start", "end", "mixed", "videos", "outline", "video.create", "text"])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(argument(), inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn argument() -> impl Strategy<Value = String> {
    const NAMES: [&str; 24] = [
        "text",
        "clear",
        "append",
        "value",
        "tolerance",
        "label",
        "values",
        "index",
        "to",
        "dx",
        "dy",
        "block",
        "style",
        "fields",
        "durationMs",
        "files",
        "route",
        "url",
        "params",
        "action",
        "args",
        "scale",
        "title",
        "id",
    ];
    prop_oneof![9 => prop::sample::select(NAMES.to_vec()).prop_map(str::to_owned), 1 => "\\PC{0,8}"]
}

fn action() -> impl Strategy<Value = String> {
    let known: Vec<_> = Native::words().chain(["video.create", "video.sort", "nobody.knows"]).collect();
    prop_oneof![9 => prop::sample::select(known).prop_map(str::to_owned), 1 => "\\PC{1,20}"]
}

fn target() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        json!({}),
        json!({"ref": {"by": "stableId", "value": "known"}}),
        json!({"ref": {"by": "scope", "value": "form"}}),
        json!({"ref": {"by": "route", "value": "videos"}}),
        json!({"ref": {"by": "semantic", "role": "button", "name": "a"}}),
        json!({"ref": {"by": "custom", "value": "entity:a/1"}}),
        json!({"expectedName": "a"}),
    ])
}

prop_compose! {
    fn request()(
        action in action(),
        target in prop::option::of(target()),
        args in prop::option::of(prop::collection::btree_map(argument(), json_value(), 0..5)),
        timeout in prop::option::of(prop_oneof![Just(0_u64), 1..2_000_000_u64, Just((1 << 53) - 1)]),
        patience in prop::option::of(0..2_000_000_u64),
        policy in prop::option::of(prop::sample::select(vec!["any", "all", "none", "capability-default"])),
        signals in prop::option::of(prop::collection::vec(Just(json!({"kind": "dialog.opened"})), 0..40)),
        modes in prop::option::of(prop::collection::vec(prop::sample::select(ExecutionMode::WORDS.to_vec()), 0..7)),
        advance in prop::option::of(any::<bool>()),
    ) -> Value {
        let mut verification = Map::new();
        let mut request = Map::new();
        let put = |object: &mut Map<String, Value>, name: &str, value: Option<Value>| {
            value.into_iter().for_each(|value| drop(object.insert(name.to_owned(), value)));
        };
        put(&mut verification, "timeoutMs", patience.map(Value::from));
        put(&mut verification, "policy", policy.map(Value::from));
        put(&mut verification, "signals", signals.map(Value::from));
        put(&mut verification, "requireRevisionAdvance", advance.map(Value::from));
        put(&mut request, "actionId", Some(action.into()));
        put(&mut request, "target", target);
        put(&mut request, "args", args.map(|args| Value::Object(args.into_iter().collect())));
        put(&mut request, "timeoutMs", timeout.map(Value::from));
        put(&mut request, "preferredExecutionModes", modes.map(Value::from));
        put(&mut request, "verification", Some(verification.into()));
        Value::Object(request)
    }
}

fn asked(
    planned: &Planned,
    standing: &Standing,
    catalogue: &Catalogue,
    page: &GraphStore,
    modes: &[ExecutionMode],
) -> Verdict {
    verdict(&Question {
        principal: &standing.principal,
        lent: &standing.lent,
        policy: &standing.policy,
        catalogue,
        action: &planned.plan.action_id,
        deed: &planned.deed,
        args: planned.plan.args.as_ref().map(Private::reveal),
        target: page.element("e"),
        page,
        modes,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_request_gets_past_the_rules_and_none_panics(request in request()) {
        let Ok(sound) = accept::<ActionRequest>(&Node::from_json(&request)) else { return Ok(()) };
        let available = available(&Value::Null);
        match plan(&sound, handle(), &DESCRIBED, &available) {
            Ok(planned) => {
                let made = &planned.plan;
                prop_assert!(!made.modes.is_empty() && made.modes.iter().all(|mode| available.contains(mode)));
                prop_assert!((1..=TIMEOUT_MS_MAX).contains(&made.timeout_ms));
                prop_assert!((1..=made.timeout_ms).contains(&made.verification.timeout_ms));
                let unverified = made.verification.policy == VerificationPolicy::None;
                prop_assert!(!unverified || made.idempotency == Idempotency::Idempotent);
                prop_assert_ne!(made.action_id.as_str(), "app.invoke");
                let standing = Standing::before_a_person(Id::new("agent").expect("an id"), Vec::new()).expect("no rules");
                let verdict = asked(&planned, &standing, &DESCRIBED, &PAGE, &made.modes);
                prop_assert!(verdict.modes.iter().all(|mode| made.modes.contains(mode)));
                prop_assert!(!verdict.preview.summary.is_empty() && !verdict.reason.is_empty());
                prop_assert!(verdict.grounds.lent_grants.is_empty() || verdict.effect >= PolicyEffect::Confirm);
            }
            Err(refusal) => {
                prop_assert!(refusal.message.ends_with(['.', '?']), "{}", refusal.message);
                prop_assert!(refusal.message.len() < 2_000);
            }
        }
    }

    #[test]
    fn both_ways_to_ask_for_an_action_are_one(
        request in request(),
        action in prop::sample::select(vec!["video.create", "video.sort", "nobody.knows"]),
    ) {
        let mut direct = request.clone();
        direct["actionId"] = action.into();
        let mut invoked = request;
        let mut args = json!({"action": action});
        if let Some(given) = direct.get("args") {
            args["args"] = given.clone();
        }
        invoked["actionId"] = "app.invoke".into();
        invoked["args"] = args;
        let [direct, invoked] = [direct, invoked].map(|request| planned_in(&request, &DESCRIBED));
        if let (Ok(direct), Ok(invoked)) = (&direct, &invoked) {
            let print = |planned: &Planned| Fingerprint::of(&planned.request).expect("JSON");
            prop_assert_eq!(print(direct), print(invoked));
        }
        prop_assert_eq!(direct, invoked);
    }
}

prop_compose! {
    fn risk()(
        level in prop::sample::select(vec!["safe", "confirm", "blocked"]),
        tags in prop::collection::vec(tag(), 0..3),
    ) -> Value {
        json!({"level": level, "tags": tags})
    }
}

fn tag() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "sensitive_data",
        "destructive",
        "external_effect",
        "privileged",
        "billing",
        "security",
        "identity",
        "legal",
        "irreversible",
    ])
}

fn data_class() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["public", "personal", "sensitive", "credential", "payment"])
}

prop_compose! {
    /// Conditions of all kinds that what a page says could meet.
    fn rule()(
        tags in prop::option::of(prop::collection::vec(tag(), 1..3)),
        classes in prop::option::of(prop::collection::vec(data_class(), 1..3)),
        levels in prop::option::of(prop::collection::vec(prop::sample::select(vec!["safe", "confirm", "blocked"]), 1..3)),
        changes in prop::option::of(prop::collection::vec(
            prop::sample::select(vec!["unknown", "draft", "destructive", "billing_change", "external_effect"]), 1..3)),
        modes in prop::option::of(prop::collection::vec(prop::sample::select(ExecutionMode::WORDS.to_vec()), 1..3)),
        targets in prop::option::of(Just(["known"])),
        effect in prop::sample::select(vec!["allow", "confirm", "handoff", "deny"]),
        limit in prop::option::of(Just(json!([{"kind": "limitModes", "modes": ["semanticUi"]}]))),
    ) -> Value {
        let mut when = json!({});
        for (name, value) in [
            ("riskTags", tags.map(Value::from)),
            ("dataClasses", classes.map(Value::from)),
            ("riskLevels", levels.map(Value::from)),
            ("sideEffects", changes.map(Value::from)),
            ("executionModes", modes.map(Value::from)),
            ("targets", targets.map(Value::from)),
        ] {
            value.into_iter().for_each(|value| when[name] = value);
        }
        let mut rule = json!({"id": "r", "when": when, "effect": effect});
        limit.into_iter().for_each(|limit| rule["obligations"] = limit);
        rule
    }
}

prop_compose! {
    fn standing()(
        rules in prop::collection::vec(rule(), 0..4),
        no_match in prop::option::of(prop::sample::select(vec!["allow", "confirm", "deny"])),
        grants in prop::sample::subsequence(
            vec![Grant::Guide, Grant::Act, Grant::Admin, Grant::Billing, Grant::Security, Grant::WriteSensitive], 0..6),
        lent in prop::sample::subsequence(vec![Grant::Admin, Grant::Billing, Grant::WriteSensitive], 0..3),
    ) -> Standing {
        let mut rules = rules;
        for (number, rule) in rules.iter_mut().enumerate() {
            rule["id"] = format!("r{number}").into();
        }
        let mut defaults = json!({"onUnknownAction": "confirm"});
        no_match.into_iter().for_each(|effect| defaults["onNoMatch"] = effect.into());
        let document: PolicyDocument =
            sound(&json!({"modelVersion": "0.1", "id": "p", "defaults": defaults, "rules": rules}));
        let id = Id::new("agent").expect("an id");
        let principal = PolicyPrincipal { r#type: PrincipalType::Agent, id, roles: None, grants: Some(grants) };
        Standing { principal, lent, policy: CompiledPolicy::compile([document]).expect("few rules") }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Whatever the policy, the principal and the element: what the page says about risk, data, meaning and default
    /// action never makes an answer milder nor opens a way.
    #[test]
    fn what_a_page_says_only_raises(
        standing in standing(),
        name in prop::sample::select(vec!["Delete", "Weiter", "Pay now", "Send"]),
        known in any::<bool>(),
        said in prop::option::of(risk()),
        classes in prop::option::of(prop::collection::vec(data_class(), 0..3)),
        meaning in prop::option::of(prop::sample::select(vec!["video.delete", "video.show"])),
        default in prop::option::of(prop::sample::select(vec!["video.create", "shop.pay", "ui.read"])),
        action in prop::sample::select(vec!["ui.activate", "ui.enterText", "ui.read", "ui.toggle", "ui.submit"]),
    ) {
        let args = if action == "ui.enterText" { json!({"text": "a"}) } else { json!({}) };
        let request = json!({"actionId": action, "args": args, "target": {"ref": {"by": "stableId", "value": "known"}}});
        let planned = planned_in(&request, &DESCRIBED).expect("a sound request");
        let mut element = json!({"instanceId": "e", "role": "button", "name": name, "scopeId": "form"});
        if known {
            element["stableId"] = "known".into();
        }
        let bare = json!({"page": {"scopes": [{"id": "form", "kind": "form"}], "elements": [element.clone()]}});
        let bare = page(&bare);
        for (member, value) in [
            ("risk", said),
            ("dataClasses", classes.map(Value::from)),
            ("meaning", meaning.map(Value::from)),
            ("defaultAction", default.map(Value::from)),
        ] {
            value.into_iter().for_each(|value| element[member] = value);
        }
        let annotated = json!({"page": {"scopes": [{"id": "form", "kind": "form"}], "elements": [element]}});
        let annotated = page(&annotated);
        // One way at a time: an answer about several is about those that are left.
        for mode in &planned.plan.modes {
            let [bare, annotated] = [&bare, &annotated]
                .map(|page| asked(&planned, &standing, &DESCRIBED, page, &[*mode]));
            prop_assert!(annotated.effect >= bare.effect, "{bare:#?}\n{annotated:#?}");
            prop_assert!(annotated.risk.level >= bare.risk.level);
            prop_assert!(annotated.modes.iter().all(|mode| bare.modes.contains(mode)));
        }
    }

    /// The same for what an application in the page claims about its actions.
    #[test]
    fn what_an_application_claims_only_raises(standing in standing(), said in risk(), action in prop::sample::select(vec!["video.create", "video.sort"])) {
        let request = json!({"actionId": action, "args": if action == "video.create" { json!({"title": "a"}) } else { json!({}) }});
        let silent = &*DESCRIBED;
        let mut claiming = silent.clone();
        claiming.claim([sound(&json!({
            "id": action, "kind": "domain", "targetKinds": ["none"], "executionModes": ["appAction", "inputSynthesis"],
            "idempotency": "idempotent", "risk": said,
        }))]);
        let [silent_plan, claiming_plan] = [silent, &claiming].map(|catalogue| planned_in(&request, catalogue).expect("sound"));
        prop_assert_eq!(&silent_plan.plan.modes, &claiming_plan.plan.modes);
        for mode in &silent_plan.plan.modes {
            let quiet = asked(&silent_plan, &standing, silent, &PAGE, &[*mode]);
            let claimed = asked(&claiming_plan, &standing, &claiming, &PAGE, &[*mode]);
            prop_assert!(claimed.effect >= quiet.effect && claimed.risk.level >= quiet.risk.level);
        }
    }
}
