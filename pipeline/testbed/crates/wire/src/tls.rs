//! TLS 1.3 on a TCP stream from its plain parts (RFC 8446): the two hellos, and where encrypted records begin.

use std::collections::BTreeMap;

const HANDSHAKE: u8 = 22;
const APPLICATION_DATA: u8 = 23;
const RECORD_HEADER_BYTES: usize = 5;
/// What a HelloRetryRequest has for a random number: SHA-256 of its name.
const ASKS_AGAIN: [u8; 32] = [
    0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91, 0xc2, 0xa2, 0x11,
    0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c,
];
const PRE_SHARED_KEY: u16 = 41;
const EARLY_DATA: u16 = 42;
/// A hello is a few kB; what is more is not looked at.
const MOST_BYTES: usize = 32 * 1024;

/// What a ClientHello asks for, or a ServerHello grants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hello {
    pub pre_shared_key: bool,
    pub early_data: bool,
    /// A ServerHello that asks for another ClientHello: a HelloRetryRequest (section 4.1.3).
    pub asks_again: bool,
}

/// A ClientHello or ServerHello with its four bytes of message header.
pub fn hello(message: &[u8]) -> Option<Hello> {
    let is_client = match message.first()? {
        1 => true,
        2 => false,
        _ => return None,
    };
    let random = message.get(4 + 2..4 + 2 + 32)?;
    let mut at = 4 + 2 + 32;
    at += 1 + usize::from(*message.get(at)?);
    if is_client {
        at += 2 + usize::from(u16_at(message, at)?);
        at += 1 + usize::from(*message.get(at)?);
    } else {
        at += 3;
    }
    let end = at + 2 + usize::from(u16_at(message, at)?);
    at += 2;
    let mut hello = Hello { asks_again: !is_client && random == ASKS_AGAIN, ..Hello::default() };
    while at < end {
        let (kind, bytes) = (u16_at(message, at)?, u16_at(message, at + 2)?);
        hello.pre_shared_key |= kind == PRE_SHARED_KEY;
        hello.early_data |= kind == EARLY_DATA;
        at += 4 + usize::from(bytes);
    }
    Some(hello)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]))
}

/// One direction of a connection, put in order as far as it is needed.
#[derive(Debug, Default)]
pub struct Stream {
    in_order: Vec<u8>,
    /// By offset: what came before its turn.
    waiting: BTreeMap<u32, Vec<u8>>,
    /// Where the next record starts in `in_order`.
    record: usize,
    handshake: Vec<u8>,
    pub hello: Option<Hello>,
    /// The stream has come to its first encrypted record.
    pub is_encrypted: bool,
}

impl Stream {
    /// Takes in bytes from this offset of the stream; those that came before are told apart by it.
    pub fn push(&mut self, offset: u32, bytes: &[u8]) {
        if self.is_encrypted || bytes.is_empty() || offset as usize + bytes.len() > MOST_BYTES {
            return;
        }
        self.waiting.entry(offset).or_insert_with(|| bytes.to_vec());
        while let Some(next) = self.waiting.first_entry() {
            let offset = *next.key() as usize;
            if offset > self.in_order.len() {
                break;
            }
            let bytes = next.remove();
            let known = self.in_order.len() - offset;
            self.in_order.extend(bytes.get(known..).unwrap_or_default());
        }
        self.read_records();
    }

    fn read_records(&mut self) {
        while let Some(header) = self.in_order.get(self.record..self.record + RECORD_HEADER_BYTES) {
            if header[0] == APPLICATION_DATA {
                self.is_encrypted = true;
                return;
            }
            let length = usize::from(u16::from_be_bytes([header[3], header[4]]));
            let start = self.record + RECORD_HEADER_BYTES;
            let Some(body) = self.in_order.get(start..start + length) else { return };
            if header[0] == HANDSHAKE {
                self.handshake.extend(body);
                self.hello = self.hello.or_else(|| hello(&self.handshake));
            }
            self.record = start + length;
        }
    }
}

#[cfg(test)]
pub mod tests {
    use sha2::Digest;

    use super::*;

    pub fn record(kind: u8, body: &[u8]) -> Vec<u8> {
        let mut record = vec![kind, 3, 3];
        record.extend((body.len() as u16).to_be_bytes());
        record.extend(body);
        record
    }

    fn extensions(kinds: &[u16]) -> Vec<u8> {
        let list: Vec<u8> = kinds.iter().flat_map(|kind| [&kind.to_be_bytes()[..], &[0, 1, 7]].concat()).collect();
        [&(list.len() as u16).to_be_bytes()[..], &list].concat()
    }

    pub fn client_hello(kinds: &[u16]) -> Vec<u8> {
        [&[1, 0, 0, 0][..], &[3; 34], &[1, 9], &[0, 2, 0x13, 1], &[1, 0], &extensions(kinds)].concat()
    }

    pub fn server_hello(kinds: &[u16]) -> Vec<u8> {
        [&[2, 0, 0, 0][..], &[3; 34], &[1, 9], &[0x13, 1], &[0], &extensions(kinds)].concat()
    }

    #[test]
    fn a_hello_tells_of_resumption_and_early_data() {
        let expected = |pre_shared_key, early_data| Some(Hello { pre_shared_key, early_data, asks_again: false });
        assert_eq!(hello(&client_hello(&[0, 43])), expected(false, false));
        assert_eq!(hello(&client_hello(&[0, 42, 41])), expected(true, true));
        assert_eq!(hello(&server_hello(&[43, 41])), expected(true, false));
    }

    #[test]
    fn a_server_that_asks_for_another_hello_is_told_by_its_random_number() {
        // RFC 8446, section 4.1.3.
        assert_eq!(ASKS_AGAIN[..], *sha2::Sha256::digest("HelloRetryRequest"));
        let mut message = server_hello(&[43]);
        message[6..38].copy_from_slice(&ASKS_AGAIN);
        assert!(hello(&message).is_some_and(|hello| hello.asks_again));
        message[37] ^= 1;
        assert!(hello(&message).is_some_and(|hello| !hello.asks_again));
    }

    #[test]
    fn what_is_no_hello_or_not_whole_tells_nothing() {
        assert_eq!(hello(&[11, 0, 0, 0]), None);
        assert_eq!(hello(&client_hello(&[0, 41])[..45]), None);
        assert_eq!(hello(&[]), None);
    }

    #[test]
    fn a_stream_is_read_in_whatever_pieces_and_order_it_comes() {
        let bytes = [record(22, &client_hello(&[41])), record(20, &[1]), record(23, &[0; 30])].concat();
        let mut stream = Stream::default();
        stream.push(20, &bytes[20..50]);
        stream.push(0, &bytes[..7]);
        assert_eq!((stream.hello, stream.is_encrypted), (None, false));
        stream.push(0, &bytes[..30]);
        stream.push(40, &bytes[40..]);
        assert!(stream.hello.is_some_and(|hello| hello.pre_shared_key) && stream.is_encrypted);
    }
}
