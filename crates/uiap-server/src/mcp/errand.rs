//! An action that is under way for a model: it goes on whether or not a call waits for it.
//!
//! Start at [`Errand::begin`]. What it says arrives as its [`Stage`]; what only a person may say goes through
//! [`Errand::answer`], which no tool reaches.

use crate::host::Application;
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;
use uiap_protocol::action::{ActionRequest, ActionResult, ConfirmationRequest, Stage as Reported};
use uiap_protocol::core::PeerRole;
use uiap_protocol::ids::ActionHandle;
use uiap_runtime::consent::GrantToken;
use uiap_runtime::journal::Journal;
use uiap_runtime::life::Message;
use uiap_runtime::plan::Refusal;
use uiap_runtime::question::SHOWN_CHARS_MAX;
use uiap_runtime::shell::{Listener, Runtime, WordError};
use uiap_runtime::surface::Surface;
use uiap_runtime::view::clean;

/// Most errands that can be asked for later; the oldest that has ended makes room.
const ERRANDS_MAX: usize = 64;

/// How an errand ended.
pub(super) type Ended = Result<ActionResult, Refusal>;

/// How far an errand is.
#[derive(Clone, Debug)]
pub(super) enum Stage {
    /// It goes on.
    UnderWay {
        /// What it does, in a few words.
        note: String,
    },
    /// A person has to agree.
    Asks(Arc<Question>),
    /// A person has to do something in the application.
    NeedsPerson {
        /// What.
        note: String,
    },
    /// It is over.
    Ended(Arc<Ended>),
}

/// What a person is asked. The token stays in here and goes nowhere else.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) request: ConfirmationRequest,
    token: GrantToken,
    /// Somebody has answered; the action goes on as soon as it hears.
    is_answered: AtomicBool,
}

impl Question {
    /// Whether nobody has answered.
    pub(super) fn is_open(&self) -> bool {
        !self.is_answered.load(Ordering::SeqCst)
    }

    /// Uses up the one answer.
    fn take(&self) -> Result<(), WordError> {
        if self.is_answered.swap(true, Ordering::SeqCst) {
            return Err(WordError::NotAsked { handle: self.request.action_handle.clone() });
        }
        Ok(())
    }
}

/// Where the word of a person goes.
trait Desk: Send + Sync {
    fn grant<'d>(
        &'d self,
        handle: &'d ActionHandle,
        token: GrantToken,
    ) -> Pin<Box<dyn Future<Output = Result<(), WordError>> + Send + 'd>>;
    fn deny(&self, handle: &ActionHandle, reason: &str) -> Result<(), WordError>;
    fn cancel(&self, handle: &ActionHandle, reason: &str) -> Result<(), WordError>;
}

impl<S: Surface, J: Journal> Desk for Application<S, J> {
    fn grant<'d>(
        &'d self,
        handle: &'d ActionHandle,
        token: GrantToken,
    ) -> Pin<Box<dyn Future<Output = Result<(), WordError>> + Send + 'd>> {
        Box::pin(self.runtime.grant(handle, token, PeerRole::User))
    }

    fn deny(&self, handle: &ActionHandle, reason: &str) -> Result<(), WordError> {
        self.runtime.deny(handle, Some(reason.to_owned()))
    }

    fn cancel(&self, handle: &ActionHandle, reason: &str) -> Result<(), WordError> {
        self.runtime.cancel(handle, Some(reason.to_owned()))
    }
}

/// An action that is under way for a model.
pub(super) struct Errand {
    stage: watch::Receiver<Stage>,
    handle: Arc<Mutex<Option<ActionHandle>>>,
    desk: Arc<dyn Desk>,
}

impl Errand {
    /// Begins an action. It has its own task: a call that gives up does not end it half-way.
    pub(super) fn begin<S, J>(application: Arc<Application<S, J>>, request: ActionRequest) -> Arc<Self>
    where
        S: Surface + 'static,
        J: Journal + 'static,
    {
        let (told, stage) = watch::channel(Stage::UnderWay { note: String::new() });
        let handle = Arc::new(Mutex::default());
        let desk: Arc<dyn Desk> = Arc::<Application<S, J>>::clone(&application);
        let ear = Ear { stage: told, handle: Arc::clone(&handle) };
        tokio::spawn(async move {
            let ended = run(&application.runtime, &request, &ear).await;
            ear.stage.send_replace(Stage::Ended(Arc::new(ended)));
        });
        Arc::new(Self { stage, handle, desk })
    }

    /// What it says from now on, and what it said last.
    pub(super) fn stage(&self) -> watch::Receiver<Stage> {
        self.stage.clone()
    }

    /// Its handle, once it was accepted.
    pub(super) fn handle(&self) -> Option<ActionHandle> {
        self.handle.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn has_ended(&self) -> bool {
        matches!(*self.stage.borrow(), Stage::Ended(_))
    }

    /// The question that waits for a person, if there is one.
    fn open_question(&self) -> Option<Arc<Question>> {
        match &*self.stage.borrow() {
            Stage::Asks(question) if question.is_open() => Some(Arc::clone(question)),
            _ => None,
        }
    }

    /// Waits until it has ended or a person is needed.
    async fn until_it_rests(&self) {
        let rests = |stage: &Stage| match stage {
            Stage::UnderWay { .. } => false,
            Stage::Asks(question) => question.is_open(),
            Stage::NeedsPerson { .. } | Stage::Ended(_) => true,
        };
        // It fails only if the action is gone, and then it rests.
        let _ = self.stage().wait_for(rests).await;
    }

    /// Takes the answer of a person to what was asked. It counts once, and only for this question.
    pub(super) async fn answer(&self, question: &Question, agrees: bool) -> Result<(), WordError> {
        if !agrees {
            return self.deny(question, "the person did not agree");
        }
        question.take()?;
        self.desk.grant(&question.request.action_handle, question.token.clone()).await
    }

    /// Answers a question with no, for this reason.
    pub(super) fn deny(&self, question: &Question, reason: &str) -> Result<(), WordError> {
        question.take()?;
        self.desk.deny(&question.request.action_handle, reason)
    }

    /// Asks it to stop.
    pub(super) fn cancel(&self, reason: &str) {
        if let Some(handle) = self.handle() {
            // An action that has just ended need not be stopped.
            let _ = self.desk.cancel(&handle, reason);
        }
    }
}

async fn run<S: Surface, J: Journal>(runtime: &Runtime<S, J>, request: &ActionRequest, ear: &Ear) -> Ended {
    runtime.act(request, ear).await
}

/// Hears an action, and keeps what it said last.
struct Ear {
    stage: watch::Sender<Stage>,
    handle: Arc<Mutex<Option<ActionHandle>>>,
}

impl Listener for Ear {
    fn hear(&self, message: &Message) {
        match message {
            Message::Accepted(accepted) => {
                *self.handle.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some(accepted.action_handle.clone());
            }
            // The question itself follows.
            Message::Progress(progress) if progress.stage == Reported::AwaitingConfirmation => {}
            Message::Progress(progress) => {
                let note = clean(progress.note.as_deref().unwrap_or_default(), SHOWN_CHARS_MAX);
                self.stage.send_replace(if progress.stage == Reported::WaitingForUser {
                    Stage::NeedsPerson { note }
                } else {
                    Stage::UnderWay { note: format!("{}: {note}", progress.stage.as_str()) }
                });
            }
            Message::Cancelled(_) | Message::Result(_) => {}
        }
    }

    fn confirm(&self, request: &ConfirmationRequest, token: GrantToken) {
        let question = Question { request: request.clone(), token, is_answered: AtomicBool::new(false) };
        self.stage.send_replace(Stage::Asks(Arc::new(question)));
    }
}

/// The errands that can be asked for later.
#[derive(Default)]
pub(super) struct Errands(Mutex<VecDeque<Arc<Errand>>>);

impl Errands {
    /// Keeps an errand. `false` if nothing that is kept has ended, and there is no room.
    pub(super) fn keep(&self, errand: Arc<Errand>) -> bool {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= ERRANDS_MAX {
            let Some(ended) = kept.iter().position(|errand| errand.has_ended()) else { return false };
            kept.remove(ended);
        }
        kept.push_back(errand);
        true
    }

    /// A question that waits for a person, whichever action asks.
    pub(super) fn open_question(&self) -> Option<Arc<Question>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find_map(|errand| errand.open_question())
    }

    /// Waits until no action is on its way any more: each has ended, or needs a person.
    pub(super) async fn until_all_rest(&self) {
        let all: Vec<_> = self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect();
        for errand in all {
            errand.until_it_rests().await;
        }
    }

    /// The errand with a handle.
    pub(super) fn find(&self, handle: &str) -> Option<Arc<Errand>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |errand: &&Arc<Errand>| errand.handle().is_some_and(|own| own.as_str() == handle);
        kept.iter().rev().find(is_it).cloned()
    }
}
