//! The process that people start: it makes the inner one, passes signals on to it, and waits for it.
//!
//! The inner process is the first of its own PID namespace, so its end, however it comes, ends all others in there, and the
//! kernel takes the namespaces, links and mounts away with them. It ends when this one does.

use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};

use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use nix::sched::{CloneFlags, unshare};
use nix::unistd::pipe2;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::error::SandboxError;

/// Starts this program again as the first process of a new PID namespace, with `arguments` and the number of the
/// descriptor that it is led by, and returns its exit status as a shell would tell it.
///
/// # Errors
/// Where the right to make a PID namespace is missing, or the process cannot be started.
pub fn run(arguments: impl FnOnce(i32) -> Vec<OsString>) -> Result<u8, SandboxError> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map_err(SandboxError::at("handling signals"))?;
    let (lead, leash) = pipe2(OFlag::O_CLOEXEC).map_err(SandboxError::calling("a pipe"))?;
    keep_for_child(&lead).map_err(SandboxError::calling("a pipe"))?;
    let mut leash = File::from(leash);
    std::thread::spawn(move || {
        for signal in signals.forever() {
            // All three are below 32. Where the inner process has ended, there is nothing to stop.
            let _ = leash.write_all(&[signal as u8]);
        }
    });
    // From here on this process can have children only, no further threads.
    unshare(CloneFlags::CLONE_NEWPID).map_err(SandboxError::calling("a PID namespace"))?;
    let mut inner = Command::new("/proc/self/exe")
        .arg0_of_this_program()
        .args(arguments(lead.as_raw_fd()))
        .spawn()
        .map_err(SandboxError::at("starting the inner process"))?;
    drop(lead);
    let status = inner.wait().map_err(SandboxError::at("waiting for the inner process"))?;
    Ok(as_shell(status))
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

/// `ps` shows the program by its name, not as /proc/self/exe.
trait Arg0 {
    fn arg0_of_this_program(&mut self) -> &mut Self;
}

impl Arg0 for Command {
    fn arg0_of_this_program(&mut self) -> &mut Self {
        use std::os::unix::process::CommandExt;
        match std::env::args_os().next() {
            Some(name) => self.arg0(name),
            None => self,
        }
    }
}
