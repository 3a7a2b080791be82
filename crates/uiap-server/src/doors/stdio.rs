//! One envelope per line, in and out.
//!
//! Start at [`serve`]. There is one peer, and it is who the one who started the program says it is. When it has said
//! everything, what is under way still ends and is told.

use crate::serving::{House, Inbound, Link, Outbound, Visit};
use crate::session::{Farewell, Habits, INBOUND_BYTES_MAX, Party};
use std::sync::Arc;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use uiap_runtime::journal::Journal;
use uiap_runtime::surface::Surface;

/// A pipe tells by itself when it ends, and cannot be taken up again.
const HABITS: Habits = Habits { handshake_ms: None, heartbeat_ms: None, resume_window_ms: None };

/// Serves one peer until it has gone, or its session has ended.
pub async fn serve<S: Surface + 'static, J: Journal + 'static>(
    house: Arc<House<S, J>>,
    party: Party,
    input: impl AsyncBufRead + Unpin,
    output: impl AsyncWrite + Unpin,
) -> std::io::Result<()> {
    let (link, speak, listen) = Link::new();
    let session = house.enter(link, Visit { party, habits: HABITS });
    let heard = async {
        read_lines(input, speak).await;
        // The end of what is said is not the end of what is told.
        std::future::pending::<()>().await;
    };
    let told = write_lines(output, listen);
    tokio::pin!(told, session);
    let told = tokio::select! {
        told = &mut told => told,
        () = heard => Ok(()),
        () = &mut session => return told.await,
    };
    // Without its link it ends, too.
    session.await;
    told
}

async fn read_lines(mut input: impl AsyncBufRead + Unpin, speak: mpsc::Sender<Inbound>) {
    let mut line = Vec::new();
    // The rest of a line that was too long is not looked at.
    let mut skips = false;
    while let Ok(part) = input.fill_buf().await {
        if part.is_empty() {
            break;
        }
        let end = part.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(part.len(), |end| end + 1);
        if !skips {
            line.extend_from_slice(part.get(..taken).unwrap_or_default());
        }
        input.consume(taken);
        let too_long = line.len() > INBOUND_BYTES_MAX.saturating_add(2);
        let inbound = match (end, skips || too_long) {
            (Some(_), true) if skips => {
                skips = false;
                continue;
            }
            (_, true) if !skips => {
                skips = end.is_none();
                line = Vec::new();
                Inbound::Unreadable(Farewell::TooLarge)
            }
            (Some(_), false) => match text_of(&mut line) {
                Some(inbound) => inbound,
                None => continue,
            },
            _ => continue,
        };
        if speak.send(inbound).await.is_err() {
            return;
        }
    }
    if let Some(inbound) = text_of(&mut line)
        && speak.send(inbound).await.is_err()
    {
        return;
    }
    // A session that has ended needs not be told.
    let _ = speak.send(Inbound::NoMore).await;
    speak.closed().await;
}

/// The text of a line; nothing, if it is empty.
fn text_of(line: &mut Vec<u8>) -> Option<Inbound> {
    let line = std::mem::take(line);
    if line.trim_ascii().is_empty() {
        return None;
    }
    Some(match String::from_utf8(line) {
        Ok(text) => Inbound::Text(text),
        Err(_) => Inbound::Unreadable(Farewell::NotText),
    })
}

async fn write_lines(
    mut output: impl AsyncWrite + Unpin,
    mut listen: mpsc::Receiver<Outbound>,
) -> std::io::Result<()> {
    while let Some(outbound) = listen.recv().await {
        let Outbound::Message(outgoing) = outbound else { break };
        output.write_all(outgoing.text.as_bytes()).await?;
        output.write_all(b"\n").await?;
        output.flush().await?;
    }
    Ok(())
}
