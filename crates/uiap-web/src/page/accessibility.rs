//! The browser's own account of a page: what it tells people who do not see it.
//!
//! For evidence beside the graph. Values are not taken, and no name that contains what a sensitive element shows.

use super::picture::sensitive;
use super::{LookError, Page};
use crate::cdp::Text;
use crate::deadline::Deadline;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::HashSet;
use uiap_protocol::ids::ElementInstanceId;
use uiap_protocol::web::SnapshotOptions;

/// Most nodes that are recorded.
pub const ACCESSIBLE_MAX: usize = 5_000;
/// Longest name, in characters.
const NAME_CHARS_MAX: usize = 200;
/// Texts that are looked for within names; shorter ones must be the whole name.
const SECRET_CHARS_MIN: usize = 3;
/// Longest text of a sensitive element that is looked for.
const SECRET_CHARS_MAX: usize = 1_000;
/// Roles of which the content is a value.
const VALUES: [&str; 7] =
    ["textbox", "searchbox", "combobox", "spinbutton", "slider", "TextField", "ComboBoxMenuButton"];

/// The accessibility tree of a page, without frames: its nodes in the order of the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Accessibility {
    /// At most [`ACCESSIBLE_MAX`].
    pub nodes: Vec<AccessibleNode>,
    /// Nodes that were left out: beyond the limit, or parts of values.
    pub left_out: usize,
}

/// A node of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AccessibleNode {
    /// As the browser calls it.
    pub role: String,
    /// What it is called; nothing if that is nobody's business.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// It is not told to anybody.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ignored: bool,
}

#[derive(Deserialize)]
struct Tree {
    nodes: Vec<Told>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    node_id: String,
    parent_id: Option<String>,
    #[serde(default)]
    ignored: bool,
    role: Option<Said>,
    name: Option<Said>,
}

#[derive(Deserialize)]
struct Said {
    #[serde(default)]
    value: Option<Text>,
}

impl Page {
    /// What the browser tells about the page to people who do not see it.
    pub async fn accessibility(&self, deadline: Deadline) -> Result<Accessibility, LookError> {
        let look = self.look(&SnapshotOptions::default(), deadline).await?;
        let secrets = self.secrets(&sensitive(&look.graph), deadline).await?;
        let Tree { nodes } = self.call("Accessibility.getFullAXTree", json!({}), deadline).await?;
        // The browser keeps the tree up to date until it is told that nobody needs it.
        self.post("Accessibility.disable", json!({}));
        Ok(record(nodes, &secrets))
    }

    /// What sensitive elements show. It is compared with, and forgotten.
    async fn secrets(
        &self,
        elements: &[ElementInstanceId],
        deadline: Deadline,
    ) -> Result<Vec<String>, LookError> {
        if elements.is_empty() {
            return Ok(Vec::new());
        }
        let texts = "(ids) => ids.map((id) => globalThis.__uiap.node(id)).filter(Boolean)
            .flatMap((element) => [element.value, element.textContent]).filter((text) => typeof text === 'string' && text.trim() !== '')";
        let expression = format!("({texts})({})", json!(elements));
        let Some(world) = self.world(deadline).await? else {
            return Err(LookError::Restless { attempts: 1 });
        };
        let told = self.evaluate::<Vec<Text>>(&world, &expression, deadline).await?;
        let Some(told) = told else { return Err(LookError::Restless { attempts: 1 }) };
        let told = told.into_value().map_err(|message| LookError::Publisher { message })?;
        Ok(told.into_iter().map(|Text(text)| plain(&text).chars().take(SECRET_CHARS_MAX).collect()).collect())
    }
}

/// Without what different spellings of the same text differ in.
fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn record(told: Vec<Told>, secrets: &[String]) -> Accessibility {
    let mut of_values: HashSet<String> = HashSet::new();
    let mut record = Accessibility::default();
    // A parent always comes before its children.
    for node in told {
        let role = node.role.and_then(|role| role.value).map(|Text(role)| role).unwrap_or_default();
        let in_value = node.parent_id.is_some_and(|parent| of_values.contains(&parent));
        if in_value || VALUES.contains(&role.as_str()) {
            of_values.insert(node.node_id);
        }
        if in_value || record.nodes.len() == ACCESSIBLE_MAX {
            record.left_out += 1;
            continue;
        }
        let name = node.name.and_then(|name| name.value).map(|Text(name)| name).unwrap_or_default();
        let name =
            if tells(&name, secrets) { String::new() } else { name.chars().take(NAME_CHARS_MAX).collect() };
        record.nodes.push(AccessibleNode { role, name, ignored: node.ignored });
    }
    record
}

/// A name contains what nobody may know. A part of a long secret counts too: the tree tells lines apart.
fn tells(name: &str, secrets: &[String]) -> bool {
    let name = plain(name);
    let contains = |secret: &String| {
        let is_long = secret.chars().count() >= SECRET_CHARS_MIN;
        *secret == name || is_long && name.contains(secret.as_str()) || {
            name.chars().count() >= SECRET_CHARS_MIN && secret.contains(name.as_str())
        }
    };
    !name.is_empty() && secrets.iter().any(contains)
}
