//! The arguments that decide the order of bytes, alike for `run` and `serve`.

use clap::Args;

use super::failure::Failure;
use crate::scheduler::Scheduling;

#[derive(Debug, Clone, Args)]
pub struct SchedulingArguments {
    /// In what order responses on one connection are sent, in both kinds of stack: rfc9218 goes by the requests' priority header
    /// (strict urgency; within one urgency in the order of the requests, incremental ones side by side), round-robin ignores it
    #[arg(long, default_value = "rfc9218", value_name = "NAME")]
    scheduler: String,
    /// What to do with PRIORITY_UPDATE frames, which browsers send over HTTP/3 only: count (in the report) or act on them
    #[arg(long, default_value = "count", value_name = "HOW")]
    priority_updates: String,
}

impl SchedulingArguments {
    /// # Errors
    /// Where a name is not known.
    pub fn parse(&self) -> Result<Scheduling, Failure> {
        Ok(Scheduling { kind: self.scheduler.parse()?, priority_updates: self.priority_updates.parse()? })
    }

    /// The same again, for another process.
    pub fn again(&self) -> [&str; 4] {
        ["--scheduler", &self.scheduler, "--priority-updates", &self.priority_updates]
    }
}
