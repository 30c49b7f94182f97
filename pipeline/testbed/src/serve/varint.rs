//! Variable-length integers of QUIC and HTTP/3 (RFC 9000, section 16).

/// The number at the beginning, and what follows it; `None` where the bytes end before it does.
pub fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let first = *bytes.first()?;
    let (number, rest) = bytes.split_at_checked(1 << (first >> 6))?;
    Some((number[1..].iter().fold(u64::from(first & 0x3f), |value, byte| value << 8 | u64::from(*byte)), rest))
}
