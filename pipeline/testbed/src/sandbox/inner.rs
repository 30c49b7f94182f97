//! The first process of the sandbox: bound to the life of the outer one, in mounts of its own.

use std::fs::File;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::mpsc::Sender;

use nix::mount::{MsFlags, mount};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::{SigSet, Signal};

use super::children::Event;
use super::error::SandboxError;
use super::namespace;
use super::signals::FROM_THE_TERMINAL;

/// Binds this process to its parent and gives it mounts, interfaces and a host name of its own. Call it before any
/// thread starts. The descriptor is the one that [`super::outer::run`] gives.
///
/// # Errors
/// Where a right is missing, or the parent is gone already.
pub fn settle(lead: OwnedFd) -> Result<OwnedFd, SandboxError> {
    set_pdeathsig(Signal::SIGKILL).map_err(SandboxError::calling("binding to the outer process"))?;
    // The outer process blocks signals for itself; the command shall not inherit that.
    SigSet::empty().thread_set_mask().map_err(SandboxError::calling("letting signals through"))?;
    // A parent that ended before the line above left us alive; then its end of the pipe is closed.
    let mut line = [PollFd::new(lead.as_fd(), PollFlags::empty())];
    poll(&mut line, PollTimeout::ZERO).map_err(SandboxError::calling("the line to the outer process"))?;
    if line[0].revents().is_some_and(|events| events.contains(PollFlags::POLLHUP)) {
        return Err(SandboxError::Failed { step: "the line to the outer process", reason: "it is gone".to_owned() });
    }
    unshare(CloneFlags::CLONE_NEWNS | CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWIPC | CloneFlags::CLONE_NEWUTS)
        .map_err(SandboxError::calling("namespaces for mounts and interfaces"))?;
    // Nothing mounted from here on is seen outside.
    mount(None::<&str>, "/", None::<&str>, MsFlags::MS_REC | MsFlags::MS_PRIVATE, None::<&str>)
        .map_err(SandboxError::calling("private mounts"))?;
    // /proc of the new PID namespace; also where the handles of network namespaces come from.
    let plain = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    mount(Some("proc"), "/proc", Some("proc"), plain, None::<&str>).map_err(SandboxError::calling("an own /proc"))?;
    namespace::without_ipv6()?;
    Ok(lead)
}

/// Reports the signals that the outer process passes on, and ends this process as soon as the outer one has ended.
pub fn follow(lead: OwnedFd, events: Sender<Event>) {
    std::thread::spawn(move || {
        let mut lead = File::from(lead);
        let mut signal = [0];
        loop {
            match lead.read(&mut signal) {
                Ok(1) => {
                    let number = signal[0] & !FROM_THE_TERMINAL;
                    let _ = events.send(Event::Stop { signal: number, known: signal[0] != number });
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                // As the first process of its namespace, this one takes all others with it.
                _ => std::process::exit(128 + Signal::SIGKILL as i32),
            }
        }
    });
}
