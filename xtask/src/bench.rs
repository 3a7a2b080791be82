//! Measurements.

mod authoring;
pub(crate) mod discovery;
mod runtime;
mod tokens;
mod web;

use crate::process;
use crate::workspace::Workspace;

/// `cargo xtask bench`
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench authoring     building packages, against the YAML parser alone and against kustomize
  cargo xtask bench discovery     mapping applications: what is found, how fast, and that nothing is written
  cargo xtask bench model         decoding and applying PageGraphs, as ratios
  cargo xtask bench policy        policy decisions, beside Cedar and Regorus
  cargo xtask bench resolve       finding a target among 10,000 elements
  cargo xtask bench runtime       verified presses, against bare clicks and against peers from npm
  cargo xtask bench server        500 sessions and 10,000 requests a second, against a bare echo
  cargo xtask bench tokens        what ten steps cost a model, against peers from npm; what uiap mcp weighs
  cargo xtask bench web           looking at pages, against a floor and against peers from npm
  cargo xtask bench web --alone   the same without the peers
  cargo xtask bench web --only 1000 grid
                                  two of its pages; all of them take a quarter of an hour")]
pub(crate) struct Args {
    #[command(subcommand)]
    measurement: Measurement,
}

#[derive(clap::Subcommand)]
enum Measurement {
    /// What building a package costs.
    Authoring,
    /// What mapping finds of applications, how fast, and that it writes nothing.
    Discovery(discovery::Args),
    /// How fast the protocol crate decodes, validates and applies.
    Model,
    /// How fast a policy decides, beside Cedar and Regorus on the same rules and questions.
    Policy,
    /// How fast a target is found.
    Resolve,
    /// What a verified press costs.
    Runtime(runtime::Args),
    /// What sessions cost: messages a second, latency and memory, against a bare echo.
    Server,
    /// What ten steps cost a model.
    Tokens(tokens::Args),
    /// What looking at a page costs, in time, tokens, processor and memory.
    Web(web::Args),
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> anyhow::Result<()> {
    let program: &[&str] = match &args.measurement {
        Measurement::Model => &["--package", "uiap-protocol", "--example", "bench_model"],
        Measurement::Resolve => &["--package", "uiap-runtime", "--example", "bench_resolve"],
        Measurement::Server => &["--package", "uiap-server", "--example", "bench_server"],
        // A crate of its own, outside the workspace because of what it depends on.
        Measurement::Policy => &["--locked", "--manifest-path", "bench/policy-peers/Cargo.toml"],
        Measurement::Authoring => return authoring::run(workspace),
        Measurement::Discovery(args) => return discovery::run(workspace, args),
        Measurement::Runtime(args) => return runtime::run(workspace, args),
        Measurement::Tokens(args) => return tokens::run(workspace, args),
        Measurement::Web(args) => return web::run(workspace, args),
    };
    process::run(workspace.command("cargo").args(["run", "--release"]).args(program))
}
