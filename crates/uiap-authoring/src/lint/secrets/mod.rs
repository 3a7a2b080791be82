//! Values that look like passwords, keys or tokens.
//!
//! Whoever reads a bundle reads them too. What looks so is told by its form or by the name of its member; the value
//! itself is never repeated.

mod walk;

use super::report::{Remark, Report};
use serde::Serialize;
use uiap_protocol::authoring::{BindingsManifest, CompiledBundle};
use uiap_protocol::finding::{Code, Severity};
use uiap_protocol::wire::Shared;

/// Fewest characters of anything that is worth a look.
const SECRET_BYTES_MIN: usize = 12;

pub(super) fn check(bundle: &CompiledBundle, report: &mut Report) {
    let CompiledBundle {
        package_id,
        version,
        profile,
        build_context,
        compatibility,
        app,
        capabilities,
        bindings,
        actions,
        policies,
        workflows,
        locales,
        manifest_index,
        digest,
        extra,
    } = bundle;
    inside("/packageId", package_id, report);
    inside("/version", version, report);
    inside("/profile", profile, report);
    inside("/buildContext", build_context, report);
    inside("/compatibility", compatibility, report);
    inside("/app", app, report);
    inside("/capabilities", capabilities, report);
    if let Some(BindingsManifest { routes, scopes, elements, extra }) = bindings {
        inside("/bindings/routes", routes, report);
        inside("/bindings/scopes", scopes, report);
        inside_shared("/bindings/elements", elements.as_deref(), report);
        inside("/bindings", extra, report);
    }
    inside_shared("/actions", actions.as_deref(), report);
    inside("/policies", policies, report);
    inside("/workflows", workflows, report);
    inside("/locales", locales, report);
    inside("/manifestIndex", manifest_index, report);
    inside("/digest", digest, report);
    inside("", extra, report);
}

/// Whether nothing in an item looks like a secret. Looked at once, however often it is asked.
pub(crate) fn is_harmless<T: Serialize>(item: &Shared<T>) -> bool {
    item.is_harmless(|item| {
        let mut found = false;
        walk::texts("", item, |name, _, text| found |= secret(name, text).is_some());
        !found
    })
}

/// Looks at what was not looked at before.
fn inside_shared<T: Serialize>(pointer: &str, items: Option<&[Shared<T>]>, report: &mut Report) {
    for (index, item) in items.unwrap_or_default().iter().enumerate() {
        if !is_harmless(item) {
            inside(&format!("{pointer}/{index}"), item, report);
        }
    }
}

fn inside(pointer: &str, value: &impl Serialize, report: &mut Report) {
    walk::texts(pointer, value, |name, pointer, text| {
        if let Some(kind) = secret(name, text) {
            let remark = Remark {
                severity: Severity::Warning,
                code: Code::SecretValue,
                message: format!("This looks like {kind}."),
                help: "Redact it: name where it is kept, such as \"env:NAME\", and renew it if it was published."
                    .to_owned(),
                requirement: "AUT-SEC-2",
            };
            report.add_at(pointer.to_owned(), remark);
        }
    });
}

/// How well-known keys begin, and how many characters follow at least.
const FORMS: [(&str, usize, &str); 15] = [
    ("AKIA", 16, "an access key of AWS"),
    ("ASIA", 16, "an access key of AWS"),
    ("AIza", 30, "a key of Google"),
    ("ghp_", 30, "a token of GitHub"),
    ("gho_", 30, "a token of GitHub"),
    ("ghs_", 30, "a token of GitHub"),
    ("github_pat_", 20, "a token of GitHub"),
    ("glpat-", 16, "a token of GitLab"),
    ("npm_", 30, "a token of npm"),
    ("sk_live_", 16, "a key of Stripe"),
    ("rk_live_", 16, "a key of Stripe"),
    ("sk-", 32, "a key of a model provider"),
    ("xoxb-", 16, "a token of Slack"),
    ("xoxp-", 16, "a token of Slack"),
    ("Bearer ", 16, "a bearer token"),
];

/// Words in the name of a member whose value is secret.
const TELLING: [&str; 8] =
    ["password", "passwd", "passphrase", "secret", "token", "apikey", "privatekey", "accesskey"];

/// What a text looks like, if it looks like a secret. `name` is the member that it stands in.
fn secret(name: &str, text: &str) -> Option<&'static str> {
    if text.len() < SECRET_BYTES_MIN {
        return None;
    }
    let first = text.bytes().next();
    let by_form = FORMS.iter().find(|(start, rest, _)| {
        start.bytes().next() == first
            && text.strip_prefix(start).is_some_and(|after| after.len() >= *rest && is_one_word(after))
    });
    if let Some((_, _, kind)) = by_form {
        return Some(kind);
    }
    if text.starts_with("eyJ") && text.split('.').count() == 3 && text.contains(".eyJ") {
        return Some("a signed token (JWT)");
    }
    if text.starts_with("-----BEGIN ") && text.contains("PRIVATE KEY-----") {
        return Some("a private key");
    }
    if has_password_in_address(text) {
        return Some("an address with a password in it");
    }
    (is_scrambled(text) && is_telling(name)).then_some("a secret, by the name of its member")
}

fn is_one_word(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'=' | b'/' | b'+'))
}

/// `https://user:password@host`.
fn has_password_in_address(text: &str) -> bool {
    let Some((_, rest)) = text.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let Some((user, _)) = authority.rsplit_once('@') else { return false };
    user.split_once(':')
        .is_some_and(|(_, password)| !password.is_empty() && !password.starts_with(['$', '{', ':']))
}

/// Letters and digits in one word: no sentence, no dotted name, no reference to where it is kept.
fn is_scrambled(text: &str) -> bool {
    let has = |wanted: fn(&u8) -> bool| text.as_bytes().iter().any(wanted);
    has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic) && is_one_word(text) && !text.contains(['.', '/'])
}

fn is_telling(name: &str) -> bool {
    let plain: String = name
        .chars()
        .filter(|letter| letter.is_alphanumeric())
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    TELLING.iter().any(|word| plain.contains(word))
}
