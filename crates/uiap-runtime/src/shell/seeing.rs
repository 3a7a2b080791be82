//! Asks whoever looks at pictures where a target is.

use super::Runtime;
use crate::journal::Journal;
use crate::sight::{Eyes, Point, Sighting, Sought};
use crate::surface::Surface;
use std::time::Duration;
use tokio::time::{Instant, timeout};
use uiap_protocol::action::{ActionRequest, ResolvedTarget};

/// Longest wait for a point.
const SIGHT_WAIT: Duration = Duration::from_secs(10);

/// A point to act at, or why there is none; and what was looked at, if anything was.
pub(super) type Seen = (Result<Point, String>, Option<Sighting>);

impl<S: Surface, J: Journal> Runtime<S, J> {
    /// Where in a picture, taken now, the target is.
    pub(super) async fn sight(
        &self,
        eyes: Option<&dyn Eyes>,
        request: &ActionRequest,
        target: Option<&ResolvedTarget>,
        until: Instant,
    ) -> Seen {
        let Some(eyes) = eyes else { return (Err("nobody looks at pictures here".to_owned()), None) };
        let picture = match self.surface.picture(until).await {
            Ok(picture) => picture,
            Err(error) => return (Err(error.to_string()), None),
        };
        let found = timeout(SIGHT_WAIT, eyes.find(Sought { request, target, picture: &picture })).await;
        let point = found.ok().flatten();
        let sighting = Sighting { point, digest: picture.digest(), size: (picture.width, picture.height) };
        let point = match point {
            Some(point) if picture.contains(point) => Ok(point),
            Some(Point { x, y }) => Err(format!("the point {x}, {y} lies outside of the picture")),
            None => Err("nobody saw the target in the picture".to_owned()),
        };
        (point, Some(sighting))
    }
}
