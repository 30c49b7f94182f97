//! Estimates of rates, delays and loss with their intervals. Pure.

use statrs::distribution::{Beta, ContinuousCDF};

/// A figure and the interval around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// The confidence of every interval that has one.
pub const CONFIDENCE: f64 = 0.99;

/// The share of `lost` among `packets`, with its exact interval (Clopper and Pearson, Biometrika 26, 1934). None without packets.
#[must_use]
pub fn share(lost: u64, packets: u64) -> Option<Estimate> {
    if packets == 0 || lost > packets {
        return None;
    }
    // Counts of packets are far below 2^52.
    let (hits, misses) = (lost as f64, (packets - lost) as f64);
    let tail = (1.0 - CONFIDENCE) / 2.0;
    let quantile = |a: f64, b: f64, p: f64| Beta::new(a, b).map(|beta| beta.inverse_cdf(p)).ok();
    let low = if lost == 0 { 0.0 } else { quantile(hits, misses + 1.0, tail)? };
    let high = if lost == packets { 1.0 } else { quantile(hits + 1.0, misses, 1.0 - tail)? };
    Some(Estimate { value: hits / packets as f64, low, high })
}

/// The rate of a link that was never idle, in Mbit/s: so many IP bytes each packet, `through` packets from the first that arrived to
/// the last, in `span_s`. The first one's transmission lies before the span.
///
/// Low and high are what one packet more or less, and both ends as late as `lateness_s`, would make of it. None where that says nothing.
#[must_use]
pub fn rate_mbps(through: u64, ip_bytes: usize, span_s: f64, lateness_s: f64) -> Option<Estimate> {
    let rate = |packets: f64, span_s: f64| packets * ip_bytes as f64 * 8.0 / span_s / 1e6;
    let packets = through.checked_sub(1)? as f64;
    if packets < 10.0 || span_s <= 2.0 * lateness_s {
        return None;
    }
    Some(Estimate {
        value: rate(packets, span_s),
        low: rate(packets - 1.0, span_s + lateness_s),
        high: rate(packets + 1.0, span_s - lateness_s),
    })
}

/// The least of the times, with the interval from there to their median. None without times.
#[must_use]
pub fn least(times: &[f64]) -> Option<Estimate> {
    let value = quantile(times, 0.0)?;
    Some(Estimate { value, low: value, high: quantile(times, 0.5)? })
}

/// The width of an even distribution that the values were drawn from. None with fewer than three.
#[must_use]
pub fn spread(values: &[f64]) -> Option<Estimate> {
    if values.len() < 3 {
        return None;
    }
    let seen = quantile(values, 1.0)? - quantile(values, 0.0)?;
    let (n, tail) = (values.len() as f64, (1.0 - CONFIDENCE) / 2.0);
    // The range of n draws from 0 to 1 is distributed as Beta(n - 1, 2).
    let range = Beta::new(n - 1.0, 2.0).ok()?;
    Some(Estimate {
        value: seen * (n + 1.0) / (n - 1.0),
        low: seen / range.inverse_cdf(1.0 - tail),
        high: seen / range.inverse_cdf(tail),
    })
}

/// The median, with the least and the largest. None without values.
#[must_use]
pub fn middle(values: &[f64]) -> Option<Estimate> {
    Some(Estimate { value: quantile(values, 0.5)?, low: quantile(values, 0.0)?, high: quantile(values, 1.0)? })
}

/// How long a packet waits behind a full queue. `delays` are those of the packets that got through an overload, in the order of
/// sending. The queue is full for the last two fifths of them (the bench sees to that), and the slowest tenth of these entered it
/// at its fullest. None with too few packets to tell.
#[must_use]
pub fn full_queue_delay(delays: &[f64]) -> Option<f64> {
    let plateau = &delays[delays.len() * 3 / 5..];
    if plateau.len() < 3 { None } else { quantile(plateau, 0.9) }
}

/// The value below which a share of the values lies, the nearest one. None without values.
#[must_use]
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    // Below the count of values, as share is at most 1.
    let place = (share * sorted.len().saturating_sub(1) as f64).round() as usize;
    sorted.get(place).copied()
}

/// Milliseconds that so many IP bytes are on a link.
#[must_use]
pub fn serialization_ms(ip_bytes: usize, mbps: f64) -> f64 {
    ip_bytes as f64 * 8.0 / mbps / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() < 1e-6
    }

    #[test]
    fn the_interval_of_a_share_is_the_exact_one() {
        // scipy.stats.binomtest(610, 20000).proportion_ci(0.99, "exact")
        let estimate = share(610, 20_000).unwrap();
        assert!(
            close(estimate.value, 0.0305) && close(estimate.low, 0.027_455_031) && close(estimate.high, 0.033_770_721),
            "{estimate:?}"
        );
        // scipy.stats.binomtest(0, 20000).proportion_ci(0.99, "exact")
        let none = share(0, 20_000).unwrap();
        assert!(close(none.low, 0.0) && close(none.high, 0.000_264_881), "{none:?}");
        assert_eq!(share(5, 5).unwrap().high, 1.0);
        assert_eq!(share(0, 0), None);
    }

    #[test]
    fn a_rate_is_counted_from_the_first_packet_to_the_last() {
        // 1001 packets of 1250 bytes, one each millisecond: 10 Mbit/s.
        let rate = rate_mbps(1001, 1250, 1.0, 0.0002).unwrap();
        assert!(close(rate.value, 10.0) && rate.low < 9.99 && rate.high > 10.01, "{rate:?}");
        assert!(rate.high - rate.low < 0.03, "{rate:?}");
        assert_eq!(rate_mbps(0, 1250, 1.0, 0.0), None);
        assert_eq!(rate_mbps(100, 1250, 0.0, 0.0), None);
    }

    #[test]
    fn a_full_queue_shows_in_the_last_packets() {
        // A queue of 12 ms that fills over three fifths of what gets through.
        let ramp = (0..60).map(|n| f64::from(n) * 0.2);
        let delays: Vec<f64> = ramp.chain((0..40).map(|n| 12.0 - f64::from(n % 10) * 0.03)).collect();
        let delay = full_queue_delay(&delays).unwrap();
        assert!((11.9..=12.0).contains(&delay), "{delay}");
        assert_eq!(full_queue_delay(&[]), None);
    }

    #[test]
    fn the_least_and_the_middle_have_their_intervals() {
        assert_eq!(least(&[3.0, 1.0, 2.0]), Some(Estimate { value: 1.0, low: 1.0, high: 2.0 }));
        assert_eq!(middle(&[3.0, 1.0, 2.0]), Some(Estimate { value: 2.0, low: 1.0, high: 3.0 }));
        assert_eq!(least(&[]), None);
    }

    #[test]
    fn a_spread_is_a_little_more_than_what_was_seen_of_it() {
        let values: Vec<f64> = (1..=299).map(|n| f64::from(n) / 30.0).collect();
        let estimate = spread(&values).unwrap();
        assert!((9.95..10.05).contains(&estimate.value) && estimate.low < 10.0 && estimate.high > 10.0, "{estimate:?}");
        assert_eq!(spread(&[1.0, 2.0]), None);
    }
}
