//! What icons command that stand in place of a name. Only what is drawn for nothing else counts: a cart leads to a shop
//! as often as it buys.

use super::Deed;

/// Whole words of the names that sets of icons give theirs.
const COMMANDS: &[(&str, Deed)] = &[
    ("trash", Deed::Destroy),
    ("trashcan", Deed::Destroy),
    ("delete", Deed::Destroy),
    ("bin", Deed::Destroy),
    ("dumpster", Deed::Destroy),
    ("remove", Deed::Destroy),
    ("credit-card", Deed::Pay),
    ("send", Deed::Send),
    ("paper-plane", Deed::Send),
    ("share", Deed::Publish),
    ("publish", Deed::Publish),
    ("user-plus", Deed::Grant),
    ("user-add", Deed::Grant),
    ("person-plus", Deed::Grant),
    ("person-add", Deed::Grant),
    ("account-plus", Deed::Grant),
];

/// What an icon such as `trash-can` commands, and by which words of its name.
pub(super) fn command(icon: &str) -> Option<(Deed, &'static str)> {
    let spaced = format!("-{icon}-");
    let found = COMMANDS.iter().find(|(words, _)| spaced.contains(&format!("-{words}-")));
    found.map(|(words, deed)| (*deed, *words))
}
