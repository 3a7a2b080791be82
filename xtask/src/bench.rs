//! Measurements.

use crate::process;
use crate::workspace::Workspace;

/// Options of `cargo xtask bench`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask bench model     decoding and applying PageGraphs, as ratios
  cargo xtask bench policy    policy decisions, beside Cedar and Regorus
  cargo xtask bench resolve   finding a target among 10,000 elements")]
pub(crate) struct Args {
    #[command(subcommand)]
    measurement: Measurement,
}

#[derive(clap::Subcommand)]
enum Measurement {
    /// How fast the protocol crate decodes, validates and applies.
    Model,
    /// How fast a policy decides, beside Cedar and Regorus on the same rules and questions.
    Policy,
    /// How fast a target is found.
    Resolve,
}

/// What measures.
enum Program {
    /// An example of a crate of the workspace.
    Example { package: &'static str, example: &'static str },
    /// A crate of its own, outside the workspace because of what it depends on.
    Outside { manifest: &'static str },
}

impl Measurement {
    fn program(&self) -> Program {
        match self {
            Self::Model => Program::Example { package: "uiap-protocol", example: "bench_model" },
            Self::Resolve => Program::Example { package: "uiap-runtime", example: "bench_resolve" },
            Self::Policy => Program::Outside { manifest: "bench/policy-peers/Cargo.toml" },
        }
    }
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> anyhow::Result<()> {
    let mut cargo = workspace.command("cargo");
    cargo.args(["run", "--release"]);
    match args.measurement.program() {
        Program::Example { package, example } => cargo.args(["--package", package, "--example", example]),
        Program::Outside { manifest } => cargo.args(["--locked", "--manifest-path", manifest]),
    };
    process::run(&mut cargo)
}
