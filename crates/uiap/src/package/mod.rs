//! Packages as commands use them: read from a disk, built for a context, written whole.

mod disk;
mod hands;
mod writing;

pub(crate) use disk::{Disk, Watched};
pub(crate) use hands::Threads;
pub(crate) use writing::{write_in_order, write_whole};

use crate::keeping;
use crate::report::{self, Document, ReportFormat};
use crate::{Outcome, Trouble};
use clap::Args;
use std::path::{Path, PathBuf};
use uiap_authoring::{Builder, Built, Folder, Lock, Outcome as BuildOutcome, Request, Texts};
use uiap_protocol::authoring::{BuildContext, ReleaseChannel};
use uiap_protocol::check::Checked;
use uiap_protocol::ids::{BadForm, Id, Locale, Text};
use uiap_protocol::time::Timestamp;
use uiap_protocol::wire::nearest;

/// For whom and where a package is built, and where its imports are.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ContextFlags {
    /// Build for this environment of the application
    #[arg(long, value_name = "ID")]
    environment: Option<String>,
    /// Build in this language: texts become plain strings
    #[arg(long, value_name = "TAG")]
    locale: Option<String>,
    /// Build for this tenant
    #[arg(long, value_name = "ID")]
    tenant: Option<String>,
    /// Build for this kind of user
    #[arg(long, value_name = "ID")]
    principal: Option<String>,
    /// Build for this version of the application
    #[arg(long, value_name = "VERSION")]
    app_version: Option<String>,
    /// Look for imported packages below this folder; may be given more than once
    #[arg(long, value_name = "DIR")]
    packages: Vec<PathBuf>,
    /// Renew uiap.lock: take the newest versions of imports that fit, whatever was pinned
    #[arg(long)]
    update: bool,
}

impl ContextFlags {
    pub(crate) fn disk(&self) -> Disk {
        Disk::new(self.packages.clone())
    }

    /// What is to be built, on which channel and at what time.
    pub(crate) fn request(
        &self,
        folder: &Path,
        channel: Option<ReleaseChannel>,
        now: Timestamp,
    ) -> Result<Request, Trouble> {
        let context = BuildContext {
            environment: typed("--environment", self.environment.as_deref(), Id::new)?,
            channel,
            locale: typed("--locale", self.locale.as_deref(), Locale::new)?,
            tenant_id: typed("--tenant", self.tenant.as_deref(), Id::new)?,
            principal_profile: typed("--principal", self.principal.as_deref(), Id::new)?,
            app_version: typed("--app-version", self.app_version.as_deref(), Text::new)?,
            ..BuildContext::default()
        };
        for folder in self.packages.iter().map(PathBuf::as_path).chain([folder]) {
            if !folder.is_dir() {
                return Err(Trouble::WrongUse(format!("There is no folder {}.", folder.display())));
            }
        }
        let lock = if self.update { Lock::default() } else { lock_in(folder)? };
        Ok(Request { folder: Folder::new(folder.display().to_string()), context, now, lock })
    }

    /// Builds a package and reports what was found; without a bundle the report says why.
    pub(crate) fn build(
        &self,
        folder: &Path,
        channel: Option<ReleaseChannel>,
        now: Timestamp,
        format: ReportFormat,
    ) -> Result<Option<Built>, Trouble> {
        let request = self.request(folder, channel, now)?;
        let texts = Texts::default();
        let outcome = Builder::with_hands(&texts, &Threads).build(&request, &self.disk());
        report_build(&outcome, format)?;
        Ok(outcome.built)
    }
}

/// A channel as it is named on the command line.
pub(crate) fn channel_named(word: &str) -> Result<ReleaseChannel, String> {
    ReleaseChannel::from_word(word).ok_or_else(|| {
        let near = nearest(word, ReleaseChannel::WORDS.iter().copied(), 1);
        let hint = near.first().map(|near| format!(" Did you mean {near}?")).unwrap_or_default();
        format!("The channels are {}.{hint}", ReleaseChannel::WORDS.join(", "))
    })
}

/// A time as it is written on the command line.
pub(crate) fn time_named(text: &str) -> Result<Timestamp, String> {
    Timestamp::new(text).map_err(|error| error.to_string())
}

/// The time that was given, otherwise that of the system.
pub(crate) fn time_or_now(given: Option<&Timestamp>) -> Result<Timestamp, Trouble> {
    let system = || i64::try_from(keeping::now()).ok().and_then(|millis| Timestamp::from_millis(millis).ok());
    let time = given.cloned().or_else(system);
    time.ok_or_else(|| Trouble::Missing("The clock of the system is wrong; say --now.".to_owned()))
}

fn typed<T>(
    flag: &str,
    text: Option<&str>,
    read: impl FnOnce(String) -> Result<T, BadForm>,
) -> Result<Option<T>, Trouble> {
    let wrong = |error: BadForm| Trouble::WrongUse(format!("{flag}: {error}."));
    text.map(|text| read(text.to_owned()).map_err(wrong)).transpose()
}

fn lock_in(folder: &Path) -> Result<Lock, Trouble> {
    let path = folder.join(Lock::FILE);
    match std::fs::read_to_string(&path) {
        Ok(text) => Lock::read(&text).map_err(|error| {
            Trouble::WrongUse(format!("{}: {error}. Renew it with --update.", path.display()))
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Lock::default()),
        Err(error) => Err(Trouble::WrongUse(format!("{} cannot be read: {error}.", path.display()))),
    }
}

/// Shows what a build found: for people on stderr, for programs on stdout.
pub(crate) fn report_build(outcome: &BuildOutcome, format: ReportFormat) -> Result<(), Trouble> {
    report::build(&documents(outcome), format)
}

/// What was found, file by file.
fn documents(outcome: &BuildOutcome) -> Vec<Document> {
    let mut documents: Vec<Document> = Vec::new();
    for diagnostic in &outcome.diagnostics {
        if documents.last().is_none_or(|last| last.name != diagnostic.file) {
            let text = outcome.texts.iter().find(|(name, _)| *name == diagnostic.file);
            documents.push(Document {
                name: diagnostic.file.clone(),
                text: text.map_or_else(String::new, |(_, text)| text.clone()),
                checked: Checked { kind: None, diagnostics: Vec::new(), value: None },
            });
        }
        if let Some(last) = documents.last_mut() {
            last.checked.diagnostics.push(diagnostic.clone());
        }
    }
    documents
}

/// Writes the lock file of a package, if it says something new.
pub(crate) fn keep_lock(folder: &Path, lock: &Lock) -> Result<(), Trouble> {
    let path = folder.join(Lock::FILE);
    let text = lock.to_text();
    let before = std::fs::read_to_string(&path).ok();
    if before.as_deref() == Some(text.as_str()) || (lock.is_empty() && before.is_none()) {
        return Ok(());
    }
    write_whole(&path, text.as_bytes())
}

/// Yes with a bundle, no without.
pub(crate) fn answer(built: Option<&Built>) -> Outcome {
    if built.is_some() { Outcome::Yes } else { Outcome::No }
}
