//! Answers the questions of an action.

use super::Runtime;
use super::drive::Asked;
use crate::deed::{Deed, Private};
use crate::gate;
use crate::identity::Identity;
use crate::journal::{Decision, Journal};
use crate::judge::Told as Seen;
use crate::life::Answer;
use crate::resolve::{Aim, Request, ResolveError, TargetIndex, is_only_read, resolve};
use crate::sight::Sighting;
use crate::standing::Rights;
use crate::surface::{Mark, Scene, Surface, SurfaceError};
use crate::verdict::{self, verdict};
use std::pin::{Pin, pin};
use std::time::Duration;
use tokio::sync::SemaphorePermit;
use tokio::time::Instant;
use uiap_protocol::action::{ActionRequest, ActionTarget, ResolvedTarget};
use uiap_protocol::capability::{Affordance, ExecutionMode};
use uiap_protocol::ids::{ActionHandle, ActionId};
use uiap_protocol::policy::PolicyEffect;
use uiap_protocol::wire::JsonObject;

/// Longest wait for a target that is not there, on a page that is still being built (finding A26).
const BUILDING_WAIT: Duration = Duration::from_secs(2);

/// Something that is waited for.
pub(super) type Soon<'r, T> = Pin<Box<dyn Future<Output = T> + Send + 'r>>;

/// What an action rests on: what its target was when it was found, and what a person agreed to.
#[derive(Clone, Default)]
pub(super) struct Grounds {
    pub(super) target: Option<ResolvedTarget>,
    pub(super) identity: Option<Identity>,
    /// What the page was to the person.
    pub(super) agreed_to: Option<String>,
}

/// An answer, and what came with it.
pub(super) struct Told<'r> {
    pub(super) answer: Answer,
    /// The turn at the application, where it was waited for.
    pub(super) turn: Option<SemaphorePermit<'r>>,
    /// What the target was when it was found.
    pub(super) identity: Option<Identity>,
    /// What the surface says about the element after the deed.
    pub(super) seen: Option<Seen>,
    /// What came of looking at a picture.
    pub(super) sighting: Option<Sighting>,
}

impl From<Answer> for Told<'_> {
    fn from(answer: Answer) -> Self {
        Self { answer, turn: None, identity: None, seen: None, sighting: None }
    }
}

impl<S: Surface, J: Journal> Runtime<S, J> {
    pub(super) async fn find<'r>(
        &'r self,
        rights: &'r Rights,
        action: &'r ActionId,
        target: Option<&'r ActionTarget>,
        anew: bool,
        until: Instant,
    ) -> Result<Told<'r>, SurfaceError> {
        let Some(target) = target else {
            return Ok(Answer::Resolved(Err(ResolveError::Required)).into());
        };
        let mut mark = self.surface.mark();
        self.surface.look(anew, until).await?;
        let mut told = self.found(rights, action, target)?;
        if is_there(&told) {
            return Ok(told);
        }
        // An address is there before what it shows: what is not there on a page that is still being built may come.
        let built = until.min(Instant::now() + BUILDING_WAIT);
        let mut rest = pin!(self.surface.rest(Mark::default(), built));
        loop {
            tokio::select! {
                biased;
                // A page that comes to no rest is taken as it is when time is up.
                _ = &mut rest => {
                    self.surface.look(false, until).await?;
                    return self.found(rights, action, target);
                }
                news = self.surface.news(mark, built) => mark = news?.next,
            }
            // While one page is replaced by another there is none to look at, and the next news is that there is.
            if let Ok(now) = self.found(rights, action, target) {
                told = now;
            }
            if is_there(&told) || Instant::now() >= built {
                return Ok(told);
            }
        }
    }

    /// Finds a target on the page as it is known.
    fn found<'r>(
        &self,
        rights: &Rights,
        action: &ActionId,
        target: &ActionTarget,
    ) -> Result<Told<'r>, SurfaceError> {
        let read = self.surface.scene(|scene| {
            let found = self.resolve(rights, &Request { action, target, hinted: &[] }, scene);
            let identity = match &found {
                Ok(Aim::Element(resolution)) => Identity::of_target(&resolution.target, scene.page),
                _ => None,
            };
            (found, identity)
        });
        let (found, identity) = read.ok_or_else(unseen)?;
        Ok(Told { identity, ..Answer::Resolved(found).into() })
    }

    /// Finds what a request means among what may be seen with these rights: a name that is withheld leads nowhere, and
    /// no candidate tells it. What was found has its whole name, for the person who is asked about it.
    pub(super) fn resolve(
        &self,
        rights: &Rights,
        request: &Request<'_>,
        scene: Scene<'_>,
    ) -> Result<Aim, ResolveError> {
        let Some(shown) = self.redaction(rights).page(scene.page) else {
            return resolve(scene.page, scene.index, request);
        };
        let mut found = resolve(&shown, &TargetIndex::new(&shown), request);
        if let Ok(Aim::Element(resolution)) = &mut found
            && let Some(element) = scene.page.element(resolution.target.instance_id.as_str())
        {
            resolution.target.name.clone_from(&element.name);
        }
        found
    }

    /// Looks at the target, with the turn at the application.
    pub(super) async fn check<'r>(
        &'r self,
        rights: &'r Rights,
        request: &'r ActionRequest,
        grounds: Grounds,
        has_turn: bool,
        until: Instant,
    ) -> Result<Told<'r>, SurfaceError> {
        let turn = if has_turn { None } else { self.turn.acquire().await.ok() };
        let Some(target) = &grounds.target else {
            self.surface.look(false, until).await?;
            let answer = if self.is_outdated(&grounds) { Answer::Outdated } else { Answer::Checked(None) };
            return Ok(Told { turn, ..answer.into() });
        };
        let facts = self.surface.facts(&target.instance_id, until).await?;
        let facts = facts.map(|mut facts| {
            // What the application told before it answered is known by now.
            let meant = self.surface.scene(|scene| self.is_still_meant(rights, request, target, scene));
            facts.changed |= self.is_another(&grounds) || meant != Some(true);
            facts.lacks = self.lacking(&request.action_id, target);
            let element = |scene: Scene<'_>| {
                let element = scene.page.element(target.instance_id.as_str())?;
                Some(is_only_read(element, &request.action_id))
            };
            // What is only painted says nothing about itself.
            facts.only_read = facts.opaque.is_none() && self.surface.scene(element).flatten() == Some(true);
            facts
        });
        let is_same = facts.as_ref().is_some_and(|facts| !facts.changed);
        if is_same && self.agreed_to_something_else(&grounds) {
            return Ok(Told { turn, ..Answer::Outdated.into() });
        }
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
        asked: Asked<'r>,
        target: Option<ResolvedTarget>,
        modes: Vec<ExecutionMode>,
        until: Instant,
    ) -> Result<Told<'r>, SurfaceError> {
        let Asked { rights, request, deed } = asked;
        // A check came before, and what it found is decided about.
        if self.surface.scene(|_| ()).is_none() {
            self.surface.look(false, until).await?;
        }
        let decided = self.surface.scene(|scene| {
            let target = target.as_ref().and_then(|target| scene.page.element(target.instance_id.as_str()));
            verdict(&verdict::Question {
                principal: &rights.principal,
                lent: &rights.lent,
                policy: &self.policy(),
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

    /// What would be decided about an action of the application as the page is now, before anybody asks for it. It
    /// promises nothing: what is asked for is decided about with what it is asked with.
    pub fn forecast(&self, action: &ActionId) -> Option<PolicyEffect> {
        let deed = Deed::Invoke { action: action.clone(), args: Private::new(JsonObject::new()) };
        let decided = self.surface.scene(|scene| {
            verdict(&verdict::Question {
                principal: &self.settings.principal,
                lent: &self.settings.lent,
                policy: &self.policy(),
                catalogue: &self.catalogue(),
                action,
                deed: &deed,
                args: None,
                target: None,
                page: scene.page,
                modes: &[ExecutionMode::AppAction],
            })
        });
        decided.map(|verdict| verdict.effect)
    }

    /// What the action needs its target to offer and it does not.
    fn lacking(&self, action: &ActionId, target: &ResolvedTarget) -> Vec<Affordance> {
        let catalogue = self.catalogue();
        let Some(known) = catalogue.action(action.as_str()) else { return Vec::new() };
        let lacks = self.surface.scene(|scene| {
            let element = scene.page.element(target.instance_id.as_str());
            let offered = element.and_then(|element| element.affordances.as_deref()).unwrap_or_default();
            gate::lacking(known.required_affordances(), offered)
        });
        lacks.unwrap_or_default()
    }

    /// Whether the words of a request still lead to this element, and to no other.
    fn is_still_meant(
        &self,
        rights: &Rights,
        request: &ActionRequest,
        found: &ResolvedTarget,
        scene: Scene<'_>,
    ) -> bool {
        let Some(target) = &request.target else { return true };
        let request = Request { action: &request.action_id, target, hinted: &[] };
        match self.resolve(rights, &request, scene) {
            Ok(Aim::Element(resolution)) => resolution.target.instance_id == found.instance_id,
            Ok(Aim::Route(_) | Aim::Custom(_)) | Err(_) => false,
        }
    }

    /// The target has become something else since it was found, or the page since a person agreed.
    pub(super) fn is_outdated(&self, grounds: &Grounds) -> bool {
        self.is_another(grounds) || self.agreed_to_something_else(grounds)
    }

    fn is_another(&self, grounds: &Grounds) -> bool {
        let identity_of =
            |target| self.surface.scene(|scene| Identity::of_target(target, scene.page)).flatten();
        grounds.target.as_ref().is_some_and(|target| identity_of(target) != grounds.identity)
    }

    fn agreed_to_something_else(&self, grounds: &Grounds) -> bool {
        let agreed_to = grounds.agreed_to.as_ref();
        agreed_to.is_some_and(|agreed_to| *agreed_to != self.revision_class(grounds.target.as_ref()))
    }
}

fn unseen() -> SurfaceError {
    SurfaceError::Silent { reason: "nothing is known of the page".to_owned() }
}

/// There is something that the target could be, or it will never be there.
fn is_there(told: &Told<'_>) -> bool {
    !matches!(told.answer, Answer::Resolved(Err(ResolveError::NotFound { .. })))
}
