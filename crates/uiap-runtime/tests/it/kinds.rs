//! What sort of deed each action is. There is one taxonomy, and everything has its place in it.

use insta::assert_snapshot;
use uiap_protocol::ids::ActionId;
use uiap_runtime::catalogue::{ActionType, Native};
use uiap_testkit::proves;

#[test]
fn every_action_has_its_type() {
    proves!["R005-5.1", "R005-13.1", "R006-3.2", "R006-5.1"];
    let own = ["video.delete", "app.restart"];
    let table: Vec<_> = Native::words()
        .chain(own)
        .map(|word| format!("{word}: {}", ActionType::of(&ActionId::new(word).expect("an id")).word()))
        .collect();
    assert_snapshot!(table.join("\n"), @r"
    ui.read: system
    ui.focus: selection
    ui.highlight: system
    ui.hover: gesture
    ui.activate: selection
    ui.enterText: input
    ui.clearText: input
    ui.setValue: adjustment
    ui.choose: selection
    ui.toggle: selection
    ui.expand: selection
    ui.collapse: selection
    ui.open: selection
    ui.close: selection
    ui.scrollIntoView: navigation
    ui.scroll: navigation
    ui.submit: selection
    ui.upload: input
    nav.navigate: navigation
    app.invoke: system
    x.uiap.long-press: gesture
    x.uiap.pinch: gesture
    video.delete: system
    app.restart: system
    ");
}
