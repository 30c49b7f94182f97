//! The subcommands. Each is a thin edge: it reads its arguments, calls one flow, and turns errors into a sentence and an exit
//! status.

mod calibrate;
mod failure;
mod inside;
mod networks;
mod run;
mod serve;
mod serving;
mod stacks;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::stacks::Carry;

pub use failure::Failure;
pub use run::{RunArguments, Settings};

/// Replays recorded websites over emulated networks, in namespaces that leave nothing behind.
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
    #[command(hide = true)]
    CalibrateInside(calibrate::CalibrateInsideArguments),
    #[command(hide = true)]
    Inside(inside::InsideArguments),
}

/// Parses the arguments and runs the subcommand they name. `carry` gives the stack that is carried out for the one that is named:
/// itself, but in tests, which must see that every other one is found out.
#[must_use]
pub fn main(carry: Carry) -> ExitCode {
    let outcome = match Arguments::parse().command {
        Subcommands::Run(arguments) => run::run(&arguments),
        Subcommands::Serve(arguments) => serve::serve(&arguments, carry),
        Subcommands::Stacks(stacks::StacksArguments {}) => stacks::stacks(),
        Subcommands::Networks(arguments) => networks::networks(&arguments),
        Subcommands::Calibrate(arguments) => calibrate::calibrate(&arguments),
        Subcommands::CalibrateInside(arguments) => calibrate::inside(&arguments),
        Subcommands::Inside(arguments) => inside::inside(&arguments, carry),
    };
    match outcome {
        Ok(status) => ExitCode::from(status),
        Err(failure) => {
            eprintln!("eyelevel testbed: {failure}");
            ExitCode::from(failure.exit_status())
        }
    }
}
