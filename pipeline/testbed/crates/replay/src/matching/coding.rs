//! Content codings that are undone and done again (RFC 9110, section 8.4.1).

use std::io::{Read, Write as _};

use bytes::Bytes;
use flate2::Compression;
use flate2::read::{MultiGzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};
use http::{HeaderMap, header};

/// Larger bodies are not decoded.
const MOST_BYTES: u64 = 4 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    Identity,
    Gzip,
    Deflate,
}

impl Coding {
    /// That of a response; `None` where it is not known here, such as br.
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        let Some(value) = headers.get(header::CONTENT_ENCODING) else { return Some(Self::Identity) };
        match value.to_str().ok()?.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Some(Self::Identity),
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "deflate" => Some(Self::Deflate),
            _ => None,
        }
    }

    pub fn decode(self, body: &[u8]) -> Option<Vec<u8>> {
        let reader: Box<dyn Read + '_> = match self {
            Self::Identity => Box::new(body),
            Self::Gzip => Box::new(MultiGzDecoder::new(body)),
            Self::Deflate => Box::new(ZlibDecoder::new(body)),
        };
        let mut plain = Vec::new();
        reader.take(MOST_BYTES + 1).read_to_end(&mut plain).ok()?;
        (plain.len() as u64 <= MOST_BYTES).then_some(plain)
    }

    /// The same bytes for the same body, in every run and for every stack.
    pub fn encode(self, body: &[u8]) -> Bytes {
        const INTO_MEMORY: &str = "writing into memory does not fail";
        match self {
            Self::Identity => Bytes::copy_from_slice(body),
            Self::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(body).expect(INTO_MEMORY);
                encoder.finish().expect(INTO_MEMORY).into()
            }
            Self::Deflate => {
                let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(body).expect(INTO_MEMORY);
                encoder.finish().expect(INTO_MEMORY).into()
            }
        }
    }
}
