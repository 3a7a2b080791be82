//! What leaves for one reader: graphs, signals, texts and answers, without what policy withholds from that reader.
//!
//! Start at [`RedactionFilter`]. Every entry point shows an application through it, and the runtime gives every result,
//! message and trace through it. What was withheld once is remembered in a [`RedactionMemory`], so that the same text is
//! struck out wherever else it stands.

use crate::journal::TraceRecord;
use crate::judge::Sign;
use crate::life::Message;
use crate::shell::{InForce, Settings};
use crate::standing::Rights;
use crate::surface::{HiddenContent, PictureMask, Surface};
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};
use uiap_policy::redact::{DigestKey, Redactor, WithheldTexts};
use uiap_protocol::action::{ActionRequest, ActionResult, ConfirmationRequest, ResolvedTarget};
use uiap_protocol::capability::SuccessSignal;
use uiap_protocol::policy::PolicyPrincipal;
use uiap_protocol::web::{GraphStore, PageGraph, WebSignal, WebStateDelta};
use uiap_protocol::wire::{JsonObject, Wire, accept_object};

/// The member of the evidence of a step that says what the request was aimed at.
pub(crate) const TARGET: &str = "target";

/// What was withheld from one reader so far. Readers with different rights need one each.
#[derive(Debug, Default)]
pub struct RedactionMemory(Mutex<WithheldTexts>);

/// Takes away what one reader may not see.
#[derive(Debug)]
pub struct RedactionFilter<'f> {
    policy: InForce<'f>,
    principal: PolicyPrincipal,
    key: [u8; 32],
    memory: Arc<RedactionMemory>,
    /// What the reader asked for. Its words come back as they were: whether they were struck out would tell a reader
    /// that guesses whether the guess is right.
    request: Option<&'f ActionRequest>,
}

impl<'f> RedactionFilter<'f> {
    /// The filter for a reader with these rights under this policy.
    pub fn new(
        policy: InForce<'f>,
        rights: &Rights,
        settings: &Settings,
        memory: Arc<RedactionMemory>,
    ) -> Self {
        let principal = rights.principal.clone();
        Self { policy, principal, key: settings.digest_key, memory, request: None }
    }

    /// The filter for the reader that the settings name, under their policy, who was shown nothing before.
    pub fn of(settings: &'f Settings) -> Self {
        Self::new(InForce::First(&settings.policy), &settings.rights(), settings, Arc::default())
    }

    /// The filter for what is answered to this request.
    #[must_use]
    pub fn answering(self, request: &'f ActionRequest) -> Self {
        Self { request: Some(request), ..self }
    }

    fn with<R>(&self, redact: impl FnOnce(&mut Redactor<'_>) -> R) -> R {
        let mut memory = self.memory.0.lock().unwrap_or_else(PoisonError::into_inner);
        let withheld = std::mem::take(&mut *memory);
        let key = DigestKey::new(self.key);
        let mut redactor = Redactor::resume(&self.policy, &self.principal, key, withheld);
        let redacted = redact(&mut redactor);
        *memory = redactor.into_withheld();
        redacted
    }

    fn strikes(&self) -> bool {
        !self.memory.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// A snapshot as the reader may see it.
    pub fn graph(&self, graph: &mut PageGraph) {
        self.with(|redactor| redactor.graph(graph));
    }

    /// Remembers what is withheld on a page: what is said later may repeat it.
    pub fn note(&self, page: &GraphStore) {
        self.with(|redactor| redactor.note(page));
    }

    /// The page as the reader may see it; nothing, if that is all of it.
    pub fn page(&self, page: &GraphStore) -> Option<GraphStore> {
        self.with(|redactor| redactor.page(page))
    }

    /// Changes as the reader may see them. `page` is a page near them, which knows what they are about.
    pub fn delta(&self, delta: &mut WebStateDelta, page: &GraphStore) {
        let route = page.route().route_id.as_ref();
        self.with(|redactor| redactor.delta(delta, page, route));
    }

    /// Signals as the reader may hear them, on the page on which they happened, if there is one.
    pub fn signals(&self, signals: &[Arc<WebSignal>], page: Option<&GraphStore>) -> Vec<WebSignal> {
        let route = page.and_then(|page| page.route().route_id.as_ref());
        self.with(|redactor| {
            let redacted = signals.iter().map(|signal| {
                let mut signal = signal.as_ref().clone();
                redactor.signal(&mut signal, page, route);
                signal
            });
            redacted.collect()
        })
    }

    /// The same on the page that a surface shows now.
    pub fn signals_of<S: Surface>(&self, signals: &[Arc<WebSignal>], surface: &S) -> Vec<WebSignal> {
        let shown = surface.scene(|scene| self.signals(signals, Some(scene.page)));
        shown.unwrap_or_else(|| self.signals(signals, None))
    }

    /// A text without what was withheld.
    pub fn text(&self, text: &mut String) {
        if self.strikes() {
            let said = self.said();
            self.with(|redactor| strike(redactor, &said, text));
        }
    }

    /// A document without what was withheld.
    pub fn json(&self, value: &mut Value) {
        if self.strikes() {
            let said = self.said();
            self.with(|redactor| strike_json(redactor, &said, value));
        }
    }

    /// The phrases in which the words of the request are repeated.
    fn said(&self) -> Vec<String> {
        let signals = self.requested();
        signals.iter().map(|signal| Sign::Signal(Box::new(signal.clone())).words()).collect()
    }

    fn requested(&self) -> &[SuccessSignal] {
        let verification = self.request.and_then(|request| request.verification.as_ref());
        verification.and_then(|verification| verification.signals.as_deref()).unwrap_or_default()
    }

    fn object(&self, object: &mut Option<JsonObject>) {
        let Some(members) = object.take() else { return };
        let mut value = Value::Object(members);
        self.json(&mut value);
        *object = match value {
            Value::Object(members) => Some(members),
            _ => None,
        };
    }

    /// What was typed, in a form that is decoded again; what cannot be is left out.
    fn typed<T: Wire>(&self, typed: T) -> Option<T> {
        if !self.strikes() {
            return Some(typed);
        }
        let mut value = serde_json::to_value(&typed).ok()?;
        self.json(&mut value);
        accept_object(value.as_object()?).ok()
    }

    /// How an action ended.
    pub fn result(&self, result: &mut ActionResult) {
        if !self.strikes() {
            return;
        }
        result.resolved_target.iter_mut().for_each(|target| self.target(target));
        let verification = &mut result.verification;
        for signals in std::iter::once(&mut verification.observed).chain(&mut verification.missing) {
            let all = std::mem::take(signals).into_iter();
            *signals = all.filter_map(|signal| self.signal(signal)).collect();
        }
        self.object(&mut result.return_value);
        self.object(&mut result.metadata);
        if let Some(error) = &mut result.error {
            self.text(&mut error.message);
            self.object(&mut error.detail);
        }
    }

    fn signal(&self, signal: SuccessSignal) -> Option<SuccessSignal> {
        if self.requested().contains(&signal) { Some(signal) } else { self.typed(signal) }
    }

    fn target(&self, target: &mut ResolvedTarget) {
        target.name.iter_mut().for_each(|name| self.text(name));
    }

    /// What an action says while it goes on.
    pub fn message(&self, message: &mut Message) {
        match message {
            Message::Progress(progress) => progress.note.iter_mut().for_each(|note| self.text(note)),
            Message::Result(result) => self.result(result),
            Message::Accepted(_) | Message::Cancelled(_) => {}
        }
    }

    /// What happened during an action, as it is kept.
    pub fn trace(&self, trace: &mut TraceRecord) {
        if !self.strikes() {
            return;
        }
        for step in &mut trace.steps {
            self.text(&mut step.note);
            let target = step.evidence.as_mut().and_then(|evidence| evidence.remove(TARGET));
            self.object(&mut step.evidence);
            if let Some(target) = target {
                // In the words of the request.
                step.evidence.get_or_insert_default().insert(TARGET.to_owned(), target);
            }
        }
        for diagnostic in &mut trace.diagnostics {
            let mut redacted = Some(std::mem::take(diagnostic));
            self.object(&mut redacted);
            *diagnostic = redacted.unwrap_or_default();
        }
    }

    /// What a person is asked, as the agent may read it; nothing, if too much of it is withheld. The person reads it
    /// whole: consent is given to what is really there.
    pub fn question(&self, question: ConfirmationRequest) -> Option<ConfirmationRequest> {
        self.typed(question)
    }
}

impl PictureMask for RedactionFilter<'_> {
    fn hidden(&self, page: &PageGraph) -> HiddenContent {
        self.with(|redactor| {
            // What was withheld before may be painted elsewhere.
            redactor.graph(&mut page.clone());
            HiddenContent {
                elements: redactor.withheld_elements(page),
                texts: redactor.withheld().iter().map(str::to_owned).collect(),
            }
        })
    }
}

/// Strikes withheld texts out of a text, but not out of these phrases.
fn strike(redactor: &Redactor<'_>, said: &[String], text: &mut String) {
    let mut struck = String::with_capacity(text.len());
    let mut rest = text.as_str();
    loop {
        let places = said.iter().filter_map(|phrase| rest.find(phrase.as_str()).map(|at| (at, phrase)));
        let next = places.min_by_key(|(at, phrase)| (*at, std::cmp::Reverse(phrase.len())));
        let cut =
            next.and_then(|(at, phrase)| Some((rest.get(..at)?, phrase, rest.get(at + phrase.len()..)?)));
        let Some((before, phrase, after)) = cut else { break };
        struck.push_str(&redactor.text(before));
        struck.push_str(phrase);
        rest = after;
    }
    struck.push_str(&redactor.text(rest));
    *text = struck;
}

fn strike_json(redactor: &Redactor<'_>, said: &[String], value: &mut Value) {
    match value {
        Value::String(text) => strike(redactor, said, text),
        Value::Array(items) => items.iter_mut().for_each(|item| strike_json(redactor, said, item)),
        Value::Object(members) => {
            let struck = std::mem::take(members).into_iter().map(|(name, mut value)| {
                strike_json(redactor, said, &mut value);
                (redactor.text(&name).into_owned(), value)
            });
            *members = struck.collect();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
