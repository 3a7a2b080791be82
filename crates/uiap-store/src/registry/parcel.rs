//! A bundle with its origins and its signature: do they belong together, and does the signature count?
//!
//! Start at [`Parcel::inspect`]. It is pure, and the same for a file on a desk and for a release in a registry.
//!
//! A signature is over the digest of the bundle, so that it is enough for those who load the bundle alone. Its
//! comment, which is signed as well, names the digest of the origins; the origins name the digest of the bundle.

use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::finding::Finding;
use uiap_protocol::seal::{Claim, DIGEST_MEMBER, KeyId, SignatureError, TrustedKey, digest, hash, verify};
use uiap_protocol::text::{Format, Limits, read, utf8};
use uiap_protocol::wire::{JsonObject, accept_object};

/// The member of the origins that names the bundle they are about, by its digest.
pub const BUNDLE_MEMBER: &str = "bundle";
/// What the comment of a signature has before the digest of the origins.
const COMMENT_PREFIX: &str = "origins ";
/// What it has there for a bundle without origins.
const COMMENT_NONE: &str = "none";

/// A bundle and what belongs to it.
#[derive(Clone, Copy, Debug)]
pub struct Parcel<'a> {
    /// The bundle, as it was read.
    pub bundle: &'a JsonObject,
    /// The file of origins.
    pub origins: Option<&'a [u8]>,
    /// The signature.
    pub signature: Option<&'a str>,
}

/// What is known about a parcel.
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    /// What the bundle says, if it is one.
    pub bundle: Option<CompiledBundle>,
    /// What the bundle is, whatever it says.
    pub digest: String,
    /// Who signed it, if that was checked.
    pub signed_by: Option<KeyId>,
    /// What its signature says, checked or not.
    pub claim: Option<Claim>,
    /// Everything that is wrong.
    pub flaws: Vec<Flaw>,
}

/// What is wrong with a parcel.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Flaw {
    /// It is no bundle.
    #[error("it is not a bundle{}", first(.findings))]
    NotABundle {
        /// What is wrong with it.
        findings: Vec<Finding>,
    },
    /// Nobody can tell whether it was changed.
    #[error("it has no digest")]
    NoDigest,
    /// It was changed after it was built, or its digest was.
    #[error("it says that its digest is {stated}, but what it holds has the digest {actual}")]
    Changed {
        /// What it says.
        stated: String,
        /// What it is.
        actual: String,
    },
    /// Nobody signed it, and somebody had to.
    #[error("it has no signature")]
    NoSignature,
    /// Its signature does not count.
    #[error(transparent)]
    Signature(#[from] SignatureError),
    /// Nobody can read the origins.
    #[error("its origins cannot be read: {why}")]
    OriginsUnreadable {
        /// Why.
        why: String,
    },
    /// The origins are those of another bundle.
    #[error("its origins are about {}, and it is {digest}", .named.as_deref().unwrap_or("no bundle"))]
    OriginsOfAnother {
        /// Which bundle they name.
        named: Option<String>,
        /// Which this is.
        digest: String,
    },
    /// The signature says nothing about the origins.
    #[error(
        "its signature does not cover its origins: the comment does not say \"{COMMENT_PREFIX}{origins}\""
    )]
    OriginsNotSigned {
        /// The digest of the origins.
        origins: String,
    },
    /// The signature is for other origins.
    #[error("its signature is for the origins {signed}, and they are {actual}")]
    OriginsChanged {
        /// What was signed.
        signed: String,
        /// What is there.
        actual: String,
    },
    /// The signature is for origins that are not there.
    #[error("its signature is for the origins {signed}, and there are none")]
    OriginsMissing {
        /// What was signed.
        signed: String,
    },
}

fn first(findings: &[Finding]) -> String {
    findings.first().map(|finding| format!(": {}", finding.message.trim_end_matches('.'))).unwrap_or_default()
}

impl Flaw {
    /// What to do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::NotABundle { .. } => "`uiap check` says what is wrong with it; build it anew.",
            Self::NoDigest => "Build it with a digest.",
            Self::Changed { .. } => "Take the bundle as it was built; whoever changed it must build it anew.",
            Self::NoSignature => "Sign it, or put its signature beside it.",
            Self::Signature(SignatureError::UnknownKey { .. }) => {
                "If that key is to be trusted, name it as well."
            }
            Self::Signature(_) => "Get the bundle and its signature from where they were published.",
            Self::OriginsUnreadable { .. } | Self::OriginsOfAnother { .. } => {
                "Take the origins that were written together with the bundle."
            }
            Self::OriginsNotSigned { .. } => {
                "Sign it with `uiap publish --key`, or with minisign and this comment (-t)."
            }
            Self::OriginsChanged { .. } => "Take the origins that were signed, or sign again.",
            Self::OriginsMissing { .. } => "Put the origins beside the bundle.",
        }
    }
}

/// The comment that a signature must have to cover origins, or to say that there are none.
pub fn comment_on(origins: Option<&[u8]>) -> String {
    let named = origins.map_or_else(|| COMMENT_NONE.to_owned(), hash);
    format!("{COMMENT_PREFIX}{named}")
}

impl Parcel<'_> {
    /// Finds everything that is wrong. With trusted keys it must be signed by one of them.
    pub fn inspect(&self, trusted: &[TrustedKey]) -> Inspection {
        let mut flaws = Vec::new();
        let bundle =
            accept_object(self.bundle).map_err(|findings| flaws.push(Flaw::NotABundle { findings })).ok();
        let actual = digest(self.bundle);
        let stated = self.bundle.get(DIGEST_MEMBER).and_then(serde_json::Value::as_str);
        match stated {
            None => flaws.push(Flaw::NoDigest),
            Some(stated) if stated != actual => {
                flaws.push(Flaw::Changed { stated: stated.to_owned(), actual: actual.clone() });
            }
            Some(_) => {}
        }
        flaws.extend(self.origins.and_then(|origins| flaw_of_origins(origins, &actual)));
        let claim = self.signature.map(Claim::read);
        let mut signed_by = None;
        match (self.signature, &claim) {
            (None, _) if !trusted.is_empty() => flaws.push(Flaw::NoSignature),
            (Some(_), Some(Err(error))) => flaws.push(error.clone().into()),
            (Some(signature), Some(Ok(claim))) => {
                if !trusted.is_empty() {
                    signed_by =
                        verify(&actual, signature, trusted).map_err(|error| flaws.push(error.into())).ok();
                }
                flaws.extend(flaw_of_comment(&claim.comment, self.origins));
            }
            _ => {}
        }
        Inspection { bundle, digest: actual, signed_by, claim: claim.and_then(Result::ok), flaws }
    }
}

fn flaw_of_origins(origins: &[u8], digest: &str) -> Option<Flaw> {
    let text = utf8(origins, Limits::DOCUMENT);
    let tree = text.and_then(|text| read(text, Format::Json, Limits::DOCUMENT));
    match tree {
        Err(fault) => Some(Flaw::OriginsUnreadable { why: fault.message.trim_end_matches('.').to_owned() }),
        Ok(tree) => {
            let named = tree.member(BUNDLE_MEMBER).and_then(|member| member.as_text());
            (named != Some(digest)).then(|| Flaw::OriginsOfAnother {
                named: named.map(str::to_owned),
                digest: digest.to_owned(),
            })
        }
    }
}

fn flaw_of_comment(comment: &str, origins: Option<&[u8]>) -> Option<Flaw> {
    let signed = comment.strip_prefix(COMMENT_PREFIX).filter(|signed| *signed != COMMENT_NONE);
    match (signed, origins.map(hash)) {
        (None, None) => None,
        (None, Some(origins)) => Some(Flaw::OriginsNotSigned { origins }),
        (Some(signed), None) => Some(Flaw::OriginsMissing { signed: signed.to_owned() }),
        (Some(signed), Some(actual)) => {
            (signed != actual).then(|| Flaw::OriginsChanged { signed: signed.to_owned(), actual })
        }
    }
}
