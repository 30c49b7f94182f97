//! One run: the server and the command in front of it, and the report of what went over the wire between them.

pub mod client;
pub mod report;
pub mod server;
