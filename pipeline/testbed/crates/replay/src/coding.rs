//! Content codings that are undone and done again (RFC 9110, section 8.4.1; RFC 7932, RFC 8878).

use std::io::{Read, Write as _};

use bytes::Bytes;
use flate2::Compression;
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};
use http::{HeaderMap, header};
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// Larger bodies are not decoded.
const MOST_BYTES: u64 = 4 << 20;

const BUFFER_BYTES: usize = 4096;

/// How bodies in these codings begin (RFC 1952, section 2.3.1; RFC 8878, section 3.1.1).
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// What servers take for answers that they compress as they go; and the window that browsers take at most.
const BROTLI_QUALITY: u32 = 5;
const BROTLI_WINDOW: u32 = 22;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    Identity,
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

impl Coding {
    /// That of a response; `None` where it is not known here, or where there are several.
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        let Some(value) = headers.get(header::CONTENT_ENCODING) else { return Some(Self::Identity) };
        match value.to_str().ok()?.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Some(Self::Identity),
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "deflate" => Some(Self::Deflate),
            "br" => Some(Self::Brotli),
            "zstd" => Some(Self::Zstd),
            _ => None,
        }
    }

    pub fn decode(self, body: &[u8]) -> Option<Vec<u8>> {
        let mut plain = Vec::new();
        self.reader(body)?.take(MOST_BYTES + 1).read_to_end(&mut plain).ok()?;
        (plain.len() as u64 <= MOST_BYTES).then_some(plain)
    }

    /// Whether the body is in another coding or in none: recorders that undo a coding often keep the field that names it. One that
    /// breaks off is still in its coding.
    pub fn is_foreign_to(self, body: &[u8]) -> bool {
        !body.is_empty()
            && match self {
                Self::Identity => false,
                Self::Gzip => !body.starts_with(GZIP),
                Self::Deflate => !begins_as_zlib(body) && !is_raw_deflate(body),
                Self::Brotli => !begins_as_brotli(body),
                Self::Zstd => !body.starts_with(ZSTD),
            }
    }

    fn reader(self, body: &[u8]) -> Option<Box<dyn Read + '_>> {
        Some(match self {
            Self::Identity => Box::new(body),
            Self::Gzip => Box::new(MultiGzDecoder::new(body)),
            Self::Deflate => Box::new(ZlibDecoder::new(body)),
            Self::Brotli => Box::new(brotli::Decompressor::new(body, BUFFER_BYTES)),
            Self::Zstd => Box::new(StreamingDecoder::new(body).ok()?),
        })
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
            Self::Brotli => {
                let mut encoder =
                    brotli::CompressorWriter::new(Vec::new(), BUFFER_BYTES, BROTLI_QUALITY, BROTLI_WINDOW);
                encoder.write_all(body).expect(INTO_MEMORY);
                encoder.into_inner().into()
            }
            Self::Zstd => compress_to_vec(body, CompressionLevel::Fastest).into(),
        }
    }
}

/// RFC 1950, section 2.2: method 8, and a check of the first two bytes.
fn begins_as_zlib(body: &[u8]) -> bool {
    matches!(body, [first, second, ..] if first & 0x0f == 8 && u16::from_be_bytes([*first, *second]).is_multiple_of(31))
}

/// Whether a first byte can be decoded, or the body is nothing in this coding: it has no bytes that tell it.
fn begins_as_brotli(body: &[u8]) -> bool {
    let mut decoder = brotli::Decompressor::new(body, BUFFER_BYTES);
    let mut read = || decoder.read(&mut [0]);
    // The second time what is left over is an error.
    read().is_ok_and(|bytes| bytes > 0 || read().is_ok())
}

/// Deflate without the frame of zlib, which browsers read as well. Text can begin like it, and does not end like it.
fn is_raw_deflate(body: &[u8]) -> bool {
    let mut decoder = DeflateDecoder::new(body);
    let decoded = std::io::copy(&mut decoder.by_ref().take(MOST_BYTES), &mut std::io::sink());
    decoded.is_ok_and(|bytes| bytes == MOST_BYTES || decoder.total_in() == body.len() as u64)
}

#[cfg(test)]
mod tests {
    use flate2::write::DeflateEncoder;

    use super::*;

    const NAMED: [(&str, Coding); 5] = [
        ("identity", Coding::Identity),
        ("gzip", Coding::Gzip),
        ("deflate", Coding::Deflate),
        ("br", Coding::Brotli),
        ("zstd", Coding::Zstd),
    ];

    fn of(name: &str) -> Option<Coding> {
        Coding::of(&HeaderMap::from_iter([(header::CONTENT_ENCODING, name.parse().expect("a value"))]))
    }

    #[test]
    fn what_was_encoded_is_decoded_by_the_coding_that_the_field_names() {
        let plain = b"callback({\"x\": \"x x x x x x x x x x\"})".repeat(20);
        for (name, coding) in NAMED {
            let body = coding.encode(&plain);
            assert_eq!(of(name), Some(coding), "{name}");
            assert_eq!(coding.decode(&body).as_deref(), Some(&plain[..]), "{name}");
            assert_eq!(coding.encode(&plain), body, "{name}: the same bytes each time");
            for coded in [&body[..], &coding.encode(b""), b""] {
                assert!(!coding.is_foreign_to(coded), "{name}");
            }
        }
        assert_eq!((of("compress"), of("gzip, br")), (None, None));
    }

    #[test]
    fn a_body_that_was_decoded_is_foreign_to_its_coding() {
        for (name, coding) in NAMED {
            for plain in ["{\"a\": 1}", "<!doctype html><title>x</title>", "(function(){})()", "body {color: red}", "1"]
            {
                let is_coded = coding != Coding::Identity;
                assert_eq!(coding.is_foreign_to(plain.as_bytes()), is_coded, "{name}: {plain}");
            }
        }
    }

    #[test]
    fn a_body_that_breaks_off_is_still_in_its_coding() {
        let plain: Vec<u8> = (0..60_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()).collect();
        for (name, coding) in NAMED {
            let body = coding.encode(&plain);
            assert!(!coding.is_foreign_to(&body[..body.len() / 4 * 3]), "{name}");
        }
    }

    #[test]
    fn deflate_without_the_frame_of_zlib_is_deflate_to_browsers() {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(b"body {color: red}").expect("into memory");
        assert!(!Coding::Deflate.is_foreign_to(&encoder.finish().expect("into memory")));
    }

    #[test]
    fn a_body_above_the_limit_is_not_decoded() {
        let body = Coding::Gzip.encode(&vec![0; (MOST_BYTES + 1) as usize]);
        assert_eq!(Coding::Gzip.decode(&body), None);
        assert!(!Coding::Gzip.is_foreign_to(&body));
    }
}
