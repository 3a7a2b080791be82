//! A made-up application: a page with a clock that changes ten times a second, and nothing that takes time.

use anyhow::anyhow;
use serde_json::json;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, interval, sleep_until};
use uiap_protocol::action::PresentationHints;
use uiap_protocol::capability::{ActionDescriptor, ExecutionMode, Role};
use uiap_protocol::core::AppInfo;
use uiap_protocol::ids::{ElementInstanceId, Id, PeerId, ProfileId};
use uiap_protocol::text::Node;
use uiap_protocol::web::GraphStore;
use uiap_protocol::wire::{JsonObject, Wire, accept};
use uiap_runtime::catalogue::Catalogue;
use uiap_runtime::consent::ConsentKey;
use uiap_runtime::gate::LiveFacts;
use uiap_runtime::journal::Retention;
use uiap_runtime::life::Delivery;
use uiap_runtime::resolve::TargetIndex;
use uiap_runtime::shell::{Runtime, Settings};
use uiap_runtime::standing::Standing;
use uiap_runtime::surface::{Dispatched, Mark, News, Order, Scene, Surface, SurfaceError};
use uiap_server::serving::{House, Offer};
use uiap_testkit::MemoryJournal;

/// How many buttons the page has.
const BUTTONS: usize = 20;
/// How often the clock of the page goes on.
const CLOCK_EVERY: Duration = Duration::from_millis(100);
/// How many actions the journal remembers; what a journal needs is not what is measured.
const REMEMBERED: usize = 64;

/// The page as it is known.
struct Known {
    page: GraphStore,
    index: TargetIndex,
}

/// An application that answers at once.
pub(crate) struct Clockwork {
    known: Mutex<Known>,
    changes: AtomicU64,
    stirred: Notify,
}

fn value<T: Wire>(json: &serde_json::Value) -> anyhow::Result<T> {
    accept(&Node::from_json(json)).map_err(|findings| anyhow!("{json} is not sound: {findings:?}"))
}

impl Clockwork {
    fn new() -> anyhow::Result<Self> {
        let button = |number: usize| {
            json!({
                "instanceId": format!("el_{number}"), "stableId": format!("button.{number}"), "documentId": "doc",
                "role": "button", "name": format!("Button {number}"), "state": {"visible": true, "enabled": true},
                "affordances": ["activate"],
            })
        };
        let clock = json!({"instanceId": "clock", "documentId": "doc", "role": "status", "name": "0", "state": {"visible": true}});
        let elements: Vec<_> = (0..BUTTONS).map(button).chain([clock]).collect();
        let page = GraphStore::new(value(&json!({
            "modelVersion": "0.1", "profile": "web@0.1", "revision": "rev_1", "seq": 1,
            "capturedAt": "2026-01-01T00:00:00Z", "route": {"url": "http://clockwork/"},
            "documents": [{"id": "doc", "boundary": {"kind": "root", "opaque": false}}],
            "scopes": [], "elements": elements,
        }))?);
        let index = TargetIndex::new(&page);
        Ok(Self {
            known: Mutex::new(Known { page, index }),
            changes: AtomicU64::new(0),
            stirred: Notify::new(),
        })
    }

    /// The clock goes on, for as long as it is waited for.
    pub(crate) async fn run(&self) -> anyhow::Result<()> {
        let mut ticks = interval(CLOCK_EVERY);
        loop {
            ticks.tick().await;
            self.tick()?;
            self.stirred.notify_waiters();
        }
    }

    fn tick(&self) -> anyhow::Result<()> {
        let number = self.changes.fetch_add(1, Ordering::SeqCst) + 1;
        let mut known = self.known();
        let seq = known.page.seq() + 1;
        let delta = value(&json!({
            "baseRevision": known.page.revision().as_str(), "revision": format!("rev_{seq}"), "seq": seq,
            "at": "2026-01-01T00:00:00Z",
            "ops": [{"op": "update", "kind": "element", "id": "clock", "value": {"name": number.to_string()}}],
        }))?;
        known.page.apply(&delta)?;
        Ok(())
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Surface for Clockwork {
    fn modes(&self) -> Vec<ExecutionMode> {
        vec![ExecutionMode::SemanticUi]
    }

    async fn offers(&self, _until: Instant) -> Vec<ActionDescriptor> {
        Vec::new()
    }

    async fn look(&self, _anew: bool, _until: Instant) -> Result<(), SurfaceError> {
        Ok(())
    }

    fn scene<R>(&self, read: impl FnOnce(Scene<'_>) -> R) -> Option<R> {
        let known = self.known();
        Some(read(Scene { page: &known.page, index: &known.index }))
    }

    async fn facts(&self, _: &ElementInstanceId, _: Instant) -> Result<Option<LiveFacts>, SurfaceError> {
        Ok(Some(LiveFacts::shown(Role::Button)))
    }

    async fn reveal(&self, _: &ElementInstanceId, _: Instant) {}

    async fn dispatch(&self, _: Order<'_>, _: Instant) -> Dispatched {
        Delivery::Delivered { acknowledged: false, return_value: Some(JsonObject::new()) }.into()
    }

    async fn present(&self, _: &PresentationHints, _: Option<&ElementInstanceId>, _: Instant) {}

    fn unveil(&self) {}

    fn mark(&self) -> Mark {
        Mark { signals: 0, changes: self.changes.load(Ordering::SeqCst) }
    }

    async fn news(&self, since: Mark, until: Instant) -> Result<News, SurfaceError> {
        loop {
            let stirred = self.stirred.notified();
            tokio::pin!(stirred);
            stirred.as_mut().enable();
            let next = self.mark();
            if next != since || Instant::now() >= until {
                return Ok(News { signals: Vec::new(), dropped: 0, next });
            }
            tokio::select! {
                () = &mut stirred => {}
                () = sleep_until(until) => {}
            }
        }
    }

    async fn rest(&self, _: Mark, _: Instant) -> Result<(), SurfaceError> {
        Ok(())
    }
}

/// A house around the application.
pub(crate) fn house() -> anyhow::Result<Arc<House<Clockwork, MemoryJournal>>> {
    let standing = Standing::before_a_person(Id::new("bench")?, Vec::new())?;
    let settings = Settings {
        policy: standing.policy,
        principal: standing.principal,
        lent: standing.lent,
        application: Id::new("clockwork")?,
        consent_key: ConsentKey::new([7; 32]),
        digest_key: [8; 32],
        chance,
        clock: || 1_800_000_000_000,
    };
    let retention = Retention {
        ended_max: REMEMBERED,
        traces_max: REMEMBERED,
        turned_away_max: REMEMBERED,
        ..Retention::default()
    };
    let runtime = Runtime::new(Clockwork::new()?, MemoryJournal::new(retention), Catalogue::new(), settings);
    let offer = Offer {
        app: AppInfo { id: Id::new("clockwork")?, version: "1".to_owned(), locale: None },
        source: PeerId::new("bench")?,
        profiles: vec![ProfileId::new("web@0.1")?],
        policies: Vec::new(),
        capabilities: value(&json!({
            "modelVersion": "0.1", "profile": "web@0.1", "roles": ["button"], "stateKeys": ["enabled"],
            "affordances": ["activate"], "riskLevels": ["safe"], "successSignalKinds": ["toast.contains"], "actions": [],
        }))?,
        asks_people: false,
        mapper: None,
    };
    Ok(House::new(runtime, offer))
}

/// Names that differ are enough here.
fn chance() -> [u8; 16] {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    u128::from(NEXT.fetch_add(1, Ordering::Relaxed)).to_be_bytes()
}
