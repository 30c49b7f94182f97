//! The changes file: the first picture of the screen, and each change after it. The only writer and reader of the
//! format.
//!
//! All numbers are little-endian. A header (`MAGIC`, width, height), then records: `P` for a picture with its changed
//! rectangles, `E` for the end. A file without `E` is cut: the recorder was killed, or still writes.
//!
//! A rectangle's pixels are the blue of all of them, row by row, a byte each, then the green, then the red, compressed
//! by LZ4. Of a page that moves, this compresses in two thirds of the time that the difference to the picture before
//! takes, and to two thirds of its size; without the unused fourth byte it takes half as long.

use std::io::{self, ErrorKind, Read, Write};

use crate::picture::Change;
use crate::rectangle::Rectangle;

const MAGIC: &[u8; 8] = b"EYLCHG02";
const PICTURE: u8 = b'P';
const END: u8 = b'E';
/// of a pixel
const BYTES: usize = 3;

/// The metadata of a picture. The wall clock is in microseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// when its first rectangle was painted, by the wall clock
    pub time_us: u64,
    /// how long after the first damage since the picture before it was fetched
    pub late_us: u32,
    /// states of the screen between it and the picture before that stood and were not fetched
    pub lost: u32,
    /// whether it was fetched although painting went on, so that it may be torn
    pub unquiet: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// all changes until then are in the file
    pub time_us: u64,
    /// events that became part of a picture with others
    pub merged: u64,
    /// pictures that looked like the one before and were dropped
    pub equal: u64,
    /// states lost since the last picture
    pub lost: u32,
}

#[derive(Debug)]
pub enum Record {
    Picture(Seen, Vec<Change>),
    End(End),
}

#[derive(Debug, thiserror::Error)]
pub enum ChangesError {
    #[error("it is not a changes file of this version of the recorder")]
    Foreign,
    #[error("it is cut off after {0} pictures: the recorder did not end normally")]
    Cut(u64),
    #[error("picture {0} is damaged")]
    Damaged(u64),
    #[error(transparent)]
    Io(io::Error),
}

/// Each record is one write, so that a following reader sees it soon and complete.
pub struct Writer<W: Write> {
    to: W,
    record: Vec<u8>,
    /// these are kept, because memory of this size that is new each time costs as much as to fill it
    planes: Vec<u8>,
    compressed: Vec<u8>,
}

impl<W: Write> Writer<W> {
    pub fn begin(mut to: W, width: u16, height: u16) -> io::Result<Self> {
        to.write_all(&[&MAGIC[..], &width.to_le_bytes(), &height.to_le_bytes()].concat())?;
        Ok(Self { to, record: Vec::new(), planes: Vec::new(), compressed: Vec::new() })
    }

    pub fn picture(&mut self, seen: Seen, changes: &[Change]) -> io::Result<()> {
        let record = &mut self.record;
        record.clear();
        record.push(PICTURE);
        record.extend(seen.time_us.to_le_bytes());
        record.extend(seen.late_us.to_le_bytes());
        record.extend(seen.lost.to_le_bytes());
        record.push(seen.unquiet.into());
        record.extend((changes.len() as u16).to_le_bytes());
        for Change { rectangle, pixels } in changes {
            for number in [rectangle.x, rectangle.y, rectangle.width, rectangle.height] {
                record.extend(number.to_le_bytes());
            }
            self.planes.clear();
            for plane in 0..BYTES {
                self.planes.extend(pixels.iter().map(|pixel| (pixel >> (8 * plane)) as u8));
            }
            let most = lz4_flex::block::get_maximum_output_size(self.planes.len());
            if self.compressed.len() < most {
                self.compressed.resize(most, 0);
            }
            let length = lz4_flex::block::compress_into(&self.planes, &mut self.compressed).expect("there is room");
            record.extend((length as u32).to_le_bytes());
            record.extend(&self.compressed[..length]);
        }
        self.to.write_all(record)
    }

    pub fn end(mut self, end: End) -> io::Result<()> {
        let mut record = vec![END];
        record.extend([end.time_us, end.merged, end.equal].map(u64::to_le_bytes).concat());
        record.extend(end.lost.to_le_bytes());
        self.to.write_all(&record)?;
        self.to.flush()
    }
}

pub struct Reader<R: Read> {
    from: R,
    pub width: u16,
    pub height: u16,
    pictures: u64,
}

impl<R: Read> Reader<R> {
    pub fn begin(mut from: R) -> Result<Self, ChangesError> {
        let mut magic = [0; MAGIC.len()];
        let mut size = [0; 4];
        from.read_exact(&mut magic).and_then(|()| from.read_exact(&mut size)).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => ChangesError::Foreign,
            _ => ChangesError::Io(error),
        })?;
        let [width, height] = [[size[0], size[1]], [size[2], size[3]]].map(u16::from_le_bytes);
        if magic != *MAGIC || width == 0 || height == 0 {
            return Err(ChangesError::Foreign);
        }
        Ok(Self { from, width, height, pictures: 0 })
    }

    pub fn next_record(&mut self) -> Result<Record, ChangesError> {
        match self.number::<1>()? {
            [PICTURE] => {
                let record = Record::Picture(
                    Seen {
                        time_us: u64::from_le_bytes(self.number()?),
                        late_us: u32::from_le_bytes(self.number()?),
                        lost: u32::from_le_bytes(self.number()?),
                        unquiet: self.number::<1>()? != [0],
                    },
                    self.changes()?,
                );
                self.pictures += 1;
                Ok(record)
            }
            [END] => Ok(Record::End(End {
                time_us: u64::from_le_bytes(self.number()?),
                merged: u64::from_le_bytes(self.number()?),
                equal: u64::from_le_bytes(self.number()?),
                lost: u32::from_le_bytes(self.number()?),
            })),
            _ => Err(ChangesError::Damaged(self.pictures)),
        }
    }

    fn changes(&mut self) -> Result<Vec<Change>, ChangesError> {
        let count = u16::from_le_bytes(self.number()?);
        (0..count).map(|_| self.change()).collect()
    }

    fn change(&mut self) -> Result<Change, ChangesError> {
        let [x, y, width, height] = [self.number()?, self.number()?, self.number()?, self.number()?];
        let [x, y, width, height] = [x, y, width, height].map(u16::from_le_bytes);
        let rectangle = Rectangle { x, y, width, height };
        let compressed_bytes = u32::from_le_bytes(self.number()?) as usize;
        let inside = |from: u16, size: u16, all: u16| size > 0 && u32::from(from) + u32::from(size) <= u32::from(all);
        let damaged = ChangesError::Damaged(self.pictures);
        let bytes = rectangle.area() * BYTES;
        if !inside(x, width, self.width)
            || !inside(y, height, self.height)
            || compressed_bytes > lz4_flex::block::get_maximum_output_size(bytes)
        {
            return Err(damaged);
        }
        let mut compressed = vec![0; compressed_bytes];
        self.fill(&mut compressed)?;
        let mut planes = vec![0; bytes];
        match lz4_flex::block::decompress_into(&compressed, &mut planes) {
            Ok(length) if length == bytes => Ok(Change { rectangle, pixels: joined(&planes) }),
            _ => Err(damaged),
        }
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N], ChangesError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), ChangesError> {
        self.from.read_exact(bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => ChangesError::Cut(self.pictures),
            _ => ChangesError::Io(error),
        })
    }
}

/// Pixels of which the file has the blue, then the green, then the red.
fn joined(planes: &[u8]) -> Vec<u32> {
    let (blue, rest) = planes.split_at(planes.len() / BYTES);
    let (green, red) = rest.split_at(blue.len());
    blue.iter().zip(green).zip(red).map(|((blue, green), red)| u32::from_le_bytes([*blue, *green, *red, 0])).collect()
}

/// Pixels as blue, green, red and nothing, a byte each.
pub fn bytes(pixels: &[u32]) -> Vec<u8> {
    let mut bytes = vec![0; pixels.len() * 4];
    for (bytes, pixel) in bytes.chunks_exact_mut(4).zip(pixels) {
        bytes.copy_from_slice(&pixel.to_le_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEN: Seen = Seen { time_us: 1_795_266_059_166_667, late_us: 2100, lost: 3, unquiet: true };
    const LAST: End = End { time_us: 1_795_266_059_266_667, merged: 7, equal: 2, lost: 1 };

    fn change(x: u16, y: u16, width: u16, height: u16) -> Change {
        let rectangle = Rectangle { x, y, width, height };
        let pixels = (0..rectangle.area() as u32).map(|number| number.wrapping_mul(2_654_435_761) >> 8).collect();
        Change { rectangle, pixels }
    }

    fn written() -> Vec<u8> {
        let mut file = Vec::new();
        let mut writer = Writer::begin(&mut file, 64, 48).expect("memory");
        writer.picture(SEEN, &[change(0, 0, 64, 48)]).expect("memory");
        writer.picture(SEEN, &[change(60, 40, 4, 8), change(0, 1, 5, 1)]).expect("memory");
        writer.end(LAST).expect("memory");
        file
    }

    fn read(file: &[u8]) -> Result<Vec<Record>, ChangesError> {
        let mut reader = Reader::begin(file)?;
        let mut records = Vec::new();
        loop {
            records.push(reader.next_record()?);
            if matches!(records.last(), Some(Record::End(_))) {
                return Ok(records);
            }
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let records = read(&written()).expect("whole");
        let [Record::Picture(first, whole), Record::Picture(_, parts), Record::End(end)] = &records[..] else {
            panic!("{records:?}");
        };
        assert_eq!((*first, *end), (SEEN, LAST));
        assert_eq!(whole, &[change(0, 0, 64, 48)]);
        assert_eq!(parts, &[change(60, 40, 4, 8), change(0, 1, 5, 1)]);
    }

    #[test]
    fn a_file_that_is_cut_anywhere_is_found_to_be_cut() {
        let file = written();
        for length in 12..file.len() {
            let error = read(&file[..length]).expect_err("it is cut");
            assert!(matches!(error, ChangesError::Cut(_)), "{length}: {error}");
        }
        assert!(matches!(read(&file[..11]), Err(ChangesError::Foreign)));
    }

    #[test]
    fn a_rectangle_beyond_the_screen_is_damage() {
        let mut file = written();
        file[12 + 1 + 8 + 4 + 4 + 1 + 2] = 1; // x of the first rectangle, which is as wide as the screen
        assert!(matches!(read(&file), Err(ChangesError::Damaged(0))));
    }

    #[test]
    fn another_file_is_foreign() {
        assert!(matches!(read(b"RIFF    AVI LIST    "), Err(ChangesError::Foreign)));
    }

    #[test]
    fn pixels_keep_their_colour_as_bytes() {
        assert_eq!(bytes(&[0x00ff_8001]), [0x01, 0x80, 0xff, 0]);
    }
}
