//! Every crate is on the map: ARCHITECTURE.md names it.

use super::Finding;
use super::directions::Package;
use crate::workspace::SourceFile;

const MAP: &str = "ARCHITECTURE.md";

pub(super) fn check(files: &[SourceFile], packages: &[Package]) -> Vec<Finding> {
    let Some(map) = files.iter().find(|file| file.path == MAP) else { return Vec::new() };
    let in_crates = |package: &&Package| {
        let manifest = format!("crates/{}/Cargo.toml", package.name);
        files.iter().any(|file| file.path == manifest)
    };
    let missing = packages.iter().filter(in_crates).filter(|package| !names(&map.text, &package.name));
    missing
        .map(|package| Finding::error(MAP, format!("does not mention the crate {}", package.name)))
        .collect()
}

/// `uiap` is not named by `uiap-web`: the whole word counts.
fn names(text: &str, krate: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '-' && letter != '_')
        .any(|word| word == krate)
}

#[cfg(test)]
mod tests {
    use super::super::{file, shown};
    use super::*;

    fn said_of(map: Option<&str>) -> String {
        let packages = r#"[{"name": "uiap", "dependencies": []}, {"name": "uiap-web", "dependencies": []}, {"name": "xtask", "dependencies": []}]"#;
        let packages: Vec<Package> = serde_json::from_str(packages).unwrap();
        let mut files = vec![file("crates/uiap/Cargo.toml", ""), file("crates/uiap-web/Cargo.toml", "")];
        files.extend(map.map(|text| file(MAP, text)));
        shown(&check(&files, &packages))
    }

    #[test]
    fn a_crate_that_is_not_on_the_map_is_an_error() {
        assert_eq!(said_of(Some("`uiap` and `uiap-web/`")), "");
        assert_eq!(said_of(Some("only uiap-web")), "error: ARCHITECTURE.md: does not mention the crate uiap");
    }

    #[test]
    fn without_a_map_there_is_nothing_to_check() {
        assert_eq!(said_of(None), "");
    }
}
