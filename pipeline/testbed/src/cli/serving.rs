//! The arguments that decide how the servers serve, alike for `run` and `serve`.

use clap::Args;

use super::failure::Failure;
use crate::plan::GroupBy;
use crate::scheduler::Scheduling;

#[derive(Debug, Clone, Args)]
pub struct ServingArguments {
    /// In what order responses on one connection are sent, in both kinds of stack: rfc9218 goes by the requests' priority header
    /// (strict urgency; within one urgency in the order of the requests, incremental ones side by side), round-robin ignores it
    #[arg(long, default_value = "rfc9218", value_name = "NAME")]
    scheduler: String,
    /// What to do with PRIORITY_UPDATE frames, which browsers send over HTTP/3 only: count (in the report) or act on them
    #[arg(long, default_value = "count", value_name = "HOW")]
    priority_updates: String,
    /// Which hosts share a server address: address (those that did when recorded, the others have one each), host (none: one
    /// address for each) or one (all hosts, one address)
    #[arg(long, default_value = "address", value_name = "RULE")]
    group_by: String,
}

impl ServingArguments {
    /// # Errors
    /// Where a name is not known.
    pub fn scheduling(&self) -> Result<Scheduling, Failure> {
        Ok(Scheduling { kind: self.scheduler.parse()?, priority_updates: self.priority_updates.parse()? })
    }

    /// # Errors
    /// Where the rule is not known.
    pub fn group_by(&self) -> Result<GroupBy, Failure> {
        Ok(self.group_by.parse()?)
    }

    /// The same again, for another process.
    pub fn again(&self) -> [&str; 6] {
        let (scheduler, updates, group_by) = (&self.scheduler, &self.priority_updates, &self.group_by);
        ["--scheduler", scheduler, "--priority-updates", updates, "--group-by", group_by]
    }
}
