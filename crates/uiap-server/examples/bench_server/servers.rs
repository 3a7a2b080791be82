//! The two servers that are measured, each in a process of its own: ours, and a bare echo with the same library.

use crate::application::house;
use anyhow::Context as _;
use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::get;
use axum::serve::ListenerExt as _;
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use uiap_server::doors::guard::Guard;
use uiap_server::doors::net::listen;
use uiap_server::doors::{SUB_PROTOCOL, WS_PATH};

/// Linux counts the time of processes in hundredths of a second.
const TICKS_PER_SECOND: f64 = 100.0;

/// Which server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Role {
    Uiap,
    Echo,
}

/// Runs a server until its standard input ends. It says where it listens.
pub(crate) fn serve(role: Role) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let any: SocketAddr = ([127, 0, 0, 1], 0).into();
    match role {
        Role::Uiap => {
            let house = house()?;
            let listening = runtime.block_on(listen(any, &Guard::default()))?;
            say(listening.address())?;
            runtime.spawn(listening.serve(Arc::clone(&house), Guard::default(), None));
            runtime.spawn(async move { house.runtime().surface().run().await });
        }
        Role::Echo => {
            let listener = runtime.block_on(tokio::net::TcpListener::bind(any))?;
            say(listener.local_addr()?)?;
            let router = Router::new().route(WS_PATH, get(open_echo));
            let listener = listener.tap_io(|stream| {
                let _ = stream.set_nodelay(true);
            });
            runtime.spawn(async move { axum::serve(listener, router).await });
        }
    }
    std::io::copy(&mut std::io::stdin(), &mut std::io::sink())?;
    Ok(())
}

fn say(address: SocketAddr) -> anyhow::Result<()> {
    writeln!(std::io::stdout(), "{address}").context("nobody listens")
}

async fn open_echo(upgrade: WebSocketUpgrade) -> Response {
    upgrade.protocols([SUB_PROTOCOL]).on_upgrade(echo)
}

async fn echo(mut socket: WebSocket) {
    while let Some(Ok(message)) = socket.recv().await {
        if matches!(message, Message::Text(_)) && socket.send(message).await.is_err() {
            return;
        }
    }
}

/// A server in another process, ended with the value.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    pub(crate) fn start(role: Role) -> anyhow::Result<Self> {
        let role = clap::ValueEnum::to_possible_value(&role).context("a role has a name")?;
        let mut child = Command::new(std::env::current_exe()?)
            .args(["--serve", role.get_name()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("the server does not start")?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("no pipe")?).read_line(&mut line)?;
        let address = line.trim().parse().context("the server does not say where it is")?;
        Ok(Self { child, address })
    }

    /// Memory that it has now, in kB.
    pub(crate) fn memory_kb(&self) -> anyhow::Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).context("no memory")?;
        Ok(line.split_whitespace().nth(1).context("no number")?.parse()?)
    }

    /// Processor time that it has used, in seconds.
    pub(crate) fn processor_seconds(&self) -> anyhow::Result<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // The name of the program may contain anything, but ends at the last bracket.
        let (_, fields) = stat.rsplit_once(") ").context("no fields")?;
        let mut fields = fields.split(' ').skip(11);
        let mut number = || fields.next().context("no field")?.parse::<f64>().context("no number");
        Ok((number()? + number()?) / TICKS_PER_SECOND)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Without its standard input it ends by itself.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
