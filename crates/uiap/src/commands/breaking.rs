//! `uiap breaking`: what changed between two bundles, and whether the version says so.

use super::supplies::Supplies;
use crate::report::{ReportFormat, colour};
use crate::{Outcome, Trouble};
use clap::Args;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use uiap_authoring::breaking::{
    Bump, BumpVerdict, Change, Class, Rule, class_of, compare, required_bump, rules_page,
};
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::seal::{DIGEST_MEMBER, digest};
use uiap_protocol::wire::accept_object;
use uiap_runtime::view::clean;

/// Longest sentence or witness in a line for people, in characters; `--json` has all of it.
const CHARS_MAX: usize = 1_000;
/// The shape of the JSON report; it goes up when that changes.
const REPORT_VERSION: u8 = 1;

/// Compare two bundles: what breaks, what is new, and which version that needs
#[derive(Args)]
#[command(after_help = "\
Examples:
  uiap breaking old.json new.json           what changed, the gravest first
  uiap breaking --json old.json new.json    the same as one JSON object
  uiap breaking --rules                     every rule, its class and what it means

Every change names its rule, its place and a witness: a request, target, signal or step that the bundles
answer differently. Exit code 1 if a change is major, also below 1.0.0; 2 if a bundle cannot be read.

From 1.0.0 on a version step carries its own class and what is below. Below 1.0.0 a minor step carries
everything, and a patch step only what is a patch.")]
pub(crate) struct Breaking {
    /// The bundle that is in use
    #[arg(required_unless_present = "rules")]
    old: Option<PathBuf>,
    /// The bundle that shall take its place
    #[arg(required_unless_present = "rules")]
    new: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// List the rules instead
    #[arg(long, conflicts_with_all = ["old", "new"])]
    rules: bool,
}

impl Breaking {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        let (Some(old), Some(new)) = (&self.old, &self.new) else { return list_rules(self.json) };
        let supplies = Supplies { format: if self.json { ReportFormat::Json } else { ReportFormat::Human } };
        let comparison = Comparison::new(bundle_at(old, supplies)?, bundle_at(new, supplies)?);
        let mut out = std::io::stdout().lock();
        if self.json {
            writeln!(out, "{:#}", comparison.report())?;
        } else {
            out.write_all(comparison.told(colour(&std::io::stdout())).as_bytes())?;
        }
        Ok(if comparison.class == Some(Class::Major) { Outcome::No } else { Outcome::Yes })
    }
}

fn list_rules(as_json: bool) -> Result<Outcome, Trouble> {
    let mut out = std::io::stdout().lock();
    if as_json {
        let rules = Rule::ALL.iter().map(|rule| {
            json!({
                "rule": rule.name(),
                "class": rule.class(),
                "group": rule.group(),
                "what": rule.what(),
                "meaning": rule.meaning(),
            })
        });
        writeln!(out, "{:#}", rules.collect::<Value>())?;
    } else {
        out.write_all(rules_page().as_bytes())?;
    }
    Ok(Outcome::Yes)
}

/// The bundle that a path stands for. This is the one place where a path becomes a bundle.
fn bundle_at(path: &Path, supplies: Supplies) -> Result<CompiledBundle, Trouble> {
    let refused = |why: &str| Trouble::WrongUse(format!("{} {why} Nothing was compared.", path.display()));
    if path.is_dir() {
        return Err(refused("is a folder. Give the bundle that was built from it."));
    }
    let document = match supplies.bundle(path) {
        Err(Trouble::Reported) => return Err(refused("is not a sound bundle.")),
        read => read?,
    };
    let stated = document.get(DIGEST_MEMBER).and_then(Value::as_str);
    if let Some(stated) = stated.filter(|stated| *stated != digest(&document)) {
        let why = format!("was changed after it was built: its digest is not {stated}. Build it anew.");
        return Err(refused(&why));
    }
    accept_object(&document).map_err(|_| refused("was accepted and cannot be read again."))
}

/// Two bundles and what is between them.
struct Comparison {
    old: CompiledBundle,
    new: CompiledBundle,
    changes: Vec<Change>,
    class: Option<Class>,
    bump: BumpVerdict,
}

impl Comparison {
    fn new(old: CompiledBundle, new: CompiledBundle) -> Self {
        let changes = compare(&old, &new);
        let class = class_of(&changes);
        let bump = required_bump(&old.version, &new.version, class);
        Self { old, new, changes, class, bump }
    }

    fn report(&self) -> Value {
        let named =
            |bundle: &CompiledBundle| json!({"packageId": bundle.package_id, "version": bundle.version});
        json!({
            "version": REPORT_VERSION,
            "old": named(&self.old),
            "new": named(&self.new),
            "class": self.class,
            "bump": self.bump,
            "changes": self.changes,
        })
    }

    /// The changes for people, by class.
    fn told(&self, colour: bool) -> String {
        let mut text = String::new();
        for class in Class::ALL {
            let changes: Vec<_> = self.changes.iter().filter(|change| change.class == class).collect();
            if changes.is_empty() {
                continue;
            }
            let _ = writeln!(text, "{} ({})", painted(class, colour), changes.len());
            for change in changes {
                tell(change, &mut text);
            }
            text.push('\n');
        }
        text.push_str(&self.summary());
        text
    }

    fn summary(&self) -> String {
        let BumpVerdict { needed, found, enough, least } = &self.bump;
        let (old, new) = (&self.old.version, &self.new.version);
        let step = match found {
            Bump::Backwards => format!("{new} is earlier than {old}"),
            Bump::None => format!("{new} is the same version"),
            found => format!("{old} to {new} is a {found} step"),
        };
        let Some(class) = self.class else {
            return if *enough {
                format!("Nothing changed; {step}.\n")
            } else {
                format!("Nothing changed, but {step}. Use {least} or a later version.\n")
            };
        };
        let count = |class: Class| self.changes.iter().filter(|change| change.class == class).count();
        let counts = Class::ALL.map(|class| format!("{} {class}", count(class))).join(", ");
        let all = self.changes.len();
        let changes = if all == 1 { "1 change".to_owned() } else { format!("{all} changes") };
        let verdict = if *enough {
            format!("{step}, which is enough")
        } else {
            format!("{step}, which is not enough. Use {least} or a later version")
        };
        format!("{changes}: {counts}. What is {class} needs a {needed} step: {verdict}.\n")
    }
}

fn tell(change: &Change, text: &mut String) {
    let _ = writeln!(text, "  {}: {}", change.rule, clean(&change.message, CHARS_MAX));
    let place = match (&change.old, &change.new) {
        (Some(old), Some(new)) if old == new => format!("at {old}"),
        (Some(old), Some(new)) => format!("at {old}, now {new}"),
        (Some(old), None) => format!("was at {old}"),
        (None, Some(new)) => format!("is at {new}"),
        (None, None) => String::from("nowhere"),
    };
    let _ = writeln!(text, "    {}", clean(&place, CHARS_MAX));
    // A witness is data of the protocol, which can always be written.
    let witness = serde_json::to_string(&change.witness).unwrap_or_default();
    let _ = writeln!(text, "    witness {}", clean(&witness, CHARS_MAX));
}

fn painted(class: Class, colour: bool) -> String {
    let code = match class {
        Class::Major => "1;31",
        Class::Minor => "1;33",
        Class::Patch => "1;32",
    };
    if colour { format!("\u{1b}[{code}m{class}\u{1b}[0m") } else { class.to_string() }
}
