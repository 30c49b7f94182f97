//! The parameters with which a site is served.

use eyelevel_definitions::stacks::Stack;
use eyelevel_scheduling::Scheduling;

/// All parameters of serving.
#[derive(Debug, Clone, Copy)]
pub struct Serving {
    /// The stack that the report names.
    pub stack: &'static Stack,
    /// The stack that is really served: the same, except in tests.
    pub carried: &'static Stack,
    pub scheduling: Scheduling,
    pub seed: u64,
    /// Whether the report has each connection's window over time.
    pub series: bool,
    /// 0 takes a free one.
    pub port: u16,
    /// Whether the calling thread runs before all ordinary ones.
    pub real_time: bool,
}
