//! Until when somebody is willing to wait.

use std::time::Duration;
use tokio::time::Instant;

/// Longest wait anybody can ask for, so that no arithmetic overflows.
const WAIT_MAX: Duration = Duration::from_hours(24);

/// A moment after which a wait is over. Passed down, so that the parts of one operation share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

impl Deadline {
    /// So long from now.
    pub fn after(wait: Duration) -> Self {
        Self(Instant::now() + wait.min(WAIT_MAX))
    }

    /// At this moment.
    pub fn at(moment: Instant) -> Self {
        Self(moment)
    }

    /// What is left of it.
    pub fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// It is over.
    pub fn is_over(self) -> bool {
        self.left().is_zero()
    }

    /// The earlier of this one and the given wait from now.
    #[must_use]
    pub fn at_most(self, wait: Duration) -> Self {
        self.min(Self::after(wait))
    }

    /// Half of what is left: for a wait after which something must still be done.
    #[must_use]
    pub fn half(self) -> Self {
        self.at_most(self.left() / 2)
    }

    /// The result of the future, or `None` when time is up first.
    pub async fn limit<F: Future>(self, future: F) -> Option<F::Output> {
        tokio::time::timeout_at(self.0, future).await.ok()
    }
}
