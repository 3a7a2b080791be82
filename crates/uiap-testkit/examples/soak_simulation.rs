//! Runs schedules of trouble: `soak_simulation FIRST_SEED COUNT`. Used by `cargo xtask soak sim`.

#![expect(clippy::print_stdout, reason = "it reports to the person who runs it")]

use std::collections::BTreeMap;
use std::process::ExitCode;
use uiap_testkit::simulation::run;

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<u64>());
    let (Some(Ok(first)), Some(Ok(count))) = (numbers.next(), numbers.next()) else {
        println!("Two numbers are needed: the first seed and how many.");
        return ExitCode::from(2);
    };
    let mut ends: BTreeMap<String, u64> = BTreeMap::new();
    for seed in first..first.saturating_add(count) {
        match run(seed) {
            Ok(report) => {
                let status =
                    report.status.map_or_else(|| "killed early".to_owned(), |status| status.to_string());
                *ends.entry(status).or_default() += 1;
            }
            Err(broken) => {
                println!("seed {seed}: {broken}. Replay: cargo xtask soak sim --first {seed} --schedules 1");
                return ExitCode::from(1);
            }
        }
    }
    let ends: Vec<_> = ends.iter().map(|(end, times)| format!("{end} {times}")).collect();
    println!("{count} schedules, no invariant broken: {}.", ends.join(", "));
    ExitCode::SUCCESS
}
