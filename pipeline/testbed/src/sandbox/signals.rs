//! Signals: the dispositions that the testbed relies on, and exit statuses as a shell reports them.

use nix::errno::Errno;
use nix::sys::signal::{SigSet, Signal};
use nix::sys::wait::WaitStatus;
use nix::unistd::Pid;

use super::sys;

/// A terminal sends Ctrl-C to every process in the foreground, the command included.
pub const FROM_THE_TERMINAL: u8 = 0x80;

/// A shell that starts a program in the background ignores SIGINT and SIGQUIT for it, and programs inherit that. A parent that
/// ignores SIGCHLD takes the exit statuses of children away.
const RELIED_ON: [Signal; 5] = [Signal::SIGINT, Signal::SIGQUIT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGCHLD];

/// Gives this process, and so the command that it runs, the default dispositions of the signals that it relies on, and unblocks all
/// signals, whatever its parent ignored or blocked. Call it before any thread starts.
///
/// # Errors
/// The kernel's.
pub fn reset() -> Result<(), Errno> {
    RELIED_ON.into_iter().try_for_each(sys::default_disposition)?;
    SigSet::empty().thread_set_mask()
}

/// The process, and its exit status: 128 + n where signal n ended it. `None` where it has not ended.
#[must_use]
pub fn as_shell(status: WaitStatus) -> Option<(Pid, u8)> {
    match status {
        WaitStatus::Exited(pid, code) => Some((pid, u8::try_from(code).unwrap_or(u8::MAX))),
        WaitStatus::Signaled(pid, signal, _) => Some((pid, 128 + signal as u8)),
        _ => None,
    }
}
