//! `uiap check`: is this a sound UIAP document?

use super::documents::{bytes_of, collect, format_of, is_stdin};
use super::kind_named;
use crate::report::{self, Document, ReportFormat};
use crate::{Outcome, Trouble};
use clap::Args;
use std::path::PathBuf;
use uiap_protocol::check::{Expectation, check};

/// Validate UIAP documents: manifests, bundles, messages, graphs, packages
#[derive(Args)]
#[command(after_help = "\
Examples:
  uiap check uiap/                           every JSON and YAML document below a folder
  uiap check --as action.request msg.json    say what it is instead of having it detected
  cat bundle.json | uiap check -             from standard input
  uiap check --format sarif uiap/ > out.sarif")]
pub(crate) struct Check {
    /// Files or folders; `-` is standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// What the documents are; without it, each is recognised by its members
    #[arg(long = "as", value_name = "KIND")]
    kind: Option<String>,
    /// How to report
    #[arg(long, value_enum, default_value_t)]
    format: ReportFormat,
}

impl Check {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        let kind = self.kind.as_deref().map(kind_named).transpose()?;
        let mut files = Vec::new();
        for path in &self.paths {
            collect(path, &mut files)?;
        }
        let mut documents = Vec::new();
        for file in files {
            let bytes = bytes_of(&file)?;
            let name = if is_stdin(&file) { "<stdin>".to_owned() } else { file.display().to_string() };
            let checked = check(&name, &bytes, Expectation { format: format_of(&file), kind });
            documents.push(Document { name, text: String::from_utf8_lossy(&bytes).into_owned(), checked });
        }
        report::documents(&documents, self.format)?;
        Ok(report::outcome(&documents))
    }
}
