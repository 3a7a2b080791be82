//! A runtime in front of a page, and short words for requests.

use super::*;
use serde_json::{Value, json};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use uiap_protocol::action::{ActionRequest, ActionResult, ConfirmationRequest, Stage};
use uiap_protocol::core::PeerRole;
use uiap_protocol::ids::{ActionHandle, Id};
use uiap_protocol::text::Node;
use uiap_protocol::wire;
use uiap_runtime::catalogue::Catalogue;
use uiap_runtime::consent::{ConsentKey, GrantToken};
use uiap_runtime::journal::Retention;
use uiap_runtime::life::Message;
use uiap_runtime::plan::Refusal;
use uiap_runtime::shell::{Listener, Runtime, Settings};
use uiap_runtime::sight::Eyes;
use uiap_runtime::standing::Standing;
use uiap_testkit::MemoryJournal;
use uiap_web::WebSurface;

/// A runtime in front of a page.
pub(crate) struct Act {
    pub(crate) runtime: Runtime<WebSurface, MemoryJournal>,
    pub(crate) site: Site,
    _browser: Browser,
}

/// What the person says when asked.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Person {
    Agrees,
    Refuses,
}

/// Remembers what an action says, and answers for the person.
pub(crate) struct Ear<'e> {
    pub(crate) said: Mutex<Vec<String>>,
    eyes: Option<&'e dyn Eyes>,
    asked: tokio::sync::mpsc::UnboundedSender<(ConfirmationRequest, GrantToken)>,
    /// Actions that the person is to do instead.
    handed: tokio::sync::mpsc::UnboundedSender<ActionHandle>,
}

impl Listener for Ear<'_> {
    fn hear(&self, message: &Message) {
        let said = match message {
            Message::Accepted(_) => "accepted".to_owned(),
            Message::Progress(progress) => progress.stage.as_str().to_owned(),
            Message::Cancelled(_) => "cancelled".to_owned(),
            Message::Result(result) => format!("result {}", result.status.as_str()),
        };
        self.said.lock().unwrap().push(said);
        if let Message::Progress(progress) = message
            && progress.stage == Stage::WaitingForUser
        {
            self.handed.send(progress.action_handle.clone()).unwrap();
        }
    }

    fn confirm(&self, request: &ConfirmationRequest, token: GrantToken) {
        self.asked.send((request.clone(), token)).unwrap();
    }

    fn eyes(&self) -> Option<&dyn Eyes> {
        self.eyes
    }
}

/// How an action went.
pub(crate) struct Went {
    pub(crate) result: Result<ActionResult, Refusal>,
    pub(crate) said: Vec<String>,
    /// What the person was asked.
    pub(crate) asked: Vec<ConfirmationRequest>,
}

impl Went {
    /// Status, side effects and, where it failed, the code.
    pub(crate) fn sum(&self) -> String {
        match &self.result {
            Ok(result) => {
                let status = result.status.as_str();
                let effects = result.side_effect_state.as_ref().map_or("?", |state| state.as_str());
                let code = result.error.as_ref().map_or(String::new(), |error| format!(" {}", error.code));
                format!("{status} {effects}{code}")
            }
            Err(refusal) => format!("refused {}", refusal.code.as_str()),
        }
    }
}

fn chance() -> [u8; 16] {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    u128::from(NEXT.fetch_add(1, Ordering::Relaxed)).to_be_bytes()
}

impl Act {
    pub(crate) async fn on(body: &str) -> Self {
        Self::at(site_of(body).await).await
    }

    pub(crate) async fn at(site: Site) -> Self {
        let (browser, page) = open(&site.url("/")).await;
        let standing = Standing::before_a_person(Id::new("agent").unwrap(), Vec::new()).unwrap();
        let settings = Settings {
            policy: standing.policy,
            principal: standing.principal,
            lent: standing.lent,
            application: Id::new("test").unwrap(),
            consent_key: ConsentKey::new([7; 32]),
            digest_key: [9; 32],
            chance,
            clock: || 1_800_000_000_000,
        };
        let journal = MemoryJournal::new(Retention::default());
        let runtime = Runtime::new(WebSurface::new(page), journal, Catalogue::new(), settings);
        Self { runtime, site, _browser: browser }
    }

    pub(crate) async fn act(&self, request: Value) -> Went {
        self.act_before(Person::Agrees, request).await
    }

    pub(crate) async fn act_before(&self, person: Person, request: Value) -> Went {
        self.act_with(person, None, request).await
    }

    /// With somebody who looks at pictures.
    pub(crate) async fn act_with(&self, person: Person, eyes: Option<&dyn Eyes>, request: Value) -> Went {
        let request: ActionRequest = wire::accept(&Node::from_json(&request)).unwrap();
        let (asked, mut questions) = tokio::sync::mpsc::unbounded_channel();
        let (handed, mut duties) = tokio::sync::mpsc::unbounded_channel();
        let ear = Ear { said: Mutex::default(), eyes, asked, handed };
        let mut shown = Vec::new();
        let acting = self.runtime.act(&request, &ear);
        tokio::pin!(acting);
        let result = loop {
            tokio::select! {
                result = &mut acting => break result,
                // Whoever refuses does not do it either.
                Some(handle) = duties.recv(), if matches!(person, Person::Refuses) => {
                    self.runtime.cancel(&handle, Some("no".to_owned())).unwrap();
                }
                Some((question, token)) = questions.recv() => {
                    let handle = question.action_handle.clone();
                    shown.push(question);
                    let answer = self.answer(person, &handle, token);
                    tokio::pin!(answer);
                    tokio::select! {
                        result = &mut acting => break result,
                        () = answer => {}
                    }
                }
            }
        };
        let said = ear.said.lock().unwrap().clone();
        Went { result, said, asked: shown }
    }

    async fn answer(&self, person: Person, handle: &ActionHandle, token: GrantToken) {
        match person {
            Person::Agrees => self.runtime.grant(handle, token, PeerRole::User).await.unwrap(),
            Person::Refuses => self.runtime.deny(handle, Some("no".to_owned())).unwrap(),
        }
    }

    /// The page as it is in the beginning.
    pub(crate) async fn again(&self) {
        let url = format!("{}?{}", self.site.url("/"), u128::from_be_bytes(chance()));
        self.runtime.surface().visit(&url, soon()).await.unwrap();
    }

    pub(crate) async fn read(&self, expression: &str) -> Value {
        self.runtime.surface().page().evaluate_main(expression, soon()).await.unwrap()
    }
}

/// An action on the element of this role and name.
pub(crate) fn on(action: &str, role: &str, name: &str) -> Value {
    json!({ "actionId": action, "target": { "ref": { "by": "semantic", "role": role, "name": name } } })
}

/// The same with arguments.
pub(crate) fn with(action: &str, role: &str, name: &str, args: Value) -> Value {
    let mut request = on(action, role, name);
    request["args"] = args;
    request
}
