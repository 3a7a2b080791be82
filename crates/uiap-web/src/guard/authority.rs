//! The certificate authority of one run: made fresh, kept in memory, trusted by nobody but the browser that is told.

use super::GuardError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rcgen::{
    BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose, PublicKeyData,
};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

/// Hosts whose certificate is kept; the oldest is made again when it is needed.
const LEAVES_MAX: usize = 512;

/// What Chromium calls the pins of authorities that it believes whatever else is wrong with them.
const PIN_FLAG: &str = "--ignore-certificate-errors-spki-list=";
/// Real-time connections of pages go through the proxy or not at all: they know no other protection than this.
const WEBRTC_FLAG: &str = "--webrtc-ip-handling-policy=disable_non_proxied_udp";

/// A certificate authority for one run. Its key never leaves memory, and is gone with it.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    certificate: CertificateDer<'static>,
    pin: String,
    /// One key for all hosts: the certificates differ, and making keys is slow.
    leaf_key: KeyPair,
    leaves: Mutex<Leaves>,
}

#[derive(Default)]
struct Leaves {
    by_host: HashMap<String, Arc<ServerConfig>>,
    /// The oldest first.
    order: VecDeque<String>,
}

impl std::fmt::Debug for Authority {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Authority").field("pin", &self.pin).finish_non_exhaustive()
    }
}

impl Authority {
    /// A new one, unlike any other.
    pub fn new() -> Result<Self, GuardError> {
        let key = KeyPair::generate()?;
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        params.distinguished_name.push(DnType::CommonName, "UIAP guard of one run");
        let certificate = params.self_signed(&key)?.der().clone();
        let pin = STANDARD.encode(Sha256::digest(key.subject_public_key_info()));
        let issuer = Issuer::new(params, key);
        Ok(Self { issuer, certificate, pin, leaf_key: KeyPair::generate()?, leaves: Mutex::default() })
    }

    /// The flag by which a browser that we start trusts this authority, and only that browser.
    pub fn flag(&self) -> String {
        format!("{PIN_FLAG}{}", self.pin)
    }

    /// All flags of a browser whose contexts stand behind guards of this authority: what it trusts, and that its
    /// real-time connections do not pass the guards by.
    pub fn flags(&self) -> Vec<String> {
        vec![self.flag(), WEBRTC_FLAG.to_owned()]
    }

    /// What the guard says to the browser in place of a host. The authority comes along: the browser recognises it
    /// by its key, and only if it sees it.
    pub(super) fn config(&self, host: &str) -> Result<Arc<ServerConfig>, GuardError> {
        let known = self.leaves().by_host.get(host).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let made = Arc::new(self.make(host)?);
        let mut leaves = self.leaves();
        if leaves.by_host.insert(host.to_owned(), Arc::clone(&made)).is_none() {
            leaves.order.push_back(host.to_owned());
        }
        if leaves.order.len() > LEAVES_MAX
            && let Some(oldest) = leaves.order.pop_front()
        {
            leaves.by_host.remove(&oldest);
        }
        Ok(made)
    }

    fn make(&self, host: &str) -> Result<ServerConfig, GuardError> {
        let params = CertificateParams::new([host.to_owned()])?;
        let leaf = params.signed_by(&self.leaf_key, &self.issuer)?;
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(self.leaf_key.serialize_der()));
        let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let builder = builder.with_safe_default_protocol_versions()?.with_no_client_auth();
        let chain = vec![leaf.der().clone(), self.certificate.clone()];
        let mut config = builder.with_single_cert(chain, key)?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(config)
    }

    fn leaves(&self) -> std::sync::MutexGuard<'_, Leaves> {
        self.leaves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_has_its_own_authority_and_prints_no_key() {
        let (one, two) = (Authority::new().unwrap(), Authority::new().unwrap());
        assert_ne!(one.flag(), two.flag());
        assert!(one.flag().starts_with("--ignore-certificate-errors-spki-list="));
        assert_eq!(format!("{one:?}"), format!("Authority {{ pin: {:?}, .. }}", one.pin));
    }

    #[test]
    fn a_host_is_certified_once_and_forgotten_when_there_are_too_many() {
        let authority = Authority::new().unwrap();
        let first = authority.config("a.test").unwrap();
        assert!(Arc::ptr_eq(&first, &authority.config("a.test").unwrap()));
        for number in 0..LEAVES_MAX {
            authority.config(&format!("{number}.test")).unwrap();
        }
        assert!(!Arc::ptr_eq(&first, &authority.config("a.test").unwrap()));
        assert_eq!(authority.leaves().by_host.len(), LEAVES_MAX);
        authority.config("127.0.0.1").unwrap();
        authority.config("::1").unwrap();
    }
}
