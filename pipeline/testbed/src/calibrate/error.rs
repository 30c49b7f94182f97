//! Errors while a network is measured.

use crate::emulate::EmulationError;
use crate::sandbox::error::SandboxError;

/// Why nothing could be measured.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    #[error(transparent)]
    Emulation(#[from] EmulationError),
}
