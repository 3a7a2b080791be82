//! What decoding costs, as ratios against `serde_json` in the same run: `cargo xtask bench model`.
//!
//! A page of 10,000 elements (about 1 MB) is decoded and validated; the yardstick is the time `serde_json` needs
//! for an untyped value of the same text. Then a delta of one element is applied to pages of growing size: the
//! time must not grow with them.

#![expect(
    clippy::cast_precision_loss,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark reports, and fails loudly"
)]

use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};
use uiap_protocol::text::{Format, Limits, read};
use uiap_protocol::web::{GraphStore, PageGraph, WebStateDelta};
use uiap_protocol::wire::{accept, decode};

const ROUNDS: usize = 41;

fn page(elements: usize) -> String {
    let mut text = String::from(
        r#"{"modelVersion":"0.1","profile":"web@0.1","revision":"rev_1","seq":1,"capturedAt":"2026-03-26T14:03:00.000Z",
        "route":{"routeId":"videos","url":"https://app.example.com/videos"},
        "documents":[{"id":"doc_root","boundary":{"kind":"root","opaque":false}}],
        "scopes":[{"id":"scope_table","kind":"table","documentId":"doc_root"}],"elements":["#,
    );
    for index in 0..elements {
        let comma = if index == 0 { "" } else { "," };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            r#"{comma}{{"instanceId":"el_{index}","documentId":"doc_root","scopeId":"scope_table","role":"button","name":"Löschen {index}","state":{{"visible":true,"enabled":true}}}}"#,
        );
    }
    text.push_str("]}");
    text
}

/// The delta that leads from revision `seq` to the next one: one element gets another name.
fn delta(seq: usize, elements: usize) -> WebStateDelta {
    let (next, index) = (seq + 1, elements / 2);
    let text = format!(
        r#"{{"baseRevision":"rev_{seq}","revision":"rev_{next}","seq":{next},"at":"2026-03-26T14:03:01.000Z",
        "ops":[{{"op":"update","kind":"element","id":"el_{index}","value":{{"name":"Gelöscht {seq}"}}}}]}}"#,
    );
    let tree = read(&text, Format::Json, Limits::MESSAGE).expect("the delta is well-formed");
    accept(&tree).expect("the delta is sound")
}

/// The median time of one run.
fn median(mut run: impl FnMut()) -> Duration {
    run();
    let mut times: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times.get(ROUNDS / 2).copied().unwrap_or_default()
}

fn graph_of(text: &str) -> PageGraph {
    let tree = read(text, Format::Json, Limits::DOCUMENT).expect("the page is well-formed");
    accept(&tree).expect("the page is sound")
}

fn decoding() {
    let text = page(10_000);
    let untyped = median(|| {
        black_box(serde_json::from_str::<serde_json::Value>(&text).expect("the page is well-formed"));
    });
    let tree = median(|| {
        black_box(read(&text, Format::Json, Limits::DOCUMENT).expect("the page is well-formed"));
    });
    let typed = median(|| {
        black_box(graph_of(&text));
    });
    let thorough = median(|| {
        let tree = read(&text, Format::Json, Limits::DOCUMENT).expect("the page is well-formed");
        black_box(decode::<PageGraph>(&tree));
    });
    let ratio = |time: Duration| time.as_secs_f64() / untyped.as_secs_f64();
    println!("page of 10,000 elements, {:.2} MB; medians of {ROUNDS} runs", text.len() as f64 / 1e6);
    println!("  serde_json::Value          {:>8.2} ms   1.00x", untyped.as_secs_f64() * 1e3);
    println!("  located tree               {:>8.2} ms   {:.2}x", tree.as_secs_f64() * 1e3, ratio(tree));
    println!(
        "  decoded and validated      {:>8.2} ms   {:.2}x  (wanted: at most 3x)",
        typed.as_secs_f64() * 1e3,
        ratio(typed)
    );
    println!(
        "  the same with warnings     {:>8.2} ms   {:.2}x",
        thorough.as_secs_f64() * 1e3,
        ratio(thorough)
    );
}

fn applying() {
    println!("delta of one element, decoded apart; medians of {ROUNDS} runs");
    let mut smallest = None;
    for elements in [100, 1_000, 10_000, 100_000] {
        let mut store = GraphStore::new(graph_of(&page(elements)));
        let mut seq = 0;
        let mut deltas: Vec<WebStateDelta> = (1..=ROUNDS + 1).map(|seq| delta(seq, elements)).collect();
        deltas.reverse();
        let time = median(|| {
            let delta = deltas.pop().expect("one delta per run");
            store.apply(&delta).expect("the delta fits");
            seq += 1;
        });
        assert_eq!(seq, ROUNDS + 1, "every delta was applied");
        let ratio = time.as_secs_f64() / smallest.get_or_insert(time).as_secs_f64();
        println!("  {elements:>7} elements   {:>8.2} us   {ratio:.2}x", time.as_secs_f64() * 1e6);
    }
}

fn main() {
    decoding();
    applying();
}
