//! A screen and a recorder for a test; both end with it.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use eyelevel_recorder::changes::{ChangesError, End, Reader, Record, Seen};
use eyelevel_recorder::picture::{Change, Picture};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;

use crate::painter::Painter;

pub const WIDTH: u16 = 640;
pub const HEIGHT: u16 = 360;
const PATIENCE: Duration = Duration::from_secs(20);

/// Tests that measure time would measure each other.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

pub struct Screen {
    server: Child,
    pub name: String,
    _alone: MutexGuard<'static, ()>,
}

impl Screen {
    pub fn start() -> Self {
        let alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let size = format!("{}x{}x24", WIDTH + 16, HEIGHT + 16);
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", &size, "-nolisten", "tcp", "-noreset", "-nocursor"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed");
        let mut line = String::new();
        BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut line).expect("it says its number");
        Self { server, name: format!(":{}", line.trim()), _alone: alone }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = kill(Pid::from_raw(self.server.id() as i32), Signal::SIGTERM);
        let _ = self.server.wait();
    }
}

pub struct Recorder {
    process: Child,
    lines: Receiver<String>,
    pub said: Vec<String>,
    folder: TempDir,
}

pub struct Recorded {
    pub pictures: Vec<(Seen, Vec<Change>)>,
    pub end: End,
    pub said: Vec<String>,
}

impl Recorder {
    pub fn start(screen: &Screen) -> Self {
        let folder = TempDir::new().expect("a folder for temporary files");
        let mut process = Command::new(env!("CARGO_BIN_EXE_eyelevel-recorder"))
            .args(["record", "--display", &screen.name, "--size", &format!("{WIDTH}x{HEIGHT}")])
            .arg(folder.path().join("changes"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("it is built");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)).ok();
        });
        let mut recorder = Self { process, lines, said: Vec::new(), folder };
        recorder.wait_for("colour");
        recorder
    }

    /// The next line that holds this word.
    pub fn wait_for(&mut self, word: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("the recorder goes on");
            self.said.push(line.clone());
            if line.contains(word) {
                return line;
            }
        }
    }

    /// Whether it has said anything since it was last listened to.
    pub fn has_spoken(&mut self) -> bool {
        let before = self.said.len();
        self.said.extend(self.lines.try_iter());
        self.said.len() > before
    }

    pub fn written_bytes(&self) -> u64 {
        std::fs::metadata(self.changes()).expect("it is there").len()
    }

    pub fn changes(&self) -> PathBuf {
        self.folder.path().join("changes")
    }

    pub fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.process.id() as i32), signal).expect("it runs");
    }

    pub fn end(mut self) -> Recorded {
        self.signal(Signal::SIGINT);
        assert!(self.process.wait().expect("it ends").success());
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            self.said.push(line);
        }
        let (pictures, end) = read(&self.changes()).expect("it is whole");
        Recorded { pictures, end, said: std::mem::take(&mut self.said) }
    }

    pub fn kill(&mut self) {
        self.signal(Signal::SIGKILL);
        self.process.wait().expect("it ends");
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

type Read = (Vec<(Seen, Vec<Change>)>, End);

pub fn read(path: &PathBuf) -> Result<Read, ChangesError> {
    let mut reader = Reader::begin(BufReader::new(File::open(path).expect("it is there")))?;
    let mut pictures = Vec::new();
    loop {
        match reader.next_record()? {
            Record::Picture(seen, changes) => pictures.push((seen, changes)),
            Record::End(end) => return Ok((pictures, end)),
        }
    }
}

impl Recorded {
    /// The one colour of each picture, None where it has several.
    pub fn colours(&self) -> Vec<Option<u32>> {
        let mut picture = Picture::black(WIDTH, HEIGHT);
        let shown = self.pictures.iter().map(|(_, changes)| {
            changes.iter().for_each(|change| picture.apply(change));
            picture.colour()
        });
        shown.collect()
    }

    pub fn lost(&self) -> u32 {
        self.pictures.iter().map(|(seen, _)| seen.lost).sum::<u32>() + self.end.lost
    }
}

/// Keeps every processor busy twice over while it lives.
pub struct Busy(Vec<Child>);

impl Busy {
    pub fn begin() -> Self {
        let processors = std::thread::available_parallelism().expect("Linux knows").get();
        let spin = || Command::new("sh").args(["-c", "while :; do :; done"]).spawn().expect("a shell");
        Self((0..2 * processors).map(|_| spin()).collect())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Paints without a pause while it lives.
pub struct Scribbling {
    over: Arc<AtomicBool>,
    painting: Option<JoinHandle<()>>,
}

impl Scribbling {
    pub fn begin(painter: Painter, colour: impl Fn(u32) -> u32 + Send + 'static) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&over);
        let painting = std::thread::spawn(move || painter.scribble(&seen, colour));
        Self { over, painting: Some(painting) }
    }
}

impl Drop for Scribbling {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        let _ = self.painting.take().map(JoinHandle::join);
    }
}
