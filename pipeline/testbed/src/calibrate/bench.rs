//! The measurement of one network: test traffic between two ends, and its observation.

use std::net::Ipv4Addr;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::error::MeasureError;
use super::traffic::{Arrival, End, LEAST_BYTES, Sent, Stream, ends};
use crate::emulate::{Emulation, LinkReport};
use crate::sandbox::links::Links;
use crate::sandbox::namespace::Namespace;
use eyelevel_definitions::networks::{Direction, Link, MTU_BYTES, Network};

/// Reserved for documentation, so that no address of the link itself is the same.
const SERVER: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 1);

/// Lost packets are counted over at least as many.
pub const LOSS_PACKETS: u32 = 20_000;
/// So much of the rate, so that no queue ever drops, and so many packets a second, so that no processor is short of time.
const LOSS_LOAD: f64 = 0.9;
const LOSS_PER_SECOND: f64 = 8_000.0;

/// A link with so much more than its rate to carry is never idle, even if it is a tenth faster than it says.
const RATE_LOAD: f64 = 1.15;
const RATE_PACKETS: f64 = 5_000.0;

/// The queue is measured with packets of this size, larger ones where that would be more than the emulation can carry.
pub const QUEUE_PACKET_BYTES: usize = 100;
const MOST_PER_SECOND: f64 = 33_000.0;
/// Full packets for so many queues come at once and fill it; then small ones keep it full, until none of the full ones is left.
const FILL_QUEUES: f64 = 2.0;
const OVERLOAD: f64 = 1.2;
const LEAST_OVERLOAD: f64 = 1.04;
const KEPT_FULL_QUEUES: f64 = 2.5;

const PINGS: u32 = 40;
const JITTER_PINGS: u32 = 300;
const PING_EVERY_MS: f64 = 5.0;

/// A longer trace is not watched as a whole, so nothing is said of its rate.
const LONGEST_TRACE_MS: u64 = 60_000;

/// The observations of one direction. Times are in ms unless stated otherwise.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Observed {
    /// From here to the far end and back, by packets of `LEAST_BYTES`.
    pub round_trips: Vec<f64>,
    /// From here to the far end, through an idle link.
    pub one_way: Vec<f64>,
    pub loss_sent: u64,
    pub loss_arrived: u64,
    /// What the emulation says it lost of these.
    pub loss_counted: u64,
    /// None where the direction has no rate.
    pub rate: Option<Saturated>,
    /// For each filling of the queue, the delays of the packets that got through, in the order of sending.
    pub fills: Vec<Vec<f64>>,
}

/// A link that was never idle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Saturated {
    pub ip_bytes: usize,
    pub arrived: u64,
    /// Lost after they had used the link.
    pub lost_behind: u64,
    /// From the first arrival to the last.
    pub span_s: f64,
}

/// Both directions, and the emulation's own account of it all.
#[derive(Debug, Clone, PartialEq)]
pub struct Observations {
    pub down: Observed,
    pub up: Observed,
    pub link: LinkReport,
}

/// About how long [`observe`] takes, in seconds.
#[must_use]
pub fn expected_s(network: &Network) -> f64 {
    let around = network.round_trip_ms() / 1e3;
    [network.down(), network.up()]
        .iter()
        .map(|way| {
            let (fills, queue_s) = (fills(way), queue_s(way));
            f64::from(LOSS_PACKETS) / loss_per_second(way)
                + pings(way.jitter_ms).packets as f64 / pings(way.jitter_ms).per_second
                + rate_s(way)
                + fills as f64 * (KEPT_FULL_QUEUES + 2.0) * queue_s
                + around * (2.0 + fills as f64 / 2.0)
        })
        .fold(0.5, f64::max)
}

/// Measures a link that is emulated as `network` says, in namespaces of its own.
///
/// # Errors
/// Where namespaces, links or the emulation cannot be had.
pub fn observe(network: &Network, seed: u64, talk: &(dyn Fn(&str) + Sync)) -> Result<Observations, MeasureError> {
    let mut seen = None;
    Namespace::new()?.enter(|| {
        seen = Some(observe_here(network, seed, talk));
        Ok(())
    })?;
    seen.expect("the task above has run")
}

fn observe_here(network: &Network, seed: u64, talk: &dyn Fn(&str)) -> Result<Observations, MeasureError> {
    let (client, server) = (Namespace::new()?, Namespace::new()?);
    let links = Links::lay(&client, &server, &[SERVER], &[])?;
    let emulation = Emulation::start(network, seed, &links.to_client, &links.to_server)?;
    let (near, far) = ends(&client, &server, SERVER)?;
    let bench = Bench { network, emulation, near, far };
    let (mut down, mut up) = (Observed::default(), Observed::default());
    talk("round trips");
    bench.ping(&mut down, &mut up);
    talk("loss");
    bench.lose(&mut down, &mut up);
    talk("rate");
    bench.saturate(&mut down, &mut up);
    talk("queues");
    bench.fill(&mut down, &mut up);
    let link = bench.emulation.report();
    Ok(Observations { down, up, link })
}

struct Bench<'a> {
    network: &'a Network,
    emulation: Emulation,
    near: End,
    far: End,
}

/// The result of a stream in one direction.
struct Carried {
    sent: Vec<Sent>,
    arrived: Vec<Arrival>,
}

impl Bench<'_> {
    fn ping(&self, down: &mut Observed, up: &mut Observed) {
        let stream = pings(self.network.jitter_ms.unwrap_or_default());
        let (from_far, from_near) = at_once(&self.far, &self.near, |end| end.ping(stream), |end| end.ping(stream));
        let all = stream.packets as usize;
        self.wait(self.network.round_trip_ms() + down_and_up(self.network, |way| way.jitter_ms).sum::<f64>(), || {
            [&self.far, &self.near].iter().all(|end| end.count() >= all && end.answered() >= all)
        });
        let (at_far, back_at_far) = self.far.take();
        let (at_near, back_at_near) = self.near.take();
        down.round_trips = delays(&from_far, &back_at_far);
        up.round_trips = delays(&from_near, &back_at_near);
        down.one_way = delays(&from_far, &at_near);
        up.one_way = delays(&from_near, &at_far);
    }

    fn lose(&self, down: &mut Observed, up: &mut Observed) {
        let before = self.emulation.drops();
        let stream = |way: &Direction| {
            Some(Stream {
                fill: 0,
                fill_bytes: MTU_BYTES,
                packets: LOSS_PACKETS,
                ip_bytes: LEAST_BYTES,
                per_second: loss_per_second(way),
            })
        };
        let (carried_down, carried_up) = self.carry(stream(&self.network.down()), stream(&self.network.up()));
        let after = self.emulation.drops();
        for (n, (way, carried)) in [(down, carried_down), (up, carried_up)].into_iter().enumerate() {
            way.loss_sent = carried.sent.len() as u64;
            // What a queue dropped (while a trace had no chance, say) was not lost by a draw.
            way.loss_arrived = carried.arrived.len() as u64 + after[n].queue - before[n].queue;
            way.loss_counted = after[n].loss - before[n].loss;
        }
    }

    fn saturate(&self, down: &mut Observed, up: &mut Observed) {
        let stream = |way: &Direction| {
            let (bits, limit_s) = (way.link.mbps()? * 1e6 * rate_s(way), rate_s(way));
            if limit_s == 0.0 {
                return None;
            }
            // Bounded by the MTU.
            let ip_bytes = ((bits / 8.0 / RATE_PACKETS) as usize).clamp(QUEUE_PACKET_BYTES, MTU_BYTES);
            let per_second = load(way, RATE_LOAD, ip_bytes);
            Some(Stream {
                fill: 0,
                fill_bytes: MTU_BYTES,
                packets: (per_second * limit_s).ceil() as u32,
                ip_bytes,
                per_second,
            })
        };
        let (for_down, for_up) = (stream(&self.network.down()), stream(&self.network.up()));
        let before = self.emulation.drops();
        let (carried_down, carried_up) = self.carry(for_down, for_up);
        // Stacked from server to client: what is lost on the way up has not used the link.
        let lost_down = self.emulation.drops()[0].loss - before[0].loss;
        down.rate = for_down.and_then(|stream| carried_down.saturated(stream.ip_bytes, lost_down));
        up.rate = for_up.and_then(|stream| carried_up.saturated(stream.ip_bytes, 0));
    }

    fn fill(&self, down: &mut Observed, up: &mut Observed) {
        let stream = |way: &Direction| {
            let least = load(way, LEAST_OVERLOAD, 1) / MOST_PER_SECOND;
            let ip_bytes = (least.ceil() as usize).clamp(QUEUE_PACKET_BYTES, MTU_BYTES);
            let per_second =
                load(way, OVERLOAD, ip_bytes).min(MOST_PER_SECOND).max(load(way, LEAST_OVERLOAD, ip_bytes));
            // A queue that counts packets is full of small ones, and their time is meant.
            let fill_bytes = if way.queue.packets.is_some() { ip_bytes } else { MTU_BYTES };
            let packets = (per_second * KEPT_FULL_QUEUES * queue_s(way)).ceil() as u32;
            Some(Stream {
                fill: (load(way, FILL_QUEUES, fill_bytes) * queue_s(way)).ceil() as u32,
                fill_bytes,
                packets,
                ip_bytes,
                per_second,
            })
        };
        let (for_down, for_up) = (self.network.down(), self.network.up());
        let streams =
            (stream(&for_down).filter(|_| fills(&for_down) > 0), stream(&for_up).filter(|_| fills(&for_up) > 0));
        let both: f64 = [streams.0, streams.1].into_iter().flatten().map(|stream| stream.per_second).sum();
        let turns = if both < MOST_PER_SECOND { vec![streams] } else { vec![(streams.0, None), (None, streams.1)] };
        for (for_down, for_up) in turns {
            for _ in 0..fills(&self.network.down()).max(fills(&self.network.up())) {
                let (carried_down, carried_up) = self.carry(for_down, for_up);
                down.fills.extend(for_down.map(|_| delays(&carried_down.sent, &carried_down.arrived)));
                up.fills.extend(for_up.map(|_| delays(&carried_up.sent, &carried_up.arrived)));
            }
        }
    }

    /// Sends in both directions at once and waits until no more can come.
    fn carry(&self, down: Option<Stream>, up: Option<Stream>) -> (Carried, Carried) {
        let send = |stream: Option<Stream>| move |end: &End| stream.map(|stream| end.send(stream)).unwrap_or_default();
        let (sent_down, sent_up) = at_once(&self.far, &self.near, send(down), send(up));
        let one_way_ms = down_and_up(self.network, |way| way.delay_ms + way.jitter_ms).fold(0.0, f64::max);
        self.wait(one_way_ms, || self.near.count() >= sent_down.len() && self.far.count() >= sent_up.len());
        let carried = |sent, end: &End| {
            let (mut arrived, _) = end.take();
            arrived.sort_by_key(|arrival| arrival.number);
            Carried { sent, arrived }
        };
        (carried(sent_down, &self.near), carried(sent_up, &self.far))
    }

    /// Until all is there, or nothing more can be on its way, which takes so long besides the queues.
    fn wait(&self, on_its_way_ms: f64, all_arrived: impl Fn() -> bool) {
        let longest_queue_s = down_and_up(self.network, queue_s).fold(0.0, f64::max);
        let limit = Duration::from_secs_f64(1.1 * (on_its_way_ms / 1e3 + longest_queue_s) + 0.2);
        let start = Instant::now();
        while start.elapsed() < limit && !all_arrived() {
            sleep(Duration::from_millis(5));
        }
    }
}

fn down_and_up(network: &Network, figure: fn(&Direction) -> f64) -> impl Iterator<Item = f64> {
    [network.down(), network.up()].into_iter().map(move |way| figure(&way))
}

impl Carried {
    /// None where nothing arrived.
    fn saturated(&self, ip_bytes: usize, lost_behind: u64) -> Option<Saturated> {
        let first = self.arrived.iter().map(|arrival| arrival.at_ns).min()?;
        let last = self.arrived.iter().map(|arrival| arrival.at_ns).max()?;
        let span_s = (last - first) as f64 / 1e9;
        Some(Saturated { ip_bytes, arrived: self.arrived.len() as u64, lost_behind, span_s })
    }
}

/// What two ends sent at the same time.
fn at_once(
    far: &End,
    near: &End,
    down: impl FnOnce(&End) -> Vec<Sent> + Send,
    up: impl FnOnce(&End) -> Vec<Sent> + Send,
) -> (Vec<Sent>, Vec<Sent>) {
    std::thread::scope(|scope| {
        let up = scope.spawn(|| up(near));
        let down = scope.spawn(|| down(far));
        let [down, up] =
            [down, up].map(|sender| sender.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        (down, up)
    })
}

/// Of the packets that arrived, in the order of their numbers.
fn delays(sent: &[Sent], arrived: &[Arrival]) -> Vec<f64> {
    let mut arrived = arrived.to_vec();
    arrived.sort_by_key(|arrival| arrival.number);
    let mut sent = sent.iter().peekable();
    let mut delays_ms = Vec::with_capacity(arrived.len());
    for arrival in arrived {
        while sent.peek().is_some_and(|packet| packet.number < arrival.number) {
            sent.next();
        }
        if let Some(packet) = sent.peek().filter(|packet| packet.number == arrival.number) {
            // Both below 2^63 for the next centuries.
            delays_ms.push((arrival.at_ns as i64 - packet.at_ns as i64) as f64 / 1e6);
        }
    }
    delays_ms
}

/// With jitter, more of them and further apart, so that none waits behind another and some are hardly delayed.
fn pings(jitter_ms: f64) -> Stream {
    let packets = if jitter_ms > 0.0 { JITTER_PINGS } else { PINGS };
    Stream {
        fill: 0,
        fill_bytes: MTU_BYTES,
        packets,
        ip_bytes: LEAST_BYTES,
        per_second: 1e3 / PING_EVERY_MS.max(jitter_ms),
    }
}

fn loss_per_second(way: &Direction) -> f64 {
    let load = if matches!(way.link, Link::Trace(_)) { LOSS_LOAD / 3.0 } else { LOSS_LOAD };
    let most = way.link.mbps().map_or(f64::INFINITY, |mbps| mbps * 1e6 / 8.0 / LEAST_BYTES as f64 * load);
    most.min(LOSS_PER_SECOND)
}

/// Packets a second for so many times the rate, although some are lost on the way to the link.
fn load(way: &Direction, load: f64, ip_bytes: usize) -> f64 {
    way.link.mbps().unwrap_or_default() * 1e6 * load / (1.0 - way.loss) / 8.0 / ip_bytes as f64
}

/// A link that loses some is watched longer, so that what it delivers is known better; a trace for whole rounds. 0: not at all.
fn rate_s(way: &Direction) -> f64 {
    match &way.link {
        Link::Unlimited => 0.0,
        Link::BitsPerSecond(_) => {
            if way.loss > 0.0 {
                3.0
            } else {
                1.2
            }
        }
        Link::Trace(trace) if trace.period_ms > LONGEST_TRACE_MS => 0.0,
        Link::Trace(trace) => {
            let period_s = trace.period_ms as f64 / 1e3;
            (3.0 / period_s).ceil() * period_s
        }
    }
}

/// Whether the rate of a direction is measured at all.
#[must_use]
pub fn is_watched(way: &Direction) -> bool {
    rate_s(way) > 0.0
}

/// Of a link with a steady rate; with a trace nobody knows how long a queue takes.
fn queue_s(way: &Direction) -> f64 {
    way.queue_ms(QUEUE_PACKET_BYTES).unwrap_or_default() / 1e3
}

fn fills(way: &Direction) -> usize {
    match way.link {
        Link::BitsPerSecond(_) => {
            if queue_s(way) < 0.05 {
                7
            } else {
                3
            }
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delay_is_that_of_the_packet_with_the_same_number() {
        let packet = |number, at_ms: u64| Arrival { number, at_ns: at_ms * 1_000_000 };
        let sent = [packet(0, 10), packet(1, 20), packet(2, 30), packet(3, 40)];
        let arrived = [packet(3, 140), packet(1, 121)];
        assert_eq!(delays(&sent, &arrived), vec![101.0, 100.0]);
    }
}
