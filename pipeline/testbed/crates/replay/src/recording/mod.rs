//! Reads a WARC recording into memory.

mod flaws;
mod http;
mod records;

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use ::http::{HeaderMap, HeaderValue};
use bytes::Bytes;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use url::Url;

use crate::request_body::BodyDigest;
use flaws::Flaws;
use records::Record;

/// One recorded response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    pub url: Url,
    /// Method of the recorded request; `GET` where the recording has no request for this response.
    pub method: String,
    pub status: u16,
    /// Header fields as recorded; a field that no HTTP message may carry is left out.
    pub headers: HeaderMap,
    /// As it was sent: content-encoding kept, transfer-encoding undone.
    pub body: Bytes,
    pub address: Option<IpAddr>,
    /// Body of the recorded request; `None` where the recording has a request with a body and does not hold it.
    pub asked_body: Option<BodyDigest>,
    /// The range that the recorded request asked for.
    pub asked_range: Option<HeaderValue>,
}

/// The content of one WARC file, in its order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recording {
    /// SHA-256 of the file, hex.
    pub digest: String,
    pub responses: Vec<Response>,
    /// Omitted and truncated records of the file.
    pub flaws: Vec<String>,
}

/// Why a file is not a usable recording: one sentence that names the file.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    #[error("cannot read the recording {}: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("the recording {} is broken at record {number}: {reason}; record the site again", path.display())]
    Broken { path: PathBuf, number: usize, reason: String },
    #[error(
        "the recording {} has a pointer to the body of another record (revisit, record {number}), which a replay does not \
         follow; resolve it with eyelevel import {} -o NEW.warc.gz",
        path.display(),
        path.display()
    )]
    Pointer { path: PathBuf, number: usize },
    #[error("the recording {} contains no HTTP response; record the site again", path.display())]
    Empty { path: PathBuf },
}

/// Reads a whole WARC file, plain or gzip.
///
/// # Errors
/// [`RecordingError`]; a recording that breaks off is refused as a whole, for a part of a page is another page. One odd record
/// between others is left out and named.
pub fn load(path: &Path) -> Result<Recording, RecordingError> {
    let file = std::fs::read(path).map_err(|source| RecordingError::Unreadable { path: path.to_owned(), source })?;
    parse(&file).map_err(|fault| match fault {
        Fault::Broken { number, reason } => RecordingError::Broken { path: path.to_owned(), number, reason },
        Fault::Pointer { number } => RecordingError::Pointer { path: path.to_owned(), number },
        Fault::Empty => RecordingError::Empty { path: path.to_owned() },
    })
}

enum Fault {
    Broken { number: usize, reason: String },
    Pointer { number: usize },
    Empty,
}

fn parse(file: &[u8]) -> Result<Recording, Fault> {
    let records = records::read(file).map_err(|(number, reason)| Fault::Broken { number, reason })?;
    let mut flaws = Flaws::of(&records.unreadable);
    let records = records.readable;
    if let Some(record) = records.iter().find(|record| record.is("revisit") && record.http_url().is_some()) {
        return Err(Fault::Pointer { number: record.number });
    }
    let requests = Requests::of(&records);
    let (mut responses, mut without_request) = (Vec::new(), HashSet::new());
    for record in records.iter().filter(|record| record.is("response")) {
        let Some(url) = record.http_url() else { continue };
        let message = match http::parse(&record.block) {
            Ok(message) => message,
            Err(reason) => {
                flaws.left_out(record.number, &format!("the response of {url} is not an HTTP message: {reason}"));
                continue;
            }
        };
        if record.is_truncated() {
            flaws.cut_short(&url);
        }
        let request = requests.of_response(record).and_then(|request| http::request(&request.block));
        if request.is_none() {
            without_request.insert(responses.len());
        }
        let request = request.unwrap_or_default();
        responses.push(Response {
            method: request.method,
            asked_body: request.body,
            asked_range: request.range,
            address: record.address(),
            url,
            status: message.status,
            headers: message.headers,
            body: message.body,
        });
    }
    if responses.is_empty() {
        return Err(Fault::Empty);
    }
    name_preflights(&mut responses, &without_request);
    Ok(Recording { digest: HEXLOWER.encode(&Sha256::digest(file)), responses, flaws: flaws.named() })
}

/// Answers to preflights whose requests were not recorded: without a body, with the methods that are allowed, and of a URL that has
/// an answer which is none. They would be the first answers to the requests that the preflights are about.
fn name_preflights(responses: &mut [Response], without_request: &HashSet<usize>) {
    let looks_so = |response: &Response| {
        response.body.is_empty() && response.headers.contains_key(::http::header::ACCESS_CONTROL_ALLOW_METHODS)
    };
    let answered: HashSet<Url> =
        responses.iter().filter(|response| !looks_so(response)).map(|response| response.url.clone()).collect();
    for (_, response) in responses.iter_mut().enumerate().filter(|(place, _)| without_request.contains(place)) {
        if looks_so(response) && answered.contains(&response.url) {
            response.method = "OPTIONS".to_owned();
        }
    }
}

/// The request records of a file. Some recorders name the response in the request's record (WARC-Concurrent-To), some the request
/// in the response's.
struct Requests<'a> {
    by_id: HashMap<&'a str, &'a Record>,
    by_response: HashMap<&'a str, &'a Record>,
}

impl<'a> Requests<'a> {
    fn of(records: &'a [Record]) -> Self {
        let requests = || records.iter().filter(|record| record.is("request"));
        Self {
            by_id: requests().filter_map(|record| Some((record.id()?, record))).collect(),
            by_response: requests().flat_map(|record| record.concurrent_to().map(move |id| (id, record))).collect(),
        }
    }

    fn of_response(&self, response: &Record) -> Option<&'a Record> {
        let named = response.id().and_then(|id| self.by_response.get(id));
        named.or_else(|| response.concurrent_to().find_map(|id| self.by_id.get(id))).copied()
    }
}

#[cfg(test)]
mod tests;
