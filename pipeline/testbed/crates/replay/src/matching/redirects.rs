//! Where recorded redirects lead.

use http::{HeaderMap, header};
use url::Url;

use crate::hosts;
use crate::ports::port_of;
use crate::recording::Response;

/// Chromium gives up here, too.
pub const MOST_REDIRECTS: usize = 20;

/// The address that an answer to a request for `url` sends the client to; `None` where it is no redirect.
pub fn target(status: u16, headers: &HeaderMap, url: &Url) -> Option<Url> {
    if !matches!(status, 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    url.join(headers.get(header::LOCATION)?.to_str().ok()?).ok()
}

/// Whether both are answered from the same recorded place, with the same query.
pub fn is_same(one: &Url, other: &Url) -> bool {
    let parts = |url: &Url| (hosts::name(url).to_owned(), port_of(url), url.path().to_owned());
    parts(one) == parts(other) && one.query() == other.query()
}

/// Whether a recorded response only leads from http to https.
pub fn is_upgrade(response: &Response) -> bool {
    response.url.scheme() == "http"
        && target(response.status, &response.headers, &response.url)
            .is_some_and(|target| target.scheme() == "https" && is_same(&target, &response.url))
}
