mod bodies;
mod cors;
mod equivalence;
mod image_formats;
mod ranges;
mod return_addresses;
mod sequence;

use super::answer::MISS;
use super::*;
use crate::recording::Response;
use crate::request_body::BodyDigest;
use bytes::Bytes;
use http::HeaderValue;

fn response(method: &str, url: &str, status: u16, fields: &[(&'static str, &str)], body: &str) -> Response {
    let mut headers = HeaderMap::new();
    for (name, value) in fields {
        headers.append(*name, value.parse().expect("a header value"));
    }
    Response {
        url: url.parse().expect("a URL"),
        method: method.to_owned(),
        status,
        headers,
        body: Bytes::copy_from_slice(body.as_bytes()),
        address: None,
        asked_body: Some(BodyDigest::empty()),
        asked_range: None,
    }
}

fn get(url: &str, status: u16, body: &str) -> Response {
    response("GET", url, status, &[], body)
}

fn replay(responses: Vec<Response>) -> Replay {
    replay_with(Volatile::default(), responses)
}

fn replay_with(volatile: Volatile, responses: Vec<Response>) -> Replay {
    Replay::sent_at(&Recording { responses, ..Recording::default() }, volatile, SystemTime::UNIX_EPOCH)
}

/// The first answer of servers that have just begun.
fn ask(replay: &Replay, method: &str, url: &str) -> Answer {
    ask_with(replay, method, url, &HeaderMap::new())
}

fn ask_with(replay: &Replay, method: &str, url: &str, headers: &HeaderMap) -> Answer {
    replay.answer(&Asked::plain(method, &url.parse().expect("a URL"), headers), &mut Turns::default())
}

fn seen(answer: &Answer) -> (Kind, u16, &[u8]) {
    (answer.kind, answer.status, &answer.body)
}

#[test]
fn a_recorded_url_answers_whatever_scheme_and_port_it_was_recorded_with() {
    let replay = replay(vec![get("http://A.test/x?q=1", 200, "one")]);
    for url in ["https://a.test/x?q=1", "http://a.test/x?q=1", "https://a.test:4433/x?q=1#top"] {
        assert_eq!(seen(&ask(&replay, "GET", url)), (Kind::Exact, 200, &b"one"[..]), "{url}");
    }
}

#[test]
fn ports_of_one_host_are_places_of_their_own() {
    let replay = replay(vec![get("http://a.test/x", 200, "usual"), get("http://a.test:8080/x", 200, "other")]);
    for (url, body) in
        [("https://a.test/x", "usual"), ("https://a.test:8080/x", "other"), ("https://a.test:9/x", "usual")]
    {
        assert_eq!(seen(&ask(&replay, "GET", url)), (Kind::Exact, 200, body.as_bytes()), "{url}");
    }
}

#[test]
fn the_closest_query_of_the_same_path_answers_and_counts_as_inexact() {
    let replay = replay(vec![
        get("https://a.test/ad?site=1&slot=2&t=100", 200, "slot 2"),
        get("https://a.test/ad?site=1&slot=3&t=101", 200, "slot 3"),
        get("https://a.test/other?site=1&slot=3&t=999", 200, "other path"),
    ]);
    let answer = ask(&replay, "GET", "https://a.test/ad?site=1&slot=3&t=999");
    assert_eq!(seen(&answer), (Kind::Inexact, 200, &b"slot 3"[..]));
    assert_eq!(answer.matched.as_deref(), Some("https://a.test/ad?site=1&slot=3&t=101"));
}

#[test]
fn anything_else_is_a_miss_with_a_fixed_body() {
    let replay = replay(vec![get("https://a.test/x", 200, "one")]);
    for url in ["https://a.test/y", "https://b.test/x"] {
        let answer = ask(&replay, "GET", url);
        assert_eq!(seen(&answer), (Kind::Miss, 404, MISS));
        assert_eq!(answer.matched, None);
        assert_eq!(answer.headers["content-length"], MISS.len().to_string());
    }
}

#[test]
fn head_gets_the_header_of_get_and_no_body() {
    let replay = replay(vec![get("https://a.test/x", 200, "one")]);
    let answer = ask(&replay, "HEAD", "https://a.test/x");
    assert_eq!(seen(&answer), (Kind::Exact, 200, &b""[..]));
    assert_eq!(answer.headers["content-length"], "3");
}

#[test]
fn post_finds_its_own_recording_else_what_was_recorded_of_the_url() {
    let replay =
        replay(vec![get("https://a.test/x", 200, "got"), response("POST", "https://a.test/x", 200, &[], "posted")]);
    assert_eq!(seen(&ask(&replay, "POST", "https://a.test/x")), (Kind::Exact, 200, &b"posted"[..]));
    assert_eq!(seen(&ask(&replay, "PUT", "https://a.test/x")), (Kind::Inexact, 200, &b"got"[..]));
}

#[test]
fn a_preflight_that_was_not_recorded_is_granted() {
    let replay = replay(vec![get("https://a.test/x", 200, "got")]);
    let mut headers = HeaderMap::new();
    headers.insert("origin", HeaderValue::from_static("https://b.test"));
    headers.insert("access-control-request-method", HeaderValue::from_static("PUT"));
    headers.insert("access-control-request-headers", HeaderValue::from_static("x-y"));
    let answer = ask_with(&replay, "OPTIONS", "https://a.test/x", &headers);
    assert_eq!(seen(&answer), (Kind::Preflight, 204, &b""[..]));
    assert_eq!(answer.headers["access-control-allow-origin"], "https://b.test");
    assert_eq!(answer.headers["access-control-allow-methods"], "PUT");
    assert_eq!(answer.headers["access-control-allow-headers"], "x-y");
}

#[test]
fn a_recorded_preflight_is_answered_as_recorded() {
    let recorded =
        response("OPTIONS", "https://a.test/x", 200, &[("access-control-allow-origin", "https://c.test")], "");
    let replay = replay(vec![recorded]);
    let mut headers = HeaderMap::new();
    headers.insert("access-control-request-method", HeaderValue::from_static("PUT"));
    let answer = ask_with(&replay, "OPTIONS", "https://a.test/x", &headers);
    assert_eq!(
        (answer.kind, &answer.headers["access-control-allow-origin"]),
        (Kind::Exact, &HeaderValue::from_static("https://c.test"))
    );
}

#[test]
fn headers_of_the_connection_and_of_the_live_sites_security_are_left_out() {
    let fields = [
        ("content-type", "image/png"),
        ("content-encoding", "br"),
        ("set-cookie", "a=1"),
        ("set-cookie", "b=2"),
        ("connection", "keep-alive, X-Hop"),
        ("x-hop", "1"),
        ("keep-alive", "timeout=5"),
        ("transfer-encoding", "chunked"),
        ("proxy-connection", "close"),
        ("upgrade", "h2"),
        ("strict-transport-security", "max-age=1"),
        ("public-key-pins", "x"),
        ("content-security-policy", "default-src 'none'"),
        ("content-security-policy-report-only", "x"),
        ("alt-svc", "h3"),
        ("alternate-protocol", "quic"),
        ("content-length", "99"),
    ];
    let replay = replay(vec![response("GET", "https://a.test/", 200, &fields, "png")]);
    let answer = ask(&replay, "GET", "https://a.test/");
    let sent: Vec<_> =
        answer.headers.iter().map(|(name, value)| (name.as_str(), value.to_str().expect("ASCII"))).collect();
    assert_eq!(
        sent,
        [
            ("content-type", "image/png"),
            ("content-encoding", "br"),
            ("set-cookie", "a=1"),
            ("set-cookie", "b=2"),
            ("content-length", "3"),
        ]
    );
}

#[test]
fn a_document_has_its_plain_resources_upgraded_and_so_has_what_may_be_one() {
    let sent = |fields: &[(&'static str, &str)]| {
        let headers =
            ask(&replay(vec![response("GET", "https://a.test/", 200, fields, "p")]), "GET", "https://a.test/").headers;
        headers.get("content-security-policy").cloned()
    };
    assert_eq!(sent(&[("content-type", "Text/HTML; charset=x")]).expect("a header"), "upgrade-insecure-requests");
    assert_eq!(sent(&[]).expect("a header"), "upgrade-insecure-requests");
    assert_eq!(sent(&[("content-type", "image/png")]), None);
}

#[test]
fn a_redirect_to_a_recorded_host_leads_to_https() {
    let location = |target: &str| {
        let replay = replay(vec![
            response("GET", "http://a.test/", 302, &[("location", target)], ""),
            get("http://b.test/", 200, ""),
        ]);
        ask(&replay, "GET", "https://a.test/").headers["location"].to_str().expect("ASCII").to_owned()
    };
    assert_eq!(location("http://b.test/p?q=1#f"), "https://b.test/p?q=1#f");
    assert_eq!(location("http://b.test"), "https://b.test");
    assert_eq!(location("http://elsewhere.test/"), "http://elsewhere.test/");
    assert_eq!(location("/path"), "/path");
}

#[test]
fn an_origin_that_became_https_is_still_let_in() {
    let fields = [("access-control-allow-origin", "http://a.test")];
    let replay = replay(vec![get("http://a.test/", 200, ""), response("GET", "http://b.test/font", 200, &fields, "")]);
    assert_eq!(ask(&replay, "GET", "https://b.test/font").headers["access-control-allow-origin"], "https://a.test");
}

#[test]
fn a_status_without_content_has_neither_body_nor_length() {
    let replay = replay(vec![get("https://a.test/", 204, "")]);
    let answer = ask(&replay, "GET", "https://a.test/");
    assert_eq!(seen(&answer), (Kind::Exact, 204, &b""[..]));
    assert!(!answer.headers.contains_key("content-length"));
}

const HOUR: std::time::Duration = std::time::Duration::from_secs(3600);

const RECORDED: &str = "Tue, 20 Feb 2018 12:00:00 GMT";

const AN_HOUR_LATER: &str = "Tue, 20 Feb 2018 13:00:00 GMT";

fn time(text: &str) -> SystemTime {
    httpdate::parse_http_date(text).expect("a date")
}

#[test]
fn a_response_is_as_fresh_as_when_it_was_recorded() {
    let now = time("Sat, 21 Nov 2026 10:00:00 GMT");
    let sent = |fields: &[(&'static str, &str)]| {
        let recording =
            Recording { responses: vec![response("GET", "https://a.test/", 200, fields, "")], ..Recording::default() };
        ask(&Replay::sent_at(&recording, Volatile::default(), now), "GET", "https://a.test/").headers
    };
    let both = sent(&[("date", RECORDED), ("expires", AN_HOUR_LATER), ("last-modified", RECORDED)]);
    assert_eq!(time(both["date"].to_str().unwrap()), now);
    assert_eq!(time(both["expires"].to_str().unwrap()), now + HOUR);
    assert_eq!(both["last-modified"], RECORDED);
    let expired = sent(&[("date", AN_HOUR_LATER), ("expires", RECORDED)]);
    assert_eq!(time(expired["expires"].to_str().unwrap()), now - HOUR);
    assert_eq!(sent(&[("date", RECORDED), ("expires", "-1")])["expires"], "-1");
    assert!(!sent(&[("expires", RECORDED)]).contains_key("date"));
}

#[test]
fn a_cookie_lives_as_long_as_when_it_was_recorded_and_a_deleted_one_stays_deleted() {
    let now = time("Sat, 21 Nov 2026 10:00:00 GMT");
    let set = |expires: &str| {
        let cookie = format!("a=1; Expires={expires}; Path=/");
        let fields = [("date", RECORDED), ("set-cookie", cookie.as_str())];
        let recording =
            Recording { responses: vec![response("GET", "https://a.test/", 200, &fields, "")], ..Recording::default() };
        let answer = ask(&Replay::sent_at(&recording, Volatile::default(), now), "GET", "https://a.test/");
        answer.headers["set-cookie"].to_str().expect("ASCII").to_owned()
    };
    let expected = format!("a=1; expires={}; Path=/", httpdate::fmt_http_date(now + HOUR));
    assert_eq!(set(AN_HOUR_LATER), expected);
    assert_eq!(set("Tue, 20-Feb-18 13:00:00 GMT"), expected);
    for expired in [RECORDED, "Thu, 01 Jan 1970 00:00:00 GMT", "Mon, 19-Feb-2018 12:00:00 GMT", "0"] {
        assert_eq!(set(expired), format!("a=1; Expires={expired}; Path=/"));
    }
}

#[test]
fn a_date_at_the_end_of_time_stays_a_date() {
    let now = time("Sat, 21 Nov 2026 10:00:00 GMT");
    let never = "Fri, 31 Dec 9999 23:59:59 GMT";
    let fields = [("date", RECORDED), ("expires", never), ("set-cookie", "a=1; expires=Fri, 31 Dec 9999 23:59:59 GMT")];
    let recording =
        Recording { responses: vec![response("GET", "https://a.test/", 200, &fields, "")], ..Recording::default() };
    let headers = ask(&Replay::sent_at(&recording, Volatile::default(), now), "GET", "https://a.test/").headers;
    assert!(time(headers["expires"].to_str().expect("ASCII")) > now);
    assert!(headers["set-cookie"].to_str().expect("ASCII").starts_with("a=1; expires="));
}

#[test]
fn a_dot_at_the_end_of_a_host_makes_no_other_place() {
    let replay = replay(vec![get("https://a.test./x", 200, "one"), get("https://b.test/x", 200, "two")]);
    for (url, body) in [("https://a.test/x", "one"), ("https://a.test./x", "one"), ("https://b.test./x", "two")] {
        assert_eq!(seen(&ask(&replay, "GET", url)), (Kind::Exact, 200, body.as_bytes()), "{url}");
    }
}

#[test]
fn head_is_answered_as_recorded_where_nothing_was_recorded_of_get() {
    let replay = replay(vec![response("HEAD", "https://a.test/x", 200, &[("etag", "\"v1\"")], "")]);
    let answer = ask(&replay, "HEAD", "https://a.test/x");
    assert_eq!(
        (seen(&answer), &answer.headers["etag"]),
        ((Kind::Exact, 200, &b""[..]), &HeaderValue::from_static("\"v1\""))
    );
}

#[test]
fn a_confirmation_of_the_recorders_cache_answers_nobody() {
    let replay = replay(vec![get("https://a.test/x", 304, ""), get("https://a.test/y?v=1", 304, "")]);
    for url in ["https://a.test/x", "https://a.test/y?v=2"] {
        assert_eq!(ask(&replay, "GET", url).kind, Kind::Miss, "{url}");
    }
}

#[test]
fn a_version_that_the_cache_holds_is_not_sent_again() {
    let fields = [("etag", "\"v1\""), ("last-modified", RECORDED), ("content-type", "text/css")];
    let replay = replay(vec![response("GET", "https://a.test/a.css", 200, &fields, "body {}")]);
    let url = "https://a.test/a.css";
    let status = |name: &'static str, value: &str| {
        let headers = HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())]);
        ask_with(&replay, "GET", url, &headers).status
    };
    assert_eq!(status("if-none-match", "\"v0\", W/\"v1\""), 304);
    assert_eq!(status("if-none-match", "\"v2\""), 200);
    assert_eq!(status("if-modified-since", AN_HOUR_LATER), 304);
    assert_eq!(status("if-modified-since", "Tue, 20 Feb 2018 11:59:59 GMT"), 200);
    let answer = ask_with(&replay, "GET", url, &HeaderMap::from_iter([(header::IF_NONE_MATCH, "*".parse().unwrap())]));
    assert_eq!((answer.status, answer.kind, answer.body.len()), (304, Kind::Exact, 0));
    assert!(answer.headers.contains_key("etag") && !answer.headers.contains_key("content-length"));
}
