//! `networks`: which there are, with their definitions and digests.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::failure::Failure;
use crate::networks::{self, Network};

/// List networks with their definitions and the digests of these, as JSON.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Example: eyelevel testbed networks --network all --network-file lab.json

Exit status: 0, or 2 where a network is unknown or its file is wrong")]
pub struct NetworksArguments {
    #[command(flatten)]
    pub chosen: Chosen,
}

/// Networks by name and by file.
#[derive(Debug, Clone, Args)]
pub struct Chosen {
    /// Which networks: all, or names with commas between them
    #[arg(long, value_delimiter = ',', required_unless_present = "network_files", value_name = "all|NAME[,NAME]")]
    network: Vec<String>,
    /// A network of one's own, as for `run`; may be given several times
    #[arg(long = "network-file", value_name = "FILE")]
    network_files: Vec<PathBuf>,
}

impl Chosen {
    /// # Errors
    /// Where one is not known, or its file is wrong.
    pub fn networks(&self) -> Result<Vec<Network>, Failure> {
        let mut found = Vec::new();
        for name in &self.network {
            match name.as_str() {
                "all" => {
                    found.extend(networks::names().into_iter().map(networks::find).collect::<Result<Vec<_>, _>>()?);
                }
                name => found.push(networks::find(name)?),
            }
        }
        for file in &self.network_files {
            found.push(networks::read(file)?);
        }
        Ok(found)
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
    std::io::stdout()
        .write_all(text.as_bytes())
        .map_err(|error| Failure::Report { file: "standard output".to_owned(), reason: error.to_string() })?;
    Ok(0)
}
