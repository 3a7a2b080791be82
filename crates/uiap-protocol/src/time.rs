//! Points in time: RFC 3339, UTC, written with `Z`.

use crate::ids::{BadForm, ID_LENGTH_MAX, Rule, text_type};

const TIMESTAMP: Rule = Rule {
    wanted: "a UTC timestamp such as 2026-03-26T14:03:00.000Z",
    holds: is_utc,
    length: (20, Some(ID_LENGTH_MAX)),
    pattern: Some(
        r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?Z$",
    ),
};

text_type! {
    /// A point in time in UTC, kept as it was written.
    Timestamp, TIMESTAMP, Some("CORE-32")
}

impl Timestamp {
    /// Milliseconds since 1970.
    pub fn millis(&self) -> i64 {
        self.as_str().parse::<jiff::Timestamp>().map_or(0, jiff::Timestamp::as_millisecond)
    }

    /// The timestamp with millisecond precision, if the calendar reaches that far.
    pub fn from_millis(millis: i64) -> Result<Self, BadForm> {
        let text =
            jiff::Timestamp::from_millisecond(millis).map_or_else(|_| String::new(), |at| format!("{at:.3}"));
        Self::new(text)
    }
}

/// The shape by position, then the calendar: `2026-02-30` has the right shape and is no date.
fn is_utc(text: &str) -> bool {
    const PATTERN: &[u8; 19] = b"dddd-dd-ddTdd:dd:dd";
    let Some((seconds, fraction)) = text.as_bytes().split_at_checked(PATTERN.len()) else { return false };
    let in_shape = PATTERN.iter().zip(seconds).all(|(want, byte)| match want {
        b'd' => byte.is_ascii_digit(),
        other => other == byte,
    });
    let fraction_holds = match fraction {
        [b'Z'] => true,
        [b'.', digits @ .., b'Z'] => (1..=9).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    // A leap second would be read as the second before it and so not survive; it is refused.
    in_shape && fraction_holds && seconds.get(17..) != Some(b"60") && text.parse::<jiff::Timestamp>().is_ok()
}
