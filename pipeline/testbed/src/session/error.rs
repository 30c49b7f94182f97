//! Errors of a run.

use eyelevel_replay::site::SiteError;

use crate::emulate::EmulationError;
use crate::sandbox::error::SandboxError;
use crate::serve::ServeError;

/// Errors with which a run did not start, or did not reach its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    #[error(transparent)]
    Site(#[from] SiteError),
    #[error(transparent)]
    Emulation(#[from] EmulationError),
    #[error(transparent)]
    Serve(#[from] ServeError),
    #[error("the server failed: {0}")]
    Server(String),
    #[error("stopped by signal {0} before the command started")]
    Stopped(u8),
    #[error("cannot start the command {command}: {reason}")]
    Command { command: String, reason: std::io::Error },
    #[error(
        "{file} must contain the moment from which the report counts, in milliseconds since 1970, but contains {found}"
    )]
    CountedFrom { file: String, found: String },
    #[error("cannot write the report {file}: {reason}")]
    Report { file: String, reason: std::io::Error },
}
