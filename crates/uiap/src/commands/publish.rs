//! `uiap publish`: puts a bundle into a registry, where it is current from then on.

use super::keys::KeyFlags;
use super::parcel::{Files, TrustFlags};
use super::supplies::Supplies;
use crate::keeping::now;
use crate::report::{ReportFormat, sentence};
use crate::{Outcome, Trouble};
use clap::Args;
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::PathBuf;
use uiap_protocol::authoring::{CompiledBundle, ReleaseChannel};
use uiap_protocol::time::Timestamp;
use uiap_protocol::wire::nearest;
use uiap_store::registry::{Offer, PublishError, Published, Registry, Release};

/// Publish a bundle to a channel of a registry, signed if a key is given
#[derive(Args)]
#[command(after_help = "\
Examples:
  uiap publish shop.json --channel prod --registry releases --key team.key
                                     sign and publish
  uiap publish shop.json --channel dev --registry releases
                                     with the signature beside it (shop.json.minisig), or without one
  uiap publish shop.json --channel prod --registry releases --key team.key --trust team.key.pub
                                     only if the signature is one that counts

A registry is a folder that only grows; the first publisher makes it. A version that is published never changes:
publishing the same again does nothing, and other content under the same version is refused. The origins of a bundle
(shop.json.origins.json) are published and signed together with it.

The password of a key is asked for at the terminal. Elsewhere it comes from the variable UIAP_KEY_PASSWORD or from the
first line of a file (--password-file). Exit code 0 means that it is current now or was published before, 1 that it is
refused.")]
pub(crate) struct Publish {
    /// The bundle
    bundle: PathBuf,
    /// The channel, which must be the one that the bundle was built for
    #[arg(long, value_name = "CHANNEL", value_parser = channel_named)]
    channel: ReleaseChannel,
    /// The folder of the registry
    #[arg(long, value_name = "DIR")]
    registry: PathBuf,
    #[command(flatten)]
    key: KeyFlags,
    #[command(flatten)]
    trust: TrustFlags,
    /// The origins of the bundle; by default BUNDLE.origins.json, if that is there
    #[arg(long, value_name = "FILE")]
    origins: Option<PathBuf>,
    /// The time that is recorded, such as 2026-03-26T14:03:00Z; by default that of the system
    #[arg(long, value_name = "TIME", value_parser = time_of)]
    now: Option<Timestamp>,
    /// Tell how it ended as one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn channel_named(word: &str) -> Result<ReleaseChannel, String> {
    ReleaseChannel::from_word(word).ok_or_else(|| {
        let near = nearest(word, ReleaseChannel::WORDS.iter().copied(), 1);
        let hint = near.first().map(|near| format!(" Did you mean {near}?")).unwrap_or_default();
        format!("The channels are {}.{hint}", ReleaseChannel::WORDS.join(", "))
    })
}

fn time_of(text: &str) -> Result<Timestamp, String> {
    Timestamp::new(text).map_err(|error| error.to_string())
}

impl Publish {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        let at = match &self.now {
            Some(at) => at.clone(),
            None => system_time()?,
        };
        let format = if self.json { ReportFormat::Json } else { ReportFormat::Human };
        let trusted = self.trust.keys()?;
        let mut files = Files::read(Supplies { format }, &self.bundle, self.origins.as_deref())?;
        if let Some(key) = self.key.open()? {
            files.sign(&key)?;
        }
        let offer = Offer { parcel: files.parcel(), channel: self.channel, at, trusted: &trusted };
        let published = Registry::at(&self.registry).publish(&offer, &version_says_enough);
        let published = published.map_err(|error| self.refused(&error))?;
        self.tell(&published)?;
        Ok(Outcome::Yes)
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
#[expect(clippy::unnecessary_wraps, reason = "the shape of every gate")]
fn version_says_enough(
    _current: Option<&Release>,
    _new: &CompiledBundle,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    Ok(())
}

fn system_time() -> Result<Timestamp, Trouble> {
    let time = i64::try_from(now()).ok().and_then(|millis| Timestamp::from_millis(millis).ok());
    time.ok_or_else(|| Trouble::Missing("The clock of the system is wrong; say --now.".to_owned()))
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
