//! The command as a person or a pipeline meets it: what it prints, where, and with which exit code.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn uiap(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_uiap"))
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A command that refuses early closes its input; that is not what is tested here.
    let _ = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().expect("the command ends")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit code")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// A folder of its own for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &[u8])]) -> Self {
        let folder = std::env::temp_dir().join(format!("uiap-cli-{}-{name}", std::process::id()));
        for (path, bytes) in files {
            let path = folder.join(path);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, bytes).expect("a file");
        }
        Self(folder)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("UTF-8")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const SOUND: &[u8] =
    br#"{"id": "w", "version": "1.0.0", "title": "T", "category": "task", "startMode": "manual",
  "interactionModes": ["guide"], "initialStepId": "end", "steps": [{"id": "end", "type": "complete"}]}"#;

const SOUND_WITH_ESCAPE: &str = r#"{"id": "w", "version": "1.0.0", "title": "T", "category": "task", "startMode": "manual",
  "interactionModes": ["guide"], "initialStepId": "end", "steps": [{"id": "end", "type": "complete"}], "ESC[2Jx": 1}"#;

const MISSPELT: &[u8] = b"apiVersion: uiap.authoring/v0.1\nkind: Overlay\nmetadata:\n  id: o\nspec:\n  selector:\n    channels: [production]\n  patches: []\n";

#[test]
fn a_sound_document_from_standard_input_is_a_yes() {
    let output = uiap(&["check", "-"], SOUND);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert_eq!(stdout(&output), "1 document checked, nothing found.\n");
    assert_eq!(stderr(&output), "");
}

#[test]
fn a_finding_names_file_line_column_pointer_code_and_requirement() {
    let folder = Folder::new("finding", &[("overlay.yaml", MISSPELT)]);
    let output = uiap(&["check", "--format", "json", folder.path()], b"");
    assert_eq!(code(&output), 1);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON and nothing else on stdout");
    let finding = &report["findings"][0];
    assert_eq!(report["findings"].as_array().map(Vec::len), Some(1));
    assert_eq!(finding["code"], "unknown_word");
    assert_eq!(finding["severity"], "error");
    assert_eq!(finding["file"].as_str().map(Path::new), Some(folder.0.join("overlay.yaml").as_path()));
    assert_eq!((&finding["line"], &finding["column"]), (&7.into(), &16.into()));
    assert_eq!(finding["pointer"], "/spec/selector/channels/0");
    assert_eq!(finding["requirement"], "AUT-9-1");
    assert_eq!(finding["message"], "\"production\" is not a known word here.");
}

#[test]
fn findings_are_shown_like_a_compiler_shows_them() {
    let output = uiap(&["check", "-"], MISSPELT);
    let expected = "\
error[unknown_word]: \"production\" is not a known word here.
 --> <stdin>:7:16
  |
7 |     channels: [production]
  |                ^^^^^^^^^^ /spec/selector/channels/0
  |
  = note: requirement AUT-9-1
  = help: Known words: dev, staging, canary, prod, deprecated.

1 document checked: 1 error.
";
    assert_eq!(stdout(&output), expected);
    assert!(!stdout(&output).contains('\u{1b}'), "no colours in a pipe");
}

#[test]
fn a_document_cannot_steer_the_terminal() {
    let document = SOUND_WITH_ESCAPE.replace("ESC", "\\u001b");
    let output = uiap(&["check", "-"], document.as_bytes());
    assert!(stdout(&output).contains("unknown_member"), "{}", stdout(&output));
    assert!(!output.stdout.contains(&0x1b), "{}", stdout(&output));
}

#[test]
fn sarif_has_a_rule_and_a_region_for_each_finding() {
    let output = uiap(&["check", "--format", "sarif", "-"], MISSPELT);
    assert_eq!(code(&output), 1);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON and nothing else on stdout");
    let run = &report["runs"][0];
    assert_eq!(report["version"], "2.1.0");
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], run["results"][0]["ruleId"]);
    let region = &run["results"][0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startLine"], &region["startColumn"]), (&7.into(), &16.into()));
}

#[test]
fn warnings_do_not_make_a_no() {
    let typo = MISSPELT.to_vec();
    let typo = String::from_utf8(typo).expect("UTF-8").replace("production", "prod") + "  notes: none\n";
    let output = uiap(&["check", "-"], typo.as_bytes());
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert!(stdout(&output).contains("hint[unknown_member]"), "{}", stdout(&output));
}

#[test]
fn every_document_of_a_folder_is_checked_in_one_order() {
    let files: [(&str, &[u8]); 4] =
        [("b/two.json", SOUND), ("a.yml", MISSPELT), ("c.yaml", MISSPELT), ("readme.md", b"no document")];
    let folder = Folder::new("folder", &files);
    let output = uiap(&["check", "--format", "json", folder.path()], b"");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let names: Vec<_> =
        report["documents"].as_array().expect("a list").iter().map(|document| &document["file"]).collect();
    let ends =
        |index: usize, end: &str| names[index].as_str().is_some_and(|name| Path::new(name).ends_with(end));
    assert_eq!(names.len(), 3);
    assert!(ends(0, "a.yml") && ends(1, "b/two.json") && ends(2, "c.yaml"), "{names:?}");
}

#[test]
fn what_is_asked_for_must_be_what_it_is() {
    assert_eq!(code(&uiap(&["check", "--as", "workflow-definition", "-"], SOUND)), 0);
    let output = uiap(&["check", "--as", "Package", "--format", "json", "-"], MISSPELT);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let pointers: Vec<_> =
        report["findings"].as_array().expect("a list").iter().map(|f| f["pointer"].clone()).collect();
    assert!(pointers.contains(&"/kind".into()), "{pointers:?}");
}

#[test]
fn bad_bytes_get_a_finding_with_a_place() {
    let table: [(&[u8], &str); 8] = [
        (b"", "empty_document"),
        (b"\xff\xfe{\0}\0", "not_utf8"),
        (b"{\"a\": \"\xc3\x28\"}", "not_utf8"),
        (b"{\"a\": 1", "syntax_error"),
        (b"{\"a\": 1, \"a\": 2}", "unknown_document"),
        (b"just a text", "unknown_document"),
        (b"[1, 2, 3]", "unknown_document"),
        (b"a: &a [*a]", "syntax_error"),
    ];
    for (bytes, expected) in table {
        let output = uiap(&["check", "--format", "json", "-"], bytes);
        assert_eq!(code(&output), 1, "{bytes:?}");
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(report["findings"][0]["code"], expected, "{bytes:?}");
        assert!(report["findings"][0]["line"].as_u64().is_some_and(|line| line >= 1), "{bytes:?}");
        assert_eq!(report["documents"][0]["sound"], false, "{bytes:?}");
    }
}

#[test]
fn wrong_use_is_two_and_says_what_to_do() {
    for (arguments, sentence) in [
        (&["check", "no/such/file.yaml"][..], "There is no file or folder no/such/file.yaml."),
        (&["check", "--as", "Pakage", "-"][..], "Did you mean Package"),
        (&["schema", "action.requst"][..], "Did you mean action.request"),
        (&["check", "docs/images"][..], "There is no JSON or YAML document below docs/images."),
        (&["check"][..], "required"),
        (&["chek", "x"][..], "check"),
    ] {
        let output = uiap(arguments, b"");
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(stderr(&output).contains(sentence), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{arguments:?}");
    }
}

#[test]
fn schemas_are_listed_one_per_line_and_printed_by_name() {
    let listed = stdout(&uiap(&["schema"], b""));
    let kinds: Vec<_> = listed.lines().collect();
    for kind in ["Package", "DiscoveryImport", "bundle", "page-graph", "envelope", "action.request"] {
        assert!(kinds.contains(&kind), "{kind} in {kinds:?}");
    }
    for kind in kinds {
        let output = uiap(&["schema", kind], b"");
        let schema: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{kind}");
    }
}

#[test]
fn the_demo_serves_checks_builds_and_ends_without_a_terminal() {
    let output = uiap(&["demo", "--package"], b"");
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).starts_with("Videoland is at http://127.0.0.1:"), "{}", stdout(&output));
    for words in
        ["documents checked, nothing found.\n", "Built for staging: videoland.uiap", "Built for prod: "]
    {
        assert!(stdout(&output).contains(words), "{words:?} in {}", stdout(&output));
    }
}

#[test]
fn the_demo_says_which_port_is_taken() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let output = uiap(&["demo", "--port", &port], b"");
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains(&port), "{}", stderr(&output));
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "fish", "zsh"] {
        assert!(stdout(&uiap(&["completions", shell], b"")).contains("schema"), "{shell}");
    }
}

#[test]
fn policy_tests_pass_or_say_which_rule_decided() {
    let good = uiap(&["policy", "test", "examples/videoland/uiap"], b"");
    assert_eq!(code(&good), 0, "{}", stdout(&good));
    assert!(stdout(&good).ends_with("17 cases asked.\n"), "{}", stdout(&good));

    let policy = b"modelVersion: '0.1'\nid: p\ndefaults: {onUnknownAction: deny}\nrules:\n\
        - {id: no-shouting, when: {actions: [a.shout]}, effect: deny, reason: It is late.}\n";
    let test = b"policies: [policy.yaml]\nprincipal: {type: agent, id: helper, grants: [act]}\ncases:\n\
        - {name: shouting is fine, facts: {action: a.shout, risk: {level: safe}}, expect: {effect: allow, rules: []}}\n";
    let lost = b"policies: [nowhere.yaml]\nprincipal: {type: agent, id: helper}\ncases: []\n";
    let folder = Folder::new("policy", &[("policy.yaml", policy), ("test.yaml", test), ("lost.yaml", lost)]);
    let bad = uiap(&["policy", "test", "--format", "json", folder.path()], b"");
    assert_eq!(code(&bad), 1);
    let report: Value = serde_json::from_str(&stdout(&bad)).expect("one JSON object");
    let findings: Vec<_> = report["findings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|finding| {
            let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
            format!("{} {} {}", text("code"), text("pointer"), text("message"))
        })
        .collect();
    assert_eq!(findings.len(), 3, "{findings:?}");
    assert!(
        findings.iter().any(|finding| finding.starts_with("dangling_reference /policies/0")),
        "{findings:?}"
    );
    let effect =
        "test_failed /cases/0/expect/effect \"shouting is fine\": expected effect allow, found deny.";
    assert!(findings.iter().any(|finding| finding == effect), "{findings:?}");
    let rules =
        "test_failed /cases/0/expect/rules \"shouting is fine\": expected rules none, found no-shouting.";
    assert!(findings.iter().any(|finding| finding == rules), "{findings:?}");
    assert!(stdout(&bad).contains("It is late."), "the help says which rule decided");

    let none = uiap(&["policy", "test", "crates/uiap/Cargo.toml"], b"");
    assert_ne!(code(&none), 0);
}
