//! Pictures that are asked for in another image format than the recorded one.

use super::*;

const PICTURE: &str = "https://a.test/x.jpg_240x240q75.jpg";

fn picture(url: &str, content_type: &str, body: &str) -> Response {
    response("GET", url, 200, &[("content-type", content_type)], body)
}

fn jpeg(url: &str, body: &str) -> Response {
    picture(url, "image/jpeg", body)
}

fn graded(recorded: Vec<Response>, url: &str) -> Kind {
    ask(&replay(recorded), "GET", url).kind
}

#[test]
fn a_picture_in_another_format_is_equivalent_and_sent_as_recorded() {
    let replay = replay(vec![jpeg(PICTURE, "jpeg"), jpeg("https://a.test/y.png?v=1", "png")]);
    for suffix in ["_.webp", "_.avif"] {
        let answer = ask(&replay, "GET", &format!("{PICTURE}{suffix}"));
        assert_eq!(seen(&answer), (Kind::Equivalent, 200, &b"jpeg"[..]), "{suffix}");
        assert_eq!(answer.matched.as_deref(), Some(PICTURE));
        assert_eq!(answer.headers["content-type"], "image/jpeg");
    }
    assert_eq!(seen(&ask(&replay, "GET", "https://a.test/y.png_.webp?v=1")), (Kind::Equivalent, 200, &b"png"[..]));
    assert_eq!(seen(&ask(&replay, "HEAD", &format!("{PICTURE}_.webp"))), (Kind::Equivalent, 200, &b""[..]));
}

#[test]
fn another_size_quality_or_query_is_another_picture() {
    let recorded = || vec![jpeg(PICTURE, "jpeg"), jpeg("https://a.test/x.jpg", "whole"), jpeg("https://b.test/x", "b")];
    for url in [
        "https://a.test/x.jpg_480x480q75.jpg_.webp",
        "https://a.test/x.jpg_240x240q90.jpg_.webp",
        "https://a.test/x.jpg_240x240q75.jpg_.webp?v=2",
        "https://a.test/x.jpg_240x240q75.jpg_.webp/",
        "https://a.test/x.jpg_240x240q75.jpg_.webp_.webp",
        "https://b.test/x.jpg_.webp",
    ] {
        assert_eq!(graded(recorded(), url), Kind::Miss, "{url}");
    }
}

#[test]
fn the_closest_recorded_name_of_the_picture_answers() {
    let graded = |recorded: &[&str], url: &str| {
        let recorded = recorded.iter().map(|path| jpeg(&format!("https://a.test{path}"), path)).collect();
        let answer = ask(&replay(recorded), "GET", &format!("https://a.test{url}"));
        (answer.kind, String::from_utf8_lossy(&answer.body).into_owned())
    };
    let equivalent = |path: &str| (Kind::Equivalent, path.to_owned());
    let asked = "/a.jpg@320w.webp";
    assert_eq!(graded(&["/a.jpg", "/a.jpg@320w.png", "/a.jpg@320w"], asked), equivalent("/a.jpg@320w"));
    assert_eq!(graded(&["/a.jpg", "/a.jpg@320w.png"], asked), equivalent("/a.jpg@320w.png"));
    assert_eq!(graded(&["/a.jpg"], asked), equivalent("/a.jpg"));
    assert_eq!(graded(&["/a.jpg@320w.png", "/a.jpg@320w.gif"], asked).0, Kind::Miss, "two pictures");
    assert_eq!(graded(&["/b.jpg@320w", "/a.jpg/x"], asked).0, Kind::Miss);
    assert_eq!(graded(&["/a?w=1&fm=jpg", "/a?w=2"], "/a?w=1&fm=webp"), equivalent("/a?w=1&fm=jpg"));
    assert_eq!(graded(&["/a?w=1", "/a?w=2"], "/a?w=2&fm=webp"), equivalent("/a?w=2"));
    assert_eq!(graded(&["/a?w=1"], "/a?w=2&fm=webp").0, Kind::Inexact, "another size");
}

#[test]
fn a_recorded_picture_in_the_requested_format_comes_first() {
    let asked = format!("{PICTURE}_.webp");
    let replay = replay(vec![jpeg(PICTURE, "jpeg"), picture(&asked, "image/webp", "webp")]);
    assert_eq!(seen(&ask(&replay, "GET", &asked)), (Kind::Exact, 200, &b"webp"[..]));
    assert_eq!(seen(&ask(&replay, "GET", PICTURE)), (Kind::Exact, 200, &b"jpeg"[..]));
}

#[test]
fn the_same_picture_comes_before_another_query_of_the_requested_path() {
    let recorded =
        vec![picture("https://a.test/x.jpg_.webp?v=1", "image/webp", "v1"), jpeg("https://a.test/x.jpg?v=2", "v2")];
    let answer = ask(&replay(recorded), "GET", "https://a.test/x.jpg_.webp?v=2");
    assert_eq!(seen(&answer), (Kind::Equivalent, 200, &b"v2"[..]));
}

#[test]
fn only_a_recorded_image_stands_for_another_format() {
    let asked = |recorded: Response| graded(vec![recorded], "https://a.test/x_.webp");
    let url = "https://a.test/x";
    assert_eq!(asked(picture(url, "Image/PNG", "a")), Kind::Equivalent);
    assert_eq!(asked(picture(url, "text/html", "a")), Kind::Miss);
    assert_eq!(asked(picture(url, "imagery", "a")), Kind::Miss);
    assert_eq!(asked(get(url, 200, "no type")), Kind::Miss);
    assert_eq!(asked(response("GET", url, 404, &[("content-type", "image/png")], "a")), Kind::Miss);
    let redirect = [("content-type", "image/gif"), ("location", "https://a.test/x_.webp")];
    assert_eq!(asked(response("GET", url, 302, &redirect, "")), Kind::Miss);
    assert_eq!(asked(response("POST", url, 200, &[("content-type", "image/png")], "a")), Kind::Miss);
}

#[test]
fn a_picture_that_was_recorded_with_several_bodies_stands_for_no_other_format() {
    let recorded = |second: &str| vec![jpeg(PICTURE, "one"), jpeg(PICTURE, second)];
    let asked = format!("{PICTURE}_.webp");
    assert_eq!(graded(recorded("one"), &asked), Kind::Equivalent);
    assert_eq!(graded(recorded("two"), &asked), Kind::Miss);
}

#[test]
fn only_fetches_ask_for_another_format() {
    let asked = format!("{PICTURE}_.webp");
    let posted = response("POST", PICTURE, 200, &[("content-type", "image/jpeg")], "a");
    assert_eq!(ask(&replay(vec![posted]), "POST", &asked).kind, Kind::Miss);
}
