//! The same press by the runtime, with a journal on disk, from the request to the result.

use anyhow::{Context as _, bail, ensure};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use tokio::time::Instant as Until;
use uiap_protocol::action::{ActionRequest, ActionResult, ActionStatus, ConfirmationRequest};
use uiap_protocol::ids::Id;
use uiap_protocol::text::Node;
use uiap_protocol::wire;
use uiap_runtime::catalogue::Catalogue;
use uiap_runtime::consent::{ConsentKey, GrantToken};
use uiap_runtime::gate::{self, Demand};
use uiap_runtime::life::{Message, Millis};
use uiap_runtime::plan::Refusal;
use uiap_runtime::resolve::{Aim, Request, resolve};
use uiap_runtime::shell::{Listener, Runtime, Settings};
use uiap_runtime::standing::Standing;
use uiap_runtime::surface::Surface as _;
use uiap_store::SqliteJournal;
use uiap_web::{Page, WebSurface};

/// How often finding a target is repeated.
const RESOLVE_ROUNDS: usize = 500;
/// How long a target may be asked for its state.
const FACTS_WAIT: std::time::Duration = std::time::Duration::from_secs(10);

/// A runtime in front of a page.
pub(crate) struct Ours {
    runtime: Runtime<WebSurface, SqliteJournal>,
}

/// Hears nothing: what is pressed here needs nobody's agreement.
struct Deaf;

impl Listener for Deaf {
    fn hear(&self, _: &Message) {}
    fn confirm(&self, _: &ConfirmationRequest, _: GrantToken) {}
}

pub(crate) fn clock() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis::try_from(since.as_millis()).unwrap_or_default()
}

/// Handles that differ are enough here.
fn chance() -> [u8; 16] {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    (u128::from(clock()) << 64 | u128::from(NEXT.fetch_add(1, Ordering::Relaxed))).to_be_bytes()
}

impl Ours {
    pub(crate) fn new(page: Page, journal: &Path) -> anyhow::Result<Self> {
        let standing = Standing::before_a_person(Id::new("bench")?, Vec::new())?;
        let settings = Settings {
            policy: standing.policy,
            principal: standing.principal,
            lent: standing.lent,
            application: Id::new("bench")?,
            consent_key: ConsentKey::new([7; 32]),
            digest_key: [9; 32],
            chance,
            clock,
        };
        let journal = SqliteJournal::open(journal, uiap_store::Settings::default(), clock())?;
        Ok(Self { runtime: Runtime::new(WebSurface::new(page), journal, Catalogue::new(), settings) })
    }

    /// Presses and verifies, in milliseconds.
    pub(crate) async fn press(&self, name: &str) -> anyhow::Result<f64> {
        let (time, result) = self.act("ui.activate", name).await?;
        match result {
            Ok(result) if result.status == ActionStatus::Succeeded => Ok(time),
            other => bail!("\"{name}\" was not pressed: {other:?}"),
        }
    }

    /// Presses something whose effect comes late: milliseconds from the effect to the result.
    pub(crate) async fn press_late(&self, name: &str) -> anyhow::Result<f64> {
        self.press(name).await?;
        let known_at = clock();
        let says = |text: &str| text.rsplit_once(" at ").and_then(|(_, at)| at.parse::<Millis>().ok());
        let shown_at = self.runtime.surface().scene(|scene| {
            scene
                .page
                .elements()
                .find_map(|element| says(element.name.as_deref().or(element.state.ui.text_value.as_deref())?))
        });
        let shown_at = shown_at.flatten().context("the page does not say when")?;
        Ok(std::time::Duration::from_millis(known_at.saturating_sub(shown_at)).as_secs_f64() * 1e3)
    }

    /// Asks for what cannot be done, and is told so by this code, in milliseconds.
    pub(crate) async fn refused(&self, action: &str, name: &str, code: &str) -> anyhow::Result<f64> {
        let (time, result) = self.act(action, name).await?;
        let told = match &result {
            Ok(result) => result.error.as_ref().map(|error| error.code.to_string()),
            Err(refusal) => Some(refusal.code.as_str().to_owned()),
        };
        ensure!(told.as_deref() == Some(code), "{action} on \"{name}\": {code} was expected, not {result:?}");
        Ok(time)
    }

    async fn act(&self, action: &str, name: &str) -> anyhow::Result<(f64, Result<ActionResult, Refusal>)> {
        let request = request(action, name)?;
        let start = Instant::now();
        let result = self.runtime.act(&request, &Deaf).await;
        Ok((start.elapsed().as_secs_f64() * 1e3, result))
    }

    /// Finding the target and judging its state, without asking the page for it: microseconds each.
    pub(crate) async fn resolve_and_gate(&self, name: &str) -> anyhow::Result<Vec<f64>> {
        let request = request("ui.activate", name)?;
        let target = request.target.as_ref().context("a target")?;
        let asked = Request { action: &request.action_id, target, hinted: &[] };
        let surface = self.runtime.surface();
        let found = surface.scene(|scene| resolve(scene.page, scene.index, &asked));
        let Some(Ok(Aim::Element(found))) = found else { bail!("\"{name}\" is not found") };
        let until = Until::now() + FACTS_WAIT;
        let facts =
            surface.facts(&found.target.instance_id, until).await?.context("the target is not there")?;
        let demand = Demand::of(&request.action_id);
        let times = surface.scene(|scene| {
            let once = |_| {
                let start = Instant::now();
                let resolved = resolve(scene.page, scene.index, std::hint::black_box(&asked)).is_ok();
                let passed = gate::check(demand, std::hint::black_box(&facts)).is_ok();
                std::hint::black_box((resolved, passed));
                start.elapsed().as_secs_f64() * 1e6
            };
            (0..RESOLVE_ROUNDS).map(once).collect()
        });
        times.context("nothing is known of the page")
    }
}

fn request(action: &str, name: &str) -> anyhow::Result<ActionRequest> {
    let json: Value = json!({
        "actionId": action, "target": { "ref": { "by": "semantic", "role": "button", "name": name } },
    });
    wire::accept(&Node::from_json(&json)).map_err(|findings| anyhow::anyhow!("{findings:?}"))
}

/// The memory that this process uses, in MB.
pub(crate) fn memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
