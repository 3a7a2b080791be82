//! What was expected against what came.

use super::case::Expect;
use super::driver::Outcome;
use std::collections::BTreeMap;

/// Most of an answer that a failure shows, in characters.
const SHOWN_CHARS: usize = 800;

/// What is different in the outcome of a step.
pub(super) fn outcome(expected: &Expect, came: &Outcome) -> Vec<String> {
    let mut differences = Vec::new();
    let mut differ = |what: &str, expected: &str, came: &str| {
        if expected != came {
            differences.push(format!("{what}: expected {expected}, came {came}"));
        }
    };
    let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| "none given".to_owned());
    differ("status", &expected.status, &came.status);
    differ("code", &or_none(&expected.code), &or_none(&came.code));
    differ("effect", &or_none(&expected.effect), &or_none(&came.effect));
    differ("questions", &expected.asked.to_string(), &came.questions.len().to_string());
    for question in &came.questions {
        let missing = expected.question.iter().filter(|text| !question.contains(text.as_str()));
        differences.extend(missing.map(|text| format!("the question does not say {text:?}: {question}")));
    }
    let missing = expected.shown.iter().filter(|text| !came.text.contains(text.as_str()));
    differences.extend(missing.map(|text| format!("{text:?} is not shown")));
    if !differences.is_empty() {
        differences.push(format!("the answer ended: {}", tail(&came.text)));
    }
    differences
}

/// What an answer ends with: there it says how it went.
fn tail(text: &str) -> String {
    text.chars().skip(text.chars().count().saturating_sub(SHOWN_CHARS)).collect()
}

/// Texts that should never have left, each with what stands around it.
pub(super) fn hidden(texts: &[&str], left: &str) -> Vec<String> {
    let found = |text: &&str| {
        let at = left.find(text)?;
        let (before, rest) = left.split_at(at);
        let before: String = before.chars().rev().take(200).collect::<Vec<_>>().into_iter().rev().collect();
        let rest: String = rest.chars().take(200).collect();
        Some(format!("{text:?} left, {} times, first in: {before}{rest}", left.matches(text).count()))
    };
    texts.iter().filter_map(found).collect()
}

/// What is different at the server.
pub(super) fn ledger(expected: &BTreeMap<String, usize>, came: &BTreeMap<String, usize>) -> Option<String> {
    (expected != came).then(|| format!("the server: expected {expected:?}, came {came:?}"))
}
