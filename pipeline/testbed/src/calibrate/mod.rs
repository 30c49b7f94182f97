//! Are the networks what they say they are? Measures them with packets of its own, over the same emulation as runs.

pub mod bench;
pub mod estimate;
pub mod report;
pub mod traffic;
pub mod tries;
