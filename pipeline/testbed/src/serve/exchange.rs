//! One request and its response, the same for both transports.

use std::time::Instant;

use bytes::Bytes;
use eyelevel_replay::matching::Asked;
use eyelevel_replay::request_body::{self, Arriving};
use http::{HeaderMap, Method, Uri, header};
use url::Url;

use super::shared::Shared;
use eyelevel_scheduling::{CHUNK_BYTES, Priority};

/// A request whose header has arrived, and whose body arrives.
pub struct Incoming {
    pub method: Method,
    pub uri: Uri,
    pub headers: HeaderMap,
    arrived: Instant,
    body: Arriving,
}

impl Incoming {
    pub fn new(method: Method, uri: Uri, headers: HeaderMap) -> Self {
        Self { method, uri, headers, arrived: Instant::now(), body: Arriving::default() }
    }

    pub fn take(&mut self, part: &[u8]) {
        if request_body::has_body(self.method.as_str()) {
            self.body.take(part);
        }
    }

    /// Whether nothing that is still to come can change the answer.
    pub fn is_ready(&self) -> bool {
        !request_body::has_body(self.method.as_str()) || self.body.is_full()
    }
}

/// A response on its way out.
pub struct Outgoing {
    /// Its number in the log.
    pub request: usize,
    pub priority: Priority,
    /// `None` once it has been handed over.
    pub head: Option<http::Response<()>>,
    /// The rest of the body.
    pub body: Bytes,
}

impl Outgoing {
    /// Finds the answer to a request and enters it in the log.
    pub fn begin(shared: &Shared, connection: usize, request: Incoming) -> Self {
        let Incoming { method, uri, headers, arrived, body } = request;
        let asked = uri.to_string();
        // An address that is none cannot have been recorded; any other that cannot have been does as well.
        let url = Url::parse(&asked).unwrap_or_else(|_| Url::parse("https://invalid.invalid/").expect("a fixed URL"));
        let body = body.digest();
        let answer = shared.answer(&Asked { method: method.as_str(), url: &url, headers: &headers, body });
        let field = headers.get("priority");
        let priority = field.map(|value| Priority::parse(value.as_bytes())).unwrap_or_default();
        let said = field.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let request = shared.log.begun(connection, method.as_str(), asked, said, &answer, arrived);
        let mut head = http::Response::new(());
        *head.status_mut() = http::StatusCode::from_u16(answer.status).unwrap_or(http::StatusCode::BAD_GATEWAY);
        *head.headers_mut() = answer.headers;
        Self { request, priority, head: Some(head), body: answer.body }
    }

    /// Announces QUIC at the same address (RFC 7838).
    pub fn announce_quic(&mut self, shared: &Shared, connection: usize) {
        if let Some(head) = &mut self.head {
            let service = format!("h3=\":{}\"; ma=86400", shared.log.port(connection));
            head.headers_mut().insert(header::ALT_SVC, service.parse().expect("digits and plain letters"));
            shared.log.announced_quic(connection);
        }
    }

    /// Bytes of the body in the next chunk.
    pub fn next_chunk_bytes(&self) -> usize {
        self.body.len().min(CHUNK_BYTES)
    }
}
