//! One run: the server, the command in front of it, and the report of what went over the wire between them.

pub mod command;
pub mod error;
mod report;
mod run;
mod server;
mod settings;

pub use run::run;
pub use settings::Settings;
