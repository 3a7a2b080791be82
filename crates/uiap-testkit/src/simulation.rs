//! One action against a world that misbehaves, in virtual time.
//!
//! Start at [`run`]: a seed is a schedule. The seed decides what kind of action it is, how the page and the person
//! behave, and what goes wrong: slow, lost and repeated answers, a target that goes away or changes, effects that come
//! early, late or not at all, or are taken back, a surface that dies, a journal that fails, a process that is killed
//! between any two steps. The world knows what really happened; [`run`] compares it with what the runtime says. The
//! same seed gives the same run.

mod world;

pub use world::{Broken, Report, run};

/// A source of numbers that are always the same for a seed (`SplitMix64`).
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    /// Whether something happens that happens so often in a hundred times.
    pub(crate) fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    /// How long something takes: mostly little, sometimes very much.
    pub(crate) fn delay(&mut self) -> u64 {
        match self.below(20) {
            0 => self.below(20_000),
            1..=4 => self.below(900),
            _ => self.below(40),
        }
    }
}
