//! Writes frames with their times as Matroska, which players and ffmpeg read.
//!
//! Matroska is RFC 9559, its binary form (EBML) RFC 8794. The length of the segment is not known in advance.

use std::io::{self, Write};

const UNKNOWN_LENGTH: u64 = (1 << 56) - 1;
const VIDEO: u64 = 1;
const MICROSECONDS: u64 = 1000; // of a tick, in nanoseconds
const BITS: u16 = 32; // of a pixel
const KEY_FRAME: u8 = 0x80;

pub struct Matroska<W: Write>(W);

impl<W: Write> Matroska<W> {
    /// `fourcc` is the codec's name in AVI files.
    pub fn begin(mut to: W, fourcc: &[u8; 4], width: u16, height: u16) -> io::Result<Self> {
        let header = [
            unsigned(&[0x42, 0x86], 1),          // EBMLVersion
            unsigned(&[0x42, 0xf7], 1),          // EBMLReadVersion
            unsigned(&[0x42, 0xf2], 4),          // EBMLMaxIDLength
            unsigned(&[0x42, 0xf3], 8),          // EBMLMaxSizeLength
            element(&[0x42, 0x82], b"matroska"), // DocType
            unsigned(&[0x42, 0x87], 4),          // DocTypeVersion
            unsigned(&[0x42, 0x85], 2),          // DocTypeReadVersion
        ];
        let information = [
            unsigned(&[0x2a, 0xd7, 0xb1], MICROSECONDS),  // TimestampScale
            element(&[0x4d, 0x80], b"eyelevel-recorder"), // MuxingApp
            element(&[0x57, 0x41], b"eyelevel-recorder"), // WritingApp
        ];
        let video = [
            unsigned(&[0xb0], width.into()),  // PixelWidth
            unsigned(&[0xba], height.into()), // PixelHeight
        ];
        let track = [
            unsigned(&[0xd7], 1),                                        // TrackNumber
            unsigned(&[0x73, 0xc5], 1),                                  // TrackUID
            unsigned(&[0x83], VIDEO),                                    // TrackType
            element(&[0x86], b"V_MS/VFW/FOURCC"),                        // CodecID
            element(&[0x63, 0xa2], &bitmap_info(fourcc, width, height)), // CodecPrivate
            element(&[0xe0], &video.concat()),                           // Video
        ];
        to.write_all(&element(&[0x1a, 0x45, 0xdf, 0xa3], &header.concat()))?; // EBML
        to.write_all(&start(&[0x18, 0x53, 0x80, 0x67], UNKNOWN_LENGTH))?; // Segment
        to.write_all(&element(&[0x15, 0x49, 0xa9, 0x66], &information.concat()))?; // Info
        to.write_all(&element(&[0x16, 0x54, 0xae, 0x6b], &element(&[0xae], &track.concat())))?; // Tracks, TrackEntry
        Ok(Self(to))
    }

    /// A frame that shows from that moment on, in a cluster of its own.
    pub fn frame(&mut self, time_us: u64, frame: &[u8], is_key: bool) -> io::Result<()> {
        let timestamp = unsigned(&[0xe7], time_us);
        let block = [0x81, 0, 0, if is_key { KEY_FRAME } else { 0 }]; // track 1, at the cluster's time
        let block_start = start(&[0xa3], (block.len() + frame.len()) as u64); // SimpleBlock
        let length = timestamp.len() + block_start.len() + block.len() + frame.len();
        self.0.write_all(&start(&[0x1f, 0x43, 0xb6, 0x75], length as u64))?; // Cluster
        self.0.write_all(&[&timestamp[..], &block_start, &block].concat())?;
        self.0.write_all(frame)
    }

    pub fn end(mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The description of a codec in AVI files: a BITMAPINFOHEADER.
fn bitmap_info(fourcc: &[u8; 4], width: u16, height: u16) -> Vec<u8> {
    let bytes = u32::from(width) * u32::from(height) * u32::from(BITS / 8);
    let [planes, bits] = [1, BITS].map(u16::to_le_bytes);
    let [size, width, height, bytes] = [40, width.into(), height.into(), bytes].map(u32::to_le_bytes);
    [&size[..], &width, &height, &planes, &bits, fourcc, &bytes, &[0; 16]].concat()
}

/// An element's id and its length, which always takes eight bytes here.
fn start(id: &[u8], length: u64) -> Vec<u8> {
    [id, &(length | 1 << 56).to_be_bytes()].concat()
}

fn element(id: &[u8], content: &[u8]) -> Vec<u8> {
    [&start(id, content.len() as u64)[..], content].concat()
}

fn unsigned(id: &[u8], number: u64) -> Vec<u8> {
    element(id, &number.to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_a_cluster_with_its_time() {
        let mut file = Vec::new();
        let mut film = Matroska::begin(&mut file, b"ZMBV", 2, 1).expect("memory");
        let before = film.0.len();
        film.frame(1_234_567, &[7, 8, 9], true).expect("memory");
        let cluster = &file[before..];
        assert_eq!(&cluster[..4], [0x1f, 0x43, 0xb6, 0x75]);
        assert_eq!(cluster[5..12], ((cluster.len() - 12) as u64).to_be_bytes()[1..]);
        assert_eq!(cluster[12..29], unsigned(&[0xe7], 1_234_567));
        assert_eq!(cluster[cluster.len() - 7..], [0x81, 0, 0, 0x80, 7, 8, 9]);
    }
}
