//! WARC records, gzip undone.

use std::collections::HashMap;
use std::io::{BufReader, Read};
use std::net::IpAddr;

use flate2::read::MultiGzDecoder;
use url::Url;
use warc::{Error, WarcHeader, WarcReader};

/// Header and block of one record.
pub struct Record {
    headers: HashMap<WarcHeader, Vec<u8>>,
    pub block: Vec<u8>,
}

impl Record {
    fn text(&self, name: &WarcHeader) -> Option<&str> {
        self.headers.get(name).and_then(|value| std::str::from_utf8(value).ok()).map(str::trim)
    }

    pub fn is(&self, kind: &str) -> bool {
        self.text(&WarcHeader::WarcType) == Some(kind)
    }

    pub fn id(&self) -> Option<&str> {
        self.text(&WarcHeader::RecordID)
    }

    pub fn concurrent_to(&self) -> Option<&str> {
        self.text(&WarcHeader::ConcurrentTo)
    }

    pub fn address(&self) -> Option<IpAddr> {
        self.text(&WarcHeader::IPAddress)?.parse().ok()
    }

    /// The target where it is of the web (WARC files also hold answers of the DNS and the like).
    pub fn http_url(&self) -> Option<Url> {
        // Some writers of WARC/1.0 wrap the target in angle brackets.
        let target = self.text(&WarcHeader::TargetURI)?.trim_start_matches('<').trim_end_matches('>');
        let url = Url::parse(target).ok()?;
        (matches!(url.scheme(), "http" | "https") && url.has_host()).then_some(url)
    }
}

/// A recording is held in memory. A page has a few megabytes; what unpacks to more than this is refused.
const MOST_PLAIN_BYTES: u64 = 2 << 30;

/// All records of a file, or the number of the first broken one (from 1) and what is wrong with it.
pub fn read(file: &[u8]) -> Result<Vec<Record>, (usize, String)> {
    if file.is_empty() {
        return Err((1, "the file is empty".to_owned()));
    }
    let plain = if file.starts_with(&[0x1f, 0x8b]) { unzip(file, MOST_PLAIN_BYTES)? } else { file.to_vec() };
    if !plain.starts_with(b"WARC/") {
        return Err((1, "this is not a WARC file".to_owned()));
    }
    let mut records = Vec::new();
    for record in WarcReader::new(BufReader::new(plain.as_slice())).iter_raw_records() {
        let (header, block) = record.map_err(|error| (records.len() + 1, explain(&error).to_owned()))?;
        records.push(Record { headers: header.as_ref().clone(), block });
    }
    // The reader takes the end of the file inside a record's header for the end of the records.
    if !plain.ends_with(b"\r\n\r\n") {
        return Err((records.len() + 1, explain(&Error::UnexpectedEOB).to_owned()));
    }
    Ok(records)
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
    let whole = WarcReader::new(BufReader::new(plain.as_slice())).iter_raw_records().filter(Result::is_ok).count();
    Err((whole + 1, reason))
}

fn explain(error: &Error) -> &'static str {
    match error {
        Error::UnexpectedEOB => "the file breaks off",
        Error::ReadOverflow => "the record is longer than its Content-Length says",
        _ => "its header is not one of WARC",
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    #[test]
    fn a_file_that_unpacks_to_more_than_the_limit_is_refused() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&vec![0; 3 << 20]).expect("into memory");
        let zipped = encoder.finish().expect("into memory");
        assert_eq!(unzip(&zipped, 3 << 20).expect("within the limit").len(), 3 << 20);
        let (number, reason) = unzip(&zipped, 2 << 20).expect_err("a refusal");
        assert_eq!((number, reason.as_str()), (1, "the file unpacks to more than 2 MiB"));
    }
}
