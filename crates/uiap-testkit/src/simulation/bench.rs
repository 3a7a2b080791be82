//! A runtime in its world, ready to be asked.

use super::dice::{chance, seed_chance};
use super::{Broken, FakeSurface, SlowJournal, World};
use crate::MemoryJournal;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use uiap_protocol::action::{ConfirmationRequest, Stage};
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::ids::{ActionHandle, Id};
use uiap_protocol::text::Node;
use uiap_protocol::wire::accept;
use uiap_runtime::catalogue::Catalogue;
use uiap_runtime::consent::{ConsentKey, GrantToken};
use uiap_runtime::life::Message;
use uiap_runtime::shell::{Listener, Runtime, Settings};
use uiap_runtime::standing::Standing;

/// Whose runtime it is, and by which rules it lives.
#[derive(Clone, Debug)]
pub struct House {
    /// Who asks.
    pub agent: String,
    /// The digest of the bundle, if there is one.
    pub bundle: Option<String>,
    /// The rules of the one policy, if there are any.
    pub rules: Vec<Value>,
}

impl Default for House {
    fn default() -> Self {
        Self { agent: "agent".to_owned(), bundle: None, rules: Vec::new() }
    }
}

/// A runtime in its world.
#[derive(Debug)]
pub struct Bench {
    /// The runtime.
    pub runtime: Runtime<FakeSurface, SlowJournal>,
    /// The world.
    pub world: Arc<World>,
}

impl Bench {
    /// A runtime with nothing under way. Its names and grants are those of the seed.
    pub fn new(
        seed: u64,
        house: &House,
        world: &Arc<World>,
        shelf: &Arc<MemoryJournal>,
        journal: SlowJournal,
    ) -> Result<Self, Broken> {
        seed_chance(seed);
        let policies = if house.rules.is_empty() {
            Vec::new()
        } else {
            let policy = json!({"modelVersion": "0.1", "id": "house", "defaults": {"onUnknownAction": "confirm"}, "rules": house.rules});
            vec![accept(&Node::from_json(&policy))?]
        };
        let wrong = |error: &dyn std::error::Error| Broken::Simulation(error.to_string());
        let standing = Standing::before_a_person(Id::new(house.agent.as_str())?, policies)
            .map_err(|error| wrong(&error))?;
        let settings = Settings {
            policy: standing.policy,
            principal: standing.principal,
            lent: standing.lent,
            application: Id::new("things")?,
            consent_key: ConsentKey::new([7; 32]),
            digest_key: [8; 32],
            chance,
            clock: || 1_800_000_000_000,
        };
        let surface = FakeSurface::new(Arc::clone(world), Arc::clone(shelf));
        let runtime = Runtime::new(surface, journal, catalogue(house)?, settings);
        Ok(Self { runtime, world: Arc::clone(world) })
    }
}

fn catalogue(house: &House) -> Result<Catalogue, Broken> {
    let Some(digest) = &house.bundle else { return Ok(Catalogue::new()) };
    let bundle: CompiledBundle = accept(&Node::from_json(&json!({
        "packageId": "things.uiap", "version": "0.1.0", "profile": "web@0.1",
        "buildContext": {}, "compatibility": {"uiapCore": ">=0.1 <0.2"},
        "app": {"appId": "things", "displayName": "Things"}, "digest": digest,
    })))?;
    Ok(Catalogue::of_bundle(&bundle))
}

/// A question to a person.
#[derive(Clone, Debug)]
pub struct Question {
    /// What is asked.
    pub request: ConfirmationRequest,
    /// What agrees to it.
    pub token: GrantToken,
    /// The thing that is shown, where the question is about an element.
    pub thing: Option<usize>,
}

/// What an action wants of people.
#[derive(Clone, Debug)]
pub enum Call {
    /// It has begun, and could be stopped.
    Begun(ActionHandle),
    /// Somebody must agree.
    Asks(Box<Question>),
    /// Somebody must do it.
    Waits(ActionHandle),
}

/// Hears one action.
#[derive(Debug)]
pub struct Ear {
    world: Arc<World>,
    heard: Mutex<Vec<Message>>,
    calls: UnboundedSender<Call>,
}

impl Ear {
    /// An ear, and what calls for people.
    pub fn new(world: &Arc<World>) -> (Self, UnboundedReceiver<Call>) {
        let (calls, called) = unbounded_channel();
        (Self { world: Arc::clone(world), heard: Mutex::default(), calls }, called)
    }

    /// Everything that was said.
    pub fn heard(&self) -> Vec<Message> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Message>> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listener for Ear {
    fn hear(&self, message: &Message) {
        let call = match message {
            Message::Accepted(accepted) => Some(Call::Begun(accepted.action_handle.clone())),
            Message::Progress(progress) if progress.stage == Stage::WaitingForUser => {
                Some(Call::Waits(progress.action_handle.clone()))
            }
            _ => None,
        };
        // Nobody listens any more when all is over.
        call.into_iter().for_each(|call| drop(self.calls.send(call)));
        self.lock().push(message.clone());
    }

    fn confirm(&self, request: &ConfirmationRequest, token: GrantToken) {
        let target = request.preview.as_ref().and_then(|preview| preview.target.as_ref());
        let thing = {
            let state = self.world.state();
            let known = state.known.as_ref();
            target.and_then(|target| known.and_then(|known| known.view.thing_at(target.instance_id.as_str())))
        };
        let question = Question { request: request.clone(), token, thing };
        let _ = self.calls.send(Call::Asks(Box::new(question)));
    }
}
