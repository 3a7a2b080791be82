//! The task of `cargo xtask bench tokens`, with our tools: it is really done, and it costs little.

#![expect(clippy::print_stderr, reason = "a test may fail loudly")]

#[path = "../../examples/bench_tokens/play.rs"]
#[expect(dead_code, reason = "nobody is compared here")]
mod play;
#[path = "../../examples/bench_tokens/players.rs"]
#[expect(dead_code, reason = "nobody is compared here")]
mod players;
#[path = "../../examples/bench_tokens/site.rs"]
mod site;
#[path = "../../examples/bench_tokens/task.rs"]
mod task;
#[path = "../../examples/bench_tokens/wire.rs"]
#[expect(dead_code, reason = "nothing is weighed here")]
mod wire;

use play::Sight;
use players::{Player, Setting};

/// What the task may cost, in o200k tokens: schemas, calls and results.
const TOKENS_MAX: usize = 3_100;

fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
}

#[test]
fn ten_steps_cost_little() {
    let scratch = std::env::temp_dir().join(format!("uiap-ten-steps-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("a folder");
    let setting = Setting {
        uiap: env!("CARGO_BIN_EXE_uiap").into(),
        browser: uiap_web::find(None).expect("a browser"),
        peers: None,
        scratch: scratch.clone(),
    };
    let task = task::task().expect("the task can be read");
    let played = site::play(Player::Uiap, Sight::Open, &task, &setting, false).expect("the task is done");
    assert!(played.total() <= TOKENS_MAX, "{} tokens", played.total());
    std::fs::remove_dir_all(scratch).expect("the folder goes");
}
