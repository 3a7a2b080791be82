//! Claims of Rust tests: `uiap_testkit::proves!["CAP-4-1"];` in the body of a test.
//!
//! Start at [`read`]. It walks tokens instead of a syntax tree, because the body of a test may itself be the argument
//! of a macro (`proptest!`), which a syntax tree does not look into.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::{Claim, Found};
use crate::workspace::SourceFile;

pub(super) fn read(file: &SourceFile, found: &mut Found) {
    // Most files claim nothing; they are not worth the parsing.
    if !file.text.contains("proves!") {
        return;
    }
    match file.text.parse::<TokenStream>() {
        Ok(tokens) => {
            let place = Place::of(&file.path);
            Walk { file, found, binary: &place.binary }.walk(tokens, &place.context);
        }
        Err(error) => found.problem(file, 1, format!("not Rust: {error}")),
    }
}

/// Where a file stands in its crate.
struct Place {
    /// The crate, and for an integration test its binary, as cargo-nextest prints them.
    binary: String,
    context: Context,
}

/// What surrounds a token.
#[derive(Clone)]
struct Context {
    /// The names of the modules, outermost first.
    modules: Vec<String>,
    function: Option<Function>,
    /// In the `tests` folder a function without attribute may be run by a harness of its own.
    any_function_is_a_test: bool,
}

#[derive(Clone, Default)]
struct Function {
    name: String,
    is_test: bool,
    is_ignored: bool,
}

impl Place {
    /// Reads `crates/NAME/src/...`, `crates/NAME/tests/...`, `examples/NAME/...` and `xtask/...`.
    fn of(path: &str) -> Self {
        let mut parts = path.split('/').peekable();
        let package = parts.next_if_eq(&"xtask").or_else(|| parts.nth(1)).unwrap_or_default();
        let in_tests = parts.next() == Some("tests");
        let names = parts.map(|part| part.strip_suffix(".rs").unwrap_or(part));
        let mut modules: Vec<String> =
            names.filter(|name| !["lib", "main", "mod"].contains(name)).map(str::to_owned).collect();
        let binary = match modules.first() {
            Some(test) if in_tests => format!("{package}::{test}"),
            _ => package.to_owned(),
        };
        modules.drain(..usize::from(in_tests && !modules.is_empty()));
        Self { binary, context: Context { modules, function: None, any_function_is_a_test: in_tests } }
    }
}

struct Walk<'a> {
    file: &'a SourceFile,
    found: &'a mut Found,
    binary: &'a str,
}

impl Walk<'_> {
    fn walk(&mut self, tokens: TokenStream, context: &Context) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut rest = tokens.as_slice();
        // Attributes seen since the last item, and the function whose body is still to come.
        let mut next = Function::default();
        let mut announced: Option<Function> = None;
        loop {
            match rest {
                [] => break,
                [TokenTree::Punct(hash), TokenTree::Group(attribute), ..] if hash.as_char() == '#' => {
                    next.note_attribute(attribute);
                    rest = rest.get(2..).unwrap_or_default();
                    continue;
                }
                // The definition of `proves!` is not a claim.
                [TokenTree::Ident(keyword), _, TokenTree::Ident(name), TokenTree::Group(_), ..]
                    if keyword == "macro_rules" && name == "proves" =>
                {
                    rest = rest.get(4..).unwrap_or_default();
                    continue;
                }
                [TokenTree::Ident(keyword), TokenTree::Ident(name), ..] if keyword == "fn" => {
                    announced = Some(Function { name: name.to_string(), ..std::mem::take(&mut next) });
                }
                [TokenTree::Ident(keyword), TokenTree::Ident(name), TokenTree::Group(body), ..]
                    if keyword == "mod" =>
                {
                    self.walk(body.stream(), &context.in_module(name.to_string()));
                    next = Function::default();
                    rest = rest.get(3..).unwrap_or_default();
                    continue;
                }
                [TokenTree::Ident(name), TokenTree::Punct(bang), TokenTree::Group(ids), ..]
                    if name == "proves" && bang.as_char() == '!' =>
                {
                    self.claim(ids, name.span().start().line, context);
                }
                [TokenTree::Group(group), ..] if group.delimiter() == Delimiter::Brace => {
                    let inside = announced
                        .take()
                        .map_or_else(|| context.clone(), |function| context.in_function(function));
                    self.walk(group.stream(), &inside);
                    next = Function::default();
                }
                [TokenTree::Group(group), ..] => self.walk(group.stream(), context),
                [TokenTree::Punct(punct), ..] if punct.as_char() == ';' => {
                    next = Function::default();
                    announced = None;
                }
                _ => {}
            }
            rest = rest.get(1..).unwrap_or_default();
        }
    }

    fn claim(&mut self, ids: &Group, line: usize, context: &Context) {
        let Some(function) = context.function.as_ref() else {
            return self.found.problem(self.file, line, "a claim must stand in the body of a test");
        };
        if function.is_ignored {
            return self.found.problem(self.file, line, "a test that is ignored proves nothing");
        }
        if !function.is_test && !context.any_function_is_a_test {
            let message = format!("a claim must stand in a test, and `{}` is none", function.name);
            return self.found.problem(self.file, line, message);
        }
        let test = format!("{} {}", self.binary, context.path_of(&function.name));
        for literal in ids.stream().into_iter().filter(|token| matches!(token, TokenTree::Literal(_))) {
            let id = literal.to_string();
            self.found.claims.push(Claim::new(id.trim_matches('"'), &test, &self.file.path, line));
        }
    }
}

impl Context {
    fn in_module(&self, name: String) -> Self {
        let mut inside = self.clone();
        inside.modules.push(name);
        inside
    }

    fn in_function(&self, function: Function) -> Self {
        Self { function: Some(function), ..self.clone() }
    }

    fn path_of(&self, function: &str) -> String {
        let names = self.modules.iter().map(String::as_str).chain([function]);
        names.collect::<Vec<_>>().join("::")
    }
}

impl Function {
    /// Some attributes say whether the function that follows is a test, and whether it runs.
    fn note_attribute(&mut self, attribute: &Group) {
        let path_end = |token: &TokenTree| matches!(token, TokenTree::Ident(_) | TokenTree::Punct(_));
        let words = attribute.stream().into_iter().take_while(path_end).filter_map(|token| match token {
            TokenTree::Ident(word) => Some(word.to_string()),
            _ => None,
        });
        let words: Vec<String> = words.collect();
        self.is_test |= words.last().is_some_and(|word| word == "test");
        self.is_ignored |= words.first().is_some_and(|word| word == "ignore");
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_as_text;

    fn read(text: &str) -> String {
        read_as_text("crates/uiap-protocol/src/core/envelope.rs", text)
    }

    #[test]
    fn a_test_is_named_with_crate_and_modules() {
        let claim = "#[test]\nfn works() {\n    uiap_testkit::proves![\"CORE-1\", \"CORE-2\"];\n}";
        assert_eq!(
            read(&format!("mod tests {{ {claim} }}")),
            "CORE-1 <- uiap-protocol core::envelope::tests::works\nCORE-2 <- uiap-protocol core::envelope::tests::works"
        );
        let first = |path: &str| read_as_text(path, claim).lines().next().unwrap_or_default().to_owned();
        assert_eq!(first("crates/uiap/src/lib.rs"), "CORE-1 <- uiap works");
        assert_eq!(first("crates/uiap/tests/cli.rs"), "CORE-1 <- uiap::cli works");
        assert_eq!(first("crates/uiap/tests/cli/main.rs"), "CORE-1 <- uiap::cli works");
        assert_eq!(first("crates/uiap/tests/cli/check.rs"), "CORE-1 <- uiap::cli check::works");
        assert_eq!(first("examples/videoland/src/state.rs"), "CORE-1 <- videoland state::works");
        assert_eq!(first("xtask/src/tidy/size.rs"), "CORE-1 <- xtask tidy::size::works");
    }

    #[test]
    fn asynchronous_and_property_tests_claim_too() {
        assert_eq!(
            read("#[tokio::test(flavor = \"current_thread\")]\nasync fn works() { proves![\"CORE-1\"]; }"),
            "CORE-1 <- uiap-protocol core::envelope::works"
        );
        assert_eq!(
            read("proptest! { #[test] fn holds(a in 0..9) { proves![\"CORE-1\"]; prop_assert!(a < 9); } }"),
            "CORE-1 <- uiap-protocol core::envelope::holds"
        );
    }

    #[test]
    fn a_function_of_a_harness_needs_no_attribute() {
        let harness = "fn case(path: &Path) -> Result<()> { proves![\"CORE-1\"]; Ok(()) }\nharness!(case);";
        assert_eq!(read_as_text("crates/uiap/tests/cases.rs", harness), "CORE-1 <- uiap::cases case");
        assert_eq!(
            read(harness),
            "crates/uiap-protocol/src/core/envelope.rs:1: a claim must stand in a test, and `case` is none"
        );
    }

    #[test]
    fn an_ignored_test_and_no_test_prove_nothing() {
        let ignored = concat!("#[test]\n#[ig", "nore = \"slow\"]\nfn works() { proves![\"CORE-1\"]; }");
        assert_eq!(
            read(ignored),
            "crates/uiap-protocol/src/core/envelope.rs:3: a test that is ignored proves nothing"
        );
        assert_eq!(
            read("const _: () = proves![\"CORE-1\"];"),
            "crates/uiap-protocol/src/core/envelope.rs:1: a claim must stand in the body of a test"
        );
    }

    #[test]
    fn attributes_belong_to_the_next_item_only() {
        assert_eq!(
            read("#[test]\nfn a() {}\nfn b() { proves![\"CORE-1\"]; }"),
            "crates/uiap-protocol/src/core/envelope.rs:3: a claim must stand in a test, and `b` is none"
        );
    }

    #[test]
    fn comments_strings_and_the_macro_itself_are_no_claims() {
        assert_eq!(read("/// proves![\"CORE-1\"];\nfn a() { let b = \"proves![]\"; }"), "");
        assert_eq!(read("macro_rules! proves { ($($id:literal),+) => { proves!($id) }; }\nfn a() {}"), "");
    }
}
