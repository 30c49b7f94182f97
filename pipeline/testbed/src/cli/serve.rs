//! `serve`: the servers of one recording in the present network namespace. `run` starts it; it also works alone.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use tokio::signal::unix::{SignalKind, signal};

use super::failure::Failure;
use super::serving::ServingArguments;
use crate::plan::{self, Grouping, Plan};
use crate::recording::{self, Recording};
use crate::replay::Replay;
use crate::scheduler::{CHUNK_BYTES, Scheduling, UNSENT_LIMIT_BYTES};
use crate::serve::{Listen, Served, Servers};
use crate::stacks::{self, Carry, Stack};
use crate::wire::server::Kernel;

const EXAMPLES: &str = "\
Example, on this machine's loopback and on one free port:
  eyelevel-testbed serve --recording site.warc.gz --stack TCP+ --loopback --port 0 --ready-fd 1 --report wire.json

Serves until SIGTERM or SIGINT. Once it listens it writes one line to the descriptor given by --ready-fd, as JSON:
  spki        base64 SHA-256 of the servers' key, for Chromium's --ignore-certificate-errors-spki-list
  hosts       recorded host to address
  addresses   all addresses, ascending
  port        of all of them
  start_url   the page that was recorded

Exit status: 0 after SIGTERM or SIGINT, or
  2    an argument is wrong: unknown stack, scheduler or grouping, a report or ready line that cannot be written
  4    the recording cannot be read or replayed
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
    #[command(flatten)]
    serving: ServingArguments,
    /// Names the run in the report; nothing in the servers is random
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The page to start with, where it is not the first one recorded
    #[arg(long, value_name = "URL")]
    start_url: Option<String>,
    /// Where to write the line that says that the servers listen
    #[arg(long, default_value_t = 1, value_name = "FD")]
    ready_fd: i32,
    /// Where to write what was served, as JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Listen on 127.77.0.0/16 instead of the planned addresses, one for each
    #[arg(long)]
    loopback: bool,
    /// The port of all servers; 0 takes a free one
    #[arg(long, default_value_t = 443)]
    port: u16,
}

/// The server's part of the wire report.
#[derive(Debug, Serialize)]
struct Report<'a> {
    recording: &'a str,
    stack: &'static str,
    stack_digest: String,
    scheduler: &'static str,
    /// What was done with PRIORITY_UPDATE frames; how many came is told by connection.
    priority_updates: &'static str,
    seed: u64,
    start_url: &'a str,
    grouping: Grouping,
    chunk_bytes: usize,
    unsent_limit_bytes: u32,
    kernel: Kernel,
    #[serde(flatten)]
    served: Served,
}

/// # Errors
/// [`Failure`] where the servers do not come to listen, or what they have to say cannot be written.
pub fn serve(arguments: &ServeArguments, carry: Carry) -> Result<u8, Failure> {
    let stack = stacks::find(&arguments.stack)?;
    let scheduling = arguments.serving.scheduling()?;
    let recording = recording::load(&arguments.recording)?;
    let replay = Replay::new(&recording);
    let plan = plan::plan(&recording, &replay, arguments.serving.group_by()?, arguments.start_url.as_deref())
        .map_err(|reason| Failure::Plan { file: arguments.recording.display().to_string(), reason })?;
    let plan = if arguments.loopback { on_loopback(plan) } else { plan };
    // One thread: the emulated links are slow, and turns are then taken in one order.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|reason| Failure::Server(format!("has no event loop: {reason}")))?;
    let served = runtime.block_on(answer(arguments, &recording, replay, &plan, carry(stack), scheduling))?;
    let report = Report {
        recording: &recording.digest,
        stack: stack.name,
        stack_digest: stack.digest(),
        scheduler: scheduling.kind.name(),
        priority_updates: scheduling.priority_updates.name(),
        seed: arguments.seed,
        start_url: &plan.start_url,
        grouping: plan.grouping,
        chunk_bytes: CHUNK_BYTES,
        unsent_limit_bytes: UNSENT_LIMIT_BYTES,
        kernel: Kernel::here(),
        served,
    };
    if let Some(file) = &arguments.report {
        let text = serde_json::to_vec_pretty(&report).expect("plain structs of plain values always serialize");
        write(file, &text)
            .map_err(|error| Failure::Report { file: file.display().to_string(), reason: error.to_string() })?;
    }
    Ok(0)
}

async fn answer(
    arguments: &ServeArguments,
    recording: &Recording,
    replay: Replay,
    plan: &Plan,
    stack: &'static Stack,
    scheduling: Scheduling,
) -> Result<Served, Failure> {
    let no_signals = |reason: io::Error| Failure::Server(format!("cannot wait for signals: {reason}"));
    let mut terminate = signal(SignalKind::terminate()).map_err(no_signals)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(no_signals)?;
    let listen = Listen { port: arguments.port };
    let servers = Servers::bind(&recording.digest, replay, plan, stack, scheduling, listen)?;
    announce(arguments.ready_fd, servers.announcement()).map_err(|error| Failure::Report {
        file: format!("ready line (descriptor {})", arguments.ready_fd),
        reason: error.to_string(),
    })?;
    let stop = async {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    Ok(servers.run(stop).await)
}

/// The reader may close its end after this line; only a signal ends the servers.
fn announce(descriptor: i32, announcement: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(announcement)?;
    line.push(b'\n');
    // By its name in /proc an inherited descriptor can be used without unsafe code.
    OpenOptions::new().write(true).open(format!("/proc/self/fd/{descriptor}"))?.write_all(&line)
}

/// Every planned address has one of its own on this machine, in ascending order.
fn on_loopback(mut plan: Plan) -> Plan {
    let addresses: Vec<Ipv4Addr> = plan.addresses().into_iter().collect();
    for address in plan.hosts.values_mut() {
        let place = addresses.iter().position(|planned| planned == address).unwrap_or_default();
        let [.., high, low] = (place + 1).to_be_bytes();
        *address = Ipv4Addr::new(127, 77, high, low);
    }
    plan
}

/// Beside its place first, so that a broken report is never found there; what is not a file (a pipe, `/dev/stdout`) is written to.
fn write(file: &Path, text: &[u8]) -> io::Result<()> {
    let special = fs::symlink_metadata(file).is_ok_and(|metadata| !metadata.is_file());
    if special {
        return OpenOptions::new().write(true).open(file)?.write_all(text);
    }
    let mut beside = file.as_os_str().to_owned();
    beside.push(".part");
    fs::write(&beside, text).and_then(|()| fs::rename(&beside, file))
}
