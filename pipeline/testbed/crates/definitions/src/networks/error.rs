//! Errors in the choice or the definition of a network.

/// Why a network cannot be had. All are mistakes of the caller.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    #[error("unknown network \"{name}\"; known are {known}, and --network-file takes another")]
    Unknown { name: String, known: String },
    #[error("cannot read the network file {file}: {reason}")]
    Unreadable { file: String, reason: String },
    #[error(
        "network \"{name}\": its name may have up to 64 letters, digits and . _ + -, and starts with a letter or digit"
    )]
    BadName { name: String },
    #[error("network {network}: {field} is {value}, but must be {bound}")]
    OutOfBounds { network: String, field: &'static str, value: f64, bound: &'static str },
    #[error("network {network}: {fields}; {cure}")]
    Contradiction { network: String, fields: String, cure: &'static str },
}
