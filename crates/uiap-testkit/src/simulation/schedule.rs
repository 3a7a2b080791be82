//! One seed, played to its end.

use super::bench::{Bench, Ear, House};
use super::journal::{KillAt, SlowJournal};
use super::many::in_parallel;
use super::people::People;
use super::story::story;
use super::truth::{self, Told};
use super::{Broken, Dice, Proof, THINGS, Trouble, View, What, Wish, World};
use crate::{Faults, MemoryJournal};
use serde_json::json;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use uiap_protocol::action::ActionResult;
use uiap_runtime::journal::Retention;
use uiap_runtime::plan::Refusal;
use uiap_runtime::shell::Load;

/// Longest virtual time of a schedule: longer than every wait for a person, for everybody in it.
const VIRTUAL_MAX: Duration = Duration::from_hours(3);
/// After this long everything that was on its way has arrived.
const AFTERMATH: Duration = Duration::from_mins(2);
/// Most processes of a schedule; the last one is not killed.
const LIVES_MAX: u64 = 3;
/// The present, in milliseconds since 1970.
const NOW: u64 = 1_800_000_000_000;

/// What one schedule showed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// How the requests ended, and how often so: status, side effects and code, or the code of a refusal.
    pub ends: BTreeMap<String, usize>,
    /// How often the process was killed.
    pub kills: usize,
    /// How much reached the application.
    pub reached: usize,
    /// How often a person agreed.
    pub agreed: usize,
}

impl Report {
    /// Adds what another one showed.
    fn add(&mut self, other: Self) {
        for (end, times) in other.ends {
            *self.ends.entry(end).or_default() += times;
        }
        self.kills += other.kills;
        self.reached += other.reached;
        self.agreed += other.agreed;
    }
}

/// Plays the schedule of a seed to its end.
pub fn run(seed: u64) -> Result<Report, Broken> {
    run_told(seed, None)
}

/// The same, with a story of what happened.
pub fn retell(seed: u64) -> (Result<Report, Broken>, String) {
    let mut story = String::new();
    let report = run_told(seed, Some(&mut story));
    (report, story)
}

fn run_told(seed: u64, story: Option<&mut String>) -> Result<Report, Broken> {
    let clock = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let clock = clock.map_err(|error| Broken::Simulation(error.to_string()))?;
    clock.block_on(async {
        let playing = Schedule::new(seed).play(story);
        timeout(VIRTUAL_MAX, playing).await.unwrap_or(Err(Broken::Endless))
    })
}

/// Plays the schedules of many seeds, as many at a time as there are processors. Gives what they showed together, and
/// the seeds that broke something, as far as they are needed to see what is wrong.
pub fn run_many(seeds: Range<u64>) -> (Report, Vec<(u64, Broken)>) {
    in_parallel(seeds, run, Report::add)
}

/// What one seed is about.
struct Schedule {
    dice: Dice,
    house: House,
    wishes: Vec<Wish>,
    world: Arc<World>,
    shelf: Arc<MemoryJournal>,
    slow_ms: u64,
    lives: u64,
    /// Whether the last process kept anything that it should not.
    left_over: Result<(), Broken>,
}

/// One request and what came back.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) wish: Wish,
    pub(super) ear: Arc<Ear>,
    pub(super) reply: Mutex<Option<(Instant, Result<ActionResult, Refusal>)>>,
    /// The process was killed meanwhile.
    pub(super) orphaned: Mutex<bool>,
}

impl Schedule {
    fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let by_row = dice.percent(25);
        let upheaval = dice.percent(50);
        let proof = match (by_row, upheaval) {
            (true, _) => Proof::Word,
            (false, true) => dice.pick(Proof::Mark, &[Proof::Word]),
            (false, false) => dice.pick(Proof::Mark, &[Proof::Word, Proof::Usual]),
        };
        let world = World::new(dice.roll(), View::new(by_row), trouble(&mut dice, proof));
        // Rules name things; where names belong to rows, there are none.
        let house = if by_row { House::default() } else { house(&mut dice, &world) };
        let wishes = wishes(&mut dice, by_row, proof);
        upheavals(&mut dice, &world, upheaval);
        Self {
            house,
            wishes,
            world,
            shelf: Arc::new(MemoryJournal::new(Retention::default())),
            slow_ms: dice.pick(0, &[2, 8, 30]),
            lives: 1 + dice.below(LIVES_MAX),
            left_over: Ok(()),
            dice,
        }
    }

    async fn play(mut self, told: Option<&mut String>) -> Result<Report, Broken> {
        let mut all: Vec<Arc<Asked>> = Vec::new();
        let mut open: Vec<Wish> = self.wishes.clone();
        let mut kills = 0;
        for life in 1..=self.lives {
            let asked = self.live(life, open).await?;
            let killed = asked.iter().any(|asked| *lock(&asked.orphaned));
            kills += usize::from(killed);
            // Whoever heard nothing asks again, with the same key or without any.
            open =
                asked.iter().filter(|asked| *lock(&asked.orphaned)).map(|asked| asked.wish.clone()).collect();
            all.extend(asked);
            if open.is_empty() {
                break;
            }
        }
        sleep(AFTERMATH).await;
        if let Some(told) = told {
            *told = story(&self.world, &self.shelf, &all).await;
        }
        truth::check(&self.world, &self.shelf, &all).await?;
        self.left_over.clone()?;
        let state = self.world.state();
        let mut report =
            Report { kills, reached: state.reached.len(), agreed: state.agreed.len(), ..Report::default() };
        for asked in &all {
            *report.ends.entry(Told::of(asked)).or_default() += 1;
        }
        Ok(report)
    }

    /// One process, until everybody has an answer or it is killed.
    async fn live(&mut self, life: u64, wishes: Vec<Wish>) -> Result<Vec<Arc<Asked>>, Broken> {
        self.world.forget();
        self.shelf.restart(NOW);
        let last = life == self.lives;
        let writes = self.shelf.writes();
        if self.dice.percent(15) {
            let first = writes + 1 + self.dice.below(8);
            self.shelf.inject(Faults { failing: first..first + 1, die_after: None });
        }
        let kill_at = (!last && self.dice.percent(70))
            .then(|| KillAt { write: writes + 1 + self.dice.below(8), before: self.dice.percent(50) });
        let kill_after = (!last).then(|| Duration::from_millis(self.dice.below(8_000)));
        let journal =
            SlowJournal::new(Arc::clone(&self.shelf), self.dice.roll(), self.slow_ms).killed_at(kill_at);
        let killed = Arc::clone(&journal.killed);
        let bench = Bench::new(self.dice.roll(), &self.house, &self.world, &self.shelf, journal)?;
        let bench = Arc::new(bench);
        let mut process = JoinSet::new();
        let mut asked = Vec::new();
        for wish in wishes {
            let (ear, calls) = Ear::new(&self.world);
            let one = Arc::new(Asked {
                wish: wish.clone(),
                ear: Arc::new(ear),
                reply: Mutex::default(),
                orphaned: Mutex::new(false),
            });
            let cancel_after = self.dice.percent(12).then(|| self.dice.below(4_000));
            let dice = Dice::new(self.dice.roll());
            let people = People { bench: Arc::downgrade(&bench), wish, dice, cancel_after };
            let start = Duration::from_millis(self.dice.below(1_500));
            process.spawn(ask(Arc::clone(&bench), Arc::clone(&one), start));
            // People outlive a process, and find nobody to talk to.
            tokio::spawn(people.answer(calls));
            asked.push(one);
        }
        let done = async { while process.join_next().await.is_some() {} };
        tokio::select! {
            biased;
            () = killed.notified() => {}
            () = after(kill_after) => {}
            () = done => {}
        }
        process.shutdown().await;
        for one in &asked {
            *lock(&one.orphaned) = lock(&one.reply).is_none();
        }
        if asked.iter().all(|one| !*lock(&one.orphaned)) {
            self.left_over = idle(&bench).await;
        }
        Ok(asked)
    }
}

async fn after(pause: Option<Duration>) {
    match pause {
        Some(pause) => sleep(pause).await,
        None => std::future::pending().await,
    }
}

async fn ask(bench: Arc<Bench>, asked: Arc<Asked>, start: Duration) {
    sleep(start).await;
    let request = match asked.wish.request() {
        Ok(request) => request,
        Err(broken) => return bench.world.broke(broken),
    };
    let reply = bench.runtime.act(&request, asked.ear.as_ref()).await;
    *lock(&asked.reply) = Some((Instant::now(), reply));
}

/// Nothing is left when everybody has an answer.
async fn idle(bench: &Bench) -> Result<(), Broken> {
    // A word that is on its way at the end finds nobody.
    tokio::task::yield_now().await;
    let load = bench.runtime.load();
    let none = Load { under_way: 0, open_grants: 0, turn_free: true };
    if load == none { Ok(()) } else { Err(Broken::Leaked(format!("{load:?}"))) }
}

fn trouble(dice: &mut Dice, proof: Proof) -> Trouble {
    if dice.percent(10) {
        return Trouble::default();
    }
    Trouble {
        slow: dice.percent(90),
        lost: dice.pick(0, &[0, 10, 30]),
        unanswered: dice.pick(0, &[0, 20, 60]),
        undelivered: dice.pick(0, &[0, 20, 60]),
        needs_user: dice.pick(0, &[0, 0, 30]),
        without_effect: dice.pick(0, &[0, 15, 50]),
        // What was said cannot be unsaid.
        taken_back: if proof == Proof::Word { 0 } else { dice.pick(0, &[20, 60]) },
        stuttering: dice.pick(0, &[0, 40]),
        obstacle_until_ms: if dice.percent(25) { dice.below(4_000) } else { 0 },
        dies_at_ms: dice.percent(8).then(|| dice.below(8_000)),
        cut_ms: dice.percent(15).then(|| (dice.below(6_000), dice.below(6_000))),
    }
}

/// Sometimes a rule asks, forbids or hands over what the nature of the deed does not.
fn house(dice: &mut Dice, world: &World) -> House {
    let mut house = House::default();
    let thing = dice.place(THINGS);
    let rule = |effect: &str| json!({"id": effect, "when": {"targets": [format!("thing.{thing}.press")]}, "effect": effect});
    match dice.below(8) {
        0 => {
            house.rules.push(rule("confirm"));
            world.state().asked_about = Some((What::Press, thing));
        }
        1 => {
            house.rules.push(rule("deny"));
            world.state().forbidden = Some((What::Press, thing));
        }
        2 => {
            house.rules.push(rule("handoff"));
            world.state().forbidden = Some((What::Press, thing));
        }
        _ => {}
    }
    house
}

fn wishes(dice: &mut Dice, by_row: bool, proof: Proof) -> Vec<Wish> {
    let mut wishes: Vec<Wish> = Vec::new();
    // Where names do not say which thing is meant, the word of the application does not either.
    let most = if by_row { 1 } else { 4 };
    for _ in 0..=dice.below(most) {
        let earlier = wishes.last().filter(|_| dice.percent(40)).cloned();
        let what = if by_row {
            dice.pick(What::Drop, &[What::Press])
        } else {
            dice.pick(
                What::Drop,
                &[What::Press, What::Press, What::Drop, What::Write, What::Note, What::Send],
            )
        };
        let timeout_ms = dice.percent(30).then(|| 500 + dice.below(9_000));
        let key = dice.percent(50).then(|| dice.below(2));
        let fresh = Wish { what, place: dice.place(THINGS), by_row, proof, key, timeout_ms };
        wishes.push(match earlier {
            // The same again, under the same key, under another or under none.
            Some(earlier) => Wish { key: if dice.percent(50) { earlier.key } else { key }, ..earlier },
            None => fresh,
        });
    }
    wishes
}

/// The page goes on living, whatever the runtime does.
fn upheavals(dice: &mut Dice, world: &Arc<World>, upheaval: bool) {
    let dies_at = world.state().trouble.dies_at_ms;
    if let Some(at) = dies_at {
        later(world, at, |world| world.die());
    }
    for _ in 0..dice.below(4) {
        later(world, dice.delay(), |world| world.change(|view| view.clock += 1));
    }
    if !upheaval {
        return;
    }
    for _ in 0..=dice.below(4) {
        let at = if dice.percent(50) { dice.below(2_500) } else { dice.delay() };
        let (one, other, kind) = (dice.place(THINGS), dice.place(THINGS), dice.below(6));
        later(world, at, move |world| {
            world.change(|view| match kind {
                0 => view.renders.iter_mut().skip(one).take(1).for_each(|render| *render += 1),
                // What shows no difference at all cannot be told apart by anybody.
                1 if view.says_which || !view.by_row => view.rows.swap(one, other),
                // The address alone says that something else is shown.
                2 if view.by_row => {
                    view.address += 1;
                    view.rows.rotate_left(1);
                }
                3 if view.by_row => {
                    view.address += 1;
                    view.says_which = false;
                    view.rows.rotate_left(1);
                }
                4 => view.load += 1,
                _ => view.address += 1,
            });
        });
    }
}

fn later(world: &Arc<World>, at_ms: u64, deed: impl FnOnce(&Arc<World>) + Send + 'static) {
    let world = Arc::clone(world);
    tokio::spawn(async move {
        sleep(Duration::from_millis(at_ms)).await;
        deed(&world);
    });
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
