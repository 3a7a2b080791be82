//! Why what a page shows is no page of the application, in words that say what to do about it.

use uiap_discovery::explore::Hindrance;
use uiap_discovery::place::pattern;
use uiap_web::guard::{Fate, Fault, Guard, Passage};
use uiap_web::{BrowserSignal, NetworkFault, Page, Position};

/// From which status on an answer says that the server is at fault.
pub(super) const SERVER_FAULT: u16 = 500;
/// The browser's word for a page, where requests leave it.
const DOCUMENT: &str = "document";
/// The browser's word for the same, where it tells of requests.
const DOCUMENT_RESOURCE: &str = "Document";
/// How the address of a page begins that the browser shows in place of one that did not come.
const ERROR_PAGE: &str = "chrome-error:";

/// Why what a page shows is no page of the application. What left the page before a number, and what happened before a
/// position, is an old story.
pub(super) fn hindrance(page: &Page, guard: &Guard, left: u64, heard: Position) -> Option<Hindrance> {
    let shown = page.url();
    if shown.starts_with(ERROR_PAGE) {
        return Some(no_page(browser_error(page, heard)));
    }
    let (passages, _) = guard.passages(left);
    let is_shown = |passage: &&Passage| {
        passage.destination.as_deref() == Some(DOCUMENT) && pattern(&passage.address) == pattern(&shown)
    };
    match passages.iter().rev().find(is_shown).map(|last| (&last.address, &last.fate)) {
        Some((_, Fate::Held(_))) => return Some(Hindrance::TurnedBack),
        Some((address, Fate::Failed(fault))) => {
            return Some(no_page(format!("{address} cannot be reached: {fault}. {}", advice(fault))));
        }
        Some((_, Fate::Passed(_))) | None => {}
    }
    let status = page.status().filter(|status| *status >= SERVER_FAULT)?;
    Some(no_page(format!("{shown} answered with status {status}")))
}

/// Why the browser shows an error of its own, as far as it told.
fn browser_error(page: &Page, heard: Position) -> String {
    let news = page.signals().since(heard);
    let told = news.signals.iter().rev().filter_map(|signal| {
        let wire = serde_json::to_value(signal).ok()?;
        let word = |name: &str| wire.get(name).and_then(serde_json::Value::as_str).map(str::to_owned);
        let is_document = BrowserSignal::of(signal) == Some(BrowserSignal::RequestRefused)
            && word("resource").as_deref() == Some(DOCUMENT_RESOURCE);
        is_document.then(|| (word("url").unwrap_or_default(), word("error").unwrap_or_default()))
    });
    let mut told = told;
    match told.next() {
        Some((address, code)) => {
            format!("{address} cannot be reached: {}", NetworkFault::from_code(&code))
        }
        None => "the browser shows an error in place of a page".to_owned(),
    }
}

fn no_page(reason: String) -> Hindrance {
    Hindrance::NoPage { reason }
}

/// What somebody can do about it.
fn advice(fault: &Fault) -> &'static str {
    match fault {
        Fault::NameUnknown => "Correct the address",
        Fault::Refused | Fault::TimedOut | Fault::Broken { .. } => {
            "See whether the application runs, and correct the address if it does"
        }
        Fault::Certificate { .. } => {
            "Add the authority that signed it to those that this machine trusts, or name a file with it in the variable \
             SSL_CERT_FILE"
        }
        Fault::Distrusted { .. } => "Leave out --browser, so that a browser is started that trusts the guard",
    }
}
