//! What happened in a run, line by line, so that another process can go on with it.
//!
//! An atlas is a function of what was observed, in order. So the logbook holds the observations, each before anything
//! follows from it, and [`replay`] makes the same atlas of them again.

use super::ports::Archive;
use crate::atlas::{Atlas, Errand, Outcome, Passage, Seen, Via};
use serde_json::{Value, json};
use uiap_protocol::capability::{ActionDescriptor, SuccessSignal, TargetRef};
use uiap_protocol::discovery::DiscoverySeed;
use uiap_protocol::text::{Format, Limits, Node, read};
use uiap_protocol::web::PageGraph;
use uiap_protocol::wire::{Wire, accept};

/// Why a run cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The logbook or something that it names cannot be read.
    #[error("\"{name}\" cannot be read")]
    Unreadable {
        /// What.
        name: String,
        /// Why.
        source: std::io::Error,
    },
    /// A line makes no sense.
    #[error("line {line} of the logbook makes no sense: {reason}")]
    Senseless {
        /// Which.
        line: usize,
        /// Why.
        reason: String,
    },
}

/// Where an errand or a seed led.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Landing {
    /// To a state that nobody had seen, whose page is kept under this name.
    New {
        /// The name.
        graph: String,
        /// What the application offers there.
        offered: Vec<ActionDescriptor>,
    },
    /// To a state that was seen before.
    Known(usize),
    /// To a state that there is no budget for.
    Beyond,
    /// To nothing that could be made out.
    Nowhere,
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Line {
    /// There is a seed.
    Sown(DiscoverySeed),
    /// A seed led somewhere.
    Grew { seed: usize, landing: Landing },
    /// A seed led nowhere.
    Barren { seed: usize, trouble: String },
    /// An errand was begun.
    Took(Errand),
    /// It ended.
    Made { errand: Errand, outcome: Outcome, landing: Landing },
    /// Its state could not be reached again.
    Missed(Errand),
    /// Opening the address of a state showed it, or did not.
    Led { state: usize, there: bool },
    /// A list that it scrolled goes on.
    GoesOn(Errand),
    /// A request was held back though nothing had been done.
    Held(Passage),
}

impl Line {
    pub(super) fn write(&self) -> String {
        let value = match self {
            Self::Sown(seed) => json!({ "sown": seed }),
            Self::Grew { seed, landing } => json!({ "grew": seed, "landing": landing.to_json() }),
            Self::Barren { seed, trouble } => json!({ "barren": seed, "trouble": trouble }),
            Self::Took(errand) => json!({ "took": pair(*errand) }),
            Self::Made { errand, outcome, landing } => {
                json!({ "made": pair(*errand), "outcome": outcome_json(outcome), "landing": landing.to_json() })
            }
            Self::Missed(errand) => json!({ "missed": pair(*errand) }),
            Self::Led { state, there } => json!({ "led": state, "there": there }),
            Self::GoesOn(errand) => json!({ "goesOn": pair(*errand) }),
            Self::Held(passage) => json!({ "unasked": passage_json(passage) }),
        };
        value.to_string()
    }

    /// A line; nothing if it is one that only people read.
    fn read(text: &str) -> Result<Option<Self>, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let number =
            |name: &str| value.get(name).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
        let errand = |name: &str| value.get(name).map(errand_of).transpose();
        let landing = || value.get("landing").ok_or("no landing".to_owned()).and_then(Landing::from_json);
        if let Some(seed) = value.get("sown") {
            return wire(seed).map(|seed| Some(Self::Sown(seed)));
        }
        if let Some(seed) = number("grew") {
            return Ok(Some(Self::Grew { seed, landing: landing()? }));
        }
        if let Some(seed) = number("barren") {
            return Ok(Some(Self::Barren { seed, trouble: text_of(&value, "trouble") }));
        }
        if let Some(errand) = errand("took")? {
            return Ok(Some(Self::Took(errand)));
        }
        if let Some(errand) = errand("made")? {
            let outcome = outcome_of(value.get("outcome").unwrap_or(&Value::Null))?;
            return Ok(Some(Self::Made { errand, outcome, landing: landing()? }));
        }
        if let Some(errand) = errand("missed")? {
            return Ok(Some(Self::Missed(errand)));
        }
        if let Some(errand) = errand("goesOn")? {
            return Ok(Some(Self::GoesOn(errand)));
        }
        if let Some(passage) = value.get("unasked") {
            return Ok(Some(Self::Held(passage_of(passage))));
        }
        let led = number("led").zip(value.get("there").and_then(Value::as_bool));
        if let Some((state, there)) = led {
            return Ok(Some(Self::Led { state, there }));
        }
        if value.get("decided").is_some() { Ok(None) } else { Err("nobody knows such a line".to_owned()) }
    }
}

impl Landing {
    fn to_json(&self) -> Value {
        match self {
            Self::New { graph, offered } => json!({ "graph": graph, "offered": offered }),
            Self::Known(state) => json!({ "state": state }),
            Self::Beyond => json!("beyond"),
            Self::Nowhere => json!("nowhere"),
        }
    }

    fn from_json(value: &Value) -> Result<Self, String> {
        if let Some(graph) = value.get("graph").and_then(Value::as_str) {
            let offered = value.get("offered").and_then(Value::as_array).into_iter().flatten();
            let offered = offered.map(wire).collect::<Result<_, _>>()?;
            return Ok(Self::New { graph: graph.to_owned(), offered });
        }
        if let Some(state) = value.get("state").and_then(Value::as_u64) {
            return usize::try_from(state).map(Self::Known).map_err(|error| error.to_string());
        }
        match value.as_str() {
            Some("beyond") => Ok(Self::Beyond),
            Some("nowhere") => Ok(Self::Nowhere),
            _ => Err("nobody knows such a landing".to_owned()),
        }
    }
}

/// Makes an atlas know again what a logbook says. Returns the errands that were begun and never ended.
pub(super) fn replay(atlas: &mut Atlas, archive: &impl Archive) -> Result<Vec<Errand>, ReplayError> {
    let unreadable = |source| ReplayError::Unreadable { name: "logbook".to_owned(), source };
    let lines = archive.lines().map_err(unreadable)?;
    let last = lines.len();
    let mut under_way = Vec::new();
    for (number, text) in lines.iter().enumerate() {
        let line = match Line::read(text) {
            Ok(Some(line)) => line,
            Ok(None) => continue,
            // A process that was killed while it wrote leaves half a line, and only at the end.
            Err(_) if number + 1 == last => break,
            Err(reason) => return Err(ReplayError::Senseless { line: number + 1, reason }),
        };
        match &line {
            Line::Took(errand) => {
                // Whoever took it before gave it back, or ended with it.
                if under_way.contains(errand) {
                    atlas.give_back(*errand);
                } else {
                    under_way.push(*errand);
                }
            }
            Line::Made { errand, .. } | Line::Missed(errand) => under_way.retain(|other| other != errand),
            _ => {}
        }
        take_in(atlas, line, archive).map_err(|error| match error {
            ReplayError::Senseless { reason, .. } => ReplayError::Senseless { line: number + 1, reason },
            unreadable @ ReplayError::Unreadable { .. } => unreadable,
        })?;
    }
    Ok(under_way)
}

fn take_in(atlas: &mut Atlas, line: Line, archive: &impl Archive) -> Result<(), ReplayError> {
    match line {
        Line::Sown(seed) => {
            atlas.sow(seed);
        }
        Line::Grew { seed, landing } => {
            land(atlas, &landing, Via::Seed(seed), archive)?;
        }
        Line::Barren { seed, trouble } => atlas.barren(seed, trouble),
        Line::Took(errand) => atlas.begin(errand),
        Line::Made { errand, outcome, landing } => {
            let seen = land(atlas, &landing, Via::Choice(errand.state, errand.choice), archive)?;
            atlas.arrive(errand, seen, outcome);
        }
        Line::Missed(errand) => atlas.miss(errand),
        Line::Led { state, there } => atlas.address_led(state, there),
        Line::GoesOn(errand) => atlas.goes_on(errand),
        Line::Held(passage) => {
            atlas.hold(passage);
        }
    }
    Ok(())
}

fn land(
    atlas: &mut Atlas,
    landing: &Landing,
    via: Via,
    archive: &impl Archive,
) -> Result<Option<Seen>, ReplayError> {
    match landing {
        Landing::New { graph: name, offered } => {
            let unreadable = |source| ReplayError::Unreadable { name: name.clone(), source };
            let bytes = archive.kept(name).map_err(unreadable)?;
            let graph = page(&String::from_utf8_lossy(&bytes)).ok_or_else(|| ReplayError::Senseless {
                line: 0,
                reason: format!("\"{name}\" holds no page"),
            })?;
            match atlas.see(&graph, offered, via) {
                new @ Seen::New(_) => Ok(Some(new)),
                // Whatever else the logbook says of states counts them as they were then.
                Seen::Known(_) | Seen::BeyondBudget => Err(ReplayError::Senseless {
                    line: 0,
                    reason: format!(
                        "\"{name}\" was a new state when it was found, and is none under the limits and \
                                     the rules of now"
                    ),
                }),
            }
        }
        Landing::Known(state) => Ok(Some(atlas.meet(*state, via))),
        Landing::Beyond => Ok(Some(atlas.pass_over())),
        Landing::Nowhere => Ok(None),
    }
}

fn page(text: &str) -> Option<PageGraph> {
    let tree = read(text, Format::Json, Limits::DOCUMENT).ok()?;
    accept(&tree).ok()
}

fn pair(errand: Errand) -> Value {
    json!([errand.state, errand.choice])
}

fn errand_of(value: &Value) -> Result<Errand, String> {
    let part =
        |index: usize| value.get(index).and_then(Value::as_u64).and_then(|part| usize::try_from(part).ok());
    let parts = part(0).zip(part(1));
    parts.map(|(state, choice)| Errand { state, choice }).ok_or_else(|| format!("{value} is no errand"))
}

fn passage_json(passage: &Passage) -> Value {
    json!({ "method": passage.method, "url": passage.url, "held": passage.held })
}

fn passage_of(value: &Value) -> Passage {
    Passage {
        method: text_of(value, "method"),
        url: text_of(value, "url"),
        held: value.get("held").and_then(Value::as_str).map(str::to_owned),
    }
}

fn outcome_json(outcome: &Outcome) -> Value {
    let passages: Vec<_> = outcome.passages.iter().map(passage_json).collect();
    json!({
        "signals": outcome.signals, "trouble": outcome.trouble, "passages": passages, "target": outcome.target,
        "complaints": outcome.complaints,
    })
}

fn outcome_of(value: &Value) -> Result<Outcome, String> {
    let list = |name: &str| value.get(name).and_then(Value::as_array).into_iter().flatten();
    let target = value.get("target").filter(|target| !target.is_null());
    Ok(Outcome {
        signals: list("signals").map(wire::<SuccessSignal>).collect::<Result<_, _>>()?,
        trouble: value.get("trouble").and_then(Value::as_str).map(str::to_owned),
        passages: list("passages").map(passage_of).collect(),
        target: target.map(wire::<TargetRef>).transpose()?,
        complaints: list("complaints").filter_map(Value::as_str).map(str::to_owned).collect(),
    })
}

fn text_of(value: &Value, name: &str) -> String {
    value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn wire<T: Wire>(value: &Value) -> Result<T, String> {
    accept(&Node::from_json(value)).map_err(|findings| {
        findings.first().map_or_else(|| "it has no known form".to_owned(), |finding| finding.message.clone())
    })
}
