//! Plays schedules of trouble: `soak_simulation FIRST_SEED COUNT`. Used by `cargo xtask soak sim`.

#![expect(clippy::print_stdout, reason = "it reports to the person who runs it")]

use std::process::ExitCode;
use uiap_testkit::simulation::{Report, retell, run_many};

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<u64>());
    let (Some(Ok(first)), Some(Ok(count))) = (numbers.next(), numbers.next()) else {
        println!("Two numbers are needed: the first seed and how many.");
        return ExitCode::from(2);
    };
    let (Report { ends, kills, reached, agreed }, broken) = run_many(first..first.saturating_add(count));
    for (end, times) in ends {
        println!("{times:>9} {end}");
    }
    println!("{kills} kills, {agreed} agreements, {reached} deeds.");
    for (seed, broken) in &broken {
        println!("seed {seed}: {broken}. Replay: cargo xtask soak sim --first {seed} --schedules 1");
    }
    // Whoever replays one seed wants to see why.
    if count == 1 {
        println!("{}", retell(first).1);
    }
    if broken.is_empty() {
        println!("{count} schedules, no invariant broken.");
        return ExitCode::SUCCESS;
    }
    ExitCode::from(1)
}
