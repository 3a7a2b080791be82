//! Chance that can be repeated.

use std::cell::RefCell;

/// A source of numbers that are always the same for a seed (`SplitMix64`).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.roll() % bound.max(1)
    }

    /// Whether something happens that happens so often in a hundred times.
    pub fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    /// One of some.
    pub fn pick<T: Copy>(&mut self, first: T, others: &[T]) -> T {
        let place = self.below(others.len() as u64 + 1);
        let place = usize::try_from(place).unwrap_or_default();
        others.get(place).copied().unwrap_or(first)
    }

    /// A place in a list of this length.
    pub fn place(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).unwrap_or_default()
    }

    /// How many milliseconds something takes: mostly few, sometimes very many.
    pub fn delay(&mut self) -> u64 {
        match self.below(40) {
            0 => self.below(20_000),
            1..=6 => self.below(900),
            _ => self.below(40),
        }
    }
}

thread_local! {
    /// What a runtime of this thread takes for chance: its settings hold a plain function.
    static CHANCE: RefCell<Dice> = const { RefCell::new(Dice(0)) };
}

/// Begins the chance of this thread anew.
pub(super) fn seed_chance(seed: u64) {
    CHANCE.with(|dice| *dice.borrow_mut() = Dice::new(seed));
}

/// Sixteen bytes of this thread's chance.
pub(super) fn chance() -> [u8; 16] {
    CHANCE.with(|dice| {
        let mut dice = dice.borrow_mut();
        let (high, low) = (dice.roll(), dice.roll());
        (u128::from(high) << 64 | u128::from(low)).to_be_bytes()
    })
}
