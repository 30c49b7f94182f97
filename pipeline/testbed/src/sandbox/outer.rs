//! The process that people start: it makes the inner one, passes signals on to it, and waits for it.
//!
//! The inner process is the first of its own PID namespace, so its end, however it comes, ends all others in there, and the
//! kernel takes the namespaces, links and mounts away with them. It ends when this one does.

use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use nix::sched::{CloneFlags, unshare};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::SignalFd;
use nix::unistd::pipe2;

use super::error::SandboxError;

/// A terminal gives Ctrl-C to everyone in the foreground, the command included.
pub const FROM_THE_TERMINAL: u8 = 0x80;

/// Starts this program again as the first process of a new PID namespace, with `arguments` and the number of the
/// descriptor that it is led by, and returns its exit status as a shell would tell it.
///
/// # Errors
/// Where the right to make a PID namespace is missing, or the process cannot be started.
pub fn run(arguments: impl FnOnce(i32) -> Vec<OsString>) -> Result<u8, SandboxError> {
    let (lead, leash) = pipe2(OFlag::O_CLOEXEC).map_err(SandboxError::calling("a pipe"))?;
    keep_for_child(&lead).map_err(SandboxError::calling("a pipe"))?;
    let stopped_by = pass_signals_on(leash).map_err(SandboxError::calling("handling signals"))?;
    // From here on this process can have children only, no further threads.
    unshare(CloneFlags::CLONE_NEWPID).map_err(SandboxError::calling("a PID namespace"))?;
    let mut inner = Command::new("/proc/self/exe")
        .arg0(std::env::args_os().next().unwrap_or_default())
        .args(arguments(lead.as_raw_fd()))
        .spawn()
        .map_err(SandboxError::at("starting the inner process"))?;
    drop(lead);
    let status = inner.wait().map_err(SandboxError::at("waiting for the inner process"))?;
    Ok(match stopped_by.load(Ordering::Relaxed) {
        0 => as_shell(status),
        signal => 128 + signal,
    })
}

/// Sends each signal as one byte through the pipe, with [`FROM_THE_TERMINAL`] set where the command has it already.
/// Returns where the last one is found, 0 before any.
fn pass_signals_on(leash: OwnedFd) -> nix::Result<Arc<AtomicU8>> {
    let stops = SigSet::from_iter([Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP]);
    // The inner process inherits this, and undoes it for itself.
    stops.thread_block()?;
    let signals = SignalFd::new(&stops)?;
    let stopped_by = Arc::new(AtomicU8::new(0));
    let last = stopped_by.clone();
    let mut leash = File::from(leash);
    std::thread::spawn(move || {
        while let Ok(Some(signal)) = signals.read_signal() {
            // All three are below 32.
            let number = signal.ssi_signo as u8;
            last.store(number, Ordering::Relaxed);
            let terminal = if signal.ssi_code == libc::SI_KERNEL { FROM_THE_TERMINAL } else { 0 };
            // Where the inner process has ended, there is nothing to stop.
            let _ = leash.write_all(&[number | terminal]);
        }
    });
    Ok(stopped_by)
}

/// 128 + n for a process that signal n ended.
#[must_use]
pub fn as_shell(status: ExitStatus) -> u8 {
    match (status.code(), status.signal()) {
        (Some(code), _) => u8::try_from(code).unwrap_or(u8::MAX),
        (None, Some(signal)) => u8::try_from(128 + signal).unwrap_or(u8::MAX),
        (None, None) => u8::MAX,
    }
}

fn keep_for_child(fd: &OwnedFd) -> nix::Result<()> {
    fcntl(fd, FcntlArg::F_SETFD(FdFlag::empty())).map(|_| ())
}
