//! `run`: runs a command in front of a replayed website. Checks the arguments, then starts the run in its namespaces.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use eyelevel_definitions::networks;
use eyelevel_definitions::stacks::{self, Carry};
use nix::unistd::{AccessFlags, access};

use super::failure::Failure;
use super::outcome::status;
use super::serving::ServingArguments;
use crate::sandbox::outer;
use crate::session::{self, Settings};

const EXAMPLES: &str = "\
Examples:
  eyelevel testbed run --recording site.warc.gz --stack QUIC --network MSS --seed 1 -- \\
      sh -c 'chromium --headless --no-sandbox --origin-to-force-quic-on=\"*\" \\
             --host-resolver-rules=\"$EYELEVEL_RESOLVER_RULES\" \\
             --ignore-certificate-errors-spki-list=\"$EYELEVEL_SPKI\" --screenshot=page.png \"$EYELEVEL_START_URL\"'
  eyelevel testbed run --recording site.warc.gz --stack TCP+ --network DSL --seed 7 --report wire.json -- bash
  eyelevel testbed run --recording site.warc.gz --volatile site.volatile.json --stack QUIC --network DSL --seed 7 -- bash

Environment variables of the command:
  EYELEVEL_STACK, EYELEVEL_NETWORK   the names given here
  EYELEVEL_HOSTS                     JSON object: recorded host to address
  EYELEVEL_RESOLVER_RULES            the same for Chromium's --host-resolver-rules; no other host resolves
  EYELEVEL_SPKI                      digest of the servers' key, for --ignore-certificate-errors-spki-list
  EYELEVEL_START_URL                 the page to load first

Exit status: that of the command (128 + n if signal n ended it), or
  1    the namespaces, links or the emulation could not be set up
  2    an argument is wrong: unknown stack, network, scheduler or grouping, or the report cannot be written
  3    root is required, or namespaces are not permitted here
  4    the recording, or the file of its volatile parameters, cannot be read or replayed
  5    the server did not start, or ended before the command
  126  the command could not be started
  127  the command was not found
  130  interrupted (Ctrl-C); 143 terminated, 129 hung up";

/// Run a command in front of a replayed website, behind an emulated network.
///
/// Serves the recording from its recorded addresses over the given stack, in separate network namespaces, and runs COMMAND in the
/// client's. However the run ends, even by kill -9, no process, namespace, link or mount remains.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct RunArguments {
    /// The website to serve: a WARC file, plain or gzip
    #[arg(long, value_name = "FILE")]
    pub recording: PathBuf,
    /// The protocol stack, by its name in `stacks`: TCP, QUIC, ...
    #[arg(long)]
    pub stack: String,
    /// The emulated network: DSL, LTE, DA2GC, MSS or MSS-SLIDES
    #[arg(long, required_unless_present = "network_file")]
    pub network: Option<String>,
    /// A network defined in a JSON file: name, up_mbps, down_mbps, rtt_ms or delay_up_ms and delay_down_ms, loss (round trip, 0 to 1) or
    /// loss_up and loss_down, queue_ms; see docs/guides/define-stacks-and-networks.md
    #[arg(long, value_name = "FILE", conflicts_with = "network")]
    pub network_file: Option<PathBuf>,
    /// Random seed of packet loss and jitter: the same seed loses the same packets, counted from the first
    #[arg(long)]
    pub seed: u64,
    /// Query parameters that the page draws by chance, ignored in matching: a file of contract eyelevel/volatile/1 for this recording;
    /// without it, only exact and closest matches are answered
    #[arg(long, value_name = "FILE")]
    pub volatile: Option<PathBuf>,
    #[command(flatten)]
    pub serving: ServingArguments,
    /// The page to load first; default: the first one recorded
    #[arg(long, value_name = "URL")]
    pub start_url: Option<String>,
    /// Write the wire report (JSON) to this file, whether or not the command succeeds
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Add to the wire report, per 100 ms: packets and bytes of each direction, window and losses of each connection
    #[arg(long, requires = "report")]
    pub series: bool,
    /// Report only connections that began after the moment in this file: the command writes it, in milliseconds since 1970, such as
    /// 1790000000000.5, between two visits. Without the file, all are reported
    #[arg(long, value_name = "FILE", requires = "report")]
    pub counted_from: Option<PathBuf>,
    /// The command and its arguments
    #[arg(required = true, last = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

impl RunArguments {
    /// # Errors
    /// Where one of them is not known, or the report could not be written later.
    fn settings(&self, carry: Carry) -> Result<Settings, Failure> {
        let network = match (&self.network_file, &self.network) {
            (Some(file), _) => networks::read(file)?,
            (None, name) => networks::find(name.as_deref().unwrap_or_default())?,
        };
        if let Some(report) = &self.report {
            check_writable(report)?;
        }
        let stack = stacks::find(&self.stack)?;
        Ok(Settings {
            recording: self.recording.clone(),
            volatile: self.volatile.clone(),
            stack,
            carried: carry(stack),
            network,
            seed: self.seed,
            scheduling: self.serving.scheduling()?,
            group_by: self.serving.group_by()?,
            start_url: self.start_url.clone(),
            report: self.report.clone(),
            counted_from: self.counted_from.clone(),
            series: self.series,
            command: self.command.clone(),
        })
    }
}

/// # Errors
/// [`Failure`] where the run could not start. Errors of the run itself are printed by the inner process, and are its status.
pub fn run(arguments: &RunArguments, carry: Carry) -> Result<u8, Failure> {
    let settings = arguments.settings(carry)?;
    Ok(outer::run(|lead| status(session::run(&settings, lead).map_err(Failure::from)))?)
}

fn check_writable(report: &Path) -> Result<(), Failure> {
    let folder = match report.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let refuse =
        |reason: &str| Failure::Output { what: format!("the report {}", report.display()), reason: reason.to_owned() };
    if report.is_dir() {
        return Err(refuse("it is a folder"));
    }
    access(folder, AccessFlags::W_OK | AccessFlags::X_OK)
        .map_err(|errno| refuse(&format!("its folder cannot be written to ({})", errno.desc())))
}
