//! Five thousand schedules of trouble; `cargo xtask soak sim` plays as many as you like.
//!
//! `UIAP_SEED=17 cargo test -p uiap-runtime --test simulation` replays one of them.

#![expect(clippy::expect_used, reason = "a test that cannot start has failed")]

use uiap_testkit::proves;
use uiap_testkit::simulation::{run, run_many};

const SCHEDULES: u64 = 5_000;

fn seeds() -> std::ops::Range<u64> {
    match std::env::var("UIAP_SEED") {
        Ok(seed) => {
            let seed = seed.parse().expect("UIAP_SEED is a number");
            seed..seed + 1
        }
        Err(_) => 0..SCHEDULES,
    }
}

#[test]
fn no_schedule_makes_the_runtime_lie_act_twice_or_act_unasked() {
    proves![
        "ACT-1-1",
        "ACT-3-1",
        "ACT-3-2",
        "ACT-3-4",
        "ACT-5.5-3",
        "ACT-13.2-1",
        "ACT-13.2-2",
        "ACT-13.3-1",
        "ACT-SEC-3",
        "R005-4.2",
        "R005-4.4"
    ];
    let (total, broken) = run_many(seeds());
    if let Some((seed, broken)) = broken.first() {
        panic!(
            "seed {seed}: {broken}. Replay: UIAP_SEED={seed} cargo test -p uiap-runtime --test simulation"
        );
    }
    if seeds().count() == 1 {
        return;
    }
    // A simulation in which nothing happens proves nothing: every way out must have been taken.
    for end in [
        "succeeded applied -",
        "succeeded none -",
        "failed none policy_denied",
        "failed none stale_target",
        "failed none target_not_interactable",
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
        "refused idempotency_conflict",
        "refused unsafe_retry_refused",
        "killed",
    ] {
        assert!(total.ends.contains_key(end), "no schedule ended as {end:?}: {total:#?}");
    }
    assert!(total.kills > 500 && total.agreed > 500 && total.reached > 2_000, "{total:#?}");
}

#[test]
fn a_seed_is_a_schedule() {
    assert!((0..100).all(|seed| run(seed) == run(seed)));
}
