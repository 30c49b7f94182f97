//! Requests across origins.

use super::*;

const ORIGIN: &str = "https://b.test";

fn asked(replay: &Replay, method: &str, fields: &[(&'static str, &'static str)]) -> HeaderMap {
    let headers = fields.iter().map(|(name, value)| (name.parse().expect("a name"), HeaderValue::from_static(value)));
    ask_with(replay, method, "https://a.test/x", &headers.collect()).headers
}

fn of(fields: &[(&'static str, &str)]) -> Replay {
    replay(vec![response("GET", "https://a.test/x", 200, fields, "x")])
}

#[test]
fn whoever_asks_across_origins_is_let_in_whatever_was_recorded() {
    for recorded in [None, Some("*"), Some("https://c.test"), Some("null")] {
        let field = recorded.map(|value| ("access-control-allow-origin", value));
        let replay = of(field.as_slice());
        for origin in [ORIGIN, "null"] {
            let sent = asked(&replay, "GET", &[("origin", origin)]);
            assert_eq!(sent.get_all("access-control-allow-origin").iter().collect::<Vec<_>>(), [origin]);
            assert_eq!(sent["access-control-allow-credentials"], "true");
        }
        let sent = asked(&replay, "GET", &[]);
        assert_eq!(sent.get("access-control-allow-origin").map(HeaderValue::as_bytes), recorded.map(str::as_bytes));
        assert!(!sent.contains_key("access-control-allow-credentials") && !sent.contains_key("vary"));
    }
}

#[test]
fn a_permission_is_cached_for_its_origin_only() {
    let vary = |fields: &[(&'static str, &str)]| {
        let sent = asked(&of(fields), "GET", &[("origin", ORIGIN)]);
        let values = sent.get_all("vary").iter().map(|value| value.to_str().expect("ASCII").to_owned());
        values.collect::<Vec<_>>()
    };
    assert_eq!(vary(&[]), ["origin"]);
    assert_eq!(vary(&[("vary", "accept-encoding")]), ["accept-encoding", "origin"]);
    assert_eq!(vary(&[("vary", "accept-encoding, Origin")]), ["accept-encoding, Origin"]);
    assert_eq!(vary(&[("vary", "*")]), ["*"]);
}

#[test]
fn redirects_ranges_and_confirmations_let_in_too() {
    let moved = replay(vec![response("GET", "https://a.test/x", 302, &[("location", "/y")], "")]);
    let etag = [("etag", "\"v1\"")];
    for (replay, field) in
        [(&moved, None), (&of(&[]), Some(("range", "bytes=0-0"))), (&of(&etag), Some(("if-none-match", "*")))]
    {
        let fields = [("origin", ORIGIN)].into_iter().chain(field).collect::<Vec<_>>();
        assert_eq!(asked(replay, "GET", &fields)["access-control-allow-origin"], ORIGIN);
    }
}

#[test]
fn a_recorded_preflight_grants_what_is_asked_now() {
    let fields = [("access-control-allow-methods", "GET"), ("access-control-allow-headers", "x-old"), ("x-own", "1")];
    let replay = replay(vec![response("OPTIONS", "https://a.test/x", 200, &fields, "")]);
    let asking =
        [("origin", ORIGIN), ("access-control-request-method", "PUT"), ("access-control-request-headers", "x-new")];
    let sent = asked(&replay, "OPTIONS", &asking);
    let names =
        ["access-control-allow-methods", "access-control-allow-headers", "access-control-allow-origin", "x-own"];
    assert_eq!(names.map(|name| sent[name].to_str().expect("ASCII")), ["PUT", "x-new", ORIGIN, "1"]);
}

#[test]
fn a_miss_permits_nothing() {
    let sent = asked(&replay(vec![get("https://a.test/y", 200, "")]), "GET", &[("origin", ORIGIN)]);
    assert!(!sent.contains_key("access-control-allow-origin"));
}
