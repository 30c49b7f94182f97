//! Calibration: measures whether emulated networks match their definitions, with test packets over the same emulation as runs.

pub mod bench;
pub mod error;
pub mod estimate;
pub mod report;
pub mod traffic;
pub mod tries;
