//! Waiting until a page shows what it is going to show.
//!
//! A page is there when what identifies it stays the same for a moment while nothing is loaded. Clocks, animations and
//! data that arrive by themselves do not count: they do not change what identifies it.

use super::patience::{CALM, Patience, REST_WAIT};
use crate::fingerprint::fingerprint;
use crate::sighting::{Sighting, Thing, mark_menus};
use std::time::Duration;
use tokio::time::Instant;
use uiap_protocol::discovery::StateFingerprintPolicy;
use uiap_protocol::ids::ElementInstanceId;
use uiap_protocol::web::{PageGraph, WebSignalBody};
use uiap_runtime::surface::{Mark, Surface, SurfaceError};

/// How long a look may take at least, even if time is up: a page that never rests is seen all the same.
const LOOK_WAIT: Duration = Duration::from_secs(5);
/// Shortest time between two looks at a page that never rests.
const PAUSE: Duration = Duration::from_millis(25);

/// A page that is there.
#[derive(Clone, Debug)]
pub(super) struct Settled {
    /// The page, with what is known of its menus.
    pub(super) graph: PageGraph,
    /// The lists that are menus, though nothing on the page says so.
    pub(super) menus: Vec<ElementInstanceId>,
    /// What identifies it.
    pub(super) fingerprint: String,
}

/// Waits until a page is there, or time is up; then it is taken as it is. A page that is still being built gets more time.
/// Some of its lists may be menus.
pub(super) async fn settle(
    surface: &impl Surface,
    mark: Mark,
    policy: &StateFingerprintPolicy,
    menus: impl Fn(&PageGraph) -> Vec<ElementInstanceId>,
    until: Instant,
) -> Result<Settled, SurfaceError> {
    let mut patience = Patience::new(until);
    let mut heard = mark;
    loop {
        let until = patience.end(Instant::now());
        // A page that does not come to rest is judged by what it shows.
        let rested = surface.rest(mark, until.min(Instant::now() + REST_WAIT)).await;
        if let Err(gone @ SurfaceError::Gone { .. }) = rested {
            return Err(gone);
        }
        let looked_at = surface.mark();
        let looked = surface.look(false, until.max(Instant::now() + LOOK_WAIT)).await;
        let mut graph = match (looked, surface.scene(|scene| scene.page.graph())) {
            (Ok(()), Some(graph)) => graph,
            (Err(gone @ SurfaceError::Gone { .. }), _) => return Err(gone),
            (Err(silent), _) if Instant::now() >= until => return Err(silent),
            (Ok(()), None) if Instant::now() >= until => {
                return Err(SurfaceError::Silent { reason: "it shows nothing".to_owned() });
            }
            // It was replaced under the look; what comes next may stay.
            (Err(SurfaceError::Silent { .. }), _) | (Ok(()), None) => {
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        let menus = menus(&graph);
        mark_menus(&mut graph, &menus);
        let (fingerprint, is_waiting) = {
            let sighting = Sighting::of(&graph);
            (fingerprint(&sighting, policy), sighting.things.iter().any(Thing::is_waiting))
        };
        heard = hear(surface, heard, &mut patience).await?;
        let now = Instant::now();
        let since = patience.see(&fingerprint, now);
        let is_there = patience.is_calm(rested.is_ok(), now) && !is_waiting;
        let until = patience.end(now);
        if is_there || now >= until {
            return Ok(Settled { graph, menus, fingerprint });
        }
        let pause = now + PAUSE;
        let wake = if is_waiting { now + CALM } else { since + CALM };
        surface.news(looked_at, wake.max(pause).min(until)).await?;
        tokio::time::sleep_until(pause.min(until)).await;
    }
}

/// Takes in what was answered since a mark. Returns where to go on.
async fn hear(surface: &impl Surface, since: Mark, patience: &mut Patience) -> Result<Mark, SurfaceError> {
    let news = surface.news(since, Instant::now()).await?;
    for signal in &news.signals {
        if let WebSignalBody::NetworkResponse { url, .. } = &signal.body {
            patience.hear(url, Instant::now());
        }
    }
    Ok(news.next)
}
