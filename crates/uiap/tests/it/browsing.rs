//! Which browser a command uses, and how its pages are shown.

#![expect(clippy::expect_used, reason = "a test may fail loudly")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, pem::PemObject};
use uiap_testkit::ClosedPort;
use uiap_web::{Browser, LaunchOptions};

/// Nothing here takes this long unless it is broken.
const WAIT: Duration = Duration::from_secs(30);

fn uiap(arguments: &[&str], environment: &[(&str, &Path)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_uiap"));
    command.args(arguments).envs(environment.iter().copied()).output().expect("the command starts")
}

fn shown(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("uiap-browsing-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A site whose only page says which cookie it was sent, and gives one that lasts.
async fn site() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut request = Vec::new();
                while !request.ends_with(b"\r\n\r\n")
                    && stream.read_buf(&mut request).await.is_ok_and(|n| n > 0)
                {}
                let request = String::from_utf8_lossy(&request).into_owned();
                let cookie = request.lines().find(|line| line.starts_with("Cookie:")).unwrap_or("no cookie");
                let page = format!(
                    "<button>{cookie}</button><script>document.write(`<button>${{innerWidth}}x${{innerHeight}}</button>`)</script>"
                );
                let length = page.len();
                let answer = format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nSet-Cookie: seen=1; Max-Age=9999\r\nConnection: close\r\n\r\n{page}"
                );
                let _ = stream.write_all(answer.as_bytes()).await;
            });
        }
    });
    port
}

/// A browser that others can attach to, and its port.
async fn reachable() -> (Browser, u16) {
    let flags = vec!["--remote-debugging-port=0".to_owned()];
    let browser = Browser::launch(&LaunchOptions { flags, ..LaunchOptions::default() }).await;
    let browser = browser.expect("a browser");
    let file = browser.profile().expect("its profile").join("DevToolsActivePort");
    let end = Instant::now() + WAIT;
    loop {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        if let Some(port) = text.lines().next().and_then(|line| line.parse().ok()) {
            return (browser, port);
        }
        assert!(Instant::now() < end, "the browser does not say its port");
        tokio::task::yield_now().await;
    }
}

/// Somebody who speaks TLS in front of a port; the certificate is written to the folder.
async fn encrypted(port: u16, folder: &Path) -> (u16, PathBuf) {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
    let file = folder.join("trusted.pem");
    std::fs::write(&file, made.cert.pem()).expect("the certificate is written");
    let key = PrivateKeyDer::from_pem_slice(made.signing_key.serialize_pem().as_bytes()).expect("a key");
    let config =
        ServerConfig::builder().with_no_client_auth().with_single_cert(vec![made.cert.der().clone()], key);
    let acceptor = TlsAcceptor::from(Arc::new(config.expect("a sound certificate")));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let own = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let mut outer = acceptor.accept(stream).await.ok()?;
                let mut inner = TcpStream::connect(("127.0.0.1", port)).await.ok()?;
                copy_bidirectional(&mut outer, &mut inner).await.ok()
            });
        }
    });
    (own, file)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_browser_is_used_by_its_address_also_through_tls() {
    let folder = folder("tls");
    let page = format!("http://127.0.0.1:{}/", site().await);
    let (browser, port) = reachable().await;
    let (secret, trusted) = encrypted(port, &folder).await;
    let look = |address: &str, trusted: &Path| {
        uiap(&["look", &page, "--browser", address], &[("SSL_CERT_FILE", trusted)])
    };
    for address in [format!("http://127.0.0.1:{port}"), format!("https://localhost:{secret}")] {
        assert!(shown(&look(&address, &trusted)).contains("no cookie"), "{address}");
    }
    let path = std::fs::read_to_string(browser.profile().expect("its profile").join("DevToolsActivePort"));
    let path = path.expect("the file").lines().nth(1).expect("a path").to_owned();
    for address in [format!("ws://127.0.0.1:{port}{path}"), format!("wss://localhost:{secret}{path}")] {
        assert!(shown(&look(&address, &trusted)).contains("no cookie"), "{address}");
    }
    // A certificate that nobody vouches for.
    let nobody = folder.join("empty.pem");
    std::fs::write(&nobody, "").expect("a file");
    for address in [format!("https://localhost:{secret}"), format!("wss://localhost:{secret}{path}")] {
        let refused = look(&address, &nobody);
        assert_eq!(refused.status.code(), Some(3));
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(told.contains("certificate"), "{told}");
    }
    assert!(!browser.is_gone(), "it is left running");
    std::fs::remove_dir_all(folder).expect("the folder is ours");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kept_profile_remembers_and_a_fresh_one_does_not() {
    let folder = folder("profile");
    let page = format!("http://127.0.0.1:{}/", site().await);
    let kept = ["look", &page, "--user-data", folder.to_str().expect("UTF-8")];
    assert!(shown(&uiap(&kept, &[])).contains("no cookie"));
    assert!(shown(&uiap(&kept, &[])).contains("Cookie: seen=1"));
    assert!(shown(&uiap(&["look", &page], &[])).contains("no cookie"));
    std::fs::remove_dir_all(folder).expect("the folder is ours");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_has_the_size_that_was_asked_for() {
    let page = format!("http://127.0.0.1:{}/", site().await);
    assert!(shown(&uiap(&["look", &page], &[])).contains("1280x800"));
    assert!(shown(&uiap(&["look", &page, "--viewport", "390x844"], &[])).contains("390x844"));
}

#[test]
fn flags_that_do_not_fit_are_said() {
    let closed = ClosedPort::take().expect("a port");
    let nobody = format!("ws://{}/", closed.address());
    for (flags, code, sentence) in [
        (&["--browser", "ws://x", "--headed"][..], 2, "--headed is for a browser that is started here"),
        (&["--browser", "ws://x", "--user-data", "x"][..], 2, "--user-data is for a browser that is started"),
        (&["--browser", "ftp://x"][..], 2, "is not the address of a browser"),
        (&["--browser", &nobody][..], 3, "does not take the call: IO error: Connection refused"),
        (&["--viewport", "0x5"][..], 2, "is not a size such as 1280x800"),
    ] {
        let output = uiap(&[&["look", "about:blank"], flags].concat(), &[]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{flags:?}: {told}");
        assert!(told.contains(sentence), "{flags:?}: {told}");
    }
}

/// What `uiap` left of its browser, by the folder for its temporary files: processes, and profiles.
fn leftovers(temporary: &Path) -> (usize, usize) {
    let wanted = temporary.as_os_str().as_encoded_bytes();
    let uses = |process: &std::fs::DirEntry| {
        let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        line.windows(wanted.len()).any(|part| part == wanted)
    };
    let processes = Path::new("/proc").read_dir().expect("a process table").flatten().filter(uses).count();
    let is_profile =
        |entry: &std::fs::DirEntry| entry.file_name().to_string_lossy().starts_with("uiap-browser-");
    (processes, temporary.read_dir().expect("a folder").flatten().filter(is_profile).count())
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_left_of_a_command_that_is_interrupted_or_killed() {
    use rustix::process::{Pid, Signal, kill_process};
    for (signal, code, profiles) in
        [(Signal::INT, Some(1), 0), (Signal::TERM, None, 1), (Signal::KILL, None, 1)]
    {
        // Accepts connections and never answers, so that the command waits. One for each command: a browser opens
        // spare connections, and one that it left behind would be taken for the next browser's.
        let silent = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let page = format!("http://{}/", silent.local_addr().expect("an address"));
        let temporary = folder(&format!("signal-{}", signal.as_raw()));
        let mut command = Command::new(env!("CARGO_BIN_EXE_uiap"));
        command.args(["look", &page, "--timeout", "60"]).env("TMPDIR", &temporary);
        let mut child = command.spawn().expect("the command starts");
        let _waiting = tokio::time::timeout(WAIT, silent.accept()).await.expect("the page is asked for");
        assert_ne!(leftovers(&temporary).0, 0);
        kill_process(Pid::from_child(&child), signal).expect("it runs");
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), code, "{signal:?}");
        let end = Instant::now() + WAIT;
        while leftovers(&temporary).0 > 0 {
            assert!(Instant::now() < end, "processes are left after {signal:?}");
            tokio::task::yield_now().await;
        }
        // Nobody was there to remove the profile of a killed one; the next start does it.
        assert_eq!(leftovers(&temporary).1, profiles, "{signal:?}");
        std::fs::remove_dir_all(temporary).expect("the folder is ours");
    }
}
