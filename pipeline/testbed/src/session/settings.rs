//! All parameters of a run.

use std::ffi::OsString;
use std::path::PathBuf;

use eyelevel_definitions::networks::Network;
use eyelevel_definitions::stacks::Stack;
use eyelevel_replay::placement::GroupBy;
use eyelevel_scheduling::Scheduling;

/// One run, with every name looked up.
#[derive(Debug, Clone)]
pub struct Settings {
    pub recording: PathBuf,
    /// The file of the recording's volatile parameters.
    pub volatile: Option<PathBuf>,
    /// The stack that the report names.
    pub stack: &'static Stack,
    /// The stack that is really run: the same, except in tests.
    pub carried: &'static Stack,
    pub network: Network,
    pub seed: u64,
    pub scheduling: Scheduling,
    pub group_by: GroupBy,
    pub start_url: Option<String>,
    pub report: Option<PathBuf>,
    /// The file with the moment from which the report counts, in milliseconds since 1970; the command writes it.
    pub counted_from: Option<PathBuf>,
    /// Whether the report has packets, bytes and windows over time.
    pub series: bool,
    /// Program and arguments; at least one word.
    pub command: Vec<OsString>,
}
