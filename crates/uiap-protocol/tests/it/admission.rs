//! Which bundles are loaded: each row breaks one thing, and names what is said about it.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use minisign::KeyPair;
use serde_json::{Value, json};
use uiap_protocol::authoring::{Admission, NotAdmitted};
use uiap_protocol::seal::{DIGEST_MEMBER, TrustedKey, digest};
use uiap_protocol::wire::JsonObject;

const EXTENSIONS: [&str; 2] = ["uiap.policy", "uiap.workflow"];

fn bundle() -> JsonObject {
    let value = json!({
        "packageId": "shop.uiap", "version": "0.1.0", "profile": "web@0.1",
        "buildContext": {"environment": "dev", "channel": "dev", "locale": "en"},
        "compatibility": {"uiapCore": ">=0.1 <0.2", "extensions": []},
        "app": {"appId": "shop", "displayName": "Shop"},
        "x.vendor.note": {"weight": 1.5},
    });
    sealed(value.as_object().expect("an object").clone())
}

fn sealed(mut bundle: JsonObject) -> JsonObject {
    let digest = digest(&bundle);
    bundle.insert(DIGEST_MEMBER.to_owned(), digest.into());
    bundle
}

struct Signer(KeyPair);

impl Signer {
    fn new() -> Self {
        Self(KeyPair::generate_unencrypted_keypair().expect("a key"))
    }

    fn key(&self) -> TrustedKey {
        TrustedKey::read(&self.0.pk.to_box().expect("a file").into_string()).expect("a key")
    }

    fn sign(&self, text: &str) -> String {
        let signed = minisign::sign(None, &self.0.sk, text.as_bytes(), None, None);
        signed.expect("a signature").into_string()
    }

    fn sign_bundle(&self, bundle: &JsonObject) -> String {
        self.sign(bundle.get(DIGEST_MEMBER).and_then(Value::as_str).expect("a digest"))
    }
}

/// What is said about a bundle; nothing, if it is loaded.
fn said(bundle: &JsonObject, signature: Option<&str>, trusted: &[TrustedKey]) -> String {
    let admission = Admission { profile: "web@0.1", extensions: &EXTENSIONS, trusted };
    match admission.admit(bundle, signature) {
        Ok(admitted) => {
            assert_eq!(admitted.signed_by, trusted.first().map(TrustedKey::id));
            String::new()
        }
        Err(error) => {
            assert!(!error.advice().is_empty());
            error.to_string()
        }
    }
}

/// The bundle after a change, with a digest that fits again.
fn with(path: &str, value: Value) -> JsonObject {
    let mut whole = Value::Object(bundle());
    *whole.pointer_mut(path).expect("a place") = value;
    let mut members = whole.as_object().expect("an object").clone();
    members.remove(DIGEST_MEMBER);
    sealed(members)
}

#[test]
fn a_whole_bundle_is_loaded() {
    let mut plain = bundle();
    assert_eq!(said(&plain, None, &[]), "");
    plain.remove(DIGEST_MEMBER);
    assert_eq!(said(&plain, None, &[]), "", "nobody asks for a digest");
}

#[test]
fn every_change_is_seen_wherever_it_is() {
    let places = ["/app/displayName", "/version", "/x.vendor.note/weight", "/compatibility/uiapCore"];
    let others = [json!("Shop "), json!("0.1.1"), json!(1.25), json!(">=0.1 <0.3")];
    for (place, other) in places.iter().zip(others) {
        let mut changed = Value::Object(bundle());
        *changed.pointer_mut(place).expect("a place") = other;
        let changed = changed.as_object().expect("an object");
        let text = said(changed, None, &[]);
        assert!(text.starts_with("it says that its digest is sha256:"), "{place}: {text}");
    }
    let mut other = bundle();
    other.insert(DIGEST_MEMBER.to_owned(), "sha256:00".into());
    assert!(said(&other, None, &[]).starts_with("it says that its digest is sha256:00, but"));
}

#[test]
fn only_who_is_trusted_can_sign() {
    let (ours, others) = (Signer::new(), Signer::new());
    let bundle = bundle();
    let good = ours.sign_bundle(&bundle);
    let trusted = [ours.key()];
    assert_eq!(said(&bundle, Some(&good), &trusted), "");
    assert_eq!(said(&bundle, Some(&good), &[]), "", "nobody asks for a signature");

    let key = ours.key().id();
    let unknown = said(&bundle, Some(&others.sign_bundle(&bundle)), &trusted);
    let signed_by = others.key().id();
    assert_eq!(
        unknown,
        format!("it is signed with the key {signed_by}, which is not trusted here; trusted: {key}")
    );
    let both = [ours.key(), others.key()];
    assert_eq!(said(&bundle, Some(&good), &both), "");

    let another = said(&bundle, Some(&ours.sign("sha256:00")), &trusted);
    assert!(another.starts_with(&format!("the signature with the key {key} is not for the digest sha256:")));
    let forged = forged(&good, &others.sign_bundle(&bundle));
    assert!(said(&bundle, Some(&forged), &trusted).starts_with("the signature with the key"), "{forged}");

    let comment = good.replace("trusted comment: timestamp:", "trusted comment: timestamp:1");
    assert!(said(&bundle, Some(&comment), &trusted).starts_with("the signature with the key"));

    assert_eq!(said(&bundle, None, &trusted), "it has no signature, and only signed bundles are loaded");
    let mut bare = bundle.clone();
    bare.remove(DIGEST_MEMBER);
    assert_eq!(said(&bare, Some(&good), &trusted), "it has no digest, and only signed bundles are loaded");
    for text in ["", "x", "a\nb\nc\nd", &"\n".repeat(100_000), &good.replace('\n', " ")] {
        let told = said(&bundle, Some(text), &trusted);
        assert_eq!(told, "the signature cannot be read; it is not what minisign writes", "{text:.20}");
    }
}

/// The signature of one key under the name of another: names of keys are no secret.
fn forged(named: &str, signed: &str) -> String {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    let line = |text: &str| STANDARD.decode(text.lines().nth(1).expect("a line")).expect("base64");
    let (named_line, mut bytes) = (line(named), line(signed));
    bytes.splice(2..10, named_line.get(2..10).expect("a name").iter().copied());
    let mut lines: Vec<_> = signed.lines().map(str::to_owned).collect();
    *lines.get_mut(1).expect("a line") = STANDARD.encode(bytes);
    lines.join("\n")
}

#[test]
fn a_key_is_what_minisign_writes() {
    let key = Signer::new();
    let file = key.0.pk.to_box().expect("a file").into_string();
    let line = file.lines().nth(1).expect("two lines");
    assert_eq!(TrustedKey::read(line), TrustedKey::read(&file));
    assert!(file.contains(&key.key().id().to_string()), "{file}");
    let secret = key.0.sk.to_box(None).expect("a file").into_string();
    for text in ["", "\n", "untrusted comment: x", &secret, &line.replace('R', "S"), &"x\n".repeat(100_000)] {
        assert!(TrustedKey::read(text).is_err(), "{text:.40}");
    }
}

#[test]
fn a_bundle_for_another_program_is_not_loaded() {
    let extension =
        |id: &str, range: &str, required: bool| json!([{"id": id, "range": range, "required": required}]);
    let extensions = "/compatibility/extensions";
    let rows = [
        ("/compatibility/uiapCore", json!(">=0.2"), "it needs the core in >=0.2, and this is 0.1.0"),
        ("/profile", json!("android@0.1"), "it needs the profile android@0.1, and this is web@0.1"),
        ("/profile", json!("web@0.2"), "it needs the profile web@0.2, and this is web@0.1"),
        (
            extensions,
            extension("x.vendor.magic", ">=0.1", true),
            "it needs the extension x.vendor.magic, which nobody knows here; known: uiap.policy, uiap.workflow",
        ),
        (
            extensions,
            extension("uiap.workflow", ">=0.2", true),
            "it needs the extension uiap.workflow in >=0.2, and this is 0.1.0",
        ),
        (extensions, extension("x.vendor.magic", ">=0.1", false), ""),
        (extensions, extension("uiap.workflow", ">=0.1 <0.2", true), ""),
        (extensions, extension("uicp.policy", ">=0.1 <0.2", true), ""),
    ];
    for (path, value, expected) in rows {
        assert_eq!(said(&with(path, value.clone()), None, &[]), expected, "{path} {value}");
    }
}

#[test]
fn what_is_no_bundle_is_not_loaded() {
    let broken = with("/version", json!(7));
    let admission = Admission { profile: "web@0.1", extensions: &EXTENSIONS, trusted: &[] };
    let error = admission.admit(&broken, None).expect_err("it is refused");
    assert!(matches!(&error, NotAdmitted::NotABundle { findings } if findings.len() == 1), "{error:?}");
}
