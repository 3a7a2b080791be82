//! What the words on a button command, in many languages, and what follows for an action.

use crate::policy::support::{Question, compiled, document, yaml};
use insta::assert_snapshot;
use std::path::Path;
use uiap_policy::risk::{Assessment, Deed, Form, FormMethod, Observed, assess, command, declines, languages};
use uiap_protocol::capability::{Affordance, Role};
use uiap_protocol::ids::ActionId;
use uiap_protocol::policy::{DataClass, SideEffectClass};
use uiap_protocol::text::{Format, Limits, read};
use uiap_testkit::proves;

fn cases() -> Vec<(String, serde_json::Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/cases/risk");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the cases").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    let load = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a readable case");
        let case = read(&text, Format::Yaml, Limits::DOCUMENT).expect("well-formed YAML").to_json();
        (path.file_stem().expect("a name").to_string_lossy().into_owned(), case)
    };
    files.into_iter().map(load).collect()
}

fn texts(case: &serde_json::Value, list: &str) -> Vec<String> {
    let items = case.get(list).and_then(serde_json::Value::as_array).cloned().unwrap_or_default();
    items.iter().map(|item| item.as_str().expect("a text").to_owned()).collect()
}

const DEEDS: [(&str, Deed); 5] = [
    ("destroy", Deed::Destroy),
    ("pay", Deed::Pay),
    ("grant", Deed::Grant),
    ("publish", Deed::Publish),
    ("send", Deed::Send),
];

#[test]
fn every_label_means_what_its_case_says() {
    let mut wrong = Vec::new();
    for (name, case) in cases() {
        for (list, deed) in DEEDS {
            for text in texts(&case, list) {
                let found = command(&text).map(|found| found.deed);
                if found != Some(deed) {
                    wrong.push(format!("{name}: {text:?} should command {list}, found {found:?}"));
                }
            }
        }
        for text in texts(&case, "harmless") {
            if let Some(found) = command(&text) {
                wrong.push(format!("{name}: {text:?} should command nothing, found {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_language_has_cases_for_every_deed() {
    let cases = cases();
    for language in languages().filter(|language| *language != "symbols") {
        let (_, case) = cases.iter().find(|(name, _)| name == language).expect(language);
        for (list, _) in DEEDS {
            assert!(texts(case, list).len() >= 3, "{language} has too few cases for {list}");
        }
        assert!(texts(case, "harmless").len() >= 8, "{language} has too few harmless cases");
    }
    assert!(languages().count() > 15);
}

/// One line about a guess.
fn guessed(action: &str, target: &Observed<'_>) -> String {
    let Assessment { risk, side_effect } = assess(&ActionId::new(action).expect("an id"), target);
    let tags: Vec<_> = risk.tags.iter().flatten().map(ToString::to_string).collect();
    let reason = risk.reason.unwrap_or_default();
    format!("{} {side_effect} [{}] {reason}", risk.level, tags.join(" ")).trim_end().to_owned()
}

fn named(role: &'static Role, name: &'static str) -> Observed<'static> {
    Observed { role: Some(role), name: Some(name), ..Observed::default() }
}

#[test]
fn a_command_is_at_least_confirmed() {
    let delete = named(&Role::Button, "Video löschen");
    assert_snapshot!(guessed("ui.activate", &delete), @r#"confirm destructive [destructive] Guessed from the word "löschen" (de)."#);
    assert_snapshot!(guessed("ui.activate", &named(&Role::Link, "Pay now")), @r#"confirm billing_change [billing] Guessed from the word "pay" (en)."#);
    assert_snapshot!(guessed("ui.toggle", &named(&Role::Switch, "Publier")), @r#"confirm external_effect [external_effect] Guessed from the word "publier" (fr)."#);
    assert_snapshot!(guessed("ui.activate", &named(&Role::Menuitem, "Invita al team")), @r#"confirm security_change [security] Guessed from the word "invita" (es)."#);
    assert_eq!(guessed("ui.hover", &delete), "safe local_ui []", "looking at it deletes nothing");
    assert_eq!(guessed("ui.read", &delete), "safe none []");
    assert_eq!(guessed("ui.activate", &named(&Role::Tab, "Send")), "safe local_ui []", "a tab only shows");
    assert_eq!(guessed("ui.enterText", &named(&Role::Textbox, "Send to")), "safe draft []");
    assert_eq!(guessed("ui.setValue", &named(&Role::Slider, "Send to")), "safe draft []");
    let publish = named(&Role::Switch, "Publier");
    assert_eq!(guessed("ui.setValue", &publish), guessed("ui.toggle", &publish), "true switches it on");
}

#[test]
fn ids_and_annotations_count_where_names_say_nothing() {
    let action = ActionId::new("video.deleteAll").expect("an id");
    let by_default = Observed { default_action: Some(&action), ..named(&Role::Button, "Los") };
    assert!(guessed("ui.activate", &by_default).starts_with("confirm destructive"));
    let meant = Observed { meaning: Some("send-invoice"), ..named(&Role::Button, "Los") };
    assert!(guessed("ui.activate", &meant).starts_with("confirm external_effect"));
    assert!(guessed("team.inviteMember", &Observed::default()).starts_with("confirm security_change"));
    assert_eq!(guessed("workspace.search", &Observed::default()), "safe unknown []");
    let described =
        Observed { description: Some("Delete this row"), role: Some(&Role::Button), ..Observed::default() };
    assert!(guessed("ui.activate", &described).starts_with("confirm destructive"));
}

#[test]
fn an_icon_speaks_where_there_is_no_name() {
    let shows = |icon| Observed { icon: Some(icon), role: Some(&Role::Button), ..Observed::default() };
    assert_snapshot!(guessed("ui.activate", &shows("trash-can")), @r#"confirm destructive [destructive] Guessed from its icon "trash"."#);
    assert!(guessed("ui.activate", &shows("paper-plane")).starts_with("confirm external_effect"));
    assert!(guessed("ui.activate", &shows("user-plus")).starts_with("confirm security_change"));
    assert!(guessed("ui.activate", &shows("credit-card-2-front")).starts_with("confirm billing_change"));
    for harmless in ["bars", "binoculars", "cart", "sender", "user", "plus"] {
        assert_eq!(guessed("ui.activate", &shows(harmless)), "safe unknown []", "{harmless}");
    }
}

#[test]
fn no_verb_and_no_target_hides_a_command() {
    let folded = Observed { opens: true, ..named(&Role::Button, "Delete account") };
    for action in ["ui.activate", "ui.expand", "ui.open", "ui.collapse", "ui.close"] {
        assert!(guessed(action, &folded).starts_with("confirm destructive"), "{action}");
    }
    assert_eq!(guessed("ui.close", &named(&Role::Dialog, "Delete the video?")), "safe local_ui []");
    assert_eq!(guessed("ui.expand", &named(&Role::Button, "Details")), "safe local_ui []");
    assert!(guessed("account.deleteAll", &named(&Role::Tab, "Overview")).starts_with("confirm destructive"));
    assert!(guessed("account.deleteAll", &named(&Role::Button, "Share")).starts_with("confirm destructive"));
}

#[test]
fn what_is_chosen_counts_where_it_takes_effect_at_once() {
    let choose =
        |chosen: &'static [&'static str]| Observed { chosen, ..named(&Role::Listbox, "Bulk action") };
    assert_snapshot!(guessed("ui.choose", &choose(&["Delete selected"])), @r#"confirm destructive [destructive] Guessed from the word "delete" (en) in what is chosen."#);
    assert_eq!(guessed("ui.choose", &choose(&["Rename"])), "safe reversible_write []");
    let form = Some(Form { method: FormMethod::Writes, data_classes: &[] });
    let waits = Observed { form, ..choose(&["Delete selected"]) };
    assert_eq!(guessed("ui.choose", &waits), "safe draft []", "until the form is sent");
}

#[test]
fn what_leads_nowhere_or_is_pressed_to_go_is_no_link() {
    let scripted = Observed { affordances: &[Affordance::Activate], ..named(&Role::Link, "Recalculate") };
    assert_eq!(guessed("ui.activate", &scripted), "safe unknown []");
    assert_eq!(guessed("nav.navigate", &scripted), "safe unknown []");
    assert_eq!(guessed("nav.navigate", &named(&Role::Button, "Save")), "safe unknown []");
    assert_eq!(guessed("nav.navigate", &named(&Role::Link, "Videos")), "safe navigation []");
    assert!(guessed("nav.navigate", &named(&Role::Link, "Delete video")).starts_with("confirm destructive"));
    assert_eq!(guessed("nav.navigate", &Observed::default()), "safe navigation []", "to an address");
}

#[test]
fn a_dialog_that_asks_lends_its_words_to_its_buttons() {
    let in_dialog = |name| Observed { dialog: Some("Video löschen?"), ..named(&Role::Button, name) };
    assert_snapshot!(guessed("ui.activate", &in_dialog("OK")), @r#"confirm destructive [destructive] Guessed from the word "löschen" (de) in the title of its dialog."#);
    assert!(guessed("ui.activate", &in_dialog("Ja")).starts_with("confirm destructive"));
    assert_eq!(guessed("ui.activate", &in_dialog("Abbrechen")), "safe unknown []");
    assert_eq!(guessed("ui.activate", &in_dialog("Nein")), "safe unknown []");
    assert!(declines("Cancel") && declines("いいえ") && !declines("Cancel subscription"));
}

#[test]
fn forms_and_data_count() {
    let submit = |method, data_classes: &'static [DataClass]| Observed {
        form: Some(Form { method, data_classes }),
        affordances: &[Affordance::Submit],
        ..named(&Role::Button, "Weiter")
    };
    assert_eq!(guessed("ui.activate", &submit(FormMethod::Asks, &[])), "safe navigation []");
    assert_eq!(guessed("ui.submit", &submit(FormMethod::Writes, &[])), "safe persistent_write []");
    assert_eq!(guessed("ui.submit", &submit(FormMethod::Unknown, &[])), "safe unknown []");
    assert_snapshot!(guessed("ui.submit", &submit(FormMethod::Asks, &[DataClass::Credential])), @"confirm persistent_write [sensitive_data] Guessed from the data of its form: credential.");
    assert_snapshot!(guessed("ui.submit", &submit(FormMethod::Writes, &[DataClass::Payment])), @"confirm billing_change [billing] Guessed from the data of its form: payment.");
    let field = Observed { data_classes: &[DataClass::Health], ..named(&Role::Textbox, "Blood group") };
    assert_snapshot!(guessed("ui.enterText", &field), @"confirm draft [sensitive_data] Guessed from its data: health.");
    let password = Observed { sensitive: true, ..named(&Role::Textbox, "Password") };
    assert_snapshot!(guessed("ui.enterText", &password), @"confirm draft [sensitive_data] Guessed from its being marked as sensitive.");
    let menu = Observed { opens: true, ..named(&Role::Button, "More") };
    assert_eq!(guessed("ui.activate", &menu), "safe local_ui []");
}

#[test]
fn a_policy_takes_a_guess_back_only_by_name() {
    proves!["POL-2"];
    let mut question = Question::new("ui.activate").changes(SideEffectClass::Unknown);
    question.target = Some(yaml("list.clear"));
    let target = named(&Role::Button, "Clear");
    question.guess = Some(assess(&question.action, &target));
    let effect = |rules: &str| {
        let policy = compiled([document("p", "{onUnknownAction: deny}", rules)]);
        policy.decide(&question.facts()).effect().to_string()
    };
    let admin = question.clone().grants("admin");
    assert_eq!(compiled([]).decide(&admin.facts()).effect().to_string(), "confirm");
    assert_eq!(effect("[]"), "handoff", "the guessed effect needs its grant");
    assert_eq!(effect("- {id: r, when: {riskLevels: [safe]}, effect: allow}"), "handoff");
    assert_eq!(effect("- {id: r, when: {actions: ['ui.*']}, effect: allow}"), "handoff");
    assert_eq!(effect("- {id: r, when: {targets: ['list.*']}, effect: allow}"), "allow");
    assert_eq!(effect("- {id: r, when: {riskLevels: [confirm]}, effect: allow}"), "allow");
    assert_eq!(effect("- {id: r, when: {targets: ['list.*'], later: 1}, effect: allow}"), "handoff");
    question.risk = yaml("{level: confirm}");
    let declared = compiled([document(
        "p",
        "{onUnknownAction: deny}",
        "- {id: r, when: {targets: ['list.*']}, effect: allow}",
    )]);
    assert_eq!(declared.decide(&question.facts()).effect().to_string(), "confirm", "a declaration stays");
}
