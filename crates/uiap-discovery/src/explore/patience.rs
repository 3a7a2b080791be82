//! When a page is there, by what was seen and heard of it: pure, and the same on a slow machine as on a fast one.
//!
//! A page that still gets answers it did not have before is being built, however long that takes. One that only asks the
//! same again, or waits for something that never comes, is not.

use std::collections::HashSet;
use std::time::Duration;
use tokio::time::Instant;

/// How long what identifies a page must stay the same.
pub(super) const CALM: Duration = Duration::from_millis(120);
/// How long answers are waited for at a time; one that never comes must not hold up everything.
pub(super) const REST_WAIT: Duration = Duration::from_millis(1_500);
/// How much longer a page may take that gets answers all the while: heavy applications on slow machines are built for long.
const BUILDING_WAIT: Duration = Duration::from_secs(24);
/// Most addresses that are remembered for one page; a page that asks for more never rests.
const HEARD_MAX: usize = 2_000;

/// What is known of a page that is waited for.
#[derive(Debug)]
pub(super) struct Patience {
    /// When a page is taken as it is.
    until: Instant,
    /// Where answers came from, without what is only data.
    heard: HashSet<String>,
    /// When the last answer came from where none had come from before.
    built: Option<Instant>,
    /// What identifies what was shown last, and since when.
    shown: Option<(String, Instant)>,
}

impl Patience {
    pub(super) fn new(until: Instant) -> Self {
        Self { until, heard: HashSet::new(), built: None, shown: None }
    }

    /// An answer came from an address.
    pub(super) fn hear(&mut self, address: &str, now: Instant) {
        let place = address.split(['?', '#']).next().unwrap_or_default();
        if self.heard.len() < HEARD_MAX && self.heard.insert(place.to_owned()) {
            self.built = Some(now);
        }
    }

    /// Something is shown. Returns since when.
    pub(super) fn see(&mut self, fingerprint: &str, now: Instant) -> Instant {
        match &self.shown {
            Some((before, since)) if before == fingerprint => *since,
            _ => {
                self.shown = Some((fingerprint.to_owned(), now));
                now
            }
        }
    }

    /// When it is taken as it is, by what is known now.
    pub(super) fn end(&self, now: Instant) -> Instant {
        let is_being_built = self.built.is_some_and(|built| now.duration_since(built) < REST_WAIT);
        if is_being_built { self.until + BUILDING_WAIT } else { self.until }
    }

    /// What is shown stays: nothing changed for a moment, and nothing new came while answers were waited for in vain.
    pub(super) fn is_calm(&self, rested: bool, now: Instant) -> bool {
        let Some((_, since)) = &self.shown else { return false };
        let is_same = now.duration_since(*since) >= CALM;
        let is_built = self.built.is_none_or(|built| now.duration_since(built) >= REST_WAIT);
        is_same && (rested || is_built)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNTIL: u64 = 6_000;

    /// Whether a page is there, after these answers and looks, at the time of the last look.
    fn told(steps: &[(u64, &str)], rested: bool) -> &'static str {
        let start = Instant::now();
        let at = |millis: u64| start + Duration::from_millis(millis);
        let mut patience = Patience::new(at(UNTIL));
        let mut now = start;
        for (millis, what) in steps {
            now = at(*millis);
            match what.strip_prefix("answer ") {
                Some(address) => patience.hear(address, now),
                None => drop(patience.see(what, now)),
            }
        }
        match () {
            () if patience.is_calm(rested, now) => "there",
            () if now >= patience.end(now) => "as it is",
            () => "not yet",
        }
    }

    #[test]
    fn a_page_is_there_when_it_stays_the_same() {
        assert_eq!(told(&[(0, "menu"), (100, "menu")], true), "not yet");
        assert_eq!(told(&[(0, "menu"), (120, "menu")], true), "there");
        assert_eq!(told(&[(0, "menu"), (120, "list")], true), "not yet");
    }

    #[test]
    fn a_page_that_gets_answers_is_being_built_however_long_it_takes() {
        let building = [(0, "bar"), (5_000, "answer http://a/nodes?_=1"), (6_400, "bar")];
        assert_eq!(told(&building, false), "not yet");
        assert_eq!(told(&[building.as_slice(), &[(6_500, "bar")]].concat(), false), "there");
        let endless: Vec<_> =
            (0..16).map(|look| look * 2_000).zip(["bar", "list"].into_iter().cycle()).collect();
        assert_eq!(told(&endless, false), "as it is");
    }

    #[test]
    fn the_same_question_again_is_no_progress() {
        let polls = [
            (0, "list"),
            (10, "answer http://a/poll?n=1"),
            (1_900, "answer http://a/poll?n=2"),
            (2_000, "list"),
        ];
        assert_eq!(told(&polls, false), "there");
    }

    #[test]
    fn what_never_comes_to_an_end_is_taken_as_it_is() {
        let answers = ["answer http://a/1", "answer http://a/2", "answer http://a/3"].into_iter().cycle();
        let looks = ["one", "two"].into_iter().cycle();
        let times = (0..31).map(|look| look * 1_000);
        let steps = times.zip(answers.zip(looks)).flat_map(|(at, (answer, look))| [(at, answer), (at, look)]);
        let steps: Vec<_> = steps.collect();
        assert_eq!(told(&steps, false), "as it is");
    }
}
