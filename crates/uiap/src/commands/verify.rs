//! `uiap verify`: is a bundle what was built and signed, and is a registry sound?

use super::parcel::{Files, TrustFlags};
use super::supplies::Supplies;
use crate::report::ReportFormat;
use crate::{Outcome, Trouble};
use clap::{ArgGroup, Args};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use uiap_runtime::view::clean;
use uiap_store::registry::{Damage, Flaw, Found, Inspection, Registry, Report};

/// Longest text of a file in one line, in characters.
const CHARS_MAX: usize = 400;

/// Verify a bundle with its signature and origins, or everything in a registry
#[derive(Args)]
#[command(
    group(ArgGroup::new("what").required(true).args(["bundle", "registry"])),
    after_help = "\
Examples:
  uiap verify shop.json                          schema, digest, origins, and whether it is signed
  uiap verify shop.json --trust team.key.pub     and signed by somebody who is trusted
  uiap verify --registry releases                every release and every pointer
  uiap verify --registry releases --trust team.key.pub

The signature of shop.json is shop.json.minisig, its origins are shop.json.origins.json. Exit code 0 means that
nothing is wrong, 1 that something is; everything that is wrong is told."
)]
pub(crate) struct Verify {
    /// The bundle
    bundle: Option<PathBuf>,
    /// The folder of a registry, instead of a bundle
    #[arg(long, value_name = "DIR")]
    registry: Option<PathBuf>,
    #[command(flatten)]
    trust: TrustFlags,
    /// The origins of the bundle; by default BUNDLE.origins.json, if that is there
    #[arg(long, value_name = "FILE", conflicts_with = "registry")]
    origins: Option<PathBuf>,
    /// Tell what was found as one JSON object
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        match (&self.bundle, &self.registry) {
            (Some(bundle), _) => self.bundle(bundle),
            (None, Some(folder)) => self.registry(folder),
            (None, None) => {
                Err(Trouble::WrongUse("Name a bundle, or a registry with --registry.".to_owned()))
            }
        }
    }

    fn bundle(&self, path: &Path) -> Result<Outcome, Trouble> {
        let trusted = self.trust.keys()?;
        let format = if self.json { ReportFormat::Json } else { ReportFormat::Human };
        let files = Files::read(Supplies { format }, path, self.origins.as_deref())?;
        let parcel = files.parcel();
        let inspection = parcel.inspect(&trusted);
        let mut out = std::io::stdout().lock();
        if self.json {
            let seen = json!({ "version": 1, "bundle": inspection_json(path, &inspection, parcel.origins.is_some()) });
            writeln!(out, "{seen:#}")?;
        } else {
            tell_bundle(&mut out, path, &inspection, parcel.origins.is_some())?;
        }
        Ok(if inspection.flaws.is_empty() { Outcome::Yes } else { Outcome::No })
    }

    fn registry(&self, folder: &Path) -> Result<Outcome, Trouble> {
        if !folder.is_dir() {
            return Err(Trouble::WrongUse(format!("There is no folder {}.", folder.display())));
        }
        let registry = Registry::at(folder);
        if !registry.exists() {
            return Err(Trouble::WrongUse(format!(
                "{} is no registry. Name the folder that `uiap publish --registry` fills.",
                folder.display()
            )));
        }
        let report = registry.verify(&self.trust.keys()?);
        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{:#}", report_json(folder, &report))?;
        } else {
            tell_registry(&mut out, folder, &report)?;
        }
        Ok(if report.is_sound() { Outcome::Yes } else { Outcome::No })
    }
}

fn tell_bundle(
    out: &mut impl Write,
    path: &Path,
    inspection: &Inspection,
    has_origins: bool,
) -> Result<(), Trouble> {
    let Inspection { bundle, digest, signed_by, claim, flaws } = inspection;
    for flaw in flaws {
        let what = clean(&flaw.to_string(), CHARS_MAX);
        writeln!(out, "error: {}: {what}. {}", path.display(), flaw.advice())?;
    }
    if flaws.is_empty() {
        let name = bundle.as_ref().map(|bundle| format!("{} {}", bundle.package_id, bundle.version));
        writeln!(out, "{} is sound: {}.", path.display(), name.unwrap_or_default())?;
        writeln!(out, "  digest: {digest}")?;
        let signed = match (signed_by, claim) {
            (Some(key), _) => format!("with the trusted key {key}"),
            (None, Some(claim)) => format!("with the key {}, which nobody checked; say --trust", claim.key),
            (None, None) => "no".to_owned(),
        };
        writeln!(out, "  signed: {signed}")?;
        writeln!(out, "  origins: {}", if has_origins { "they belong to it" } else { "none" })?;
    }
    Ok(())
}

fn inspection_json(path: &Path, inspection: &Inspection, has_origins: bool) -> Value {
    let Inspection { bundle, digest, signed_by, claim, flaws } = inspection;
    let flaw = |flaw: &Flaw| json!({ "message": flaw.to_string(), "help": flaw.advice() });
    json!({
        "file": path,
        "packageId": bundle.as_ref().map(|bundle| &bundle.package_id),
        "version": bundle.as_ref().map(|bundle| &bundle.version),
        "digest": digest,
        "origins": has_origins,
        "signedBy": signed_by.map(|key| key.to_string()),
        "claimedKey": claim.as_ref().map(|claim| claim.key.to_string()),
        "problems": flaws.iter().map(flaw).collect::<Vec<_>>(),
    })
}

fn tell_registry(out: &mut impl Write, folder: &Path, report: &Report) -> Result<(), Trouble> {
    for found in &report.releases {
        writeln!(out, "{}", release_line(found))?;
    }
    for damage in &report.damages {
        let what = clean(&damage.to_string(), CHARS_MAX);
        writeln!(out, "error[{}]: {what}. {}", damage.code(), damage.advice())?;
    }
    for path in &report.leftovers {
        writeln!(
            out,
            "note: nothing points to {}. A publisher did not come to an end, or a pointer was removed.",
            path.display()
        )?;
    }
    let sound = match report.releases.len() {
        1 => "1 sound release".to_owned(),
        sound => format!("{sound} sound releases"),
    };
    let wrong = match report.damages.len() + report.damages_left_out {
        0 => "nothing is wrong".to_owned(),
        1 => "1 thing is wrong".to_owned(),
        wrong => format!("{wrong} things are wrong"),
    };
    writeln!(out, "{}: {sound}, {wrong}.", folder.display())?;
    Ok(())
}

fn release_line(found: &Found) -> String {
    let Found { record, is_current, signed_by, .. } = found;
    let signed = match (signed_by, &record.signature) {
        (Some(key), _) => format!("signed with the trusted key {key}"),
        (None, Some(_)) => "signed".to_owned(),
        (None, None) => "not signed".to_owned(),
    };
    let current = if *is_current { ", current" } else { "" };
    let name = clean(record.package_id.as_str(), CHARS_MAX);
    format!(
        "{name} {} in {}, release {} of {}, {signed}{current}",
        record.version,
        record.channel.as_str(),
        record.number,
        record.published_at
    )
}

fn report_json(folder: &Path, report: &Report) -> Value {
    let release = |found: &Found| {
        json!({
            "packageId": found.record.package_id,
            "version": found.record.version,
            "channel": found.record.channel,
            "number": found.record.number,
            "publishedAt": found.record.published_at,
            "digest": found.record.digest,
            "current": found.is_current,
            "signed": found.record.signature.is_some(),
            "signedBy": found.signed_by.map(|key| key.to_string()),
            "folder": found.folder,
        })
    };
    let problem = |damage: &Damage| {
        json!({
            "code": damage.code(),
            "message": damage.to_string(),
            "file": damage.path(),
            "help": damage.advice(),
        })
    };
    json!({
        "version": 1,
        "registry": folder,
        "releases": report.releases.iter().map(release).collect::<Vec<_>>(),
        "problems": report.damages.iter().map(problem).collect::<Vec<_>>(),
        "problemsLeftOut": report.damages_left_out,
        "leftovers": report.leftovers,
    })
}
