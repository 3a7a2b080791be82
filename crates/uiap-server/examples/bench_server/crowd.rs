//! Many clients that ask at fixed times, whatever the server does.
//!
//! Start at [`Crowd::drive`]. It is an open loop: request number `n` is due at `start + n / rate`, and its latency
//! counts from there, not from when it was sent. Whoever is held up by a slow answer therefore shows it in every
//! request that was due meanwhile.

use crate::client::{Client, Wish};
use crate::frames;
use anyhow::{Context as _, ensure};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;

/// Pause between two looks at what is due.
const PAUSE: Duration = Duration::from_micros(200);
/// Longest wait for the last answers.
const LAST_ANSWERS: Duration = Duration::from_secs(10);
/// Of a hundred requests of each client, so many ask for the page.
const PAGES_PERCENT: u64 = 4;
/// And so many are actions.
const ACTIONS_PERCENT: u64 = 1;
/// How often those beside the others ask for the page, per second.
const COMPANY_RATE: u64 = 20;
/// Numbers of requests whose answers are not looked at.
const UNHEARD: u64 = 500_000_000_000;

/// What came back.
#[derive(Debug, Default)]
struct Tally {
    first: u64,
    start: Option<Instant>,
    rate: u64,
    /// Microseconds from when each request was due until its answer was read.
    latencies: Vec<u32>,
    /// Messages that answer nothing.
    events: u64,
}

/// How it went.
#[derive(Clone, Debug)]
pub(crate) struct Figures {
    pub(crate) sent: u64,
    pub(crate) answered: u64,
    pub(crate) events: u64,
    /// Requests a second, from the first that was due to the last that was sent.
    pub(crate) rate: f64,
    sorted: Vec<u32>,
}

impl Figures {
    /// A percentile in milliseconds.
    pub(crate) fn percentile(&self, percent: f64) -> f64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            clippy::cast_sign_loss,
            reason = "a place in a list"
        )]
        let place = (self.sorted.len().saturating_sub(1) as f64 * percent / 100.0) as usize;
        self.sorted.get(place).map_or(f64::NAN, |micros| f64::from(*micros) / 1e3)
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.sent == self.answered
    }
}

/// Clients that ask for the page beside the others.
#[derive(Default)]
struct Company {
    clients: Vec<Client>,
    /// Every second one reads a little now and then; the others do not.
    sips: bool,
}

/// Many clients, and a thread that reads for all of them.
pub(crate) struct Crowd {
    clients: Vec<Client>,
    company: Company,
    tally: Arc<Mutex<Tally>>,
    next: u64,
}

impl Crowd {
    pub(crate) fn new(clients: Vec<Client>) -> anyhow::Result<Self> {
        let tally = Arc::new(Mutex::new(Tally::default()));
        let streams = clients.iter().map(Client::reader).collect::<Result<Vec<_>, _>>()?;
        let heard = Arc::clone(&tally);
        std::thread::spawn(move || read_all(streams, &heard));
        Ok(Self { clients, company: Company::default(), tally, next: 0 })
    }

    /// From now on these ask for the page again and again: half of them never read, the others hardly.
    pub(crate) fn hinder(&mut self, hinderers: Vec<Client>) -> anyhow::Result<()> {
        for client in &hinderers {
            client.reader()?;
        }
        self.company = Company { clients: hinderers, sips: true };
        Ok(())
    }

    /// From now on these ask for the page just as often, and read everything.
    pub(crate) fn accompany(&mut self, companions: Vec<Client>) -> anyhow::Result<()> {
        let streams = companions.iter().map(Client::reader).collect::<Result<Vec<_>, _>>()?;
        std::thread::spawn(move || read_all(streams, &Arc::default()));
        self.company = Company { clients: companions, sips: false };
        Ok(())
    }

    /// Asks so often for so long.
    pub(crate) fn drive(&mut self, rate: u64, over: Duration) -> anyhow::Result<Figures> {
        let total = rate * over.as_secs();
        let first = self.next;
        let start = Instant::now() + PAUSE;
        *locked(&self.tally) = Tally {
            first,
            start: Some(start),
            rate,
            latencies: Vec::with_capacity(usize::try_from(total)?),
            events: 0,
        };
        let mut asked = 0;
        while self.next - first < total {
            let now = Instant::now().saturating_duration_since(start);
            let due = due(now, rate).min(total);
            while self.next - first < due {
                self.ask()?;
            }
            let company_due = due_slowly(now, self.company.clients.len());
            while asked < company_due {
                self.company.ask(asked);
                asked += 1;
            }
            std::thread::sleep(PAUSE);
        }
        let took = start.elapsed();
        let patience = Instant::now() + LAST_ANSWERS;
        while answered(&locked(&self.tally)) < total && Instant::now() < patience {
            std::thread::sleep(PAUSE);
        }
        let mut tally = locked(&self.tally);
        let mut sorted = std::mem::take(&mut tally.latencies);
        sorted.sort_unstable();
        let answered = sorted.len() as u64;
        #[expect(clippy::cast_precision_loss, reason = "a rate")]
        let rate = total as f64 / took.as_secs_f64();
        Ok(Figures { sent: total, answered, events: tally.events, rate, sorted })
    }

    fn ask(&mut self) -> anyhow::Result<()> {
        let number = self.next;
        self.next += 1;
        let count = self.clients.len() as u64;
        ensure!(count > 0, "nobody asks");
        let (place, round) = (number % count, number / count);
        let wish = match (round + place) % 100 {
            turn if turn < ACTIONS_PERCENT => Wish::Action,
            turn if turn < ACTIONS_PERCENT + PAGES_PERCENT => Wish::Page,
            _ => Wish::Ping,
        };
        let client = self.clients.get_mut(usize::try_from(place)?).context("a client")?;
        client.send(wish, number)
    }
}

impl Drop for Company {
    fn drop(&mut self) {
        self.clients.iter().for_each(Client::hang_up);
    }
}

impl Company {
    fn ask(&mut self, turn: u64) {
        let count = self.clients.len();
        let place = usize::try_from(turn).unwrap_or_default().checked_rem(count).unwrap_or_default();
        if let Some(client) = self.clients.get_mut(place) {
            // Who is thrown out for it, or not read any more, hinders nobody.
            let _ = client.try_send(Wish::Page, UNHEARD + turn);
            if self.sips && place % 2 == 0 {
                client.sip();
            }
        }
    }
}

fn answered(tally: &Tally) -> u64 {
    tally.latencies.len() as u64
}

fn due(now: Duration, rate: u64) -> u64 {
    u64::try_from(now.as_micros()).unwrap_or(u64::MAX).saturating_mul(rate) / 1_000_000
}

fn due_slowly(now: Duration, company: usize) -> u64 {
    due(now, COMPANY_RATE * company as u64)
}

fn locked(tally: &Mutex<Tally>) -> MutexGuard<'_, Tally> {
    tally.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads everything that comes, until every connection has ended.
fn read_all(streams: Vec<TcpStream>, tally: &Arc<Mutex<Tally>>) {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() else { return };
    runtime.block_on(async {
        let mut readers = tokio::task::JoinSet::new();
        for stream in streams {
            if let Ok(stream) = tokio::net::TcpStream::from_std(stream) {
                readers.spawn(read(stream, Arc::clone(tally)));
            }
        }
        while readers.join_next().await.is_some() {}
    });
}

async fn read(mut stream: tokio::net::TcpStream, tally: Arc<Mutex<Tally>>) {
    let mut bytes = Vec::with_capacity(16 * 1024);
    while stream.read_buf(&mut bytes).await.is_ok_and(|length| length > 0) {
        let now = Instant::now();
        let mut begin = 0;
        while let Some((payload, end)) = bytes.get(begin..).and_then(frames::next) {
            let payload = bytes.get(begin..).and_then(|rest| rest.get(payload)).unwrap_or_default();
            hear(&mut locked(&tally), payload, now);
            begin += end;
        }
        bytes.drain(..begin);
    }
}

fn hear(tally: &mut Tally, payload: &[u8], now: Instant) {
    let Some(number) = frames::number_in(payload) else {
        tally.events += 1;
        return;
    };
    let Some(place) = number.checked_sub(tally.first) else { return };
    let Some(start) = tally.start else { return };
    let intended = start + Duration::from_micros(place.saturating_mul(1_000_000) / tally.rate.max(1));
    let latency = now.saturating_duration_since(intended);
    tally.latencies.push(u32::try_from(latency.as_micros()).unwrap_or(u32::MAX));
}
