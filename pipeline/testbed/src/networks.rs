//! The emulated networks: four of our own, or one from a file.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// One access network. Serialized, it is what its digest names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    pub name: String,
    /// Client to server, in IP bytes.
    pub up_mbps: f64,
    /// Server to client, in IP bytes.
    pub down_mbps: f64,
    /// The least round trip of a small packet: half of it in each direction.
    pub rtt_ms: f64,
    /// The chance that a packet or its answer is lost, 0 to below 1; see [`Network::loss_per_direction`].
    pub loss: f64,
    /// What the drop-tail queue of each direction holds, as time at that direction's rate.
    pub queue_ms: f64,
}

/// One direction of a network, in the units that the emulation works in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Direction {
    pub bits_per_second: u64,
    pub delay_ms: f64,
    pub loss: f64,
    pub queue_bytes: usize,
}

/// Why a network cannot be had. All are mistakes of the caller.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    #[error("unknown network \"{name}\"; known are {}, and --network-file takes another", names().join(", "))]
    Unknown { name: String },
    #[error("cannot read the network file {file}: {reason}")]
    Unreadable { file: String, reason: String },
    #[error(
        "network \"{name}\": its name may have up to 64 letters, digits and . _ + -, and starts with a letter or digit"
    )]
    BadName { name: String },
    #[error("network {network}: {field} is {value}, but must be {bound}")]
    OutOfBounds { network: String, field: &'static str, value: f64, bound: &'static str },
}

/// The largest packet on the emulated links, in IP bytes.
pub const MTU_BYTES: usize = 1500;

/// Name, up, down, round trip, loss, queue; the figures of the ANRW 2019 paper.
#[rustfmt::skip]
const NETWORKS: [(&str, f64, f64, f64, f64, f64); 4] = [
    ("DSL",   5.0,   25.0,  24.0,  0.0,   12.0),
    ("LTE",   2.8,   10.5,  74.0,  0.0,   200.0),
    ("DA2GC", 0.468, 0.468, 262.0, 0.033, 200.0),
    ("MSS",   1.89,  1.89,  760.0, 0.06,  200.0),
];

/// The names of the networks that need no file.
#[must_use]
pub fn names() -> Vec<&'static str> {
    NETWORKS.iter().map(|network| network.0).collect()
}

/// # Errors
/// [`NetworkError::Unknown`] names the known ones.
pub fn find(name: &str) -> Result<Network, NetworkError> {
    NETWORKS
        .iter()
        .find(|network| network.0 == name)
        .map(|&(name, up_mbps, down_mbps, rtt_ms, loss, queue_ms)| Network {
            name: name.to_owned(),
            up_mbps,
            down_mbps,
            rtt_ms,
            loss,
            queue_ms,
        })
        .ok_or_else(|| NetworkError::Unknown { name: name.to_owned() })
}

/// Reads one network as a JSON object with the fields of [`Network`].
///
/// # Errors
/// Names the file and the field where it is not one, or a figure makes no sense.
pub fn read(file: &Path) -> Result<Network, NetworkError> {
    let unreadable =
        |reason: String| NetworkError::Unreadable { file: file.display().to_string(), reason: reason.to_lowercase() };
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(error.to_string()))?;
    let network: Network = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
    network.check()?;
    Ok(network)
}

impl Network {
    fn check(&self) -> Result<(), NetworkError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
        if !self.name.starts_with(|c: char| c.is_ascii_alphanumeric())
            || !self.name.chars().all(plain)
            || self.name.len() > 64
        {
            return Err(NetworkError::BadName { name: self.name.clone() });
        }
        let checks = [
            ("up_mbps", self.up_mbps, self.up_mbps > 0.0 && self.up_mbps <= 1000.0, "above 0 and at most 1000"),
            ("down_mbps", self.down_mbps, self.down_mbps > 0.0 && self.down_mbps <= 1000.0, "above 0 and at most 1000"),
            ("rtt_ms", self.rtt_ms, (0.0..=60_000.0).contains(&self.rtt_ms), "from 0 to 60000"),
            ("loss", self.loss, (0.0..1.0).contains(&self.loss), "from 0 to below 1"),
            ("queue_ms", self.queue_ms, self.queue_ms > 0.0 && self.queue_ms <= 60_000.0, "above 0 and at most 60000"),
        ];
        match checks.into_iter().find(|check| !check.2) {
            None => Ok(()),
            Some((field, value, _, bound)) => {
                Err(NetworkError::OutOfBounds { network: self.name.clone(), field, value, bound })
            }
        }
    }

    /// Each direction drops 1 - sqrt(1 - p), so that a packet and its answer both get through with 1 - p.
    #[must_use]
    pub fn loss_per_direction(&self) -> f64 {
        1.0 - (1.0 - self.loss).sqrt()
    }

    /// Server to client.
    #[must_use]
    pub fn down(&self) -> Direction {
        self.direction(self.down_mbps)
    }

    /// Client to server.
    #[must_use]
    pub fn up(&self) -> Direction {
        self.direction(self.up_mbps)
    }

    fn direction(&self, mbps: f64) -> Direction {
        // Bounded by `check`: at most 1e9 bit/s and 7.5e9 bytes.
        let bits_per_second = (mbps * 1e6).round() as u64;
        let queue_bytes = (mbps * 1e6 / 8.0 * self.queue_ms / 1e3).round() as usize;
        Direction {
            bits_per_second,
            delay_ms: self.rtt_ms / 2.0,
            loss: self.loss_per_direction(),
            // A queue that no packet fits into would carry nothing once the link is busy.
            queue_bytes: queue_bytes.max(MTU_BYTES),
        }
    }

    /// SHA-256 (hex) over the definition as compact JSON in the order of the fields.
    #[must_use]
    pub fn digest(&self) -> String {
        let json = serde_json::to_vec(self).expect("a plain struct of plain values always serializes");
        Sha256::digest(json).iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_and_its_answer_survive_with_one_minus_the_round_trip_loss() {
        let mss = find("MSS").unwrap();
        let survives = (1.0 - mss.loss_per_direction()).powi(2);
        assert!((survives - 0.94).abs() < 1e-12, "{survives}");
    }

    #[test]
    fn the_queue_is_time_at_the_rate_of_its_direction() {
        assert_eq!(find("DSL").unwrap().down().queue_bytes, 37_500);
        assert_eq!(find("DSL").unwrap().up().queue_bytes, 7_500);
        assert_eq!(find("DA2GC").unwrap().down().queue_bytes, 11_700);
    }

    #[test]
    fn an_unknown_network_is_answered_with_the_known_ones() {
        let error = find("ISDN").unwrap_err().to_string();
        assert!(error.contains("ISDN") && error.contains("DSL, LTE, DA2GC, MSS"), "{error}");
    }

    #[test]
    fn two_definitions_under_one_name_have_two_digests() {
        let dsl = find("DSL").unwrap();
        let slower = Network { down_mbps: 16.0, ..dsl.clone() };
        assert_ne!(dsl.digest(), slower.digest());
        assert_eq!(dsl.digest(), find("DSL").unwrap().digest());
    }

    #[test]
    fn a_figure_out_of_bounds_is_named() {
        let network = Network { loss: 1.0, ..find("DSL").unwrap() };
        assert_eq!(network.check().unwrap_err().to_string(), "network DSL: loss is 1, but must be from 0 to below 1");
    }

    #[test]
    fn the_table_holds_the_published_figures() {
        let shared = std::env::var("EYELEVEL_SHARED")
            .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared").to_owned());
        let Ok(text) = std::fs::read_to_string(Path::new(&shared).join("reference/seed_facts.json")) else {
            eprintln!("skipped: {shared} has no reference/seed_facts.json");
            return;
        };
        let facts: serde_json::Value = serde_json::from_str(&text).unwrap();
        let published = facts["networks"].as_object().unwrap();
        assert_eq!(published.len(), NETWORKS.len());
        for (name, figures) in published {
            let mut ours = serde_json::to_value(find(name).unwrap()).unwrap();
            ours.as_object_mut().unwrap().remove("name");
            for (field, value) in figures.as_object().unwrap() {
                assert_eq!(ours[field].as_f64(), value.as_f64(), "{name}.{field}");
            }
        }
    }
}
