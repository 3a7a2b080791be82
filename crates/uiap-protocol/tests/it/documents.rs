//! Every case under `spec/cases/documents`: sound documents survive a round trip, unsound ones are refused.

#![expect(clippy::expect_used, clippy::panic, reason = "a test may fail loudly")]

use serde_json::Value;
use std::path::Path;
use uiap_protocol::core::ExtensionOffer;
use uiap_protocol::discovery::{
    ActionCatalog, CoverageReport, DiscoveryRunSummary, ReviewQueue, RouteCatalog, WorkflowCandidateCatalog,
};
use uiap_protocol::finding::{Finding, Severity};
use uiap_protocol::kinds::{Inspected, Kind};
use uiap_protocol::text::Node;
use uiap_protocol::wire::{Wire, decode};
use uiap_testkit::{CaseResult, DocumentCase, check_case_files};

fn inspect_part<T: Wire>(node: &Node<'_>) -> Inspected {
    let (value, findings) = decode::<T>(node);
    (value.map(|value| serde_json::to_value(value).expect("wire types are JSON")), findings)
}

fn inspect(case: &DocumentCase, document: &Value) -> Inspected {
    let node = Node::from_json(document);
    match case.part.as_deref() {
        None => Kind::named(&case.kind).expect("a known kind").inspect(&node),
        Some("ExtensionOffer") => inspect_part::<ExtensionOffer>(&node),
        Some("DiscoveryRunSummary") => inspect_part::<DiscoveryRunSummary>(&node),
        Some("RouteCatalog") => inspect_part::<RouteCatalog>(&node),
        Some("ActionCatalog") => inspect_part::<ActionCatalog>(&node),
        Some("WorkflowCandidateCatalog") => inspect_part::<WorkflowCandidateCatalog>(&node),
        Some("ReviewQueue") => inspect_part::<ReviewQueue>(&node),
        Some("CoverageReport") => inspect_part::<CoverageReport>(&node),
        Some(other) => panic!("no decoder for the type {other}"),
    }
}

fn errors(findings: &[Finding]) -> Vec<String> {
    lines(findings, Severity::Error)
}

fn lines(findings: &[Finding], severity: Severity) -> Vec<String> {
    let wanted = findings.iter().filter(|finding| finding.severity == severity);
    wanted
        .map(|error| {
            format!("{} {} {}", error.code.as_str(), error.pointer, error.requirement.unwrap_or("-"))
        })
        .collect()
}

fn documents(path: &Path) -> CaseResult {
    let case = DocumentCase::load(&std::fs::read_to_string(path)?)?;
    let (written_back, findings) = inspect(&case, &case.document);
    assert_eq!(errors(&findings), Vec::<String>::new(), "the document itself");
    assert_eq!(written_back.as_ref(), Some(&case.document), "what is written back");
    if case.part.is_none() {
        let detected = Kind::detect(&Node::from_json(&case.document)).map(Kind::name);
        assert_eq!(detected, Some(case.kind.as_str()), "what it is taken for");
    }
    assert!(case.refused.len() >= 5, "at least five ways to break it");
    let mut wrong = Vec::new();
    for refused in &case.refused {
        let (value, findings) = inspect(&case, &refused.document);
        let found = errors(&findings);
        if found != refused.expect || value.is_some() {
            wrong.push(format!("{}:\n  expected {:?}\n  found    {found:?}", refused.what, refused.expect));
        }
    }
    for advised in &case.advised {
        let (value, findings) = inspect(&case, &advised.document);
        let found = lines(&findings, Severity::Warning);
        if found != advised.expect || value.as_ref() != Some(&advised.document) {
            wrong.push(format!("{}:\n  expected {:?}\n  found    {found:?}", advised.what, advised.expect));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

#[test]
fn every_document_of_a_case_is_judged_as_the_case_says() {
    check_case_files("documents", documents);
}
