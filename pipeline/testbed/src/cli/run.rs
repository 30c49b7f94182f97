//! `run`: what people and the pipeline call. Checks what can be checked cheaply, then hands over to `inside`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use nix::unistd::{AccessFlags, access};

use super::failure::Failure;
use super::serving::ServingArguments;
use crate::networks::{self, Network};
use crate::plan::GroupBy;
use crate::sandbox::outer;
use crate::scheduler::Scheduling;
use crate::stacks::{self, Stack};

const EXAMPLES: &str = "\
Examples:
  eyelevel testbed run --recording site.warc.gz --stack QUIC --network MSS --seed 1 -- \\
      sh -c 'chromium --headless --no-sandbox --origin-to-force-quic-on=\"*\" \\
             --host-resolver-rules=\"$EYELEVEL_RESOLVER_RULES\" \\
             --ignore-certificate-errors-spki-list=\"$EYELEVEL_SPKI\" --screenshot=page.png \"$EYELEVEL_START_URL\"'
  eyelevel testbed run --recording site.warc.gz --stack TCP+ --network DSL --seed 7 --report wire.json -- bash

The command finds in its environment:
  EYELEVEL_STACK, EYELEVEL_NETWORK   the names given here
  EYELEVEL_HOSTS                     JSON object, recorded host to address
  EYELEVEL_RESOLVER_RULES            the same for Chromium's --host-resolver-rules; no other host is found
  EYELEVEL_SPKI                      digests of the servers' keys, for --ignore-certificate-errors-spki-list
  EYELEVEL_START_URL                 the page that was recorded

Exit status: that of the command (128 + n where signal n ended it), or
  1    the namespaces, links or the emulation could not be set up
  2    an argument is wrong: unknown stack, network, scheduler or grouping, a report that cannot be written
  3    root is needed, or namespaces are not permitted here
  4    the recording cannot be read or replayed
  5    the server did not start, or ended before the command
  126  the command could not be started
  127  the command was not found
  130  interrupted (Ctrl-C); 143 terminated, 129 hung up";

/// Run a command in front of a replayed website, behind an emulated network.
///
/// Serves the recording from its recorded addresses over the given stack, in network namespaces of its own, and runs COMMAND where a
/// browser would be. Whatever ends the run, kill -9 included, no process, namespace, link or mount stays behind.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct RunArguments {
    /// The website to serve: a WARC file, plain or gzip
    #[arg(long, value_name = "FILE")]
    pub recording: PathBuf,
    /// The protocol stack, by its name in `stacks`: TCP, QUIC, ...
    #[arg(long)]
    pub stack: String,
    /// The emulated network: DSL, LTE, DA2GC or MSS
    #[arg(long, required_unless_present = "network_file")]
    pub network: Option<String>,
    /// A network of one's own, as JSON: name, up_mbps, down_mbps, rtt_ms, loss (round trip, 0 to 1), queue_ms; more in docs/networks.md
    #[arg(long, value_name = "FILE", conflicts_with = "network")]
    pub network_file: Option<PathBuf>,
    /// Decides which packets are lost: the same seed loses the same packets, counted from the first
    #[arg(long)]
    pub seed: u64,
    #[command(flatten)]
    pub serving: ServingArguments,
    /// The page to start with, where it is not the first one recorded
    #[arg(long, value_name = "URL")]
    pub start_url: Option<String>,
    /// Where to write what went over the wire, as JSON; it is written whether or not the command succeeds
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// The command and its arguments
    #[arg(required = true, last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// Everything that the arguments name, looked up.
pub struct Settings {
    pub stack: &'static Stack,
    pub network: Network,
    pub scheduling: Scheduling,
    pub group_by: GroupBy,
}

impl RunArguments {
    /// # Errors
    /// Where one of them is not known, or the report could not be written later.
    pub fn settings(&self) -> Result<Settings, Failure> {
        let network = match (&self.network_file, &self.network) {
            (Some(file), _) => networks::read(file)?,
            (None, name) => networks::find(name.as_deref().unwrap_or_default())?,
        };
        if let Some(report) = &self.report {
            check_writable(report)?;
        }
        Ok(Settings {
            stack: stacks::find(&self.stack)?,
            network,
            scheduling: self.serving.scheduling()?,
            group_by: self.serving.group_by()?,
        })
    }
}

/// # Errors
/// [`Failure`] where the run could not begin.
pub fn run(arguments: &RunArguments) -> Result<u8, Failure> {
    arguments.settings()?;
    let own = std::env::args_os().skip(2);
    Ok(outer::run(|lead| ["inside".into(), "--lead".into(), lead.to_string().into()].into_iter().chain(own).collect())?)
}

fn check_writable(report: &Path) -> Result<(), Failure> {
    let folder = match report.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let refuse = |reason: &str| Failure::Report { file: report.display().to_string(), reason: reason.to_owned() };
    if report.is_dir() {
        return Err(refuse("it is a folder"));
    }
    access(folder, AccessFlags::W_OK | AccessFlags::X_OK)
        .map_err(|errno| refuse(&format!("its folder cannot be written to ({})", errno.desc())))
}
