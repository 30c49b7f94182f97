//! `stacks`: which there are, with their definitions and digests.

use std::io::Write as _;

use clap::Args;
use serde_json::json;

use super::failure::Failure;
use crate::stacks::STACKS;

/// List the stacks with their definitions and the digests of these, as JSON.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Exit status: 0")]
pub struct StacksArguments {}

/// # Errors
/// Where standard output does not take it.
pub fn stacks() -> Result<u8, Failure> {
    let listed: Vec<_> =
        STACKS.iter().map(|stack| json!({"name": stack.name, "digest": stack.digest(), "definition": stack})).collect();
    let text = serde_json::to_string_pretty(&listed).expect("numbers and strings always serialize") + "\n";
    std::io::stdout()
        .write_all(text.as_bytes())
        .map_err(|error| Failure::Report { file: "standard output".to_owned(), reason: error.to_string() })?;
    Ok(0)
}
