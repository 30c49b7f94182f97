//! Compresses pictures without loss as ZMBV, the screen codec of DOSBox, which ffmpeg and players decode.
//!
//! A frame is a flag byte and a part of one zlib stream, flushed. A key frame has all pixels. Any other has two bytes for
//! each block of 16 x 16 pixels, in rows, filled up to a multiple of four: 1 and 0 where the block changed, else 0 and 0
//! (motion vectors, which are not used); then the exclusive or of old and new pixels of the blocks that changed. The
//! format is what libavcodec/zmbv.c of ffmpeg reads.

use flate2::{Compress, Compression, FlushCompress, Status};

use crate::changes::bytes;
use crate::picture::{Change, Picture};

pub const FOURCC: &[u8; 4] = b"ZMBV";
const BLOCK: u16 = 16;
const KEY_FRAME: u8 = 1;
/// version 0.1, zlib, 32 bits a pixel, size of a block
const HEADER: [u8; 7] = [KEY_FRAME, 0, 1, 1, 8, BLOCK as u8, BLOCK as u8];
const CHANGED: [u8; 2] = [1, 0];

/// Pictures of one size, in their order.
pub struct Encoder {
    stream: Compress,
    last: Option<Vec<u32>>,
}

impl Encoder {
    pub fn begin() -> Self {
        Self { stream: Compress::new(Compression::fast(), true), last: None }
    }

    /// The frame of a picture, of which `changes` has all that differs from the one before; and whether it is a key frame.
    pub fn frame(&mut self, picture: &Picture, changes: &[Change]) -> (Vec<u8>, bool) {
        let Some(last) = &mut self.last else {
            self.last = Some(picture.pixels().to_vec());
            let mut frame = HEADER.to_vec();
            compress(&mut self.stream, &bytes(picture.pixels()), &mut frame);
            return (frame, true);
        };
        let (columns, rows) = (picture.width().div_ceil(BLOCK), picture.height().div_ceil(BLOCK));
        let mut content = vec![0; (usize::from(columns) * usize::from(rows) * CHANGED.len()).next_multiple_of(4)];
        for row in 0..rows {
            for column in 0..columns {
                if !changes.iter().any(|change| touches(change, column, row)) {
                    continue;
                }
                let number = usize::from(row) * usize::from(columns) + usize::from(column);
                content[number * CHANGED.len()..][..CHANGED.len()].copy_from_slice(&CHANGED);
                take_over(last, picture, (column * BLOCK, row * BLOCK), &mut content);
            }
        }
        let mut frame = vec![0];
        compress(&mut self.stream, &content, &mut frame);
        (frame, false)
    }
}

fn touches(change: &Change, column: u16, row: u16) -> bool {
    let place = change.rectangle;
    let reaches = |from: u16, size: u16, block: u16| from / BLOCK <= block && block <= (from + size - 1) / BLOCK;
    reaches(place.x, place.width, column) && reaches(place.y, place.height, row)
}

/// Append what has changed in the block at (x, y), and make `last` show it.
fn take_over(last: &mut [u32], picture: &Picture, (x, y): (u16, u16), content: &mut Vec<u8>) {
    let right = (x + BLOCK).min(picture.width());
    for line in y..(y + BLOCK).min(picture.height()) {
        let start = usize::from(line) * usize::from(picture.width());
        let places = start + usize::from(x)..start + usize::from(right);
        for (old, new) in last[places.clone()].iter_mut().zip(&picture.pixels()[places]) {
            content.extend((*old ^ new).to_le_bytes());
            *old = *new;
        }
    }
}

/// Append the content to a frame, so that all of it can be decompressed.
fn compress(stream: &mut Compress, content: &[u8], frame: &mut Vec<u8>) {
    let begun = stream.total_in();
    loop {
        let taken = (stream.total_in() - begun) as usize;
        frame.reserve(content.len() / 4 + 4096);
        let status = stream.compress_vec(&content[taken..], frame, FlushCompress::Sync).expect("its state is sound");
        let done = stream.total_in() - begun == content.len() as u64;
        // where room is left, nothing is held back
        if done && (status == Status::BufError || frame.len() < frame.capacity()) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use flate2::{Decompress, FlushDecompress};

    use super::*;
    use crate::rectangle::Rectangle;

    /// As ffmpeg decodes it: the content of a frame, from the stream so far.
    fn content(stream: &mut Decompress, compressed: &[u8]) -> Vec<u8> {
        let mut content = Vec::with_capacity(1 << 20);
        stream.decompress_vec(compressed, &mut content, FlushDecompress::Sync).expect("it is a zlib stream");
        content
    }

    fn shown(picture: &mut Picture, rectangle: Rectangle, colour: u32) -> Vec<Change> {
        picture.look(rectangle, &vec![colour; rectangle.area()]).into_iter().collect()
    }

    #[test]
    fn a_key_frame_has_all_pixels_and_another_the_blocks_that_changed() {
        let (width, height) = (20, 18); // the last blocks are 4 wide and 2 high
        let mut picture = Picture::black(width, height);
        let (mut encoder, mut stream) = (Encoder::begin(), Decompress::new(true));
        let changes = shown(&mut picture, Rectangle::whole(width, height), 0x0011_2233);
        let (frame, is_key) = encoder.frame(&picture, &changes);
        assert!(is_key);
        assert_eq!(frame[..7], HEADER);
        assert_eq!(content(&mut stream, &frame[7..]), bytes(picture.pixels()));

        let changes = shown(&mut picture, Rectangle { x: 17, y: 16, width: 2, height: 1 }, 0x0011_2234);
        let (frame, is_key) = encoder.frame(&picture, &changes);
        assert!(!is_key);
        assert_eq!(frame[0], 0);
        let mut expected = vec![0, 0, 0, 0, 0, 0, 1, 0]; // of four blocks, the last
        expected.extend([0, 0, 0, 0, 7, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]); // its upper line: 0x33 ^ 0x34
        expected.extend([0; 16]);
        assert_eq!(content(&mut stream, &frame[1..]), expected);
    }

    #[test]
    fn what_cannot_be_compressed_is_whole_nevertheless() {
        let (width, height) = (640, 360);
        let mut picture = Picture::black(width, height);
        let mut noise = 1_u32;
        let pixels: Vec<u32> = (0..usize::from(width) * usize::from(height))
            .map(|_| {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                noise >> 8
            })
            .collect();
        let changes: Vec<_> = picture.look(Rectangle::whole(width, height), &pixels).into_iter().collect();
        let (frame, _) = Encoder::begin().frame(&picture, &changes);
        assert_eq!(content(&mut Decompress::new(true), &frame[7..]), bytes(&pixels));
    }
}
