//! Gives agreements that are none to a runtime: `soak_consent FIRST_SEED COUNT`. Used by `cargo xtask soak consent`.

#![expect(clippy::print_stdout, reason = "it reports to the person who runs it")]

use std::process::ExitCode;
use uiap_testkit::simulation::attack_many;

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<u64>());
    let (Some(Ok(first)), Some(Ok(count))) = (numbers.next(), numbers.next()) else {
        println!("Two numbers are needed: the first seed and how many.");
        return ExitCode::from(2);
    };
    let (made, broken) = attack_many(first..first.saturating_add(count));
    for (kind, times) in made {
        println!("{times:>9} {kind:?}");
    }
    for (seed, broken) in &broken {
        println!("seed {seed}: {broken}. Replay: cargo xtask soak consent --first {seed} --attempts 1");
    }
    if broken.is_empty() {
        println!("{count} attempts, none was taken, and the right agreement worked after each.");
        return ExitCode::SUCCESS;
    }
    ExitCode::from(1)
}
