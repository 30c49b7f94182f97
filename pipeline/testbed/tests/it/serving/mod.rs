//! The servers against real clients of both transports, on loopback.

mod site;

mod answers;
mod first_visit;
mod order;
mod priority_updates;
mod reports;
mod slow_path;
