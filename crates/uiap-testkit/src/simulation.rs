//! The whole runtime against a world that misbehaves, in virtual time.
//!
//! Start at [`run`]: a seed is a schedule. The seed decides what is asked for and by whom, how page, application, link
//! and people behave, and what goes wrong: slow, lost and repeated answers, targets that move, go away or become
//! something else, effects that come early, late or not at all or are taken back, a surface that dies, a link that is
//! cut, a journal that fails, a process that is killed between any two writes. The [`World`] knows what really
//! happened, and [`run`] compares it with what the runtime said. The same seed gives the same run.

mod attack;
mod bench;
mod broken;
mod dice;
mod journal;
mod many;
mod people;
mod schedule;
mod story;
mod surface;
mod truth;
mod view;
mod wish;
mod world;

pub use attack::{ATTACKS, Attack, attack, attack_many};
pub use bench::{Bench, Call, Ear, House, Question};
pub use broken::Broken;
pub use dice::Dice;
pub use journal::SlowJournal;
pub use schedule::{Report, retell, run, run_many};
pub use surface::FakeSurface;
pub use view::{THINGS, View};
pub use wish::{Proof, What, Wish};
pub use world::{Trouble, World};
