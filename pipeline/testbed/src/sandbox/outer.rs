//! The outer process, which users start: it forks the inner one, passes signals on to it, and waits for it.
//!
//! The inner process is the first of its own PID namespace. When it ends, for whatever reason, the kernel ends all others in there and
//! removes the namespaces, links and mounts with them. It ends when the outer process does.

use std::fs::File;
use std::io::Write;
use std::os::fd::OwnedFd;

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::sched::{CloneFlags, unshare};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::SignalFd;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, pipe2};

use super::error::SandboxError;
use super::signals::{FROM_THE_TERMINAL, as_shell};
use super::sys;

/// Forks the inner process, which does `inside` with the line that it is led by, and returns its exit status as a shell would report
/// it. Call it while this process has no other thread.
///
/// # Errors
/// Where the right to make a PID namespace is missing, or the process cannot be started.
pub fn run(inside: impl FnOnce(OwnedFd) -> u8) -> Result<u8, SandboxError> {
    let (lead, leash) = pipe2(OFlag::O_CLOEXEC).map_err(SandboxError::calling("creating a pipe"))?;
    // Blocked before the fork, so that no signal is lost; the inner process undoes it for itself.
    let awaited = SigSet::from_iter([Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGCHLD]);
    let signals = awaited.thread_block().and_then(|()| SignalFd::new(&awaited));
    let signals = signals.map_err(SandboxError::calling("waiting for signals"))?;
    unshare(CloneFlags::CLONE_NEWPID).map_err(SandboxError::calling("creating a PID namespace"))?;
    match sys::fork().map_err(SandboxError::at("starting the inner process"))? {
        ForkResult::Child => {
            drop((leash, signals));
            std::process::exit(inside(lead).into());
        }
        ForkResult::Parent { child } => {
            drop(lead);
            accompany(child, &signals, File::from(leash))
                .map_err(SandboxError::calling("waiting for the inner process"))
        }
    }
}

/// Passes each signal on as one byte, with [`FROM_THE_TERMINAL`] set where the command has received it already, until the inner
/// process ends. Returns 128 plus the number of the last signal, or the inner process's own status where there was none.
fn accompany(inner: Pid, signals: &SignalFd, mut leash: File) -> Result<u8, Errno> {
    let mut stopped_by = None;
    loop {
        let Some(signal) = signals.read_signal()? else { continue };
        // All four are below 32.
        let number = signal.ssi_signo as u8;
        if number == Signal::SIGCHLD as u8 {
            match waitpid(inner, Some(WaitPidFlag::WNOHANG))? {
                WaitStatus::StillAlive => {}
                ended => match (stopped_by, as_shell(ended)) {
                    (Some(signal), Some(_)) => return Ok(128 + signal),
                    (None, Some((_, status))) => return Ok(status),
                    (_, None) => {}
                },
            }
        } else {
            stopped_by = Some(number);
            let terminal = if signal.ssi_code == libc::SI_KERNEL { FROM_THE_TERMINAL } else { 0 };
            // Where the inner process has ended, there is nothing to stop.
            let _ = leash.write_all(&[number | terminal]);
        }
    }
}
