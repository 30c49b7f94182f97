//! Errors of the command line: one sentence each, and the exit status of its kind.

use crate::networks::NetworkError;
use crate::plan::{PlanError, UnknownGrouping};
use crate::recording::RecordingError;
use crate::sandbox::error::SandboxError;
use crate::scheduler::{UnknownScheduler, UnknownTreatment};
use crate::serve::ServeError;
use crate::stacks::UnknownStack;

/// Why a run did not happen, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Stack(#[from] UnknownStack),
    #[error(transparent)]
    Scheduler(#[from] UnknownScheduler),
    #[error(transparent)]
    PriorityUpdates(#[from] UnknownTreatment),
    #[error(transparent)]
    Grouping(#[from] UnknownGrouping),
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error("cannot write the report {file}: {reason}")]
    Report { file: String, reason: String },
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    #[error(transparent)]
    Recording(#[from] RecordingError),
    #[error("the recording {file} cannot be replayed: {reason}")]
    Plan { file: String, reason: PlanError },
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error("the server {0}")]
    Server(String),
    #[error("stopped before the command was started")]
    Stopped(u8),
    #[error("cannot emulate the network: {0}")]
    Emulation(#[from] rattan_core::error::Error),
    #[error("cannot start the command {command}: {reason}")]
    Command { command: String, reason: std::io::Error },
}

impl Failure {
    /// The statuses that `run --help` lists.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Stack(_)
            | Self::Scheduler(_)
            | Self::PriorityUpdates(_)
            | Self::Grouping(_)
            | Self::Network(_)
            | Self::Report { .. } => 2,
            Self::Sandbox(SandboxError::NotPermitted { .. }) => 3,
            Self::Recording(_) | Self::Plan { .. } => 4,
            Self::Serve(_) | Self::Server(_) => 5,
            Self::Sandbox(SandboxError::Failed { .. }) | Self::Emulation(_) => 1,
            Self::Stopped(signal) => 128 + signal,
            Self::Command { reason, .. } if reason.kind() == std::io::ErrorKind::NotFound => 127,
            Self::Command { .. } => 126,
        }
    }
}
