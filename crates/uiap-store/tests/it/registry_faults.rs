//! A publisher dies before any of its changes to the disk, within one, or loses what was not synced; or two work at
//! once, step by step. The registry is sound after each, the old or the new release is current, and the next one works.

#![expect(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail loudly")]

use crate::press::{
    Folder, Signer, assert_sound, bundle, current, digest_of, files_below, line, origins, publish,
    publish_parcel,
};
use std::cell::{Cell, RefCell};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;
use uiap_protocol::authoring::ReleaseChannel;
use uiap_protocol::wire::JsonObject;
use uiap_store::registry::{Disk, Held, Parcel, PublishError, Published, RealDisk, Registry};

/// Most changes that one publisher makes; far more than it does.
const STEPS_MAX: usize = 100;

/// Steps after which the turn changes; a few more than a publisher does.
const TURNS_MAX: usize = 22;

/// The file system without waiting for it: what a process leaves does not depend on that.
#[derive(Clone, Copy)]
struct Hasty;

impl Disk for Hasty {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        RealDisk.make_folder(path)
    }
    fn write_file(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        assert!(!path.exists(), "{} is written twice", path.display());
        std::fs::write(path, bytes)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        RealDisk.rename(from, to)
    }
    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        RealDisk.link(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        RealDisk.remove(path)
    }
    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
    fn try_lock(&self, path: &Path) -> io::Result<Option<Held>> {
        RealDisk.try_lock(path)
    }
}

/// How a publisher ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// It is killed between two changes.
    Killed,
    /// It is killed within a change: a file has half of its bytes.
    Torn,
    /// The machine loses its power: what was not synced is gone.
    PowerLost,
    /// The machine loses its power within a change: a file has its name and no bytes.
    PowerLostTorn,
}

const ENDS: [End; 4] = [End::Killed, End::Torn, End::PowerLost, End::PowerLostTorn];

/// A name that a loss of power takes away again.
#[derive(Debug)]
enum Unsynced {
    Made { folder: PathBuf, path: PathBuf },
    Renamed { from: PathBuf, to: PathBuf },
    Removed { folder: PathBuf, path: PathBuf, kept: PathBuf },
}

/// Does the first changes, then ends and does nothing more.
struct Dying {
    steps_left: Cell<usize>,
    end: End,
    unsynced: RefCell<Vec<Unsynced>>,
    /// Where removed things wait for a loss of power that brings them back.
    attic: PathBuf,
    is_dead: Cell<bool>,
}

impl Dying {
    fn new(steps: usize, end: End, attic: &Path) -> Self {
        std::fs::create_dir_all(attic).expect("a folder");
        Self {
            steps_left: Cell::new(steps),
            end,
            unsynced: RefCell::default(),
            attic: attic.to_owned(),
            is_dead: Cell::new(false),
        }
    }

    fn note(&self, unsynced: Unsynced) {
        self.unsynced.borrow_mut().push(unsynced);
    }

    /// What stands in a folder goes where the folder goes, and is as unsynced as it was.
    fn move_along(&self, from: &Path, to: &Path) {
        for unsynced in self.unsynced.borrow_mut().iter_mut() {
            let Unsynced::Made { folder, path } = unsynced else { continue };
            if let Ok(below) = folder.strip_prefix(from) {
                *path = to.join(below).join(path.file_name().expect("a name"));
                *folder = to.join(below);
            }
        }
    }

    /// One change; `torn` is the half of it that a publisher does which dies within.
    fn step(
        &self,
        torn: impl FnOnce() -> io::Result<()>,
        whole: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        if self.is_dead.get() {
            return Err(io::Error::other("dead"));
        }
        match self.steps_left.get().checked_sub(1) {
            Some(left) => {
                self.steps_left.set(left);
                whole()
            }
            None => {
                if matches!(self.end, End::Torn | End::PowerLostTorn) {
                    torn()?;
                }
                self.die();
                Err(io::Error::other("dead"))
            }
        }
    }

    fn die(&self) {
        self.is_dead.set(true);
        if matches!(self.end, End::Killed | End::Torn) {
            return;
        }
        for lost in self.unsynced.borrow_mut().drain(..).rev() {
            match lost {
                // It was renamed, and that name was synced.
                Unsynced::Made { path, .. } if !path.exists() => {}
                Unsynced::Made { path, .. } if path.is_dir() => {
                    std::fs::remove_dir_all(&path).expect("removed");
                }
                Unsynced::Made { path, .. } => std::fs::remove_file(&path).expect("removed"),
                Unsynced::Renamed { from, to } => std::fs::rename(&to, &from).expect("renamed"),
                Unsynced::Removed { path, kept, .. } => std::fs::rename(&kept, &path).expect("renamed"),
            }
        }
    }
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().expect("a folder").to_owned()
}

impl Disk for Dying {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        let whole = || {
            if !path.exists() {
                self.note(Unsynced::Made { folder: folder_of(path), path: path.to_owned() });
            }
            Hasty.make_folder(path)
        };
        self.step(|| Ok(()), whole)
    }

    fn write_file(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let torn = || {
            // The name may survive a loss of power, but not the bytes.
            let kept = if self.end == End::Torn { bytes.len() / 2 } else { 0 };
            Hasty.write_file(path, bytes.get(..kept).expect("a half"))
        };
        let whole = || {
            self.note(Unsynced::Made { folder: folder_of(path), path: path.to_owned() });
            Hasty.write_file(path, bytes)
        };
        self.step(torn, whole)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let whole = || {
            Hasty.rename(from, to)?;
            self.move_along(from, to);
            self.note(Unsynced::Renamed { from: from.to_owned(), to: to.to_owned() });
            Ok(())
        };
        self.step(|| Ok(()), whole)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        let whole = || {
            Hasty.link(from, to)?;
            self.note(Unsynced::Made { folder: folder_of(to), path: to.to_owned() });
            Ok(())
        };
        self.step(|| Ok(()), whole)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let whole = || {
            let kept = self.attic.join(format!("{}", self.steps_left.get()));
            std::fs::rename(path, &kept)?;
            self.note(Unsynced::Removed { folder: folder_of(path), path: path.to_owned(), kept });
            Ok(())
        };
        self.step(|| Ok(()), whole)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        let synced = |unsynced: &Unsynced| match unsynced {
            Unsynced::Made { folder, .. } | Unsynced::Removed { folder, .. } => folder == path,
            Unsynced::Renamed { to, .. } => folder_of(to) == path,
        };
        let whole = || {
            self.unsynced.borrow_mut().retain(|unsynced| !synced(unsynced));
            Ok(())
        };
        self.step(|| Ok(()), whole)
    }

    fn try_lock(&self, path: &Path) -> io::Result<Option<Held>> {
        Hasty.try_lock(path)
    }
}

/// What is published in these tests: a bundle with everything that belongs to it.
struct Goods {
    bundle: JsonObject,
    origins: Vec<u8>,
    signature: String,
}

impl Goods {
    fn new(signer: &Signer, version: &str) -> Self {
        let bundle = bundle("shop.uiap", version, "prod", version);
        let origins = origins(&bundle);
        let signature = signer.sign(&bundle, Some(&origins));
        Self { bundle, origins, signature }
    }

    fn parcel(&self) -> Parcel<'_> {
        Parcel { bundle: &self.bundle, origins: Some(&self.origins), signature: Some(&self.signature) }
    }
}

/// Lets a publisher die at a step; whether it came to an end before.
fn survives(
    signer: &Signer,
    folder: &Folder,
    old: Option<&Goods>,
    new: &Goods,
    steps: usize,
    end: End,
) -> bool {
    let root = folder.registry();
    let when = format!("{end:?} at {steps}");
    let shop = line("shop.uiap", ReleaseChannel::Prod);
    let trusted = std::slice::from_ref(&signer.trusted);
    let registry = Registry::on(Hasty, &root);
    if let Some(old) = old {
        publish_parcel(&registry, old.parcel(), trusted).expect("published");
    }
    let dying = Registry::on(Dying::new(steps, end, &folder.0.join("attic")), &root);
    let ended = publish_parcel(&dying, new.parcel(), trusted);
    let before = old.map(|old| digest_of(&old.bundle).to_owned());
    let after = Some(digest_of(&new.bundle).to_owned());
    if root.exists() {
        assert_sound(&registry, trusted, &when);
        let found = current(&registry, &shop);
        assert!(found == before || found == after, "{when}: {found:?}");
        match &ended {
            Ok(_) => assert_eq!(found, after, "{when}"),
            Err(error) => match **error {
                // Whoever is told so must find it there, unless the power went with the telling.
                PublishError::Unconfirmed { .. } if matches!(end, End::Killed | End::Torn) => {
                    assert_eq!(found, after, "{when}");
                }
                PublishError::Unconfirmed { .. } => {}
                PublishError::Disk { .. } => assert_eq!(found, before, "{when}"),
                ref other => panic!("{when}: {other}"),
            },
        }
    }
    let again = publish_parcel(&registry, new.parcel(), trusted).expect("the next publisher");
    assert_eq!(Some(&again.release().record.digest), after.as_ref(), "{when}");
    assert_sound(&registry, trusted, &when);
    assert_eq!(current(&registry, &shop), after, "{when}");
    let report = registry.verify(trusted);
    assert!(report.leftovers.iter().all(|path| !path.starts_with(root.join("tmp"))), "{when}: {report:?}");
    assert_eq!(report.releases.len(), 1 + usize::from(old.is_some()), "{when}");
    ended.is_ok()
}

#[test]
fn a_publisher_may_die_at_any_step() {
    let signer = Signer::new();
    let (old, new) = (Goods::new(&signer, "0.1.0"), Goods::new(&signer, "0.2.0"));
    for (old, fewest) in [(None, 20), (Some(&old), 12)] {
        for end in ENDS {
            let dies = |steps: &usize| !survives(&signer, &Folder::new("die"), old, &new, *steps, end);
            let steps = (0..STEPS_MAX).take_while(dies).count();
            assert!((fewest..STEPS_MAX).contains(&steps), "{end:?}: {steps} steps");
        }
    }
}

/// Whose turn it is: the first does some steps, then the second some, then the first goes on to its end, and then the
/// second. Nobody does anything out of turn, so every run is the same.
struct Turns {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    turn: usize,
    /// Steps until the turn changes.
    pauses: [usize; 2],
    ended: [bool; 2],
}

/// A disk without locks on which two take turns.
struct TakingTurns {
    turns: Arc<Turns>,
    who: usize,
}

impl TakingTurns {
    fn wait(&self) {
        let mut state = self.turns.state.lock().expect("a state");
        let (pause, other) = (state.pauses[self.who], 1 - self.who);
        if pause == 0 && !state.ended[other] {
            state.turn = other;
            self.turns.changed.notify_all();
        }
        state.pauses[self.who] = pause.checked_sub(1).unwrap_or(usize::MAX);
        self.until_turn(state);
    }

    fn until_turn(&self, state: MutexGuard<'_, State>) {
        drop(self.turns.changed.wait_while(state, |state| state.turn != self.who).expect("a state"));
    }
}

impl Drop for TakingTurns {
    fn drop(&mut self) {
        if let Ok(mut state) = self.turns.state.lock() {
            state.ended[self.who] = true;
            state.turn = 1 - self.who;
            self.turns.changed.notify_all();
        }
    }
}

impl Disk for TakingTurns {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.wait();
        Hasty.make_folder(path)
    }
    fn write_file(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.wait();
        Hasty.write_file(path, bytes)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.wait();
        Hasty.rename(from, to)
    }
    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.wait();
        Hasty.link(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        // One by one, as the system does it.
        let within = if path.is_dir() { files_below(path) } else { Vec::new() };
        for file in within {
            self.wait();
            std::fs::remove_file(file)?;
        }
        self.wait();
        Hasty.remove(path)
    }
    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        self.wait();
        Ok(())
    }
    fn try_lock(&self, _: &Path) -> io::Result<Option<Held>> {
        Ok(Some(Box::new(())))
    }
}

/// Two publishers take turns; how each ended.
fn interleaved(
    root: &Path,
    bundles: [&JsonObject; 2],
    pauses: [usize; 2],
) -> [Result<Published, Box<PublishError>>; 2] {
    let state = State { turn: 0, pauses, ended: [false; 2] };
    let turns = Arc::new(Turns { state: Mutex::new(state), changed: Condvar::new() });
    let start = |who: usize, bundle: &JsonObject| {
        let (turns, root, bundle) = (Arc::clone(&turns), root.to_owned(), bundle.clone());
        std::thread::spawn(move || {
            let disk = TakingTurns { turns, who };
            disk.until_turn(disk.turns.state.lock().expect("a state"));
            publish(&Registry::on(disk, root), &bundle)
        })
    };
    let [first, second] = bundles;
    let threads = [start(0, first), start(1, second)];
    threads.map(|thread| thread.join().expect("no panic"))
}

#[test]
fn two_publishers_whom_no_lock_keeps_apart_never_lose_a_release() {
    let [old, first, second] =
        ["0.1.0", "0.2.0", "0.3.0"].map(|version| bundle("shop.uiap", version, "prod", version));
    let shop = line("shop.uiap", ReleaseChannel::Prod);
    let mut ends = [0_usize; 3];
    for pause in 0..TURNS_MAX {
        for second_pause in 0..TURNS_MAX {
            let folder = Folder::new("turns");
            let root = folder.registry();
            let registry = Registry::on(Hasty, &root);
            publish(&registry, &old).expect("published");
            let when = format!("{pause} {second_pause}");
            let results = interleaved(&root, [&first, &second], [pause, second_pause]);
            assert_sound(&registry, &[], &when);
            let published = results.iter().flatten().count();
            assert_eq!(registry.verify(&[]).releases.len(), 1 + published, "{when}");
            let digests: Vec<_> =
                results.iter().flatten().map(|done| done.release().record.digest.clone()).collect();
            let now = current(&registry, &shop).expect("a release");
            assert!(published == 0 || digests.contains(&now), "{when}");
            for error in results.iter().filter_map(|result| result.as_ref().err()) {
                use PublishError::{Disk, Older, Overtaken};
                assert!(matches!(**error, Overtaken { .. } | Older { .. } | Disk { .. }), "{when}: {error}");
            }
            if let Some(count) = ends.get_mut(published) {
                *count += 1;
            }
            publish(&registry, &bundle("shop.uiap", "0.4.0", "prod", "next")).expect("the next publisher");
            assert_sound(&registry, &[], &when);
        }
    }
    let [_, one, two] = ends;
    assert!(one > 0 && two > 0, "{ends:?}");
}

/// A disk on which somebody else tries to publish before every change.
struct Crowded<'a> {
    kept_out: &'a Cell<usize>,
    root: PathBuf,
    other: JsonObject,
}

impl Crowded<'_> {
    fn crowd(&self) {
        let other = Registry::on(Hasty, &self.root).waiting(Duration::ZERO);
        match publish(&other, &self.other).map_err(|error| *error) {
            Err(PublishError::InUse { owner, .. }) => {
                assert_eq!(owner, Some(std::process::id()));
                self.kept_out.set(self.kept_out.get() + 1);
            }
            Ok(_) => assert_eq!(self.kept_out.get(), 0, "let in while somebody publishes"),
            Err(other) => panic!("{other}"),
        }
    }
}

impl Disk for Crowded<'_> {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.crowd();
        Hasty.make_folder(path)
    }
    fn write_file(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.crowd();
        Hasty.write_file(path, bytes)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.crowd();
        Hasty.rename(from, to)
    }
    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.crowd();
        Hasty.link(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.crowd();
        Hasty.remove(path)
    }
    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        self.crowd();
        Ok(())
    }
    fn try_lock(&self, path: &Path) -> io::Result<Option<Held>> {
        Hasty.try_lock(path)
    }
}

#[test]
fn whoever_publishes_keeps_others_out() {
    let folder = Folder::new("crowd");
    let root = folder.registry();
    let other = bundle("other.uiap", "0.1.0", "dev", "other");
    let kept_out = Cell::new(0);
    let disk = Crowded { kept_out: &kept_out, root: root.clone(), other: other.clone() };
    let registry = Registry::on(disk, &root);
    publish(&registry, &bundle("shop.uiap", "0.1.0", "prod", "shop")).expect("published");
    assert!(kept_out.get() > 12, "{kept_out:?}");
    assert_sound(&registry, &[], "crowded");
    publish(&Registry::on(Hasty, &root), &other).expect("somebody else, afterwards");
}
