//! Where recorded redirects lead.

use http::{HeaderMap, HeaderValue, header};
use url::Url;

use super::query::{self, PathAndQuery};
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
pub fn is_same(left: &Url, right: &Url) -> bool {
    let parts = |url: &Url| (hosts::name(url).to_owned(), port_of(url), url.path().to_owned());
    parts(left) == parts(right) && left.query() == right.query()
}

/// Whether a recorded response only leads from http to https, or from https to http.
pub fn changes_scheme_only(response: &Response) -> bool {
    target(response.status, &response.headers, &response.url)
        .is_some_and(|target| target.scheme() != response.url.scheme() && is_same(&target, &response.url))
}

/// A redirect back to an address that its URL names, and what the server added to it: `?back=https://a.test/x%23cb%3D1` to
/// `https://a.test/x#cb=1&state=ok`.
pub struct ReturnAddress {
    parameter: String,
    address: String,
    added: String,
}

impl ReturnAddress {
    /// Of a response to a request for `url`. `None` where its `Location` does not begin with an absolute address from a parameter.
    /// Of several such parameters, the one with the longest address.
    pub fn of(url: &Url, headers: &HeaderMap) -> Option<Self> {
        let (_, location) = headers.get(header::LOCATION)?.to_str().ok()?.split_once("//")?;
        query::values(PathAndQuery::of(url))
            .into_iter()
            .filter_map(|(parameter, address)| {
                let added = location.strip_prefix(without_scheme(&address)?)?.to_owned();
                Some(Self { parameter, address, added })
            })
            .max_by_key(|candidate| candidate.address.len())
    }

    /// The header that leads back to the address which a request for `url` names, with the scheme of the `recorded` header. `None` where
    /// that is the recorded address, or another page than the recorded one.
    pub fn asked(&self, url: &Url, recorded: &HeaderValue) -> Option<HeaderValue> {
        let address =
            query::value(PathAndQuery::of(url), &self.parameter).filter(|address| *address != self.address)?;
        let page = |text: &str| {
            let url = Url::parse(text).ok()?;
            Some((hosts::name(&url).to_owned(), port_of(&url), url.path().to_owned()))
        };
        let rest = without_scheme(&address)?;
        if page(&address)? != page(&self.address)? {
            return None;
        }
        let (scheme, _) = recorded.to_str().ok()?.split_once("//")?;
        HeaderValue::try_from(format!("{scheme}//{rest}{}", self.added)).ok()
    }
}

fn without_scheme(address: &str) -> Option<&str> {
    address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"))
}
