//! Bundles on the command line: whole, signed by somebody who is trusted and made for this program, or not loaded.

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a test may fail loudly")]

use minisign::KeyPair;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Command;
use uiap_protocol::seal::digest;

/// A folder that goes away, with somebody who can sign.
struct Desk {
    folder: PathBuf,
    keys: KeyPair,
}

impl Desk {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("uiap-bundles-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let desk = Self { folder, keys: KeyPair::generate_unencrypted_keypair().expect("keys") };
        desk.put("key.pub", &desk.keys.pk.to_box().expect("a key").into_string());
        desk
    }

    fn put(&self, name: &str, text: &str) {
        std::fs::write(self.folder.join(name), text).expect("a file");
    }

    fn put_bundle(&self, bundle: &Value) {
        self.put("bundle.json", &bundle.to_string());
    }

    fn sign(&self, keys: &KeyPair, bundle: &Value) {
        let digest = bundle["digest"].as_str().expect("a digest");
        let signed = minisign::sign(None, &keys.sk, digest.as_bytes(), None, None).expect("a signature");
        self.put("bundle.json.minisig", &signed.into_string());
    }

    /// Exit code and everything that was said.
    fn run(&self, arguments: &[&str]) -> (i32, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uiap"));
        command.args(arguments).current_dir(&self.folder).env("XDG_STATE_HOME", &self.folder);
        let output = command.output().expect("the command ends");
        let all = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        (output.status.code().expect("an exit code"), all.join("\n"))
    }

    /// What every command says that loads bundles.
    fn says(&self, more: &[&str], code: i32, words: &[&str]) {
        let look = ["look", "data:text/html,<p>x", "--bundle", "bundle.json"];
        let act = ["act", "data:text/html,<p>x", "navigate", "--arg", "url=/", "--bundle", "bundle.json"];
        let wait = ["wait", "data:text/html,<p>x", "--quiet", "100", "--bundle", "bundle.json"];
        for command in [&look[..], &act[..], &wait[..]] {
            let (was, said) = self.run(&[command, more].concat());
            assert_eq!(was, code, "{said}");
            for word in words.iter().chain(&["bundle.json", "Nothing was done."]) {
                assert!(said.contains(word), "{word:?} in {said}");
            }
        }
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn bundle(change: impl FnOnce(&mut Value)) -> Value {
    let mut bundle = json!({
        "packageId": "shop.uiap", "version": "0.1.0", "profile": "web@0.1",
        "buildContext": { "environment": "dev", "channel": "dev", "locale": "en" },
        "compatibility": { "uiapCore": ">=0.1 <0.2" }, "app": { "appId": "shop", "displayName": "Shop" },
    });
    change(&mut bundle);
    bundle["digest"] = digest(bundle.as_object().expect("an object")).into();
    bundle
}

const TRUST: [&str; 2] = ["--trust", "key.pub"];

#[test]
fn a_bundle_that_was_changed_is_not_loaded() {
    let desk = Desk::new("changed");
    let mut changed = bundle(|_| {});
    changed["app"]["displayName"] = json!("Shup");
    desk.put_bundle(&changed);
    desk.says(&[], 1, &["it says that its digest is sha256:", "Take the bundle as it was built"]);
}

#[test]
fn only_what_somebody_trusted_signed_is_loaded() {
    let desk = Desk::new("signed");
    let good = bundle(|_| {});
    desk.put_bundle(&good);
    desk.says(&TRUST, 1, &["it has no signature", "There is no file bundle.json.minisig"]);
    let stranger = KeyPair::generate_unencrypted_keypair().expect("keys");
    desk.sign(&stranger, &good);
    desk.says(&TRUST, 1, &["it is signed with the key", "which is not trusted here", "name it as well"]);
    desk.sign(&desk.keys, &bundle(|bundle| bundle["version"] = json!("0.2.0")));
    desk.says(&TRUST, 1, &["is not for the digest sha256:"]);
    desk.put("bundle.json.minisig", "hello");
    desk.says(&TRUST, 1, &["the signature cannot be read"]);
    desk.put_bundle(&{
        let mut bare = good.clone();
        bare.as_object_mut().expect("an object").remove("digest");
        bare
    });
    desk.says(&TRUST, 1, &["it has no digest"]);
}

#[test]
fn a_bundle_for_another_program_is_not_loaded() {
    let desk = Desk::new("other");
    desk.put_bundle(&bundle(|bundle| bundle["compatibility"]["uiapCore"] = json!(">=0.2")));
    desk.says(&[], 2, &["it needs the core in >=0.2, and this is 0.1.0", "use another uiap"]);
    desk.put_bundle(&bundle(|bundle| {
        bundle["compatibility"]["extensions"] =
            json!([{ "id": "x.vendor.magic", "range": ">=1", "required": true }]);
    }));
    desk.says(&[], 2, &["it needs the extension x.vendor.magic, which nobody knows here"]);
}

#[test]
fn a_key_that_is_none_is_wrong_use() {
    let desk = Desk::new("key");
    desk.put_bundle(&bundle(|_| {}));
    desk.put("not.pub", "ssh-ed25519 AAAA me");
    let look =
        |key: &str| desk.run(&["look", "data:text/html,<p>x", "--bundle", "bundle.json", "--trust", key]);
    for (key, says) in
        [("not.pub", "It is not a public key of minisign"), ("missing", "There is no such file")]
    {
        let (code, said) = look(key);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(says) && said.contains(key), "{said}");
    }
    let (code, said) = desk.run(&["look", "data:text/html,<p>x", "--trust", "key.pub"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("--bundle"), "{said}");
}

#[test]
fn a_sound_and_signed_bundle_is_loaded_and_its_workflows_are_carried() {
    let desk = Desk::new("good");
    let good = bundle(|bundle| {
        bundle["compatibility"]["extensions"] =
            json!([{ "id": "uiap.workflow", "range": ">=0.1 <0.2", "required": true }]);
        bundle["workflows"] = json!([{ "id": "shop.first", "version": "0.1.0", "title": "First",
            "category": "onboarding", "startMode": "suggested", "interactionModes": ["guide"],
            "initialStepId": "done", "steps": [{ "id": "done", "type": "complete" }] }]);
    });
    desk.put_bundle(&good);
    desk.sign(&desk.keys, &good);
    let (code, said) =
        desk.run(&["look", "data:text/html,<button>Pay", "--bundle", "bundle.json", "--trust", "key.pub"]);
    assert_eq!(code, 0, "{said}");
    for words in [
        "button \"Pay\"",
        "The bundle is signed with the key",
        "workflows (1); they are carried and not run yet",
    ] {
        assert!(said.contains(words), "{words:?} in {said}");
    }
}
