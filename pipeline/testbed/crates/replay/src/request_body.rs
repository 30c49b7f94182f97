//! Bodies of requests, recorded or arriving, told apart by a digest of their beginning.

use sha2::{Digest, Sha256};

/// What is read of a request's body. Bodies that agree in so many bytes count as equal.
pub const HASHED_BYTES: usize = 1 << 20;

/// SHA-256 of the first [`HASHED_BYTES`] bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BodyDigest([u8; 32]);

impl BodyDigest {
    #[must_use]
    pub fn of(body: &[u8]) -> Self {
        let mut arriving = Arriving::default();
        arriving.take(body);
        arriving.digest()
    }

    /// Of a request without a body.
    #[must_use]
    pub fn empty() -> Self {
        Self::of(b"")
    }
}

/// Whether requests of this method have a body that tells them apart. Bodies of others are ignored.
#[must_use]
pub fn has_body(method: &str) -> bool {
    !matches!(method, "GET" | "HEAD" | "OPTIONS" | "TRACE" | "CONNECT")
}

/// A body of which parts arrive.
#[derive(Debug, Clone, Default)]
pub struct Arriving {
    hash: Sha256,
    bytes: usize,
}

impl Arriving {
    pub fn take(&mut self, part: &[u8]) {
        let part = &part[..part.len().min(HASHED_BYTES - self.bytes)];
        self.hash.update(part);
        self.bytes += part.len();
    }

    /// Whether further parts change nothing.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.bytes == HASHED_BYTES
    }

    #[must_use]
    pub fn digest(self) -> BodyDigest {
        BodyDigest(self.hash.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_in_parts_is_the_same_body_and_its_first_mebibyte_decides() {
        let body: Vec<u8> = (0..HASHED_BYTES + 5).map(|at| (at % 251) as u8).collect();
        let mut arriving = Arriving::default();
        for part in body.chunks(1000) {
            arriving.take(part);
        }
        assert!(arriving.is_full());
        assert_eq!(arriving.digest(), BodyDigest::of(&body[..HASHED_BYTES]));
        assert_ne!(BodyDigest::of(&body[..HASHED_BYTES - 1]), BodyDigest::of(&body));
        assert_eq!(Arriving::default().digest(), BodyDigest::empty());
    }
}
