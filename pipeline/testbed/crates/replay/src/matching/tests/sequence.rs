//! Several recorded answers to one request, and redirects.

use super::*;

/// Status and body of each of several answers in a row.
fn in_turn(replay: &Replay, urls: &[&str]) -> Vec<(u16, String)> {
    let (headers, mut turns) = (HeaderMap::new(), Turns::default());
    let answer = |url: &&str| {
        let url = url.parse().expect("a URL");
        let answer = replay.answer(&Asked::plain("GET", &url, &headers), &mut turns);
        (answer.status, String::from_utf8_lossy(&answer.body).into_owned())
    };
    urls.iter().map(answer).collect()
}

#[test]
fn a_url_recorded_several_times_answers_in_recorded_order_and_then_with_the_last_again() {
    let replay = replay(vec![
        get("https://a.test/", 200, "first"),
        get("https://a.test/other", 200, "other"),
        get("https://a.test/", 503, "second"),
        get("https://a.test/", 304, ""),
        get("https://a.test/", 200, "third"),
    ]);
    let page = "https://a.test/";
    let answers = in_turn(&replay, &[page, "https://a.test/other", page, page, page]);
    let expected = [(200, "first"), (200, "other"), (503, "second"), (200, "third"), (200, "third")];
    assert_eq!(answers, expected.map(|(status, body)| (status, body.to_owned())));
}

#[test]
fn a_redirect_between_http_and_https_is_left_out_where_the_page_follows() {
    let page = ["https://a.test/?q"];
    for (from, to) in [("http", "https"), ("https", "http")] {
        let [from, to] = [from, to].map(|scheme| format!("{scheme}://a.test/?q"));
        let moved = || response("GET", &from, 301, &[("location", to.as_str())], "moved");
        assert_eq!(
            in_turn(&replay(vec![moved(), get(&to, 200, "page")]), &page),
            [(200, "page".to_owned())],
            "{from} to {to}"
        );
        assert_eq!(in_turn(&replay(vec![moved()]), &page), [(301, "moved".to_owned())]);
    }
    let stays = || response("GET", page[0], 302, &[("location", page[0])], "with a cookie");
    let in_order = in_turn(&replay(vec![stays(), get(page[0], 200, "page")]), &[page[0], page[0]]);
    assert_eq!(in_order, [(302, "with a cookie".to_owned()), (200, "page".to_owned())]);
}

#[test]
fn head_does_not_take_a_turn() {
    let replay = replay(vec![get("https://a.test/", 200, "1"), get("https://a.test/", 200, "22")]);
    let (url, headers, mut turns) = ("https://a.test/".parse().expect("a URL"), HeaderMap::new(), Turns::default());
    let mut length =
        |method| replay.answer(&Asked::plain(method, &url, &headers), &mut turns).headers["content-length"].clone();
    assert_eq!([length("HEAD"), length("GET"), length("HEAD"), length("GET")], ["1", "1", "2", "2"]);
}

fn redirect(from: &str, to: &str) -> Response {
    response("GET", from, 302, &[("location", to)], "moved")
}

#[test]
fn a_circle_of_redirects_that_the_recording_leaves_is_left() {
    let (a, b) = ("https://a.test/a", "https://a.test/b");
    let replay = replay(vec![redirect(a, b), redirect(b, "/a"), get(a, 200, "page")]);
    let moved = || (302, "moved".to_owned());
    assert_eq!(in_turn(&replay, &[a, b, a, a]), [moved(), moved(), (200, "page".to_owned()), (200, "page".to_owned())]);
}

#[test]
fn a_circle_of_redirects_without_a_way_out_ends_as_a_miss() {
    let (a, b, c) = ("https://a.test/a", "https://a.test/b", "https://a.test/c");
    let moved = || (302, "moved".to_owned());
    let missed = || (404, "not recorded\n".to_owned());
    assert_eq!(in_turn(&replay(vec![redirect(a, b), redirect(b, "/a")]), &[a, b, a]), [moved(), moved(), missed()]);
    let into_circle = replay(vec![redirect(a, b), redirect(b, c), redirect(c, b)]);
    assert_eq!(in_turn(&into_circle, &[a, b, c, b]), [moved(), moved(), moved(), missed()]);
    let leads_out = replay(vec![redirect(a, b), get(b, 200, "picture")]);
    assert_eq!(in_turn(&leads_out, &[a, b, a, b])[2], moved(), "the same redirect may be asked for again");
}

#[test]
fn a_redirect_never_leads_to_the_request_that_it_answers_inexactly() {
    let page = get("https://a.test/x?t=5&u=6", 200, "page");
    let moved = redirect("https://a.test/x?t=1", "/x?t=2");
    let only = replay(vec![moved.clone()]);
    assert_eq!(ask(&only, "GET", "https://a.test/x?t=2").kind, Kind::Miss);
    assert_eq!(ask(&only, "GET", "https://a.test/x?t=3").status, 302);
    let answer = ask(&replay(vec![moved, page]), "GET", "https://a.test/x?t=2");
    assert_eq!(seen(&answer), (Kind::Inexact, 200, &b"page"[..]));
}

/// What each request gets in every arrangement of these three, as (request, answers in its order).
fn by_request(replay: &Replay, order: [(&str, &str); 3]) -> Vec<(String, Vec<String>)> {
    let (headers, mut turns) = (HeaderMap::new(), Turns::default());
    let mut grouped: Vec<(String, Vec<String>)> = Vec::new();
    for (url, body) in order {
        let address = url.parse().expect("a URL");
        let method = if body.is_empty() { "GET" } else { "POST" };
        let asked = Asked { body: BodyDigest::of(body.as_bytes()), ..Asked::plain(method, &address, &headers) };
        let answer = String::from_utf8_lossy(&replay.answer(&asked, &mut turns).body).into_owned();
        let request = format!("{method} {url} {body}");
        match grouped.iter_mut().find(|(known, _)| *known == request) {
            Some((_, answers)) => answers.push(answer),
            None => grouped.push((request, vec![answer])),
        }
    }
    grouped.sort();
    grouped
}

#[test]
fn inexact_answers_do_not_depend_on_the_order_in_which_requests_arrive() {
    let replay = replay(vec![get("https://a.test/ad?t=1", 200, "first"), get("https://a.test/ad?t=1", 200, "second")]);
    let (repeated, single) = (("https://a.test/ad?t=8", ""), ("https://a.test/ad?t=9", ""));
    let expected = [
        ("GET https://a.test/ad?t=8 ".to_owned(), vec!["first".to_owned(), "second".to_owned()]),
        ("GET https://a.test/ad?t=9 ".to_owned(), vec!["first".to_owned()]),
    ];
    for order in [[repeated, repeated, single], [repeated, single, repeated], [single, repeated, repeated]] {
        assert_eq!(by_request(&replay, order), expected);
    }
}

#[test]
fn posts_of_other_bodies_have_turns_of_their_own_where_the_recording_knows_its_body() {
    let recorded = |body: Option<&str>| {
        let post = |answer: &str| super::bodies::post("https://a.test/api", body, answer);
        replay(vec![post("first"), post("second")])
    };
    let (single, repeated) = (("https://a.test/api", "a=8"), ("https://a.test/api", "a=9"));
    let orders = [[single, repeated, repeated], [repeated, single, repeated]];
    let [known, again] = orders.map(|order| by_request(&recorded(Some("a=1")), order));
    assert_eq!(known, again);
    assert_eq!(known[0].1, ["first"]);
    let unknown = by_request(&recorded(None), orders[0]).into_iter();
    assert_eq!(unknown.map(|(_, answers)| answers).collect::<Vec<_>>(), [vec!["first"], vec!["second", "second"]]);
}
