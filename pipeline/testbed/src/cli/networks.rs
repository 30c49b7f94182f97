//! `networks`: lists networks with their definitions and digests.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::failure::Failure;
use eyelevel_definitions::networks::{self, Network};

/// List networks with their definitions and digests, as JSON.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Example: eyelevel testbed networks --network all --network-file lab.json

Exit status: 0, or 2 if a network is unknown or its file is wrong")]
pub struct NetworksArguments {
    #[command(flatten)]
    pub chosen: Chosen,
}

/// Networks by name and by file.
#[derive(Debug, Clone, Args)]
pub struct Chosen {
    /// Names of networks, separated by commas, or all
    #[arg(long, value_delimiter = ',', required_unless_present = "network_files", value_name = "all|NAME[,NAME]")]
    network: Vec<String>,
    /// A network defined in a JSON file, as for `run`; may be repeated
    #[arg(long = "network-file", value_name = "FILE")]
    network_files: Vec<PathBuf>,
}

impl Chosen {
    /// # Errors
    /// Where one is not known, or its file is wrong.
    pub fn networks(&self) -> Result<Vec<Network>, Failure> {
        let mut chosen = Vec::new();
        for name in &self.network {
            match name.as_str() {
                "all" => {
                    chosen.extend(networks::names().into_iter().map(networks::find).collect::<Result<Vec<_>, _>>()?);
                }
                name => chosen.push(networks::find(name)?),
            }
        }
        for file in &self.network_files {
            chosen.push(networks::read(file)?);
        }
        Ok(chosen)
    }
}

/// # Errors
/// Where one is not known, or its file is wrong.
pub fn networks(arguments: &NetworksArguments) -> Result<u8, Failure> {
    let listed: Vec<_> = arguments
        .chosen
        .networks()?
        .iter()
        .map(|network| json!({"name": network.name, "digest": network.digest(), "definition": network}))
        .collect();
    let text = serde_json::to_string_pretty(&listed).expect("numbers and strings always serialize") + "\n";
    std::io::stdout().write_all(text.as_bytes()).map_err(|error| Failure::stdout(&error))?;
    Ok(0)
}
