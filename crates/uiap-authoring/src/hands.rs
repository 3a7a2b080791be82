//! Who does the parts of a build that do not depend on each other.

use std::sync::OnceLock;

/// How many items make one job: so many that handing it out costs nothing beside doing it.
const PORTION: usize = 128;

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

/// What comes out of work on every item, in the order of the items. One more job is done besides, and begun first.
pub(crate) fn of_each<T: Sync, R: Send + Sync>(
    hands: &dyn Hands,
    items: &[T],
    besides: &(dyn Fn() + Sync),
    work: &(dyn Fn(&T) -> R + Sync),
) -> Vec<R> {
    let portions: Vec<&[T]> = items.chunks(PORTION).collect();
    let results: Vec<OnceLock<Vec<R>>> = portions.iter().map(|_| OnceLock::new()).collect();
    let whole = |portion: &[T]| portion.iter().map(work).collect();
    hands.share(portions.len() + 1, &|job| match job.checked_sub(1) {
        None => besides(),
        Some(number) => {
            if let Some((portion, result)) = portions.get(number).zip(results.get(number)) {
                result.get_or_init(|| whole(portion));
            }
        }
    });
    let results = portions.iter().zip(results);
    results.flat_map(|(portion, result)| result.into_inner().unwrap_or_else(|| whole(portion))).collect()
}
