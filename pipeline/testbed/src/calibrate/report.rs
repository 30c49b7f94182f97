//! What was measured against what the definition says, and whether the two agree.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use super::bench::{Observations, Observed, QUEUE_PACKET_BYTES};
use super::estimate::{Estimate, full_queue_delay, least, middle, rate_mbps, serialization_ms, share};
use super::traffic::LEAST_BYTES;
use crate::networks::{Direction, Network};

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
    /// Whether all networks are what they say they are.
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
    pub tries: u32,
    pub real_time: bool,
    pub down: Way,
    pub up: Way,
}

/// One direction of a network.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Way {
    /// Of the link, in IP bytes.
    pub rate_mbps: Option<Figure>,
    /// What got through while the link was never idle; at most the rate less what is lost behind the link.
    pub delivered_mbps: Option<Figure>,
    /// The least round trip begun from this direction's sender, the time that the packets are on the links taken off.
    pub rtt_ms: Figure,
    /// The least one-way delay, likewise.
    pub one_way_ms: Figure,
    /// Time that a packet waits behind a full queue.
    pub queue_ms: Option<Figure>,
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

/// Holds what was observed against the definition.
#[must_use]
pub fn judge(network: &Network, seen: &Observations, tries: u32) -> Measured {
    let (down_way, up_way) = (network.down(), network.up());
    // The same for pings from either end: each is on both links once.
    let on_links = serialization_ms(LEAST_BYTES, mbps(&down_way)) + serialization_ms(LEAST_BYTES, mbps(&up_way));
    let mut down = way(network, &down_way, &seen.down, on_links, true);
    let mut up = way(network, &up_way, &seen.up, on_links, false);
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
        tries,
        real_time: seen.link.real_time,
        down,
        up,
    }
}

fn way(network: &Network, nominal: &Direction, seen: &Observed, on_links_ms: f64, loss_behind: bool) -> Way {
    let mbps = mbps(nominal);
    let lost = seen.loss_sent.saturating_sub(seen.loss_arrived);
    let rate =
        seen.rate.and_then(|link| rate_mbps(link.arrived + link.lost_behind, link.ip_bytes, link.span_s, LATENESS_S));
    let delivered = seen.rate.and_then(|link| {
        let (rate, lost) = (rate?, share(link.lost_behind, link.arrived + link.lost_behind)?);
        Some(Estimate {
            value: rate.value * (1.0 - lost.value),
            low: rate.low * (1.0 - lost.high),
            high: rate.high * (1.0 - lost.low),
        })
    });
    let most = if loss_behind { mbps * (1.0 - nominal.loss) } else { mbps };
    let one_way = least(&less(&seen.one_way, serialization_ms(LEAST_BYTES, mbps)));
    let fills: Vec<f64> = seen
        .fills
        .iter()
        .filter_map(|delays| {
            Some(full_queue_delay(delays)? - one_way?.value - serialization_ms(QUEUE_PACKET_BYTES, mbps) / 2.0)
        })
        .collect();
    let queue_ms = nominal.queue_bytes as f64 * 8.0 / mbps / 1e3;
    Way {
        rate_mbps: Some(Figure::within(mbps, rate, mbps * RATE_BOUND)),
        delivered_mbps: Some(Figure::new(most, delivered, |estimate| estimate.low <= most * (1.0 + RATE_BOUND))),
        rtt_ms: timed(network.rtt_ms, least(&less(&seen.round_trips, on_links_ms))),
        one_way_ms: timed(nominal.delay_ms, one_way),
        queue_ms: Some(Figure::within(queue_ms, middle(&fills), queue_ms * QUEUE_BOUND)),
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

fn timed(nominal: f64, measured: Option<Estimate>) -> Figure {
    Figure::within(nominal, measured, RTT_BOUND.0.max(nominal * RTT_BOUND.1))
}

fn mbps(way: &Direction) -> f64 {
    way.bits_per_second as f64 / 1e6
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
        ("loss", "", "inside the 99 % interval", Some(way.loss)),
    ];
    let mut found: Vec<String> = figures
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
        found.push(format!("{name}: the emulation missed {} packets; the machine is too busy", way.drops_emulation));
    }
    found
}

/// For people.
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
