//! Several hands, one atlas: who does what, in an order that does not depend on who is faster.
//!
//! Tasks are numbered. Task `n` goes to hand `n % hands` and is chosen when exactly the reports on the tasks up to
//! `n - hands` have been taken in. So what is done, and in what order it is learnt, is the same in every run, however
//! long each hand takes.

use super::logbook::{Landing, Line};
use super::ports::Archive;
use crate::atlas::{Atlas, Errand, Next, Outcome, Passage, Seen, StateIndex, Via, Way};
use crate::naming::id_of;
use crate::options::Choice;
use crate::seeds::Start;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::io;
use uiap_protocol::capability::ActionDescriptor;
use uiap_protocol::discovery::DiscoverySeed;
use uiap_protocol::web::PageGraph;

/// Something to do for one hand.
#[derive(Clone, Debug)]
pub(super) enum Task {
    /// See what a seed leads to.
    Seed {
        /// Its number.
        seed: usize,
        /// How to get there.
        start: Start,
    },
    /// Do something in a state.
    Errand(Box<Trip>),
    /// Nothing this time: others are about to find something.
    Rest,
    /// Nothing any more.
    End,
}

/// An errand with everything that is needed to do it.
#[derive(Clone, Debug)]
pub(super) struct Trip {
    /// Which.
    pub(super) errand: Errand,
    /// What to do.
    pub(super) choice: Choice,
    /// The fingerprint of the state it is done in.
    pub(super) at: String,
    /// How to get there, the cheapest first.
    pub(super) ways: Vec<Way>,
}

/// A page as it was found.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    /// The page.
    pub(super) graph: PageGraph,
    /// Its fingerprint.
    pub(super) fingerprint: String,
    /// What the application offers there.
    pub(super) offered: Vec<ActionDescriptor>,
}

/// How a task ended.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// There was nothing to do.
    Idle,
    /// A seed led to a page, or to nothing and why.
    Seeded(usize, Result<Box<Sight>, String>),
    /// The state of an errand could not be reached.
    Missed(Errand),
    /// An errand was done, and led to a page or to none.
    Made(Errand, Outcome, Option<Box<Sight>>),
    /// An errand was not done, because the run ended.
    Dropped(Errand),
    /// A task came to no end through no fault of its own, and why. It is tried once more.
    Again(Task, String),
}

/// What a hand tells about a task.
#[derive(Clone, Debug)]
pub(super) struct Report {
    /// Which addresses showed their states, and which did not.
    pub(super) led: Vec<(StateIndex, bool)>,
    /// A list that goes on after it was scrolled often enough, by the errand that scrolled it.
    pub(super) goes_on: Option<Errand>,
    /// What was held back on the way, before anything was done.
    pub(super) unasked: Vec<Passage>,
    /// How it ended.
    pub(super) end: End,
}

impl From<End> for Report {
    fn from(end: End) -> Self {
        Self { led: Vec::new(), goes_on: None, unasked: Vec::new(), end }
    }
}

/// The atlas and who is at what.
pub(super) struct Book<'b, A> {
    pub(super) atlas: Atlas,
    archive: &'b A,
    hands: u64,
    seeds: VecDeque<(usize, Start)>,
    /// Seeds that somebody is at.
    seeding: usize,
    next: u64,
    taken_in: u64,
    reports: BTreeMap<u64, Report>,
    /// Errands and seeds that are tried for the second time.
    again: HashSet<Errand>,
    sown_again: HashSet<usize>,
    ended: bool,
}

impl<'b, A: Archive> Book<'b, A> {
    pub(super) fn new(atlas: Atlas, archive: &'b A, hands: usize) -> Self {
        let hands = u64::try_from(hands).unwrap_or(1).max(1);
        Self {
            atlas,
            archive,
            hands,
            seeds: VecDeque::new(),
            seeding: 0,
            next: 0,
            taken_in: 0,
            reports: BTreeMap::new(),
            again: HashSet::new(),
            sown_again: HashSet::new(),
            ended: false,
        }
    }

    /// One more place to start from, if there is not one already.
    pub(super) fn sow(&mut self, start: Start) -> io::Result<()> {
        if self.atlas.sown().iter().any(|sown| sown.seed == start.seed) {
            return Ok(());
        }
        self.log(&Line::Sown(start.seed.clone()))?;
        let seed = self.atlas.sow(start.seed.clone());
        self.seeds.push_back((seed, start));
        Ok(())
    }

    /// A seed of an earlier process that nobody has visited yet.
    pub(super) fn sow_again(&mut self, seed: usize, start: Start) {
        self.seeds.push_back((seed, start));
    }

    /// A seed that nobody can get to.
    pub(super) fn turn_away(&mut self, seed: DiscoverySeed, trouble: String) -> io::Result<()> {
        self.log(&Line::Sown(seed.clone()))?;
        let number = self.atlas.sow(seed);
        self.refuse(number, trouble)
    }

    /// A seed led nowhere.
    pub(super) fn refuse(&mut self, seed: usize, trouble: String) -> io::Result<()> {
        self.log(&Line::Barren { seed, trouble: trouble.clone() })?;
        self.atlas.barren(seed, trouble);
        Ok(())
    }

    /// Every seed has been visited.
    pub(super) fn is_seeded(&self) -> bool {
        self.seeds.is_empty() && self.seeding == 0
    }

    /// The task of a number, once it can be chosen; nothing before.
    pub(super) fn choose(&mut self, number: u64, here: Option<&str>) -> io::Result<Option<Task>> {
        let due = (number + 1).saturating_sub(self.hands);
        let reported = (self.taken_in..due).all(|earlier| self.reports.contains_key(&earlier));
        if self.next != number || !reported {
            return Ok(None);
        }
        for earlier in self.taken_in..due {
            if let Some(report) = self.reports.remove(&earlier) {
                self.take_in(report)?;
            }
        }
        self.taken_in = self.taken_in.max(due);
        self.next += 1;
        let task = if self.ended { Task::End } else { self.task(here)? };
        if matches!(task, Task::End) {
            self.ended = true;
        }
        Ok(Some(task))
    }

    /// Nothing is begun any more.
    pub(super) fn end(&mut self) {
        self.ended = true;
    }

    /// A hand tells about a task.
    pub(super) fn report(&mut self, number: u64, report: Report) {
        self.reports.insert(number, report);
    }

    /// Takes in what is left when everybody has gone home.
    pub(super) fn close(&mut self) -> io::Result<()> {
        for (_, report) in std::mem::take(&mut self.reports) {
            self.take_in(report)?;
        }
        Ok(())
    }

    fn task(&mut self, here: Option<&str>) -> io::Result<Task> {
        if let Some((seed, start)) = self.seeds.pop_front() {
            self.seeding += 1;
            return Ok(Task::Seed { seed, start });
        }
        let here = here.and_then(|fingerprint| self.atlas.find(fingerprint));
        Ok(match self.atlas.next(here) {
            Next::Errand(errand) => {
                self.log(&Line::Took(errand))?;
                let state = self.atlas.state(errand.state);
                let choice = self.atlas.choice(errand).cloned();
                match (state, choice) {
                    (Some(state), Some(choice)) => {
                        let (at, ways) = (state.fingerprint.clone(), self.atlas.ways_to(errand.state));
                        Task::Errand(Box::new(Trip { errand, choice, at, ways }))
                    }
                    _ => Task::Rest,
                }
            }
            Next::Wait => Task::Rest,
            Next::Done if self.seeding > 0 => Task::Rest,
            Next::Done => Task::End,
        })
    }

    fn take_in(&mut self, report: Report) -> io::Result<()> {
        for (state, there) in report.led {
            self.log(&Line::Led { state, there })?;
            self.atlas.address_led(state, there);
        }
        if let Some(errand) = report.goes_on {
            self.log(&Line::GoesOn(errand))?;
            self.atlas.goes_on(errand);
        }
        for passage in report.unasked {
            if self.atlas.hold(passage.clone()) {
                self.log(&Line::Held(passage))?;
            }
        }
        match report.end {
            End::Idle => {}
            End::Seeded(seed, Ok(sight)) => {
                self.seeding = self.seeding.saturating_sub(1);
                let (landing, _) = self.land(&sight, Via::Seed(seed))?;
                self.log(&Line::Grew { seed, landing })?;
            }
            End::Seeded(seed, Err(trouble)) => {
                self.seeding = self.seeding.saturating_sub(1);
                self.refuse(seed, trouble)?;
            }
            End::Missed(errand) => self.miss(errand)?,
            End::Made(errand, outcome, sight) => {
                let via = Via::Choice(errand.state, errand.choice);
                let (landing, seen) = match &sight {
                    Some(sight) => self.land(sight, via).map(|(landing, seen)| (landing, Some(seen)))?,
                    None => (Landing::Nowhere, None),
                };
                self.log(&Line::Made { errand, outcome: outcome.clone(), landing })?;
                self.atlas.arrive(errand, seen, outcome);
            }
            End::Dropped(errand) => self.atlas.give_back(errand),
            End::Again(task, reason) => self.once_more(task, reason)?,
        }
        Ok(())
    }

    /// Puts back what came to no end, once: what it was given up for may be its own doing.
    fn once_more(&mut self, task: Task, reason: String) -> io::Result<()> {
        match task {
            Task::Seed { seed, start } => {
                self.seeding = self.seeding.saturating_sub(1);
                if self.sown_again.insert(seed) {
                    self.seeds.push_back((seed, start));
                    return Ok(());
                }
                self.refuse(seed, reason)
            }
            Task::Errand(trip) => {
                // What may have changed something is not done twice.
                if !trip.choice.judgement.writes() && self.again.insert(trip.errand) {
                    self.atlas.give_back(trip.errand);
                    return Ok(());
                }
                self.miss(trip.errand)
            }
            Task::Rest | Task::End => Ok(()),
        }
    }

    fn miss(&mut self, errand: Errand) -> io::Result<()> {
        self.log(&Line::Missed(errand))?;
        self.atlas.miss(errand);
        Ok(())
    }

    fn land(&mut self, sight: &Sight, via: Via) -> io::Result<(Landing, Seen)> {
        let seen = self.atlas.see(&sight.graph, &sight.offered, via);
        let landing = match seen {
            Seen::New(_) => {
                let name = graph_name(&sight.fingerprint);
                let text = serde_json::to_vec(&sight.graph).map_err(io::Error::other)?;
                self.archive.keep(&name, &text)?;
                Landing::New { graph: name, offered: sight.offered.clone() }
            }
            Seen::Known(state) => Landing::Known(state),
            Seen::BeyondBudget => Landing::Beyond,
        };
        Ok((landing, seen))
    }

    fn log(&self, line: &Line) -> io::Result<()> {
        self.archive.log(&line.write())
    }
}

/// The id of the state with a fingerprint.
pub fn state_id(fingerprint: &str) -> String {
    id_of("st", &[fingerprint])
}

/// Where the page of a state is kept.
pub fn graph_name(fingerprint: &str) -> String {
    format!("evidence/{}.graph.json", state_id(fingerprint))
}

/// Where the picture of a state is kept.
pub fn picture_name(fingerprint: &str, ending: &str) -> String {
    format!("evidence/{}.{ending}", state_id(fingerprint))
}

/// Where it is kept what the platform tells those who cannot see a state.
pub fn accessibility_name(fingerprint: &str) -> String {
    format!("evidence/{}.ax.json", state_id(fingerprint))
}
