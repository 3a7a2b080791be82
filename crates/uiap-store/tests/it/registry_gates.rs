//! What is published and what is refused: each row breaks one thing, and names what is said about it.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use crate::press::{
    Folder, Signer, assert_sound, bundle, channel_of, current, digest_of, files_below, line, origins,
    publish, publish_parcel, sealed, time,
};
use serde_json::{Value, json};
use uiap_protocol::authoring::ReleaseChannel;
use uiap_protocol::seal::{TrustedKey, hash};
use uiap_protocol::wire::JsonObject;
use uiap_store::registry::{Maker, Offer, Parcel, Published, Registry};

fn shop(version: &str, title: &str) -> JsonObject {
    bundle("shop.uiap", version, "prod", title)
}

/// The bundle after a change, with a digest that fits again.
fn with(path: &str, value: Value) -> JsonObject {
    let mut whole = Value::Object(shop("0.1.0", "x"));
    *whole.pointer_mut(path).expect("a place") = value;
    sealed(whole.as_object().expect("an object").clone())
}

/// What is said about an offer to a registry that is not there yet; nothing, if it is published.
fn said(parcel: Parcel<'_>, channel: ReleaseChannel, trusted: &[TrustedKey]) -> String {
    said_of(Maker::Publisher, parcel, channel, trusted)
}

fn said_of(maker: Maker, parcel: Parcel<'_>, channel: ReleaseChannel, trusted: &[TrustedKey]) -> String {
    let folder = Folder::new("gates");
    let registry = Registry::at(folder.registry());
    match registry.publish(&Offer { parcel, maker, channel, at: time(), trusted }, &|_, _| Ok(())) {
        Ok(_) => String::new(),
        Err(error) => {
            assert!(!error.advice().is_empty());
            assert!(!folder.registry().exists(), "what is refused leaves nothing behind");
            error.to_string()
        }
    }
}

fn alone(bundle: &JsonObject) -> String {
    said(Parcel { bundle, origins: None, signature: None }, ReleaseChannel::Prod, &[])
}

#[test]
fn every_channel_can_be_published_to() {
    uiap_testkit::proves!["AUT-13-11"];
    let folder = Folder::new("channels");
    let registry = Registry::at(folder.registry());
    for word in ["dev", "staging", "canary", "prod", "deprecated"] {
        let bundle = bundle("shop.uiap", "0.1.0", word, word);
        publish(&registry, &bundle).expect("published");
        let channel = ReleaseChannel::from_word(word).expect("a channel");
        assert_eq!(current(&registry, &line("shop.uiap", channel)).as_deref(), Some(digest_of(&bundle)));
    }
    assert_eq!(registry.verify(&[]).releases.len(), 5);
}

#[test]
fn only_what_passed_the_gates_of_its_channel_is_published() {
    uiap_testkit::proves!["AUT-12-6"];
    assert_eq!(alone(&shop("0.1.0", "x")), "");
    let staging = with("/buildContext/channel", json!("staging"));
    assert_eq!(alone(&staging), "it was built for staging, so the gates of prod were not checked");
    let nowhere = with("/buildContext", json!({}));
    assert_eq!(alone(&nowhere), "it was built for no channel, so the gates of prod were not checked");
}

#[test]
fn what_somebody_made_needs_a_signature_that_counts() {
    uiap_testkit::proves!["AUT-12-6"];
    let signer = Signer::new();
    let trusted = [signer.trusted.clone()];
    let bundle = shop("0.1.0", "x");
    let signature = signer.sign(&bundle, None);
    let told = |maker: Maker, signature: Option<&str>, trusted: &[TrustedKey]| {
        said_of(maker, Parcel { bundle: &bundle, origins: None, signature }, ReleaseChannel::Prod, trusted)
    };
    let unvouched = "it was not built just now and no trusted key has signed it, \
        so nobody knows whether the gates of prod were checked";
    assert_eq!(told(Maker::Somebody, None, &[]), unvouched);
    assert_eq!(told(Maker::Somebody, Some(&signature), &[]), unvouched);
    assert_eq!(told(Maker::Somebody, None, &trusted), "it has no signature");
    assert_eq!(told(Maker::Somebody, Some(&signature), &trusted), "");
    assert_eq!(told(Maker::Publisher, None, &[]), "");
}

#[test]
fn only_whole_bundles_are_published() {
    let mut bare = shop("0.1.0", "x");
    bare.remove("digest");
    assert_eq!(alone(&bare), "it has no digest");
    let mut changed = shop("0.1.0", "x");
    changed.insert("version".to_owned(), "0.1.1".into());
    assert!(alone(&changed).starts_with("it says that its digest is sha256:"));
    assert!(alone(&with("/version", json!(7))).starts_with("it is not a bundle: "));
    let long = with("/packageId", json!("Ä".repeat(128)));
    assert!(alone(&long).contains("too long for the name of a folder"));
}

#[test]
fn signatures_cover_bundle_and_origins() {
    let (signer, stranger) = (Signer::new(), Signer::new());
    let trusted = [signer.trusted.clone()];
    let bundle = shop("0.1.0", "x");
    let (ours, others) = (origins(&bundle), origins(&shop("0.1.0", "y")));
    let reformatted = [&ours[..], b"\n"].concat();
    let good = signer.sign(&bundle, Some(&ours));
    let bare = signer.sign(&bundle, None);
    // As minisign does it when nobody says what to write.
    let by_hand = bare.replace("trusted comment: origins none", "trusted comment: timestamp:1");
    let told = |origins: Option<&[u8]>, signature: Option<&str>, trusted: &[TrustedKey]| {
        said(Parcel { bundle: &bundle, origins, signature }, ReleaseChannel::Prod, trusted)
    };
    assert_eq!(told(Some(&ours), Some(&good), &trusted), "");
    assert_eq!(told(Some(&ours), Some(&good), &[]), "");
    assert_eq!(told(None, Some(&bare), &trusted), "");
    assert_eq!(told(Some(&ours), None, &[]), "");
    assert_eq!(told(None, None, &trusted), "it has no signature");
    assert_eq!(told(Some(b"{"), None, &[]).split(':').next(), Some("its origins cannot be read"));
    assert!(told(Some(&others), None, &[]).starts_with("its origins are about sha256:"));
    assert!(told(Some(b"{}"), None, &[]).starts_with("its origins are about no bundle, and it is sha256:"));
    let cover = format!("the comment does not say \"origins {}\"", hash(&ours));
    assert!(told(Some(&ours), Some(&bare), &trusted).ends_with(&cover));
    assert!(told(Some(&ours), Some(&by_hand), &[]).ends_with(&cover));
    let missing = format!("its signature is for the origins {}, and there are none", hash(&ours));
    assert_eq!(told(None, Some(&good), &trusted), missing);
    assert_eq!(
        told(Some(&reformatted), Some(&good), &trusted),
        format!("its signature is for the origins {}, and they are {}", hash(&ours), hash(&reformatted))
    );
    // Who changes the comment so that it fits has no signature any more.
    let forged = good.replace(&hash(&ours), &hash(&reformatted));
    assert!(told(Some(&reformatted), Some(&forged), &trusted).starts_with("the signature with the key"));
    assert!(
        told(Some(&ours), Some(&stranger.sign(&bundle, Some(&ours))), &trusted)
            .contains("is not trusted here")
    );
    assert!(told(None, Some("hello"), &[]).starts_with("the signature cannot be read"));
}

#[test]
fn a_published_version_never_changes() {
    let folder = Folder::new("versions");
    let registry = Registry::at(folder.registry());
    let told = |bundle: &JsonObject| match publish(&registry, bundle) {
        Ok(Published::New(release)) => format!("new {}", release.record.number),
        Ok(Published::Before(release)) => format!("before {}", release.record.number),
        Err(error) => error.to_string(),
    };
    assert_eq!(told(&shop("0.9.0", "a")), "new 1");
    assert_eq!(told(&shop("0.9.0", "a")), "before 1");
    assert_eq!(
        told(&shop("0.9.0", "b")),
        format!(
            "shop.uiap in prod has version 0.9.0 already, with the digest {}; this one has {}",
            digest_of(&shop("0.9.0", "a")),
            digest_of(&shop("0.9.0", "b"))
        )
    );
    assert_eq!(told(&shop("0.10.0", "a")), "new 2");
    assert_eq!(told(&shop("0.9.0", "a")), "before 1");
    assert_eq!(
        told(&shop("0.9.1", "a")),
        "shop.uiap in prod is at version 0.10.0, and 0.9.1 is not above it"
    );
    assert_eq!(
        told(&shop("0.10.0-rc.1", "a")),
        "shop.uiap in prod is at version 0.10.0, and 0.10.0-rc.1 is not above it"
    );
    // Another context is another row.
    let mut german = shop("0.9.0", "c");
    german.insert("buildContext".to_owned(), json!({"channel": "prod", "locale": "de"}));
    assert_eq!(told(&sealed(german)), "new 1");
    assert_sound(&registry, &[], "at the end");
}

#[test]
fn what_belongs_to_a_release_never_changes_either() {
    let folder = Folder::new("parts");
    let registry = Registry::at(folder.registry());
    let signer = Signer::new();
    let bundle = shop("0.1.0", "x");
    let origins = origins(&bundle);
    let signature = signer.sign(&bundle, None);
    let told = |origins: Option<&[u8]>, signature: Option<&str>| {
        let result = publish_parcel(&registry, Parcel { bundle: &bundle, origins, signature }, &[]);
        result.map_or_else(|error| error.to_string(), |done| format!("{}", matches!(done, Published::New(_))))
    };
    assert_eq!(told(None, None), "true");
    assert_eq!(told(None, None), "false");
    assert!(told(Some(&origins), None).contains("with the origins none; this one has sha256:"));
    assert!(told(None, Some(&signature)).ends_with("without a signature, and a release never changes"));
}

#[test]
fn the_gate_of_the_caller_sees_what_is_current() {
    let folder = Folder::new("gate");
    let registry = Registry::at(folder.registry());
    let seen = |bundle: &JsonObject, verdict: Result<(), &'static str>| {
        let parcel = Parcel { bundle, origins: None, signature: None };
        let offer =
            Offer { parcel, maker: Maker::Publisher, channel: channel_of(bundle), at: time(), trusted: &[] };
        let heard = std::cell::RefCell::new(String::from("nothing"));
        let result = registry.publish(&offer, &|current, new| {
            let current = current.map_or("none", |release| release.bundle.version.as_str());
            heard.replace(format!("{current} to {}", new.version));
            verdict.map_err(Into::into)
        });
        (heard.into_inner(), result.map(|_| ()).map_err(|error| error.to_string()))
    };
    assert_eq!(seen(&shop("0.1.0", "a"), Ok(())), ("none to 0.1.0".into(), Ok(())));
    let files = files_below(&folder.registry());
    let refused = Err("too small a step".to_owned());
    assert_eq!(seen(&shop("0.1.1", "b"), Err("too small a step")), ("0.1.0 to 0.1.1".into(), refused));
    assert_eq!(files_below(&folder.registry()), files, "nothing was written");
    assert_eq!(seen(&shop("0.1.0", "a"), Err("unheard")), ("nothing".into(), Ok(())));
    assert_eq!(seen(&shop("0.2.0", "b"), Ok(())), ("0.1.0 to 0.2.0".into(), Ok(())));
}
