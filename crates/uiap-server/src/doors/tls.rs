//! A door that nobody can listen at: TLS by a certificate and its key.

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use tokio_rustls::TlsAcceptor;

/// Why there is no TLS.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file holds no certificate or key.
    #[error("{path} holds no {what} in PEM form")]
    File {
        /// The file.
        path: PathBuf,
        /// What it should hold.
        what: &'static str,
        /// What is wrong with it.
        #[source]
        source: rustls::pki_types::pem::Error,
    },
    /// The certificate and the key are not used.
    #[error("the certificate cannot be used with this key")]
    Unfit(#[from] rustls::Error),
}

/// Certificates and the key of the first of them, from files in PEM form.
pub fn acceptor(certificates: &Path, key: &Path) -> Result<TlsAcceptor, TlsError> {
    let no_certificate =
        |source| TlsError::File { path: certificates.to_owned(), what: "certificate", source };
    let chain = CertificateDer::pem_file_iter(certificates).map_err(no_certificate)?;
    let chain = chain.collect::<Result<Vec<_>, _>>().map_err(no_certificate)?;
    let no_key = |source| TlsError::File { path: key.to_owned(), what: "private key", source };
    let key = PrivateKeyDer::from_pem_file(key).map_err(no_key)?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let config = config.with_no_client_auth().with_single_cert(chain, key)?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}
