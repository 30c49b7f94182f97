//! Ranges of bytes (RFC 9110, section 14). They are of the representation as it is sent, so of the encoded bytes where the recorded
//! answer has a content coding (section 8.4 and 14.1.2). Requests for several ranges are answered with the whole, as section 14.2
//! allows.

use std::time::SystemTime;

use http::{HeaderMap, HeaderValue, header};

/// A single range that a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// `first-` or `first-last`.
    From { first: u64, last: Option<u64> },
    /// `-length`.
    Last(u64),
}

/// Part of a representation of `total` bytes: what a recorded answer has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    pub first: u64,
    pub bytes: u64,
    pub total: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Both ends are in it; counted from the representation's beginning.
    Part {
        first: u64,
        last: u64,
    },
    Unsatisfiable,
    /// The recording does not have these bytes.
    NotHeld,
}

/// The range of a request; `None` where it asks for none, for several, or in a form that is to be ignored.
pub fn wanted(request: &HeaderMap) -> Option<Wanted> {
    let text = request.get(header::RANGE)?.to_str().ok()?;
    let (unit, range) = text.split_once('=')?;
    let (first, last) = range.trim().split_once('-')?;
    let number = |digits: &str| {
        let digits = digits.trim();
        digits.bytes().all(|digit| digit.is_ascii_digit()).then(|| digits.parse::<u64>().ok())?
    };
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    if first.trim().is_empty() {
        return number(last).map(Wanted::Last);
    }
    let (first, is_open) = (number(first)?, last.trim().is_empty());
    let last = if is_open { None } else { Some(number(last)?) };
    last.is_none_or(|last| last >= first).then_some(Wanted::From { first, last })
}

/// Of a recorded answer with status 206.
pub fn held(response: &HeaderMap, bytes: usize) -> Option<Held> {
    let text = response.get(header::CONTENT_RANGE)?.to_str().ok()?;
    let (range, total) = text.trim().strip_prefix("bytes")?.trim().split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let (first, last, total): (u64, u64, u64) =
        (first.trim().parse().ok()?, last.trim().parse().ok()?, total.trim().parse().ok()?);
    let bytes = bytes as u64;
    (first.checked_add(bytes)? == last.checked_add(1)? && last < total).then_some(Held { first, bytes, total })
}

pub fn cut(wanted: Wanted, held: Held) -> Cut {
    let Held { total, .. } = held;
    let (first, last) = match wanted {
        Wanted::Last(0) => return Cut::Unsatisfiable,
        Wanted::Last(_) if total == 0 => return Cut::Unsatisfiable,
        Wanted::Last(length) => (total.saturating_sub(length), total - 1),
        Wanted::From { first, .. } if first >= total => return Cut::Unsatisfiable,
        Wanted::From { first, last } => (first, last.unwrap_or(u64::MAX).min(total - 1)),
    };
    let is_held = first >= held.first && last < held.first + held.bytes;
    if is_held { Cut::Part { first, last } } else { Cut::NotHeld }
}

/// Whether the range is still wanted of this version (RFC 9110, section 13.1.5): strong entity tags or dates that are the same.
pub fn is_of_this_version(request: &HeaderMap, response: &HeaderMap) -> bool {
    let Some(condition) = request.get(header::IF_RANGE).and_then(|value| value.to_str().ok()).map(str::trim) else {
        return !request.contains_key(header::IF_RANGE);
    };
    let has = |name| response.get(name).and_then(|value: &HeaderValue| value.to_str().ok()).map(str::trim);
    if condition.starts_with('"') {
        return has(header::ETAG) == Some(condition);
    }
    let time = |text: &str| -> Option<SystemTime> { httpdate::parse_http_date(text).ok() };
    time(condition).is_some() && time(condition) == has(header::LAST_MODIFIED).and_then(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(range: &str) -> Option<Wanted> {
        wanted(&HeaderMap::from_iter([(header::RANGE, range.parse().expect("a value"))]))
    }

    const ALL: Held = Held { first: 0, bytes: 100, total: 100 };

    fn part(range: &str, held: Held) -> Cut {
        cut(of(range).expect("a range"), held)
    }

    #[test]
    fn a_range_is_cut_at_the_end_of_the_representation() {
        assert_eq!(part("bytes=0-9", ALL), Cut::Part { first: 0, last: 9 });
        assert_eq!(part("bytes = 90- ", ALL), Cut::Part { first: 90, last: 99 });
        assert_eq!(part("Bytes=90-1000", ALL), Cut::Part { first: 90, last: 99 });
        assert_eq!(part("bytes=-10", ALL), Cut::Part { first: 90, last: 99 });
        assert_eq!(part("bytes=-1000", ALL), Cut::Part { first: 0, last: 99 });
        for range in ["bytes=100-", "bytes=100-200", "bytes=-0"] {
            assert_eq!(part(range, ALL), Cut::Unsatisfiable, "{range}");
        }
        assert_eq!(part("bytes=-1", Held { first: 0, bytes: 0, total: 0 }), Cut::Unsatisfiable);
    }

    #[test]
    fn what_is_no_single_range_of_bytes_is_ignored() {
        for range in ["bytes=0-1,5-6", "items=0-1", "bytes=5-4", "bytes=a-", "bytes=-", "bytes", "bytes=+1-2"] {
            assert_eq!(of(range), None, "{range}");
        }
        assert_eq!(wanted(&HeaderMap::new()), None);
    }

    #[test]
    fn a_recorded_part_answers_what_lies_inside_it() {
        let headers = HeaderMap::from_iter([(header::CONTENT_RANGE, "bytes 10-59/100".parse().expect("a value"))]);
        let held = held(&headers, 50).expect("a part");
        assert_eq!(held, Held { first: 10, bytes: 50, total: 100 });
        assert_eq!(super::held(&headers, 49), None, "cut short");
        assert_eq!(part("bytes=20-59", held), Cut::Part { first: 20, last: 59 });
        assert_eq!(part("bytes=20-60", held), Cut::NotHeld);
        assert_eq!(part("bytes=-10", held), Cut::NotHeld);
        assert_eq!(part("bytes=100-", held), Cut::Unsatisfiable);
    }

    #[test]
    fn a_condition_holds_for_the_same_strong_tag_or_date_only() {
        let date = "Tue, 20 Feb 2018 12:00:00 GMT";
        let holds = |condition: &str, tag: &'static str| {
            let response = [
                (header::ETAG, tag.parse().expect("a value")),
                (header::LAST_MODIFIED, date.parse().expect("a value")),
            ];
            let request = [(header::IF_RANGE, condition.parse().expect("a value"))];
            is_of_this_version(&HeaderMap::from_iter(request), &HeaderMap::from_iter(response))
        };
        assert!(holds("\"v1\"", "\"v1\"") && holds(date, "\"v1\""));
        assert!(!holds("\"v2\"", "\"v1\"") && !holds("W/\"v1\"", "W/\"v1\"") && !holds("no date", "\"v1\""));
        assert!(!holds("Tue, 20 Feb 2018 12:00:01 GMT", "\"v1\""));
        assert!(is_of_this_version(&HeaderMap::new(), &HeaderMap::new()));
    }
}
