//! The subcommands. Each is a thin edge: it reads its arguments, calls one flow, and turns errors into a sentence and an exit
//! status.

mod calibrate;
mod failure;
mod networks;
mod outcome;
mod run;
mod serve;
mod serving;
mod stacks;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use eyelevel_definitions::stacks::Carry;

use crate::sandbox::signals;
use outcome::status;

/// Replays recorded websites over emulated networks, in namespaces that are removed with the run.
#[derive(Debug, Parser)]
#[command(name = "eyelevel-testbed", version, max_term_width = 110)]
struct Arguments {
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    Run(run::RunArguments),
    Serve(serve::ServeArguments),
    Stacks(stacks::StacksArguments),
    Networks(networks::NetworksArguments),
    Calibrate(calibrate::CalibrateArguments),
}

/// Parses the arguments and runs the subcommand they name. `carry` returns the stack that is really run for the one that is named: the
/// same, except in tests, which check that every other one is detected.
#[must_use]
pub fn main(carry: Carry) -> ExitCode {
    if let Err(errno) = signals::reset() {
        eprintln!("eyelevel testbed: cannot set the dispositions of signals: {}", errno.desc());
        return ExitCode::FAILURE;
    }
    ExitCode::from(status(match Arguments::parse().command {
        Subcommands::Run(arguments) => run::run(&arguments, carry),
        Subcommands::Serve(arguments) => serve::serve(&arguments, carry),
        Subcommands::Stacks(stacks::StacksArguments {}) => stacks::stacks(),
        Subcommands::Networks(arguments) => networks::networks(&arguments),
        Subcommands::Calibrate(arguments) => calibrate::calibrate(&arguments),
    }))
}
