//! Five thousand schedules of trouble; `cargo xtask soak sim` runs as many as you like.

#![expect(clippy::panic, reason = "a broken invariant must name its seed")]

use std::collections::BTreeMap;
use uiap_testkit::proves;
use uiap_testkit::simulation::{Report, run};

const SCHEDULES: u64 = 5_000;

fn reports() -> impl Iterator<Item = Report> {
    (0..SCHEDULES).map(|seed| run(seed).unwrap_or_else(|broken| panic!("seed {seed}: {broken}")))
}

#[test]
fn no_schedule_makes_the_runtime_lie_act_twice_or_act_unasked() {
    proves!["ACT-3-1", "ACT-3-2", "ACT-5.5-3", "ACT-13.2-1", "ACT-13.2-2", "ACT-SEC-3"];
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    let mut killed = 0;
    for report in reports() {
        killed += usize::from(report.killed);
        let word = |word: Option<String>| word.unwrap_or_else(|| "-".to_owned());
        let end = format!(
            "{} {} {}",
            word(report.status.map(|status| status.to_string())),
            word(report.side_effects.map(|state| state.to_string())),
            word(report.error.map(|code| code.to_string())),
        );
        *ends.entry(end).or_default() += 1;
    }
    // A simulation in which nothing happens proves nothing: every way out must have been taken.
    for end in [
        "succeeded applied -",
        "failed none target_not_found",
        "failed none target_ambiguous",
        "failed none target_not_interactable",
        "failed none policy_denied",
        "failed none timeout",
        "failed unknown timeout",
        "failed unknown verification_failed",
        "failed none execution_mode_unavailable",
        "failed none user_activation_required",
        "failed none internal_runtime_error",
        "failed unknown internal_runtime_error",
        "failed unknown unsafe_retry_refused",
        "cancelled none cancelled",
        "cancelled unknown cancelled",
        "cancelled none confirmation_denied",
    ] {
        assert!(ends.contains_key(end), "no schedule ended as {end:?}: {ends:#?}");
    }
    assert!(killed > 100, "{killed}");
}

#[test]
fn a_seed_is_a_schedule() {
    assert!((0..200).all(|seed| run(seed) == run(seed)));
}
