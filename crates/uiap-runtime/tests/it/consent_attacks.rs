//! Agreements that are none, given to a whole runtime; `cargo xtask soak consent` makes as many attempts as you like.
//!
//! `UIAP_SEED=17 cargo test -p uiap-runtime --test consent_attacks` replays one of them.

use uiap_testkit::proves;
use uiap_testkit::simulation::{ATTACKS, attack_many};

/// A share of each kind.
const ATTEMPTS: u64 = 1_200;

#[test]
fn no_agreement_is_taken_but_the_right_one_which_works_after_every_attempt() {
    proves!["ACT-5.5-3", "ACT-SEC-4", "ACT-SEC-5"];
    let seeds = match std::env::var("UIAP_SEED") {
        Ok(seed) => {
            let seed = seed.parse().expect("UIAP_SEED is a number");
            seed..seed + 1
        }
        Err(_) => 0..ATTEMPTS,
    };
    let all = seeds.end - seeds.start == ATTEMPTS;
    let (made, broken) = attack_many(seeds);
    if let Some((seed, broken)) = broken.first() {
        panic!(
            "seed {seed}: {broken}. Replay: UIAP_SEED={seed} cargo test -p uiap-runtime --test consent_attacks"
        );
    }
    assert!(!all || made.len() == ATTACKS.len(), "{made:?}");
}
