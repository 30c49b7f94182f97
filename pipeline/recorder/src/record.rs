//! Records a screen until it is asked to end: writes the changes file, and reports pictures on its output.
//!
//! The output is lines of JSON: first {"clock_us"}, the wall clock when the monotonic clock was 0, by which all times are
//! made; for each picture {"time_us", "late_us", "lost", "unquiet", "colour", "rectangles"}; {"until_us"} (all changes
//! until then are reported) after `BEAT_US` without another line; at the end {"end_us", "merged", "equal", "lost"}.
//! Each damage is in exactly one picture, stored or equal: merged + equal + stored.
//!
//! SIGUSR1 holds the recorder: it only records. It prints no line, requests nothing but pictures from the server, and
//! compresses nothing until `store::HELD_BYTES` wait, because all of that would take time from the page that is loading.
//! After SIGUSR2 it first prints the lines of the meantime, then continues as before.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;

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
use crate::store::Store;

/// The interval of the lines with the time until which all changes are reported, by which a quiet page is recognized.
const BEAT_US: u64 = 40_000;
/// The film's container has times in whole milliseconds, and no two pictures may have the same.
const STEP_US: u64 = 1_000;

/// The longest wait for damage or a signal.
const FOREVER_US: u64 = 60_000_000;

const HOLD: Signal = Signal::SIGUSR1;
const GO_ON: Signal = Signal::SIGUSR2;

#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error(transparent)]
    Screen(#[from] ScreenError),
    #[error("the changes cannot be written: {0}")]
    Store(io::Error),
    #[error("the recorder's output cannot be written: {0}")]
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
    recorder.finish(asked.map(|_| ()))
}

fn signals() -> Result<SignalFd, Errno> {
    let mut asked = SigSet::empty();
    for signal in [HOLD, GO_ON, Signal::SIGINT, Signal::SIGTERM] {
        asked.add(signal);
    }
    asked.thread_block()?;
    SignalFd::with_flags(&asked, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)
}

/// What the recorder is asked to do.
#[derive(Clone, Copy)]
enum Asked {
    Hold,
    GoOn,
    End,
}

struct Recorder<W: Write> {
    screen: Screen,
    clock: WallClock,
    picture: Picture,
    burst: Option<Burst>,
    output: W,
    held: bool,
    /// lines that are printed when it is no longer held
    unsaid: String,
    store: Store,
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
        let mut recorder = Self {
            screen,
            clock: WallClock::read(),
            picture: Picture::black(whole.width, whole.height),
            burst: None,
            output,
            held: false,
            unsaid: String::new(),
            store: Store::begin(file),
            end: End::default(),
            late_us: 0,
            last_us: 0,
            beat_us: 0,
        };
        recorder.say(&format!("{{\"clock_us\":{}}}\n", recorder.clock.at_zero_us))?;
        recorder.first(whole)?;
        Ok(recorder)
    }

    /// The first content of the screen is a picture as well, even if all of it is black.
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

    /// Runs one turn of the loop; false at the end.
    fn step(&mut self, signals: &SignalFd) -> Result<bool, RecordError> {
        self.listen()?;
        let now_us = monotonic_us();
        let due_us = self.burst.as_ref().map_or(u64::MAX, Burst::due_us);
        let next_us = if self.held { due_us } else { due_us.min(self.beat_us) };
        // also if there is nothing to wait for: painting without a pause must not delay signals
        match wait(&self.screen, signals, next_us.saturating_sub(now_us))? {
            Some(Asked::End) => return Ok(false),
            Some(asked) => self.hold(matches!(asked, Asked::Hold))?,
            None => {}
        }
        if due_us <= now_us
            && let Some(burst) = self.burst.take()
        {
            self.fetch(burst, false)?;
        }
        if self.beat_us <= now_us && !self.held {
            self.beat()?;
        }
        Ok(true)
    }

    /// Only record from now on; or print the lines of the meantime and go on.
    fn hold(&mut self, held: bool) -> Result<(), RecordError> {
        self.held = held;
        self.store.hold(held);
        let unsaid = std::mem::take(&mut self.unsaid);
        self.say(&unsaid)
    }

    /// Take note of all damage so far, for a limited time if it comes without end.
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

    /// Store and report a picture; one that equals the previous one is only counted, together with its lost states.
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
        let line = picture_line(&seen, self.picture.colour(), &changes);
        if !self.store.works() {
            return Err(RecordError::Store(io::Error::other("the thread that writes them has ended")));
        }
        self.store.put(seen, changes);
        self.beat_us = monotonic_us() + BEAT_US;
        self.say(&line)
    }

    /// Report the time until which all changes are reported: the first paint that is not fetched yet, or now, if the
    /// server confirms that there was none.
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
        // an error of the writing thread takes precedence
        self.store.end(ended.is_ok().then_some(self.end)).map_err(RecordError::Store)?;
        ended
    }

    fn last_picture(&mut self) -> Result<(), RecordError> {
        self.hold(false)?;
        let now_us = monotonic_us();
        self.screen.settle()?;
        self.listen()?;
        if let Some(burst) = self.burst.take() {
            self.fetch(burst, true)?;
        }
        self.end.time_us = self.clock.at_us(now_us).max(self.last_us);
        let End { time_us, merged, equal, lost } = self.end;
        self.say(&format!("{{\"end_us\":{time_us},\"merged\":{merged},\"equal\":{equal},\"lost\":{lost}}}\n"))
    }

    fn say(&mut self, line: &str) -> Result<(), RecordError> {
        if self.held {
            self.unsaid.push_str(line);
            return Ok(());
        }
        self.output.write_all(line.as_bytes()).and_then(|()| self.output.flush()).map_err(RecordError::Output)
    }
}

/// Until damage may have come, or for so long; what a signal has asked for, if one came.
fn wait(screen: &Screen, signals: &SignalFd, at_most_us: u64) -> Result<Option<Asked>, RecordError> {
    let mut sources =
        [PollFd::new(screen.readable(), PollFlags::POLLIN), PollFd::new(signals.as_fd(), PollFlags::POLLIN)];
    match ppoll(&mut sources, Some(TimeSpec::microseconds(at_most_us.min(FOREVER_US) as i64)), None) {
        Ok(_) | Err(Errno::EINTR) => {}
        Err(error) => return Err(error.into()),
    }
    let signal = if sources[1].any().unwrap_or(false) { signals.read_signal()? } else { None };
    Ok(signal.map(|signal| match Signal::try_from(signal.ssi_signo as i32) {
        Ok(HOLD) => Asked::Hold,
        Ok(GO_ON) => Asked::GoOn,
        _ => Asked::End,
    }))
}

fn picture_line(seen: &Seen, colour: Option<u32>, changes: &[Change]) -> String {
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
