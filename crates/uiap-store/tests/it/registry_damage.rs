//! Somebody changes the folder of a registry: whatever it is, it is seen, and the place is named.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use crate::press::{
    Folder, Signer, assert_sound, bundle, files_below, line, origins, publish, publish_parcel,
};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use uiap_protocol::authoring::ReleaseChannel;
use uiap_protocol::seal::TrustedKey;
use uiap_store::registry::{Damage, Parcel, PublishError, Registry};

/// A registry with three signed releases in one row and one in another.
struct Store {
    folder: Folder,
    registry: Registry,
    trusted: [TrustedKey; 1],
}

impl Store {
    fn new() -> Self {
        let (folder, signer) = (Folder::new("damage"), Signer::new());
        let registry = Registry::at(folder.registry());
        let trusted = [signer.trusted.clone()];
        let goods =
            [("shop.uiap", "0.1.0"), ("shop.uiap", "0.2.0"), ("shop.uiap", "0.3.0"), ("other", "1.0.0")];
        for (package, version) in goods {
            let bundle = bundle(package, version, "prod", version);
            let origins = origins(&bundle);
            let signature = signer.sign(&bundle, Some(&origins));
            let parcel = Parcel { bundle: &bundle, origins: Some(&origins), signature: Some(&signature) };
            publish_parcel(&registry, parcel, &trusted).expect("published");
        }
        assert_sound(&registry, &trusted, "at the beginning");
        Self { folder, registry, trusted }
    }

    /// Every file but the lock, which says nothing.
    fn files(&self) -> Vec<PathBuf> {
        let mut files = files_below(&self.folder.registry());
        files.retain(|path| !path.ends_with("lock"));
        files
    }

    /// The places that are wrong.
    fn wrong(&self) -> Vec<PathBuf> {
        let report = self.registry.verify(&self.trusted);
        report.damages.iter().map(|damage| damage.path().to_owned()).collect()
    }

    fn is_named(&self, path: &Path, what: &str) {
        let wrong = self.wrong();
        // A file may be missed by the one that names it.
        let named = wrong.iter().any(|wrong| wrong == path || path.starts_with(wrong));
        assert!(named, "{what} {}: {wrong:?}", path.display());
    }
}

#[test]
fn every_byte_counts() {
    let store = Store::new();
    for path in store.files() {
        let bytes = std::fs::read(&path).expect("a file");
        // Of a long file some bytes, of a short one each.
        let stride = (bytes.len() / 24).max(1);
        for place in (0..bytes.len()).step_by(stride).chain([bytes.len() - 1]) {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            std::fs::write(&path, &changed).expect("written");
            store.is_named(&path, &format!("byte {place} of"));
        }
        for changed in [&bytes[..bytes.len() - 1], &[&bytes[..], b"\n"].concat(), b""] {
            std::fs::write(&path, changed).expect("written");
            store.is_named(&path, "another length of");
        }
        std::fs::write(&path, &bytes).expect("written");
    }
    assert_sound(&store.registry, &store.trusted, "as before");
}

#[test]
fn every_file_counts() {
    let store = Store::new();
    let newest =
        |path: &Path| path.ends_with("00000003") || path.to_string_lossy().contains("channels/other/");
    let aside = store.folder.0.join("aside");
    for path in store.files() {
        std::fs::rename(&path, &aside).expect("moved");
        if newest(&path) {
            // Without its last pointer a row is what it was before; what the pointer was for is left over.
            assert_eq!(store.registry.verify(&store.trusted).leftovers.len(), 1, "{}", path.display());
        } else {
            store.is_named(&path, "no");
            symlink(&aside, &path).expect("a link");
            store.is_named(&path, "a link instead of");
            std::fs::remove_file(&path).expect("removed");
        }
        std::fs::rename(&aside, &path).expect("moved back");
    }
    assert_sound(&store.registry, &store.trusted, "as before");
}

#[test]
fn what_nobody_published_is_named() {
    let store = Store::new();
    let root = store.folder.registry();
    let files = store.files();
    let release = files.iter().find(|path| path.ends_with("bundle.json")).and_then(|path| path.parent());
    let row = files.iter().find(|path| path.ends_with("00000001")).and_then(|path| path.parent());
    let (release, row) = (release.expect("a release"), row.expect("a row"));
    let strays = [
        root.join("notes.txt"),
        root.join("releases/notes.txt"),
        root.join("channels/notes.txt"),
        root.join("channels/shop.uiap/notes.txt"),
        root.join("channels/shop.uiap/prod/notes.txt"),
        release.join("notes.txt"),
        row.join("notes.txt"),
        row.join("0000004"),
        row.join("00000000"),
    ];
    for stray in strays {
        std::fs::write(&stray, "x").expect("written");
        assert_eq!(store.wrong(), std::slice::from_ref(&stray));
        std::fs::remove_file(&stray).expect("removed");
    }
}

#[test]
fn a_row_that_was_put_together_is_named() {
    let store = Store::new();
    let files = store.files();
    let entry = |name: &str, number: &str| {
        let found = files.iter().find(|path| {
            path.ends_with(number) && path.to_string_lossy().contains(&format!("channels/{name}/"))
        });
        found.expect("an entry").clone()
    };
    let [first, second, third] =
        ["00000001", "00000002", "00000003"].map(|number| entry("shop.uiap", number));
    let foreign = entry("other", "00000001");
    let swap = |from: &Path, to: &Path| {
        let (kept, other) = (std::fs::read(to).expect("a file"), std::fs::read(from).expect("a file"));
        std::fs::write(to, other).expect("written");
        store.is_named(to, "another release in");
        std::fs::write(to, kept).expect("written");
    };
    swap(&first, &second);
    swap(&first, &third);
    swap(&third, &first);
    swap(&foreign, &first);
    swap(&foreign, &third);
    swap(&first, &foreign);
    // A row whose beginning is forgotten, and one that is forgotten altogether.
    let row = first.parent().expect("a row");
    let aside = store.folder.0.join("aside");
    std::fs::rename(row, &aside).expect("moved");
    assert_eq!(store.wrong().len(), 2, "those that others follow");
    std::fs::rename(&aside, row).expect("moved back");
    // A row in the place of another.
    let other = row.with_file_name("0".repeat(64));
    std::fs::rename(row, &other).expect("moved");
    assert_eq!(store.wrong().len(), 3);
}

#[test]
fn unsigned_releases_are_named_where_signatures_are_needed() {
    let folder = Folder::new("unsigned");
    let registry = Registry::at(folder.registry());
    publish(&registry, &bundle("shop.uiap", "0.1.0", "prod", "x")).expect("published");
    assert_sound(&registry, &[], "nobody asks");
    let report = registry.verify(&[Signer::new().trusted]);
    let codes: Vec<_> = report.damages.iter().map(Damage::code).collect();
    assert_eq!(codes, ["unsigned"]);
    assert!(report.damages.iter().all(|damage| !damage.advice().is_empty()));
    let shop = line("shop.uiap", ReleaseChannel::Prod);
    assert!(registry.current(&shop, &[Signer::new().trusted]).is_err(), "nor is it handed out");
}

#[test]
fn nothing_is_added_to_what_is_damaged() {
    let store = Store::new();
    let files = store.files();
    let pointer = files.iter().find(|path| path.ends_with("00000003")).expect("a pointer");
    std::fs::write(pointer, "x").expect("written");
    let refused = publish(&store.registry, &bundle("shop.uiap", "0.4.0", "prod", "x")).expect_err("refused");
    assert!(matches!(*refused, PublishError::Damaged(_)), "{refused}");
    assert!(refused.to_string().contains("00000003"), "{refused}");
    // Other rows are not concerned.
    publish(&store.registry, &bundle("other", "1.1.0", "prod", "x")).expect("published");
}

#[test]
fn folders_of_others_are_left_alone() {
    let folder = Folder::new("foreign");
    let root = folder.registry();
    std::fs::create_dir_all(&root).expect("a folder");
    std::fs::write(root.join("thesis.tex"), "x").expect("a file");
    let registry = Registry::at(&root);
    let refused = publish(&registry, &bundle("shop.uiap", "0.1.0", "prod", "x")).expect_err("refused");
    assert!(matches!(*refused, PublishError::Foreign { .. }), "{refused}");
    assert_eq!(files_below(&root), [root.join("thesis.tex")]);
    assert!(!registry.verify(&[]).is_sound());
    std::fs::write(root.join("registry.json"), "{\"format\":2,\"kind\":\"uiap-registry\"}").expect("a file");
    let refused = publish(&registry, &bundle("shop.uiap", "0.1.0", "prod", "x")).expect_err("refused");
    assert!(matches!(*refused, PublishError::Damaged(_)), "{refused}");
    assert!(!Registry::at(folder.0.join("nowhere")).verify(&[]).is_sound());
}

#[test]
fn whatever_publishers_left_is_removed_and_nothing_else() {
    let folder = Folder::new("leftovers");
    let root = folder.registry();
    let registry = Registry::at(&root);
    publish(&registry, &bundle("shop.uiap", "0.1.0", "prod", "x")).expect("published");
    let (temporary, outside) = (root.join("tmp"), folder.0.join("outside"));
    std::fs::create_dir_all(temporary.join("7-1/deep")).expect("a folder");
    std::fs::create_dir_all(&outside).expect("a folder");
    for path in [temporary.join("7-0"), temporary.join("7-1/deep/file"), outside.join("file")] {
        std::fs::write(path, "x").expect("a file");
    }
    symlink(&outside, temporary.join("7-2")).expect("a link");
    assert_eq!(registry.verify(&[]).leftovers.len(), 3);
    publish(&registry, &bundle("shop.uiap", "0.2.0", "prod", "x")).expect("published");
    assert!(registry.verify(&[]).leftovers.is_empty());
    assert!(outside.join("file").exists());
}
