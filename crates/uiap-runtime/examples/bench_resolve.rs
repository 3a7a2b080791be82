//! How long it takes to find a target: `cargo xtask bench resolve`.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a measurement talks to the person who runs it"
)]

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;
use uiap_protocol::action::ActionTarget;
use uiap_protocol::ids::ActionId;
use uiap_protocol::text::{Format, Limits, read};
use uiap_protocol::web::GraphStore;
use uiap_protocol::wire::{Wire, accept};
use uiap_runtime::resolve::{Request, TargetIndex, resolve};

/// How often each question is asked.
const ROUNDS: usize = 2_000;

fn yaml<T: Wire>(text: &str) -> T {
    accept(&read(text, Format::Yaml, Limits::DOCUMENT).expect("well-formed YAML")).expect("a sound value")
}

/// A table with as many rows as there is room for, each with the same three buttons.
fn page(elements: usize) -> GraphStore {
    let mut text = "modelVersion: '0.1'\nprofile: web@0.1\nrevision: r1\nseq: 1\n\
        capturedAt: 2026-03-26T14:03:00.000Z\nroute: {url: 'https://a.test/'}\n\
        documents: [{id: d, boundary: {kind: root, opaque: false}}]\nscopes: [{id: s, kind: form, documentId: d}]\nelements:\n"
        .to_owned();
    for number in 0..elements {
        let (role, name) = match number % 4 {
            0 => ("row", format!("Video {number}")),
            1 => ("button", "Edit".to_owned()),
            2 => ("button", "Delete".to_owned()),
            _ => ("link", format!("Open video {number}")),
        };
        writeln!(
            text,
            "- {{instanceId: e{number}, stableId: x.{number}, documentId: d, role: {role}, name: {name}, affordances: [activate], state: {{}}}}"
        )
        .expect("a string");
    }
    text.push_str("- {instanceId: save, documentId: d, scopeId: s, role: button, name: Save, affordances: [activate], state: {}}\n");
    GraphStore::new(yaml(&text))
}

fn main() {
    println!("{:<28} {:>12} {:>14}", "microseconds per question", "100 elements", "10,000 elements");
    let pages = [page(100), page(10_000)];
    let indexes = pages.each_ref().map(TargetIndex::new);
    let action = ActionId::new("ui.activate").expect("an id");
    for (what, target) in [
        ("stable id", "ref: {by: stableId, value: x.42}\nexpectedRole: button"),
        ("role and name", "ref: {by: semantic, role: button, name: Save}"),
        ("role, name and scope", "ref: {by: semantic, role: button, name: Save, scope: s}"),
        ("name of another case", "ref: {by: semantic, role: link, name: OPEN VIDEO 43}"),
        ("nothing", "ref: {by: semantic, role: button, name: Publish}"),
        ("ambiguous", "ref: {by: semantic, role: button, name: Delete}"),
    ] {
        let target: ActionTarget = yaml(target);
        let request = Request { action: &action, target: &target, hinted: &[] };
        let mut medians = Vec::new();
        for (page, index) in pages.iter().zip(&indexes) {
            let mut times: Vec<f64> = (0..ROUNDS)
                .map(|_| {
                    let start = Instant::now();
                    let _ = black_box(resolve(page, index, black_box(&request)));
                    start.elapsed().as_secs_f64() * 1e6
                })
                .collect();
            times.sort_by(f64::total_cmp);
            medians.push(times.get(ROUNDS / 2).copied().unwrap_or_default());
        }
        let shown: Vec<_> = medians.iter().map(|median| format!("{median:>13.2}")).collect();
        println!("{what:<28} {}", shown.join(" "));
    }
}
