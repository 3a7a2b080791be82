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
        let number = |start: usize, length: usize| {
            self.as_str()
                .get(start..start + length)
                .and_then(|digits| digits.parse::<i64>().ok())
                .unwrap_or_default()
        };
        let days = days_since_epoch(number(0, 4), number(5, 2), number(8, 2));
        let seconds = days * 86_400 + number(11, 2) * 3_600 + number(14, 2) * 60 + number(17, 2);
        let fraction = self.as_str().get(20..).unwrap_or_default().trim_end_matches('Z');
        let millis: String = fraction.chars().chain("000".chars()).take(3).collect();
        seconds * 1_000 + millis.parse::<i64>().unwrap_or_default()
    }

    /// The timestamp with millisecond precision, if the calendar reaches that far.
    pub fn from_millis(millis: i64) -> Result<Self, BadForm> {
        let text =
            jiff::Timestamp::from_millisecond(millis).map_or_else(|_| String::new(), |at| format!("{at:.3}"));
        Self::new(text)
    }
}

/// Days from 1970-01-01 to a date of the Gregorian calendar.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March here, so that the leap day is the last one.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
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
    let civil = text.get(..PATTERN.len()).unwrap_or_default();
    in_shape && fraction_holds && !civil.ends_with("60") && civil.parse::<jiff::civil::DateTime>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn millis_agree_with_the_calendar_library() {
        for text in [
            "1970-01-01T00:00:00Z",
            "2026-03-26T14:03:00.015Z",
            "2000-02-29T23:59:59.9Z",
            "1969-12-31T23:59:59.999999999Z",
        ] {
            let expected =
                text.parse::<jiff::Timestamp>().expect("a timestamp").as_nanosecond().div_euclid(1_000_000);
            let found = Timestamp::new(text).expect("a timestamp").millis();
            assert_eq!(i128::from(found), expected, "{text}");
        }
    }

    #[test]
    fn the_end_of_the_calendar_is_a_time() {
        let end = Timestamp::new("9999-12-31T23:59:59Z").expect("a timestamp");
        assert_eq!(end.millis(), 253_402_300_799_000);
    }
}
