//! An answer, and how it matched the request.

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};
use serde::Serialize;

/// How an answer matched the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Recorded for this very request: method, URL, and body where it is known.
    Exact,
    /// Recorded for the same request but for volatile parameters, or for the same picture in another image format, and all that
    /// was recorded so has one body.
    Equivalent,
    /// Recorded for the same host and path with another query, method or body.
    Inexact,
    /// Permission to ask across origins, which recorders rarely keep.
    Preflight,
    /// Not recorded.
    Miss,
}

impl Kind {
    pub const ALL: [Self; 5] = [Self::Exact, Self::Equivalent, Self::Inexact, Self::Preflight, Self::Miss];
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub kind: Kind,
    /// The recorded URL that answers; `None` for preflights and misses.
    pub matched: Option<String>,
    pub status: u16,
    pub headers: HeaderMap,
    /// Empty where the method or the status allows none.
    pub body: Bytes,
    /// Bytes of the body as recorded: those of `body`, unless its callback was renamed.
    pub counted_bytes: usize,
    /// Whether the body calls the function that was asked for instead of the recorded one (JSONP).
    pub callback_renamed: bool,
}

pub(super) const MISS: &[u8] = b"not recorded\n";

impl Answer {
    /// An answer that is sent as it is counted.
    pub(super) fn plain(kind: Kind, matched: Option<String>, status: u16, headers: HeaderMap, body: Bytes) -> Self {
        let counted_bytes = body.len();
        Self { kind, matched, status, headers, body, counted_bytes, callback_renamed: false }
    }

    /// What a preflight is granted is put into its header later, as into that of a recorded answer.
    pub(super) fn preflight() -> Self {
        Self::plain(Kind::Preflight, None, 204, HeaderMap::new(), Bytes::new())
    }

    pub(super) fn miss(method: &str) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain"));
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(MISS.len()));
        let body = if method == "HEAD" { Bytes::new() } else { Bytes::from_static(MISS) };
        Self::plain(Kind::Miss, None, 404, headers, body)
    }
}
