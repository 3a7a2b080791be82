//! What cannot be had from the beginning, and what is had no more later on: servers and their certificates.

use crate::troubles::site::{Reply, Site};
use crate::troubles::stage::{Found, LINKS, Ran, Stage, page, until};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::{ServerConfig, crypto::ring};
use uiap_testkit::ClosedPort;

/// A site of a few pages, as long as it is well.
fn answers(is_well: &Arc<AtomicBool>) -> impl Fn(&str, &str) -> Reply + Send + Sync + use<> {
    let is_well = Arc::clone(is_well);
    move |path, _| match path {
        _ if !is_well.load(Ordering::SeqCst) => Reply::Status(500, "<h1>Something went wrong</h1>"),
        path if LINKS.contains(&path) => Reply::Page(page(path, LINKS, "<p>Here.</p>")),
        _ => Reply::Status(404, "<h1>Not here</h1>"),
    }
}

fn well() -> Arc<AtomicBool> {
    Arc::new(AtomicBool::new(true))
}

/// A certificate that nobody trusts, and what a server needs to show it.
fn certified() -> (String, Arc<ServerConfig>) {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let config = builder.with_single_cert(vec![made.cert.der().clone()], key).unwrap();
    (made.cert.pem(), Arc::new(config))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_had_from_the_beginning_is_said_and_noted() {
    let closed = ClosedPort::take().expect("a port");
    let ill = Arc::new(AtomicBool::new(false));
    let failing = Site::start(answers(&ill)).await;
    let turning = Site::start(|_, _| Reply::Redirect("/again")).await;
    let cases = [
        ("nobody", format!("http://{}/", closed.address()), "nobody listens there", "the application runs"),
        ("failing", failing.url("/"), "answered with status 500", "goes on"),
        ("turning", turning.url("/"), "redirects from one address to the next", "goes on"),
    ];
    for (name, address, why, advice) in cases {
        let stage = Stage::new(name);
        let ran = stage.run(&address, &["--jobs", "1"]).await;
        ran.ended(1, &["could not go on", &address, why, advice]);
        stage.found().ended("failed", &["could not go on", why]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_with_a_certificate_that_nobody_trusts_is_not_explored_until_somebody_does() {
    let (pem, config) = certified();
    let site = Site::start_encrypted(config, answers(&well())).await;
    let stage = Stage::new("certificate");
    let few = ["--jobs", "1", "--max-transitions", "2"];
    let ran = stage.run(&site.url("/"), &few).await;
    ran.ended(1, &["could not go on", "certificate is not trusted", "SSL_CERT_FILE"]);
    stage.found().ended("failed", &["certificate is not trusted"]);
    let mut command = stage.command(&site.url("/"), &few);
    command.env("SSL_CERT_FILE", stage.file("authority.pem", &pem));
    Ran::of(command).await.ended(0, &["Mapped"]);
    let found = stage.found();
    assert!(found.ended("completed", &[]).states().len() > 1, "the same run went on");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_fails_in_the_middle_ends_the_run_and_the_next_call_goes_on() {
    let is_well = well();
    let site = Site::start(answers(&is_well)).await;
    let stage = Stage::new("failing-later");
    let run = stage.start(&site.url("/"), &["--jobs", "2"]);
    stage.until_logged("made", 2).await;
    is_well.store(false, Ordering::SeqCst);
    run.end().await.ended(1, &["could not go on", "answered with status 500", "goes on"]);
    let before = stage.found();
    before.ended("failed", &["answered with status 500"]);
    let seen = ids(&before);
    assert!(seen.len() >= 2, "what was found is kept: {seen:?}");
    assert!(!before.package.to_string().contains("Something went wrong"), "its last words are no state");
    is_well.store(true, Ordering::SeqCst);
    stage.run(&site.url("/"), &["--jobs", "2"]).await.ended(0, &["Mapped"]);
    let after = stage.found();
    after.ended("completed", &[]);
    assert_eq!(after.states().len(), LINKS.len(), "everything was found in the end");
    assert!(seen.iter().all(|id| ids(&after).contains(id)), "and nothing was lost");
    let lost = after.list("/reviewQueue/items").iter().any(|item| item.to_string().contains("reached again"));
    assert!(!lost, "a state that a broken server did not show is not unreachable");
}

fn ids(found: &Found) -> Vec<String> {
    found.states().iter().map(|state| state["stateId"].to_string()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_stopped_in_the_middle_ends_the_run() {
    // Its port stays closed when it stops; otherwise the next who needs any port could be found there.
    let port = ClosedPort::take().expect("a port");
    let site = Site::start_at(port.address(), answers(&well())).await;
    let base = site.url("/");
    let stage = Stage::new("stopped-server");
    let run = stage.start(&base, &["--jobs", "1"]);
    stage.until_logged("made", 2).await;
    drop(site);
    until("nobody listens any more", || std::net::TcpStream::connect(port.address()).is_err()).await;
    run.end().await.ended(1, &["could not go on", &base, "nobody listens there", "goes on"]);
    let found = stage.found();
    assert!(found.ended("failed", &["nobody listens there"]).states().len() >= 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_whose_pictures_do_not_come_is_a_page() {
    let site = Site::start(|path, _| match path {
        "/" => Reply::Page(page(
            "Home",
            &["/about"],
            "<img alt=x src='http://127.0.0.1:1/x.png'><img src='/x.png'>",
        )),
        "/about" => Reply::Page(page("About", &["/"], "")),
        _ => Reply::Status(500, ""),
    })
    .await;
    let stage = Stage::new("pictures");
    stage.run(&site.url("/"), &["--jobs", "1"]).await.ended(0, &["Mapped"]);
    assert_eq!(stage.found().routes(), ["about", "start"]);
}
