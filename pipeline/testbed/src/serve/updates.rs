//! PRIORITY_UPDATE frames (RFC 9218, section 7), which neither HTTP library shows: found in the bytes that a client sends.

use std::collections::BTreeMap;

use super::varint::number;
use eyelevel_scheduling::{Priority, PriorityUpdates, StreamId};

const HTTP2_PREFACE_BYTES: u64 = 24;
const HTTP2_HEADER_BYTES: usize = 9;
const HTTP2_TYPE: u8 = 0x10;
const HTTP3_CONTROL_STREAM: u64 = 0x00;
/// For requests; the other kind is for pushes, which these servers never send.
const HTTP3_TYPE: u64 = 0xf_0700;
/// No browser's is a tenth as long; a longer one is passed over.
const MOST_BYTES: u64 = 512;

/// A client's new priority of one of its requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Update {
    pub stream: StreamId,
    pub priority: Priority,
}

/// Reads one HTTP/2 connection or one unidirectional HTTP/3 stream, in whatever pieces it comes.
pub struct Reader {
    protocol: Protocol,
    place: Place,
    /// The beginning of a header or of a payload.
    gathered: Vec<u8>,
}

#[derive(Clone, Copy)]
enum Protocol {
    Http2,
    Http3,
}

#[derive(Clone, Copy)]
enum Place {
    StreamType,
    Header,
    Payload { bytes: u64 },
    Skipping { bytes: u64 },
    OtherStream,
}

impl Reader {
    pub fn http2() -> Self {
        Self::new(Protocol::Http2, Place::Skipping { bytes: HTTP2_PREFACE_BYTES })
    }

    pub fn http3() -> Self {
        Self::new(Protocol::Http3, Place::StreamType)
    }

    fn new(protocol: Protocol, place: Place) -> Self {
        Self { protocol, place, gathered: Vec::new() }
    }

    /// The updates that end in these bytes.
    pub fn read(&mut self, mut bytes: &[u8]) -> Vec<Update> {
        let mut updates = Vec::new();
        while !bytes.is_empty() {
            match self.place {
                Place::OtherStream => break,
                Place::Skipping { bytes: left } => {
                    let skipped = usize::try_from(left).map_or(bytes.len(), |left| left.min(bytes.len()));
                    bytes = &bytes[skipped..];
                    self.skip(left - skipped as u64);
                }
                Place::StreamType | Place::Header | Place::Payload { .. } => {
                    // Byte by byte: all of it is short.
                    self.gathered.push(bytes[0]);
                    bytes = &bytes[1..];
                    updates.extend(self.step());
                }
            }
        }
        updates
    }

    fn skip(&mut self, bytes: u64) {
        self.place = if bytes == 0 { Place::Header } else { Place::Skipping { bytes } };
    }

    /// Moves on where what is gathered is whole.
    fn step(&mut self) -> Option<Update> {
        match self.place {
            Place::StreamType => {
                let (kind, _) = number(&self.gathered)?;
                self.place = if kind == HTTP3_CONTROL_STREAM { Place::Header } else { Place::OtherStream };
            }
            Place::Header => {
                let (wanted, bytes) = self.header()?;
                match wanted && (1..=MOST_BYTES).contains(&bytes) {
                    true => self.place = Place::Payload { bytes },
                    false => self.skip(bytes),
                }
            }
            Place::Payload { bytes } if self.gathered.len() as u64 == bytes => {
                self.place = Place::Header;
                let payload = std::mem::take(&mut self.gathered);
                return self.payload(&payload);
            }
            Place::Payload { .. } | Place::Skipping { .. } | Place::OtherStream => return None,
        }
        self.gathered.clear();
        None
    }

    /// Whether the frame is an update, and the length of its payload.
    fn header(&self) -> Option<(bool, u64)> {
        match self.protocol {
            Protocol::Http2 => {
                let header: [u8; HTTP2_HEADER_BYTES] = self.gathered.as_slice().try_into().ok()?;
                let [a, b, c, kind, _flags, _, _, _, _] = header;
                Some((kind == HTTP2_TYPE, u64::from(u32::from_be_bytes([0, a, b, c]))))
            }
            Protocol::Http3 => {
                let (kind, rest) = number(&self.gathered)?;
                let (bytes, _) = number(rest)?;
                Some((kind == HTTP3_TYPE, bytes))
            }
        }
    }

    fn payload(&self, payload: &[u8]) -> Option<Update> {
        let (stream, field) = match self.protocol {
            Protocol::Http2 => {
                let (stream, field) = payload.split_at_checked(4)?;
                let stream = u32::from_be_bytes(stream.try_into().ok()?) & 0x7fff_ffff;
                (u64::from(stream), field)
            }
            Protocol::Http3 => number(payload)?,
        };
        Some(Update { stream, priority: Priority::parse(field) })
    }
}

/// The priority updates of one client, and whether they take effect.
pub struct Wishes {
    treatment: PriorityUpdates,
    /// Of requests that have not come yet: frames on different QUIC streams may overtake each other.
    early: BTreeMap<StreamId, Priority>,
}

/// Far more than a client may have open at once.
const MOST_EARLY: usize = 1000;

impl Wishes {
    pub fn new(treatment: PriorityUpdates) -> Self {
        Self { treatment, early: BTreeMap::new() }
    }

    /// The new priority of a stream that is being answered, where that is to change.
    pub fn updated(&mut self, update: Update, is_open: bool) -> Option<Priority> {
        match self.treatment {
            PriorityUpdates::Count => None,
            PriorityUpdates::Act if is_open => Some(update.priority),
            PriorityUpdates::Act => {
                if self.early.len() < MOST_EARLY {
                    self.early.insert(update.stream, update.priority);
                }
                None
            }
        }
    }

    /// The priority that a request begins with: an update's, else its header's (RFC 9218, section 7).
    pub fn begun(&mut self, stream: StreamId, of_header: Priority) -> Priority {
        self.early.remove(&stream).unwrap_or(of_header)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const URGENT: Priority = Priority { urgency: 1, incremental: true };

    /// A connection's beginning: SETTINGS, an update of stream 5, DATA that looks like an update, an update of stream 7.
    fn http2() -> Vec<u8> {
        let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
        bytes.extend([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100]);
        bytes.extend([0, 0, 10, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 5]);
        bytes.extend(b"u=1, i");
        bytes.extend([0, 0, 13, 0, 0, 0, 0, 0, 1, 0, 0, 4, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 9]);
        bytes.extend([0, 0, 4, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 7]);
        bytes
    }

    /// A control stream: SETTINGS, an update of stream 4, one of a push, one of stream 16384, grease.
    fn http3() -> Vec<u8> {
        let mut bytes = vec![0x00, 0x04, 0x02, 0x01, 0x00];
        bytes.extend([0x80, 0x0f, 0x07, 0x00, 7, 4]);
        bytes.extend(b"u=1, i");
        bytes.extend([0x80, 0x0f, 0x07, 0x01, 2, 4, b'i']);
        bytes.extend([0x80, 0x0f, 0x07, 0x00, 4, 0x80, 0x00, 0x40, 0x00]);
        bytes.extend([0x21, 0x40, 0x01, 0xff]);
        bytes
    }

    #[test]
    fn finds_updates_however_the_bytes_come() {
        for (reader, bytes, wanted) in [
            (Reader::http2 as fn() -> Reader, http2(), [(5, URGENT), (7, Priority::default())]),
            (Reader::http3, http3(), [(4, URGENT), (16384, Priority::default())]),
        ] {
            for piece in [1, 2, 3, 7, 1000] {
                let mut reader = reader();
                let updates: Vec<_> = bytes.chunks(piece).flat_map(|part| reader.read(part)).collect();
                assert_eq!(updates, wanted.map(|(stream, priority)| Update { stream, priority }), "pieces of {piece}");
            }
        }
    }

    #[test]
    fn no_other_stream_of_http3_is_looked_at() {
        let mut bytes = http3();
        bytes[0] = 0x02;
        assert_eq!(Reader::http3().read(&bytes), []);
    }

    #[test]
    fn updates_that_are_only_counted_change_nothing() {
        let mut wishes = Wishes::new(PriorityUpdates::Count);
        let update = Update { stream: 4, priority: URGENT };
        assert_eq!((wishes.updated(update, true), wishes.updated(update, false)), (None, None));
        assert_eq!(wishes.begun(4, Priority::default()), Priority::default());
    }

    #[test]
    fn updates_that_count_win_over_headers_even_where_they_come_first() {
        let mut wishes = Wishes::new(PriorityUpdates::Act);
        let update = Update { stream: 4, priority: URGENT };
        assert_eq!(wishes.updated(update, true), Some(URGENT));
        assert_eq!(wishes.updated(update, false), None);
        assert_eq!(wishes.begun(4, Priority::default()), URGENT);
        assert_eq!(wishes.begun(8, Priority::default()), Priority::default());
    }
}
