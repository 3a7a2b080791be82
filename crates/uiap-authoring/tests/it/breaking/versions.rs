//! Which step of a version carries which changes.

use uiap_authoring::breaking::{Class, required_bump};
use uiap_protocol::version::PackageVersion;
use uiap_testkit::proves;

/// The classes that a step carries, and the smallest versions that would carry each.
fn step(old: &str, new: &str) -> String {
    let version = |text: &str| PackageVersion::new(text).expect("a version");
    let (old, new) = (version(old), version(new));
    let classes = [None, Some(Class::Patch), Some(Class::Minor), Some(Class::Major)];
    let verdicts: Vec<_> =
        classes.map(|class| (class, required_bump(&old, &new, class))).into_iter().collect();
    let carried = verdicts.iter().filter(|(_, verdict)| verdict.enough);
    let carried: Vec<_> =
        carried.map(|(class, _)| class.map_or("nothing".to_owned(), |class| class.to_string())).collect();
    let least: Vec<_> = verdicts.iter().map(|(_, verdict)| verdict.least.as_str()).collect();
    let found = verdicts.first().map(|(_, verdict)| verdict.found).expect("a verdict");
    format!("{found}: {}; least {}", carried.join(" "), least.join(" "))
}

#[test]
fn from_one_on_a_step_carries_its_class() {
    proves!["AUT-11.2-1", "AUT-11.3-1", "AUT-11.4-1"];
    let least = "least 1.2.3 1.2.4 1.3.0 2.0.0";
    assert_eq!(step("1.2.3", "1.2.3"), format!("none: nothing; {least}"));
    assert_eq!(step("1.2.3", "1.2.4"), format!("patch: nothing patch; {least}"));
    assert_eq!(step("1.2.3", "1.4.0"), format!("minor: nothing patch minor; {least}"));
    assert_eq!(step("1.2.3", "2.0.0"), format!("major: nothing patch minor major; {least}"));
    assert_eq!(step("1.2.3", "1.2.2"), format!("backwards: ; {least}"));
    assert_eq!(step("1.2.3", "1.2.3+build.2"), format!("none: nothing; {least}"));
}

#[test]
fn below_one_a_minor_step_carries_everything_and_a_patch_step_only_patches() {
    assert_eq!(step("0.1.0", "0.2.0"), "minor: nothing patch minor major; least 0.1.0 0.1.1 0.2.0 0.2.0");
    assert_eq!(step("0.1.0", "0.1.1"), "patch: nothing patch; least 0.1.0 0.1.1 0.2.0 0.2.0");
    assert_eq!(step("0.0.1", "0.0.2"), "patch: nothing patch; least 0.0.1 0.0.2 0.1.0 0.1.0");
    assert_eq!(step("0.9.0", "1.0.0"), "major: nothing patch minor major; least 0.9.0 0.9.1 0.10.0 0.10.0");
}

#[test]
fn a_pre_release_carries_what_its_numbers_stand_for() {
    assert_eq!(
        step("2.0.0-rc.1", "2.0.0-rc.2"),
        "major: nothing patch minor major; least 2.0.0-rc.1 2.0.0 2.0.0 2.0.0"
    );
    assert_eq!(step("1.1.0-rc.1", "1.1.0"), "minor: nothing patch minor; least 1.1.0-rc.1 1.1.0 1.1.0 2.0.0");
    assert_eq!(step("1.1.1-rc.1", "1.1.1"), "patch: nothing patch; least 1.1.1-rc.1 1.1.1 1.2.0 2.0.0");
    assert_eq!(
        step("1.2.3", "2.0.0-rc.1"),
        "major: nothing patch minor major; least 1.2.3 1.2.4 1.3.0 2.0.0"
    );
    assert_eq!(step("1.1.0", "1.1.0-rc.1"), "backwards: ; least 1.1.0 1.1.1 1.2.0 2.0.0");
}
