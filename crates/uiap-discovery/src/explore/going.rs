//! Getting somewhere: to an address, to a state, and past what stands in the way: a page that does not come, a login that
//! has expired, an application that is gone.

use super::Trouble;
use super::book::Trip;
use super::ports::{Archive, Ground, GroundError, Hand, Hindrance};
use super::settle::{Settled, settle};
use super::worker::{Broken, Worker, bare, request};
use crate::atlas::Way;
use crate::door::asks_for_secret;
use crate::menus::menus;
use crate::place::pattern;
use crate::sighting::Sighting;
use serde_json::json;
use std::time::Duration;
use tokio::time::Instant;
use uiap_protocol::action::ActionResult;
use uiap_protocol::ids::ActionId;
use uiap_protocol::web::PageGraph;
use uiap_protocol::wire::JsonObject;
use uiap_runtime::plan::Refusal;
use uiap_runtime::surface::{Mark, Surface, SurfaceError};

/// How long a page may take to come to rest.
const SETTLE_WAIT: Duration = Duration::from_secs(6);
/// How often the beginning of an application is asked for before the application counts as gone.
const PRESENCE_TRIES_MAX: usize = 3;
/// How long is waited before it is asked for once more: long enough for a server that is started anew.
const PRESENCE_PAUSE: Duration = Duration::from_secs(2);
/// Nothing stands here; going here first makes the next address a page that is loaded anew.
const NOWHERE: &str = "about:blank";

impl<G: Ground, A: Archive> Worker<'_, '_, G, A> {
    /// Gets to a state, with proof that it is that state. Nothing, if no way leads there any more.
    pub(super) async fn reach(
        &mut self,
        trip: &Trip,
        led: &mut Vec<(usize, bool)>,
    ) -> Result<Option<Settled>, Broken> {
        if self.here.as_deref() == Some(trip.at.as_str()) {
            let mark = self.mark()?;
            let shown = self.settled(mark, None).await?;
            if shown.fingerprint == trip.at {
                return Ok(Some(shown));
            }
        }
        for way in &trip.ways {
            if let Some(shown) = self.walk(way, led).await? {
                return Ok(Some(shown));
            }
        }
        Ok(None)
    }

    async fn walk(&mut self, way: &Way, led: &mut Vec<(usize, bool)>) -> Result<Option<Settled>, Broken> {
        let Ok(mut shown) = self.go(&way.address, true).await? else {
            // That a page did not come this time says nothing about the next time.
            if self.at_hand()?.hindrance() == Some(Hindrance::TurnedBack) {
                led.push((way.start, false));
            }
            return Ok(None);
        };
        let there = shown.fingerprint == way.start_fingerprint;
        led.push((way.start, there));
        if !there {
            return Ok(None);
        }
        for (choice, fingerprint) in &way.steps {
            let Some(request) = request(choice, &shown.graph, &self.run.rules.safety) else {
                return Ok(None);
            };
            let done = self.perform(choice, &request, &shown).await;
            if done.acted?.is_err() {
                return Ok(None);
            }
            shown = done.after?;
            if shown.fingerprint != *fingerprint {
                return Ok(None);
            }
        }
        Ok(Some(shown))
    }

    /// Opens an address and waits until the page is there; or tells why there is none. Signs in again where that is what
    /// it shows. An address may be known to have shown something before.
    pub(super) async fn go(
        &mut self,
        address: &str,
        is_known: bool,
    ) -> Result<Result<Settled, String>, Broken> {
        let shown = match self.open(address).await? {
            Ok(shown) => shown,
            trouble => return Ok(trouble),
        };
        if !self.seems_signed_out(address, &shown)? {
            return Ok(Ok(shown));
        }
        // An address that nobody opened before may lead to a page with a secret field in earnest.
        let is_there = is_at(address, &shown);
        let is_sure = is_there || is_known || self.at_hand()?.is_at_door() || address == self.run.base;
        if !is_sure && !self.is_turned_out().await? {
            return self.open(address).await;
        }
        self.sign_in().await?;
        let opened = self.open(address).await?;
        if let Ok(shown) = &opened
            && is_there
            && self.asks_who_it_is(shown)?
        {
            self.in_earnest.insert(address.to_owned());
        }
        Ok(opened)
    }

    fn asks_who_it_is(&self, shown: &Settled) -> Result<bool, Broken> {
        Ok(self.at_hand()?.is_unknown() || asks_for_secret(&Sighting::of(&shown.graph)))
    }

    /// What is shown may be where people sign in whose login has expired. It may be a page of the application as well.
    pub(super) fn may_be_door(&self, shown: &Settled) -> Result<bool, Broken> {
        let hand = self.at_hand()?;
        Ok(hand.has_account() && (hand.is_at_door() || asks_for_secret(&Sighting::of(&shown.graph))))
    }

    /// The login has expired, and somebody signs in again. It shows where an errand began.
    pub(super) async fn has_expired(&mut self, trip: &Trip) -> Result<bool, Broken> {
        let Some(way) = trip.ways.first() else { return Ok(false) };
        let expired = match self.open(&way.address).await? {
            Ok(shown) => self.seems_signed_out(&way.address, &shown)?,
            Err(_) => false,
        };
        if expired {
            self.sign_in().await?;
        }
        Ok(expired)
    }

    /// The beginning of the application shows where people sign in.
    async fn is_turned_out(&mut self) -> Result<bool, Broken> {
        let base = self.run.base.clone();
        match self.open(&base).await? {
            Ok(shown) => self.seems_signed_out(&base, &shown),
            Err(_) => Ok(false),
        }
    }

    /// An address led to where somebody has to say who they are: to another place, or to the same one, where the page of
    /// the login or one that asks for a password is shown in place of what was there before. Whoever asks for the place
    /// where people sign in is shown it.
    fn seems_signed_out(&self, address: &str, shown: &Settled) -> Result<bool, Broken> {
        let hand = self.at_hand()?;
        if !hand.has_account() {
            return Ok(false);
        }
        let sighting = Sighting::of(&shown.graph);
        if !is_at(address, shown) {
            return Ok(hand.is_at_door() || asks_for_secret(&sighting));
        }
        if !self.asks_who_it_is(shown)? || self.in_earnest.contains(address) {
            return Ok(false);
        }
        let is_elsewhere = hand.is_unknown() || !hand.is_at_door();
        let is_door = is_elsewhere && hand.door().is_some_and(|door| door.is_shown(&sighting));
        Ok(is_door || self.run.book(|book| book.atlas.was_open(address)))
    }

    async fn sign_in(&mut self) -> Result<(), Broken> {
        self.here = None;
        let signed_in = self.at_hand()?.sign_in().await;
        signed_in.map_err(|error| Broken::Run(Trouble::Ground(error)))?;
        self.run.note("The login had expired; somebody signed in again.".to_owned());
        Ok(())
    }

    async fn open(&mut self, address: &str) -> Result<Result<Settled, String>, Broken> {
        let there = self.shown_address();
        let mark = self.mark()?;
        // Another fragment of the same page would show what is there already, as it is; and what a page still waits for
        // may take up every connection to the server.
        let is_same = address.contains('#') && without_fragment(&there) == without_fragment(address);
        if is_same || self.at_hand()?.runtime().surface().loading().is_some() {
            drop(self.navigate(NOWHERE).await?);
        }
        let went = self.navigate(address).await?;
        if let Err(refusal) = went {
            self.here = None;
            return Ok(Err(refusal.message));
        }
        let shown = self.settled(mark, None).await?;
        match self.at_hand()?.hindrance() {
            Some(hindrance) => self.hindered(hindrance).await.map(Err),
            None => Ok(Ok(shown)),
        }
    }

    /// Tells why there is no page. Nobody can go on if even the beginning of the application does not come.
    pub(super) async fn hindered(&mut self, hindrance: Hindrance) -> Result<String, Broken> {
        self.here = None;
        match hindrance {
            Hindrance::TurnedBack => {
                Ok("it looks like something that would be changed by opening it".to_owned())
            }
            Hindrance::NoPage { reason } => {
                self.meet_beginning().await?;
                Ok(reason)
            }
        }
    }

    /// The application is still there: its beginning comes, if not at once.
    async fn meet_beginning(&mut self) -> Result<(), Broken> {
        let base = self.run.base.clone();
        let mut missed = String::new();
        for attempt in 0..PRESENCE_TRIES_MAX {
            if attempt > 0 {
                tokio::time::sleep(PRESENCE_PAUSE).await;
            }
            let mark = self.mark()?;
            drop(self.navigate(&base).await?);
            drop(self.settled(mark, None).await?);
            self.here = None;
            match self.at_hand()?.hindrance() {
                Some(Hindrance::NoPage { reason }) => missed = reason,
                Some(Hindrance::TurnedBack) | None => return Ok(()),
            }
        }
        Err(Broken::Run(Trouble::Ground(GroundError::Unreachable { reason: missed })))
    }

    fn shown_address(&self) -> String {
        let surface = self.hand.as_ref().map(|hand| hand.runtime().surface());
        surface.and_then(|surface| surface.scene(|scene| scene.page.graph().route.url)).unwrap_or_default()
    }

    async fn navigate(&mut self, address: &str) -> Result<Result<ActionResult, Refusal>, Broken> {
        let action = ActionId::new("nav.navigate").map_err(|error| Broken::Hand(error.to_string()))?;
        let mut args = JsonObject::new();
        args.insert("url".to_owned(), json!(address));
        let request = bare(action, None, Some(args));
        self.act(&request).await
    }

    /// Waits until a page is there. What was done in front of another one may have brought up menus.
    pub(super) async fn settled(
        &mut self,
        mark: Mark,
        before: Option<&PageGraph>,
    ) -> Result<Settled, Broken> {
        let until = Instant::now() + SETTLE_WAIT;
        let hand = self.at_hand()?;
        let menus = |after: &PageGraph| menus(&self.menus, before, after);
        let settled =
            settle(hand.runtime().surface(), mark, &self.run.rules.fingerprints, menus, until).await;
        let settled = settled.map_err(|error| match error {
            SurfaceError::Gone { reason } => Broken::Hand(reason),
            SurfaceError::Silent { reason } => {
                Broken::Page(format!("what it leads to cannot be looked at: {reason}"))
            }
        })?;
        self.here = Some(settled.fingerprint.clone());
        self.menus.clone_from(&settled.menus);
        Ok(settled)
    }
}

/// What is shown is where somebody asked for.
fn is_at(address: &str, shown: &Settled) -> bool {
    pattern(address) == pattern(&shown.graph.route.url)
}

fn without_fragment(address: &str) -> &str {
    address.split('#').next().unwrap_or_default()
}
