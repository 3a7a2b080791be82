//! Publishing: from a bundle to a release that everybody sees.
//!
//! Start at [`Registry::publish`]. What can be refused is refused before anything is written.

use super::Registry;
use super::damage::Damage;
use super::disk::{Disk, Held};
use super::error::PublishError;
use super::line::Line;
use super::offer::{Offer, Sound, parsed};
use super::shelves::{Entry, MARKER, RELEASES_MAX, Release, Shelves, State, bytes_in, names_in};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use uiap_protocol::authoring::CompiledBundle;

/// Longest wait for another publisher.
pub const LOCK_WAIT: Duration = Duration::from_secs(30);
/// How often the lock is asked for.
const LOCK_PAUSE: Duration = Duration::from_millis(20);
/// Most characters of a process id in the lock file.
const OWNER_BYTES_MAX: usize = 16;

/// Judges a bundle beside the release that is current, if there is one: what only the caller can tell, such as
/// whether its version says enough about what changed. It is asked while nobody else can publish.
pub type Gate<'a> =
    &'a dyn Fn(Option<&Release>, &CompiledBundle) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// How publishing ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Published {
    /// It is current now.
    New(Release),
    /// The same was published before; nothing was changed.
    Before(Release),
}

impl Published {
    /// The release.
    pub fn release(&self) -> &Release {
        match self {
            Self::New(release) | Self::Before(release) => release,
        }
    }
}

/// The end of a row.
struct Tip {
    name: String,
    release: Release,
}

impl<D: Disk> Registry<D> {
    /// Publishes a bundle: it is current when this returns, or nothing has changed.
    pub fn publish(&self, offer: &Offer<'_>, gate: Gate<'_>) -> Result<Published, PublishError> {
        let sound = Sound::check(offer)?;
        self.enter()?;
        let _held = self.lock()?;
        self.clean_up()?;
        self.lay_out()?;
        let folder = self.shelves.line(&sound.line);
        let entries = Shelves::row(&folder).map_err(PublishError::Damaged)?.entries;
        let tip = entries.last().map(|entry| self.tip(entry)).transpose()?;
        if let Some(release) = self.published_before(&sound, &entries, tip.as_ref())? {
            self.confirm(&folder)?;
            return Ok(Published::Before(release));
        }
        gate(tip.as_ref().map(|tip| &tip.release), &sound.bundle).map_err(PublishError::Gate)?;
        let number = entries.last().map_or(1, |entry| entry.number + 1);
        if entries.len() >= RELEASES_MAX {
            return Err(PublishError::Full { line: Box::new(sound.line) });
        }
        let record = sound.record(number, tip.map(|tip| tip.name));
        let name = record.name();
        let folder = self.put_release(&name, &sound.files(&record))?;
        self.point_to(&name, &sound.line, number)?;
        let Sound { bundle, signed_by, .. } = sound;
        Ok(Published::New(Release { record, bundle, signed_by, folder }))
    }

    /// Makes the folder of the registry, or sees that it is one. Nothing is written into a folder of somebody else.
    fn enter(&self) -> Result<(), PublishError> {
        let Shelves { root } = &self.shelves;
        let missing: Vec<_> = root.ancestors().take_while(|folder| !folder.exists()).collect();
        for folder in missing.into_iter().rev().filter(|folder| !folder.as_os_str().is_empty()) {
            self.make_folder(folder)?;
        }
        match self.shelves.state().map_err(PublishError::Damaged)? {
            State::Foreign => Err(PublishError::Foreign { path: root.clone() }),
            State::Empty | State::Marked => Ok(()),
        }
    }

    /// Makes what belongs into every registry.
    fn lay_out(&self) -> Result<(), PublishError> {
        for folder in [self.shelves.temporary(), self.shelves.releases(), self.shelves.channels()] {
            done(&folder, self.disk.make_folder(&folder))?;
        }
        let marker = self.shelves.marker();
        if !marker.exists() {
            let temporary = self.temporary_path();
            done(&temporary, self.disk.write_file(&temporary, MARKER.as_bytes()))?;
            done(&marker, self.disk.rename(&temporary, &marker))?;
        }
        done(&self.shelves.root, self.disk.sync_folder(&self.shelves.root))
    }

    /// A folder that is there, also after a loss of power. Whoever made it may have died before it was.
    fn make_folder(&self, path: &Path) -> Result<(), PublishError> {
        done(path, self.disk.make_folder(path))?;
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        done(parent, self.disk.sync_folder(parent))
    }

    fn lock(&self) -> Result<Held, PublishError> {
        let path = self.shelves.lock();
        let until = Instant::now() + self.lock_wait;
        loop {
            let held = self.disk.try_lock(&path);
            match held.map_err(|source| PublishError::Disk { path: path.clone(), source })? {
                Some(held) => return Ok(held),
                None if Instant::now() < until => std::thread::sleep(LOCK_PAUSE),
                None => {
                    let owner = bytes_in(&path, OWNER_BYTES_MAX).ok();
                    let owner = owner.and_then(|bytes| String::from_utf8(bytes).ok()?.trim().parse().ok());
                    return Err(PublishError::InUse { root: self.shelves.root.clone(), lock: path, owner });
                }
            }
        }
    }

    /// Removes what dead publishers left. Where locks do not work one of them may be alive: renaming takes its work
    /// away as a whole, so that it fails and publishes nothing, while removing could take half of a release.
    fn clean_up(&self) -> Result<(), PublishError> {
        let folder = self.shelves.temporary();
        for name in names_in(&folder).map_err(PublishError::Damaged)? {
            let (path, taken) = (folder.join(name), self.temporary_path());
            match self.disk.rename(&path, &taken) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                renamed => {
                    done(&path, renamed)?;
                    done(&taken, self.disk.remove(&taken))?;
                }
            }
        }
        Ok(())
    }

    fn tip(&self, entry: &Entry) -> Result<Tip, PublishError> {
        let name = Shelves::named_by(entry).map_err(PublishError::Damaged)?;
        let release = self.shelves.open(&name, &[]).map_err(first_of)?;
        if release.record.number != entry.number {
            return Err(PublishError::Damaged(Damage::OtherLine { path: entry.path.clone() }));
        }
        Ok(Tip { name, release })
    }

    /// The release of the same version, if there is one. Versions rise along a row.
    fn published_before(
        &self,
        sound: &Sound<'_>,
        entries: &[Entry],
        tip: Option<&Tip>,
    ) -> Result<Option<Release>, PublishError> {
        let Some(tip) = tip.filter(|tip| parsed(&tip.release.record.version) >= sound.version) else {
            return Ok(None);
        };
        for entry in entries.iter().rev() {
            let record = self.shelves.record(entry).map_err(PublishError::Damaged)?;
            let version = parsed(&record.version);
            if version == sound.version {
                sound.same_as(&record)?;
                let release = self.shelves.open(&record.name(), sound.offer.trusted);
                return release.map(Some).map_err(first_of);
            }
            if version < sound.version {
                break;
            }
        }
        Err(PublishError::Older {
            line: Box::new(sound.line.clone()),
            current: tip.release.record.version.clone(),
            offered: sound.bundle.version.clone(),
        })
    }

    /// Puts a whole release into its place. Nobody sees it before something points to it.
    fn put_release(&self, name: &str, files: &[(&str, Vec<u8>)]) -> Result<PathBuf, PublishError> {
        let releases = self.shelves.releases();
        let place = self.shelves.release(name).unwrap_or_else(|| releases.clone());
        if place.exists() {
            // A publisher who died before the pointer left the very same release.
            self.shelves.open(name, &[]).map_err(first_of)?;
        } else {
            self.write_release(&place, files)?;
        }
        done(&releases, self.disk.sync_folder(&releases))?;
        Ok(place)
    }

    fn write_release(&self, place: &Path, files: &[(&str, Vec<u8>)]) -> Result<(), PublishError> {
        let temporary = self.temporary_path();
        done(&temporary, self.disk.make_folder(&temporary))?;
        for (file, bytes) in files {
            let path = temporary.join(file);
            done(&path, self.disk.write_file(&path, bytes))?;
        }
        done(&temporary, self.disk.sync_folder(&temporary))?;
        done(place, self.disk.rename(&temporary, place))
    }

    /// Adds the pointer: the one step that publishes.
    fn point_to(&self, name: &str, line: &Line, number: u64) -> Result<(), PublishError> {
        let channels = self.shelves.channels();
        for folder in line.folders() {
            self.make_folder(&channels.join(folder))?;
        }
        let temporary = self.temporary_path();
        done(&temporary, self.disk.write_file(&temporary, format!("{name}\n").as_bytes()))?;
        let place = Shelves::place(&self.shelves.line(line), number);
        match self.disk.link(&temporary, &place) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Err(PublishError::Overtaken { line: Box::new(line.clone()), number });
            }
            linked => done(&place, linked)?,
        }
        self.confirm(&self.shelves.line(line))?;
        // What is left there is removed by the next publisher.
        let _ = self.disk.remove(&temporary);
        Ok(())
    }

    /// A row that was written survives a loss of power.
    fn confirm(&self, folder: &Path) -> Result<(), PublishError> {
        let synced = self.disk.sync_folder(folder);
        synced.map_err(|source| PublishError::Unconfirmed { path: folder.to_owned(), source })
    }

    /// A name that nobody else has, dead or alive, here or on another machine.
    fn temporary_path(&self) -> PathBuf {
        // Every new state is seeded at random; process ids come again.
        let random = RandomState::new().build_hasher().finish();
        self.shelves.temporary().join(format!("{}-{random:016x}", std::process::id()))
    }
}

fn done(path: &Path, result: io::Result<()>) -> Result<(), PublishError> {
    result.map_err(|source| PublishError::Disk { path: path.to_owned(), source })
}

fn first_of(damages: Vec<Damage>) -> PublishError {
    let unknown = || Damage::Missing { path: PathBuf::new() };
    PublishError::Damaged(damages.into_iter().next().unwrap_or_else(unknown))
}
