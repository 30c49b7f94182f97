//! Which host lives at which address, and where the page starts. Pure.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use serde::Serialize;

use crate::recording::Recording;

/// Where the addresses come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Grouping {
    #[serde(rename = "recorded")]
    Recorded,
    #[serde(rename = "by host")]
    ByHost,
    /// Some hosts have a recorded address, the others one of their own.
    #[serde(rename = "recorded, else by host")]
    Mixed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Plan {
    pub hosts: BTreeMap<String, Ipv4Addr>,
    /// Always https.
    pub start_url: String,
    pub grouping: Grouping,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PlanError {
    #[error("no page to start with: the recording has no HTML response of status 2xx; name one with --start-url")]
    NoPage,
    #[error("the start URL \"{url}\" is not of a recorded host; recorded are {known}")]
    UnknownHost { url: String, known: String },
    #[error("the start URL \"{url}\" is not a URL: {reason}")]
    BadUrl { url: String, reason: String },
}

impl Plan {
    /// Every address to listen on, in ascending order.
    #[must_use]
    pub fn addresses(&self) -> BTreeSet<Ipv4Addr> {
        self.hosts.values().copied().collect()
    }
}

/// # Errors
/// [`PlanError`] where there is no page to start with.
pub fn plan(_recording: &Recording, _start_url: Option<&str>) -> Result<Plan, PlanError> {
    Err(PlanError::NoPage)
}
