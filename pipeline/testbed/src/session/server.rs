//! The server process, in the server's namespace: this program again, as `serve`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek};
use std::net::Ipv4Addr;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, pipe2};
use serde::Deserialize;

use crate::cli::{Failure, RunArguments};
use crate::sandbox::children::{Children, Event};
use crate::sandbox::error::SandboxError;
use crate::sandbox::namespace::Namespace;
use crate::stacks::Stack;

const STARTING_LIMIT: Duration = Duration::from_secs(30);
/// How long the server may take for its part of the report.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the server tells once it listens: one line of JSON.
#[derive(Debug, Clone, Deserialize)]
pub struct Ready {
    /// Digests of its keys, as Chromium's --ignore-certificate-errors-spki-list takes them.
    pub spki: String,
    pub hosts: BTreeMap<String, Ipv4Addr>,
    pub start_url: String,
}

/// The server while it runs.
pub struct Server {
    pub pid: Pid,
    pub ready: Ready,
    report: File,
}

impl Server {
    /// Starts it and waits until it listens.
    ///
    /// # Errors
    /// [`Failure::Server`] where it does not come to that.
    pub fn start(
        children: &mut Children,
        namespace: &Namespace,
        run: &RunArguments,
        stack: &Stack,
    ) -> Result<Self, Failure> {
        // In memory: a file of its own could stay behind.
        let report = memfd_create("wire report", MFdFlags::MFD_CLOEXEC)
            .map_err(SandboxError::calling("memory for the server's report"))?;
        let (listening, ready) = pipe2(OFlag::O_CLOEXEC).map_err(SandboxError::calling("a pipe"))?;
        let mut serve = Command::new("/proc/self/exe");
        serve
            .arg("serve")
            .arg("--recording")
            .arg(&run.recording)
            .args(["--stack", stack.name, "--seed", &run.seed.to_string()])
            .args(run.serving.again())
            .args(["--ready-fd", &ready.as_raw_fd().to_string()])
            .args(["--report", &format!("/proc/self/fd/{}", report.as_raw_fd())])
            .args(run.start_url.iter().flat_map(|url| ["--start-url", url]))
            .stdin(Stdio::null())
            // Its standard output is not the command's, and Ctrl-C at a terminal is for the command alone.
            .stdout(std::io::stderr())
            .process_group(0);
        share(&report, true)?;
        share(&ready, true)?;
        let started = children.start(namespace, &mut serve)?;
        share(&report, false)?;
        drop(ready);
        let pid = started.map_err(|error| Failure::Server(format!("cannot be started: {error}")))?;
        let ready = wait_until_ready(children, pid, File::from(listening))?;
        Ok(Self { pid, ready, report: File::from(report) })
    }

    /// Ends the server and takes its part of the report; null where it left none.
    #[must_use]
    pub fn finish(mut self, children: &mut Children) -> serde_json::Value {
        if children.ended(self.pid).is_none() {
            // It may just have ended; then there is nobody to tell.
            let _ = kill(self.pid, Signal::SIGTERM);
            children.see_off(self.pid, PATIENCE);
        }
        let mut text = String::new();
        let read = self.report.rewind().and_then(|()| self.report.read_to_string(&mut text));
        read.ok().and_then(|_| serde_json::from_str(&text).ok()).unwrap_or(serde_json::Value::Null)
    }
}

fn wait_until_ready(children: &mut Children, server: Pid, listening: File) -> Result<Ready, Failure> {
    let (sender, line) = channel();
    std::thread::spawn(move || {
        let mut text = String::new();
        let _ = BufReader::new(listening).read_line(&mut text);
        let _ = sender.send(text);
    });
    let deadline = Instant::now() + STARTING_LIMIT;
    loop {
        if let Ok(text) = line.try_recv()
            && !text.is_empty()
        {
            return serde_json::from_str(&text)
                .map_err(|error| Failure::Server(format!("said something else than that it is ready: {error}")));
        }
        if let Some(status) = children.ended(server) {
            return Err(Failure::Server(format!("ended with exit status {status} before it was ready")));
        }
        if Instant::now() > deadline {
            return Err(Failure::Server(format!("was not ready within {} s", STARTING_LIMIT.as_secs())));
        }
        if let Some(Event::Stop { signal, .. }) = children.next(Some(Duration::from_millis(5))) {
            return Err(Failure::Stopped(signal));
        }
    }
}

fn share(fd: impl AsFd, with_child: bool) -> Result<(), SandboxError> {
    let flags = if with_child { FdFlag::empty() } else { FdFlag::FD_CLOEXEC };
    fcntl(fd, FcntlArg::F_SETFD(flags)).map(|_| ()).map_err(SandboxError::calling("sharing a descriptor"))
}
