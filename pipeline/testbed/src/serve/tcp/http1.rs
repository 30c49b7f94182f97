//! One HTTP/1.1 connection: a request at a time, kept alive. Which response is next is the browser's to decide, on up to six
//! connections to a host; within one there is nothing to schedule. Bodies go out in the same chunks as in HTTP/2.

use std::io;
use std::sync::Arc;

use http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use super::super::exchange::{Incoming, Outgoing};
use super::super::shared::Shared;

const MOST_HEAD_BYTES: usize = 64 * 1024;
const MOST_HEADERS: usize = 200;

pub async fn run<S>(mut stream: S, number: usize, shared: &Arc<Shared>) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut came = Vec::new();
    while let Some(request) = read_head(&mut stream, &mut came).await? {
        let Request { method, uri, headers, upload_bytes, is_last } = request;
        let is_head = method == Method::HEAD;
        let mut incoming = Incoming::new(method, uri, headers);
        take_upload(&mut stream, &mut came, upload_bytes, &mut incoming).await?;
        let mut outgoing = Outgoing::begin(shared, number, incoming);
        if let Some(head) = outgoing.head.take() {
            stream.write_all(&response_head(&head)).await?;
        }
        while !outgoing.body.is_empty() && !is_head {
            let chunk = outgoing.body.split_to(outgoing.next_chunk_bytes());
            stream.write_all(&chunk).await?;
            // Nothing is decided ahead of the kernel's wish.
            stream.flush().await?;
            shared.log.sent(number, chunk.len());
        }
        stream.flush().await?;
        shared.log.handed_over(outgoing.request);
        if is_last {
            break;
        }
    }
    stream.shutdown().await
}

#[derive(Debug, PartialEq, Eq)]
struct Request {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    upload_bytes: u64,
    is_last: bool,
}

/// Takes the next head off what came; `None` where the client has left in order.
async fn read_head<S: AsyncRead + Unpin>(stream: &mut S, came: &mut Vec<u8>) -> io::Result<Option<Request>> {
    loop {
        if let Some((request, bytes)) =
            parse(came).map_err(|fault| io::Error::new(io::ErrorKind::InvalidData, fault))?
        {
            came.drain(..bytes);
            return Ok(Some(request));
        }
        if came.len() > MOST_HEAD_BYTES {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a request's head above 64 KiB"));
        }
        if stream.read_buf(came).await? == 0 {
            return if came.is_empty() { Ok(None) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        }
    }
}

/// Takes in what the client uploads.
async fn take_upload<S: AsyncRead + Unpin>(
    stream: &mut S,
    came: &mut Vec<u8>,
    bytes: u64,
    incoming: &mut Incoming,
) -> io::Result<()> {
    let mut left = bytes;
    loop {
        let here = usize::try_from(left).unwrap_or(usize::MAX).min(came.len());
        incoming.take(&came[..here]);
        came.drain(..here);
        left -= here as u64;
        if left == 0 {
            return Ok(());
        }
        if stream.read_buf(came).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

/// The first request and the length of its head; `None` while it is not whole.
fn parse(came: &[u8]) -> Result<Option<(Request, usize)>, String> {
    let mut fields = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut head = httparse::Request::new(&mut fields);
    let parsed = head.parse(came).map_err(|error| format!("a request that is not HTTP/1.1: {error}"))?;
    let httparse::Status::Complete(bytes) = parsed else { return Ok(None) };
    let mut headers = HeaderMap::new();
    for field in head.headers.iter() {
        let name = HeaderName::from_bytes(field.name.as_bytes());
        let value = HeaderValue::from_bytes(field.value);
        let (Ok(name), Ok(value)) = (name, value) else { return Err(format!("a bad header field {}", field.name)) };
        headers.append(name, value);
    }
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    if text(header::TRANSFER_ENCODING).is_some() {
        return Err("an upload without a length, which is not supported".to_owned());
    }
    let upload_bytes = match text(header::CONTENT_LENGTH).map(str::parse) {
        None => 0,
        Some(Ok(bytes)) => bytes,
        Some(Err(_)) => return Err("a content-length that is not a number".to_owned()),
    };
    let host = text(header::HOST).ok_or("a request without a host")?;
    let target = head.path.unwrap_or_default();
    let uri = format!("https://{host}{target}").parse().map_err(|_| format!("an invalid address: {host}{target}"))?;
    let method = head.method.unwrap_or_default().parse().map_err(|_| "an invalid method".to_owned())?;
    let is_last = text(header::CONNECTION).is_some_and(|wish| wish.eq_ignore_ascii_case("close"));
    Ok(Some((Request { method, uri, headers, upload_bytes, is_last }, bytes)))
}

fn response_head(head: &http::Response<()>) -> Vec<u8> {
    let status = head.status();
    let mut text =
        format!("HTTP/1.1 {} {}\r\n", status.as_u16(), status.canonical_reason().unwrap_or_default()).into_bytes();
    for (name, value) in head.headers() {
        text.extend_from_slice(name.as_str().as_bytes());
        text.extend_from_slice(b": ");
        text.extend_from_slice(value.as_bytes());
        text.extend_from_slice(b"\r\n");
    }
    text.extend_from_slice(b"\r\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const GET: &[u8] = b"GET /a?b=1 HTTP/1.1\r\nHost: a.test\r\nAccept: */*\r\n\r\n";

    #[test]
    fn a_head_is_taken_when_it_is_whole_and_what_follows_is_left() {
        assert_eq!(parse(&GET[..GET.len() - 1]), Ok(None));
        let (request, bytes) = parse(&[GET, b"GET"].concat()).expect("a request").expect("a whole one");
        assert_eq!((request.uri.to_string().as_str(), bytes), ("https://a.test/a?b=1", GET.len()));
        assert_eq!((request.upload_bytes, request.is_last), (0, false));
    }

    #[test]
    fn an_upload_is_counted_and_one_without_length_refused() {
        let post = b"POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 12\r\nConnection: close\r\n\r\n";
        let (request, _) = parse(post).expect("a request").expect("a whole one");
        assert_eq!((request.upload_bytes, request.is_last), (12, true));
        let chunked = b"POST / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n";
        assert_eq!(parse(chunked), Err("an upload without a length, which is not supported".to_owned()));
    }

    #[test]
    fn what_is_not_http_is_named() {
        assert!(
            parse(b"\x16\x03\x01 hello\r\n\r\n").expect_err("refused").starts_with("a request that is not HTTP/1.1")
        );
        assert_eq!(parse(b"GET / HTTP/1.1\r\n\r\n"), Err("a request without a host".to_owned()));
    }
}
