//! The index of recorded responses by host and path.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use url::Url;

use super::query::{similarity, without};
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

    fn entries(&self, url: &Url) -> &[Entry] {
        self.places.get(&place(url)).map_or(&[], Vec::as_slice)
    }

    /// The response to this very request: same method and URL.
    pub fn exact(&self, method: &str, url: &Url) -> Option<usize> {
        let query = url.query().unwrap_or_default();
        let mut entries = self.entries(url).iter();
        Some(entries.find(|entry| entry.method == method && entry.query == query)?.position)
    }

    /// The responses to the same method and URL when `volatile` parameters are left out of both, in recorded order.
    pub fn without(&self, volatile: &BTreeSet<String>, method: &str, url: &Url) -> impl Iterator<Item = usize> {
        let wanted = without(url.query().unwrap_or_default(), volatile);
        let is_left = move |entry: &&Entry| entry.method == method && without(&entry.query, volatile) == wanted;
        self.entries(url).iter().filter(is_left).map(|entry| entry.position)
    }

    /// The closest response: the same URL by another method, else the same host and path with the closest query (of equally close
    /// ones the same method, then the first).
    pub fn closest(&self, method: &str, url: &Url) -> Option<usize> {
        let query = url.query().unwrap_or_default();
        let closeness =
            |entry: &&Entry| (similarity(&entry.query, query), entry.method == method, Reverse(entry.position));
        Some(self.entries(url).iter().max_by_key(closeness)?.position)
    }
}
