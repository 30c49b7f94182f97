//! The subcommands.

/// Parses the arguments and runs the subcommand they name.
/// Parses the arguments and runs the subcommand they name.
pub fn main() -> std::process::ExitCode {
    std::process::ExitCode::SUCCESS
}
