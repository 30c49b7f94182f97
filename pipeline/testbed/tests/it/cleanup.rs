//! However a run ends, nothing of it stays on the host.

use std::fs;
use std::os::unix::process::ExitStatusExt;

use crate::support::{Had, Host, Plan, Run, turn_with_namespaces};
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// A command that leaves what it can: a process that lost its parent, one in a session of its own, a mount, a namespace.
const UNTIDY: &str = "sleep 300 & setsid sleep 301 & (sleep 302 &) ; mount -t tmpfs none /mnt; \
                      unshare --net sleep 303 & echo up; sleep 304";

fn untidy_run() -> (Host, Run, Had) {
    let before = Host::look();
    let mut run = Plan::new("TCP+", "DSL", 1, &["sh", "-c", UNTIDY]).start();
    run.wait_for_line("up");
    // All five of them, and no fork of the shell that is about to become one.
    let sleeps = |pid: &Pid| fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line.starts_with(b"sleep\0"));
    while run.processes_with("sleep 30").iter().filter(|pid| sleeps(pid)).count() < 5 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let had = Had::by(&run);
    had.assert_plausible();
    (before, run, had)
}

fn assert_nothing_left(before: &Host, had: &Had) {
    had.assert_gone();
    assert_eq!(Host::look(), *before);
}

#[test]
fn nothing_stays_after_success_and_failure() {
    let Some(_turn) = turn_with_namespaces() else { return };
    for (script, status) in [("true", 0), ("exit 7", 7)] {
        let before = Host::look();
        let plan = Plan::new("TCP+", "DSL", 1, &[]).waiting(|wait| format!("echo up; {wait}; {script}"));
        let mut run = plan.start();
        run.wait_for_line("up");
        let had = Had::by(&run);
        had.assert_plausible();
        run.let_go();
        assert_eq!(run.wait().code(), Some(status));
        assert_nothing_left(&before, &had);
    }
}

#[test]
fn nothing_is_mounted_on_the_host_even_where_it_shares_its_mounts() {
    let Some(_turn) = turn_with_namespaces() else { return };
    // Hosts with systemd share their mounts with new namespaces; this thread becomes such a host.
    unshare(CloneFlags::CLONE_NEWNS).unwrap();
    mount(None::<&str>, "/", None::<&str>, MsFlags::MS_REC | MsFlags::MS_SHARED, None::<&str>).unwrap();
    let mounts = || fs::read_to_string("/proc/thread-self/mountinfo").unwrap();
    let before = mounts();
    let mut run = Plan::new("TCP+", "DSL", 1, &["sh", "-c", "mount -t tmpfs none /mnt && echo up; sleep 60"]).start();
    run.wait_for_line("up");
    assert_eq!(mounts(), before);
    run.signal(Signal::SIGKILL);
}

#[test]
fn nothing_stays_of_what_the_command_leaves_behind() {
    let Some(_turn) = turn_with_namespaces() else { return };
    let before = Host::look();
    let plan = Plan::new("QUIC", "DSL", 1, &[]).waiting(|wait| UNTIDY.replace("sleep 304", wait));
    let mut run = plan.start();
    run.wait_for_line("up");
    let had = Had::by(&run);
    run.let_go();
    assert_eq!(run.wait().code(), Some(0));
    assert_nothing_left(&before, &had);
}

#[test]
fn ctrl_c_and_termination_end_the_run_with_their_status() {
    let Some(_turn) = turn_with_namespaces() else { return };
    for (signal, status) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143)] {
        let (before, mut run, had) = untidy_run();
        run.signal(signal);
        assert_eq!(run.wait().code(), Some(status));
        assert_nothing_left(&before, &had);
    }
}

/// A command that cleans up after SIGINT.
const TIDY: &str = "trap 'sleep 0.5; echo tidied; exit 0' INT; echo up; while :; do sleep 0.05; done";

fn assert_tidies_up(plan: Plan) {
    let mut run = plan.start();
    run.wait_for_line("up");
    run.signal(Signal::SIGINT);
    run.wait_for_line("tidied");
    assert_eq!(run.wait().code(), Some(130));
}

#[test]
fn a_command_may_clean_up_after_ctrl_c_and_is_not_awaited_for_ever() {
    let Some(_turn) = turn_with_namespaces() else { return };
    assert_tidies_up(Plan::new("TCP+", "DSL", 1, &["sh", "-c", TIDY]));

    let mut run = Plan::new("TCP+", "DSL", 1, &["sh", "-c", "trap '' INT; echo up; sleep 300"]).start();
    run.wait_for_line("up");
    run.signal(Signal::SIGINT);
    assert_eq!(run.wait().code(), Some(130));
}

/// A POSIX shell cannot trap a signal that was ignored when it started.
#[test]
fn a_parent_that_ignores_sigint_changes_nothing() {
    let Some(_turn) = turn_with_namespaces() else { return };
    assert_tidies_up(Plan::new("TCP+", "DSL", 1, &["sh", "-c", TIDY]).in_the_background());
}

#[test]
fn nothing_stays_after_kill_9_of_the_outer_process() {
    let Some(_turn) = turn_with_namespaces() else { return };
    let (before, mut run, had) = untidy_run();
    run.signal(Signal::SIGKILL);
    assert_eq!(run.wait().signal(), Some(9));
    assert_nothing_left(&before, &had);
}

#[test]
fn nothing_stays_after_kill_9_of_the_inner_process() {
    let Some(_turn) = turn_with_namespaces() else { return };
    let (before, mut run, had) = untidy_run();
    kill(run.inner(), Signal::SIGKILL).unwrap();
    assert_eq!(run.wait().code(), Some(137));
    assert_nothing_left(&before, &had);
}

#[test]
fn nothing_stays_after_kill_9_of_the_command() {
    let Some(_turn) = turn_with_namespaces() else { return };
    let (before, mut run, had) = untidy_run();
    let command: Vec<_> = run.processes_with("sh -c sleep 300").into_iter().collect();
    // The outer and inner process have the command on their command lines, too; it is the youngest.
    kill(*command.last().unwrap(), Signal::SIGKILL).unwrap();
    assert_eq!(run.wait().code(), Some(137));
    assert_nothing_left(&before, &had);
}
