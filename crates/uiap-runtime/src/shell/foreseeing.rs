//! Says what would be decided, without doing anything.

use super::{Runtime, refused};
use crate::journal::Journal;
use crate::life::Verdict;
use crate::plan::{Planned, Refusal};
use crate::resolve::{Aim, Request};
use crate::standing::Rights;
use crate::surface::Surface;
use crate::verdict::{Question, verdict};
use tokio::time::Instant;
use uiap_protocol::action::ActionRequest;
use uiap_protocol::core::{CoreErrorCode, ErrorCode};

impl<S: Surface, J: Journal> Runtime<S, J> {
    /// What the policy would say about an action on the page as it is now. Nothing is done, kept or asked.
    pub async fn foresee(
        &self,
        rights: &Rights,
        request: &ActionRequest,
        until: Instant,
    ) -> Result<Verdict, Refusal> {
        let handle = self.handle()?;
        let Planned { plan, deed, request } = self.planned(request, &handle, false).await?;
        let silent = |reason: String| refused(ErrorCode::Core(CoreErrorCode::InternalError), reason);
        self.surface.look(false, until).await.map_err(|error| silent(error.to_string()))?;
        let decided = self.surface.scene(|scene| {
            let target = match &request.target {
                Some(target) if plan.needs_target => {
                    let sought = Request { action: &request.action_id, target, hinted: &[] };
                    match self.resolve(rights, &sought, scene) {
                        Ok(Aim::Element(found)) => scene.page.element(found.target.instance_id.as_str()),
                        Ok(Aim::Route(_) | Aim::Custom(_)) => None,
                        Err(error) => {
                            return Err(refused(ErrorCode::Runtime(error.code()), error.to_string()));
                        }
                    }
                }
                _ => None,
            };
            Ok(verdict(&Question {
                principal: &rights.principal,
                lent: &rights.lent,
                policy: &self.policy(),
                catalogue: &self.catalogue(),
                action: &request.action_id,
                deed: &deed,
                args: request.args.as_ref(),
                target,
                page: scene.page,
                modes: &plan.modes,
            }))
        });
        decided.unwrap_or_else(|| Err(silent("nothing is known of the page".to_owned())))
    }
}
