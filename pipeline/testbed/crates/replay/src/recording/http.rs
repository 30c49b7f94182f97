//! The HTTP messages inside WARC records.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::request_body::{self, BodyDigest};

const MOST_HEADERS: usize = 512;

pub struct Message {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// What of a recorded request matters for matching.
#[derive(Debug, PartialEq, Eq)]
pub struct Request {
    pub method: String,
    /// `None` where it has one and the record does not hold all of it.
    pub body: Option<BodyDigest>,
    pub range: Option<HeaderValue>,
}

/// What is assumed where the recording has no request for a response.
impl Default for Request {
    fn default() -> Self {
        Self { method: "GET".to_owned(), body: Some(BodyDigest::empty()), range: None }
    }
}

/// Takes a raw HTTP/1 request apart; `None` where it has no method.
pub fn request(raw: &[u8]) -> Option<Request> {
    let method = http::Method::from_bytes(raw.split(|byte| *byte == b' ').next()?).ok()?.as_str().to_owned();
    let mut fields = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let line_bytes = raw.iter().position(|byte| *byte == b'\n').map_or(raw.len(), |end| end + 1);
    let (head_bytes, headers) = match httparse::parse_headers(&raw[line_bytes..], &mut fields) {
        Ok(httparse::Status::Complete((bytes, fields))) => (line_bytes + bytes, collected(fields)),
        // What cannot be read is a request all the same, whose body is not known.
        _ => return Some(Request { body: is_bodiless(&method).then(BodyDigest::empty), method, range: None }),
    };
    let stored = &raw[head_bytes..];
    let body = if is_bodiless(&method) { Some(BodyDigest::empty()) } else { held_body(&headers, stored) };
    Some(Request { method, body, range: headers.get(http::header::RANGE).cloned() })
}

fn is_bodiless(method: &str) -> bool {
    !request_body::has_body(method)
}

/// Of a request: recorders that keep no bodies still keep the header fields that tell of one.
fn held_body(headers: &HeaderMap, stored: &[u8]) -> Option<BodyDigest> {
    if is_chunked(headers) {
        return if stored.is_empty() { None } else { Some(BodyDigest::of(&dechunked(stored))) };
    }
    let length = headers.get(http::header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.trim().parse().ok());
    (length.is_none_or(|length: usize| length == stored.len())).then(|| BodyDigest::of(stored))
}

fn collected(fields: &[httparse::Header<'_>]) -> HeaderMap {
    let named = |field: &httparse::Header<'_>| {
        Some((HeaderName::from_bytes(field.name.as_bytes()).ok()?, HeaderValue::from_bytes(field.value).ok()?))
    };
    let mut headers = HeaderMap::new();
    for (name, value) in fields.iter().filter_map(named) {
        headers.append(name, value);
    }
    headers
}

fn is_chunked(headers: &HeaderMap) -> bool {
    let mut codings = headers.get_all(http::header::TRANSFER_ENCODING).iter();
    codings.any(|value| value.as_bytes().to_ascii_lowercase().ends_with(b"chunked"))
}

/// Many recorders undo the chunks and still keep the field, so the body itself must tell.
fn dechunked(stored: &[u8]) -> Vec<u8> {
    dechunk(stored).unwrap_or_else(|| stored.to_vec())
}

/// Takes a raw HTTP/1 response apart and undoes its transfer-encoding.
pub fn parse(raw: &[u8]) -> Result<Message, String> {
    let mut fields = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut response = httparse::Response::new(&mut fields);
    // Recorded servers are as sloppy as the live ones were, and browsers put up with it.
    let head = httparse::ParserConfig::default()
        .allow_spaces_after_header_name_in_responses(true)
        .allow_obsolete_multiline_headers_in_responses(true)
        .ignore_invalid_headers_in_responses(true)
        .parse_response(&mut response, raw)
        .map_err(|error| error.to_string())?;
    let httparse::Status::Complete(head_bytes) = head else {
        return Err("its head breaks off".to_owned());
    };
    let status = response.code.ok_or("it has no status")?;
    let headers = collected(response.headers);
    let stored = &raw[head_bytes..];
    let body = if is_chunked(&headers) { dechunked(stored) } else { stored.to_vec() };
    Ok(Message { status, headers, body: body.into() })
}

/// The body without its chunks; `None` where it is not made of chunks from its first to its last byte.
fn dechunk(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let Ok(httparse::Status::Complete((line_bytes, chunk_bytes))) = httparse::parse_chunk_size(rest) else {
            return None;
        };
        rest = &rest[line_bytes..];
        if chunk_bytes == 0 {
            // What may follow are trailers and one empty line.
            return (rest.is_empty() || rest.ends_with(b"\r\n")).then_some(body);
        }
        let chunk_bytes = usize::try_from(chunk_bytes).ok()?;
        if rest.len() < chunk_bytes.checked_add(2)? || &rest[chunk_bytes..chunk_bytes + 2] != b"\r\n" {
            return None;
        }
        body.extend_from_slice(&rest[..chunk_bytes]);
        rest = &rest[chunk_bytes + 2..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(raw: &[u8]) -> Bytes {
        parse(raw).expect("a message").body
    }

    #[test]
    fn undoes_chunks_where_the_stored_body_has_them() {
        let raw = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\n\r\n";
        assert_eq!(body(raw), "abcdefg");
    }

    #[test]
    fn keeps_a_body_that_only_claims_to_be_chunked() {
        assert_eq!(body(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n(function(){})"), "(function(){})");
        // looks like a chunk at first, but does not end as one
        assert_eq!(body(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nrest"), "3\r\nabc\r\nrest");
    }

    #[test]
    fn leaves_out_header_fields_that_no_message_may_carry() {
        let message = parse(b"HTTP/1.1 200 OK\r\nbad name: 1\r\nX-Good: 2\r\n\r\n").expect("a message");
        assert_eq!(message.headers.len(), 1);
        assert_eq!(message.headers["x-good"], "2");
    }

    #[test]
    fn refuses_what_is_not_http() {
        assert!(parse(b"hello").is_err());
        assert_eq!(parse(b"HTTP/1.1 200 OK\r\nA: b").err().as_deref(), Some("its head breaks off"));
    }

    #[test]
    fn reads_method_body_and_range_of_a_request() {
        let read = |raw: &str| request(raw.as_bytes());
        let post = |fields: &str, body: &str| read(&format!("POST /x HTTP/1.1\r\nHost: a\r\n{fields}\r\n{body}"));
        let found = post("Content-Length: 3\r\n", "a=1").expect("a request");
        assert_eq!((found.method.as_str(), found.body, found.range), ("POST", Some(BodyDigest::of(b"a=1")), None));
        let chunked = post("Transfer-Encoding: chunked\r\n", "3\r\na=1\r\n0\r\n\r\n").expect("a request");
        assert_eq!(chunked.body, Some(BodyDigest::of(b"a=1")));
        assert_eq!(post("", "").expect("a request").body, Some(BodyDigest::empty()));
        let get = read("GET /x HTTP/1.1\r\nRange: bytes=0-\r\n\r\n").expect("a request");
        assert_eq!((get.body, get.range), (Some(BodyDigest::empty()), Some(HeaderValue::from_static("bytes=0-"))));
        assert_eq!(read(""), None);
    }

    #[test]
    fn a_request_body_that_the_record_lacks_is_unknown() {
        let body = |raw: &str| request(raw.as_bytes()).expect("a request").body;
        assert_eq!(body("POST /x HTTP/1.1\r\nContent-Length: 3\r\n\r\n"), None);
        assert_eq!(body("POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"), None);
        assert_eq!(body("POST /x HTTP/2\r\nbroken"), None);
        assert_eq!(body("GET /x HTTP/2\r\nbroken"), Some(BodyDigest::empty()));
    }
}
