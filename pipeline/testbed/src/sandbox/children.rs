//! The processes of a run, seen from the first one: it starts the command, and reaps it and all that lost their parents.

use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{Id, WaitPidFlag, waitid, waitpid};
use nix::unistd::Pid;

use super::error::SandboxError;
use super::namespace::Namespace;
use super::signals::as_shell;

/// The events of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// The outer process wants the run to stop, with this signal; `known` where the command has received it already.
    Stop { signal: u8, known: bool },
    /// A process ended, with its exit status as a shell tells it.
    Ended(Pid, u8),
    /// The server's thread has reported something: that it listens, or that it has ended.
    Server,
}

/// Starts processes in namespaces and reports their ends.
pub struct Children {
    events: Receiver<Event>,
    sender: Sender<Event>,
    /// Held while a process is started, so that the reaper leaves one that failed to start to the library.
    starting: Arc<Mutex<()>>,
    /// Ends that someone else was waiting beside.
    ended: Vec<(Pid, u8)>,
}

impl Default for Children {
    fn default() -> Self {
        let (sender, events) = channel();
        Self { events, sender, starting: Arc::default(), ended: Vec::new() }
    }
}

impl Children {
    /// Where others report events to.
    #[must_use]
    pub fn sender(&self) -> Sender<Event> {
        self.sender.clone()
    }

    /// Starts reaping. The calling process must be the first of its PID namespace, and start processes through here only.
    pub fn reap(&self) {
        let (sender, starting) = (self.sender.clone(), self.starting.clone());
        std::thread::spawn(move || {
            loop {
                match waitid(Id::All, WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT) {
                    Ok(ended) => {
                        let _guard = starting.lock().unwrap_or_else(PoisonError::into_inner);
                        if let Some(status) = ended.pid().and_then(|pid| waitpid(pid, None).ok())
                            && let Some((pid, code)) = as_shell(status)
                        {
                            let _ = sender.send(Event::Ended(pid, code));
                        }
                    }
                    // No child yet, or none any more.
                    Err(Errno::ECHILD) => std::thread::sleep(Duration::from_millis(20)),
                    Err(_) => {}
                }
            }
        });
    }

    /// Starts a process inside a network namespace.
    ///
    /// # Errors
    /// The outer error where the namespace cannot be entered, the inner one where the program cannot be started.
    pub fn start(&self, namespace: &Namespace, command: &mut Command) -> Result<std::io::Result<Pid>, SandboxError> {
        let _guard = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        // Process ids fit: the kernel's limit is 2^22.
        namespace.enter(|| Ok(command.spawn().map(|child| Pid::from_raw(child.id() as i32))))
    }

    /// The next event, or none within `limit`.
    pub fn next(&mut self, limit: Option<Duration>) -> Option<Event> {
        let event = match limit {
            Some(limit) => self.events.recv_timeout(limit),
            // This struct holds a sender, so the channel stays open.
            None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        if let Ok(Event::Ended(pid, code)) = event {
            self.ended.push((pid, code));
        }
        event.ok()
    }

    /// The exit status of a process that has ended.
    #[must_use]
    pub fn ended(&self, pid: Pid) -> Option<u8> {
        self.ended.iter().find(|ended| ended.0 == pid).map(|ended| ended.1)
    }

    /// Waits for a process to end, and makes it end where it has not within `patience`.
    pub fn see_off(&mut self, pid: Pid, patience: Duration) {
        let deadline = Instant::now() + patience;
        while self.ended(pid).is_none() {
            if self.next(Some(deadline.saturating_duration_since(Instant::now()))).is_none() {
                let _ = kill(pid, Signal::SIGKILL);
                return;
            }
        }
    }
}
