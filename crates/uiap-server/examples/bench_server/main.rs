//! How many messages a server carries, how fast, and with how much memory: `cargo xtask bench server`, and for longer
//! `cargo xtask soak server`.
//!
//! Servers and clients are processes of their own on the same machine. The floor is a bare echo with the same library
//! for `WebSockets`, which gets the same frames in the same rhythm.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark reports")]

mod application;
mod client;
mod crowd;
mod frames;
mod servers;
mod soak;

use anyhow::ensure;
use clap::Parser;
use client::Client;
use crowd::{Crowd, Figures};
use mimalloc::MiMalloc;
use servers::{Role, Server};
use std::net::SocketAddr;
use std::time::Duration;

/// As the command has it; the bare echo has it, too.
#[global_allocator]
static MEMORY: MiMalloc = MiMalloc;

/// Sessions that are open.
const SESSIONS: usize = 500;
/// Requests a second, of all sessions together. Each has an answer, so that twice as many messages travel.
const RATE: u64 = 10_000;
/// So many of the sessions follow the page.
const FOLLOWERS: usize = 50;
/// So many further clients do not read, or hardly.
const HINDERERS: usize = 40;
/// Most memory of an idle session, in kB.
const IDLE_KB_MAX: f64 = 100.0;
/// Longest way of 99 of 100 requests to the session and back, in milliseconds.
const P99_MS_MAX: f64 = 5.0;
/// Clients that do not read may slow the others down by so much, against as many that read.
const HINDRANCE_MAX: f64 = 1.25;
/// From here on the bare echo shows that the machine is busy with something else.
const NOISE_P99_MS: f64 = 2.5;
/// Least share of the wanted rate that counts as that rate.
const RATE_SHARE_MIN: f64 = 0.995;
/// Time for a server to come to rest.
const REST: Duration = Duration::from_millis(500);

#[derive(Parser)]
struct Args {
    /// Be this server, until standard input ends
    #[arg(long, value_name = "SERVER")]
    serve: Option<Role>,
    /// How long each part takes, in seconds
    #[arg(long, default_value_t = 30)]
    seconds: u64,
    /// Go on for so many seconds instead, and fail if memory grows
    #[arg(long, value_name = "SECONDS")]
    soak: Option<u64>,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    match (args.serve, args.soak) {
        (Some(role), _) => servers::serve(role),
        (None, Some(seconds)) => soak::run(seconds),
        (None, None) => bench(Duration::from_secs(args.seconds)),
    }
}

/// What a server did with the same load.
struct Run {
    figures: Figures,
    /// Processor time for one request, in microseconds.
    processor: f64,
}

fn measure(server: &Server, crowd: &mut Crowd, over: Duration) -> anyhow::Result<Run> {
    let before = server.processor_seconds()?;
    let figures = crowd.drive(RATE, over)?;
    #[expect(clippy::cast_precision_loss, reason = "a mean")]
    let processor = (server.processor_seconds()? - before) * 1e6 / figures.sent as f64;
    Ok(Run { figures, processor })
}

fn bench(over: Duration) -> anyhow::Result<()> {
    eprintln!("bare echo");
    let server = Server::start(Role::Echo)?;
    let clients = (0..SESSIONS).map(|_| Client::open(server.address)).collect::<Result<_, _>>()?;
    let floor = measure(&server, &mut Crowd::new(clients)?, over)?;
    drop(server);

    eprintln!("sessions");
    let server = Server::start(Role::Uiap)?;
    // The first one brings what every later one shares.
    drop(Client::begin(server.address)?);
    std::thread::sleep(REST);
    let empty = server.memory_kb()?;
    let mut clients = (0..SESSIONS).map(|_| Client::begin(server.address)).collect::<Result<Vec<_>, _>>()?;
    std::thread::sleep(REST);
    #[expect(clippy::cast_precision_loss, reason = "a few hundred")]
    let per_session = |memory: f64| (memory - empty) / SESSIONS as f64;
    let idle = per_session(server.memory_kb()?);
    for client in clients.iter_mut().take(FOLLOWERS) {
        client.follow()?;
    }
    let mut crowd = Crowd::new(clients)?;
    let ours = measure(&server, &mut crowd, over)?;
    let busy = per_session(server.memory_kb()?);

    eprintln!("sessions beside clients that read");
    crowd.accompany(followers(server.address)?)?;
    let company = measure(&server, &mut crowd, over)?;
    eprintln!("sessions beside clients that do not read");
    crowd.hinder(followers(server.address)?)?;
    let beside = measure(&server, &mut crowd, over)?;
    let runs = Runs { floor, ours, company, beside };
    runs.report();
    println!("\nmemory of a session: {idle:.1} kB idle, {busy:.1} kB after the load");
    runs.judge(idle)
}

/// Further clients, which follow the page.
fn followers(address: SocketAddr) -> anyhow::Result<Vec<Client>> {
    let mut clients = (0..HINDERERS).map(|_| Client::begin(address)).collect::<Result<Vec<_>, _>>()?;
    for client in &mut clients {
        client.follow()?;
    }
    Ok(clients)
}

/// What was measured.
struct Runs {
    floor: Run,
    ours: Run,
    /// Beside clients that read.
    company: Run,
    /// Beside as many that do not.
    beside: Run,
}

impl Runs {
    fn report(&self) {
        println!(
            "{SESSIONS} connections, latency in ms from when a request was due until its answer was read (open loop)\n"
        );
        println!(
            "{:<40} {:>8} {:>8} {:>7} {:>7} {:>7} {:>7} {:>9}",
            "", "req/s", "events", "p50", "p99", "p99.9", "max", "cpu us/req"
        );
        for (name, Run { figures, processor }) in [
            ("bare echo (floor)", &self.floor),
            ("uiap", &self.ours),
            ("uiap beside 40 more that read", &self.company),
            ("uiap beside 40 more that do not read", &self.beside),
        ] {
            println!(
                "{name:<40} {:>8.0} {:>8} {:>7.2} {:>7.2} {:>7.2} {:>7.2} {processor:>9.1}",
                figures.rate,
                figures.events,
                figures.percentile(50.0),
                figures.percentile(99.0),
                figures.percentile(99.9),
                figures.percentile(100.0),
            );
        }
    }

    fn judge(&self, idle: f64) -> anyhow::Result<()> {
        let Self { floor, ours, company, beside } = self;
        let (mut missed, mut open) = (0, 0);
        let p99 = |run: &Run| run.figures.percentile(99.0);
        let mut goal = |met: Option<bool>, sentence: String| {
            let word = match met {
                Some(true) => "met",
                Some(false) => "missed",
                None => "open",
            };
            println!("{word:<7} {sentence}");
            missed += usize::from(met == Some(false));
            open += usize::from(met.is_none());
        };
        println!();
        #[expect(clippy::cast_precision_loss, reason = "a rate")]
        let enough =
            |run: &Run| run.figures.is_complete() && run.figures.rate >= RATE_SHARE_MIN * RATE as f64;
        // Whoever is slow on a machine that is busy with something else need not be to blame.
        let excused = |met: bool| (met || p99(floor) <= NOISE_P99_MS).then_some(met);
        let Figures { sent, answered, rate, .. } = &ours.figures;
        goal(
            Some(enough(ours)),
            format!(
                "{answered} of {sent} requests were answered, {rate:.0} a second; wanted: all, {RATE} a second."
            ),
        );
        goal(
            Some(idle <= IDLE_KB_MAX),
            format!("An idle session takes {idle:.1} kB; wanted: at most {IDLE_KB_MAX} kB."),
        );
        goal(
            excused(p99(ours) <= P99_MS_MAX),
            format!(
                "99 of 100 requests are answered within {:.2} ms, {:.1}x the bare echo; wanted: at most {P99_MS_MAX} ms.",
                p99(ours),
                p99(ours) / p99(floor)
            ),
        );
        goal(
            Some(enough(beside)),
            format!(
                "Beside {HINDERERS} clients that do not read {} of {} were answered; wanted: all.",
                beside.figures.answered, beside.figures.sent
            ),
        );
        goal(
            excused(p99(beside) <= HINDRANCE_MAX * p99(company)),
            format!(
                "Beside them it is {:.2} ms, {:.2}x as beside as many that read; wanted: at most {HINDRANCE_MAX}x.",
                p99(beside),
                p99(beside) / p99(company)
            ),
        );
        ensure!(missed == 0, "{missed} goals were missed");
        ensure!(
            open == 0,
            "{open} goals are open: the bare echo alone needs {:.2} ms, so the machine is busy; try again when it is not",
            p99(floor)
        );
        Ok(())
    }
}
