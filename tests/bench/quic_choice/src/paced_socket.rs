//! Pacing of quinn from outside: a controller that tells its rate, a socket that obeys it.
//!
//! quinn's own pacer knows only window and round trip (1.25 windows a round trip). This socket
//! holds the next datagram back until the controller's own rate allows it. It serves the wire
//! test, with one connection per endpoint: a server of many needs one rate per peer address.

use std::any::Any;
use std::future::Future;
use std::io::{self, IoSliceMut};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{ready, Context, Poll};
use std::time::{Duration, Instant};

use quinn::congestion::{Controller, ControllerFactory, ControllerMetrics};
use quinn::udp::{RecvMeta, Transmit};
use quinn::{AsyncUdpSocket, UdpPoller};
use quinn_proto::RttEstimator;

/// Bytes a second; 0 while the controller has none.
pub type SharedRate = Arc<AtomicU64>;

/// Time that a late wake-up may catch up on: tokio's timers tick once a millisecond.
const CATCH_UP: Duration = Duration::from_millis(1);

/// Builds controllers that publish the rate they want to be paced at.
pub struct RateReport {
    inner: Arc<dyn ControllerFactory + Send + Sync>,
    rate: SharedRate,
}

impl RateReport {
    pub fn new(inner: Arc<dyn ControllerFactory + Send + Sync>, rate: SharedRate) -> Self {
        Self { inner, rate }
    }
}

impl ControllerFactory for RateReport {
    fn build(self: Arc<Self>, now: Instant, mtu: u16) -> Box<dyn Controller> {
        let inner = self.inner.clone().build(now, mtu);
        Box::new(Reporting {
            inner,
            rate: self.rate.clone(),
            rtt: None,
        })
    }
}

struct Reporting {
    inner: Box<dyn Controller>,
    rate: SharedRate,
    rtt: Option<Duration>,
}

impl Reporting {
    fn report(&self) {
        // A controller without a rate of its own gets quinn's 1.25 windows a round trip.
        let rate = match (self.inner.metrics().pacing_rate, self.rtt) {
            (Some(bits), _) if bits > 0 => bits / 8,
            (_, Some(rtt)) => (self.inner.window() as f64 * 1.25 / rtt.as_secs_f64()) as u64,
            _ => 0,
        };
        self.rate.store(rate, Ordering::Relaxed);
    }
}

impl Controller for Reporting {
    fn on_sent(&mut self, now: Instant, bytes: u64, last_packet_number: u64) {
        self.inner.on_sent(now, bytes, last_packet_number);
    }

    fn on_ack(&mut self, now: Instant, sent: Instant, bytes: u64, idle: bool, rtt: &RttEstimator) {
        self.rtt = Some(rtt.get()).filter(|rtt| !rtt.is_zero());
        self.inner.on_ack(now, sent, bytes, idle, rtt);
    }

    fn on_end_acks(&mut self, now: Instant, in_flight: u64, idle: bool, largest: Option<u64>) {
        self.inner.on_end_acks(now, in_flight, idle, largest);
        self.report();
    }

    fn on_congestion_event(&mut self, now: Instant, sent: Instant, persistent: bool, lost: u64) {
        self.inner.on_congestion_event(now, sent, persistent, lost);
        self.report();
    }

    fn on_mtu_update(&mut self, mtu: u16) {
        self.inner.on_mtu_update(mtu);
    }

    fn window(&self) -> u64 {
        self.inner.window()
    }

    fn metrics(&self) -> ControllerMetrics {
        self.inner.metrics()
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        let inner = self.inner.clone_box();
        Box::new(Self {
            inner,
            rate: self.rate.clone(),
            rtt: self.rtt,
        })
    }

    fn initial_window(&self) -> u64 {
        self.inner.initial_window()
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self.inner.into_any()
    }
}

/// A socket that lets the next datagram go when the rate allows it.
#[derive(Debug)]
pub struct PacedSocket {
    inner: Arc<dyn AsyncUdpSocket>,
    rate: SharedRate,
    next: Mutex<Instant>,
}

impl PacedSocket {
    pub fn over(inner: Arc<dyn AsyncUdpSocket>, rate: SharedRate) -> Arc<dyn AsyncUdpSocket> {
        Arc::new(Self {
            inner,
            rate,
            next: Mutex::new(Instant::now()),
        })
    }

    fn next(&self) -> Instant {
        *self.next.lock().expect("no panic while held")
    }
}

impl AsyncUdpSocket for PacedSocket {
    fn create_io_poller(self: Arc<Self>) -> Pin<Box<dyn UdpPoller>> {
        let inner = self.inner.clone().create_io_poller();
        Box::pin(PacedPoller {
            socket: self,
            inner,
            sleep: None,
        })
    }

    fn try_send(&self, transmit: &Transmit) -> io::Result<()> {
        self.inner.try_send(transmit)?;
        let rate = self.rate.load(Ordering::Relaxed);
        if rate > 0 {
            let cost = Duration::from_secs_f64(transmit.contents.len() as f64 / rate as f64);
            let now = Instant::now();
            let mut next = self.next.lock().expect("no panic while held");
            *next = (*next).max(now.checked_sub(CATCH_UP).unwrap_or(now)) + cost;
        }
        Ok(())
    }

    fn poll_recv(
        &self,
        cx: &mut Context<'_>,
        bufs: &mut [IoSliceMut<'_>],
        meta: &mut [RecvMeta],
    ) -> Poll<io::Result<usize>> {
        self.inner.poll_recv(cx, bufs, meta)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.inner.local_addr()
    }

    /// One: a batch of segments would leave as one burst.
    fn max_transmit_segments(&self) -> usize {
        1
    }

    fn max_receive_segments(&self) -> usize {
        self.inner.max_receive_segments()
    }

    fn may_fragment(&self) -> bool {
        self.inner.may_fragment()
    }
}

#[derive(Debug)]
struct PacedPoller {
    socket: Arc<PacedSocket>,
    inner: Pin<Box<dyn UdpPoller>>,
    sleep: Option<Pin<Box<tokio::time::Sleep>>>,
}

impl UdpPoller for PacedPoller {
    fn poll_writable(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        while this.socket.next() > Instant::now() {
            let until = this.socket.next().into();
            let sleep = this
                .sleep
                .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(until)));
            if sleep.deadline() != until {
                sleep.as_mut().reset(until);
            }
            ready!(sleep.as_mut().poll(cx));
        }
        this.inner.as_mut().poll_writable(cx)
    }
}
