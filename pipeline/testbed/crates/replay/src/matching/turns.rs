//! Selects the next of several recorded answers to one request.

use std::collections::HashMap;

use url::Position;

use super::asked::Asked;
use crate::request_body::BodyDigest;

/// Counts how often each recorded request was answered since the servers started, for each request that it answers.
///
/// Requests that are answered inexactly by one recorded request do not share its turns. Otherwise their answers would depend on the
/// order in which they arrive, and two stacks could be given other answers.
#[derive(Debug, Clone, Default)]
pub struct Turns(HashMap<Turn, usize>);

/// A recorded request, and a request that it answers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Turn {
    entry: usize,
    method: String,
    /// Host, port, path and query.
    url: String,
    body: Option<BodyDigest>,
}

impl Turn {
    /// `by_body`: whether the recording tells bodies of this request apart. Where it does not, a request with another body takes the
    /// next turn, as it did when it was recorded.
    pub fn new(entry: usize, asked: &Asked<'_>, by_body: bool) -> Self {
        Self {
            entry,
            method: asked.recorded_method().to_owned(),
            url: asked.url[Position::BeforeHost..Position::AfterQuery].to_owned(),
            body: by_body.then_some(asked.body),
        }
    }
}

impl Turns {
    pub(super) fn of(&self, turn: &Turn) -> usize {
        self.0.get(turn).copied().unwrap_or(0)
    }

    pub(super) fn advance(&mut self, turn: Turn) {
        *self.0.entry(turn).or_default() += 1;
    }
}
