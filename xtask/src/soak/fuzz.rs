//! The fuzz targets, for as long as one likes.

use anyhow::bail;

use super::Leg;
use super::parts::{Campaign, TimeLimit};
use crate::fuzz::{self, Budget};
use crate::workspace::Workspace;

/// Options of `cargo xtask soak fuzz`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How long each target runs.
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Run only this target; may be given several times.
    #[arg(long = "target", value_name = "NAME")]
    targets: Vec<String>,
}

pub(super) fn run(workspace: &Workspace, args: &Args, limit: TimeLimit) -> anyhow::Result<Vec<Leg>> {
    if !fuzz::exists(workspace) {
        bail!("there is nothing to fuzz: the folder fuzz/ is missing");
    }
    let chosen = choose(fuzz::targets(workspace)?, &args.targets)?;
    fuzz::build(workspace)?;
    let budget = Budget { seconds: args.seconds, seed: None };
    let campaign = Campaign {
        name: "fuzz",
        settings: format!("{} for {} s", chosen.join(" "), args.seconds),
        rounds: 0..u64::try_from(chosen.len())?,
        part: 1,
    };
    let mut targets = chosen.iter().enumerate();
    let leg = campaign.run(workspace, limit, |number, _| {
        let target = targets.find(|(index, _)| u64::try_from(*index) == Ok(number));
        target.map_or(Ok(()), |(_, target)| fuzz::campaign(workspace, target, &budget))
    });
    Ok(vec![leg])
}

/// All targets, or those that were named; an unknown name is an error that lists the known ones.
fn choose(known: Vec<String>, named: &[String]) -> anyhow::Result<Vec<String>> {
    if let Some(unknown) = named.iter().find(|name| !known.contains(name)) {
        bail!("there is no fuzz target {unknown}; there are {}", known.join(", "));
    }
    Ok(if named.is_empty() { known } else { named.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_target_is_answered_with_the_known_ones() {
        let known = vec!["delta".to_owned(), "envelope".to_owned()];
        assert_eq!(choose(known.clone(), &[]).unwrap(), known);
        assert_eq!(choose(known.clone(), &["delta".to_owned()]).unwrap(), ["delta"]);
        insta::assert_snapshot!(
            choose(known, &["yaml".to_owned()]).unwrap_err(),
            @"there is no fuzz target yaml; there are delta, envelope"
        );
    }
}
