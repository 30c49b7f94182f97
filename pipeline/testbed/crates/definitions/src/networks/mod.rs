//! The emulated networks: five built-in ones, or one from a file.

mod check;
mod error;
mod network;
mod trace;
mod units;

use std::path::Path;

use serde_json::Value;

pub use error::NetworkError;
pub use network::{Direction, Link, Network, Queue, Rate, Word};
pub use trace::Trace;
pub use units::MTU_BYTES;

/// Name, up, down, round trip, loss, queue; the figures of the ANRW 2019 paper. MSS-SLIDES has the round trip and loss of
/// the authors' slides of May 2019, and MSS's rates and queue, which the slides do not contradict.
#[rustfmt::skip]
const NETWORKS: [(&str, f64, f64, f64, f64, f64); 5] = [
    ("DSL",        5.0,   25.0,  24.0,  0.0,   12.0),
    ("LTE",        2.8,   10.5,  74.0,  0.0,   200.0),
    ("DA2GC",      0.468, 0.468, 262.0, 0.033, 200.0),
    ("MSS",        1.89,  1.89,  760.0, 0.06,  200.0),
    ("MSS-SLIDES", 1.89,  1.89,  761.0, 0.066, 200.0),
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
            up_mbps: Some(Rate::Mbps(up_mbps)),
            down_mbps: Some(Rate::Mbps(down_mbps)),
            rtt_ms: Some(rtt_ms),
            loss: Some(loss),
            queue_ms: Some(queue_ms),
            ..Network::default()
        })
        .ok_or_else(|| NetworkError::Unknown { name: name.to_owned(), known: names().join(", ") })
}

/// Reads one network as a JSON object with the fields of [`Network`]. Traces are named by their files, relative to this one.
///
/// # Errors
/// Names the file and the field where it is not a network, or a value is not valid.
pub fn read(file: &Path) -> Result<Network, NetworkError> {
    let unreadable =
        |reason: String| NetworkError::Unreadable { file: file.display().to_string(), reason: reason.to_lowercase() };
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(error.to_string()))?;
    let mut value: Value = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
    let mut load = |field: &str| match value.as_object_mut().and_then(|fields| fields.remove(field)) {
        None => Ok(None),
        Some(Value::String(named)) => Trace::read(&file.with_file_name(named)).map(Some),
        Some(other) => Err(unreadable(format!("{field} is {other}, but must be the name of a file"))),
    };
    let (up_trace, down_trace) = (load("up_trace")?, load("down_trace")?);
    let network: Network = serde_json::from_value(value).map_err(|error| unreadable(error.to_string()))?;
    let network = Network { up_trace, down_trace, ..network };
    network.check()?;
    Ok(network)
}

#[cfg(test)]
mod tests;
