//! Messages over a pipe: JSON, each ended by a NUL byte.

use super::client::{Outgoing, Shared};
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Largest message that is accepted. A longer one is skipped; if it answers a call, the caller is told.
pub const MESSAGE_BYTES_MAX: usize = 192 * 1024 * 1024;
/// A buffer that grew beyond this for one large message is given back after it.
const BUFFER_BYTES_KEPT_MAX: usize = 1024 * 1024;
/// How much of a skipped message is kept to see whose answer it is.
const SKIPPED_HEAD_BYTES: usize = 64;
const READ_BYTES: usize = 256 * 1024;

/// Writes orders until there are none any more or nobody reads them.
pub(super) async fn write(mut pipe: impl AsyncWrite + Unpin, mut outgoing: Outgoing) {
    while let Some(mut message) = outgoing.recv().await {
        message.push('\0');
        if pipe.write_all(message.as_bytes()).await.is_err() || pipe.flush().await.is_err() {
            return;
        }
    }
}

/// Reads messages until the browser closes the pipe.
pub(super) async fn read(mut pipe: impl AsyncRead + Unpin, shared: Arc<Shared>, bytes_max: usize) {
    let ending = Ending(shared);
    let mut splitter = Splitter { buffer: Vec::new(), skipping: false, bytes_max };
    let mut chunk = vec![0; READ_BYTES];
    while let Ok(count @ 1..) = pipe.read(&mut chunk).await {
        splitter.take(chunk.get(..count).unwrap_or_default(), &ending.0);
    }
}

/// However reading ends, be it with its runtime, nobody waits any longer.
pub(super) struct Ending(pub(super) Arc<Shared>);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.end();
    }
}

struct Splitter {
    buffer: Vec<u8>,
    /// The message that is coming in is too large; only its head is kept.
    skipping: bool,
    bytes_max: usize,
}

impl Splitter {
    fn take(&mut self, bytes: &[u8], shared: &Shared) {
        for part in bytes.split_inclusive(|byte| *byte == 0) {
            let (part, complete) = match part.split_last() {
                Some((0, part)) => (part, true),
                _ => (part, false),
            };
            if self.buffer.len() + part.len() > self.bytes_max {
                self.skipping = true;
                self.buffer.extend(part.iter().take(SKIPPED_HEAD_BYTES));
                self.buffer.truncate(SKIPPED_HEAD_BYTES);
            }
            if !self.skipping {
                self.buffer.extend_from_slice(part);
            }
            if complete {
                self.deliver(shared);
            }
        }
    }

    fn deliver(&mut self, shared: &Shared) {
        if self.skipping {
            shared.skipped(&self.buffer);
            self.skipping = false;
            self.buffer.clear();
        } else {
            shared.receive(&mut self.buffer);
            self.buffer.clear();
        }
        self.buffer.shrink_to(BUFFER_BYTES_KEPT_MAX);
    }
}
