//! The expiry of cookies that a response sets (RFC 6265).

use std::borrow::Cow;
use std::time::{Duration, SystemTime};

use http::HeaderValue;

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// A `Set-Cookie` field with the expiry that `moved` makes of the recorded one; `None` where nothing is to change. What lies at or before
/// the recorded date deletes a cookie, and stays.
pub fn with_expiry(field: &HeaderValue, moved: impl Fn(SystemTime) -> Option<SystemTime>) -> Option<HeaderValue> {
    let mut is_moved = false;
    let attribute = |(place, part): (usize, &[u8])| {
        let time = (place > 0).then(|| expiry(part)).flatten().and_then(&moved)?;
        Some(format!(" expires={}", httpdate::fmt_http_date(time)).into_bytes())
    };
    let mut parts: Vec<Cow<'_, [u8]>> = Vec::new();
    for (place, part) in field.as_bytes().split(|byte| *byte == b';').enumerate() {
        let changed = attribute((place, part));
        is_moved |= changed.is_some();
        parts.push(changed.map_or(Cow::Borrowed(part), Cow::Owned));
    }
    is_moved.then(|| HeaderValue::from_bytes(&parts.join(&b';')).ok()).flatten()
}

/// Of the attribute `expires`; `None` for any other.
fn expiry(attribute: &[u8]) -> Option<SystemTime> {
    let (name, value) = std::str::from_utf8(attribute).ok()?.split_once('=')?;
    name.trim().eq_ignore_ascii_case("expires").then(|| date(value)).flatten()
}

/// A date as servers write it into cookies (RFC 6265, section 5.1.1): time, day, month and year in whatever order and between whatever
/// signs. `None` before 1970, and where there is none.
fn date(text: &str) -> Option<SystemTime> {
    let (mut time, mut day, mut month, mut year) = (None, None, None, None);
    for token in text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != ':') {
        if time.is_none() && token.contains(':') {
            time = seconds(token);
        } else if day.is_none() && matches!(token.len(), 1 | 2) && number(token).is_some() {
            day = number(token);
        } else if month.is_none() && token.get(..3).is_some_and(is_month) {
            month = token.get(..3).and_then(|name| MONTHS.iter().position(|month| name.eq_ignore_ascii_case(month)));
        } else if year.is_none() && matches!(token.len(), 2..=4) {
            year = number(token);
        }
    }
    let year = match year? {
        short @ 70..=99 => short + 1900,
        short @ 0..=69 => short + 2000,
        whole => whole,
    };
    let (day, time, month) = (day.filter(|day| (1..=31).contains(day))?, time?, month? as u64 + 1);
    let days = (year >= 1970).then(|| days_before(year, month) + day - 1)?;
    Some(SystemTime::UNIX_EPOCH + Duration::from_secs(days * 24 * 60 * 60 + time))
}

fn is_month(name: &str) -> bool {
    MONTHS.iter().any(|month| name.eq_ignore_ascii_case(month))
}

fn number(digits: &str) -> Option<u64> {
    digits.bytes().all(|digit| digit.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// Since midnight.
fn seconds(clock: &str) -> Option<u64> {
    let mut numbers = clock.split(':').map(number);
    let (hours, minutes, seconds) = (numbers.next()??, numbers.next()??, numbers.next()??);
    (hours < 24 && minutes < 60 && seconds < 60).then_some((hours * 60 + minutes) * 60 + seconds)
}

/// Days from 1970 to the first of a month (1 to 12) of the Gregorian calendar.
fn days_before(year: u64, month: u64) -> u64 {
    const BEFORE: [u64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let leap_days = |year: u64| year / 4 - year / 100 + year / 400;
    let is_leap = leap_days(year) > leap_days(year - 1);
    let this_year = BEFORE[usize::try_from(month - 1).unwrap_or(11)] + u64::from(is_leap && month > 2);
    (year - 1970) * 365 + leap_days(year - 1) - leap_days(1969) + this_year
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_servers_write_them() {
        let time = |text: &str| httpdate::parse_http_date(text).expect("a date");
        let expected = time("Tue, 20 Feb 2018 12:34:56 GMT");
        for text in [
            "Tue, 20 Feb 2018 12:34:56 GMT",
            "Tue, 20-Feb-2018 12:34:56 GMT",
            "Tuesday, 20-Feb-18 12:34:56 GMT",
            "Mon, 20-feb-2018 12:34:56 GMT",
            "Tue Feb 20 12:34:56 2018",
            "\"Tue, 20 February 2018 12:34:56\"",
        ] {
            assert_eq!(date(text), Some(expected), "{text}");
        }
        for (text, same) in [
            ("1 Mar 2020 00:00:00", "Sun, 01 Mar 2020 00:00:00 GMT"),
            ("29 Feb 2000 23:59:59", "Tue, 29 Feb 2000 23:59:59 GMT"),
            ("31 Dec 2100 00:00:00", "Fri, 31 Dec 2100 00:00:00 GMT"),
            ("1 Jan 70 0:0:0", "Thu, 01 Jan 1970 00:00:00 GMT"),
        ] {
            assert_eq!(date(text), Some(time(same)), "{text}");
        }
        for text in
            ["", "0", "-1", "Tue, 20 Feb 2018", "20 Feb 12:00:00", "1 Jan 1601 00:00:00", "32 Jan 2018 00:00:00"]
        {
            assert_eq!(date(text), None, "{text}");
        }
    }

    #[test]
    fn only_the_attribute_is_changed() {
        let day = |_| Some(SystemTime::UNIX_EPOCH + Duration::from_secs(24 * 60 * 60));
        let changed = |field: &'static [u8]| {
            let field = HeaderValue::from_bytes(field).expect("a value");
            with_expiry(&field, day).map(|field| field.as_bytes().to_vec())
        };
        let field = changed(b"expires=\xe4; Path=/;EXPIRES=Tue, 20-Feb-2018 12:00:00 GMT; Secure").expect("a change");
        assert_eq!(field, b"expires=\xe4; Path=/; expires=Fri, 02 Jan 1970 00:00:00 GMT; Secure");
        assert_eq!(changed(b"a=1; Max-Age=60"), None);
        assert_eq!(changed(b"expires=Tue, 20-Feb-2018 12:00:00 GMT"), None, "a cookie of this name");
    }
}
