//! The requirements the project knows, and the few that leave nothing to test.
//!
//! Start at [`Catalogue::load`]. One file per specification under `conformance/requirements/`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use serde::Deserialize;

use super::claims::{Claim, Problem};
use crate::workspace::Workspace;

const FOLDER: &str = "conformance/requirements";
const NOT_APPLICABLE: &str = "conformance/not-applicable.json";

/// The words that say how binding a requirement is, strongest first; reports keep this order.
pub(crate) const LEVELS: [&str; 12] = [
    "MUST",
    "MUST NOT",
    "MAY/MUST",
    "SHOULD/MUST NOT",
    "SHOULD",
    "SHOULD NOT",
    "MAY",
    "MUST NOT*",
    "MAY*",
    "DEF",
    "GOAL",
    "lc",
];

/// How many similar ids an unknown id is answered with.
const SUGGESTIONS_MAX: usize = 3;

/// All requirements, in the order of the specifications.
#[derive(Debug, Default)]
pub(crate) struct Catalogue {
    pub(crate) specs: Vec<Spec>,
    /// Reasons by requirement id.
    pub(crate) not_applicable: BTreeMap<String, String>,
}

/// The requirements of one specification.
#[derive(Debug, Deserialize)]
pub(crate) struct Spec {
    #[serde(rename = "spec")]
    pub(crate) key: String,
    pub(crate) title: String,
    pub(crate) source: String,
    pub(crate) requirements: Vec<Requirement>,
}

/// One obligation that can be tested by itself.
#[derive(Debug, Deserialize)]
pub(crate) struct Requirement {
    pub(crate) id: String,
    /// Where it stands in its text; ours have none.
    pub(crate) section: Option<String>,
    pub(crate) level: String,
    pub(crate) text: String,
}

impl Catalogue {
    pub(crate) fn load(workspace: &Workspace) -> anyhow::Result<Self> {
        let mut specs = Vec::new();
        for path in sorted_files(&workspace.path(FOLDER))? {
            let text = fs::read_to_string(&path)?;
            let spec = serde_json::from_str(&text).with_context(|| format!("in {}", path.display()))?;
            specs.push(spec);
        }
        let reasons = fs::read_to_string(workspace.path(NOT_APPLICABLE)).unwrap_or_else(|_| "{}".to_owned());
        let not_applicable =
            serde_json::from_str(&reasons).with_context(|| format!("in {NOT_APPLICABLE}"))?;
        Self::new(specs, not_applicable)
    }

    /// Joins the parts and refuses what cannot be meant.
    pub(crate) fn new(specs: Vec<Spec>, not_applicable: BTreeMap<String, String>) -> anyhow::Result<Self> {
        let mut seen = BTreeSet::new();
        for requirement in specs.iter().flat_map(|spec| &spec.requirements) {
            let Requirement { id, level, .. } = requirement;
            ensure!(LEVELS.contains(&level.as_str()), "requirement {id} has the unknown level {level}");
            ensure!(seen.insert(id.as_str()), "requirement {id} is listed twice");
        }
        for (id, reason) in &not_applicable {
            ensure!(seen.contains(id.as_str()), "{NOT_APPLICABLE} names the unknown requirement {id}");
            ensure!(!reason.trim().is_empty(), "{NOT_APPLICABLE} gives no reason for {id}");
        }
        Ok(Self { specs, not_applicable })
    }

    /// What is wrong with claims that are well formed: ids nobody knows, ids that leave nothing to test.
    pub(crate) fn problems_of(&self, claims: &[Claim]) -> Vec<Problem> {
        claims.iter().filter_map(|claim| self.problem_of(claim)).collect()
    }

    fn problem_of(&self, claim: &Claim) -> Option<Problem> {
        if let Some(reason) = self.not_applicable.get(&claim.id) {
            let message = format!("{} is claimed but listed as not applicable: {reason}", claim.id);
            return Some(claim.problem(message));
        }
        if self.ids().any(|id| id == claim.id) {
            return None;
        }
        let nearest = self.nearest(&claim.id).join(", ");
        Some(claim.problem(format!("there is no requirement {}; the nearest are {nearest}", claim.id)))
    }

    fn ids(&self) -> impl Iterator<Item = &str> {
        self.specs.iter().flat_map(|spec| &spec.requirements).map(|requirement| requirement.id.as_str())
    }

    fn nearest(&self, wanted: &str) -> Vec<&str> {
        let mut ids: Vec<(usize, &str)> =
            self.ids().map(|id| (strsim::levenshtein(id, wanted), id)).collect();
        ids.sort_by_key(|(distance, _)| *distance);
        ids.into_iter().take(SUGGESTIONS_MAX).map(|(_, id)| id).collect()
    }
}

/// File names start with the number of their specification, so that sorting gives the family's order.
fn sorted_files(folder: &Path) -> anyhow::Result<Vec<std::path::PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("{FOLDER} could not be read"))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(requirements: &[(&str, &str)]) -> Vec<Spec> {
        let requirement = |(id, level): &(&str, &str)| Requirement {
            id: (*id).to_owned(),
            section: None,
            level: (*level).to_owned(),
            text: String::new(),
        };
        let requirements = requirements.iter().map(requirement).collect();
        vec![Spec { key: "CAP".into(), title: String::new(), source: String::new(), requirements }]
    }

    fn refusal(requirements: &[(&str, &str)], not_applicable: &[(&str, &str)]) -> String {
        let reasons = not_applicable.iter().map(|(id, why)| ((*id).into(), (*why).into())).collect();
        Catalogue::new(spec(requirements), reasons).unwrap_err().to_string()
    }

    #[test]
    fn the_projects_own_requirements_load() {
        let catalogue = Catalogue::load(&Workspace::find().unwrap()).unwrap();
        let rows = |key: &str| {
            catalogue.specs.iter().find(|spec| spec.key == key).map_or(0, |spec| spec.requirements.len())
        };
        assert_eq!([rows("CAP"), rows("ACT"), rows("DSC"), rows("AUT")], [47, 147, 135, 122]);
        assert_eq!(rows("EXE"), 178);
    }

    #[test]
    fn inconsistent_lists_are_refused() {
        insta::assert_snapshot!(refusal(&[("A-1", "MUST"), ("A-1", "MAY")], &[]), @"requirement A-1 is listed twice");
        insta::assert_snapshot!(refusal(&[("A-1", "PERHAPS")], &[]), @"requirement A-1 has the unknown level PERHAPS");
        insta::assert_snapshot!(
            refusal(&[("A-1", "MUST")], &[("A-2", "why")]),
            @"conformance/not-applicable.json names the unknown requirement A-2"
        );
        insta::assert_snapshot!(
            refusal(&[("A-1", "MUST")], &[("A-1", " ")]),
            @"conformance/not-applicable.json gives no reason for A-1"
        );
    }

    #[test]
    fn an_unknown_id_is_answered_with_the_nearest() {
        let ids = [("CAP-4-1", "DEF"), ("CAP-4-2", "DEF"), ("CAP-14-1", "DEF"), ("R005-3.1", "GOAL")];
        let catalogue = Catalogue::new(spec(&ids), BTreeMap::new()).unwrap();
        let problems = catalogue.problems_of(&[Claim::new("CAP-4-11", "t", "a.rs", 3)]);
        insta::assert_snapshot!(
            problems[0],
            @"a.rs:3: there is no requirement CAP-4-11; the nearest are CAP-4-1, CAP-4-2, CAP-14-1"
        );
    }

    #[test]
    fn a_claim_of_a_not_applicable_id_is_refused() {
        let reasons = BTreeMap::from([("CAP-4-1".to_owned(), "a premise".to_owned())]);
        let catalogue = Catalogue::new(spec(&[("CAP-4-1", "DEF")]), reasons).unwrap();
        let problems = catalogue.problems_of(&[Claim::new("CAP-4-1", "t", "a.rs", 3)]);
        insta::assert_snapshot!(
            problems[0],
            @"a.rs:3: CAP-4-1 is claimed but listed as not applicable: a premise"
        );
    }
}
