//! Ranges of bytes.

use super::*;

/// Kind, status, `content-range` and body of the answer to a request for a range.
fn ranged(replay: &Replay, url: &str, range: &str) -> (Kind, u16, String, String) {
    let headers = HeaderMap::from_iter([(header::RANGE, range.parse().expect("a value"))]);
    let answer = ask_with(replay, "GET", url, &headers);
    assert_eq!(answer.headers["content-length"], answer.body.len().to_string());
    let of = answer.headers.get("content-range").map_or("", |value| value.to_str().expect("ASCII")).to_owned();
    (answer.kind, answer.status, of, String::from_utf8_lossy(&answer.body).into_owned())
}

#[test]
fn a_range_of_a_recorded_whole_is_sent_as_a_part_of_its_encoded_bytes() {
    let url = "https://a.test/film";
    let fields = [("content-encoding", "br"), ("etag", "\"v1\"")];
    let replay = replay(vec![response("GET", url, 200, &fields, "0123456789")]);
    let part = |range: &str| ranged(&replay, url, range);
    let exact = |status, of: &str, body: &str| (Kind::Exact, status, of.to_owned(), body.to_owned());
    assert_eq!(part("bytes=2-4"), exact(206, "bytes 2-4/10", "234"));
    assert_eq!(part("bytes=8-"), exact(206, "bytes 8-9/10", "89"));
    assert_eq!(part("bytes=-3"), exact(206, "bytes 7-9/10", "789"));
    assert_eq!(part("bytes=10-"), exact(416, "bytes */10", ""));
    assert_eq!(part("bytes=0-1,4-5"), exact(200, "", "0123456789"));
    let headers = HeaderMap::from_iter([
        (header::RANGE, HeaderValue::from_static("bytes=2-4")),
        (header::IF_RANGE, HeaderValue::from_static("\"v0\"")),
    ]);
    assert_eq!(ask_with(&replay, "GET", url, &headers).status, 200);
    let head = ask_with(&replay, "HEAD", url, &headers);
    assert_eq!((head.status, &head.headers["content-length"]), (200, &HeaderValue::from_static("10")));
}

#[test]
fn what_was_recorded_for_a_range_answers_the_same_range_again() {
    let url = "https://a.test/film";
    let asked =
        |range: &'static str, part: Response| Response { asked_range: Some(HeaderValue::from_static(range)), ..part };
    let partial = |of: &str, body: &str| response("GET", url, 206, &[("content-range", of)], body);
    let parts = replay(vec![
        asked("bytes=0-3", partial("bytes 0-3/10", "0123")),
        asked("bytes=5-", partial("bytes 5-9/10", "56789")),
    ]);
    assert_eq!(ranged(&parts, url, "bytes=5-"), (Kind::Exact, 206, "bytes 5-9/10".to_owned(), "56789".to_owned()));
    assert_eq!(ranged(&parts, url, "bytes=6-7"), (Kind::Exact, 206, "bytes 6-7/10".to_owned(), "67".to_owned()));
    // Nobody recorded byte 4.
    assert_eq!(ranged(&parts, url, "bytes=4-6").0, Kind::Inexact);
    assert_eq!(ask(&parts, "GET", url).kind, Kind::Inexact);
    let all = replay(vec![asked("bytes=0-", partial("bytes 0-3/4", "0123"))]);
    let whole = ask(&all, "GET", url);
    assert_eq!((seen(&whole), whole.headers.contains_key("content-range")), ((Kind::Exact, 200, &b"0123"[..]), false));
    let ignores = replay(vec![asked("bytes=0-", get(url, 200, "0123"))]);
    assert_eq!(ranged(&ignores, url, "bytes=0-").1, 200);
    assert_eq!(ranged(&ignores, url, "bytes=2-").1, 200, "the recorded server sends the whole for a range");
}
