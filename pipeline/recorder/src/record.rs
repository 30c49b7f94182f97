//! Records a screen until it is asked to end: writes the changes file, and says on its output what has been seen.
//!
//! The output is lines of JSON: first {"clock_us"}, the wall clock when the monotonic clock was 0, by which all times are
//! made; for each picture {"time_us", "late_us", "lost", "unquiet", "colour", "rectangles"}; {"until_us"} (all changes
//! until then have been told) where nothing else was said for `BEAT_US`; in the end {"end_us", "merged", "equal", "lost"}.
//! Of the damage heard, each is in exactly one picture, stored or equal: merged + equal + stored. A thread of its own
//! compresses and writes, so that a slow disk does not make the recorder late.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{JoinHandle, spawn};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::time::{TimeSpec, TimeValLike};

use crate::burst::{Burst, Damage, Fetch, LONGEST_US, Outcome};
use crate::changes::{End, Seen, Writer};
use crate::clock::{WallClock, monotonic_us};
use crate::picture::{Change, Picture};
use crate::rectangle::Rectangle;
use crate::screen::{Screen, ScreenError};

/// Until when all changes have been told is said so often, whatever is painted; a page's quiet is known by that.
const BEAT_US: u64 = 40_000;
/// The film's container has times in whole milliseconds, and no two pictures may have the same.
const STEP_US: u64 = 1_000;
/// Pictures that wait to be written; where more do, the recorder waits, and says that it was late.
const QUEUE: usize = 32;

#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error(transparent)]
    Screen(#[from] ScreenError),
    #[error("the changes cannot be written: {0}")]
    Store(io::Error),
    #[error("nobody reads the recorder's output: {0}")]
    Output(io::Error),
    #[error("signals cannot be received: {0}")]
    Signals(#[from] Errno),
}

/// Until SIGINT or SIGTERM. Call it before any thread is started: threads inherit which signals are blocked.
pub fn record<W: Write>(display: &str, (width, height): (u16, u16), to: File, output: W) -> Result<(), RecordError> {
    let signals = signals()?;
    let mut recorder = Recorder::begin(Screen::open(display, width, height)?, to, output)?;
    let asked = loop {
        match recorder.step(&signals) {
            Ok(true) => {}
            ended => break ended,
        }
    };
    // what the writing thread failed of is the cause, where there is one
    recorder.finish(asked.map(|_| ()))
}

fn signals() -> Result<SignalFd, Errno> {
    let mut ending = SigSet::empty();
    ending.add(Signal::SIGINT);
    ending.add(Signal::SIGTERM);
    ending.thread_block()?;
    SignalFd::with_flags(&ending, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)
}

enum Stored {
    Picture(Seen, Vec<Change>),
    End(End),
}

struct Recorder<W: Write> {
    screen: Screen,
    clock: WallClock,
    picture: Picture,
    burst: Option<Burst>,
    output: W,
    store: SyncSender<Stored>,
    writing: JoinHandle<io::Result<()>>,
    end: End,
    /// of pictures that were dropped as equal
    late_us: u64,
    last_us: u64,
    beat_us: u64,
}

impl<W: Write> Recorder<W> {
    fn begin(screen: Screen, to: File, output: W) -> Result<Self, RecordError> {
        let whole = screen.whole();
        let file = Writer::begin(to, whole.width, whole.height).map_err(RecordError::Store)?;
        let (store, stored) = sync_channel(QUEUE);
        let mut recorder = Self {
            screen,
            clock: WallClock::read(),
            picture: Picture::black(whole.width, whole.height),
            burst: None,
            output,
            store,
            writing: spawn(move || write(file, &stored)),
            end: End::default(),
            late_us: 0,
            last_us: 0,
            beat_us: 0,
        };
        recorder.say(&format!("{{\"clock_us\":{}}}\n", recorder.clock.at_zero_us))?;
        recorder.first(whole)?;
        Ok(recorder)
    }

    /// What the screen shows in the beginning is a picture too, even if all is black.
    fn first(&mut self, whole: Rectangle) -> Result<(), RecordError> {
        let now_us = monotonic_us();
        let moment = self.screen.fetch(&[whole])?;
        while let Some(damage) = self.screen.next_damage()? {
            // before that, the server tells of all that was there already
            if damage.sequence >= moment.start {
                self.damaged(&damage);
                break;
            }
        }
        let changes: Vec<_> =
            self.screen.fetched(&[whole]).filter_map(|(place, pixels)| self.picture.look(place, pixels)).collect();
        self.keep(now_us, Seen { time_us: 0, late_us: 0, lost: 0, unquiet: false }, changes)
    }

    /// One turn; false where it is to end.
    fn step(&mut self, signals: &SignalFd) -> Result<bool, RecordError> {
        self.listen()?;
        let now_us = monotonic_us();
        let due_us = self.burst.as_ref().map_or(u64::MAX, Burst::due_us);
        let next_us = due_us.min(self.beat_us);
        // even where there is nothing to wait for: painting without a pause must not keep it from seeing a signal
        if wait(&self.screen, signals, next_us.saturating_sub(now_us))? {
            return Ok(false);
        }
        if due_us <= now_us
            && let Some(burst) = self.burst.take()
        {
            self.fetch(burst, false)?;
        }
        if self.beat_us <= now_us {
            self.beat()?;
        }
        Ok(true)
    }

    /// Take note of all damage so far; where it comes without end, only for a while.
    fn listen(&mut self) -> Result<(), RecordError> {
        let until_us = monotonic_us() + LONGEST_US;
        while let Some(damage) = self.screen.next_damage()? {
            self.damaged(&damage);
            if monotonic_us() >= until_us {
                break;
            }
        }
        Ok(())
    }

    fn damaged(&mut self, damage: &Damage) {
        self.burst = Some(Burst::with(self.burst.take(), damage));
    }

    /// Fetch the burst's picture. Where something was painted just before the fetch, it may be torn: then, unless it is
    /// high time, the burst goes on.
    fn fetch(&mut self, burst: Burst, last: bool) -> Result<(), RecordError> {
        let rectangles = burst.cover.rectangles().to_vec();
        let asked_us = monotonic_us();
        let moment = self.screen.fetch(&rectangles)?;
        let fetched_us = monotonic_us();
        let mut heard = Vec::new();
        while let Some(damage) = self.screen.next_damage()? {
            heard.push(damage);
            if damage.sequence >= moment.end {
                break;
            }
        }
        let fetch = Fetch { rectangles: &rectangles, moment, heard: &heard, asked_us, fetched_us, last };
        let (burst, quiet) = match burst.after(&fetch) {
            Outcome::Again(burst) => {
                self.burst = Some(burst);
                return Ok(());
            }
            Outcome::Picture { burst, quiet, next } => {
                self.burst = next;
                (burst, quiet)
            }
        };
        let changes =
            self.screen.fetched(&rectangles).filter_map(|(place, pixels)| self.picture.look(place, pixels)).collect();
        self.end.merged += burst.events - 1;
        let late_us = self.late_us.max(fetched_us.saturating_sub(burst.unseen_since_us));
        let seen = Seen {
            time_us: 0, // `keep` knows
            late_us: u32::try_from(late_us).unwrap_or(u32::MAX),
            lost: self.end.lost + burst.lost,
            unquiet: !quiet,
        };
        self.keep(burst.first_us, seen, changes)
    }

    /// Store and tell a picture; one that equals the one before is only counted, what was lost before it not forgotten.
    fn keep(&mut self, first_us: u64, seen: Seen, changes: Vec<Change>) -> Result<(), RecordError> {
        if changes.is_empty() && self.last_us > 0 {
            self.end.equal += 1;
            self.end.lost = seen.lost;
            self.late_us = seen.late_us.into();
            return Ok(());
        }
        self.end.lost = 0;
        self.late_us = 0;
        self.last_us = self.clock.at_us(first_us).max(self.last_us + STEP_US);
        let seen = Seen { time_us: self.last_us, ..seen };
        let line = told(&seen, self.picture.colour(), &changes);
        // where it cannot be taken, the thread has ended with an error, which `finish` returns
        self.store
            .send(Stored::Picture(seen, changes))
            .map_err(|error| RecordError::Store(io::Error::other(error.to_string())))?;
        self.beat_us = monotonic_us() + BEAT_US;
        self.say(&line)
    }

    /// Say until when all changes have been told: until the first paint that is not fetched yet, or until now, if the
    /// server agrees that there was none.
    fn beat(&mut self) -> Result<(), RecordError> {
        let now_us = monotonic_us();
        if self.burst.is_none() {
            self.screen.settle()?;
            self.listen()?;
        }
        let until_us = self.burst.as_ref().map_or(now_us, |burst| burst.unseen_since_us.min(now_us));
        self.beat_us = now_us + BEAT_US;
        self.say(&format!("{{\"until_us\":{}}}\n", self.clock.at_us(until_us)))
    }

    fn finish(mut self, asked: Result<(), RecordError>) -> Result<(), RecordError> {
        let ended = asked.and_then(|()| self.last_picture());
        drop(self.store);
        let written = self.writing.join().expect("the writing thread does not panic");
        written.map_err(RecordError::Store)?;
        ended
    }

    fn last_picture(&mut self) -> Result<(), RecordError> {
        let now_us = monotonic_us();
        self.screen.settle()?;
        self.listen()?;
        if let Some(burst) = self.burst.take() {
            self.fetch(burst, true)?;
        }
        self.end.time_us = self.clock.at_us(now_us).max(self.last_us);
        let End { time_us, merged, equal, lost } = self.end;
        self.store
            .send(Stored::End(self.end))
            .map_err(|error| RecordError::Store(io::Error::other(error.to_string())))?;
        self.say(&format!("{{\"end_us\":{time_us},\"merged\":{merged},\"equal\":{equal},\"lost\":{lost}}}\n"))
    }

    fn say(&mut self, line: &str) -> Result<(), RecordError> {
        self.output.write_all(line.as_bytes()).and_then(|()| self.output.flush()).map_err(RecordError::Output)
    }
}

/// Until damage may have come, or for so long; whether a signal has.
fn wait(screen: &Screen, signals: &SignalFd, at_most_us: u64) -> Result<bool, RecordError> {
    let mut sources =
        [PollFd::new(screen.readable(), PollFlags::POLLIN), PollFd::new(signals.as_fd(), PollFlags::POLLIN)];
    match ppoll(&mut sources, Some(TimeSpec::microseconds(at_most_us as i64)), None) {
        Ok(_) | Err(Errno::EINTR) => Ok(sources[1].any().unwrap_or(false)),
        Err(error) => Err(error.into()),
    }
}

fn write(mut file: Writer<File>, stored: &Receiver<Stored>) -> io::Result<()> {
    for record in stored {
        match record {
            Stored::Picture(seen, changes) => file.picture(seen, &changes)?,
            Stored::End(end) => return file.end(end),
        }
    }
    Ok(())
}

fn told(seen: &Seen, colour: Option<u32>, changes: &[Change]) -> String {
    let Seen { time_us, late_us, lost, unquiet } = seen;
    let colour = colour.map_or("null".into(), |colour| format!("\"#{colour:06x}\""));
    let rectangles: Vec<_> = changes
        .iter()
        .map(|Change { rectangle: Rectangle { x, y, width, height }, .. }| format!("[{x},{y},{width},{height}]"))
        .collect();
    let rectangles = rectangles.join(",");
    format!(
        "{{\"time_us\":{time_us},\"late_us\":{late_us},\"lost\":{lost},\"unquiet\":{unquiet},\"colour\":{colour},\
         \"rectangles\":[{rectangles}]}}\n"
    )
}
