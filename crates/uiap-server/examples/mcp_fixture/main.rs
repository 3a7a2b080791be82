//! The server that the conformance suite of MCP describes, behind the door of `uiap mcp --http`.
//!
//! Many scenarios of the suite ask for tools, prompts and resources that no product has. They stand here, as data
//! (`fixture.json`), behind the very function that serves the product, so that what is shown about transport, guard,
//! sessions and limits is shown about the product. It is part of no build but that of the tests.

mod asking;
mod data;
mod handler;

use handler::Everything;
use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use uiap_server::mcp::{HttpOptions, serve_http};

/// Says where it is, in the words of `uiap mcp`, and serves until it is interrupted.
#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let everything = Everything::new(serde_json::from_str(include_str!("fixture.json"))?);
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let listening = |address| {
        // Whoever closed stderr does not want to know.
        let _ = writeln!(std::io::stderr(), "MCP is served at http://{address}/mcp.");
    };
    let stop = async {
        // Without signals it ends with the process.
        let _ = tokio::signal::ctrl_c().await;
    };
    serve_http(move || everything.clone(), address, HttpOptions::default(), listening, stop).await?;
    Ok(())
}
