//! Rewrites recorded response headers for replay. The result is the same for all stacks.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderName, HeaderValue, header};
use url::Url;

use super::cookies;
use crate::page_type::is_page;
use crate::recording::Response;

/// Left out: what would bind the browser to the live site's security set-up or to another protocol, and reports to third parties.
const DROPPED: &[&str] = &[
    "strict-transport-security",
    "public-key-pins",
    "public-key-pins-report-only",
    "expect-ct",
    "content-security-policy",
    "content-security-policy-report-only",
    "alt-svc",
    "alternate-protocol",
    "nel",
    "report-to",
    "reporting-endpoints",
];

/// Of the connection, not of the response (RFC 9110, section 7.6.1; RFC 9113, section 8.2.2). Any `proxy-*` goes too.
const HOP_BY_HOP: &[&str] =
    &["connection", "keep-alive", "transfer-encoding", "upgrade", "te", "trailer", "http2-settings"];

/// What expired when it was recorded has expired now; by how much does not matter.
const WHOLE_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Nothing is kept for longer, and dates stay within four digits of the year. Servers write the year 9999.
const LONGEST: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);

/// RFC 9110, sections 6.4.1 and 15: no content after these.
pub fn forbids_body(status: u16) -> bool {
    status < 200 || matches!(status, 204 | 205 | 304)
}

/// The header with which a recorded response goes out. `hosts` are all recorded ones, `now` is the moment of sending.
pub fn rewritten(response: &Response, hosts: &BTreeSet<String>, now: SystemTime) -> HeaderMap {
    let named_by_connection = named_by_connection(&response.headers);
    let mut headers = HeaderMap::new();
    for (name, value) in &response.headers {
        let word = name.as_str();
        if DROPPED.contains(&word)
            || HOP_BY_HOP.contains(&word)
            || word.starts_with("proxy-")
            || named_by_connection.contains(word)
        {
            continue;
        }
        headers.append(name, value.clone());
    }
    // A page that became https must still be let in where its http address was.
    for name in [header::LOCATION, header::ACCESS_CONTROL_ALLOW_ORIGIN] {
        if let Some(value) = headers.get(&name).and_then(|value| encrypted(value, hosts)) {
            headers.insert(name, value);
        }
    }
    // A response without Content-Type may be a page, for browsers guess its type. Other types ignore this header.
    if is_page(&headers) || !headers.contains_key(header::CONTENT_TYPE) {
        // Plain-http resources of old pages travel encrypted like all others.
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("upgrade-insecure-requests"));
    }
    made_now(&mut headers, now);
    headers.remove(header::CONTENT_LENGTH);
    if !forbids_body(response.status) {
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(response.body.len()));
    }
    headers
}

fn named_by_connection(headers: &HeaderMap) -> BTreeSet<String> {
    headers
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|word| word.trim().to_ascii_lowercase())
        .collect()
}

/// Moves `Date` to now, and `Expires` and the expiry of cookies along with it: a browser keeps a response and a cookie for as long as
/// it did when they were recorded, and does not take them for years old. `Last-Modified` stays, for it names the version in conditional
/// requests.
fn made_now(headers: &mut HeaderMap, now: SystemTime) {
    let Some(date) = time_in(headers, &header::DATE) else { return };
    let moved = |expires: SystemTime| {
        let ahead = expires.duration_since(date).ok().filter(|ahead| !ahead.is_zero())?;
        Some(now + ahead.min(LONGEST))
    };
    for (_, cookie) in headers.iter_mut().filter(|(name, _)| **name == header::SET_COOKIE) {
        if let Some(renewed) = cookies::with_expiry(cookie, moved) {
            *cookie = renewed;
        }
    }
    let expires = time_in(headers, &header::EXPIRES);
    let mut set = |name, time| {
        if let Ok(value) = HeaderValue::from_str(&httpdate::fmt_http_date(time)) {
            headers.insert(name, value);
        }
    };
    set(header::DATE, now);
    match expires.map(|expires| (expires.duration_since(date), date.duration_since(expires))) {
        Some((Ok(ahead), _)) => set(header::EXPIRES, now + ahead.min(LONGEST)),
        Some((_, Ok(elapsed))) => set(header::EXPIRES, now - elapsed.min(WHOLE_DAY)),
        _ => {}
    }
}

fn time_in(headers: &HeaderMap, name: &HeaderName) -> Option<SystemTime> {
    httpdate::parse_http_date(headers.get(name)?.to_str().ok()?).ok()
}

/// Whether a conditional request names the version that would be sent (RFC 9110, section 13.2.2).
pub fn is_known(request: &HeaderMap, response: &HeaderMap) -> bool {
    let text = |headers: &HeaderMap, name| Some(headers.get(name)?.to_str().ok()?.trim().to_owned());
    if let Some(tags) = text(request, header::IF_NONE_MATCH) {
        let Some(tag) = text(response, header::ETAG) else { return false };
        let strong = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
        return tags == "*" || tags.split(',').any(|candidate| strong(candidate) == strong(&tag));
    }
    match (time_in(request, &header::IF_MODIFIED_SINCE), time_in(response, &header::LAST_MODIFIED)) {
        (Some(since), Some(modified)) => modified <= since,
        _ => false,
    }
}

/// The https form of an http address of a recorded host; `None` where nothing is to change.
fn encrypted(value: &HeaderValue, hosts: &BTreeSet<String>) -> Option<HeaderValue> {
    let text = value.to_str().ok()?;
    let mut url = Url::parse(text).ok()?;
    if url.scheme() != "http" || !hosts.contains(url.host_str()?) {
        return None;
    }
    url.set_scheme("https").ok()?;
    let mut rewritten = url.to_string();
    // An origin has no path, not even "/".
    if url.path() == "/" && url.query().is_none() && url.fragment().is_none() && !text.ends_with('/') {
        rewritten.pop();
    }
    HeaderValue::from_str(&rewritten).ok()
}
