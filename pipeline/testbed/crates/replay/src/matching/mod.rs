//! Finds the recorded response to a request. Pure: requests and responses are plain values.

mod answer;
mod callback;
mod headers;
mod index;
mod query;

use std::collections::BTreeSet;
use std::time::SystemTime;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};
use url::Url;

use crate::recording::{Recording, Response};
use crate::volatile::Volatile;
pub use answer::{Answer, Kind};
use callback::Callback;
use headers::forbids_body;
use index::Index;

struct Prepared {
    matched: String,
    status: u16,
    headers: HeaderMap,
    body: Bytes,
    callback: Option<Callback>,
}

impl Prepared {
    /// Whether both are the same answer, but for the name of a callback.
    fn is_like(&self, other: &Self) -> bool {
        let bodies = match (&self.callback, &other.callback) {
            (Some(own), Some(other)) => own.is_like(other),
            (None, None) => self.body == other.body,
            _ => false,
        };
        bodies && self.status == other.status
    }

    /// Whether it can be given to a request that names another callback than the recorded one.
    fn suits(&self, url: &Url) -> bool {
        self.callback.as_ref().is_none_or(|callback| callback.asked(url).is_some())
    }
}

/// All answers of one recording, ready to go out.
pub struct Replay {
    volatile: Volatile,
    index: Index,
    prepared: Vec<Prepared>,
}

const MISS: &[u8] = b"not recorded\n";

impl Replay {
    /// All answers as if they were made at `now`.
    #[must_use]
    pub fn sent_at(recording: &Recording, volatile: Volatile, now: SystemTime) -> Self {
        let hosts: BTreeSet<String> =
            recording.responses.iter().filter_map(|r| Some(r.url.host_str()?.to_owned())).collect();
        let callback =
            |response: &Response| volatile.callbacks(&response.url).find_map(|name| Callback::of(response, name));
        let prepared = recording
            .responses
            .iter()
            .map(|response| Prepared {
                matched: response.url.to_string(),
                status: response.status,
                headers: headers::rewritten(response, &hosts, now),
                body: response.body.clone(),
                callback: callback(response),
            })
            .collect();
        Self { index: Index::new(&recording.responses), volatile, prepared }
    }

    /// `url` is absolute; scheme, port and fragment do not matter. `headers` are those of the request.
    #[must_use]
    pub fn answer(&self, method: &str, url: &Url, headers: &HeaderMap) -> Answer {
        let Some((position, kind)) = self.find(method, url) else {
            return if is_preflight(method, headers) { preflight(headers) } else { miss(method) };
        };
        if kind != Kind::Exact && is_preflight(method, headers) {
            return preflight(headers);
        }
        let found = &self.prepared[position];
        if found.status == 200 && matches!(method, "GET" | "HEAD") && headers::is_known(headers, &found.headers) {
            return not_modified(found, kind);
        }
        let mut answer = whole(found, kind, url);
        if method == "HEAD" || forbids_body(found.status) {
            answer.body = Bytes::new();
            answer.counted_bytes = 0;
        }
        answer
    }

    /// An exact match, else an equivalent one, else the closest.
    fn find(&self, method: &str, url: &Url) -> Option<(usize, Kind)> {
        // HEAD asks for the header of what GET would bring.
        let method = if method == "HEAD" { "GET" } else { method };
        let graded = |kind| move |position| (position, kind);
        let exact = self.index.exact(method, url).map(graded(Kind::Exact));
        exact
            .or_else(|| self.equivalent(method, url).map(graded(Kind::Equivalent)))
            .or_else(|| self.index.closest(method, url).map(graded(Kind::Inexact)))
    }

    /// The first of the responses that are left when volatile parameters are ignored, where all of these are one answer.
    fn equivalent(&self, method: &str, url: &Url) -> Option<usize> {
        let mut left = self.index.without(self.volatile.ignored(url)?, method, url);
        let first = left.next()?;
        let found = &self.prepared[first];
        (found.suits(url) && left.all(|other| self.prepared[other].is_like(found))).then_some(first)
    }
}

/// The recorded answer, with the callback that is asked for.
fn whole(found: &Prepared, kind: Kind, url: &Url) -> Answer {
    let matched = Some(found.matched.clone());
    let mut answer = Answer::plain(kind, matched, found.status, found.headers.clone(), found.body.clone());
    let renamed = found.callback.as_ref().and_then(|callback| callback.renamed(&callback.asked(url)?));
    if let Some(body) = renamed {
        answer.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
        answer.body = body;
        answer.callback_renamed = true;
    }
    answer
}

/// What the browser's cache holds is what would be sent: only the header that may change is (RFC 9110, section 15.4.5).
fn not_modified(found: &Prepared, kind: Kind) -> Answer {
    let mut headers = found.headers.clone();
    for name in [header::CONTENT_LENGTH, header::CONTENT_TYPE, header::CONTENT_ENCODING] {
        headers.remove(name);
    }
    Answer::plain(kind, Some(found.matched.clone()), 304, headers, Bytes::new())
}

fn is_preflight(method: &str, headers: &HeaderMap) -> bool {
    method == "OPTIONS" && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

fn preflight(request: &HeaderMap) -> Answer {
    let mut headers = HeaderMap::new();
    let asked = |name| request.get(name).cloned();
    let any = || HeaderValue::from_static("*");
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, asked(header::ORIGIN).unwrap_or_else(any));
    headers
        .insert(header::ACCESS_CONTROL_ALLOW_METHODS, asked(header::ACCESS_CONTROL_REQUEST_METHOD).unwrap_or_else(any));
    headers.insert(
        header::ACCESS_CONTROL_ALLOW_HEADERS,
        asked(header::ACCESS_CONTROL_REQUEST_HEADERS).unwrap_or_else(any),
    );
    headers.insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
    Answer::plain(Kind::Preflight, None, 204, headers, Bytes::new())
}

fn miss(method: &str) -> Answer {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(MISS.len()));
    let body = if method == "HEAD" { Bytes::new() } else { Bytes::from_static(MISS) };
    Answer::plain(Kind::Miss, None, 404, headers, body)
}

#[cfg(test)]
mod tests;
