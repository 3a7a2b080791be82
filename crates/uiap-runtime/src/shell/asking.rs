//! Answers the questions of an action.

use super::Runtime;
use crate::deed::Deed;
use crate::identity::Identity;
use crate::journal::{Decision, Journal};
use crate::judge::Told as Seen;
use crate::life::Answer;
use crate::resolve::{Aim, Request, ResolveError, resolve};
use crate::surface::{Surface, SurfaceError};
use crate::verdict::{self, verdict};
use std::pin::Pin;
use tokio::sync::SemaphorePermit;
use tokio::time::Instant;
use uiap_protocol::action::{ActionRequest, ActionTarget, ResolvedTarget};
use uiap_protocol::capability::ExecutionMode;
use uiap_protocol::ids::{ActionHandle, ActionId};
use uiap_protocol::policy::PolicyEffect;

/// Something that is waited for.
pub(super) type Soon<'r, T> = Pin<Box<dyn Future<Output = T> + Send + 'r>>;

/// An answer, and what came with it.
pub(super) struct Told<'r> {
    pub(super) answer: Answer,
    /// The turn at the application, where it was waited for.
    pub(super) turn: Option<SemaphorePermit<'r>>,
    /// What the target was when it was found.
    pub(super) identity: Option<Identity>,
    /// What the surface says about the element after the deed.
    pub(super) seen: Option<Seen>,
}

impl From<Answer> for Told<'_> {
    fn from(answer: Answer) -> Self {
        Self { answer, turn: None, identity: None, seen: None }
    }
}

impl<S: Surface, J: Journal> Runtime<S, J> {
    pub(super) async fn find<'r>(
        &'r self,
        action: &'r ActionId,
        target: Option<&'r ActionTarget>,
        anew: bool,
        until: Instant,
    ) -> Result<Told<'r>, SurfaceError> {
        let Some(target) = target else {
            return Ok(Answer::Resolved(Err(ResolveError::Required)).into());
        };
        self.surface.look(anew, until).await?;
        let read = self.surface.scene(|scene| {
            let request = Request { action, target, hinted: &[] };
            let found = resolve(scene.page, scene.index, &request);
            let identity = match &found {
                Ok(Aim::Element(resolution)) => Identity::of_target(&resolution.target, scene.page),
                _ => None,
            };
            (found, identity)
        });
        let (found, identity) = read.ok_or_else(unseen)?;
        Ok(Told { identity, ..Answer::Resolved(found).into() })
    }

    /// Looks at the target, with the turn at the application.
    pub(super) async fn check(
        &self,
        target: Option<ResolvedTarget>,
        identity: Option<Identity>,
        has_turn: bool,
        until: Instant,
    ) -> Result<Told<'_>, SurfaceError> {
        let turn = if has_turn { None } else { self.turn.acquire().await.ok() };
        let Some(target) = target else {
            return Ok(Told { turn, ..Answer::Checked(None).into() });
        };
        let facts = self.surface.facts(&target.instance_id, until).await?;
        let facts = facts.map(|mut facts| {
            // What the application told before it answered is known by now.
            let now = self.surface.scene(|scene| Identity::of_target(&target, scene.page)).flatten();
            facts.changed |= now != identity;
            facts
        });
        Ok(Told { turn, ..Answer::Checked(facts).into() })
    }

    pub(super) async fn reveal(
        &self,
        target: Option<ResolvedTarget>,
        until: Instant,
    ) -> Result<Told<'_>, SurfaceError> {
        if let Some(target) = target {
            self.surface.reveal(&target.instance_id, until).await;
        }
        Ok(Answer::Revealed.into())
    }

    pub(super) async fn decide<'r>(
        &'r self,
        handle: ActionHandle,
        request: &'r ActionRequest,
        deed: &'r Deed,
        target: Option<ResolvedTarget>,
        modes: Vec<ExecutionMode>,
        until: Instant,
    ) -> Result<Told<'r>, SurfaceError> {
        self.surface.look(false, until).await?;
        let decided = self.surface.scene(|scene| {
            let target = target.as_ref().and_then(|target| scene.page.element(target.instance_id.as_str()));
            verdict(&verdict::Question {
                principal: &self.settings.principal,
                lent: &self.settings.lent,
                policy: &self.settings.policy,
                catalogue: &self.catalogue(),
                action: &request.action_id,
                deed,
                args: request.args.as_ref(),
                target,
                page: scene.page,
                modes: &modes,
            })
        });
        let verdict = decided.ok_or_else(unseen)?;
        if verdict.effect > PolicyEffect::Allow {
            // Nothing is dispatched next, so it is kept on its own; without it nothing will be dispatched later.
            let decision = Decision::of(&verdict, (self.settings.clock)());
            let kept = self.journal.decide(&handle, decision).await;
            kept.map_err(|error| SurfaceError::Silent { reason: error.to_string() })?;
        }
        Ok(Answer::Decided(Box::new(verdict)).into())
    }
}

fn unseen() -> SurfaceError {
    SurfaceError::Silent { reason: "nothing is known of the page".to_owned() }
}
