//! `uiap init` as a person meets it: what it writes is sound, and it never writes over anything.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use uiap_protocol::check::{Expectation, check};

/// A folder of its own for one test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("uiap-init-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    /// Exit code, what was printed and what was said beside it.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uiap"));
        let output = command.args(arguments).current_dir(&self.0).output().expect("the command ends");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
    }

    /// Every file below a folder, by its path.
    fn files(&self, below: &str) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        let mut open = vec![self.0.join(below)];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    let name = path.strip_prefix(self.0.join(below)).expect("below").to_str().expect("UTF-8");
                    files.insert(name.to_owned(), std::fs::read_to_string(&path).expect("a text"));
                }
            }
        }
        files
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A manifest as a value.
fn manifest(path: &str, text: &str) -> Value {
    let checked = check(path, text.as_bytes(), Expectation::default());
    assert!(checked.diagnostics.is_empty(), "{path}: {:#?}", checked.diagnostics);
    checked.value.expect("a value")
}

#[test]
fn what_it_writes_is_the_recommended_layout_and_sound() {
    uiap_testkit::proves!["AUT-14-1"];
    let folder = Folder::new("sound");
    let (code, said, _) = folder.run(&["init"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.starts_with("13 documents and 12 schemas are in uiap.\n"), "{said}");
    for next in ["uiap check uiap", "uiap policy test uiap", "uiap build uiap"] {
        assert!(said.contains(next), "{said}");
        let (code, said, beside) = folder.run(&next.split(' ').skip(1).collect::<Vec<_>>());
        assert_eq!(code, 0, "{next}: {said}{beside}");
        assert!(!next.contains("check") || said == "13 documents checked, nothing found.\n", "{said}");
    }
    let files = folder.files("uiap");
    let manifests: Vec<_> =
        files.keys().filter(|path| path.ends_with(".uiap.yaml")).map(String::as_str).collect();
    assert_eq!(
        manifests,
        [
            "actions/core.uiap.yaml",
            "app.uiap.yaml",
            "bindings/elements.uiap.yaml",
            "bindings/routes.uiap.yaml",
            "capabilities/core.uiap.yaml",
            "locales/common.uiap.yaml",
            "overlays/prod.uiap.yaml",
            "overlays/staging.uiap.yaml",
            "package.uiap.yaml",
            "policies/default.uiap.yaml",
            "reviews/approvals.uiap.yaml",
            "workflows/support.uiap.yaml",
        ]
    );
}

#[test]
fn the_package_lists_every_manifest_under_its_own_id_and_kind() {
    let folder = Folder::new("listed");
    folder.run(&["init"]);
    let mut files = folder.files("uiap");
    let package = manifest("package", &files.remove("package.uiap.yaml").expect("the package"));
    for listed in package.pointer("/spec/manifests").and_then(Value::as_array).expect("manifests") {
        let path = listed["path"].as_str().expect("a path");
        let document = manifest(path, &files.remove(path).expect("the manifest"));
        assert_eq!(
            (&document["kind"], &document["metadata"]["id"]),
            (&listed["kind"], &listed["id"]),
            "{path}"
        );
    }
    files.retain(|path, _| path.ends_with(".uiap.yaml"));
    assert!(files.is_empty(), "not listed: {:?}", files.keys());
}

fn is_yaml(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "yaml")
}

#[test]
fn an_editor_finds_the_schema_of_every_file_without_a_network() {
    let folder = Folder::new("schemas");
    folder.run(&["init"]);
    for (path, text) in folder.files("uiap").iter().filter(|(path, _)| is_yaml(path)) {
        let first = text.lines().next().expect("a line");
        let schema = first.strip_prefix("# yaml-language-server: $schema=").expect("a hint for editors");
        let place = folder.0.join("uiap").join(path).parent().expect("a folder").join(schema);
        let schema: Value =
            serde_json::from_str(&std::fs::read_to_string(place).expect("the schema")).expect("JSON");
        let kind = if path.contains("policy-test") {
            "policy-test".into()
        } else {
            manifest(path, text)["kind"].clone()
        };
        assert_eq!(schema["title"], kind, "{path}");
    }
}

#[test]
fn names_that_people_choose_stay_what_they_are() {
    let folder = Folder::new("names");
    let name = "A \"quoted\": #1 shop\n\u{7}- APP_ID {x} ä";
    let (code, _, said) = folder.run(&[
        "init",
        "deep/pack",
        "--app-id",
        "my-shop",
        "--name",
        name,
        "--url",
        "https://shop.example/",
    ]);
    assert_eq!(code, 0, "{said}");
    let files = folder.files("deep/pack");
    let app = manifest("app", &files["app.uiap.yaml"]);
    assert_eq!(app["spec"]["displayName"], name);
    assert_eq!(app["spec"]["appId"], "my-shop");
    assert_eq!(app["spec"]["environments"][0]["baseUrls"][0], "https://shop.example");
    assert_eq!(manifest("package", &files["package.uiap.yaml"])["spec"]["packageId"], "my-shop.uiap");
    assert!(files.values().all(|text| !text.contains("APP_URL") && !text.contains("APP_NAME")));
}

#[test]
fn without_a_word_it_is_called_after_its_folder() {
    let folder = Folder::new("default");
    let id = |dir: &str| {
        let (code, _, said) = folder.run(&["init", dir]);
        assert_eq!(code, 0, "{said}");
        let app = manifest("app", &folder.files(dir)["app.uiap.yaml"]);
        format!("{} {}", app["spec"]["appId"], app["spec"]["displayName"])
    };
    assert_eq!(id("My Shop 2"), "\"my-shop-2\" \"My shop 2\"");
    assert_eq!(id("Laden/uiap"), "\"laden\" \"Laden\"");
}

#[test]
fn nothing_is_written_over_and_nothing_is_written_in_part() {
    let folder = Folder::new("again");
    std::fs::create_dir_all(folder.0.join("uiap/locales")).expect("a folder");
    std::fs::write(folder.0.join("uiap/locales/common.uiap.yaml"), "mine").expect("a file");
    let (code, printed, said) = folder.run(&["init"]);
    assert_eq!((code, printed.as_str()), (2, ""));
    let place = Path::new("uiap").join("locales/common.uiap.yaml");
    assert!(
        said.contains(&format!("{} exists already, and nothing was written.", place.display())),
        "{said}"
    );
    assert_eq!(
        folder.files("uiap"),
        BTreeMap::from([("locales/common.uiap.yaml".to_owned(), "mine".to_owned())])
    );
}

#[test]
fn wrong_words_are_refused_with_advice() {
    let folder = Folder::new("wrong");
    for (option, value, advice) in [
        ("--app-id", "My Shop", "such as --app-id my-shop"),
        ("--app-id", "", "such as --app-id my-shop"),
        ("--app-id", "-x", "such as --app-id my-shop"),
        ("--name", " ", "say it with --name"),
        ("--url", "shop", "is no address such as http://127.0.0.1:3000"),
        ("--url", "ftp://shop.example", "is no address such as http://127.0.0.1:3000"),
    ] {
        let (code, _, said) = folder.run(&["init", &format!("{option}={value}")]);
        assert_eq!(code, 2, "{option} {value}");
        assert!(said.contains(advice), "{said}");
    }
    assert!(folder.files("").is_empty());
}
