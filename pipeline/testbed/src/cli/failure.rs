//! Errors of the command line: one sentence each, and the exit status of its kind.

use eyelevel_definitions::networks::NetworkError;
use eyelevel_definitions::stacks::UnknownStack;
use eyelevel_replay::placement::UnknownGrouping;
use eyelevel_replay::site::SiteError;
use eyelevel_scheduling::{UnknownScheduler, UnknownTreatment};

use crate::calibrate::error::MeasureError;
use crate::sandbox::error::SandboxError;
use crate::serve::ServeError;
use crate::session::error::RunError;

/// The error of a subcommand.
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
    #[error("cannot write {what}: {reason}")]
    Output { what: String, reason: String },
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    #[error(transparent)]
    Site(#[from] SiteError),
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Measure(#[from] MeasureError),
    #[error(
        "calibration failed: {network} is outside its tolerance ({problem}). Results would not be valid. Calibrate again on an idle machine"
    )]
    OffCalibration { network: String, problem: String },
}

impl Failure {
    /// Standard output cannot be written to.
    pub fn stdout(error: &std::io::Error) -> Self {
        Self::Output { what: "to standard output".to_owned(), reason: error.to_string() }
    }

    /// The statuses that `run --help` lists.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Stack(_)
            | Self::Scheduler(_)
            | Self::PriorityUpdates(_)
            | Self::Grouping(_)
            | Self::Network(_)
            | Self::Output { .. } => BAD_ARGUMENT,
            Self::Sandbox(error) => of_sandbox(error),
            Self::Site(_) => BAD_RECORDING,
            Self::Serve(error) => of_servers(error),
            Self::Run(error) => of_run(error),
            Self::Measure(MeasureError::Sandbox(error)) => of_sandbox(error),
            Self::Measure(MeasureError::Emulation(_)) | Self::OffCalibration { .. } => FAILED,
        }
    }
}

const FAILED: u8 = 1;
const BAD_ARGUMENT: u8 = 2;
const NOT_PERMITTED: u8 = 3;
const BAD_RECORDING: u8 = 4;
const NO_SERVER: u8 = 5;

fn of_sandbox(error: &SandboxError) -> u8 {
    match error {
        SandboxError::NotPermitted { .. } => NOT_PERMITTED,
        SandboxError::Failed { .. } => FAILED,
    }
}

fn of_servers(error: &ServeError) -> u8 {
    match error {
        // The descriptor was named on the command line.
        ServeError::Announcement(_) => BAD_ARGUMENT,
        _ => NO_SERVER,
    }
}

fn of_run(error: &RunError) -> u8 {
    match error {
        RunError::Sandbox(error) => of_sandbox(error),
        RunError::Site(_) => BAD_RECORDING,
        RunError::Emulation(_) => FAILED,
        RunError::Serve(_) | RunError::Server(_) => NO_SERVER,
        RunError::Stopped(signal) => 128 + signal,
        RunError::Command { reason, .. } if reason.kind() == std::io::ErrorKind::NotFound => 127,
        RunError::Command { .. } => 126,
        RunError::Report { .. } | RunError::CountedFrom { .. } => BAD_ARGUMENT,
    }
}
