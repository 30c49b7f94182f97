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
    /// Recorded for the same URL but for volatile parameters, and all that was recorded so has one body.
    Equivalent,
    /// Recorded for the same host and path with another query or by another method.
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

impl Answer {
    /// An answer that is sent as it is counted.
    pub(super) fn plain(kind: Kind, matched: Option<String>, status: u16, headers: HeaderMap, body: Bytes) -> Self {
        let counted_bytes = body.len();
        Self { kind, matched, status, headers, body, counted_bytes, callback_renamed: false }
    }
}
