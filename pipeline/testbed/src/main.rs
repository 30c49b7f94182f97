//! The command line of the testbed; each subcommand has a module in `cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    eyelevel_testbed::cli::main(|stack| stack)
}
