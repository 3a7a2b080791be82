//! Brings a control to a number: set it, read it back, try again within bounds (RFC 008).
//!
//! Start at [`Adjustment::new`]; ask for [`Adjustment::advance`], carry it out, tell what was read, and ask again. It
//! always ends, after at most [`ATTEMPTS_MAX`] attempts.

use super::{Finding, FindingWord};

/// Most attempts of one adjustment.
pub const ATTEMPTS_MAX: u32 = 12;
/// Most presses of a key in one attempt.
pub const PRESSES_MAX: u32 = 200;
/// The share of its range by which a control without steps may be off, if nobody says.
pub const TOLERANCE_SHARE: f64 = 0.01;

/// Two numbers this near to each other, measured by their size, are the same: decimals do not add up exactly.
const SAME_SHARE: f64 = 1e-9;

/// What is known of a control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Control {
    /// Its value.
    pub value: f64,
    /// The smallest one.
    pub min: Option<f64>,
    /// The largest one.
    pub max: Option<f64>,
    /// The distance of two values.
    pub step: Option<f64>,
}

/// How a control is moved, the best way first. A way that is not open, or leads nowhere, is followed by the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// By its value.
    Direct,
    /// By its value, guided by what was read.
    Search,
    /// By keys, one step each.
    Increments,
    /// By a pointer on its track, guided by what was read.
    Pointer,
}

impl Mode {
    /// As it stands in a result.
    pub fn word(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Search => "search",
            Self::Increments => "increments",
            Self::Pointer => "pointer",
        }
    }
}

/// What to do next.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// Set this value.
    Set(f64),
    /// Press the key for more this often; for less, if negative.
    Press(i32),
    /// Press its track at this share of its length, from its low end.
    Point(f64),
    /// Nothing more.
    Stop(Adjusted),
}

/// How an adjustment ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Adjusted {
    /// The value before.
    pub before: f64,
    /// The value that was wanted.
    pub target: f64,
    /// The value now.
    pub after: f64,
    /// How far it is off.
    pub residual: f64,
    /// The distance of two values, if the control has one.
    pub step: Option<f64>,
    /// How often it was tried.
    pub attempts: u32,
    /// How it was moved last.
    pub mode: Mode,
    /// Its value could not be set, so it had to be moved in another way.
    pub degraded: bool,
    /// How near is near enough.
    pub tolerance: f64,
    /// It is near enough.
    pub converged: bool,
}

impl Adjusted {
    /// In a word and a sentence.
    pub fn finding(&self) -> Finding {
        let Self { before, target, after, residual, attempts, .. } = self;
        let word = match (self.converged, *residual == 0.0) {
            (true, true) => FindingWord::Verified,
            (true, false) => FindingWord::WithinTolerance,
            (false, _) => FindingWord::NotConverged,
        };
        let says =
            format!("from {before} to {after}, wanted {target}, off by {residual} after {attempts} attempts");
        Finding::new(word, says)
    }
}

/// One adjustment.
#[derive(Clone, Debug)]
pub struct Adjustment {
    control: Control,
    target: f64,
    tolerance: f64,
    /// How it is moved next.
    mode: Mode,
    /// How it was moved last.
    used: Mode,
    attempts: u32,
    /// What was set or pressed last, until it is read.
    tried: Option<f64>,
    /// How far one key moves it, where that is known or was seen.
    step: Option<f64>,
    value: f64,
    /// The input that came nearest, and what it led to.
    best: Option<(f64, f64)>,
    /// Inputs that are known to lead to too little and to too much.
    bracket: (Option<f64>, Option<f64>),
    degraded: bool,
    /// No further input promises anything better.
    stuck: bool,
    went_back: bool,
}

impl Adjustment {
    /// Begins. Without a tolerance, a control with steps must be exact, and one without may be off by a hundredth of
    /// its range.
    pub fn new(control: Control, target: f64, tolerance: Option<f64>) -> Self {
        let range = control.max.zip(control.min).map_or(0.0, |(max, min)| (max - min).abs());
        let by_default = if control.step.is_some() { 0.0 } else { range * TOLERANCE_SHARE };
        Self {
            control,
            target,
            tolerance: tolerance.filter(|given| given.is_finite() && *given >= 0.0).unwrap_or(by_default),
            mode: Mode::Direct,
            used: Mode::Direct,
            attempts: 0,
            tried: None,
            step: control.step.filter(|step| *step > 0.0),
            value: control.value,
            best: None,
            bracket: (control.min, control.max),
            degraded: false,
            stuck: false,
            went_back: false,
        }
    }

    /// What to do now.
    pub fn advance(&mut self) -> Next {
        let reachable = self.target.is_finite()
            && self.control.min.is_none_or(|min| self.target >= min)
            && self.control.max.is_none_or(|max| self.target <= max);
        let near = self.attempts > 0 && self.residual() <= self.tolerance;
        if !reachable || self.is_there() || near || self.attempts >= ATTEMPTS_MAX {
            return Next::Stop(self.adjusted());
        }
        // The last attempt is kept for going back to what came nearest.
        if self.stuck || (self.mode == Mode::Search && self.attempts + 1 >= ATTEMPTS_MAX) {
            return match self.best {
                Some((input, value)) if !self.went_back && !same(value, self.value) => {
                    self.went_back = true;
                    self.set(input)
                }
                _ => Next::Stop(self.adjusted()),
            };
        }
        match self.mode {
            Mode::Direct => self.set(self.target),
            Mode::Search => self.set(self.halfway()),
            Mode::Increments => {
                self.attempt(self.value);
                Next::Press(self.presses())
            }
            Mode::Pointer => {
                let share = self.share();
                self.attempt(share);
                Next::Point(share)
            }
        }
    }

    /// What was asked for last cannot be done to this control. Nothing happened.
    pub fn refused(&mut self) {
        if self.tried.take().is_some() {
            self.attempts = self.attempts.saturating_sub(1);
            self.take_next_way();
        }
    }

    /// Leaves a way that leads nowhere.
    fn take_next_way(&mut self) {
        self.degraded = true;
        self.mode = match self.mode {
            Mode::Direct | Mode::Search if self.presses() != 0 => Mode::Increments,
            Mode::Direct | Mode::Search | Mode::Increments if self.range().is_some() => {
                (self.best, self.bracket) = (None, (Some(0.0), Some(1.0)));
                Mode::Pointer
            }
            last => {
                self.stuck = true;
                last
            }
        };
    }

    fn set(&mut self, input: f64) -> Next {
        self.attempt(input);
        Next::Set(input)
    }

    fn attempt(&mut self, input: f64) {
        self.attempts += 1;
        self.tried = Some(input);
    }

    /// What was read after the last attempt, from the page and not from what was set.
    pub fn read(&mut self, value: f64) {
        let Some(tried) = self.tried.take() else { return };
        self.used = self.mode;
        let (last, value) = (self.value, if value.is_finite() { value } else { self.value });
        self.value = value;
        if self.is_there() || self.went_back {
            return;
        }
        match self.mode {
            // Nothing happened at all: it cannot be moved so.
            Mode::Direct | Mode::Increments if same(value, last) => self.take_next_way(),
            Mode::Direct | Mode::Search => {
                self.learn(tried, value);
                self.mode = Mode::Search;
            }
            Mode::Increments => {
                let nearer = (value - self.target).abs() < (last - self.target).abs();
                self.step.get_or_insert((value - last).abs());
                self.stuck = !nearer || self.presses() == 0;
            }
            Mode::Pointer => self.learn(tried, value),
        }
    }

    /// Narrows the search, and ends it where the control snaps or nothing is left between.
    fn learn(&mut self, input: f64, value: f64) {
        let off = |value: f64| (value - self.target).abs();
        if self.best.is_none_or(|(_, best)| off(value) < off(best)) {
            self.best = Some((input, value));
        }
        let (low, high) = &mut self.bracket;
        let side = if value < self.target { low } else { high };
        *side = Some(input);
        let step = self.control.step.unwrap_or_default();
        let snapped = step > 0.0 && off(value) <= step / 2.0 * (1.0 + SAME_SHARE);
        let narrow = match self.bracket {
            (Some(low), Some(high)) => high <= low || same(low, high),
            // Where it ends is not known, so there is no middle.
            _ => true,
        };
        self.stuck = snapped || narrow;
    }

    /// Halfway between what leads to too little and what leads to too much.
    fn halfway(&self) -> f64 {
        match self.bracket {
            (Some(low), Some(high)) => low + (high - low) / 2.0,
            _ => self.target,
        }
    }

    /// Its smallest value and how far it is from there to the largest.
    fn range(&self) -> Option<(f64, f64)> {
        let (min, max) = self.control.min.zip(self.control.max)?;
        (max > min).then_some((min, max - min))
    }

    /// Where on its track the target should be: where it is on an even scale, then nearer to it by as much as it was
    /// off, within what is known to be too little and too much.
    fn share(&self) -> f64 {
        let (Some((min, length)), (Some(low), Some(high))) = (self.range(), self.bracket) else { return 0.0 };
        let guess = match self.best {
            None => (self.target - min) / length,
            Some((share, value)) => share + (self.target - value) / length,
        };
        let is_new = self.best.is_none() || (guess > low && guess < high);
        if is_new { guess.clamp(0.0, 1.0) } else { self.halfway() }
    }

    fn presses(&self) -> i32 {
        // One press shows how far it goes.
        let Some(step) = self.step else { return if self.target < self.value { -1 } else { 1 } };
        let limit = f64::from(PRESSES_MAX);
        #[expect(clippy::cast_possible_truncation, reason = "it lies between the limits")]
        let presses = ((self.target - self.value) / step).round().clamp(-limit, limit) as i32;
        presses
    }

    fn residual(&self) -> f64 {
        if self.is_there() { 0.0 } else { (self.value - self.target).abs() }
    }

    fn is_there(&self) -> bool {
        same(self.value, self.target)
    }

    fn adjusted(&self) -> Adjusted {
        let residual = self.residual();
        Adjusted {
            before: self.control.value,
            target: self.target,
            after: self.value,
            residual,
            step: self.control.step,
            attempts: self.attempts,
            mode: self.used,
            degraded: self.degraded,
            tolerance: self.tolerance,
            converged: residual <= self.tolerance,
        }
    }
}

fn same(one: f64, other: f64) -> bool {
    (one - other).abs() <= SAME_SHARE * one.abs().max(other.abs()).max(1.0)
}
