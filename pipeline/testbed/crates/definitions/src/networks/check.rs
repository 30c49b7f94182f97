//! Checks the definition of a network.

use super::error::NetworkError;
use super::network::{Network, Rate};

const DELAY: &str = "from 0 to 60000";
const RATE: &str = "above 0 and at most 1000";
const LOSS: &str = "from 0 to below 1";

/// Field, value if given, check, and its description.
type Check<'a> = (&'static str, Option<f64>, &'a dyn Fn(f64) -> bool, &'static str);

impl Network {
    pub(super) fn check(&self) -> Result<(), NetworkError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
        if !self.name.starts_with(|c: char| c.is_ascii_alphanumeric())
            || !self.name.chars().all(plain)
            || self.name.len() > 64
        {
            return Err(NetworkError::BadName { name: self.name.clone() });
        }
        self.check_figures()?;
        self.check_together()
    }

    fn check_figures(&self) -> Result<(), NetworkError> {
        let mbps = |rate: Option<Rate>| match rate {
            Some(Rate::Mbps(mbps)) => Some(mbps),
            _ => None,
        };
        let rate = |mbps: f64| mbps > 0.0 && mbps <= 1000.0;
        let delay = |ms: f64| (0.0..=60_000.0).contains(&ms);
        let loss = |share: f64| (0.0..1.0).contains(&share);
        // Whole numbers up to 2^40 are exact as floats.
        let whole = |number: Option<u64>| number.map(|number| number as f64);
        let checks: [Check<'_>; 12] = [
            ("up_mbps", mbps(self.up_mbps), &rate, RATE),
            ("down_mbps", mbps(self.down_mbps), &rate, RATE),
            ("rtt_ms", self.rtt_ms, &delay, DELAY),
            ("delay_up_ms", self.delay_up_ms, &delay, DELAY),
            ("delay_down_ms", self.delay_down_ms, &delay, DELAY),
            ("loss", self.loss, &loss, LOSS),
            ("loss_up", self.loss_up, &loss, LOSS),
            ("loss_down", self.loss_down, &loss, LOSS),
            ("queue_ms", self.queue_ms, &|ms| ms > 0.0 && ms <= 60_000.0, "above 0 and at most 60000"),
            ("queue_bytes", whole(self.queue_bytes), &|n| (1500.0..=1e9).contains(&n), "from 1500 to 1000000000"),
            ("queue_packets", whole(self.queue_packets), &|n| (1.0..=1e6).contains(&n), "from 1 to 1000000"),
            ("jitter_ms", self.jitter_ms, &|ms| (0.0..=10_000.0).contains(&ms), "from 0 to 10000"),
        ];
        for (field, value, fits, bound) in checks {
            if let Some(value) = value.filter(|value| !fits(*value)) {
                return Err(NetworkError::OutOfBounds { network: self.name.clone(), field, value, bound });
            }
        }
        Ok(())
    }

    fn check_together(&self) -> Result<(), NetworkError> {
        let wrong =
            |fields: String, cure| Err(NetworkError::Contradiction { network: self.name.clone(), fields, cure });
        for (way, rate, trace) in [
            ("up", self.up_mbps.is_some(), self.up_trace.is_some()),
            ("down", self.down_mbps.is_some(), self.down_trace.is_some()),
        ] {
            if rate == trace {
                let fields = format!("it has {} {way}_mbps and {way}_trace", if rate { "both" } else { "neither" });
                return wrong(fields, "give one of them; up_mbps and down_mbps may be \"unlimited\"");
            }
        }
        match (self.rtt_ms, self.delay_up_ms, self.delay_down_ms) {
            (None, Some(_), Some(_)) | (Some(_), None, None) => {}
            (Some(_), ..) => {
                return wrong(
                    "it has both rtt_ms and a delay of a direction".into(),
                    "give rtt_ms, or delay_up_ms and delay_down_ms",
                );
            }
            (None, None, None) => {
                return wrong(
                    "it has neither rtt_ms nor a delay of a direction".into(),
                    "give rtt_ms, or delay_up_ms and delay_down_ms",
                );
            }
            _ => {
                return wrong(
                    "one of delay_up_ms and delay_down_ms is missing".into(),
                    "give both, 0 where nothing is delayed",
                );
            }
        }
        match (self.loss, self.loss_up, self.loss_down) {
            (None, Some(_), Some(_)) | (Some(_) | None, None, None) => {}
            (Some(_), ..) => {
                return wrong(
                    "it has both loss and a loss of a direction".into(),
                    "give loss, or loss_up and loss_down",
                );
            }
            _ => return wrong("one of loss_up and loss_down is missing".into(), "give both, 0 where nothing is lost"),
        }
        let queues = [self.queue_ms.is_some(), self.queue_bytes.is_some(), self.queue_packets.is_some()];
        let given = queues.iter().filter(|given| **given).count();
        let limited = self.up().link.mbps().or(self.down().link.mbps()).is_some();
        if limited && given != 1 {
            let fields = format!("it has {given} of queue_ms, queue_bytes and queue_packets");
            return wrong(fields, "give one of them");
        }
        if !limited && given > 0 {
            return wrong("it has a queue but no rate limit, so no packet would ever wait".into(), "remove the queue");
        }
        Ok(())
    }
}
