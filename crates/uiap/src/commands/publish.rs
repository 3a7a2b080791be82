//! `uiap publish`: puts a bundle into a registry, where it is current from then on.

use super::keys::KeyFlags;
use super::parcel::{Files, TrustFlags};
use super::supplies::Supplies;
use crate::package::{ContextFlags, channel_named, keep_lock, time_named, time_or_now};
use crate::report::{ReportFormat, sentence};
use crate::{Outcome, Trouble};
use clap::Args;
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::PathBuf;
use uiap_authoring::breaking::{class_of, compare, required_bump};
use uiap_protocol::authoring::{CompiledBundle, ReleaseChannel};
use uiap_protocol::time::Timestamp;
use uiap_store::registry::{Maker, Offer, PublishError, Published, Registry, Release};

/// Publish a bundle to a channel of a registry, signed if a key is given
#[derive(Args)]
#[command(after_help = "\
Examples:
  uiap publish uiap/ --packages packages --channel prod --registry releases --key team.key
                                     build the package for prod, then sign and publish
  uiap publish uiap/ --channel dev --registry releases
                                     without a signature
  uiap publish shop.json --channel prod --registry releases --trust team.key.pub
                                     a bundle that was signed before (shop.json.minisig)
  uiap publish shop.json --channel prod --registry releases --key team.key --trust team.key.pub
                                     sign a bundle and publish it

The folder of a package is built, which checks the gates of the channel. A bundle in a file only says that they were
checked: it is published if one of the keys that are named with --trust has signed it, and not otherwise.

A registry is a folder that only grows; the first publisher makes it. A version that is published never changes:
publishing the same again does nothing, and other content under the same version is refused. The origins of a bundle
(shop.json.origins.json) are published and signed together with it.

The password of a key is asked for at the terminal. Elsewhere it comes from the variable UIAP_KEY_PASSWORD or from the
first line of a file (--password-file). Exit code 0 means that it is current now or was published before, 1 that it is
refused.")]
pub(crate) struct Publish {
    /// The bundle, or the folder of a package, which is built for the channel first
    bundle: PathBuf,
    /// The channel, which must be the one that the bundle was built for
    #[arg(long, value_name = "CHANNEL", value_parser = channel_named)]
    channel: ReleaseChannel,
    /// The folder of the registry
    #[arg(long, value_name = "DIR")]
    registry: PathBuf,
    #[command(flatten)]
    context: ContextFlags,
    #[command(flatten)]
    key: KeyFlags,
    #[command(flatten)]
    trust: TrustFlags,
    /// The origins of the bundle; by default BUNDLE.origins.json, if that is there
    #[arg(long, value_name = "FILE")]
    origins: Option<PathBuf>,
    /// The time that is recorded, such as 2026-03-26T14:03:00Z; by default that of the system
    #[arg(long, value_name = "TIME", value_parser = time_named)]
    now: Option<Timestamp>,
    /// Tell how it ended as one JSON object
    #[arg(long)]
    json: bool,
}

impl Publish {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        let at = time_or_now(self.now.as_ref())?;
        let format = if self.json { ReportFormat::Json } else { ReportFormat::Human };
        let trusted = self.trust.keys()?;
        let Some(mut files) = self.files(&at, format)? else { return Ok(Outcome::No) };
        if let Some(key) = self.key.open()? {
            files.sign(&key)?;
        }
        let offer = Offer {
            parcel: files.parcel(),
            maker: if self.bundle.is_dir() { Maker::Publisher } else { Maker::Somebody },
            channel: self.channel,
            at,
            trusted: &trusted,
        };
        let published = Registry::at(&self.registry).publish(&offer, &version_says_enough);
        let published = published.map_err(|error| self.refused(&error))?;
        self.tell(&published)?;
        Ok(Outcome::Yes)
    }

    /// The bundle and what belongs to it: as they were built, or built now from the folder of a package. Nothing, if
    /// the package cannot be built; why has been reported.
    fn files(&self, at: &Timestamp, format: ReportFormat) -> Result<Option<Files>, Trouble> {
        if !self.bundle.is_dir() {
            return Files::read(Supplies { format }, &self.bundle, self.origins.as_deref()).map(Some);
        }
        // Its findings are for people: stdout is for how publishing ended.
        let built = self.context.build(&self.bundle, Some(self.channel), at.clone(), ReportFormat::Human)?;
        let Some(built) = built else { return Ok(None) };
        keep_lock(&self.bundle, &built.lock)?;
        Files::built(&built).map(Some)
    }

    fn refused(&self, error: &PublishError) -> Trouble {
        let told = format!(
            "{} is not published to {}: {error}. {}",
            self.bundle.display(),
            self.registry.display(),
            error.advice()
        );
        match error {
            PublishError::Foreign { .. } => Trouble::WrongUse(told),
            PublishError::Disk { .. } | PublishError::InUse { .. } => Trouble::Missing(told),
            PublishError::Unconfirmed { .. } => Trouble::Missing(format!(
                "{}: {}. {}",
                self.bundle.display(),
                sentence(&error.to_string()),
                error.advice()
            )),
            _ => Trouble::Other(anyhow::anyhow!(told)),
        }
    }

    fn tell(&self, published: &Published) -> Result<(), Trouble> {
        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{:#}", as_json(published))?;
            return Ok(());
        }
        let Release { record, .. } = published.release();
        let what = format!("{} {} to {}", record.package_id, record.version, record.channel.as_str());
        match published {
            Published::New(_) => writeln!(out, "Published {what}, as release {}.", record.number)?,
            Published::Before(_) => writeln!(
                out,
                "{what}: the same was published already, at {}. Nothing was changed.",
                record.published_at
            )?,
        }
        writeln!(out, "  digest: {}", record.digest)?;
        writeln!(out, "  bundle: {}", published.release().bundle_path().display())?;
        let signed = if record.signature.is_some() { "yes" } else { "no" };
        writeln!(out, "  signed: {signed}")?;
        Ok(())
    }
}

/// Whether the version of a bundle says enough about what changed since the release that is current.
fn version_says_enough(
    current: Option<&Release>,
    new: &CompiledBundle,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let Some(current) = current else { return Ok(()) };
    let old = &current.bundle;
    let changes = compare(old, new);
    let verdict = required_bump(&old.version, &new.version, class_of(&changes));
    if verdict.enough {
        return Ok(());
    }
    let gravest =
        changes.first().map(|change| format!(" The gravest change: {}", change.message)).unwrap_or_default();
    Err(format!(
        "what changed since {} needs at least the version {}, and this is {}.{gravest} `uiap breaking {} NEW` shows all of it",
        old.version,
        verdict.least,
        new.version,
        current.bundle_path().display()
    )
    .into())
}

fn as_json(published: &Published) -> Value {
    let release = published.release();
    let record = &release.record;
    json!({
        "version": 1,
        "published": matches!(published, Published::New(_)),
        "release": {
            "packageId": record.package_id,
            "version": record.version,
            "channel": record.channel,
            "number": record.number,
            "publishedAt": record.published_at,
            "digest": record.digest,
            "origins": record.origins,
            "signed": record.signature.is_some(),
            "signedBy": release.signed_by.map(|key| key.to_string()),
            "bundle": release.bundle_path(),
        },
    })
}
