//! Requests that differ in their bodies.

use super::*;

pub fn post(url: &str, asked_body: Option<&str>, body: &str) -> Response {
    let asked_body = asked_body.map(|body| BodyDigest::of(body.as_bytes()));
    Response { asked_body, ..response("POST", url, 200, &[], body) }
}

pub fn posted(replay: &Replay, url: &str, body: &str) -> (Kind, String) {
    let (url, headers) = (url.parse().expect("a URL"), HeaderMap::new());
    let asked = Asked { body: BodyDigest::of(body.as_bytes()), ..Asked::plain("POST", &url, &headers) };
    let answer = replay.answer(&asked, &mut Turns::default());
    (answer.kind, String::from_utf8_lossy(&answer.body).into_owned())
}

#[test]
fn a_post_is_matched_by_its_body_too() {
    let url = "https://a.test/api";
    let replay = replay(vec![post(url, Some("a=1"), "one"), post(url, Some("a=2"), "two")]);
    assert_eq!(posted(&replay, url, "a=2"), (Kind::Exact, "two".to_owned()));
    assert_eq!(posted(&replay, url, "a=3"), (Kind::Inexact, "one".to_owned()));
    assert_eq!(posted(&replay, url, ""), (Kind::Inexact, "one".to_owned()));
    assert_eq!(posted(&replay, "https://a.test/api?x", "a=2"), (Kind::Inexact, "two".to_owned()));
}

#[test]
fn a_post_whose_recorded_body_is_not_known_answers_any() {
    let url = "https://a.test/api";
    let replay = replay(vec![post(url, None, "any"), post(url, Some("a=2"), "two")]);
    assert_eq!(posted(&replay, url, "a=2"), (Kind::Exact, "two".to_owned()));
    assert_eq!(posted(&replay, url, "a=3"), (Kind::Exact, "any".to_owned()));
}
