//! The documents that a command works with: they must be sound, or what is wrong with them is reported.

use super::documents::{bytes_of, format_of, is_stdin};
use super::kind_named;
use crate::Trouble;
use crate::report::{self, Document, ReportFormat};
use std::path::Path;
use uiap_protocol::action::ActionRequest;
use uiap_protocol::authoring::{AuthoringDocument, ManifestSpec};
use uiap_protocol::check::{Checked, Expectation, check};
use uiap_protocol::discovery::{DiscoveryEnvironment, DiscoveryPackage};
use uiap_protocol::finding::Diagnostic;
use uiap_protocol::kinds::Kind;
use uiap_protocol::policy::PolicyDocument;
use uiap_protocol::text::{Format, Limits, Node, read};
use uiap_protocol::wire::{JsonObject, Wire, accept_object, decode};

/// Reads documents for one command and reports in its format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Supplies {
    pub(crate) format: ReportFormat,
}

impl Supplies {
    /// The members of a compiled bundle. Whether it may be loaded is another question.
    pub(crate) fn bundle(self, path: &Path) -> Result<JsonObject, Trouble> {
        let (_, members) = self.document(path, Some(kind_named("bundle")?))?;
        Ok(members)
    }

    /// Where an application is explored, and within what bounds.
    pub(crate) fn environment(self, path: &Path) -> Result<DiscoveryEnvironment, Trouble> {
        let (_, members) = self.document(path, Some(kind_named("discovery-environment")?))?;
        again(path, &members)
    }

    /// A discovery package.
    pub(crate) fn discovered(self, path: &Path) -> Result<DiscoveryPackage, Trouble> {
        let (_, members) = self.document(path, Some(kind_named("discovery-package")?))?;
        again(path, &members)
    }

    /// The policies of a file, which is a policy set or a policy document.
    pub(crate) fn policies(self, path: &Path) -> Result<Vec<PolicyDocument>, Trouble> {
        let (kind, members) = self.document(path, None)?;
        match kind.map(Kind::name) {
            Some("policy-document") => Ok(vec![again(path, &members)?]),
            Some("PolicySet") => match again::<AuthoringDocument>(path, &members)?.spec {
                ManifestSpec::PolicySet(set) => {
                    Ok(set.policies.into_iter().map(|policy| policy.document).collect())
                }
                _ => Ok(Vec::new()),
            },
            other => Err(Trouble::WrongUse(format!(
                "{} is of the kind {}; a policy-document or a PolicySet is wanted.",
                path.display(),
                other.unwrap_or("that nobody knows")
            ))),
        }
    }

    /// A request: the message, or its payload alone.
    pub(crate) fn request(self, path: &Path) -> Result<ActionRequest, Trouble> {
        let bytes = bytes_of(path)?;
        let name = if is_stdin(path) { "<stdin>".to_owned() } else { path.display().to_string() };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let format = format_of(path).unwrap_or_else(|| Format::guess(&text));
        let tree = read(&text, format, Limits::DOCUMENT).ok();
        if let Some(tree) = tree.as_ref().filter(|tree| tree.member("payload").is_none()) {
            let (request, diagnostics) = decoded(&name, &text, tree);
            return request.map_or_else(
                || Err(self.reported(name, text.clone(), Checked { kind: None, diagnostics, value: None })),
                Ok,
            );
        }
        // A whole message, or nothing that can be read: both are for the check to tell.
        let kind = Some(kind_named("action.request")?);
        let checked = check(&name, &bytes, Expectation { format: Some(format), kind });
        let members = self.sound(name, text, checked)?;
        let payload = members.get("payload").and_then(serde_json::Value::as_object);
        again(path, payload.unwrap_or(&members))
    }

    /// The members of a sound document and its kind.
    fn document(self, path: &Path, kind: Option<Kind>) -> Result<(Option<Kind>, JsonObject), Trouble> {
        let bytes = bytes_of(path)?;
        let name = path.display().to_string();
        let checked = check(&name, &bytes, Expectation { format: format_of(path), kind });
        let kind = checked.kind;
        let members = self.sound(name, String::from_utf8_lossy(&bytes).into_owned(), checked)?;
        Ok((kind, members))
    }

    /// The members of a document that was checked and is sound.
    fn sound(self, name: String, text: String, checked: Checked) -> Result<JsonObject, Trouble> {
        let sound = !checked.has_errors();
        match checked.value {
            Some(serde_json::Value::Object(members)) if sound => Ok(members),
            value => Err(self.reported(name, text, Checked { value, ..checked })),
        }
    }

    /// Says what is wrong with a document. For people on stderr: it is not what the command was asked for, and standard
    /// output may be a conversation.
    fn reported(self, name: String, text: String, checked: Checked) -> Trouble {
        let reported = report::build(&[Document { name, text, checked }], self.format);
        reported.err().unwrap_or(Trouble::Reported)
    }
}

fn decoded<T: Wire>(name: &str, text: &str, tree: &Node<'_>) -> (Option<T>, Vec<Diagnostic>) {
    let (value, findings) = decode(tree);
    (value, Diagnostic::locate(findings, name, text, Some(tree)))
}

fn again<T: Wire>(path: &Path, members: &JsonObject) -> Result<T, Trouble> {
    let read = accept_object(members);
    read.map_err(|_| anyhow::anyhow!("{} was accepted and cannot be read again", path.display()).into())
}
