//! Whether an action had the effect it was to have.
//!
//! Start at [`Expectation::of`] and [`Judge::new`]. A judge remembers what was true before the dispatch, hears
//! everything that happens after it, and says on every new revision what was observed and what is missing. It never
//! waits and never looks by itself; the same events give the same words. What was true before counts as an effect only
//! for an action that may be repeated; what happened before the baseline never counts.

pub mod adjust;
mod area;
mod before;
mod expectation;
mod finding;
mod least;
mod pattern;
mod reaction;
mod signals;
mod target;
mod text;

pub use expectation::{Asked, Expectation, Origin, Place, Rule, Sign, Wanted};
pub use finding::{Finding, FindingWord};
pub use least::Told;

use crate::life::Observation;
use crate::surface::{REQUEST_REFUSED, purpose};
use area::{Area, Touched};
use before::Before;
use least::Near;
use reaction::{Reaction, Surroundings, reaction};
use signals::{Look, standing};
use target::followed;
use uiap_protocol::capability::SuccessSignal;
use uiap_protocol::web::{GraphStore, WebSignal, WebSignalBody};

/// Most signals that are kept of one action.
const HEARD_MAX: usize = 1_024;
/// Most objections that are kept.
const OBJECTIONS_MAX: usize = 16;

/// Judges one action.
#[derive(Debug)]
pub struct Judge {
    expectation: Expectation,
    before: Before,
    /// The surroundings of the target as they were.
    area: Option<Area>,
    heard: Vec<WebSignalBody>,
    told: Told,
    objections: Vec<String>,
    memory: Vec<Memory>,
    /// What the one who asked was shown, where that one named the signs.
    shown: Option<Shown>,
}

/// The baseline and what happened since, as a reader sees it who may not see everything.
#[derive(Debug)]
struct Shown {
    before: Before,
    heard: Vec<WebSignalBody>,
}

/// What is remembered of a sign.
#[derive(Clone, Copy, Debug)]
struct Memory {
    /// It was true before.
    held: bool,
    /// It was seen to be false since.
    left: bool,
}

/// How one sign stands.
#[derive(Clone, Debug, Default)]
struct Reading {
    holds: bool,
    /// It holds and did not before.
    effect: bool,
    near: Option<Near>,
    other: Option<String>,
    /// What shows it.
    signals: Vec<SuccessSignal>,
    words: Vec<String>,
}

impl Judge {
    /// Takes the baseline. Nothing may have been dispatched yet.
    pub fn new(expectation: Expectation, page: &GraphStore) -> Self {
        Self::for_reader(expectation, page, None)
    }

    /// The same for a reader who may not see everything: `shown` is what that reader sees of the page, if it is less. By
    /// it the signs are judged that the reader named.
    pub fn for_reader(expectation: Expectation, page: &GraphStore, shown: Option<&GraphStore>) -> Self {
        let before = Before::new(&expectation, page);
        let is_requested = expectation.is_requested();
        let baseline =
            || Shown { before: Before::new(&expectation, shown.unwrap_or(page)), heard: Vec::new() };
        let shown_before = is_requested.then(baseline);
        let area = before.target.as_ref().map(|target| Area::new(page, target));
        let mut judge = Self {
            expectation,
            before,
            area,
            heard: Vec::new(),
            told: Told::default(),
            objections: Vec::new(),
            memory: Vec::new(),
            shown: shown_before,
        };
        let held = judge.expectation.signs.iter().map(|sign| judge.holds(sign, page, shown));
        judge.memory = held.map(|held| Memory { held, left: false }).collect();
        judge
    }

    /// Learns what moves by itself: whatever changed more than once since the revision of this number, from which on
    /// nobody acted, proves nothing when it changes again. Say it before anything is dispatched.
    pub fn idle_since(&mut self, page: &GraphStore, seq: u64) {
        if let Some(area) = &mut self.area {
            area.learn(page, seq);
        }
    }

    /// What is expected.
    pub fn expectation(&self) -> &Expectation {
        &self.expectation
    }

    /// Hears what happened after the baseline.
    pub fn hear(&mut self, signal: &WebSignal) {
        self.hear_for_reader(signal, signal);
    }

    /// The same, with `shown` as what the reader may hear of it who named the signs.
    pub fn hear_for_reader(&mut self, signal: &WebSignal, shown: &WebSignal) {
        keep(&mut self.heard, signal);
        if let Some(reader) = &mut self.shown {
            keep(&mut reader.heard, shown);
        }
    }

    /// Is told by the surface what a page does not show.
    pub fn tell(&mut self, told: Told) {
        if let Some(against) = &told.against {
            self.object(against.as_str());
        }
        self.told.take(told);
    }

    /// Is told by the surface that something speaks against success, such as a refusal by the server in answer to the
    /// action. It outweighs a change that is only plausible, and no signal that was named.
    pub fn object(&mut self, reason: impl Into<String>) {
        if self.objections.len() < OBJECTIONS_MAX {
            self.objections.push(reason.into());
        }
    }

    /// Says how things stand on a page. It is settled when it has held over two frames and nothing that the action
    /// started is under way.
    pub fn observe(&mut self, page: &GraphStore, settled: bool) -> Observation {
        self.observe_shown(page, None, settled)
    }

    /// The same for a reader who may not see everything; see [`Judge::for_reader`].
    pub fn observe_shown(
        &mut self,
        page: &GraphStore,
        shown: Option<&GraphStore>,
        settled: bool,
    ) -> Observation {
        let touched = Touched::since(page, &self.before);
        let mut reaction = self.reaction(page, &touched);
        reaction.against.extend(self.objections.iter().cloned());
        let readings = self.read(page, shown, &touched, &reaction);
        let enough = self.is_enough(&readings);
        let (observed, missing) = self.sorted(&readings);
        let finding = self.find(page, settled, enough, &readings, &reaction);
        Observation {
            observed,
            missing,
            enough,
            settled,
            revision: (*page.revision() != self.before.revision).then(|| page.revision().clone()),
            changed: self.before.stirs != page.stirs()
                || !reaction.evidence.is_empty()
                || !reaction.against.is_empty(),
            finding: Some(finding),
        }
    }

    /// Whether a sign is true on the page of the baseline.
    fn holds(&self, sign: &Sign, page: &GraphStore, shown: Option<&GraphStore>) -> bool {
        let own = self.before.target.as_ref().and_then(|target| followed(page, target));
        match sign {
            Sign::Signal(signal) => match &self.shown {
                Some(own) => {
                    standing(signal, self.look_shown(own, shown.unwrap_or(page), &Touched::default())).holds
                }
                None => standing(signal, self.look(page, &Touched::default())).holds,
            },
            Sign::Least(wanted) => least::state(wanted, page, own, &self.told, None).holds,
        }
    }

    fn look<'l>(&'l self, page: &'l GraphStore, touched: &'l Touched<'l>) -> Look<'l> {
        let own = self.before.target.as_ref().and_then(|target| followed(page, target));
        Look {
            page,
            before: &self.before,
            heard: &self.heard,
            touched,
            own: own.map(|own| (own, self.told.as_wanted)),
        }
    }

    fn look_shown<'l>(
        &'l self,
        shown: &'l Shown,
        page: &'l GraphStore,
        touched: &'l Touched<'l>,
    ) -> Look<'l> {
        let own = shown.before.target.as_ref().and_then(|target| followed(page, target));
        Look {
            page,
            before: &shown.before,
            heard: &shown.heard,
            touched,
            own: own.map(|own| (own, self.told.as_wanted)),
        }
    }

    /// How a signal stands, for the one who named it.
    fn standing_of(
        &self,
        signal: &SuccessSignal,
        page: &GraphStore,
        shown: Option<&GraphStore>,
        touched: &Touched<'_>,
    ) -> signals::Standing {
        let Some(own) = &self.shown else { return standing(signal, self.look(page, touched)) };
        let page = shown.unwrap_or(page);
        let touched = Touched::since(page, &own.before);
        standing(signal, self.look_shown(own, page, &touched))
    }

    fn reaction(&mut self, page: &GraphStore, touched: &Touched<'_>) -> Reaction {
        reaction(&mut Surroundings {
            page,
            before: &self.before,
            heard: &self.heard,
            area: self.area.as_mut(),
            touched,
            submits: self.expectation.wanted == Wanted::Submitted,
        })
    }

    fn read(
        &mut self,
        page: &GraphStore,
        shown: Option<&GraphStore>,
        touched: &Touched<'_>,
        reaction: &Reaction,
    ) -> Vec<Reading> {
        let signs = self.expectation.signs.iter();
        let mut readings: Vec<_> = signs
            .map(|sign| match sign {
                Sign::Signal(signal) => {
                    Self::reading_of(sign, self.standing_of(signal, page, shown, touched))
                }
                Sign::Least(wanted) => self.least(sign, wanted, page, reaction),
            })
            .collect();
        for (reading, memory) in readings.iter_mut().zip(&mut self.memory) {
            memory.left |= !reading.holds;
            reading.effect = reading.holds && (reading.effect || !memory.held || memory.left);
        }
        readings
    }

    /// A sign that was named.
    fn reading_of(sign: &Sign, standing: signals::Standing) -> Reading {
        let signals = match sign {
            Sign::Signal(signal) => vec![signal.as_ref().clone()],
            Sign::Least(_) => Vec::new(),
        };
        Reading {
            holds: standing.holds,
            effect: standing.new,
            signals,
            words: vec![sign.words()],
            ..Reading::default()
        }
    }

    /// The least that the profile asks for; its effect is what can only be new.
    fn least(&self, sign: &Sign, wanted: &Wanted, page: &GraphStore, reaction: &Reaction) -> Reading {
        let own = self.before.target.as_ref().and_then(|target| followed(page, target));
        let refusal = self.refusal_of(&page.route().url);
        match wanted {
            Wanted::Invoked if self.told.acknowledged == Some(true) => Reading {
                holds: true,
                effect: true,
                words: vec!["the application says that it took effect".to_owned()],
                ..Reading::default()
            },
            Wanted::Reaction | Wanted::Submitted | Wanted::Invoked => by_reaction(reaction),
            Wanted::Arrived(_) if refusal.is_some() => {
                Reading { other: refusal, words: vec![sign.words()], ..Reading::default() }
            }
            wanted => {
                let state = least::state(wanted, page, own, &self.told, Some(&self.before));
                Reading {
                    holds: state.holds,
                    effect: state.new,
                    near: state.near,
                    other: state.other,
                    signals: state.signal.into_iter().collect(),
                    words: vec![sign.words()],
                }
            }
        }
    }

    /// The server refused the document that is shown: what is there only says so.
    fn refusal_of(&self, url: &str) -> Option<String> {
        let refused = |body: &&WebSignalBody| match body {
            WebSignalBody::Vendor(form) if form.word.as_str() == REQUEST_REFUSED => {
                let member = |name: &str| form.members.get(name).and_then(serde_json::Value::as_str);
                member("purpose") == Some(purpose::PLACE)
                    && member("url").is_some_and(|refused| pattern::same_place(refused, url))
            }
            _ => false,
        };
        self.heard.iter().find(refused).map(|_| format!("the server refused {}", pattern::local(url)))
    }

    /// What is true already counts for this action.
    fn takes_the_old(&self) -> bool {
        let by_profile =
            self.expectation.origin == Origin::Profile && self.expectation.wanted.names_a_state();
        self.expectation.idempotent || by_profile
    }

    fn is_enough(&self, readings: &[Reading]) -> bool {
        let old = self.takes_the_old();
        let counts = |reading: &Reading| reading.effect || (old && reading.holds);
        match self.expectation.rule {
            Rule::Any => readings.iter().any(counts),
            Rule::All => readings.iter().all(|reading| reading.holds) && readings.iter().any(counts),
            Rule::Nothing => false,
        }
    }

    /// What was observed and what is missing. Beside an effect, what must hold as well may have held before.
    fn sorted(&self, readings: &[Reading]) -> (Vec<SuccessSignal>, Vec<SuccessSignal>) {
        let effect = readings.iter().any(|reading| reading.effect);
        let old_counts = self.takes_the_old() || (self.expectation.rule == Rule::All && effect);
        let (mut observed, mut missing) = (Vec::new(), Vec::new());
        for reading in readings {
            let counts = reading.effect || (old_counts && reading.holds);
            if counts { &mut observed } else { &mut missing }.extend(reading.signals.iter().cloned());
        }
        (observed, missing)
    }

    fn find(
        &self,
        page: &GraphStore,
        settled: bool,
        enough: bool,
        readings: &[Reading],
        reaction: &Reaction,
    ) -> Finding {
        use FindingWord as Word;
        if self.expectation.rule == Rule::Nothing {
            return Finding::new(Word::Unverified, "nothing was verified, as was asked for");
        }
        let wanted = || listed(self.expectation.signs.iter().map(Sign::words));
        if enough {
            let seen = listed(
                readings.iter().filter(|reading| reading.holds).flat_map(|reading| reading.words.clone()),
            );
            let old =
                if readings.iter().any(|reading| reading.effect) { "" } else { ", which was so before" };
            let near = readings.iter().any(|reading| reading.near == Some(Near::Enough));
            return match (settled, near) {
                (false, _) => {
                    Finding::new(Word::Timeout, format!("observed {seen}{old}, but it has not settled"))
                }
                (true, true) => {
                    Finding::new(Word::WithinTolerance, format!("observed {seen} within the tolerance{old}"))
                }
                (true, false) => Finding::new(Word::Verified, format!("observed {seen}{old}")),
            };
        }
        let least = self.expectation.signs.iter().any(|sign| matches!(sign, Sign::Least(_)));
        if least && !reaction.against.is_empty() {
            let against = listed(reaction.against.iter().cloned());
            return Finding::new(Word::Mismatch, format!("expected {}; but {against}", wanted()));
        }
        if let Some(other) = readings.iter().find_map(|reading| reading.other.clone()) {
            let in_vain = readings.iter().any(|reading| reading.near == Some(Near::InVain));
            let word = match (in_vain, self.target_differs(page)) {
                (true, _) => Word::NotConverged,
                (false, true) => Word::Mismatch,
                (false, false) => Word::NoChange,
            };
            return Finding::new(word, format!("expected {}; but {other}", wanted()));
        }
        if reaction.under_way {
            return Finding::new(
                Word::Timeout,
                format!("expected {}; something is still under way", wanted()),
            );
        }
        let evidence = listed(reaction.evidence.iter().map(|(words, _)| words.clone()));
        match (evidence.is_empty(), self.before.stirs != page.stirs()) {
            (false, _) => {
                Finding::new(Word::UnexpectedChange, format!("expected {}; instead {evidence}", wanted()))
            }
            (true, true) => Finding::new(
                Word::UnexpectedChange,
                format!("expected {}; the page changed elsewhere", wanted()),
            ),
            (true, false) => Finding::new(Word::NoChange, format!("expected {}; nothing changed", wanted())),
        }
    }

    /// The value or state of the target is another one than before.
    fn target_differs(&self, page: &GraphStore) -> bool {
        let Some(before) = &self.before.target else { return self.before.route_differs(page) };
        followed(page, before).is_none_or(|now| {
            let kept = |state: &uiap_protocol::capability::UiState| {
                (state.text_value.clone(), state.numeric_value, state.checked, state.selected, state.pressed)
            };
            kept(&now.state.ui) != kept(&before.state.ui)
        })
    }
}

/// Keeps the last signals.
fn keep(heard: &mut Vec<WebSignalBody>, signal: &WebSignal) {
    if heard.len() == HEARD_MAX {
        heard.remove(0);
    }
    heard.push(signal.body.clone());
}

/// Something plausible came of it, nothing speaks against it and nothing is still going on.
fn by_reaction(reaction: &Reaction) -> Reading {
    let holds = !reaction.evidence.is_empty() && reaction.against.is_empty() && !reaction.under_way;
    Reading {
        holds,
        effect: holds,
        signals: reaction
            .evidence
            .iter()
            .filter_map(|(_, signal)| signal.clone())
            .filter(|_| holds)
            .collect(),
        words: reaction.evidence.iter().map(|(words, _)| words.clone()).collect(),
        ..Reading::default()
    }
}

fn listed(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join("; ")
}
