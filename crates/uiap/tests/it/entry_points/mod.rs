//! The cases of `spec/cases/entry-points`: one call, or a short sequence, on a prepared page, with the same outcome
//! through every entry point. The real binary, a real browser, and a server that counts what arrived.
//!
//! Start at [`case::Case`], the language; [`driver::Driver`] is what an entry point has to offer. One test for each
//! entry point runs all cases; `UIAP_CASE=consent/agrees` runs those whose path contains this text.

#![expect(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail loudly")]

mod browser;
mod case;
mod check;
mod cli;
mod driver;
mod http;
mod mcp;
mod person;
mod site;
mod stage;
mod transport;
mod uiap;

use browser::SharedBrowser;
use case::{Case, EntryPoint};
use stage::Stage;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Cases under way at a time; much of a case is waiting.
const CONCURRENT: usize = 3;

/// Runs every case through one entry point.
fn run_all(entry: EntryPoint) {
    let wanted = std::env::var("UIAP_CASE").unwrap_or_default();
    let mut cases = Case::load_all();
    cases.retain(|case| case.path.contains(&wanted) && case.reason_against(entry).is_none());
    let browser = SharedBrowser::start();
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..CONCURRENT {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let failed = catch_unwind(AssertUnwindSafe(|| run(case, entry, &browser)));
                    let differences = failed.unwrap_or_else(|panic| vec![said(panic.as_ref())]);
                    if !differences.is_empty() {
                        let text = format!("{} through {entry}: {}", case.path, differences.join("\n  "));
                        failures.lock().expect("a list").push(text);
                    }
                }
            });
        }
    });
    browser.close();
    let failures = failures.into_inner().expect("a list");
    assert!(
        failures.is_empty(),
        "{} of {} cases differ:\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n")
    );
}

/// Runs one case through one entry point; what is different from what it expects.
fn run(case: &Case, entry: EntryPoint, browser: &SharedBrowser) -> Vec<String> {
    let stage = Stage::prepare(case, browser);
    let mut driver = driver::start(entry, &stage);
    let mut differences = Vec::new();
    for (number, step) in case.steps.iter().enumerate() {
        let outcome = driver::perform(driver.as_mut(), step);
        let found = check::outcome(step.expect(), &outcome);
        differences.extend(found.into_iter().map(|found| format!("step {}: {found}", number + 1)));
    }
    let left = driver.end();
    differences.extend(check::hidden(&stage.hidden(), &left));
    differences.extend(check::ledger(&case.ledger, &stage.site.ledger()));
    differences
}

fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

#[test]
fn through_the_command_line() {
    run_all(EntryPoint::Cli);
}

#[test]
fn through_mcp_over_stdio() {
    run_all(EntryPoint::McpStdio);
}

#[test]
fn through_mcp_over_http() {
    run_all(EntryPoint::McpHttp);
}

#[test]
fn through_uiap_over_stdio() {
    run_all(EntryPoint::UiapStdio);
}

#[test]
fn through_uiap_over_websocket() {
    run_all(EntryPoint::UiapWebSocket);
}

#[test]
fn through_uiap_over_http() {
    run_all(EntryPoint::UiapHttp);
}

#[test]
fn through_a_page_with_the_sdk() {
    run_all(EntryPoint::Sdk);
}
