//! A recorded website in memory.

use std::net::IpAddr;

/// Header fields in recorded order and case.
pub type Headers = Vec<(String, Vec<u8>)>;

/// One recorded response, its body as it was sent (content-encoding kept, transfer-encoding undone).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    pub url: url::Url,
    /// Method of the recorded request; `GET` where the recording has no request for this response.
    pub method: String,
    pub status: u16,
    pub headers: Headers,
    pub body: Vec<u8>,
    pub address: Option<IpAddr>,
}

/// What one WARC file holds, in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// SHA-256 of the file, hex.
    pub digest: String,
    pub responses: Vec<Response>,
}
