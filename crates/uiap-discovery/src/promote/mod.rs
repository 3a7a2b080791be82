//! From a discovery package to the beginning of an authoring package: what is harmless and certain is proposed, everything
//! else is left to people, with the reason.
//!
//! Start at [`promoted`]. The files build as they are (`uiap build DIR`) for the channels dev and staging. Prod asks for
//! somebody who approved each item (DSC-SEC-5).

mod choice;

use choice::{Left, Taken, chosen};
use serde_json::Value;
use std::fmt::Write as _;
use uiap_protocol::discovery::DiscoveryPackage;
use url::Url;

/// What the files say where a word of the application stands.
const PACKAGE: &str = include_str!("package.uiap.yaml");
const APP: &str = include_str!("app.uiap.yaml");
const BINDINGS: &str = include_str!("bindings.uiap.yaml");
const ACTIONS: &str = include_str!("actions.uiap.yaml");
const POLICIES: &str = include_str!("policies.uiap.yaml");

/// A file of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its path in the folder.
    pub path: &'static str,
    /// What is in it.
    pub text: String,
}

/// The manifests that take over what a run found. `file` is what the discovery package is called, in the same folder.
pub fn promoted(package: &DiscoveryPackage, file: &str) -> Vec<File> {
    let words = Words::of(package);
    let taken = chosen(package);
    let put = |path: &'static str, text: &str| File { path, text: words.put_into(text) };
    vec![
        put("package.uiap.yaml", PACKAGE),
        put("app.uiap.yaml", APP),
        put("bindings.uiap.yaml", BINDINGS),
        put("actions.uiap.yaml", ACTIONS),
        put("policies.uiap.yaml", POLICIES),
        File { path: "promoted.uiap.yaml", text: import(package, file, &taken) },
    ]
}

/// What is put into the files.
struct Words {
    app_id: String,
    name: String,
    url: String,
    environment: String,
    locale: String,
}

impl Words {
    fn of(package: &DiscoveryPackage) -> Self {
        let environment = &package.environment;
        let url = Url::parse(environment.base_url.as_str()).ok();
        let host = url.as_ref().and_then(Url::host_str).unwrap_or("app").to_owned();
        let id: String = host
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' })
            .collect();
        let app_id = match id.trim_matches('-') {
            id if id.starts_with(|first: char| first.is_ascii_lowercase()) => id.to_owned(),
            id => format!("app-{id}"),
        };
        Self {
            app_id,
            name: host,
            url: url
                .map_or_else(|| environment.base_url.to_string(), |url| url.origin().ascii_serialization()),
            environment: environment.environment_id.to_string(),
            locale: environment.locale.as_ref().map_or("en", |locale| locale.as_str()).to_owned(),
        }
    }

    fn put_into(&self, text: &str) -> String {
        text.replace("APP_ID", &self.app_id)
            .replace("APP_LOCALE", &quoted(&self.locale))
            .replace("APP_ENVIRONMENT", &quoted(&self.environment))
            .replace("APP_URL", &quoted(&self.url))
            .replace("APP_NAME", &quoted(&self.name))
    }
}

/// A JSON text is a YAML text, whatever is in it.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// The manifest that says what is taken over.
fn import(package: &DiscoveryPackage, file: &str, taken: &Taken) -> String {
    let mut text = String::from(
        "# What is taken over from a discovery run. Discovery proposes; without these rules nothing of it is used.\n\
         #\n\
         # Everything here was chosen by a program: it is harmless, certain, and can be told apart from everything else.\n\
         # Look at report.html, move ids between accept and reject, and record what you approve in a ReviewSet:\n\
         # nothing that nobody approved gets into prod.\n\
         apiVersion: uiap.authoring/v0.1\n\
         kind: DiscoveryImport\n\
         metadata:\n  id: discovery.promoted\n  title: From discovery\n  source: generated\n  reviewState: generated\n\
         spec:\n",
    );
    let _ = writeln!(
        text,
        "  source:\n    runId: {}\n    ref: {}",
        quoted(package.run.run_id.as_str()),
        quoted(file)
    );
    text.push_str("  accept:");
    let rules: Vec<_> = taken.rules().filter(|(_, _, ids)| !ids.is_empty()).collect();
    text.push_str(if rules.is_empty() { " []\n" } else { "\n" });
    for (kind, manifest, ids) in rules {
        let _ = writeln!(
            text,
            "    - kind: {kind}\n      targetManifestId: {manifest}\n      mode: copy\n      ids:"
        );
        list(ids, &mut text);
    }
    let left: Vec<&Left> = taken.left.iter().filter(|left| !left.ids.is_empty()).collect();
    if !left.is_empty() {
        text.push_str("  reject:\n");
    }
    for Left { kind, ids, reason } in left {
        let _ = writeln!(text, "    - kind: {kind}\n      reason: {}\n      ids:", quoted(reason));
        list(ids, &mut text);
    }
    text
}

fn list(ids: &[String], text: &mut String) {
    for id in ids {
        let _ = writeln!(text, "        - {}", quoted(id));
    }
}
