//! The calibration report: compares the measured figures of a network with its definition, and names those out of tolerance. Pure.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::bench::{Observations, Observed, QUEUE_PACKET_BYTES, is_watched};
use super::estimate::{Estimate, full_queue_delay, least, middle, rate_mbps, serialization_ms, share, spread};
use super::traffic::LEAST_BYTES;
use eyelevel_definitions::networks::{Direction, Link, Network};

/// Rates agree within 1 %.
const RATE_BOUND: f64 = 0.01;
/// Round trips within 1 ms or 1 %, whichever is more.
const RTT_BOUND: (f64, f64) = (1.0, 0.01);
/// Queues within 10 %.
const QUEUE_BOUND: f64 = 0.1;

/// What `calibrate --json` prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Calibration {
    pub contract: &'static str,
    /// Whether all networks are within their tolerances.
    pub ok: bool,
    pub testbed_version: &'static str,
    pub seed: u64,
    pub networks: BTreeMap<String, Measured>,
}

/// One network.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    pub digest: String,
    pub definition: Network,
    pub ok: bool,
    /// One sentence for each figure out of its bounds.
    pub problems: Vec<String>,
    /// How often it was measured: a second time where something was out of bounds at first.
    pub tries: usize,
    /// Of the emulation that was measured.
    pub seed: u64,
    /// The tries before, none of which counts.
    pub earlier: Vec<Earlier>,
    pub real_time: bool,
    pub down: Way,
    pub up: Way,
}

/// A try with something out of bounds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Earlier {
    pub seed: u64,
    pub problems: Vec<String>,
}

/// One direction of a network.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Way {
    /// Of the link, in IP bytes.
    pub rate_mbps: Option<Figure>,
    /// What got through while the link was never idle; nominal is the rate less the share that was lost behind the link meanwhile.
    pub delivered_mbps: Option<Figure>,
    /// The least round trip begun from this direction's sender, the time that the packets are on the links taken off.
    pub rtt_ms: Figure,
    /// The least one-way delay, likewise.
    pub one_way_ms: Figure,
    /// Time that a packet waits behind a full queue.
    pub queue_ms: Option<Figure>,
    /// How much more than the least a packet is delayed at most; null where the definition has none.
    pub jitter_ms: Option<Figure>,
    pub loss: Figure,
    pub loss_packets: u64,
    pub lateness_p99_ms: Option<f64>,
    pub drops_emulation: u64,
}

/// Null is what could not be measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Figure {
    pub nominal: f64,
    pub measured: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub ok: bool,
}

impl Figure {
    fn new(nominal: f64, measured: Option<Estimate>, ok: impl Fn(&Estimate) -> bool) -> Self {
        Self {
            nominal: rounded(nominal),
            measured: measured.map(|estimate| rounded(estimate.value)),
            low: measured.map(|estimate| rounded(estimate.low)),
            high: measured.map(|estimate| rounded(estimate.high)),
            ok: measured.is_some_and(|estimate| ok(&estimate)),
        }
    }

    /// Within a bound on either side.
    fn within(nominal: f64, measured: Option<Estimate>, bound: f64) -> Self {
        Self::new(nominal, measured, |estimate| (estimate.value - nominal).abs() <= bound)
    }
}

/// What lies beyond a millionth is a double's noise.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// Compares what was observed with the definition.
#[must_use]
pub fn judge(network: &Network, seen: &Observations, seed: u64, earlier: Vec<Earlier>) -> Measured {
    let (down_way, up_way) = (network.down(), network.up());
    // The same for pings from either end: each is on both links once.
    let on_links = on_link_ms(&down_way) + on_link_ms(&up_way);
    let mut down = way(network, &down_way, &seen.down, on_links);
    let mut up = way(network, &up_way, &seen.up, on_links);
    (down.lateness_p99_ms, down.drops_emulation) = (seen.link.down.lateness_p99_ms, seen.link.down.drops_emulation);
    (up.lateness_p99_ms, up.drops_emulation) = (seen.link.up.lateness_p99_ms, seen.link.up.drops_emulation);
    let mut problems = problems("downlink", &down);
    problems.extend(self::problems("uplink", &up));
    for (name, seen) in [("downlink", &seen.down), ("uplink", &seen.up)] {
        if seen.loss_sent - seen.loss_arrived.min(seen.loss_sent) != seen.loss_counted {
            problems.push(format!(
                "{name}: {} of {} packets did not arrive, but the emulation counts {} lost",
                seen.loss_sent.saturating_sub(seen.loss_arrived),
                seen.loss_sent,
                seen.loss_counted
            ));
        }
    }
    Measured {
        digest: network.digest(),
        definition: network.clone(),
        ok: problems.is_empty(),
        problems,
        tries: earlier.len() + 1,
        seed,
        earlier,
        real_time: seen.link.real_time,
        down,
        up,
    }
}

fn way(network: &Network, nominal: &Direction, seen: &Observed, on_links_ms: f64) -> Way {
    let mbps = nominal.link.mbps();
    let lost = seen.loss_sent.saturating_sub(seen.loss_arrived);
    let rate =
        seen.rate.and_then(|link| rate_mbps(link.arrived + link.lost_behind, link.ip_bytes, link.span_s, LATENESS_S));
    let delivered = seen.rate.and_then(|link| rate_mbps(link.arrived, link.ip_bytes, link.span_s, LATENESS_S));
    // As it came to be: what the draws make of the definition is held against it below, over more packets.
    let lost_behind = seen.rate.and_then(|link| share(link.lost_behind, link.arrived + link.lost_behind));
    let one_way = least(&less(&seen.one_way, on_link_ms(nominal)));
    let rated = mbps.filter(|_| is_watched(nominal));
    let queue_ms = nominal.queue_ms(QUEUE_PACKET_BYTES).filter(|_| matches!(nominal.link, Link::BitsPerSecond(_)));
    let fills: Vec<f64> =
        seen.fills.iter().filter_map(|delays| Some(full_queue_delay(delays)? - one_way?.value)).collect();
    let jitter = nominal.jitter_ms;
    let chances_ms = chance_ms(&network.down()) + chance_ms(&network.up());
    Way {
        rate_mbps: rated.map(|mbps| Figure::within(mbps, rate, mbps * RATE_BOUND)),
        delivered_mbps: rated.map(|mbps| {
            let most = mbps * (1.0 - lost_behind.map_or(0.0, |lost| lost.value));
            Figure::new(most, delivered, |estimate| estimate.low <= most)
        }),
        // Of 300 pairs of even draws up to j the least sum is below 0.18 j 99 times in 100, of as many single draws below 0.02 j.
        rtt_ms: timed(
            network.round_trip_ms(),
            0.18 * jitter + chances_ms,
            least(&less(&seen.round_trips, on_links_ms)),
        ),
        one_way_ms: timed(nominal.delay_ms, 0.02 * jitter + chance_ms(nominal), one_way),
        queue_ms: queue_ms.map(|ms| Figure::within(ms, middle(&fills), ms * QUEUE_BOUND + jitter)),
        // On a trace the waits for its chances are in the range, too.
        jitter_ms: (jitter > 0.0 && chance_ms(nominal) == 0.0)
            .then(|| Figure::within(jitter, spread(&seen.one_way), (jitter * QUEUE_BOUND).max(1.0))),
        loss: Figure::new(nominal.loss, share(lost, seen.loss_sent), |estimate| {
            (estimate.low..=estimate.high).contains(&nominal.loss)
        }),
        loss_packets: seen.loss_sent,
        lateness_p99_ms: None,
        drops_emulation: 0,
    }
}

/// What each end of a measured span may be late by.
const LATENESS_S: f64 = 0.000_5;

fn timed(nominal: f64, more: f64, measured: Option<Estimate>) -> Figure {
    Figure::within(nominal, measured, RTT_BOUND.0.max(nominal * RTT_BOUND.1) + more)
}

/// How long it is from one chance of a trace to the next, on average: packets meet theirs at once only now and then.
fn chance_ms(way: &Direction) -> f64 {
    match &way.link {
        Link::Trace(trace) => trace.period_ms as f64 / trace.opportunities as f64,
        _ => 0.0,
    }
}

/// What the smallest packet takes; on a trace it may meet its chance at once.
fn on_link_ms(way: &Direction) -> f64 {
    match way.link {
        Link::BitsPerSecond(_) => way.link.mbps().map_or(0.0, |mbps| serialization_ms(LEAST_BYTES, mbps)),
        _ => 0.0,
    }
}

fn less(times: &[f64], serialization: f64) -> Vec<f64> {
    times.iter().map(|time| time - serialization).collect()
}

fn problems(name: &str, way: &Way) -> Vec<String> {
    let figures = [
        ("rate", "Mbit/s", "within 1 %", way.rate_mbps),
        ("delivered rate", "Mbit/s", "no more", way.delivered_mbps),
        ("minimum round trip", "ms", "within 1 ms or 1 %", Some(way.rtt_ms)),
        ("minimum one-way delay", "ms", "within 1 ms or 1 %", Some(way.one_way_ms)),
        ("queue", "ms", "within 10 %", way.queue_ms),
        ("jitter", "ms", "within 1 ms or 10 %", way.jitter_ms),
        ("loss", "", "inside the 99 % interval", Some(way.loss)),
    ];
    let mut sentences: Vec<String> = figures
        .into_iter()
        .filter_map(|(what, unit, bound, figure)| Some((what, unit, bound, figure.filter(|figure| !figure.ok)?)))
        .map(|(what, unit, bound, figure)| {
            let measured = figure.measured.map_or("could not be measured".to_owned(), |value| {
                let interval =
                    figure.low.zip(figure.high).map_or(String::new(), |(low, high)| format!(" ({low} to {high})"));
                format!("is {value}{interval}")
            });
            format!("{name}: {what} {measured}, but must be {} {unit}, {bound}", figure.nominal).replace(" ,", ",")
        })
        .collect();
    if way.drops_emulation > 0 {
        sentences
            .push(format!("{name}: the emulation missed {} packets; the machine is too busy", way.drops_emulation));
    }
    sentences
}

/// Formats the report as a table.
#[must_use]
pub fn table(calibration: &Calibration) -> String {
    let mut text = format!(
        "{:<8} {:<5} {:<16} {:>9} {:>10} {:>23}  {}\n",
        "network", "way", "figure", "nominal", "measured", "interval", "ok"
    );
    let shown = |value: Option<f64>| value.map_or("unknown".to_owned(), |value| format!("{value:.4}"));
    for (name, measured) in &calibration.networks {
        for (direction, way) in [("down", &measured.down), ("up", &measured.up)] {
            let figures = [
                ("rate Mbit/s", way.rate_mbps),
                ("delivered Mbit/s", way.delivered_mbps),
                ("round trip ms", Some(way.rtt_ms)),
                ("one way ms", Some(way.one_way_ms)),
                ("queue ms", way.queue_ms),
                ("jitter ms", way.jitter_ms),
                ("loss", Some(way.loss)),
            ];
            for (what, figure) in figures {
                let Some(figure) = figure else { continue };
                let interval = format!("{} .. {}", shown(figure.low), shown(figure.high));
                let ok = if figure.ok { "yes" } else { "NO" };
                let (nominal, value) = (shown(Some(figure.nominal)), shown(figure.measured));
                let _ =
                    writeln!(text, "{name:<8} {direction:<5} {what:<16} {nominal:>9} {value:>10} {interval:>23}  {ok}");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::calibrate::bench::Saturated;
    use crate::emulate::LinkReport;
    use crate::emulate::counters::Counters;
    use eyelevel_definitions::networks::{Rate, find};

    /// What packets over a link exactly as defined would show.
    fn exactly(network: &Network) -> Observations {
        let (down, up) = (network.down(), network.up());
        let on_links = on_link_ms(&down) + on_link_ms(&up);
        let seen = |way: &Direction, behind: bool| {
            let (mbps, lost) = (way.link.mbps().unwrap(), (20_000.0 * way.loss).round() as u64);
            let lost_behind = if behind { (1000.0 * way.loss).round() as u64 } else { 0 };
            let one_way = way.delay_ms + on_link_ms(way);
            Observed {
                round_trips: vec![network.round_trip_ms() + on_links; 40],
                one_way: vec![one_way; 40],
                loss_sent: 20_000,
                loss_arrived: 20_000 - lost,
                loss_counted: lost,
                rate: Some(Saturated {
                    ip_bytes: 500,
                    arrived: 1001 - lost_behind,
                    lost_behind,
                    span_s: 1000.0 * 500.0 * 8.0 / mbps / 1e6,
                }),
                fills: vec![vec![way.delay_ms + way.queue_ms(100).unwrap(); 50]; 3],
            }
        };
        let idle = Counters::default().report(0);
        let link = LinkReport { down: idle.clone(), up: idle, real_time: true };
        Observations { down: seen(&down, true), up: seen(&up, false), link }
    }

    #[test]
    fn a_network_that_is_exactly_as_defined_is_ok() {
        for name in ["DSL", "LTE", "DA2GC", "MSS"] {
            let network = find(name).unwrap();
            let measured = judge(&network, &exactly(&network), 1, vec![]);
            assert_eq!(measured.problems, Vec::<String>::new(), "{name}");
            assert!(
                measured.ok && measured.down.rate_mbps.unwrap().measured == Some(network.down().link.mbps().unwrap())
            );
        }
    }

    #[test]
    fn what_is_out_of_bounds_is_named_with_direction_figure_and_bound() {
        let dsl = find("DSL").unwrap();
        let problem = |spoil: fn(&mut Observations)| {
            let mut seen = exactly(&dsl);
            spoil(&mut seen);
            let measured = judge(&dsl, &seen, 1, vec![]);
            assert!(!measured.ok);
            measured.problems.join("; ")
        };
        let slow = problem(|seen| seen.down.rate.as_mut().unwrap().span_s *= 25.0 / 24.0);
        assert!(slow.starts_with("downlink: rate is 24 (") && slow.contains("must be 25 Mbit/s, within 1 %"), "{slow}");
        let fast = problem(|seen| seen.up.rate.as_mut().unwrap().span_s *= 5.0 / 5.1);
        assert!(fast.starts_with("uplink: rate is 5.1 (") && fast.contains("must be 5 Mbit/s, within 1 %"), "{fast}");
        let late = problem(|seen| seen.up.round_trips.iter_mut().for_each(|ms| *ms += 1.1));
        assert!(late.contains("uplink: minimum round trip is 25.1 ("), "{late}");
        let deep = problem(|seen| seen.up.fills.iter_mut().flatten().for_each(|ms| *ms += 1.3));
        assert!(deep.contains("uplink: queue is 13.3"), "{deep}");
        let lossy = problem(|seen| (seen.down.loss_arrived, seen.down.loss_counted) = (19_990, 10));
        assert!(lossy.contains("downlink: loss is 0.0005") && lossy.contains("inside the 99 % interval"), "{lossy}");
        let miscounted = problem(|seen| seen.down.loss_counted = 3);
        assert!(
            miscounted.contains("0 of 20000 packets did not arrive, but the emulation counts 3 lost"),
            "{miscounted}"
        );
        let deaf = problem(|seen| seen.up.one_way.clear());
        assert!(deaf.contains("uplink: minimum one-way delay could not be measured"), "{deaf}");
        let missed = problem(|seen| seen.link.up.drops_emulation = 2);
        assert!(missed.contains("uplink: the emulation missed 2 packets"), "{missed}");
    }

    /// What is emulated differs from what is claimed: every figure, in both directions where it has two, for each network.
    #[test]
    fn each_planted_fault_is_found_and_named_and_nothing_else() {
        use Fault::{Down, Loss, Queue, Rtt, Up};
        for name in ["DSL", "LTE", "DA2GC", "MSS"] {
            let claimed = find(name).unwrap();
            for fault in [Down, Up, Rtt, Queue, Loss] {
                let measured = judge(&claimed, &exactly(&fault.planted(&claimed)), 1, vec![]);
                let figures: BTreeSet<&str> =
                    measured.problems.iter().map(|problem| problem.split(" is ").next().unwrap()).collect();
                let expected = fault.figures();
                assert!(
                    expected.iter().all(|figure| figures.contains(figure)),
                    "{name} with {fault:?}: {:?}",
                    measured.problems
                );
                assert!(
                    figures.iter().all(|figure| fault.may_show(figure)),
                    "{name} with {fault:?}: {:?}",
                    measured.problems
                );
            }
        }
    }

    #[derive(Debug, Clone, Copy)]
    enum Fault {
        /// 4 % slower.
        Down,
        /// 2 % faster.
        Up,
        /// 3 ms or 3 % more.
        Rtt,
        /// Half as much again.
        Queue,
        /// In each direction 1 % of all packets more.
        Loss,
    }

    impl Fault {
        fn planted(self, network: &Network) -> Network {
            use Fault::{Down, Loss, Queue, Rtt, Up};
            let mut other = network.clone();
            let faster = |mbps: Option<f64>, times: f64| mbps.map(|mbps| Rate::Mbps(mbps * times));
            match self {
                Down => other.down_mbps = faster(network.down().link.mbps(), 0.96),
                Up => other.up_mbps = faster(network.up().link.mbps(), 1.02),
                Rtt => {
                    let ms = network.round_trip_ms();
                    other.rtt_ms = Some((ms + 3.0).max(ms * 1.03));
                }
                Queue => other.queue_ms = network.queue_ms.map(|ms| ms * 1.5),
                Loss => other.loss = Some(1.0 - (1.0 - network.loss_per_direction() - 0.01).powi(2)),
            }
            other
        }

        fn figures(self) -> Vec<&'static str> {
            match self {
                Self::Down => vec!["downlink: rate"],
                Self::Up => vec!["uplink: rate"],
                Self::Rtt => vec![
                    "downlink: minimum one-way delay",
                    "downlink: minimum round trip",
                    "uplink: minimum one-way delay",
                    "uplink: minimum round trip",
                ],
                Self::Queue => vec!["downlink: queue", "uplink: queue"],
                Self::Loss => vec!["downlink: loss", "uplink: loss"],
            }
        }

        /// Another rate changes the time that packets are on the link, and what is delivered.
        fn may_show(self, figure: &str) -> bool {
            self.figures().contains(&figure) || matches!(self, Self::Up) && figure == "uplink: delivered rate"
        }
    }

    #[test]
    fn more_than_the_link_less_its_loss_may_not_be_delivered() {
        let mss = find("MSS").unwrap();
        let mut seen = exactly(&mss);
        // As if packets were lost before the link, so that it is full of those that are not.
        let link = seen.down.rate.as_mut().unwrap();
        (link.arrived, link.lost_behind) = (1001, 30);
        let problems = judge(&mss, &seen, 1, vec![]).problems.join("; ");
        assert!(problems.contains("downlink: delivered rate is 1.89") && problems.contains("no more"), "{problems}");
        // Draws that lose fewer let more through.
        let link = seen.down.rate.as_mut().unwrap();
        (link.arrived, link.lost_behind) = (981, 20);
        let measured = judge(&mss, &seen, 1, vec![]);
        assert_eq!(measured.problems, Vec::<String>::new());
        assert!(measured.down.delivered_mbps.unwrap().measured.unwrap() > 1.89 * (1.0 - 0.0305));
    }

    #[test]
    fn nothing_is_said_of_what_a_network_does_without() {
        let mut free = find("DSL").unwrap();
        free.up_mbps =
            Some(eyelevel_definitions::networks::Rate::Word(eyelevel_definitions::networks::Word::Unlimited));
        let measured = way(&free, &free.up(), &Observed::default(), 0.0);
        assert_eq!((measured.rate_mbps, measured.queue_ms, measured.jitter_ms), (None, None, None));
    }
}
