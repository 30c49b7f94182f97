//! Pictures on their way into the changes file: a separate thread compresses and writes them, so that neither a slow
//! disk nor the compression makes the recorder late.
//!
//! While the thread is held, it waits, so that it takes no time from the page that is loading. Pictures stay in memory, up
//! to `HELD_BYTES`.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{JoinHandle, spawn};

use crate::changes::{End, Seen, Writer};
use crate::picture::Change;

/// The limit of waiting pixels: at the limit the recorder waits, and reports that it was late.
const MOST_BYTES: usize = 128 << 20;
/// The limit of waiting pixels while the thread is held; beyond it the oldest are written.
const HELD_BYTES: usize = 64 << 20;

pub struct Store {
    shared: Arc<Shared>,
    writing: JoinHandle<io::Result<()>>,
}

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    pictures: VecDeque<(Seen, Vec<Change>)>,
    bytes: usize,
    held: bool,
    /// nothing comes any more; with the end, if there is one to be written
    last: Option<Option<End>>,
    /// the thread has ended, and takes nothing any more
    has_ended: bool,
}

impl Store {
    pub fn begin(file: Writer<File>) -> Self {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        Self { shared, writing: spawn(move || theirs.write(file)) }
    }

    /// Hold the thread, or release it.
    pub fn hold(&self, held: bool) {
        self.shared.lock().held = held;
        self.shared.changed.notify_all();
    }

    /// Add a picture. Where the thread has failed, nothing more is kept; `end` returns the error.
    pub fn put(&self, seen: Seen, changes: Vec<Change>) {
        let bytes = bytes(&changes);
        let mut waiting = self.shared.until(|waiting| waiting.bytes <= MOST_BYTES || waiting.has_ended);
        waiting.bytes += bytes;
        waiting.pictures.push_back((seen, changes));
        drop(waiting);
        self.shared.changed.notify_all();
    }

    /// Whether the thread still writes.
    pub fn works(&self) -> bool {
        !self.shared.lock().has_ended
    }

    /// Write what waits, and the end if there is one.
    pub fn end(self, end: Option<End>) -> io::Result<()> {
        self.shared.lock().last = Some(end);
        self.shared.changed.notify_all();
        self.writing.join().expect("the writing thread does not panic")
    }
}

impl Shared {
    fn write(&self, mut file: Writer<File>) -> io::Result<()> {
        let _leaving = Leaving(self);
        loop {
            let mut waiting = self.until(Waiting::is_due);
            let Some((seen, changes)) = waiting.pictures.pop_front() else {
                let end = waiting.last.flatten();
                drop(waiting);
                return end.map_or(Ok(()), |end| file.end(end));
            };
            drop(waiting);
            let written = file.picture(seen, &changes);
            self.lock().bytes -= bytes(&changes);
            self.changed.notify_all();
            written?;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn until(&self, met: impl Fn(&Waiting) -> bool) -> MutexGuard<'_, Waiting> {
        self.changed.wait_while(self.lock(), |waiting| !met(waiting)).unwrap_or_else(PoisonError::into_inner)
    }
}

/// Marks the thread as ended, also after a panic, so that nothing waits for it.
struct Leaving<'a>(&'a Shared);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.lock().has_ended = true;
        self.0.changed.notify_all();
    }
}

impl Waiting {
    /// Whether the thread has something to do.
    fn is_due(&self) -> bool {
        self.last.is_some() || (!self.pictures.is_empty() && (!self.held || self.bytes > HELD_BYTES))
    }
}

fn bytes(changes: &[Change]) -> usize {
    changes.iter().map(|change| size_of_val(&change.pixels[..])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(pictures: usize, bytes: usize, held: bool) -> Waiting {
        let picture = (Seen { time_us: 1, late_us: 0, lost: 0, unquiet: false }, Vec::new());
        Waiting { pictures: vec![picture; pictures].into(), bytes, held, ..Waiting::default() }
    }

    #[test]
    fn pictures_are_written_as_they_come() {
        assert!(waiting(1, 4, false).is_due());
        assert!(!waiting(0, 0, false).is_due());
    }

    #[test]
    fn held_they_wait_as_long_as_there_is_room_for_them() {
        assert!(!waiting(9, HELD_BYTES, true).is_due());
        assert!(waiting(9, HELD_BYTES + 1, true).is_due());
    }

    #[test]
    fn the_end_is_written_whatever_is_held() {
        assert!(Waiting { last: Some(None), ..waiting(9, 4, true) }.is_due());
    }

    #[test]
    fn nobody_waits_for_a_thread_that_panicked() {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let writing = spawn(move || {
            let _leaving = Leaving(&theirs);
            panic!("planted");
        });
        assert!(writing.join().is_err());
        assert!(shared.lock().has_ended);
    }
}
