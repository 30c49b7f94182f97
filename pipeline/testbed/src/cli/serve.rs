//! `serve`: serves one recording in the present network namespace, without emulation or command.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::time::SystemTime;

use clap::Args;
use eyelevel_definitions::stacks::{self, Carry};
use eyelevel_replay::placement::Placement;
use eyelevel_replay::site::Site;
use serde::Serialize;
use tokio::signal::unix::{SignalKind, signal};

use super::failure::Failure;
use super::serving::ServingArguments;
use crate::files;
use crate::serve::{self, Serving};

const EXAMPLES: &str = "\
Example, on this machine's loopback and on one free port:
  eyelevel-testbed serve --recording site.warc.gz --stack TCP+ --loopback --port 0 --ready-fd 1 --report wire.json

Serves until SIGTERM or SIGINT. Once all servers listen, it writes one line of JSON to the descriptor given by --ready-fd:
  spki        base64 SHA-256 of the servers' key, for Chromium's --ignore-certificate-errors-spki-list
  hosts       recorded host to address
  addresses   all addresses, ascending
  port        of all of them
  start_url   the page to load first

Exit status: 0 after SIGTERM or SIGINT, or
  2    an argument is wrong: unknown stack, scheduler or grouping, or the report or the line cannot be written
  4    the recording, or the file of its volatile parameters, cannot be read or replayed
  5    the servers cannot listen";

/// Serve a recorded website from its addresses in the present network namespace.
#[derive(Debug, Clone, Args)]
#[command(after_help = EXAMPLES)]
pub struct ServeArguments {
    /// The website to serve: a WARC file, plain or gzip
    #[arg(long, value_name = "FILE")]
    recording: PathBuf,
    /// The protocol stack, by its name in `stacks`: TCP, QUIC, ...
    #[arg(long)]
    stack: String,
    /// Query parameters that the page draws by chance, ignored in matching: a file of contract eyelevel/volatile/1 for this recording
    #[arg(long, value_name = "FILE")]
    volatile: Option<PathBuf>,
    #[command(flatten)]
    serving: ServingArguments,
    /// Copied into the report; nothing in the servers is random
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The page to load first; default: the first one recorded
    #[arg(long, value_name = "URL")]
    start_url: Option<String>,
    /// File descriptor for the line that announces that the servers listen
    #[arg(long, default_value_t = 1, value_name = "FD")]
    ready_fd: i32,
    /// Write what was served (JSON) to this file
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Listen on addresses of 127.77.0.0/16 instead of the recorded ones
    #[arg(long)]
    loopback: bool,
    /// The port of all servers; 0 chooses a free one
    #[arg(long, default_value_t = 443)]
    port: u16,
}

/// # Errors
/// [`Failure`] where the servers cannot listen, or the report cannot be written.
pub fn serve(arguments: &ServeArguments, carry: Carry) -> Result<u8, Failure> {
    let stack = stacks::find(&arguments.stack)?;
    let scheduling = arguments.serving.scheduling()?;
    let (group_by, start_url) = (arguments.serving.group_by()?, arguments.start_url.as_deref());
    let volatile = arguments.volatile.as_deref();
    let mut site = Site::load(&arguments.recording, volatile, group_by, start_url, SystemTime::now())?;
    if arguments.loopback {
        site.placement = on_loopback(site.placement);
    }
    let serving = Serving {
        stack,
        carried: carry(stack),
        scheduling,
        seed: arguments.seed,
        series: false,
        port: arguments.port,
        real_time: false,
    };
    let report = serve::serve(site, serving, |announcement| announce(arguments.ready_fd, announcement), asked_to_stop)?;
    if let Some(file) = &arguments.report {
        let text = serde_json::to_vec_pretty(&report).expect("plain structs of plain values always serialize");
        files::write(file, &text).map_err(|error| Failure::Output {
            what: format!("the report {}", file.display()),
            reason: error.to_string(),
        })?;
    }
    Ok(0)
}

/// Completes with SIGTERM or SIGINT.
fn asked_to_stop() -> io::Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Writes the line that announces the servers. Its reader may close its end afterwards; only a signal ends the servers.
fn announce(descriptor: i32, announcement: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(announcement)?;
    line.push(b'\n');
    // By its name in /proc an inherited descriptor can be used without unsafe code.
    OpenOptions::new().write(true).open(format!("/proc/self/fd/{descriptor}"))?.write_all(&line)
}

/// Gives every address of the site one of this machine's loopback instead, in ascending order.
fn on_loopback(mut placement: Placement) -> Placement {
    let addresses: Vec<Ipv4Addr> = placement.addresses().into_iter().collect();
    for address in placement.hosts.values_mut() {
        let place = addresses.iter().position(|planned| planned == address).unwrap_or_default();
        let [.., high, low] = (place + 1).to_be_bytes();
        *address = Ipv4Addr::new(127, 77, high, low);
    }
    placement
}
