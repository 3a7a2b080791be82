//! Digests and signatures of documents.
//!
//! [`digest`] says what a document is, [`TrustedKey::read`] reads the key of somebody who is trusted, and [`verify`]
//! tells which of these keys signed a digest. Keys and signatures are those of minisign (Ed25519), so that the known
//! tool can make and check them: what is signed is the text of the digest. The comment of a signature is signed with
//! it; [`Claim`] reads what it says, before anybody checked whether it counts.

use crate::canonical::canonical_without;
use crate::wire::JsonObject;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minisign_verify::{PublicKey, Signature};
use sha2::{Digest as _, Sha256};
use std::fmt::{self, Write as _};

/// The member of a document that says its own digest.
pub const DIGEST_MEMBER: &str = "digest";
/// Longest key or signature, in bytes. Both are a few lines.
pub const SEAL_BYTES_MAX: usize = 16 * 1024;

/// The digest of a document: the hash of its canonical form without the member that says it (finding M16).
pub fn digest(document: &JsonObject) -> String {
    hash(canonical_without(document, DIGEST_MEMBER).as_bytes())
}

/// The hash of some bytes, as digests are written.
pub fn hash(bytes: &[u8]) -> String {
    shown(&Sha256::digest(bytes))
}

/// After so many bytes the state of a hash is kept.
const KEPT_EVERY: usize = 64 * 1024;

/// Hashes texts that begin like the one before: of the beginning only the result is taken. A bundle of which one
/// element has changed is hashed from there on.
#[derive(Clone, Default)]
pub struct Rehash {
    text: Vec<u8>,
    /// States after each whole part of the text.
    states: Vec<Sha256>,
}

impl Rehash {
    /// What [`hash`] says.
    pub fn hash(&mut self, bytes: &[u8]) -> String {
        let parts = self.text.chunks_exact(KEPT_EVERY).zip(bytes.chunks_exact(KEPT_EVERY));
        let same = parts.take_while(|(before, now)| before == now).count();
        self.states.truncate(same);
        let (known, new) = bytes.split_at(self.states.len() * KEPT_EVERY);
        self.text.truncate(known.len());
        self.text.extend_from_slice(new);
        let mut state = self.states.last().cloned().unwrap_or_default();
        for part in new.chunks(KEPT_EVERY) {
            state.update(part);
            if part.len() == KEPT_EVERY {
                self.states.push(state.clone());
            }
        }
        shown(&state.finalize())
    }
}

impl fmt::Debug for Rehash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Rehash").field("bytes", &self.text.len()).finish_non_exhaustive()
    }
}

fn shown(hash: &[u8]) -> String {
    let mut text = String::from("sha256:");
    for byte in hash {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The name of a key, as minisign shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyId(u64);

impl fmt::Display for KeyId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016X}", self.0)
    }
}

impl KeyId {
    /// It stands behind two bytes that name the algorithm.
    fn of_line(line: &str) -> Option<Self> {
        let bytes = STANDARD.decode(line.trim()).ok()?;
        let id = bytes.get(2..10)?.try_into().ok()?;
        Some(Self(u64::from_le_bytes(id)))
    }
}

/// What a signature says about itself. Anybody can write it: it counts once [`verify`] accepts the same text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Whose key made it.
    pub key: KeyId,
    /// The comment that is signed together with the digest.
    pub comment: String,
}

impl Claim {
    /// Reads a signature without checking it.
    pub fn read(signature: &str) -> Result<Self, SignatureError> {
        let (key, signature) = decoded(signature)?;
        Ok(Self { key, comment: signature.trusted_comment().to_owned() })
    }
}

/// The public key of somebody whose signature counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedKey {
    id: KeyId,
    key: PublicKey,
}

/// A text is not a public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is not a public key of minisign")]
pub struct NotAKey;

impl TrustedKey {
    /// Reads a public key: the file that minisign writes, or its last line alone.
    pub fn read(text: &str) -> Result<Self, NotAKey> {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let line = lines.next_back().filter(|_| text.len() <= SEAL_BYTES_MAX).ok_or(NotAKey)?;
        let key = PublicKey::from_base64(line).map_err(|_| NotAKey)?;
        Ok(Self { id: KeyId::of_line(line).ok_or(NotAKey)?, key })
    }

    /// Its name.
    pub fn id(&self) -> KeyId {
        self.id
    }
}

/// Why a signature does not count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// Nobody can read it.
    #[error("the signature cannot be read; it is not what minisign writes")]
    Unreadable,
    /// Somebody else signed.
    #[error("it is signed with the key {signed_by}, which is not trusted here; trusted: {}", listed(.trusted))]
    UnknownKey {
        /// Whose key.
        signed_by: KeyId,
        /// Whose would count.
        trusted: Vec<KeyId>,
    },
    /// It is for something else, or it is forged.
    #[error("the signature with the key {key} is not for the digest {digest}")]
    Wrong {
        /// Whose key it claims.
        key: KeyId,
        /// What it should be for.
        digest: String,
    },
}

fn listed(keys: &[KeyId]) -> String {
    keys.iter().map(KeyId::to_string).collect::<Vec<_>>().join(", ")
}

/// Who of those who are trusted signed this digest.
pub fn verify(digest: &str, signature: &str, trusted: &[TrustedKey]) -> Result<KeyId, SignatureError> {
    let (signed_by, signature) = decoded(signature)?;
    let mut candidates = trusted.iter().filter(|key| key.id == signed_by).peekable();
    if candidates.peek().is_none() {
        let trusted = trusted.iter().map(TrustedKey::id).collect();
        return Err(SignatureError::UnknownKey { signed_by, trusted });
    }
    // Names of keys are not secret, so two keys may have one.
    if candidates.any(|candidate| candidate.key.verify(digest.as_bytes(), &signature, false).is_ok()) {
        return Ok(signed_by);
    }
    Err(SignatureError::Wrong { key: signed_by, digest: digest.to_owned() })
}

fn decoded(signature: &str) -> Result<(KeyId, Signature), SignatureError> {
    let line = signature.lines().nth(1).filter(|_| signature.len() <= SEAL_BYTES_MAX);
    let signed_by = line.and_then(KeyId::of_line).ok_or(SignatureError::Unreadable)?;
    let signature = Signature::decode(signature).map_err(|_| SignatureError::Unreadable)?;
    Ok((signed_by, signature))
}
