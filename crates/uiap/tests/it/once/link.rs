//! The line between the process that acts and the browser: it can be cut, or go deaf first.

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// How the line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    Whole,
    /// Orders reach the browser, its answers reach nobody.
    Deaf,
    Cut,
}

/// A line to a browser. Dropping it cuts it.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) port: u16,
    flow: watch::Sender<Flow>,
}

impl Link {
    pub(crate) async fn to(browser: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (flow, heard) = watch::channel(Flow::Whole);
        tokio::spawn(async move {
            let mut until = heard.clone();
            let lines = async {
                while let Ok((actor, _)) = listener.accept().await {
                    tokio::spawn(carry(actor, browser, heard.clone()));
                }
            };
            tokio::select! {
                () = lines => {}
                // An error means that the link is dropped.
                _ = until.wait_for(|flow| *flow == Flow::Cut) => {}
            }
        });
        Self { port, flow }
    }

    pub(crate) fn set(&self, flow: Flow) {
        self.flow.send_replace(flow);
    }
}

async fn carry(actor: TcpStream, browser: u16, flow: watch::Receiver<Flow>) -> Option<()> {
    let browser = TcpStream::connect(("127.0.0.1", browser)).await.ok()?;
    let (mut orders_in, answers_out) = actor.into_split();
    let (answers_in, mut orders_out) = browser.into_split();
    let mut until = flow.clone();
    tokio::select! {
        _ = copy(&mut orders_in, &mut orders_out) => {}
        _ = answers(answers_in, answers_out, &flow) => {}
        _ = until.wait_for(|flow| *flow == Flow::Cut) => {}
    }
    Some(())
}

async fn answers(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    flow: &watch::Receiver<Flow>,
) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    while from.read_buf(&mut bytes).await? > 0 {
        if *flow.borrow() == Flow::Whole {
            to.write_all(&bytes).await?;
        }
        bytes.clear();
    }
    Ok(())
}
