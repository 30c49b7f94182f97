use std::collections::HashSet;

use bytes::Bytes;
use http::header;

use super::addresses::{BY_HOST_NETWORK, own_address};
use super::*;
use crate::request_body::BodyDigest;
use crate::volatile::Volatile;

fn response(url: &str, status: u16, kind: &str, address: Option<&str>) -> Response {
    let mut headers = HeaderMap::new();
    headers.insert(
        if status / 100 == 3 { header::LOCATION } else { header::CONTENT_TYPE },
        kind.parse().expect("a value"),
    );
    Response {
        url: url.parse().expect("a URL"),
        method: "GET".to_owned(),
        status,
        headers,
        body: Bytes::from_static(b"x"),
        address: address.map(|address| address.parse().expect("an address")),
        asked_body: Some(BodyDigest::empty()),
        asked_range: None,
    }
}

fn page(url: &str, address: Option<&str>) -> Response {
    response(url, 200, "text/html; charset=utf-8", address)
}

fn planned(responses: Vec<Response>, start_url: Option<&str>) -> Result<Placement, PlacementError> {
    grouped(responses, GroupBy::Address, start_url)
}

fn grouped(responses: Vec<Response>, group_by: GroupBy, start_url: Option<&str>) -> Result<Placement, PlacementError> {
    let recording = Recording { responses, ..Recording::default() };
    place(
        &recording,
        &Replay::sent_at(&recording, Volatile::default(), std::time::SystemTime::UNIX_EPOCH),
        group_by,
        start_url,
    )
}

fn start(responses: Vec<Response>) -> Result<String, PlacementError> {
    planned(responses, None).map(|plan| plan.start_url)
}

#[test]
fn a_host_lives_at_its_first_recorded_address() {
    let plan = planned(
        vec![
            page("https://a.test/", None),
            page("https://a.test/2", Some("93.184.216.34")),
            page("https://a.test/3", Some("93.184.216.35")),
        ],
        None,
    )
    .expect("a plan");
    assert_eq!(plan.hosts["a.test"], Ipv4Addr::new(93, 184, 216, 34));
    assert_eq!(plan.grouping, Grouping::Recorded);
}

#[test]
fn hosts_without_a_recorded_address_get_one_each_that_is_always_the_same() {
    let hosts = |first: &str, second: &str| planned(vec![page(first, None), page(second, None)], None).expect("a plan");
    let plan = hosts("https://a.test/", "https://b.test/");
    assert_eq!(plan.grouping, Grouping::ByHost);
    assert_eq!(plan.addresses().len(), 2);
    assert!(plan.addresses().iter().all(|address| address.octets()[0] == BY_HOST_NETWORK));
    assert_eq!(plan.hosts["a.test"], hosts("https://c.test/", "http://a.test/").hosts["a.test"]);
    assert_eq!(plan.hosts_at(plan.hosts["b.test"]).collect::<Vec<_>>(), ["b.test"]);
}

#[test]
fn addresses_of_the_recorders_own_network_count_as_not_recorded() {
    #[derive(serde::Deserialize)]
    struct Case {
        address: String,
        is_kept: bool,
    }
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../../../../cases/recorded-addresses.json")).expect("a list of cases");
    assert!(!cases.is_empty());
    for Case { address, is_kept } in cases {
        let plan = planned(vec![page("https://a.test/", Some(address.as_str()))], None).expect("a plan");
        assert_eq!(plan.grouping, if is_kept { Grouping::Recorded } else { Grouping::ByHost }, "{address}");
    }
}

#[test]
fn a_bare_address_lives_where_it_says_and_the_mixture_is_named() {
    let plan = planned(vec![page("http://93.184.216.34/", None), page("https://a.test/", None)], None).expect("a plan");
    assert_eq!(plan.hosts["93.184.216.34"], Ipv4Addr::new(93, 184, 216, 34));
    assert_eq!(plan.grouping, Grouping::Mixed);
}

#[test]
fn hosts_whose_addresses_collide_still_get_one_each() {
    let mut taken = HashSet::new();
    let first = own_address("a.test", &mut taken);
    assert_ne!(first, own_address("a.test", &mut taken));
    assert_eq!(taken.len(), 2);
}

#[test]
fn the_page_starts_at_the_first_html_page_over_https() {
    let pages = vec![
        response("http://93.184.216.34/", 400, "text/html", None),
        response("https://a.test/style", 200, "text/css", None),
        response("https://a.test/beacon", 204, "text/html", None),
        page("http://a.test:80/", None),
        page("https://b.test/", None),
    ];
    assert_eq!(start(pages).as_deref(), Ok("https://a.test/"));
}

#[test]
fn the_page_starts_where_recorded_redirects_begin() {
    let pages = vec![
        response("https://lost.test/", 302, "https://nowhere.test/", None),
        response("http://a.test/", 301, "https://www.a.test/", None),
        page("https://www.a.test/", None),
    ];
    assert_eq!(start(pages).as_deref(), Ok("https://a.test/"));
}

#[test]
fn a_circle_of_redirects_is_no_page() {
    let pages = vec![response("https://a.test/", 302, "/b", None), response("https://a.test/b", 302, "/", None)];
    assert_eq!(start(pages), Err(PlacementError::NoPage));
}

#[test]
fn a_wanted_start_must_be_of_a_recorded_host() {
    let wanted =
        |url| planned(vec![response("https://a.test/x", 200, "text/css", None)], Some(url)).map(|plan| plan.start_url);
    assert_eq!(wanted("http://a.test/y#top").as_deref(), Ok("https://a.test/y"));
    let error = wanted("https://b.test/").expect_err("a refusal").to_string();
    assert_eq!(
        error,
        "the start URL \"https://b.test/\" is not of a recorded host and port that can be served, which are a.test"
    );
    for url in ["a.test", "ftp://a.test/"] {
        assert_eq!(wanted(url), Err(PlacementError::BadUrl { url: url.to_owned() }));
    }
}

#[test]
fn every_recorded_port_of_a_host_is_listened_on() {
    let plan = planned(
        vec![
            page("http://93.184.216.34:9106/", None),
            page("https://a.test/", None),
            page("http://a.test/", None),
            page("https://a.test:8443/", None),
        ],
        None,
    )
    .expect("a plan");
    assert_eq!(plan.start_url, "https://93.184.216.34:9106/");
    assert_eq!(plan.other_ports_at(plan.hosts["93.184.216.34"]), BTreeSet::from([9106]));
    assert_eq!(plan.other_ports_at(plan.hosts["a.test"]), BTreeSet::from([8443]));
    assert_eq!(plan.origins(), ["93.184.216.34:443", "93.184.216.34:9106", "a.test:443", "a.test:8443"]);
    assert_eq!(plan.unserved, BTreeSet::new());
}

#[test]
fn a_start_at_a_port_that_was_not_recorded_is_refused_with_those_that_were() {
    let wanted = |url| planned(vec![page("http://a.test:81/", None)], Some(url)).map(|plan| plan.start_url);
    assert_eq!(wanted("http://a.test:81/x").as_deref(), Ok("https://a.test:81/x"));
    let error = wanted("https://a.test/").expect_err("a refusal").to_string();
    assert!(error.ends_with("which are a.test:81"), "{error}");
}

#[test]
fn a_host_that_is_an_ipv6_address_has_an_ipv4_address_of_its_own() {
    let plan = planned(vec![page("http://[fd00::2]:9105/", Some("fd00::2"))], None).expect("a plan");
    assert_eq!(plan.hosts["[fd00::2]"].octets()[0], BY_HOST_NETWORK);
    assert_eq!((plan.start_url.as_str(), plan.grouping), ("https://[fd00::2]:9105/", Grouping::ByHost));
    assert_eq!(plan.origins(), ["[fd00::2]:443", "[fd00::2]:9105"]);
}

#[test]
fn hosts_that_shared_an_address_of_ipv6_share_one_of_ipv4() {
    let shared = Some("2001:db8::5");
    let pages = || {
        vec![
            page("https://a.test/", shared),
            page("https://b.test/", shared),
            page("https://c.test/", Some("2001:db8::6")),
            page("https://d.test/", Some("::ffff:192.0.2.7")),
        ]
    };
    let plan = planned(pages(), None).expect("a plan");
    assert_eq!(plan.hosts["a.test"], plan.hosts["b.test"]);
    assert_ne!(plan.hosts["a.test"], plan.hosts["c.test"]);
    assert_eq!(plan.hosts["a.test"].octets()[0], BY_HOST_NETWORK);
    assert_eq!((plan.hosts["d.test"], plan.grouping), (Ipv4Addr::new(192, 0, 2, 7), Grouping::Recorded));
    assert_eq!(grouped(pages(), GroupBy::Host, None).expect("a plan").addresses().len(), 4);
}

#[test]
fn a_dot_at_the_end_of_a_name_makes_no_other_host() {
    let pages = vec![page("https://a.test/", None), page("https://a.test./x", None), page("https://b.test/", None)];
    let plan = planned(pages, None).expect("a plan");
    assert_eq!(plan.hosts["a.test"], plan.hosts["a.test."]);
    assert_eq!(plan.addresses().len(), 2);
}

#[test]
fn hosts_of_the_own_machine_are_named_and_not_served() {
    #[derive(serde::Deserialize)]
    struct Case {
        url: String,
        is_served: bool,
    }
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../../../../cases/unservable.json")).expect("a list of cases");
    assert!(!cases.is_empty());
    for Case { url, is_served } in cases {
        let plan = planned(vec![page(&url, None), page("https://a.test/", None)], None).expect("a plan");
        assert_eq!((plan.hosts.len(), plan.unserved.len()), if is_served { (2, 0) } else { (1, 1) }, "{url}");
        if !is_served {
            assert_eq!((plan.start_url.as_str(), plan.origins()), ("https://a.test/", vec!["a.test:443".to_owned()]));
        }
    }
    let refusal = planned(vec![page("http://127.0.0.2:9104/", None)], None).expect_err("a refusal").to_string();
    assert!(refusal.contains("127.0.0.2:9104 (of the browser's own machine)"), "{refusal}");
}

#[test]
fn a_rule_may_give_every_host_an_address_or_all_of_them_one() {
    let responses = || {
        let shared = Some("93.184.216.34");
        vec![page("https://a.test/", shared), page("https://b.test/", shared), page("https://93.184.216.35/", shared)]
    };
    let planned = |group_by| grouped(responses(), group_by, None).expect("a plan");
    let (address, host, one) = (planned(GroupBy::Address), planned(GroupBy::Host), planned(GroupBy::One));
    assert_eq!([&address, &host, &one].map(|plan| plan.addresses().len()), [2, 3, 2]);
    assert_eq!([address.grouping, host.grouping, one.grouping], [Grouping::Recorded, Grouping::ByHost, Grouping::One]);
    assert_eq!(one.hosts["a.test"], one.hosts["b.test"]);
    assert_ne!(host.hosts["a.test"], host.hosts["b.test"]);
    // A URL that names an address leads there, whatever the rule.
    assert!([&address, &host, &one].iter().all(|plan| plan.hosts["93.184.216.35"] == Ipv4Addr::new(93, 184, 216, 35)));
}

#[test]
fn an_unknown_rule_is_named_with_those_that_there_are() {
    let error = "site".parse::<GroupBy>().expect_err("no such rule");
    assert_eq!(error.to_string(), "unknown grouping \"site\"; use one of address, host, one");
}
