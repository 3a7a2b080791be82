//! Many seeds at a time. Every seed has a thread of its own world, so the order does not matter.

use super::Broken;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

/// So many seeds that break something are enough to see what is wrong.
const BROKEN_MAX: usize = 50;

/// Plays every seed and adds up what they give. Gives the seeds that broke something, too.
pub(super) fn in_parallel<T, S>(
    seeds: Range<u64>,
    play: impl Fn(u64) -> Result<T, Broken> + Sync,
    add: impl Fn(&mut S, T) + Sync,
) -> (S, Vec<(u64, Broken)>)
where
    S: Default + Send,
    T: Send,
{
    let next = AtomicU64::new(seeds.start);
    let sum = Mutex::new((S::default(), Vec::new()));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return;
            }
            let played = play(seed);
            let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
            match played {
                Ok(report) => add(&mut sum.0, report),
                Err(broken) => sum.1.push((seed, broken)),
            }
            if sum.1.len() >= BROKEN_MAX {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let (total, mut broken) = sum.into_inner().unwrap_or_else(PoisonError::into_inner);
    broken.sort_by_key(|(seed, _)| *seed);
    (total, broken)
}
