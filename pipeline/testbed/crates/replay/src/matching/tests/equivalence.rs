//! Volatile parameters and JSONP.

use super::bodies::{post, posted};
use super::*;

/// Volatile parameters of `a.test/ad`.
fn volatile() -> Volatile {
    let at = |parameter: &str| ["a.test", "/ad", parameter].map(str::to_owned);
    Volatile::new([at("rnd"), at("t"), at("cb")])
}

#[test]
fn a_post_with_volatile_parameters_still_needs_its_body_to_be_equivalent() {
    let replay = replay_with(volatile(), vec![post("https://a.test/ad?rnd=1", Some("a=1"), "one")]);
    assert_eq!(posted(&replay, "https://a.test/ad?rnd=2", "a=1").0, Kind::Equivalent);
    assert_eq!(posted(&replay, "https://a.test/ad?rnd=2", "a=2").0, Kind::Inexact);
}

#[test]
fn what_differs_in_volatile_parameters_only_is_equivalent() {
    let replay = replay_with(
        volatile(),
        vec![
            get("https://a.test/ad?id=1&rnd=11&t=1", 200, "one"),
            get("https://a.test/ad?id=1&rnd=12", 200, "one"),
            get("https://a.test/ad?id=2&rnd=13", 200, "two"),
            get("https://a.test/other?rnd=1", 200, "other"),
        ],
    );
    let answer = ask(&replay, "GET", "https://a.test/ad?rnd=99&id=2");
    assert_eq!(seen(&answer), (Kind::Equivalent, 200, &b"two"[..]));
    assert_eq!(answer.matched.as_deref(), Some("https://a.test/ad?id=2&rnd=13"));
    let graded = |url: &str| ask(&replay, "GET", url).kind;
    assert_eq!(graded("https://a.test/ad?id=1&t=5"), Kind::Equivalent);
    assert_eq!(graded("https://a.test/ad?id=1&rnd=12"), Kind::Exact);
    assert_eq!(graded("https://a.test/ad?id=3&rnd=12"), Kind::Inexact, "the id selects content");
    assert_eq!(graded("https://a.test/other?rnd=2"), Kind::Inexact, "volatile at another path");
    assert_eq!(ask(&replay, "POST", "https://a.test/ad?id=2&rnd=9").kind, Kind::Inexact, "another method");
}

#[test]
fn a_number_without_a_name_is_left_out_where_it_is_volatile() {
    let at = |query: &str| get(&format!("https://a.test/ad{query}"), 200, "one");
    let volatile = Volatile::new([["a.test", "/ad", "="].map(str::to_owned)]);
    let graded = |recorded: &str, asked: &str| {
        ask(&replay_with(volatile.clone(), vec![at(recorded)]), "GET", &format!("https://a.test/ad{asked}")).kind
    };
    assert_eq!(graded("?1519120000", "?1519128000"), Kind::Equivalent);
    assert_eq!(graded("", "?0.4711"), Kind::Equivalent);
    assert_eq!(graded("?1519120000&a=1", "?1519128000&a=2"), Kind::Inexact);
}

#[test]
fn recorded_candidates_of_several_bodies_are_never_equivalent() {
    let candidates =
        |second: Response| replay_with(volatile(), vec![get("https://a.test/ad?rnd=11", 200, "one"), second]);
    let graded = |second| ask(&candidates(second), "GET", "https://a.test/ad?rnd=12").kind;
    assert_eq!(graded(get("https://a.test/ad?rnd=13", 200, "one")), Kind::Equivalent);
    assert_eq!(graded(get("https://a.test/ad?rnd=13", 200, "two")), Kind::Inexact);
    assert_eq!(graded(get("https://a.test/ad?rnd=13", 404, "one")), Kind::Inexact);
}

#[test]
fn without_volatile_parameters_another_query_is_inexact() {
    let replay = replay(vec![get("https://a.test/ad?rnd=11", 200, "one")]);
    assert_eq!(ask(&replay, "GET", "https://a.test/ad?rnd=12").kind, Kind::Inexact);
}

#[test]
fn a_jsonp_answer_calls_the_function_that_is_asked_for_and_counts_as_recorded() {
    let replay = replay_with(
        volatile(),
        vec![
            get("https://a.test/ad?id=1&cb=jq_111", 200, "jq_111({\"x\": 1})"),
            get("https://a.test/ad?id=1&cb=jq_22", 200, "jq_22({\"x\": 1})"),
        ],
    );
    let answer = ask(&replay, "GET", "https://a.test/ad?id=1&cb=jq_4");
    assert_eq!(seen(&answer), (Kind::Equivalent, 200, &b"jq_4({\"x\": 1})"[..]));
    assert_eq!(answer.headers["content-length"], answer.body.len().to_string());
    assert_eq!((answer.counted_bytes, answer.callback_renamed), (16, true));
    assert_eq!(answer.matched.as_deref(), Some("https://a.test/ad?id=1&cb=jq_111"));
    let inexact = ask(&replay, "GET", "https://a.test/ad?id=2&cb=f");
    assert_eq!(seen(&inexact), (Kind::Inexact, 200, &b"f({\"x\": 1})"[..]));
    let exact = ask(&replay, "GET", "https://a.test/ad?id=1&cb=jq_22");
    assert_eq!((seen(&exact), exact.callback_renamed), ((Kind::Exact, 200, &b"jq_22({\"x\": 1})"[..]), false));
    let code = ask(&replay, "GET", "https://a.test/ad?id=1&cb=alert(1)");
    assert_eq!((code.kind, code.callback_renamed), (Kind::Inexact, false));
    assert!(code.body.starts_with(b"jq_"));
    let head = ask(&replay, "HEAD", "https://a.test/ad?id=1&cb=jq_4");
    assert_eq!((head.body.len(), head.counted_bytes), (0, 0));
}

#[test]
fn a_callback_that_is_not_volatile_is_renamed_and_stays_inexact() {
    let replay = replay(vec![
        get("https://a.test/api?cb=jsonp1", 200, ";window.jsonp1 && window.jsonp1({})"),
        get("https://a.test/page?q=f", 200, "g({})"),
    ]);
    let answer = ask(&replay, "GET", "https://a.test/api?cb=jsonp2");
    assert_eq!(seen(&answer), (Kind::Inexact, 200, &b";window.jsonp2 && window.jsonp2({})"[..]));
    assert!(answer.callback_renamed);
    assert_eq!(seen(&ask(&replay, "GET", "https://a.test/page?q=h")), (Kind::Inexact, 200, &b"g({})"[..]));
}

#[test]
fn bodies_are_compared_without_their_content_codings() {
    use crate::coding::Coding;
    let coded = |rnd: u8, name: &str, body: Bytes| Response {
        body,
        ..response("GET", &format!("https://a.test/ad?rnd={rnd}"), 200, &[("content-encoding", name)], "")
    };
    let graded = |second: Response| {
        let first = coded(1, "gzip", Coding::Gzip.encode(b"one"));
        ask(&replay_with(volatile(), vec![first, second]), "GET", "https://a.test/ad?rnd=3").kind
    };
    assert_eq!(graded(coded(2, "br", Coding::Brotli.encode(b"one"))), Kind::Equivalent);
    assert_eq!(graded(get("https://a.test/ad?rnd=2", 200, "one")), Kind::Equivalent);
    assert_eq!(graded(coded(2, "gzip", Coding::Gzip.encode(b"two"))), Kind::Inexact);
}

#[test]
fn a_volatile_parameter_of_the_path_is_left_out_as_one_of_the_query_is() {
    let at = |path: &str, parameter: &str| ["a.test", path, parameter].map(str::to_owned);
    let volatile = Volatile::new([at("/adi/N1", ";ord"), at("/pixel", ";r"), at("/js", ";cb")]);
    let replay = replay_with(
        volatile,
        vec![
            get("https://a.test/adi/N1;sz=300x250;ord=11?", 200, "wide"),
            get("https://a.test/adi/N1;sz=160x600;ord=12?", 200, "high"),
            get("https://a.test/pixel;r=1;a=2;url=http%3A%2F%2Fb.test", 200, "pixel"),
            get("https://a.test/js;cb=f1", 200, "f1({})"),
        ],
    );
    let answer = ask(&replay, "GET", "https://a.test/adi/N1;sz=160x600;ord=99?");
    assert_eq!(seen(&answer), (Kind::Equivalent, 200, &b"high"[..]));
    assert_eq!(answer.matched.as_deref(), Some("https://a.test/adi/N1;sz=160x600;ord=12?"));
    let graded = |url: &str| ask(&replay, "GET", url).kind;
    assert_eq!(graded("https://a.test/adi/N1;sz=300x250;ord=11"), Kind::Exact);
    assert_eq!(graded("https://a.test/adi/N1;sz=728x90;ord=11"), Kind::Inexact, "the size selects content");
    assert_eq!(graded("https://a.test/pixel;r=9;a=2;url=http%3A%2F%2Fb.test"), Kind::Equivalent);
    assert_eq!(graded("https://a.test/pixel;r=9;a=3"), Kind::Inexact);
    assert_eq!(graded("https://a.test/pixels;r=1"), Kind::Miss);
    assert_eq!(seen(&ask(&replay, "GET", "https://a.test/js;cb=f2")), (Kind::Equivalent, 200, &b"f2({})"[..]));
}

#[test]
fn recorded_redirects_to_several_places_are_never_equivalent() {
    let moved =
        |rnd: u8, to: &str| response("GET", &format!("https://a.test/ad?rnd={rnd}"), 302, &[("location", to)], "moved");
    let graded = |to| {
        let replay = replay_with(volatile(), vec![moved(1, "/one"), moved(2, to)]);
        ask(&replay, "GET", "https://a.test/ad?rnd=3").kind
    };
    assert_eq!(graded("/one"), Kind::Equivalent);
    assert_eq!(graded("https://a.test/one"), Kind::Equivalent, "the same place");
    assert_eq!(graded("/two"), Kind::Inexact);
}
