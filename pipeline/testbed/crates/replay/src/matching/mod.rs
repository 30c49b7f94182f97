//! Finds the recorded response to a request. Pure: requests, responses and turns are plain values.

mod answer;
mod asked;
mod callback;
mod cookies;
mod cors;
mod headers;
mod image_format;
mod index;
mod prepared;
mod query;
mod ranges;
mod redirects;
mod turns;

use std::collections::BTreeSet;
use std::time::SystemTime;

use http::{HeaderMap, header};
use url::Url;

use crate::recording::Recording;
use crate::volatile::Volatile;
pub use answer::{Answer, Kind};
pub use asked::Asked;
use index::{Entry, Index};
use prepared::Prepared;
pub use redirects::{MOST_REDIRECTS, target as redirect_target};
pub use turns::Turns;

/// All answers of one recording, ready to go out.
pub struct Replay {
    volatile: Volatile,
    index: Index,
    prepared: Vec<Prepared>,
}

impl Replay {
    /// All answers as if they were made at `now`.
    #[must_use]
    pub fn sent_at(recording: &Recording, volatile: Volatile, now: SystemTime) -> Self {
        let hosts: BTreeSet<String> =
            recording.responses.iter().filter_map(|r| Some(r.url.host_str()?.to_owned())).collect();
        let prepare = |response| Prepared::new(response, &hosts, now);
        let prepared = recording.responses.iter().map(prepare).collect();
        Self { index: Index::new(&recording.responses), volatile, prepared }
    }

    /// The answer to a request. `turns` has what was answered before: several recorded answers to one request are given in the
    /// recorded order, and the last of them again and again.
    #[must_use]
    pub fn answer(&self, asked: &Asked<'_>, turns: &mut Turns) -> Answer {
        let mut answer = self.recorded(asked, turns);
        if answer.kind != Kind::Miss {
            cors::allow(asked.headers, &mut answer.headers);
        }
        answer
    }

    fn recorded(&self, asked: &Asked<'_>, turns: &mut Turns) -> Answer {
        let matched = self.find(asked, turns).filter(|(_, kind)| *kind == Kind::Exact || !asked.is_preflight());
        let Some((entry, kind)) = matched else {
            return if asked.is_preflight() { Answer::preflight() } else { Answer::miss(asked.method) };
        };
        if asked.method == "GET"
            && let Some(part) = self.part(entry, kind, asked)
        {
            return part;
        }
        let Some(position) = entry.next(asked, turns) else { return self.only_parts(entry, kind, asked.url) };
        let response = &self.prepared[position];
        if entry.is_exhausted(asked, turns) && self.leads_back(response, asked.url, turns) {
            return Answer::miss(asked.method);
        }
        if asked.method != "HEAD" {
            entry.advance(asked, turns);
        }
        response.answer(asked, kind)
    }

    /// An exact match, else an equivalent one, else the closest. Of the latter two none is a redirect to this very request.
    fn find(&self, asked: &Asked<'_>, turns: &Turns) -> Option<(&Entry, Kind)> {
        let leads_on = |entry: &Entry| {
            let target = entry.next(asked, turns).and_then(|position| self.prepared[position].target(asked.url));
            target.is_none_or(|target| !redirects::is_same(&target, asked.url))
        };
        let exact = self.index.exact(asked).map(|entry| (entry, Kind::Exact));
        exact
            .or_else(|| self.equivalent(asked).filter(|entry| leads_on(entry)).map(|entry| (entry, Kind::Equivalent)))
            .or_else(|| self.same_picture(asked).map(|entry| (entry, Kind::Equivalent)))
            .or_else(|| self.index.closest(asked, leads_on).map(|entry| (entry, Kind::Inexact)))
    }

    /// The first of what is left when volatile parameters are ignored, where all of it is one answer.
    fn equivalent(&self, asked: &Asked<'_>) -> Option<&Entry> {
        let left = self.index.without(self.volatile.ignored(asked.url)?, asked);
        let first = *left.first()?;
        let mut answers = left.iter().flat_map(|entry| entry.all()).map(|position| &self.prepared[position]);
        let first_answer = answers.next()?;
        (first_answer.suits(asked.url) && answers.all(|other| other.is_like(first_answer, asked.url))).then_some(first)
    }

    /// The recorded picture that is asked for in another image format: of the closest ways to name it that were recorded, where all
    /// their answers are one.
    fn same_picture(&self, asked: &Asked<'_>) -> Option<&Entry> {
        if asked.recorded_method() != "GET" {
            return None;
        }
        let recorded =
            |url: &Url| self.index.exact(&Asked { url, ..*asked }).filter(|entry| self.is_one_picture(entry));
        let entries = image_format::in_other_formats(asked.url)
            .into_iter()
            .map(|urls| urls.iter().filter_map(&recorded).collect::<Vec<_>>())
            .find(|entries| !entries.is_empty())?;
        let mut answers = entries.iter().flat_map(|entry| entry.all()).map(|position| &self.prepared[position]);
        let first = answers.next()?;
        answers.all(|other| other.is_like(first, asked.url)).then(|| entries[0])
    }

    fn is_one_picture(&self, entry: &Entry) -> bool {
        entry.all().all(|position| self.prepared[position].is_picture())
    }

    /// The answer to a request for a range; `None` where the whole is to be sent.
    fn part(&self, entry: &Entry, kind: Kind, asked: &Asked<'_>) -> Option<Answer> {
        let range = asked.headers.get(header::RANGE)?;
        let all = || entry.all().map(|position| &self.prepared[position]);
        if let Some(prepared) = all().find(|prepared| prepared.asked_range.as_ref() == Some(range)) {
            return Some(prepared.answer(asked, kind));
        }
        let wanted = ranges::wanted(asked.headers)?;
        all().find_map(|prepared| prepared.part(wanted, kind, asked.headers))
    }

    /// The answer to a request for the whole of what was recorded in parts only.
    fn only_parts(&self, entry: &Entry, kind: Kind, url: &Url) -> Answer {
        let parts = || entry.parts.iter().map(|position| &self.prepared[*position]);
        parts()
            .find_map(|part| part.whole_of_part(kind, url))
            .or_else(|| parts().next().map(|part| part.plain(kind.max(Kind::Inexact), url)))
            .expect("an entry has an answer")
    }

    /// Whether this redirect, and those that now follow it, lead to the same request again, or to no end.
    fn leads_back(&self, redirect: &Prepared, from: &Url, turns: &Turns) -> bool {
        let headers = HeaderMap::new();
        let mut next = redirect.target(from);
        for _ in 0..MOST_REDIRECTS {
            let Some(url) = next else { return false };
            if redirects::is_same(&url, from) {
                return true;
            }
            let asked = Asked::plain("GET", &url, &headers);
            let position = self.find(&asked, turns).and_then(|(entry, _)| entry.next(&asked, turns));
            next = position.and_then(|position| self.prepared[position].target(&url));
        }
        true
    }
}

#[cfg(test)]
mod tests;
