//! What breaks, and when: drawn from a seed.

use std::time::Duration;

/// The moments at which something breaks: what the actor says of itself, and `counted`, which the server says. Where
/// it matters most stands more than once.
const PHASES: [&str; 20] = [
    "attached",
    "opened",
    "journal open",
    "admitting",
    "admitted",
    "resolving_target",
    "checking_preconditions",
    "intending",
    "intending",
    "intended",
    "intended",
    "intended",
    "executing",
    "executing",
    "counted",
    "counted",
    "verifying",
    "verifying",
    "concluding",
    "concluded",
];
/// Longest time between the moment and the blow.
const LAG_MS_MAX: u64 = 60;

/// What breaks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Blow {
    /// The acting process is killed.
    KillActor,
    /// The line to the browser is cut.
    CutLink,
    /// Answers of the browser are lost; a little later the line is cut.
    DeafenLink,
    /// The browser is killed.
    KillBrowser,
}

impl Blow {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::KillActor => "actor killed",
            Self::CutLink => "link cut",
            Self::DeafenLink => "link deaf, then cut",
            Self::KillBrowser => "browser killed",
        }
    }
}

/// When.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Moment {
    /// As soon as this is said.
    Phase(&'static str),
    /// This part of its usual time after its start.
    Share(f64),
}

/// What breaks, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strike {
    pub(crate) blow: Blow,
    pub(crate) moment: Moment,
    pub(crate) lag: Duration,
}

impl Strike {
    pub(crate) fn drawn(dice: &mut Dice) -> Self {
        let blow = match dice.below(20) {
            0..11 => Blow::KillActor,
            11..15 => Blow::CutLink,
            15..19 => Blow::DeafenLink,
            _ => Blow::KillBrowser,
        };
        let moment = match dice.below(4) {
            0 => Moment::Share(f64::from(u32::try_from(dice.below(115)).unwrap_or_default()) / 100.0),
            _ => Moment::Phase(dice.one_of(&PHASES)),
        };
        // Half of the blows fall at once.
        let lag = dice.below(2) * dice.below(LAG_MS_MAX);
        Self { blow, moment, lag: Duration::from_millis(lag) }
    }
}

/// Numbers that look like chance and are the same for the same seed (`SplitMix64`).
#[derive(Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64, round: u64) -> Self {
        Self(seed.rotate_left(32) ^ round)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % limit
    }

    pub(crate) fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        let number = self.below(items.len() as u64);
        items[usize::try_from(number).unwrap_or_default()]
    }
}
