//! The browser process: started with a debugging pipe, owned with all its children, never left behind.
//!
//! Start at [`Process::start`]. The browser leads a process group of its own. A thread waits for its end, kills what
//! is left of the group, reaps it and removes the profile. If our own process is killed, the pipe closes and the
//! browser ends by itself.

use super::profile::{Profile, remove_stale};
use super::{LaunchError, LaunchOptions};
use command_fds::{CommandFdExt, FdMapping};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::io::{PipeReader, PipeWriter, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

/// How much of the browser's complaints is kept.
const COMPLAINTS_BYTES_MAX: usize = 4 * 1024;
/// How long the last of them are waited for when it has ended: a child that left its group may keep the output open.
const LAST_WORDS_WAIT: Duration = Duration::from_secs(1);

/// Chromium reads its orders here.
const ORDERS_FD: i32 = 3;
/// Chromium writes its answers here.
const ANSWERS_FD: i32 = 4;

const FLAGS: &[&str] = &[
    "--remote-debugging-pipe",
    // Nothing of its own accord.
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--no-pings",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-quic",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    // Time passes in a page that nobody looks at.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-hang-monitor",
    "--disable-ipc-flooding-protection",
    "--disable-prompt-on-repost",
    "--disable-renderer-backgrounding",
    // A page from the back-forward cache or a prerendered one would be shown without a navigation. What forms a page has
    // is told to nobody.
    "--disable-features=AutofillServerCommunication,BackForwardCache,DialMediaRouteProvider,MediaRouter,OptimizationHints,Prerender2,Translate",
];

const FLAGS_HEADLESS: &[&str] = &[
    "--headless",
    "--disable-gpu",
    "--hide-scrollbars",
    "--no-startup-window",
    "--mute-audio",
    "--window-size=1280,800",
];

/// A running browser and our ends of its pipe.
#[derive(Debug)]
pub(crate) struct Started {
    pub(crate) process: Process,
    pub(crate) orders: PipeWriter,
    pub(crate) answers: PipeReader,
}

/// A running browser. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct Process {
    group: Arc<Group>,
    complaints: Arc<Mutex<VecDeque<u8>>>,
    profile: PathBuf,
    keeps_profile: bool,
}

/// The process group of a browser.
#[derive(Debug)]
struct Group {
    leader: Pid,
    stage: Mutex<Stage>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    Running,
    /// The number of the group may belong to somebody else from now on: no more signals.
    Reaped,
    /// Reaped, and the profile is gone too.
    Ended(Option<ExitStatus>),
}

impl Process {
    /// Starts a browser.
    pub(crate) fn start(program: &Path, options: &LaunchOptions) -> Result<Started, LaunchError> {
        // Not waited for: it costs the start nothing, and the next one finishes what this one does not.
        drop(std::thread::Builder::new().name("uiap-stale-profiles".to_owned()).spawn(remove_stale));
        let profile = match &options.user_data {
            Some(folder) => Profile::kept(folder.clone()),
            None => Profile::temporary(),
        }
        .map_err(LaunchError::Profile)?;
        let (orders_end, orders) = std::io::pipe().map_err(LaunchError::Pipe)?;
        let (answers, answers_end) = std::io::pipe().map_err(LaunchError::Pipe)?;
        let mut command = Command::new(program);
        let mappings = vec![
            FdMapping { parent_fd: orders_end.into(), child_fd: ORDERS_FD },
            FdMapping { parent_fd: answers_end.into(), child_fd: ANSWERS_FD },
        ];
        command.fd_mappings(mappings).map_err(|_| LaunchError::Descriptors)?;
        command
            .args(arguments(profile.path(), options))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(0);
        let child =
            command.spawn().map_err(|source| LaunchError::Spawn { program: program.to_owned(), source })?;
        // INVARIANT: our copies of the browser's pipe ends close here, or its death would not close the pipe.
        drop(command);
        Ok(Started { process: Self::own(child, profile)?, orders, answers })
    }

    fn own(mut child: Child, profile: Profile) -> Result<Self, LaunchError> {
        let group = Arc::new(Group {
            leader: Pid::from_child(&child),
            stage: Mutex::new(Stage::Running),
            changed: Condvar::new(),
        });
        let complaints = Arc::new(Mutex::new(VecDeque::new()));
        let (path, keeps_profile) = (profile.path().to_owned(), profile.is_kept());
        // Nothing is ever sent: it closes when everything was heard.
        let (hearing, heard) = mpsc::channel();
        if let Some(stderr) = child.stderr.take() {
            let kept = Arc::clone(&complaints);
            let listener = std::thread::Builder::new().name("uiap-browser-stderr".to_owned());
            // Without a listener the pipe closes, and the browser complains to nobody.
            drop(listener.spawn(move || {
                listen(stderr, &kept);
                drop(hearing);
            }));
        }
        let reaped = Arc::clone(&group);
        let reaper = std::thread::Builder::new().name("uiap-browser-reaper".to_owned());
        let remaining = Remaining::count();
        let spawned = reaper.spawn(move || {
            reaped.reap(child, profile, &heard);
            drop(remaining);
        });
        if let Err(error) = spawned {
            group.kill();
            return Err(LaunchError::Thread(error));
        }
        Ok(Self { group, complaints, profile: path, keeps_profile })
    }

    /// The number of the browser's main process.
    pub(crate) fn id(&self) -> u32 {
        self.group.leader.as_raw_nonzero().get().unsigned_abs()
    }

    /// Where its profile is.
    pub(crate) fn profile(&self) -> &Path {
        &self.profile
    }

    /// Its profile stays when it ends.
    pub(crate) fn keeps_profile(&self) -> bool {
        self.keeps_profile
    }

    /// Ends it with all its children, without waiting.
    pub(crate) fn kill(&self) {
        self.group.kill();
    }

    /// The last words of the browser on its error output.
    pub(crate) fn complaints(&self) -> String {
        let kept = lock(&self.complaints);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }

    /// Waits for the end; `true` if it came in time.
    pub(crate) fn wait(&self, wait: Duration) -> bool {
        self.group.wait(wait)
    }

    /// Something that can wait for the end elsewhere.
    pub(crate) fn ending(&self) -> Ending {
        Ending(Arc::clone(&self.group))
    }

    /// How it ended, if it did.
    pub(crate) fn status(&self) -> Option<ExitStatus> {
        self.group.status()
    }
}

/// The end of a browser, for whoever waits for it.
pub(crate) struct Ending(Arc<Group>);

impl Ending {
    /// How it ended, if it does so in time.
    pub(crate) fn wait(&self, wait: Duration) -> Option<ExitStatus> {
        self.0.wait(wait);
        self.0.status()
    }
}

impl Drop for Process {
    /// Does not wait: whoever drops a browser may be a task that others wait for. The reaper does the rest.
    fn drop(&mut self) {
        self.group.kill();
    }
}

/// Browsers that are not reaped yet, or whose profile is not removed yet.
static REMAINING: (Mutex<usize>, Condvar) = (Mutex::new(0), Condvar::new());

/// Waits until every browser that was ended is gone with its profile; `false` if that takes longer. For the end of a
/// program: what it leaves behind otherwise is removed only by the next start. Browsers that run are waited for too.
pub fn farewell(wait: Duration) -> bool {
    let (remaining, changed) = &REMAINING;
    let waited = changed.wait_timeout_while(lock(remaining), wait, |remaining| *remaining > 0);
    let (remaining, _) = waited.unwrap_or_else(PoisonError::into_inner);
    *remaining == 0
}

/// Counted among the remaining as long as it lives.
struct Remaining;

impl Remaining {
    fn count() -> Self {
        *lock(&REMAINING.0) += 1;
        Self
    }
}

impl Drop for Remaining {
    fn drop(&mut self) {
        *lock(&REMAINING.0) -= 1;
        REMAINING.1.notify_all();
    }
}

impl Group {
    fn status(&self) -> Option<ExitStatus> {
        match *lock(&self.stage) {
            Stage::Ended(status) => status,
            Stage::Running | Stage::Reaped => None,
        }
    }

    fn kill(&self) {
        let stage = lock(&self.stage);
        if matches!(*stage, Stage::Running) {
            // It fails only if the group has no member left, and then there is nothing to kill.
            let _ = kill_process_group(self.leader, Signal::KILL);
        }
    }

    fn wait(&self, wait: Duration) -> bool {
        let running = |stage: &mut Stage| !matches!(stage, Stage::Ended(_));
        let waited = self.changed.wait_timeout_while(lock(&self.stage), wait, running);
        let (stage, _) = waited.unwrap_or_else(PoisonError::into_inner);
        matches!(*stage, Stage::Ended(_))
    }

    /// Waits for the end of the leader and takes everything else of the group with it. Who hears of the end can read the
    /// last words.
    fn reap(&self, mut child: Child, profile: Profile, heard: &mpsc::Receiver<Infallible>) {
        // The leader stays a zombie until the group is killed, so that its number cannot be given away before.
        let peek = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(waitid(WaitId::Pid(self.leader), peek), Err(rustix::io::Errno::INTR)) {}
        self.kill();
        let status = {
            let mut stage = lock(&self.stage);
            let status = child.wait().ok();
            *stage = Stage::Reaped;
            status
        };
        drop(profile);
        let Err(_closed_or_late) = heard.recv_timeout(LAST_WORDS_WAIT);
        *lock(&self.stage) = Stage::Ended(status);
        self.changed.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps the end of what the browser complains about, until it ends.
fn listen(mut stderr: ChildStderr, kept: &Mutex<VecDeque<u8>>) {
    let mut chunk = [0; 1024];
    while let Ok(count @ 1..) = stderr.read(&mut chunk) {
        let mut kept = lock(kept);
        kept.extend(chunk.iter().take(count));
        let surplus = kept.len().saturating_sub(COMPLAINTS_BYTES_MAX);
        kept.drain(..surplus);
    }
}

fn arguments(profile: &Path, options: &LaunchOptions) -> Vec<std::ffi::OsString> {
    let mut arguments: Vec<std::ffi::OsString> = FLAGS.iter().map(Into::into).collect();
    if !options.headed {
        arguments.extend(FLAGS_HEADLESS.iter().map(Into::into));
    }
    if options.web_mcp {
        arguments.push("--enable-features=WebMCP".into());
    }
    if !options.sandbox.is_on() {
        arguments.push("--no-sandbox".into());
    }
    if !roomy_shared_memory() {
        arguments.push("--disable-dev-shm-usage".into());
    }
    let mut folder = std::ffi::OsString::from("--user-data-dir=");
    folder.push(profile);
    arguments.push(folder);
    arguments.extend(options.flags.iter().map(Into::into));
    arguments
}

/// Containers often have 64 MB of shared memory, too little for a large page.
fn roomy_shared_memory() -> bool {
    const SHARED_MEMORY_BYTES_MIN: u64 = 512 * 1024 * 1024;
    rustix::fs::statvfs("/dev/shm")
        .is_ok_and(|facts| facts.f_blocks * facts.f_frsize >= SHARED_MEMORY_BYTES_MIN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sandbox;

    #[test]
    fn the_sandbox_stays_on_unless_it_cannot_work() {
        let line = |sandbox| {
            let options = LaunchOptions { sandbox, ..LaunchOptions::default() };
            arguments(Path::new("/p"), &options).contains(&"--no-sandbox".into())
        };
        assert!(line(Sandbox::Off));
        assert_eq!(line(Sandbox::Auto), rustix::process::geteuid().is_root());
    }
}
