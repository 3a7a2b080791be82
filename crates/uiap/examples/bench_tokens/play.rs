//! One tool and the task: what the model gets and sends, step by step.

use super::players::{Call, Player, Setting};
use super::task::{Deed, Step, Task};
use super::tokens;
use super::wire::{Answer, Wire};
use anyhow::{Context as _, bail};
use serde::Serialize;
use serde_json::{Value, json};

/// How often a page is looked at again that does not show what it will.
const LOOKS_MAX: usize = 5;

/// What something costs, in tokens.
#[derive(Clone, Copy, Default, Serialize)]
pub(crate) struct Cost {
    /// What the model writes: names of tools and arguments.
    pub(crate) sent: usize,
    /// What the model reads.
    pub(crate) got: usize,
    /// The same, where a client shows the model what is meant for machines instead.
    pub(crate) got_structured: usize,
    pub(crate) calls: usize,
}

impl Cost {
    pub(crate) fn total(self) -> usize {
        self.sent + self.got
    }
}

/// What a tool cost.
#[derive(Serialize)]
pub(crate) struct Played {
    pub(crate) player: &'static str,
    /// The schemas of all tools, and what the server tells every model.
    pub(crate) schemas: usize,
    /// Of these, the tools that the application brought.
    pub(crate) brought: usize,
    pub(crate) steps: Vec<Cost>,
}

impl Played {
    pub(crate) fn total(&self) -> usize {
        self.schemas + self.steps.iter().map(|step| step.total()).sum::<usize>()
    }

    pub(crate) fn total_structured(&self) -> usize {
        self.schemas + self.steps.iter().map(|step| step.sent + step.got_structured).sum::<usize>()
    }
}

/// How much a model looks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sight {
    /// At every page that it gets to, and whether a step worked.
    Open,
    /// Only where it does not know the name of something yet.
    Blind,
}

/// Plays the task with a tool. The server says in the end whether it was really done.
pub(crate) fn play(
    player: Player,
    sight: Sight,
    task: &Task,
    setting: &Setting,
    origin: &str,
    show: bool,
) -> anyhow::Result<Played> {
    let mut command = player.command(setting).map_err(anyhow::Error::msg)?;
    let mut table = Table { player, wire: Wire::start(&mut command)?, seen: String::new(), show };
    let instructions = table.wire.initialize()?;
    let at_first = schemas(&table.wire.tools()?);
    let mut steps = Vec::new();
    for step in &task.steps {
        let cost =
            table.step(step, sight, origin).with_context(|| format!("{}: {}", player.name(), step.name))?;
        steps.push(cost);
    }
    let in_the_end = schemas(&table.wire.tools()?);
    let brought = in_the_end.saturating_sub(at_first);
    Ok(Played { player: player.name(), schemas: at_first + brought + tokens(&instructions), brought, steps })
}

/// What a model is given of the tools. Annotations are hints for the client: interfaces of models have no place for them.
fn schemas(tools: &[Value]) -> usize {
    let mut tools = tools.to_vec();
    for tool in tools.iter_mut().filter_map(Value::as_object_mut) {
        tool.remove("annotations");
    }
    tokens(&Value::from(tools).to_string())
}

struct Table {
    player: Player,
    wire: Wire,
    /// Everything that the model has read about pages.
    seen: String,
    show: bool,
}

impl Table {
    fn step(&mut self, step: &Step, sight: Sight, origin: &str) -> anyhow::Result<Cost> {
        let mut cost = Cost::default();
        match &step.deed {
            Deed::Open(_) => {
                self.call(&self.player.say(step, origin, ""), &mut cost)?.worked()?;
            }
            Deed::Find(text) => return self.find(step, text, origin),
            Deed::Fill(target) | Deed::Choose(target) | Deed::Press(target) => {
                if let Some(id) = self.player.id(&self.seen, target)
                    && self.call(&self.player.say(step, origin, &id), &mut cost)?.worked().is_ok()
                {
                    // What was seen before still holds.
                } else {
                    self.look_for(&mut cost, |table| table.player.id(&table.seen, target).is_some())?;
                    let id = self.player.id(&self.seen, target).context("it is not on the page")?;
                    self.call(&self.player.say(step, origin, &id), &mut cost)?.worked()?;
                }
            }
        }
        let leads_elsewhere = matches!(step.deed, Deed::Open(_) | Deed::Press(_));
        if leads_elsewhere && sight == Sight::Open && !self.player.shows_pages() {
            self.look_for(&mut cost, |_| true)?;
        }
        Ok(cost)
    }

    fn find(&mut self, step: &Step, text: &str, origin: &str) -> anyhow::Result<Cost> {
        let call = self.player.say(step, origin, "");
        for _ in 0..LOOKS_MAX {
            // Only the look that finds it counts: when it is there differs from run to run.
            let mut cost = Cost::default();
            let answer = self.call(&call, &mut cost)?.worked()?;
            if self.player.has_found(&answer, text) {
                return Ok(cost);
            }
        }
        bail!("\"{text}\" is not on the page");
    }

    /// Looks at the page until it shows what is waited for; only the last look counts.
    fn look_for(&mut self, cost: &mut Cost, is_there: impl Fn(&Self) -> bool) -> anyhow::Result<()> {
        let before = *cost;
        for _ in 0..LOOKS_MAX {
            *cost = before;
            self.call(&self.player.look(), cost)?.worked()?;
            if is_there(self) {
                return Ok(());
            }
        }
        bail!("the page does not show it");
    }

    fn call(&mut self, (name, arguments): &Call, cost: &mut Cost) -> anyhow::Result<Answer> {
        let answer = self.wire.call(name, arguments)?;
        let said = json!({ "name": name, "arguments": arguments }).to_string();
        if self.show {
            eprintln!("> {said}\n{}\n", answer.text);
        }
        let got = tokens(&answer.text);
        cost.calls += 1;
        cost.sent += tokens(&said);
        cost.got += got;
        cost.got_structured += answer.structured.as_ref().map_or(got, |value| tokens(&value.to_string()));
        self.seen.push_str(&answer.text);
        self.seen.push('\n');
        Ok(answer)
    }
}
