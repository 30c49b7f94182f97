//! An answer, and how it was found.

use bytes::Bytes;
use http::HeaderMap;
use serde::Serialize;

/// How an answer was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Recorded for this very URL.
    Exact,
    /// Recorded for the same host and path with another query or by another method.
    Inexact,
    /// Permission to ask across origins, which recorders rarely keep.
    Preflight,
    /// Not recorded.
    Miss,
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
}
