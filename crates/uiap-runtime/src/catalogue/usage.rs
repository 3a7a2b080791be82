//! How each native action is asked for: what it does, what it takes, other words for it, and examples that work.
//!
//! Start at [`Native::usage`]. These entries are the one source of tool descriptions, help texts and the check for
//! unknown arguments. Every example is performed by a test on a real page, at the command line and through MCP.

use super::Native;
use uiap_protocol::capability::PrimitiveAction as Primitive;

/// How an action is asked for.
#[derive(Debug)]
pub struct ActionUsage {
    /// What it does, as the beginning of a sentence.
    pub summary: &'static str,
    /// What it takes.
    pub arguments: &'static [ArgumentUsage],
    /// The arguments exclude each other: one of them is given.
    pub takes_one_argument: bool,
    /// Other words that people and models use for it.
    pub synonyms: &'static [&'static str],
    /// It is described to every model; the others are in the help text only.
    pub is_common: bool,
    /// Requests that work on a page that has the target.
    pub examples: &'static [ActionExample],
}

/// One argument of an action.
#[derive(Debug)]
pub struct ArgumentUsage {
    /// Its name in an `action.request`.
    pub name: &'static str,
    /// The name that descriptions use, where it is another one; both are taken.
    pub shown_as: Option<&'static str>,
    /// What its value looks like.
    pub form: ArgumentForm,
    /// It is described to every model; the others are in the help text only.
    pub is_common: bool,
}

/// What the value of an argument looks like.
#[derive(Clone, Copy, Debug)]
pub enum ArgumentForm {
    /// A text.
    Text,
    /// A text, a number, or true or false.
    Value,
    /// A number.
    Number,
    /// True or false.
    Flag,
    /// A list of texts.
    Texts,
    /// One of these words; the first of a pair is the one of an `action.request`, the second the one that
    /// descriptions use. Both are taken.
    Words(&'static [(&'static str, &'static str)]),
    /// A list of absolute paths of files.
    Files,
    /// An object.
    Object,
}

/// A request that works.
#[derive(Debug)]
pub struct ActionExample {
    /// Its target, in the short form.
    pub target: Option<&'static str>,
    /// Its arguments: names with their values as JSON.
    pub arguments: &'static [(&'static str, &'static str)],
}

impl ArgumentUsage {
    /// The name that descriptions use.
    pub fn shown_name(&self) -> &'static str {
        self.shown_as.unwrap_or(self.name)
    }

    /// Its name and the form of its value, in a few characters.
    fn signature(&self) -> String {
        let name = self.shown_name();
        match self.form {
            ArgumentForm::Text | ArgumentForm::Value => name.to_owned(),
            ArgumentForm::Number => format!("{name}: number"),
            ArgumentForm::Flag => format!("{name}: true|false"),
            ArgumentForm::Texts => format!("{name}: [text]"),
            ArgumentForm::Words(words) => {
                let words: Vec<_> = words.iter().map(|(_, shown)| *shown).collect();
                format!("{name}: {}", words.join("|"))
            }
            ArgumentForm::Files => format!("{name}: [path]"),
            ArgumentForm::Object => format!("{name}: {{}}"),
        }
    }
}

impl ActionUsage {
    /// What it takes, such as `{text, append: true|false}`; empty if it takes nothing.
    pub fn signature(&self, only_common: bool) -> String {
        let shown = self.arguments.iter().filter(|argument| argument.is_common || !only_common);
        let shown: Vec<_> = shown.map(ArgumentUsage::signature).collect();
        let separator = if self.takes_one_argument { " or " } else { ", " };
        if shown.is_empty() { String::new() } else { format!("{{{}}}", shown.join(separator)) }
    }

    /// The names of its arguments in an `action.request`.
    pub fn argument_names(&self) -> Vec<&'static str> {
        self.arguments.iter().map(|argument| argument.name).collect()
    }
}

impl Native {
    /// Every action with its id.
    pub fn all() -> impl Iterator<Item = (&'static str, Self)> {
        Self::words().filter_map(|id| Some((id, Self::from_word(id)?)))
    }

    /// The ids of the actions that a word is another word for.
    pub fn called(word: &str) -> impl Iterator<Item = &'static str> {
        let word = Self::short_word(word).to_ascii_lowercase();
        let is_called = move |usage: &ActionUsage| usage.synonyms.contains(&word.as_str());
        Self::all().filter(move |(_, native)| is_called(native.usage())).map(|(id, _)| id)
    }

    /// The last word of an id, by which a native action can be asked for.
    pub fn short_word(id: &str) -> &str {
        id.rsplit('.').next().unwrap_or(id)
    }

    /// How it is asked for.
    pub fn usage(self) -> &'static ActionUsage {
        match self {
            Self::Primitive(primitive) => match primitive {
                Primitive::Read => &READ,
                Primitive::Focus => &FOCUS,
                Primitive::Highlight => &HIGHLIGHT,
                Primitive::Hover => &HOVER,
                Primitive::Activate => &ACTIVATE,
                Primitive::EnterText => &ENTER_TEXT,
                Primitive::ClearText => &CLEAR_TEXT,
                Primitive::SetValue => &SET_VALUE,
                Primitive::Choose => &CHOOSE,
                Primitive::Toggle => &TOGGLE,
                Primitive::Expand => &EXPAND,
                Primitive::Collapse => &COLLAPSE,
                Primitive::Open => &OPEN,
                Primitive::Close => &CLOSE,
                Primitive::ScrollIntoView => &SCROLL_INTO_VIEW,
                Primitive::Scroll => &SCROLL,
                Primitive::Submit => &SUBMIT,
                Primitive::Upload => &UPLOAD,
                Primitive::Navigate => &NAVIGATE,
                Primitive::Invoke => &INVOKE,
            },
            Self::LongPress => &LONG_PRESS,
            Self::Pinch => &PINCH,
        }
    }
}

const fn common(name: &'static str, form: ArgumentForm) -> ArgumentUsage {
    ArgumentUsage { name, shown_as: None, form, is_common: true }
}

const fn rare(name: &'static str, form: ArgumentForm) -> ArgumentUsage {
    ArgumentUsage { name, shown_as: None, form, is_common: false }
}

const fn on(target: &'static str, arguments: &'static [(&'static str, &'static str)]) -> ActionExample {
    ActionExample { target: Some(target), arguments }
}

const fn anywhere(arguments: &'static [(&'static str, &'static str)]) -> ActionExample {
    ActionExample { target: None, arguments }
}

/// An action that takes nothing.
const fn plain(
    summary: &'static str,
    synonyms: &'static [&'static str],
    examples: &'static [ActionExample],
) -> ActionUsage {
    with(summary, &[], synonyms, examples)
}

const fn with(
    summary: &'static str,
    arguments: &'static [ArgumentUsage],
    synonyms: &'static [&'static str],
    examples: &'static [ActionExample],
) -> ActionUsage {
    ActionUsage { summary, arguments, takes_one_argument: false, synonyms, is_common: true, examples }
}

static ACTIVATE: ActionUsage = plain(
    "press a button, a link or whatever can be pressed",
    &["click", "press", "tap", "push"],
    &[on("button \"Save\"", &[])],
);
static ENTER_TEXT: ActionUsage = with(
    "write into a field, in place of what is there",
    &[
        common("text", ArgumentForm::Text),
        common("append", ArgumentForm::Flag),
        rare("clear", ArgumentForm::Flag),
    ],
    &["type", "fill", "write", "input"],
    &[
        on("textbox \"Name\"", &[("text", "\"Ada\"")]),
        on("textbox \"Name\"", &[("text", "\" Lovelace\""), ("append", "true")]),
        on("textbox \"Name\"", &[("text", "\"Grace\""), ("append", "false")]),
        on("textbox \"Name\"", &[("text", "\"Dr. \""), ("clear", "false")]),
    ],
);
static CLEAR_TEXT: ActionUsage =
    plain("empty a field", &["clear", "erase"], &[on("textbox \"Nickname\"", &[])]);
static SET_VALUE: ActionUsage = with(
    "bring a slider, a date or a number to a value",
    &[common("value", ArgumentForm::Value), rare("tolerance", ArgumentForm::Number)],
    &["set", "slide"],
    &[
        on("slider \"Volume\"", &[("value", "5")]),
        on("slider \"Volume\"", &[("value", "7"), ("tolerance", "1")]),
    ],
);
static CHOOSE: ActionUsage = ActionUsage {
    takes_one_argument: true,
    ..with(
        "choose from a list, by what it shows or by its values",
        &[
            common("label", ArgumentForm::Text),
            common("labels", ArgumentForm::Texts),
            rare("value", ArgumentForm::Text),
            rare("values", ArgumentForm::Texts),
            rare("index", ArgumentForm::Number),
        ],
        &["select", "pick", "option"],
        &[
            on("combobox \"Country\"", &[("label", "\"Norway\"")]),
            on("listbox \"Languages\"", &[("labels", "[\"English\",\"Norwegian\"]")]),
            on("combobox \"Country\"", &[("value", "\"no\"")]),
            on("listbox \"Languages\"", &[("values", "[\"en\",\"nb\"]")]),
            on("combobox \"Country\"", &[("index", "1")]),
        ],
    )
};
static TOGGLE: ActionUsage = with(
    "switch a checkbox or a switch; without an argument to its other state",
    &[ArgumentUsage { name: "to", shown_as: Some("checked"), form: ArgumentForm::Flag, is_common: true }],
    &["check", "uncheck", "tick", "switch"],
    &[
        on("checkbox \"Subscribe\"", &[("checked", "true")]),
        on("checkbox \"Subscribe\"", &[("checked", "false")]),
        on("checkbox \"Subscribe\"", &[]),
    ],
);
static EXPAND: ActionUsage = plain("unfold what is folded", &["unfold"], &[on("button \"Details\"", &[])]);
static COLLAPSE: ActionUsage = plain("fold what is unfolded", &["fold"], &[on("button \"History\"", &[])]);
static OPEN: ActionUsage = plain("open a menu, a list or a dialog", &["show"], &[on("button \"Menu\"", &[])]);
static CLOSE: ActionUsage =
    plain("close a dialog or a menu", &["dismiss", "hide"], &[on("dialog \"Tips\"", &[])]);
static SUBMIT: ActionUsage =
    plain("send the form that the target belongs to", &["send"], &[on("textbox \"Search\"", &[])]);
static UPLOAD: ActionUsage = with(
    "hand files of this machine over, by their absolute paths",
    &[common("files", ArgumentForm::Files)],
    &["attach", "file"],
    &[on("fileinput \"Attachment\"", &[("files", "[\"/path/to/report.pdf\"]")])],
);
static FOCUS: ActionUsage = plain("put the cursor there", &[], &[on("textbox \"Name\"", &[])]);
static HOVER: ActionUsage = with(
    "move the pointer there",
    &[rare("durationMs", ArgumentForm::Number)],
    &["mouseover", "point"],
    &[on("button \"Save\"", &[]), on("button \"Save\"", &[("durationMs", "100")])],
);
static SCROLL: ActionUsage = ActionUsage {
    takes_one_argument: true,
    ..with(
        "scroll an area, or the page if no target is named",
        &[
            common("to", ArgumentForm::Words(&[("start", "top"), ("end", "bottom")])),
            common("dy", ArgumentForm::Number),
            rare("dx", ArgumentForm::Number),
        ],
        &["wheel", "swipe"],
        &[
            anywhere(&[("to", "\"bottom\"")]),
            anywhere(&[("to", "\"top\"")]),
            anywhere(&[("dy", "400")]),
            anywhere(&[("dx", "50")]),
        ],
    )
};
static SCROLL_INTO_VIEW: ActionUsage = with(
    "scroll until it is in view",
    &[rare(
        "block",
        ArgumentForm::Words(&[
            ("start", "start"),
            ("center", "center"),
            ("end", "end"),
            ("nearest", "nearest"),
        ]),
    )],
    &["reveal"],
    &[on("link \"Imprint\"", &[]), on("link \"Imprint\"", &[("block", "\"center\"")])],
);
static NAVIGATE: ActionUsage = with(
    "go to an address, to a route of the application, or where the target leads",
    &[
        common("url", ArgumentForm::Text),
        rare("route", ArgumentForm::Text),
        rare("params", ArgumentForm::Object),
    ],
    &["goto", "visit", "browse"],
    &[anywhere(&[("url", "\"/videos\"")]), anywhere(&[("route", "\"video\""), ("params", "{\"id\":\"1\"}")])],
);
static READ: ActionUsage = ActionUsage {
    is_common: false,
    ..with(
        "read one element",
        &[rare("fields", ArgumentForm::Texts)],
        &["get", "text"],
        &[on("textbox \"Name\"", &[]), on("textbox \"Name\"", &[("fields", "[\"state\",\"value\"]")])],
    )
};
/// The surfaces of today cannot do it, so there is no example.
static HIGHLIGHT: ActionUsage = ActionUsage {
    is_common: false,
    ..with(
        "show it to the person who looks on",
        &[rare(
            "style",
            ArgumentForm::Words(&[("none", "none"), ("outline", "outline"), ("spotlight", "spotlight")]),
        )],
        &["mark"],
        &[],
    )
};
static LONG_PRESS: ActionUsage = ActionUsage {
    is_common: false,
    ..with(
        "hold a finger on it",
        &[rare("durationMs", ArgumentForm::Number)],
        &["hold", "longpress"],
        &[on("button \"Hold\"", &[]), on("button \"Hold\"", &[("durationMs", "700")])],
    )
};
static PINCH: ActionUsage = ActionUsage {
    is_common: false,
    ..with(
        "spread two fingers on it, or bring them together",
        &[rare("scale", ArgumentForm::Number)],
        &["zoom"],
        &[anywhere(&[("scale", "2")])],
    )
};
/// An application's own action is asked for by its own id, which is simpler.
static INVOKE: ActionUsage = ActionUsage {
    is_common: false,
    ..with(
        "an action of the application, by its id",
        &[rare("action", ArgumentForm::Text), rare("args", ArgumentForm::Object)],
        &[],
        &[],
    )
};
