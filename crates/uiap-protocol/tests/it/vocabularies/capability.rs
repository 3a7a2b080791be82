//! The words of the capability model.

use super::{closed, errors_of, forms, named, open, refused, survives, taken};
use serde_json::json;
use uiap_protocol::capability::{
    ActionDescriptor, Affordance, ArgType, CountOperator, DescribedKind, ExecutionMode, Idempotency,
    Orientation, PrimitiveAction, RiskDescriptor, RiskLevel, RiskTag, Role, SignalKind, StateKey,
    SuccessSignal, TargetKind, TargetRef, UiState,
};
use uiap_protocol::finding::Code;
use uiap_protocol::web::WebElementState;

#[test]
fn there_are_51_roles() {
    uiap_testkit::proves!["CAP-4-1", "CAP-2-2", "CAP-2-3", "CAP-2-6"];
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
