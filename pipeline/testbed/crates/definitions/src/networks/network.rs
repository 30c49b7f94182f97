//! The definition of one network, and its properties for each direction.

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::trace::Trace;
use super::units::MTU_BYTES;

/// One access network. Its digest is over the serialized definition, without unused fields.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    pub name: String,
    /// Client to server, in IP bytes. Either this or `up_trace`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_mbps: Option<Rate>,
    /// Server to client, in IP bytes. Either this or `down_trace`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub down_mbps: Option<Rate>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub up_trace: Option<Trace>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub down_trace: Option<Trace>,
    /// The least round trip of a small packet: half of it in each direction. Either this, or each direction's delay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rtt_ms: Option<f64>,
    /// The least time that a small packet takes from client to server; with `delay_down_ms` instead of `rtt_ms`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_up_ms: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_down_ms: Option<f64>,
    /// The probability that a packet or its answer is lost, 0 to below 1; see [`Network::loss_per_direction`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
    /// The probability that a packet is lost on its way up; with `loss_down` instead of `loss`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss_up: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss_down: Option<f64>,
    /// The size of each direction's drop-tail queue, as time at that direction's (mean) rate; or in bytes; or in
    /// packets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue_ms: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue_bytes: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue_packets: Option<u64>,
    /// The largest additional delay of a packet, uniformly distributed, in each direction. Packets are not reordered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jitter_ms: Option<f64>,
}

/// The rate of a link: Mbit/s, or unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged, try_from = "Value")]
pub enum Rate {
    Mbps(f64),
    Word(Word),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Word {
    Unlimited,
}

impl TryFrom<Value> for Rate {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match (value.as_f64(), value.as_str()) {
            (Some(mbps), _) => Ok(Self::Mbps(mbps)),
            (_, Some("unlimited")) => Ok(Self::Word(Word::Unlimited)),
            _ => Err(format!("a rate is {value}, but must be a number of Mbit/s or \"unlimited\"")),
        }
    }
}

/// One direction of a network, in the units that the emulation works in.
#[derive(Debug, Clone, PartialEq)]
pub struct Direction {
    pub link: Link,
    pub delay_ms: f64,
    pub jitter_ms: f64,
    pub loss: f64,
    pub queue: Queue,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Link {
    BitsPerSecond(u64),
    Unlimited,
    Trace(Trace),
}

/// The limits of a drop-tail queue; `None` is unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Queue {
    pub bytes: Option<usize>,
    pub packets: Option<usize>,
}

impl Network {
    /// Each direction drops 1 - sqrt(1 - p), so that a packet and its answer both get through with 1 - p.
    #[must_use]
    pub fn loss_per_direction(&self) -> f64 {
        1.0 - (1.0 - self.loss.unwrap_or_default()).sqrt()
    }

    /// The least round trip of a small packet, in ms: as defined, or the sum of both directions' delays.
    #[must_use]
    pub fn round_trip_ms(&self) -> f64 {
        self.down().delay_ms + self.up().delay_ms
    }

    /// Server to client.
    #[must_use]
    pub fn down(&self) -> Direction {
        self.direction(self.down_mbps, self.down_trace.as_ref(), self.delay_down_ms, self.loss_down)
    }

    /// Client to server.
    #[must_use]
    pub fn up(&self) -> Direction {
        self.direction(self.up_mbps, self.up_trace.as_ref(), self.delay_up_ms, self.loss_up)
    }

    fn direction(
        &self,
        rate: Option<Rate>,
        trace: Option<&Trace>,
        delay_ms: Option<f64>,
        loss: Option<f64>,
    ) -> Direction {
        let link = match (trace, rate) {
            (Some(trace), _) => Link::Trace(trace.clone()),
            // Bounded by `check`: at most 1e9 bit/s.
            (None, Some(Rate::Mbps(mbps))) => Link::BitsPerSecond((mbps * 1e6).round() as u64),
            (None, _) => Link::Unlimited,
        };
        let at_rate = link.mbps().zip(self.queue_ms).map(|(mbps, ms)| (mbps * 1e6 / 8.0 * ms / 1e3).round() as usize);
        // A queue that no packet fits into would carry nothing once the link is busy.
        let bytes = at_rate.or(self.queue_bytes.map(|bytes| bytes as usize)).map(|bytes| bytes.max(MTU_BYTES));
        Direction {
            link,
            delay_ms: delay_ms.unwrap_or(self.rtt_ms.unwrap_or_default() / 2.0),
            jitter_ms: self.jitter_ms.unwrap_or_default(),
            loss: loss.unwrap_or(self.loss_per_direction()),
            queue: Queue { bytes, packets: self.queue_packets.map(|packets| packets as usize) },
        }
    }

    /// SHA-256 (hex) over the definition as compact JSON in the order of the fields.
    #[must_use]
    pub fn digest(&self) -> String {
        let json = serde_json::to_vec(self).expect("a plain struct of plain values always serializes");
        HEXLOWER.encode(&Sha256::digest(json))
    }
}

impl Link {
    /// On the whole; none where there is no limit.
    #[must_use]
    pub fn mbps(&self) -> Option<f64> {
        match self {
            Self::BitsPerSecond(rate) => Some(*rate as f64 / 1e6),
            Self::Unlimited => None,
            Self::Trace(trace) => Some(trace.mbps()),
        }
    }
}

impl Direction {
    /// How long packets of this size wait behind a full queue, at the mean rate. None where nothing ever waits.
    #[must_use]
    pub fn queue_ms(&self, ip_bytes: usize) -> Option<f64> {
        let held = [self.queue.bytes, self.queue.packets.map(|packets| packets * ip_bytes)];
        let bytes = held.into_iter().flatten().min()?;
        Some(bytes as f64 * 8.0 / self.link.mbps()? / 1e3)
    }
}
