//! One run: the server, the command in front of it, and the report of the traffic between them.

pub mod command;
pub mod error;
mod report;
mod run;
mod server;
mod settings;

pub use run::run;
pub use settings::Settings;
