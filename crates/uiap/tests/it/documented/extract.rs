//! The calls that a text shows.

/// The commands in a document: those of its blocks, which begin with `$ `, and those in the running text.
pub(super) fn commands(document: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut prose = String::new();
    let mut block = None;
    for line in document.lines() {
        match (line.strip_prefix("```"), block) {
            (Some(language), None) => block = Some(language),
            (Some(_), Some(_)) => block = None,
            (None, None) => prose = prose + line + " ",
            (None, Some("console")) => commands.extend(line.strip_prefix("$ ").map(str::to_owned)),
            (None, Some(_)) => {}
        }
    }
    let spans = prose.split('`').skip(1).step_by(2);
    commands.extend(spans.filter(|span| span.starts_with("uiap ")).map(str::to_owned));
    commands.retain(|command| command.contains("uiap ") && !command.starts_with("cargo "));
    commands
}

/// The commands in a help text: lines that begin with the name of the program, up to a remark behind them.
pub(super) fn examples(help: &str) -> Vec<String> {
    let joined = help.split("\\\n").map(str::trim_start).collect::<Vec<_>>().join("");
    let lines = joined.lines().map(str::trim).filter(|line| line.starts_with("uiap "));
    lines.map(|line| line.split("   ").next().unwrap_or(line).to_owned()).collect()
}

/// The blocks of a document in one language.
pub(super) fn blocks<'d>(document: &'d str, language: &str) -> Vec<&'d str> {
    let opening = format!("```{language}\n");
    let parts = document.split(opening.as_str()).skip(1);
    parts.filter_map(|part| part.split("```").next()).collect()
}

/// An action with what it takes, as a description lists it: `scroll {to: top|bottom or dy: number}`.
#[derive(Debug, PartialEq)]
pub(super) struct Described {
    pub(super) action: String,
    /// Names, each with the words that its value may be.
    pub(super) arguments: Vec<(String, Vec<String>)>,
}

/// The actions in the description of a tool: what stands between `Actions: ` and `, or one of`.
pub(super) fn actions(description: &str) -> Vec<Described> {
    let (_, list) = description.split_once("Actions: ").expect("it lists actions");
    let (list, _) = list.split_once(", or one of").expect("the list ends");
    let mut depth = 0;
    let is_end = |letter: char| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == ',' && depth == 0
    };
    list.split(is_end).map(described).collect()
}

fn described(text: &str) -> Described {
    let (action, arguments) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    let arguments = arguments.trim_matches(['{', '}']).replace(" or ", ", ");
    let arguments = arguments.split(", ").filter(|argument| !argument.is_empty()).map(|argument| {
        let (name, form) = argument.split_once(": ").unwrap_or((argument, ""));
        let words = form.split('|').filter(|_| form.contains('|')).map(str::to_owned);
        (name.to_owned(), words.collect())
    });
    Described { action: action.to_owned(), arguments: arguments.collect() }
}

#[test]
fn calls_are_found_in_every_form_in_which_they_are_shown() {
    let document = "Say `uiap look URL\n--find x` or `--find y`.\n```console\n$ uiap doctor\ngood\n$ cat a | uiap check -\n```\n\
                    ```json\n{}\n```\n";
    assert_eq!(commands(document), ["uiap doctor", "cat a | uiap check -", "uiap look URL --find x"]);
    assert_eq!(blocks(document, "json"), ["{}\n"]);
    let help =
        "Examples:\n  uiap act URL focus   a remark\n  uiap act URL a \\\n    --key b\nText: `uiap look`";
    assert_eq!(examples(help), ["uiap act URL focus", "uiap act URL a --key b"]);
    let described =
        actions("Do. Actions: focus, scroll {to: top|bottom or dy: number}, or one of the others");
    assert_eq!(described.first().map(|described| described.action.as_str()), Some("focus"));
    let scroll = described.get(1).expect("the second");
    let words = vec!["top".to_owned(), "bottom".to_owned()];
    assert_eq!(scroll.arguments, [("to".to_owned(), words), ("dy".to_owned(), Vec::new())]);
}
