//! The rules as documentation.

use std::path::Path;
use uiap_authoring::breaking::rules_page;

/// Behind this line the page is written by the table.
const MARK: &str =
    "<!-- What follows is written from the table of rules; `uiap breaking --rules` prints it. -->\n\n";

#[test]
fn the_page_lists_the_rules_as_they_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/breaking.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let (_, written) = page.split_once(MARK).expect("the page has the mark");
    assert!(
        written == rules_page(),
        "docs/breaking.md is not current: put there what `uiap breaking --rules` prints"
    );
}
