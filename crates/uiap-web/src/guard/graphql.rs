//! Is a text a GraphQL document that only asks? Start at [`read`].
//!
//! The whole grammar of executable documents is followed, so that nothing else is taken for one, and a mutation can
//! hide nowhere: not behind a comment, in a string or in a second operation.

/// Most tokens of a document.
const TOKENS_MAX: usize = 100_000;
/// Deepest selection or value.
const DEPTH_MAX: usize = 64;

/// What a text is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Document<'a> {
    /// Queries and fragments only; with the fields that the queries ask for at the top, and those of fragments on what
    /// is called like the type of queries.
    Queries(Vec<&'a str>),
    /// There is a mutation or a subscription in it.
    Writes,
    /// Something else.
    Stranger,
}

/// Reads a document.
pub(super) fn read(text: &str) -> Document<'_> {
    let Some(tokens) = tokens(text) else { return Document::Stranger };
    let mut reader = Reader { tokens: &tokens, at: 0, roots: Vec::new(), writes: false, queries: 0 };
    match reader.document() {
        None => Document::Stranger,
        Some(()) if reader.writes => Document::Writes,
        // Fragments alone ask for nothing.
        Some(()) if reader.queries == 0 => Document::Stranger,
        Some(()) => Document::Queries(reader.roots),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Name(&'a str),
    Mark(char),
    Spread,
    /// A number or a string.
    Scalar,
}

fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start_matches('\u{feff}');
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\r', '\n', ',']);
        let Some(first) = rest.chars().next() else { return Some(tokens) };
        if tokens.len() == TOKENS_MAX {
            return None;
        }
        let (token, len) = match first {
            '#' => {
                rest = rest.split_once(['\n', '\r']).map_or("", |(_, rest)| rest);
                continue;
            }
            '.' if rest.starts_with("...") => (Token::Spread, 3),
            '!' | '$' | '&' | '(' | ')' | ':' | '=' | '@' | '[' | ']' | '{' | '|' | '}' => {
                (Token::Mark(first), 1)
            }
            '"' => (Token::Scalar, string(rest)?),
            '-' | '0'..='9' => {
                let is_number = |next: char| next.is_ascii_alphanumeric() || matches!(next, '.' | '+' | '-');
                (Token::Scalar, rest.find(|next| !is_number(next)).unwrap_or(rest.len()))
            }
            'A'..='Z' | 'a'..='z' | '_' => {
                let is_name = |next: char| next.is_ascii_alphanumeric() || next == '_';
                let len = rest.find(|next| !is_name(next)).unwrap_or(rest.len());
                (Token::Name(rest.get(..len)?), len)
            }
            _ => return None,
        };
        tokens.push(token);
        rest = rest.get(len..)?;
    }
}

/// The length of the string that a text begins with.
fn string(text: &str) -> Option<usize> {
    if let Some(block) = text.strip_prefix("\"\"\"") {
        let mut from = 0;
        loop {
            let end = from + block.get(from..)?.find("\"\"\"")?;
            if !block.get(..end)?.ends_with('\\') {
                return Some(end + 6);
            }
            from = end + 3;
        }
    }
    let mut escaped = false;
    for (place, next) in text.char_indices().skip(1) {
        match next {
            '\n' | '\r' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(place + 1),
            _ => {}
        }
    }
    None
}

struct Reader<'t, 'a> {
    tokens: &'t [Token<'a>],
    at: usize,
    roots: Vec<&'a str>,
    writes: bool,
    queries: usize,
}

impl<'a> Reader<'_, 'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    fn next(&mut self) -> Option<Token<'a>> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }

    fn take(&mut self, wanted: Token<'_>) -> bool {
        let is_there = self.peek() == Some(wanted);
        self.at += usize::from(is_there);
        is_there
    }

    fn mark(&mut self, wanted: char) -> Option<()> {
        self.take(Token::Mark(wanted)).then_some(())
    }

    fn name(&mut self) -> Option<&'a str> {
        match self.next()? {
            Token::Name(name) => Some(name),
            _ => None,
        }
    }

    fn document(&mut self) -> Option<()> {
        while let Some(token) = self.peek() {
            match token {
                Token::Mark('{') => {
                    self.queries += 1;
                    self.selections(1, true)?;
                }
                Token::Name("query") => {
                    self.queries += 1;
                    self.operation(true)?;
                }
                Token::Name("mutation" | "subscription") => {
                    self.writes = true;
                    self.operation(false)?;
                }
                Token::Name("fragment") => self.fragment()?,
                _ => return None,
            }
        }
        Some(())
    }

    fn operation(&mut self, is_query: bool) -> Option<()> {
        self.next()?;
        if matches!(self.peek(), Some(Token::Name(_))) {
            self.next()?;
        }
        if self.take(Token::Mark('(')) {
            while !self.take(Token::Mark(')')) {
                self.variable()?;
            }
        }
        self.directives()?;
        self.selections(1, is_query)
    }

    fn fragment(&mut self) -> Option<()> {
        self.next()?;
        self.name().filter(|name| *name != "on")?;
        self.name().filter(|name| *name == "on")?;
        let is_root = self.name()?.to_ascii_lowercase().contains("query");
        self.directives()?;
        self.selections(1, is_root)
    }

    fn variable(&mut self) -> Option<()> {
        self.mark('$')?;
        self.name()?;
        self.mark(':')?;
        let mut lists = 0;
        while self.take(Token::Mark('[')) {
            lists += 1;
        }
        self.name()?;
        self.take(Token::Mark('!'));
        for _ in 0..lists {
            self.mark(']')?;
            self.take(Token::Mark('!'));
        }
        if self.take(Token::Mark('=')) {
            self.value(1)?;
        }
        self.directives()
    }

    fn selections(&mut self, depth: usize, is_root: bool) -> Option<()> {
        self.mark('{')?;
        let mut count = 0;
        while !self.take(Token::Mark('}')) {
            self.selection(depth, is_root)?;
            count += 1;
        }
        (count > 0 && depth <= DEPTH_MAX).then_some(())
    }

    fn selection(&mut self, depth: usize, is_root: bool) -> Option<()> {
        if self.take(Token::Spread) {
            if self.take(Token::Name("on")) {
                self.name()?;
            } else if matches!(self.peek(), Some(Token::Name(_))) {
                self.next()?;
                return self.directives();
            }
            self.directives()?;
            return self.selections(depth + 1, is_root);
        }
        let mut field = self.name()?;
        if self.take(Token::Mark(':')) {
            field = self.name()?;
        }
        if is_root {
            self.roots.push(field);
        }
        self.arguments()?;
        self.directives()?;
        if self.peek() == Some(Token::Mark('{')) {
            self.selections(depth + 1, false)?;
        }
        Some(())
    }

    fn arguments(&mut self) -> Option<()> {
        if self.take(Token::Mark('(')) {
            while !self.take(Token::Mark(')')) {
                self.name()?;
                self.mark(':')?;
                self.value(1)?;
            }
        }
        Some(())
    }

    fn directives(&mut self) -> Option<()> {
        while self.take(Token::Mark('@')) {
            self.name()?;
            self.arguments()?;
        }
        Some(())
    }

    fn value(&mut self, depth: usize) -> Option<()> {
        if depth > DEPTH_MAX {
            return None;
        }
        match self.next()? {
            Token::Scalar | Token::Name(_) => Some(()),
            Token::Mark('$') => self.name().map(drop),
            Token::Mark('[') => {
                while !self.take(Token::Mark(']')) {
                    self.value(depth + 1)?;
                }
                Some(())
            }
            Token::Mark('{') => {
                while !self.take(Token::Mark('}')) {
                    self.name()?;
                    self.mark(':')?;
                    self.value(depth + 1)?;
                }
                Some(())
            }
            Token::Mark(_) | Token::Spread => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> String {
        match read(text) {
            Document::Queries(roots) => roots.join(" "),
            Document::Writes => "writes".to_owned(),
            Document::Stranger => "stranger".to_owned(),
        }
    }

    #[test]
    fn queries_are_known_by_their_grammar() {
        assert_eq!(said("{ likes }"), "likes");
        assert_eq!(
            said("query { a: likes(first: 3, by: {x: [1, $y]}) @include(if: $b) { id } b }"),
            "likes b"
        );
        assert_eq!(
            said("query Q($ids: [[ID!]!]! = [[\"}\"]], $n: Int = -1.5e+3) { nodes(ids: $ids) { id } }"),
            "nodes"
        );
        assert_eq!(
            said("fragment F on T { mutation } query { ...F, ... on T { x } ... @skip(if: true) { y } }"),
            "x y"
        );
        assert_eq!(said("query { ...F } fragment F on Query { likes { id } }"), "likes");
        assert_eq!(
            said("# mutation\nquery { a(t: \"mutation {\", b: \"\"\"x \\\"\"\" mutation { y }\"\"\") }"),
            "a"
        );
        assert_eq!(said("{ mutation subscription query { on } }"), "mutation subscription query");
    }

    #[test]
    fn a_mutation_hides_nowhere() {
        for text in [
            "mutation { like { likes } }",
            "query A { a } mutation B { b }",
            "#x\nmutation{a}",
            "#\rmutation{a}",
            "\u{feff}mutation @x { a }",
            "subscription { news }",
            "{ a } ,,, subscription S($a: Int) { b }",
            "query { a(t: \"\\\\\") } mutation { b }",
        ] {
            assert_eq!(said(text), "writes", "{text}");
        }
    }

    #[test]
    fn what_is_not_whole_is_a_stranger() {
        for text in [
            "",
            "likes",
            "query",
            "query {",
            "query { }",
            "{ a } b",
            "{ a(b) }",
            "{ \"a\" }",
            "SELECT * FROM x",
            "fragment F on T { a }",
            "{ a(b: \"c) }",
            "type Query { a: Int }",
            "{ a } }",
            "{ a(b: |) }",
            "{ ä }",
            "query { a(t: \"\n\") }",
        ] {
            assert_eq!(said(text), "stranger", "{text}");
        }
        let deep = |depth: usize| format!("{}{}", "{a".repeat(depth), "}".repeat(depth));
        assert_eq!(said(&deep(DEPTH_MAX)), "a");
        assert_eq!(said(&deep(DEPTH_MAX + 1)), "stranger");
        assert_eq!(said(&format!("{{{}}}", "a ".repeat(TOKENS_MAX))), "stranger");
        let lists = format!("{{ a(b: {}) }}", "[".repeat(100_000));
        assert_eq!(said(&lists), "stranger");
    }
}
