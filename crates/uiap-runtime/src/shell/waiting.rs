//! Waits on a surface: drives the pure machine of [`wait`](crate::wait).

use crate::life::Millis;
use crate::redaction::RedactionFilter;
use crate::surface::{Surface, SurfaceError};
use crate::wait::{Condition, Decision, Revisions, Wait, Waited};
use std::time::Duration;
use tokio::time::Instant;

/// Waits for something that the reader may see: what is withheld cannot be waited for. `revisions` are those that the
/// caller has seen; what is seen here is added to them.
pub async fn wait<S: Surface>(
    surface: &S,
    redaction: &RedactionFilter<'_>,
    revisions: &mut Revisions,
    condition: Condition,
    timeout: Duration,
) -> Result<Waited, SurfaceError> {
    let began = Instant::now();
    let now = || Millis::try_from(began.elapsed().as_millis()).unwrap_or(Millis::MAX);
    surface.look(false, began + timeout).await?;
    // What happens from here on is heard, whatever is seen at first.
    let mut mark = surface.mark();
    let begin = |revisions: &mut Revisions| {
        surface.scene(|scene| {
            revisions.note(scene.page);
            let timeout = Millis::try_from(timeout.as_millis()).unwrap_or(Millis::MAX);
            let shown = redaction.page(scene.page);
            Wait::new(condition.clone(), timeout, shown.as_ref().unwrap_or(scene.page), revisions, now())
        })
    };
    let unseen = || SurfaceError::Silent { reason: "nothing is known of the page".to_owned() };
    let mut wait = begin(revisions).ok_or_else(unseen)?;
    loop {
        let looked = surface.scene(|scene| {
            revisions.note(scene.page);
            let shown = redaction.page(scene.page);
            wait.look(shown.as_ref().unwrap_or(scene.page), revisions, surface.loading(), now())
        });
        // While one page is replaced by another there is none to look at.
        let until = match looked.unwrap_or_else(|| wait.wake(now())) {
            Decision::Over(waited) => return Ok(*waited),
            Decision::Until(at) => began + Duration::from_millis(at),
        };
        match surface.news(mark, until).await {
            Ok(news) => {
                mark = news.next;
                let shown = redaction.signals_of(&news.signals, surface);
                shown.iter().for_each(|signal| wait.hear(signal));
            }
            Err(gone @ SurfaceError::Gone { .. }) => return Err(gone),
            Err(SurfaceError::Silent { .. }) => tokio::time::sleep_until(until).await,
        }
    }
}
