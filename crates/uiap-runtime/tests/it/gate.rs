//! Every check of ACT 9, each with the one fact that breaks it.

#![expect(clippy::expect_used, reason = "a test that cannot start has failed")]

use uiap_protocol::capability::{Affordance, Role};
use uiap_protocol::ids::ActionId;
use uiap_runtime::gate::{Demand, LiveFacts, Opaque, Recovery, check, lacking};
use uiap_testkit::proves;

/// An element that anything can be done to.
fn fine(role: Role) -> LiveFacts {
    LiveFacts::shown(role)
}

/// `ok`, or the obstacle, its error code and what may be tried.
fn asked(action: &str, role: Role, change: impl FnOnce(&mut LiveFacts)) -> String {
    let mut facts = fine(role);
    change(&mut facts);
    let demand = Demand::of(&ActionId::new(action).expect("an id"));
    match check(demand, &facts) {
        Ok(()) => "ok".to_owned(),
        Err(obstacle) => {
            let recovery = match obstacle.recovery() {
                Recovery::Resolve => "resolve",
                Recovery::Reveal => "reveal",
                Recovery::Wait => "wait",
                Recovery::None => "none",
            };
            format!("{} {} {recovery}", obstacle.word(), obstacle.code())
        }
    }
}

#[test]
fn a_target_offers_what_the_action_needs() {
    use Affordance::{Activate, Collapse, Edit, Expand, Read};
    proves!["CAP-6-3"];
    let missing = |required: &[Affordance], offered: &[Affordance]| {
        let lacks = lacking(required, offered);
        asked("ui.read", Role::Button, |facts| facts.lacks = lacks)
    };
    let refused = "not_offered target_not_interactable none";
    assert_eq!(missing(&[], &[]), "ok");
    assert_eq!(missing(&[Activate], &[Read, Activate]), "ok");
    assert_eq!(missing(&[Activate], &[]), refused);
    assert_eq!(missing(&[Read, Edit], &[Read, Activate]), refused);
    // What is expanded already can be expanded, and is left as it is.
    assert_eq!(missing(&[Expand], &[Collapse]), "ok");
    assert_eq!(missing(&[Expand], &[Activate]), refused);
}

#[test]
fn pressing_needs_all_of_9_2() {
    proves!["ACT-9.2-1", "ACT-9.2-2", "ACT-9.2-3", "ACT-9.2-4", "ACT-9.2-5", "ACT-9.2-6", "ACT-15-3"];
    for action in ["ui.activate", "ui.toggle", "ui.choose", "ui.submit", "ui.expand", "ui.close", "ui.open"] {
        let press = |change: fn(&mut LiveFacts)| asked(action, Role::Button, change);
        assert_eq!(press(|_| {}), "ok");
        assert_eq!(press(|facts| facts.attached = false), "detached stale_target resolve");
        assert_eq!(press(|facts| facts.visible = Some(false)), "not_visible target_not_interactable wait");
        assert_eq!(press(|facts| facts.visible = None), "not_visible target_not_interactable wait");
        assert_eq!(press(|facts| facts.enabled = Some(false)), "disabled target_not_interactable wait");
        assert_eq!(press(|facts| facts.blocked = Some(true)), "blocked target_not_interactable wait");
        assert_eq!(press(|facts| facts.behind_modal = true), "behind_modal target_not_interactable none");
        assert_eq!(press(|facts| facts.busy = Some(true)), "busy target_not_interactable wait");
        assert_eq!(press(|facts| facts.stable = Some(false)), "moving target_not_interactable wait");
        let cover = |facts: &mut LiveFacts| facts.covered_by = Some("a banner".to_owned());
        assert_eq!(press(cover), "covered target_not_interactable wait");
        assert_eq!(press(|facts| facts.in_view = false), "out_of_view target_not_interactable reveal");
        let lost = |facts: &mut LiveFacts| (facts.in_view, facts.can_be_revealed) = (false, false);
        assert_eq!(press(lost), "out_of_view target_not_interactable none");
    }
}

#[test]
fn writing_needs_all_of_9_3() {
    proves!["ACT-9.3-1", "ACT-9.3-2", "ACT-9.3-3", "ACT-9.3-4"];
    for action in ["ui.enterText", "ui.clearText", "ui.setValue"] {
        let write = |change: fn(&mut LiveFacts)| asked(action, Role::Textbox, change);
        assert_eq!(write(|_| {}), "ok");
        assert_eq!(asked(action, Role::Button, |_| {}), "not_editable target_not_interactable none");
        assert_eq!(asked(action, Role::Region, |facts| facts.editable = Some(true)), "ok");
        assert_eq!(write(|facts| facts.readonly = Some(true)), "read_only target_not_interactable none");
        assert_eq!(write(|facts| facts.enabled = Some(false)), "disabled target_not_interactable wait");
        assert_eq!(
            write(|facts| facts.focusable = Some(false)),
            "not_focusable target_not_interactable none"
        );
        let focused = |facts: &mut LiveFacts| (facts.focusable, facts.focused) = (Some(false), Some(true));
        assert_eq!(write(focused), "ok");
        assert_eq!(write(|facts| facts.visible = None), "not_visible target_not_interactable wait");
    }
}

#[test]
fn other_actions_need_less() {
    let hidden = |facts: &mut LiveFacts| facts.visible = Some(false);
    for action in ["ui.read", "ui.highlight", "ui.scroll", "ui.scrollIntoView", "video.create", "app.invoke"]
    {
        assert_eq!(asked(action, Role::Region, hidden), "ok", "{action}");
        assert_eq!(
            asked(action, Role::Region, |facts| facts.attached = false),
            "detached stale_target resolve"
        );
    }
    assert_eq!(asked("ui.hover", Role::Button, |facts| facts.enabled = Some(false)), "ok");
    assert_eq!(asked("ui.hover", Role::Button, hidden), "not_visible target_not_interactable wait");
    assert_eq!(asked("ui.focus", Role::Button, |facts| facts.in_view = false), "ok");
    let unfocusable = |facts: &mut LiveFacts| facts.focusable = Some(false);
    assert_eq!(asked("ui.focus", Role::Button, unfocusable), "not_focusable target_not_interactable none");
}

#[test]
fn nothing_reaches_into_a_closed_region() {
    proves!["ACT-9.1-5", "ACT-15-5", "ACT-15-6"];
    for action in ["ui.read", "ui.activate", "ui.enterText", "ui.focus", "ui.hover"] {
        let inside = |opaque| asked(action, Role::Textbox, move |facts| facts.opaque = Some(opaque));
        assert_eq!(inside(Opaque::Foreign), "opaque cross_origin_unavailable none");
        assert_eq!(inside(Opaque::Closed), "opaque closed_shadow_unavailable none");
        assert_eq!(inside(Opaque::Picture), "opaque target_not_interactable none");
    }
}

#[test]
fn each_condition_has_a_code_of_its_own() {
    proves!["R014-7.1", "R014-16.1", "R005-8.2"];
    let code = |change: fn(&mut LiveFacts)| {
        let mut facts = fine(Role::Button);
        change(&mut facts);
        let found = || check(Demand::Pressing, &facts).map_err(|obstacle| obstacle.gate_code().word());
        // The same facts give the same answer: nothing else is looked at.
        assert_eq!(found(), found());
        found().err().unwrap_or("-")
    };
    assert_eq!(code(|_| {}), "-");
    assert_eq!(code(|facts| facts.attached = false), "not_found");
    assert_eq!(code(|facts| facts.changed = true), "identity_unstable");
    assert_eq!(code(|facts| facts.visible = Some(false)), "not_visible");
    assert_eq!(code(|facts| facts.in_view = false), "not_visible");
    assert_eq!(code(|facts| facts.covered_by = Some("a veil".to_owned())), "not_visible");
    assert_eq!(code(|facts| facts.enabled = Some(false)), "not_enabled");
    assert_eq!(code(|facts| facts.blocked = Some(true)), "not_enabled");
    assert_eq!(code(|facts| facts.behind_modal = true), "not_enabled");
    assert_eq!(code(|facts| facts.busy = Some(true)), "not_stable");
    assert_eq!(code(|facts| facts.stable = Some(false)), "not_stable");
    assert_eq!(code(|facts| facts.only_read = true), "not_eligible");
    assert_eq!(code(|facts| facts.opaque = Some(Opaque::Closed)), "not_eligible");
    let write = |change: fn(&mut LiveFacts), role| {
        let mut facts = fine(role);
        change(&mut facts);
        check(Demand::Writing, &facts).map_err(|obstacle| obstacle.gate_code().word())
    };
    assert_eq!(write(|_| {}, Role::Button), Err("not_eligible"));
    assert_eq!(write(|facts| facts.readonly = Some(true), Role::Textbox), Err("not_eligible"));
    assert_eq!(write(|facts| facts.focusable = Some(false), Role::Textbox), Err("not_eligible"));
    // What is only there to be read can be read.
    let mut shown = fine(Role::Status);
    shown.only_read = true;
    assert_eq!(check(Demand::Presence, &shown), Ok(()));
    assert_eq!(
        asked("ui.activate", Role::Status, |facts| facts.only_read = true),
        "only_read target_not_interactable resolve"
    );
}
