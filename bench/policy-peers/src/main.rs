//! Our policy decisions beside those of Cedar and Regorus: the same rules, the same questions, the same run.
//!
//! `cargo xtask bench policy`. Every engine must give the same answer to every question before anything is timed.

mod cedar;
mod ours;
mod rego;
mod workload;

use std::time::Instant;
use workload::{Answer, Question, Workload};

/// Timed rounds over all questions.
const ROUNDS: usize = 60;
/// What we promise against either peer.
const RATIO_MIN: f64 = 15.0;
/// How much slower ten times as many rules may be.
const GROWTH_MAX: f64 = 1.25;

/// Something that decides.
trait Engine {
    fn name(&self) -> &'static str;
    fn decide(&self, question: usize) -> Answer;
}

fn main() {
    let mut ours = Vec::new();
    let mut kept = true;
    for rules in [102, 1_000] {
        let workload = Workload::new(rules);
        let engines: [Box<dyn Engine>; 3] = [
            Box::new(ours::Ours::new(&workload)),
            Box::new(cedar::Cedar::new(&workload)),
            Box::new(rego::Rego::new(&workload)),
        ];
        agree(&workload.questions, &engines);
        println!("\n{rules} rules, {} questions, microseconds per decision", workload.questions.len());
        println!("{:<10} {:>9} {:>9} {:>9}", "", "p50", "p95", "ratio");
        let mut first = None;
        for engine in &engines {
            let (p50, p95) = measure(engine.as_ref(), workload.questions.len());
            let base = *first.get_or_insert(p50);
            let ratio = p50 / base;
            println!("{:<10} {p50:>9.2} {p95:>9.2} {ratio:>8.1}x", engine.name());
            kept &= base == p50 || ratio >= RATIO_MIN;
        }
        ours.push(first.unwrap_or_default());
    }
    let growth = ours[1] / ours[0];
    println!("\n1,000 rules against 102: {growth:.2}x");
    kept &= growth <= GROWTH_MAX;
    if !kept {
        println!("FAILED: at least {RATIO_MIN}x faster than both, and at most {GROWTH_MAX}x slower with 1,000 rules.");
        std::process::exit(1);
    }
}

fn agree(questions: &[Question], engines: &[Box<dyn Engine>]) {
    for number in 0..questions.len() {
        let answers: Vec<_> = engines.iter().map(|engine| engine.decide(number)).collect();
        let same = answers.windows(2).all(|pair| pair[0] == pair[1]);
        assert!(same, "the engines disagree about {:?}: {answers:?}", questions[number]);
    }
}

/// The median and the 95th percentile, in microseconds.
fn measure(engine: &dyn Engine, questions: usize) -> (f64, f64) {
    let mut times = Vec::with_capacity(ROUNDS * questions);
    for round in 0..=ROUNDS {
        for question in 0..questions {
            let start = Instant::now();
            std::hint::black_box(engine.decide(question));
            // The first round only warms up.
            if round > 0 {
                times.push(start.elapsed().as_secs_f64() * 1e6);
            }
        }
    }
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], times[times.len() * 95 / 100])
}
