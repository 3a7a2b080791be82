//! The same load for minutes, while clients come and go: memory must not grow, and nobody waits longer.

use crate::client::{Client, Wish};
use crate::crowd::Crowd;
use crate::servers::{Role, Server};
use crate::{HINDERERS, P99_MS_MAX, RATE};
use anyhow::ensure;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Fewer sessions than in the benchmark, each the busier, so that everything that is kept is soon full.
const SESSIONS: usize = 100;
/// What is kept is full after this: interrupted sessions wait for a minute, 1,024 ended ones are remembered, and the
/// allocator has seen several generations of clients that do not read.
const WARM_UP: Duration = Duration::from_mins(3);
/// Memory is compared over windows of this length.
const WINDOW: Duration = Duration::from_secs(15);
/// How much more memory the last window may show than the first.
const GROWTH_MAX: f64 = 1.05;
/// Pause between two clients that come and go.
const COMING_EVERY: Duration = Duration::from_millis(100);
/// How many requests each of them sends.
const COMING_REQUESTS: u64 = 5;

pub(crate) fn run(seconds: u64) -> anyhow::Result<()> {
    let over = Duration::from_secs(seconds);
    ensure!(over >= WARM_UP + 2 * WINDOW, "it takes at least {} s", (WARM_UP + 2 * WINDOW).as_secs());
    let server = Server::start(Role::Uiap)?;
    let mut clients = (0..SESSIONS).map(|_| Client::begin(server.address)).collect::<Result<Vec<_>, _>>()?;
    for client in clients.iter_mut().take(SESSIONS / 10) {
        client.follow()?;
    }
    let mut crowd = Crowd::new(clients)?;
    let over_now = Arc::new(AtomicBool::new(false));
    let comers = std::thread::spawn({
        let (address, over_now) = (server.address, Arc::clone(&over_now));
        move || come_and_go(address, &over_now)
    });
    println!("{:>7} {:>10} {:>9} {:>9}", "seconds", "memory kB", "p99 ms", "req/s");
    let (mut memory, mut waits) = (Vec::new(), Vec::new());
    let mut at = Duration::ZERO;
    while at < over {
        let hinderers = (0..HINDERERS).map(|_| Client::begin(server.address)).collect::<Result<_, _>>()?;
        crowd.hinder(hinderers)?;
        let figures = crowd.drive(RATE, WINDOW)?;
        ensure!(figures.is_complete(), "{} of {} requests were answered", figures.answered, figures.sent);
        at += WINDOW;
        let (now, p99) = (server.memory_kb()?, figures.percentile(99.0));
        println!("{:>7} {now:>10.0} {p99:>9.2} {:>9.0}", at.as_secs(), figures.rate);
        if at > WARM_UP {
            memory.push(now);
            waits.push(p99);
        }
    }
    over_now.store(true, Ordering::SeqCst);
    let came = comers.join().unwrap_or(Ok(0))?;
    // The lowest of each half: what is given back later was never lost.
    let (early, late) = memory.split_at(memory.len() / 2);
    let lowest = |part: &[f64]| part.iter().copied().fold(f64::INFINITY, f64::min);
    let growth = lowest(late) / lowest(early);
    println!("{came} clients came and went; memory grew by {growth:.3}x after {} s", WARM_UP.as_secs());
    // The middle one: what else the machine does for a moment is not the server's doing.
    waits.sort_by(f64::total_cmp);
    let wait = waits.get(waits.len() / 2).copied().unwrap_or(f64::NAN);
    println!("In the middle of these windows 99 of 100 requests are answered within {wait:.2} ms");
    ensure!(growth <= GROWTH_MAX, "memory grew by {growth:.3}x; wanted: at most {GROWTH_MAX}x");
    ensure!(wait <= P99_MS_MAX, "that takes {wait:.2} ms; wanted: at most {P99_MS_MAX} ms");
    Ok(())
}

/// Clients that begin a session, ask a little and are gone without a word. Says how many there were.
fn come_and_go(address: SocketAddr, over: &AtomicBool) -> anyhow::Result<u64> {
    let mut came = 0;
    while !over.load(Ordering::SeqCst) {
        let mut client = Client::begin(address)?;
        for number in 0..COMING_REQUESTS {
            client.send(if number % 2 == 0 { Wish::Page } else { Wish::Ping }, number)?;
        }
        came += 1;
        std::thread::sleep(COMING_EVERY);
    }
    Ok(came)
}
