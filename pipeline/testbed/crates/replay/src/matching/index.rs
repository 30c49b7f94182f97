//! The index of recorded responses by host, port and path.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use url::Url;

use super::asked::Asked;
use super::query::{PathAndQuery, similarity, without};
use super::redirects;
use super::turns::{Turn, Turns};
use crate::hosts;
use crate::path_parameters;
use crate::ports::{HTTPS, port_of};
use crate::recording::Response;
use crate::request_body::BodyDigest;

/// Host, port and path without its parameters; everything travels encrypted, so http and https are one.
type Place = (String, u16, String);

/// What was answered to one request: same method, URL and body. One or both of its lists have entries.
pub struct Entry {
    id: usize,
    method: String,
    url: Url,
    /// `None` where the recording does not have it: then any body fits.
    body: Option<BodyDigest>,
    /// Positions of whole answers, in recorded order.
    pub wholes: Vec<usize>,
    /// Positions of answers to requests for a range (206, 416), in recorded order.
    pub parts: Vec<usize>,
}

/// Recorded responses by place.
pub struct Index {
    places: HashMap<Place, Vec<Entry>>,
    ports: HashSet<(String, u16)>,
}

impl Entry {
    fn fits(&self, body: BodyDigest) -> bool {
        self.body.is_none_or(|recorded| recorded == body)
    }

    fn first(&self) -> usize {
        let position = |list: &[usize]| list.first().copied().unwrap_or(usize::MAX);
        position(&self.wholes).min(position(&self.parts))
    }

    pub fn all(&self) -> impl Iterator<Item = usize> {
        self.wholes.iter().chain(&self.parts).copied()
    }

    /// The position of the next whole answer to this request: in recorded order, and the last one again and again.
    pub fn next(&self, asked: &Asked<'_>, turns: &Turns) -> Option<usize> {
        self.wholes.get(turns.of(&self.turn(asked))).or(self.wholes.last()).copied()
    }

    /// Whether this request was given every whole answer already.
    pub fn is_exhausted(&self, asked: &Asked<'_>, turns: &Turns) -> bool {
        turns.of(&self.turn(asked)) >= self.wholes.len()
    }

    pub fn advance(&self, asked: &Asked<'_>, turns: &mut Turns) {
        turns.advance(self.turn(asked));
    }

    fn turn(&self, asked: &Asked<'_>) -> Turn {
        Turn::new(self.id, asked, self.body.is_some())
    }

    fn asks(&self) -> PathAndQuery<'_> {
        PathAndQuery::of(&self.url)
    }

    /// Drops redirects that change only the scheme where another answer was recorded; http and https are one here.
    fn drop_what_is_no_answer(&mut self, responses: &[Response]) {
        let is_none = |position: &usize| redirects::changes_scheme_only(&responses[*position]);
        if !self.wholes.iter().all(is_none) {
            self.wholes.retain(|position| !is_none(position));
        }
    }
}

impl Index {
    pub fn new(responses: &[Response]) -> Self {
        let mut places: HashMap<Place, Vec<Entry>> = HashMap::new();
        let mut count = 0;
        // A 304 confirms what the recorder had in its cache, and the recording does not have.
        for (position, response) in responses.iter().enumerate().filter(|(_, response)| response.status != 304) {
            let entries = places.entry(place(&response.url)).or_default();
            let asks = PathAndQuery::of(&response.url);
            let is_same = |entry: &Entry| {
                entry.method == response.method && entry.asks() == asks && entry.body == response.asked_body
            };
            let at = entries.iter().position(is_same).unwrap_or_else(|| {
                entries.push(Entry {
                    id: count,
                    method: response.method.clone(),
                    url: response.url.clone(),
                    body: response.asked_body,
                    wholes: Vec::new(),
                    parts: Vec::new(),
                });
                count += 1;
                entries.len() - 1
            });
            let is_part = matches!(response.status, 206 | 416);
            if is_part { &mut entries[at].parts } else { &mut entries[at].wholes }.push(position);
        }
        for entry in places.values_mut().flatten() {
            entry.drop_what_is_no_answer(responses);
        }
        let ports = places.keys().map(|(host, port, _)| (host.clone(), *port)).collect();
        Self { places, ports }
    }

    /// What was recorded of the URL's host, port and bare path. A port of which nothing was recorded stands for the usual one.
    fn entries(&self, url: &Url) -> &[Entry] {
        let (host, port, path) = place(url);
        let port = if self.ports.contains(&(host.clone(), port)) { port } else { HTTPS };
        self.places.get(&(host, port, path)).map_or(&[], Vec::as_slice)
    }

    /// What was recorded of this very request: same method, URL and body; else of one whose body is not known. HEAD is answered by what
    /// was recorded of GET, else of HEAD.
    pub fn exact(&self, asked: &Asked<'_>) -> Option<&Entry> {
        let asks = PathAndQuery::of(asked.url);
        let of = |method: &str| {
            let same = move |entry: &&Entry| entry.method == method && entry.asks() == asks;
            let entries = || self.entries(asked.url).iter().filter(same);
            let same_body = entries().find(|entry| entry.body == Some(asked.body));
            same_body.or_else(|| entries().find(|entry| entry.body.is_none()))
        };
        of(asked.recorded_method()).or_else(|| of(asked.method))
    }

    /// What was recorded of the same request when `volatile` parameters are left out of both URLs, in recorded order.
    pub fn without<'a>(&'a self, volatile: &BTreeSet<String>, asked: &Asked<'_>) -> Vec<&'a Entry> {
        let wanted = without(PathAndQuery::of(asked.url), volatile);
        let is_left = |entry: &&Entry| {
            entry.method == asked.recorded_method()
                && entry.fits(asked.body)
                && without(entry.asks(), volatile) == wanted
        };
        self.entries(asked.url).iter().filter(is_left).collect()
    }

    /// The closest of what was recorded of the same place and is `usable`: the closest parameters, then the same method, then the
    /// same body, then the first.
    pub fn closest(&self, asked: &Asked<'_>, usable: impl Fn(&Entry) -> bool) -> Option<&Entry> {
        let asks = PathAndQuery::of(asked.url);
        self.entries(asked.url).iter().filter(|entry| usable(entry)).max_by_key(|entry| {
            let same_method = entry.method == asked.recorded_method();
            (similarity(entry.asks(), asks), same_method, entry.fits(asked.body), Reverse(entry.first()))
        })
    }
}

fn place(url: &Url) -> Place {
    (hosts::name(url).to_owned(), port_of(url), path_parameters::bare(url.path()))
}
