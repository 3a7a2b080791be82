//! Keys and signatures: ours are read by minisign, and those of minisign by us.

#![expect(clippy::print_stderr, reason = "a test may fail loudly")]

use crate::press::{Folder, bundle, digest_of, origins};
use std::path::Path;
use std::process::Command;
use uiap_protocol::seal::{TrustedKey, verify};
use uiap_store::registry::{KeyError, KeyFiles, Parcel, SecretFile, comment_on};

#[test]
fn a_key_with_a_password_opens_with_it_alone() {
    let files = KeyFiles::new(Some("correct horse")).expect("keys");
    let opened = |password: Option<&str>| SecretFile::read(&files.secret).expect("a key").open(password);
    assert!(SecretFile::read(&files.secret).expect("a key").has_password());
    assert_eq!(opened(None).expect_err("locked"), KeyError::Locked);
    assert_eq!(opened(Some("battery staple")).expect_err("locked"), KeyError::WrongPassword);
    let key = opened(Some("correct horse")).expect("a key");
    let signature = key.sign("sha256:00", None).expect("a signature");
    let trusted = TrustedKey::read(&files.public).expect("a key");
    assert_eq!(verify("sha256:00", &signature, std::slice::from_ref(&trusted)), Ok(trusted.id()));
    assert_eq!(key.public_file().expect("a key").lines().nth(1), files.public.lines().nth(1));
}

#[test]
fn nothing_else_is_a_secret_key() {
    let files = KeyFiles::new(None).expect("keys");
    let line = files.secret.lines().nth(1).expect("a line");
    let (short, long) = (line.get(4..).expect("a text"), format!("{line}AAAA"));
    let texts = [
        "",
        "x",
        "a\nb",
        "a\n",
        &files.public,
        &format!("c\n{short}"),
        &format!("c\n{long}"),
        &"a\n".repeat(90_000),
    ];
    for text in texts {
        assert_eq!(SecretFile::read(text).map(|_| ()).expect_err("refused"), KeyError::NotAKey, "{text:.40}");
    }
    // A damaged key is noticed when it is opened.
    let swapped: String = line.chars().rev().skip(1).take(6).collect();
    let damaged = files
        .secret
        .replace(line.get(line.len() - 20..).expect("a text"), &format!("{swapped}{}", "A".repeat(14)));
    let opened = SecretFile::read(&damaged).and_then(|file| file.open(None));
    assert_eq!(opened.map(|_| ()).expect_err("refused"), KeyError::NotAKey);
}

#[test]
fn secrets_are_not_printed() {
    let files = KeyFiles::new(None).expect("keys");
    let file = SecretFile::read(&files.secret).expect("a key");
    let shown =
        format!("{file:?} {files:?} {:?}", SecretFile::read(&files.secret).and_then(|file| file.open(None)));
    let secret = files.secret.lines().nth(1).expect("a line");
    assert!(!shown.contains(secret.get(..40).expect("a text")), "{shown}");
    assert!(shown.contains("SigningKey(redacted)"), "{shown}");
}

/// Runs minisign; nothing, if it is not installed.
fn minisign(folder: &Path, arguments: &[&str]) -> Option<(bool, String)> {
    let output = Command::new("minisign").args(arguments).current_dir(folder).output();
    match output {
        Ok(output) => {
            let said =
                [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            Some((output.status.success(), said.join("\n")))
        }
        Err(_) => {
            assert!(std::env::var_os("CI").is_none(), "minisign is missing; `cargo xtask setup` installs it");
            eprintln!("skipped: minisign is not installed; `cargo xtask setup` installs it");
            None
        }
    }
}

#[test]
fn minisign_accepts_what_we_sign() {
    let folder = Folder::new("theirs");
    let bundle = bundle("shop.uiap", "0.1.0", "prod", "x");
    let origins = origins(&bundle);
    let files = KeyFiles::new(None).expect("keys");
    let key = SecretFile::read(&files.secret).and_then(|file| file.open(None)).expect("a key");
    let put = |name: &str, text: &str| std::fs::write(folder.0.join(name), text).expect("a file");
    put("key.pub", &files.public);
    put("digest", digest_of(&bundle));
    put("digest.minisig", &key.sign(digest_of(&bundle), Some(&origins)).expect("a signature"));
    let Some((accepted, said)) = minisign(&folder.0, &["-V", "-p", "key.pub", "-m", "digest"]) else {
        return;
    };
    assert!(accepted, "{said}");
    assert!(said.contains(&comment_on(Some(&origins))), "{said}");
    put("digest", "sha256:00");
    let (accepted, said) = minisign(&folder.0, &["-V", "-p", "key.pub", "-m", "digest"]).expect("minisign");
    assert!(!accepted, "{said}");
}

#[test]
fn we_accept_what_minisign_signs() {
    let folder = Folder::new("ours");
    let bundle = bundle("shop.uiap", "0.1.0", "prod", "x");
    let origins = origins(&bundle);
    std::fs::write(folder.0.join("digest"), digest_of(&bundle)).expect("a file");
    let Some((made, said)) = minisign(&folder.0, &["-G", "-W", "-p", "key.pub", "-s", "key"]) else { return };
    assert!(made, "{said}");
    let comment = comment_on(Some(&origins));
    let (signed, said) =
        minisign(&folder.0, &["-S", "-s", "key", "-m", "digest", "-t", &comment]).expect("minisign");
    assert!(signed, "{said}");
    let read = |name: &str| std::fs::read_to_string(folder.0.join(name)).expect("a file");
    let trusted = [TrustedKey::read(&read("key.pub")).expect("a key")];
    let signature = read("digest.minisig");
    let inspect = |origins: Option<&[u8]>| {
        Parcel { bundle: &bundle, origins, signature: Some(&signature) }.inspect(&trusted)
    };
    let inspection = inspect(Some(&origins));
    assert_eq!((inspection.signed_by, inspection.flaws), (Some(trusted[0].id()), Vec::new()));
    assert_eq!(inspect(None).flaws.len(), 1, "the comment of minisign is signed as well");
    // Its secret key signs here as well.
    let key = SecretFile::read(&read("key")).and_then(|file| file.open(None)).expect("a key");
    let again = key.sign(digest_of(&bundle), None).expect("a signature");
    assert_eq!(verify(digest_of(&bundle), &again, &trusted), Ok(trusted[0].id()));
    // It has no sum that shows damage; what it signs does.
    let text = read("key");
    let line = text.lines().nth(1).expect("a line");
    let damaged = text.replace(line.get(84..92).expect("a text"), "AAAAAAAA");
    let key = SecretFile::read(&damaged).and_then(|file| file.open(None)).expect("a key");
    assert!(matches!(key.sign("sha256:00", None), Err(KeyError::Unusable(_))));
}
