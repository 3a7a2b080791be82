//! Doing what was chosen, and waiting for what comes of it. The end of a list is shown until nothing more comes, or often
//! enough.

use super::ports::{Archive, Ground};
use super::settle::Settled;
use super::worker::{Broken, Worker, request};
use crate::changes::lasting;
use crate::growth::grew;
use crate::options::Choice;
use crate::sighting::{Sighting, Thing};
use uiap_protocol::action::{ActionRequest, ActionResult};
use uiap_protocol::capability::{SuccessSignal, TargetRef};
use uiap_protocol::ids::Text;
use uiap_protocol::web::PageGraph;
use uiap_runtime::plan::Refusal;

/// How often a list may grow before the rest of it is left: the first time shows that it does, the second that it goes on.
const LOADS_MAX: usize = 2;
/// What is observed of a list that grew, however many members it has.
const GREW: &str = "list.grew";

/// What was done, and what is shown after it.
pub(super) struct Done {
    pub(super) acted: Result<Result<ActionResult, Refusal>, Broken>,
    pub(super) after: Result<Settled, Broken>,
    /// How often the list grew.
    loads: usize,
}

impl Done {
    /// The list grew.
    pub(super) fn grew(&self) -> bool {
        self.loads > 0
    }

    /// The list grew as often as its end was shown.
    pub(super) fn goes_on(&self) -> bool {
        self.loads == LOADS_MAX
    }
}

impl<G: Ground, A: Archive> Worker<'_, '_, G, A> {
    /// Does what was chosen in front of a page, and waits until what comes of it is there.
    pub(super) async fn perform(&mut self, choice: &Choice, asked: &ActionRequest, before: &Settled) -> Done {
        // What an action of the application or scrolling shows may be anything.
        let opens = choice.key.is_some().then_some(&before.graph);
        let mut done = self.once(asked, opens).await;
        let Some(list) = &choice.list else { return done };
        let mut shown = before.clone();
        while let (Ok(Ok(_)), Ok(after)) = (&done.acted, &done.after)
            && grew(list, &Sighting::of(&shown.graph), &Sighting::of(&after.graph))
        {
            done.loads += 1;
            let again = request(choice, &after.graph, &self.run.rules.safety);
            let Some(again) = again.filter(|_| done.loads < LOADS_MAX) else { break };
            shown = after.clone();
            done = Done { loads: done.loads, ..self.once(&again, None).await };
        }
        done
    }

    async fn once(&mut self, request: &ActionRequest, opens: Option<&PageGraph>) -> Done {
        let mark = match self.mark() {
            Ok(mark) => mark,
            Err(broken) => return Done { acted: Err(broken), after: Err(gone()), loads: 0 },
        };
        let acted = self.act(request).await;
        let after = self.settled(mark, opens).await;
        Done { acted, after, loads: 0 }
    }
}

fn gone() -> Broken {
    Broken::Hand("there is no page".to_owned())
}

/// What can be observed of a list that grew.
pub(super) fn growth() -> Option<SuccessSignal> {
    Text::new(GREW).ok().map(|name| SuccessSignal::Custom { name, payload: None })
}

/// What is last in a list, in words that do not name the data of one member.
pub(super) fn member(thing: &Thing<'_>, sighting: &Sighting<'_>) -> TargetRef {
    match lasting(thing, sighting) {
        TargetRef::Semantic { role, scope, .. } => TargetRef::Semantic { role, name: None, scope },
        named => named,
    }
}
