//! A recording prepared for serving: parsed, indexed and placed, once.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::matching::Replay;
use crate::placement::{GroupBy, Placement, PlacementError, place};
use crate::recording::{RecordingError, load};
use crate::volatile::{self, Volatile, VolatileError};

/// A website that servers can answer for.
pub struct Site {
    /// SHA-256 of the recording's file, hex.
    pub digest: String,
    /// SHA-256 of the file of volatile parameters, hex; `None` without one.
    pub volatile: Option<String>,
    /// Omitted and truncated records of the recording.
    pub flaws: Vec<String>,
    pub replay: Replay,
    pub placement: Placement,
}

/// Why a recording cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    #[error(transparent)]
    Recording(#[from] RecordingError),
    #[error(transparent)]
    Volatile(#[from] VolatileError),
    #[error("cannot replay the recording {}: {reason}", file.display())]
    Placement { file: PathBuf, reason: PlacementError },
}

impl Site {
    /// Reads a recording's file, and the file of its volatile parameters where there is one. Answers are dated as if they were made
    /// at `now`.
    ///
    /// # Errors
    /// [`SiteError`] names the file.
    pub fn load(
        file: &Path,
        volatile: Option<&Path>,
        group_by: GroupBy,
        start_url: Option<&str>,
        now: SystemTime,
    ) -> Result<Self, SiteError> {
        let recording = load(file)?;
        let volatile =
            volatile.map_or_else(|| Ok(Volatile::default()), |path| volatile::load(path, &recording.digest))?;
        let digest = volatile.digest.clone();
        let replay = Replay::sent_at(&recording, volatile, now);
        let placement = place(&recording, &replay, group_by, start_url)
            .map_err(|reason| SiteError::Placement { file: file.to_owned(), reason })?;
        Ok(Self { digest: recording.digest, volatile: digest, flaws: recording.flaws, replay, placement })
    }
}
