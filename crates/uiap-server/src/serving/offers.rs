//! What the application offers by itself, and that it changed.
//!
//! Nobody is told of what nobody asked for: as long as no session has asked what can be done, nothing is watched.

use super::House;
use super::capabilities::permitted;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};
use uiap_protocol::capability::{ActionDescriptor, CapabilityDocument};
use uiap_runtime::journal::Journal;
use uiap_runtime::standing::Rights;
use uiap_runtime::surface::{Surface, SurfaceError};

/// An application that shows no change is asked all the same after this long.
const ASK_AGAIN_AFTER: Duration = Duration::from_secs(5);
/// Pause between a change of the page and the question, so that many changes are one.
const CHANGES_PAUSE: Duration = Duration::from_millis(200);
/// Longest wait for what an application offers.
const OFFERS_WAIT: Duration = Duration::from_secs(2);

/// What the application offered when it was last asked.
#[derive(Debug, Default)]
pub(super) struct Offers {
    known: watch::Sender<Arc<Vec<ActionDescriptor>>>,
    /// Somebody looks for changes.
    watched: AtomicBool,
}

impl Offers {
    /// Hears of changes from now on.
    pub(super) fn heard(&self) -> watch::Receiver<Arc<Vec<ActionDescriptor>>> {
        self.known.subscribe()
    }
}

impl<S: Surface + 'static, J: Journal + 'static> House<S, J> {
    /// Asks the application what it offers now.
    pub(super) async fn ask_offers(&self, wait: Duration) {
        let offered = self.runtime.surface().offers(Instant::now() + wait).await;
        self.offers.known.send_if_modified(|known| {
            let is_new = **known != offered;
            if is_new {
                *known = Arc::new(offered);
            }
            is_new
        });
    }

    /// What can be done here with these rights.
    pub(super) fn offered_to(&self, rights: &Rights) -> CapabilityDocument {
        let offered = Arc::clone(&self.offers.known.borrow());
        permitted(&self.capabilities, &offered, rights)
    }

    /// Looks for changes, for as long as somebody wants to hear of them.
    pub(super) fn watch_offers(self: &Arc<Self>) {
        if !self.offers.watched.swap(true, Ordering::SeqCst) {
            tokio::spawn(Arc::clone(self).follow_offers());
        }
    }

    async fn follow_offers(self: Arc<Self>) {
        let surface = self.runtime.surface();
        let mut mark = surface.mark();
        while self.offers.known.receiver_count() > 0 {
            match surface.news(mark, Instant::now() + ASK_AGAIN_AFTER).await {
                Ok(news) => mark = news.next,
                // Everybody is told by his own session that the application has gone.
                Err(SurfaceError::Gone { .. }) => break,
                Err(SurfaceError::Silent { .. }) => {}
            }
            sleep(CHANGES_PAUSE).await;
            self.ask_offers(OFFERS_WAIT).await;
        }
        self.offers.watched.store(false, Ordering::SeqCst);
    }
}
