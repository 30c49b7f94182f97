//! Errors of the measurement of a network.

use crate::emulate::EmulationError;
use crate::sandbox::error::SandboxError;

/// Errors that prevent a measurement.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    #[error(transparent)]
    Emulation(#[from] EmulationError),
}
