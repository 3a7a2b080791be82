//! `uiap publish`, `uiap verify` and `uiap key`: what they say, and processes that are killed or meet.

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail loudly")]

use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;
use uiap_protocol::seal::digest;

/// Publishers that are killed, and pairs of publishers that meet.
const KILLS: u32 = 24;
const MEETINGS: u32 = 10;

/// A folder that goes away.
struct Desk(PathBuf);

impl Desk {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("uiap-publishing-{name}-{}", std::process::id()));
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    /// A desk with the key of a team.
    fn of_team(name: &str) -> Self {
        let desk = Self::new(name);
        desk.says(&["key", "new", "team.key", "--no-password"], 0, &["team.key.pub"]);
        desk
    }

    fn put(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("a file");
    }

    /// Puts a bundle with its origins, which have so many bytes more than they need.
    fn put_bundle(&self, name: &str, version: &str, title: &str, padding: usize) {
        let mut bundle = json!({
            "packageId": "shop.uiap", "version": version, "profile": "web@0.1",
            "buildContext": { "channel": "prod" },
            "compatibility": { "uiapCore": ">=0.1 <0.2" }, "app": { "appId": "shop", "displayName": title },
        });
        let digest = digest(bundle.as_object().expect("an object"));
        bundle["digest"] = digest.as_str().into();
        self.put(name, &format!("{bundle:#}"));
        let origins = json!({ "bundle": digest, "x.padding": " ".repeat(padding) });
        self.put(&format!("{name}.origins.json"), &origins.to_string());
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uiap"));
        command.args(arguments).current_dir(&self.0).env_remove("UIAP_KEY_PASSWORD").stdin(Stdio::null());
        command
    }

    fn publisher(&self, bundle: &str) -> Child {
        let publish = ["publish", bundle, "--channel", "prod", "--registry", "r"];
        let mut command = self.command(&[&publish[..], &SIGNED].concat());
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a process")
    }

    /// Runs a command: its exit code, and what it says on both streams.
    fn run(&self, arguments: &[&str]) -> (i32, String) {
        said(&mut self.command(arguments))
    }

    /// Runs a command that must end so and say that.
    fn says(&self, arguments: &[&str], code: i32, words: &[&str]) {
        let (was, said) = self.run(arguments);
        assert_eq!(was, code, "{arguments:?}: {said}");
        for word in words {
            assert!(said.contains(word), "{arguments:?}: {word:?} in {said}");
        }
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let (_, said) = self.run(arguments);
        serde_json::from_str(&said).expect("one JSON object")
    }

    fn mode(&self, name: &str) -> u32 {
        std::fs::metadata(self.0.join(name)).expect("a file").permissions().mode() & 0o777
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn said(command: &mut Command) -> (i32, String) {
    let output = command.output().expect("the command ends");
    let all = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (output.status.code().expect("an exit code"), all.concat())
}

const PUBLISH: [&str; 6] = ["publish", "shop.json", "--channel", "prod", "--registry", "r"];
const SIGNED: [&str; 4] = ["--key", "team.key", "--trust", "team.key.pub"];

#[test]
fn a_bundle_is_signed_published_and_verified() {
    let desk = Desk::of_team("tour");
    desk.put_bundle("shop.json", "0.1.0", "Shop", 0);
    assert_eq!(desk.mode("team.key"), 0o600);
    desk.says(&["verify", "shop.json"], 0, &["shop.uiap 0.1.0", "signed: no", "they belong to it"]);
    desk.says(&["verify", "shop.json", "--trust", "team.key.pub"], 1, &["it has no signature"]);
    desk.says(&[&PUBLISH[..], &SIGNED].concat(), 0, &["Published shop.uiap 0.1.0 to prod, as release 1."]);
    desk.says(
        &[&PUBLISH[..], &SIGNED].concat(),
        0,
        &["the same was published already", "Nothing was changed."],
    );
    desk.says(
        &["verify", "--registry", "r", "--trust", "team.key.pub"],
        0,
        &["1 sound release, nothing is wrong."],
    );
    // A release is loaded as it stands.
    let report = desk.json(&["verify", "--registry", "r", "--json"]);
    let folder = PathBuf::from(report["releases"][0]["folder"].as_str().expect("a folder"));
    let bundle = folder.join("bundle.json").display().to_string();
    desk.says(&["verify", &bundle, "--trust", "team.key.pub"], 0, &["with the trusted key"]);
    desk.says(&["check", &bundle], 0, &[]);
    // The times are those that were said.
    desk.put_bundle("shop.json", "0.2.0", "Shop", 0);
    let at = ["--now", "2026-04-01T12:00:00Z", "--json"];
    let published = desk.json(&[&PUBLISH[..], &SIGNED, &at].concat());
    assert_eq!(published["release"]["publishedAt"], "2026-04-01T12:00:00Z");
    assert_eq!((&published["published"], &published["release"]["number"]), (&json!(true), &json!(2)));
    desk.says(&["key", "new", "other.key", "--no-password"], 0, &["other.key.pub"]);
    desk.says(
        &["verify", "--registry", "r", "--trust", "other.key.pub"],
        1,
        &["is not trusted here", "2 things are wrong."],
    );
}

#[test]
fn a_bundle_that_nobody_vouches_for_is_not_published() {
    uiap_testkit::proves!["AUT-12-6"];
    let desk = Desk::of_team("forged");
    desk.says(&["key", "new", "other.key", "--no-password"], 0, &["other.key.pub"]);
    // Somebody has written it by hand; it says that it was built for prod, and its digest is right.
    desk.put_bundle("shop.json", "0.1.0", "Shop", 0);
    desk.says(&["verify", "shop.json"], 0, &["shop.uiap 0.1.0"]);
    let unvouched =
        ["nobody knows whether the gates of prod were checked", "Publish the folder of its package"];
    desk.says(&PUBLISH, 1, &unvouched);
    // A key that nobody trusts says nothing, and neither does a signature that nobody looks at.
    desk.says(&[&PUBLISH[..], &["--key", "other.key"]].concat(), 1, &unvouched);
    let distrusted = ["--key", "other.key", "--trust", "team.key.pub"];
    desk.says(&[&PUBLISH[..], &distrusted].concat(), 1, &["which is not trusted here"]);
    for channel in ["dev", "staging", "canary", "deprecated"] {
        let text = std::fs::read_to_string(desk.0.join("shop.json")).expect("a bundle");
        let mut bundle: Value = serde_json::from_str(&text).expect("JSON");
        bundle["buildContext"]["channel"] = channel.into();
        bundle["digest"] = digest(bundle.as_object().expect("an object")).into();
        desk.put("other.json", &bundle.to_string());
        let publish = ["publish", "other.json", "--channel", channel, "--registry", "r"];
        desk.says(&publish, 1, &[&format!("the gates of {channel} were checked")]);
    }
    assert!(!desk.0.join("r").exists(), "what is refused leaves nothing behind");
    desk.says(&[&PUBLISH[..], &SIGNED].concat(), 0, &["Published shop.uiap 0.1.0 to prod"]);
}

#[test]
fn what_is_refused_is_explained_and_changes_nothing() {
    let desk = Desk::of_team("refused");
    desk.put_bundle("shop.json", "0.1.0", "Shop", 0);
    let signed = [&PUBLISH[..], &SIGNED].concat();
    let dev = ["publish", "shop.json", "--channel", "dev", "--registry", "r"];
    desk.says(
        &[&dev[..], &SIGNED].concat(),
        1,
        &["shop.json is not published to r: it was built for prod", "Build it for that channel"],
    );
    let unknown = ["publish", "shop.json", "--channel", "prd", "--registry", "r"];
    desk.says(&unknown, 2, &["Did you mean prod?"]);
    desk.says(&[&PUBLISH[..], &["--now", "yesterday"]].concat(), 2, &["UTC timestamp"]);
    desk.says(&[&PUBLISH[..], &["--key", "no.key"]].concat(), 2, &["There is no key no.key."]);
    desk.says(&[&PUBLISH[..], &["--key", "shop.json"]].concat(), 2, &["not a secret key of minisign"]);
    desk.says(&[&PUBLISH[..], &["--origins", "none.json"]].concat(), 2, &["none.json cannot be read"]);
    desk.says(
        &["publish", "none.json", "--channel", "prod", "--registry", "r"],
        2,
        &["none.json cannot be read"],
    );
    desk.says(&["verify"], 2, &["--registry"]);
    desk.says(&["verify", "--registry", "r"], 2, &["There is no folder r."]);
    assert!(!desk.0.join("r").exists());
    desk.says(&signed, 0, &["signed: yes"]);
    desk.put_bundle("shop.json", "0.1.0", "Shup", 0);
    desk.says(
        &signed,
        1,
        &["has version 0.1.0 already, with the digest sha256:", "this one has sha256:", "raise the version"],
    );
    desk.put("shop.json", "{\"packageId\": 7}");
    desk.says(&PUBLISH, 1, &["error[", "shop.json:1:"]);
    desk.put_bundle("shop.json", "0.2.0", "Shop", 0);
    desk.put("shop.json.origins.json", "{}");
    desk.says(&signed, 1, &["its origins are about no bundle"]);
    desk.says(&["verify", "shop.json"], 1, &["its origins are about no bundle"]);
    std::fs::create_dir(desk.0.join("thesis")).expect("a folder");
    desk.put("thesis/thesis.tex", "x");
    desk.put_bundle("shop.json", "0.2.0", "Shop", 0);
    let foreign = ["publish", "shop.json", "--channel", "prod", "--registry", "thesis"];
    desk.says(&[&foreign[..], &SIGNED].concat(), 2, &["not a registry"]);
    desk.says(&["verify", "--registry", "thesis"], 2, &["thesis is no registry", "uiap publish --registry"]);
    desk.says(&["verify", "--registry", "r"], 0, &["1 sound release, nothing is wrong."]);
}

#[test]
fn passwords_come_from_everywhere_but_the_arguments() {
    let desk = Desk::new("passwords");
    desk.put_bundle("shop.json", "0.1.0", "Shop", 0);
    desk.put("right", "correct horse\n");
    desk.put("wrong", "battery staple\n");
    desk.says(&["key", "new", "k"], 2, &["UIAP_KEY_PASSWORD", "--password-file"]);
    desk.says(&["key", "new", "k", "--password-file", "right"], 0, &["The secret key is k"]);
    desk.says(&["key", "new", "k", "--no-password"], 2, &["k is there already"]);
    std::fs::rename(desk.0.join("k"), desk.0.join("team.key")).expect("renamed");
    desk.says(&["key", "new", "k", "--no-password"], 2, &["k.pub is there already"]);
    assert!(!desk.0.join("k").exists(), "nothing is made by halves");
    let publish =
        |more: &[&'static str]| [&PUBLISH[..], &["--key", "team.key", "--trust", "k.pub"], more].concat();
    desk.says(&publish(&[]), 2, &["there is no terminal to ask for it"]);
    desk.says(&publish(&["--password-file", "wrong"]), 2, &["The password is not that of the key"]);
    desk.says(&publish(&["--password-file", "gone"]), 2, &["There is no file gone."]);
    let mut by_variable = desk.command(&publish(&[]));
    let (code, told) = said(by_variable.env("UIAP_KEY_PASSWORD", "battery staple"));
    assert_eq!(code, 2, "{told}");
    assert!(!desk.0.join("r").exists());
    let (code, told) = said(by_variable.env("UIAP_KEY_PASSWORD", "correct horse"));
    assert_eq!(code, 0, "{told}");
    desk.says(&publish(&["--password-file", "right"]), 0, &["published already"]);
    desk.says(&["verify", "--registry", "r", "--trust", "k.pub"], 0, &["signed with the trusted key"]);
}

fn current(desk: &Desk) -> (usize, String) {
    let report = desk.json(&["verify", "--registry", "r", "--json"]);
    assert_eq!(report["problems"], json!([]), "{report:#}");
    let releases = report["releases"].as_array().expect("a list");
    let last = releases.last().map(|release| release["version"].as_str().expect("a version").to_owned());
    (releases.len(), last.unwrap_or_default())
}

fn copy(from: &Path, to: &Path) {
    let ran = Command::new("cp").arg("-a").arg(from).arg(to).status().expect("cp");
    assert!(ran.success());
}

#[test]
fn a_publisher_may_be_killed_at_any_moment() {
    let desk = Desk::of_team("kill");
    desk.put_bundle("old.json", "0.1.0", "old", 0);
    // Long enough for a kill to hit the writing of it.
    desk.put_bundle("new.json", "0.2.0", "new", 3 * 1024 * 1024);
    let begun = Instant::now();
    assert!(desk.publisher("old.json").wait().expect("ended").success());
    copy(&desk.0.join("r"), &desk.0.join("old"));
    assert!(desk.publisher("new.json").wait().expect("ended").success());
    let longest = begun.elapsed();
    let mut ends = [0; 2];
    for round in 0..KILLS {
        std::fs::remove_dir_all(desk.0.join("r")).expect("removed");
        copy(&desk.0.join("old"), &desk.0.join("r"));
        let mut child = desk.publisher("new.json");
        // Another moment in every round; which one it is does not matter.
        std::thread::sleep(longest * round / KILLS);
        child.kill().expect("killed");
        let status = child.wait().expect("ended");
        let found = current(&desk);
        let (old, new) = ((1, "0.1.0".to_owned()), (2, "0.2.0".to_owned()));
        assert!(found == new || found == old && !status.success(), "{round}: {found:?} {status}");
        ends[usize::from(found == new)] += 1;
        assert!(desk.publisher("new.json").wait().expect("ended").success(), "{round}");
        assert_eq!(current(&desk), new, "{round}");
    }
    assert!(ends[0] > 0, "nobody was killed in time: {ends:?}");
}

#[test]
fn publishers_who_meet_do_not_harm_each_other() {
    let desk = Desk::of_team("meet");
    let mut newest = 0;
    for round in 0..MEETINGS {
        // The same version with other content, then another version.
        let (one, two) = (2 * round, 2 * round + round % 2);
        desk.put_bundle("one.json", &format!("0.{one}.0"), "one", 100_000);
        desk.put_bundle("two.json", &format!("0.{two}.0"), "two", 100_000);
        let mut both = [desk.publisher("one.json"), desk.publisher("two.json")];
        let codes = both.each_mut().map(|child| child.wait().expect("ended").code());
        assert!(codes.iter().all(|code| matches!(code, Some(0 | 1))), "{codes:?}");
        let published = codes.iter().filter(|code| **code == Some(0)).count();
        assert!((1..=1 + usize::from(one != two)).contains(&published), "{round}: {codes:?}");
        let (count, version) = current(&desk);
        newest += published;
        let winner = if codes[1] == Some(0) { two } else { one };
        assert_eq!((count, version), (newest, format!("0.{winner}.0")), "{round}: {codes:?}");
    }
    assert!(newest >= MEETINGS as usize);
}
