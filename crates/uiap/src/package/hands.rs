//! Many hands: one thread for each processor.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use uiap_authoring::Hands;

/// As many threads as there are processors, for as long as there is something to do.
#[derive(Debug)]
pub(crate) struct Threads;

impl Hands for Threads {
    fn share(&self, jobs: usize, job: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(one) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|one| *one < jobs) {
                job(one);
            }
        };
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        thread::scope(|scope| {
            for _ in 1..processors.min(jobs) {
                scope.spawn(work);
            }
            work();
        });
    }
}
