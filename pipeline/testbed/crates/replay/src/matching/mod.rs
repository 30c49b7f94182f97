//! Finds the recorded response to a request. Pure: requests and responses are plain values.

mod answer;
mod headers;
mod index;
mod query;

use std::collections::BTreeSet;
use std::time::SystemTime;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};
use url::Url;

use crate::recording::Recording;
pub use answer::{Answer, Kind};
use headers::forbids_body;
use index::Index;

struct Prepared {
    matched: String,
    status: u16,
    headers: HeaderMap,
    body: Bytes,
}

/// All answers of one recording, ready to go out.
pub struct Replay {
    index: Index,
    prepared: Vec<Prepared>,
}

const MISS: &[u8] = b"not recorded\n";

impl Replay {
    /// All answers as if they were made at `now`.
    #[must_use]
    pub fn sent_at(recording: &Recording, now: SystemTime) -> Self {
        let hosts: BTreeSet<String> =
            recording.responses.iter().filter_map(|r| Some(r.url.host_str()?.to_owned())).collect();
        let prepared = recording
            .responses
            .iter()
            .map(|response| Prepared {
                matched: response.url.to_string(),
                status: response.status,
                headers: headers::rewritten(response, &hosts, now),
                body: response.body.clone(),
            })
            .collect();
        Self { index: Index::new(&recording.responses), prepared }
    }

    /// `url` is absolute; scheme, port and fragment do not matter. `headers` are those of the request.
    #[must_use]
    pub fn answer(&self, method: &str, url: &Url, headers: &HeaderMap) -> Answer {
        let Some((position, kind)) = self.index.find(method, url) else {
            return if is_preflight(method, headers) { preflight(headers) } else { miss(method) };
        };
        if kind != Kind::Exact && is_preflight(method, headers) {
            return preflight(headers);
        }
        let found = &self.prepared[position];
        if found.status == 200 && matches!(method, "GET" | "HEAD") && headers::is_known(headers, &found.headers) {
            return not_modified(found, kind);
        }
        let silent = method == "HEAD" || forbids_body(found.status);
        Answer {
            kind,
            matched: Some(found.matched.clone()),
            status: found.status,
            headers: found.headers.clone(),
            body: if silent { Bytes::new() } else { found.body.clone() },
        }
    }
}

/// What the browser's cache holds is what would be sent: only the header that may change is (RFC 9110, section 15.4.5).
fn not_modified(found: &Prepared, kind: Kind) -> Answer {
    let mut headers = found.headers.clone();
    for name in [header::CONTENT_LENGTH, header::CONTENT_TYPE, header::CONTENT_ENCODING] {
        headers.remove(name);
    }
    Answer { kind, matched: Some(found.matched.clone()), status: 304, headers, body: Bytes::new() }
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
    Answer { kind: Kind::Preflight, matched: None, status: 204, headers, body: Bytes::new() }
}

fn miss(method: &str) -> Answer {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(MISS.len()));
    let body = if method == "HEAD" { Bytes::new() } else { Bytes::from_static(MISS) };
    Answer { kind: Kind::Miss, matched: None, status: 404, headers, body }
}

#[cfg(test)]
mod tests;
