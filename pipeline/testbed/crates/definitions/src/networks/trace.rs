//! Mahimahi traces: the times at which a link could send a full packet.

use std::path::Path;
use std::sync::Arc;

use data_encoding::HEXLOWER;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::error::NetworkError;
use super::units::MTU_BYTES;

/// A link's chances to send [`MTU_BYTES`] each, over and over. Serialized, it is named by the digest of its file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trace {
    /// Of the file's bytes.
    pub sha256: String,
    /// The last chance's time, where the trace starts again.
    pub period_ms: u64,
    pub opportunities: usize,
    #[serde(skip)]
    at_ms: Arc<[u64]>,
}

const LONGEST_MS: u64 = 24 * 3600 * 1000;

impl Trace {
    /// Reads a file of whole milliseconds, one a line, never less than the line before.
    ///
    /// # Errors
    /// Names the file and the line.
    pub fn read(file: &Path) -> Result<Self, NetworkError> {
        let wrong = |reason: String| NetworkError::Unreadable {
            file: file.display().to_string(),
            reason: format!("trace: {reason}"),
        };
        let bytes = std::fs::read(file).map_err(|error| wrong(error.to_string().to_lowercase()))?;
        let text = String::from_utf8(bytes.clone()).map_err(|_| wrong("it is not text".to_owned()))?;
        let at_ms = parse(&text).map_err(wrong)?;
        Ok(Self::new(at_ms, HEXLOWER.encode(&Sha256::digest(bytes))))
    }

    fn new(at_ms: Vec<u64>, sha256: String) -> Self {
        let period_ms = *at_ms.last().expect("parsing demands a chance");
        Self { sha256, period_ms, opportunities: at_ms.len(), at_ms: at_ms.into() }
    }

    /// A trace from plain values.
    ///
    /// # Errors
    /// Describes the invalid value.
    pub fn from_text(text: &str) -> Result<Self, String> {
        parse(text).map(|at_ms| Self::new(at_ms, HEXLOWER.encode(&Sha256::digest(text))))
    }

    /// When the n-th chance comes, from 0, in milliseconds after the start.
    #[must_use]
    pub fn at_ms(&self, n: u64) -> u64 {
        let length = self.at_ms.len() as u64;
        // Below the length of a slice.
        n / length * self.period_ms + self.at_ms[(n % length) as usize]
    }

    /// The first chance at or after so many milliseconds.
    #[must_use]
    pub fn first_from(&self, ms: f64) -> u64 {
        // The chance at a period's end is the last of that period.
        let rounds = ((ms / self.period_ms as f64).ceil() as u64).saturating_sub(1);
        let within = ms - (rounds * self.period_ms) as f64;
        let before = self.at_ms.partition_point(|at| (*at as f64) < within) as u64;
        rounds * self.at_ms.len() as u64 + before
    }

    /// On the whole.
    #[must_use]
    pub fn mbps(&self) -> f64 {
        (self.opportunities * MTU_BYTES * 8) as f64 / self.period_ms as f64 / 1e3
    }
}

fn parse(text: &str) -> Result<Vec<u64>, String> {
    let mut times_ms: Vec<u64> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let at: u64 = line.trim().parse().map_err(|_| {
            format!("line {} is \"{}\", but must be a whole number of milliseconds", number + 1, line.trim())
        })?;
        if times_ms.last().is_some_and(|last| at < *last) {
            return Err(format!("line {} goes back in time; sort the lines", number + 1));
        }
        times_ms.push(at);
    }
    match times_ms.last() {
        Some(last) if (1..=LONGEST_MS).contains(last) => Ok(times_ms),
        Some(last) => Err(format!("its last line is {last}, but must be from 1 to {LONGEST_MS}")),
        None => Err("it is empty; write one time in milliseconds per line".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_starts_again_after_its_last_chance() {
        let trace = Trace::from_text("1\n1\n5\n6\n").unwrap();
        let times: Vec<u64> = (0..9).map(|n| trace.at_ms(n)).collect();
        assert_eq!(times, vec![1, 1, 5, 6, 7, 7, 11, 12, 13]);
        assert_eq!(trace.mbps(), 8.0);
        for (ms, chance) in [(0.0, 0), (1.0, 0), (1.5, 2), (5.5, 3), (6.0, 3), (6.5, 4), (12.0, 7), (12.5, 8)] {
            assert_eq!(trace.first_from(ms), chance, "{ms}");
        }
    }

    #[test]
    fn what_is_no_trace_is_named_with_its_line() {
        for (text, reason) in [
            ("", "it is empty"),
            ("1\ntwo\n", "line 2 is \"two\""),
            ("4\n3\n", "line 2 goes back in time"),
            ("0\n", "its last line is 0"),
        ] {
            assert!(Trace::from_text(text).unwrap_err().contains(reason), "{text}");
        }
    }
}
