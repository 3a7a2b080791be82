//! What opens when somebody points at something, by the style of a page alone.

use super::{LookError, Page};
use crate::deadline::Deadline;
use uiap_protocol::ids::ElementInstanceId;

impl Page {
    /// The elements of the last look that open something when somebody points at them, though nothing but a style sheet
    /// says so.
    pub async fn openers(&self, deadline: Deadline) -> Result<Vec<ElementInstanceId>, LookError> {
        let (json, _) = self.publisher("openers()", deadline).await?;
        let ids: Vec<String> = serde_json::from_str(&json)
            .map_err(|error| LookError::Publisher { message: error.to_string() })?;
        Ok(ids.into_iter().filter_map(|id| ElementInstanceId::new(id).ok()).collect())
    }
}
