//! Finds the bytes of streams that a packet carries (RFC 9000, section 19). Only frames that this side sends are known.

use super::super::varint;

/// The progress of a stream in a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamFrame {
    /// Bytes of the stream up to this offset.
    Data { stream: u64, end: u64 },
    /// Nothing more of this stream will be sent.
    Reset { stream: u64 },
}

/// Frames of an unencrypted payload; ends early at a frame that is not known.
pub fn streams(payload: &[u8]) -> impl Iterator<Item = StreamFrame> + '_ {
    let mut rest = Cursor(payload);
    std::iter::from_fn(move || {
        loop {
            match rest.frame()? {
                Some(frame) => return Some(frame),
                None if rest.0.is_empty() => return None,
                None => {}
            }
        }
    })
}

struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn skip(&mut self, bytes: u64) -> Option<()> {
        self.0 = self.0.get(usize::try_from(bytes).ok()?..)?;
        Some(())
    }

    fn number(&mut self) -> Option<u64> {
        let (number, rest) = varint::number(self.0)?;
        self.0 = rest;
        Some(number)
    }

    fn numbers(&mut self, count: usize) -> Option<()> {
        (0..count).try_for_each(|_| self.number().map(drop))
    }

    /// A field with its length before it.
    fn field(&mut self) -> Option<()> {
        let length = self.number()?;
        self.skip(length)
    }

    /// One frame; `Some(None)` for one that moves no stream, `None` at the end or at what is not known.
    fn frame(&mut self) -> Option<Option<StreamFrame>> {
        let kind = self.number()?;
        match kind {
            // PADDING, PING, HANDSHAKE_DONE, IMMEDIATE_ACK
            0x00 | 0x01 | 0x1e | 0x1f => {}
            0x02 | 0x03 => self.acknowledgement(kind == 0x03)?,
            0x04 => {
                let stream = self.number()?;
                self.numbers(2)?;
                return Some(Some(StreamFrame::Reset { stream }));
            }
            // CRYPTO
            0x06 => {
                self.number()?;
                self.field()?;
            }
            // NEW_TOKEN, DATAGRAM with length
            0x07 | 0x31 => self.field()?,
            0x08..=0x0f => return Some(Some(self.stream(kind)?)),
            // MAX_DATA, MAX_STREAMS, DATA_BLOCKED, STREAMS_BLOCKED, RETIRE_CONNECTION_ID
            0x10 | 0x12..=0x14 | 0x16 | 0x17 | 0x19 => self.numbers(1)?,
            // STOP_SENDING, MAX_STREAM_DATA, STREAM_DATA_BLOCKED
            0x05 | 0x11 | 0x15 => self.numbers(2)?,
            0x18 => self.new_connection_id()?,
            // PATH_CHALLENGE, PATH_RESPONSE
            0x1a | 0x1b => self.skip(8)?,
            // ACK_FREQUENCY
            0xaf => self.numbers(4)?,
            // CONNECTION_CLOSE ends all, and so does what is not known.
            _ => return None,
        }
        Some(None)
    }

    fn acknowledgement(&mut self, with_marks: bool) -> Option<()> {
        self.numbers(2)?;
        let ranges = usize::try_from(self.number()?).ok()?;
        self.numbers(1 + 2 * ranges)?;
        if with_marks { self.numbers(3) } else { Some(()) }
    }

    fn stream(&mut self, kind: u64) -> Option<StreamFrame> {
        let stream = self.number()?;
        let offset = if kind & 0x04 != 0 { self.number()? } else { 0 };
        let length = if kind & 0x02 != 0 { self.number()? } else { self.0.len() as u64 };
        self.skip(length)?;
        Some(StreamFrame::Data { stream, end: offset + length })
    }

    fn new_connection_id(&mut self) -> Option<()> {
        const RESET_TOKEN_BYTES: u64 = 16;
        self.numbers(2)?;
        let length = u64::from(*self.0.first()?);
        self.skip(1 + length + RESET_TOKEN_BYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames_in(payload: &[u8]) -> Vec<StreamFrame> {
        streams(payload).collect()
    }

    #[test]
    fn finds_streams_among_other_frames() {
        let payload = [
            &[0x02, 0x40, 0x80, 0x00, 0x01, 0x05, 0x02, 0x03][..], // ACK with one further range
            &[0x0e, 0x04, 0x44, 0x00, 0x03, 1, 2, 3],              // STREAM 4 at 1024, 3 bytes
            &[0x18, 0x01, 0x00, 0x02, 9, 9],                       // NEW_CONNECTION_ID of 2 bytes ...
            &[7; 16],                                              // ... and its token
            &[0x00, 0x01, 0x1e, 0x04, 0x08, 0x41, 0x0c, 0x05],     // PADDING, PING, HANDSHAKE_DONE, RESET_STREAM 8
            &[0x09, 0x0c, 1, 2, 3, 4, 5],                          // STREAM 12 with FIN at 0, to the end of the packet
        ]
        .concat();
        assert_eq!(
            frames_in(&payload),
            [
                StreamFrame::Data { stream: 4, end: 1027 },
                StreamFrame::Reset { stream: 8 },
                StreamFrame::Data { stream: 12, end: 5 },
            ]
        );
    }

    #[test]
    fn reads_numbers_of_every_length() {
        // the examples of RFC 9000, section A.1
        let number = |bytes: &[u8]| Cursor(bytes).number();
        assert_eq!(number(&[0xc2, 0x19, 0x7c, 0x5e, 0xff, 0x14, 0xe8, 0x8c]), Some(151_288_809_941_952_652));
        assert_eq!(number(&[0x9d, 0x7f, 0x3e, 0x7d]), Some(494_878_333));
        assert_eq!(number(&[0x7b, 0xbd]), Some(15_293));
        assert_eq!(number(&[0x25]), Some(37));
        assert_eq!(number(&[0x7b]), None);
    }

    #[test]
    fn stops_at_what_is_not_known_or_broken() {
        assert_eq!(frames_in(&[0x0a, 0x04, 0x01, 9, 0x1c, 0x00]), [StreamFrame::Data { stream: 4, end: 1 }]);
        assert_eq!(frames_in(&[0x0a, 0x04, 0x09, 9]), []);
        assert_eq!(frames_in(&[]), []);
    }
}
