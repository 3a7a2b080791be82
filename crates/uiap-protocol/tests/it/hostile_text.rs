//! Text that nobody should have written: every one is refused with a code and a place, and nothing panics.

#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;
use uiap_protocol::check::{Checked, Expectation, check};
use uiap_protocol::finding::{Code, Severity};
use uiap_protocol::kinds::Kind;
use uiap_protocol::text::{DEPTH_MAX, Format, INTEGER_MAX, Limits, TEXT_BYTES_MAX, read, utf8};
use uiap_testkit::DocumentCase;

const JSON: Expectation = Expectation { format: Some(Format::Json), kind: None };
const YAML: Expectation = Expectation { format: Some(Format::Yaml), kind: None };

/// The first error, as `code line:column`, after every finding was checked to stand inside the text.
fn first_error(bytes: &[u8], expectation: Expectation) -> String {
    let Checked { diagnostics, value, .. } = check("hostile", bytes, expectation);
    let text = String::from_utf8_lossy(bytes);
    for found in &diagnostics {
        let line =
            text.split('\n').nth(found.line - 1).unwrap_or_else(|| panic!("there is no line {}", found.line));
        assert!((1..=line.chars().count() + 1).contains(&found.column), "{found:?} in {line:.80}");
        assert!(!found.message.is_empty());
    }
    let error = diagnostics.iter().find(|found| found.severity == Severity::Error);
    assert_eq!(error.is_some(), value.is_none(), "an error and a value exclude each other");
    error.map_or_else(
        || "accepted".to_owned(),
        |error| format!("{} {}:{}", error.code.as_str(), error.line, error.column),
    )
}

fn code_of(bytes: &[u8], expectation: Expectation) -> String {
    first_error(bytes, expectation).split(' ').next().unwrap_or_default().to_owned()
}

fn examples() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/cases/documents");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("cases").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let load = |path: &std::path::PathBuf| {
        let case = DocumentCase::load(&std::fs::read_to_string(path).expect("a case")).expect("a sound case");
        (case.kind, case.document)
    };
    paths.iter().map(load).collect()
}

/// Writes block YAML, so that truncation meets indentation, not only brackets.
fn yaml(value: &Value, indent: usize, text: &mut String) {
    let pad = "  ".repeat(indent);
    let line = |head: String, child: &Value, text: &mut String| match child {
        Value::Object(members) if !members.is_empty() => {
            writeln!(text, "{pad}{head}").expect("a string");
            yaml(child, indent + 1, text);
        }
        Value::Array(items) if !items.is_empty() => {
            writeln!(text, "{pad}{head}").expect("a string");
            yaml(child, indent + 1, text);
        }
        scalar => writeln!(text, "{pad}{head} {scalar}").expect("a string"),
    };
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(name, child)| line(format!("{name}:"), child, text));
        }
        Value::Array(items) => items.iter().for_each(|child| line("-".to_owned(), child, text)),
        scalar => writeln!(text, "{pad}{scalar}").expect("a string"),
    }
}

#[test]
fn every_truncation_of_every_example_is_refused_inside_the_text() {
    uiap_testkit::proves!["AUT-SEC-3"];
    std::thread::scope(|scope| {
        for (kind, document) in examples() {
            scope.spawn(move || refuse_truncations(Kind::named(&kind), &document));
        }
    });
}

fn refuse_truncations(kind: Option<Kind>, document: &Value) {
    let json = serde_json::to_string(document).expect("JSON");
    for end in 0..json.len() {
        let bytes = json.as_bytes().get(..end).unwrap_or_default();
        let expected = match std::str::from_utf8(bytes) {
            Err(_) => "not_utf8",
            Ok("") => "empty_document",
            Ok(_) => "syntax_error",
        };
        assert_eq!(code_of(bytes, Expectation { kind, ..JSON }), expected, "{end} bytes of {json}");
    }
    let mut text = String::new();
    yaml(document, 0, &mut text);
    assert_eq!(read(&text, Format::Yaml, Limits::DOCUMENT).map(|tree| tree.to_json()).as_ref(), Ok(document));
    // Most beginnings of a YAML text are YAML texts, so only the place and the absence of panics is asked.
    for end in 0..text.len() {
        first_error(text.as_bytes().get(..end).unwrap_or_default(), Expectation { kind, ..YAML });
    }
}

#[test]
fn the_bytes_must_be_utf8() {
    uiap_testkit::proves!["CORE-27"];
    let utf16 = |big: bool| -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain("{\"uiap\":\"0.1\"}".encode_utf16());
        units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    };
    for (bytes, expected) in [
        (utf16(true), "not_utf8 1:1"),
        (utf16(false), "not_utf8 1:1"),
        (b"{\"a\": \"\xff\"}".to_vec(), "not_utf8 1:8"),
        (b"{\n\"\xc3\xa4\": \"\xc3\"}".to_vec(), "not_utf8 2:7"),
        (b"{\"a\": \"\xed\xa0\x80\"}".to_vec(), "not_utf8 1:8"),
        (b"{\"a\": \"\xc0\xaf\"}".to_vec(), "not_utf8 1:8"),
        (b"{\"a\": \"\xf4\x90\x80\x80\"}".to_vec(), "not_utf8 1:8"),
        (b"{\"a\": \"\xf0\x9f\x98".to_vec(), "not_utf8 1:8"),
    ] {
        assert_eq!(first_error(&bytes, JSON), expected, "{bytes:?}");
        assert_eq!(first_error(&bytes, YAML), expected, "{bytes:?}");
    }
    let marked = b"\xef\xbb\xbf{\"uiap\": 1}";
    assert_eq!(
        check("a", marked, Expectation::default()).kind.map(Kind::name),
        Some("envelope"),
        "a BOM is skipped"
    );
    assert_eq!(code_of(b"\xef\xbb\xbf", Expectation::default()), "empty_document");
}

#[test]
fn malformed_json_is_refused_where_it_goes_wrong() {
    for (text, expected) in [
        ("", "empty_document 1:1"),
        (" \r\n\t", "empty_document 1:1"),
        ("{", "syntax_error 1:2"),
        ("{\"a\"}", "syntax_error 1:5"),
        ("{\"a\":}", "syntax_error 1:6"),
        ("{\"a\":1,}", "syntax_error 1:8"),
        ("{\"a\":1}\n{}", "syntax_error 2:1"),
        ("{\"ä\": ,", "syntax_error 1:7"),
        ("{\r\n\"a\": \r\n  tru}", "syntax_error 3:3"),
        ("{'a': 1}", "syntax_error 1:2"),
        ("{a: 1}", "syntax_error 1:2"),
        ("[1 2]", "syntax_error 1:4"),
        ("// c\n{}", "syntax_error 1:1"),
        ("{\"a\": NaN}", "syntax_error 1:7"),
        ("{\"a\": Infinity}", "syntax_error 1:7"),
        ("{\"a\": +1}", "syntax_error 1:7"),
        ("{\"a\": 01}", "syntax_error 1:8"),
        ("{\"a\": .5}", "syntax_error 1:7"),
        ("{\"a\": 1.}", "syntax_error 1:9"),
        ("{\"a\": 1e}", "syntax_error 1:9"),
        ("{\"a\": -}", "syntax_error 1:8"),
        ("{\"a\": 0x10}", "syntax_error 1:8"),
        ("{\"a\": \"\u{1}\"}", "syntax_error 1:8"),
        ("{\"a\": \"\n\"}", "syntax_error 1:8"),
        ("{\"a\": \"\t\"}", "syntax_error 1:8"),
        ("{\"a\": \"\0\"}", "syntax_error 1:8"),
        ("{\"a\": 1}\0", "syntax_error 1:9"),
        ("{\"a\": \"\\x41\"}", "syntax_error 1:9"),
        ("{\"a\": \"\\u12G4\"}", "syntax_error 1:12"),
        ("{\"a\": \"\\ud800\"}", "syntax_error 1:8"),
        ("{\"a\": \"\\udc00\"}", "syntax_error 1:8"),
        ("{\"a\": \"\\ud800\\u0041\"}", "syntax_error 1:8"),
        ("{\"a\": \"\\ud800\\ud800\"}", "syntax_error 1:8"),
        ("{\"a\": \"\\", "syntax_error 1:9"),
        ("{\"a\": \"\\u00", "syntax_error 1:12"),
        ("{\"a\": \"öö", "syntax_error 1:10"),
        ("{\"a\": 9007199254740992}", "number_out_of_range 1:7"),
        ("{\"a\": -9007199254740992}", "number_out_of_range 1:7"),
        ("{\"a\": 99999999999999999999999999}", "number_out_of_range 1:7"),
        ("{\"a\": 1e400}", "number_out_of_range 1:7"),
        ("{\"a\": -1e400}", "number_out_of_range 1:7"),
    ] {
        assert_eq!(first_error(text.as_bytes(), JSON), expected, "{text:?}");
    }
}

#[test]
fn numbers_at_the_edge_are_kept_exactly() {
    for (text, expected) in [
        ("9007199254740991", json!(INTEGER_MAX)),
        ("-9007199254740991", json!(-INTEGER_MAX)),
        ("-0", json!(0)),
        ("0.1", json!(0.1)),
        ("1e2", json!(100.0)),
        ("5e-324", json!(5e-324)),
        ("1.7976931348623157e308", json!(f64::MAX)),
    ] {
        for format in [Format::Json, Format::Yaml] {
            let tree = read(text, format, Limits::DOCUMENT).expect("a number");
            assert_eq!(tree.to_json(), expected, "{text}");
        }
    }
}

#[test]
fn escapes_and_pairs_of_surrogates_are_read() {
    let text = r#""\u00e4\ud83d\ude00\n\/\"\\\b\f\r\t\u0000""#;
    let tree = read(text, Format::Json, Limits::DOCUMENT).expect("a text");
    assert_eq!(tree.as_text(), Some("ä😀\n/\"\\\u{8}\u{c}\r\t\0"));
}

#[test]
fn yaml_that_is_more_than_a_document_is_refused() {
    let mut wrong = Vec::new();
    for (text, expected) in [
        ("", "empty_document 1:1"),
        ("# only a comment\n", "empty_document 1:1"),
        ("---\n---\n", "second_document 2:1"),
        ("a: 1\n---\nb: 2\n", "second_document 2:1"),
        ("a: !!str 1\n", "yaml_tag 1:10"),
        ("a: !include secrets.yaml\n", "yaml_tag 1:13"),
        ("!!python/object:os.system [a]\n", "yaml_tag 1:27"),
        ("a: &x {b: 1}\nc:\n  <<: *x\n", "yaml_merge_key 3:3"),
        ("a: *nobody\n", "syntax_error 1:4"),
        ("a: &x [*x]\n", "syntax_error 1:8"),
        ("&x a: *x\n", "syntax_error 1:7"),
        ("? [a, b]\n: 1\n", "key_not_text 1:3"),
        ("? {a: b}\n: 1\n", "key_not_text 1:3"),
        ("a: &x b\n*x : 1\n", "key_not_text 2:1"),
        ("a:\n\t- 1\n", "syntax_error 2:2"),
        ("a: [1, 2\n", "syntax_error 1:4"),
        ("a: 'b\n", "syntax_error 2:1"),
        ("a: b: c\n", "syntax_error 1:5"),
        ("a: 1\n b: 2\n", "syntax_error 2:3"),
        ("ä: 1\nö: 9007199254740993\n", "number_out_of_range 2:4"),
        ("a: 1e400\n", "number_out_of_range 1:4"),
        ("a: \"\\ud800\"\n", "syntax_error 1:4"),
        ("a: @b\n", "syntax_error 1:4"),
        ("%TAG ! tag:x:\n---\na: 1\n", "unknown_document 3:1"),
    ] {
        let found = first_error(text.as_bytes(), YAML);
        if found != expected {
            wrong.push(format!("{text:?}: expected {expected}, found {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn plain_yaml_scalars_hold_no_surprises() {
    for (text, expected) in [
        ("yes", json!("yes")),
        ("on", json!("on")),
        ("2026-03-26", json!("2026-03-26")),
        ("12:30:45", json!("12:30:45")),
        ("1_000", json!("1_000")),
        (".inf", json!(".inf")),
        (".nan", json!(".nan")),
        ("0.1.0", json!("0.1.0")),
        ("0.1", json!(0.1)),
        ("~", json!(null)),
        ("'0.1'", json!("0.1")),
        ("|\n  a\n  b\n", json!("a\nb\n")),
        (">-\n  a\n  b\n", json!("a b")),
        ("a\r\n", json!("a")),
    ] {
        let tree =
            read(text, Format::Yaml, Limits::DOCUMENT).unwrap_or_else(|fault| panic!("{text:?}: {fault}"));
        assert_eq!(tree.to_json(), expected, "{text:?}");
    }
}

#[test]
fn depth_is_bounded_however_deep_the_text_goes() {
    uiap_testkit::proves!["AUT-SEC-3"];
    let deep = 1_000_000;
    for (text, format) in [
        ("[".repeat(deep), JSON),
        ("{\"a\":".repeat(deep), JSON),
        ("[{\"a\":".repeat(deep), JSON),
        ("[".repeat(deep), YAML),
        ("{a: ".repeat(deep), YAML),
        ("- ".repeat(deep), YAML),
        ("? ".repeat(deep), YAML),
        (
            "a:\n"
                .lines()
                .cycle()
                .take(500)
                .enumerate()
                .fold(String::new(), |text, (depth, line)| text + &" ".repeat(depth) + line + "\n"),
            YAML,
        ),
    ] {
        let found = code_of(text.as_bytes(), format);
        assert!(
            found == "too_deep" || (text.starts_with('?') && found == "key_not_text"),
            "{found}: {text:.20}"
        );
    }
    let at_limit = format!("{}{}", "[".repeat(DEPTH_MAX), "]".repeat(DEPTH_MAX));
    let beyond = format!("[{at_limit}]");
    for format in [Format::Json, Format::Yaml] {
        assert!(read(&at_limit, format, Limits::DOCUMENT).is_ok());
        assert_eq!(read(&beyond, format, Limits::DOCUMENT).expect_err("deep").code, Code::TooDeep);
    }
}

#[test]
fn aliases_cannot_multiply_without_bound() {
    uiap_testkit::proves!["AUT-SEC-3"];
    let mut laughs = String::from("l0: &l0 [ha, ha, ha, ha, ha, ha, ha, ha, ha]\n");
    for level in 1..12 {
        let inner = vec![format!("*l{}", level - 1); 9].join(", ");
        writeln!(laughs, "l{level}: &l{level} [{inner}]").expect("a string");
    }
    assert_eq!(code_of(laughs.as_bytes(), YAML), "too_many_values");
    let mut nested = String::from("a0: &a0 [x]\n");
    for level in 1..80 {
        writeln!(nested, "a{level}: &a{level} [*a{}]", level - 1).expect("a string");
    }
    assert_eq!(code_of(nested.as_bytes(), YAML), "too_deep");
}

#[test]
fn sizes_are_bounded() {
    uiap_testkit::proves!["AUT-SEC-3"];
    let long = "x".repeat(TEXT_BYTES_MAX + 1);
    assert_eq!(code_of(format!("{{\"a\": \"{long}\"}}").as_bytes(), JSON), "text_too_long");
    assert_eq!(code_of(format!("{{\"{long}\": 1}}").as_bytes(), JSON), "text_too_long");
    assert_eq!(code_of(format!("{{\"a\": \"\\n{long}\"}}").as_bytes(), JSON), "text_too_long");
    assert_eq!(code_of(format!("a: {long}\n").as_bytes(), YAML), "text_too_long");
    assert_eq!(code_of(format!("? {long}\n: 1\n").as_bytes(), YAML), "text_too_long");
    let few = Limits { bytes_max: 1_000, nodes_max: 100, ..Limits::DOCUMENT };
    let many = format!("[{}1]", "1,".repeat(200));
    for format in [Format::Json, Format::Yaml] {
        assert_eq!(read(&many, format, few).expect_err("many").code, Code::TooManyValues);
        assert_eq!(read(&" ".repeat(1_001), format, few).expect_err("large").code, Code::TooLarge);
    }
    assert_eq!(utf8(&[b' '; 1_001], few).expect_err("large").code, Code::TooLarge);
}

#[test]
fn a_hundred_thousand_repeated_keys_are_reported_within_bounds() {
    let repeated = format!("{{{}\"uiap\": \"0.1\"}}", "\"uiap\": \"0.1\", ".repeat(100_000));
    for format in [JSON, YAML] {
        let checked = check("a", repeated.as_bytes(), format);
        assert!(checked.has_errors());
        assert!(checked.diagnostics.len() <= 201, "{}", checked.diagnostics.len());
        assert!(checked.diagnostics.iter().any(|found| found.code == Code::DuplicateKey));
        assert!(checked.diagnostics.iter().any(|found| found.code == Code::TooManyFindings));
    }
}

#[test]
fn repeated_keys_are_refused_wherever_they_stand() {
    let document = |metadata: &str, status: &str| {
        format!(
            "{{\"apiVersion\": \"uiap.authoring/v0.1\", \"kind\": \"LocalePack\", \"metadata\": {metadata}, \
             \"spec\": {{\"namespaces\": {{}}}}{status}}}"
        )
    };
    for (text, pointer) in [
        (document("{\"id\": \"a\", \"id\": \"a\"}", ""), "/metadata/id"),
        (document("{\"id\": \"a\", \"labels\": {\"b\": \"c\", \"b\": \"c\"}}", ""), "/metadata/labels/b"),
        (document("{\"id\": \"a\", \"new\": 1, \"new\": 1}", ""), "/metadata/new"),
        (document("{\"id\": \"a\", \"new\": [{\"c\": {\"d\": 1, \"d\": 1}}]}", ""), "/metadata/new/0/c/d"),
        (document("{\"id\": \"a\"}", ", \"kind\": \"App\""), "/kind"),
        (document("{\"id\": \"a\"}", ", \"next\": 1, \"next\": 2"), "/next"),
    ] {
        let checked = check("a", text.as_bytes(), JSON);
        let errors: Vec<_> =
            checked.diagnostics.iter().filter(|found| found.severity == Severity::Error).collect();
        let found: Vec<_> = errors.iter().map(|error| (error.code, error.pointer.as_str())).collect();
        assert_eq!(found, [(Code::DuplicateKey, pointer)], "{text}");
        assert!(checked.value.is_none());
    }
}

#[test]
fn findings_stand_where_people_see_them() {
    let mut wrong = Vec::new();
    let head = "apiVersion: uiap.authoring/v0.1\nkind: LocalePack\nmetadata:\n  id: l\n";
    for (body, expected) in [
        ("spec: {}\n", "missing_member 5:7"),
        ("spec:\n  namespaces: 7\n", "wrong_type 6:15"),
        ("spec:\r\n  namespaces: 7\r\n", "wrong_type 6:15"),
        ("spec: {namespaces: {ä: {messages: {ö: 1}}}}\n", "wrong_type 5:39"),
        ("spec:\n  namespaces:\n    a:\n      messages:\n        b: {default: |\n", "syntax_error"),
        ("spec:\n  namespaces:\n    a:\n      messages:\n        b: 'ü'\n", "wrong_type 9:12"),
        ("spec:\n  namespaces:\n    a:\n      messages:\n        b: |\n          text\n", "wrong_type 10:11"),
        ("spec:\n  namespaces: {a: &x [1], b: *x}\n", "wrong_type 6:22"),
        ("spec:\n  namespaces:\n    b: *y\nstatus: &y {}\n", "syntax_error 7:8"),
        ("future: &y [1]\nspec:\n  namespaces:\n    b: *y\n", "wrong_type 8:8"),
        ("spec:\n  namespaces: {}\n  namespaces: {}\n", "duplicate_key 7:3"),
        ("spec:\n  namespaces: {}\nstatus:\n  digest: \"\"\n", "bad_form 8:11"),
    ] {
        let text = format!("{head}{body}");
        let found = first_error(text.as_bytes(), YAML);
        if !found.starts_with(expected) {
            wrong.push(format!("{body:?}: expected {expected}, found {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let json = "{\r\n  \"uiap\": \"0.1\",\r\n  \"kind\": \"ev\u{fc}nt\", \"type\": 7\r\n}";
    let places: Vec<_> = check("a", json.as_bytes(), JSON)
        .diagnostics
        .iter()
        .map(|found| format!("{} {} {}:{}", found.code.as_str(), found.pointer, found.line, found.column))
        .collect();
    let (missing, wrong): (Vec<_>, Vec<_>) = places.iter().partition(|place| *place == "missing_member  1:1");
    assert!(!missing.is_empty());
    assert_eq!(wrong, ["unknown_word /kind 3:11", "wrong_type /type 3:28"]);
}

#[test]
fn any_number_of_unknown_members_is_ignored() {
    uiap_testkit::proves!["CORE-30"];
    let members: serde_json::Map<String, Value> =
        (0..1_000).map(|at| (format!("future{at}"), json!(at))).collect();
    let ping = json!({
        "uiap": "0.1", "kind": "request", "type": "session.ping", "id": "m", "sessionId": "s",
        "ts": "2026-03-26T14:03:00.000Z", "source": { "role": "agent", "id": "a" }, "payload": members,
    });
    assert_eq!(first_error(ping.to_string().as_bytes(), JSON), "accepted");
}

#[test]
fn aliases_cannot_multiply_a_long_text_without_bound() {
    uiap_testkit::proves!["AUT-SEC-3"];
    let text = "x".repeat(100_000);
    let aliases = vec!["*x"; 5_000].join(", ");
    let bomb = format!("a: &x \"\\n{text}\"\nb: [{aliases}]\n");
    let read = read(&bomb, Format::Yaml, Limits::DOCUMENT);
    assert!(read.is_err(), "{} bytes became 500 MB", bomb.len());
}

#[test]
fn the_last_second_of_the_year_9999_is_a_time() {
    for text in ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999Z"] {
        assert!(uiap_protocol::time::Timestamp::new(text).is_ok(), "{text}");
    }
}

#[test]
fn a_wrong_correlation_id_is_not_also_a_missing_one() {
    let pong = br#"{"uiap": "0.1", "kind": "response", "type": "session.pong", "id": "m", "correlationId": "",
        "sessionId": "s", "ts": "2026-03-26T14:03:00.000Z", "source": {"role": "agent", "id": "a"}, "payload": {}}"#;
    let codes: Vec<_> = check("a", pong, JSON).diagnostics.iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::BadForm]);
}

#[test]
fn an_error_sent_as_kind_error_is_tolerated() {
    let error = br#"{"uiap": "0.1", "kind": "error", "type": "error", "id": "m", "correlationId": "r",
        "sessionId": "s", "ts": "2026-03-26T14:03:00.000Z", "source": {"role": "agent", "id": "a"},
        "payload": {"code": "timeout", "message": "m"}}"#;
    assert_eq!(first_error(error, JSON), "accepted");
}

#[test]
fn a_misspelt_runtime_code_in_an_error_gets_the_nearest_words() {
    let error = br#"{"uiap": "0.1", "kind": "event", "type": "error", "id": "m", "sessionId": "s",
        "ts": "2026-03-26T14:03:00.000Z", "source": {"role": "agent", "id": "a"},
        "payload": {"code": "target_not_fund", "message": "m"}}"#;
    let checked = check("a", error, JSON);
    let help = checked.diagnostics.first().and_then(|found| found.help.as_deref()).unwrap_or_default();
    assert!(help.contains("target_not_found"), "{help}");
}
