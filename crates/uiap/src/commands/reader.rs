//! Who reads what a command shows: with which bundle, and under which policy.

use super::bundle::BundleFlags;
use super::supplies::Supplies;
use crate::{Trouble, running};
use clap::Args;
use std::path::PathBuf;
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::ids::Id;
use uiap_runtime::shell::Settings;
use uiap_runtime::standing::Standing;

/// In whose name pages are looked at on the command line.
const READER: &str = "uiap-look";

/// The flags of commands that show a page as an agent may see it.
#[derive(Args)]
pub(crate) struct ReaderFlags {
    #[command(flatten)]
    bundle: BundleFlags,
    /// What may be seen: a policy document or a policy set; may be given more than once
    #[arg(long, value_name = "FILE")]
    policy: Vec<PathBuf>,
}

impl ReaderFlags {
    /// The bundle, and the policies of it and beside it, as they hold for an agent.
    pub(crate) fn load(&self, supplies: Supplies) -> Result<(Option<CompiledBundle>, Settings), Trouble> {
        let bundle = self.bundle.load(supplies)?;
        let of_bundle = bundle.iter().flat_map(|bundle| bundle.policies.iter().flatten());
        let mut policies: Vec<_> = of_bundle.map(|policy| policy.document.clone()).collect();
        for path in &self.policy {
            policies.extend(supplies.policies(path)?);
        }
        let reader = Id::new(READER).map_err(anyhow::Error::new)?;
        let standing = Standing::before_a_person(reader, policies)
            .map_err(|error| Trouble::WrongUse(format!("The policies are too much: {error}.")))?;
        // Nothing is done here, so it does not matter to whose application.
        let settings = running::settings(standing, Id::new(READER).map_err(anyhow::Error::new)?)?;
        Ok((bundle, settings))
    }
}
