//! `uiap policy test`: do the policies decide what the team expects?

use super::documents::{bytes_of, collect, format_of};
use crate::report::{self, Document, ReportFormat};
use crate::{Outcome, Trouble};
use clap::{Args, Subcommand};
use std::io::Write;
use std::path::{Path, PathBuf};
use uiap_policy::{CompiledPolicy, table};
use uiap_protocol::authoring::{AuthoringDocument, ManifestSpec};
use uiap_protocol::check::{Checked, Expectation, check};
use uiap_protocol::finding::{Code, Diagnostic, Finding, Severity};
use uiap_protocol::ids::Id;
use uiap_protocol::kinds::Kind;
use uiap_protocol::policy::PolicyDocument;
use uiap_protocol::policy_test::PolicyTest;
use uiap_protocol::text::{Format, Limits, Node, read};
use uiap_protocol::wire::{Wire, accept};

/// The kind of document that is run.
const TEST_KIND: &str = "policy-test";

/// Ask policies
#[derive(Args)]
pub(crate) struct Policy {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Test(Test),
}

impl Policy {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        match self.verb {
            Verb::Test(test) => test.run(),
        }
    }
}

/// Run the table tests that a team wrote for its policies
#[derive(Args)]
#[command(after_help = "\
Examples:
  uiap policy test uiap/policies/tests.yaml    the questions of one file
  uiap policy test uiap/                       of every test below a folder
  uiap policy test --format json uiap/

A test names policies, relative to itself, and asks them questions:

  policies: [default.uiap.yaml]
  principal: {type: agent, id: helper, grants: [act]}
  cases:
  - name: deleting is asked first
    facts: {action: video.delete, risk: {level: confirm, tags: [destructive]}}
    expect: {effect: confirm, rules: [confirm-destructive]}

`uiap schema policy-test` lists all members.")]
struct Test {
    /// Files or folders; `-` is standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// How to report
    #[arg(long, value_enum, default_value_t)]
    format: ReportFormat,
}

impl Test {
    fn run(self) -> Result<Outcome, Trouble> {
        let mut files = Vec::new();
        for path in &self.paths {
            collect(path, &mut files)?;
        }
        let mut documents = Vec::new();
        let mut cases = 0;
        for file in files {
            let named = self.paths.contains(&file);
            if let Some((document, count)) = run_file(&file, named)? {
                documents.push(document);
                cases += count;
            }
        }
        if documents.is_empty() {
            let what = "There is no policy test here. A test has the members \"policies\" and \"cases\".";
            return Err(Trouble::WrongUse(what.to_owned()));
        }
        report::documents(&documents, self.format)?;
        if self.format == ReportFormat::Human {
            writeln!(std::io::stdout(), "{}", summary(cases, &documents))?;
        }
        Ok(report::outcome(&documents))
    }
}

fn summary(cases: usize, documents: &[Document]) -> String {
    let findings = documents.iter().flat_map(|document| &document.checked.diagnostics);
    let failed = findings.filter(|finding| finding.code == Code::TestFailed).count();
    match failed {
        0 => format!("{cases} cases asked."),
        1 => format!("{cases} cases asked; 1 expectation failed."),
        failed => format!("{cases} cases asked; {failed} expectations failed."),
    }
}

/// Runs a test; nothing, if the file is something else and was only found in a folder.
fn run_file(file: &Path, named: bool) -> Result<Option<(Document, usize)>, Trouble> {
    let bytes = bytes_of(file)?;
    let name = file.display().to_string();
    let format = format_of(file);
    let expectation = Expectation { format, kind: Kind::named(TEST_KIND).filter(|_| named) };
    let mut checked = check(&name, &bytes, expectation);
    if checked.kind.is_none_or(|kind| kind.name() != TEST_KIND) {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let cases = if checked.has_errors() { 0 } else { ask(file, &text, format, &mut checked) };
    Ok(Some((Document { name, text, checked }, cases)))
}

/// Asks every question of a sound test and adds what was found.
fn ask(file: &Path, text: &str, format: Option<Format>, checked: &mut Checked) -> usize {
    let Ok(tree) = read(text, format.unwrap_or_else(|| Format::guess(text)), Limits::DOCUMENT) else {
        return 0;
    };
    let Ok(test) = accept::<PolicyTest>(&tree) else { return 0 };
    let findings = match policies_of(&test, file) {
        Ok(policy) => table::run(&test, &policy),
        Err(finding) => vec![*finding],
    };
    let name = file.display().to_string();
    checked.diagnostics.extend(Diagnostic::locate(findings, &name, text, Some(&tree)));
    test.cases.len()
}

fn policies_of(test: &PolicyTest, file: &Path) -> Result<CompiledPolicy, Box<Finding>> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut documents = Vec::new();
    for (number, path) in test.policies.iter().enumerate() {
        let place = format!("/policies/{number}");
        let found = load(&folder.join(path.as_str())).map_err(|why| Box::new(refused(&place, why)))?;
        documents.extend(found);
    }
    for (number, wanted) in test.only.iter().flatten().enumerate() {
        if !documents.iter().any(|document| document.id == *wanted) {
            let message = format!("There is no policy \"{wanted}\" in these files.");
            return Err(Box::new(refused(&format!("/only/{number}"), message)));
        }
    }
    let holds = |id: &Id| test.only.as_ref().is_none_or(|only| only.contains(id));
    let documents = documents.into_iter().filter(|document| holds(&document.id));
    CompiledPolicy::compile(documents)
        .map_err(|error| Box::new(refused("/policies", format!("Too much: {error}."))))
}

fn refused(pointer: &str, message: String) -> Finding {
    Finding {
        code: Code::DanglingReference,
        severity: Severity::Error,
        message,
        help: Some(
            "Paths are relative to the test. `uiap check` says what is wrong with a policy.".to_owned(),
        ),
        pointer: pointer.to_owned(),
        on_key: false,
        span: None,
        requirement: None,
    }
}

/// The policies of a file, which is a policy set or a policy document; or why there are none.
fn load(path: &Path) -> Result<Vec<PolicyDocument>, String> {
    let shown = path.display();
    let bytes = bytes_of(path).map_err(|trouble| trouble.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{shown} is not UTF-8."))?;
    let format = format_of(path).unwrap_or_else(|| Format::guess(&text));
    let tree =
        read(&text, format, Limits::DOCUMENT).map_err(|fault| format!("{shown}: {}", fault.message))?;
    if tree.member("apiVersion").is_none() {
        return accepted::<PolicyDocument>(&tree, path).map(|document| vec![document]);
    }
    match accepted::<AuthoringDocument>(&tree, path)?.spec {
        ManifestSpec::PolicySet(set) => Ok(set.policies.into_iter().map(|policy| policy.document).collect()),
        _ => Err(format!("{shown} holds no policies.")),
    }
}

fn accepted<T: Wire>(tree: &Node<'_>, path: &Path) -> Result<T, String> {
    accept(tree).map_err(|findings| {
        let first = findings.first().map_or("", |finding| finding.message.as_str());
        format!("{} is not sound: {first}", path.display())
    })
}
