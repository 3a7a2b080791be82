//! Addresses, certificates and connections that never say anything.

use crate::support::{AGENT_TOKEN, WAIT, house, listening};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use uiap_server::doors::guard::{Credential, Guard};
use uiap_server::doors::net::{ListenError, listen};
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
async fn half_a_head_is_not_waited_for() {
    let (place, _) = house(false);
    let address = listening(&place).await;
    let mut slow = TcpStream::connect(address).await.expect("it connects");
    slow.write_all(b"GET /uiap/ws HTTP/1.1\r\nHost: x\r\nX-Slow").await.expect("it is sent");
    let mut answer = Vec::new();
    // However it is ended, it is ended.
    let _ = timeout(WAIT, slow.read_to_end(&mut answer)).await.expect("it is ended in time");
}
