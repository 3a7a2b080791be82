//! Agreements that are none, given to a whole runtime.
//!
//! Start at [`attack`]: a seed is one attempt. Nothing may come of it, and the right agreement must still work after
//! it; where the attempt made the question void, it is asked anew.

use super::bench::{Bench, Call, Ear, House, Question};
use super::journal::SlowJournal;
use super::many::in_parallel;
use super::{Broken, Dice, Proof, THINGS, Trouble, View, What, Wish, World};
use crate::MemoryJournal;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::JoinHandle;
use tokio::time::sleep;
use uiap_protocol::action::{ActionResult, ActionStatus, SideEffectState};
use uiap_protocol::core::PeerRole;
use uiap_protocol::ids::ActionHandle;
use uiap_runtime::consent::GrantToken;
use uiap_runtime::life::CONFIRMATION_WAIT_MS_MAX;
use uiap_runtime::plan::Refusal;

/// After this long everything that changed is known.
const KNOWN: Duration = Duration::from_millis(50);

/// A kind of attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attack {
    /// A code that was made up.
    ForgedCode,
    /// A name that was made up.
    ForgedName,
    /// More time than was given.
    ForgedTime,
    /// Given a second time, to the action itself and to another one.
    Replayed,
    /// Given for another target.
    SwappedTarget,
    /// Given for other arguments.
    SwappedArgument,
    /// Given for what the page showed before.
    StalePage,
    /// Given too late.
    Expired,
    /// Given by somebody who may not.
    WrongRole,
    /// Given for another action that waits as well.
    WrongHandle,
    /// Given for somebody else's action.
    WrongPrincipal,
    /// Given under another bundle.
    WrongBundle,
}

/// Every kind.
pub const ATTACKS: [Attack; 12] = [
    Attack::ForgedCode,
    Attack::ForgedName,
    Attack::ForgedTime,
    Attack::Replayed,
    Attack::SwappedTarget,
    Attack::SwappedArgument,
    Attack::StalePage,
    Attack::Expired,
    Attack::WrongRole,
    Attack::WrongHandle,
    Attack::WrongPrincipal,
    Attack::WrongBundle,
];

/// Makes the attempt of a seed. The kinds take turns.
pub fn attack(seed: u64) -> Result<Attack, Broken> {
    let clock = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let clock = clock.map_err(|error| Broken::Simulation(error.to_string()))?;
    let kind = usize::try_from(seed).unwrap_or_default() % ATTACKS.len();
    let kind = ATTACKS.get(kind).copied().unwrap_or(Attack::ForgedCode);
    clock.block_on(Attempt::new(seed, kind).make())?;
    Ok(kind)
}

/// Makes many attempts, as many at a time as there are processors. Gives how many of each kind, and the seeds at which
/// something was wrong.
pub fn attack_many(seeds: Range<u64>) -> (BTreeMap<Attack, usize>, Vec<(u64, Broken)>) {
    in_parallel(seeds, attack, |made: &mut BTreeMap<_, _>, kind| *made.entry(kind).or_default() += 1)
}

struct Attempt {
    seed: u64,
    kind: Attack,
    dice: Dice,
    wish: Wish,
    by_row: bool,
}

/// An action under way.
struct Running {
    calls: UnboundedReceiver<Call>,
    acting: JoinHandle<Result<ActionResult, Refusal>>,
}

impl Running {
    fn start(bench: &Arc<Bench>, wish: &Wish) -> Result<Self, Broken> {
        let (ear, calls) = Ear::new(&bench.world);
        let (bench, request) = (Arc::clone(bench), wish.request()?);
        let acting = tokio::spawn(async move { bench.runtime.act(&request, &ear).await });
        Ok(Self { calls, acting })
    }

    /// The next question to a person.
    async fn question(&mut self) -> Result<Question, Broken> {
        while let Some(call) = self.calls.recv().await {
            if let Call::Asks(question) = call {
                return Ok(*question);
            }
        }
        Err(Broken::Simulation("nobody was asked".to_owned()))
    }

    async fn end(self) -> Result<ActionResult, Broken> {
        let ended = self.acting.await.map_err(|error| Broken::Simulation(error.to_string()))?;
        ended.map_err(|refusal| Broken::Simulation(refusal.message))
    }
}

impl Attempt {
    fn new(seed: u64, kind: Attack) -> Self {
        let mut dice = Dice::new(seed);
        // Only what is aimed at something has a target that can be swapped, and so on.
        let what = match kind {
            Attack::SwappedArgument => What::Send,
            Attack::SwappedTarget | Attack::StalePage => What::Drop,
            _ => dice.pick(What::Drop, &[What::Send]),
        };
        let by_row = what == What::Drop && dice.percent(50);
        let place = dice.place(THINGS);
        let wish = Wish { what, place, by_row, proof: Proof::Word, key: None, timeout_ms: None };
        Self { seed, kind, dice, wish, by_row }
    }

    fn bench(&self, house: &House) -> Result<Arc<Bench>, Broken> {
        let world = World::new(self.seed, View::new(self.by_row), Trouble::default());
        let shelf = Arc::new(MemoryJournal::default());
        let journal = SlowJournal::new(Arc::clone(&shelf), self.seed, 0);
        Ok(Arc::new(Bench::new(self.seed, house, &world, &shelf, journal)?))
    }

    async fn make(mut self) -> Result<(), Broken> {
        let twin = self.twin().await?;
        let bench = self.bench(&self.house(false))?;
        let mut running = Running::start(&bench, &self.wish)?;
        let question = running.question().await?;
        let handle = question.request.action_handle.clone();
        let mut token = question.token.clone();
        let mut role = PeerRole::User;
        match self.kind {
            Attack::ForgedCode => flip(&mut token.mac, &mut self.dice),
            Attack::ForgedName => flip(&mut token.nonce, &mut self.dice),
            Attack::ForgedTime => token.expires_at += 1 + self.dice.below(1_000_000),
            Attack::SwappedTarget
            | Attack::SwappedArgument
            | Attack::WrongPrincipal
            | Attack::WrongBundle => {
                token = twin.ok_or_else(|| Broken::Simulation("there is no twin".to_owned()))?;
                if token == question.token || token.nonce != question.token.nonce {
                    return Err(Broken::Simulation("the twin is no twin".to_owned()));
                }
            }
            Attack::WrongRole => {
                role = self.dice.pick(
                    PeerRole::Agent,
                    &[PeerRole::Bridge, PeerRole::App, PeerRole::Observer, PeerRole::System],
                );
            }
            Attack::StalePage => {
                self.upheave(&bench.world);
                sleep(KNOWN).await;
            }
            Attack::Expired => return self.expired(&bench, running, &question).await,
            Attack::WrongHandle => return self.crossed(&bench, running, question).await,
            Attack::Replayed => return self.replayed(&bench, running, question).await,
        }
        refused(&bench, &handle, token, role).await?;
        self.agree(&bench, running, question, 1).await
    }

    /// What the same person would have been asked in another house or about something else: the same name and the same
    /// time, because the same chance decides both.
    async fn twin(&mut self) -> Result<Option<GrantToken>, Broken> {
        let mut other = self.wish.clone();
        match self.kind {
            Attack::SwappedTarget | Attack::SwappedArgument => other.place = (other.place + 1) % THINGS,
            Attack::WrongPrincipal | Attack::WrongBundle => {}
            _ => return Ok(None),
        }
        let bench = self.bench(&self.house(true))?;
        let mut running = Running::start(&bench, &other)?;
        Ok(Some(running.question().await?.token))
    }

    fn house(&self, other: bool) -> House {
        let agent = if other && self.kind == Attack::WrongPrincipal { "stranger" } else { "agent" };
        let bundle = (self.kind == Attack::WrongBundle).then(|| format!("sha256:0{}", u8::from(other)));
        House { agent: agent.to_owned(), bundle, rules: Vec::new() }
    }

    /// Something that a person should know about before they agree.
    fn upheave(&mut self, world: &Arc<World>) {
        let (kind, place) = (self.dice.below(5), self.wish.place);
        world.change(|view| match kind {
            0 => view.renders.iter_mut().skip(place).take(1).for_each(|render| *render += 1),
            1 => view.rows.rotate_left(1),
            2 => view.address += 1,
            3 => view.load += 1,
            _ => view.says_which = false,
        });
    }

    /// The right agreement works, once. It is asked for anew, if the first question is void.
    async fn agree(
        &self,
        bench: &Arc<Bench>,
        mut running: Running,
        first: Question,
        times: usize,
    ) -> Result<(), Broken> {
        let handle = first.request.action_handle.clone();
        let mut question = first;
        let asked_again = matches!(
            self.kind,
            Attack::ForgedCode
                | Attack::ForgedTime
                | Attack::SwappedTarget
                | Attack::SwappedArgument
                | Attack::StalePage
                | Attack::WrongPrincipal
                | Attack::WrongBundle
        );
        if asked_again {
            question = running.question().await?;
        }
        let thing = question.thing.unwrap_or(self.wish.place);
        bench.world.agree(&handle, thing);
        let taken = bench.runtime.grant(&handle, question.token, PeerRole::User).await;
        taken.map_err(|error| Broken::Simulation(format!("{:?}: {error}", self.kind)))?;
        let result = running.end().await?;
        done(&result)?;
        self.is_sound(bench, times)
    }

    /// Exactly so much reached the application, with agreement, and nothing is left.
    fn is_sound(&self, bench: &Bench, times: usize) -> Result<(), Broken> {
        if let Some(broken) = bench.world.state().broken.clone() {
            return Err(broken);
        }
        let reached = bench.world.times_reached();
        if reached != times {
            return Err(Broken::Twice { who: format!("{:?}", self.kind), times: reached });
        }
        let load = bench.runtime.load();
        let idle = load.under_way == 0 && load.open_grants == 0 && load.turn_free;
        if idle { Ok(()) } else { Err(Broken::Leaked(format!("{load:?}"))) }
    }

    async fn expired(&self, bench: &Arc<Bench>, running: Running, question: &Question) -> Result<(), Broken> {
        sleep(Duration::from_millis(CONFIRMATION_WAIT_MS_MAX + self.seed % 1_000)).await;
        let handle = &question.request.action_handle;
        refused(bench, handle, question.token.clone(), PeerRole::User).await?;
        let result = running.end().await?;
        if result.status != ActionStatus::Failed || result.side_effect_state != Some(SideEffectState::None) {
            return Err(Broken::FalseSuccess(result.action_handle));
        }
        let mut again = Running::start(bench, &self.wish)?;
        let question = again.question().await?;
        self.agree(bench, again, question, 1).await
    }

    /// Two actions wait, and the agreement to each is given to the other.
    async fn crossed(&self, bench: &Arc<Bench>, first: Running, question: Question) -> Result<(), Broken> {
        let mut other_wish = self.wish.clone();
        other_wish.place = (other_wish.place + 1) % THINGS;
        let mut second = Running::start(bench, &other_wish)?;
        let other = second.question().await?;
        let handle = &question.request.action_handle;
        let other_handle = &other.request.action_handle;
        refused(bench, handle, other.token.clone(), PeerRole::User).await?;
        refused(bench, other_handle, question.token.clone(), PeerRole::User).await?;
        let nobody = ActionHandle::new("act_nobody")?;
        refused(bench, &nobody, question.token.clone(), PeerRole::User).await?;
        bench.world.agree(other_handle, other.thing.unwrap_or(other_wish.place));
        let taken = bench.runtime.grant(other_handle, other.token.clone(), PeerRole::User).await;
        taken.map_err(|error| Broken::Simulation(format!("{:?}: {error}", self.kind)))?;
        done(&second.end().await?)?;
        self.agree(bench, first, question, 2).await
    }

    async fn replayed(&self, bench: &Arc<Bench>, running: Running, question: Question) -> Result<(), Broken> {
        let (token, handle) = (question.token.clone(), question.request.action_handle.clone());
        let again = {
            let (bench, token, handle) = (Arc::clone(bench), token.clone(), handle.clone());
            // While it is carried out, and after it has ended.
            let wait = Duration::from_millis(self.seed % 700);
            tokio::spawn(async move {
                sleep(wait + KNOWN).await;
                refused(&bench, &handle, token, PeerRole::User).await
            })
        };
        self.agree(bench, running, question, 1).await?;
        again.await.map_err(|error| Broken::Simulation(error.to_string()))??;
        refused(bench, &handle, token.clone(), PeerRole::User).await?;
        let mut second = Running::start(bench, &self.wish)?;
        let other = second.question().await?;
        refused(bench, &other.request.action_handle, token, PeerRole::User).await?;
        self.agree(bench, second, other, 2).await
    }
}

fn done(result: &ActionResult) -> Result<(), Broken> {
    if result.status == ActionStatus::Succeeded {
        return Ok(());
    }
    let error = result.error.as_ref().map_or("", |error| error.message.as_str());
    Err(Broken::Simulation(format!("the right agreement did not work: {error}")))
}

fn flip(bytes: &mut [u8], dice: &mut Dice) {
    let place = dice.place(bytes.len());
    let with = u8::try_from(1 + dice.below(255)).unwrap_or(1);
    bytes.iter_mut().skip(place).take(1).for_each(|byte| *byte ^= with);
}

/// Gives an agreement that must not be taken.
async fn refused(
    bench: &Bench,
    handle: &ActionHandle,
    token: GrantToken,
    role: PeerRole,
) -> Result<(), Broken> {
    if bench.runtime.grant(handle, token, role).await.is_ok() {
        return Err(Broken::Forged(handle.clone()));
    }
    Ok(())
}
