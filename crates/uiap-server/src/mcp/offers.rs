//! The actions of the application as tools: one each, with its real arguments, as long as the page offers it and
//! policy does not forbid it.

use super::room::Room;
use super::tools::{acting_tool, acts};
use crate::host::{Host, Supplied};
use rmcp::model::Tool;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::time::Duration;
use tokio::time::Instant;
use uiap_protocol::capability::{
    ActionDescriptor, ArgDescriptor, ArgType, DescribedKind, Idempotency, RiskLevel,
};
use uiap_protocol::policy::PolicyEffect;
use uiap_runtime::surface::Surface as _;
use uiap_runtime::view::clean;

/// Most tools of an application.
const OFFERS_MAX: usize = 64;
/// Longest wait for what an application offers.
const OFFERS_WAIT: Duration = Duration::from_secs(2);
/// Longest description that a bundle gives, in characters.
const DESCRIPTION_CHARS_MAX: usize = 300;
/// Longest words of a page in a description, in characters.
const CLAIM_CHARS_MAX: usize = 80;
/// Longest name of a tool, in characters (MCP).
const NAME_CHARS_MAX: usize = 128;
/// How names of tools begin that the browser knows.
const BROWSER_PREFIX: &str = "webmcp.";
/// The argument under which an action is done once, where the action has none of that name.
pub(super) const KEY: &str = "key";

/// The actions that the application offers now and that are not forbidden, by their names.
pub(super) async fn offers<H: Host>(room: &Room<H>, supplied: &Supplied) -> Vec<ActionDescriptor> {
    let runtime = &room.application.runtime;
    let mut offered = runtime.surface().offers(Instant::now() + OFFERS_WAIT).await;
    offered.retain(|action| {
        action.kind == DescribedKind::Domain
            && is_name(action.id.as_str())
            && action.risk.effective_level(true) < RiskLevel::Blocked
            && runtime.forecast(&action.id).is_none_or(|effect| effect < PolicyEffect::Deny)
    });
    offered.sort_by(|one, other| one.id.as_str().cmp(other.id.as_str()));
    offered.dedup_by(|one, other| one.id == other.id);
    drop_doubles(&mut offered);
    offered.truncate(OFFERS_MAX);
    offered.iter().map(|claim| described(claim, supplied)).collect()
}

/// Pages offer the same action twice where browsers have tools of pages, too; once is enough.
fn drop_doubles(offered: &mut Vec<ActionDescriptor>) {
    let own: HashSet<String> = offered.iter().map(|action| action.id.as_str().replace('.', "_")).collect();
    offered.retain(|action| {
        action.id.as_str().strip_prefix(BROWSER_PREFIX).is_none_or(|name| !own.contains(name))
    });
}

/// What the bundle says about an action; otherwise what the page says, which is only a claim.
fn described(claim: &ActionDescriptor, supplied: &Supplied) -> ActionDescriptor {
    let authored = supplied.bundle.iter().flat_map(|bundle| bundle.actions.iter().flatten());
    let known = authored.map(|action| &action.descriptor).find(|known| known.id == claim.id);
    let mut action = known.unwrap_or(claim).clone();
    if known.is_none() {
        // The names of arguments say what they are for; what a page writes about them would stand there as if we said it.
        action.args.iter_mut().flatten().for_each(|arg| arg.description = None);
        // A page that calls its own action harmless is not believed.
        action.risk.level = action.risk.level.max(RiskLevel::Confirm);
    }
    let text = action.description.take().or_else(|| action.title.take()).unwrap_or_default();
    action.description = Some(match known {
        Some(_) => clean(&text, DESCRIPTION_CHARS_MAX),
        None => {
            format!("Untrusted: \"{}\"", clean(&text, CLAIM_CHARS_MAX).replace('"', "'"))
        }
    });
    action
}

/// An action as a tool.
pub(super) fn as_tool(action: &ActionDescriptor) -> Tool {
    let args = action.args.as_deref().unwrap_or_default();
    let mut properties: Map<String, Value> =
        args.iter().map(|arg| (arg.name.to_string(), schema(arg))).collect();
    if action.idempotency != Some(Idempotency::Idempotent) {
        properties.entry(KEY).or_insert_with(|| json!({ "type": "string" }));
    }
    let required: Vec<_> =
        args.iter().filter(|arg| arg.required == Some(true)).map(|arg| arg.name.as_str()).collect();
    let description = action.description.clone().unwrap_or_default();
    let is_idempotent = action.idempotency == Some(Idempotency::Idempotent);
    let is_destructive = action.risk.effective_level(true) > RiskLevel::Safe;
    let annotations = acts(is_destructive, is_idempotent);
    acting_tool(action.id.to_string(), description, &Value::Object(properties), &required, annotations)
}

fn schema(arg: &ArgDescriptor) -> Value {
    let mut schema = match arg.r#type {
        ArgType::String => json!({ "type": "string" }),
        ArgType::Number => json!({ "type": "number" }),
        ArgType::Boolean => json!({ "type": "boolean" }),
        ArgType::Enum => json!({ "enum": arg.r#enum }),
        ArgType::Object => json!({ "type": "object" }),
        ArgType::Array => json!({ "type": "array" }),
    };
    if let (Value::Object(members), Some(text)) = (&mut schema, &arg.description) {
        members.insert("description".to_owned(), clean(text, CLAIM_CHARS_MAX).into());
    }
    schema
}

/// Names that MCP allows for tools and that look like those of applications, so that none of ours is taken.
fn is_name(id: &str) -> bool {
    let is_legal = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
    id.len() <= NAME_CHARS_MAX && id.contains('.') && id.chars().all(is_legal)
}
