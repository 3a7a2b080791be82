//! An action that must happen once happens at most once, whatever breaks around it: the process that acts, the line
//! to the browser, the browser. Real processes, a journal on a real disk, and a server that counts.
//!
//! The test starts itself again as the process that acts; `cargo xtask soak once` runs many more rounds.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test may fail loudly, and reports"
)]

mod actor;
mod lane;
mod link;
mod server;
mod servers;
mod strike;

use lane::{Lane, Round};
use server::Server;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use uiap_testkit::proves;

/// The test below, by which it is started again.
const TEST: &str = "once::what_must_happen_once_never_happens_twice";
/// Rounds, unless `UIAP_ROUNDS` says otherwise.
const ROUNDS: u64 = 10;
/// After how many rounds a long campaign says how far it has come.
const PROGRESS_EVERY: u64 = 25;
/// Rounds at a time.
const LANES: u64 = 3;

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |text| text.parse().expect("a number"))
}

/// What is wrong with a round, by what the server counted.
fn fault_of(round: &Round, count: u32) -> Option<String> {
    if count > 1 {
        return Some(format!("it happened {count} times"));
    }
    if round.hung {
        return Some("a process does not end".to_owned());
    }
    let Some((_, first)) = round.told.first() else { return Some("nobody was told how it ended".to_owned()) };
    for (which, told) in &round.told {
        if which == "without a key" {
            if told["refused"] != "unsafe_retry_refused" {
                return Some(format!("repeated without its key it was not refused: {told}"));
            }
        } else if told != first {
            return Some(format!("asked {which} it was told something else: {told}"));
        }
    }
    let effects = first["sideEffectState"].as_str();
    let wanted = match (first["status"].as_str(), effects) {
        (Some("succeeded"), _) | (_, Some("applied")) => Some(1),
        (_, Some("none")) => Some(0),
        (Some("failed"), Some("unknown")) => None,
        _ => return Some(format!("it ended in no way that is known: {first}")),
    };
    wanted
        .filter(|wanted| *wanted != count)
        .map(|_| format!("it happened {count} times, but was told: {first}"))
}

/// How a round ended, in short.
fn outcome_of(round: &Round, count: u32) -> String {
    let Some((_, first)) = round.told.first() else { return "nothing told".to_owned() };
    let word = |value: &serde_json::Value| value.as_str().unwrap_or("-").to_owned();
    let (status, effects) = (word(&first["status"]), word(&first["sideEffectState"]));
    format!("{status}, {effects}, {}, counted {count}", word(&first["error"]["code"]))
}

async fn campaign(first: u64, rounds: u64, seed: u64) -> (Server, Vec<Round>) {
    let folder = std::env::temp_dir().join(format!("uiap-once-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let server = Server::start().await;
    let next = Arc::new(AtomicU64::new(first));
    let lanes = (0..LANES.min(rounds)).map(|_| {
        let (server, folder, next) = (server.clone(), folder.clone(), Arc::clone(&next));
        tokio::spawn(async move {
            let mut lane = Lane::new(server.clone(), &folder, seed);
            let mut ended = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= first + rounds {
                    return ended;
                }
                let round = lane.round(number).await;
                check(&round, server.run(number).count(), seed);
                if number > first && number % PROGRESS_EVERY == 0 {
                    eprintln!("{} of {rounds} rounds", number - first);
                }
                ended.push(round);
            }
        })
    });
    let lanes: Vec<_> = lanes.collect();
    let mut ended = Vec::new();
    for lane in lanes {
        ended.extend(lane.await.expect("a lane"));
    }
    std::fs::remove_dir_all(folder).expect("the folder is ours");
    (server, ended)
}

fn check(round: &Round, count: u32, seed: u64) {
    let Round { number, page, said, .. } = round;
    let fault = fault_of(round, count);
    assert!(
        fault.is_none(),
        "round {number} ({page:?}): {}\n{}\nReplay: cargo xtask soak once --first {number} --rounds 1 --seed {seed}",
        fault.unwrap_or_default(),
        said.join("\n")
    );
}

fn report(rounds: &[Round], server: &Server) -> String {
    let mut blows: BTreeMap<String, u64> = BTreeMap::new();
    let mut outcomes: BTreeMap<String, u64> = BTreeMap::new();
    for round in rounds {
        for (blow, phase) in &round.struck {
            *blows.entry(format!("{}, {phase}", blow.words())).or_default() += 1;
        }
        *outcomes.entry(outcome_of(round, server.run(round.number).count())).or_default() += 1;
    }
    let refused = rounds.iter().filter(|round| round.told.iter().any(|(which, _)| which == "without a key"));
    let mut text = format!(
        "{} rounds, {} struck, {} repeated without a key and refused, 0 duplicates.\n",
        rounds.len(),
        blows.values().sum::<u64>(),
        refused.count()
    );
    for (title, counts) in [("Broken after", &blows), ("Ended", &outcomes)] {
        for (what, times) in counts {
            let _ = writeln!(text, "{title}: {what}: {times}");
        }
    }
    text
}

#[test]
fn what_must_happen_once_never_happens_twice() {
    proves!["ACT-3-2", "ACT-13.2-1"];
    if actor::acts_here() {
        return;
    }
    let seed = number("UIAP_SEED", 1);
    let (first, rounds) = (number("UIAP_FIRST", 0), number("UIAP_ROUNDS", ROUNDS));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let (server, ended) = campaign(first, rounds, seed).await;
        // What came late counts too.
        for round in &ended {
            check(round, server.run(round.number).count(), seed);
        }
        let struck = ended.iter().filter(|round| !round.struck.is_empty()).count();
        assert!(struck * 2 > ended.len(), "something broke in only {struck} of {} rounds", ended.len());
        eprint!("{}", report(&ended, &server));
    });
}
