//! The end of a subcommand: its error as one line on standard error, and its exit status.

use super::failure::Failure;

/// Prints the error, if there is one; returns the exit status.
pub fn status(outcome: Result<u8, Failure>) -> u8 {
    outcome.unwrap_or_else(|failure| {
        eprintln!("eyelevel testbed: {failure}");
        failure.exit_status()
    })
}
