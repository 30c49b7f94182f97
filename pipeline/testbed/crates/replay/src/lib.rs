//! A recorded website: its responses, which of them answers a request, and which address serves which host.
//!
//! Pure but for reading the recording's file: no socket and no clock. The time of sending is an argument.

mod coding;
mod hosts;
pub mod matching;
pub mod page_type;
pub mod path_parameters;
pub mod placement;
pub mod ports;
pub mod recording;
pub mod request_body;
pub mod site;
pub mod volatile;
