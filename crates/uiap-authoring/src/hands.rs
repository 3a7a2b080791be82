//! Who does the parts of a build that do not depend on each other.

/// Does jobs. The result of a build is the same whoever does them, and in whatever order.
pub trait Hands: std::fmt::Debug + Sync {
    /// Does every job from 0 to `jobs` once, and returns when all are done.
    fn share(&self, jobs: usize, job: &(dyn Fn(usize) + Sync));
}

/// Does one job after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct OneHand;

impl Hands for OneHand {
    fn share(&self, jobs: usize, job: &(dyn Fn(usize) + Sync)) {
        (0..jobs).for_each(job);
    }
}
