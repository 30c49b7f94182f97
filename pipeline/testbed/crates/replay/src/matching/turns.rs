//! Which of several recorded answers to one request is next.

use std::collections::HashMap;

/// How often each recorded request was answered since the servers began.
#[derive(Debug, Clone, Default)]
pub struct Turns(HashMap<usize, usize>);

impl Turns {
    pub(super) fn of(&self, entry: usize) -> usize {
        self.0.get(&entry).copied().unwrap_or(0)
    }

    pub(super) fn advance(&mut self, entry: usize) {
        *self.0.entry(entry).or_default() += 1;
    }
}
