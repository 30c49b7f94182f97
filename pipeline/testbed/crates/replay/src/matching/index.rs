//! The index of recorded responses by host and path.

use std::collections::HashMap;

use url::Url;

use super::answer::Kind;
use super::query::similarity;
use crate::recording::Response;

/// Host and path; everything travels encrypted, so the scheme (and with it the port) does not tell responses apart.
type Place = (String, String);

struct Entry {
    method: String,
    query: String,
    position: usize,
    succeeded: bool,
}

/// Recorded responses by place, each (method, query) once.
pub struct Index {
    places: HashMap<Place, Vec<Entry>>,
}

fn place(url: &Url) -> Place {
    (url.host_str().unwrap_or_default().to_owned(), url.path().to_owned())
}

impl Index {
    pub fn new(responses: &[Response]) -> Self {
        let mut places: HashMap<Place, Vec<Entry>> = HashMap::new();
        for (position, response) in responses.iter().enumerate() {
            let entries = places.entry(place(&response.url)).or_default();
            let query = response.url.query().unwrap_or_default();
            let succeeded = (200..300).contains(&response.status);
            match entries.iter_mut().find(|entry| entry.method == response.method && entry.query == query) {
                // A URL recorded several times always answers with its first 2xx, else with its first response.
                Some(entry) if succeeded && !entry.succeeded => {
                    entry.position = position;
                    entry.succeeded = true;
                }
                Some(_) => {}
                None => entries.push(Entry {
                    method: response.method.clone(),
                    query: query.to_owned(),
                    position,
                    succeeded,
                }),
            }
        }
        Self { places }
    }

    /// The position of the response, and whether it is of this very request: same method and URL, else same URL by another
    /// method, else same host and path with the closest query (of equally close ones the same method, then the first).
    pub fn find(&self, method: &str, url: &Url) -> Option<(usize, Kind)> {
        let entries = self.places.get(&place(url))?;
        // HEAD asks for the header of what GET would bring.
        let method = if method == "HEAD" { "GET" } else { method };
        let query = url.query().unwrap_or_default();
        let same_method = |entry: &Entry| entry.method == method;
        if let Some(entry) = entries.iter().find(|entry| same_method(entry) && entry.query == query) {
            return Some((entry.position, Kind::Exact));
        }
        let closest = entries
            .iter()
            .max_by_key(|entry| {
                let close = similarity(&entry.query, query);
                (close, same_method(entry), std::cmp::Reverse(entry.position))
            })
            .map(|entry| entry.position)?;
        Some((closest, Kind::Inexact))
    }
}
