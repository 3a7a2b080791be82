//! What to put into the configuration of MCP clients.

use crate::Trouble;
use anyhow::Context as _;
use serde_json::json;

/// The snippets for the common clients.
pub(super) fn snippets() -> Result<String, Trouble> {
    let program = std::env::current_exe().context("this program does not know where it is")?;
    let program = program.display().to_string();
    let server = json!({ "command": program, "args": ["mcp"] });
    let servers = json!({ "mcpServers": { "uiap": server } });
    let code = json!({ "servers": { "uiap": { "type": "stdio", "command": program, "args": ["mcp"] } } });
    let quoted = json!(program);
    Ok(format!(
        "Claude Code:\n  claude mcp add uiap -- {program} mcp\n\n\
         Claude Desktop (claude_desktop_config.json), Cursor (.cursor/mcp.json), Windsurf, Gemini CLI \
         (.gemini/settings.json):\n{servers:#}\n\n\
         VS Code (.vscode/mcp.json):\n{code:#}\n\n\
         Codex (~/.codex/config.toml):\n[mcp_servers.uiap]\ncommand = {quoted}\nargs = [\"mcp\"]\n"
    ))
}
