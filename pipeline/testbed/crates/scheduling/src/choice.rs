//! The choice of the scheduler of a run, by name.

use crate::rfc9218::Rfc9218;
use crate::round_robin::RoundRobin;
use crate::scheduler::Scheduler;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchedulerKind {
    Rfc9218,
    RoundRobin,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error(
    "unknown scheduler \"{0}\"; use one of {known}",
    known = SchedulerKind::ALL.map(SchedulerKind::name).join(", ")
)]
pub struct UnknownScheduler(String);

impl std::str::FromStr for SchedulerKind {
    type Err = UnknownScheduler;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownScheduler(name.to_owned()))
    }
}

/// What to do with PRIORITY_UPDATE frames (RFC 9218, section 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PriorityUpdates {
    /// Count them only. Browsers send them over HTTP/3 and not over HTTP/2, so acting on them would treat the transports differently.
    Count,
    Act,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("unknown treatment of priority updates \"{0}\"; use one of count, act")]
pub struct UnknownTreatment(String);

impl std::str::FromStr for PriorityUpdates {
    type Err = UnknownTreatment;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        [Self::Count, Self::Act]
            .into_iter()
            .find(|treatment| treatment.name() == name)
            .ok_or_else(|| UnknownTreatment(name.to_owned()))
    }
}

impl PriorityUpdates {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Act => "act",
        }
    }
}

/// Everything that decides the order of bytes; the same for all connections of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scheduling {
    pub kind: SchedulerKind,
    pub priority_updates: PriorityUpdates,
}

impl Default for Scheduling {
    fn default() -> Self {
        Self { kind: SchedulerKind::Rfc9218, priority_updates: PriorityUpdates::Count }
    }
}

impl SchedulerKind {
    /// The first is the default.
    pub const ALL: [Self; 2] = [Self::Rfc9218, Self::RoundRobin];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rfc9218 => "rfc9218",
            Self::RoundRobin => "round-robin",
        }
    }

    /// A fresh scheduler for one connection.
    #[must_use]
    pub fn build(self) -> Box<dyn Scheduler> {
        match self {
            Self::Rfc9218 => Box::new(Rfc9218::default()),
            Self::RoundRobin => Box::new(RoundRobin::default()),
        }
    }
}
