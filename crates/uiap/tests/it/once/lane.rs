//! One browser, and the processes that act in it one after the other.

use crate::once::TEST;
use crate::once::actor::{ROLE, Task};
use crate::once::link::{Flow, Link};
use crate::once::server::{Page, Run, Server};
use crate::once::strike::{Blow, Dice, Moment, Strike};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, sleep, sleep_until};
use uiap_web::{Browser, LaunchOptions};

/// Nothing takes this long unless it is broken.
const WAIT: Duration = Duration::from_secs(90);
/// How long the first process of a lane is believed to take.
const USUAL: Duration = Duration::from_secs(2);
/// How long orders still get through a line that is deaf.
const DEAF: Duration = Duration::from_millis(40);
/// How often a file is looked at that nobody announces.
const POLL: Duration = Duration::from_millis(5);
/// Most processes of one round; only the first two are struck.
const PROCESSES_MAX: usize = 4;
/// A far time, for what has no time yet.
const NEVER: Duration = Duration::from_hours(24);

/// How one round went.
#[derive(Debug)]
pub(crate) struct Round {
    pub(crate) number: u64,
    pub(crate) page: Page,
    /// What broke, and in which phase.
    pub(crate) struck: Vec<(Blow, String)>,
    /// What the processes were told, in order: which question, and the answer.
    pub(crate) told: Vec<(String, Value)>,
    /// A process did not come to an end by itself.
    pub(crate) hung: bool,
    /// Everything that they said.
    pub(crate) said: Vec<String>,
}

/// A browser that is reached by its address.
pub(super) struct Target {
    browser: Browser,
    port: u16,
    path: String,
}

impl Target {
    pub(super) async fn start() -> Self {
        let flags = vec!["--remote-debugging-port=0".to_owned()];
        let browser = Browser::launch(&LaunchOptions { flags, ..LaunchOptions::default() }).await;
        let browser = browser.expect("a browser");
        let file = browser.profile().expect("its profile").join("DevToolsActivePort");
        let end = Instant::now() + WAIT;
        loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            let mut lines = text.lines();
            if let (Some(Ok(port)), Some(path)) = (lines.next().map(str::parse), lines.next()) {
                return Self { browser, port, path: path.to_owned() };
            }
            assert!(Instant::now() < end, "the browser does not say its port");
            sleep(POLL).await;
        }
    }

    /// Where it is reached.
    pub(super) fn address(&self) -> String {
        format!("ws://127.0.0.1:{}{}", self.port, self.path)
    }

    pub(super) async fn close(self) {
        self.browser.close().await;
    }

    fn kill(&self) {
        let process = self.browser.process_id().and_then(|id| i32::try_from(id).ok());
        if let Some(process) = process.and_then(rustix::process::Pid::from_raw) {
            // It may have ended by itself.
            let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
        }
    }
}

pub(crate) struct Lane<'c> {
    server: Server,
    folder: &'c Path,
    seed: u64,
    target: Option<Target>,
    /// How long a process takes that nothing happens to.
    usual: Duration,
}

impl<'c> Lane<'c> {
    pub(crate) fn new(server: Server, folder: &'c Path, seed: u64) -> Self {
        Self { server, folder, seed, target: None, usual: USUAL }
    }

    /// One action: asked for, struck, and asked for again until it has an answer, and once more.
    pub(crate) async fn round(&mut self, number: u64) -> Round {
        let mut dice = Dice::new(self.seed, number);
        let page = dice.one_of(&[Page::Script, Page::Form]);
        let lag = Duration::from_millis(dice.below(2) * dice.below(150));
        let address = self.server.page(number, page, lag);
        let journal = self.folder.join(format!("{number}.journal"));
        let mut strikes = vec![Strike::drawn(&mut dice)];
        if dice.below(4) == 0 {
            strikes.push(Strike::drawn(&mut dice));
        }
        let mut strikes = strikes.into_iter();
        let mut round =
            Round { number, page, struck: Vec::new(), told: Vec::new(), hung: false, said: Vec::new() };
        for _ in 0..PROCESSES_MAX {
            let strike = strikes.next();
            let answers = round.told.len();
            self.process(&address, &journal, strike, &mut round).await;
            if strike.is_none() && round.told.len() > answers {
                break;
            }
        }
        round
    }

    /// One process, from its start to its end.
    async fn process(&mut self, page: &str, journal: &Path, strike: Option<Strike>, round: &mut Round) {
        if self.target.as_ref().is_none_or(|target| target.browser.is_gone()) {
            self.target = Some(Target::start().await);
        }
        let Some(target) = &self.target else { return };
        let run = self.server.run(round.number);
        let link = Link::to(target.port).await;
        let task = Task {
            journal: journal.to_owned(),
            browser: format!("ws://127.0.0.1:{}{}", link.port, target.path),
            page: page.to_owned(),
            key: format!("key-{}", round.number),
        };
        let began = Instant::now();
        let mut process = Process::start(&task);
        process.watch(target, &link, &run, strike, self.usual, round).await;
        if strike.is_none() {
            self.usual = began.elapsed();
        }
    }
}

/// A process that acts. Dropping it kills it.
struct Process {
    child: Child,
    lines: UnboundedReceiver<String>,
}

impl Process {
    fn start(task: &Task) -> Self {
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", TEST, "--nocapture"])
            .env(ROLE, serde_json::to_string(task).expect("a task"))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a process");
        let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let (send, lines) = unbounded_channel();
        std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Self { child, lines }
    }

    /// Listens to it until it ends, and strikes when it is time.
    async fn watch(
        &mut self,
        target: &Target,
        link: &Link,
        run: &Run,
        strike: Option<Strike>,
        usual: Duration,
        round: &mut Round,
    ) {
        let began = Instant::now();
        let mut phase = "started".to_owned();
        let mut waiting = strike;
        let mut strike_at = began + NEVER;
        let mut cut_at = began + NEVER;
        if let Some(Strike { moment: Moment::Share(share), .. }) = strike {
            strike_at = began + usual.mul_f64(share);
        }
        loop {
            tokio::select! {
                line = self.lines.recv() => {
                    let Some(line) = line else { return };
                    if let Some(told) = line.strip_prefix("ended ") {
                        // A killed process may leave half a line.
                        round.told.extend(serde_json::from_str::<(String, Value)>(told));
                    }
                    if let Some(at) = line.strip_prefix("at ") {
                        at.clone_into(&mut phase);
                    }
                    round.said.push(line);
                }
                () = run.counted.notified() => {
                    "counted".clone_into(&mut phase);
                    round.said.push("the server counts".to_owned());
                }
                () = sleep_until(strike_at) => {
                    strike_at = began + NEVER;
                    if let Some(Strike { blow, .. }) = waiting.take() {
                        round.said.push(format!("{} after {phase}", blow.words()));
                        round.struck.push((blow, phase.clone()));
                        match blow {
                            Blow::KillActor => self.kill(),
                            Blow::CutLink => link.set(Flow::Cut),
                            Blow::DeafenLink => {
                                link.set(Flow::Deaf);
                                cut_at = Instant::now() + DEAF;
                            }
                            Blow::KillBrowser => target.kill(),
                        }
                    }
                }
                () = sleep_until(cut_at) => {
                    cut_at = began + NEVER;
                    link.set(Flow::Cut);
                }
                () = sleep_until(began + WAIT) => {
                    round.hung = true;
                    return;
                }
            }
            if let Some(Strike { moment: Moment::Phase(wanted), lag, .. }) = waiting
                && phase == wanted
            {
                strike_at = strike_at.min(Instant::now() + lag);
            }
        }
    }

    fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}
