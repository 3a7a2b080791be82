//! Consent that cannot be forged (ACT 5.3 to 5.5, finding A24).
//!
//! Start at [`ConsentDesk`]. A grant is a token that is good once, for exactly what a person was shown. It is bound to
//! its [`Subject`] by a MAC whose key neither agent nor page ever sees; on any change of the subject it is void.

use crate::canonical::{members, text};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::collections::BTreeMap;
use uiap_protocol::action::ResolvedTarget;
use uiap_protocol::core::PeerRole;
use uiap_protocol::ids::{ActionHandle, ActionId, Id};
use uiap_protocol::wire::JsonObject;

/// The response header, in lower case, of every page on which a person agrees to what an agent wants; its pages also have
/// a `meta` element of this name. No surface shows such a page: an agent could agree with itself there.
pub const APPROVAL_PAGE_HEADER: &str = "uiap-approval-page";
/// Most grants that are open at a time.
pub const OPEN_GRANTS_MAX: usize = 1_000;

/// What a person agrees to. Everything in it is what was shown, or what makes it mean something else.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'s> {
    /// Which action.
    pub handle: &'s ActionHandle,
    /// What it is.
    pub action: &'s ActionId,
    /// On what.
    pub target: Option<&'s ResolvedTarget>,
    /// With what.
    pub args: Option<&'s JsonObject>,
    /// On which state of the page, as far as it matters to the target.
    pub revision_class: &'s str,
    /// By which bundle.
    pub bundle_digest: Option<&'s str>,
    /// For whom.
    pub principal: &'s Id,
}

/// The key of all grants of one runtime.
#[derive(Clone)]
pub struct ConsentKey([u8; 32]);

impl ConsentKey {
    /// A key from random bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl std::fmt::Debug for ConsentKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("ConsentKey(..)")
    }
}

/// A grant as it travels to the person and back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantToken {
    /// Names the grant; random.
    pub nonce: [u8; 16],
    /// When it ends, in milliseconds of the runtime's clock.
    pub expires_at: u64,
    /// Binds it.
    pub mac: [u8; 32],
}

/// Why a grant was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConsentError {
    /// It came from somebody who may not agree.
    #[error("a grant is taken only from the person, not from this peer")]
    Forbidden,
    /// It was never given, or used already.
    #[error("there is no such grant, or it was used already")]
    Unknown,
    /// It is too old.
    #[error("the grant has expired")]
    Expired,
    /// It was given for something else, or made up.
    #[error("the grant is not for this action on this target with these values")]
    Void,
    /// Too many are open.
    #[error("{OPEN_GRANTS_MAX} grants are open already")]
    TooMany,
}

/// Gives grants out and takes them back.
#[derive(Debug)]
pub struct ConsentDesk {
    key: ConsentKey,
    open: BTreeMap<[u8; 16], u64>,
}

impl ConsentDesk {
    /// A desk with no open grants. After a restart every grant of before is unknown.
    pub fn new(key: ConsentKey) -> Self {
        Self { key, open: BTreeMap::new() }
    }

    /// How many grants are open.
    pub fn open(&self, now: u64) -> usize {
        self.open.values().filter(|expires_at| **expires_at > now).count()
    }

    /// Makes the token that agrees to a subject; `nonce` is random.
    pub fn offer(
        &mut self,
        subject: &Subject<'_>,
        nonce: [u8; 16],
        now: u64,
        lifetime_ms: u64,
    ) -> Result<GrantToken, ConsentError> {
        self.open.retain(|_, expires_at| *expires_at > now);
        if self.open.len() >= OPEN_GRANTS_MAX {
            return Err(ConsentError::TooMany);
        }
        let expires_at = now.saturating_add(lifetime_ms);
        self.open.insert(nonce, expires_at);
        let mac = self.mac(subject, &nonce, expires_at).finalize().into_bytes().into();
        Ok(GrantToken { nonce, expires_at, mac })
    }

    /// Takes a grant back that nobody shall use any more.
    pub fn withdraw(&mut self, nonce: &[u8; 16]) {
        self.open.remove(nonce);
    }

    /// Takes a grant. Whatever the answer, this token is used up once its name is known.
    pub fn redeem(
        &mut self,
        token: &GrantToken,
        subject: &Subject<'_>,
        from: PeerRole,
        now: u64,
    ) -> Result<(), ConsentError> {
        if from != PeerRole::User {
            return Err(ConsentError::Forbidden);
        }
        let given_until = self.open.remove(&token.nonce).ok_or(ConsentError::Unknown)?;
        let bound = self.mac(subject, &token.nonce, token.expires_at).verify_slice(&token.mac);
        if bound.is_err() || given_until != token.expires_at {
            return Err(ConsentError::Void);
        }
        if token.expires_at <= now {
            return Err(ConsentError::Expired);
        }
        Ok(())
    }

    fn mac(&self, subject: &Subject<'_>, nonce: &[u8; 16], expires_at: u64) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new(&block(&self.key));
        mac.update(nonce);
        mac.update(&expires_at.to_be_bytes());
        subject.write(&mut mac);
        mac
    }
}

/// The key in the length that the code works with, filled up with zeros as its definition says.
fn block(key: &ConsentKey) -> hmac::digest::Key<Hmac<Sha256>> {
    let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
    block.iter_mut().zip(key.0).for_each(|(slot, byte)| *slot = byte);
    block
}

impl Subject<'_> {
    /// Every part with its length, so that no two subjects are written alike.
    fn write(&self, mac: &mut Hmac<Sha256>) {
        text(mac, self.handle.as_str());
        text(mac, self.action.as_str());
        match self.target {
            Some(target) => {
                text(mac, target.instance_id.as_str());
                text(mac, target.document_id.as_str());
                text(mac, target.stable_id.as_ref().map_or("", |id| id.as_str()));
                text(mac, target.scope_id.as_ref().map_or("", |id| id.as_str()));
                text(mac, target.role.as_str());
                text(mac, target.name.as_deref().unwrap_or_default());
            }
            None => mac.update(b"-"),
        }
        match self.args {
            Some(args) => members(mac, args),
            None => mac.update(b"-"),
        }
        text(mac, self.revision_class);
        text(mac, self.bundle_digest.unwrap_or_default());
        text(mac, self.principal.as_str());
    }
}
