//! Arguments of the servers that `run` and `serve` share.

use clap::Args;

use super::failure::Failure;
use eyelevel_replay::placement::GroupBy;
use eyelevel_scheduling::Scheduling;

#[derive(Debug, Clone, Args)]
pub struct ServingArguments {
    /// Order of the responses on one connection, for all stacks: rfc9218 obeys the priority header of the requests (strict urgency;
    /// within one urgency in the order of the requests, incremental ones interleaved), round-robin ignores it
    #[arg(long, default_value = "rfc9218", value_name = "NAME")]
    scheduler: String,
    /// PRIORITY_UPDATE frames, which browsers send over HTTP/3 only: count them in the report, or act on them
    #[arg(long, default_value = "count", value_name = "HOW")]
    priority_updates: String,
    /// Which hosts share a server address: address (hosts that shared one when recorded; the others get one each), host (none;
    /// every host gets one) or one (all hosts share one)
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
}
