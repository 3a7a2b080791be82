//! Addresses, certificates and connections that never say anything.

use crate::doors::support::{AGENT_TOKEN, WAIT, house, listening};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use uiap_server::doors::guard::{Credential, Guard};
use uiap_server::doors::net::{ListenError, listen};
use uiap_server::doors::tls::acceptor;
use uiap_server::session::Party;

#[tokio::test]
async fn other_machines_come_with_a_token_only() {
    let everywhere = "0.0.0.0:0".parse().expect("an address");
    assert!(matches!(listen(everywhere, &Guard::default()).await, Err(ListenError::NeedsToken { .. })));
    let credentials = vec![Credential::new(AGENT_TOKEN, Party::Agent).expect("a strong token")];
    let guard = Guard { credentials, origins: Vec::new() };
    assert!(listen(everywhere, &guard).await.is_ok());
    let here = "127.0.0.1:0".parse().expect("an address");
    assert!(listen(here, &Guard::default()).await.is_ok());
}

#[tokio::test]
async fn with_a_certificate_everything_is_encrypted() {
    let folder = std::env::temp_dir().join(format!("uiap-doors-tls-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (certificate, key) = (folder.join("cert.pem"), folder.join("key.pem"));
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    std::fs::write(&certificate, made.cert.pem()).expect("a file");
    std::fs::write(&key, made.signing_key.serialize_pem()).expect("a file");
    let tls = acceptor(&certificate, &key).expect("a certificate and its key");
    assert!(acceptor(&key, &certificate).is_err(), "a key is no certificate");
    std::fs::remove_dir_all(&folder).expect("it goes");

    let (place, _) = house(false);
    let open = listen("127.0.0.1:0".parse().expect("an address"), &Guard::default()).await.expect("a port");
    let address = open.address();
    tokio::spawn(open.serve(place, Guard::default(), Some(tls)));
    let mut roots = rustls::RootCertStore::empty();
    roots.add(made.cert.der().clone()).expect("a root");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(address).await.expect("it connects");
    let name = "localhost".try_into().expect("a name");
    let connector = tokio_rustls::TlsConnector::from(Arc::new(config));
    let mut stream = connector.connect(name, stream).await.expect("a secret is agreed on");
    let request = "DELETE /uiap/sessions/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.expect("it is sent");
    let mut answer = Vec::new();
    // Not everybody says goodbye.
    let _ = timeout(WAIT, stream.read_to_end(&mut answer)).await.expect("in time");
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 404") && answer.contains("session_not_found"), "{answer}");

    let mut plain = TcpStream::connect(address).await.expect("it connects");
    plain.write_all(request.as_bytes()).await.expect("it is sent");
    let mut answer = Vec::new();
    let _ = timeout(WAIT, plain.read_to_end(&mut answer)).await.expect("in time");
    assert!(!String::from_utf8_lossy(&answer).contains("HTTP/1.1"), "nothing is said in the open");
}

#[tokio::test]
async fn half_a_head_is_not_waited_for() {
    let (place, _) = house(false);
    let address = listening(&place).await;
    let mut slow = TcpStream::connect(address).await.expect("it connects");
    slow.write_all(b"GET /uiap/ws HTTP/1.1\r\nHost: x\r\nX-Slow").await.expect("it is sent");
    let mut answer = Vec::new();
    // However it is ended, it is ended.
    let _ = timeout(WAIT, slow.read_to_end(&mut answer)).await.expect("it is ended in time");
}
