use std::io::Write;

use flate2::{Compression, write::GzEncoder};

use super::*;

fn record(kind: &str, fields: &str, block: &str) -> String {
    format!("WARC/1.0\r\nWARC-Type: {kind}\r\n{fields}Content-Length: {}\r\n\r\n{block}\r\n\r\n", block.len())
}

fn page(url: &str, response: &str) -> String {
    record("response", &format!("WARC-Target-URI: {url}\r\nWARC-Record-ID: <urn:uuid:{url}>\r\n"), response)
}

fn zipped(records: &[String]) -> Vec<u8> {
    records.iter().flat_map(|record| zip(record.as_bytes())).collect()
}

fn zip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("into memory");
    encoder.finish().expect("into memory")
}

fn written(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(bytes).expect("a full disk is no test");
    file
}

fn complaint(bytes: &[u8]) -> String {
    let file = written(bytes);
    let text = load(file.path()).expect_err("a refusal").to_string();
    assert!(text.contains(&file.path().display().to_string()), "{text}");
    text
}

#[test]
fn reads_every_response_of_a_file_with_one_gzip_member_per_record() {
    let file = written(&zipped(&[
        record("warcinfo", "", "software: x"),
        page("https://a.test/", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nhello"),
        record(
            "response",
            "WARC-Target-URI: <http://b.test/x>\r\nWARC-Record-ID: <urn:b>\r\nWARC-IP-Address: 192.0.2.7\r\n",
            "HTTP/1.1 204 No Content\r\n\r\n",
        ),
        record(
            "request",
            "WARC-Target-URI: http://b.test/x\r\nWARC-Concurrent-To: <urn:b>\r\n",
            "POST /x HTTP/1.1\r\n\r\n",
        ),
        record("response", "WARC-Target-URI: dns:b.test\r\n", "20180807111525"),
    ]));
    let recording = load(file.path()).expect("a recording");
    let seen: Vec<_> = recording
        .responses
        .iter()
        .map(|r| (r.method.as_str(), r.url.as_str(), r.status, r.body.len(), r.address.map(|a| a.to_string())))
        .collect();
    assert_eq!(
        seen,
        [("GET", "https://a.test/", 200, 5, None), ("POST", "http://b.test/x", 204, 0, Some("192.0.2.7".to_owned())),]
    );
    assert_eq!(recording.digest, HEXLOWER.encode(&Sha256::digest(std::fs::read(file.path()).expect("just written"))));
}

#[test]
fn a_request_is_found_whichever_of_the_two_records_names_the_other() {
    let answer = "HTTP/1.1 200 OK\r\n\r\n";
    let post = |body: &str| format!("POST /x HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let target = "WARC-Target-URI: http://b.test/x\r\n";
    let file = written(&zipped(&[
        record("response", &format!("{target}WARC-Record-ID: <urn:1>\r\n"), answer),
        record("request", &format!("{target}WARC-Record-ID: <urn:2>\r\nWARC-Concurrent-To: <urn:1>\r\n"), &post("a=1")),
        record("request", &format!("{target}WARC-Record-ID: <urn:3>\r\n"), &post("a=2")),
        record(
            "response",
            &format!(
                "{target}WARC-Record-ID: <urn:4>\r\nWARC-Concurrent-To: <urn:9>\r\nWARC-Concurrent-To: <urn:3>\r\n"
            ),
            answer,
        ),
    ]));
    let asked: Vec<_> = load(file.path()).expect("a recording").responses.iter().map(|r| r.asked_body).collect();
    assert_eq!(asked, [b"a=1", b"a=2"].map(|body| Some(BodyDigest::of(body))));
}

#[test]
fn a_broken_record_is_left_out_and_the_first_one_is_named() {
    let odd = |url: &str| record("response", &format!("WARC-Target-URI: {url}\r\n"), "no message");
    let empty = record("response", "WARC-Target-URI: https://a.test/empty\r\n", "");
    let file = written(&zipped(&[
        page("https://a.test/", "HTTP/2 200\r\n\r\nhello"),
        odd("https://a.test/odd"),
        empty,
        odd("https://a.test/2"),
    ]));
    let recording = load(file.path()).expect("a recording");
    assert_eq!(recording.responses.len(), 1);
    let [sentence] = &recording.flaws[..] else { panic!("one sentence: {:?}", recording.flaws) };
    assert!(
        sentence.contains("3 broken records, first record 2 (the response of https://a.test/odd is not"),
        "{sentence}"
    );
    assert!(complaint(&zipped(&[odd("https://a.test/")])).contains("contains no HTTP response"));
}

#[test]
fn a_response_that_the_recorder_cut_short_is_named() {
    let cut = "WARC-Target-URI: https://a.test/big\r\nWARC-Truncated: length\r\n";
    let file = written(&zipped(&[
        page("https://a.test/", "HTTP/1.1 200 OK\r\n\r\nhello"),
        record("response", cut, "HTTP/1.1 200 OK\r\n\r\nbi"),
    ]));
    let recording = load(file.path()).expect("a recording");
    assert_eq!(recording.responses.len(), 2);
    let expected = "1 response in full, cut short by the recorder (WARC-Truncated), first https://a.test/big";
    assert_eq!(recording.flaws, [expected]);
}

#[test]
fn an_answer_to_a_preflight_without_its_request_is_none_to_the_request_that_follows() {
    let allowed = "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Methods: GET\r\n\r\n";
    let methods = |records: &[String]| {
        let recording = load(written(&zipped(records)).path()).expect("a recording");
        recording.responses.into_iter().map(|response| response.method).collect::<Vec<_>>()
    };
    let (url, answer) = ("https://a.test/api", "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Methods: GET\r\n\r\n{}");
    assert_eq!(methods(&[page(url, allowed), page(url, answer)]), ["OPTIONS", "GET"]);
    assert_eq!(methods(&[page(url, allowed), page("https://a.test/", answer)]), ["GET", "GET"], "the only answer");
    let asked = format!("WARC-Target-URI: {url}\r\nWARC-Concurrent-To: <urn:uuid:{url}>\r\n");
    let request = record("request", &asked, "GET /api HTTP/1.1\r\n\r\n");
    // Both responses have this request, for they have one identifier here.
    assert_eq!(methods(&[request, page(url, allowed), page(url, answer)]), ["GET", "GET"]);
}

#[test]
fn what_is_no_response_of_the_web_is_left_out() {
    let file = written(&zipped(&[
        page("https://a.test/", "HTTP/1.1 200 OK\r\n\r\nhello"),
        record("resource", "WARC-Target-URI: urn:eyelevel:screenshot\r\nContent-Type: image/png\r\n", "PNG"),
        record("resource", "WARC-Target-URI: https://a.test/\r\nContent-Type: text/html\r\n", "plain"),
        page("urn:eyelevel:screenshot", "HTTP/1.1 200 OK\r\n\r\nPNG"),
    ]));
    let bodies: Vec<_> = load(file.path()).expect("a recording").responses.into_iter().map(|r| r.body).collect();
    assert_eq!(bodies, ["hello"]);
}

#[test]
fn reads_an_uncompressed_file_too() {
    let file = written(page("https://a.test/", "HTTP/1.1 200 OK\r\n\r\nx\n\r\n").as_bytes());
    assert_eq!(load(file.path()).expect("a recording").responses[0].body, "x\n\r\n");
}

#[test]
fn refuses_an_empty_a_foreign_and_a_missing_file_in_one_sentence() {
    assert!(complaint(b"").contains("the file is empty"));
    assert!(complaint(b"<html>").contains("this is not a WARC file"));
    let missing = load(Path::new("/nonexistent/x.warc.gz")).expect_err("a refusal").to_string();
    assert!(missing.starts_with("cannot read the recording /nonexistent/x.warc.gz: "), "{missing}");
}

#[test]
fn refuses_a_recording_without_responses() {
    assert!(complaint(&zipped(&[record("warcinfo", "", "software: x")])).contains("contains no HTTP response"));
}

#[test]
fn refuses_a_recording_with_a_pointer_to_another_body_and_names_the_command_that_resolves_it() {
    let text = complaint(&zipped(&[
        page("https://a.test/", "HTTP/1.1 200 OK\r\n\r\nhello"),
        record(
            "revisit",
            "WARC-Target-URI: https://a.test/2\r\nWARC-Refers-To: <urn:1>\r\n",
            "HTTP/1.1 200 OK\r\n\r\n",
        ),
    ]));
    assert!(text.contains("(revisit, record 2)") && text.contains("eyelevel import "), "{text}");
}

#[test]
fn refuses_a_recording_that_breaks_off_and_names_the_record() {
    let whole = [
        page("https://a.test/", "HTTP/1.1 200 OK\r\n\r\nhello"),
        page("https://a.test/2", "HTTP/1.1 200 OK\r\n\r\nhello"),
    ];
    let zipped = zipped(&whole);
    assert!(complaint(&zipped[..zipped.len() - 12]).contains("broken at record 2: the gzip data"));
    let plain = whole.concat();
    assert!(complaint(&plain.as_bytes()[..plain.len() - 6]).contains("broken at record 2: the file breaks off"));
    let header = plain.find("https://a.test/2").expect("the second record") + 3;
    assert!(complaint(&plain.as_bytes()[..header]).contains("broken at record 2: the file breaks off"));
}
