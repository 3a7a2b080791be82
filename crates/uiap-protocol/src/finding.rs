//! What can be wrong with a document, as data.
//!
//! A [`Finding`] is symbolic: a code, a sentence and a JSON pointer. A [`Diagnostic`] is the same with file, line
//! and column, and is the one type in which the whole project reports. Rendering is somebody else's job.

use crate::text::{Fault, LineIndex, Node, Span};
use serde::Serialize;

/// How bad it is. Only an error makes a document unusable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Could be better.
    Hint,
    /// Probably not what was meant.
    Warning,
    /// The document is refused.
    Error,
}

macro_rules! codes {
    ($($variant:ident $word:literal $meaning:literal)+) => {
        /// The stable name of a kind of finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $meaning] $variant,)+
        }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The name under which the code is reported.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// What the code means, in one sentence.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)+ }
            }
        }
    };
}

codes! {
    AmbiguousId "ambiguous_id" "Two things in one document have the same id."
    BadForm "bad_form" "A text does not have the form its kind asks for (id, version, timestamp, pointer ...)."
    Conflict "conflict" "Two places say different things about the same item."
    CounterMismatch "counter_mismatch" "A counter does not equal what it counts."
    DanglingReference "dangling_reference" "An id refers to something that does not exist in the document."
    DuplicateKey "duplicate_key" "An object has two members with the same name."
    EmptyDocument "empty_document" "There is nothing to read."
    ForeignMember "foreign_member" "A member belongs to another form of the same union."
    GateFailed "gate_failed" "An item is not far enough for the channel it is built for."
    ImplementationMissing "implementation_missing" "Nothing says what carries out an action."
    ImportCycle "import_cycle" "A package imports itself, directly or through others."
    ImportUnresolved "import_unresolved" "No package fits an import."
    Incompatible "incompatible" "A package is not for what it is built for, or says that it is for more than a package that it imports."
    Inconsistent "inconsistent" "Two members of a document contradict each other."
    KeyNotText "key_not_text" "A member name is not a text."
    LockMismatch "lock_mismatch" "An imported package is not the one that the lock file pins."
    MissingEvidence "missing_evidence" "A claim has nothing that backs it."
    MissingMember "missing_member" "A mandatory member is missing."
    NeedsReview "needs_review" "A person should look at it."
    NotUtf8 "not_utf8" "The bytes are not UTF-8."
    NumberOutOfRange "number_out_of_range" "A number cannot be kept exactly."
    OutOfRange "out_of_range" "A number lies outside the range its meaning allows."
    PatchFailed "patch_failed" "A patch of an overlay finds nothing that it could change."
    PathEscapes "path_escapes" "A path leaves the folder it belongs to."
    RiskUnderstated "risk_understated" "A declared risk level is lower than its own tags allow."
    SecondDocument "second_document" "A file holds more than one document."
    SecretValue "secret_value" "A value looks like a password, key or token."
    SuccessMissing "success_missing" "An action says too little about how its success can be observed."
    SyntaxError "syntax_error" "The text is not well-formed JSON or YAML."
    TestFailed "test_failed" "A test of a policy expects another decision."
    TextTooLong "text_too_long" "A text is longer than the limit."
    TextUnused "text_unused" "A text of a locale pack is used nowhere."
    TooDeep "too_deep" "The nesting is deeper than the limit."
    TooLarge "too_large" "The document is larger than the limit."
    TooManyFindings "too_many_findings" "More was found than is listed."
    TooManyValues "too_many_values" "The document holds more values than the limit."
    UndeclaredWord "undeclared_word" "A document uses a word that it does not declare."
    UngatedRisk "ungated_risk" "A workflow or a default action reaches something grave that no person decides about."
    UnknownDocument "unknown_document" "The document is of no known kind."
    UnknownMember "unknown_member" "A member is not part of the specification and is ignored."
    UnknownWord "unknown_word" "A word is not part of its vocabulary."
    UnreachableItem "unreachable_item" "Something is defined that nothing can ever match or reach."
    UnreachableStep "unreachable_step" "A workflow step cannot be reached, or cannot reach the end."
    Unreadable "unreadable" "A file cannot be read."
    UnresolvedText "unresolved_text" "A bundle refers to a text instead of holding it."
    UnsafeRetry "unsafe_retry" "Something is tried again that happens twice if it runs twice."
    UnusualName "unusual_name" "A name is legal but not in the recommended form."
    WrongManifest "wrong_manifest" "A file holds another manifest than the package says."
    WrongMessageKind "wrong_message_kind" "A message is sent as a kind that its type does not allow."
    WrongType "wrong_type" "A value has the wrong JSON type."
    YamlMergeKey "yaml_merge_key" "A YAML merge key is used."
    YamlTag "yaml_tag" "A YAML tag is used."
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Something wrong with a document, addressed by JSON pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What kind.
    pub code: Code,
    /// How bad.
    pub severity: Severity,
    /// What happened, as a sentence.
    pub message: String,
    /// What to do next.
    pub help: Option<String>,
    /// Where, as a JSON pointer into the document.
    pub pointer: String,
    /// The name of the member is meant, not its value.
    pub on_key: bool,
    /// Where in the text, when the text could not be read into a tree.
    pub span: Option<Span>,
    /// The requirement it breaks.
    pub requirement: Option<&'static str>,
}

impl From<Fault> for Finding {
    fn from(fault: Fault) -> Self {
        Self {
            code: fault.code,
            severity: Severity::Error,
            message: fault.message,
            help: fault.help,
            pointer: fault.pointer,
            on_key: false,
            span: Some(fault.span),
            requirement: Some(match fault.code {
                Code::NotUtf8 => "CORE-27",
                _ => "CORE-26",
            }),
        }
    }
}

/// A finding with its place in a file: the one type in which the project reports.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diagnostic {
    /// What kind.
    pub code: Code,
    /// How bad.
    pub severity: Severity,
    /// What happened, as a sentence.
    pub message: String,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The file as the user named it.
    pub file: String,
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// JSON pointer into the document.
    pub pointer: String,
    /// The requirement it breaks.
    pub requirement: Option<&'static str>,
    /// The bytes it is about.
    #[serde(skip)]
    pub span: Span,
}

impl Diagnostic {
    /// Gives findings their places in a text, and the order of their places; `tree` is what the text was read into, if it could be read.
    pub fn locate(findings: Vec<Finding>, file: &str, text: &str, tree: Option<&Node<'_>>) -> Vec<Self> {
        if findings.is_empty() {
            return Vec::new();
        }
        let lines = LineIndex::new(text);
        let locate = |finding: Finding| {
            let found = tree.map(|tree| tree.locate(&finding.pointer, finding.on_key));
            let span = finding.span.or(found).unwrap_or_default();
            let place = lines.place(span);
            Self {
                code: finding.code,
                severity: finding.severity,
                message: finding.message,
                help: finding.help,
                file: file.to_owned(),
                line: place.line,
                column: place.column,
                pointer: finding.pointer,
                requirement: finding.requirement,
                span,
            }
        };
        let mut diagnostics: Vec<_> = findings.into_iter().map(locate).collect();
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        diagnostics
    }
}
