//! A recorded response made ready to go out.

use std::collections::BTreeSet;
use std::time::SystemTime;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};
use sha2::{Digest, Sha256};
use url::Url;

use super::answer::{Answer, Kind};
use super::asked::Asked;
use super::callback::Callback;
use super::ranges::{self, Cut, Held, Wanted};
use super::redirects::{self, ReturnAddress};
use super::{headers, image_format};
use crate::coding::Coding;
use crate::recording::Response;

pub struct Prepared {
    matched: String,
    status: u16,
    headers: HeaderMap,
    body: Bytes,
    /// SHA-256 of the body without its content coding, where that can be undone.
    digest: [u8; 32],
    callback: Option<Callback>,
    return_address: Option<ReturnAddress>,
    /// The range that the recorded request asked for.
    pub asked_range: Option<HeaderValue>,
}

impl Prepared {
    pub fn new(response: &Response, hosts: &BTreeSet<String>, now: SystemTime) -> Self {
        let coding = Coding::of(&response.headers);
        let plain = coding.and_then(|coding| coding.decode(&response.body));
        let headers = headers::rewritten(response, hosts, now);
        Self {
            matched: response.url.to_string(),
            status: response.status,
            return_address: ReturnAddress::of(&response.url, &headers),
            headers,
            body: response.body.clone(),
            digest: Sha256::digest(plain.as_deref().unwrap_or(&response.body)).into(),
            callback: coding.zip(plain).and_then(|(coding, plain)| Callback::of(&response.url, coding, plain)),
            asked_range: response.asked_range.clone(),
        }
    }

    /// Whether both are the same answer to a request for `url`, but for the name of a callback.
    pub fn is_like(&self, other: &Self, url: &Url) -> bool {
        let bodies = match (&self.callback, &other.callback) {
            (Some(callback), Some(other)) => callback.is_like(other),
            (None, None) => self.digest == other.digest,
            _ => false,
        };
        bodies && self.status == other.status && self.target(url) == other.target(url)
    }

    /// Whether it can be given to a request that names another callback than the recorded one.
    pub fn suits(&self, url: &Url) -> bool {
        self.callback.as_ref().is_none_or(|callback| callback.asked(url).is_some())
    }

    pub fn is_picture(&self) -> bool {
        image_format::is_picture(self.status, &self.headers)
    }

    /// Where it sends a client that asked for `url`.
    pub fn target(&self, url: &Url) -> Option<Url> {
        match self.led_back(url) {
            Some(location) => {
                redirects::target(self.status, &HeaderMap::from_iter([(header::LOCATION, location)]), url)
            }
            None => redirects::target(self.status, &self.headers, url),
        }
    }

    /// The `Location` with the return address that `url` names, where that is not the recorded one.
    fn led_back(&self, url: &Url) -> Option<HeaderValue> {
        self.return_address.as_ref()?.asked(url, self.headers.get(header::LOCATION)?)
    }

    /// The answer to this request: without a body where the client has it already, or where there can be none.
    pub fn answer(&self, asked: &Asked<'_>, kind: Kind) -> Answer {
        let is_fetched = matches!(asked.method, "GET" | "HEAD");
        if self.status == 200 && is_fetched && headers::is_known(asked.headers, &self.headers) {
            return self.not_modified(kind);
        }
        let mut answer = self.plain(kind, asked.url);
        if asked.method == "HEAD" || headers::forbids_body(self.status) {
            answer.body = Bytes::new();
            answer.counted_bytes = 0;
        }
        answer
    }

    /// As recorded, with the callback and the return address that are asked for.
    pub fn plain(&self, kind: Kind, url: &Url) -> Answer {
        let mut answer = self.with(kind, self.status, self.headers.clone(), self.body.clone());
        let renamed = self.callback.as_ref().and_then(|callback| callback.renamed(&callback.asked(url)?));
        if let Some(body) = renamed {
            answer.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
            answer.body = body;
            answer.callback_renamed = true;
        }
        if let Some(location) = self.led_back(url) {
            answer.headers.insert(header::LOCATION, location);
        }
        answer
    }

    fn with(&self, kind: Kind, status: u16, headers: HeaderMap, body: Bytes) -> Answer {
        Answer::plain(kind, Some(self.matched.clone()), status, headers, body)
    }

    /// The client's cache has what would be sent: only the header that may change is (RFC 9110, section 15.4.5).
    fn not_modified(&self, kind: Kind) -> Answer {
        let mut headers = self.headers.clone();
        for name in [header::CONTENT_LENGTH, header::CONTENT_TYPE, header::CONTENT_ENCODING] {
            headers.remove(name);
        }
        self.with(kind, 304, headers, Bytes::new())
    }

    /// The bytes of the representation that it has. `None` where it has none, and where the recorded server did not answer a range:
    /// such a server sends the whole again.
    fn held(&self) -> Option<Held> {
        let bytes = self.body.len() as u64;
        match self.status {
            200 if self.asked_range.is_none() => Some(Held { first: 0, bytes, total: bytes }),
            206 => ranges::held(&self.headers, self.body.len()),
            _ => None,
        }
    }

    /// A range of it (RFC 9110, sections 15.3.7 and 15.5.17). `None` where it does not have these bytes, or the client has another
    /// version.
    pub fn part(&self, wanted: Wanted, kind: Kind, request: &HeaderMap) -> Option<Answer> {
        let held = self.held().filter(|_| ranges::is_of_this_version(request, &self.headers))?;
        let mut headers = self.headers.clone();
        let text = |text: String| HeaderValue::try_from(text).expect("digits and plain letters");
        match ranges::cut(wanted, held) {
            Cut::NotHeld => None,
            Cut::Unsatisfiable => {
                for name in [header::CONTENT_TYPE, header::CONTENT_ENCODING, header::CONTENT_LENGTH] {
                    headers.remove(name);
                }
                headers.insert(header::CONTENT_RANGE, text(format!("bytes */{}", held.total)));
                headers.insert(header::CONTENT_LENGTH, HeaderValue::from(0));
                Some(self.with(kind, 416, headers, Bytes::new()))
            }
            Cut::Part { first, last } => {
                let at = |place: u64| usize::try_from(place - held.first).expect("inside a body in memory");
                let body = self.body.slice(at(first)..=at(last));
                headers.insert(header::CONTENT_RANGE, text(format!("bytes {first}-{last}/{}", held.total)));
                headers.insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
                Some(self.with(kind, 206, headers, body))
            }
        }
    }

    /// The whole, where it was recorded as a part that lacks nothing.
    pub fn whole_of_part(&self, kind: Kind, url: &Url) -> Option<Answer> {
        let held = self.held()?;
        (held.first == 0 && held.bytes == held.total).then(|| {
            let mut answer = self.plain(kind, url);
            answer.headers.remove(header::CONTENT_RANGE);
            answer.status = 200;
            answer
        })
    }
}
