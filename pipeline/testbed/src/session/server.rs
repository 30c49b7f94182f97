//! The server of a run: a thread of this process in the server's network namespace.
//!
//! It emulates another machine, so what keeps the client's processors busy must not delay it: it runs before all ordinary threads, for
//! every stack alike. Otherwise QUIC, which works in this thread, would be delayed more than TCP, which works in the kernel.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use eyelevel_replay::site::Site;
use tokio::sync::oneshot;

use super::error::RunError;
use super::settings::Settings;
use crate::sandbox::children::{Children, Event};
use crate::sandbox::error::SandboxError;
use crate::sandbox::namespace::Namespace;
use crate::sandbox::sys::{self, Urgency};
use crate::serve::{Announcement, ServeError, Serving, ServingReport, serve};

const STARTING_LIMIT: Duration = Duration::from_secs(30);
/// The time for the server to end its connections and report.
const PATIENCE: Duration = Duration::from_secs(5);

/// The result of the server's thread.
type Outcome = Result<Result<ServingReport, ServeError>, SandboxError>;

/// The server while it runs.
pub struct Server {
    announcement: Announcement,
    stop: oneshot::Sender<()>,
    ended: Arc<AtomicBool>,
    thread: JoinHandle<Outcome>,
}

/// Reports the end of the thread that owns it, also where that panics.
struct Bell {
    events: Sender<Event>,
    ended: Arc<AtomicBool>,
}

impl Drop for Bell {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Release);
        let _ = self.events.send(Event::Server);
    }
}

impl Server {
    /// Starts it and waits until it listens.
    ///
    /// # Errors
    /// [`RunError`] where it does not come to listen.
    pub fn start(
        children: &mut Children,
        namespace: &Namespace,
        site: Site,
        settings: &Settings,
    ) -> Result<Self, RunError> {
        let serving = Serving {
            stack: settings.stack,
            carried: settings.carried,
            scheduling: settings.scheduling,
            seed: settings.seed,
            series: settings.series,
            port: 443,
            real_time: false,
        };
        let (stop, stopped) = oneshot::channel();
        let (listening, ready) = channel();
        let ended = Arc::new(AtomicBool::new(false));
        let (namespace, bell) = (namespace.clone(), Bell { events: children.sender(), ended: ended.clone() });
        let work = move || {
            let bell = bell;
            let events = bell.events.clone();
            // Dropped before the bell, so whoever hears the bell finds an announcement, or that there will be none.
            let announce = move |announcement: &Announcement| {
                // Nobody waits any more where the run has been stopped.
                let _ = listening.send(announcement.clone());
                let _ = events.send(Event::Server);
                Ok(())
            };
            let real_time = sys::run_at_once(Urgency::Server).is_ok();
            namespace.enter_for_good()?;
            let stop = || {
                Ok(async {
                    let _ = stopped.await;
                })
            };
            Ok(serve(site, Serving { real_time, ..serving }, announce, stop))
        };
        let thread = std::thread::Builder::new()
            .name("server".to_owned())
            .spawn(work)
            .map_err(|error| RunError::Server(format!("its thread cannot start: {error}")))?;
        match wait_until_ready(children, &ready)? {
            Some(announcement) => Ok(Self { announcement, stop, ended, thread }),
            None => Err(cause(thread)),
        }
    }

    #[must_use]
    pub fn announcement(&self) -> &Announcement {
        &self.announcement
    }

    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    /// Ends the server and takes its part of the report; `None` where it left none.
    #[must_use]
    pub fn finish(self, children: &mut Children) -> Option<ServingReport> {
        let Self { stop, ended, thread, .. } = self;
        // It may have ended already.
        let _ = stop.send(());
        let deadline = Instant::now() + PATIENCE;
        while !ended.load(Ordering::Acquire) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            let _ = children.next(Some(left));
        }
        thread.join().ok()?.ok()?.ok()
    }
}

/// `None` where the thread ended instead.
fn wait_until_ready(children: &mut Children, ready: &Receiver<Announcement>) -> Result<Option<Announcement>, RunError> {
    let deadline = Instant::now() + STARTING_LIMIT;
    loop {
        match ready.try_recv() {
            Ok(announcement) => return Ok(Some(announcement)),
            Err(TryRecvError::Disconnected) => return Ok(None),
            Err(TryRecvError::Empty) => {}
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(RunError::Server(format!("it did not listen within {} s", STARTING_LIMIT.as_secs())));
        }
        if let Some(Event::Stop { signal, .. }) = children.next(Some(left)) {
            return Err(RunError::Stopped(signal));
        }
    }
}

fn cause(thread: JoinHandle<Outcome>) -> RunError {
    match thread.join() {
        Ok(Ok(Ok(_))) => RunError::Server("it ended before the command started".to_owned()),
        Ok(Ok(Err(error))) => error.into(),
        Ok(Err(error)) => error.into(),
        Err(_) => RunError::Server("it panicked".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bell_rings_where_the_thread_panics() {
        let (events, heard) = channel();
        let ended = Arc::new(AtomicBool::new(false));
        let bell = Bell { events, ended: ended.clone() };
        let thread = std::thread::spawn(move || {
            let _bell = bell;
            std::panic::resume_unwind(Box::new("planted"))
        });
        assert_eq!(heard.recv(), Ok(Event::Server));
        assert!(ended.load(Ordering::Acquire));
        assert!(matches!(cause(thread), RunError::Server(reason) if reason.contains("panicked")));
    }
}
