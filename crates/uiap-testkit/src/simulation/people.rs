//! People who are asked: some agree, some do not, some never answer, some lie.

use super::bench::{Bench, Call, Question};
use super::wish::{What, Wish};
use super::{Broken, Dice, Proof};
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::sleep;
use uiap_protocol::core::PeerRole;
use uiap_protocol::ids::ActionHandle;
use uiap_runtime::consent::GrantToken;

/// Longer than anybody waits for an agreement, in milliseconds.
const TOO_LATE_MS: u64 = 10 * 60 * 1_000 + 5;

/// Everybody around one request.
pub(super) struct People {
    pub(super) bench: Weak<Bench>,
    pub(super) wish: Wish,
    pub(super) dice: Dice,
    /// When somebody changes their mind, counted from the beginning of the action.
    pub(super) cancel_after: Option<u64>,
}

impl People {
    /// Answers until nobody asks any more.
    pub(super) async fn answer(mut self, mut calls: UnboundedReceiver<Call>) {
        let mut earlier = None;
        while let Some(call) = calls.recv().await {
            match call {
                Call::Begun(handle) => self.begun(handle),
                Call::Asks(question) => {
                    let token = question.token.clone();
                    self.asked(*question, earlier.replace(token)).await;
                }
                Call::Waits(handle) => self.does_it(&handle).await,
            }
        }
    }

    fn begun(&self, handle: ActionHandle) {
        let Some(after) = self.cancel_after else { return };
        let bench = self.bench.clone();
        tokio::spawn(async move {
            sleep(Duration::from_millis(after)).await;
            if let Some(bench) = bench.upgrade() {
                // Whoever comes too late is told so.
                let _ = bench.runtime.cancel(&handle, None);
            }
        });
    }

    async fn asked(&mut self, question: Question, earlier: Option<GrantToken>) {
        let handle = question.request.action_handle.clone();
        let pause = if self.dice.percent(10) { TOO_LATE_MS } else { self.dice.delay() };
        if self.dice.percent(10) {
            return;
        }
        sleep(Duration::from_millis(pause)).await;
        let Some(bench) = self.bench.upgrade() else { return };
        if self.dice.percent(15) {
            let _ = bench.runtime.deny(&handle, None);
            return;
        }
        for _ in 0..self.dice.below(3) {
            self.forge(&bench, &question, earlier.as_ref()).await;
        }
        let thing = question.thing.or((self.wish.what == What::Send).then_some(self.wish.place));
        // From now on it may happen; whether the agreement is taken is the business of the runtime.
        thing.into_iter().for_each(|thing| bench.world.agree(&handle, thing));
        let taken = bench.runtime.grant(&handle, question.token.clone(), PeerRole::User).await;
        if taken.is_err() {
            thing.into_iter().for_each(|thing| bench.world.disagree(&handle, thing));
        }
        if self.dice.percent(20) && bench.runtime.grant(&handle, question.token, PeerRole::User).await.is_ok()
        {
            bench.world.broke(Broken::Forged(handle));
        }
    }

    async fn forge(&mut self, bench: &Arc<Bench>, question: &Question, earlier: Option<&GrantToken>) {
        let handle = &question.request.action_handle;
        let mut token = question.token.clone();
        let mut role = PeerRole::User;
        match self.dice.below(5) {
            0 => {
                role =
                    self.dice.pick(PeerRole::Agent, &[PeerRole::App, PeerRole::Bridge, PeerRole::Observer]);
            }
            1 => token.nonce = super::dice::chance(),
            2 => {
                let Some(earlier) = earlier else { return };
                token = earlier.clone();
            }
            3 if self.dice.percent(30) => token.expires_at += 1,
            _ if self.dice.percent(30) => {
                let place = self.dice.place(token.mac.len());
                token.mac.iter_mut().skip(place).take(1).for_each(|byte| *byte ^= 1);
            }
            _ => return,
        }
        if bench.runtime.grant(handle, token, role).await.is_ok() {
            bench.world.broke(Broken::Forged(handle.clone()));
        }
    }

    /// A person does it, says so, both or neither.
    async fn does_it(&mut self, handle: &ActionHandle) {
        let pause = self.dice.delay();
        sleep(Duration::from_millis(pause)).await;
        let Some(bench) = self.bench.upgrade() else { return };
        // Where any change counts, the word of a person does too; so it is true.
        let does_it = self.dice.percent(70);
        if does_it {
            let place = self.wish.place;
            let thing = match (self.wish.by_row, self.wish.what) {
                (true, What::Press | What::Drop) => {
                    bench.world.view().rows.get(place).copied().unwrap_or(place)
                }
                _ => place,
            };
            bench.world.happen(None, self.wish.what, thing);
        }
        if self.dice.percent(50) && (does_it || self.wish.proof != Proof::Usual) {
            let _ = bench.runtime.user_acted(handle, PeerRole::User);
        }
    }
}
