//! Messages of the measurement as frames of a WebSocket, written once and numbered later.
//!
//! A client must mask what it sends. The mask here is zero, which is one of the legal ones and costs nothing: the
//! generator must not eat the processor that the server needs.

/// What stands before the number of a message, in its own id as well as in the answer that names it.
const MARKER: &[u8] = b"d\":\"n";
/// Digits of a number.
const DIGITS: usize = 12;
/// Longest head of a frame that a server sends.
const HEAD_MAX: usize = 10;

/// A text frame.
pub(crate) fn text(text: &str) -> Vec<u8> {
    let length = text.len();
    let mut frame = vec![0x81];
    match u16::try_from(length) {
        Ok(small) if small < 126 => frame.push(0x80 | u8::try_from(small).unwrap_or_default()),
        Ok(medium) => {
            frame.push(0xFE);
            frame.extend(medium.to_be_bytes());
        }
        Err(_) => {
            frame.push(0xFF);
            frame.extend((length as u64).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(text.as_bytes());
    frame
}

/// A request whose number is written into it when it is sent.
pub(crate) struct Numbered {
    frame: Vec<u8>,
    place: usize,
}

impl Numbered {
    pub(crate) fn new(session: &str, kind: &str, payload: &str) -> Option<Self> {
        let zero = "0".repeat(DIGITS);
        let frame = text(&format!(
            "{{\"uiap\":\"0.1\",\"kind\":\"request\",\"type\":\"{kind}\",\"id\":\"n{zero}\",\"sessionId\":\"{session}\",\
             \"ts\":\"2026-03-26T14:03:00.000Z\",\"source\":{{\"role\":\"agent\",\"id\":\"bench\"}},\"payload\":{payload}}}"
        ));
        let place = find(&frame, MARKER)? + MARKER.len();
        Some(Self { frame, place })
    }

    /// The frame with this number.
    pub(crate) fn numbered(&mut self, number: u64) -> &[u8] {
        let mut rest = number;
        for digit in self.frame.iter_mut().skip(self.place).take(DIGITS).rev() {
            *digit = b'0' + u8::try_from(rest % 10).unwrap_or_default();
            rest /= 10;
        }
        &self.frame
    }
}

/// The number in an answer, if it answers a numbered request.
pub(crate) fn number_in(payload: &[u8]) -> Option<u64> {
    let place = find(payload, MARKER)? + MARKER.len();
    let digits = payload.get(place..place + DIGITS)?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}

/// The next whole frame: where its payload is, and where the frame ends.
pub(crate) fn next(bytes: &[u8]) -> Option<(std::ops::Range<usize>, usize)> {
    let head = bytes.get(..2)?;
    let (begin, length) = match head.get(1)? {
        126 => (4, usize::from(u16::from_be_bytes(bytes.get(2..4)?.try_into().ok()?))),
        127 => {
            (HEAD_MAX, usize::try_from(u64::from_be_bytes(bytes.get(2..HEAD_MAX)?.try_into().ok()?)).ok()?)
        }
        short => (2, usize::from(*short)),
    };
    let end = begin.checked_add(length)?;
    (bytes.len() >= end).then_some((begin..end, end))
}
