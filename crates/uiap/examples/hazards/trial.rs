//! One case before the runtime: a page of its own, a person who answers, and the truth afterwards.

use crate::case::{Case, Reply};
use crate::site::Site;
use crate::verdict::{Told, Truth, Verdict};
use anyhow::{Context as _, anyhow};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc;
use uiap_protocol::action::{
    ActionRequest, ActionResult, ActionStatus, ConfirmationRequest, SideEffectState, Stage,
};
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
use uiap_runtime::standing::Standing;
use uiap_testkit::MemoryJournal;
use uiap_web::{Browser, Deadline, EvaluateError, Page, WebSurface};

/// Nothing here takes this long unless it is broken.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);
/// Longest wait for a page to say what it knows.
const ORACLE_WAIT: Duration = Duration::from_secs(5);

/// How a case went.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) kind: String,
    pub(crate) seed: u64,
    pub(crate) verdict: Verdict,
    pub(crate) truth: Truth,
    pub(crate) told: Told,
    pub(crate) time: Duration,
}

/// What an action says that somebody must react to.
enum Said {
    Confirm(ActionHandle, GrantToken),
    NeedsUser(ActionHandle),
}

/// Passes on what needs an answer.
struct Ear(mpsc::UnboundedSender<Said>);

impl Listener for Ear {
    fn hear(&self, message: &Message) {
        if let Message::Progress(progress) = message
            && progress.stage == Stage::WaitingForUser
        {
            self.tell(Said::NeedsUser(progress.action_handle.clone()));
        }
    }

    fn confirm(&self, request: &ConfirmationRequest, token: GrantToken) {
        self.tell(Said::Confirm(request.action_handle.clone(), token));
    }
}

impl Ear {
    fn tell(&self, said: Said) {
        // Who no longer listens has the result already.
        let _ = self.0.send(said);
    }
}

type Acting = Runtime<WebSurface, MemoryJournal>;

/// Runs a case.
pub(crate) async fn run(browser: &Browser, site: &Site, case: &Arc<Case>) -> anyhow::Result<Outcome> {
    let name = format!("we-{}-{}", case.kind, case.seed);
    let deadline = Deadline::after(PATIENCE);
    let context = browser.context(deadline).await?;
    let page = context.open(&site.put(&name, case), deadline).await?;
    let runtime = Runtime::new(
        WebSurface::new(page),
        MemoryJournal::new(Retention::default()),
        Catalogue::new(),
        settings()?,
    );
    begin(runtime.surface().page()).await?;
    let start = Instant::now();
    let told = act(&runtime, case).await?;
    let time = start.elapsed();
    tokio::time::sleep(Duration::from_millis(case.settle)).await;
    let shown = match &case.oracle.page {
        Some(expression) => Some(asked(runtime.surface().page(), expression).await?),
        None => None,
    };
    let truth = truth(site, &name, case, shown);
    let verdict = Verdict::of(case, &told, truth);
    Ok(Outcome { kind: case.kind.clone(), seed: case.seed, verdict, truth, told, time })
}

/// The timers of the hazard start with the request.
async fn begin(page: &Page) -> anyhow::Result<()> {
    let begin = "dispatchEvent(new Event('hazard:begin'))";
    page.evaluate_main(begin, Deadline::after(ORACLE_WAIT)).await.context("the page does not answer")?;
    Ok(())
}

/// Another page knows nothing of what was wanted. One that does not answer is no oracle: the case proves nothing.
async fn asked(page: &Page, expression: &str) -> anyhow::Result<bool> {
    match page.evaluate_main(expression, Deadline::after(PATIENCE)).await {
        Ok(value) => Ok(value == true),
        Err(EvaluateError::Thrown(_)) => Ok(false),
        Err(error) => Err(error).context("the page does not say what it knows"),
    }
}

/// What the ledger and the page say.
pub(crate) fn truth(site: &Site, name: &str, case: &Case, shown: Option<bool>) -> Truth {
    let harm = case.never.iter().any(|effect| site.count(name, effect) > 0);
    let more = case.oracle.ledger.iter().any(|(effect, count)| site.count(name, effect) > *count);
    let done = case.oracle.ledger.iter().all(|(effect, count)| site.count(name, effect) == *count);
    match (harm || more, done && shown != Some(false)) {
        (true, _) => Truth::Harm,
        (false, true) => Truth::Effect,
        (false, false) => Truth::Nothing,
    }
}

fn settings() -> anyhow::Result<Settings> {
    let standing = Standing::before_a_person(Id::new("campaign")?, Vec::new())?;
    Ok(Settings {
        policy: standing.policy,
        principal: standing.principal,
        lent: standing.lent,
        application: Id::new("hazards")?,
        consent_key: ConsentKey::new([7; 32]),
        digest_key: [9; 32],
        chance,
        clock,
    })
}

/// Every runtime here lives for one action, so a count is chance enough.
fn chance() -> [u8; 16] {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(1);
    u128::from(NEXT.fetch_add(1, Ordering::Relaxed)).to_be_bytes()
}

fn clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

async fn act(runtime: &Acting, case: &Case) -> anyhow::Result<Told> {
    let request: ActionRequest = wire::accept(&Node::from_json(&case.request))
        .map_err(|findings| anyhow!("{}: the request is wrong: {findings:?}", case.kind))?;
    let (sender, mut said) = mpsc::unbounded_channel();
    let ear = Ear(sender);
    let acting = tokio::time::timeout(PATIENCE, runtime.act(&request, &ear));
    let around = async {
        let mut was_asked = false;
        let answers = async {
            while let Some(said) = said.recv().await {
                was_asked |= matches!(said, Said::Confirm(..));
                answer(runtime, case.honest.answer, said).await;
            }
        };
        tokio::join!(crash(runtime.surface().page(), case.crash), answers);
        was_asked
    };
    tokio::pin!(around);
    tokio::select! {
        result = acting => {
            drop(ear);
            let result = result.with_context(|| format!("{} {} does not end", case.kind, case.seed))?;
            // Everything that was said is in the channel; with nobody left to speak, it ends.
            Ok(told(&result, around.await))
        }
        _ = &mut around => Err(anyhow!("nobody speaks any more, and there is no result")),
    }
}

async fn crash(page: &Page, after: Option<u64>) {
    let Some(after) = after else { return };
    tokio::time::sleep(Duration::from_millis(after)).await;
    // A page whose process ends has no answer to that.
    let _ = page.crash_for_tests(Deadline::after(ORACLE_WAIT)).await;
}

/// The person.
async fn answer(runtime: &Acting, reply: Reply, said: Said) {
    match said {
        Said::Confirm(handle, token) => {
            // A page may change while somebody thinks.
            let asked = "dispatchEvent(new Event('hazard:asked'))";
            let _ = runtime.surface().page().evaluate_main(asked, Deadline::after(ORACLE_WAIT)).await;
            // An agreement that came too late, or to something that changed, is the runtime's to refuse.
            match reply {
                Reply::Grant => drop(runtime.grant(&handle, token, PeerRole::User).await),
                Reply::Deny => drop(runtime.deny(&handle, None)),
            }
        }
        // Nobody here does what only a person can do.
        Said::NeedsUser(handle) => drop(runtime.cancel(&handle, Some("there is nobody".to_owned()))),
    }
}

fn told(result: &Result<ActionResult, Refusal>, asked: bool) -> Told {
    match result {
        Ok(result) => {
            let error = result.error.as_ref();
            Told {
                succeeded: result.status == ActionStatus::Succeeded,
                code: error.map(|error| error.code.as_str().to_owned()),
                untouched: result.side_effect_state == Some(SideEffectState::None),
                asked,
                words: error
                    .map(|error| error.message.clone())
                    .unwrap_or_else(|| format!("succeeded by {:?}", result.verification.observed)),
            }
        }
        Err(refusal) => Told {
            succeeded: false,
            code: Some(refusal.code.as_str().to_owned()),
            untouched: true,
            asked,
            words: refusal.message.clone(),
        },
    }
}
