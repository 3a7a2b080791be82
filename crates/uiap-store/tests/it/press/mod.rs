//! Bundles to publish, and folders to publish them to.

#![expect(clippy::expect_used, reason = "a test that cannot start has failed")]

use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use uiap_protocol::authoring::{BuildContext, ReleaseChannel};
use uiap_protocol::ids::Id;
use uiap_protocol::seal::{DIGEST_MEMBER, TrustedKey, digest};
use uiap_protocol::time::Timestamp;
use uiap_protocol::wire::JsonObject;
use uiap_store::registry::{
    BUNDLE_MEMBER, Disk, KeyFiles, Line, Maker, Offer, Parcel, PublishError, Published, Registry, SecretFile,
    SigningKey,
};

/// A folder of its own, gone at the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("registry-{name}-{}-{number}", std::process::id());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    pub(crate) fn registry(&self) -> PathBuf {
        self.0.join("registry")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

/// Every file below a folder, in order.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut names: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    names.sort();
    for path in names {
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files
}

/// A bundle with its digest.
pub(crate) fn sealed(mut bundle: JsonObject) -> JsonObject {
    bundle.remove(DIGEST_MEMBER);
    let digest = digest(&bundle);
    bundle.insert(DIGEST_MEMBER.to_owned(), digest.into());
    bundle
}

/// A bundle for a channel; `title` makes its content.
pub(crate) fn bundle(package: &str, version: &str, channel: &str, title: &str) -> JsonObject {
    let value = json!({
        "packageId": package, "version": version, "profile": "web@0.1",
        "buildContext": {"environment": "test", "channel": channel},
        "compatibility": {"uiapCore": ">=0.1 <0.2"},
        "app": {"appId": "shop", "displayName": title},
    });
    sealed(value.as_object().expect("an object").clone())
}

pub(crate) fn digest_of(bundle: &JsonObject) -> &str {
    bundle.get(DIGEST_MEMBER).and_then(|digest| digest.as_str()).expect("a digest")
}

/// The file of origins of a bundle.
pub(crate) fn origins(bundle: &JsonObject) -> Vec<u8> {
    json!({ BUNDLE_MEMBER: digest_of(bundle), "origins": {"/app": "app.uiap.yaml:1"} })
        .to_string()
        .into_bytes()
}

/// Somebody who signs.
pub(crate) struct Signer {
    pub(crate) key: SigningKey,
    pub(crate) trusted: TrustedKey,
}

impl Signer {
    pub(crate) fn new() -> Self {
        let files = KeyFiles::new(None).expect("keys");
        let key = SecretFile::read(&files.secret).and_then(|file| file.open(None)).expect("a key");
        Self { key, trusted: TrustedKey::read(&files.public).expect("a key") }
    }

    pub(crate) fn sign(&self, bundle: &JsonObject, origins: Option<&[u8]>) -> String {
        self.key.sign(digest_of(bundle), origins).expect("a signature")
    }
}

pub(crate) fn time() -> Timestamp {
    Timestamp::new("2026-04-01T12:00:00Z").expect("a time")
}

/// Where a bundle says that it belongs.
pub(crate) fn channel_of(bundle: &JsonObject) -> ReleaseChannel {
    let context = bundle.get("buildContext").and_then(|context| context.get("channel"));
    let word = context.and_then(|word| word.as_str()).expect("a channel");
    ReleaseChannel::from_word(word).expect("a channel")
}

pub(crate) fn line(package: &str, channel: ReleaseChannel) -> Line {
    let context =
        BuildContext { environment: Some(Id::new("test").expect("an id")), ..BuildContext::default() };
    Line::new(&Id::new(package).expect("an id"), channel, &context).expect("a line")
}

/// Publishes a bundle by itself.
pub(crate) fn publish<D: Disk>(
    registry: &Registry<D>,
    bundle: &JsonObject,
) -> Result<Published, Box<PublishError>> {
    publish_parcel(registry, Parcel { bundle, origins: None, signature: None }, &[])
}

pub(crate) fn publish_parcel<D: Disk>(
    registry: &Registry<D>,
    parcel: Parcel<'_>,
    trusted: &[TrustedKey],
) -> Result<Published, Box<PublishError>> {
    let offer =
        Offer { parcel, maker: Maker::Publisher, channel: channel_of(parcel.bundle), at: time(), trusted };
    registry.publish(&offer, &|_, _| Ok(())).map_err(Box::new)
}

/// The digest that is current in a row.
pub(crate) fn current<D: Disk>(registry: &Registry<D>, line: &Line) -> Option<String> {
    registry.current(line, &[]).expect("a sound row").map(|release| release.record.digest)
}

/// The registry has nothing wrong in it.
pub(crate) fn assert_sound<D: Disk>(registry: &Registry<D>, trusted: &[TrustedKey], when: &str) {
    let report = registry.verify(trusted);
    let said: Vec<_> = report.damages.iter().map(ToString::to_string).collect();
    assert!(report.is_sound(), "{when}: {}", said.join("\n"));
}
