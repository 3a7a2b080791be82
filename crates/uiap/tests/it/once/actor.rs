//! The process that acts once and may die at any moment.
//!
//! It says on stderr how far it has come, one line `at PHASE` each, so that whoever kills it can choose; what it was
//! told is on lines `ended WHICH JSON`.

use crate::once::server;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use uiap_protocol::action::{ActionRequest, ActionResult, ConfirmationRequest};
use uiap_protocol::core::PeerRole;
use uiap_protocol::ids::{ActionHandle, Id};
use uiap_protocol::text::Node;
use uiap_protocol::wire;
use uiap_runtime::catalogue::Catalogue;
use uiap_runtime::consent::{ConsentKey, GrantToken};
use uiap_runtime::journal::{
    Admission, Decision, Entry, Intent, Journal, JournalError, Kept, TraceRecord, TraceSummary, TurnedAway,
};
use uiap_runtime::life::{Message, Millis};
use uiap_runtime::plan::Refusal;
use uiap_runtime::shell::{Listener, Runtime, Settings};
use uiap_runtime::standing::Standing;
use uiap_store::SqliteJournal;
use uiap_web::{Browser, Deadline, WebSurface};

/// The variable that makes a process of this test the one that acts: its [`Task`] as JSON.
pub(crate) const ROLE: &str = "UIAP_TEST_ACTOR";
/// Nothing takes this long unless it is broken.
const WAIT: Duration = Duration::from_secs(30);

type Trouble = Box<dyn std::error::Error>;

/// What to do, and where.
#[derive(Deserialize, Serialize)]
pub(crate) struct Task {
    pub(crate) journal: PathBuf,
    /// The address of the browser.
    pub(crate) browser: String,
    /// The address of the page.
    pub(crate) page: String,
    pub(crate) key: String,
}

/// Acts, if this process is the one.
pub(crate) fn acts_here() -> bool {
    let Ok(role) = std::env::var(ROLE) else { return false };
    let task: Task = serde_json::from_str(&role).expect("a task");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    if let Err(trouble) = runtime.expect("a runtime").block_on(run(&task)) {
        eprintln!("trouble {trouble}");
    }
    true
}

async fn run(task: &Task) -> Result<(), Trouble> {
    let deadline = Deadline::after(WAIT);
    let browser = Browser::attach(&task.browser, deadline).await?;
    say("attached");
    let page = browser.context(deadline).await?.open(&task.page, deadline).await?;
    say("opened");
    let runtime = runtime(WebSurface::new(page), Loud::open(&task.journal)?)?;
    let asked = act(&runtime, Some(&task.key)).await?;
    tell("first", &asked)?;
    tell("again", &act(&runtime, Some(&task.key)).await?)?;
    if asked["sideEffectState"] == "unknown" {
        tell("without a key", &act(&runtime, None).await?)?;
    }
    Ok(())
}

fn runtime(surface: WebSurface, journal: Loud) -> Result<Runtime<WebSurface, Loud>, Trouble> {
    let standing = Standing::before_a_person(Id::new("agent")?, Vec::new())?;
    let settings = Settings {
        policy: standing.policy,
        principal: standing.principal,
        lent: standing.lent,
        application: Id::new("counting")?,
        consent_key: ConsentKey::new([7; 32]),
        digest_key: [9; 32],
        chance,
        clock: now,
    };
    Ok(Runtime::new(surface, journal, Catalogue::new(), settings))
}

/// Presses the button of the page, with the person's agreement where it is asked for.
async fn act(runtime: &Runtime<WebSurface, Loud>, key: Option<&str>) -> Result<Value, Trouble> {
    let target = json!({ "by": "semantic", "role": "button", "name": server::BUTTON });
    let mut request = json!({ "actionId": "ui.activate", "target": { "ref": target } });
    if let Some(key) = key {
        request["idempotencyKey"] = key.into();
    }
    let request: ActionRequest = wire::accept(&Node::from_json(&request)).expect("a request");
    let (asked, mut questions) = unbounded_channel();
    let acting = async {
        let person = Person { asked };
        runtime.act(&request, &person).await
    };
    let agreeing = async {
        while let Some((handle, token)) = questions.recv().await {
            // An action that ended meanwhile needs no agreement.
            let _ = runtime.grant(&handle, token, PeerRole::User).await;
        }
    };
    let (ended, ()) = tokio::join!(acting, agreeing);
    told(ended)
}

fn told(ended: Result<ActionResult, Refusal>) -> Result<Value, Trouble> {
    Ok(match ended {
        Ok(result) => serde_json::to_value(&result)?,
        Err(refusal) => json!({ "refused": refusal.code.as_str(), "message": refusal.message }),
    })
}

fn say(phase: &str) {
    eprintln!("at {phase}");
}

fn tell(which: &str, ended: &Value) -> Result<(), Trouble> {
    eprintln!("ended {}", serde_json::to_string(&(which, ended))?);
    Ok(())
}

fn chance() -> [u8; 16] {
    let mut bytes = [0; 16];
    let read = std::fs::File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut bytes));
    read.expect("the system has random numbers");
    bytes
}

fn now() -> Millis {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a clock");
    Millis::try_from(since.as_millis()).expect("a year before 500 million")
}

/// Agrees to everything.
struct Person {
    asked: UnboundedSender<(ActionHandle, GrantToken)>,
}

impl Listener for Person {
    fn hear(&self, message: &Message) {
        match message {
            Message::Accepted(_) => say("accepted"),
            Message::Progress(progress) => say(progress.stage.as_str()),
            Message::Cancelled(_) => say("cancelled"),
            Message::Result(_) => say("result"),
        }
    }

    fn confirm(&self, request: &ConfirmationRequest, token: GrantToken) {
        // It has ended if nobody listens.
        let _ = self.asked.send((request.action_handle.clone(), token));
    }
}

/// A journal on the disk that says before and after each step what it does.
struct Loud(SqliteJournal);

impl Loud {
    fn open(path: &Path) -> Result<Self, Trouble> {
        let journal = SqliteJournal::open(path, uiap_store::Settings::default(), now())?;
        say("journal open");
        Ok(Self(journal))
    }
}

impl Journal for Loud {
    async fn admit(&self, entry: Entry) -> Result<Admission, JournalError> {
        say("admitting");
        let admission = self.0.admit(entry).await;
        say("admitted");
        admission
    }

    async fn decide(&self, handle: &ActionHandle, decision: Decision) -> Result<(), JournalError> {
        say("deciding");
        self.0.decide(handle, decision).await
    }

    async fn intend(&self, handle: &ActionHandle, intent: Intent) -> Result<(), JournalError> {
        say("intending");
        let intended = self.0.intend(handle, intent).await;
        say("intended");
        intended
    }

    async fn conclude(&self, result: ActionResult, trace: TraceRecord) -> Result<(), JournalError> {
        say("concluding");
        let concluded = self.0.conclude(result, trace).await;
        say("concluded");
        concluded
    }

    async fn turn_away(&self, request: TurnedAway) -> Result<(), JournalError> {
        self.0.turn_away(request).await
    }

    async fn find(&self, handle: &ActionHandle) -> Result<Option<Kept>, JournalError> {
        self.0.find(handle).await
    }

    async fn open_actions(&self) -> Result<Vec<ActionHandle>, JournalError> {
        self.0.open_actions().await
    }

    async fn trace(&self, handle: &ActionHandle) -> Result<Option<TraceRecord>, JournalError> {
        self.0.trace(handle).await
    }

    async fn latest(&self, most: usize) -> Result<Vec<TraceSummary>, JournalError> {
        self.0.latest(most).await
    }

    async fn turned_away(&self, most: usize) -> Result<Vec<TurnedAway>, JournalError> {
        self.0.turned_away(most).await
    }

    async fn latest_own(&self, most: usize) -> Result<Vec<TraceSummary>, JournalError> {
        self.0.latest_own(most).await
    }

    async fn is_own(&self, handle: &ActionHandle) -> Result<bool, JournalError> {
        self.0.is_own(handle).await
    }

    fn check_held(&self) -> Result<(), JournalError> {
        self.0.check_held()
    }
}
