//! What a person is asked, in the words that every door uses.

use crate::view::clean;
use uiap_protocol::action::ConfirmationRequest;
use uiap_protocol::capability::RiskTag;

/// Longest text of a page in what a person is shown, in characters.
pub const SHOWN_CHARS_MAX: usize = 4_000;

/// What would happen, as lines: the action and why it needs a person, then what it does and with what.
pub fn question(request: &ConfirmationRequest) -> Vec<String> {
    let tags: Vec<_> = request.risk.tags.iter().flatten().map(RiskTag::as_str).collect();
    let why = if tags.is_empty() { String::new() } else { format!(" ({})", tags.join(", ")) };
    let mut lines = vec![format!("This needs your agreement: {}{why}.", request.action_id)];
    if let Some(preview) = &request.preview {
        let summary = preview.summary.as_deref().unwrap_or_default();
        lines.push(format!("  {}", clean(summary, SHOWN_CHARS_MAX)));
        for (name, value) in preview.args.iter().flatten() {
            let value = clean(&value.to_string(), SHOWN_CHARS_MAX);
            lines.push(format!("  {} = {value}", clean(name, SHOWN_CHARS_MAX)));
        }
    }
    lines
}
