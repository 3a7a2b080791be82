//! From documents to something that answers quickly.

mod condition;
mod index;
mod pattern;

pub(crate) use condition::{Condition, Truth};
pub(crate) use pattern::Pattern;

use crate::redact::Redaction;
use index::Index;
use uiap_protocol::ids::{Id, Text};
use uiap_protocol::policy::{AuditSpec, PolicyDefaults, PolicyDocument, PolicyRule};

/// Most rules of all documents together.
pub const RULES_MAX: usize = 100_000;

/// Why documents could not be compiled.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// There are too many rules.
    #[error("the policies have {found} rules; at most {RULES_MAX} are supported")]
    TooManyRules {
        /// How many there are.
        found: usize,
    },
}

/// All documents that hold, ready to decide.
#[derive(Debug)]
pub struct CompiledPolicy {
    pub(crate) documents: Vec<Document>,
    pub(crate) rules: Vec<Rule>,
    index: Index,
}

/// What is left of a document without its rules.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) id: Id,
    pub(crate) revision: Option<Text>,
    pub(crate) defaults: PolicyDefaults,
    pub(crate) redaction: Vec<Redaction>,
    pub(crate) audit: Option<AuditSpec>,
}

/// A rule and its condition.
#[derive(Debug)]
pub(crate) struct Rule {
    /// The place of its document.
    pub(crate) document: usize,
    pub(crate) condition: Condition,
    /// It has members that we do not understand, which may limit it.
    pub(crate) not_understood: bool,
    pub(crate) source: PolicyRule,
}

impl CompiledPolicy {
    /// Compiles all documents that hold. Without any, only risk and grants count.
    pub fn compile(documents: impl IntoIterator<Item = PolicyDocument>) -> Result<Self, CompileError> {
        let mut compiled = Self { documents: Vec::new(), rules: Vec::new(), index: Index::default() };
        for (place, document) in documents.into_iter().enumerate() {
            compiled.rules.extend(document.rules.into_iter().map(|rule| Rule::new(place, rule)));
            compiled.documents.push(Document {
                id: document.id,
                revision: document.revision,
                defaults: document.defaults,
                redaction: document.redaction.iter().flatten().map(Redaction::new).collect(),
                audit: document.audit,
            });
        }
        if compiled.rules.len() > RULES_MAX {
            return Err(CompileError::TooManyRules { found: compiled.rules.len() });
        }
        compiled.index = Index::new((0..).zip(compiled.rules.iter().map(|rule| &rule.condition)));
        Ok(compiled)
    }

    /// The rules that match, and whether all of their conditions are understood.
    pub(crate) fn matching(&self, facts: &crate::Facts<'_>) -> Vec<(&Rule, Truth)> {
        let candidates = self.index.candidates(facts);
        let rules = candidates.into_iter().filter_map(|number| self.rules.get(number as usize));
        rules.map(|rule| (rule, rule.holds(facts))).filter(|(_, truth)| *truth > Truth::No).collect()
    }
}

impl Rule {
    fn new(document: usize, source: PolicyRule) -> Self {
        let condition = Condition::new(&source.when);
        // What a vendor writes beside the condition is a remark; what a later version writes may be a limit.
        let not_understood =
            source.extra.keys().any(|name| !name.starts_with("x.") && !name.starts_with("x-"));
        Self { document, condition, not_understood, source }
    }

    fn holds(&self, facts: &crate::Facts<'_>) -> Truth {
        let truth = self.condition.holds(facts);
        if self.not_understood { truth.min(Truth::Unsure) } else { truth }
    }
}
