//! Which kinds of document exist, and how to tell them apart.

use crate::authoring::{self, AuthoringDocument, AuthoringKind, CompiledBundle};
use crate::binding::HttpBindingConfig;
use crate::capability::CapabilityDocument;
use crate::conformance::{ConformanceClaim, ConformanceReport, TestCase};
use crate::core::{self, Envelope, MESSAGES, MessageInfo};
use crate::discovery::{DiscoveryEnvironment, DiscoveryPackage, DiscoveryStateSnapshot};
use crate::finding::{Code, Finding, Severity};
use crate::policy::{PolicyDecision, PolicyDocument};
use crate::policy_test::PolicyTest;
use crate::text::Node;
use crate::web::{PageGraph, WebSignal, WebStateDelta};
use crate::wire::{Book, Shape, Wire, decode};
use crate::workflow::WorkflowDefinition;

/// A kind of document.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A manifest of one kind, or of whatever kind it says it is.
    Manifest(Option<AuthoringKind>),
    /// A message of one type, or of whatever type it says it is.
    Message(Option<&'static MessageInfo>),
    /// Anything else.
    Document(&'static DocumentKind),
}

/// A kind of document that is neither manifest nor message.
#[derive(Debug)]
pub struct DocumentKind {
    /// Its name.
    pub name: &'static str,
    /// Members that together occur in no other kind.
    marks: &'static [&'static str],
    shape: fn(&mut Book) -> Shape,
    inspect: fn(&Node<'_>) -> Inspected,
}

/// What decoding a document yields: the document as it would be written back, if it is sound, and what was found.
pub type Inspected = (Option<serde_json::Value>, Vec<Finding>);

fn inspect<T: Wire>(node: &Node<'_>) -> Inspected {
    let (value, findings) = decode::<T>(node);
    (value.and_then(|value| serde_json::to_value(value).ok()), findings)
}

macro_rules! documents {
    ($($name:literal $type:ty, [$($mark:literal)+];)+) => {
        /// Every kind that is neither manifest nor message.
        pub const DOCUMENTS: &[DocumentKind] = &[$(DocumentKind {
            name: $name,
            marks: &[$($mark),+],
            shape: <$type as Wire>::shape,
            inspect: inspect::<$type>,
        },)+];
    };
}

documents! {
    "bundle" CompiledBundle, ["packageId" "buildContext"];
    "capability-document" CapabilityDocument, ["roles" "stateKeys"];
    "conformance-claim" ConformanceClaim, ["suiteVersion" "implementation"];
    "conformance-report" ConformanceReport, ["suiteVersion" "claim"];
    "conformance-case" TestCase, ["requirementIds" "polarity"];
    "delta" WebStateDelta, ["baseRevision" "ops"];
    "discovery-environment" DiscoveryEnvironment, ["environmentId" "baseUrl"];
    "discovery-package" DiscoveryPackage, ["spec" "run"];
    "discovery-state" DiscoveryStateSnapshot, ["pageGraph" "fingerprint"];
    "http-binding" HttpBindingConfig, ["baseUrl" "sessionPath"];
    "page-graph" PageGraph, ["revision" "documents"];
    "policy-decision" PolicyDecision, ["decisionId" "effect"];
    "policy-document" PolicyDocument, ["defaults" "rules"];
    "policy-test" PolicyTest, ["policies" "cases"];
    "web-signal" WebSignal, ["kind" "at"];
    "workflow-definition" WorkflowDefinition, ["initialStepId" "steps"];
}

impl Kind {
    /// Every kind; `manifest` and `envelope` stand for any manifest and any message.
    pub fn all() -> impl Iterator<Item = Self> {
        let manifests = AuthoringKind::ALL.iter().map(|kind| Self::Manifest(Some(*kind)));
        let manifests = std::iter::once(Self::Manifest(None)).chain(manifests);
        let documents = DOCUMENTS.iter().map(Self::Document);
        let messages = MESSAGES.iter().map(|info| Self::Message(Some(info)));
        manifests.chain(documents).chain(std::iter::once(Self::Message(None))).chain(messages)
    }

    /// The kind with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|kind| kind.name() == name)
    }

    /// Its name, as `uiap schema` and `uiap check --as` know it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Manifest(None) => "manifest",
            Self::Manifest(Some(kind)) => {
                AuthoringKind::WORDS.get(kind as usize).copied().unwrap_or_default()
            }
            Self::Message(None) => "envelope",
            Self::Message(Some(info)) => info.name,
            Self::Document(kind) => kind.name,
        }
    }

    /// What a document is, judged by the members that it has.
    pub fn detect(node: &Node<'_>) -> Option<Self> {
        let has = |name: &str| node.member(name).is_some();
        if has("apiVersion") || (has("kind") && has("metadata") && has("spec")) {
            let kind = node.member("kind").and_then(Node::as_text).and_then(AuthoringKind::from_word);
            return Some(Self::Manifest(kind));
        }
        if has("uiap") || (has("type") && has("payload")) {
            let name = node.member("type").and_then(Node::as_text);
            return Some(Self::Message(MESSAGES.iter().find(|info| name == Some(info.name))));
        }
        DOCUMENTS.iter().find(|kind| kind.marks.iter().all(|mark| has(mark))).map(Self::Document)
    }

    /// Describes the kind.
    pub fn shape(self, book: &mut Book) -> Shape {
        match self {
            Self::Manifest(None) => AuthoringDocument::shape(book),
            Self::Manifest(Some(kind)) => authoring::shape_of(kind, book),
            Self::Message(None) => Envelope::shape(book),
            Self::Message(Some(info)) => core::shape_of(info, book),
            Self::Document(kind) => (kind.shape)(book),
        }
    }

    /// Decodes a document of this kind and reports everything that is wrong with it.
    pub fn inspect(self, node: &Node<'_>) -> Inspected {
        match self {
            Self::Manifest(expected) => {
                let expected = expected.map(|kind| ("kind", kind.as_str().to_owned(), "AUT-3-2"));
                expecting(expected, node, inspect::<AuthoringDocument>(node))
            }
            Self::Message(expected) => {
                let expected = expected.map(|info| ("type", info.name.to_owned(), "CORE-36"));
                expecting(expected, node, inspect::<Envelope>(node))
            }
            Self::Document(kind) => (kind.inspect)(node),
        }
    }
}

/// Refuses a document that is sound but says that it is of another kind than was asked for.
fn expecting(
    expected: Option<(&'static str, String, &'static str)>,
    node: &Node<'_>,
    (value, mut findings): Inspected,
) -> Inspected {
    let Some((member, wanted, requirement)) = expected else { return (value, findings) };
    let pointer = format!("/{member}");
    let reported = findings.iter().any(|finding| finding.pointer == pointer);
    match node.member(member).and_then(Node::as_text) {
        Some(found) if found != wanted && !reported => {
            findings.push(Finding {
                code: Code::UnknownWord,
                severity: Severity::Error,
                message: format!("This is \"{found}\"; \"{wanted}\" was expected."),
                help: None,
                pointer,
                on_key: false,
                span: None,
                requirement: Some(requirement),
            });
            (None, findings)
        }
        _ => (value, findings),
    }
}
