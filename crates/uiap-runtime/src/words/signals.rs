//! The short forms of signals, as descriptions list them.

/// A short form of a signal.
#[derive(Debug)]
pub struct SignalForm {
    /// What stands before the colon.
    pub word: &'static str,
    /// What stands behind it; empty if nothing need.
    pub rest: &'static str,
    /// It is described to every model; the others are in the help text only.
    pub is_common: bool,
    /// One that can be observed on a page that shows it.
    pub example: &'static str,
}

const fn form(word: &'static str, rest: &'static str, example: &'static str) -> SignalForm {
    SignalForm { word, rest, is_common: true, example }
}

const fn rare(word: &'static str, rest: &'static str, example: &'static str) -> SignalForm {
    SignalForm { word, rest, is_common: false, example }
}

/// The short forms, in the order in which they are described.
pub static SIGNAL_FORMS: [SignalForm; 14] = [
    form("toast", "TEXT", "toast:Saved"),
    form("status", "TEXT", "status:3 of 3 done"),
    form("route", "PATTERN", "route:/videos"),
    form("appeared", "TARGET", "appeared:button \"Undo\""),
    form("disappeared", "TARGET", "disappeared:button \"Undo\""),
    form("value", "TARGET=TEXT", "value:textbox \"Name\"=Ada"),
    form("dialog.opened", "", "dialog.opened"),
    form("dialog.closed", "", "dialog.closed"),
    form("response", "STATUS PATTERN", "response:200 /api/**"),
    rare("validation.none", "", "validation.none"),
    rare("entity.created", "TYPE", "entity.created:video"),
    rare("entity.updated", "TYPE", "entity.updated:video"),
    rare("entity.deleted", "TYPE", "entity.deleted:video"),
    rare("custom", "NAME", "custom:export.ready"),
];

/// The forms as a list for people and models.
pub fn signal_forms(only_common: bool) -> String {
    let shown = SIGNAL_FORMS.iter().filter(|form| form.is_common || !only_common);
    let shown = shown.map(|form| match form.rest {
        "" => form.word.to_owned(),
        rest => format!("{}:{rest}", form.word),
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// The words that begin a short form.
pub(super) fn signal_words() -> impl Iterator<Item = &'static str> {
    SIGNAL_FORMS.iter().map(|form| form.word)
}
