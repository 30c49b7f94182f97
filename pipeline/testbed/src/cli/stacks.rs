//! `stacks`: lists protocol stacks with their definitions and digests.

use std::io::Write as _;

use clap::Args;
use serde_json::json;

use super::failure::Failure;
use eyelevel_definitions::stacks::STACKS;

/// List the protocol stacks with their definitions and digests, as JSON (docs/reference/stacks.md explains them).
#[derive(Debug, Clone, Args)]
#[command(after_help = "Exit status: 0")]
pub struct StacksArguments {}

/// # Errors
/// Where standard output cannot be written to.
pub fn stacks() -> Result<u8, Failure> {
    let listed: Vec<_> =
        STACKS.iter().map(|stack| json!({"name": stack.name, "digest": stack.digest(), "definition": stack})).collect();
    let text = serde_json::to_string_pretty(&listed).expect("numbers and strings always serialize") + "\n";
    std::io::stdout().write_all(text.as_bytes()).map_err(|error| Failure::stdout(&error))?;
    Ok(0)
}
