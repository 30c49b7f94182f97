//! The HTTP messages inside WARC records.

use std::borrow::Cow;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::coding::Coding;
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

/// Takes a raw response apart, undoes its transfer-encoding, and removes the name of a content coding that was undone already.
pub fn parse(raw: &[u8]) -> Result<Message, String> {
    if raw.trim_ascii().is_empty() {
        return Err("it is empty".to_owned());
    }
    let raw = of_version_1(raw);
    let mut fields = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut response = httparse::Response::new(&mut fields);
    // Recorded servers are as sloppy as the live ones were, and browsers put up with it.
    let head = httparse::ParserConfig::default()
        .allow_spaces_after_header_name_in_responses(true)
        .allow_obsolete_multiline_headers_in_responses(true)
        .ignore_invalid_headers_in_responses(true)
        .parse_response(&mut response, &raw)
        .map_err(|error| error.to_string())?;
    let httparse::Status::Complete(head_bytes) = head else {
        return Err("its head breaks off".to_owned());
    };
    let status = response.code.filter(|status| *status >= 200).ok_or("its status is not that of an answer")?;
    let mut headers = collected(response.headers);
    let stored = &raw[head_bytes..];
    let body = if is_chunked(&headers) { dechunked(stored) } else { stored.to_vec() };
    if Coding::of(&headers).is_some_and(|coding| coding.is_foreign_to(&body)) {
        headers.remove(http::header::CONTENT_ENCODING);
    }
    Ok(Message { status, headers, body: body.into() })
}

/// The message as one of HTTP/1.1. Recorders of HTTP/2 and HTTP/3 write status lines such as `HTTP/2 200`, and there is nothing else
/// in a head that depends on the version.
fn of_version_1(raw: &[u8]) -> Cow<'_, [u8]> {
    const NAME: &[u8] = b"HTTP/";
    let Some((name, rest)) = raw.split_at_checked(NAME.len()).filter(|(name, _)| name.eq_ignore_ascii_case(NAME))
    else {
        return Cow::Borrowed(raw);
    };
    let version_bytes = rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    match (name, &rest[..version_bytes]) {
        (b"HTTP/", b"1.0" | b"1.1") => Cow::Borrowed(raw),
        _ => Cow::Owned([&b"HTTP/1.1"[..], &rest[version_bytes..]].concat()),
    }
}

/// The body without its chunks, as far as they go; `None` where it is not made of chunks.
fn dechunk(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    let mut is_first = true;
    loop {
        match rest.first() {
            Some(digit) if digit.is_ascii_hexdigit() => {}
            // It breaks off between two chunks.
            None if !is_first => return Some(body),
            _ => return None,
        }
        let (line_bytes, chunk_bytes) = match httparse::parse_chunk_size(rest) {
            Ok(httparse::Status::Complete((line_bytes, chunk_bytes))) => {
                (line_bytes, usize::try_from(chunk_bytes).ok()?)
            }
            Ok(httparse::Status::Partial) if !is_first => return Some(body),
            _ => return None,
        };
        rest = &rest[line_bytes..];
        if chunk_bytes == 0 {
            // What may follow are trailers and one empty line.
            return (!is_first || rest.is_empty() || rest.ends_with(b"\r\n")).then_some(body);
        }
        let Some((chunk, after)) = rest.split_at_checked(chunk_bytes) else {
            // It breaks off within a chunk.
            body.extend_from_slice(rest);
            return Some(body);
        };
        body.extend_from_slice(chunk);
        rest = match after {
            [] | [b'\r'] => return Some(body),
            [b'\r', b'\n', next @ ..] => next,
            _ => return None,
        };
        is_first = false;
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
    fn undoes_chunks_as_far_as_they_go() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        let chunks = "3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n";
        for (cut, text) in [(2, "abcdefg"), (5, "abcdefg"), (7, "abcdefg"), (8, "abcdef"), (11, "abc"), (15, "abc")] {
            let stored = &chunks[..chunks.len() - cut];
            assert_eq!(body(format!("{head}{stored}").as_bytes()), text, "{stored:?}");
        }
        // Text that begins as the size of a chunk could.
        for whole in ["12", "0", "abc", "cafe", ";f()\r\n", "\r\nf()\r\n"] {
            assert_eq!(body(format!("{head}{whole}").as_bytes()), whole);
        }
    }

    #[test]
    fn reads_messages_of_any_version() {
        for line in ["HTTP/2 200", "HTTP/2.0 200 OK", "HTTP/3 200 ", "http/1.1 200 OK", "HTTP/1.0 200 OK"] {
            let message = parse(format!("{line}\r\nA: b\r\n\r\nbody").as_bytes()).expect(line);
            assert_eq!((message.status, message.headers.len(), &message.body[..]), (200, 1, &b"body"[..]), "{line}");
        }
    }

    #[test]
    fn a_content_coding_that_was_undone_is_not_named() {
        let named = |coding: &str, body: &[u8]| {
            let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\n\r\n");
            parse(&[head.as_bytes(), body].concat()).expect("a message").headers.contains_key("content-encoding")
        };
        for (name, coding) in [("gzip", Coding::Gzip), ("br", Coding::Brotli), ("zstd", Coding::Zstd)] {
            assert!(!named(name, b"body {}") && named(name, &coding.encode(b"body {}")) && named(name, b""), "{name}");
        }
        assert!(named("unknown", b"body {}"));
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
        assert_eq!(parse(b"\r\n").err().as_deref(), Some("it is empty"));
        assert!(parse(b"HTTP/1.1 101 Switching Protocols\r\n\r\n").is_err());
        assert_eq!(parse(b"HTTP/1.1 200 OK\r\nA: b").err().as_deref(), Some("its head breaks off"));
    }

    #[test]
    fn reads_method_body_and_range_of_a_request() {
        let read = |raw: &str| request(raw.as_bytes());
        let post = |fields: &str, body: &str| read(&format!("POST /x HTTP/1.1\r\nHost: a\r\n{fields}\r\n{body}"));
        let plain = post("Content-Length: 3\r\n", "a=1").expect("a request");
        assert_eq!((plain.method.as_str(), plain.body, plain.range), ("POST", Some(BodyDigest::of(b"a=1")), None));
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
