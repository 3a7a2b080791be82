//! `uiap build`: from manifests to one bundle.

use super::parcel::origins_of;
use crate::package::{
    ContextFlags, Threads, Watched, answer, channel_named, keep_lock, report_build, time_named, time_or_now,
    write_in_order, write_whole,
};
use crate::report::ReportFormat;
use crate::{Outcome, Trouble};
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use uiap_authoring::{BuildReport, Builder, Built, Sources, Texts};
use uiap_protocol::authoring::ReleaseChannel;
use uiap_protocol::time::Timestamp;

/// Compile a package of manifests to one bundle for a context
#[derive(Args)]
#[command(after_help = "\
Examples:
  uiap build uiap/                                     check the package as its default channel would
  uiap build uiap/ -o videoland.json --channel prod    write the bundle for prod
  uiap build uiap/ -o b.json --packages ../packages    with imports from there
  uiap build uiap/ -o b.json --locale en --tenant acme
  uiap build uiap/ -o b.json --watch                   again whenever a file changes, until Ctrl-C

The bundle is written only if nothing is wrong; an older one stays otherwise. Beside it stands FILE.origins.json, which
`uiap explain` reads. Versions of imports are pinned in uiap.lock, in the folder of the package.")]
pub(crate) struct Build {
    /// The folder of the package
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Where the bundle goes; without it the package is only checked
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Build for this channel; by default the one that the package names, otherwise dev
    #[arg(long, value_name = "CHANNEL", value_parser = channel_named)]
    channel: Option<ReleaseChannel>,
    #[command(flatten)]
    context: ContextFlags,
    /// The time by which waivers are judged, such as 2026-03-26T14:03:00Z; by default that of the system
    #[arg(long, value_name = "TIME", value_parser = time_named)]
    now: Option<Timestamp>,
    /// Write how the build went here: steps, review states, decisions that were overridden
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// How to report what was found
    #[arg(long, value_enum, default_value_t)]
    format: ReportFormat,
    /// Build again whenever a file changes, until Ctrl-C
    #[arg(long)]
    watch: bool,
}

/// How often files are looked at.
const LOOK_AGAIN: Duration = Duration::from_millis(150);
/// After so many builds everything is read anew: what files once said is not kept for ever.
const BUILDS_MAX: usize = 500;

impl Build {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        let disk = self.context.disk();
        loop {
            let texts = Texts::default();
            let mut builder = Builder::with_hands(&texts, &Threads);
            for _ in 0..BUILDS_MAX {
                let watched = Watched::new(&disk);
                let outcome = self.build(&mut builder, &watched)?;
                if !self.watch {
                    // The process ends: giving back everything piece by piece would take a tenth of the time.
                    std::mem::forget(builder);
                    return Ok(outcome);
                }
                let changed = wait_for_change(&watched);
                writeln!(std::io::stderr(), "\n{} changed.", changed.display())?;
            }
        }
    }

    fn build(&self, builder: &mut Builder<'_>, sources: &dyn Sources) -> Result<Outcome, Trouble> {
        let request = self.context.request(&self.folder, self.channel, time_or_now(self.now.as_ref())?)?;
        let outcome = builder.build(&request, sources);
        report_build(&outcome, self.format)?;
        if let Some(path) = &self.report {
            write_report(path, &outcome.report)?;
        }
        if let Some(built) = &outcome.built {
            keep_lock(&self.folder, &built.lock)?;
            self.write(built)?;
        }
        Ok(answer(outcome.built.as_ref()))
    }

    fn write(&self, built: &Built) -> Result<(), Trouble> {
        let mut stderr = std::io::stderr();
        let what = format!("{} {} ({})", built.bundle.package_id, built.bundle.version, built.digest);
        let Some(path) = &self.output else {
            writeln!(stderr, "{what} is sound. No bundle was written; -o FILE writes it.")?;
            return Ok(());
        };
        write_bundle(path, built)?;
        writeln!(stderr, "{what} is in {}.", path.display())?;
        Ok(())
    }
}

fn wait_for_change(watched: &Watched<'_>) -> PathBuf {
    loop {
        std::thread::sleep(LOOK_AGAIN);
        if let Some(changed) = watched.changed() {
            return changed;
        }
    }
}

/// Writes a bundle and, before it, its origins: whoever finds the bundle finds them too.
pub(crate) fn write_bundle(path: &Path, built: &Built) -> Result<(), Trouble> {
    write_in_order(&[(&origins_of(path), built.origins.as_bytes()), (path, built.text.as_bytes())])
}

fn write_report(path: &Path, report: &BuildReport) -> Result<(), Trouble> {
    let text = serde_json::to_string_pretty(report).map_err(anyhow::Error::from)?;
    write_whole(path, format!("{text}\n").as_bytes())
}
