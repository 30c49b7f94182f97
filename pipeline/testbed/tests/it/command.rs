//! What the command of a run finds, and how its end and the mistakes of callers are told.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::support::{ADDRESS, HOST, Plan, TESTBED, planted, recording, recording_of_all, turn_with_namespaces};
use data_encoding::HEXLOWER;
use eyelevel_definitions::stacks;
use eyelevel_testbed::sandbox::sys::LONGEST_WITHOUT_PAUSE_S;
use sha2::{Digest, Sha256};

fn testbed(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(TESTBED).args(arguments).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn the_command_finds_stack_network_hosts_and_page_in_its_environment() {
    let Some(_turn) = turn_with_namespaces() else { return };
    let run = Plan::new("QUIC", "LTE", 3, &["sh", "-c", "env | grep ^EYELEVEL_"]).finish();
    assert_eq!(run.status.code(), Some(0), "{}", run.stderr);
    let has = |line: String| assert!(run.stdout.lines().any(|other| other == line), "no {line} in {}", run.stdout);
    has("EYELEVEL_STACK=QUIC".to_owned());
    has("EYELEVEL_NETWORK=LTE".to_owned());
    has(format!("EYELEVEL_HOSTS={{\"{HOST}\":\"{ADDRESS}\"}}"));
    has(format!("EYELEVEL_RESOLVER_RULES=MAP {HOST} {ADDRESS}, MAP * ~NOTFOUND"));
    has(format!("EYELEVEL_START_URL=https://{HOST}/"));
    let spki = run.stdout.lines().find_map(|line| line.strip_prefix("EYELEVEL_SPKI=")).unwrap();
    // Base64 of a SHA-256.
    assert!(spki.split(',').all(|digest| digest.len() == 44), "{spki}");
}

#[test]
fn other_ports_and_ipv6_hosts_are_served_and_the_own_machine_is_named_before_the_start() {
    let Some(_turn) = turn_with_namespaces() else { return };
    let folder = tempfile::tempdir().unwrap();
    let site = recording_of_all(&folder, &["127.0.0.2:9104", "[fd00::2]:9105", "192.0.2.2:9106"], "<p>A page.");
    let report = folder.path().join("wire.json");
    let output = Command::new(TESTBED)
        .args(["run", "--stack", "TCP+", "--network", "DSL", "--seed", "1", "--recording"])
        .arg(site)
        .arg("--report")
        .arg(&report)
        .args(["--", "sh", "-c", "echo started >&2; echo \"$EYELEVEL_RESOLVER_RULES\"; echo \"$EYELEVEL_START_URL\""])
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    let sentence = "eyelevel testbed: replay cannot serve 127.0.0.2:9104 (of the browser's own machine); what the page asks of it \
                    is missed";
    assert_eq!(stderr.lines().take(2).collect::<Vec<_>>(), [sentence, "started"]);
    let stdout = String::from_utf8(output.stdout).unwrap();
    let (rules, start_url) = stdout.trim().split_once('\n').unwrap();
    assert!(rules.starts_with("MAP 192.0.2.2 192.0.2.2, MAP fd00::2 11."), "{rules}");
    assert_eq!(start_url, "https://[fd00::2]:9105/");
    let report: serde_json::Value = serde_json::from_slice(&fs::read(&report).unwrap()).unwrap();
    let server = &report["server"];
    let origins = ["192.0.2.2:443", "192.0.2.2:9106", "[fd00::2]:443", "[fd00::2]:9105"];
    assert_eq!(server["origins"], serde_json::json!(origins));
    assert_eq!(server["unserved"][0]["host"], "127.0.0.2");
    assert_eq!((&server["unserved"][0]["port"], server["unserved"].as_array().unwrap().len()), (&9104.into(), 1));
    assert_eq!(report["volatile_sha256"], serde_json::Value::Null);
}

#[test]
fn the_file_of_volatile_parameters_is_named_in_the_report_and_one_of_another_recording_is_refused() {
    let Some(_turn) = turn_with_namespaces() else { return };
    let folder = tempfile::tempdir().unwrap();
    let site = recording(&folder);
    let (report, volatile) = (folder.path().join("wire.json"), folder.path().join("site.volatile.json"));
    let run = |digest: &str| {
        let text = format!(
            r#"{{"contract": "eyelevel/volatile/1", "recording": "{digest}", "parameters": [], "callbacks": []}}"#
        );
        fs::write(&volatile, &text).unwrap();
        let output = Command::new(TESTBED)
            .args(["run", "--stack", "QUIC", "--network", "DSL", "--seed", "1", "--recording"])
            .arg(&site)
            .arg("--volatile")
            .arg(&volatile)
            .arg("--report")
            .arg(&report)
            .args(["--", "true"])
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap(), sha256(text.as_bytes()))
    };
    let site_sha256 = sha256(&fs::read(&site).unwrap());
    let (status, stderr, digest) = run(&site_sha256);
    assert_eq!(status, Some(0), "{stderr}");
    let wire: serde_json::Value = serde_json::from_slice(&fs::read(&report).unwrap()).unwrap();
    assert_eq!(wire["volatile_sha256"], digest);
    let (status, stderr, _) = run(&sha256(b"another recording"));
    assert_eq!((status, stderr.lines().count()), (Some(4), 1), "{stderr}");
    assert!(stderr.contains(&format!("but the given recording is {site_sha256}")), "{stderr}");
}

fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

#[test]
fn the_client_has_one_ipv4_interface_of_1500_bytes_and_no_ipv6() {
    let Some(_turn) = turn_with_namespaces() else { return };
    let script = "cut -d: -f1 /proc/net/dev | tail -n +3 | tr -d ' '; test ! -s /proc/net/if_inet6 && echo no IPv6; \
                  cat /proc/sys/net/ipv6/conf/eth0/disable_ipv6; echo $$";
    let run = Plan::new("TCP", "DSL", 1, &["sh", "-c", script]).finish();
    let lines: Vec<_> = run.stdout.lines().collect();
    assert_eq!(lines[..4], ["lo", "eth0", "no IPv6", "1"], "{}", run.stderr);
    let pid: u32 = lines[4].parse().unwrap();
    assert!(pid < 100, "a process id of its own namespace, not {pid}");
}

#[test]
fn the_command_has_none_of_our_descriptors() {
    let Some(_turn) = turn_with_namespaces() else { return };
    // The fourth one is the folder that sh reads.
    let run = Plan::new("TCP", "DSL", 1, &["sh", "-c", "echo /proc/$$/fd/*"]).finish();
    assert_eq!(run.stdout.trim().rsplit('/').next(), Some("3"), "{} {}", run.stdout, run.stderr);
}

/// SCHED_FIFO, in /proc/PID/task/TID/stat.
const FIFO: u32 = 1;

/// Priority and scheduling class of the first thread of that name in what /proc says of all threads.
fn scheduling(stats: &str, thread: &str) -> (u32, u32) {
    let of_thread = stats.lines().find(|line| line.contains(&format!("({thread})"))).expect("such a thread");
    let fields: Vec<&str> = of_thread.rsplit(')').next().unwrap().split_whitespace().collect();
    // rt_priority and policy, the 40th and 41st, of which two stand before the state
    (fields[37].parse().unwrap(), fields[38].parse().unwrap())
}

#[test]
fn the_emulation_runs_before_the_servers_and_these_before_ordinary_threads() {
    let Some(_turn) = turn_with_namespaces() else { return };
    for stack in ["TCP+", "QUIC"] {
        let run = Plan::new(stack, "DSL", 1, &["sh", "-c", "cat /proc/1/task/*/stat /proc/self/stat"]).finish();
        let report = run.report.expect("a report");
        // Where the system has no real-time share for us, the report says so.
        let expected = if report["link"]["real_time"] == true { [(2, FIFO), (1, FIFO)] } else { [(0, 0), (0, 0)] };
        assert_eq!(["emulation", "server"].map(|thread| scheduling(&run.stdout, thread)), expected, "{}", run.stdout);
        assert_eq!(report["server"]["real_time"], report["link"]["real_time"]);
        assert_eq!(scheduling(&run.stdout, "cat"), (0, 0), "{}", run.stdout);
    }
}

#[test]
fn without_the_right_to_real_time_priority_a_run_goes_on_and_its_report_says_so() {
    let Some(_turn) = turn_with_namespaces() else { return };
    let plan = Plan::new("QUIC", "DSL", 1, &["true"]);
    let output = Command::new("setpriv")
        .args(["--bounding-set", "-sys_nice", "--inh-caps", "-sys_nice", TESTBED])
        .args(plan.arguments())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report = plan.report().expect("a report");
    assert_eq!([&report["server"]["real_time"], &report["link"]["real_time"]], [false, false]);
    let noted = report["notes"][0].as_str().expect("a note");
    assert!(noted.contains("without real-time priority"), "{noted}");
    assert!(String::from_utf8_lossy(&output.stderr).contains(noted));
}

/// As the first process of its PID namespace, for which the kernel drops signals that no handler waits for.
#[test]
fn a_real_time_thread_that_never_pauses_is_ended_with_a_sentence() {
    let Some(_turn) = turn_with_namespaces() else { return };
    let plan = Plan::new("TCP+", "DSL", 1, &["true"]);
    let limit = (LONGEST_WITHOUT_PAUSE_S + 5).to_string();
    let output = Command::new("timeout")
        .args(["--signal=KILL", &limit, "unshare", "--pid", "--fork", "--kill-child"])
        .arg(planted())
        .args(plan.arguments())
        .env("EYELEVEL_TEST_FAULT", "spinning")
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    if stderr.contains("real-time priority: ") {
        return; // the system has none for us
    }
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains(&format!("for {LONGEST_WITHOUT_PAUSE_S} s without a pause")), "{stderr}");
}

#[test]
fn what_the_command_returns_is_passed_on() {
    let Some(_turn) = turn_with_namespaces() else { return };
    for (script, status) in [("exit 0", 0), ("exit 42", 42), ("kill -9 $$", 137)] {
        let run = Plan::new("TCP", "DSL", 1, &["sh", "-c", script]).finish();
        assert_eq!(run.status.code(), Some(status), "{}", run.stderr);
        let report = run.report.expect("a report, whether or not the command succeeds");
        assert_eq!(report["exit_status"], status);
    }
}

#[test]
fn a_command_that_does_not_exist_ends_with_127_and_its_name() {
    let Some(_turn) = turn_with_namespaces() else { return };
    let run = Plan::new("TCP", "DSL", 1, &["eyelevel-no-such-command"]).finish();
    assert_eq!(run.status.code(), Some(127));
    assert!(run.stderr.contains("eyelevel-no-such-command"), "{}", run.stderr);
    assert_eq!(run.report.unwrap()["exit_status"], serde_json::Value::Null);
}

#[test]
fn the_table_of_stacks_is_told_line_by_line() {
    let output = Command::new(TESTBED).arg("stacks").output().unwrap();
    let listed: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).unwrap();
    let column = |field: &str| -> Vec<_> { listed.iter().map(|stack| stack[field].clone()).collect() };
    assert_eq!(column("name"), stacks::names());
    assert_eq!(column("digest"), stacks::STACKS.iter().map(stacks::Stack::digest).collect::<Vec<_>>());
    assert_eq!(column("definition"), stacks::STACKS.iter().map(|it| serde_json::json!(it)).collect::<Vec<_>>());
    // That of takes made long ago: a field that came later and is not used changes no digest.
    assert_eq!(listed[3]["name"], "QUIC");
    assert_eq!(listed[3]["digest"], "e6f3443bbd52c80086ecf2f6b1511a04512f4b33f3a0fb9811a1d13ad770e5ba");
}

#[test]
fn unknown_names_are_answered_with_the_known_ones() {
    let common = ["--recording", "x", "--seed", "1"];
    for (wrong, sentence) in [
        (["--stack", "SCTP", "--network", "DSL"], "unknown stack \"SCTP\"; the stacks are TCP,"),
        (["--stack", "TCP", "--network", "ISDN"], "unknown network \"ISDN\"; the networks are DSL,"),
    ] {
        let (status, said) = testbed(&[&["run"], &common[..], &wrong[..], &["--", "true"]].concat());
        assert_eq!(status, Some(2));
        assert!(said.contains(sentence) && said.lines().count() == 1, "{said}");
    }
}

#[test]
fn a_report_that_could_not_be_written_is_refused_before_the_run() {
    let arguments = ["run", "--recording", "x", "--seed", "1", "--stack", "TCP", "--network", "DSL"];
    let (status, said) = testbed(&[&arguments[..], &["--report", "/no/such/folder/wire.json", "--", "true"]].concat());
    assert_eq!(status, Some(2));
    assert!(said.contains("/no/such/folder/wire.json"), "{said}");
}

#[test]
fn a_recording_that_is_none_is_named_with_status_4() {
    let Some(_turn) = turn_with_namespaces() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("broken.warc");
    fs::write(&file, "not a WARC").unwrap();
    let arguments = ["run", "--seed", "1", "--stack", "TCP", "--network", "DSL", "--recording"];
    let (status, said) = testbed(&[&arguments[..], &[file.to_str().unwrap(), "--", "true"]].concat());
    assert_eq!(status, Some(4));
    assert!(said.contains("broken.warc") && said.lines().count() == 1, "{said}");
}

#[test]
fn without_the_right_to_make_namespaces_the_cure_is_told_with_status_3() {
    let Some(_turn) = turn_with_namespaces() else { return };
    // Where an unprivileged user can reach it.
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let program = folder.path().join("testbed");
    fs::copy(TESTBED, &program).unwrap();
    let recording = recording(&folder);
    let output = Command::new(program)
        .uid(65534)
        .args(["run", "--seed", "1", "--stack", "TCP", "--network", "DSL", "--recording"])
        .arg(recording)
        .args(["--", "true"])
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("root"), "{said}");
}

#[test]
fn a_network_from_a_file_is_used_and_named_in_the_report() {
    let Some(_turn) = turn_with_namespaces() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (file, report) = (folder.path().join("net.json"), folder.path().join("wire.json"));
    let definition = serde_json::json!({
        "name": "lab", "up_mbps": 10.0, "down_mbps": 10.0, "rtt_ms": 10.0, "loss": 0.0, "queue_ms": 50.0
    });
    fs::write(&file, definition.to_string()).unwrap();
    let output = Command::new(TESTBED)
        .args(["run", "--seed", "1", "--stack", "TCP", "--network-file"])
        .arg(&file)
        .arg("--report")
        .arg(&report)
        .arg("--recording")
        .arg(recording(&folder))
        .args(["--", "sh", "-c", "echo $EYELEVEL_NETWORK"])
        .output()
        .unwrap();
    assert_eq!(output.stdout, b"lab\n", "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
    assert_eq!(report["network"]["definition"], definition);
    assert_eq!(report["network"]["digest"].as_str().unwrap().len(), 64);
}
