//! WARC records (ISO 28500), gzip undone.

use std::io::Read;
use std::net::IpAddr;

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use url::Url;

/// How every record begins.
const BEGINNING: &[u8] = b"WARC/";
/// The end of one record and the beginning of the next.
const SEPARATOR: &[u8] = b"\r\n\r\nWARC/";

/// Header and block of one record.
#[derive(Debug)]
pub struct Record {
    /// Its place in the file, from 1.
    pub number: usize,
    /// Names in lower case.
    fields: Vec<(String, String)>,
    pub block: Bytes,
}

impl Record {
    fn text(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn is(&self, kind: &str) -> bool {
        self.text("warc-type") == Some(kind)
    }

    pub fn id(&self) -> Option<&str> {
        self.text("warc-record-id")
    }

    /// The records that were made of the same exchange; there can be several.
    pub fn concurrent_to(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(|(name, _)| name == "warc-concurrent-to").map(|(_, value)| value.as_str())
    }

    pub fn address(&self) -> Option<IpAddr> {
        self.text("warc-ip-address")?.parse().ok()
    }

    /// Whether the recorder cut the block short, and says so.
    pub fn is_truncated(&self) -> bool {
        self.text("warc-truncated").is_some()
    }

    /// The target where it is of the web (WARC files also hold answers of the DNS and the like).
    pub fn http_url(&self) -> Option<Url> {
        // Some writers of WARC/1.0 wrap the target in angle brackets.
        let target = self.text("warc-target-uri")?.trim_start_matches('<').trim_end_matches('>');
        let url = Url::parse(target).ok()?;
        (matches!(url.scheme(), "http" | "https") && url.has_host()).then(|| as_chromium_writes(url))
    }
}

/// Chromium encodes two characters of paths that other clients (URL Standard, "path percent-encode set") leave as they are.
fn as_chromium_writes(mut url: Url) -> Url {
    if url.path().contains(['|', '^']) {
        let path = url.path().replace('|', "%7C").replace('^', "%5E");
        url.set_path(&path);
    }
    url
}

/// A record that cannot be read, between others that can.
#[derive(Debug, PartialEq, Eq)]
pub struct Unreadable {
    pub number: usize,
    pub reason: String,
}

/// All records of a file.
#[derive(Debug, Default)]
pub struct Records {
    pub readable: Vec<Record>,
    pub unreadable: Vec<Unreadable>,
}

/// A recording is held in memory. A page has a few megabytes; what unpacks to more than this is refused.
const MOST_PLAIN_BYTES: u64 = 2 << 30;

/// All records of a file; where it breaks off or is no WARC, the number of the first broken record (from 1) and what is wrong with it.
pub fn read(file: &[u8]) -> Result<Records, (usize, String)> {
    if file.is_empty() {
        return Err((1, "the file is empty".to_owned()));
    }
    let plain = if file.starts_with(&[0x1f, 0x8b]) { unzip(file, MOST_PLAIN_BYTES)? } else { file.to_vec() };
    if !plain.starts_with(BEGINNING) {
        return Err((1, "this is not a WARC file".to_owned()));
    }
    split(&plain.into())
}

fn unzip(file: &[u8], most_bytes: u64) -> Result<Vec<u8>, (usize, String)> {
    let mut plain = Vec::new();
    let read = MultiGzDecoder::new(file).take(most_bytes + 1).read_to_end(&mut plain);
    let reason = match read {
        Err(error) => format!("the gzip data is damaged or breaks off ({error})"),
        Ok(_) if plain.len() as u64 > most_bytes => {
            format!("the file unpacks to more than {} MiB", most_bytes >> 20)
        }
        Ok(_) => return Ok(plain),
    };
    let number = split(&plain.into()).map_or_else(|(number, _)| number, |records| records.count() + 1);
    Err((number, reason))
}

impl Records {
    fn count(&self) -> usize {
        self.readable.len() + self.unreadable.len()
    }
}

fn split(plain: &Bytes) -> Result<Records, (usize, String)> {
    let mut records = Records::default();
    let mut at = 0;
    while at < plain.len() {
        let number = records.count() + 1;
        let breaks_off = || (number, "the file breaks off".to_owned());
        let head = head(&plain[at..]).ok_or_else(breaks_off)?;
        let begin = at + head.bytes;
        let end = head.block_bytes.and_then(|bytes| begin.checked_add(bytes)).filter(|end| *end <= plain.len());
        let next = end.map(|end| end + line_ends(&plain[end..]));
        let is_between = |next: &usize| *next == plain.len() || plain[*next..].starts_with(BEGINNING);
        if let (Some(end), Some(next)) = (end, next.filter(is_between)) {
            records.readable.push(Record { number, fields: head.fields, block: plain.slice(begin..end) });
            at = next;
            continue;
        }
        at = next_record(plain, begin).ok_or_else(breaks_off)?;
        let reason = match head.block_bytes {
            None => "its header has no Content-Length",
            Some(_) => "its Content-Length is not that of its block",
        };
        records.unreadable.push(Unreadable { number, reason: reason.to_owned() });
    }
    Ok(records)
}

struct Head {
    /// With the empty line that ends it.
    bytes: usize,
    fields: Vec<(String, String)>,
    block_bytes: Option<usize>,
}

/// The header of a record; `None` where it breaks off.
fn head(bytes: &[u8]) -> Option<Head> {
    let mut fields: Vec<(String, String)> = Vec::new();
    let mut read = 0;
    loop {
        let line_bytes = bytes[read..].iter().position(|byte| *byte == b'\n')? + 1;
        let line = String::from_utf8_lossy(&bytes[read..read + line_bytes]);
        read += line_bytes;
        if line.trim_end().is_empty() {
            break;
        }
        match (line.starts_with([' ', '\t']), fields.last_mut(), line.split_once(':')) {
            (true, Some((_, value)), _) => *value = format!("{value} {}", line.trim()).trim().to_owned(),
            (_, _, Some((name, value))) => fields.push((name.trim().to_ascii_lowercase(), value.trim().to_owned())),
            _ => {}
        }
    }
    let length = fields.iter().find(|(name, _)| name == "content-length");
    let block_bytes = length.and_then(|(_, value)| value.parse().ok());
    Some(Head { bytes: read, fields, block_bytes })
}

/// How many bytes of ends of lines are here; two of them end a record.
fn line_ends(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count()
}

/// Where the next record begins after one that does not tell its end.
fn next_record(plain: &[u8], from: usize) -> Option<usize> {
    let offset = plain[from..].windows(SEPARATOR.len()).position(|window| window == SEPARATOR)?;
    Some(from + offset + SEPARATOR.len() - BEGINNING.len())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn record(length: &str, block: &str) -> String {
        format!("WARC/1.0\r\nWARC-Type: response\r\n{length}\r\n{block}\r\n\r\n")
    }

    #[test]
    fn a_file_that_unpacks_to_more_than_the_limit_is_refused() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&vec![0; 3 << 20]).expect("into memory");
        let zipped = encoder.finish().expect("into memory");
        assert_eq!(unzip(&zipped, 3 << 20).expect("within the limit").len(), 3 << 20);
        let (number, reason) = unzip(&zipped, 2 << 20).expect_err("a refusal");
        assert_eq!((number, reason.as_str()), (1, "the file unpacks to more than 2 MiB"));
    }

    #[test]
    fn a_record_that_does_not_tell_its_end_is_left_out_and_those_after_it_are_read() {
        let whole = record("Content-Length: 3\r\n", "abc");
        for wrong in ["", "Content-Length: x\r\n", "Content-Length: 2\r\n", "Content-Length: 5000\r\n"] {
            let records = read([&whole, &record(wrong, "odd"), &whole].map(String::as_str).concat().as_bytes());
            let records = records.expect("a file of records");
            assert_eq!(records.readable.iter().map(|record| record.number).collect::<Vec<_>>(), [1, 3], "{wrong}");
            assert!(records.readable.iter().all(|record| record.block == "abc"));
            assert_eq!(records.unreadable.iter().map(|record| record.number).collect::<Vec<_>>(), [2]);
        }
    }

    #[test]
    fn fields_are_read_as_writers_write_them() {
        let text = "WARC/1.1\nwarc-type:response\nWARC-Target-URI:  <http://a.test/\n  x>\n\
                    odd line\nWARC-Truncated: length\nContent-Length: 0\n\n\r\n\r\n\r\n";
        let records = read(text.as_bytes()).expect("a file of records");
        let [record] = &records.readable[..] else { panic!("one record") };
        assert!(record.is("response") && record.is_truncated());
        assert_eq!(record.text("warc-target-uri"), Some("<http://a.test/ x>"));
    }

    #[test]
    fn a_path_is_written_as_chromium_asks_for_it() {
        let target = |url: &str| {
            let text = record(&format!("WARC-Target-URI: {url}\r\nContent-Length: 1\r\n"), "x");
            read(text.as_bytes()).expect("a record").readable[0].http_url().expect("a URL").to_string()
        };
        assert_eq!(target("https://a.test/x|y^z/{|}.js?q=a|b^c#|"), "https://a.test/x%7Cy%5Ez/%7B%7C%7D.js?q=a|b^c#|");
        assert_eq!(target("https://a.test/x%7cy"), "https://a.test/x%7cy");
    }

    #[test]
    fn a_file_may_end_without_the_empty_lines_after_its_last_record() {
        let text = record("Content-Length: 3\r\n", "abc");
        assert_eq!(read(text.trim_end().as_bytes()).expect("a file of records").readable.len(), 1);
        let (number, reason) = read(&text.as_bytes()[..text.len() - 5]).expect_err("a refusal");
        assert_eq!((number, reason.as_str()), (1, "the file breaks off"));
    }
}
