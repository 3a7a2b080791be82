//! The page of a command: opened, at rest, bound to a bundle.

use crate::Trouble;
use crate::browsing::{BrowserFlags, Browsing};
use anyhow::Context as _;
use std::io::Write;
use std::time::Duration;
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::ids::RevisionId;
use uiap_web::{Browser, Changes, Deadline, Page, Settled};
use url::Url;

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
    let running = browser.browser(deadline).await?;
    let browsing = browser.begin(running, deadline).await?;
    let (page, remarks) = open_in(&browsing, address, bundle, deadline).await?;
    tell(&remarks)?;
    Ok(Opened { browsing, page })
}

/// The same in a browser that runs, and what a person should know about how the page arrived.
pub(crate) async fn open_in(
    browsing: &Browsing,
    address: &str,
    bundle: Option<&CompiledBundle>,
    deadline: Deadline,
) -> Result<(Page, Vec<String>), Trouble> {
    let page = browsing.open(address, deadline).await?;
    page.rest(deadline.at_most(REST_WAIT)).await;
    let mut remarks = describe(&page, bundle, deadline).await?;
    remarks.extend(remark(&page));
    Ok((page, remarks))
}

/// The page that is open already and knows a revision, in a browser that runs already; otherwise the one at this
/// address; otherwise it is opened. Says why, if the revision is not known.
pub(crate) async fn reopen(
    browser: &BrowserFlags,
    address: &str,
    bundle: Option<&CompiledBundle>,
    revision: &RevisionId,
    deadline: Deadline,
) -> Result<(Opened, Option<&'static str>), Trouble> {
    if browser.address().is_none() {
        let opened = open(browser, address, bundle, deadline).await?;
        return Ok((opened, Some("the page was opened for this look")));
    }
    let running = browser.browser(deadline).await?;
    match find(&running, address, revision, deadline).await? {
        Some((page, knows)) => {
            tell(&describe(&page, bundle, deadline).await?)?;
            let why = "the page was loaded anew, or too much has changed since";
            Ok((Opened { browsing: Browsing::guest(running), page }, (!knows).then_some(why)))
        }
        None => {
            let browsing = browser.begin(running, deadline).await?;
            let (page, remarks) = open_in(&browsing, address, bundle, deadline).await?;
            tell(&remarks)?;
            Ok((Opened { browsing, page }, Some("no such page was open, so it was opened for this look")))
        }
    }
}

/// A page of the application that is open, and whether it knows a revision.
async fn find(
    browser: &Browser,
    address: &str,
    revision: &RevisionId,
    deadline: Deadline,
) -> Result<Option<(Page, bool)>, Trouble> {
    let Ok(address) = Url::parse(address) else { return Ok(None) };
    let pages = browser.open_pages(deadline).await.map_err(anyhow::Error::new)?;
    let mut at_the_address = None;
    for open in pages {
        let Ok(url) = Url::parse(&open.url) else { continue };
        if url != address && url.origin() != address.origin() {
            continue;
        }
        // One that closed meanwhile, or does not answer, knows nothing.
        let Ok(page) = browser.join(&open, deadline).await else { continue };
        if let Ok(Changes::Deltas(_)) = page.changes(revision, deadline).await {
            return Ok(Some((page, true)));
        }
        if url == address {
            at_the_address.get_or_insert(page);
        }
    }
    Ok(at_the_address.map(|page| (page, false)))
}

/// Tells the page what the bundle knows about it. What it cannot use is said.
async fn describe(
    page: &Page,
    bundle: Option<&CompiledBundle>,
    deadline: Deadline,
) -> Result<Vec<String>, Trouble> {
    let sdk = bundle.and_then(|bundle| bundle.app.sdk.as_ref());
    if let Some(prefix) = sdk.and_then(|sdk| sdk.annotation_prefix.as_ref()) {
        page.annotated_by(prefix.as_str(), deadline)
            .await
            .context("the page cannot be read as the bundle says")?;
    }
    let Some(bindings) = bundle.and_then(|bundle| bundle.bindings.as_ref()) else { return Ok(Vec::new()) };
    let bound = page.bind(bindings, deadline).await.context("the page cannot be bound")?;
    let told = |problem| format!("The bundle has a binding that is not used: {problem}");
    Ok(bound.problems.into_iter().map(told).collect())
}

/// What a person should know about how the page arrived.
fn remark(page: &Page) -> Vec<String> {
    let arrival = page.arrival();
    let unfinished = (arrival.settled == Settled::Unfinished)
        .then(|| "The page was still loading after the wait; this is what was there.".to_owned());
    let refused = arrival.status.filter(|status| *status >= 400);
    let refused = refused.map(|status| format!("The server answered with status {status}."));
    unfinished.into_iter().chain(refused).collect()
}

fn tell(remarks: &[String]) -> Result<(), Trouble> {
    for remark in remarks {
        writeln!(std::io::stderr(), "{remark}")?;
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
