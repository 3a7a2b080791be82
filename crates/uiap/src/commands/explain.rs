//! `uiap explain`: where a value of a bundle comes from.

use super::documents::bytes_of;
use super::parcel::origins_of;
use crate::{Outcome, Trouble};
use clap::Args;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use uiap_authoring::{Line, Origins, Part};
use uiap_protocol::seal::digest;

/// Show where a value of a bundle comes from: file and line, import, overlay, discovery, review
#[derive(Args)]
#[command(after_help = "\
Examples:
  uiap explain bundle.json /policies/1/document/defaults/onUnknownAction
  uiap explain bundle.json /workflows/0/title
  uiap explain bundle.json /actions/0 --json

It reads the origins that `uiap build` wrote beside the bundle (FILE.origins.json).")]
pub(crate) struct Explain {
    /// The bundle
    #[arg(value_name = "BUNDLE")]
    bundle: PathBuf,
    /// Which value: a JSON pointer into the bundle
    #[arg(value_name = "POINTER")]
    pointer: String,
    /// The origins, if they are not beside the bundle
    #[arg(long, value_name = "FILE")]
    origins: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// One step on the way from a value to whoever is behind it.
struct Link {
    what: &'static str,
    told: String,
    place: Option<Line>,
}

impl Explain {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        let bundle = read_json(&self.bundle)?;
        let origins = self.origins(&bundle)?;
        let pointer = self.pointer.as_str();
        if !pointer.is_empty() && !pointer.starts_with('/') {
            return Err(Trouble::WrongUse(format!(
                "\"{pointer}\" is not a JSON pointer; it starts with a slash."
            )));
        }
        let Some(value) = bundle.pointer(pointer) else {
            return Err(Trouble::WrongUse(format!(
                "The bundle has nothing at {pointer}.{}",
                nearest(&bundle, pointer)
            )));
        };
        let links = chain(&origins, pointer);
        let mut out = std::io::stdout().lock();
        if self.json {
            let links: Vec<Value> = links.iter().map(|link| link.to_json(&origins)).collect();
            writeln!(out, "{:#}", json!({ "pointer": pointer, "value": value, "origins": links }))?;
            return Ok(Outcome::Yes);
        }
        writeln!(out, "{pointer} = {}", shortened(value))?;
        for link in &links {
            let place = link.place.map(|line| format!("  ({})", origins.shown(line))).unwrap_or_default();
            writeln!(out, "  {:<10} {}{place}", link.what, link.told)?;
        }
        Ok(Outcome::Yes)
    }

    /// The origins of this very bundle.
    fn origins(&self, bundle: &Value) -> Result<Origins, Trouble> {
        let path = self.origins.clone().unwrap_or_else(|| origins_of(&self.bundle));
        let json = read_json(&path)?;
        let origins: Origins = serde_json::from_value(json).map_err(|error| {
            Trouble::WrongUse(format!("{} does not hold origins: {error}.", path.display()))
        })?;
        let actual = bundle.as_object().map(digest).unwrap_or_default();
        if origins.bundle != actual {
            return Err(Trouble::WrongUse(format!(
                "{} is about another bundle ({}) than {} ({actual}). Build both anew.",
                path.display(),
                origins.bundle,
                self.bundle.display()
            )));
        }
        Ok(origins)
    }
}

impl Link {
    fn to_json(&self, origins: &Origins) -> Value {
        let file = self.place.and_then(|Line(file, line)| origins.files.get(file).map(|file| (file, line)));
        match file {
            Some((file, line)) => json!({
                "kind": self.what, "text": self.told, "packageId": file.package_id, "version": file.version,
                "file": file.path, "line": line,
            }),
            None => json!({ "kind": self.what, "text": self.told }),
        }
    }
}

/// From the line that says it to whoever allowed it.
fn chain(origins: &Origins, pointer: &str) -> Vec<Link> {
    let Some((_, part, inside)) = origins.part(pointer) else {
        return vec![Link { what: "build", told: told_of_the_build(pointer), place: None }];
    };
    let mut links =
        vec![Link { what: "written", told: part.manifest.clone(), place: Some(part.line_of(inside)) }];
    if let Some((alias, _)) = part.manifest.split_once(':') {
        links.push(Link { what: "import", told: format!("imported as {alias}"), place: None });
    }
    links.extend(part.also.iter().map(|line| Link {
        what: "also",
        told: "says the same".to_owned(),
        place: Some(*line),
    }));
    links.extend(overlays(part, inside));
    let texts = part.texts.iter().filter(|(text, _)| is_around(text, inside));
    links.extend(texts.map(|(_, line)| Link {
        what: "text",
        told: "from a locale pack".to_owned(),
        place: Some(*line),
    }));
    if let Some(discovery) = &part.discovery {
        let how = if discovery.only_linked { "confirmed by" } else { "found by" };
        let told = format!("{how} run {}, evidence {}", discovery.run_id, discovery.evidence.join(", "));
        links.push(Link { what: "discovery", told, place: Some(discovery.found_at) });
        let told = format!("taken over by {}", discovery.manifest);
        links.push(Link { what: "accepted", told, place: Some(discovery.at) });
    }
    if let Some(review) = &part.review {
        let by = match (&review.by, &review.decided_at) {
            (Some(by), Some(at)) => format!("{} by {by} at {at}", review.state),
            _ => review.state.clone(),
        };
        let told = if review.is_waived { format!("{by}, let through by a waiver") } else { by };
        links.push(Link { what: "review", told, place: review.at });
    }
    links
}

/// Overlays that changed the value, what is around it or what is inside.
fn overlays(part: &Part, inside: &str) -> impl Iterator<Item = Link> {
    let changes = part
        .overlays
        .iter()
        .filter(|change| is_around(&change.pointer, inside) || is_around(inside, &change.pointer));
    changes.map(|change| Link {
        what: "overlay",
        told: if change.pointer.is_empty() {
            change.overlay.clone()
        } else {
            format!("{} changes {}", change.overlay, change.pointer)
        },
        place: Some(change.at),
    })
}

fn is_around(outer: &str, inner: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// What no manifest says word for word.
fn told_of_the_build(pointer: &str) -> String {
    let told = match pointer.split('/').nth(1).unwrap_or_default() {
        "packageId" | "version" | "compatibility" => "from the package manifest",
        "buildContext" => "what the build was asked for",
        "profile" => "from the capabilities, else from the build settings of the package, else web@0.1",
        "locales" => "every text of the locale packs, in the language of the build",
        "manifestIndex" => "the manifests that the bundle was made from",
        "digest" => "the hash of everything else",
        _ => "made by the build from the parts inside it",
    };
    told.to_owned()
}

fn shortened(value: &Value) -> String {
    const SHOWN_MAX: usize = 200;
    let text = value.to_string();
    match text.char_indices().nth(SHOWN_MAX) {
        Some((end, _)) => format!("{} ...", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// As much of a pointer as leads somewhere, and where it could go on.
fn nearest(bundle: &Value, pointer: &str) -> String {
    let mut outer = pointer;
    while let Some((before, _)) = outer.rsplit_once('/') {
        outer = before;
        match bundle.pointer(outer) {
            Some(Value::Object(members)) => {
                let names: Vec<&str> = members.keys().map(String::as_str).collect();
                return format!(" There are below \"{outer}\": {}.", names.join(", "));
            }
            Some(Value::Array(items)) => return format!(" {outer} has {} items.", items.len()),
            Some(_) => return format!(" {outer} has nothing inside."),
            None => {}
        }
    }
    String::new()
}

fn read_json(path: &std::path::Path) -> Result<Value, Trouble> {
    let bytes = bytes_of(path)?;
    serde_json::from_slice(&bytes)
        .map_err(|error| Trouble::WrongUse(format!("{} is not JSON: {error}.", path.display())))
}
