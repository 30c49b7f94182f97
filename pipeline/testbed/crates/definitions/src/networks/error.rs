//! Errors in the choice or the definition of a network.

/// Errors in the choice or the definition of a network. All are mistakes of the caller.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    #[error("unknown network \"{name}\"; the networks are {known}; --network-file defines another one")]
    Unknown { name: String, known: String },
    #[error("cannot read the network file {file}: {reason}")]
    Unreadable { file: String, reason: String },
    #[error(
        "network \"{name}\": its name must start with a letter or digit, and have up to 64 letters, digits and . _ + -"
    )]
    BadName { name: String },
    #[error("network {network}: {field} is {value}, but must be {bound}")]
    OutOfBounds { network: String, field: &'static str, value: f64, bound: &'static str },
    #[error("network {network}: {fields}; {cure}")]
    Contradiction { network: String, fields: String, cure: &'static str },
}
