//! The HTTP messages inside WARC records.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};

const MOST_HEADERS: usize = 512;

pub struct Message {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// Method of a raw HTTP request.
pub fn method(raw: &[u8]) -> Option<String> {
    let word = raw.split(|byte| *byte == b' ').next()?;
    let method = http::Method::from_bytes(word).ok()?;
    Some(method.as_str().to_owned())
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
    let mut headers = HeaderMap::new();
    for field in response.headers.iter() {
        if let (Ok(name), Ok(value)) =
            (HeaderName::from_bytes(field.name.as_bytes()), HeaderValue::from_bytes(field.value))
        {
            headers.append(name, value);
        }
    }
    let stored = &raw[head_bytes..];
    let chunked = headers
        .get_all(http::header::TRANSFER_ENCODING)
        .iter()
        .any(|value| value.as_bytes().to_ascii_lowercase().ends_with(b"chunked"));
    // Many recorders undo the chunks and still keep the field, so the body itself must tell.
    let body = if chunked { dechunk(stored).unwrap_or_else(|| stored.to_vec()) } else { stored.to_vec() };
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
    fn reads_the_method_of_a_request() {
        assert_eq!(method(b"POST /x HTTP/1.1\r\n\r\n").as_deref(), Some("POST"));
        assert_eq!(method(b""), None);
    }
}
