//! The page of a command: opened, at rest, bound to a bundle.

use crate::Trouble;
use crate::browsing::{BrowserFlags, Browsing};
use anyhow::Context as _;
use std::io::Write;
use std::time::Duration;
use uiap_protocol::authoring::CompiledBundle;
use uiap_web::{Deadline, Page, Settled};

/// How long a page that never rests is waited for.
const REST_WAIT: Duration = Duration::from_secs(3);

/// A page, and the browser that shows it.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) browsing: Browsing,
    pub(crate) page: Page,
}

/// Opens the page at an address and, where there is a bundle, gives its things the names that the bundle has.
pub(crate) async fn open(
    browser: &BrowserFlags,
    address: &str,
    bundle: Option<&CompiledBundle>,
    deadline: Deadline,
) -> Result<Opened, Trouble> {
    let browsing = browser.open(deadline).await?;
    let page = browsing.context.open(address, deadline).await.map_err(anyhow::Error::new)?;
    page.rest(deadline.at_most(REST_WAIT)).await;
    if let Some(bindings) = bundle.and_then(|bundle| bundle.bindings.as_ref()) {
        let bound = page.bind(bindings, deadline).await.context("the page cannot be bound")?;
        for problem in bound.problems {
            writeln!(std::io::stderr(), "The bundle has a binding that is not used: {problem}")?;
        }
    }
    remark(&page)?;
    Ok(Opened { browsing, page })
}

/// What a person should know about how the page arrived.
fn remark(page: &Page) -> Result<(), Trouble> {
    let mut stderr = std::io::stderr();
    let arrival = page.arrival();
    if arrival.settled == Settled::Unfinished {
        writeln!(stderr, "The page was still loading after the wait; this is what was there.")?;
    }
    if let Some(status) = arrival.status.filter(|status| *status >= 400) {
        writeln!(stderr, "The server answered with status {status}.")?;
    }
    Ok(())
}

/// An address as people type it: without a scheme it is a server.
pub(crate) fn address_of(url: &str) -> Result<String, Trouble> {
    if url.contains("://") || url.starts_with("about:") || url.starts_with("data:") {
        return Ok(url.to_owned());
    }
    if url.is_empty() || url.contains(char::is_whitespace) {
        return Err(Trouble::WrongUse(format!("\"{url}\" is not the address of a page.")));
    }
    Ok(format!("http://{url}"))
}
