//! Grouping of hosts by server address: as requested, and as it resulted.

use serde::Serialize;

/// The rule by which hosts share an address, and thus, for a browser, a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupBy {
    /// Those that did when they were recorded; a host without a recorded address has one of its own.
    Address,
    /// None: every host has an address of its own.
    Host,
    /// All of them.
    One,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("unknown grouping \"{0}\"; use one of {known}", known = GroupBy::ALL.map(GroupBy::name).join(", "))]
pub struct UnknownGrouping(String);

impl GroupBy {
    /// The first is the default.
    pub const ALL: [Self; 3] = [Self::Address, Self::Host, Self::One];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Host => "host",
            Self::One => "one",
        }
    }
}

impl std::str::FromStr for GroupBy {
    type Err = UnknownGrouping;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|rule| rule.name() == name).ok_or_else(|| UnknownGrouping(name.to_owned()))
    }
}

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
    /// One for all, whatever was recorded.
    #[serde(rename = "one")]
    One,
}
