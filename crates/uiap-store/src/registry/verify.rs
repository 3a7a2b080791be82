//! Finds everything that is wrong in the folder of a registry.

use super::Registry;
use super::damage::Damage;
use super::disk::Disk;
use super::line::Line;
use super::record::Record;
use super::shelves::{Entry, Release, Row, Shelves, State, is_hash, names_in};
use semver::Version;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use uiap_protocol::seal::{KeyId, TrustedKey};

/// Most things that are wrong that are listed; the others are counted.
pub const DAMAGES_MAX: usize = 200;

/// One release, as it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// What was published.
    pub record: Record,
    /// The last of its row.
    pub is_current: bool,
    /// Who signed it, if keys were given to check that.
    pub signed_by: Option<KeyId>,
    /// The folder of its files.
    pub folder: PathBuf,
}

/// What was found in a registry.
#[derive(Debug, Default)]
pub struct Report {
    /// The releases that are sound, row by row.
    pub releases: Vec<Found>,
    /// What is wrong, up to [`DAMAGES_MAX`].
    pub damages: Vec<Damage>,
    /// How many more things are wrong.
    pub damages_left_out: usize,
    /// What publishers left who did not come to an end. It harms nobody.
    pub leftovers: Vec<PathBuf>,
}

impl Report {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.damages.is_empty()
    }

    fn add(&mut self, damage: Damage) {
        if self.damages.len() < DAMAGES_MAX {
            self.damages.push(damage);
        } else {
            self.damages_left_out += 1;
        }
    }

    /// What was read, or nothing and one more thing that is wrong.
    fn keep<T>(&mut self, read: Result<T, Damage>) -> Option<T> {
        read.map_err(|damage| self.add(damage)).ok()
    }
}

/// What has been seen of a registry so far.
struct Walk<'a> {
    shelves: &'a Shelves,
    trusted: &'a [TrustedKey],
    report: Report,
    /// The releases that something points to.
    pointed_to: BTreeSet<String>,
    /// The releases that another one names as the one before it.
    followed: BTreeSet<String>,
}

impl<D: Disk> Registry<D> {
    /// Looks at everything. With trusted keys every release must be signed by one of them. It needs no lock: what
    /// is published meanwhile is seen whole or not at all.
    pub fn verify(&self, trusted: &[TrustedKey]) -> Report {
        let shelves = &self.shelves;
        let mut walk = Walk {
            shelves,
            trusted,
            report: Report::default(),
            pointed_to: BTreeSet::new(),
            followed: BTreeSet::new(),
        };
        walk.root();
        // Before the pointers: what is published meanwhile must not look as if nothing pointed to it.
        let releases = walk.report.keep(names_in(&shelves.releases())).unwrap_or_default();
        walk.channels();
        walk.unpointed(&releases);
        walk.report
    }
}

/// What is known of the release before, and of its place.
#[derive(Default)]
struct Before {
    number: u64,
    name: Option<String>,
    version: Option<Version>,
}

impl Before {
    /// Whether a release can come after it, as far as it is known.
    fn leads_to(&self, next: &Record) -> bool {
        let first = self.number == 1;
        let follows = self.name.is_none() || next.previous == self.name;
        let version = Version::parse(next.version.as_str()).ok();
        let rises = self.version.is_none() || version > self.version;
        follows && rises && first == next.previous.is_none()
    }
}

impl Walk<'_> {
    fn root(&mut self) {
        let root = &self.shelves.root;
        if !root.is_dir() {
            return self.report.add(Damage::Missing { path: root.clone() });
        }
        match self.shelves.state() {
            Ok(State::Marked | State::Empty) => {}
            Ok(State::Foreign) => self.report.add(Damage::Missing { path: self.shelves.marker() }),
            Err(damage) => self.report.add(damage),
        }
        let shelves = self.shelves;
        let ours =
            [shelves.marker(), shelves.lock(), shelves.temporary(), shelves.releases(), shelves.channels()];
        for name in self.report.keep(names_in(root)).unwrap_or_default() {
            let path = root.join(name);
            if !ours.contains(&path) {
                self.report.add(Damage::Unexpected { path });
            }
        }
        let temporary = shelves.temporary();
        let names = self.report.keep(names_in(&temporary)).unwrap_or_default();
        self.report.leftovers.extend(names.into_iter().map(|name| temporary.join(name)));
    }

    fn channels(&mut self) {
        for package in self.folders_in(&self.shelves.channels()) {
            for channel in self.folders_in(&package) {
                for row in self.folders_in(&channel) {
                    self.row(&row);
                }
            }
        }
    }

    fn folders_in(&mut self, folder: &Path) -> Vec<PathBuf> {
        let names = self.report.keep(names_in(folder)).unwrap_or_default();
        let paths = names.into_iter().map(|name| folder.join(name));
        let is_folder = |path: &PathBuf| path.symlink_metadata().is_ok_and(|found| found.is_dir());
        let (folders, others): (Vec<_>, Vec<_>) = paths.partition(is_folder);
        others.into_iter().for_each(|path| self.report.add(Damage::Unexpected { path }));
        folders
    }

    fn row(&mut self, folder: &Path) {
        let Some(Row { entries, strays }) = self.report.keep(Shelves::row(folder)) else { return };
        strays.into_iter().for_each(|path| self.report.add(Damage::Unexpected { path }));
        let current = entries.last().map(|entry| entry.number);
        let mut before = Before::default();
        for entry in &entries {
            if entry.number != before.number + 1 {
                self.report.add(Damage::Missing { path: Shelves::place(folder, before.number + 1) });
                before.name = None;
            }
            before.number = entry.number;
            let name = self.report.keep(Shelves::named_by(entry));
            self.pointed_to.extend(name.clone());
            if let Some(release) = name.as_deref().and_then(|name| self.release(entry, name)) {
                if !before.leads_to(&release.record) {
                    self.report.add(Damage::Broken { path: entry.path.clone() });
                }
                before.version = Version::parse(release.record.version.as_str()).ok();
                self.take(release, entry, folder, current == Some(entry.number));
            }
            before.name = name;
        }
    }

    fn release(&mut self, entry: &Entry, name: &str) -> Option<Release> {
        let folder = self.shelves.release(name)?;
        if !folder.is_dir() {
            self.report.add(Damage::Dangling { path: entry.path.clone(), release: folder });
            return None;
        }
        match self.shelves.open(name, self.trusted) {
            Ok(release) => Some(release),
            Err(damages) => {
                damages.into_iter().for_each(|damage| self.report.add(damage));
                None
            }
        }
    }

    fn take(&mut self, release: Release, entry: &Entry, folder: &Path, is_current: bool) {
        let line = Line::of(&release.bundle).and_then(Result::ok);
        let in_place = line.is_some_and(|line| self.shelves.line(&line) == folder);
        if !in_place || release.record.number != entry.number {
            self.report.add(Damage::OtherLine { path: entry.path.clone() });
            return;
        }
        let Release { record, signed_by, folder, .. } = release;
        self.followed.extend(record.previous.clone());
        self.report.releases.push(Found { record, is_current, signed_by, folder });
    }

    /// What nothing points to: a publisher did not come to an end, unless another release came after it.
    fn unpointed(&mut self, releases: &[std::ffi::OsString]) {
        let mut alone = Vec::new();
        for name in releases {
            let path = self.shelves.releases().join(name);
            let Some(digits) = name.to_str().filter(|name| is_hash(name)) else {
                self.report.add(Damage::Unexpected { path });
                continue;
            };
            let name = format!("sha256:{digits}");
            if !self.pointed_to.contains(&name) {
                let record = Shelves::record_in(&path, &name).ok();
                self.followed.extend(record.and_then(|record| record.previous));
                alone.push((name, path));
            }
        }
        for (name, path) in alone {
            if self.followed.contains(&name) {
                self.report.add(Damage::Unpointed { path });
            } else {
                self.report.leftovers.push(path);
            }
        }
    }
}
