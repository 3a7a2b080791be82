//! Signing with a key of minisign.
//!
//! Start at [`SecretFile::read`], or at [`KeyFiles::new`] for a new pair. `uiap_protocol::seal` checks what is signed
//! here, and so does the tool minisign.

use super::parcel::comment_on;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minisign::{KeyPair, PublicKey, SecretKey, SecretKeyBox};
use std::fmt;
use uiap_protocol::seal::SEAL_BYTES_MAX;

/// What the first line of a signature says. Nobody relies on it.
const UNTRUSTED_COMMENT: &str = "signature of a UIAP bundle, over the text of its digest";

/// Length of the sum at the end of a secret key. Where no password encrypts the key, minisign writes zeros there.
const SUM_BYTES: usize = 32;

/// Why there is no key to sign with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// It is something else.
    #[error("it is not a secret key of minisign")]
    NotAKey,
    /// Only its password opens it.
    #[error("the key has a password")]
    Locked,
    /// Something is wrong with the key, or it has another password.
    #[error("the password is not that of the key")]
    WrongPassword,
    /// The key cannot be used.
    #[error("the key cannot be used: {0}")]
    Unusable(String),
}

/// The file of a secret key, which may have a password.
pub struct SecretFile {
    text: String,
    key: SecretKey,
}

impl fmt::Debug for SecretFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SecretFile(redacted)")
    }
}

impl SecretFile {
    /// Reads the file that minisign writes.
    pub fn read(text: &str) -> Result<Self, KeyError> {
        let line = text.lines().nth(1).filter(|_| text.len() <= SEAL_BYTES_MAX).ok_or(KeyError::NotAKey)?;
        let bytes = STANDARD.decode(line.trim()).map_err(|_| KeyError::NotAKey)?;
        let key = SecretKey::from_bytes(&bytes).map_err(|_| KeyError::NotAKey)?;
        // What was read is all there was, so nothing shorter or longer passes for a key.
        if key.to_bytes() != bytes || !bytes.starts_with(b"Ed") {
            return Err(KeyError::NotAKey);
        }
        Ok(Self { text: text.to_owned(), key })
    }

    /// Whether only a password opens it.
    pub fn has_password(&self) -> bool {
        self.key.is_encrypted()
    }

    /// Opens it, with its password if it has one.
    pub fn open(self, password: Option<&str>) -> Result<SigningKey, KeyError> {
        let has_password = self.has_password();
        let has_sum = self.key.to_bytes().iter().rev().take(SUM_BYTES).any(|byte| *byte != 0);
        let file = SecretKeyBox::from(self.text);
        let key = match (has_password, password) {
            (false, _) if !has_sum => Ok(self.key),
            (false, _) => file.into_unencrypted_secret_key().map_err(|_| KeyError::NotAKey),
            (true, None) => Err(KeyError::Locked),
            (true, Some(password)) => {
                file.into_secret_key(Some(password.to_owned())).map_err(|_| KeyError::WrongPassword)
            }
        }?;
        Ok(SigningKey(key))
    }
}

/// A key that can sign.
pub struct SigningKey(SecretKey);

impl fmt::Debug for SigningKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SigningKey(redacted)")
    }
}

impl SigningKey {
    /// Signs the digest of a bundle, and with it what the bundle was made of.
    pub fn sign(&self, digest: &str, origins: Option<&[u8]>) -> Result<String, KeyError> {
        let comment = comment_on(origins);
        // The public half checks what the secret half did, so that a damaged key signs nothing.
        let public = PublicKey::from_secret_key(&self.0).map_err(unusable)?;
        let signed = minisign::sign(
            Some(&public),
            &self.0,
            digest.as_bytes(),
            Some(&comment),
            Some(UNTRUSTED_COMMENT),
        );
        signed.map(minisign::SignatureBox::into_string).map_err(unusable)
    }

    /// The file of its public key.
    pub fn public_file(&self) -> Result<String, KeyError> {
        let key = PublicKey::from_secret_key(&self.0).and_then(|key| key.to_box());
        key.map(minisign::PublicKeyBox::into_string).map_err(unusable)
    }
}

/// A new pair of keys, as files.
pub struct KeyFiles {
    /// The secret one.
    pub secret: String,
    /// The public one.
    pub public: String,
}

impl fmt::Debug for KeyFiles {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "KeyFiles({})", self.public.trim())
    }
}

impl KeyFiles {
    /// Makes a pair; with a password, the secret one is encrypted.
    pub fn new(password: Option<&str>) -> Result<Self, KeyError> {
        let pair = match password {
            None => KeyPair::generate_unencrypted_keypair(),
            Some(password) => KeyPair::generate_encrypted_keypair(Some(password.to_owned())),
        };
        let pair = pair.map_err(unusable)?;
        Ok(Self {
            secret: pair.sk.to_box(None).map_err(unusable)?.into_string(),
            public: pair.pk.to_box().map_err(unusable)?.into_string(),
        })
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it stands behind map_err")]
fn unusable(error: minisign::PError) -> KeyError {
    KeyError::Unusable(error.to_string())
}
