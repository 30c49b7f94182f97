//! The request of a client.

use http::{HeaderMap, header};
use url::Url;

use crate::request_body::BodyDigest;

/// A request.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    pub method: &'a str,
    /// Absolute; http and https are one, and the fragment does not matter.
    pub url: &'a Url,
    pub headers: &'a HeaderMap,
    /// That of an empty body where the method has none (see [`crate::request_body::has_body`]).
    pub body: BodyDigest,
}

impl<'a> Asked<'a> {
    /// A request without a body.
    #[must_use]
    pub fn plain(method: &'a str, url: &'a Url, headers: &'a HeaderMap) -> Self {
        Self { method, url, headers, body: BodyDigest::empty() }
    }

    /// HEAD asks for the header of what GET would bring.
    pub(super) fn recorded_method(&self) -> &'a str {
        if self.method == "HEAD" { "GET" } else { self.method }
    }

    pub(super) fn is_preflight(&self) -> bool {
        self.method == "OPTIONS" && self.headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
    }
}
