//! `uiap act`: one action on a page, verified.

mod desk;
mod help;
mod person;
mod telling;

use super::bundle::BundleFlags;
use super::login::LoginFlags;
use super::supplies::Supplies;
use crate::browsing::BrowserFlags;
use crate::keeping::JournalFlags;
use crate::login::Login;
use crate::opening::{Opened, address_of, open};
use crate::report::ReportFormat;
use crate::running;
use crate::{Outcome, Trouble};
use anyhow::Context as _;
use clap::{Args, ValueEnum};
use desk::Desk;
use person::{Ear, say};
use std::io::Write;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::Instant;
use uiap_protocol::action::{
    ActionRequest, ActionResult, ActionStatus, RuntimeErrorCode, VerificationPolicy, VerificationSpec,
};
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::core::{CoreErrorCode, ErrorCode, ErrorPayload};
use uiap_protocol::ids::{ActionId, Id};
use uiap_protocol::policy::PolicyDocument;
use uiap_protocol::web::PageGraph;
use uiap_protocol::wire::JsonObject;
use uiap_runtime::catalogue::Catalogue;
use uiap_runtime::plan::Refusal;
use uiap_runtime::shell::{Runtime, Settings};
use uiap_runtime::standing::Standing;
use uiap_runtime::surface::Surface as _;
use uiap_runtime::view::{ViewOptions, changes, view};
use uiap_runtime::words::{self, Place, Sign};
use uiap_server::secrets::{Vault, Vaulted};
use uiap_store::SqliteJournal;
use uiap_web::{Changes, Deadline, Page, Position, WebSurface};
use url::Url;

/// How long a page may take to be there, before the action begins.
const PAGE_WAIT: Duration = Duration::from_secs(30);
/// How long the page is waited for that is shown after the action.
const AFTER_WAIT: Duration = Duration::from_secs(5);
/// How long a page that never rests is waited for.
const REST_WAIT: Duration = Duration::from_secs(3);
/// In whose name actions of the command line are done.
const AGENT: &str = "uiap-act";

/// Do one thing on a page, and say what is proven about it
#[derive(Args)]
#[command(after_help = help::after_help())]
pub(crate) struct Act {
    /// The address of the page
    url: String,
    /// What to do: an action, or the last word of one that every page knows
    #[arg(required_unless_present = "request")]
    action: Option<String>,
    /// On what
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,
    /// The area in which the target is
    #[arg(long = "in", value_name = "AREA", requires = "target")]
    within: Option<String>,
    /// With what: NAME=TEXT or NAME:=JSON
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    args: Vec<String>,
    /// How success is recognised; without it, as action and target say
    #[arg(long, value_name = "SIGNAL")]
    verify: Vec<String>,
    /// Do it once under this name: asked for again, it is not done again
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// How long it may take, in seconds; waiting for you does not count
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=600))]
    timeout: Option<u64>,
    /// A whole request instead, as JSON or YAML; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["action", "target", "args", "verify", "key", "timeout"])]
    request: Option<PathBuf>,
    #[command(flatten)]
    login: LoginFlags,
    #[command(flatten)]
    bundle: BundleFlags,
    /// What may happen: a policy document or a policy set; may be given more than once
    #[arg(long, value_name = "FILE")]
    policy: Vec<PathBuf>,
    /// How to tell how it went
    #[arg(long, value_enum, default_value_t)]
    format: ActFormat,
    #[command(flatten)]
    journal: JournalFlags,
    #[command(flatten)]
    browser: BrowserFlags,
}

/// How to tell how an action went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ActFormat {
    /// One line, then what changed on the page.
    #[default]
    Text,
    /// The `action.result`, and nothing else.
    Json,
}

type Acting = Runtime<Vaulted<WebSurface>, Vaulted<SqliteJournal>>;

/// Everything that can be read before there is a page.
struct Wish {
    address: String,
    what: What,
    bundle: Option<CompiledBundle>,
    catalogue: Catalogue,
    policies: Vec<PolicyDocument>,
    login: Option<Login>,
    secrets: Arc<Vault>,
}

/// What is to be done.
enum What {
    /// This.
    Request(Box<ActionRequest>),
    /// What the flags say; targets and signals are understood in front of the page.
    Flags { action: ActionId, args: JsonObject, signs: Vec<Sign> },
}

/// How an action went.
struct Went {
    result: Result<ActionResult, Refusal>,
    /// It had a handle in this process; otherwise the result is an earlier one.
    accepted: bool,
}

impl Act {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        runtime.block_on(async {
            let wish = self.wish()?;
            let mut interrupts = Interrupts::new()?;
            let journal = self.journal.open()?;
            let opened = tokio::select! {
                opened = open(&self.browser, &wish.address, wish.bundle.as_ref(), Deadline::after(PAGE_WAIT)) => opened?,
                () = interrupts.next() => return Err(interrupted("nothing was done")),
            };
            Box::pin(self.act(wish, opened, journal, &mut interrupts)).await
        })
    }

    fn wish(&self) -> Result<Wish, Trouble> {
        let address = address_of(&self.url)?;
        let format = match self.format {
            ActFormat::Text => ReportFormat::Human,
            ActFormat::Json => ReportFormat::Json,
        };
        let supplies = Supplies { format };
        let bundle = self.bundle.load(supplies)?;
        let catalogue = bundle.as_ref().map_or_else(Catalogue::new, Catalogue::of_bundle);
        let mut policies: Vec<_> = bundle
            .iter()
            .flat_map(|bundle| bundle.policies.iter().flatten())
            .map(|policy| policy.document.clone())
            .collect();
        for path in &self.policy {
            policies.extend(supplies.policies(path)?);
        }
        let what = match (&self.request, &self.action) {
            (Some(path), _) => What::Request(Box::new(supplies.request(path)?)),
            (None, action) => {
                let signs = self.verify.iter().filter(|text| *text != "none").map(|text| Sign::read(text));
                let signs = signs.collect::<Result<Vec<_>, _>>()?;
                if self.is_unverified() && !signs.is_empty() {
                    return Err(Trouble::WrongUse("--verify none stands alone.".to_owned()));
                }
                let action = words::action(action.as_deref().unwrap_or_default(), &catalogue)?;
                let args = self.args.iter().map(|text| words::argument(text)).collect::<Result<_, _>>()?;
                let args = words::arguments(&action, args)?;
                What::Flags { action, args, signs }
            }
        };
        let (login, secrets) = (self.login.login()?, self.login.vault()?);
        Ok(Wish { address, what, bundle, catalogue, policies, login, secrets })
    }

    fn is_unverified(&self) -> bool {
        self.verify.iter().any(|text| text == "none")
    }

    async fn act(
        &self,
        wish: Wish,
        opened: Opened,
        journal: SqliteJournal,
        interrupts: &mut Interrupts,
    ) -> Result<Outcome, Trouble> {
        let Opened { browsing, page } = opened;
        let settings = settings(&wish)?;
        let surface = Vaulted::new(WebSurface::new(page), Arc::clone(&wish.secrets));
        let journal = Vaulted::new(journal, Arc::clone(&wish.secrets));
        let runtime = Runtime::new(surface, journal, wish.catalogue, settings);
        if let Some(login) = &wish.login {
            tokio::select! {
                signed_in = sign_in(&runtime, login, &wish.address) => signed_in?,
                () = interrupts.next() => return Err(interrupted("nothing was done beyond signing in")),
            }
        }
        let surface = runtime.surface();
        let until = Instant::now() + PAGE_WAIT;
        surface.look(false, until).await.map_err(anyhow::Error::new)?;
        let position = surface.inner().page().signals().position();
        let before = surface.scene(|scene| scene.page.graph()).context("the page cannot be looked at")?;
        let request = self.request(&wish.what, &runtime, &before)?;
        let went = self.drive(&runtime, &request, interrupts).await?;
        let outcome = self.tell(&runtime, &went, &before, position, &wish.secrets).await;
        drop(runtime);
        browsing.close().await;
        outcome
    }

    /// The request, as it is meant in front of this page.
    fn request(&self, what: &What, runtime: &Acting, graph: &PageGraph) -> Result<ActionRequest, Trouble> {
        let (action, args, signs) = match what {
            What::Request(request) => return Ok(request.as_ref().clone()),
            What::Flags { action, args, signs } => (action, args, signs),
        };
        let understood = runtime.surface().scene(|scene| {
            let place = Place::new(scene, graph);
            let target = self.target.as_ref();
            let target = target.map(|text| place.target(action, text, self.within.as_deref())).transpose()?;
            let signals = signs.iter().map(|sign| place.signal(sign)).collect::<Result<Vec<_>, _>>()?;
            Ok::<_, Trouble>((target, signals))
        });
        let (target, signals) = understood.context("the page cannot be looked at")??;
        let timeout_ms = self.timeout.map(|seconds| seconds.saturating_mul(1_000));
        let verification = VerificationSpec {
            policy: self.is_unverified().then_some(VerificationPolicy::None),
            signals: (!signals.is_empty()).then_some(signals),
            timeout_ms,
            ..VerificationSpec::default()
        };
        let key = self.key.as_ref().map(Id::new).transpose();
        Ok(ActionRequest {
            action_id: action.clone(),
            target,
            args: (!args.is_empty()).then(|| args.clone()),
            preferred_execution_modes: None,
            verification: (verification != VerificationSpec::default()).then_some(verification),
            presentation: None,
            timeout_ms,
            idempotency_key: key.map_err(|error| Trouble::WrongUse(format!("--key: {error}.")))?,
            metadata: None,
        })
    }

    /// Runs the action, and lets the person have a say in it.
    async fn drive(
        &self,
        runtime: &Acting,
        request: &ActionRequest,
        interrupts: &mut Interrupts,
    ) -> Result<Went, Trouble> {
        let (ear, mut heard) = Ear::new();
        let mut acting = pin!(runtime.act(request, &ear));
        let mut desk = Desk::new(runtime, self.browser.is_visible());
        let mut cancelled = false;
        let result = loop {
            tokio::select! {
                biased;
                result = &mut acting => break result,
                () = interrupts.next() => {
                    if cancelled || !desk.cancel() {
                        return Err(interrupted("what was under way is not known; `uiap trace` will say so"));
                    }
                    cancelled = true;
                    say("Stopping; once more ends it at once.");
                }
                Some(said) = heard.recv() => desk.hear(said),
                () = desk.next() => {}
            }
        };
        // What it said last may not have been taken note of.
        while let Ok(said) = heard.try_recv() {
            desk.note(&said);
        }
        Ok(Went { result, accepted: desk.has_handle() })
    }

    async fn tell(
        &self,
        runtime: &Acting,
        went: &Went,
        before: &PageGraph,
        position: Position,
        secrets: &Vault,
    ) -> Result<Outcome, Trouble> {
        let result = match &went.result {
            Ok(result) => result,
            Err(refusal) => return self.refused(refusal),
        };
        let outcome = match result.status {
            ActionStatus::Succeeded => Outcome::Yes,
            ActionStatus::Failed | ActionStatus::Cancelled => Outcome::No,
        };
        if self.format == ActFormat::Json {
            let json = serde_json::to_string_pretty(result).context("the result is not JSON")?;
            writeln!(std::io::stdout(), "{json}")?;
            return Ok(outcome);
        }
        let told = telling::told(result, !went.accepted);
        let news = if went.accepted { what_changed(runtime, before, position).await } else { String::new() };
        let mut out = std::io::stdout().lock();
        // The page may say a secret back that was typed into it.
        write!(out, "{}", secrets.scrub(&format!("{told}{news}")))?;
        writeln!(out, "Trace: uiap trace {}", result.action_handle)?;
        Ok(outcome)
    }

    /// It was never begun.
    fn refused(&self, refusal: &Refusal) -> Result<Outcome, Trouble> {
        if self.format == ActFormat::Json {
            let payload = ErrorPayload::from(refusal.clone());
            let json = serde_json::to_string_pretty(&payload).context("the error is not JSON")?;
            writeln!(std::io::stdout(), "{json}")?;
        }
        let advice = match refusal.code {
            ErrorCode::Runtime(RuntimeErrorCode::ActionUnsupported) => {
                let near = words::similar_actions(self.action.as_deref().unwrap_or_default());
                let known = if near.is_empty() { words::common_actions() } else { near };
                format!(" Use one of: {}.", known.join(", "))
            }
            ErrorCode::Runtime(RuntimeErrorCode::UnsafeRetryRefused) => {
                " --key NAME gives it one.".to_owned()
            }
            _ => String::new(),
        };
        let message = refusal.message.trim_end_matches('.');
        let trace = refusal.trace.as_ref().map(|handle| format!(" Trace: uiap trace {handle}"));
        let sentence = format!(
            "{message} ({}).{advice} Nothing was done.{}",
            refusal.code.as_str(),
            trace.unwrap_or_default()
        );
        let wrong = matches!(
            refusal.code,
            ErrorCode::Core(CoreErrorCode::InvalidPayload)
                | ErrorCode::Runtime(RuntimeErrorCode::ActionUnsupported | RuntimeErrorCode::TargetRequired)
        );
        Err(if wrong { Trouble::WrongUse(sentence) } else { Trouble::Other(anyhow::anyhow!(sentence)) })
    }
}

fn settings(wish: &Wish) -> Result<Settings, Trouble> {
    let agent = Id::new(AGENT).map_err(anyhow::Error::new)?;
    let standing = Standing::before_a_person(agent, wish.policies.clone())
        .map_err(|error| Trouble::WrongUse(format!("The policies are too much: {error}.")))?;
    running::settings(standing, running::application_of(wish.bundle.as_ref(), &wish.address)?)
}

/// Signs in, and comes back to where the action is to be done.
async fn sign_in(runtime: &Acting, login: &Login, address: &str) -> Result<(), Trouble> {
    let base = Url::parse(address).map_err(anyhow::Error::new)?;
    let signed_in = login.sign_in(runtime, &base).await;
    signed_in.map_err(|error| anyhow::anyhow!("nobody is signed in: {error}; nothing else was done"))?;
    let deadline = Deadline::after(PAGE_WAIT);
    let surface = runtime.surface().inner();
    surface.visit(address, deadline).await.map_err(anyhow::Error::new)?;
    surface.page().rest(deadline.at_most(REST_WAIT)).await;
    Ok(())
}

fn interrupted(what: &str) -> Trouble {
    Trouble::Other(anyhow::anyhow!("interrupted; {what}"))
}

/// What changed on the page since before the action.
async fn what_changed(runtime: &Acting, before: &PageGraph, position: Position) -> String {
    let surface = runtime.surface();
    let deadline = Deadline::after(AFTER_WAIT);
    let page: &Page = surface.inner().page();
    if surface.look(false, Instant::now() + AFTER_WAIT).await.is_err() {
        return "The page cannot be looked at any more.\n".to_owned();
    }
    let Some(after) = surface.scene(|scene| scene.page.graph()) else { return String::new() };
    let signals: Vec<_> =
        page.signals().since(position).signals.iter().map(|signal| signal.as_ref().clone()).collect();
    let shown = match page.changes(&before.revision, deadline).await {
        Ok(Changes::Deltas(deltas)) => changes(before, &deltas, &signals, &after),
        Ok(Changes::Unknown) | Err(_) => view(&after, &ViewOptions::default()),
    };
    shown.unwrap_or_else(|error| format!("The page cannot be shown: {error}.\n"))
}

/// The signals of the system that ask to stop.
struct Interrupts {
    interrupt: Signal,
    terminate: Signal,
}

impl Interrupts {
    fn new() -> Result<Self, Trouble> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
