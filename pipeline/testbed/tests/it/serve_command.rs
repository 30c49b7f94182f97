//! `serve` as a process: its ready line, its end, its report, and how it refuses.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

fn serve(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eyelevel-testbed"));
    command.arg("serve").args(arguments);
    command
}

fn refused(arguments: &[&str]) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = serve(arguments).output().expect("a program that starts");
    (status.code(), String::from_utf8(stderr).expect("text"))
}

/// A recording of one page on one host.
fn recording(folder: &Path) -> String {
    let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>hello";
    let text = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/\r\nContent-Length: {}\r\n\r\n{page}\r\n\r\n",
        page.len()
    );
    let file = folder.join("site.warc");
    std::fs::write(&file, text).expect("a temporary file");
    file.to_str().expect("text").to_owned()
}

#[test]
fn it_says_that_it_listens_and_reports_when_it_is_told_to_end() {
    for stack in ["TCP+", "QUIC"] {
        let folder = tempfile::tempdir().expect("a folder");
        let (recording, report) = (recording(folder.path()), folder.path().join("wire.json"));
        let mut server =
            serve(&["--recording", &recording, "--stack", stack, "--seed", "7", "--loopback", "--port", "0"])
                .arg("--report")
                .arg(&report)
                .stdout(Stdio::piped())
                .spawn()
                .expect("a program that starts");
        let mut line = String::new();
        BufReader::new(server.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        let ready: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(ready["start_url"], "https://a.test/");
        assert_eq!(ready["hosts"]["a.test"], "127.77.0.1");
        assert!(ready["port"].as_u64().expect("a number") > 0);
        // Its reader has closed the pipe; it serves on until it is told.
        assert!(server.try_wait().expect("a child").is_none());
        kill(Pid::from_raw(i32::try_from(server.id()).expect("small")), Signal::SIGTERM).expect("a running child");
        assert!(server.wait().expect("a child").success());
        let report: Value = serde_json::from_slice(&std::fs::read(&report).expect("a report")).expect("JSON");
        assert_eq!((&report["stack"], &report["seed"]), (&stack.into(), &7.into()));
        assert_eq!(report["grouping"], "by host");
        assert_eq!(
            report["counts"],
            serde_json::json!({"exact": 0, "equivalent": 0, "inexact": 0, "preflight": 0, "miss": 0})
        );
        let left: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").collect();
        assert_eq!(left.len(), 2, "only recording and report stay: {left:?}");
    }
}

#[test]
fn it_refuses_in_one_sentence_with_the_status_of_its_kind() {
    let folder = tempfile::tempdir().expect("a folder");
    let site = recording(folder.path());
    let cases = [
        (vec!["--recording", &site, "--stack", "QUICK"], 2, "unknown stack \"QUICK\""),
        (vec!["--recording", &site, "--stack", "QUIC", "--scheduler", "x"], 2, "unknown scheduler \"x\""),
        (vec!["--recording", "/nonexistent", "--stack", "QUIC"], 4, "cannot read the recording /nonexistent"),
        (vec!["--recording", &site, "--stack", "QUIC", "--volatile", &site], 4, "is not a file of volatile parameters"),
        (vec!["--recording", &site, "--stack", "QUIC", "--start-url", "https://b.test/"], 4, "not of a recorded host"),
        // Nobody has this address here: it is one of the testbed's own.
        (vec!["--recording", &site, "--stack", "TCP+", "--port", "0"], 5, "cannot listen on 11."),
    ];
    for (arguments, status, sentence) in cases {
        let (code, said) = refused(&arguments);
        assert_eq!(code, Some(status), "{said}");
        assert!(said.contains(sentence) && said.lines().count() == 1, "{said}");
    }
}
