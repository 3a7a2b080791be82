//! Collects what is wrong while a document is decoded.

use crate::finding::{Code, Finding, Severity};
use crate::text::pointer_token;
use std::collections::HashSet;

/// Most findings that are listed for one document.
pub const FINDINGS_MAX: usize = 200;

#[derive(Clone, Copy, Debug)]
enum Step<'t> {
    Member(&'t str),
    Item(usize),
}

/// The state of decoding one document: where we are, which requirement governs, what was found.
#[derive(Debug)]
pub struct Decoder<'t> {
    path: Vec<Step<'t>>,
    requirement: Option<&'static str>,
    findings: Vec<Finding>,
    dropped: usize,
    /// The worst of what was dropped: warnings that are not listed must not become an error.
    dropped_worst: Severity,
    thorough: bool,
}

impl<'t> Decoder<'t> {
    /// For people: reports errors, warnings and hints.
    pub fn thorough() -> Self {
        Self {
            path: Vec::new(),
            requirement: None,
            findings: Vec::new(),
            dropped: 0,
            dropped_worst: Severity::Hint,
            thorough: true,
        }
    }

    /// For programs: reports errors only.
    pub fn brief() -> Self {
        Self { thorough: false, ..Self::thorough() }
    }

    /// Whether warnings and hints are wanted.
    pub fn is_thorough(&self) -> bool {
        self.thorough
    }

    /// Everything that was found.
    pub fn finish(mut self) -> Vec<Finding> {
        if self.dropped > 0 {
            let message = format!("{} further findings are not listed.", self.dropped);
            self.path.clear();
            let mut last = self.finding(self.dropped_worst, Code::TooManyFindings, message, None);
            last.requirement = None;
            self.findings.push(last);
        }
        self.findings
    }

    /// Runs `body` at the member `name` of the current value.
    pub fn at<R>(&mut self, name: &'t str, body: impl FnOnce(&mut Self) -> R) -> R {
        self.stepping(Step::Member(name), body)
    }

    /// Runs `body` at the item `index` of the current value.
    pub fn at_index<R>(&mut self, index: usize, body: impl FnOnce(&mut Self) -> R) -> R {
        self.stepping(Step::Item(index), body)
    }

    fn stepping<R>(&mut self, step: Step<'t>, body: impl FnOnce(&mut Self) -> R) -> R {
        self.path.push(step);
        let result = body(self);
        self.path.pop();
        result
    }

    /// Reports every item of the list `list` whose id an earlier item has, and returns the ids.
    pub fn unique<'i>(&mut self, list: &'static str, ids: impl Iterator<Item = &'i str>) -> HashSet<&'i str> {
        let mut seen = HashSet::with_capacity(ids.size_hint().0);
        for (index, id) in ids.enumerate() {
            if !seen.insert(id) {
                let message = format!("The id \"{id}\" is used twice.");
                self.at(list, |decoder| {
                    decoder.at_index(index, |decoder| decoder.error(Code::AmbiguousId, message));
                });
            }
        }
        seen
    }

    /// Runs `body` under a requirement, if one is named; otherwise under the one that governs already.
    pub fn under<R>(&mut self, requirement: Option<&'static str>, body: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.requirement;
        self.requirement = requirement.or(before);
        let result = body(self);
        self.requirement = before;
        result
    }

    /// Reports an error at the current value.
    pub fn error(&mut self, code: Code, message: impl Into<String>) {
        self.push(Severity::Error, code, message.into(), None, false);
    }

    /// Reports an error with advice.
    pub fn error_with_help(&mut self, code: Code, message: impl Into<String>, help: impl Into<String>) {
        self.push(Severity::Error, code, message.into(), Some(help.into()), false);
    }

    /// Reports an error about the name of the current member.
    pub fn error_on_key(&mut self, code: Code, message: impl Into<String>, help: Option<String>) {
        self.push(Severity::Error, code, message.into(), help, true);
    }

    /// Reports a warning, if anybody wants to know.
    pub fn warning(&mut self, code: Code, message: impl Into<String>, help: impl Into<String>) {
        if self.thorough {
            self.push(Severity::Warning, code, message.into(), Some(help.into()), false);
        }
    }

    /// Reports a warning or hint about the name of the current member.
    pub fn remark_on_key(&mut self, severity: Severity, code: Code, message: String, help: Option<String>) {
        if self.thorough {
            self.push(severity, code, message, help, true);
        }
    }

    /// Whether there is no room for further findings: advice that is costly to give is not worth it then.
    pub fn is_full(&self) -> bool {
        self.findings.len() >= FINDINGS_MAX
    }

    /// Takes over findings about the current value that were made apart from it.
    pub fn adopt(&mut self, findings: Vec<Finding>) {
        for mut finding in findings {
            let here = self.finding(finding.severity, finding.code, String::new(), None);
            finding.pointer.insert_str(0, &here.pointer);
            finding.requirement = finding.requirement.or(here.requirement);
            self.keep(finding);
        }
    }

    fn push(&mut self, severity: Severity, code: Code, message: String, help: Option<String>, on_key: bool) {
        if !self.has_room_for(severity) {
            self.drop_one(severity);
            return;
        }
        let mut finding = self.finding(severity, code, message, help);
        finding.on_key = on_key;
        self.keep(finding);
    }

    fn has_room_for(&self, severity: Severity) -> bool {
        !self.is_full() || self.findings.iter().any(|finding| finding.severity < severity)
    }

    /// Keeps a finding; when the list is full, what matters less gives way.
    fn keep(&mut self, finding: Finding) {
        if self.is_full() {
            let least = self.findings.iter().map(|kept| kept.severity).min().unwrap_or(Severity::Error);
            let place = self.findings.iter().rposition(|kept| kept.severity == least);
            match place.filter(|_| least < finding.severity) {
                Some(place) => {
                    self.findings.remove(place);
                    self.drop_one(least);
                }
                None => return self.drop_one(finding.severity),
            }
        }
        self.findings.push(finding);
    }

    fn drop_one(&mut self, severity: Severity) {
        self.dropped += 1;
        self.dropped_worst = self.dropped_worst.max(severity);
    }

    fn finding(&self, severity: Severity, code: Code, message: String, help: Option<String>) -> Finding {
        let pointer = self.path.iter().map(|step| match step {
            Step::Member(name) => pointer_token(name),
            Step::Item(index) => format!("/{index}"),
        });
        Finding {
            code,
            severity,
            message,
            help,
            pointer: pointer.collect(),
            on_key: false,
            span: None,
            requirement: self.requirement,
        }
    }
}
