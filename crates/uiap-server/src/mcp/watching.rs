//! What clients are told without asking again: that the page, or what was done, is not what they read before.
//!
//! Start at [`Watch`]. Before 2026-07-28 a client subscribes to one resource after the other ([`Subscriptions`]); since
//! then it listens to several at once. Both follow a watch of their own, which ends with them.

use super::resources::{PAGE, TRACES};
use super::{Server, in_front};
use crate::host::Host;
use rmcp::RoleServer;
use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::Peer;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep_until};
use uiap_runtime::surface::{Mark, Surface as _};

/// What changes while somebody watches.
pub(super) const WATCHED: [&str; 2] = [PAGE, TRACES];
/// How long a client is left alone after it was told; a page may change all the time.
const PAUSE: Duration = Duration::from_millis(500);
/// How long a page is waited for at once.
const NEWS_WAIT: Duration = Duration::from_secs(30);

/// Something that changed.
enum Change {
    Of(&'static str),
    /// Nobody will change anything any more.
    End,
}

/// Watches resources for a client.
pub(super) struct Watch<H: Host> {
    server: Server<H>,
    wants: Vec<&'static str>,
    turned: watch::Receiver<()>,
    done: watch::Receiver<()>,
    /// Where in what happens on the page the client is.
    mark: Option<Mark>,
    quiet_until: Instant,
}

impl<H: Host> Watch<H> {
    /// Watches those that change; it need not be asked about the others.
    pub(super) fn new<'u>(server: &Server<H>, uris: impl IntoIterator<Item = &'u str>) -> Self {
        let uris: Vec<_> = uris.into_iter().collect();
        Self {
            wants: WATCHED.into_iter().filter(|known| uris.contains(known)).collect(),
            turned: server.0.turned.subscribe(),
            done: server.0.done.subscribe(),
            mark: in_front(&server.0.front).map(|room| room.application.runtime.surface().mark()),
            quiet_until: Instant::now(),
            server: server.for_client(),
        }
    }

    /// The next resource that is another one; nothing, if none will be. A watch that is given up here misses nothing.
    pub(super) async fn next(&mut self) -> Option<&'static str> {
        sleep_until(self.quiet_until).await;
        let change = tokio::select! {
            change = page(&self.server, &mut self.turned, &mut self.mark), if self.wants.contains(&PAGE) => change,
            changed = self.done.changed(), if self.wants.contains(&TRACES) => {
                changed.map_or(Change::End, |()| Change::Of(TRACES))
            }
            else => Change::End,
        };
        self.quiet_until = Instant::now() + PAUSE;
        match change {
            Change::Of(uri) => Some(uri),
            Change::End => None,
        }
    }
}

/// Waits until another page is open, or something happened on this one.
async fn page<H: Host>(
    server: &Server<H>,
    turned: &mut watch::Receiver<()>,
    mark: &mut Option<Mark>,
) -> Change {
    loop {
        let Some(room) = in_front(&server.0.front) else { return other_page(turned, mark).await };
        let surface = room.application.runtime.surface();
        let since = *mark.get_or_insert_with(|| surface.mark());
        let news = tokio::select! {
            change = other_page(turned, mark) => return change,
            news = surface.news(since, Instant::now() + NEWS_WAIT) => news,
        };
        match news {
            Ok(news) if news.next == since => {}
            Ok(news) => {
                *mark = Some(news.next);
                return Change::Of(PAGE);
            }
            // It is gone, and nothing happens before another one is opened.
            Err(_) => {
                drop(room);
                return other_page(turned, mark).await;
            }
        }
    }
}

async fn other_page(turned: &mut watch::Receiver<()>, mark: &mut Option<Mark>) -> Change {
    if turned.changed().await.is_err() {
        return Change::End;
    }
    *mark = None;
    Change::Of(PAGE)
}

/// What one client subscribed to; it ends with the client.
#[derive(Clone, Default)]
pub(super) struct Subscriptions(Arc<Kept>);

#[derive(Default)]
struct Kept(Mutex<HashMap<String, AbortHandle>>);

impl Subscriptions {
    /// Tells the client from now on when a resource is another one.
    pub(super) fn add<H: Host>(&self, server: &Server<H>, uri: &str, peer: Peer<RoleServer>) {
        let mut watch = Watch::new(server, [uri]);
        let task = tokio::spawn(async move {
            while let Some(uri) = watch.next().await {
                if peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await.is_err() {
                    return;
                }
            }
        });
        let mut kept = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(before) = kept.insert(uri.to_owned(), task.abort_handle()) {
            before.abort();
        }
    }

    /// Tells it no longer.
    pub(super) fn remove(&self, uri: &str) {
        if let Some(task) = self.0.0.lock().unwrap_or_else(PoisonError::into_inner).remove(uri) {
            task.abort();
        }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let kept = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        kept.values().for_each(AbortHandle::abort);
    }
}
