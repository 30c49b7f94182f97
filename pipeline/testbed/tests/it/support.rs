//! What the tests share: turns, a tiny recording, a started run, and what the host looks like.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use nix::fcntl::{Flock, FlockArg};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, geteuid};

pub const TESTBED: &str = env!("CARGO_BIN_EXE_eyelevel-testbed");
/// The only host of the tiny recording, and its recorded address.
pub const HOST: &str = "tiny.example";
pub const ADDRESS: &str = "192.0.2.80";
/// Ample on a busy machine; what is waited for usually takes a tenth of a second.
const LIMIT: Duration = Duration::from_secs(20);

/// While it lives, no other test makes namespaces, times anything or serves anybody, and no capture films: runs that share processors
/// would measure each other. Shared turns, which other shared turns go beside, are for tests that wait more than they compute and time
/// nothing. It is the lock of `pipeline/eyelevel/machine.py`.
pub struct Turn {
    _lock: Flock<fs::File>,
}

/// Waits for a turn.
pub fn turn() -> Turn {
    wait_for(FlockArg::LockExclusive)
}

/// Only root may take part in the machine's turns; others wait for each other.
fn wait_for(kind: FlockArg) -> Turn {
    let file = if geteuid().is_root() {
        PathBuf::from("/run/eyelevel-capture.lock")
    } else {
        std::env::temp_dir().join(format!("eyelevel-tests-{}.lock", geteuid()))
    };
    let open = fs::OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(file);
    // Each opening is a lock of its own, so threads wait for each other as processes do. The kernel releases it.
    let lock = Flock::lock(open.unwrap(), kind).map_err(|(_, errno)| errno);
    Turn { _lock: lock.unwrap() }
}

/// Waits for a turn. Without root a test cannot run: it is skipped with a reason, unless EYELEVEL_REQUIRE demands it.
pub fn turn_with_namespaces() -> Option<Turn> {
    with_namespaces(FlockArg::LockExclusive)
}

/// The same beside other tests that share their turn.
pub fn shared_turn_with_namespaces() -> Option<Turn> {
    with_namespaces(FlockArg::LockShared)
}

fn with_namespaces(kind: FlockArg) -> Option<Turn> {
    if geteuid().is_root() {
        return Some(wait_for(kind));
    }
    let demanded = std::env::var("EYELEVEL_REQUIRE").unwrap_or_default();
    assert!(
        !demanded.split([',', ' ']).any(|word| word == "root" || word == "all"),
        "EYELEVEL_REQUIRE demands root, but this is not root"
    );
    eprintln!("skipped: needs root for network namespaces");
    None
}

/// The lower quartile. A busy machine adds bytes and time and never takes any away, so of many runs the lower ones show what the program
/// does; a fault of the program moves them all.
pub fn lower_quartile(mut values: Vec<usize>) -> usize {
    values.sort_unstable();
    values[values.len() / 4]
}

/// A website of one page of our own making.
pub fn recording(folder: &tempfile::TempDir) -> PathBuf {
    recording_of(folder, HOST, "<!doctype html><title>tiny</title><p>A page.")
}

/// The same with another host and page.
pub fn recording_of(folder: &tempfile::TempDir, host: &str, body: &str) -> PathBuf {
    recording_of_all(folder, &[host], body)
}

/// The same with that page from each host, all at one address.
pub fn recording_of_all(folder: &tempfile::TempDir, hosts: &[&str], body: &str) -> PathBuf {
    let file = folder.path().join("site.warc");
    fs::write(&file, hosts.iter().map(|host| record(host, body)).collect::<String>()).unwrap();
    file
}

fn record(host: &str, body: &str) -> String {
    let response =
        format!("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\n\
         WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: https://{host}/\r\nWARC-IP-Address: {ADDRESS}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{response}\r\n\r\n",
        response.len()
    )
}

/// The testbed with faults, which cargo builds beside the tests.
pub fn planted() -> PathBuf {
    let executable = std::env::current_exe().unwrap();
    let built = executable.ancestors().nth(2).unwrap().join("examples/planted");
    assert!(built.exists(), "{} is missing: cargo build --release --example planted", built.display());
    built
}

/// `run` over the tiny recording, not yet started.
pub struct Plan {
    folder: tempfile::TempDir,
    arguments: Vec<String>,
    mark: String,
    ignoring: bool,
}

impl Plan {
    pub fn new(stack: &str, network: &str, seed: u64, command: &[&str]) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let folder = tempfile::tempdir().unwrap();
        let recording = recording(&folder);
        let report = folder.path().join("wire.json");
        let mut arguments: Vec<String> = ["run", "--stack", stack, "--network", network].map(str::to_owned).into();
        arguments.extend(["--seed".to_owned(), seed.to_string()]);
        arguments.extend(["--recording".to_owned(), recording.display().to_string()]);
        arguments.extend(["--report".to_owned(), report.display().to_string(), "--".to_owned()]);
        arguments.extend(command.iter().map(|word| (*word).to_owned()));
        let mark = format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        Self { folder, arguments, mark, ignoring: false }
    }

    /// Makes the command a shell script, which gets a line that waits for [`Run::let_go`].
    pub fn waiting(mut self, script: impl FnOnce(&str) -> String) -> Self {
        let wait = format!("until [ -e {} ]; do sleep 0.02; done", self.folder.path().join("gate").display());
        self.arguments.extend(["sh".to_owned(), "-c".to_owned(), script(&wait)]);
        self
    }

    /// Starts it as a shell starts a program in the background: with SIGINT and SIGQUIT ignored.
    pub fn in_the_background(mut self) -> Self {
        self.ignoring = true;
        self
    }

    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    pub fn report(&self) -> Option<serde_json::Value> {
        report_in(self.folder.path())
    }

    /// Every process of the run inherits the mark, so it can be told from all others on this host.
    pub fn start(self) -> Run {
        let mut command = if self.ignoring {
            let mut shell = Command::new("sh");
            shell.args(["-c", "trap '' INT QUIT; exec \"$0\" \"$@\"", TESTBED]);
            shell
        } else {
            Command::new(TESTBED)
        };
        let outer = command
            .args(&self.arguments)
            .env("EYELEVEL_TEST_MARK", &self.mark)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Run { outer, folder: self.folder, mark: self.mark }
    }

    /// Starts it and waits for its end.
    pub fn finish(self) -> Finished {
        let mut run = self.start();
        let output = read_all(&mut run);
        let status = run.outer.wait().unwrap();
        let report = report_in(run.folder.path());
        Finished { status, stdout: output.0, stderr: output.1, report }
    }
}

/// What a run left.
#[derive(Debug)]
pub struct Finished {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
    pub report: Option<serde_json::Value>,
}

/// A run that goes on.
pub struct Run {
    pub outer: Child,
    folder: tempfile::TempDir,
    mark: String,
}

impl Run {
    pub fn let_go(&self) {
        fs::write(self.folder.path().join("gate"), "").unwrap();
    }

    /// Reads the command's output up to a line.
    pub fn wait_for_line(&mut self, line: &str) {
        let mut output = BufReader::new(self.outer.stdout.as_mut().unwrap());
        let mut text = String::new();
        while output.read_line(&mut text).unwrap() > 0 {
            if text.trim_end() == line {
                return;
            }
            text.clear();
        }
        let mut errors = String::new();
        self.outer.stderr.as_mut().unwrap().read_to_string(&mut errors).unwrap();
        panic!("the command never said {line}: {errors}");
    }

    /// The processes of this run, the outer one included.
    pub fn processes(&self) -> Vec<Pid> {
        let wanted = format!("EYELEVEL_TEST_MARK={}", self.mark);
        processes()
            .filter(|pid| {
                let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
                environment.split(|byte| *byte == 0).any(|variable| variable == wanted.as_bytes())
            })
            .collect()
    }

    /// Those of its processes whose command line contains `part`.
    pub fn processes_with(&self, part: &str) -> Vec<Pid> {
        let contains = |pid: &Pid| {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).replace('\0', " ").contains(part)
        };
        self.processes().into_iter().filter(contains).collect()
    }

    /// The first process of the run's PID namespace.
    pub fn inner(&self) -> Pid {
        let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", self.outer.id())).unwrap();
        Pid::from_raw(children.trim().parse().expect("one child"))
    }

    pub fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(i32::try_from(self.outer.id()).unwrap()), signal).unwrap();
    }

    pub fn wait(&mut self) -> ExitStatus {
        let deadline = Instant::now() + LIMIT;
        loop {
            if let Some(status) = self.outer.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < deadline, "the run does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// A test that fails leaves nothing either.
impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.outer.kill();
        let _ = self.outer.wait();
    }
}

fn read_all(run: &mut Run) -> (String, String) {
    let mut stderr = run.outer.stderr.take().unwrap();
    let errors = std::thread::spawn(move || {
        let mut text = String::new();
        stderr.read_to_string(&mut text).unwrap();
        text
    });
    let mut output = String::new();
    run.outer.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    (output, errors.join().unwrap())
}

fn processes() -> impl Iterator<Item = Pid> {
    fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok().map(Pid::from_raw))
}

/// What a run could leave on the host.
#[derive(Debug, PartialEq, Eq)]
pub struct Host {
    interfaces: BTreeSet<String>,
    mounts: BTreeSet<String>,
    files: BTreeSet<String>,
}

impl Host {
    pub fn look() -> Self {
        let interfaces = fs::read_to_string("/proc/net/dev").unwrap();
        let files = ["/run", "/run/netns", "/dev/shm"].into_iter().flat_map(|folder| fs::read_dir(folder).into_iter());
        Self {
            interfaces: interfaces.lines().filter_map(|line| Some(line.split_once(':')?.0.trim().to_owned())).collect(),
            mounts: fs::read_to_string("/proc/self/mountinfo").unwrap().lines().map(str::to_owned).collect(),
            files: files
                .flatten()
                .filter_map(|entry| Some(entry.ok()?.path().display().to_string()))
                .filter(|path| path.contains("eyelevel") || path.contains("rattan") || path.contains("netns"))
                .collect(),
        }
    }
}

/// What a run had while it went on: to be gone when it has ended.
#[derive(Debug)]
pub struct Had {
    processes: Vec<Pid>,
    namespaces: BTreeSet<PathBuf>,
}

impl Had {
    /// Looks at a run that goes on.
    pub fn by(run: &Run) -> Self {
        let our_namespaces = namespaces_of("self");
        let processes = run.processes();
        let namespaces = processes
            .iter()
            .flat_map(|pid| namespaces_of(&pid.to_string()))
            .filter(|namespace| !our_namespaces.contains(namespace))
            .collect();
        Self { processes, namespaces }
    }

    pub fn assert_plausible(&self) {
        assert!(self.processes.len() >= 3, "outer, inner and command: {self:?}");
        let networks = self.namespaces.iter().filter(|path| path.to_str().unwrap().starts_with("net:")).count();
        assert!(networks >= 3, "emulation, client and server: {self:?}");
    }

    /// The kernel takes a namespace's processes away just after its first one.
    pub fn assert_gone(&self) {
        let deadline = Instant::now() + LIMIT;
        loop {
            let alive: Vec<_> =
                self.processes.iter().filter(|pid| PathBuf::from(format!("/proc/{pid}")).exists()).collect();
            let used: Vec<_> = processes()
                .flat_map(|pid| namespaces_of(&pid.to_string()))
                .filter(|namespace| self.namespaces.contains(namespace))
                .collect();
            if alive.is_empty() && used.is_empty() {
                return;
            }
            assert!(Instant::now() < deadline, "left behind: processes {alive:?}, namespaces {used:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// The network, mount and PID namespaces of every thread of a process.
fn namespaces_of(process: &str) -> BTreeSet<PathBuf> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    threads
        .flat_map(|thread| ["net", "mnt", "pid"].map(|kind| thread.path().join("ns").join(kind)))
        .filter_map(|link| fs::read_link(link).ok())
        .collect()
}

fn report_in(folder: &Path) -> Option<serde_json::Value> {
    fs::read(folder.join("wire.json")).ok().map(|text| serde_json::from_slice(&text).unwrap())
}
