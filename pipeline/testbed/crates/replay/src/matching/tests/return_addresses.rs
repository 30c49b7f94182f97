//! Redirects back to an address that their URL names.

use url::form_urlencoded;

use super::*;

/// A URL of `b.test/ping` that names where to go back.
fn ping(back: &str) -> String {
    let back: String = form_urlencoded::byte_serialize(back.as_bytes()).collect();
    format!("https://b.test/ping?id=7&back={back}&v=2")
}

fn ponged(back: &str, location: &str) -> Response {
    response("GET", &ping(back), 302, &[("location", location)], "moved")
}

fn location(replay: &Replay, url: &str) -> (Kind, String) {
    let answer = ask(replay, "GET", url);
    (answer.kind, answer.headers["location"].to_str().expect("text").to_owned())
}

#[test]
fn a_redirect_leads_back_to_the_address_that_is_asked_for() {
    let recorded = "https://c.test/frame?v=4#cb=f1&origin=x";
    let replay = replay(vec![
        get("https://c.test/frame?v=4", 200, "frame"),
        ponged(recorded, &format!("{recorded}&error=unknown_user")),
    ]);
    let asked = |back: &str| location(&replay, &ping(back));
    let led = |kind, to: &str| (kind, to.to_owned());
    assert_eq!(
        asked("https://c.test/frame?v=4#cb=f2&origin=x"),
        led(Kind::Inexact, "https://c.test/frame?v=4#cb=f2&origin=x&error=unknown_user")
    );
    assert_eq!(
        asked("https://c.test/frame?v=5#cb=f3"),
        led(Kind::Inexact, "https://c.test/frame?v=5#cb=f3&error=unknown_user")
    );
    assert_eq!(asked(recorded), led(Kind::Exact, &format!("{recorded}&error=unknown_user")));
}

#[test]
fn an_address_of_another_page_is_not_led_to() {
    let recorded = "https://c.test/frame#cb=f1";
    let replay = replay(vec![ponged(recorded, recorded)]);
    for other in ["https://c.test/other#cb=f2", "https://d.test/frame#cb=f2", "https://c.test:8443/frame", "frame", ""]
    {
        assert_eq!(location(&replay, &ping(other)), (Kind::Inexact, recorded.to_owned()), "{other}");
    }
    let without = "https://b.test/ping?id=7&v=2";
    assert_eq!(location(&replay, without), (Kind::Inexact, recorded.to_owned()));
}

#[test]
fn a_redirect_that_leads_elsewhere_stays_as_recorded() {
    let replay = replay(vec![ponged("https://c.test/frame#cb=f1", "https://c.test/login")]);
    assert_eq!(location(&replay, &ping("https://c.test/frame#cb=f2")).1, "https://c.test/login");
}

#[test]
fn redirects_that_differ_in_their_return_address_only_are_one_answer() {
    let (first, second) = ("https://c.test/frame#cb=f1", "https://c.test/frame#cb=f2");
    let volatile = || Volatile::new([["b.test", "/ping", "back"].map(str::to_owned)]);
    let graded = |added: &str| {
        let recorded = vec![ponged(first, &format!("{first}&ok=1")), ponged(second, &format!("{second}&ok={added}"))];
        location(&replay_with(volatile(), recorded), &ping("https://c.test/frame#cb=f3"))
    };
    assert_eq!(graded("1"), (Kind::Equivalent, "https://c.test/frame#cb=f3&ok=1".to_owned()));
    assert_eq!(graded("2").0, Kind::Inexact);
}

#[test]
fn a_return_address_of_a_page_that_became_https_stays_encrypted() {
    let recorded = "http://c.test/frame#cb=f1";
    let replay = replay(vec![get("http://c.test/frame", 200, "frame"), ponged(recorded, recorded)]);
    assert_eq!(location(&replay, &ping("http://c.test/frame#cb=f2")).1, "https://c.test/frame#cb=f2");
}

#[test]
fn of_several_addresses_the_longest_that_the_redirect_begins_with_is_replaced() {
    let url = |origin: &str, back: &str| format!("{}&origin={origin}", ping(back));
    let recorded = "https://c.test/frame#cb=f1";
    let replay =
        replay(vec![response("GET", &url("https://c.test/", recorded), 302, &[("location", recorded)], "moved")]);
    let asked = url("https://c.test/", "https://c.test/frame#cb=f2");
    assert_eq!(location(&replay, &asked).1, "https://c.test/frame#cb=f2");
}
